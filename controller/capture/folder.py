"""A capture on disk: `capture.yaml`, a tree and a picture for each screen.

Owns the format's writing side; `controller.virtual.captured` reads it. Nothing is sent anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from controller.capture.recorder import Arrow, Doing, Recorder, Screen
from controller.device.keys import KEYS
from controller.errors import UsageError
from controller.screen.hierarchy import Bounds, Hierarchy, Node

__all__ = ["FILE", "CaptureFolder", "PhoneFacts", "tree_xml"]

FILE = "capture.yaml"

_HEAD = """\
# A phone made from what was seen and done on another one. `phonectl --device FOLDER …` plays it, `phonectl virtual show
# FOLDER` draws its map. Trees and pictures hold everything that stood on those screens, but passwords and what was
# hidden on purpose: look through them before giving the folder away.
"""


@dataclass(frozen=True, slots=True)
class PhoneFacts:
    """What is told of the phone itself. Its serial is not: that would name its owner's device."""

    model: str = "unknown"
    maker: str = "unknown"
    sdk: int | None = None
    release: str = ""
    size: tuple[int, int] = (1080, 2400)
    density: int = 420


class CaptureFolder:
    """Writes one capture, anew after every change: what was recorded stays when the process is killed.

    Args:
        path: The folder; made at the first writing.

    Raises:
        UsageError: A capture, or something else, is there already.
    """

    def __init__(self, path: Path) -> None:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise UsageError(
                f"{path} is not empty; a capture begins in a folder of its own",
                hint="name another folder with --to, or remove this one first",
                code="capture_exists",
            )
        self.path = path
        self.phone = PhoneFacts()
        self._written: set[int] = set()

    def write(self, recorder: Recorder) -> None:
        """Bring the folder up to what was recorded."""
        # What stood on a person's screens is for that person's eyes.
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in ("screens", "pictures"):
            (self.path / name).mkdir(exist_ok=True)
        for screen in recorder.screens:
            if screen.number not in self._written:
                self._screen(screen)
                self._written.add(screen.number)
        new = self.path / f"{FILE}.new"
        new.write_text(_HEAD + _yaml(self._document(recorder)), encoding="utf-8")
        new.replace(self.path / FILE)

    def _screen(self, screen: Screen) -> None:
        tree = tree_xml(screen.seen.hierarchy)
        (self.path / "screens" / f"{screen.id}.xml").write_text(tree, encoding="utf-8")
        if screen.shot.png:
            (self.path / "pictures" / f"{screen.id}.png").write_bytes(screen.shot.png)

    def _document(self, recorder: Recorder) -> dict[str, Any]:
        phone = self.phone
        return {
            "capture": 1,
            "phone": {
                "model": phone.model,
                "maker": phone.maker,
                "sdk": phone.sdk or 34,
                "android": phone.release,
                "screen": {"width": phone.size[0], "height": phone.size[1], "density": phone.density},
            },
            "start": recorder.screens[0].id,
            "screens": [_screen_fields(screen) for screen in recorder.screens],
            "actions": [_arrow_fields(arrow) for arrow in recorder.arrows],
        }


def _screen_fields(screen: Screen) -> dict[str, Any]:
    seen, front = screen.seen, screen.seen.front
    told = {
        "id": screen.id,
        "page": screen.page,
        "package": front.package,
        "activity": front.activity,
        "state": str(front.state),
        "overlay": front.overlay,
        "behind": front.behind,
        "rotation": seen.rotation or None,
        "keyboard": _numbers(seen.keyboard),
        "input_method": seen.input_method,
        "secure": screen.shot.secure or None,
        "picture": None if screen.shot.png else False,
        "note": screen.shot.note or None,
    }
    return {key: value for key, value in told.items() if value is not None}


def _arrow_fields(arrow: Arrow) -> dict[str, Any]:
    deed = arrow.deed
    told: dict[str, Any] = {"from": arrow.source, "do": str(deed.kind)}
    if deed.kind is Doing.SCROLL and deed.start and deed.end:
        told |= {"at": list(deed.start), "end": list(deed.end)}
    elif deed.start is not None:
        told["at"] = list(deed.start)
    if deed.key is not None:
        told |= {"key": deed.key, "name": key_name(deed.key)}
    seconds = None if deed.seconds is None else round(deed.seconds, 2)
    named = {"package": deed.package, "uri": deed.uri, "text": deed.text, "seconds": seconds}
    told |= {key: value for key, value in named.items() if value is not None}
    if arrow.element:
        told["element"] = arrow.element[:200]
    if arrow.bounds is not None:
        told["bounds"] = _numbers(arrow.bounds)
    if arrow.times > 1:
        told["times"] = arrow.times
    return {**told, "to": arrow.target}


def key_name(code: int) -> str:
    """A key as people call it: `back`; its number where it has no name."""
    return next((name for name, known in KEYS.items() if known == code), str(code))


def _numbers(bounds: Bounds | None) -> list[int] | None:
    return None if bounds is None else [bounds.left, bounds.top, bounds.right, bounds.bottom]


def _yaml(document: dict[str, Any]) -> str:
    import yaml

    def one(value: Any) -> str:
        text: str = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, default_flow_style=True, width=10_000)
        return text.rstrip("\n")

    lines: list[str] = []
    for key, value in document.items():
        if isinstance(value, list):
            # A screen or an action a line: that is how differences of two captures are read.
            lines += [f"{key}:", *(f"  - {one(entry)}" for entry in value)] if value else [f"{key}: []"]
        else:
            lines.append(one({key: value})[1:-1])
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------------------------------- trees


def tree_xml(h: Hierarchy) -> str:
    """The tree as uiautomator2's server writes one; `parse` reads the same tree out of it."""
    lines = ["<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>", f'<hierarchy rotation="{h.rotation or 0}">']
    for window in h.windows:
        lines += _node(window, 1, 0)
    return "\n".join([*lines, "</hierarchy>", ""])


def _node(node: Node, depth: int, index: int) -> Iterator[str]:
    attributes = " ".join(f"{name}={quoteattr(value, _ESCAPED)}" for name, value in _attributes(node, index))
    indent = "  " * depth
    if not node.children:
        yield f"{indent}<node {attributes} />"
        return
    yield f"{indent}<node {attributes}>"
    for number, child in enumerate(node.children):
        yield from _node(child, depth + 1, number)
    yield f"{indent}</node>"


_ESCAPED = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def _attributes(node: Node, index: int) -> Iterator[tuple[str, str]]:
    states = node.states
    yield "index", str(index)
    yield "text", node.text
    yield "resource-id", node.resource_id
    yield "class", node.class_name
    yield "package", node.package
    yield "content-desc", node.desc
    for name, value in (
        ("checkable", states.checkable),
        ("checked", states.checked),
        ("clickable", states.clickable),
        ("enabled", states.enabled),
        ("focusable", states.focusable),
        ("focused", states.focused),
        ("scrollable", states.scrollable),
        ("long-clickable", states.long_clickable),
        ("password", states.password),
        ("selected", states.selected),
        ("visible-to-user", states.visible),
    ):
        yield name, "true" if value else "false"
    yield "bounds", str(node.bounds)
    yield "drawing-order", str(node.drawing_order)
    yield "hint", node.hint

"""Small trees for tests, written as a uiautomator2 dump would write them."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from controller.screen.hierarchy import Bounds, Hierarchy, Node, parse

__all__ = ["APP", "SCREEN", "dump", "named", "node", "tree"]

APP = "com.example.app"
SCREEN = Bounds(0, 0, 1080, 2400)
_FLAGS = (
    "checkable", "checked", "clickable", "enabled", "focusable", "focused", "scrollable", "long-clickable", "password",
    "selected", "visible-to-user",
)  # fmt: skip


def node(
    cls: str,
    text: str = "",
    bounds: tuple[int, int, int, int] = (0, 0, 1080, 100),
    *children: str,
    desc: str = "",
    id: str = "",
    hint: str = "",
    flags: str = "",
    package: str = APP,
    order: int = 0,
) -> str:
    """One node as XML; `flags` are the words that are true (`off` before a word makes it false)."""
    states = {flag: flag in ("enabled", "visible-to-user") for flag in _FLAGS}
    for word in flags.split():
        states[word.removeprefix("off:")] = not word.startswith("off:")
    left, top, right, bottom = bounds
    values = {
        "index": "0",
        "text": text,
        "resource-id": f"{package}:id/{id}" if id else "",
        "class": cls if "." in cls else f"android.widget.{cls}",
        "package": package,
        "content-desc": desc,
        **{flag: str(states[flag]).lower() for flag in _FLAGS},
        "bounds": f"[{left},{top}][{right},{bottom}]",
        "drawing-order": str(order),
        "hint": hint,
    }
    written = " ".join(f"{name}={quoteattr(value, {chr(10): '&#10;'})}" for name, value in values.items())
    return f"<node {written}>{''.join(children)}</node>"


def dump(*windows: str, rotation: int = 0) -> str:
    """A whole dump."""
    return f'<?xml version="1.0" encoding="UTF-8"?><hierarchy rotation="{rotation}">{"".join(windows)}</hierarchy>'


def tree(*children: str, bounds: tuple[int, int, int, int] = (0, 0, 1080, 2400), package: str = APP) -> Hierarchy:
    """The hierarchy of one full-screen window with these children."""
    return parse(dump(node("FrameLayout", "", bounds, *children, package=package)))


def named(h: Hierarchy, text: str) -> Node:
    """The first node with this text or description."""
    return next(found for found in h.nodes() if text in (found.text, found.desc))

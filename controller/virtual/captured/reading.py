"""A capture's folder → values. What is wrong is said with file, line and column.

```yaml
capture: 1
phone: {model: Pixel 8, maker: Google, sdk: 34, screen: {width: 1080, height: 2400, density: 420}}
start: s1
screens:
  - {id: s1, page: 1, package: com.android.launcher3, activity: com.android.launcher3.Launcher, state: app}
actions:
  - {from: s1, do: tap, at: [540, 210], element: 搜索, to: s2}
```
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from xml.etree import ElementTree

from controller.errors import DocumentError
from controller.virtual.captured.spec import DOINGS, Capture, Screen, Way
from controller.virtual.document import Place, parse, require
from controller.virtual.ui import Rect, Style, UiNode

__all__ = ["CAPTURE_FILE", "parse_capture", "parse_tree", "read_capture"]

CAPTURE_FILE = "capture.yaml"
_SCREEN_KEYS = (
    "id", "page", "package", "activity", "state", "overlay", "behind", "rotation", "keyboard", "input_method", "secure",
    "picture", "note",
)  # fmt: skip
_WAY_KEYS = (
    "from", "to", "do", "at", "end", "key", "name", "package", "uri", "text", "seconds", "element", "bounds", "times",
)  # fmt: skip
_STATES = ("app", "overlay", "keyguard", "screen_off", "unknown")

Files = Callable[[str], bytes | None]
"""A file of the folder by its path in it; None where it is not there."""


def read_capture(folder: Path) -> Capture:
    """The capture in a folder.

    Raises:
        DocumentError: There is none, or something in it is wrong.
    """
    main = folder / CAPTURE_FILE
    if not main.is_file():
        raise DocumentError(
            f"there is no {CAPTURE_FILE} in {folder}", hint="`phonectl capture --to FOLDER` makes a capture"
        )

    def file(name: str) -> bytes | None:
        path = folder / name
        return path.read_bytes() if path.is_file() else None

    return parse_capture(main.read_text(encoding="utf-8"), str(main), name=folder.name, files=file)


def parse_capture(text: str, path: str, *, name: str, files: Files) -> Capture:
    """The capture in the text of its capture.yaml and its files.

    Raises:
        DocumentError: Something in it is wrong.
    """
    root = parse(text, path)
    fields = root.fields(["capture", "phone", "start", "screens", "actions"])
    version = require(fields, "capture", root)
    if version.integer() != 1:
        version.fail(f"this is a capture of format {version.text()}; this phonectl reads format 1")
    phone = require(fields, "phone", root)
    about = phone.fields(["model", "maker", "sdk", "android", "screen"])
    display = require(about, "screen", phone)
    size = display.fields(["width", "height", "density"])
    screens: dict[str, Screen] = {}
    notes: dict[str, str] = {}
    for entry in require(fields, "screens", root).entries():
        screen = _screen(entry, files)
        if screen.id in screens:
            entry.fail(f"there are two screens `{screen.id}`")
        screens[screen.id] = screen
        if "note" in (told := entry.fields(_SCREEN_KEYS)):
            notes[screen.id] = told["note"].text()
    if not screens:
        fields["screens"].fail("a capture has at least one screen")
    entries = fields["actions"].entries() if "actions" in fields else []
    return Capture(
        name=name,
        model=_text(about, "model") or "unknown",
        maker=_text(about, "maker") or "unknown",
        sdk=require(about, "sdk", phone).integer(least=21),
        width=require(size, "width", display).integer(least=100),
        height=require(size, "height", display).integer(least=100),
        density=require(size, "density", display).integer(least=60),
        start=require(fields, "start", root).choice(screens),
        screens=screens,
        ways=tuple(_way(entry, number, screens) for number, entry in enumerate(entries)),
        release=_text(about, "android"),
        notes=notes,
    )


def _screen(entry: Place, files: Files) -> Screen:
    fields = entry.fields(_SCREEN_KEYS)
    name = require(fields, "id", entry).text()
    if not re.fullmatch(r"[\w-]{1,40}", name):
        fields["id"].fail(f"`{name}` is no name of a screen: letters, digits, _ and -")
    tree = files(f"screens/{name}.xml")
    if tree is None:
        entry.fail(f"screens/{name}.xml is missing")
    pictured = "picture" not in fields or fields["picture"].boolean()
    picture = files(f"pictures/{name}.png") if pictured else None
    if pictured and picture is None:
        entry.fail(f"pictures/{name}.png is missing", hint="write `picture: false` where there is none")
    return Screen(
        id=name,
        page=require(fields, "page", entry).integer(least=1),
        package=_text(fields, "package"),
        activity=_text(fields, "activity") or None,
        state=fields["state"].choice(_STATES) if "state" in fields else "app",
        roots=parse_tree(tree, f"screens/{name}.xml"),
        overlay=_text(fields, "overlay") or None,
        behind=_text(fields, "behind") or None,
        rotation=fields["rotation"].integer(least=0) % 4 if "rotation" in fields else 0,
        keyboard=_rect(fields["keyboard"]) if "keyboard" in fields else None,
        input_method=_text(fields, "input_method") or None,
        secure="secure" in fields and fields["secure"].boolean(),
        picture=picture or b"",
    )


def _way(entry: Place, number: int, screens: Mapping[str, Screen]) -> Way:
    fields = entry.fields(_WAY_KEYS)
    return Way(
        number=number,
        source=require(fields, "from", entry).choice(screens),
        target=require(fields, "to", entry).choice(screens),
        kind=require(fields, "do", entry).choice(DOINGS),
        at=_point(fields["at"]) if "at" in fields else None,
        end=_point(fields["end"]) if "end" in fields else None,
        key=fields["key"].integer(least=1) if "key" in fields else None,
        name=_text(fields, "name"),
        package=_text(fields, "package") or None,
        uri=_text(fields, "uri") or None,
        text=fields["text"].text() if "text" in fields else None,
        seconds=fields["seconds"].number(least=0) if "seconds" in fields else 0.0,
        element=_text(fields, "element"),
        bounds=_rect(fields["bounds"]) if "bounds" in fields else None,
        times=fields["times"].integer(least=1) if "times" in fields else 1,
    )


def _text(fields: Mapping[str, Place], name: str) -> str:
    return fields[name].text() if name in fields else ""


def _numbers(place: Place, count: int) -> list[int]:
    numbers = [entry.integer() for entry in place.entries()]
    if len(numbers) != count:
        place.fail(f"expected {count} numbers, found {len(numbers)}")
    return numbers


def _point(place: Place) -> tuple[int, int]:
    x, y = _numbers(place, 2)
    return x, y


def _rect(place: Place) -> Rect:
    return Rect(*_numbers(place, 4))


# ------------------------------------------------------------------------------------------------------------- trees


def parse_tree(xml: bytes, path: str) -> tuple[UiNode, ...]:
    """The windows of a tree, as nodes.

    Raises:
        DocumentError: It is no XML.
    """
    try:
        root = ElementTree.fromstring(xml)
    except ElementTree.ParseError as err:
        line, column = err.position
        raise DocumentError(f"{path}:{line}:{column + 1}: {err}", path=path, line=line) from err
    return tuple(_node(element, str(number), number) for number, element in enumerate(root))


# bounds="[0,63][1080,210]"
_BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
_KINDS = (
    ("EditText", "field"), ("AutoCompleteTextView", "field"), ("ImageButton", "icon"), ("Image", "image"),
    ("CheckBox", "check"), ("Switch", "switch"), ("RadioButton", "radio"), ("ToggleButton", "check"),
    ("Button", "button"), ("ProgressBar", "progress"), ("SeekBar", "seek"), ("TextView", "text"),
)  # fmt: skip


def _node(element: ElementTree.Element, key: str, index: int) -> UiNode:
    get = element.get
    found = _BOUNDS.fullmatch(get("bounds", ""))
    bounds = Rect(*(int(number) for number in found.groups())) if found else Rect(0, 0, 0, 0)
    class_name = get("class", "")
    text = get("text", "")
    kind = next((kind for ending, kind in _KINDS if class_name.endswith(ending) or ending in class_name), "")

    def flag(name: str) -> bool:
        return get(name) == "true"

    return UiNode(
        key=key,
        kind=kind or ("text" if text else "box"),
        class_name=class_name,
        package=get("package", ""),
        bounds=bounds,
        frame=bounds,
        index=index,
        text=text,
        resource_id=get("resource-id", ""),
        content_desc=get("content-desc", ""),
        hint=get("hint", ""),
        checkable=flag("checkable"),
        checked=flag("checked"),
        clickable=flag("clickable"),
        enabled=get("enabled", "true") == "true",
        focusable=flag("focusable"),
        focused=flag("focused"),
        scrollable=flag("scrollable"),
        long_clickable=flag("long-clickable"),
        password=flag("password"),
        selected=flag("selected"),
        visible=get("visible-to-user", "true") == "true",
        drawing_order=int(get("drawing-order") or 0),
        style=Style(),
        children=tuple(_node(child, f"{key}.{number}", number) for number, child in enumerate(element)),
    )

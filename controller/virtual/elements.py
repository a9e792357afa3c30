"""The kinds of elements that a screen is written with, as one table.

Owns the Android class, the defaults and the abilities of each kind. How they are laid out is for `layout`, how they are
drawn for `draw`, how YAML names them for `apps`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.virtual.spec import Element
from controller.virtual.ui import PLAIN, Style

__all__ = ["KINDS", "Kind", "fields_in"]

_W = "android.widget."


@dataclass(frozen=True, slots=True)
class Kind:
    """What one kind of element is and does where the data says nothing else.

    `holds` tells what the value behind the kind's name is: `text`, `children`, `var`, `rows`, `part` or nothing.
    """

    class_name: str
    holds: str = "text"
    axis: str = ""
    """`v` or `h` for boxes that lay their children in a line, `z` for those that lay them over each other."""
    scrolls: bool = False
    clickable: bool = False
    checkable: bool = False
    fills: bool = False
    width: float = 0
    height: float = 0
    weight: float = 0
    padding: tuple[float, float, float, float] = (0, 0, 0, 0)
    style: Style = PLAIN
    node: bool = True
    """False for what only takes or shares room and is no view of its own."""


KINDS: Mapping[str, Kind] = {
    "text": Kind(_W + "TextView"),
    "button": Kind(
        _W + "Button",
        clickable=True,
        padding=(16, 9, 16, 9),
        style=Style(size=14, color="#ffffff", background="#1a73e8", radius=18, align="center", max_lines=1),
    ),
    "image": Kind(_W + "ImageView", width=96, height=64, style=Style(size=12, background="#cfd8dc", radius=6)),
    "tab": Kind(_W + "TextView", clickable=True, style=Style(align="center", max_lines=1)),
    "icon": Kind(_W + "ImageView", width=24, height=24, style=Style(size=18, align="center")),
    "field": Kind(
        _W + "EditText",
        holds="var",
        clickable=True,
        fills=True,
        padding=(12, 10, 12, 10),
        style=Style(size=16, background="#f1f3f4", radius=8, max_lines=1),
    ),
    "check": Kind(_W + "CheckBox", clickable=True, checkable=True, padding=(32, 6, 4, 6)),
    "radio": Kind(_W + "RadioButton", clickable=True, checkable=True, padding=(32, 6, 4, 6)),
    "switch": Kind(_W + "Switch", clickable=True, checkable=True, width=52, height=32),
    "spinner": Kind(_W + "Spinner", holds="var", clickable=True, padding=(12, 8, 28, 8), style=Style(max_lines=1)),
    "seek": Kind(_W + "SeekBar", holds="var", fills=True, height=36),
    "progress": Kind(_W + "ProgressBar", holds="", width=44, height=44),
    "row": Kind(_W + "LinearLayout", holds="children", axis="h", fills=True),
    "column": Kind(_W + "LinearLayout", holds="children", axis="v", fills=True),
    "stack": Kind(_W + "FrameLayout", holds="children", axis="z", fills=True),
    "group": Kind("android.view.ViewGroup", holds="children", axis="v", fills=True),
    "list": Kind(
        "androidx.recyclerview.widget.RecyclerView", holds="children", axis="v", scrolls=True, fills=True, weight=1
    ),
    "scroll": Kind(_W + "ScrollView", holds="children", axis="v", scrolls=True, fills=True, weight=1),
    "hscroll": Kind(_W + "HorizontalScrollView", holds="children", axis="h", scrolls=True, fills=True),
    "web": Kind("android.webkit.WebView", holds="children", axis="v", scrolls=True, fills=True, weight=1),
    "divider": Kind("android.view.View", holds="", fills=True, height=1, style=Style(background="#e0e0e0")),
    "space": Kind("", holds="", node=False),
    "each": Kind(_W + "LinearLayout", holds="rows", axis="v", fills=True),
    "use": Kind("", holds="part", node=False),
    "key": Kind("android.view.View", clickable=True, height=40, weight=1, style=Style(size=20, align="center")),
}
"""Every kind by the name that YAML uses."""


def fields_in(elements: Sequence[Element]) -> list[Element]:
    """The text fields among the elements and in them."""
    found = [element for element in elements if element.kind == "field"]
    for element in elements:
        found += fields_in(element.children)
    return found

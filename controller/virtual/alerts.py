"""Dialogs as Android lays them out: the elements of an alert, how wide it is, where it lies.

Pure functions over a dialog's data. Which dialogs are open is for `dialogs`, their windows for `windows`.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.virtual.spec import Action, DialogSpec, Element
from controller.virtual.ui import Rect, Style

__all__ = ["alert", "dialog_place", "dialog_width"]

_WIDTH_DP, _EDGE_DP, _MENU_DP = 320, 32, 140


def alert(spec: DialogSpec) -> tuple[Element, ...]:
    """The elements of Android's AlertDialog, with its own ids."""
    body: list[Element] = []
    if spec.title:
        style = Style(size=20, color="#202124")
        body.append(Element("text", text=spec.title, id="android:id/alertTitle", padding=(24, 20, 24, 8), style=style))
    if spec.message:
        style = Style(size=15, color="#5f6368")
        body.append(Element("text", text=spec.message, id="android:id/message", padding=(24, 8, 24, 12), style=style))
    names = ["android:id/button3", "android:id/button2", "android:id/button1"]
    look = Style(size=14, bold=True, color="#1a73e8", align="center")
    buttons = [
        Element("button", text=text, id=name, padding=(14, 9, 14, 9), style=look, tap=(Action("close"), *do))
        for (text, do), name in zip(spec.buttons, names[-len(spec.buttons) :] if spec.buttons else [], strict=False)
    ]
    row = Element("row", padding=(12, 4, 12, 12), gap=4, children=(Element("space", weight=1), *buttons))
    return (*body, row) if buttons else tuple(body)


def dialog_place(at: str, anchor: Rect | None, width: int, height: int, room: Rect) -> tuple[int, int]:
    """The corner of a dialog of this size in its room."""
    if at == "bottom":
        return room.left, room.bottom - height
    if at == "top":
        return room.left, room.top
    if at == "anchor" and anchor is not None:
        left = min(anchor.left, room.right - width)
        return max(room.left, left), max(room.top, min(anchor.bottom, room.bottom - height))
    return room.left + (room.width - width) // 2, room.top + (room.height - height) // 2


def dialog_width(spec: DialogSpec, anchor: Rect | None, room: int, px: Callable[[float], int]) -> int:
    """How wide a dialog is: sheets fill their room, a menu is as wide as what it hangs on."""
    if spec.at in ("bottom", "top"):
        return room
    if spec.at == "anchor" and anchor is not None:
        return min(room, max(anchor.width, px(_MENU_DP)))
    return min(room - px(_EDGE_DP), px(spec.width or _WIDTH_DP))

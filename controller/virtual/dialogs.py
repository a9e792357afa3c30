"""Dialogs over activities, and the ones that the system lays over everything.

Owns opening and closing. How a dialog looks is for `windows`, what its buttons do for the app's data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from controller.virtual.activities import Activity, Dialog, Surface
from controller.virtual.elements import fields_in
from controller.virtual.spec import Action, DialogSpec, Element
from controller.virtual.ui import Rect, Style

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Dialogs", "owner_of"]


def owner_of(surface: Surface) -> Activity | None:
    """The activity that a surface is or lies over; None for windows of the system."""
    if isinstance(surface, Activity):
        return surface
    return surface.owner if isinstance(surface, Dialog) else None


class Dialogs:
    """The dialogs of one phone."""

    def __init__(self, phone: VirtualPhone) -> None:
        self._phone = phone
        self._system: dict[str, Dialog] = {}

    def show(self, surface: Surface, name: str, values: Mapping[str, str]) -> None:
        """Show a dialog that the surface's app describes."""
        self.open(surface, self._phone.packages[surface.package].spec.dialogs[name], values)

    def open(
        self, surface: Surface, spec: DialogSpec, values: Mapping[str, str], *, anchor: Rect | None = None
    ) -> None:
        """Show a dialog over the activity of a surface."""
        owner, phone = owner_of(surface), self._phone
        if owner is not None:
            names = {field.var: "" for field in fields_in(spec.body)} | dict(values)
            dialog = Dialog(phone.next_hash(), owner.package, names, spec=spec, anchor=anchor, owner=owner)
            owner.dialogs.append(dialog)
            phone.changed()

    def close(self, surface: Surface) -> None:
        """Close a dialog; on an activity its topmost one."""
        owner = owner_of(surface)
        if owner is None or not owner.dialogs:
            return
        if isinstance(surface, Dialog) and surface in owner.dialogs:
            owner.dialogs.remove(surface)
        elif surface is owner:
            owner.dialogs.pop()
        self._phone.changed()

    def system(self) -> Dialog | None:
        """The dialog that a fault lays over everything."""
        for name, make in _OF_THE_SYSTEM.items():
            if self._phone.faults.begun(name) is None:
                self._system.pop(name, None)
            elif name not in self._system:
                self._system[name] = make(self._phone)
        return next((self._system[name] for name in _OF_THE_SYSTEM if name in self._system), None)


def _popup(phone: VirtualPhone) -> Dialog:
    fault = phone.faults.begun("popup")
    args = fault.args if fault is not None else {}
    done = ("知道了", (Action("clear_fault", "popup"),))
    title, message = args.get("title", "系统更新"), args.get("message", "新版本已经可以安装。")
    return Dialog(phone.next_hash(), "android", spec=DialogSpec(title, message, buttons=(done,), cancelable=False))


def _crashed(phone: VirtualPhone) -> Dialog:
    # AOSP's AppErrorDialog: a column of buttons with ids of its own, in a window that is named after the process.
    victim, label, chinese = _about(phone, "crash")
    words = (f"{label} 已停止运行", "重新打开应用", "关闭应用") if chinese else (
        f"{label} has stopped", "Open app again", "Close app",
    )  # fmt: skip
    over = Action("clear_fault", "crash")
    buttons = (("aerr_restart", words[1], (over, Action("launch", victim))), ("aerr_close", words[2], (over,)))
    return _question(phone, f"Application Error: {victim}", words[0], buttons)


def _hanging(phone: VirtualPhone) -> Dialog:
    victim, label, chinese = _about(phone, "anr")
    words = (f"{label} 没有响应", "关闭应用", "等待") if chinese else (
        f"{label} isn't responding", "Close app", "Wait",
    )  # fmt: skip
    over = Action("clear_fault", "anr")
    buttons = (("aerr_close", words[1], (over, Action("stop", victim))), ("aerr_wait", words[2], (over,)))
    return _question(phone, f"Application Not Responding: {victim}", words[0], buttons)


_OF_THE_SYSTEM: Mapping[str, Callable[[VirtualPhone], Dialog]] = {
    "crash": _crashed,
    "anr": _hanging,
    "popup": _popup,
}
"""Fault → its dialog, the topmost first."""


def _about(phone: VirtualPhone, fault: str) -> tuple[str, str, bool]:
    """The package that the fault met, its label, and whether the phone speaks Chinese."""
    victim = phone.mishaps.victims[fault]
    package = phone.packages.get(victim)
    return victim, package.spec.label if package is not None else victim, phone.spec.locale.startswith("zh")


def _question(
    phone: VirtualPhone, window: str, title: str, buttons: tuple[tuple[str, str, tuple[Action, ...]], ...]
) -> Dialog:
    head = Element(
        "text",
        text=title.replace("{", "("),
        id="android:id/alertTitle",
        padding=(24, 20, 24, 8),
        style=Style(size=20, color="#202124"),
    )
    look = Style(size=15, color="#1a73e8")
    rows = tuple(
        Element("button", text=text, id=f"android:id/{name}", padding=(24, 12, 24, 12), style=look, tap=do)
        for name, text, do in buttons
    )
    return Dialog(phone.next_hash(), "android", spec=DialogSpec(body=(head, *rows), cancelable=False), title=window)

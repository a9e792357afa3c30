"""Dialogs over activities, and the one that the system lays over everything.

Owns opening and closing. How a dialog looks is for `windows`, what its buttons do for the app's data.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from controller.virtual.activities import Activity, Dialog, Surface
from controller.virtual.elements import fields_in
from controller.virtual.spec import Action, DialogSpec
from controller.virtual.ui import Rect

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
        self._system: Dialog | None = None

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
        """The dialog that the fault `popup` lays over everything."""
        fault = self._phone.faults.active("popup")
        if fault is None:
            self._system = None
        elif self._system is None:
            title = fault.args.get("title", "系统更新")
            message = fault.args.get("message", "新版本已经可以安装。")
            done = ("知道了", (Action("clear_fault", "popup"),))
            spec = DialogSpec(title, message, buttons=(done,), cancelable=False)
            self._system = Dialog(self._phone.next_hash(), "android", spec=spec)
        return self._system

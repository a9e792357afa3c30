"""What the system tells a person: notifications in the shade, and toasts.

Owns the lists and when a toast ends. How they look is data of the system's package; when an app posts one is for
`actions`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.virtual import actions
from controller.virtual.activities import Surface
from controller.virtual.scope import Scope
from controller.virtual.spec import Action

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Notices", "Notification", "Toast"]

_TOAST_S = 2.0


@dataclass(frozen=True, slots=True)
class Toast:
    """A short message over everything."""

    text: str
    package: str
    until: float


@dataclass(frozen=True, slots=True)
class Notification:
    """A line in the shade."""

    package: str
    title: str
    text: str
    key: str
    then: tuple[Action, ...] = ()
    """What a tap on it does; opens the app where nothing is said."""
    scope: Scope | None = None
    posted: float = 0.0


class Notices:
    """The notifications and the toast of one phone."""

    def __init__(self, phone: VirtualPhone) -> None:
        self._phone = phone
        self._counter = 0
        self.notifications: list[Notification] = []
        """The newest first."""
        self.toast: Toast | None = None

    def post(
        self, package: str, title: str, text: str, *, then: tuple[Action, ...] = (), scope: Scope | None = None
    ) -> Notification:
        """Put a notification into the shade."""
        self._counter += 1
        owner = self._phone.packages.get(package)
        uid = owner.spec.uid if owner is not None else 2000
        key = f"0|{package}|{self._counter}|null|{uid}"
        notification = Notification(package, title, text, key, then, scope, self._phone.wall())
        self.notifications.insert(0, notification)
        self._phone.changed()
        return notification

    def open(self, key: str) -> None:
        """Tap a notification: the shade goes up, the notification goes, what it stands for comes."""
        phone = self._phone
        found = next((one for one in self.notifications if one.key == key), None)
        phone.collapse_shade()
        if found is None:
            return
        self.notifications.remove(found)
        if found.then:
            surface = Surface(phone.next_hash(), found.package)
            actions.run(actions.Doing(phone, surface, found.scope or phone.names.package(found.package)), found.then)
        else:
            phone.launch(found.package)
        phone.changed()

    def dismiss(self, key: str) -> None:
        """Swipe one notification away."""
        self.notifications[:] = [one for one in self.notifications if one.key != key]
        self._phone.changed()

    def clear(self) -> None:
        """Swipe all notifications away."""
        self.notifications.clear()
        self._phone.changed()

    def show_toast(self, package: str, text: str) -> None:
        """Show a short message."""
        self.toast = Toast(text, package, self._phone.now() + _TOAST_S)
        self._phone.trace("toast", text=text, package=package)
        self._phone.changed()

    def tick(self, now: float) -> None:
        """Take the toast away once its time is over."""
        if self.toast is not None and now >= self.toast.until:
            self.toast = None
            self._phone.changed()

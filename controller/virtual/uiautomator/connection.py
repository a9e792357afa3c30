"""Who holds a phone's one UiAutomation connection: uiautomator2's server, or nobody.

Android lets one client at a time connect; a second one is told that it is already registered, and `uiautomator dump` is
killed. Whoever runs the server holds the connection meanwhile.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from controller.virtual.phone import VirtualPhone

__all__ = ["held_by", "hold", "release"]

_HOLDERS: WeakKeyDictionary[VirtualPhone, str] = WeakKeyDictionary()


def held_by(phone: VirtualPhone) -> str | None:
    """The name of whoever holds the connection, None where it is free."""
    if phone.faults.active("already_registered"):
        return "another client"
    return _HOLDERS.get(phone)


def hold(phone: VirtualPhone, holder: str) -> bool:
    """Take the connection; False where somebody else has it."""
    if held_by(phone) not in (None, holder):
        return False
    _HOLDERS[phone] = holder
    return True


def release(phone: VirtualPhone) -> None:
    """Give it back."""
    _HOLDERS.pop(phone, None)

"""Who holds a phone's one UiAutomation connection: uiautomator2's server, or nobody.

Android lets one client at a time connect; a second one is told that it is already registered, and `uiautomator dump` is
killed. Whoever runs the server holds the connection meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from controller.virtual.phone import VirtualPhone

__all__ = ["end", "held_by", "hold", "release"]

_HOLDERS: WeakKeyDictionary[VirtualPhone, tuple[str, Callable[[], None] | None]] = WeakKeyDictionary()


def held_by(phone: VirtualPhone) -> str | None:
    """The name of whoever holds the connection, None where it is free."""
    if phone.faults.active("already_registered"):
        return "another client"
    holder = _HOLDERS.get(phone)
    return None if holder is None else holder[0]


def hold(phone: VirtualPhone, holder: str, *, stop: Callable[[], None] | None = None) -> bool:
    """Take the connection; False where somebody else has it.

    Args:
        phone: The phone.
        holder: Who takes it.
        stop: Ends the holder's process, where something can.
    """
    if held_by(phone) not in (None, holder):
        return False
    _HOLDERS[phone] = (holder, stop)
    return True


def release(phone: VirtualPhone) -> None:
    """Give it back."""
    _HOLDERS.pop(phone, None)


def end(phone: VirtualPhone) -> None:
    """Kill the process that holds it."""
    _, stop = _HOLDERS.pop(phone, ("", None))
    if stop is not None:
        stop()

"""A person's fingers on the virtual phone's glass, as its kernel tells them.

What is injected by `input` or uiautomator never passes the glass; a `Person` does. The rows are kept for `getevent`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["DEVICE", "Person", "Row", "rows_of"]

DEVICE = "/dev/input/event2"
_LIFTED = 0xFFFFFFFF
_KEYS = {
    3: "KEY_HOMEPAGE",
    4: "KEY_BACK",
    24: "KEY_VOLUMEUP",
    25: "KEY_VOLUMEDOWN",
    26: "KEY_POWER",
    187: "KEY_APPSELECT",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One event of an input device: when, and type, code and value by their names in Linux' headers."""

    at: float
    kind: str
    code: str
    value: int


_ROWS: WeakKeyDictionary[VirtualPhone, list[Row]] = WeakKeyDictionary()


def rows_of(phone: VirtualPhone) -> list[Row]:
    """All that the phone's input devices told, the latest last."""
    return _ROWS.setdefault(phone, [])


@dataclass(slots=True)
class Person:
    """Somebody who holds the phone in the hand."""

    phone: VirtualPhone
    _touches: int = field(default=0)

    def tap(self, x: int, y: int, *, hold_s: float = 0.08) -> None:
        """Touch a point."""
        self.stroke([(x, y)], hold_s)

    def stroke(self, points: Sequence[tuple[int, int]], seconds: float) -> None:
        """Move a finger along points; it leaves now."""
        now, rows = self.phone.now(), rows_of(self.phone)
        self._touches += 1
        for number, (x, y) in enumerate(points):
            at = now - seconds + seconds * number / max(1, len(points) - 1)
            if number == 0:
                rows.append(Row(at, "EV_ABS", "ABS_MT_TRACKING_ID", self._touches))
            rows += [Row(at, "EV_ABS", "ABS_MT_POSITION_X", x), Row(at, "EV_ABS", "ABS_MT_POSITION_Y", y)]
            rows += [Row(at, "EV_KEY", "BTN_TOUCH", 1)] if number == 0 else []
            rows.append(Row(at, "EV_SYN", "SYN_REPORT", 0))
        rows += [Row(now, "EV_ABS", "ABS_MT_TRACKING_ID", _LIFTED), Row(now, "EV_KEY", "BTN_TOUCH", 0)]
        rows.append(Row(now, "EV_SYN", "SYN_REPORT", 0))
        self.phone.gesture(points, seconds)

    def press(self, code: int) -> None:
        """Press a key of the phone itself, by Android's code."""
        name, now, rows = _KEYS[code], self.phone.now(), rows_of(self.phone)
        for value in (1, 0):
            rows += [Row(now, "EV_KEY", name, value), Row(now, "EV_SYN", "SYN_REPORT", 0)]
        self.phone.key(code)

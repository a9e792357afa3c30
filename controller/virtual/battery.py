"""The battery: what it really is, and what `dumpsys battery set` says it is.

Owns the values and their texts; who asks is for the shell and for the status bar's data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Battery"]

_REAL: Mapping[str, str] = {
    "ac": "false", "usb": "true", "wireless": "false", "dock": "false", "present": "true", "level": "100",
    "status": "5", "temp": "270", "counter": "4123000", "invalid": "0",
}  # fmt: skip
_FLAGS = ("ac", "usb", "wireless", "dock", "present")
_CHARGING, _DISCHARGING, _FULL = "2", "3", "5"


@dataclass(slots=True)
class Battery:
    """Full and on a USB cable, until somebody says otherwise."""

    values: dict[str, str] = field(default_factory=lambda: dict(_REAL))
    overridden: bool = False
    """Whether real changes are ignored (`dumpsys battery set`, `unplug`)."""

    @property
    def level(self) -> int:
        """Per cent."""
        return int(self.values["level"])

    @property
    def powered(self) -> bool:
        """Whether any cable is said to be plugged in."""
        return any(self.values[name] == "true" for name in ("ac", "usb", "wireless", "dock"))

    @property
    def plug(self) -> int:
        """`BatteryManager.EXTRA_PLUGGED`: 1 AC, 2 USB, 4 wireless, 8 dock, 0 nothing."""
        bits = {"ac": 1, "usb": 2, "wireless": 4, "dock": 8}
        return sum(bit for name, bit in bits.items() if self.values[name] == "true")

    def set(self, name: str, value: str) -> bool:
        """Say what a value is; False where there is no such value or it is no number."""
        if name not in self.values or not value.lstrip("-").isdigit():
            return False
        self.values[name] = ("false" if value == "0" else "true") if name in _FLAGS else value
        self.overridden = True
        return True

    def unplug(self) -> None:
        """Say that no cable is there; it is discharging then."""
        self.values |= {"ac": "false", "usb": "false", "wireless": "false", "dock": "false", "status": _DISCHARGING}
        self.overridden = True

    def reset(self) -> None:
        """Believe the real battery again."""
        self.values, self.overridden = dict(_REAL), False

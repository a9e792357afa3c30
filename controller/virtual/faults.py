"""Faults that can be switched on: which are on, since when, and how often they still strike.

Owns the switchboard alone. What a fault looks like is decided where it shows: in the shell, the UiAutomator server, the
services or the phone itself, each of which asks `active` or `take`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

__all__ = ["FAULTS", "Fault", "Faults"]

FAULTS: Mapping[str, str] = {
    "null_focus": "the window manager names no focused window",
    "secure_window": "the front window is FLAG_SECURE: pictures of it are black",
    "inject_denied": "touches and keys are refused (INJECT_EVENTS)",
    "tree_empty": "the hierarchy holds no nodes of the app in front",
    "uiserver_hang": "uiautomator2's server takes a call and never answers",
    "uiserver_dies": "uiautomator2's server ends when the next call arrives",
    "already_registered": "another UiAutomation client holds the phone",
    "multi_display_warning": "screencap prints its warning about several displays before the PNG",
    "slow": "every answer takes `seconds` longer",
    "popup": "a dialog of the system lies over whatever is in front (`title`, `message`)",
    "ime_refused": "`ime set` is refused",
    "cut": "the connection breaks in the middle of an answer",
    "offline": "the phone is listed as offline",
    "unauthorized": "the phone has not accepted the computer's key",
}
"""Name and meaning of every fault."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault that is on; `count` is how often it still strikes, None for as long as it is on."""

    name: str
    args: Mapping[str, str] = field(default_factory=dict)
    since: float = 0.0
    after_s: float = 0.0
    count: int | None = None


class Faults:
    """The switchboard of one phone."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._on: dict[str, Fault] = {}

    def set(self, name: str, *, after_s: float = 0.0, count: int | None = None, **args: str) -> Fault:
        """Switch a fault on, at once or after some seconds.

        Raises:
            KeyError: No fault has this name.
        """
        if name not in FAULTS:
            raise KeyError(name)
        fault = Fault(name, args, self._now(), after_s, count)
        self._on[name] = fault
        return fault

    def clear(self, name: str | None = None) -> None:
        """Switch one fault off, or all."""
        if name is None:
            self._on.clear()
        else:
            self._on.pop(name, None)

    def active(self, name: str) -> Fault | None:
        """The fault where it is on now; asking does not use it up."""
        fault = self._on.get(name)
        return fault if fault is not None and self._now() >= fault.since + fault.after_s else None

    def take(self, name: str) -> Fault | None:
        """The fault where it is on now; a counted one is used up by one."""
        fault = self.active(name)
        if fault is not None and fault.count is not None:
            if fault.count <= 1:
                del self._on[name]
            else:
                self._on[name] = Fault(name, fault.args, fault.since, fault.after_s, fault.count - 1)
        return fault

    def names(self) -> tuple[str, ...]:
        """The faults that are switched on, waiting ones included."""
        return tuple(sorted(self._on))

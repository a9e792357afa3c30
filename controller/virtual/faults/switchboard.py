"""Faults that are switched on: since when, under which condition, and how often they still strike.

Owns the switches alone. What a fault looks like is decided where it shows: in the shell, the UiAutomator server, the
services, the phone itself. Each of them asks `active` or `take`; what happens once when a fault begins or ends is an
`Effect`, which `tick` calls.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from controller.virtual.faults.table import FAULTS

__all__ = ["ALWAYS", "Effect", "Fault", "Faults", "When"]


@dataclass(frozen=True, slots=True)
class When:
    """What must hold for a fault to be on.

    Args:
        app: The app in front: `tv.danmaku.bili`, `tv.danmaku.bili/*Search*`; empty for any.
        doing: A text that the shell command, the call (`click [540, 1200]`) or the link contains; empty for any.
    """

    app: str = ""
    doing: str = ""

    def as_dict(self) -> dict[str, str]:
        """What it names."""
        return {key: value for key, value in (("app", self.app), ("doing", self.doing)) if value}


ALWAYS = When()


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault as it was asked for.

    Args:
        name: A name of the table.
        args: Its arguments.
        after_s: Seconds from when it was set, or from when its app came to the front, until it is on.
        count: How often it still strikes; None for as long as it is on.
        when: What must hold besides.
    """

    name: str
    args: Mapping[str, str] = field(default_factory=dict)
    after_s: float = 0.0
    count: int | None = None
    when: When = ALWAYS


class Effect(Protocol):
    """What happens once when a fault begins, and when it ends."""

    def begin(self, fault: Fault) -> bool:
        """Do it; False where it cannot happen yet, so that it is tried again."""
        ...

    def over(self, fault: Fault) -> bool:
        """Whether it is over by itself: the person has unlocked the phone, the time has passed."""
        ...

    def end(self, fault: Fault) -> None:
        """Undo what is left of it."""
        ...


@dataclass(slots=True)
class _Switch:
    fault: Fault
    since: float | None
    begun: bool = False


class Faults:
    """The switchboard of one phone.

    Args:
        now: The phone's clock.
        front: The component in front, `package/activity`.
        effects: What happens when a fault begins and ends, by its name.
    """

    def __init__(
        self,
        now: Callable[[], float],
        *,
        front: Callable[[], str] = lambda: "",
        effects: Mapping[str, Effect] | None = None,
    ) -> None:
        self._now = now
        self._front = front
        self._effects = effects or {}
        self._on: dict[str, _Switch] = {}
        self._ticking = False
        self.on_begin: list[Callable[[Fault], None]] = []
        """Told of each fault that begins, with the phone's lock held."""
        self.on_end: list[Callable[[Fault], None]] = []
        """Told of each fault that had begun and is over or was cleared."""
        self.on_set: list[Callable[[], None]] = []
        """Told when a fault was set, from any thread."""

    def set(
        self, name: str, *, after_s: float = 0.0, count: int | None = None, when: When = ALWAYS, **args: str
    ) -> Fault:
        """Switch a fault on, at once or after some seconds.

        Raises:
            KeyError: No fault has this name.
        """
        return self.put(Fault(name, args, after_s, count, when))

    def put(self, fault: Fault) -> Fault:
        """Switch a fault on; one of the same name is cleared before.

        Raises:
            KeyError: No fault has this name.
        """
        if fault.name not in FAULTS:
            raise KeyError(fault.name)
        self.clear(fault.name)
        self._on[fault.name] = _Switch(fault, None if fault.when.app else self._now())
        for told in self.on_set:
            told()
        return fault

    def clear(self, name: str | None = None) -> None:
        """Switch one fault off, or all; what is left of it on the phone goes with it."""
        for each in tuple(self._on) if name is None else (name,):
            switch = self._on.pop(each, None)
            if switch is not None and switch.begun:
                self._end(switch)

    def active(self, name: str, doing: str = "") -> Fault | None:
        """The fault where it is on now; asking does not use it up.

        Args:
            name: Which fault.
            doing: The command, call or link that asks.
        """
        switch = self._on.get(name)
        if switch is None or not self._holds(switch, doing) or switch.since is None:
            return None
        return switch.fault if self._now() >= switch.since + switch.fault.after_s else None

    def begun(self, name: str) -> Fault | None:
        """The fault where its effect has begun and is not over: its dialog is there, its restart under way."""
        switch = self._on.get(name)
        return switch.fault if switch is not None and switch.begun else None

    def take(self, name: str, doing: str = "") -> Fault | None:
        """The fault where it is on now; a counted one is used up by one."""
        fault = self.active(name, doing)
        if fault is not None:
            self._use(self._on[name])
        return fault

    def finish(self, name: str) -> None:
        """It has been dealt with: a counted one may come up again, another one is gone."""
        switch = self._on.get(name)
        if switch is None:
            return
        if switch.begun:
            self._end(switch)
        if switch.fault.count is None:
            del self._on[name]
            return
        switch.since = None if switch.fault.when.app else self._now()
        self._use(switch)

    def tick(self) -> None:
        """Let faults begin whose time has come, and end those that are over."""
        if not self._on or self._ticking:
            return
        self._ticking = True
        try:
            for switch in tuple(self._on.values()):
                self._step(switch)
        finally:
            self._ticking = False

    def names(self) -> tuple[str, ...]:
        """The faults that are switched on, waiting ones included."""
        return tuple(sorted(self._on))

    def standing(self) -> tuple[tuple[Fault, bool], ...]:
        """Every fault that is switched on, with whether it is on at this moment."""
        return tuple((self._on[name].fault, self._is_on(name)) for name in self.names())

    def _is_on(self, name: str) -> bool:
        if name in self._effects:
            return self.begun(name) is not None
        return self.active(name, self._on[name].fault.when.doing) is not None

    def _step(self, switch: _Switch) -> None:
        fault = switch.fault
        effect = self._effects.get(fault.name)
        if switch.begun:
            if effect is not None and effect.over(fault):
                self.finish(fault.name)
        elif effect is not None and self.active(fault.name, fault.when.doing) and effect.begin(fault):
            switch.begun = True
            for told in self.on_begin:
                told(fault)

    def _end(self, switch: _Switch) -> None:
        switch.begun = False
        self._effects[switch.fault.name].end(switch.fault)
        for told in self.on_end:
            told(switch.fault)

    def _holds(self, switch: _Switch, doing: str) -> bool:
        when = switch.fault.when
        if when.doing and when.doing not in doing:
            return False
        if when.app:
            component = self._front()
            wanted = when.app if "/" in when.app else f"{when.app}/*"
            if not fnmatch.fnmatchcase(component, wanted):
                switch.since = None
                return False
            if switch.since is None:
                switch.since = self._now()
        return True

    def _use(self, switch: _Switch) -> None:
        fault = switch.fault
        if fault.count is None:
            return
        if fault.count <= 1:
            del self._on[fault.name]
        else:
            switch.fault = replace(fault, count=fault.count - 1)

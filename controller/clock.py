"""Time as an argument.

The only module of the controller that reads a clock or sleeps. Everything else is given a `Clock`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, TypeVar

__all__ = ["Clock", "ManualClock", "SystemClock", "poll"]

T = TypeVar("T")


class Clock(Protocol):
    """What phonectl needs of time."""

    def now(self) -> float:
        """Seconds of a clock that never goes back and is the same in all processes of this machine since its boot."""
        ...

    def wall(self) -> float:
        """Seconds since 1970, for reports that people read."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait; a number below zero waits not at all. Ctrl-C ends it at once."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)


class ManualClock:
    """A clock for tests: sleeping moves it on at once and is written down in `sleeps`."""

    def __init__(self, start: float = 1000.0, *, wall: float = 1_700_000_000.0) -> None:
        self._now = start
        self._offset = wall - start
        self.sleeps: list[float] = []

    def now(self) -> float:
        return self._now

    def wall(self) -> float:
        return self._now + self._offset

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            self.sleeps.append(seconds)
            self._now += seconds

    def advance(self, seconds: float) -> None:
        """Let time pass without a sleep, as a phone that is slow to answer does."""
        self._now += seconds


def poll(until: Callable[[], T | None], *, clock: Clock, timeout_s: float, every_s: float = 0.1) -> T | None:
    """The first answer of `until` that is not None, asked every `every_s` seconds, or None after `timeout_s`.

    `until` is asked at least once, and once more when the time is over.
    """
    deadline = clock.now() + timeout_s
    while True:
        answer = until()
        if answer is not None:
            return answer
        left = deadline - clock.now()
        if left <= 0:
            return None
        clock.sleep(min(every_s, left))

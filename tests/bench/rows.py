"""Rows of a benchmark and how a median is taken; nothing here asserts a time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Row", "median_ms"]


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison of one run.

    Args:
        what: What was done.
        ours: Our figure.
        other: The figure of what a user would use instead; None where there is nothing to compare with.
        against: The other's name.
        unit: Of both figures, `ms` or `/s`.
    """

    what: str
    ours: float
    other: float | None
    against: str
    unit: str = "ms"

    @property
    def ratio(self) -> float | None:
        """How many times better ours is; below 1 it is worse."""
        if self.other is None or not self.ours or not self.other:
            return None
        return self.other / self.ours if self.unit == "ms" else self.ours / self.other


def median_ms(act: Callable[[], object], *, times: int = 15, warm: int = 2) -> float:
    """The median of `times` runs of `act`, in milliseconds, after `warm` runs that do not count."""
    for _ in range(warm):
        act()
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        act()
        taken.append((time.perf_counter() - started) * 1000)
    return statistics.median(taken)

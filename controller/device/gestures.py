"""Durations as what uiautomator2's server understands: points, and steps of 5 ms between them. Pure."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["STEP_S", "Path", "drag", "swipe_steps"]

STEP_S = 0.005
# One stretch of a drag: short enough for a rest to be told apart, long enough to keep the list of points short.
_STRETCH_S = 0.05

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Path:
    """A finger's way: flat x, y, x, y …, and how many steps lie between two points."""

    points: tuple[int, ...]
    steps: int

    @property
    def duration_s(self) -> float:
        """How long the finger is down."""
        return (len(self.points) // 2 - 1) * self.steps * STEP_S


def swipe_steps(duration_s: float) -> int:
    """Steps of a swipe; one alone would have no effect."""
    return max(2, round(duration_s / STEP_S))


def drag(start: Point, end: Point, *, duration_s: float, rest_s: float = 0.0) -> Path:
    """A drag at even speed that stays at its end for `rest_s` before the finger is lifted.

    Android takes the speed of the last 100 ms for a fling; a finger that rests longer leaves the list where it is.
    """
    moving = max(1, round(duration_s / _STRETCH_S))
    resting = round(rest_s / _STRETCH_S) if rest_s > 0 else 0
    way = [start]
    for part in range(1, moving + 1):
        way.append((_between(start[0], end[0], part / moving), _between(start[1], end[1], part / moving)))
    way += [end] * resting
    return Path(tuple(number for point in way for number in point), round(_STRETCH_S / STEP_S))


def _between(first: int, last: int, part: float) -> int:
    return round(first + (last - first) * part)

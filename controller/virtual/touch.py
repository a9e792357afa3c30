"""One finger: from its way over the glass to taps, long presses, drags and flings.

Owns the rules of Android's touch handling: slop, long press time, which list moves, the speed at the end. What a tap on
an element does is the phone's business.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from controller.virtual.activities import Surface
from controller.virtual.layout import Box
from controller.virtual.scrolling import LONG_PRESS_S, TOUCH_SLOP_DP, Scroll, fling_from
from controller.virtual.windows import Stage, scroll_of

__all__ = ["Finger", "Stroke", "StrokeKind"]

_SPEED_HORIZON_S = 0.1
"""VelocityTracker looks back over the last 100 ms."""
_STOPPED_S = 0.04
"""A finger that has not moved for 40 ms has stopped (`ASSUME_POINTER_STOPPED_TIME`)."""


class StrokeKind(StrEnum):
    """What a finger did."""

    TAP = "tap"
    HOLD = "hold"
    DRAG = "drag"
    FLING = "fling"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Stroke:
    """One finger from down to up."""

    kind: StrokeKind
    start: tuple[int, int]
    end: tuple[int, int]
    duration_s: float
    scrolled: bool = False

    @property
    def length(self) -> float:
        """Pixels from where it came down to where it left."""
        return math.dist(self.start, self.end)


class Screen(Protocol):
    """What a finger needs of the phone."""

    @property
    def density(self) -> int: ...
    def now(self) -> float: ...
    def moved(self) -> None: ...


class Finger:
    """Follows one finger and moves the list under it."""

    def __init__(self, screen: Screen, stage: Stage) -> None:
        self._screen = screen
        self._stage = stage
        self._samples: list[tuple[float, int, int]] = []
        self._axis = ""
        self._held: tuple[Surface, Box] | None = None
        self._stopped = False

    @property
    def is_down(self) -> bool:
        """Whether it touches the glass."""
        return bool(self._samples)

    def down(self, x: int, y: int, at: float) -> None:
        """It touches the glass; a list that rolls under it stops."""
        self._samples = [(at, x, y)]
        self._axis, self._held = "", None
        self._stopped = self._stop_fling(x, y)

    def move(self, x: int, y: int, at: float) -> None:
        """It moves; past the slop the list under it follows."""
        if not self._samples:
            return
        _, from_x, from_y = self._samples[-1]
        self._samples.append((at, x, y))
        if not self._axis:
            from_x, from_y = self._begin_drag(x, y)
        if self._held is not None:
            self._scroll_by(from_y - y if self._axis == "v" else from_x - x)

    def up(self, at: float) -> Stroke:
        """It leaves the glass."""
        start, end = self._samples[0], self._samples[-1]
        speed = self._speed(at) if self._axis else 0.0
        kind = self._kind(at - start[0], speed)
        if kind is StrokeKind.FLING and self._held is not None:
            self._fling(speed)
        stroke = Stroke(kind, start[1:], end[1:], at - start[0], self._held is not None)
        self._samples = []
        return stroke

    def play(self, points: Sequence[tuple[int, int]], duration_s: float, *, rest_s: float, now: float) -> Stroke:
        """A whole way at once, ending now."""
        start = now - duration_s - rest_s
        self.down(*points[0], start)
        steps = max(1, len(points) - 1)
        for number, point in enumerate(points[1:], 1):
            self.move(*point, start + duration_s * number / steps)
        return self.up(now)

    def _kind(self, duration: float, speed: float) -> StrokeKind:
        if not self._axis:
            if self._stopped:
                return StrokeKind.STOP
            return StrokeKind.HOLD if duration >= LONG_PRESS_S else StrokeKind.TAP
        return StrokeKind.FLING if abs(speed) > 50 * self._screen.density / 160 else StrokeKind.DRAG

    def _begin_drag(self, x: int, y: int) -> tuple[int, int]:
        """Where the drag is counted from once the finger has left its slop; the slop itself moves nothing."""
        _, start_x, start_y = self._samples[0]
        dx, dy = x - start_x, y - start_y
        slop = TOUCH_SLOP_DP * self._screen.density / 160
        if max(abs(dx), abs(dy)) < slop:
            return x, y
        self._axis = "v" if abs(dy) >= abs(dx) else "h"
        way = dy if self._axis == "v" else dx
        self._held = self._stage.scrollable(start_x, start_y, axis=self._axis, towards=-way)
        lost = round(math.copysign(slop, way))
        return (start_x, start_y + lost) if self._axis == "v" else (start_x + lost, start_y)

    def _scroll_by(self, pixels: int) -> None:
        assert self._held is not None
        surface, box = self._held
        scroll = surface.scroll.setdefault(box.key, scroll_of(surface, box))
        scroll.offset = min(float(box.limit), max(0.0, scroll.offset + pixels))
        self._screen.moved()

    def _fling(self, speed: float) -> None:
        assert self._held is not None
        surface, box = self._held
        scroll = surface.scroll.setdefault(box.key, scroll_of(surface, box))
        scroll.fling = fling_from(
            -speed, origin=scroll.offset, limit=box.limit, now=self._screen.now(), density=self._screen.density
        )
        self._screen.moved()

    def _stop_fling(self, x: int, y: int) -> bool:
        now, stopped = self._screen.now(), False
        for axis in ("v", "h"):
            found = self._stage.scrollable(x, y, axis=axis, towards=0)
            scroll: Scroll | None = found[0].scroll.get(found[1].key) if found is not None else None
            if scroll is not None and scroll.fling is not None and not scroll.fling.over(now):
                scroll.offset, scroll.fling, stopped = scroll.fling.offset(now), None, True
        if stopped:
            self._screen.moved()
        return stopped

    def _speed(self, at: float) -> float:
        """Pixels a second along the axis over the last 100 ms; 0 where the finger rested before it left."""
        last_at, *last = self._samples[-1]
        moved_at = last_at
        for sample_at, x, y in reversed(self._samples):
            if [x, y] != last:
                break
            moved_at = sample_at
        if at - moved_at >= _STOPPED_S:
            return 0.0
        horizon = max(self._samples[0][0], moved_at - _SPEED_HORIZON_S)
        past = self._position(horizon)
        number = 1 if self._axis == "v" else 0
        span = moved_at - horizon
        return (last[number] - past[number]) / span if span > 0 else 0.0

    def _position(self, at: float) -> tuple[float, float]:
        """Where the finger was at a time, between its samples."""
        before = self._samples[0]
        for sample in self._samples:
            if sample[0] >= at:
                span = sample[0] - before[0]
                part = (at - before[0]) / span if span > 0 else 1.0
                return before[1] + (sample[1] - before[1]) * part, before[2] + (sample[2] - before[2]) * part
            before = sample
        return float(before[1]), float(before[2])

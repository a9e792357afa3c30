"""How far a list moves: under the finger, and by itself after the finger has left.

Pure arithmetic after Android's `OverScroller` and `ViewConfiguration`; which list a finger holds is for `touch`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["LONG_PRESS_S", "TOUCH_SLOP_DP", "Fling", "Scroll", "fling_from"]

TOUCH_SLOP_DP = 8
"""A finger that moves less is tapping (`ViewConfiguration.TOUCH_SLOP`)."""
LONG_PRESS_S = 0.5
"""`ViewConfiguration.getLongPressTimeout`; 400 ms on newest versions, 500 ms on those emulated here."""
_MIN_FLING_DP = 50
_MAX_FLING_DP = 8000

# android.widget.OverScroller.SplineOverScroller
_INFLEXION = 0.35
_FRICTION = 0.015
_DECELERATION = math.log(0.78) / math.log(0.9)
_GRAVITY_INCH = 9.80665 * 39.37
_LOOK_AND_FEEL = 0.84


@dataclass(frozen=True, slots=True)
class Fling:
    """A list that rolls on: from `origin` by `distance` pixels, slower and slower."""

    start: float
    origin: float
    distance: float
    duration: float

    def offset(self, now: float) -> float:
        """Where it is at a time; a curve close to the spline of OverScroller."""
        part = min(1.0, max(0.0, (now - self.start) / self.duration)) if self.duration > 0 else 1.0
        eased = 1.0 - math.pow(1.0 - part, _DECELERATION)
        return self.origin + self.distance * eased

    def over(self, now: float) -> bool:
        """Whether it has come to rest."""
        return now >= self.start + self.duration


@dataclass(slots=True)
class Scroll:
    """Where one list stands."""

    offset: float = 0.0
    fling: Fling | None = None

    def at(self, now: float) -> float:
        """The offset at a time, a fling included."""
        return self.offset if self.fling is None else self.fling.offset(now)

    def settle(self, now: float) -> bool:
        """Take over a fling's offset once it is over; True where one was running."""
        if self.fling is None:
            return False
        self.offset = self.fling.offset(now)
        if self.fling.over(now):
            self.fling = None
        return True


def fling_from(velocity: float, *, origin: float, limit: float, now: float, density: int) -> Fling | None:
    """The fling of a list that is let go at `velocity` pixels a second; None where it is too slow to roll.

    A 300 ms swipe over 1,100 px at 420 dpi scrolls 1,990 px: 1,079 under the finger, 911 after it.
    """
    scale = density / 160
    if abs(velocity) < _MIN_FLING_DP * scale:
        return None
    velocity = math.copysign(min(abs(velocity), _MAX_FLING_DP * scale), velocity)
    resistance = _FRICTION * _GRAVITY_INCH * density * _LOOK_AND_FEEL
    bend = math.log(_INFLEXION * abs(velocity) / resistance)
    distance = math.copysign(resistance * math.exp(_DECELERATION / (_DECELERATION - 1) * bend), velocity)
    duration = math.exp(bend / (_DECELERATION - 1))
    reach = min(limit, max(0.0, origin + distance)) - origin
    return Fling(now, origin, reach, duration * _share(reach / distance)) if distance else None


def _share(part: float) -> float:
    """The part of the time after which that part of the way is done, so that a list stops where it ends."""
    return 1.0 - math.pow(1.0 - min(1.0, max(0.0, part)), 1 / _DECELERATION)

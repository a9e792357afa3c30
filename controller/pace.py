"""Pacing arithmetic: how long to wait, whether to scroll a little, how fast to type, how many new screens are left.

Reads no clock and draws no number of its own: the time and the random source are arguments. The rules are facts about
apps (`pace: careful` in APP.md) turned into politeness to the service and time for the person to follow; which app is
in front and what was done before is decided elsewhere (`recognise`, `task`).
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

__all__ = [
    "CAREFUL",
    "Budget",
    "History",
    "Jitter",
    "Keystroke",
    "Part",
    "Plan",
    "Range",
    "Rules",
    "Speed",
    "cadence",
    "plan",
]


class Speed(StrEnum):
    """How fast a person lets phonectl work; only a person sets it."""

    CAREFUL = "careful"
    FAST = "fast"


@dataclass(frozen=True, slots=True)
class Range:
    """A closed range to draw from, evenly."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high:
            raise ValueError(f"range: need 0 <= low <= high, got {self.low} … {self.high}")

    def draw(self, rng: random.Random) -> float:
        """A number between `low` and `high`."""
        return rng.uniform(self.low, self.high)


@dataclass(frozen=True, slots=True)
class Rules:
    """The figures of one pace. Seconds, unless the name says otherwise."""

    new_screen: Range
    same_screen: Range
    longest: float
    reading_chars_per_s: float
    jitter_odds: float
    jitter_fraction: Range
    jitter_drag: Range
    grapheme: Range
    pause: Range
    pause_after_graphemes: tuple[int, int]
    screens: int

    def __post_init__(self) -> None:
        if self.reading_chars_per_s <= 0:
            raise ValueError(f"rules: need reading_chars_per_s > 0, got {self.reading_chars_per_s}")
        if not 0 <= self.jitter_odds <= 1:
            raise ValueError(f"rules: need 0 <= jitter_odds <= 1, got {self.jitter_odds}")


# Source of every figure: the format of APP.md (`pace: careful`) and the rules of pace that the project is built from.
CAREFUL = Rules(
    new_screen=Range(2.5, 5.0),
    same_screen=Range(1.0, 2.0),
    longest=15.0,
    reading_chars_per_s=40.0,
    jitter_odds=0.25,
    jitter_fraction=Range(0.03, 0.08),
    jitter_drag=Range(0.4, 0.8),
    grapheme=Range(0.12, 0.32),
    pause=Range(0.3, 0.7),
    pause_after_graphemes=(8, 15),
    screens=24,
)


@dataclass(frozen=True, slots=True)
class History:
    """What is known of the front screen when an action is planned.

    Args:
        first_seen: When the screen was first seen, by the session's clock.
        acted_at: When the last action on this screen ended; None before the first one.
        characters: Visible characters of the screen, white space and the keyboard left out.
        can_scroll: There is a vertical scroll container, no text field has the focus and no dialog is on top.
        jittered: The last wait on this screen already had its small scroll.
    """

    first_seen: float
    acted_at: float | None = None
    characters: int = 0
    can_scroll: bool = False
    jittered: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One term of a wait: seconds (negative where time has passed anyway) and what they are for."""

    seconds: float
    why: str


@dataclass(frozen=True, slots=True)
class Jitter:
    """A small scroll down inside the wait: when it starts, how long the drag lasts, and how far it goes.

    Args:
        after_s: Seconds from the start of the wait.
        drag_s: Duration of the drag, its rest at the end included.
        fraction: Part of the container's height.
    """

    after_s: float
    drag_s: float
    fraction: float


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do before one action."""

    wait_s: float = 0.0
    parts: tuple[Part, ...] = ()
    jitter: Jitter | None = None

    @property
    def reason(self) -> str:
        """The wait in words: `2.9 s new screen + 4.1 s reading 164 characters − 1.2 s already passed`."""
        words = ""
        for part in self.parts:
            sign = " − " if part.seconds < 0 else " + "
            words += (sign if words else "") + f"{abs(part.seconds):.1f} s {part.why}"
        return words


def plan(rules: Rules | None, history: History, now: float, rng: random.Random) -> Plan:
    """The plan for the next action: how long to wait from `now`, why, and with which small scroll.

    `rules` is None for an app without a pace and at speed `fast`: then nothing is waited for and nothing is drawn.
    """
    if rules is None:
        return Plan()
    parts: tuple[Part, ...]
    if history.acted_at is not None:
        parts = (Part(rules.same_screen.draw(rng), "same screen"),)
        since = history.acted_at
    else:
        parts = _new_screen_parts(rules, history.characters, rng)
        since = history.first_seen
    parts, wait_s = _less_time_passed(parts, now - since)
    jitter = _jitter(rules, history, wait_s, rng) if history.acted_at is None else None
    return Plan(wait_s=wait_s, parts=parts, jitter=jitter)


def _new_screen_parts(rules: Rules, characters: int, rng: random.Random) -> tuple[Part, ...]:
    base = rules.new_screen.draw(rng)
    parts = [Part(base, "new screen")]
    if characters > 0:
        reading = characters / rules.reading_chars_per_s
        parts.append(Part(reading, f"reading {characters} characters"))
        over = base + reading - rules.longest
        if over > 0:
            parts.append(Part(-over, f"over the longest wait of {rules.longest:g} s"))
    return tuple(parts)


def _less_time_passed(parts: tuple[Part, ...], passed: float) -> tuple[tuple[Part, ...], float]:
    full = sum(part.seconds for part in parts)
    # A clock that was restarted (a reboot between two commands) shows a negative time: then nothing has passed.
    passed = min(max(passed, 0.0), full)
    if passed >= 0.05:
        parts = (*parts, Part(-passed, "already passed"))
    return parts, full - passed


def _jitter(rules: Rules, history: History, wait_s: float, rng: random.Random) -> Jitter | None:
    wanted = rng.random() < rules.jitter_odds
    drag_s = rules.jitter_drag.draw(rng)
    fraction = rules.jitter_fraction.draw(rng)
    place = rng.uniform(0.2, 0.6)
    # The drag must fit into the wait with rest on both sides, or it would be an action of its own.
    if not wanted or not history.can_scroll or history.jittered or wait_s < 2.5 * drag_s:
        return None
    return Jitter(after_s=place * (wait_s - drag_s), drag_s=drag_s, fraction=fraction)


@dataclass(frozen=True, slots=True)
class Keystroke:
    """One grapheme to type and the seconds to wait after it."""

    grapheme: str
    wait_s: float


def cadence(rules: Rules | None, graphemes: Iterable[str], rng: random.Random) -> tuple[Keystroke, ...] | None:
    """How to type `graphemes` one by one, or None where the text may be entered at once."""
    if rules is None:
        return None
    strokes: list[Keystroke] = []
    until_pause = rng.randint(*rules.pause_after_graphemes)
    for grapheme in graphemes:
        wait_s = rules.grapheme.draw(rng)
        until_pause -= 1
        if until_pause == 0:
            wait_s += rules.pause.draw(rng)
            until_pause = rng.randint(*rules.pause_after_graphemes)
        strokes.append(Keystroke(grapheme, wait_s))
    return tuple(strokes)


@dataclass(frozen=True, slots=True)
class Budget:
    """New screens of one app in one task. `reserved` are actions on their way, counted as if they opened one.

    Args:
        limit: New screens until a person is asked.
        used: New screens opened since the task began or the person last said yes.
        reserved: Actions sent whose effect is not known yet.
        lifted: An outward action succeeded: the budget is for browsing alone and counts no more.
        renewals: How often the person said yes.
    """

    limit: int = CAREFUL.screens
    used: int = 0
    reserved: int = 0
    lifted: bool = False
    renewals: int = 0

    def __post_init__(self) -> None:
        if min(self.limit, self.used, self.reserved, self.renewals) < 0:
            raise ValueError(f"budget: no number may be negative: {self}")

    @property
    def counted(self) -> int:
        """New screens that were opened or that an action on its way may open."""
        return self.used + self.reserved

    @property
    def left(self) -> int:
        """New screens that may still be opened."""
        return max(0, self.limit - self.counted)

    @property
    def spent(self) -> bool:
        """Whether an action that can lead to another screen must be refused."""
        return not self.lifted and self.left == 0

    def reserve(self) -> Budget:
        """The budget with one more action on its way.

        Raises:
            ValueError: The budget is spent.
        """
        if self.spent:
            raise ValueError("budget is spent")
        return replace(self, reserved=self.reserved + 1)

    def give_back(self) -> Budget:
        """The budget after an action on its way led to no new screen."""
        return replace(self, reserved=max(0, self.reserved - 1))

    def count(self) -> Budget:
        """The budget with one more new screen; never above its limit unless lifted."""
        return self if self.lifted else replace(self, used=min(self.limit, self.used + 1))

    def renew(self) -> Budget:
        """The budget after the person said yes: the count starts again at 0."""
        return replace(self, used=0, reserved=0, renewals=self.renewals + 1)

    def lift(self) -> Budget:
        """The budget after an outward action succeeded."""
        return replace(self, lifted=True)

    def lowered(self, limit: int | None) -> Budget:
        """The budget with a lower limit; a higher one changes nothing."""
        return self if limit is None else replace(self, limit=min(self.limit, limit))

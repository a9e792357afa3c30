"""An action as a value, and what became of it.

What a verb makes (`Step`), what it acts with (`Hands`), and what the session answers (`Outcome`). Nothing here does
anything: the session conducts steps, verbs make them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from controller.clock import Clock
from controller.device.keyboards import Journal
from controller.device.observation import Observation
from controller.device.phone import Phone
from controller.errors import PhonectlError
from controller.library.app import App
from controller.pace import Plan, Rules

__all__ = [
    "Effect",
    "Hands",
    "Opening",
    "Outcome",
    "Progress",
    "Silent",
    "Status",
    "Step",
    "Verdict",
    "Wait",
]

T = TypeVar("T")


class Effect(StrEnum):
    """What an action may do to the screen."""

    NAVIGATES = "navigates"
    STAYS = "stays"


class Status(StrEnum):
    """How an action ended."""

    DONE = "done"
    FAILED = "failed"
    UNCONFIRMED = "unconfirmed"
    OUTCOME_UNKNOWN = "outcome_unknown"


@dataclass(frozen=True, slots=True)
class Opening:
    """The app that a step is to open: its package and its APP.md, where there is one."""

    package: str
    app: App | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A step's own judgement of what it did."""

    status: Status
    summary: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hands:
    """What a step acts with."""

    phone: Phone
    clock: Clock
    rng: random.Random
    rules: Rules | None
    journal: Journal


@dataclass(frozen=True, slots=True)
class Step(Generic[T]):
    """One action as a value.

    Args:
        kind: The verb, for the trace.
        summary: What is done, in words.
        effect: Whether it can lead to another screen.
        locate: Finds what it touches on an observation. Asked before and after the wait.
        act: Does it, once, and answers with evidence.
        judge: Judges by the screens before and after and the evidence; done, if not given.
        opens: The app it opens.
        outward: The word for what it sends into the world (send, submit, pay …), if it does.
    """

    kind: str
    summary: str
    effect: Effect
    locate: Callable[[Observation], T]
    act: Callable[[Hands, T], Mapping[str, Any]]
    judge: Callable[[Observation, Observation, Mapping[str, Any]], Verdict] | None = None
    opens: Opening | None = None
    outward: str | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait that was kept: planned and actual seconds and the reason in words."""

    planned_s: float
    actual_s: float
    reason: str
    jitter: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a step."""

    status: Status
    summary: str
    before: Observation
    after: Observation | None
    new_screen: bool = False
    waits: tuple[Wait, ...] = ()
    device_s: float = 0.0
    settle_s: float = 0.0
    evidence: Mapping[str, Any] = field(default_factory=dict)
    error: PhonectlError | None = None

    def behind(self, first: Outcome) -> Outcome:
        """This outcome as the end of two actions: what was waited for, and what the phone took, together."""
        return replace(
            self,
            before=first.before,
            new_screen=first.new_screen or self.new_screen,
            waits=(*first.waits, *self.waits),
            device_s=first.device_s + self.device_s,
            settle_s=first.settle_s + self.settle_s,
        )

    @property
    def waited_s(self) -> float:
        """Seconds that were waited for the app's pace."""
        return sum(wait.actual_s for wait in self.waits)

    def as_dict(self) -> dict[str, Any]:
        """The outcome as JSON."""
        front = self.after.foreground if self.after else None
        return {
            "status": self.status.value,
            "summary": self.summary,
            "new_screen": self.new_screen,
            "package": front.package if front else None,
            "activity": front.activity if front else None,
            "overlay": front.overlay if front else None,
            "waited_s": round(self.waited_s, 3),
            "wait_reason": "; ".join(wait.reason for wait in self.waits),
            "device_s": round(self.device_s, 3),
            "evidence": dict(self.evidence),
            **({"error": self.error.as_dict()} if self.error else {}),
        }


class Progress(Protocol):
    """Tells a person what happens meanwhile."""

    def waiting(self, plan: Plan) -> AbstractContextManager[object]:
        """Entered for the time of a wait."""
        ...

    def entered(self, app: App) -> None:
        """An app with knowledge came to the front."""
        ...


class Silent:
    """Progress for nobody."""

    def waiting(self, plan: Plan) -> AbstractContextManager[object]:
        return nullcontext()

    def entered(self, app: App) -> None:
        pass

"""Events become a run: steps with their waits, device time and evidence, totals, budgets over time.

Pure but for `read_run`, which reads the folder. What an event has in it is written down where it is emitted: `flow`
(run_start, step_start, step_end, run_end, pause) and `session` (wait, action, outcome, app_entered).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.trace import EVENTS_FILE

__all__ = [
    "EXIT_STATUS",
    "BudgetUse",
    "Run",
    "StepRun",
    "WaitRun",
    "build",
    "read_events",
    "read_run",
]

EXIT_STATUS = {
    0: "passed",
    1: "failed",
    2: "invalid",
    3: "no_phone",
    4: "timed_out",
    5: "refused",
    6: "internal",
    7: "budget_spent",
    130: "interrupted",
}
"""The word for each exit code. A run without an end is `unfinished`: it was killed, or is still going on."""


@dataclass(frozen=True, slots=True)
class WaitRun:
    """One wait: for an app's pace, or a `pause` of the flow."""

    t: float
    planned_s: float
    actual_s: float
    reason: str
    parts: tuple[tuple[float, str], ...] = ()
    jitter: bool = False
    pause: bool = False


@dataclass(frozen=True, slots=True)
class BudgetUse:
    """How many new screens an app had at a moment."""

    t: float
    app: str
    used: int
    limit: int
    lifted: bool = False


def _spent(waits: Iterable[WaitRun], *, pause: bool) -> float:
    return sum(wait.actual_s for wait in waits if wait.pause is pause)


@dataclass(slots=True)
class StepRun:
    """One step, as far as its events go."""

    number: int
    command: str
    title: str
    t: float
    depth: int = 0
    file: str = ""
    line: int = 0
    column: int = 0
    optional: bool = False
    composite: bool = False
    picture: str | None = None
    picture_note: str = ""
    status: str = "unfinished"
    end: float = 0.0
    waits: list[WaitRun] = field(default_factory=list)
    device_s: float = 0.0
    new_screens: int = 0
    entered: list[str] = field(default_factory=list)
    summary: str = ""
    evidence: dict[str, Any] = field(default_factory=dict)
    error: dict[str, Any] | None = None
    inner_error: bool = False
    screen: str = ""

    @property
    def duration_s(self) -> float:
        """Seconds from start to end."""
        return max(0.0, self.end - self.t)

    @property
    def pace_s(self) -> float:
        """Seconds waited for an app's pace."""
        return _spent(self.waits, pause=False)

    @property
    def pause_s(self) -> float:
        """Seconds waited because the flow says so."""
        return _spent(self.waits, pause=True)

    @property
    def reason(self) -> str:
        """Why it was waited."""
        return "; ".join(wait.reason for wait in self.waits)


@dataclass(frozen=True, slots=True)
class Run:
    """A whole run."""

    name: str
    file: str = ""
    status: str = "unfinished"
    exit_code: int | None = None
    started: float = 0.0
    duration_s: float = 0.0
    task: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    steps: tuple[StepRun, ...] = ()
    outside: tuple[WaitRun, ...] = ()
    budget_uses: tuple[BudgetUse, ...] = ()
    error: Mapping[str, Any] | None = None
    picture: str | None = None

    @property
    def waits(self) -> tuple[WaitRun, ...]:
        """Every wait in the order of time."""
        inside = [wait for step in self.steps for wait in step.waits]
        return tuple(sorted((*inside, *self.outside), key=lambda wait: wait.t))

    @property
    def passed(self) -> bool:
        """Whether it ended well."""
        return self.exit_code == 0

    @property
    def pace_planned_s(self) -> float:
        """Seconds of the waits that the apps' pace asked for."""
        return sum(wait.planned_s for wait in self.waits if not wait.pause)

    @property
    def pace_s(self) -> float:
        """Seconds that these waits took."""
        return _spent(self.waits, pause=False)

    @property
    def pause_s(self) -> float:
        """Seconds of the flow's own pauses."""
        return _spent(self.waits, pause=True)

    @property
    def work_s(self) -> float:
        """Everything else: the phone, looking for elements, taking pictures."""
        return max(0.0, self.duration_s - self.pace_s - self.pause_s)

    @property
    def new_screens(self) -> int:
        """New screens of all apps, those without a budget included."""
        return sum(step.new_screens for step in self.steps)

    @property
    def budgets(self) -> tuple[BudgetUse, ...]:
        """The last state of each app's budget."""
        return tuple({use.app: use for use in self.budget_uses}.values())

    @property
    def failed_step(self) -> StepRun | None:
        """The step that ended the run, not the group it is in."""
        failed = [step for step in self.steps if step.error and not step.inner_error and step.status == "failed"]
        return next((step for step in failed if step.error == self.error), failed[-1] if failed else None)

    def counted(self, *statuses: str) -> int:
        """How many steps that are no groups ended so."""
        return sum(step.status in statuses for step in self.steps if not step.composite)

    @property
    def step_count(self) -> int:
        """Steps that are no groups."""
        return sum(not step.composite for step in self.steps)


def read_run(folder: Path) -> Run:
    """The run in `folder`; what a killed run left is enough."""
    return build(read_events((folder / EVENTS_FILE).read_bytes()))


def read_events(data: bytes) -> list[dict[str, Any]]:
    """The events of a file; a line that was cut, as a kill leaves it, is left out."""
    events = []
    for line in data.splitlines():
        try:
            event = json.loads(line.decode("utf-8"))
        except ValueError:
            continue
        if isinstance(event, dict) and isinstance(event.get("kind"), str) and isinstance(event.get("t"), int | float):
            events.append(event)
    return events


def build(events: Iterable[Mapping[str, Any]]) -> Run:
    """The run that the events tell."""
    builder = _Builder()
    for event in events:
        if event["kind"] == "run_start":
            # A folder holds one run; the clock of its trace may have begun before.
            builder = _Builder(event)
        builder.take(event)
    return builder.run()


class _Builder:
    """Goes through the events once; what is not a step's own belongs to the innermost open step.

    Args:
        start: The run's first event; None where it was lost.
    """

    def __init__(self, start: Mapping[str, Any] | None = None) -> None:
        self._start: Mapping[str, Any] = start or {}
        self._end: Mapping[str, Any] | None = None
        self._steps: list[StepRun] = []
        self._open: list[StepRun] = []
        self._outside: list[WaitRun] = []
        self._budget: list[BudgetUse] = []
        self._acted: StepRun | None = None
        self._last = 0.0
        self._offset = float(self._start.get("t", 0.0))

    def take(self, event: Mapping[str, Any]) -> None:
        t = max(0.0, event["t"] - self._offset)
        self._last = max(self._last, t)
        match event["kind"]:
            case "step_start":
                self._step_start(event, t)
            case "step_end":
                self._step_end(event, t)
            case "wait" | "pause":
                self._wait(event, t)
            case "outcome":
                self._late_screens(event)
                self._outcome(event, t)
                self._budgets(event, t)
            case "budget":
                self._late_screens(event)
                self._budgets(event, t)
            case "app_entered" if self._open:
                self._open[-1].entered.append(str(event.get("display") or event.get("app") or event.get("package")))
            case "run_end":
                self._end = event

    def run(self) -> Run:
        start, end = self._start, self._end or {}
        for step in self._open:
            step.end = self._last
        exit_code = end.get("exit_code")
        return Run(
            name=str(start.get("name") or "run"),
            file=str(start.get("file") or ""),
            status=EXIT_STATUS.get(exit_code, "internal") if exit_code is not None else "unfinished",
            exit_code=exit_code,
            started=float(start.get("wall") or 0.0),
            duration_s=self._last,
            task=start.get("task"),
            environment={str(key): str(value) for key, value in (start.get("environment") or {}).items()},
            tags=tuple(map(str, start.get("tags") or ())),
            steps=tuple(self._steps),
            outside=tuple(self._outside),
            budget_uses=tuple(self._budget),
            error=_error(end),
            picture=end.get("picture"),
        )

    def _step_start(self, event: Mapping[str, Any], t: float) -> None:
        step = StepRun(
            number=int(event.get("step", len(self._steps) + 1)),
            command=str(event.get("command", "")),
            title=str(event.get("title", "")),
            t=t,
            depth=len(self._open),
            file=str(event.get("file", "")),
            line=int(event.get("line", 0)),
            column=int(event.get("column", 0)),
            optional=bool(event.get("optional")),
            composite=bool(event.get("composite")),
            picture=event.get("picture"),
            picture_note=str(event.get("picture_note") or ""),
            end=t,
        )
        self._steps.append(step)
        self._open.append(step)

    def _step_end(self, event: Mapping[str, Any], t: float) -> None:
        number = event.get("step")
        if not any(step.number == number for step in self._open):
            return
        while (step := self._open.pop()).number != number:
            step.end = t  # its end was lost
        step.end = t
        step.status = str(event.get("status", "unfinished"))
        step.title = str(event.get("title") or step.title)
        step.summary = str(event.get("summary") or step.summary)
        step.evidence.update(event.get("evidence") or {})
        step.error = _error(event)
        step.inner_error = bool(event.get("inner_error"))
        step.screen = str(event.get("screen") or "")

    def _wait(self, event: Mapping[str, Any], t: float) -> None:
        actual = float(event.get("actual_s", 0.0))
        wait = WaitRun(
            t=max(0.0, t - actual),
            planned_s=float(event.get("planned_s", actual)),
            actual_s=actual,
            reason=str(event.get("reason", "")),
            parts=tuple((float(part["seconds"]), str(part["why"])) for part in event.get("parts") or ()),
            jitter=bool(event.get("jitter")),
            pause=event["kind"] == "pause",
        )
        (self._open[-1].waits if self._open else self._outside).append(wait)

    def _outcome(self, event: Mapping[str, Any], t: float) -> None:
        if self._open:
            step = self._open[-1]
            step.device_s += float(event.get("device_s") or 0.0) + float(event.get("settle_s") or 0.0)
            step.new_screens += bool(event.get("new_screen"))
            step.summary = str(event.get("summary") or "")
            step.evidence.update(event.get("evidence") or {})
            for key in ("package", "activity", "overlay"):
                if event.get(key):
                    step.evidence[key] = event[key]

    def _late_screens(self, event: Mapping[str, Any]) -> None:
        """A screen that came after its action had ended was counted since; it belongs to the step that acted last."""
        counted = bool(event.get("new_screen"))
        for app, budget in (event.get("budgets") or {}).items():
            before = next((use.used for use in reversed(self._budget) if use.app == app), 0)
            late = int(budget["used"]) - before - counted
            if late > 0 and self._acted is not None:
                self._acted.new_screens += late
        if self._open and event["kind"] == "outcome":
            self._acted = self._open[-1]

    def _budgets(self, event: Mapping[str, Any], t: float) -> None:
        for app, budget in (event.get("budgets") or {}).items():
            use = BudgetUse(t, app, int(budget["used"]), int(budget["limit"]), bool(budget.get("lifted")))
            last = next((other for other in reversed(self._budget) if other.app == app), None)
            if last is None or (last.used, last.limit, last.lifted) != (use.used, use.limit, use.lifted):
                self._budget.append(use)


def _error(event: Mapping[str, Any]) -> dict[str, Any] | None:
    error = event.get("error")
    return {"code": "", "message": "", "hint": "", **error} if isinstance(error, Mapping) else None

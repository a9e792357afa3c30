"""What the report draws over time, in percent: segments of the timeline, ticks, budget lines. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from controller.report.run import Run, StepRun, WaitRun
from controller.report.words import seconds

__all__ = ["BudgetLine", "Segment", "Tick", "budget_lines", "segments", "ticks"]

# Shorter stretches cannot be seen; they come of rounding.
SHORTEST_S = 0.002
STEPS_OF_TICKS = (0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600)


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of the timeline: `work`, `pace` or `pause`, of one step."""

    kind: str
    left: float
    width: float
    step: int | None
    title: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the time axis."""

    left: float
    label: str


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """One app's new screens over time: an SVG path in a box of 100 × 100, the last count and its limit."""

    app: str
    path: str
    area: str
    used: int
    limit: int
    lifted: bool


def segments(run: Run) -> list[Segment]:
    """The timeline, left to right."""
    whole = run.duration_s or 1.0
    made: list[Segment] = []
    for step in run.steps:
        if not step.composite:
            made += _of_step(step, whole)
    for wait in run.outside:
        made.append(_segment(wait, wait.t, wait.t + wait.actual_s, None, whole))
    for step in run.steps:
        if step.composite:
            made += [_segment(wait, wait.t, wait.t + wait.actual_s, step, whole) for wait in step.waits]
    return sorted(made, key=lambda segment: segment.left)


def _of_step(step: StepRun, whole: float) -> Iterable[Segment]:
    at = step.t
    for wait in step.waits:
        if wait.t > at + SHORTEST_S:
            yield _segment(None, at, wait.t, step, whole)
        yield _segment(wait, wait.t, wait.t + wait.actual_s, step, whole)
        at = wait.t + wait.actual_s
    if step.end > at + SHORTEST_S:
        yield _segment(None, at, step.end, step, whole)


def _segment(wait: WaitRun | None, start: float, end: float, step: StepRun | None, whole: float) -> Segment:
    kind = "work" if wait is None else "pause" if wait.pause else "pace"
    what = "phone and looking" if wait is None else wait.reason
    title = f"{step.number}. {step.title}: " if step else ""
    return Segment(
        kind,
        round(100 * start / whole, 3),
        round(100 * (end - start) / whole, 3),
        step.number if step else None,
        f"{title}{seconds(end - start)} {what}",
        failed=bool(step and step.status == "failed" and wait is None),
    )


def ticks(duration_s: float, *, most: int = 6) -> list[Tick]:
    """Marks at round times."""
    step = next((step for step in STEPS_OF_TICKS if duration_s / step <= most), STEPS_OF_TICKS[-1])
    count = int(duration_s / step) if duration_s > 0 else 0
    return [Tick(round(100 * n * step / duration_s, 3), _tick(n * step)) for n in range(count + 1)] if count else []


def _tick(value: float) -> str:
    if value < 120:
        return f"{value:g} s"
    return f"{int(value) // 60}:{int(value) % 60:02d}"


def budget_lines(run: Run) -> list[BudgetLine]:
    """Each app's line; the height of its box is its limit, or its count where that is more."""
    whole = run.duration_s or 1.0
    lines = []
    for last in run.budgets:
        top = max(last.limit, last.used, 1)
        path, used = "M0 100", 0
        for use in run.budget_uses:
            if use.app == last.app and use.used != used:
                used = use.used
                path += f" H{100 * use.t / whole:.2f} V{100 - 100 * used / top:.2f}"
        path += " H100"
        lines.append(BudgetLine(last.app, path, f"{path} V100 Z", last.used, last.limit, last.lifted))
    return lines

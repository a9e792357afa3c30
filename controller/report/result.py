"""The run as `result.json`, for programs; its schema is `result.schema.json` beside this module. Pure."""

from __future__ import annotations

from typing import Any

from controller.report.run import Run, StepRun, WaitRun

__all__ = ["VERSION", "as_result"]

VERSION = 1


def as_result(run: Run) -> dict[str, Any]:
    """The result as JSON. Seconds everywhere; `started` counts from 1970; `at_s` from the run's start."""
    return {
        "version": VERSION,
        "flow": {"name": run.name, "file": run.file, "tags": list(run.tags)},
        "status": run.status,
        "exit_code": run.exit_code,
        "started": run.started,
        "duration_s": _round(run.duration_s),
        "task": run.task,
        "environment": dict(run.environment),
        "counts": {
            "steps": run.step_count,
            "done": run.counted("done"),
            "unconfirmed": run.counted("unconfirmed"),
            "warned": run.counted("warned"),
            "failed": run.counted("failed"),
            "skipped": run.counted("skipped"),
            "new_screens": run.new_screens,
        },
        "time": {
            "pace_planned_s": _round(run.pace_planned_s),
            "pace_s": _round(run.pace_s),
            "pause_s": _round(run.pause_s),
            "work_s": _round(run.work_s),
        },
        "budgets": [
            {"app": use.app, "used": use.used, "limit": use.limit, "lifted": use.lifted} for use in run.budgets
        ],
        "error": dict(run.error) if run.error else None,
        "picture": run.picture,
        "steps": [_step(step) for step in run.steps],
    }


def _step(step: StepRun) -> dict[str, Any]:
    return {
        "step": step.number,
        "command": step.command,
        "title": step.title,
        "status": step.status,
        "depth": step.depth,
        "composite": step.composite,
        "optional": step.optional,
        "place": {"file": step.file, "line": step.line, "column": step.column},
        "at_s": _round(step.t),
        "duration_s": _round(step.duration_s),
        "device_s": _round(step.device_s),
        "waits": [_wait(wait) for wait in step.waits],
        "new_screens": step.new_screens,
        "entered": step.entered,
        "summary": step.summary,
        "evidence": step.evidence,
        "error": step.error,
        "picture": step.picture,
    }


def _wait(wait: WaitRun) -> dict[str, Any]:
    return {
        "at_s": _round(wait.t),
        "planned_s": _round(wait.planned_s),
        "actual_s": _round(wait.actual_s),
        "kind": "pause" if wait.pause else "pace",
        "reason": wait.reason,
        "parts": [{"seconds": _round(value), "why": why} for value, why in wait.parts],
        "jitter": wait.jitter,
    }


def _round(value: float) -> float:
    return round(value, 3)

"""The run as JUnit XML, for continuous integration: one test case for the flow, its steps as its output. Pure."""

from __future__ import annotations

from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

from controller.report.run import Run, StepRun
from controller.report.words import clean, seconds

__all__ = ["junit_xml"]

FAILURES = frozenset({"failed", "budget_spent", "timed_out", "refused"})
"""What the flow itself came to; anything else that did not pass is an error of the surroundings."""


def junit_xml(run: Run) -> bytes:
    """The XML document."""
    case = TestCase(clean(run.name), classname=clean(run.file or "flow"), time=round(run.duration_s, 3))
    if not run.passed:
        case.result = [_result(run)]
    case.system_out = clean("\n".join(_line(step) for step in run.steps))
    suite = TestSuite(clean(run.name))
    for key, value in _properties(run).items():
        suite.add_property(clean(key), clean(value))
    suite.add_testcase(case)
    xml = JUnitXml("phonectl")
    xml.add_testsuite(suite)
    xml.update_statistics()  # type: ignore[no-untyped-call]  # junitparser has no types
    return bytes(xml.tostring())  # type: ignore[no-untyped-call]  # the same


def _result(run: Run) -> Failure | Error:
    error = run.error or {}
    failed = run.failed_step
    message = clean(str(error.get("message") or f"the run is {run.status}"))
    kind = Failure if run.status in FAILURES else Error
    result = kind(message, type_=clean(str(error.get("code") or run.status)))
    lines = [message, str(error.get("hint") or "")]
    if failed is not None:
        lines.append(f"step {failed.number}: {failed.title} ({failed.file}:{failed.line})")
        lines.append(failed.screen)
    result.text = clean("\n".join(line for line in lines if line))
    return result


def _properties(run: Run) -> dict[str, str]:
    counted = {
        "status": run.status,
        "steps": str(run.step_count),
        "pace_s": f"{run.pace_s:.3f}",
        "pause_s": f"{run.pause_s:.3f}",
        "work_s": f"{run.work_s:.3f}",
        "new_screens": str(run.new_screens),
        "tags": ",".join(run.tags),
    }
    budgets = {f"budget.{use.app}": f"{use.used}/{use.limit}" for use in run.budgets}
    return {**run.environment, **counted, **budgets}


def _line(step: StepRun) -> str:
    waited = f", waited {seconds(step.pace_s + step.pause_s)}: {step.reason}" if step.waits else ""
    return f"{'  ' * step.depth}{step.number}. {step.title} [{step.status}] {seconds(step.duration_s)}{waited}"

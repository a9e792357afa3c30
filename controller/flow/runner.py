"""Runs a checked flow on one phone: step after step, with hooks, pictures and evidence, and one report at the end.

One run is one task. What a command does is in `commands`; waiting for the apps' pace is in `session`; what the run
came to is counted by `report` from the same events that the run folder keeps.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller import report, verbs
from controller.errors import DeviceError, FlowError, OutcomeUnknown, PhonectlError, StepError, TimedOut
from controller.flow.check import Checked, builtins, entered
from controller.flow.commands import COMMANDS, Command, Result, Skipped
from controller.flow.model import FillError, Flow, StepSpec, fill, flow_error
from controller.flow.progress import Progress, Silent
from controller.flow.stage import LOOKUP_S, OPTIONAL_LOOKUP_S, Stage
from controller.flow.titles import title
from controller.pace import Speed
from controller.report import Run
from controller.screen.hierarchy import Bounds, focused_field
from controller.screen.outline import outline
from controller.screen.picture import mask
from controller.screen.selectors import find
from controller.session import Session
from controller.step import Outcome, Status
from controller.trace import Recorder

__all__ = ["RunResult", "run_flow"]

INTERRUPTED = 130
INTERNAL = 6


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended.

    Args:
        run: Its steps, waits, counts and budgets.
        error: What ended it, None where it passed.
        folder: Its run folder, None where none was kept.
    """

    run: Run
    error: BaseException | None = None
    folder: Path | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of the command line."""
        return INTERNAL if self.run.exit_code is None else self.run.exit_code

    @property
    def status(self) -> str:
        """passed, failed, budget_spent, refused, timed_out, no_phone, interrupted …"""
        return self.run.status

    @property
    def passed(self) -> bool:
        """Whether every step that is not optional succeeded."""
        return self.run.passed


def run_flow(
    session: Session,
    checked: Checked,
    *,
    report_dir: Path | None = None,
    progress: Progress | None = None,
    environment: Mapping[str, str] | None = None,
) -> RunResult:
    """What became of the flow. Its steps' errors are in the result; only what is not the run's is raised.

    Args:
        session: The phone. Its trace gets every event.
        checked: The flow, as `check_flow` answers.
        report_dir: The folder of the session's `FileTrace`; the report is written there at the end.
        progress: Who is told of steps.
        environment: Facts for the head of the report: phone, versions.
    """
    recorder = Recorder(session.trace, session.clock)
    trace, speed = session.trace, session.speed
    session.trace = recorder
    try:
        error = _Runner(session, checked, recorder, progress or Silent()).run(dict(environment or {}))
    finally:
        session.trace, session.speed = trace, speed
    if report_dir is not None:
        report.write(report_dir)
    return RunResult(report.build(recorder.events), error, report_dir)


class _Runner:
    """One run. Fulfils `Conductor` for commands that contain commands."""

    def __init__(self, session: Session, checked: Checked, trace: Recorder, progress: Progress) -> None:
        self.session = session
        self.checked = checked
        self.trace = trace
        self.progress = progress
        self._number = 0
        self._depth = 0
        self._file = checked.flow.path
        self._app_id: str | None = None
        self._idle_since = session.clock.now()
        self._speed_given = session.speed is not None
        self._told: BaseException | None = None

    # ------------------------------------------------------------------ the run

    def run(self, environment: Mapping[str, str]) -> BaseException | None:
        """What ended the run, None where it passed."""
        flow = self.checked.flow
        with self.session.tasks.edit() as draft:
            task = draft.begin(self.session.clock, label=flow.name)
        inherited = builtins(flow.path, serial=self.session.phone.serial)
        variables = self._entered(flow, given=self.checked.env, inherited=inherited)
        if flow.pace:
            self.set_speed(flow.pace)
        speed = self.session.effective_speed().value
        self.trace.emit(
            "run_start",
            name=flow.name,
            file=flow.path,
            tags=flow.tags,
            task=task.id,
            environment={"phone": self.session.phone.serial, "speed": speed, **environment},
        )
        error = self._caught(flow, variables)
        exit_code = _exit_code(error)
        picture = None if isinstance(error, DeviceError | KeyboardInterrupt) else self._picture("end")[0]
        self.trace.emit("run_end", exit_code=exit_code, error=_error_dict(error), picture=picture)
        if exit_code != 7:  # a spent budget can be continued: `task continue`
            with self.session.tasks.edit() as draft:
                draft.end(self.session.clock)
        return error

    def _caught(self, flow: Flow, variables: Mapping[str, str]) -> BaseException | None:
        try:
            self._flow(flow, variables)
        except (Exception, KeyboardInterrupt) as err:  # noqa: BLE001 - the report says what it was
            return err
        return None

    def _attempt(self, steps: tuple[StepSpec, ...], variables: Mapping[str, str]) -> Exception | None:
        """What ended the steps; hooks are tried after it."""
        try:
            self.run_steps(steps, variables)
        except DeviceError:
            raise
        except Exception as err:  # noqa: BLE001 - it is raised again after the hooks
            return err
        return None

    def _flow(self, flow: Flow, variables: Mapping[str, str]) -> None:
        """The flow with its hooks. They run whatever happened, unless the person stopped it or the phone is gone."""
        before = self._file, self._app_id
        self._file = flow.path
        self._app_id = fill(flow.app_id, variables) if flow.app_id else self._app_id
        try:
            error = self._attempt((*flow.on_start, *flow.steps), variables)
            if error is not None:
                error = self._attempt(flow.on_failure, variables) or error
            complete = self._attempt(flow.on_complete, variables)
            if (error := error or complete) is not None:
                raise error
        finally:
            self._file, self._app_id = before

    def _entered(self, flow: Flow, *, given: Mapping[str, str], inherited: Mapping[str, str]) -> dict[str, str]:
        variables = entered(flow, given=given, inherited=inherited)
        self.trace.redact(*(variables[name] for name in flow.secrets if name in variables))
        return variables

    # ------------------------------------------------------------------ what commands need of it

    def run_steps(self, steps: tuple[StepSpec, ...], variables: Mapping[str, str]) -> None:
        for step in steps:
            self._step(step, variables)

    def run_file(self, path: str, given: Mapping[str, str], inherited: Mapping[str, str]) -> None:
        flow = self.checked.files[path]
        self._flow(flow, self._entered(flow, given=given, inherited=inherited))

    def redact(self, *values: str) -> None:
        self.trace.redact(*values)

    def keep_picture(self, name: str) -> str | None:
        png = verbs.screenshot(self.session)
        return self.trace.picture(name, mask(png, self._secret_areas()) if self.trace.redaction.values else png)

    def set_speed(self, word: str) -> None:
        if not self._speed_given:  # the command line's word counts more than the file's
            self.session.speed = Speed(word)

    def pause(self, seconds: float, reason: str) -> None:
        started = self.session.clock.now()
        with self.progress.waiting(seconds, reason):
            self.session.clock.sleep(seconds)
        actual = self.session.clock.now() - started
        self.trace.emit("pause", planned_s=round(seconds, 3), actual_s=round(actual, 3), reason=reason)

    # ------------------------------------------------------------------ one step

    def _step(self, step: StepSpec, variables: Mapping[str, str]) -> None:
        command = COMMANDS[step.command]
        self._number += 1
        number, depth, started = self._number, self._depth, self.session.clock.now()
        args, label, optional = self._filled(step, variables)
        shown = self._title(command, args, label, hide_text=not self._may_be_shown(command, args))
        self._start(step, number, command, shown, optional=optional)
        ended = _Ended("done")
        try:
            with self._deeper():
                ended = _judged(command.run(self._stage(variables, optional=optional), **args))
        except Skipped as err:
            ended = _Ended("skipped", str(err))
        except KeyboardInterrupt as err:
            ended = _Ended("interrupted", "interrupted by the person", error=err)
            raise
        except (StepError, TimedOut) as err:
            ended = _Ended("warned" if optional else "failed", error=err)
            if not optional:
                raise
        except Exception as err:  # told in the report, and raised again
            ended = _Ended("failed", error=err)
            raise
        finally:
            self._idle_since = self.session.clock.now()
            shown = self._title(command, args, label)
            self._end(number, shown, ended)
            seconds = self.session.clock.now() - started
            note = self.trace.redaction.text(ended.note)
            self.progress.step_ended(number, shown, ended.status, depth=depth, duration_s=seconds, note=note)

    def _filled(self, step: StepSpec, variables: Mapping[str, str]) -> tuple[dict[str, Any], str, bool]:
        try:
            args = {name: fill(value, variables) for name, value in step.args.items()}
            label = str(fill(step.label, variables)) if step.label else ""
            return args, label, bool(fill(step.optional, variables)) if step.optional else False
        except FillError as err:
            raise flow_error([err.finding]) from err

    def _title(self, command: Command, args: Mapping[str, Any], label: str, *, hide_text: bool = False) -> str:
        words = label or title(command.name, args, app_id=self._app_id, hide_text=hide_text)
        return self.trace.redaction.text(words)

    def _stage(self, variables: Mapping[str, str], *, optional: bool) -> Stage:
        return Stage(
            self.session,
            self,
            variables,
            app_id=self._app_id,
            lookup_s=OPTIONAL_LOOKUP_S if optional else LOOKUP_S,
            idle_since=self._idle_since,
            file=self._file,
        )

    def _start(self, step: StepSpec, number: int, command: Command, shown: str, *, optional: bool) -> None:
        self.progress.step_started(number, shown, depth=self._depth)
        picture, note = (None, "") if command.composite else self._picture(f"{number:03d}")
        self.trace.emit(
            "step_start",
            step=number,
            command=step.command,
            title=shown,
            file=step.place.file,
            line=step.place.line,
            column=step.place.column,
            depth=self._depth,
            optional=optional,
            composite=command.composite,
            picture=picture,
            picture_note=note,
        )

    def _end(self, number: int, shown: str, ended: _Ended) -> None:
        error = ended.error
        inner = error is not None and error is self._told
        facts: dict[str, Any] = {"step": number, "status": ended.status, "title": shown, "summary": ended.note}
        if ended.evidence:
            facts["evidence"] = ended.evidence
        if error is not None and not isinstance(error, KeyboardInterrupt):
            facts["error"] = _error_dict(error)
            facts["inner_error"] = inner
            if not inner and not isinstance(error, DeviceError):
                facts["screen"] = self._screen()
            self._told = error
        self.trace.emit("step_end", **facts)

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    # ------------------------------------------------------------------ evidence

    def _may_be_shown(self, command: Command, args: Mapping[str, Any]) -> bool:
        """Whether the title may be told before the step: what is typed into a password field may not."""
        if command.name != "inputText":
            return True
        try:
            now = self.session.observe()
        except PhonectlError:
            return False
        into = args.get("into")
        found = find(now.hierarchy, into, screen=now.screen) if into else [focused_field(now.hierarchy)]
        return bool(found) and found[0] is not None and not found[0].password

    def _picture(self, name: str) -> tuple[str | None, str]:
        """The path of a picture of the screen now, or None and why there is none."""
        try:
            return self.keep_picture(name), ""
        except PhonectlError as err:
            return None, err.message

    def _secret_areas(self) -> list[Bounds]:
        """Where passwords and secret values can be seen."""
        secrets = self.trace.redaction.values
        return [
            node.bounds
            for node in self.session.observe().hierarchy.nodes()
            if node.password or any(secret in text for secret in secrets for text in (node.text, node.desc))
        ]

    def _screen(self) -> str:
        """The outline of the screen where a step failed."""
        try:
            now = self.session.observe()
        except PhonectlError as err:
            return f"the screen could not be read: {err.message}"
        seen = outline(now.hierarchy, package=now.foreground.package, screen=now.screen, keyboard=now.keyboard)
        front = f"{now.foreground.package or '?'}/{now.foreground.activity or '?'}"
        return "\n".join([front, *seen.notes, seen.text(boxes=True)])


@dataclass(frozen=True, slots=True)
class _Ended:
    """How a step ended."""

    status: str
    summary: str = ""
    evidence: Mapping[str, Any] | None = None
    error: BaseException | None = None

    @property
    def note(self) -> str:
        if isinstance(self.error, PhonectlError):
            return self.error.message
        return self.summary or (str(self.error) if self.error else "")


def _judged(result: Result) -> _Ended:
    """How a command ended that raised nothing.

    Raises:
        StepError: Its verb says that it failed, or that its fate is not known.
    """
    match result:
        case Outcome(status=Status.DONE):
            return _Ended("done", result.summary)
        case Outcome(status=Status.UNCONFIRMED):
            return _Ended("unconfirmed", result.summary)
        case Outcome(status=Status.OUTCOME_UNKNOWN):
            raise result.error or OutcomeUnknown(result.summary)
        case Outcome():
            raise result.error or StepError(result.summary, code=str(result.evidence.get("code") or "step_failed"))
        case None:
            return _Ended("done")
        case _:
            return _Ended("done", str(result.get("note", "")), result)


def _exit_code(error: BaseException | None) -> int:
    match error:
        case None:
            return 0
        case KeyboardInterrupt():
            return INTERRUPTED
        case PhonectlError():
            return error.exit_code
    return INTERNAL


def _error_dict(error: BaseException | None) -> dict[str, Any] | None:
    match error:
        case None:
            return None
        case FlowError():
            return {"code": error.code, "message": error.message, "hint": error.hint}
        case PhonectlError():
            return error.as_dict()
        case KeyboardInterrupt():
            return {"code": "interrupted", "message": "interrupted by the person", "hint": ""}
    return {
        "code": "internal",
        "message": f"{type(error).__name__}: {error}",
        "hint": "this is a fault of phonectl; please report it with the run folder",
        "traceback": "".join(traceback.format_exception(error)),
    }

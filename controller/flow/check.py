"""A flow with all its sub-flows, checked without a phone: every fault at once.

Reads files (through an argument), follows `runFlow`, fills every value with the variables it will have, and asks the
library about apps and links. What is found here is never met on a phone; what only a phone can tell is left to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller import links
from controller.device import keys
from controller.errors import FlowError, UnknownApp, UsageError
from controller.flow.commands import subflow_path
from controller.flow.model import FillError, Finding, Flow, Place, StepSpec, fill, flow_error
from controller.flow.parser import read_flow
from controller.library.catalog import Library

__all__ = ["Checked", "builtins", "check_flow", "entered", "read_file"]

Read = Callable[[str], str]

MAX_VISITS = 2000


@dataclass(frozen=True, slots=True)
class Checked:
    """A flow that may be run.

    Args:
        flow: The file that was asked for.
        files: It and its sub-flows by path.
        env: What was given from outside.
    """

    flow: Flow
    files: Mapping[str, Flow]
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What is odd but not wrong."""
        return tuple(warning for flow in self.files.values() for warning in flow.warnings)


def read_file(path: str) -> str:
    """The text of a file.

    Raises:
        FlowError: It cannot be read, or is not UTF-8.
    """
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError as err:
        raise FlowError(f"there is no file {path}", code="missing_file") from err
    except UnicodeDecodeError as err:
        raise FlowError(f"{path} is not UTF-8 at byte {err.start}", hint="save it as UTF-8", code="encoding") from err
    except OSError as err:
        raise FlowError(f"{path} cannot be read: {err.strerror}", code="missing_file") from err


def check_flow(
    path: str | Path,
    *,
    env: Mapping[str, str] | None = None,
    library: Library | None = None,
    read: Read = read_file,
    allow_fast: bool = True,
) -> Checked:
    """The flow at `path`, ready to run.

    Args:
        path: The file.
        env: Variables from outside; they win over the header's `env`.
        library: Knows apps and links; without one their names are not checked.
        read: Reads a file.
        allow_fast: Whether whoever runs it may set `pace: fast`; only a person may.

    Raises:
        FlowError: Something is wrong; `details["findings"]` has every place.
    """
    checker = _Checker(read, library, allow_fast)
    given = dict(env or {})
    name = Path(path).as_posix()
    flow = checker.load(name, Place(name, 1, 1))
    if flow is not None:
        checker.visit(flow, given, builtins(name), (name,), None)
    if checker.findings or flow is None:
        raise flow_error(sorted(checker.findings.values(), key=lambda item: (item.place.file != name, _order(item))))
    return Checked(flow, checker.files, given)


def builtins(path: str, *, serial: str = "", shard: int = 0) -> dict[str, str]:
    """The variables that every flow has."""
    return {
        "MAESTRO_FILENAME": Path(path).stem,
        "MAESTRO_DEVICE_UDID": serial,
        "MAESTRO_SHARD_ID": str(shard + 1),
        "MAESTRO_SHARD_INDEX": str(shard),
        "maestro.platform": "android",
    }


def entered(flow: Flow, *, given: Mapping[str, str], inherited: Mapping[str, str]) -> dict[str, str]:
    """The variables inside of `flow`: what is given from outside wins over its header, its header over its caller's.

    Raises:
        FillError: A value of the header names what is not set.
    """
    variables = {**inherited, **given}
    for name, leaf in flow.env.items():
        if name not in given:
            variables[name] = fill(leaf, variables)
    return variables


class _Checker:
    def __init__(self, read: Read, library: Library | None, allow_fast: bool) -> None:
        self.files: dict[str, Flow] = {}
        self.findings: dict[tuple[Place, str], Finding] = {}
        self._read = read
        self._library = library
        self._allow_fast = allow_fast
        self._visited: set[tuple[str, frozenset[tuple[str, str]]]] = set()

    def load(self, path: str, place: Place) -> Flow | None:
        """The flow at `path`, read once; what is wrong with the file itself is found at `place`."""
        if path in self.files:
            return self.files[path]
        try:
            text = self._read(path)
        except FlowError as err:
            self._found(place, err.code, err.message, err.hint)
            return None
        flow, findings = read_flow(text, path=path)
        for finding in findings:
            self.findings.setdefault((finding.place, finding.message), finding)
        self.files[path] = flow
        return flow

    def visit(
        self,
        flow: Flow,
        given: Mapping[str, str],
        inherited: Mapping[str, str],
        stack: tuple[str, ...],
        app_id: str | None,
    ) -> None:
        """Check the flow with the variables it is entered with."""
        try:
            variables = entered(flow, given=given, inherited=inherited)
            app_id = fill(flow.app_id, variables) if flow.app_id else app_id
        except FillError as err:
            self._add(err.finding)
            return
        key = (flow.path, frozenset(variables.items()))
        if key in self._visited or len(self._visited) > MAX_VISITS:
            return
        self._visited.add(key)
        for name in flow.secrets:
            if name not in variables:
                self._found(Place(flow.path, 1, 1), "unset_variable", f"`secret` names `{name}`, which is not set")
        if flow.pace == "fast" and not self._allow_fast:
            self._found(Place(flow.path, 1, 1), "needs_person", "`pace: fast` is set by a person only")
        self._steps(flow, flow.all_steps, variables, stack, app_id)

    def _steps(
        self,
        flow: Flow,
        steps: tuple[StepSpec, ...],
        variables: Mapping[str, str],
        stack: tuple[str, ...],
        app_id: str | None,
    ) -> None:
        for step in steps:
            args = self._filled(step, variables)
            inner = {**variables, **((args or {}).get("env") or {})}
            self._steps(flow, _commands(step), inner, stack, app_id)
            if args is None:
                continue
            for code, message, fix in self._knowledge(step.command, args, app_id):
                self._found(step.place, code, message, fix)
            if step.command == "runFlow" and "file" in args:
                path = subflow_path(flow.path, args["file"])
                self._subflow(step.place, path, args.get("env", {}), variables, stack, app_id)

    def _filled(self, step: StepSpec, variables: Mapping[str, str]) -> dict[str, Any] | None:
        args: dict[str, Any] = {}
        right = True
        for name, value in (*step.args.items(), ("", step.label), ("", step.optional)):
            try:
                args[name] = fill(value, variables)
            except FillError as err:
                self._add(err.finding)
                right = False
        return args if right else None

    def _subflow(
        self,
        place: Place,
        path: str,
        given: Mapping[str, str],
        inherited: Mapping[str, str],
        stack: tuple[str, ...],
        app_id: str | None,
    ) -> None:
        if path in stack:
            round_ = " → ".join((*stack[stack.index(path) :], path))
            self._found(place, "cycle", f"the flow runs itself: {round_}", "leave one of these calls out")
            return
        flow = self.load(path, place)
        if flow is not None:
            self.visit(flow, given, inherited, (*stack, path), app_id)

    def _knowledge(self, command: str, args: Mapping[str, Any], app_id: str | None) -> Iterator[tuple[str, str, str]]:
        match command:
            case "launchApp" | "stopApp":
                name = args.get("app_id") or app_id
                if name is None:
                    yield "no_app", f"`{command}` names no app", "name it here, or write `appId:` in the header"
                else:
                    yield from self._app(name)
            case "openLink" if "app" in args:
                yield from self._link(args["app"], args["title"], args.get("args", {}))
            case "openLink":
                yield from _attempt(lambda: links.check_uri(args["link"]))
            case "pressKey":
                yield from _attempt(lambda: keys.keycode(args["key"]))
            case "pace" if args["speed"] == "fast" and not self._allow_fast:
                yield "needs_person", "`pace: fast` is set by a person only", "run it from the command line"

    def _app(self, name: str) -> Iterator[tuple[str, str, str]]:
        """A name with a dot may be any package; one without has to be known."""
        if self._library is not None and "." not in name:
            library = self._library
            yield from _attempt(lambda: library.app(name))

    def _link(self, app: str, title: str, args: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
        if self._library is None:
            return
        try:
            found = self._library.app(app)
        except UnknownApp as err:
            yield err.code, err.message, err.hint
            return
        yield from _attempt(lambda: links.resolve(found, title, args))

    def _found(self, place: Place, code: str, message: str, fix: str = "") -> None:
        self._add(Finding(place, code, message, fix))

    def _add(self, finding: Finding) -> None:
        self.findings.setdefault((finding.place, finding.message), finding)


def _commands(step: StepSpec) -> tuple[StepSpec, ...]:
    """The commands inside of a step."""
    inner = step.args.get("commands", ())
    return tuple(item for item in inner if isinstance(item, StepSpec)) if isinstance(inner, tuple) else ()


def _attempt(work: Callable[[], object]) -> Iterator[tuple[str, str, str]]:
    """What is wrong, where `work` says so."""
    try:
        work()
    except UsageError as err:
        yield err.code, err.message, err.hint


def _order(finding: Finding) -> tuple[str, int, int]:
    return finding.place.file, finding.place.line, finding.place.column

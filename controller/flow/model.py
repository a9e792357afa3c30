"""A flow as a value, with the place in its file of everything a message may have to name.

What a command's values may be is said in `shapes`; reading a file into these values is the business of `parser`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.errors import FlowError, UsageError
from controller.flow.expressions import Template, UnsetVariable

__all__ = ["Block", "FillError", "Finding", "Flow", "Leaf", "Place", "StepSpec", "Value", "fill", "flow_error"]


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong in a flow: where, what, and what to do about it."""

    place: Place
    code: str
    message: str
    fix: str = ""
    severity: str = "error"

    def as_dict(self) -> dict[str, Any]:
        """The finding as JSON."""
        return {
            "file": self.place.file,
            "line": self.place.line,
            "column": self.place.column,
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "fix": self.fix,
        }

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" + (f" – {self.fix}" if self.fix else "")


@dataclass(frozen=True, slots=True)
class Leaf:
    """One scalar: its text as a template, how the text becomes a value, and the place of each `${` in it."""

    template: Template
    convert: Callable[[str], Any]
    place: Place
    holes: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A mapping: its values by parameter name, and what is made of them."""

    values: Mapping[str, Value]
    build: Callable[..., Any]
    place: Place


@dataclass(frozen=True, slots=True)
class StepSpec:
    """One command of a flow, not filled yet."""

    command: str
    args: Mapping[str, Value]
    place: Place
    label: Leaf | None = None
    optional: Leaf | None = None


Value = Leaf | Block | StepSpec | tuple["Value", ...] | Mapping[str, "Value"]


@dataclass(frozen=True, slots=True)
class Flow:
    """One file.

    Args:
        path: The file, as it was named.
        app_id: The app that a bare `launchApp` opens.
        name: What the report calls it; the file's name where none is given.
        tags: For choosing among many flows.
        env: Variables with their values, in the order they are written.
        secrets: Names of variables whose values are masked everywhere.
        pace: `careful` or `fast` for this run, where the file says so.
        steps: The commands.
        on_start: Commands before the first one.
        on_complete: Commands after the last one, whatever happened.
        on_failure: Commands after a failure, before `on_complete`.
        warnings: What is odd but not wrong.
    """

    path: str
    app_id: Leaf | None = None
    name: str = ""
    tags: tuple[str, ...] = ()
    env: Mapping[str, Leaf] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    pace: str | None = None
    steps: tuple[StepSpec, ...] = ()
    on_start: tuple[StepSpec, ...] = ()
    on_complete: tuple[StepSpec, ...] = ()
    on_failure: tuple[StepSpec, ...] = ()
    warnings: tuple[Finding, ...] = ()

    @property
    def all_steps(self) -> tuple[StepSpec, ...]:
        """Every command of the file's top level, hooks included."""
        return (*self.on_start, *self.steps, *self.on_failure, *self.on_complete)


class FillError(ValueError):
    """A value that cannot be filled with the variables there are."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding


def fill(value: Any, variables: Mapping[str, str]) -> Any:
    """What a command's function is given: texts with their variables in, converted; commands stay as they are.

    Raises:
        FillError: A variable is unset, or a filled text is not what is wanted there.
    """
    match value:
        case Leaf(template, convert, place, holes):
            try:
                return convert(template.render(variables))
            except UnsetVariable as err:
                fix = f'set it with `-e {err.name}=…`, in `env:`, or write `${{{err.name} || "default"}}`'
                where = holes[err.index] if err.index < len(holes) else place
                raise FillError(Finding(where, "unset_variable", f"`{err.name}` is not set", fix)) from err
            except ValueError as err:
                raise FillError(Finding(place, "wrong_value", str(err))) from err
        case Block(values, build, place):
            filled = {name: fill(item, variables) for name, item in values.items()}
            try:
                return build(**filled)
            except (ValueError, UsageError) as err:
                raise FillError(Finding(place, "wrong_value", str(err))) from err
        case tuple():
            return tuple(fill(item, variables) for item in value)
        case Mapping():
            return {name: fill(item, variables) for name, item in value.items()}
        case _:
            return value


def flow_error(findings: list[Finding]) -> FlowError:
    """The one error that carries all findings, in the order of the files and their lines."""
    first = findings[0]
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    return FlowError(
        f"{first.place}: {first.message}{more}",
        hint=first.fix or "run `phonectl check FILE` to see every place",
        findings=[finding.as_dict() for finding in findings],
    )

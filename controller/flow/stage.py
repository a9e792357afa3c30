"""What a command's function stands on while it runs: the phone's session, the times, the variables, the runner.

A value and a protocol; what the commands do is in `commands`, how they follow one another in `runner`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from controller.flow.model import StepSpec
from controller.session import Session

__all__ = ["LOOKUP_S", "OPTIONAL_LOOKUP_S", "Conductor", "Stage"]

LOOKUP_S = 17.0
OPTIONAL_LOOKUP_S = 7.0
"""Seconds that an element is looked for; the figures of Maestro's `Orchestra.kt`."""


class Conductor(Protocol):
    """The runner, as far as a command that contains commands needs it."""

    def run_steps(self, steps: tuple[StepSpec, ...], variables: Mapping[str, str]) -> None:
        """Run the steps; raises what ends them."""
        ...

    def run_file(self, path: str, given: Mapping[str, str], inherited: Mapping[str, str]) -> None:
        """Run a sub-flow with its hooks, by its path as it was checked; what is given wins over its header."""
        ...

    def redact(self, *values: str) -> None:
        """Mask these values in everything that is written from now on."""
        ...

    def keep_picture(self, name: str) -> str | None:
        """The path of a picture of the screen now, secrets masked; None where no run folder is kept."""
        ...

    def set_speed(self, word: str) -> None:
        """Go on at this speed, `careful` or `fast`."""
        ...

    def pause(self, seconds: float, reason: str) -> None:
        """Wait because the flow says so."""
        ...


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a command runs.

    Args:
        session: The phone.
        runner: Runs what a command contains.
        variables: What `${…}` may name.
        app_id: The flow's own app.
        lookup_s: How long an element is looked for.
        idle_since: When the last action ended, by the session's clock; conditions count their waiting from there.
        file: The file the command stands in.
    """

    session: Session
    runner: Conductor
    variables: Mapping[str, str]
    app_id: str | None
    lookup_s: float
    idle_since: float
    file: str

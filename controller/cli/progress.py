"""Progress for a person at a terminal: what is being waited for, and why."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

import click

from controller.library.app import App
from controller.pace import Plan

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.text import Text

__all__ = ["Lines", "Steps"]

# Shorter waits are over before a line about them is read.
WORTH_SAYING_S = 0.3


class Lines:
    """A live countdown on a terminal, plain lines elsewhere; on stderr, so that stdout stays the answer.

    Args:
        quiet: Say nothing.
        indent: Before each line.
    """

    def __init__(self, *, quiet: bool = False, indent: str = "  ") -> None:
        self._quiet = quiet
        self._indent = indent

    def waiting(self, plan: Plan) -> AbstractContextManager[object]:
        if self._quiet or plan.wait_s < WORTH_SAYING_S:
            return nullcontext()
        return self._countdown(plan) if sys.stderr.isatty() else self._line(plan)

    def entered(self, app: App) -> None:
        if not self._quiet:
            pace = " · careful pace" if app.pace else ""
            click.echo(f"{self._indent}{app.display}: {app.description}{pace}", err=True)

    @contextmanager
    def _countdown(self, plan: Plan) -> Iterator[object]:
        from rich.console import Console
        from rich.live import Live

        line = _Countdown(plan.wait_s, plan.reason, self._indent)
        with Live(line, console=Console(stderr=True), transient=True, refresh_per_second=10) as live:
            yield live
        click.echo(f"{self._indent}waited {plan.wait_s:.1f} s: {plan.reason}", err=True)

    @contextmanager
    def _line(self, plan: Plan) -> Iterator[object]:
        click.echo(f"{self._indent}wait {plan.wait_s:.1f} s: {plan.reason}", err=True)
        yield None


class Steps:
    """A line for each step of a flow, on stderr.

    Args:
        quiet: Say nothing.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet

    def step_started(self, number: int, title: str, *, depth: int) -> None:
        if not self._quiet:
            click.echo(f"{number:4}  {'  ' * depth}{title}", err=True)

    def waiting(self, seconds: float, reason: str) -> AbstractContextManager[object]:
        if not self._quiet:
            click.echo(f"      wait {seconds:.1f} s: {reason}", err=True)
        return nullcontext()

    def step_ended(self, number: int, title: str, status: str, *, depth: int, duration_s: float, note: str) -> None:
        if not self._quiet and status != "done":
            click.echo(f"      {'  ' * depth}{status}: {note}", err=True)


class _Countdown:
    """A line that rich draws anew ten times a second while the session sleeps."""

    def __init__(self, wait_s: float, reason: str, indent: str) -> None:
        self._wait_s = wait_s
        self._reason = reason
        self._indent = indent
        self._ends: float | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        from rich.text import Text

        now = console.get_time()
        if self._ends is None:
            self._ends = now + self._wait_s
        left = max(0.0, self._ends - now)
        done = round(18 * (1 - left / self._wait_s))
        bar = "━" * done + "╌" * (18 - done)
        yield Text(f"{self._indent}wait {bar} {left:4.1f} s  {self._reason}", overflow="ellipsis", no_wrap=True)

"""What a person is told while a flow runs.

The protocol and its silent fulfilment. The waits of the pace are told by the session's own progress; drawing is the
command line's business.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

__all__ = ["Progress", "Silent"]


class Progress(Protocol):
    """Told of every step."""

    def step_started(self, number: int, title: str, *, depth: int) -> None:
        """A step begins; `depth` is 0 for the flow's own commands, more inside of others."""
        ...

    def waiting(self, seconds: float, reason: str) -> AbstractContextManager[object]:
        """Entered for the time of a `pause` of the flow."""
        ...

    def step_ended(self, number: int, title: str, status: str, *, depth: int, duration_s: float, note: str) -> None:
        """A step has ended: done, warned, failed, skipped, unconfirmed or interrupted; `note` says why or what."""
        ...


class Silent:
    """Progress for nobody."""

    def step_started(self, number: int, title: str, *, depth: int) -> None:
        pass

    def waiting(self, seconds: float, reason: str) -> AbstractContextManager[object]:
        return nullcontext()

    def step_ended(self, number: int, title: str, status: str, *, depth: int, duration_s: float, note: str) -> None:
        pass

"""The command line called in this process: what it printed, and its exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from controller.cli import main

__all__ = ["Run", "Said", "runner"]


@dataclass(frozen=True, slots=True)
class Said:
    """What one command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Said]


def runner(capsys: pytest.CaptureFixture[str]) -> Run:
    """Calls `phonectl` with the words it is given."""

    def run(*words: str) -> Said:
        capsys.readouterr()
        status = main(list(words))
        captured = capsys.readouterr()
        return Said(status, captured.out, captured.err)

    return run

"""Somebody else's program, run to its end on a phone that is already reachable."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Program"]

_TIMEOUT_S = 60


@dataclass(frozen=True, slots=True)
class Program:
    """A command line without its last words.

    Args:
        words: The program, and what always follows it.
        environment: All of its environment.
        folder: Where it runs.
    """

    words: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run it with these arguments, both outputs apart."""
        return subprocess.run(
            [*self.words, *arguments],
            env=dict(self.environment),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=_TIMEOUT_S,
            check=False,
        )

    def out(self, *arguments: str) -> str:
        """What it prints where it succeeds."""
        done = self.run(*arguments)
        assert done.returncode == 0, done
        return done.stdout

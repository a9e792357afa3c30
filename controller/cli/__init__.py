"""The command line: reads the environment and the words, calls the verbs, prints, and ends with the right status."""

from __future__ import annotations

from controller.cli.main import main

__all__ = ["main"]

"""The case files that lie beside the project where it is developed; a checkout alone does without them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

__all__ = ["shared_cases"]


def shared_cases(name: str) -> Path:
    """The path of `cases/<name>`; skips the test, saying so, where the case files are not there."""
    default = Path(__file__).resolve().parents[2] / "shared"
    path = Path(os.environ.get("PHONECTL_SHARED", default)) / "cases" / name
    if not path.exists():
        pytest.skip(f"case file {name} is not beside this checkout")
    return path

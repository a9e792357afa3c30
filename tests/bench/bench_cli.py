"""How long the command line takes to answer at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.bench.rows import Row, median_ms

BIN = Path(sys.executable).parent


def run() -> list[Row]:
    ours = median_ms(lambda: _help("phonectl"), times=9)
    other = median_ms(lambda: _help("u2cli"), times=9)
    bare = median_ms(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), times=9)
    return [
        Row("phonectl --help", ours, other, "u2cli --help"),
        Row("phonectl --help", ours, bare, "python -c pass (the floor)"),
    ]


def _help(command: str) -> None:
    subprocess.run([str(BIN / command), "--help"], check=True, capture_output=True)

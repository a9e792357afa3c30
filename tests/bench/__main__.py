"""`make bench`: every benchmark of this folder, side by side with what a user would use instead."""

from __future__ import annotations

import importlib
import pkgutil
import platform
import sys

import tests.bench
from tests.bench.rows import Row


def main(wanted: list[str]) -> None:
    print(f"Python {platform.python_version()}, {platform.machine()}, one run, medians\n")
    print(f"{'what':<58} {'ours':>10} {'other':>10} {'ratio':>7}  against")
    for module in sorted(info.name for info in pkgutil.iter_modules(tests.bench.__path__)):
        name = module.removeprefix("bench_")
        if module.startswith("bench_") and (not wanted or name in wanted):
            for row in importlib.import_module(f"tests.bench.{module}").run():
                print(_line(row), flush=True)


def _line(row: Row) -> str:
    other = f"{row.other:.2f}" if row.other is not None else "–"
    ratio = f"{row.ratio:.1f}×" if row.ratio is not None else "–"
    return f"{row.what:<58} {row.ours:>7.2f} {row.unit:<2} {other:>10} {ratio:>7}  {row.against}"


if __name__ == "__main__":
    main(sys.argv[1:])

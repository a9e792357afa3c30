"""Runs other projects' test suites against the virtual phone and prints what came of them.

    python -m tests.peers --adbutils DIR --uiautomator2 DIR

The folders are checkouts of the public repositories; nothing is fetched, and nothing is written there. Each suite gets
a phone that has just booted, adb's own server on the port that the tests name, a home folder of its own and a copy of
the tests.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.peers.namespace import INSIDE, command_inside, loopback_up
from tests.peers.running import Case, Server, run
from tests.peers.suites import KNOWN, SUITES, Suite


def main(arguments: Sequence[str]) -> int:
    """0 where nothing failed but what is known to."""
    options = _options(arguments)
    inside = command_inside(arguments)
    if inside is not None:
        os.environ[INSIDE] = "1"
        os.execvp(inside[0], inside)
    if os.environ.get(INSIDE):
        loopback_up()
    unknown = 0
    print(f"{'suite':<28}{'passed':>8}{'failed':>8}{'skipped':>9}{'seconds':>9}")
    notes: list[str] = []
    for suite in SUITES:
        checkout: Path | None = getattr(options, suite.project)
        if checkout is None:
            continue
        cases = _run(suite, checkout, options)
        print(_row(suite.name, cases), flush=True)
        for case in cases:
            if case.outcome == "failed":
                unknown += case.id not in KNOWN
                notes.append(f"failed   {case.id}: {KNOWN.get(case.id) or case.reason}")
            elif case.outcome == "skipped":
                notes.append(f"skipped  {case.id}: {case.reason}")
        unknown += not cases
    print("", *notes, sep="\n")
    return 1 if unknown else 0


def _run(suite: Suite, checkout: Path, options: argparse.Namespace) -> list[Case]:
    with tempfile.TemporaryDirectory(prefix="phonectl-peers-") as folder:
        work = Path(options.keep or folder) / suite.folder
        work.mkdir(parents=True)
        return run(
            suite, checkout, server=Server(options.server), work=work, android=options.android, only=tuple(options.only)
        )


def _row(name: str, cases: Sequence[Case]) -> str:
    counts = [sum(case.outcome == outcome for case in cases) for outcome in ("passed", "failed", "skipped")]
    return f"{name:<28}{counts[0]:>8}{counts[1]:>8}{counts[2]:>9}{sum(case.seconds for case in cases):>9.1f}"


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.peers", description=__doc__)
    for project in dict.fromkeys(suite.project for suite in SUITES):
        parser.add_argument(f"--{project}", type=Path, help=f"a checkout of openatx/{project}")
    parser.add_argument("--android", type=int, choices=(9, 11, 14), default=14)
    parser.add_argument("--server", choices=("adb", "phone"), default="adb", help="adb's own server, or the phone's")
    parser.add_argument("--keep", type=Path, help="a new folder for the logs, which are thrown away otherwise")
    parser.add_argument("--only", nargs="*", default=(), help="tests to run")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Runs other projects' test suites against the virtual phone and prints what came of them.

    python -m tests.peers --adbutils DIR --uiautomator2 DIR

The folders are checkouts of the public repositories; nothing is fetched, and nothing is written there. Each suite gets
a phone that has just booted, adb's own server on the port that the tests name, a home folder of its own and a copy of
the tests.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.peers.namespace import INSIDE, command_inside, loopback_up
from tests.peers.running import USUAL_PORT, Case, Server, run
from tests.peers.suites import KNOWN, SUITES, Known, Suite


def main(arguments: Sequence[str]) -> int:
    """0 where nothing failed but what is known to."""
    options = _options(arguments)
    inside = command_inside(arguments)
    if inside is not None:
        os.environ[INSIDE] = "1"
        os.execvp(inside[0], inside)
    if os.environ.get(INSIDE):
        loopback_up()
    options.port = _port()
    print(f"{'suite':<28}{'passed':>8}{'failed':>8}{'skipped':>9}{'seconds':>9}")
    notes: list[str] = []
    unknown = 0
    for suite in SUITES:
        checkout: Path | None = getattr(options, suite.project)
        only = tuple(test for test in options.only if test.startswith(f"{suite.folder}/"))
        if checkout is None or (options.only and not only):
            continue
        cases = _run(suite, checkout, options, server=options.server, only=only)
        print(_row(suite.name, cases), flush=True)
        notes += [_note(case, suite, checkout, options) for case in cases if case.outcome != "passed"]
        unknown += sum(case.outcome == "failed" and _known(case, options) is None for case in cases) + (not cases)
    print("", *notes, sep="\n")
    return 1 if unknown else 0


def _note(case: Case, suite: Suite, checkout: Path, options: argparse.Namespace) -> str:
    """Why a test was skipped or failed; one known to fail with adb's server is run with the phone's own, too."""
    if case.outcome == "skipped":
        return f"skipped  {case.id}: by the suite itself, {case.reason}"
    known = _known(case, options)
    note = f"failed   {case.id}: {case.reason if known is None else known.reason}"
    if known is None or not known.server:
        return note
    again = _run(suite, checkout, options, server="phone", only=(case.id,))
    return f"{note}\n         with the virtual phone's own adb server: {again[0].outcome if again else 'not run'}"


def _known(case: Case, options: argparse.Namespace) -> Known | None:
    known = KNOWN.get(case.id)
    return known if known is not None and known.on(options.server, options.android) else None


def _run(
    suite: Suite, checkout: Path, options: argparse.Namespace, *, server: str, only: tuple[str, ...] = ()
) -> list[Case]:
    with tempfile.TemporaryDirectory(prefix="phonectl-peers-") as folder:
        work = Path(options.keep or folder) / f"{suite.folder}-{server}{'-again' if server != options.server else ''}"
        work.mkdir(parents=True)
        return run(suite, checkout, server=Server(server, options.port), work=work, android=options.android, only=only)


def _port() -> int:
    """The usual port, or a free one where somebody's adb server has that: it is left alone."""
    for port in (USUAL_PORT, 0):
        try:
            with socket.create_server(("127.0.0.1", port)) as probe:
                return int(probe.getsockname()[1])
        except OSError:
            print(f"port {port} is taken, and no network of our own can be had: tests that name it meet another server")
    raise RuntimeError("no port is free")


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

"""One suite against a phone that has just booted: an adb server, a private copy of the tests, pytest, the results.

Owns the set-up and its end. Which suites there are is for `suites`, what is printed for `__main__`.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from controller.virtual import boot
from controller.virtual.listener import Listener
from tests.clients.adb import Adb, adb_binary
from tests.peers.suites import Suite

__all__ = ["USUAL_PORT", "Case", "Server", "cases_of", "run"]

USUAL_PORT = 5037
"""Where the tests look for an adb server when they are told nothing; some name it outright."""
_TIMEOUT_S = 900


@dataclass(frozen=True, slots=True)
class Case:
    """One test and how it ended."""

    id: str
    """`e2etests/test_adb.py::test_wait_for`"""
    outcome: str
    """`passed`, `failed` or `skipped`."""
    reason: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Server:
    """Which adb server stands between: adb's own (`adb`), or the virtual phone's (`phone`); where it listens."""

    kind: str
    port: int = USUAL_PORT


def run(
    suite: Suite, checkout: Path, *, server: Server, work: Path, android: int, only: tuple[str, ...] = ()
) -> list[Case]:
    """Every test of a suite, or those named by `only`.

    Args:
        suite: Which.
        checkout: Where its project lies; nothing is written there.
        server: Which adb server stands between.
        work: An empty folder for the copy, the keys and the outputs.
        android: The phone's version.
        only: Ids of tests, as `Case.id` has them.
    """
    tests = work / "tests"
    shutil.copytree(checkout / suite.folder, tests / suite.folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tests / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    with _phone(server, work / "home", android) as environment:
        report = work / "report.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            f"--junitxml={report}",
        ]
        with (work / "pytest.log").open("wb") as log:
            subprocess.run(
                [*command, *(only or (suite.folder,))],
                cwd=tests,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                timeout=_TIMEOUT_S,
                check=False,
            )
    return list(cases_of(report.read_text(encoding="utf-8"))) if report.exists() else []


@contextmanager
def _phone(server: Server, home: Path, android: int) -> Iterator[dict[str, str]]:
    """A booted phone behind a server; the environment in which programs find it."""
    home.mkdir()
    adb = Adb(server.port, home)
    environment = adb.environment | {"ANDROID_ADB_SERVER_PORT": str(server.port)}
    if server.kind == "phone":
        # It refuses the usual port, which belongs to a person's own adb server; here that port leads to it.
        with boot(android=android) as phone, _way(server.port, phone.server_port):
            yield environment
        return
    with boot(android=android) as phone, _adb_server(adb):
        adb.out("connect", phone.transport)
        yield environment


@contextmanager
def _adb_server(adb: Adb) -> Iterator[None]:
    log = (adb.home / "server.log").open("wb")
    process = subprocess.Popen(
        [adb_binary(), "-P", str(adb.port), "nodaemon", "server"],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        env=adb.environment,
    )
    try:
        _wait_for_port(adb.port)
        yield
    finally:
        process.terminate()
        process.wait(timeout=10)
        log.close()


@contextmanager
def _way(port: int, to: int) -> Iterator[None]:
    """A port that leads to another one."""

    def serve(peer: socket.socket) -> None:
        with peer, socket.create_connection(("127.0.0.1", to)) as other:
            back = threading.Thread(target=_pass_on, args=(other, peer), daemon=True)
            back.start()
            _pass_on(peer, other)
            back.join()

    listener = Listener(serve, port=port, name="way")
    listener.start()
    try:
        yield
    finally:
        listener.close()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def _wait_for_port(port: int) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise TimeoutError(f"adb does not listen on port {port}")


def cases_of(report: str) -> Iterator[Case]:
    """The tests in a report of pytest's."""
    # <testcase classname="e2etests.test_adb" name="test_wait_for" time="0.5"><failure message="…"/></testcase>
    for node in ET.fromstring(report).iter("testcase"):
        name = f"{node.get('classname', '').replace('.', '/')}.py::{node.get('name', '')}"
        seconds = float(node.get("time", "0"))
        bad = next((child for child in node if child.tag in ("failure", "error")), None)
        skipped = node.find("skipped")
        if bad is not None:
            yield Case(name, "failed", _first_line(bad.get("message", "")), seconds)
        elif skipped is not None:
            yield Case(name, "skipped", _first_line(skipped.get("message", "")), seconds)
        else:
            yield Case(name, "passed", seconds=seconds)


def _first_line(text: str) -> str:
    return " ".join(text.split())[:160]

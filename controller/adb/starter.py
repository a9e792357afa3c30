"""Finding an adb program, and starting its server where none runs.

The only place of phonectl that starts adb, and it runs nothing but `start-server` and `version`: any other adb command
kills a running server whose version differs. A running server is never ended.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from controller.clock import Clock, poll
from controller.errors import AdbServerError

__all__ = ["AdbProgram", "conflict", "find_programs", "is_local", "start", "version_of"]

START_S = 15.0
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class AdbProgram:
    """An adb binary and where it came from: `path` or `adbutils`."""

    path: Path
    source: str


def is_local(host: str) -> bool:
    """Whether a server at this host would run on this machine."""
    return host in _LOCAL


def find_programs(search_path: str | None) -> tuple[AdbProgram, ...]:
    """Every adb here: the person's own (the first on `search_path`) before the one that adbutils brings."""
    programs: list[AdbProgram] = []
    if search_path and (own := shutil.which("adb", path=search_path)):
        programs.append(AdbProgram(Path(own), "path"))
    # Importing adbutils takes a third of a second and connects to nothing we need; its folder is enough.
    spec = importlib.util.find_spec("adbutils")
    if spec and spec.origin:
        brought = Path(spec.origin).parent / "binaries" / ("adb.exe" if sys.platform == "win32" else "adb")
        if brought.is_file():
            programs.append(AdbProgram(brought, "adbutils"))
    return tuple(programs)


# Android Debug Bridge version 1.0.41
# Version 36.0.0-13206524
# Installed as …/adb
def version_of(program: AdbProgram, *, timeout_s: float = 5.0) -> tuple[int, str]:
    """Protocol version (41) and release (`36.0.0-13206524`) of an adb binary; (0, reason) if it does not run."""
    try:
        done = subprocess.run(
            [program.path, "version"], capture_output=True, text=True, encoding="utf-8", timeout=timeout_s, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as err:
        return 0, str(err)
    protocol = re.search(r"Bridge version \d+\.\d+\.(\d+)", done.stdout)
    release = re.search(r"^Version (\S+)", done.stdout, re.MULTILINE)
    return int(protocol[1]) if protocol else 0, release[1] if release else "unknown"


# adb server version (36) doesn't match this client (41); killing...
def conflict(text: str, programs: Sequence[AdbProgram]) -> AdbServerError | None:
    """The error for two adb programs of different versions, if that is what the text says."""
    found = re.search(r"adb server version \((\d+)\) doesn't match this client \((\d+)\)", text)
    if not found:
        return None
    server, client = int(found[1]), int(found[2])
    return AdbServerError(
        f"two adb programs fight: the running server speaks version {server}, another program version {client}",
        hint="keep one adb: take the older off PATH (emulators often bring their own), then `adb kill-server` yourself",
        code="adb_conflict",
        server=server,
        client=client,
        paths=[str(program.path) for program in programs],
    )


def start(
    programs: Sequence[AdbProgram], *, host: str, port: int, answers: Callable[[], bool], clock: Clock
) -> AdbProgram:
    """The program whose server now answers on `port`; tried in order.

    Raises:
        AdbServerError: There is no program, or none of their servers came up.
    """
    if not programs:
        raise AdbServerError(
            f"no adb server answers at {host}:{port}, and there is no adb program to start one",
            hint="install Android's platform-tools, or `pip install adbutils`; without any phone: `--device virtual`",
        )
    said = ""
    for program in programs:
        with tempfile.TemporaryFile() as log:
            if _start_one(program, port, log, answers, clock):
                return program
            log.seek(0)
            said = log.read().decode("utf-8", "replace").strip()
    raise conflict(said, programs) or AdbServerError(
        f"the adb server did not start on port {port}: {said or 'it said nothing'}",
        hint=f"try `{programs[0].path} -P {port} start-server` yourself and read what it prints",
        port=port,
    )


def _start_one(program: AdbProgram, port: int, log: IO[bytes], answers: Callable[[], bool], clock: Clock) -> bool:
    # The server inherits what it is given: a captured pipe would keep its reader waiting for ever.
    try:
        process = subprocess.Popen(
            [program.path, "-P", str(port), "start-server"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            start_new_session=True,
        )
    except OSError as err:
        log.write(str(err).encode())
        return False

    def up_or_over() -> bool | None:
        over = process.poll()
        if answers():
            return True
        return False if over not in (None, 0) else None

    up = poll(up_or_over, clock=clock, timeout_s=START_S) or False
    # `start-server` ends by itself once its server runs; waiting for it leaves no dead child behind.
    poll(process.poll, clock=clock, timeout_s=1.0)
    return up

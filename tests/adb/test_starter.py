from __future__ import annotations

import socket
import subprocess
from pathlib import Path

import pytest

from controller.adb.client import AdbServer, ensure_server
from controller.adb.starter import AdbProgram, conflict, find_programs, start, version_of
from controller.clock import ManualClock, SystemClock
from controller.errors import AdbServerError
from tests.adb.peer import peer


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def test_adbutils_brings_an_adb_that_is_found_without_importing_it() -> None:
    programs = find_programs(None)

    assert [program.source for program in programs] == ["adbutils"]
    assert version_of(programs[0])[0] == 41


def test_the_persons_own_adb_comes_first(tmp_path: Path) -> None:
    own = tmp_path / "adb"
    own.write_text("#!/bin/sh\necho Android Debug Bridge version 1.0.39\necho Version 0.0.1-old\n", encoding="utf-8")
    own.chmod(0o755)

    programs = find_programs(str(tmp_path))

    assert [program.source for program in programs] == ["path", "adbutils"]
    assert version_of(programs[0]) == (39, "0.0.1-old")


def test_two_versions_that_fight_are_a_conflict_with_both_numbers_and_paths() -> None:
    programs = [AdbProgram(Path("/opt/one/adb"), "path"), AdbProgram(Path("/opt/two/adb"), "adbutils")]

    error = conflict("adb server version (36) doesn't match this client (41); killing...", programs)

    assert error is not None
    assert error.as_dict() | {"hint": ""} == {
        "code": "adb_conflict",
        "message": "two adb programs fight: the running server speaks version 36, another program version 41",
        "hint": "",
        "server": 36,
        "client": 41,
        "paths": ["/opt/one/adb", "/opt/two/adb"],
    }


def test_a_running_server_is_used_and_sent_nothing_but_a_question() -> None:
    with peer({"host:version": b"OKAY00040029"}) as at:
        assert ensure_server(AdbServer("127.0.0.1", at.port, clock=SystemClock()), search_path=None) is None

    assert at.asked == ["host:version"]


def test_a_program_that_fails_leaves_its_words_in_the_error(tmp_path: Path) -> None:
    broken = tmp_path / "adb"
    broken.write_text("#!/bin/sh\necho cannot bind >&2\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)

    with pytest.raises(AdbServerError, match="cannot bind"):
        start([AdbProgram(broken, "path")], host="127.0.0.1", port=1, answers=lambda: False, clock=SystemClock())


def test_without_any_program_the_error_says_where_to_get_one() -> None:
    with pytest.raises(AdbServerError) as caught:
        start([], host="127.0.0.1", port=1, answers=lambda: False, clock=ManualClock())

    assert "platform-tools" in caught.value.hint


def test_a_server_of_another_machine_is_never_started_here() -> None:
    server = AdbServer("192.0.2.1", 5037, clock=SystemClock())
    server.version = lambda: (_ for _ in ()).throw(AdbServerError("no adb server answers"))  # type: ignore[method-assign]

    with pytest.raises(AdbServerError, match="no adb server answers"):
        ensure_server(server, search_path=None)


@pytest.mark.client
def test_a_server_is_started_where_none_runs_and_the_call_comes_back() -> None:
    port = free_port()
    server = AdbServer("127.0.0.1", port, clock=SystemClock())
    try:
        started = ensure_server(server, search_path=None)

        assert started is not None
        assert started.source == "adbutils"
        assert server.version() == 41
        assert server.devices() == ()
    finally:
        adb = find_programs(None)[0].path
        subprocess.run([adb, "-P", str(port), "kill-server"], check=False, capture_output=True, timeout=10)

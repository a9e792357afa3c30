"""Unmodified adb binaries, the one that adbutils brings and Debian's, over their server and the virtual phone's own."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path

import pytest

from controller.virtual import boot
from controller.virtual.server import VirtualServer
from tests.clients.adb import Adb

pytestmark = pytest.mark.client


@pytest.fixture(scope="module", params=["adb", "embedded_adb", "debian_adb"])
def any_adb(request: pytest.FixtureRequest) -> Adb:
    adb: Adb = request.getfixturevalue(request.param)
    return adb


def test_the_phone_is_listed_as_a_device(any_adb: Adb) -> None:
    lines = any_adb.to("").out("devices", "-l").splitlines()

    assert lines[0] == "List of devices attached"
    serial, state, *details = lines[1].split()
    assert (serial, state) == (any_adb.serial, "device")
    assert [detail.partition(":")[0] for detail in details] == ["product", "model", "device", "transport_id"]


def test_connecting_twice_is_said(adb: Adb) -> None:
    assert adb.out("connect", adb.serial) == f"already connected to {adb.serial}\n"


def test_the_state_is_device(any_adb: Adb) -> None:
    assert any_adb.out("get-state") == "device\n"
    assert any_adb.run("wait-for-device").returncode == 0


def test_exit_codes_and_the_two_outputs_arrive_apart(any_adb: Adb) -> None:
    done = any_adb.run("shell", "echo out; echo err >&2; exit 7")

    assert (done.stdout, done.stderr, done.returncode) == (b"out\n", b"err\n", 7)


def test_an_unknown_command_ends_with_127(any_adb: Adb) -> None:
    done = any_adb.run("shell", "no_such_command")

    assert (done.returncode, b"not found" in done.stderr) == (127, True)


def test_standard_input_reaches_the_command(any_adb: Adb) -> None:
    assert any_adb.out("shell", "cat", stdin="你好\nworld".encode()) == "你好\nworld"
    assert any_adb.out("shell", stdin=b"echo one\necho two\n") == "one\ntwo\n"


def test_a_command_does_not_wait_for_an_input_that_stays_open(any_adb: Adb) -> None:
    with subprocess.Popen(["sleep", "20"], stdout=subprocess.PIPE) as open_input:
        done = subprocess.run(
            any_adb.command("shell", "echo quick"),
            env=any_adb.environment,
            stdin=open_input.stdout,
            capture_output=True,
            timeout=10,
            check=False,
        )
        open_input.kill()

    assert done.stdout == b"quick\n"


def test_a_pushed_file_is_pulled_as_it_was(any_adb: Adb, tmp_path: Path) -> None:
    content = bytes(range(256)) * 9_000
    (tmp_path / "big.bin").write_bytes(content)

    any_adb.out("push", str(tmp_path / "big.bin"), "/sdcard/Download/big.bin")
    any_adb.out("pull", "/sdcard/Download/big.bin", str(tmp_path / "back.bin"))

    assert (tmp_path / "back.bin").read_bytes() == content


def test_a_folder_is_pushed_and_pulled(any_adb: Adb, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "inner" / "empty").mkdir(parents=True)
    (folder / "a.txt").write_text("a", encoding="utf-8")
    (folder / "inner" / "中文 b.txt").write_text("b", encoding="utf-8")

    any_adb.out("push", str(folder), "/data/local/tmp/")
    any_adb.out("pull", "/data/local/tmp/folder", str(tmp_path / "back"))

    assert (tmp_path / "back" / "inner" / "中文 b.txt").read_text(encoding="utf-8") == "b"
    assert (tmp_path / "back" / "a.txt").read_text(encoding="utf-8") == "a"


def test_what_cannot_be_transferred_is_refused_in_androids_words(any_adb: Adb, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a", encoding="utf-8")

    missing = any_adb.run("pull", "/sdcard/nothing", str(tmp_path))
    forbidden = any_adb.run("push", str(tmp_path / "a"), "/system/a")

    assert (missing.returncode, b"No such file or directory" in missing.stderr + missing.stdout) == (1, True)
    assert (forbidden.returncode, b"Read-only file system" in forbidden.stderr + forbidden.stdout) == (1, True)


def test_exec_out_passes_bytes_untouched(any_adb: Adb, tmp_path: Path) -> None:
    content = bytes(range(256)) + b"\r\n\n"
    (tmp_path / "raw").write_bytes(content)
    any_adb.out("push", str(tmp_path / "raw"), "/data/local/tmp/raw")

    assert any_adb.run("exec-out", "cat", "/data/local/tmp/raw").stdout == content


def test_a_picture_comes_through_exec_out(any_adb: Adb) -> None:
    assert any_adb.run("exec-out", "screencap", "-p").stdout.startswith(b"\x89PNG\r\n\x1a\n")


def test_forwards_are_made_listed_and_removed(any_adb: Adb, server: VirtualServer) -> None:
    server.services[server.serial].provide("tcp:7777", lambda stream: stream.write(b"served " + stream.read()))

    port = int(any_adb.out("forward", "tcp:0", "tcp:7777"))

    assert f"{any_adb.serial} tcp:{port} tcp:7777" in any_adb.out("forward", "--list").splitlines()
    with socket.create_connection(("127.0.0.1", port), timeout=5) as peer:
        peer.sendall(b"hello")
        assert peer.recv(100) == b"served hello"
    any_adb.out("forward", "--remove", f"tcp:{port}")
    assert str(port) not in any_adb.out("forward", "--list")


def test_the_features_of_the_phone_are_known(any_adb: Adb) -> None:
    assert {"shell_v2", "cmd", "stat_v2"} <= set(any_adb.out("features").split())


def test_a_port_of_the_phone_leads_to_a_port_of_the_computer(any_adb: Adb) -> None:
    with socket.create_server(("127.0.0.1", 0)) as computer:
        there = f"tcp:{computer.getsockname()[1]}"
        port = int(any_adb.out("reverse", "tcp:0", there))
        assert any_adb.out("reverse", "--list").split() == ["host-19", f"tcp:{port}", there]
        way = int(any_adb.out("forward", "tcp:0", f"tcp:{port}"))  # the phone's own programs open no sockets

        with socket.create_connection(("127.0.0.1", way), timeout=5) as peer:
            peer.sendall(b"hello")
            served, _ = computer.accept()
            with served:
                assert served.recv(100) == b"hello"
                served.sendall(b"and back")
            assert peer.recv(100) == b"and back"
            assert peer.recv(100) == b""

    any_adb.out("forward", "--remove", f"tcp:{way}")
    any_adb.out("reverse", "--remove", f"tcp:{port}")
    assert any_adb.out("reverse", "--list").split() == []


def test_a_phone_that_has_not_accepted_the_key_is_listed_as_unauthorized(adb_server: Adb) -> None:
    with boot("default") as locked:
        locked.phone.faults.set("unauthorized")
        adb_server.run("connect", locked.transport)

        assert f"{locked.transport}\tunauthorized" in adb_server.out("devices").splitlines()
        adb_server.run("disconnect", locked.transport)


def test_an_unknown_serial_is_said(any_adb: Adb) -> None:
    done = any_adb.to("nobody").run("shell", "true")

    assert done.returncode == 1
    assert done.stderr in (b"adb: device 'nobody' not found\n", b"error: device 'nobody' not found\n")  # new, Debian's


def test_the_embedded_server_is_not_killed_by_a_client(embedded_adb: Adb) -> None:
    embedded_adb.to("").run("kill-server")

    assert embedded_adb.out("get-state") == "device\n"

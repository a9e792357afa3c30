"""The services of a whole phone, opened over its transport."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import pytest

from controller.virtual import boot
from controller.virtual.server import VirtualServer
from controller.wire.adb import shell
from controller.wire.adb.shell import PacketId, ShellReader
from tests.virtual.peers import Link


@pytest.fixture(scope="module")
def server() -> Iterator[VirtualServer]:
    with boot(sleep=lambda _: None) as server:
        yield server


@pytest.fixture
def link(server: VirtualServer) -> Iterator[Link]:
    with Link(server.transport) as link:
        yield link


def until(link: Link, stream: int, words: bytes) -> None:
    while words not in link.data.get(stream, b""):
        link.step()


def test_the_frame_buffer_has_a_header_and_a_pixel_in_four_bytes(link: Link, server: VirtualServer) -> None:
    width, height = server.phone.size

    data = link.run("framebuffer:")

    assert data is not None
    assert struct.unpack("<14I", data[:56]) == (2, 32, 1, width * height * 4, width, height, 0, 8, 16, 8, 8, 8, 24, 8)
    assert len(data) == 56 + width * height * 4


def test_binder_commands_are_those_of_cmd(link: Link) -> None:
    over_exec = link.run("abb_exec:package\0list\0packages")
    packets = ShellReader().feed(link.run("abb:package\0list\0packages") or b"")

    assert over_exec == link.run("shell:cmd package list packages")
    assert over_exec is not None
    assert b"package:com.android.settings\n" in over_exec
    assert b"".join(p.data for p in packets if p.id is PacketId.STDOUT) == over_exec
    assert packets[-1].id is PacketId.EXIT


def test_a_binder_command_may_come_as_one_text(link: Link) -> None:
    assert link.run("abb_exec:settings get global adb_enabled") == b"1\n"


def test_a_command_that_goes_on_ends_with_its_stream(link: Link) -> None:
    stream = link.connection.open("shell:logcat")
    while stream not in link.accepted:
        link.step()
    assert link.run("shell:echo meanwhile") == b"meanwhile\n"
    assert stream not in link.closed

    link.connection.close(stream)

    assert link.run("shell:echo after") == b"after\n"


def test_a_log_that_is_followed_sends_what_is_written_later(link: Link) -> None:
    stream = link.connection.open("shell:logcat -v tag | grep TAG")
    while stream not in link.accepted:
        link.step()

    link.run("shell:log -t OTHER no; log -t TAG later")
    while b"later" not in link.data.get(stream, b""):
        link.step()

    assert link.data[stream] == b"I/TAG     : later\n"


def test_ctrl_c_ends_a_command_that_goes_on_and_the_shell_stays(link: Link) -> None:
    stream = link.connection.open("shell,v2,TERM=xterm,pty:")

    def until(text: bytes) -> None:
        while text not in link.data.get(stream, b""):
            link.step()

    for keys, shown in ((b"logcat\r", b"beginning of main"), (b"\x03", b"^C"), (b"echo $((6*7))\r", b"42")):
        while stream not in link.accepted:
            link.step()
        link.connection.write(stream, shell.stdin(keys))
        until(shown)


def test_input_redirected_into_a_file_is_written(link: Link, server: VirtualServer) -> None:
    sent = shell.stdin("一行\n".encode()) + shell.close_stdin()

    link.run("shell,v2,raw:cat > /data/local/tmp/in.txt", sent)

    assert server.phone.files.read("/data/local/tmp/in.txt") == "一行\n".encode()


def test_a_command_that_waits_for_input_does_not_hold_the_phone(link: Link, server: VirtualServer) -> None:
    stream = link.connection.open("shell,v2,raw:while read line; do echo got $line; done")
    while stream not in link.accepted:
        link.step()
    link.connection.write(stream, shell.stdin(b"one\n"))

    assert link.run("shell:echo free") == b"free\n"

    link.connection.write(stream, shell.stdin(b"two\n") + shell.close_stdin())
    while stream not in link.closed:
        link.step()
    printed = ShellReader().feed(link.data[stream])
    assert b"".join(p.data for p in printed if p.id is PacketId.STDOUT) == b"got one\ngot two\n"


def test_the_automation_server_needs_its_jar(link: Link, server: VirtualServer) -> None:
    launch = "shell:CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"
    assert not server.phone.files.exists("/data/local/tmp/u2.jar")

    answer = link.run(launch)

    assert answer
    assert server.services[server.serial].ui_server.port is None

    server.phone.files.write("/data/local/tmp/u2.jar", b"PK\3\4")
    stream = link.connection.open(launch)
    until(link, stream, b"Starting Server\n")
    assert server.services[server.serial].ui_server.port == 9008

    server.services[server.serial].ui_server.stop()
    while stream not in link.closed:
        link.step()


def test_a_stream_that_is_provided_is_reached_by_its_name(link: Link, server: VirtualServer) -> None:
    assert link.run("localabstract:chrome_devtools_remote") is None

    server.services[server.serial].provide("localabstract:chrome_devtools_remote", lambda s: s.write(s.read()[::-1]))

    assert link.run("localabstract:chrome_devtools_remote", b"abc") == b"cba"


def test_what_a_loop_prints_comes_while_it_runs_and_what_follows_a_wait_sees_the_phone_as_it_is_then() -> None:
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        server.phone.launch("com.android.settings")
        if len(waits) == 3:
            server.services[server.serial].close()

    with boot(sleep=wait) as server, Link(server.transport) as link:
        look = "dumpsys window | grep -q 'Focus.*settings' && echo there"
        printed = link.run(f"shell:while getprop sys.boot_completed; do sleep 1; {look}; done")

    assert waits == [1.0, 1.0, 1.0]
    assert printed == b"1\nthere\n1\nthere\n1\n"


def test_no_process_of_a_production_phone_can_be_debugged_and_nothing_mounted_anew(link: Link) -> None:
    stream = link.connection.open("track-jdwp")
    until(link, stream, b"0000")

    assert link.run("remount:") == b'Not running as root. Try "adb root" first.\n'

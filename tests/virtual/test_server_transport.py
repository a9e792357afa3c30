"""adbd's port, reached as an adb server reaches it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import pytest

from controller.virtual.server import VirtualServer
from controller.wire.adb import shell, sync
from controller.wire.adb.shell import Packet, PacketId, ShellReader
from tests.virtual.peers import Link, PlainPhone

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone


@pytest.fixture
def phone() -> PlainPhone:
    return PlainPhone()


@pytest.fixture
def server(phone: PlainPhone) -> Iterator[VirtualServer]:
    with VirtualServer(cast("VirtualPhone", phone)) as server:
        server.start()
        yield server


@pytest.fixture
def link(server: VirtualServer) -> Iterator[Link]:
    with Link(server.transport) as link:
        yield link


def packets(data: bytes | None) -> list[Packet]:
    assert data is not None
    return ShellReader().feed(data)


def stdout(data: bytes) -> bytes:
    return b"".join(p.data for p in packets(data) if p.id is PacketId.STDOUT)


def test_the_phone_introduces_itself(link: Link) -> None:
    assert link.peer.banner.kind == "device"
    assert link.peer.banner.properties["ro.product.model"] == "Test Phone"
    assert {"shell_v2", "cmd", "abb_exec"} <= set(link.peer.banner.features)
    assert (link.peer.version, link.peer.max_payload) == (0x01000001, 1024 * 1024)


def test_an_old_client_is_served_with_checksums(server: VirtualServer) -> None:
    with Link(server.transport, version=0x01000000, max_payload=4096) as link:
        assert (link.peer.version, link.peer.max_payload) == (0x01000000, 4096)
        assert link.run("shell:echo hello") == b"hello\n"


def test_output_error_and_exit_code_come_apart(link: Link) -> None:
    assert packets(link.run("shell,v2,raw:echo out; echo err >&2; exit 7")) == [
        Packet(PacketId.STDOUT, b"out\n"),
        Packet(PacketId.STDERR, b"err\n"),
        Packet(PacketId.EXIT, b"\7"),
    ]


def test_a_terminal_ends_its_lines_in_cr_lf(link: Link) -> None:
    assert packets(link.run("shell,v2,TERM=xterm,pty:echo out; echo err >&2")) == [
        Packet(PacketId.STDOUT, b"out\r\nerr\r\n"),
        Packet(PacketId.EXIT, b"\0"),
    ]


def test_a_command_reads_what_the_client_sends_until_it_closes_its_input(link: Link) -> None:
    sent = shell.stdin("你好\n".encode()) + shell.stdin(b"x" * 100_000) + shell.close_stdin()

    output = packets(link.run("shell,v2,raw:cat", sent))

    assert b"".join(p.data for p in output if p.id is PacketId.STDOUT) == "你好\n".encode() + b"x" * 100_000
    assert output[-1] == Packet(PacketId.EXIT, b"\0")


def test_a_command_that_reads_nothing_does_not_wait_for_the_end_of_input(link: Link) -> None:
    assert packets(link.run("shell,v2,raw:echo done"))[0] == Packet(PacketId.STDOUT, b"done\n")


def test_a_shell_without_a_command_runs_line_after_line(link: Link) -> None:
    sent = shell.stdin(b"echo one\necho two\nexit\n")

    output = packets(link.run("shell,v2,raw:", sent))

    assert [p.data for p in output if p.id is PacketId.STDOUT] == [b"one\n", b"two\n"]


def test_a_terminal_without_a_command_shows_a_prompt_and_what_is_typed(link: Link) -> None:
    stream = link.connection.open("shell,v2,TERM=xterm,pty:")
    for seen, typed in ((b"$ ", b"ech"), (b"ech", b"o hi\r"), (b"hi\r\nemu64:/ $ ", b"exit\r")):
        while seen not in stdout(link.data.get(stream, b"")):
            link.step()
        link.connection.write(stream, shell.stdin(typed))
    while stream not in link.closed:
        link.step()

    assert stdout(link.data[stream]) == b"emu64:/ $ echo hi\r\nhi\r\nemu64:/ $ exit\r\n"


@pytest.mark.parametrize("service", ["dev:/dev/null", "tcp:9008", "localabstract:x", "jdwp:1", "tcp:80:example.org"])
def test_what_the_phone_does_not_offer_is_refused(link: Link, service: str) -> None:
    assert link.run(service) is None


def test_services_of_a_production_phone_answer_in_its_words(link: Link) -> None:
    assert link.run("root:") == b"adbd cannot run as root in production builds\n"
    assert link.run("tcpip:5555") == b"restarting in TCP mode port: 5555\n"


def test_big_files_pass_both_ways(link: Link, phone: PlainPhone) -> None:
    content = bytes(range(256)) * 12_000
    sent = sync.send_request("/data/local/tmp/big") + b"".join(sync.split_data(content)) + sync.done(1)

    assert link.run("sync:", sent + sync.quit_request()) == sync.encode_written()
    assert phone.files.read("/data/local/tmp/big") == content

    reader = sync.SyncReader()
    reader.feed(link.run("sync:", sync.receive_request("/data/local/tmp/big") + sync.quit_request()) or b"")
    got = b""
    while isinstance(chunk := reader.chunk(), sync.Data):
        got += chunk.data
    assert got == content


def test_several_streams_run_at_once_and_one_that_waits_holds_up_none(link: Link) -> None:
    waiting = link.connection.open("shell,v2,raw:cat")
    while waiting not in link.accepted:
        link.step()

    assert link.run("shell:echo quick") == b"quick\n"

    link.connection.write(waiting, shell.stdin(b"late") + shell.close_stdin())
    while waiting not in link.closed:
        link.step()
    assert packets(link.data[waiting])[0] == Packet(PacketId.STDOUT, b"late")


def test_a_client_that_closes_in_mid_answer_leaves_the_rest_alone(link: Link, phone: PlainPhone) -> None:
    phone.files.write("/data/local/tmp/big", bytes(5_000_000))
    stream = link.connection.open("shell:cat /data/local/tmp/big")
    while not link.data.get(stream):
        link.step()
    link.connection.close(stream)
    link.flush()

    assert link.run("shell:echo still here") == b"still here\n"


def test_a_client_that_breaks_the_protocol_is_hung_up_on(server: VirtualServer) -> None:
    with Link(server.transport) as link:
        link.socket.sendall(b"this is no adb message at all, not even nearly")
        with pytest.raises(EOFError):
            link.step()
    with Link(server.transport) as other:
        assert other.run("shell:echo fine") == b"fine\n"


def test_a_reboot_cuts_the_connection_and_the_phone_comes_back(server: VirtualServer) -> None:
    with Link(server.transport) as link, pytest.raises((EOFError, ConnectionError)):
        link.run("reboot:")
        link.step()
    with Link(server.transport) as again:
        assert again.run("shell:echo back") == b"back\n"


def test_a_cut_breaks_the_stream_in_mid_answer_without_an_exit_code(link: Link, phone: PlainPhone) -> None:
    phone.faults.set("cut", count=1)

    assert link.run("shell:echo 12345678") == b"1234"
    assert link.run("shell:echo 12345678") == b"12345678\n"


def test_everything_is_traced_with_its_time() -> None:
    events: list[dict[str, object]] = []
    phone = PlainPhone()
    before = time.monotonic()
    with VirtualServer(cast("VirtualPhone", phone), trace=events.append) as server:
        server.start()
        with Link(server.transport) as link:
            link.run("shell:echo hello")

    assert [(e["kind"], e.get("name") or e.get("command")) for e in events] == [
        ("service", "shell:echo hello"),
        ("shell", "echo hello"),
    ]
    assert all(before <= cast("float", e["t"]) <= time.monotonic() and e["serial"] == "plain-1" for e in events)

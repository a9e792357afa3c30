from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import ProtocolError
from controller.wire.adb.shell import (
    MAX_PACKET,
    Packet,
    PacketId,
    ShellReader,
    ShellRequest,
    close_stdin,
    encode,
    exit_packet,
    parse_request,
    stdin,
)
from tests.wire.feeding import events_of

packets = st.builds(Packet, st.sampled_from(PacketId), st.binary(max_size=100))


def test_output_error_and_exit_code_come_apart() -> None:
    data = b"\1\3\0\0\0out" + b"\2\4\0\0\0oops" + b"\3\1\0\0\0\x7f"

    assert events_of(ShellReader, data) == [
        Packet(PacketId.STDOUT, b"out"),
        Packet(PacketId.STDERR, b"oops"),
        Packet(PacketId.EXIT, b"\x7f"),
    ]


def test_a_client_sends_input_and_its_end() -> None:
    assert stdin(b"yes\n") + close_stdin() == b"\0\4\0\0\0yes\n" + b"\4\0\0\0\0"


def test_long_input_is_cut_into_packets() -> None:
    sent = ShellReader().feed(stdin(bytes(MAX_PACKET + 1)))

    assert [len(packet.data) for packet in sent] == [MAX_PACKET, 1]


def test_an_exit_code_is_one_byte() -> None:
    assert [exit_packet(code).data for code in (0, 127, 256, -1)] == [b"\0", b"\x7f", b"\0", b"\xff"]


@pytest.mark.parametrize("data", [b"\6\0\0\0\0", b"\1\xff\xff\xff\xff", b"hello world"])
def test_what_is_no_packet_is_refused(data: bytes) -> None:
    with pytest.raises(ProtocolError, match="no packet has id"):
        ShellReader().feed(data)


@pytest.mark.parametrize(
    ("service", "expected"),
    [
        ("shell:ls -l", ShellRequest("ls -l")),
        ("shell:", ShellRequest("")),
        ("shell,v2,TERM=xterm-256color,raw:ls", ShellRequest("ls", v2=True, pty=False, term="xterm-256color")),
        ("shell,v2,pty:", ShellRequest("", v2=True, pty=True)),
        ("shell,v2:echo a:b", ShellRequest("echo a:b", v2=True)),
        ("exec:screencap -p", ShellRequest("screencap -p", pty=False)),
        ("sync:", None),
        ("shellfish:x", None),
        ("shell", None),
    ],
)
def test_shell_services_are_read(service: str, expected: ShellRequest | None) -> None:
    assert parse_request(service) == expected


@given(st.lists(packets, max_size=5))
def test_every_packet_comes_back(sent: list[Packet]) -> None:
    assert events_of(ShellReader, b"".join(map(encode, sent))) == sent


@given(st.binary(max_size=100))
def test_garbage_raises_nothing_but_a_protocol_error(data: bytes) -> None:
    with suppress(ProtocolError):
        ShellReader().feed(data)

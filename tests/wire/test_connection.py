"""Both roles of a connection, joined by nothing but their bytes."""

from __future__ import annotations

import random

import pytest

from controller.errors import ProtocolError
from controller.wire.adb.connection import (
    Accepted,
    Closed,
    Connected,
    Connection,
    Drained,
    Event,
    Opened,
    Received,
    Role,
)
from controller.wire.adb.transport import Banner, Command, Message, TransportReader, encode

HOST = Banner("host", {}, ("shell_v2",))
PHONE = Banner("device", {"ro.product.model": "Pixel"}, ("shell_v2", "cmd"))


class Pair:
    """An adb server and a phone, joined."""

    def __init__(self, *, host_version: int = 0x01000001, host_payload: int = 1024 * 1024) -> None:
        self.host = Connection(Role.HOST, HOST, version=host_version, max_payload=host_payload)
        self.phone = Connection(Role.DEVICE, PHONE, max_payload=256 * 1024)
        self.host.connect()

    def to_phone(self) -> list[Event]:
        return self.phone.receive(self.host.to_send())

    def to_host(self) -> list[Event]:
        return self.host.receive(self.phone.to_send())


@pytest.fixture
def pair() -> Pair:
    pair = Pair()
    pair.to_phone()
    pair.to_host()
    return pair


@pytest.fixture
def stream(pair: Pair) -> int:
    """A stream that both sides hold open, number 1 on both."""
    number = pair.host.open("shell:cat")
    pair.to_phone()
    pair.phone.accept(number)
    pair.to_host()
    return number


def test_the_host_speaks_first_and_both_agree_on_the_lower_values() -> None:
    pair = Pair()

    assert pair.to_phone() == [Connected(HOST, 0x01000001, 256 * 1024)]
    assert pair.to_host() == [Connected(PHONE, 0x01000001, 256 * 1024)]


def test_an_old_host_gets_checksums() -> None:
    pair = Pair(host_version=0x01000000, host_payload=4096)
    assert pair.to_phone() == [Connected(HOST, 0x01000000, 4096)]
    pair.to_host()
    pair.host.open("shell:true")
    pair.to_phone()
    pair.phone.accept(1)
    pair.phone.write(1, b"abc")

    okay, write = TransportReader(version=0x01000000).feed(pair.phone.to_send())

    assert (okay.command, write) == (Command.OKAY, Message(Command.WRTE, 1, 1, b"abc"))


def test_a_stream_carries_data_both_ways_and_closes(pair: Pair) -> None:
    number = pair.host.open("shell:cat")
    assert pair.to_phone() == [Opened(1, "shell:cat")]

    pair.phone.accept(1)
    pair.phone.write(1, b"hello")
    pair.phone.close(1)
    assert pair.to_host() == [Accepted(number), Received(number, b"hello")]

    pair.host.acknowledge(number)
    assert pair.to_phone() == [Drained(1)]
    assert pair.to_host() == [Closed(number)]
    assert (pair.to_phone(), pair.to_host()) == ([], [])


def test_a_refused_service_is_closed_without_having_been_open(pair: Pair) -> None:
    number = pair.host.open("dev:/dev/null")
    pair.to_phone()

    pair.phone.refuse(1)

    assert pair.to_host() == [Closed(number)]
    assert pair.to_phone() == []


def test_one_write_is_in_flight_until_it_is_acknowledged(pair: Pair, stream: int) -> None:
    pair.phone.write(stream, bytes(600_000))

    assert [len(e.data) for e in pair.to_host() if isinstance(e, Received)] == [256 * 1024]
    assert (pair.to_host(), pair.phone.unsent(stream)) == ([], 600_000 - 256 * 1024)

    pair.host.acknowledge(stream)
    assert pair.to_phone() == []
    assert [len(e.data) for e in pair.to_host() if isinstance(e, Received)] == [256 * 1024]


def test_data_written_before_the_peer_answered_waits_for_its_number(pair: Pair) -> None:
    number = pair.host.open("exec:cat")
    pair.host.write(number, b"early")
    assert pair.to_phone() == [Opened(1, "exec:cat")]

    pair.phone.accept(1)

    assert pair.to_host() == [Accepted(number)]
    assert pair.to_phone() == [Received(1, b"early")]


def test_a_peer_that_closes_early_drops_what_was_not_sent(pair: Pair, stream: int) -> None:
    pair.phone.write(stream, bytes(600_000))
    pair.to_host()
    pair.host.close(stream)

    assert pair.to_phone() == [Closed(stream)]
    pair.phone.write(stream, b"more")
    pair.phone.acknowledge(stream)
    pair.phone.close(stream)
    assert pair.to_host() == []
    assert not pair.phone.is_open(stream)


def test_closing_is_answered_by_closing(pair: Pair, stream: int) -> None:
    pair.host.close(stream)
    pair.to_phone()

    assert TransportReader().feed(pair.phone.to_send()) == [Message(Command.CLSE, stream, stream)]


def test_a_locked_phone_asks_for_a_key_and_accepts_none() -> None:
    pair = Pair()
    pair.phone.locked = True
    asked = [Message(Command.AUTH, 1, 0, bytes(range(20)))]

    assert pair.to_phone() == []
    assert TransportReader().feed(pair.phone.to_send()) == asked
    assert pair.phone.receive(encode(Message(Command.AUTH, 2, 0, b"signature"))) == []
    assert TransportReader().feed(pair.phone.to_send()) == asked
    assert pair.phone.receive(encode(Message(Command.AUTH, 3, 0, b"public key"))) == []
    assert pair.phone.to_send() == b""


def test_a_second_greeting_ends_every_stream(pair: Pair, stream: int) -> None:
    pair.host.connect()

    assert pair.to_phone() == [Closed(stream), Connected(HOST, 0x01000001, 256 * 1024)]


def test_messages_for_unknown_streams_are_passed_over(pair: Pair) -> None:
    stray = [Message(Command.OKAY, 9, 9), Message(Command.WRTE, 9, 9, b"x"), Message(Command.CLSE, 9, 9)]
    stray.append(Message(Command.AUTH, 3, 0, b"key"))

    assert pair.phone.receive(b"".join(encode(m, version=0x01000001) for m in stray)) == []
    assert pair.phone.to_send() == b""


def test_a_stream_numbered_zero_breaks_the_protocol(pair: Pair) -> None:
    with pytest.raises(ProtocolError, match="stream number 0"):
        pair.phone.receive(encode(Message(Command.OPEN, 0, 0, b"shell:\0"), version=0x01000001))


def test_several_streams_interleave_without_mixing(pair: Pair) -> None:
    rng = random.Random(7)
    contents = {pair.host.open(f"exec:{i}"): rng.randbytes(rng.randrange(700_000)) for i in range(5)}
    got = dict.fromkeys(contents, b"")
    pair.to_phone()
    for number, content in contents.items():
        pair.phone.accept(number)
        pair.phone.write(number, content)
        pair.phone.close(number)

    closed: set[int] = set()
    while len(closed) < len(contents):
        for event in pair.to_host():
            if isinstance(event, Received):
                got[event.stream] += event.data
                pair.host.acknowledge(event.stream)
            elif isinstance(event, Closed):
                closed.add(event.stream)
        pair.to_phone()

    assert got == contents


def test_events_do_not_depend_on_where_the_bytes_are_cut() -> None:
    host = Connection(Role.HOST, HOST)
    host.connect()
    data = host.to_send()
    data += encode(Message(Command.OPEN, 5, 0, b"sync:\0"), version=0x01000001)
    lump = Connection(Role.DEVICE, PHONE).receive(data)
    slow = Connection(Role.DEVICE, PHONE)

    assert [e for i in range(len(data)) for e in slow.receive(data[i : i + 1])] == lump
    assert lump[1] == Opened(1, "sync:")

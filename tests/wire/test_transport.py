from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import ProtocolError
from controller.wire.adb.transport import (
    VERSION_MIN,
    VERSION_SKIP_CHECKSUM,
    Banner,
    Command,
    Message,
    TransportReader,
    checksum,
    encode,
)
from tests.wire.feeding import events_of

# What adb 36 sends first to a phone it connects to, shortened: CNXN, version, max payload, length, sum, magic, banner.
CNXN = bytes.fromhex("434e584e 01000001 00001000 1a000000 60090000 bcb1a7b1") + b"host::features=shell_v2,cmd"[:26]
OPEN = bytes.fromhex("4f50454e 01000000 00000000 0b000000 12040000 b0afbab1") + b"shell:true\0"

messages = st.builds(
    Message,
    command=st.sampled_from([command for command in Command if command is not Command.CNXN]),
    arg0=st.integers(0, 0xFFFFFFFF),
    arg1=st.integers(0, 0xFFFFFFFF),
    payload=st.binary(max_size=200),
)


def test_messages_are_framed_as_adb_frames_them() -> None:
    assert encode(Message(Command.OPEN, 1, 0, b"shell:true\0")) == OPEN
    assert events_of(TransportReader, OPEN) == [Message(Command.OPEN, 1, 0, b"shell:true\0")]


def test_the_greeting_is_read() -> None:
    assert events_of(TransportReader, CNXN) == [
        Message(Command.CNXN, 0x01000001, 0x00100000, b"host::features=shell_v2,cm")
    ]


def test_newer_versions_leave_the_checksum_at_zero() -> None:
    message = Message(Command.WRTE, 3, 4, b"abc")

    data = encode(message, version=VERSION_SKIP_CHECKSUM)

    assert data == bytes.fromhex("57525445 03000000 04000000 03000000 00000000 a8adabba") + b"abc"
    assert events_of(TransportReader, data) == [message]


def test_a_wrong_checksum_breaks_an_old_connection() -> None:
    data = encode(Message(Command.WRTE, 3, 4, b"abc"), version=VERSION_SKIP_CHECKSUM)

    with pytest.raises(ProtocolError, match="checksum 0x0 of WRTE, expected 0x126"):
        TransportReader(version=VERSION_MIN).feed(data)


def test_a_greeting_decides_whether_checksums_count_from_the_very_next_message() -> None:
    old = encode(Message(Command.CNXN, VERSION_MIN, 4096, b"host::"))
    write = encode(Message(Command.WRTE, 3, 4, b"abc"), version=VERSION_SKIP_CHECKSUM)

    assert TransportReader().feed(write) == [Message(Command.WRTE, 3, 4, b"abc")]
    with pytest.raises(ProtocolError, match="checksum"):
        TransportReader().feed(old + write)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"GET / HTTP/1.1\r\nHost: phone\r\n", "bad magic"),
        (bytes.fromhex("41414141 00000000 00000000 00000000 00000000 bebebebe"), "unknown command"),
        (bytes.fromhex("57525445 00000000 00000000 01001000 00000000 a8adabba"), "payload of 1048577 bytes"),
    ],
)
def test_what_is_no_message_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(ProtocolError, match=words):
        TransportReader().feed(data)


def test_the_banner_of_a_phone_is_its_properties_and_features() -> None:
    banner = Banner("device", {"ro.product.name": "sunfish", "ro.product.model": "Pixel 4a"}, ("shell_v2", "cmd"))
    data = b"device::ro.product.name=sunfish;ro.product.model=Pixel 4a;features=shell_v2,cmd"

    assert banner.encode() == data
    assert Banner.decode(data) == banner


def test_banners_of_old_peers_are_read() -> None:
    assert Banner.decode(b"host::\0") == Banner("host")
    assert Banner.decode(b"device::ro.product.name=a;ro.product.model=b;\0").properties == {
        "ro.product.name": "a",
        "ro.product.model": "b",
    }


@given(st.lists(messages, max_size=4), st.sampled_from([VERSION_MIN, VERSION_SKIP_CHECKSUM]))
def test_every_message_comes_back(sent: list[Message], version: int) -> None:
    data = b"".join(encode(message, version=version) for message in sent)

    assert events_of(lambda: TransportReader(version=version), data) == sent


@given(st.binary(max_size=400))
def test_garbage_raises_nothing_but_a_protocol_error(data: bytes) -> None:
    try:
        TransportReader().feed(data)
    except ProtocolError:
        return
    assert len(data) < 24


def test_the_checksum_is_the_sum_of_the_bytes() -> None:
    assert checksum(b"\xff" * 3) == 765

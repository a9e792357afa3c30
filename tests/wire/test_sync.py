from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import ProtocolError
from controller.wire.adb import sync
from controller.wire.adb.sync import (
    Data,
    Done,
    Entry,
    Failed,
    ListRequest,
    Quit,
    ReceiveRequest,
    SendRequest,
    Stat,
    StatRequest,
    SyncReader,
    SyncRequestReader,
    Written,
)
from tests.wire.feeding import events_of

FILE = Stat(0o100644, 5, 1_700_000_000)
FILE_V2 = Stat(0o100644, 5_000_000_000, 1_700_000_000, 0, 2, 3, 1, 2000, 2000, 1_700_000_001, 1_700_000_002)

paths = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60)
u32, u64 = st.integers(0, 0xFFFFFFFF), st.integers(0, 2**64 - 1)
times = st.integers(-(2**63), 2**63 - 1)
stats_v1 = st.builds(Stat, mode=u32, size=u32, mtime=u32)
stats_v2 = st.builds(Stat, u32, u64, times, u32, u64, u64, u32, u32, u32, times, times)


def answers(data: bytes, *steps: Callable[[SyncReader], object]) -> list[object]:
    """What the steps read of `data`, the same whether it comes byte by byte or in one lump."""
    lump, slow = SyncReader(), SyncReader()
    lump.feed(data)
    expected = [step(lump) for step in steps]
    read: list[object] = []
    waiting = list(steps)
    for i in range(len(data)):
        slow.feed(data[i : i + 1])
        while waiting and (value := waiting[0](slow)) is not None:
            read.append(value)
            waiting.pop(0)
    assert read == expected
    return read


def test_requests_have_four_letters_and_a_length() -> None:
    assert sync.stat_request("/sdcard") == b"STAT\7\0\0\0/sdcard"
    assert sync.stat_request("/sdcard", v2=True) == b"STA2\7\0\0\0/sdcard"
    assert sync.stat_request("/sdcard", v2=True, follow=False) == b"LST2\7\0\0\0/sdcard"
    assert sync.list_request("/") == b"LIST\1\0\0\0/"
    assert sync.send_request("/a.txt", mode=0o100644) == b"SEND\x0c\0\0\0/a.txt,33188"
    assert sync.receive_request("/a.txt") == b"RECV\6\0\0\0/a.txt"
    assert sync.data(b"hello") + sync.done(1) + sync.quit_request() == (
        b"DATA\5\0\0\0hello" + b"DONE\1\0\0\0" + b"QUIT\0\0\0\0"
    )


def test_a_phone_reads_what_a_client_asks() -> None:
    data = (
        b"STAT\2\0\0\0/a" + b"STA2\2\0\0\0/a" + b"LST2\2\0\0\0/a" + b"LIST\1\0\0\0/" + b"LIS2\1\0\0\0/"
        b"SEND\x0c\0\0\0/a,b,33188,5" + b"DATA\1\0\0\0x" + b"DONE\7\0\0\0" + b"RECV\2\0\0\0/a"
        b"SND2\2\0\0\0/a" + b"SND2\xa4\x81\0\0\1\0\0\0" + b"RCV2\2\0\0\0/a" + b"RCV2\0\0\0\0" + b"QUIT\0\0\0\0"
    )

    assert events_of(SyncRequestReader, data) == [
        StatRequest("/a"),
        StatRequest("/a", v2=True, follow=True),
        StatRequest("/a", v2=True),
        ListRequest("/"),
        ListRequest("/", v2=True),
        SendRequest("/a,b,33188", 5),
        Data(b"x"),
        Done(7),
        ReceiveRequest("/a"),
        SendRequest("/a", 0o100644, v2=True, flags=1),
        ReceiveRequest("/a", v2=True),
        Quit(),
    ]


def test_facts_of_a_path_come_in_the_version_they_were_asked_in() -> None:
    first = sync.encode_stat(StatRequest("/a"), FILE)
    second = sync.encode_stat(StatRequest("/a", v2=True, follow=True), FILE_V2)

    assert first == bytes.fromhex("53544154 a4810000 05000000 00f15365")
    assert (second[:4], len(second)) == (b"STA2", 72)
    assert answers(first + second, SyncReader.stat, SyncReader.stat) == [FILE, FILE_V2]


def test_a_missing_path_says_so_in_either_version() -> None:
    assert not Stat(0, 0, 0).exists
    assert not Stat(0, 0, 0, error=2).exists
    assert FILE.exists


def test_a_folder_is_listed_until_done() -> None:
    data = sync.encode_entry(Entry("中.txt", FILE), v2=False) + sync.encode_list_end(v2=False) + b"\0"

    assert data.startswith(bytes.fromhex("44454e54 a4810000 05000000 00f15365 07000000") + "中.txt".encode() + b"DONE")
    assert answers(data, SyncReader.entry, SyncReader.entry) == [Entry("中.txt", FILE), Done()]


def test_a_folder_is_listed_in_version_two() -> None:
    data = sync.encode_entry(Entry("a", FILE_V2), v2=True) + sync.encode_list_end(v2=True) + sync.encode_written()

    def entry(reader: SyncReader) -> object:
        return reader.entry(v2=True)

    assert answers(data, entry, entry, SyncReader.written) == [Entry("a", FILE_V2), Done(), Written()]


def test_a_file_comes_in_pieces() -> None:
    data = b"".join(sync.split_data(bytes(70_000))) + sync.encode_receive_end()
    reader = SyncReader()
    reader.feed(data)

    first, second, end = reader.chunk(), reader.chunk(), reader.chunk()

    assert (first, second, end) == (Data(bytes(65536)), Data(bytes(4464)), Done())


def test_a_refusal_can_stand_in_place_of_any_answer() -> None:
    refused = sync.encode_fail("No such file or directory")
    steps: list[Callable[[SyncReader], object]] = [
        SyncReader.stat,
        SyncReader.entry,
        SyncReader.chunk,
        SyncReader.written,
    ]

    assert answers(refused * 4, *steps) == [Failed("No such file or directory")] * 4


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"HELO\0\0\0\0", "no request is called"),
        (b"DATA\1\0\1\0", "DATA of 65537 bytes"),
        (b"STAT\1\4\0\0", "STAT of 1025 bytes"),
        (b"SEND\2\0\0\0/a", "SEND without a mode"),
        (b"SND2\xff\xff\0\0", "path of 65535 bytes"),
        (b"RCV2\1\0\0\0/OOPS\0\0\0\0", "second half"),
    ],
)
def test_what_is_no_request_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(ProtocolError, match=words):
        SyncRequestReader().feed(data)


def test_an_answer_to_another_question_breaks_the_protocol() -> None:
    reader = SyncReader()
    reader.feed(b"DENT")

    with pytest.raises(ProtocolError, match="expected DATA, DONE or FAIL, got b'DENT'"):
        reader.chunk()


def test_a_path_too_long_for_the_phone_is_not_sent() -> None:
    with pytest.raises(ProtocolError, match="1025 bytes"):
        sync.stat_request("x" * 1025)


@given(paths, st.integers(0, 0o177777), st.binary(max_size=100), u32)
def test_a_file_that_is_sent_arrives(path: str, mode: int, content: bytes, mtime: int) -> None:
    data = sync.send_request(path, mode=mode) + sync.data(content) + sync.done(mtime)

    assert events_of(SyncRequestReader, data) == [SendRequest(path, mode), Data(content), Done(mtime)]


@given(stats_v1, stats_v2)
def test_every_stat_comes_back(first: Stat, second: Stat) -> None:
    data = sync.encode_stat(StatRequest("/"), first) + sync.encode_stat(StatRequest("/", v2=True), second)

    assert answers(data, SyncReader.stat, SyncReader.stat) == [first, second]


@given(st.binary(max_size=200))
def test_garbage_raises_nothing_but_a_protocol_error(data: bytes) -> None:
    for read in (SyncReader.stat, SyncReader.entry, SyncReader.chunk, SyncReader.written):
        reader = SyncReader()
        reader.feed(data)
        with suppress(ProtocolError):
            read(reader)
    with suppress(ProtocolError):
        SyncRequestReader().feed(data)

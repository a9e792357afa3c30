from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.adb.http import Response, ResponseReader, get, post
from controller.errors import ProtocolError

WHOLE = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1;x\r\n\n\r\n0\r\n\r\n"


def read(data: bytes, sizes: list[int]) -> Response | None:
    reader, answer = ResponseReader(), None
    while data and answer is None:
        size = sizes.pop(0) if sizes else len(data)
        answer, data = reader.feed(data[:size]), data[size:]
    return answer


@pytest.mark.parametrize(("data", "body"), [(WHOLE, b"{}"), (CHUNKED, b"abc\n")])
@given(sizes=st.lists(st.integers(1, 30)))
def test_an_answer_is_the_same_in_whatever_pieces_it_comes(data: bytes, body: bytes, sizes: list[int]) -> None:
    answer = read(data, sizes)

    assert answer is not None
    assert (answer.status, answer.body, answer.keeps) == (200, body, False)


def test_an_answer_byte_by_byte_is_the_one_in_a_lump() -> None:
    assert read(WHOLE, [1] * len(WHOLE)) == read(WHOLE, [])


def test_an_answer_is_not_whole_before_its_last_byte() -> None:
    assert ResponseReader().feed(WHOLE[:-1]) is None


@pytest.mark.parametrize(
    ("head", "keeps"),
    [
        (b"HTTP/1.1 200 OK\r\nConnection: close", False),
        (b"HTTP/1.1 200 OK\r\nConnection: keep-alive", True),
        (b"HTTP/1.0 200 OK", False),
        (b"HTTP/1.1 200", False),
    ],
)
def test_the_server_says_whether_the_connection_goes_on(head: bytes, keeps: bool) -> None:
    answer = ResponseReader().feed(head + b"\r\nContent-Length: 0\r\n\r\n")

    assert answer is not None
    assert answer.keeps is keeps


def test_an_answer_without_a_length_ends_with_the_connection() -> None:
    reader = ResponseReader()

    assert reader.feed(b"HTTP/1.0 200 OK\r\n\r\npo") is None
    assert reader.feed(b"ng") is None
    answer = reader.end()
    assert answer is not None
    assert answer.body == b"pong"


def test_an_answer_with_a_length_is_not_ended_by_the_connection() -> None:
    reader = ResponseReader()
    reader.feed(WHOLE[:-1])

    assert reader.end() is None


@given(st.binary(min_size=8, max_size=200).filter(lambda data: not data.startswith(b"HTTP/")))
def test_bytes_that_are_no_answer_are_a_broken_protocol(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        ResponseReader().feed(data)


@given(st.binary(max_size=200))
def test_nothing_behind_a_status_line_raises_anything_else(data: bytes) -> None:
    with suppress(ProtocolError):
        ResponseReader().feed(b"HTTP/1.1 200 OK\r\n" + data + b"\r\n\r\n")


def test_a_request_is_one_piece_of_bytes() -> None:
    assert get("/ping").startswith(b"GET /ping HTTP/1.1\r\nHost: localhost\r\n")
    assert post("/jsonrpc/0", b"{}").endswith(b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")

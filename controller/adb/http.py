"""Requests and answers of one kept HTTP/1.1 connection to a small server. Pure: bytes in, values out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from controller.errors import ProtocolError

__all__ = ["Response", "ResponseReader", "get", "post"]

# `Accept-Encoding` is empty on purpose: gzip in NanoHTTPD leaks (NanoHttpd/nanohttpd#492).
_HEADERS = "Host: localhost\r\nUser-Agent: phonectl\r\nAccept-Encoding: \r\nConnection: keep-alive\r\n"
_LONGEST_HEAD = 64 * 1024


@dataclass(frozen=True, slots=True)
class Response:
    """One answer. `keeps` says whether the server leaves the connection open for the next request."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes
    keeps: bool


def get(path: str) -> bytes:
    """A GET request."""
    return f"GET {path} HTTP/1.1\r\n{_HEADERS}\r\n".encode("ascii")


def post(path: str, body: bytes) -> bytes:
    """A POST request with a JSON body, in one piece: two small writes would wait for each other's acknowledgement."""
    head = f"POST {path} HTTP/1.1\r\n{_HEADERS}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode("ascii") + body


@dataclass(frozen=True, slots=True)
class _Head:
    status: int
    reason: str
    headers: Mapping[str, str]
    keeps: bool


class ResponseReader:
    """Bytes of one answer, in any pieces, to a `Response`."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._head: _Head | None = None
        self._scanned = 0

    def feed(self, data: bytes) -> Response | None:
        """The answer, when it is whole.

        Raises:
            ProtocolError: The bytes are no HTTP answer.
        """
        self._data += data
        if self._head is None and not self._take_head():
            return None
        return self._whole()

    def end(self) -> Response | None:
        """The answer when the connection ends now; None where that cuts it short."""
        head = self._head
        if head is None or "content-length" in head.headers or _is_chunked(head):
            return None
        return Response(head.status, head.reason, head.headers, bytes(self._data), keeps=False)

    def _take_head(self) -> bool:
        end = self._data.find(b"\r\n\r\n", max(0, self._scanned - 3))
        if end < 0:
            self._scanned = len(self._data)
            if self._scanned > _LONGEST_HEAD or not b"HTTP/".startswith(bytes(self._data[:5])):
                raise ProtocolError(f"http: no answer begins with {bytes(self._data[:40])!r}")
            return False
        self._head = _parse_head(bytes(self._data[:end]))
        del self._data[: end + 4]
        return True

    def _whole(self) -> Response | None:
        head = self._head
        assert head is not None
        if _is_chunked(head):
            body = _join_chunks(bytes(self._data))
        elif "content-length" in head.headers:
            length = _number(head.headers["content-length"], 10)
            body = bytes(self._data[:length]) if len(self._data) >= length else None
        elif head.status in (204, 304):
            body = b""
        else:
            body = None
        return None if body is None else Response(head.status, head.reason, head.headers, body, head.keeps)


# HTTP/1.1 200 OK
# Content-Type: application/json
# Connection: keep-alive
# Content-Length: 38
def _parse_head(data: bytes) -> _Head:
    first, *lines = data.decode("latin-1").split("\r\n")
    words = first.split(" ", 2)
    if len(words) < 2 or not words[0].startswith("HTTP/1."):
        raise ProtocolError(f"http: no status line: {first[:80]!r}")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    # Only who says so keeps it: an action on a connection that is closing has an unknown fate.
    keeps = headers.get("connection", "").lower() == "keep-alive"
    return _Head(_number(words[1], 10), words[2] if len(words) > 2 else "", headers, keeps)


def _is_chunked(head: _Head) -> bool:
    return "chunked" in head.headers.get("transfer-encoding", "").lower()


def _join_chunks(data: bytes) -> bytes | None:
    body, at = bytearray(), 0
    while (end := data.find(b"\r\n", at)) >= 0:
        size = _number(data[at:end].split(b";")[0].decode("latin-1"), 16)
        start = end + 2
        if len(data) < start + size + 2:
            return None
        if size == 0:
            return bytes(body)
        body += data[start : start + size]
        at = start + size + 2
    return None


def _number(text: str, base: int) -> int:
    try:
        value = int(text.strip(), base)
    except ValueError as err:
        raise ProtocolError(f"http: expected a number, got {text[:40]!r}") from err
    if value < 0:
        raise ProtocolError(f"http: a negative number: {text[:40]!r}")
    return value

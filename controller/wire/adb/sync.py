"""File transfer inside a `sync:` stream.

Every frame starts with four letters and a little-endian number: the length of a path or of data, or a time. Version 1
(STAT, LIST, SEND, RECV) has 32-bit sizes; version 2 (STA2, LST2, LIS2, SND2, RCV2) says all that stat(2) says.

Owns the frames of both sides. Files, and what a refusal says, are left to the callers.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from controller.errors import ProtocolError
from controller.wire.adb.buffer import ReceiveBuffer

__all__ = [
    "MAX_DATA",
    "MAX_PATH",
    "Data",
    "Done",
    "Entry",
    "Failed",
    "ListRequest",
    "Quit",
    "ReceiveRequest",
    "Request",
    "SendRequest",
    "Stat",
    "StatRequest",
    "SyncReader",
    "SyncRequestReader",
    "Written",
    "data",
    "done",
    "encode_entry",
    "encode_fail",
    "encode_list_end",
    "encode_receive_end",
    "encode_stat",
    "encode_written",
    "list_request",
    "quit_request",
    "receive_request",
    "send_request",
    "split_data",
    "stat_request",
]

MAX_DATA = 64 * 1024
"""The longest DATA frame; both sides of adb drop the connection on a longer one."""

MAX_PATH = 1024

_T = TypeVar("_T")

_FRAME = struct.Struct("<4sI")
_STAT_V1 = struct.Struct("<III")
_STAT_V2 = struct.Struct("<IQQIIIIQqqq")
_MODE_AND_FLAGS = struct.Struct("<4sII")


@dataclass(frozen=True, slots=True)
class Stat:
    """What the phone says of a path. Version 1 knows mode, size and mtime; mode 0 says that nothing is there."""

    mode: int
    size: int
    mtime: int
    error: int = 0
    """An errno of Linux, version 2 only."""
    dev: int = 0
    ino: int = 0
    nlink: int = 0
    uid: int = 0
    gid: int = 0
    atime: int = 0
    ctime: int = 0

    @property
    def exists(self) -> bool:
        """Whether the path exists as far as the phone told."""
        return self.error == 0 and self.mode != 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a folder."""

    name: str
    stat: Stat


@dataclass(frozen=True, slots=True)
class StatRequest:
    """STAT (version 1, does not follow links), STA2 (follows them) or LST2 (does not)."""

    path: str
    v2: bool = False
    follow: bool = False


@dataclass(frozen=True, slots=True)
class ListRequest:
    """LIST or LIS2."""

    path: str
    v2: bool = False


@dataclass(frozen=True, slots=True)
class SendRequest:
    """SEND or SND2: Data and Done follow."""

    path: str
    mode: int
    v2: bool = False
    flags: int = 0


@dataclass(frozen=True, slots=True)
class ReceiveRequest:
    """RECV or RCV2."""

    path: str
    v2: bool = False
    flags: int = 0


@dataclass(frozen=True, slots=True)
class Data:
    """A piece of a file."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a file or of a list; a client ends a file with its time of modification."""

    mtime: int = 0


@dataclass(frozen=True, slots=True)
class Quit:
    """The client needs the stream no more."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The phone refused, with its words."""

    message: str


@dataclass(frozen=True, slots=True)
class Written:
    """The file a client sent is on the phone."""


Request = StatRequest | ListRequest | SendRequest | ReceiveRequest | Data | Done | Quit


def stat_request(path: str, *, v2: bool = False, follow: bool = True) -> bytes:
    """Ask for one path's facts; version 1 never follows a link."""
    name = (b"STA2" if follow else b"LST2") if v2 else b"STAT"
    return _with_path(name, path)


def list_request(path: str, *, v2: bool = False) -> bytes:
    """Ask for the names in a folder."""
    return _with_path(b"LIS2" if v2 else b"LIST", path)


def send_request(path: str, *, mode: int = 0o100644) -> bytes:
    """Begin to write a file; `data` frames and `done` follow."""
    return _with_path(b"SEND", f"{path},{mode}")


def receive_request(path: str) -> bytes:
    """Ask for a file's content."""
    return _with_path(b"RECV", path)


def quit_request() -> bytes:
    """End the stream in good order."""
    return _FRAME.pack(b"QUIT", 0)


def data(piece: bytes) -> bytes:
    """One piece of a file, at most MAX_DATA bytes; both sides send it."""
    return _FRAME.pack(b"DATA", len(piece)) + piece


def split_data(content: bytes) -> Iterator[bytes]:
    """A whole file as DATA frames."""
    view = memoryview(content)
    for start in range(0, len(content), MAX_DATA):
        yield data(bytes(view[start : start + MAX_DATA]))


def done(mtime: int) -> bytes:
    """The end of a file that a client sent, with its time of modification."""
    return _FRAME.pack(b"DONE", mtime & 0xFFFFFFFF)


def encode_stat(request: StatRequest, stat: Stat) -> bytes:
    """The answer to a stat request, in the version it was asked in."""
    if not request.v2:
        return b"STAT" + _pack_v1(stat)
    return (b"STA2" if request.follow else b"LST2") + _pack_v2(stat)


def encode_entry(entry: Entry, *, v2: bool) -> bytes:
    """One name of a folder."""
    name = _to_bytes(entry.name)
    head = b"DNT2" + _pack_v2(entry.stat) if v2 else b"DENT" + _pack_v1(entry.stat)
    return head + struct.pack("<I", len(name)) + name


def encode_list_end(*, v2: bool) -> bytes:
    """The end of a list: DONE in a frame as long as an entry's."""
    return b"DONE" + bytes((_STAT_V2 if v2 else _STAT_V1).size + 4)


def encode_receive_end() -> bytes:
    """The end of a file that a phone sent."""
    return _FRAME.pack(b"DONE", 0)


def encode_written() -> bytes:
    """The answer to a file that was written."""
    return _FRAME.pack(b"OKAY", 0)


def encode_fail(message: str) -> bytes:
    """A refusal."""
    text = _to_bytes(message)
    return _FRAME.pack(b"FAIL", len(text)) + text


class SyncReader:
    """A phone's answers, read as the request asked for them; each method returns None while its answer is not whole."""

    def __init__(self) -> None:
        self._buffer = ReceiveBuffer()

    def feed(self, data: bytes) -> None:
        """Add what came from the phone."""
        self._buffer.feed(data)

    def stat(self) -> Stat | Failed | None:
        """The answer to a stat request of either version."""
        return self._frame({b"STAT": self._stat_v1, b"STA2": self._stat_v2, b"LST2": self._stat_v2})

    def entry(self, *, v2: bool = False) -> Entry | Done | Failed | None:
        """The next name of a folder, or Done."""
        if v2:
            return self._frame({b"DNT2": self._entry_v2, b"DONE": self._list_end_v2})
        return self._frame({b"DENT": self._entry_v1, b"DONE": self._list_end_v1})

    def chunk(self) -> Data | Done | Failed | None:
        """The next piece of a file, or Done."""
        return self._frame({b"DATA": self._data, b"DONE": self._receive_end})

    def written(self) -> Written | Failed | None:
        """The answer to a file that was sent."""
        return self._frame({b"OKAY": self._written})

    def _frame(self, kinds: dict[bytes, Callable[[], _T | None]]) -> _T | Failed | None:
        name = self._buffer.peek(4)
        if name is None:
            return None
        if name in kinds:
            return kinds[name]()
        if name == b"FAIL":
            return self._failed()
        expected = ", ".join(kind.decode() for kind in kinds)
        raise ProtocolError(f"adb sync: expected {expected} or FAIL, got {name!r}")

    def _failed(self) -> Failed | None:
        text = _take_sized(self._buffer, limit=MAX_DATA)
        return None if text is None else Failed(_to_text(text))

    def _stat_v1(self) -> Stat | None:
        frame = self._buffer.take(4 + _STAT_V1.size)
        return None if frame is None else _unpack_v1(frame[4:])

    def _stat_v2(self) -> Stat | None:
        frame = self._buffer.take(4 + _STAT_V2.size)
        return None if frame is None else _unpack_v2(frame[4:])

    def _entry_v1(self) -> Entry | None:
        return self._entry(_STAT_V1.size, _unpack_v1)

    def _entry_v2(self) -> Entry | None:
        return self._entry(_STAT_V2.size, _unpack_v2)

    def _entry(self, stat_size: int, unpack: Callable[[bytes], Stat]) -> Entry | None:
        head_size = 4 + stat_size + 4
        head = self._buffer.peek(head_size)
        if head is None:
            return None
        length = int.from_bytes(head[-4:], "little")
        if length > MAX_PATH:
            raise ProtocolError(f"adb sync: a name of {length} bytes")
        if len(self._buffer) < head_size + length:
            return None
        self._buffer.take(head_size)
        return Entry(_to_text(self._buffer.take(length) or b""), unpack(head[4:-4]))

    def _list_end_v1(self) -> Done | None:
        return None if self._buffer.take(4 + _STAT_V1.size + 4) is None else Done()

    def _list_end_v2(self) -> Done | None:
        return None if self._buffer.take(4 + _STAT_V2.size + 4) is None else Done()

    def _data(self) -> Data | None:
        piece = _take_sized(self._buffer, limit=MAX_DATA)
        return None if piece is None else Data(piece)

    def _receive_end(self) -> Done | None:
        return None if self._buffer.take(_FRAME.size) is None else Done()

    def _written(self) -> Written | None:
        return None if self._buffer.take(_FRAME.size) is None else Written()


class SyncRequestReader:
    """What a client asks, for the phone's side."""

    def __init__(self) -> None:
        self._buffer = ReceiveBuffer()

    def feed(self, data: bytes) -> list[Request]:
        """The requests that are whole now.

        Raises:
            ProtocolError: The bytes are no request.
        """
        self._buffer.feed(data)
        requests: list[Request] = []
        while (next_request := self._next()) is not None:
            requests.append(next_request)
        return requests

    def _next(self) -> Request | None:
        head = self._buffer.peek(_FRAME.size)
        if head is None:
            return None
        name, number = _FRAME.unpack(head)
        match name:
            case b"DONE":
                self._buffer.take(_FRAME.size)
                return Done(number)
            case b"QUIT":
                self._buffer.take(_FRAME.size)
                return Quit()
            case b"DATA":
                piece = _take_sized(self._buffer, limit=MAX_DATA)
                return None if piece is None else Data(piece)
            case b"SND2" | b"RCV2":
                return self._second_version(name, number)
            case b"STAT" | b"STA2" | b"LST2" | b"LIST" | b"LIS2" | b"SEND" | b"RECV":
                text = _take_sized(self._buffer, limit=MAX_PATH)
                return None if text is None else _request(name, _to_text(text))
            case _:
                raise ProtocolError(f"adb sync: no request is called {name!r}")

    def _second_version(self, name: bytes, length: int) -> Request | None:
        # SND2 and RCV2 come in two frames: the path, then the same letters with mode and flags, or flags alone.
        tail = _MODE_AND_FLAGS.size if name == b"SND2" else _FRAME.size
        if length > MAX_PATH:
            raise ProtocolError(f"adb sync: a path of {length} bytes")
        whole = self._buffer.take(_FRAME.size + length + tail)
        if whole is None:
            return None
        path, options = _to_text(whole[_FRAME.size : -tail]), whole[-tail:]
        if options[:4] != name:
            raise ProtocolError(f"adb sync: expected the second half of {name!r}, got {options[:4]!r}")
        if name == b"RCV2":
            return ReceiveRequest(path, v2=True, flags=_FRAME.unpack(options)[1])
        _, mode, flags = _MODE_AND_FLAGS.unpack(options)
        return SendRequest(path, mode, v2=True, flags=flags)


def _request(name: bytes, path: str) -> Request:
    match name:
        case b"STAT":
            return StatRequest(path)
        case b"STA2" | b"LST2":
            return StatRequest(path, v2=True, follow=name == b"STA2")
        case b"LIST" | b"LIS2":
            return ListRequest(path, v2=name == b"LIS2")
        case b"SEND":
            return _send(path)
        case _:
            return ReceiveRequest(path)


def _send(argument: str) -> SendRequest:
    # /sdcard/a,b.txt,33188: a path may hold commas, the mode is behind the last one
    path, comma, mode = argument.rpartition(",")
    if not comma or not re.fullmatch(r"[0-9]{1,9}", mode):
        raise ProtocolError(f"adb sync: SEND without a mode: {argument}")
    return SendRequest(path, int(mode))


def _pack_v1(stat: Stat) -> bytes:
    return _STAT_V1.pack(stat.mode, stat.size & 0xFFFFFFFF, stat.mtime & 0xFFFFFFFF)


def _pack_v2(stat: Stat) -> bytes:
    owner = (stat.mode, stat.nlink, stat.uid, stat.gid)
    return _STAT_V2.pack(stat.error, stat.dev, stat.ino, *owner, stat.size, stat.atime, stat.mtime, stat.ctime)


def _unpack_v1(frame: bytes) -> Stat:
    mode, size, mtime = _STAT_V1.unpack(frame)
    return Stat(mode, size, mtime)


def _unpack_v2(frame: bytes) -> Stat:
    error, dev, ino, mode, nlink, uid, gid, size, atime, mtime, ctime = _STAT_V2.unpack(frame)
    return Stat(mode, size, mtime, error, dev, ino, nlink, uid, gid, atime, ctime)


def _with_path(name: bytes, path: str) -> bytes:
    text = _to_bytes(path)
    if len(text) > MAX_PATH:
        raise ProtocolError(f"adb sync: a path of {len(text)} bytes, at most {MAX_PATH} are sent")
    return _FRAME.pack(name, len(text)) + text


def _take_sized(buffer: ReceiveBuffer, *, limit: int) -> bytes | None:
    head = buffer.peek(_FRAME.size)
    if head is None:
        return None
    name, length = _FRAME.unpack(head)
    if length > limit:
        raise ProtocolError(
            f"adb sync: {name.decode('ascii', 'replace')} of {length} bytes, at most {limit} are allowed"
        )
    if len(buffer) < _FRAME.size + length:
        return None
    buffer.take(_FRAME.size)
    return buffer.take(length)


def _to_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _to_text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")

"""Shell services and the packets of shell protocol v2.

Version 1 is one stream of bytes without an exit code. Version 2 keeps stdin, stdout, stderr and the exit code apart
in packets of one byte id, four bytes length (little endian) and data. Running a command is left to the callers.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

from controller.errors import ProtocolError
from controller.wire.adb.buffer import ReceiveBuffer

__all__ = [
    "MAX_PACKET",
    "Packet",
    "PacketId",
    "ShellReader",
    "ShellRequest",
    "close_stdin",
    "encode",
    "exit_packet",
    "parse_request",
    "stdin",
]

MAX_PACKET = 1024 * 1024
"""adb caps a packet at its transport's payload; a longer one is a damaged stream."""

_HEADER = struct.Struct("<BI")


class PacketId(IntEnum):
    """What a packet carries."""

    STDIN = 0
    STDOUT = 1
    STDERR = 2
    EXIT = 3
    CLOSE_STDIN = 4
    WINDOW_SIZE = 5
    INVALID = 255


_IDS = frozenset(PacketId)


@dataclass(frozen=True, slots=True)
class Packet:
    """One packet of a v2 shell."""

    id: PacketId
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class ShellRequest:
    """A shell service: what to run (nothing means an interactive shell) and how its bytes travel."""

    command: str
    v2: bool = False
    pty: bool | None = None
    """None when the client leaves it to adbd: a terminal for an interactive shell, none for a command."""
    term: str = ""


def encode(packet: Packet) -> bytes:
    """The packet's bytes."""
    return _HEADER.pack(packet.id, len(packet.data)) + packet.data


def stdin(data: bytes) -> bytes:
    """Bytes for the command's standard input, cut into packets."""
    pieces = (data[start : start + MAX_PACKET] for start in range(0, len(data), MAX_PACKET))
    return b"".join(encode(Packet(PacketId.STDIN, piece)) for piece in pieces)


def close_stdin() -> bytes:
    """The packet that ends the command's standard input."""
    return encode(Packet(PacketId.CLOSE_STDIN))


def exit_packet(code: int) -> Packet:
    """The last packet of a shell: the exit code in one byte."""
    return Packet(PacketId.EXIT, bytes([code & 0xFF]))


class ShellReader:
    """Bytes of a v2 shell to packets, for either side."""

    def __init__(self) -> None:
        self._buffer = ReceiveBuffer()

    def feed(self, data: bytes) -> list[Packet]:
        """The packets that are whole now.

        Raises:
            ProtocolError: An unknown id or an impossible length.
        """
        self._buffer.feed(data)
        packets: list[Packet] = []
        while (packet := self._next()) is not None:
            packets.append(packet)
        return packets

    def _next(self) -> Packet | None:
        header = self._buffer.peek(_HEADER.size)
        if header is None:
            return None
        number, length = _HEADER.unpack(header)
        if number not in _IDS or length > MAX_PACKET:
            raise ProtocolError(f"adb shell: no packet has id {number} and length {length}")
        if len(self._buffer) < _HEADER.size + length:
            return None
        self._buffer.take(_HEADER.size)
        return Packet(PacketId(number), self._buffer.take(length) or b"")


def parse_request(service: str) -> ShellRequest | None:
    """The request in a service's name, or None for another service.

    Samples: `shell:ls -l`, `shell,v2,TERM=xterm,raw:ls`, `shell,v2,pty:`, `shell,raw:cat`, `exec:screencap -p`.
    """
    head, colon, command = service.partition(":")
    name, *options = head.split(",")
    if not colon or name not in ("shell", "exec"):
        return None
    if name == "exec":
        return ShellRequest(command, pty=False)
    pty = {"raw": False, "pty": True}
    return ShellRequest(
        command,
        v2="v2" in options,
        pty=next((pty[option] for option in options if option in pty), None),
        term=next((option.removeprefix("TERM=") for option in options if option.startswith("TERM=")), ""),
    )

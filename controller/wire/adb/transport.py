"""Messages between an adb server and adbd, and the banner each sends of itself.

Owns the frame (24-byte header, payload, magic, checksum). What a message means for a stream is left to `connection`.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from controller.errors import ProtocolError
from controller.wire.adb.buffer import ReceiveBuffer

__all__ = [
    "HEADER_SIZE",
    "MAX_PAYLOAD",
    "MAX_PAYLOAD_OLD",
    "VERSION_MIN",
    "VERSION_SKIP_CHECKSUM",
    "Banner",
    "Command",
    "Message",
    "TransportReader",
    "checksum",
    "encode",
]

VERSION_MIN = 0x01000000
VERSION_SKIP_CHECKSUM = 0x01000001
"""From this version on both sides leave the checksum at 0."""

MAX_PAYLOAD = 1024 * 1024
MAX_PAYLOAD_OLD = 4096
"""What the first versions of adbd take; used until a peer's CNXN says more."""

HEADER_SIZE = 24
_HEADER = struct.Struct("<6I")


class Command(IntEnum):
    """The message types: four ASCII letters read as a little-endian number."""

    SYNC = 0x434E5953
    CNXN = 0x4E584E43
    AUTH = 0x48545541
    OPEN = 0x4E45504F
    OKAY = 0x59414B4F
    CLSE = 0x45534C43
    WRTE = 0x45545257
    STLS = 0x534C5453


@dataclass(frozen=True, slots=True)
class Message:
    """One message; what the two numbers say depends on the command."""

    command: Command
    arg0: int = 0
    arg1: int = 0
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class Banner:
    """What a peer says of itself in CNXN.

    A phone: `device::ro.product.name=sunfish;ro.product.model=Pixel 4a;features=shell_v2,cmd`, an adb server:
    `host::features=shell_v2,cmd`.
    """

    kind: str
    properties: Mapping[str, str] = field(default_factory=dict)
    features: tuple[str, ...] = ()

    def encode(self) -> bytes:
        """The banner's bytes, features last as adbd has them."""
        pairs = [f"{key}={value}" for key, value in self.properties.items()]
        pairs.append("features=" + ",".join(self.features))
        return f"{self.kind}::{';'.join(pairs)}".encode("utf-8", "surrogateescape")

    @classmethod
    def decode(cls, data: bytes) -> Banner:
        """Read a banner; old peers end it with a NUL or a semicolon, older ones have no properties at all."""
        text = data.rstrip(b"\0").decode("utf-8", "surrogateescape")
        kind, _, rest = text.partition(":")
        _, _, rest = rest.partition(":")
        properties: dict[str, str] = {}
        for pair in rest.split(";"):
            key, found, value = pair.partition("=")
            if found:
                properties[key] = value
        features = properties.pop("features", "")
        return cls(kind, properties, tuple(name for name in features.split(",") if name))


def checksum(payload: bytes) -> int:
    """The sum of all bytes, as versions before 0x01000001 check it (the field is called CRC and is none)."""
    return sum(payload) & 0xFFFFFFFF


def encode(message: Message, *, version: int = VERSION_MIN) -> bytes:
    """The message's bytes for a peer that speaks `version`."""
    check = 0 if version >= VERSION_SKIP_CHECKSUM else checksum(message.payload)
    header = _HEADER.pack(
        message.command,
        message.arg0,
        message.arg1,
        len(message.payload),
        check,
        message.command ^ 0xFFFFFFFF,
    )
    return header + message.payload


class TransportReader:
    """Bytes to messages.

    Args:
        version: The newest version this side speaks. The peer's CNXN may lower it; below 0x01000001 checksums count.
        max_payload: The longest payload this side announced.
    """

    def __init__(self, *, version: int = VERSION_SKIP_CHECKSUM, max_payload: int = MAX_PAYLOAD) -> None:
        self._own_version = version
        self._version = version
        self.max_payload = max_payload
        self._buffer = ReceiveBuffer()

    def feed(self, data: bytes) -> list[Message]:
        """The messages that are whole now.

        Raises:
            ProtocolError: The bytes are no message; the connection cannot be used any more.
        """
        self._buffer.feed(data)
        messages: list[Message] = []
        while (message := self._next()) is not None:
            messages.append(message)
        return messages

    def _next(self) -> Message | None:
        header = self._buffer.peek(HEADER_SIZE)
        if header is None:
            return None
        number, arg0, arg1, length, check, magic = _HEADER.unpack(header)
        if magic != number ^ 0xFFFFFFFF:
            raise ProtocolError(f"adb transport: bad magic {magic:#010x} for command {number:#010x}")
        try:
            command = Command(number)
        except ValueError as err:
            raise ProtocolError(f"adb transport: unknown command {number:#010x}") from err
        if length > self.max_payload:
            raise ProtocolError(f"adb transport: payload of {length} bytes, at most {self.max_payload} were announced")
        if len(self._buffer) < HEADER_SIZE + length:
            return None
        self._buffer.take(HEADER_SIZE)
        payload = self._buffer.take(length) or b""
        if command is Command.CNXN:
            self._version = min(self._own_version, arg0)
        if self._version < VERSION_SKIP_CHECKSUM and check != checksum(payload):
            raise ProtocolError(
                f"adb transport: checksum {check:#x} of {command.name}, expected {checksum(payload):#x}"
            )
        return Message(command, arg0, arg1, payload)

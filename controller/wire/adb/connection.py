"""Streams over one transport, for an adb server (HOST) or for adbd (DEVICE).

Owns the handshake, the numbers of streams, the one write in flight that each stream may have, and the order of closing.
Sockets are left to the callers: bytes go in by `receive`, events come out, and `to_send` gives the bytes for the peer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from controller.errors import ProtocolError
from controller.wire.adb.transport import (
    MAX_PAYLOAD,
    MAX_PAYLOAD_OLD,
    VERSION_MIN,
    VERSION_SKIP_CHECKSUM,
    Banner,
    Command,
    Message,
    TransportReader,
    encode,
)

__all__ = ["Accepted", "Closed", "Connected", "Connection", "Drained", "Event", "Opened", "Received", "Role"]


_AUTH_TOKEN, _AUTH_SIGNATURE = 1, 2


class Role(Enum):
    """Which side of the transport this is."""

    HOST = "host"
    DEVICE = "device"


@dataclass(frozen=True, slots=True)
class Connected:
    """Both sides have said who they are; streams of before are gone."""

    banner: Banner
    version: int
    max_payload: int


@dataclass(frozen=True, slots=True)
class Opened:
    """The peer asks for a service: answer by `accept` or `refuse`."""

    stream: int
    service: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """The peer accepted the stream that was opened here."""

    stream: int


@dataclass(frozen=True, slots=True)
class Received:
    """The peer sent data and sends no more on this stream until `acknowledge`."""

    stream: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Drained:
    """The peer has taken everything that was written to the stream."""

    stream: int


@dataclass(frozen=True, slots=True)
class Closed:
    """The peer closed or refused the stream; what was not yet sent is dropped."""

    stream: int


Event = Connected | Opened | Accepted | Received | Drained | Closed


@dataclass(slots=True)
class _Stream:
    remote: int = 0
    """0 until the peer's number is known, and writing has to wait."""
    outgoing: bytearray = field(default_factory=bytearray)
    in_flight: bool = False
    closing: bool = False


class Connection:
    """One transport with its streams.

    Args:
        role: Which side this is.
        banner: What this side says of itself.
        version: The newest protocol version this side speaks.
        max_payload: The longest payload this side takes.
    """

    def __init__(
        self, role: Role, banner: Banner, *, version: int = VERSION_SKIP_CHECKSUM, max_payload: int = MAX_PAYLOAD
    ) -> None:
        self._role = role
        self._banner = banner
        self._own_version = version
        self._own_max_payload = max_payload
        self._version = VERSION_MIN
        self._max_payload = MAX_PAYLOAD_OLD
        self._reader = TransportReader(version=version, max_payload=max_payload)
        self._streams: dict[int, _Stream] = {}
        self._last_number = 0
        self._output = bytearray()
        self.locked = False
        """Whether a DEVICE answers a greeting by asking for a key that it then does not accept."""

    def connect(self) -> None:
        """Say who this is, as the HOST does first."""
        self._send(Message(Command.CNXN, self._own_version, self._own_max_payload, self._banner.encode()))

    def receive(self, data: bytes) -> list[Event]:
        """What the peer's bytes say.

        Raises:
            ProtocolError: They are no messages; the connection cannot be used any more.
        """
        return [event for message in self._reader.feed(data) for event in self._handle(message)]

    @property
    def has_output(self) -> bool:
        """Whether `to_send` has something to give."""
        return bool(self._output)

    def to_send(self) -> bytes:
        """The bytes that are due to the peer, given once."""
        output = bytes(self._output)
        self._output.clear()
        return output

    def open(self, service: str) -> int:
        """Ask the peer for a service; the number of the new stream comes back, Accepted or Closed follows."""
        number = self._new_stream(_Stream())
        payload = service.encode("utf-8", "surrogateescape") + b"\0"
        self._send(Message(Command.OPEN, number, 0, payload))
        return number

    def accept(self, stream: int) -> None:
        """Take a stream the peer opened."""
        self._send(Message(Command.OKAY, stream, self._streams[stream].remote))

    def refuse(self, stream: int) -> None:
        """Refuse a stream the peer opened."""
        self._send(Message(Command.CLSE, 0, self._streams.pop(stream).remote))

    def is_open(self, stream: int) -> bool:
        """Whether data may still be written to the stream."""
        return stream in self._streams and not self._streams[stream].closing

    def unsent(self, stream: int) -> int:
        """How many bytes wait until the peer takes more."""
        return len(self._streams[stream].outgoing) if stream in self._streams else 0

    def write(self, stream: int, data: bytes) -> None:
        """Send data as fast as the peer takes it; a closed stream takes none, since closing may cross writing."""
        if self.is_open(stream):
            self._streams[stream].outgoing += data
            self._advance(stream)

    def acknowledge(self, stream: int) -> None:
        """Let the peer send more on this stream."""
        if stream in self._streams:
            self._send(Message(Command.OKAY, stream, self._streams[stream].remote))

    def close(self, stream: int) -> None:
        """Close a stream after everything written to it was taken."""
        if stream in self._streams:
            self._streams[stream].closing = True
            self._advance(stream)

    def _handle(self, message: Message) -> list[Event]:
        match message.command:
            case Command.CNXN:
                return self._connected(message)
            case Command.OPEN:
                return self._opened(message)
            case Command.OKAY:
                return self._okay(message)
            case Command.WRTE:
                # Data for a stream that was closed here in the meantime: the peer's CLSE is on its way.
                return [Received(message.arg1, message.payload)] if message.arg1 in self._streams else []
            case Command.CLSE:
                return self._closed(message)
            case Command.AUTH if self.locked and message.arg0 == _AUTH_SIGNATURE:
                # A signature by a key that the phone does not know: the host tries its next key, and sends a public
                # key at last, which waits until the person says yes.
                self._ask_for_key()
                return []
            case _:
                # STLS, SYNC and a stray AUTH: nothing of them is asked for, so they are passed over as adbd does.
                return []

    def _connected(self, message: Message) -> list[Event]:
        lost: list[Event] = [Closed(number) for number in self._streams]
        self._streams.clear()
        if self.locked:
            self._ask_for_key()
            return lost
        if self._role is Role.DEVICE:
            self._version = VERSION_MIN
            self.connect()
        self._version = min(self._own_version, message.arg0)
        self._max_payload = max(1, min(self._own_max_payload, message.arg1))
        return [*lost, Connected(Banner.decode(message.payload), self._version, self._max_payload)]

    def _ask_for_key(self) -> None:
        self._version = VERSION_MIN
        self._send(Message(Command.AUTH, _AUTH_TOKEN, 0, bytes(range(20))))

    def _opened(self, message: Message) -> list[Event]:
        if message.arg0 == 0:
            raise ProtocolError("adb transport: OPEN with stream number 0")
        number = self._new_stream(_Stream(remote=message.arg0))
        return [Opened(number, message.payload.rstrip(b"\0").decode("utf-8", "surrogateescape"))]

    def _okay(self, message: Message) -> list[Event]:
        number = message.arg1
        stream = self._streams.get(number)
        if stream is None:
            return []
        if stream.remote == 0:
            stream.remote = message.arg0
            self._advance(number)
            return [Accepted(number)]
        stream.in_flight = False
        drained = not stream.outgoing
        self._advance(number)
        return [Drained(number)] if drained else []

    def _closed(self, message: Message) -> list[Event]:
        stream = self._streams.pop(message.arg1, None)
        if stream is None:
            return []
        if stream.remote:
            # The protocol's text forbids an answer, adbd gives one, and adb-shell waits for it.
            self._send(Message(Command.CLSE, message.arg1, stream.remote))
        return [Closed(message.arg1)]

    def _advance(self, number: int) -> None:
        stream = self._streams[number]
        if stream.in_flight or not stream.remote:
            return
        if stream.outgoing:
            piece = bytes(stream.outgoing[: self._max_payload])
            del stream.outgoing[: self._max_payload]
            stream.in_flight = True
            self._send(Message(Command.WRTE, number, stream.remote, piece))
        elif stream.closing:
            del self._streams[number]
            self._send(Message(Command.CLSE, number, stream.remote))

    def _new_stream(self, stream: _Stream) -> int:
        self._last_number += 1
        self._streams[self._last_number] = stream
        return self._last_number

    def _send(self, message: Message) -> None:
        self._output += encode(message, version=self._version)

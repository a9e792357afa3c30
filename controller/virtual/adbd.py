"""adbd's side of the transport over TCP: what `adb connect` reaches.

Owns the listening port, one thread for each adb server that connects and one for each stream it opens. The protocol is
`wire.adb.connection`; what a service does is for `services`.
"""

from __future__ import annotations

import contextlib
import socket
import threading

from controller.errors import ProtocolError
from controller.virtual.listener import Listener
from controller.virtual.services import ABSENT, Services
from controller.virtual.streams import READ_SIZE, Handler, TransportStream, TransportWriter, close_socket
from controller.wire.adb.connection import Accepted, Closed, Connection, Opened, Received, Role
from controller.wire.adb.transport import Banner

__all__ = ["PhoneTransport", "banner"]

_ACCEPT_S = 5.0
_BANNER_PROPERTIES = ("ro.product.name", "ro.product.model", "ro.product.device")


def banner(services: Services) -> Banner:
    """What the phone says of itself: its names and the features of its Android version."""
    props = services.phone.props
    return Banner("device", {key: props.get(key, "") for key in _BANNER_PROPERTIES}, services.features)


class PhoneTransport:
    """The phone's own port.

    Args:
        services: What the phone offers.
        port: 0 takes a free one.
    """

    def __init__(self, services: Services, *, port: int = 0) -> None:
        self._services = services
        self._links: set[_Link] = set()
        self._listener = Listener(self._serve, port=port, name="adbd")

    @property
    def port(self) -> int:
        """The port that was taken."""
        return self._listener.port

    def start(self) -> None:
        """Begin to accept."""
        self._listener.start()

    def disconnect(self) -> None:
        """Cut every connection, as a pulled cable does; the port stays open."""
        for link in tuple(self._links):
            link.close()

    def close(self) -> None:
        """Stop accepting and cut every connection."""
        self._listener.close()
        self.disconnect()

    def _serve(self, peer: socket.socket) -> None:
        if self._services.state == ABSENT:
            close_socket(peer)
            return
        link = _Link(peer, self._services)
        self._links.add(link)
        try:
            link.run()
        finally:
            self._links.discard(link)
            link.close()


class _Link:
    """One adb server that is connected."""

    def __init__(self, peer: socket.socket, services: Services) -> None:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = peer
        self._services = services
        self._connection = Connection(Role.DEVICE, banner(services))
        self._state = threading.Condition()
        self._writer = TransportWriter(self._connection, self._state, peer)
        self._streams: dict[int, TransportStream] = {}
        self._accepted: set[int] = set()
        """Streams of ours that the adb server has taken, until whoever waits has seen it."""

    def run(self) -> None:
        """Read until the adb server is gone or breaks the protocol."""
        with contextlib.suppress(OSError, ProtocolError):
            while data := self._socket.recv(READ_SIZE):
                state = self._services.state
                self._connection.locked = state == "unauthorized"
                if state != "offline":
                    self._receive(data)

    def close(self) -> None:
        """Cut the connection; every stream ends."""
        close_socket(self._socket)
        with self._state:
            for stream in self._streams.values():
                stream.ended()
            self._streams.clear()

    def _receive(self, data: bytes) -> None:
        opened: list[Opened] = []
        with self._state:
            for event in self._connection.receive(data):
                match event:
                    case Opened():
                        opened.append(event)
                    case Accepted(number):
                        self._accepted.add(number)
                    case Received(number, content) if number in self._streams:
                        self._streams[number].received(content)
                    case Closed(number) if number in self._streams:
                        self._streams.pop(number).ended()
                    case _:
                        pass
            self._state.notify_all()
        self._writer.flush()
        for event in opened:
            self._open(event)

    def _open(self, event: Opened) -> None:
        # The peer sends nothing on a stream before it is accepted, so looking the service up needs no lock of ours.
        handler = self._services.find(event.service)
        if handler is None:
            with self._state:
                self._connection.refuse(event.stream)
            self._writer.flush()
            return
        number = event.stream
        stream = self._stream(number)
        with self._state:
            self._connection.accept(number)
            self._streams[number] = stream
        self._writer.flush()
        arguments = (number, stream, handler)
        threading.Thread(target=self._handle, args=arguments, name=event.service[:40], daemon=True).start()

    def _stream(self, number: int) -> TransportStream:
        return TransportStream(
            number, connection=self._connection, state=self._state, writer=self._writer, opener=self._open_back
        )

    def _open_back(self, service: str) -> TransportStream:
        """A stream to a service of the computer, once the adb server has taken it."""
        with self._state:
            for ended in [number for number in self._streams if not self._connection.is_open(number)]:
                del self._streams[ended]  # those opened from here have no thread that tidies up after them
            number = self._connection.open(service)
            stream = self._streams[number] = self._stream(number)
        self._writer.flush()
        with self._state:
            self._state.wait_for(lambda: number in self._accepted or number not in self._streams, _ACCEPT_S)
            if number not in self._accepted:
                raise ConnectionRefusedError(f"the computer refuses {service}")
            self._accepted.discard(number)
        return stream

    def _handle(self, number: int, stream: TransportStream, handler: Handler) -> None:
        try:
            self._services.handle(handler, stream)
        finally:
            stream.close()
            with self._state:
                self._streams.pop(number, None)

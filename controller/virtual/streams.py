"""Where a service's bytes go: a `Stream`, over a socket of its own or over one stream of a transport.

Owns blocking, waiting and closing. What is said over a stream is for `services`.
"""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from collections.abc import Callable
from typing import Protocol

from controller.wire.adb.connection import Connection

__all__ = ["Handler", "SocketStream", "Stream", "TransportStream", "TransportWriter", "close_socket"]

READ_SIZE = 256 * 1024
_LINGER_S = 0.5
_CONNECT_S = 5.0
MAX_UNSENT = 2 * 1024 * 1024
"""How much a service may have written that its peer has not taken, before writing waits."""


class Stream(Protocol):
    """Both directions of one service."""

    def read(self, timeout_s: float | None = None) -> bytes:
        """What came, in pieces of any size; empty once the peer closed.

        Raises:
            TimeoutError: Nothing came in time.
        """
        ...

    def write(self, data: bytes) -> None:
        """Send all of it.

        Raises:
            ConnectionError: The peer is gone.
        """
        ...

    def gone(self) -> bool:
        """Whether the peer has closed, as far as that shows without reading."""
        ...

    def close(self) -> None:
        """End the stream once its peer has what was written; closing twice does nothing."""
        ...

    def abort(self) -> None:
        """End the stream at once in both directions, as a broken connection does."""
        ...

    def open_back(self, service: str) -> Stream:
        """A stream to a service of the computer (`tcp:4000`), over the same connection.

        Raises:
            ConnectionError: The computer refuses it, or is gone.
        """
        ...


Handler = Callable[[Stream], None]
"""A service: speaks over the stream until it has said everything. The caller closes the stream."""


class SocketStream:
    """A stream that has a socket to itself, as behind the adb server's own port.

    Args:
        connection: The socket; TCP_NODELAY is set here.
    """

    def __init__(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = connection
        self._ahead = b""

    def push_back(self, data: bytes) -> None:
        """Let the next `read` begin with bytes that were read too early."""
        self._ahead = data + self._ahead

    def read(self, timeout_s: float | None = None) -> bytes:
        if self._ahead:
            ahead, self._ahead = self._ahead, b""
            return ahead
        try:
            self._socket.settimeout(timeout_s)
            return self._socket.recv(READ_SIZE)
        except TimeoutError:
            raise
        except OSError:  # reset by the peer, or closed here by another thread
            return b""

    def write(self, data: bytes) -> None:
        try:
            self._socket.settimeout(None)
            self._socket.sendall(data)
        except OSError as err:
            raise BrokenPipeError(f"the client is gone: {err}") from err

    def gone(self) -> bool:
        # An adb server ends a stream whose client has shut down one direction, too.
        try:
            readable, _, _ = select.select([self._socket], [], [], 0)
            return bool(readable) and not self._socket.recv(1, socket.MSG_PEEK)
        except (OSError, ValueError):  # closed here by another thread
            return True

    def close(self) -> None:
        # What comes after the end (a v2 shell's "standard input is closed") would make the kernel reset the connection
        # and the client lose what it has not read yet: adb's own server reads on for a moment as well.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
            self._socket.settimeout(_LINGER_S)
            while self._socket.recv(READ_SIZE):
                pass
        close_socket(self._socket)

    def abort(self) -> None:
        close_socket(self._socket)

    def open_back(self, service: str) -> Stream:
        # Who has a socket to itself speaks to the adb server of this process: the computer is this one.
        kind, _, port = service.partition(":")
        if kind != "tcp" or not port.isdecimal():
            raise ConnectionRefusedError(f"no such service on this side: {service}")
        return SocketStream(socket.create_connection(("127.0.0.1", int(port)), timeout=_CONNECT_S))


class TransportWriter:
    """The one way from a `Connection` to its socket, for all threads that have something to send.

    Whoever finds nobody sending sends everything that is due; the others go on. So the thread that reads does not wait
    for a peer that is itself waiting to be read.
    """

    def __init__(self, connection: Connection, state: threading.Condition, peer: socket.socket) -> None:
        self._connection = connection
        self._state = state
        self._socket = peer
        self._sending = threading.Lock()

    def flush(self) -> None:
        """Send what the connection has to send; a broken socket is noticed by the thread that reads it."""
        # What another thread adds while this one sends is seen by the next look, which comes after the release.
        while self._due() and self._sending.acquire(blocking=False):
            try:
                with self._state:
                    data = self._connection.to_send()
                self._socket.sendall(data)
            except OSError:
                return
            finally:
                self._sending.release()

    def _due(self) -> bool:
        with self._state:
            return self._connection.has_output


class TransportStream:
    """One of the streams of a transport.

    Args:
        number: The stream's number in `connection`.
        connection: What carries the stream; every use of it holds `state`.
        state: The transport's lock, notified on every event.
        writer: Sends what `connection` has to send.
        opener: Opens a stream to a service of the other side.
    """

    def __init__(
        self,
        number: int,
        *,
        connection: Connection,
        state: threading.Condition,
        writer: TransportWriter,
        opener: Callable[[str], Stream],
    ) -> None:
        self._number = number
        self._connection = connection
        self._state = state
        self._writer = writer
        self._opener = opener
        self._incoming = bytearray()
        self._ended = False

    def received(self, data: bytes) -> None:
        """Data came from the peer; called with `state` held."""
        self._incoming += data
        self._state.notify_all()

    def ended(self) -> None:
        """The peer closed the stream, or the transport broke; called with `state` held."""
        self._ended = True
        self._state.notify_all()

    def read(self, timeout_s: float | None = None) -> bytes:
        with self._state:
            if not self._state.wait_for(lambda: self._incoming or self._ended, timeout_s):
                raise TimeoutError
            data = bytes(self._incoming)
            self._incoming.clear()
            if data:
                self._connection.acknowledge(self._number)
        self._writer.flush()
        return data

    def write(self, data: bytes) -> None:
        with self._state:
            self._state.wait_for(lambda: self._ended or self._connection.unsent(self._number) < MAX_UNSENT)
            if self._ended:
                raise BrokenPipeError("the client closed the stream")
            self._connection.write(self._number, data)
        self._writer.flush()

    def gone(self) -> bool:
        with self._state:
            return self._ended

    def close(self) -> None:
        with self._state:
            self._ended = True
            self._connection.close(self._number)
            self._state.notify_all()
        self._writer.flush()

    def abort(self) -> None:
        self.close()

    def open_back(self, service: str) -> Stream:
        return self._opener(service)


def close_socket(connection: socket.socket) -> None:
    """Close a socket that another thread may be waiting on: the shutdown wakes it."""
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()

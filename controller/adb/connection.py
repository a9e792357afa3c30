"""One socket to an adb server. Every call has a deadline; what the bytes mean is left to the callers."""

from __future__ import annotations

import select
import socket

from controller.clock import Clock
from controller.errors import AdbFailure, AdbServerError, TimedOut

__all__ = ["CONNECT_S", "Connection", "Deadline", "connect"]

CONNECT_S = 3.0
_PIECE = 256 * 1024


class Deadline:
    """A point in time by which one whole operation must be over."""

    def __init__(self, clock: Clock, timeout_s: float, *, what: str) -> None:
        self._clock = clock
        self._until = clock.now() + timeout_s
        self.timeout_s = timeout_s
        self.what = what

    def left_s(self) -> float:
        """Seconds left.

        Raises:
            TimedOut: None are left.
        """
        left = self._until - self._clock.now()
        if left <= 0:
            raise self.missed()
        return left

    def missed(self) -> TimedOut:
        """The error that says what did not happen in time."""
        return TimedOut(
            f"{self.what}: no answer within {self.timeout_s:g} s",
            hint="look at the phone: is it awake, connected and not busy? `phonectl doctor` tries each part",
            timeout_s=self.timeout_s,
        )


class Connection:
    """A connected socket. `close` may be called any number of times."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self.closed = False

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send(self, data: bytes, deadline: Deadline) -> None:
        """Send all of `data`.

        Raises:
            AdbFailure: The peer is gone. Some of the bytes may have left.
            TimedOut: The peer takes no more.
        """
        try:
            self._socket.settimeout(deadline.left_s())
            self._socket.sendall(data)
        except TimeoutError as err:
            raise deadline.missed() from err
        except OSError as err:
            raise _lost(deadline.what, err) from err

    def receive(self, deadline: Deadline) -> bytes:
        """What has come, at least one byte; nothing at the end of the stream.

        Raises:
            AdbFailure: The connection broke.
            TimedOut: Nothing came.
        """
        try:
            self._socket.settimeout(deadline.left_s())
            return self._socket.recv(_PIECE)
        except TimeoutError as err:
            raise deadline.missed() from err
        except OSError as err:
            raise _lost(deadline.what, err) from err

    def receive_all(self, deadline: Deadline) -> bytes:
        """Everything until the peer ends the stream."""
        pieces: list[bytes] = []
        while piece := self.receive(deadline):
            pieces.append(piece)
        return b"".join(pieces)

    def stirs(self) -> bool:
        """Whether something can be read now, without waiting: bytes, or that the peer closed."""
        return self.closed or bool(select.select([self._socket], [], [], 0)[0])

    def close(self) -> None:
        """End the stream."""
        self.closed = True
        self._socket.close()


def connect(host: str, port: int, *, timeout_s: float = CONNECT_S) -> Connection:
    """A connection to an adb server.

    Raises:
        AdbServerError: Nothing listens there.
    """
    try:
        sock = socket.create_connection((host, port), timeout_s)
    except OSError as err:
        raise AdbServerError(
            f"no adb server answers at {host}:{port}: {err.strerror or err}",
            hint="start one with `adb start-server`, or name another with ANDROID_ADB_SERVER_ADDRESS and _PORT",
            host=host,
            port=port,
        ) from err
    # A request is one small packet; without this the kernel may hold it back for the peer's acknowledgement.
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Connection(sock)


def _lost(what: str, err: OSError) -> AdbFailure:
    return AdbFailure(
        f"{what}: the connection broke: {err.strerror or err}",
        hint="is the cable in and the phone on? `phonectl devices` shows what the adb server sees",
        code="connection_lost",
    )

"""uiautomator2's server as a process on the phone: when it runs, who reaches it, and how long a connection may idle.

Owns its life and its connections. What a request means is for `uiautomator`, which knows neither sockets nor time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from controller.virtual.faults import Fault
from controller.virtual.latency import Latency
from controller.virtual.streams import Stream
from controller.virtual.tracing import Tracer
from controller.virtual.uiautomator import HttpConnection, UiAutomator, hold, release

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["READY", "REFUSED", "STARTING", "UiServer"]

_HOLDER = "uiautomator2"
_LOOK_AGAIN_S = 0.2

# What the process prints; the client looks for "already registered" in it.
STARTING = b"[server] INFO: [UiAutomator2Server] Starting Server\n"
READY = (
    b'SLF4J: Failed to load class "org.slf4j.impl.StaticLoggerBinder".\n'
    b"SLF4J: Defaulting to no-operation (NOP) logger implementation\n"
    b"SLF4J: See http://www.slf4j.org/codes.html#StaticLoggerBinder for further details.\n"
)
REFUSED = (
    b"java.lang.IllegalStateException: UiAutomationService "
    b"android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@5deffd5already registered!\n"
)


class UiServer:
    """The server on one phone.

    Args:
        phone: The phone.
        lock: The phone's lock.
        trace: Told of every call.
        sleep: Waits as long as a real phone would be busy.
        latency: How long its calls take now.
    """

    def __init__(
        self,
        phone: VirtualPhone,
        lock: threading.RLock,
        *,
        trace: Tracer,
        sleep: Callable[[float], None] = time.sleep,
        latency: Callable[[], Latency | None] = lambda: None,
    ) -> None:
        self._phone = phone
        self._lock = lock
        self._sleep = sleep
        self._connections: set[Stream] = set()
        self._trace = trace
        self._latency = latency
        self._automator = _Traced(phone, trace, latency)
        self._ended: Callable[[], None] = _nothing
        self.port: int | None = None
        """Where it listens; None while it does not run."""

    def start(self, port: int, *, ended: Callable[[], None] | None = None) -> bool:
        """Let it run; False where a UiAutomation client holds the phone already.

        Args:
            port: Where it listens.
            ended: Called once when it stops, for whatever reason.
        """
        with self._lock:
            if self.port is not None or not hold(self._phone, _HOLDER, stop=self.stop):
                return False
            self._automator = _Traced(self._phone, self._trace, self._latency)
            self.port = port
            self._ended = ended or _nothing
            return True

    def stop(self) -> None:
        """End it: its port is closed and its connections break."""
        with self._lock:
            ended, self._ended = self._ended, _nothing
            if self.port is not None:
                self.port = None
                release(self._phone)
        ended()
        for stream in tuple(self._connections):
            stream.abort()

    def serve(self, stream: Stream) -> None:
        """One connection to its port, until the client or five idle seconds end it."""
        self._connections.add(stream)
        try:
            if self.port is not None:  # it may have ended after the connection was taken and before it stood in the set
                self._answer_all(stream)
        except TimeoutError:
            pass  # idle for too long
        except _Died as died:
            self.stop()
            raise ConnectionAbortedError("the server died by a fault") from died
        except _Hangs as hangs:
            self._hang(stream)
            raise ConnectionAbortedError("the client gave up on a call that hangs by a fault") from hangs
        finally:
            self._connections.discard(stream)

    def _answer_all(self, stream: Stream) -> None:
        connection = HttpConnection(self._automator)
        while not connection.closing and (data := stream.read(connection.idle_timeout_s)):
            with self._lock:
                self._phone.tick()
                answer = connection.feed(data)
            self._send(answer, stream)
            while connection.wake_in is not None:
                self._go_on(connection, stream)
            if self._automator.stop_asked:
                self.stop()

    def _go_on(self, connection: HttpConnection, stream: Stream) -> None:
        """Wait as long as the call under way asked for, and let it continue."""
        self._sleep(connection.wake_in or 0)
        with self._lock:
            if self.port is None:
                raise ConnectionAbortedError("the server ended during a call")
            self._phone.tick()
            answer = connection.poll()
        self._send(answer, stream)

    def _hang(self, stream: Stream) -> None:
        """Say nothing until the client has enough, or the fault is cleared."""
        while True:
            try:
                if not stream.read(_LOOK_AGAIN_S):
                    return
            except TimeoutError:
                if self._hang_ended():
                    return

    def _hang_ended(self) -> bool:
        fault = self._automator.hung
        return fault is not None and fault.count is None and "uiserver_hang" not in self._phone.faults.names()

    def _send(self, answer: bytes, stream: Stream) -> None:
        if not answer:
            return
        if self._phone.faults.take("cut", self._automator.asked):
            stream.write(answer[: len(answer) // 2])
            raise ConnectionAbortedError("the connection is cut by a fault")
        stream.write(answer)


class _Traced(UiAutomator):
    """The automator, telling every call it gets."""

    def __init__(self, phone: VirtualPhone, trace: Tracer, latency: Callable[[], Latency | None]) -> None:
        super().__init__(phone)
        self._tell = trace
        self._latency = latency
        self.asked = ""
        """The last call, as `when: {doing: …}` of a fault sees it."""
        self.hung: Fault | None = None
        """The fault by which it is never answered."""

    def call(self, name: str, arguments: list[Any]) -> Generator[float, None, Any]:
        self._tell("jsonrpc", {"method": name, "params": arguments})
        self.asked = f"{name} {arguments}"
        faults, latency = self.phone.faults, self._latency()
        if faults.take("uiserver_dies", self.asked):
            raise _Died
        self.hung = faults.take("uiserver_hang", self.asked)
        if self.hung is not None:
            raise _Hangs
        slow = faults.active("slow", self.asked)
        delay = float(slow.args.get("seconds", 1)) if slow is not None and "profile" not in slow.args else 0.0
        delay += latency.of_call(name) if latency is not None else 0.0
        if delay:
            yield delay
        return (yield from super().call(name, arguments))


class _Died(Exception):
    """The server is gone before it has done the call."""


class _Hangs(Exception):
    """The server never answers the call."""


def _nothing() -> None:
    """Nobody wants to know."""

"""uiautomator2's server as a process on the phone: when it runs, who reaches it, and how long a connection may idle.

Owns its life and its connections. What a request means is for `uiautomator`, which knows neither sockets nor time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from controller.virtual.streams import Stream
from controller.virtual.tracing import Tracer

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["IDLE_S", "READY", "REFUSED", "STARTING", "UiServer"]

IDLE_S = 5.0
"""NanoHTTPD, the HTTP server inside the jar, closes a kept connection after five seconds of silence."""

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
    """

    def __init__(
        self,
        phone: VirtualPhone,
        lock: threading.RLock,
        *,
        trace: Tracer,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._phone = phone
        self._lock = lock
        self._trace = trace
        self._sleep = sleep
        self._connections: set[Stream] = set()
        self.port: int | None = None
        """Where it listens; None while it does not run."""

    def start(self, port: int) -> bool:
        """Let it run; False where a UiAutomation client holds the phone already."""
        with self._lock:
            if self.port is not None or self._phone.faults.active("already_registered"):
                return False
            self.port = port
            return True

    def stop(self) -> None:
        """End it: its port is closed and its connections break."""
        self.port = None
        for stream in tuple(self._connections):
            stream.close()

    def serve(self, stream: Stream) -> None:
        """One connection to its port, until the client or five idle seconds end it."""
        self._connections.add(stream)
        try:
            self._answer_all(stream)
        except TimeoutError:
            pass  # idle for too long
        finally:
            self._connections.discard(stream)

    def _answer_all(self, stream: Stream) -> None:
        while data := stream.read(IDLE_S):
            stream.write(data)

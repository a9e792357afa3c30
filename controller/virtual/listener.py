"""A listening port on this machine with a thread for each connection that comes."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

from controller.virtual.streams import close_socket

__all__ = ["HOST", "Listener"]

HOST = "127.0.0.1"


class Listener:
    """Accepts connections until closed.

    Args:
        serve: Called in a thread of its own with each connection, which it closes.
        port: 0 takes a free one, known at once as `port`.
        name: What the threads are called.

    Raises:
        OSError: The port is taken.
    """

    def __init__(self, serve: Callable[[socket.socket], None], *, port: int = 0, name: str) -> None:
        self._serve = serve
        self._name = name
        self._socket = socket.create_server((HOST, port), backlog=128)
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, name=f"{name}-accept", daemon=True)

    def start(self) -> None:
        """Begin to accept."""
        self._thread.start()

    def close(self) -> None:
        """Close the port; connections that were accepted live on."""
        close_socket(self._socket)
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=1)

    def _accept(self) -> None:
        while True:
            try:
                peer, _ = self._socket.accept()
            except OSError:  # closed by `close`
                return
            threading.Thread(target=self._serve, args=(peer,), name=self._name, daemon=True).start()

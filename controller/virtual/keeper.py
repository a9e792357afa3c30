"""Lets faults begin and end at their time while nobody asks the phone for anything.

One thread for all phones of a server; it sleeps as long as no fault is switched on.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

from controller.virtual.services import Services

__all__ = ["FaultKeeper"]

_EVERY_S = 0.05


class FaultKeeper:
    """The thread.

    Args:
        phones: The phones' services by serial; phones may be added later.
    """

    def __init__(self, phones: Mapping[str, Services]) -> None:
        self._phones = phones
        self._woken = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._keep, name="faults", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """A fault was set."""
        self._woken.set()

    def close(self) -> None:
        """End the thread."""
        self._closed = True
        self._woken.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=1)

    def _keep(self) -> None:
        while not self._closed:
            # The event is cleared first: a fault that is set during the round makes the next one.
            self._woken.clear()
            busy = [services for services in tuple(self._phones.values()) if services.phone.faults.names()]
            for services in busy:
                with services.lock:
                    services.phone.tick()
            self._woken.wait(_EVERY_S if busy else None)

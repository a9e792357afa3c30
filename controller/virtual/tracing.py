"""What happened on a virtual phone, as dictionaries with a time.

Joins what the services saw (a service opened, a command, a call) and what the phone did (a touch, a key) into one
sequence per phone. Writing it down is `JsonLines`; what is worth telling is decided where it happens.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

__all__ = ["JsonLines", "TraceSink", "Tracer"]

TraceSink = Callable[[dict[str, Any]], None]


class Tracer:
    """Puts the time and the phone's serial on everything that is told to it.

    Args:
        sink: Where it goes, from any thread; None tells nobody.
        now: The clock of `t`.
        serial: The phone's serial.
    """

    def __init__(self, sink: TraceSink | None, *, now: Callable[[], float], serial: str) -> None:
        self._sink = sink
        self._now = now
        self._serial = serial

    def __call__(self, kind: str, data: Mapping[str, Any] | None = None) -> None:
        """Tell one event; the shape of the call is the one `VirtualPhone` uses."""
        if self._sink is not None:
            self._sink({"t": round(self._now(), 6), "serial": self._serial, "kind": kind, **(data or {})})


class JsonLines:
    """A trace sink that writes a JSON object a line, each as soon as it is known."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8")
        self._lock = threading.Lock()

    def __call__(self, event: dict[str, Any]) -> None:
        line = json.dumps(event, ensure_ascii=False, default=str) + "\n"
        with self._lock:
            if not self._file.closed:  # a client may still be talking while the phone is switched off
                self._file.write(line)
                self._file.flush()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()

"""How long a connection and a phone take, as values, and a stream that takes that long. Waits through an argument.

The figures are data (`devices/virtual/latency.yaml`, read by `store`). What is modelled is what a client can change:
round trips (adb sends one packet a stream and waits for its acknowledgement), bytes, and the start of programs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from controller.virtual.document import parse, require
from controller.virtual.streams import Stream

__all__ = ["Latency", "SlowStream", "read_latencies"]

PACKET = 256 * 1024
"""The largest payload of one adb packet in the direction of a phone's answers."""

_BUILTINS = frozenset(
    {":", "[", "cd", "echo", "eval", "exit", "export", "false", "printf", "pwd", "read", "set", "test", "true", "wait"}
)


@dataclass(frozen=True, slots=True)
class Latency:
    """One profile.

    Args:
        name: Its name.
        says: What it stands for.
        round_trip_s: A packet there and its acknowledgement back.
        bytes_per_s: What the connection carries.
        commands_s: Seconds that a command needs on the phone, by its name; `*` for those not named.
        calls_s: Seconds that a call of uiautomator2's server needs, by its method; `*` for those not named.
        sources: Where the figures are from, and which are derived.
    """

    name: str
    says: str
    round_trip_s: float
    bytes_per_s: float
    commands_s: Mapping[str, float] = field(default_factory=dict)
    calls_s: Mapping[str, float] = field(default_factory=dict)
    sources: tuple[str, ...] = ()

    def of_command(self, name: str) -> float:
        """Seconds that a shell command needs on the phone; what the shell does itself needs none."""
        return 0.0 if name in _BUILTINS else self.commands_s.get(name, self.commands_s.get("*", 0.0))

    def of_call(self, method: str) -> float:
        """Seconds that a call of uiautomator2's server needs on the phone."""
        return self.calls_s.get(method, self.calls_s.get("*", 0.0))

    def of_bytes(self, count: int, *, waits: bool) -> float:
        """Seconds until so many bytes are there.

        Args:
            count: How many.
            waits: Whether the acknowledgement of bytes sent before is waited for first.
        """
        acknowledged = math.ceil(count / PACKET) - 1 + int(waits)
        return self.round_trip_s / 2 + acknowledged * self.round_trip_s + count / self.bytes_per_s


class SlowStream:
    """A stream whose bytes take as long as the profile says.

    Args:
        stream: What carries the bytes.
        latency: The profile.
        sleep: Waits.
    """

    def __init__(self, stream: Stream, latency: Latency, sleep: Callable[[float], None]) -> None:
        self._stream = stream
        self._latency = latency
        self._sleep = sleep
        self._last = ""

    def read(self, timeout_s: float | None = None) -> bytes:
        data = self._stream.read(timeout_s)
        if data:
            self._travel(len(data), "in")
        return data

    def write(self, data: bytes) -> None:
        self._travel(len(data), "out")
        self._stream.write(data)

    def gone(self) -> bool:
        return self._stream.gone()

    def close(self) -> None:
        self._stream.close()

    def abort(self) -> None:
        self._stream.abort()

    def open_back(self, service: str) -> Stream:
        return self._stream.open_back(service)

    def _travel(self, count: int, way: str) -> None:
        # A second packet the same way waits for the acknowledgement of the first; an answer travels with it.
        self._sleep(self._latency.of_bytes(count, waits=way == self._last))
        self._last = way


def read_latencies(text: str, path: str) -> dict[str, Latency]:
    """The profiles of a document, by name.

    Raises:
        DocumentError: Something in it is wrong.
    """
    known = ("says", "round_trip_ms", "megabytes_per_s", "commands_ms", "calls_ms", "sources")
    profiles = {}
    for name, place in parse(text, path).fields().items():
        fields = place.fields(known)
        rate = require(fields, "megabytes_per_s", place)
        if rate.number() <= 0:
            rate.fail("expected more than 0")
        times = {
            key: {one: value.number(least=0) / 1000 for one, value in fields[key].fields().items()}
            for key in ("commands_ms", "calls_ms")
            if key in fields
        }
        profiles[name] = Latency(
            name,
            require(fields, "says", place).text(),
            require(fields, "round_trip_ms", place).number(least=0) / 1000,
            rate.number() * 1e6,
            times.get("commands_ms", {}),
            times.get("calls_ms", {}),
            tuple(entry.text() for entry in fields["sources"].entries()) if "sources" in fields else (),
        )
    return profiles

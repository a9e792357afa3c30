"""What a virtual phone told while a client drove it."""

from __future__ import annotations

from typing import Any

__all__ = ["Watch"]


class Watch:
    """A trace sink that keeps its events in memory."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def __call__(self, event: dict[str, Any]) -> None:
        self.events.append(event)

    def clear(self) -> None:
        """Forget what was told before."""
        self.events.clear()

    def all(self, kind: str) -> list[dict[str, Any]]:
        """The events of one kind, without time and serial."""
        return [
            {key: value for key, value in event.items() if key not in ("t", "serial", "kind")}
            for event in list(self.events)
            if event["kind"] == kind
        ]

    @property
    def commands(self) -> list[str]:
        """The shell commands that were run."""
        return [event["command"] for event in self.all("shell")]

    @property
    def services(self) -> list[str]:
        """The services that were asked for."""
        return [event["name"] for event in self.all("service")]

"""A hand on a virtual phone: finds what it sees and touches it, on a clock of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from controller.clock import ManualClock
from controller.virtual.intents import ACTION_VIEW, Intent, StartResult
from controller.virtual.phone import VirtualPhone
from controller.virtual.store import load_phone
from controller.virtual.ui import UiNode

__all__ = ["Hand"]


class Hand:
    """The default phone, just booted."""

    def __init__(self, *, android: int = 14) -> None:
        self.clock = ManualClock()
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.phone = VirtualPhone(
            load_phone("default"),
            now=self.clock.now,
            android=android,
            trace=lambda kind, data: self.events.append((kind, data)),
        )

    def wait(self, seconds: float) -> None:
        self.clock.advance(seconds)

    def nodes(self) -> Iterator[UiNode]:
        for window in self.phone.windows():
            yield from window.root.walk()

    def all(self, text: str | None = None, *, id: str | None = None) -> list[UiNode]:
        return [
            node
            for node in self.nodes()
            if (text is None or text in (node.text, node.content_desc))
            and (id is None or node.resource_id.rpartition("/")[2] == id)
        ]

    def see(self, text: str | None = None, *, id: str | None = None) -> UiNode:
        found = self.all(text, id=id)
        assert found, f"{text or id} is not among {self.texts()}"
        return found[0]

    def texts(self) -> list[str]:
        return [node.text for node in self.nodes() if node.text]

    def tap(
        self, text: str | None = None, *, id: str | None = None, hold_s: float = 0.0, then_wait: float = 0.0
    ) -> None:
        self.phone.tap(*self.see(text, id=id).bounds.center, hold_s=hold_s)
        self.wait(then_wait)

    def view(self, uri: str, *, package: str | None = None) -> StartResult:
        return self.phone.start(Intent(ACTION_VIEW, uri, package=package))

    @property
    def front(self) -> str:
        """The activity in front, short."""
        top = self.phone.top_activity()
        assert top is not None
        return top.spec.name.rpartition(".")[2]

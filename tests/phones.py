"""A session on a virtual phone whose time is in the test's hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from controller.adb.client import AdbServer
from controller.clock import Clock, ManualClock
from controller.device.phone import Phone
from controller.device.profile import Profile
from controller.library.catalog import Library, load_library
from controller.library.roots import builtin_roots
from controller.pace import Speed
from controller.session import Session
from controller.step import Progress
from controller.task import MemoryTasks, Tasks
from controller.trace import Trace
from controller.virtual import boot
from controller.virtual.server import VirtualServer

__all__ = ["BILIBILI", "Told", "library", "session_on", "virtual_phone"]

BILIBILI = "tv.danmaku.bili"
_LIBRARY: list[Library] = []


def library() -> Library:
    """The built-in library, read once."""
    if not _LIBRARY:
        _LIBRARY.append(load_library(builtin_roots()))
    return _LIBRARY[0]


class Told:
    """A trace that keeps its events in memory."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def emit(self, kind: str, **data: Any) -> None:
        self.events.append({"kind": kind, **data})

    def picture(self, name: str, png: bytes) -> str | None:
        return None

    def redact(self, *values: str) -> None:
        pass

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The events of one kind."""
        return [event for event in self.events if event["kind"] == kind]


@contextmanager
def virtual_phone(clock: Clock, **options: Any) -> Iterator[VirtualServer]:
    """A virtual phone that lives in the test's time."""
    with boot(now=clock.now, sleep=clock.sleep, **options) as server:
        yield server


@contextmanager
def session_on(
    server: VirtualServer,
    clock: Clock | None = None,
    *,
    tasks: Tasks | None = None,
    seed: int = 7,
    speed: Speed | None = None,
    trace: Trace | None = None,
    progress: Progress | None = None,
    profile: Profile | None = None,
) -> Iterator[Session]:
    """A session on a virtual phone, closed at the end."""
    clock = clock or ManualClock()
    host, _, port = server.server.rpartition(":")
    device = AdbServer(host, int(port), clock=clock).choose(serial=server.serial)
    session = Session(
        Phone(device, profile or Profile(), clock),
        library=library(),
        tasks=tasks or MemoryTasks(),
        clock=clock,
        rng=random.Random(seed),
        speed=speed,
        trace=trace,
        progress=progress,
    )
    try:
        yield session
    finally:
        session.close()

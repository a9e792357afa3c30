"""Virtual phones that are captured, and captures that are played, in the test's time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.adb.client import AdbDevice, AdbServer
from controller.capture import CaptureFolder, Film, FilmedPhone
from controller.clock import ManualClock
from controller.device.phone import Phone
from controller.device.profile import Profile
from controller.pace import Speed
from controller.session import Session
from controller.task import MemoryTasks
from controller.trace import NoTrace, Trace
from controller.virtual.captured import CapturedPhone, read_capture
from controller.virtual.server import VirtualServer
from tests.phones import library, virtual_phone

__all__ = ["device_of", "filmed", "played", "session"]


def device_of(server: VirtualServer, clock: ManualClock) -> AdbDevice:
    host, _, port = server.server.rpartition(":")
    return AdbServer(host, int(port), clock=clock).choose(serial=server.serial)


@contextmanager
def filmed(folder: Path, *hidden: str, eager: bool = False) -> Iterator[tuple[VirtualServer, FilmedPhone]]:
    """The default phone, filmed into a folder."""
    clock = ManualClock()
    film = Film(CaptureFolder(folder), hidden=hidden, eager=eager)
    with virtual_phone(clock) as server, FilmedPhone(device_of(server, clock), Profile(), clock, film=film) as phone:
        yield server, phone


@contextmanager
def played(folder: Path) -> Iterator[tuple[CapturedPhone, Phone]]:
    """The phone that a folder holds, and one to drive it with."""
    clock = ManualClock()
    captured = CapturedPhone(read_capture(folder), now=clock.now)
    with VirtualServer(captured, sleep=clock.sleep) as server:
        server.start()
        with Phone(device_of(server, clock), Profile(), clock) as phone:
            yield captured, phone


@contextmanager
def session(
    phone: Phone, *, seed: int = 7, speed: Speed | None = None, trace: Trace | None = None
) -> Iterator[Session]:
    """A session on a phone; the phone is closed with it."""
    opened = Session(
        phone,
        library=library(),
        tasks=MemoryTasks(),
        clock=phone.clock,
        rng=random.Random(seed),
        speed=speed,
        trace=trace or NoTrace(),
    )
    try:
        yield opened
    finally:
        opened.close()

"""A person drives the phone, and their way is recorded: the screen is polled, touches are read where they are told.

Owns the loop and what a person's touch means. Where no touch can be read a change is an unknown action.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from controller.adb.client import AdbDevice
from controller.adb.connection import Connection, Deadline
from controller.capture.filmed import FilmedPhone
from controller.capture.recorder import Deed, Doing
from controller.capture.touches import KEY_CODES, Glass, Key, Touch, TouchReader, read_glass, turned
from controller.clock import Clock
from controller.device.phone import Observation
from controller.errors import AdbFailure, TimedOut
from controller.screen.hierarchy import focused_field

__all__ = ["Hands", "deed_of", "open_hands", "watch"]

EVERY_S = 0.2
BEGIN_S = 3.0
_SLOP_DP, _HOLD_S, _EDGE_DP = 8, 0.4, 24
_BACK, _HOME, _RECENTS, _ENTER = 4, 3, 187, 66


class Hands(Protocol):
    """What a person has done since it was asked last."""

    def drain(self) -> Iterable[Touch | Key]:
        """The touches that have ended, the keys that were pressed."""
        ...


def watch(
    phone: FilmedPhone,
    hands: Hands | None,
    *,
    until: Callable[[], bool],
    every_s: float = EVERY_S,
) -> None:
    """Record until `until` says that it is enough.

    Args:
        phone: The phone; it is only looked at.
        hands: What is touched on it; None where it does not tell.
        until: Asked after every look.
        every_s: Seconds between two looks.
    """
    before = phone.observe()
    density = phone.film.folder.phone.density
    while not until():
        phone.clock.sleep(every_s)
        now = phone.look()
        # What has ended by now was done on the screen before; what it led to may show at this look or at a later one.
        for touch in hands.drain() if hands else ():
            deed = deed_of(touch, before, density=density, at=now.at)
            if deed is not None:
                phone.film.did(deed)
        phone.film.saw(now)
        before = now


def deed_of(touch: Touch | Key, on: Observation, *, density: int, at: float) -> Deed | None:
    """What a touch on a screen means; None for one that types on the keyboard: the field tells what was typed."""
    if isinstance(touch, Key):
        code = KEY_CODES.get(touch.name)
        return None if code is None else Deed(Doing.PRESS, key=code, at=at)
    start = turned(touch.start, size=on.size, rotation=on.rotation or 0)
    end = turned(touch.end, size=on.size, rotation=on.rotation or 0)
    if on.keyboard is not None and on.keyboard.contains(*start):
        # The action key lies at the lower right of every keyboard.
        corner = start[0] > on.size[0] * 0.8 and start[1] > on.keyboard.bottom - on.keyboard.height * 0.3
        return Deed(Doing.PRESS, key=_ENTER, at=at) if corner and focused_field(on.hierarchy) else None
    px = density / 160
    if math.dist(start, end) <= _SLOP_DP * px:
        kind = Doing.HOLD if touch.seconds >= _HOLD_S else Doing.TAP
        return Deed(kind, start=start, seconds=touch.seconds if kind is Doing.HOLD else None, at=at)
    return _gesture(start, end, touch.seconds, on, edge=_EDGE_DP * px, at=at)


def _gesture(
    start: tuple[int, int], end: tuple[int, int], seconds: float, on: Observation, *, edge: float, at: float
) -> Deed:
    """A stroke: from an edge it is the system's, else it scrolls."""
    width, height = on.size
    sideways = abs(end[0] - start[0]) > abs(end[1] - start[1])
    if sideways and (start[0] <= edge or start[0] >= width - edge):
        return Deed(Doing.PRESS, key=_BACK, at=at)
    if not sideways and start[1] >= height - edge and end[1] < start[1]:
        return Deed(Doing.PRESS, key=_RECENTS if seconds > 0.6 else _HOME, at=at)
    return Deed(Doing.SCROLL, start=start, end=end, seconds=seconds, at=at)


# ------------------------------------------------------------------------------------------------- reading the glass


@contextmanager
def open_hands(device: AdbDevice, clock: Clock) -> Iterator[Hands | None]:
    """What is touched on a phone, read while the block runs; None where adb may not read its input devices."""
    glass = read_glass(device.shell(["getevent", "-lp"]).text)
    if glass is None:
        yield None
        return
    # A shell with a terminal: getevent prints line by line into one, and in lumps of four thousand bytes elsewhere.
    connection, first = device.open("shell:getevent -lt")
    try:
        # It begins with a list of the devices: from then on nothing is missed.
        yield _Events(connection, first or _begun(connection, clock), glass, clock)
    finally:
        connection.close()


def _begun(connection: Connection, clock: Clock) -> bytes:
    try:
        return connection.receive(Deadline(clock, BEGIN_S, what="getevent"))
    except TimedOut:
        return b""


class _Events:
    def __init__(self, connection: Connection, first: bytes, glass: Glass, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock
        self._reader = TouchReader(glass)
        self._rest = first

    def drain(self) -> list[Touch | Key]:
        while self._connection.stirs():
            try:
                piece = self._connection.receive(Deadline(self._clock, 1.0, what="getevent"))
            except (AdbFailure, TimedOut):
                break
            if not piece:
                break
            self._rest += piece
        *lines, self._rest = self._rest.split(b"\n")
        found = (self._reader.feed(line.decode("utf-8", "replace")) for line in lines)
        return [touch for touch in found if touch is not None]

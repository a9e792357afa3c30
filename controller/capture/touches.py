"""A person's fingers, out of what `getevent -lt` prints. Pure; reading the stream is `watching`'s.

A phone that lets adb read its input devices tells every touch. Their numbers are those of the glass, which may count
finer than the display, and lies as the phone was built, however the picture is turned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Glass", "Key", "Touch", "TouchReader", "read_glass", "turned"]

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Glass:
    """A touch screen: its input device, and the largest numbers it gives."""

    device: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Touch:
    """One finger from down to up, in parts of the glass from 0 to 1."""

    start: tuple[float, float]
    end: tuple[float, float]
    seconds: float


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the phone itself: `BACK`, `VOLUMEUP` …"""

    name: str


# add device 4: /dev/input/event2
#   name:     "goodix_ts"
#   events:
#     ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
#                 ABS_MT_POSITION_X     : value 0, min 0, max 1079, fuzz 0, flat 0, resolution 0
#                 ABS_MT_POSITION_Y     : value 0, min 0, max 2399, fuzz 0, flat 0, resolution 0
_DEVICE = re.compile(r"^add device \d+: (\S+)", re.MULTILINE)
_RANGE = re.compile(r"ABS_MT_POSITION_([XY])\s*:.*?max (\d+)")


def read_glass(text: str) -> Glass | None:
    """The touch screen among the devices that `getevent -lp` lists; None where adb may not see it."""
    parts = _DEVICE.split(text)
    for device, lines in zip(parts[1::2], parts[2::2], strict=True):
        largest = {axis: int(number) for axis, number in _RANGE.findall(lines)}
        if largest.get("X") and largest.get("Y"):
            return Glass(device, largest["X"] + 1, largest["Y"] + 1)
    return None


# [   71534.162713] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   0000012f
# [   71534.162713] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    0000021c
# [   71534.162713] /dev/input/event2: EV_KEY       BTN_TOUCH            DOWN
# [   71534.162713] /dev/input/event2: EV_SYN       SYN_REPORT           00000000
# [   71534.241055] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff
_LINE = re.compile(r"^\[\s*(\d+\.\d+)\] (\S+?):\s+(EV_\w+)\s+(\w+)\s+(\w+)\s*$")
_LIFTED = "ffffffff"
_FINGER_KEYS = ("BTN_",)


@dataclass(slots=True)
class TouchReader:
    """Lines in, touches and keys out. Of several fingers the first one counts."""

    glass: Glass
    _now: dict[str, int] = field(default_factory=dict)
    _slot: str = "0"
    _down: tuple[float, tuple[float, float]] | None = None
    _ended: bool = False

    def feed(self, line: str) -> Touch | Key | None:
        """What is complete with this line."""
        found = _LINE.match(line.strip("\r\n"))
        if found is None:
            return None
        at, device, kind, name, value = float(found[1]), found[2], found[3], found[4], found[5]
        if kind == "EV_KEY" and not name.startswith(_FINGER_KEYS):
            return Key(name.removeprefix("KEY_")) if value == "DOWN" else None
        if device != self.glass.device:
            return None
        if kind == "EV_SYN" and name == "SYN_REPORT":
            return self._report(at)
        self._note(name, value)
        return None

    def _note(self, name: str, value: str) -> None:
        match name:
            case "ABS_MT_SLOT":
                self._slot = value.lstrip("0") or "0"
            case "ABS_MT_POSITION_X" | "ABS_MT_POSITION_Y" if self._slot == "0":
                self._now[name[-1]] = int(value, 16)
            case "ABS_MT_TRACKING_ID" if self._slot == "0":
                self._ended = value == _LIFTED
            case "BTN_TOUCH":
                self._ended = value == "UP"

    def _report(self, at: float) -> Touch | None:
        point = self._point()
        if self._ended:
            down, self._down, self._ended = self._down, None, False
            return Touch(down[1], point, round(at - down[0], 3)) if down is not None and point is not None else None
        if self._down is None and point is not None:
            self._down = at, point
        return None

    def _point(self) -> tuple[float, float] | None:
        if {"X", "Y"} - self._now.keys():
            return None
        return self._now["X"] / self.glass.width, self._now["Y"] / self.glass.height


def turned(part: tuple[float, float], *, size: tuple[int, int], rotation: int) -> Point:
    """The pixel of the display as it is turned now, for a place on the glass."""
    x, y = part
    across = {0: (x, y), 1: (y, 1 - x), 2: (1 - x, 1 - y), 3: (1 - y, x)}[rotation % 4]
    return min(size[0] - 1, int(across[0] * size[0])), min(size[1] - 1, int(across[1] * size[1]))


KEY_CODES: Mapping[str, int] = {"BACK": 4, "HOMEPAGE": 3, "HOME": 3, "APPSELECT": 187, "MENU": 82}
"""Linux' names of the keys that lead elsewhere, and Android's codes for them."""

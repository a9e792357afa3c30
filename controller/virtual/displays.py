"""Displays besides the built-in one: a cover screen, or one that the developer options simulate.

Owns which there are. Nothing is shown on them: they are what makes `mCurrentFocus=null` come first in a dump, as on
phones that fold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["ExtraDisplay", "simulated"]

_FIRST_ID = 2
# settings put global overlay_display_devices "1280x720/213;720x480/142,secure"
_DEVICE = re.compile(r"(\d{2,5})x(\d{2,5})/(\d{2,3})(?:,\w+)*")


@dataclass(frozen=True, slots=True)
class ExtraDisplay:
    """One display more. `physical` is how SurfaceFlinger and screencap name it; empty for a simulated one."""

    id: int
    width: int
    height: int
    density: int
    name: str = "Cover Screen"
    physical: str = ""


def simulated(setting: str, taken: Iterable[int]) -> list[ExtraDisplay]:
    """The displays that `overlay_display_devices` asks for."""
    number = max([*taken, _FIRST_ID - 1]) + 1
    found = [match for part in setting.split(";") if (match := _DEVICE.fullmatch(part.strip()))]
    return [
        ExtraDisplay(number + at, int(one[1]), int(one[2]), int(one[3]), name=f"Overlay #{at + 1}")
        for at, one in enumerate(found)
    ]

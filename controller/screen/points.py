"""The spaces that points are in, and whether picture, tree and display mean the same frame.

Pure arithmetic; pictures themselves are `picture`'s.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from controller.errors import UsageError

__all__ = ["Frame", "Size", "Space", "check_frame", "clamp", "to_device"]

Size = tuple[int, int]


class Space(StrEnum):
    """What the numbers of a point mean."""

    DEVICE = "device"
    """Pixels of the display."""
    IMAGE = "image"
    """Pixels of a picture that may have been made smaller."""
    FRACTION = "fraction"
    """Parts of the display, 0 to 1."""


def to_device(point: tuple[float, float], space: Space, device_size: Size, image_size: Size | None = None) -> Size:
    """The pixel of the display that a point means, inside the display.

    Raises:
        UsageError: A point of a picture without the picture's size, or a number that is none.
    """
    x, y = point
    match space:
        case Space.DEVICE:
            pass
        case Space.FRACTION:
            x, y = x * device_size[0], y * device_size[1]
        case Space.IMAGE:
            if image_size is None or not all(image_size):
                raise UsageError("a point of a picture needs the size of the picture")
            x, y = x * device_size[0] / image_size[0], y * device_size[1] / image_size[1]
    return clamp(x, y, device_size)


def clamp(x: float, y: float, size: Size) -> Size:
    """The nearest whole pixel inside the display. Never a fraction: phone libraries take 0.6 for 60 % of the screen.

    Raises:
        UsageError: A number that is none.
    """
    if not (math.isfinite(x) and math.isfinite(y)):
        raise UsageError(f"a point needs two numbers, got {x}, {y}")
    return min(max(_rounded(x), 0), size[0] - 1), min(max(_rounded(y), 0), size[1] - 1)


def _rounded(value: float) -> int:
    return math.floor(value + 0.5)


@dataclass(frozen=True, slots=True)
class Frame:
    """Whether picture, tree and display mean the same frame: `turn` the picture, or refuse points when `mismatch`."""

    turn: Literal[0, 90, 180, 270] = 0
    mismatch: str | None = None


def check_frame(
    *, display_size: Size, display_rotation: int | None, tree_rotation: int | None, image_size: Size | None
) -> Frame:
    """How a picture must be turned to lie as the display does, or why the frames do not agree.

    `display_size` is the size in the present rotation. A tree's rotation is believed only against the display's own:
    there are dumps of landscape car units with rotation 0, whose natural position is landscape.
    """
    if tree_rotation is not None and display_rotation is not None and tree_rotation != display_rotation:
        return Frame(mismatch=f"frame_mismatch: the tree is of rotation {tree_rotation}, display {display_rotation}")
    if image_size is None or image_size == display_size:
        return Frame()
    lying = image_size == display_size[::-1]
    match display_rotation:
        case 1 if lying:
            return Frame(turn=90)
        case 3 if lying:
            return Frame(turn=270)
        case _ if _similar(image_size, display_size):
            return Frame()
        case _:
            picture, display = f"{image_size[0]}x{image_size[1]}", f"{display_size[0]}x{display_size[1]}"
            return Frame(mismatch=f"frame_mismatch: the picture is {picture}, the display {display}")


def _similar(image: Size, display: Size) -> bool:
    # `wm size` may override the resolution: the picture then is the same shape in another scale.
    return abs(image[0] * display[1] - image[1] * display[0]) <= 0.02 * image[0] * display[1]

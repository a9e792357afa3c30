"""Pictures of the screen and the spaces their points are in: repair, scaling, masking, marking, comparing.

Pure functions on PNG bytes. Taking a picture, and the deadline for it, is the device's business.
"""

from __future__ import annotations

import io
import math
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from PIL import Image, ImageDraw, UnidentifiedImageError

from controller.errors import AdbFailure, UsageError
from controller.screen.hierarchy import Bounds

__all__ = [
    "Frame",
    "Space",
    "check_frame",
    "clamp",
    "is_uniform",
    "mark",
    "mask",
    "repair_png",
    "scaled_jpeg",
    "size_of",
    "to_device",
    "turned",
]

Size = tuple[int, int]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# What a shell with a terminal makes of the signature: every LF becomes CR LF, on old ones CR CR LF.
_DAMAGED = ((b"\x89PNG\r\r\n\x1a\r\n", b"\r\n"), (b"\x89PNG\r\r\r\n\x1a\r\r\n", b"\r\r\n"))
_MOST_PIXELS = 64_000_000


class Space(StrEnum):
    """What the numbers of a point mean."""

    DEVICE = "device"
    """Pixels of the display."""
    IMAGE = "image"
    """Pixels of a picture that may have been made smaller."""
    FRACTION = "fraction"
    """Parts of the display, 0 to 1."""


# ------------------------------------------------------------------------------------------------------------- bytes


def repair_png(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """The PNG inside what `screencap` wrote, and notes about what was wrong around it.

    Raises:
        AdbFailure: There is no picture in it; a black placeholder would be believed.
    """
    notes: list[str] = []
    for damaged, ending in _DAMAGED:
        if damaged in data and SIGNATURE not in data:
            data = data[data.index(damaged) :].replace(ending, b"\n")
            notes.append("line_ends_repaired")
    start = data.find(SIGNATURE)
    if start < 0:
        said = data[:200].decode("utf-8", "replace").strip()
        raise AdbFailure(
            f"the phone sent no picture: {said!r}" if said else "the phone sent an empty picture",
            hint="the screen may be off or protected; `phonectl doctor` tells",
            code="no_picture",
        )
    if start:
        # [Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display …
        before = data[:start].decode("utf-8", "replace")
        multiple = "multiple displays" in before.lower()
        notes.append("multi_display" if multiple else f"text_before: {before.strip()[:120]}")
        data = data[start:]
    width, height = size_of(data)
    if not 0 < width * height <= _MOST_PIXELS:
        raise AdbFailure(f"the phone sent a picture of {width}x{height}", code="no_picture")
    return data, tuple(notes)


def size_of(png: bytes) -> Size:
    """Width and height as the PNG's header says, without reading the rest.

    Raises:
        AdbFailure: It does not begin as a PNG does.
    """
    if not png.startswith(SIGNATURE) or png[12:16] != b"IHDR" or len(png) < 24:
        raise AdbFailure("not a PNG: no header", code="no_picture")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def is_uniform(png: bytes, *, tolerance: int = 0) -> bool:
    """Whether every pixel has the same colour: what a protected window gives."""
    extremes = _opened(png).convert("RGB").getextrema()
    return all(high - low <= tolerance for low, high in extremes)  # type: ignore[misc]  # RGB: pairs of ints


# ------------------------------------------------------------------------------------------------------------- drawing


def scaled_jpeg(png: bytes, *, long_side: int = 1000, max_base64: int = 900_000) -> tuple[bytes, Size]:
    """The picture as JPEG and its size; never bigger than before, and within `max_base64` characters as base64."""
    image = _opened(png).convert("RGB")
    side = min(long_side, max(image.size))
    while True:
        scale = side / max(image.size)
        size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
        small = image if size == image.size else image.resize(size, Image.Resampling.LANCZOS)
        for quality in (85, 70, 50, 35):
            data = _encoded(small, "JPEG", quality=quality, optimize=True)
            if (len(data) + 2) // 3 * 4 <= max_base64:
                return data, size
        if side <= 16:
            raise UsageError(f"no picture fits into {max_base64} characters")
        side = max(16, side * 3 // 4)


def mask(png: bytes, areas: Iterable[Bounds]) -> bytes:
    """The picture with each area painted over, for passwords and secrets."""
    wanted = [area for area in areas if not area.empty]
    if not wanted:
        return png
    image = _opened(png).convert("RGB")
    draw = ImageDraw.Draw(image)
    for area in wanted:
        draw.rectangle((area.left, area.top, area.right - 1, area.bottom - 1), fill=(96, 96, 96))
    return _encoded(image, "PNG")


def mark(png: bytes, area: Bounds, *, colour: tuple[int, int, int] = (230, 30, 60)) -> bytes:
    """The picture with a frame around an area, for reports."""
    image = _opened(png).convert("RGB")
    if area.empty:
        return png
    thick = max(3, max(image.size) // 300)
    box = (area.left, area.top, area.right - 1, area.bottom - 1)
    ImageDraw.Draw(image).rectangle(box, outline=colour, width=thick)
    return _encoded(image, "PNG")


def turned(png: bytes, degrees: int) -> bytes:
    """The picture turned counter-clockwise by 0, 90, 180 or 270 degrees."""
    if degrees == 0:
        return png
    way = {90: Image.Transpose.ROTATE_90, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_270}[degrees]
    return _encoded(_opened(png).transpose(way), "PNG")


# -------------------------------------------------------------------------------------------------------------- points


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

    @property
    def agrees(self) -> bool:
        return self.mismatch is None


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


def _opened(png: bytes) -> Image.Image:
    try:
        image = Image.open(io.BytesIO(png))
        if image.width * image.height > _MOST_PIXELS:
            raise AdbFailure(f"a picture of {image.width}x{image.height} is too big", code="no_picture")
        image.load()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as err:
        raise AdbFailure(f"not a readable picture: {err}", code="no_picture") from err
    return image


def _encoded(image: Image.Image, form: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()

"""Pictures of the screen: repair, scaling, masking, marking, comparing.

Pure functions on PNG bytes; Pillow is loaded when the first one is opened. What a point in a picture means is
`points`'s; taking a picture, and the deadline for it, is the device's business.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable
from typing import TYPE_CHECKING

from controller.errors import AdbFailure, UsageError
from controller.screen.hierarchy import Bounds
from controller.screen.points import Size

if TYPE_CHECKING:
    from PIL import Image

__all__ = [
    "is_uniform",
    "mask",
    "repair_png",
    "scaled_jpeg",
    "size_of",
    "turned",
]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# What a shell with a terminal makes of the signature: every LF becomes CR LF, on old ones CR CR LF.
_DAMAGED = ((b"\x89PNG\r\r\n\x1a\r\n", b"\r\n"), (b"\x89PNG\r\r\r\n\x1a\r\r\n", b"\r\r\n"))
_MOST_PIXELS = 64_000_000


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


def is_uniform(png: bytes) -> bool:
    """Whether every pixel has the same colour: what a protected window gives."""
    extremes = _opened(png).convert("RGB").getextrema()
    return all(low == high for low, high in extremes)  # type: ignore[misc]  # RGB: pairs of ints


# ------------------------------------------------------------------------------------------------------------- drawing


def scaled_jpeg(png: bytes, *, long_side: int = 1000, max_base64: int = 900_000) -> tuple[bytes, Size]:
    """The picture as JPEG and its size; never bigger than before, and within `max_base64` characters as base64."""
    from PIL.Image import Resampling

    image = _opened(png).convert("RGB")
    side = min(long_side, max(image.size))
    while True:
        scale = side / max(image.size)
        size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
        small = image if size == image.size else image.resize(size, Resampling.LANCZOS)
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
    from PIL import ImageDraw

    image = _opened(png).convert("RGB")
    draw = ImageDraw.Draw(image)
    for area in wanted:
        draw.rectangle((area.left, area.top, area.right - 1, area.bottom - 1), fill=(96, 96, 96))
    return _encoded(image, "PNG")


def turned(png: bytes, degrees: int) -> bytes:
    """The picture turned counter-clockwise by 0, 90, 180 or 270 degrees."""
    if degrees == 0:
        return png
    from PIL.Image import Transpose

    way = {90: Transpose.ROTATE_90, 180: Transpose.ROTATE_180, 270: Transpose.ROTATE_270}[degrees]
    return _encoded(_opened(png).transpose(way), "PNG")


def _opened(png: bytes) -> Image.Image:
    from PIL import Image, UnidentifiedImageError

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

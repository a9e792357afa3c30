"""A picture that is painted inside a clip: boxes with round corners, text, lines.

Owns pixels and their caches. What is painted where is for `draw`.
"""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from controller.virtual.fonts import font
from controller.virtual.ui import Rect

__all__ = ["Canvas", "Color", "is_dark", "line_width", "parse_color"]

Color = tuple[int, int, int]
_SMOOTH = 4
"""Round shapes are drawn so many times larger and made smaller, which smooths their edges."""


class Canvas:
    """One picture in the making."""

    def __init__(self, width: int, height: int, color: Color) -> None:
        self.image = Image.new("RGB", (width, height), color)
        self._draw = ImageDraw.Draw(self.image)
        self.clip = Rect(0, 0, width, height)

    def box(self, frame: Rect, color: Color, *, radius: int = 0) -> None:
        """Fill a rectangle."""
        seen = frame.intersection(self.clip)
        if seen.empty:
            return
        if radius <= 0:
            self.image.paste(color, (seen.left, seen.top, seen.right, seen.bottom))
            return
        radius = min(radius, frame.width // 2, frame.height // 2)
        self._mask(_rounded(frame.width, frame.height, radius), frame.left, frame.top, color)

    def disc(self, frame: Rect, color: Color) -> None:
        """Fill a circle or an ellipse."""
        self.box(frame, color, radius=min(frame.width, frame.height) // 2)

    def line(self, points: list[tuple[float, float]], color: Color, width: int) -> None:
        """Draw a line through points."""
        self._draw.line(points, color, width, joint="curve")

    def polygon(self, points: list[tuple[float, float]], color: Color) -> None:
        """Fill a polygon."""
        self._draw.polygon(points, color)

    def arc(self, frame: Rect, start: float, end: float, color: Color, width: int) -> None:
        """Draw a part of a circle, in degrees from three o'clock."""
        self._draw.arc((frame.left, frame.top, frame.right - 1, frame.bottom - 1), start, end, color, width)

    def text(self, text: str, x: int, top: int, color: Color, size: int, *, bold: bool = False) -> None:
        """Write one line with its box at a point."""
        mask, left, up = _written(text, size, bold)
        if mask is not None:
            self._mask(mask, x + left, top + up, color)

    def darken(self, part: float) -> None:
        """Make everything so far darker."""
        table = [round(level * (1 - part)) for level in range(256)] * 3
        self.image = self.image.point(table)
        self._draw = ImageDraw.Draw(self.image)

    def color_at(self, x: int, y: int) -> Color:
        """The colour of a pixel."""
        pixel = self.image.getpixel((x, y))
        assert isinstance(pixel, tuple)
        return int(pixel[0]), int(pixel[1]), int(pixel[2])

    def _mask(self, mask: Image.Image, left: int, top: int, color: Color) -> None:
        """Paste a colour through a mask, as far as the clip lets it."""
        whole = Rect(left, top, left + mask.width, top + mask.height)
        seen = whole.intersection(self.clip)
        if seen.empty:
            return
        if seen != whole:
            mask = mask.crop((seen.left - left, seen.top - top, seen.right - left, seen.bottom - top))
        self.image.paste(color, (seen.left, seen.top, seen.right, seen.bottom), mask)


@lru_cache(maxsize=512)
def parse_color(text: str, fallback: Color = (0, 0, 0)) -> Color:
    """`#rrggbb` as numbers."""
    digits = text.lstrip("#")
    try:
        return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
    except ValueError:
        return fallback


def is_dark(color: Color) -> bool:
    """Whether white text is legible on it."""
    red, green, blue = color
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140


def line_width(text: str, size: int, *, bold: bool = False) -> float:
    """The real width of a line in pixels."""
    return float(font(size, bold=bold).getlength(text))


@lru_cache(maxsize=2048)
def _written(text: str, size: int, bold: bool) -> tuple[Image.Image | None, int, int]:
    """A line of text as a mask, and where its corner lies from the line's own."""
    face = font(size, bold=bold)
    left, top, right, bottom = (round(number) for number in face.getbbox(text))
    if right <= left or bottom <= top:
        return None, 0, 0
    mask = Image.new("L", (right - left + 2, bottom - top + 2))
    stroke = 0.6 if bold and isinstance(face, ImageFont.FreeTypeFont) and not _has_bold() else 0
    ImageDraw.Draw(mask).text((-left, -top), text, 255, font=face, stroke_width=stroke)
    return mask, left, top


@lru_cache(maxsize=1)
def _has_bold() -> bool:
    from controller.virtual.fonts import faces

    return any(face.bold for face in faces())


@lru_cache(maxsize=256)
def _rounded(width: int, height: int, radius: int) -> Image.Image:
    """A mask of a rectangle with round, smooth corners."""
    mask = Image.new("L", (width, height), 255)
    big = Image.new("L", (radius * 2 * _SMOOTH, radius * 2 * _SMOOTH))
    ImageDraw.Draw(big).ellipse((0, 0, big.width - 1, big.height - 1), 255)
    disc = big.resize((radius * 2, radius * 2), Image.Resampling.BOX)
    for x in (0, 1):
        for y in (0, 1):
            corner = disc.crop((x * radius, y * radius, (x + 1) * radius, (y + 1) * radius))
            mask.paste(corner, (x * (width - radius), y * (height - radius)))
    return mask

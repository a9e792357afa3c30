"""A picture to paint on: boxes, shapes and text, each cut off at the clip.

Owns pixels and the caches of their masks. What is painted where is for `draw`, which glyphs a text has for `glyphs`.
"""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw, ImageFilter

from controller.virtual.glyphs import pieces
from controller.virtual.ui import Rect

__all__ = ["SMOOTH", "Canvas", "Color", "dimmed", "is_dark", "lifted", "mixed", "parse_color"]

Color = tuple[int, int, int]
SMOOTH = 4
"""Shapes are drawn so many times larger and made smaller, which smooths their edges."""


class Canvas:
    """One picture in the making. Nothing is painted outside `clip`."""

    def __init__(self, width: int, height: int, color: Color) -> None:
        self.image = Image.new("RGB", (width, height), color)
        self.clip = Rect(0, 0, width, height)

    def box(self, frame: Rect, color: Color, *, radius: int = 0) -> None:
        """Fill a rectangle, with round corners where there is a radius."""
        radius = min(radius, frame.width // 2, frame.height // 2)
        if radius <= 0:
            self._fill(frame, color)
            return
        left, top, right, bottom = frame.left, frame.top, frame.right, frame.bottom
        self._fill(Rect(left, top + radius, right, bottom - radius), color)
        self._fill(Rect(left + radius, top, right - radius, top + radius), color)
        self._fill(Rect(left + radius, bottom - radius, right - radius, bottom), color)
        corners = ((left, top), (right - radius, top), (left, bottom - radius), (right - radius, bottom - radius))
        for (x, y), corner in zip(corners, _corners(radius), strict=True):
            self.mask(corner, x, y, color)

    def disc(self, frame: Rect, color: Color) -> None:
        """Fill a circle."""
        self.box(frame, color, radius=min(frame.width, frame.height) // 2)

    def frame(self, frame: Rect, color: Color, inside: Color, *, radius: int, width: int) -> None:
        """Fill a rectangle and draw its edge."""
        self.box(frame, color, radius=radius)
        inner = Rect(frame.left + width, frame.top + width, frame.right - width, frame.bottom - width)
        self.box(inner, inside, radius=max(0, radius - width))

    def mask(self, mask: Image.Image, left: int, top: int, color: Color) -> None:
        """Paint a colour through a mask, or a picture (RGBA) as it is."""
        whole = Rect(left, top, left + mask.width, top + mask.height)
        seen = whole.intersection(self.clip)
        if seen.empty:
            return
        if seen != whole:
            mask = mask.crop((seen.left - left, seen.top - top, seen.right - left, seen.bottom - top))
        place = (seen.left, seen.top, seen.right, seen.bottom)
        if mask.mode == "L":
            self.image.paste(color, place, mask)
        else:
            self.image.paste(mask, place, mask)

    def text(self, text: str, x: int, baseline: int, color: Color, size: int, *, bold: bool = False) -> None:
        """Write one line."""
        for piece in pieces(text, size, bold=bold):
            self.mask(piece.image, x + piece.left, baseline + piece.top, color)

    def darken(self, part: float) -> None:
        """Make everything so far darker."""
        self.image = self.image.point([round(level * (1 - part)) for level in range(256)] * 3)

    def shadow(self, frame: Rect, *, radius: int, spread: int) -> None:
        """Darken softly around a rectangle, more below it than above."""
        soft = _soft(frame.width, frame.height, radius, spread)
        self.mask(soft, frame.left - 2 * spread, frame.top - 2 * spread + spread // 2, (0, 0, 0))

    def color_at(self, x: int, y: int) -> Color:
        """The colour of a pixel, of the nearest one for a point outside."""
        place = min(max(x, 0), self.image.width - 1), min(max(y, 0), self.image.height - 1)
        pixel = self.image.getpixel(place)
        assert isinstance(pixel, tuple)
        return int(pixel[0]), int(pixel[1]), int(pixel[2])

    def _fill(self, frame: Rect, color: Color) -> None:
        seen = frame.intersection(self.clip)
        if not seen.empty:
            self.image.paste(color, (seen.left, seen.top, seen.right, seen.bottom))


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


def dimmed(color: Color) -> Color:
    """What a ground becomes in the dark: white is nearly black, pale tones are deep ones, the rest stays."""
    light, vivid = (max(color) + min(color)) / 510, (max(color) - min(color)) / 255
    if light < 0.6 or vivid > 0.35:
        return color
    return mixed((20, 21, 23), color, 0.05 + (1 - light) * 0.9)


def lifted(color: Color) -> Color:
    """What a dark text becomes on a dark ground."""
    vivid = (max(color) - min(color)) / 255
    return mixed(color, (255, 255, 255), 0.45 if vivid > 0.35 else 0.8) if is_dark(color) else color


def mixed(color: Color, other: Color, part: float) -> Color:
    """A colour with a part of another in it."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(color, other, strict=True))
    return red, green, blue


@lru_cache(maxsize=64)
def _corners(radius: int) -> tuple[Image.Image, ...]:
    """The four quarters of a disc, in reading order."""
    side = radius * 2
    big = Image.new("L", (side * SMOOTH, side * SMOOTH))
    ImageDraw.Draw(big).ellipse((0, 0, big.width - 1, big.height - 1), 255)
    disc = big.reduce(SMOOTH)
    return tuple(disc.crop((x, y, x + radius, y + radius)) for y in (0, radius) for x in (0, radius))


@lru_cache(maxsize=4)
def _soft(width: int, height: int, radius: int, spread: int) -> Image.Image:
    """A blurred rectangle with room for the blur around it."""
    mask = Image.new("L", (width + 4 * spread, height + 4 * spread))
    box = (2 * spread, 2 * spread, 2 * spread + width - 1, 2 * spread + height - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius, 70)
    return mask.filter(ImageFilter.BoxBlur(spread))

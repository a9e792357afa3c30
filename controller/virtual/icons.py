"""Small drawings for the icons that screens name: an arrow, a lens, a battery; and the sign for a picture.

One function a drawing and one row a name. A name that has no drawing is written as a glyph by `draw`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw

from controller.virtual.canvas import SMOOTH

__all__ = ["ICONS", "hills", "icon"]

_INK = 255


class _Pen:
    """Draws in a square; points are parts of its side."""

    def __init__(self, size: int) -> None:
        self.side = size * SMOOTH
        self.mask = Image.new("L", (self.side, self.side))
        self._draw = ImageDraw.Draw(self.mask)
        self.width = max(SMOOTH, round(self.side / 13))

    def line(self, *points: tuple[float, float]) -> None:
        places = [self._at(*point) for point in points]
        self._draw.line(places, _INK, self.width, joint="curve")
        half = self.width / 2
        for x, y in (places[0], places[-1]):
            self._draw.ellipse((x - half, y - half, x + half, y + half), _INK)

    def fill(self, *points: tuple[float, float]) -> None:
        self._draw.polygon([self._at(*point) for point in points], _INK)

    def box(self, x: float, y: float, right: float, bottom: float, *, radius: float = 0) -> None:
        self._draw.rounded_rectangle((*self._at(x, y), *self._at(right, bottom)), radius * self.side, _INK)

    def arc(self, x: float, y: float, radius: float, start: float, end: float) -> None:
        self._draw.arc(
            (*self._at(x - radius, y - radius), *self._at(x + radius, y + radius)), start, end, _INK, self.width
        )

    def ring(self, x: float, y: float, radius: float) -> None:
        self.arc(x, y, radius, 0, 360)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return x * self.side, y * self.side


def _back(pen: _Pen) -> None:
    pen.line((0.92, 0.5), (0.1, 0.5))
    pen.line((0.45, 0.15), (0.1, 0.5), (0.45, 0.85))


def _search(pen: _Pen) -> None:
    pen.ring(0.42, 0.42, 0.3)
    pen.line((0.64, 0.64), (0.92, 0.92))


def _close(pen: _Pen) -> None:
    pen.line((0.22, 0.22), (0.78, 0.78))
    pen.line((0.78, 0.22), (0.22, 0.78))


def _plus(pen: _Pen) -> None:
    pen.ring(0.5, 0.5, 0.44)
    pen.line((0.5, 0.28), (0.5, 0.72))
    pen.line((0.28, 0.5), (0.72, 0.5))


def _more(pen: _Pen) -> None:
    for y in (0.2, 0.5, 0.8):
        pen.box(0.43, y - 0.07, 0.57, y + 0.07, radius=0.07)


def _home(pen: _Pen) -> None:
    pen.line((0.08, 0.5), (0.5, 0.12), (0.92, 0.5))
    pen.line((0.2, 0.42), (0.2, 0.88), (0.8, 0.88), (0.8, 0.42))


def _bubble(pen: _Pen) -> None:
    pen.line((0.12, 0.18), (0.88, 0.18), (0.88, 0.7), (0.5, 0.7), (0.3, 0.9), (0.3, 0.7), (0.12, 0.7), (0.12, 0.18))


def _mail(pen: _Pen) -> None:
    pen.line((0.08, 0.2), (0.92, 0.2), (0.92, 0.8), (0.08, 0.8), (0.08, 0.2))
    pen.line((0.08, 0.22), (0.5, 0.55), (0.92, 0.22))


def _bag(pen: _Pen) -> None:
    pen.line((0.18, 0.34), (0.82, 0.34), (0.88, 0.9), (0.12, 0.9), (0.18, 0.34))
    pen.arc(0.5, 0.34, 0.2, 180, 360)


def _person(pen: _Pen) -> None:
    pen.ring(0.5, 0.3, 0.2)
    pen.arc(0.5, 0.95, 0.38, 180, 360)


def _star(pen: _Pen) -> None:
    points = []
    for number in range(11):
        radius = 0.46 if number % 2 == 0 else 0.2
        angle = math.pi * number / 5 - math.pi / 2
        points.append((0.5 + radius * math.cos(angle), 0.52 + radius * math.sin(angle)))
    pen.line(*points)


def _like(pen: _Pen) -> None:
    pen.line((0.1, 0.46), (0.1, 0.88), (0.26, 0.88), (0.26, 0.46), (0.1, 0.46))
    pen.line((0.26, 0.48), (0.5, 0.1), (0.58, 0.16), (0.54, 0.42), (0.9, 0.42), (0.8, 0.88), (0.26, 0.88))


def _coin(pen: _Pen) -> None:
    pen.ring(0.5, 0.5, 0.42)
    pen.line((0.32, 0.34), (0.68, 0.34))
    pen.line((0.5, 0.34), (0.5, 0.72))


def _share(pen: _Pen) -> None:
    pen.line((0.12, 0.85), (0.2, 0.55), (0.6, 0.42))
    pen.line((0.58, 0.16), (0.92, 0.44), (0.58, 0.7), (0.58, 0.16))


def _wifi(pen: _Pen) -> None:
    for radius in (0.22, 0.42, 0.62):
        pen.arc(0.5, 0.82, radius, 225, 315)
    pen.box(0.44, 0.76, 0.56, 0.88, radius=0.06)


def _battery(pen: _Pen) -> None:
    pen.box(0.36, 0.04, 0.64, 0.14)
    pen.box(0.24, 0.12, 0.76, 0.96, radius=0.06)


def _nav_back(pen: _Pen) -> None:
    pen.line((0.74, 0.12), (0.2, 0.5), (0.74, 0.88), (0.74, 0.12))


def _nav_home(pen: _Pen) -> None:
    pen.ring(0.5, 0.5, 0.4)


def _nav_recents(pen: _Pen) -> None:
    pen.line((0.16, 0.16), (0.84, 0.16), (0.84, 0.84), (0.16, 0.84), (0.16, 0.16))


def _keyboard_down(pen: _Pen) -> None:
    pen.line((0.2, 0.38), (0.5, 0.68), (0.8, 0.38))


def _shift(pen: _Pen) -> None:
    pen.line((0.5, 0.14), (0.86, 0.5), (0.66, 0.5), (0.66, 0.84), (0.34, 0.84), (0.34, 0.5), (0.14, 0.5), (0.5, 0.14))


def _erase(pen: _Pen) -> None:
    pen.line((0.3, 0.22), (0.94, 0.22), (0.94, 0.78), (0.3, 0.78), (0.06, 0.5), (0.3, 0.22))
    pen.line((0.5, 0.38), (0.74, 0.62))
    pen.line((0.74, 0.38), (0.5, 0.62))


def _tick(pen: _Pen) -> None:
    pen.line((0.2, 0.52), (0.42, 0.72), (0.8, 0.28))


def _drop_down(pen: _Pen) -> None:
    pen.fill((0.1, 0.3), (0.9, 0.3), (0.5, 0.7))


def _ring(pen: _Pen) -> None:
    pen.ring(0.5, 0.5, 0.48)


def _ring_part(pen: _Pen) -> None:
    pen.arc(0.5, 0.5, 0.48, -90, 60)


def _gear(pen: _Pen) -> None:
    pen.ring(0.5, 0.5, 0.16)
    pen.ring(0.5, 0.5, 0.32)
    for number in range(8):
        angle = math.pi * number / 4
        x, y = math.cos(angle), math.sin(angle)
        pen.line((0.5 + 0.32 * x, 0.5 + 0.32 * y), (0.5 + 0.45 * x, 0.5 + 0.45 * y))


ICONS: Mapping[str, Callable[[_Pen], None]] = {
    "back": _back,
    "search": _search,
    "close": _close,
    "plus": _plus,
    "more": _more,
    "home": _home,
    "bubble": _bubble,
    "mail": _mail,
    "bag": _bag,
    "person": _person,
    "star": _star,
    "like": _like,
    "coin": _coin,
    "share": _share,
    "wifi": _wifi,
    "battery": _battery,
    "nav_back": _nav_back,
    "nav_home": _nav_home,
    "nav_recents": _nav_recents,
    "keyboard_down": _keyboard_down,
    "shift": _shift,
    "erase": _erase,
    "gear": _gear,
    "tick": _tick,
    "drop_down": _drop_down,
    "ring": _ring,
    "ring_part": _ring_part,
}
"""Every drawing by its name; the last ones belong to check boxes, spinners and progress."""


@lru_cache(maxsize=256)
def icon(name: str, size: int) -> Image.Image | None:
    """An icon as a mask of a square; None where no drawing has the name."""
    drawing = ICONS.get(name)
    if drawing is None or size <= 0:
        return None
    pen = _Pen(size)
    drawing(pen)
    return pen.mask.reduce(SMOOTH)


@lru_cache(maxsize=16)
def hills(width: int, height: int, radius: int) -> Image.Image:
    """Two hills as a mask for the lower part of a picture, cut off at its round corners."""
    wide, high, corner = width * 2, height * 2, radius * 2
    mask, block = Image.new("L", (wide, high)), Image.new("L", (wide, high))
    for left, peak, right, top in ((0.0, 0.32, 0.64, 0.0), (0.45, 0.7, 1.0, 0.27)):
        ImageDraw.Draw(mask).polygon([(wide * left, high), (wide * peak, high * top), (wide * right, high)], _INK)
    ImageDraw.Draw(block).rounded_rectangle((0, -2 * corner - 1, wide - 1, high - 1), corner, _INK)
    return ImageChops.multiply(mask, block).reduce(2)

"""Small drawings for the icons that screens name: an arrow, a lens, a battery.

One function a drawing and one row a name. A name that has no drawing is written as a glyph by `draw`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from controller.virtual.canvas import Canvas, Color
from controller.virtual.ui import Rect

__all__ = ["ICONS", "draw_icon"]


class _Pen:
    """Points in parts of the icon's square."""

    def __init__(self, canvas: Canvas, frame: Rect, color: Color) -> None:
        self.canvas, self.color = canvas, color
        self.size = max(8, round(min(frame.width, frame.height) * (0.62 if frame.width > 90 else 0.86)))
        x, y = frame.center
        self.left, self.top = x - self.size / 2, y - self.size / 2
        self.width = max(2, round(self.size / 12))

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.left + x * self.size, self.top + y * self.size

    def line(self, *points: tuple[float, float]) -> None:
        self.canvas.line([self.at(*point) for point in points], self.color, self.width)

    def fill(self, *points: tuple[float, float]) -> None:
        self.canvas.polygon([self.at(*point) for point in points], self.color)

    def box(self, x: float, y: float, right: float, bottom: float, *, radius: float = 0) -> None:
        (left, top), (end, low) = self.at(x, y), self.at(right, bottom)
        self.canvas.box(
            Rect(round(left), round(top), round(end), round(low)), self.color, radius=round(radius * self.size)
        )

    def arc(self, x: float, y: float, radius: float, start: float, end: float) -> None:
        left, top = self.at(x - radius, y - radius)
        right, bottom = self.at(x + radius, y + radius)
        frame = Rect(round(left), round(top), round(right), round(bottom))
        self.canvas.arc(frame, start, end, self.color, self.width)

    def ring(self, x: float, y: float, radius: float) -> None:
        self.arc(x, y, radius, 0, 360)


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
}
"""Every drawing by its name."""


def draw_icon(canvas: Canvas, name: str, frame: Rect, color: Color) -> bool:
    """Draw an icon into a frame; False where no drawing has the name."""
    drawing = ICONS.get(name)
    if drawing is None:
        return False
    drawing(_Pen(canvas, frame, color))
    return True

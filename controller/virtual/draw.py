"""The screen as a picture that a person recognises.

Owns how each kind of element looks. It reads a phone and changes nothing; what lies where was decided by `layout`. An
unchanged screen comes from a cache.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from PIL import Image

from controller.virtual.canvas import Canvas, Color, is_dark, line_width, parse_color
from controller.virtual.fonts import font_note
from controller.virtual.icons import draw_icon
from controller.virtual.metrics import LINE_HEIGHT, wrap
from controller.virtual.ui import Rect, UiNode, Window, WindowKind

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Scene", "draw", "encode_png", "font_note", "paint", "png", "scene"]

_BLACK, _WHITE, _INK, _FAINT = (0, 0, 0), (255, 255, 255), (32, 33, 36), (154, 160, 166)
_OFF, _ON = (189, 193, 198), (26, 115, 232)
_SCRIM = 0.45
_BARS = frozenset({WindowKind.STATUS_BAR, WindowKind.NAVIGATION_BAR})


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a picture depends on."""

    width: int
    height: int
    density: int
    lit: bool
    windows: tuple[Window, ...]
    """From the bottom up."""


def scene(phone: VirtualPhone) -> Scene:
    """What there is to draw now."""
    windows = tuple(reversed(phone.window_stack()))
    return Scene(*phone.size, phone.density, phone.screen_on, windows)


def draw(phone: VirtualPhone) -> Image.Image:
    """The screen as an image; a caller may not change it."""
    return _image(scene(phone))


def png(phone: VirtualPhone) -> bytes:
    """The screen as PNG."""
    return _png(scene(phone))


def encode_png(image: Image.Image) -> bytes:
    """An RGB image as PNG, packed fast rather than small.

    Every row is left unfiltered: flat screens pack well that way, and it is several times faster than trying filters.
    """
    row = image.width * 3
    data = image.tobytes()
    lines = b"".join([b"\0" + data[start : start + row] for start in range(0, len(data), row)])
    header = struct.pack(">IIBBBBB", image.width, image.height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in chunks)


def paint(scene: Scene) -> Image.Image:
    """A new picture of a scene."""
    canvas = Canvas(scene.width, scene.height, _BLACK)
    if not scene.lit:
        return canvas.image
    painter = _Painter(canvas, scene.density / 160)
    for number, window in enumerate(scene.windows):
        if number and (window.kind is WindowKind.DIALOG or window.translucent):
            canvas.darken(_SCRIM)
        painter.window(window)
    return canvas.image


@lru_cache(maxsize=4)
def _image(scene: Scene) -> Image.Image:
    return paint(scene)


@lru_cache(maxsize=32)
def _png(scene: Scene) -> bytes:
    return encode_png(_image(scene))


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


class _Painter:
    """Paints nodes onto a canvas."""

    def __init__(self, canvas: Canvas, scale: float) -> None:
        self.canvas = canvas
        self.scale = scale
        self.ink: Color = _INK
        self._whole = canvas.clip

    def px(self, dp: float) -> int:
        return round(dp * self.scale)

    def window(self, window: Window) -> None:
        """Paint a window; a secure one is black in every picture."""
        self.canvas.clip = window.frame.intersection(self._whole)
        if window.secure:
            self.canvas.box(window.frame, _BLACK)
            return
        x, y = window.frame.left + 2, window.frame.top + 2
        behind = self.canvas.color_at(min(x, self._whole.right - 1), min(y, self._whole.bottom - 1))
        self.ink = _WHITE if window.kind in _BARS and is_dark(behind) else _INK
        if window.translucent:
            for child in window.root.children:
                self.node(child)
        else:
            self.node(window.root)

    def node(self, node: UiNode) -> None:
        """Paint a node and all in it."""
        clip, self.canvas.clip = self.canvas.clip, node.bounds.intersection(self.canvas.clip)
        if not self.canvas.clip.empty:
            self.background(node)
            _LOOKS.get(node.kind, _plain)(self, node)
            for child in node.children:
                self.node(child)
        self.canvas.clip = clip

    def background(self, node: UiNode) -> None:
        style = node.style
        if not style.background or node.kind == "tab":
            return
        color = parse_color(style.background)
        if not node.enabled and node.kind == "button":
            color = (218, 220, 224)
        self.canvas.box(node.frame, color, radius=self.px(style.radius))

    def color_of(self, node: UiNode) -> Color:
        style = node.style
        if not node.enabled:
            return _FAINT
        if node.selected and style.accent:
            return parse_color(style.accent)
        return parse_color(style.color) if style.color else self.ink

    def lines(self, node: UiNode, text: str, color: Color, *, room: Rect | None = None, align: str = "") -> None:
        """Write a text into a frame, broken as the layout broke it."""
        if not text:
            return
        frame, style = room or node.frame, node.style
        size = style.size * self.scale
        rows = wrap(text, size, max(1, frame.width), style.max_lines)
        step = round(size * LINE_HEIGHT)
        top = frame.top + max(0, (frame.height - step * len(rows)) // 2)
        for number, row in enumerate(rows):
            self.line(row, frame, top + number * step, step, color, size, bold=style.bold, align=align or style.align)

    def line(
        self, text: str, frame: Rect, top: int, step: int, color: Color, size: float, *, bold: bool, align: str
    ) -> None:
        """Write one line; where the font is wider than the layout thought, it is written smaller."""
        pixels = max(6, round(size))
        width = line_width(text, pixels, bold=bold)
        if width > frame.width > 0:
            pixels = max(6, int(pixels * frame.width / width))
            width = line_width(text, pixels, bold=bold)
        space = max(0, round(frame.width - width))
        x = frame.left + {"center": space // 2, "end": space}.get(align, 0)
        # The glyphs of a CJK font stand 0.12 em lower in their line than half the leading
        self.canvas.text(text, x, top + (step - pixels) // 2 - round(pixels * 0.18), color, pixels, bold=bold)


def _inner(painter: _Painter, node: UiNode, sideways: float, down: float = 0) -> Rect:
    x, y = painter.px(sideways), painter.px(down)
    return Rect(node.frame.left + x, node.frame.top + y, node.frame.right - x, node.frame.bottom - y)


def _plain(painter: _Painter, node: UiNode) -> None:
    """A box: its background is all there is."""


def _text(painter: _Painter, node: UiNode) -> None:
    left, top, right, bottom = (painter.px(number) for number in node.padding)
    frame = node.frame
    room = Rect(frame.left + left, frame.top + top, frame.right - right, frame.bottom - bottom)
    painter.lines(node, node.text, painter.color_of(node), room=room)


def _button(painter: _Painter, node: UiNode) -> None:
    painter.lines(node, node.text, painter.color_of(node), align="center")


def _image_block(painter: _Painter, node: UiNode) -> None:
    background = parse_color(node.style.background, (207, 216, 220))
    color = (
        parse_color(node.style.color)
        if node.style.color
        else ((255, 255, 255) if is_dark(background) else (84, 99, 110))
    )
    if draw_icon(painter.canvas, node.label, node.frame, color):
        return
    if node.frame.height > painter.px(60) and node.style.radius < 20:
        _hills(painter, node, background)
    painter.lines(node, node.label, color, room=_inner(painter, node, 3), align="center")


def _hills(painter: _Painter, node: UiNode, background: Color) -> None:
    """The sign for a picture: hills and a sun, a little darker than the block."""
    frame, canvas = node.frame, painter.canvas
    shade = tuple(round(part * 0.88) for part in background)
    light = tuple(min(255, round(part * 1.08) + 6) for part in background)
    dark: Color = (shade[0], shade[1], shade[2])
    sun: Color = (light[0], light[1], light[2])
    low, high = min(frame.bottom, canvas.clip.bottom), frame.bottom - round(frame.height * 0.45)
    if low == frame.bottom and frame.top >= canvas.clip.top:
        canvas.polygon(
            [
                (frame.left, low - 1),
                (frame.left + frame.width * 0.32, high),
                (frame.left + frame.width * 0.64, low - 1),
            ],
            dark,
        )
        canvas.polygon(
            [
                (frame.left + frame.width * 0.45, low - 1),
                (frame.left + frame.width * 0.7, high + frame.height * 0.12),
                (frame.right - 1, low - 1),
            ],
            dark,
        )
    size = round(frame.height * 0.16)
    x, y = frame.left + round(frame.width * 0.78), frame.top + round(frame.height * 0.14)
    canvas.disc(Rect(x, y, x + size, y + size), sun)


def _icon(painter: _Painter, node: UiNode) -> None:
    color = painter.color_of(node)
    if not draw_icon(painter.canvas, node.label, node.frame, color):
        painter.lines(node, node.label, color, align="center")


def _tab(painter: _Painter, node: UiNode) -> None:
    color = painter.color_of(node)
    frame = node.frame
    if node.label:
        middle = frame.top + round(frame.height * 0.62)
        icon = Rect(frame.left, frame.top + painter.px(5), frame.right, middle)
        if not draw_icon(painter.canvas, node.label, icon, color):
            painter.lines(node, node.label, color, room=icon, align="center")
        painter.lines(node, node.text, color, room=Rect(frame.left, middle, frame.right, frame.bottom), align="center")
        return
    painter.lines(node, node.text, color, align="center")
    if node.selected:
        x, half = frame.center[0], painter.px(12)
        bar = Rect(x - half, frame.bottom - painter.px(5), x + half, frame.bottom - painter.px(2))
        painter.canvas.box(bar, color, radius=painter.px(1.5))


def _field(painter: _Painter, node: UiNode) -> None:
    room = _inner(painter, node, 12)
    color = painter.color_of(node) if node.label else _FAINT
    painter.lines(node, node.label or node.hint, color, room=room)
    if node.focused:
        size = node.style.size * painter.scale
        rows = wrap(node.label, size, max(1, room.width), node.style.max_lines) if node.label else ("",)
        x = min(room.right, room.left + round(line_width(rows[-1], max(6, round(size)))))
        high = round(size * 1.2)
        y = node.frame.center[1] + round((len(rows) - 1) * size * LINE_HEIGHT / 2)
        painter.canvas.box(Rect(x + 2, y - high // 2, x + 2 + painter.px(1.5), y + high // 2), _ON)
        edge = node.frame
        painter.canvas.box(Rect(edge.left, edge.bottom - painter.px(2), edge.right, edge.bottom), _ON)


def _check(painter: _Painter, node: UiNode) -> None:
    side, y = painter.px(20), node.frame.center[1]
    x = node.frame.left + painter.px(4)
    square = Rect(x, y - side // 2, x + side, y + side // 2)
    round_ = side // 2 if node.kind == "radio" else painter.px(3)
    painter.canvas.box(square, _ON if node.checked else _FAINT, radius=round_)
    edge = painter.px(2)
    if not node.checked:
        inside = Rect(square.left + edge, square.top + edge, square.right - edge, square.bottom - edge)
        painter.canvas.box(inside, _WHITE, radius=max(0, round_ - edge))
    elif node.kind == "radio":
        dot = side // 3
        painter.canvas.disc(Rect(x + dot, y - dot // 2, x + 2 * dot, y + dot // 2 + 1), _WHITE)
    else:
        points = [(x + side * 0.22, y), (x + side * 0.42, y + side * 0.2), (x + side * 0.78, y - side * 0.22)]
        painter.canvas.line(points, _WHITE, painter.px(2.4))
    frame = node.frame
    room = Rect(frame.left + painter.px(32), frame.top, frame.right, frame.bottom)
    painter.lines(node, node.text, painter.color_of(node), room=room)


def _switch(painter: _Painter, node: UiNode) -> None:
    frame = _inner(painter, node, 2, 4)
    painter.canvas.box(frame, _ON if node.checked else _OFF, radius=frame.height // 2)
    edge, knob = painter.px(3), frame.height - 2 * painter.px(3)
    x = frame.right - edge - knob if node.checked else frame.left + edge
    painter.canvas.disc(Rect(x, frame.top + edge, x + knob, frame.top + edge + knob), _WHITE)


def _spinner(painter: _Painter, node: UiNode) -> None:
    room = _inner(painter, node, 12)
    painter.lines(node, node.text, painter.color_of(node), room=Rect(room.left, room.top, room.right, room.bottom))
    x, y = node.frame.right - painter.px(14), node.frame.center[1]
    half = painter.px(5)
    painter.canvas.polygon(
        [(x - half, y - half / 2), (x + half, y - half / 2), (x, y + half / 2)], painter.color_of(node)
    )


def _seek(painter: _Painter, node: UiNode) -> None:
    frame = _inner(painter, node, 8)
    y, thick = frame.center[1], painter.px(2)
    x = frame.left + round(frame.width * node.progress)
    painter.canvas.box(Rect(frame.left, y - thick, frame.right, y + thick), _OFF, radius=thick)
    painter.canvas.box(Rect(frame.left, y - thick, x, y + thick), _ON, radius=thick)
    knob = painter.px(9)
    painter.canvas.disc(Rect(x - knob, y - knob, x + knob, y + knob), _ON)


def _progress(painter: _Painter, node: UiNode) -> None:
    frame = node.frame
    if node.progress:
        painter.canvas.box(frame, (218, 220, 224), radius=frame.height // 2)
        done = Rect(frame.left, frame.top, frame.left + round(frame.width * node.progress), frame.bottom)
        painter.canvas.box(done, _ON, radius=frame.height // 2)
    else:
        ring = _inner(painter, node, 4, 4)
        painter.canvas.arc(ring, 0, 360, (218, 220, 224), painter.px(4))
        painter.canvas.arc(ring, -90, 60, _ON, painter.px(4))


def _key(painter: _Painter, node: UiNode) -> None:
    color = painter.color_of(node)
    middle, half = node.frame.center, painter.px(12)
    square = Rect(middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half)
    if not draw_icon(painter.canvas, node.label, square, color):
        painter.lines(node, node.label, color, align="center")


_LOOKS: Mapping[str, Callable[[_Painter, UiNode], None]] = {
    "text": _text,
    "button": _button,
    "image": _image_block,
    "icon": _icon,
    "tab": _tab,
    "field": _field,
    "check": _check,
    "radio": _check,
    "switch": _switch,
    "spinner": _spinner,
    "seek": _seek,
    "progress": _progress,
    "key": _key,
}
"""How each kind of element looks; all others are boxes."""

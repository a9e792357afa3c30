"""How each kind of element looks.

Owns shapes, colours and the place of text in its frame. What lies where was decided by `layout`, and which windows are
painted in which order is for `draw`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from controller.virtual.canvas import Canvas, Color, dimmed, is_dark, lifted, mixed, parse_color
from controller.virtual.glyphs import line_width
from controller.virtual.icons import hills, icon
from controller.virtual.metrics import LINE_HEIGHT, text_width, wrap
from controller.virtual.ui import Rect, UiNode

__all__ = ["Painter"]

_BLACK, _WHITE, _INK, _FAINT = (0, 0, 0), (255, 255, 255), (32, 33, 36), (154, 160, 166)
_OFF, _ON, _TRACK = (189, 193, 198), (26, 115, 232), (218, 220, 224)
_ICON_DP, _SCENERY_DP = 24, 60
_MIDDLE = 0.37
"""How far above its baseline the middle of a text lies, in parts of the text size, in Latin and in Chinese."""
_LENGTH = re.compile(r"\d{1,2}(:\d\d){1,2}")
"""The label of a picture that stands for a video: `08:12`."""


class Painter:
    """Paints nodes onto a canvas.

    Args:
        canvas: Where to.
        scale: Pixels a dp.
        night: Whether the system is dark: grounds are dimmed, texts on them lifted, pictures stay.
    """

    def __init__(self, canvas: Canvas, scale: float, *, night: bool = False) -> None:
        self.canvas = canvas
        self.scale = scale
        self.night = night
        self.ink: Color = _INK

    def on(self, color: Color) -> None:
        """What follows lies on this colour: text without a colour of its own is dark or light accordingly."""
        self.ink = _WHITE if is_dark(color) else _INK

    def px(self, dp: float) -> int:
        """Pixels of a length."""
        return round(dp * self.scale)

    def node(self, node: UiNode) -> None:
        """Paint a node and all in it, cut off where its parents end."""
        clip, ink = self.canvas.clip, self.ink
        self.canvas.clip = node.bounds.intersection(clip)
        if not self.canvas.clip.empty:
            self._background(node)
            _LOOKS.get(node.kind, _plain)(self, node)
            if node.focused and node.kind != "field":
                self._edge(node.frame)
            for child in node.children:
                self.node(child)
        self.canvas.clip, self.ink = clip, ink

    def _background(self, node: UiNode) -> None:
        style = node.style
        if node.kind == "tab" or not style.background:
            return
        color = self.ground(style.background, picture=node.kind == "image")
        if node.kind == "button" and not node.enabled:
            color = dimmed(_TRACK) if self.night else _TRACK
        radius = self.px(style.radius)
        if node.kind == "field" and node.focused:
            self.canvas.frame(node.frame, _ON, color, radius=radius, width=self.px(1.5))
        else:
            self.canvas.box(node.frame, color, radius=radius)
        self.on(color)

    def _edge(self, frame: Rect) -> None:
        """Where the keys stand."""
        wide = self.px(2)
        left, top, right, bottom = frame.left, frame.top, frame.right, frame.bottom
        for side in (
            Rect(left, top, right, top + wide),
            Rect(left, bottom - wide, right, bottom),
            Rect(left, top, left + wide, bottom),
            Rect(right - wide, top, right, bottom),
        ):
            self.canvas.box(side, _ON)

    def color_of(self, node: UiNode) -> Color:
        """The colour of a node's text."""
        style = node.style
        if not node.enabled:
            return _FAINT
        named = style.accent if node.selected and style.accent else style.color
        color = parse_color(named) if named else self.ink
        return lifted(color) if self.night and self.ink == _WHITE else color

    def ground(self, named: str, *, picture: bool = False) -> Color:
        """The colour of what others lie on."""
        color = parse_color(named)
        return dimmed(color) if self.night and not picture else color

    def room(self, node: UiNode) -> Rect:
        """The frame of a node without its padding."""
        left, top, right, bottom = (self.px(length) for length in node.padding)
        frame = node.frame
        return Rect(frame.left + left, frame.top + top, frame.right - right, frame.bottom - bottom)

    def middle(self, frame: Rect, dp: float) -> Rect:
        """A square in the middle of a frame."""
        (x, y), side = frame.center, self.px(dp)
        return Rect(x - side // 2, y - side // 2, x - side // 2 + side, y - side // 2 + side)

    def icon(self, name: str, frame: Rect, color: Color, *, part: float = 0.86, most_dp: float = _ICON_DP) -> bool:
        """Draw an icon in the middle of a frame; False where no drawing has the name."""
        size = min(round(min(frame.width, frame.height) * part), self.px(most_dp))
        mask = icon(name, size)
        if mask is not None:
            x, y = frame.center
            self.canvas.mask(mask, x - size // 2, y - size // 2, color)
        return mask is not None

    def lines(self, node: UiNode, text: str, color: Color, room: Rect, *, align: str = "", top: bool = False) -> None:
        """Write a text into a room, broken as the layout broke it; in its middle or from its top."""
        if not text:
            return
        size = node.style.size * self.scale
        rows = wrap(text, size, max(1, room.width), node.style.max_lines)
        step = size * LINE_HEIGHT
        y = room.top if top else room.top + (room.height - step * len(rows)) / 2
        for number, row in enumerate(rows):
            self._line(node, row, room, y + (number + 0.5) * step, color, align or node.style.align)

    def _line(self, node: UiNode, text: str, room: Rect, middle: float, color: Color, align: str) -> None:
        """Write one line; where the font is wider than the layout thought, it is written smaller."""
        bold, size = node.style.bold, self.text_size(node)
        width = line_width(text, size, bold=bold)
        if width > room.width > 0:
            size = max(6, int(size * room.width / width))
            width = line_width(text, size, bold=bold)
        space = max(0, round(room.width - width))
        x = room.left + {"center": space // 2, "end": space}.get(align, 0)
        self.canvas.text(text, x, round(middle + size * _MIDDLE), color, size, bold=bold)

    def text_size(self, node: UiNode) -> int:
        """Pixels of a node's text."""
        return max(6, round(node.style.size * self.scale))


def _plain(painter: Painter, node: UiNode) -> None:
    """A box: its background is all there is."""


def _text(painter: Painter, node: UiNode) -> None:
    painter.lines(node, node.text, painter.color_of(node), painter.room(node), top=True)


def _button(painter: Painter, node: UiNode) -> None:
    painter.lines(node, node.text, painter.color_of(node), node.frame, align="center")


def _image(painter: Painter, node: UiNode) -> None:
    background, frame = parse_color(node.style.background, (207, 216, 220)), node.frame
    dark = is_dark(background)
    color = parse_color(node.style.color) if node.style.color else _WHITE if dark else (84, 99, 110)
    if painter.icon(node.label, frame, color, part=0.6, most_dp=96):
        return
    radius = min(painter.px(node.style.radius), frame.width // 2, frame.height // 2)
    if frame.height >= painter.px(_SCENERY_DP) and radius < frame.height // 3:
        _scenery(painter, frame, background, radius)
    if _LENGTH.fullmatch(node.label):
        _corner(painter, node)
    else:
        edge = painter.px(3)
        room = Rect(frame.left + edge, frame.top, frame.right - edge, frame.bottom)
        painter.lines(node, node.label, color, room, align="center")


def _scenery(painter: Painter, frame: Rect, background: Color, radius: int) -> None:
    """The sign for a picture: hills and a sun, in the shades of its block."""
    dark, high = is_dark(background), round(frame.height * 0.45)
    shade = mixed(background, _WHITE if dark else _BLACK, 0.1)
    painter.canvas.mask(hills(frame.width, high, radius), frame.left, frame.bottom - high, shade)
    x, y, side = frame.left + round(frame.width * 0.78), frame.top + round(frame.height * 0.14), frame.height // 6
    painter.canvas.disc(Rect(x, y, x + side, y + side), mixed(background, _WHITE, 0.2 if dark else 0.45))


def _corner(painter: Painter, node: UiNode) -> None:
    """The length of a video in the corner of its picture."""
    frame, edge = node.frame, painter.px(5)
    size = painter.text_size(node)
    wide, high = round(line_width(node.label, size)) + 2 * edge, round(size * 1.4)
    right, bottom = frame.right - edge, frame.bottom - edge
    plate = Rect(right - wide, bottom - high, right, bottom)
    painter.canvas.box(plate, (60, 64, 67), radius=painter.px(3))
    painter.lines(node, node.label, _WHITE, plate, align="center")


def _icon(painter: Painter, node: UiNode) -> None:
    color = painter.color_of(node)
    if not painter.icon(node.label, node.frame, color):
        painter.lines(node, node.label, color, node.frame, align="center")


def _tab(painter: Painter, node: UiNode) -> None:
    color, frame = painter.color_of(node), node.frame
    if node.label:
        middle = frame.top + round(frame.height * 0.62)
        above = Rect(frame.left, frame.top + painter.px(5), frame.right, middle)
        if not painter.icon(node.label, above, color):
            painter.lines(node, node.label, color, above, align="center")
        below = Rect(frame.left, middle, frame.right, frame.bottom)
        painter.lines(node, node.text, color, below, align="center")
        return
    painter.lines(node, node.text, color, frame, align="center")
    if node.selected:
        x, half = frame.center[0], painter.px(12)
        bar = Rect(x - half, frame.bottom - painter.px(5), x + half, frame.bottom - painter.px(2))
        painter.canvas.box(bar, color, radius=painter.px(1.5))


def _field(painter: Painter, node: UiNode) -> None:
    room, size = painter.room(node), node.style.size * painter.scale
    shown = _end_of(node.label, size, room.width) if node.focused and node.style.max_lines == 1 else node.label
    if node.password and shown:
        end = _dots(painter, node, len(shown), room)
    else:
        painter.lines(node, shown or node.hint, painter.color_of(node) if shown else _FAINT, room)
        rows = wrap(shown, size, max(1, room.width), node.style.max_lines)
        below = round((len(rows) - 1) * size * LINE_HEIGHT / 2)
        width = line_width(rows[-1], painter.text_size(node), bold=node.style.bold)
        end = room.left + round(width), room.center[1] + below
    if node.focused:
        _caret(painter, min(end[0], room.right), end[1], size)


def _dots(painter: Painter, node: UiNode, count: int, room: Rect) -> tuple[int, int]:
    """A password; fonts have the bullet in too many sizes. Where it ends."""
    y, step = room.center[1], painter.text_size(node) * 0.56
    half = round(step * 0.3)
    for number in range(count):
        x = room.left + round((number + 0.5) * step)
        painter.canvas.disc(Rect(x - half, y - half, x + half, y + half), painter.color_of(node))
    return room.left + round(count * step), y


def _caret(painter: Painter, x: int, y: int, size: float) -> None:
    """The cursor, behind the text: where it stands within is not known here."""
    left, half = x + painter.px(1), round(size * 0.6)
    painter.canvas.box(Rect(left, y - half, left + painter.px(1.5), y + half), _ON)


def _end_of(text: str, size: float, width: int) -> str:
    """As much of the end of a text as fits: a field shows where the cursor is."""
    while text and text_width(text, size) > width:
        text = text[1:]
    return text


def _check(painter: Painter, node: UiNode) -> None:
    side, y, edge = painter.px(20), node.frame.center[1], painter.px(2)
    x = node.frame.left + painter.px(4)
    square = Rect(x, y - side // 2, x + side, y - side // 2 + side)
    is_round = node.kind == "radio"
    radius = side // 2 if is_round else painter.px(3)
    behind = painter.canvas.color_at(*square.center)
    if is_round or not node.checked:
        painter.canvas.frame(square, _ON if node.checked else _FAINT, behind, radius=radius, width=edge)
        if node.checked:
            painter.canvas.disc(painter.middle(square, 10), _ON)
    else:
        painter.canvas.box(square, _ON, radius=radius)
        painter.icon("tick", square, _WHITE, part=1)
    painter.lines(node, node.text, painter.color_of(node), painter.room(node))


def _switch(painter: Painter, node: UiNode) -> None:
    frame, edge = node.frame, painter.px(3)
    track = Rect(
        frame.left + painter.px(2), frame.top + painter.px(4), frame.right - painter.px(2), frame.bottom - painter.px(4)
    )
    painter.canvas.box(track, _ON if node.checked else _OFF, radius=track.height // 2)
    knob = track.height - 2 * edge
    x = track.right - edge - knob if node.checked else track.left + edge
    painter.canvas.disc(Rect(x, track.top + edge, x + knob, track.top + edge + knob), _WHITE)


def _spinner(painter: Painter, node: UiNode) -> None:
    color, frame = painter.color_of(node), node.frame
    painter.lines(node, node.text, color, painter.room(node))
    painter.icon(
        "drop_down", Rect(frame.right - painter.px(26), frame.top, frame.right, frame.bottom), color, most_dp=12
    )


def _seek(painter: Painter, node: UiNode) -> None:
    frame, y, half = node.frame, node.frame.center[1], painter.px(2)
    left, right = frame.left + painter.px(8), frame.right - painter.px(8)
    x = left + round((right - left) * node.progress)
    painter.canvas.box(Rect(left, y - half, right, y + half), _OFF, radius=half)
    painter.canvas.box(Rect(left, y - half, x, y + half), _ON, radius=half)
    painter.canvas.disc(painter.middle(Rect(x, y, x, y), 18), _ON)


def _progress(painter: Painter, node: UiNode) -> None:
    frame = node.frame
    if node.progress:
        painter.canvas.box(frame, _TRACK, radius=frame.height // 2)
        done = Rect(frame.left, frame.top, frame.left + round(frame.width * node.progress), frame.bottom)
        painter.canvas.box(done, _ON, radius=frame.height // 2)
        return
    painter.icon("ring", frame, _TRACK, part=0.8, most_dp=48)
    painter.icon("ring_part", frame, _ON, part=0.8, most_dp=48)


def _key(painter: Painter, node: UiNode) -> None:
    color = painter.color_of(node)
    if not painter.icon(node.label, node.frame, color, part=0.5):
        painter.lines(node, node.label, color, node.frame, align="center")


_LOOKS: Mapping[str, Callable[[Painter, UiNode], None]] = {
    "text": _text,
    "button": _button,
    "image": _image,
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
"""Kind → look; what is missing is a box."""

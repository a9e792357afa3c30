"""The screen as a picture that a person recognises.

Owns which windows are seen and in which order they are painted, the cache of pictures and their encodings. It reads a
phone and changes nothing. How an element looks is for `looks`, where it lies was decided by `layout`.
"""

from __future__ import annotations

import io
import struct
import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from PIL import Image

from controller.virtual.canvas import Canvas
from controller.virtual.fonts import font_note
from controller.virtual.looks import Painter
from controller.virtual.ui import Rect, Window, WindowKind

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Scene", "draw", "encode_png", "font_note", "jpeg", "paint", "png", "scene"]

_BLACK = (0, 0, 0)
_SCRIM = 0.45
_SHADOW_DP = 6
_BAND_ROWS, _MOST_BANDS = 60, 600
_DEFLATE_HEAD, _DEFLATE_END = b"\x78\x01", b"\x03\x00"
"""What a zlib stream begins with at the lowest level, and its last, empty block."""
_bands: dict[tuple[int, int], bytes] = {}
"""Packed bands by what they hold; the pixels themselves are not kept."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a picture depends on."""

    width: int
    height: int
    density: int
    lit: bool
    windows: tuple[Window, ...]
    """From the bottom up."""
    night: bool = False
    photo: bytes = b""
    """A PNG that was taken of it: it is shown instead of a drawing."""

    @property
    def screen(self) -> Rect:
        """The whole display."""
        return Rect(0, 0, self.width, self.height)

    def seen(self) -> tuple[Window, ...]:
        """The windows from the last one that covers all of the screen on."""
        first = 0
        for number, window in enumerate(self.windows):
            covers = window.root.style.background and not window.root.style.radius and not window.translucent
            if covers and window.frame.intersection(self.screen) == self.screen:
                first = number
        return self.windows[first:]


def scene(phone: VirtualPhone) -> Scene:
    """What there is to draw now."""
    windows = tuple(reversed(phone.window_stack()))
    return Scene(*phone.size, phone.density, phone.screen_on, windows, phone.display.night, phone.photo)


def draw(phone: VirtualPhone) -> Image.Image:
    """The screen as an image; a caller may not change it."""
    return _image(scene(phone))


def png(phone: VirtualPhone) -> bytes:
    """The screen as PNG."""
    return _png(scene(phone))


def jpeg(phone: VirtualPhone, *, quality: int = 80) -> bytes:
    """The screen as JPEG."""
    return _jpeg(scene(phone), quality)


def encode_png(image: Image.Image) -> bytes:
    """An RGB image as PNG, packed fast rather than small.

    Every row is left unfiltered: flat screens pack well that way, and it is several times faster than trying filters.
    Bands of rows are packed by themselves, so that a band that was there before need not be packed again.
    """
    # A stride of one byte more leaves a zero behind every row: moved to its front it is the filter "none"
    lines = b"\0" + image.tobytes("raw", "RGB", image.width * 3 + 1)[:-1]
    step = (image.width * 3 + 1) * _BAND_ROWS
    bands = [_packed(lines[start : start + step]) for start in range(0, len(lines), step)]
    packed = b"".join((_DEFLATE_HEAD, *bands, _DEFLATE_END, struct.pack(">I", zlib.adler32(lines))))
    header = struct.pack(">IIBBBBB", image.width, image.height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in chunks)


def paint(scene: Scene) -> Image.Image:
    """A new picture of a scene. It is all black while the screen is off or a window that forbids pictures is seen."""
    canvas = Canvas(scene.width, scene.height, _BLACK)
    windows = scene.seen()
    if not scene.lit or any(window.secure for window in windows):
        return canvas.image
    if scene.photo:
        return Image.open(io.BytesIO(scene.photo)).convert("RGB")
    painter = Painter(canvas, scene.density / 160, night=scene.night)
    for number, window in enumerate(windows):
        if number and (window.kind is WindowKind.DIALOG or window.translucent):
            canvas.darken(_SCRIM)
        _window(painter, window, scene.screen)
    return canvas.image


def _window(painter: Painter, window: Window, screen: Rect) -> None:
    canvas, root = painter.canvas, window.root
    canvas.clip = screen
    if window.kind is WindowKind.POPUP:
        canvas.shadow(window.frame, radius=painter.px(root.style.radius), spread=painter.px(_SHADOW_DP))
    canvas.clip = window.frame.intersection(screen)
    if window.translucent or not root.style.background:
        painter.on(canvas.color_at(window.frame.left + 2, window.frame.top + 2))
    else:
        painter.on(painter.ground(root.style.background))
    for node in root.children if window.translucent else (root,):
        painter.node(node)


@lru_cache(maxsize=4)
def _image(scene: Scene) -> Image.Image:
    return paint(scene)


@lru_cache(maxsize=64)
def _png(scene: Scene) -> bytes:
    return encode_png(_image(scene))


@lru_cache(maxsize=64)
def _jpeg(scene: Scene, quality: int) -> bytes:
    out = io.BytesIO()
    _image(scene).save(out, "JPEG", quality=max(1, min(quality, 100)))
    return out.getvalue()


def _packed(band: bytes) -> bytes:
    """Some rows as blocks of a deflate stream that refer to nothing before them."""
    key = (len(band), hash(band))
    found = _bands.get(key)
    if found is None:
        packer = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
        found = packer.compress(band) + packer.flush(zlib.Z_FULL_FLUSH)
        if len(_bands) >= _MOST_BANDS:
            _bands.clear()
        _bands[key] = found
    return found


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

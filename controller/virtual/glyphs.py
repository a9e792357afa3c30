"""Text as pixels: each line in the fonts that have its characters, and its real width.

Owns the choice of a font for each character, and the caches that make the next picture cheap. Where fonts are found is
for `fonts`, where a line is put for `draw`.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from controller.virtual.fonts import AnyFont, faces, font

__all__ = ["Piece", "emoji_note", "line_width", "pieces"]

_LINUX = "/usr/share/fonts"
_COLOURED = (
    f"{_LINUX}/truetype/noto/NotoColorEmoji.ttf",
    f"{_LINUX}/noto/NotoColorEmoji.ttf",
    f"{_LINUX}/google-noto-emoji/NotoColorEmoji.ttf",
    "/System/Library/Fonts/Apple Color Emoji.ttc",
    "C:/Windows/Fonts/seguiemj.ttf",
)
_EMOJI_PACKAGE = "manimgx_fonts"
"""On PyPI as `manimgx-fonts`: Noto Emoji and other fonts, without code."""
_PACKAGED = ("NotoEmoji*.ttf", "NotoSansSymbols*.ttf")
_OUTLINED = (
    f"{_LINUX}/truetype/noto/NotoEmoji-Regular.ttf",
    f"{_LINUX}/truetype/ancient-scripts/Symbola_hint.ttf",
    f"{_LINUX}/truetype/dejavu/DejaVuSans.ttf",
    f"{_LINUX}/TTF/DejaVuSans.ttf",
    "/Library/Fonts/Arial Unicode.ttf",
)
_STRIKES = (109, 160, 136, 128)
"""Sizes of the pictures in emoji fonts that have only one: Noto's and Apple's, then older ones."""
_NOWHERE = "\U0010fffe"
"""A character that no font has: what it looks like is what a missing one looks like."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a line: a mask (mode L) to be coloured, or a coloured picture (RGBA).

    `left` counts from the start of the line, `top` from its baseline.
    """

    image: Image.Image
    left: int
    top: int


def line_width(text: str, size: int, *, bold: bool = False) -> float:
    """Pixels that a line takes."""
    return _set_line(text, size, bold)[1]


def pieces(text: str, size: int, *, bold: bool = False) -> tuple[Piece, ...]:
    """A line as pictures."""
    return _set_line(text, size, bold)[0]


def emoji_note() -> str:
    """What to tell a person about emoji in pictures; empty where they are legible."""
    if _path_for("\U0001f600") or _has(font(32), "\U0001f600"):
        return ""
    return (
        "no font with emoji was found, so they are drawn as boxes in pictures of the virtual phone; "
        "install the extra `fonts` (pip install 'phonectl[fonts]') or a system font such as Noto Emoji"
    )


@lru_cache(maxsize=2048)
def _set_line(text: str, size: int, bold: bool) -> tuple[tuple[Piece, ...], float]:
    found: list[Piece] = []
    x = 0.0
    for path, chars in groupby((char for char in text if not _unseen(char)), key=_path_for):
        run = "".join(chars)
        piece, width = _other(path, run, x, size) if path else _main(run, x, size, bold)
        found += [piece] if piece is not None else []
        x += width
    return tuple(found), x


def _main(text: str, x: float, size: int, bold: bool) -> tuple[Piece | None, float]:
    face = font(size, bold=bold)
    twice = bold and not any(face.bold for face in faces())
    return _stretch(face, text, x, twice=twice), float(face.getlength(text))


def _other(path: str, text: str, x: float, size: int) -> tuple[Piece | None, float]:
    face = _sized(path, size)
    if face is None:
        return None, 0.0
    if path in _COLOURED:
        return _coloured(face, text, x, size)
    return _stretch(face, text, x), float(face.getlength(text))


def _coloured(face: ImageFont.FreeTypeFont, text: str, x: float, size: int) -> tuple[Piece | None, float]:
    """Coloured glyphs, at the size that the font has them in, made as large as the text."""
    scale = size / face.size
    left, top, right, bottom = face.getbbox(text, anchor="ls")
    width = float(face.getlength(text)) * scale
    if right <= left or bottom <= top:
        return None, width
    whole = Image.new("RGBA", (round(right - left), round(bottom - top)))
    ImageDraw.Draw(whole).text((-left, -top), text, (0, 0, 0), font=face, anchor="ls", embedded_color=True)
    small = whole.resize((max(1, round(whole.width * scale)), max(1, round(whole.height * scale))))
    return Piece(small, round(x + left * scale), round(top * scale)), width


def _stretch(face: AnyFont, text: str, x: float, *, twice: bool = False) -> Piece | None:
    """Glyphs as a mask; `twice` writes them again a little further right, as bold as a font without bold gets."""
    if not isinstance(face, ImageFont.FreeTypeFont):
        return None
    left, top, right, bottom = (round(edge) for edge in face.getbbox(text, anchor="ls"))
    if right <= left or bottom <= top:
        return None
    further = max(1, round(face.size / 32)) if twice else 0
    mask = Image.new("L", (right - left + 2 + further, bottom - top + 2))
    for dx in sorted({0, further}):
        ImageDraw.Draw(mask).text((dx - left, -top), text, 255, font=face, anchor="ls")
    return Piece(mask, round(x) + left, top)


# -- which font has a character


def _unseen(char: str) -> bool:
    """Joiners, variation selectors and skin tones: they change the glyph before them, which is drawn plain."""
    code = ord(char)
    return code in (0x200B, 0x200C, 0x200D, 0xFEFF) or 0xFE00 <= code <= 0xFE0F or 0x1F3FB <= code <= 0x1F3FF


@lru_cache(maxsize=4096)
def _path_for(char: str) -> str:
    """The file of another font that has the character; empty where the main one draws it."""
    code = ord(char)
    pictured = 0x1F000 <= code <= 0x1FAFF
    if code < 0x2190 or (not pictured and _has(font(32), char)):
        return ""
    return next((path for path in _others() if (face := _sized(path, 32)) is not None and _has(face, char)), "")


def _has(face: AnyFont, char: str) -> bool:
    if not isinstance(face, ImageFont.FreeTypeFont):
        return False
    glyph, missing = face.getmask(char), face.getmask(_NOWHERE)
    return glyph.size != missing.size or bytes(glyph) != bytes(missing)


@lru_cache(maxsize=1)
def _others() -> tuple[str, ...]:
    """Fonts to ask for what the main one lacks."""
    return tuple(path for path in (*_COLOURED, *_packaged(), *_OUTLINED) if Path(path).is_file())


def _packaged() -> Iterator[str]:
    spec = importlib.util.find_spec(_EMOJI_PACKAGE)  # finds the folder without importing the package
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        yield from sorted(str(path) for name in _PACKAGED for path in Path(folder).glob(name))


@lru_cache(maxsize=64)
def _sized(path: str, size: int) -> ImageFont.FreeTypeFont | None:
    """A font at a size, or at the one that it has; None where it cannot be read."""
    for pixels in (size, *_STRIKES):
        try:
            return ImageFont.truetype(path, pixels, layout_engine=ImageFont.Layout.BASIC)
        except OSError:  # FreeType: "invalid pixel size", for fonts of pictures
            continue
    return None

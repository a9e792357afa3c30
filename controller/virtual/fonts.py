"""Fonts found at run time: one that has Chinese, else any, else Pillow's own.

Owns where fonts are looked for, and what a person is told where none with Chinese characters is found. The machine's
fonts are only read.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

__all__ = ["Face", "faces", "font", "font_note"]

AnyFont = ImageFont.FreeTypeFont | ImageFont.ImageFont

_FONT_PACKAGE = "cvttf_NotoSansCJK_Regular"
_FONT_FILE = "NotoSansCJKtc-Regular.otf"
_LINUX = "/usr/share/fonts"
# (regular, bold, number of the Simplified Chinese face in the collection)
_SYSTEM = (
    *((f"{_LINUX}/{folder}/NotoSansCJK-Regular.ttc", f"{_LINUX}/{folder}/NotoSansCJK-Bold.ttc", 2)
      for folder in ("opentype/noto", "noto-cjk", "google-noto-cjk")),
    (f"{_LINUX}/truetype/wqy/wqy-microhei.ttc", "", 0),
    (f"{_LINUX}/truetype/wqy/wqy-zenhei.ttc", "", 0),
    ("/System/Library/Fonts/PingFang.ttc", "", 0),
    ("/System/Library/Fonts/Hiragino Sans GB.ttc", "", 0),
    ("C:/Windows/Fonts/msyh.ttc", "C:/Windows/Fonts/msyhbd.ttc", 0),
)  # fmt: skip
_PLAIN = (
    ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"),
    ("/usr/share/fonts/TTF/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf"),
    ("/Library/Fonts/Arial.ttf", "/Library/Fonts/Arial Bold.ttf"),
    ("C:/Windows/Fonts/arial.ttf", "C:/Windows/Fonts/arialbd.ttf"),
)


@dataclass(frozen=True, slots=True)
class Face:
    """A font file, and whether it has Chinese characters."""

    path: str
    index: int = 0
    bold: str = ""
    chinese: bool = False


@lru_cache(maxsize=1)
def faces() -> tuple[Face, ...]:
    """The font to draw with, none where Pillow's own must do."""
    return tuple(_found())[:1]


def font_note() -> str:
    """What to tell a person about Chinese text in pictures; empty where it is legible."""
    found = faces()
    if found and found[0].chinese:
        return ""
    return (
        "no font with Chinese characters was found, so they are drawn as boxes in pictures of the virtual phone; "
        "install the extra `fonts` (pip install 'phonectl[fonts]') or a system font such as Noto Sans CJK"
    )


@lru_cache(maxsize=128)
def font(size: int, *, bold: bool = False) -> AnyFont:
    """The font at a size in pixels."""
    for face in faces():
        path = face.bold if bold and face.bold else face.path
        return ImageFont.truetype(path, size, index=face.index, layout_engine=ImageFont.Layout.BASIC)
    return ImageFont.load_default(size)


def _found() -> Iterator[Face]:
    for path, bold, index in _SYSTEM:
        if Path(path).is_file():
            yield Face(path, index, bold if bold and Path(bold).is_file() else "", chinese=True)
    spec = importlib.util.find_spec(_FONT_PACKAGE)  # finds the folder without importing the package
    if spec is not None:
        for folder in spec.submodule_search_locations or ():
            packed = Path(folder) / _FONT_FILE
            if packed.is_file():
                yield Face(str(packed), chinese=True)
    for path, bold in _PLAIN:
        if Path(path).is_file():
            yield Face(path, 0, bold if Path(bold).is_file() else "")

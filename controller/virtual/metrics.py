"""How wide text is, near enough, without a font.

The layout of a screen must not depend on which font a machine has, so widths come from a small table in parts of the
text size; the drawing fits the real glyphs into the room that this leaves.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["LINE_HEIGHT", "ellipsize", "is_wide", "text_width", "wrap"]

LINE_HEIGHT = 1.32
"""Line height in parts of the text size, as Roboto has it with Android's default padding."""

_SLACK = 1.0
"""Pixels that rounding may have taken from a width that was measured for the very same text."""
_NARROW = frozenset("iljtfrI.,:;'|!()[]·` ")
_BROAD = frozenset("mwMW@%—")
_CLOSING = frozenset("，。、；：！？）》」』】”’…")  # never at the start of a line


def is_wide(char: str) -> bool:
    """Whether the character takes a full square, as Chinese, Japanese, Korean and emoji do."""
    code = ord(char)
    return (
        0x1100 <= code <= 0x115F
        or 0x2E80 <= code <= 0xA4CF
        or 0xAC00 <= code <= 0xD7A3
        or 0xF900 <= code <= 0xFAFF
        or 0xFE30 <= code <= 0xFE6F
        or 0xFF00 <= code <= 0xFF60
        or 0x1F300 <= code <= 0x1FAFF
        or 0x20000 <= code <= 0x3FFFD
    )


def text_width(text: str, size: float) -> int:
    """Pixels that one line of text takes at a text size in pixels."""
    return round(_ems(text) * size)


@lru_cache(maxsize=4096)
def wrap(text: str, size: float, width: int, max_lines: int = 0) -> tuple[str, ...]:
    """The lines of a text in a width; with `max_lines` the last one ends in an ellipsis where something is cut off."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines += _break(paragraph, size, width) if paragraph else [""]
        if max_lines and len(lines) > max_lines:
            return (*lines[: max_lines - 1], ellipsize("".join(lines[max_lines - 1 :]), size, width))
    return tuple(lines)


@lru_cache(maxsize=4096)
def ellipsize(text: str, size: float, width: int) -> str:
    """As much of a text as fits in a width, with an ellipsis where it is cut."""
    if text_width(text, size) <= width:
        return text
    room = width - text_width("…", size)
    taken, used = 0, 0.0
    for char in text:
        used += _em(char) * size
        if used > room:
            break
        taken += 1
    return text[:taken].rstrip() + "…"


@lru_cache(maxsize=8192)
def _ems(text: str) -> float:
    return sum(_em(char) for char in text)


def _em(char: str) -> float:
    if is_wide(char):
        return 1.0
    if char in _NARROW:
        return 0.29
    if char in _BROAD:
        return 0.88
    return 0.65 if char.isupper() else 0.56


def _break(text: str, size: float, width: int) -> list[str]:
    """Lines broken at spaces between words, and anywhere between wide characters."""
    lines: list[str] = []
    line, used = "", 0.0
    for word in _words(text):
        wide = _ems(word) * size
        if line and used + wide > width + _SLACK:
            lines.append(line.rstrip(" "))
            line, used = "", 0.0
            word, wide = word.lstrip(" "), _ems(word.lstrip(" ")) * size
        while word and wide > width + _SLACK:
            head = _fitting(word, size, width)
            lines.append(head)
            word = word[len(head) :]
            wide = _ems(word) * size
        line, used = line + word, used + wide
    return [*lines, line] if line or not lines else lines


def _words(text: str) -> list[str]:
    words: list[str] = []
    word = ""
    for char in text:
        if char in _CLOSING and (word or words):
            words += [word + char] if word else [words.pop() + char]
            word = ""
        elif is_wide(char):
            words += [word, char] if word else [char]
            word = ""
        elif char == " ":
            words.append(word + char)
            word = ""
        else:
            word += char
    return [*words, word] if word else words


def _fitting(word: str, size: float, width: int) -> str:
    used = 0.0
    for count, char in enumerate(word):
        used += _em(char) * size
        if used > width + _SLACK:
            return word[: max(1, count)]
    return word

"""Text in a field and the cursor in it.

Pure functions over a text and a selection, by graphemes as Android's editor deletes them.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

__all__ = ["Editor", "graphemes"]

_JOINER = "\u200d"


@dataclass(frozen=True, slots=True)
class Editor:
    """A text with a selection from `start` to `end`; both equal is a cursor."""

    text: str
    start: int
    end: int

    @classmethod
    def at_end(cls, text: str) -> Editor:
        """The cursor behind the text."""
        return cls(text, len(text), len(text))

    @property
    def selected(self) -> str:
        """The selected part."""
        return self.text[self.start : self.end]

    def insert(self, text: str) -> Editor:
        """The text put in at the cursor or in place of the selection."""
        cursor = self.start + len(text)
        return Editor(self.text[: self.start] + text + self.text[self.end :], cursor, cursor)

    def backspace(self) -> Editor:
        """The selection deleted, or the grapheme before the cursor."""
        if self.start != self.end:
            return self.insert("")
        before = graphemes(self.text[: self.start])
        return replace(self, start=self.start - len(before[-1])).insert("") if before else self

    def delete(self) -> Editor:
        """The selection deleted, or the grapheme behind the cursor."""
        if self.start != self.end:
            return self.insert("")
        after = graphemes(self.text[self.end :])
        return replace(self, end=self.end + len(after[0])).insert("") if after else self

    def move(self, steps: int) -> Editor:
        """The cursor moved by graphemes."""
        if steps < 0:
            before = graphemes(self.text[: self.start])
            place = len("".join(before[: max(0, len(before) + steps)]))
        else:
            place = self.end + len("".join(graphemes(self.text[self.end :])[:steps]))
        return replace(self, start=place, end=place)

    def to(self, place: int) -> Editor:
        """The cursor at a place."""
        place = min(len(self.text), max(0, place))
        return replace(self, start=place, end=place)

    def select_all(self) -> Editor:
        """Everything selected."""
        return replace(self, start=0, end=len(self.text))


def graphemes(text: str) -> list[str]:
    """What a person counts as characters: emoji with their joiners and skin, letters with their marks, flags."""
    clusters: list[str] = []
    for char in text:
        if clusters and _joins(clusters[-1], char):
            clusters[-1] += char
        else:
            clusters.append(char)
    return clusters


def _joins(cluster: str, char: str) -> bool:
    if char == _JOINER or cluster.endswith(_JOINER) or unicodedata.combining(char):
        return True
    code = ord(char)
    if 0xFE00 <= code <= 0xFE0F or 0x1F3FB <= code <= 0x1F3FF or code == 0x20E3 or 0xE0020 <= code <= 0xE007F:
        return True
    flag = 0x1F1E6 <= code <= 0x1F1FF
    return flag and len(cluster) == 1 and 0x1F1E6 <= ord(cluster) <= 0x1F1FF

"""Small rules about text that several formats share: what counts as a character, when two names are one name."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable

__all__ = ["character_count", "fold", "nearest"]


def character_count(text: str) -> int:
    """Characters without white space, the measure of the length rules (「字」)."""
    return sum(not character.isspace() for character in text)


def fold(name: str) -> str:
    """A name as it is compared: NFKC, without case, runs of white space as one space."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def nearest(name: str, known: Iterable[str], *, limit: int = 3) -> list[str]:
    """The known names most like `name`, best first; names that hold it or are held by it come before similar ones."""
    wanted = fold(name)
    folded = {candidate: fold(candidate) for candidate in known}
    inside = [key for key, value in folded.items() if wanted and value and (wanted in value or value in wanted)]
    inside.sort(key=lambda key: (abs(len(folded[key]) - len(wanted)), key))
    similar = difflib.get_close_matches(wanted, sorted(set(folded.values())), n=limit, cutoff=0.5)
    close = [key for value in similar for key in folded if folded[key] == value]
    return list(dict.fromkeys(inside + close))[:limit]

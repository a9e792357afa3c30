"""How Chinese sounds, from pypinyin, which is imported only while documents are indexed.

A query needs no pypinyin: `common_readings` is kept in the index.
"""

from __future__ import annotations

import functools

__all__ = ["common_readings", "phrase_readings"]

_FIRST, _LAST = 0x4E00, 0x9FA5


def phrase_readings(run: str) -> list[list[str]]:
    """The readings of a run of Chinese, a list a character: first what it sounds like here, then what else it may."""
    from pypinyin import lazy_pinyin

    here = lazy_pinyin(run)
    if len(here) != len(run):
        return [[character] for character in run]
    return [list(dict.fromkeys([first, *_alone(one)])) for first, one in zip(here, run, strict=True)]


@functools.lru_cache(maxsize=20_000)
def _alone(character: str) -> tuple[str, ...]:
    from pypinyin import Style, pinyin

    return tuple(pinyin(character, style=Style.NORMAL, heteronym=True)[0])


def common_readings() -> dict[str, str]:
    """The likeliest reading of every character of the common block."""
    from pypinyin import lazy_pinyin

    characters = map(chr, range(_FIRST, _LAST + 1))
    return {character: lazy_pinyin(character)[0] for character in characters}

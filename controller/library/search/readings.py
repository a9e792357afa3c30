"""How Chinese sounds, from pypinyin, which is imported only while documents are indexed.

A query needs no pypinyin: `common_readings` is kept in the index.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Mapping

__all__ = ["common_readings", "phrase_readings"]

_FIRST, _LAST = 0x4E00, 0x9FA5


def phrase_readings(run: str) -> list[list[str]]:
    """The readings of a run of Chinese, a list a character: first what it sounds like here, then what else it may."""
    from pypinyin import lazy_pinyin

    here = lazy_pinyin(run)
    if len(here) != len(run):
        return [[character] for character in run]
    return [list(dict.fromkeys([first, *_alone(one)])) for first, one in zip(here, run, strict=True)]


def _alone(character: str) -> list[str]:
    """All readings of one character, the likeliest first."""
    from pypinyin.constants import PINYIN_DICT

    # 乐: "lè,yuè,yào,luò"; 绿: "lǜ,lù", which is typed lv.
    return list(dict.fromkeys(map(_typed, PINYIN_DICT.get(ord(character), character).split(","))))


def _typed(syllable: str) -> str:
    letters = unicodedata.normalize("NFD", syllable).replace("u\u0308", "v").replace("ü", "v")
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@functools.cache
def common_readings() -> Mapping[str, str]:
    """The likeliest reading of every character of the common block."""
    return {chr(number): _alone(chr(number))[0] for number in range(_FIRST, _LAST + 1)}

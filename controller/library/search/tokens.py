"""Text taken apart for search: one tokeniser for documents and queries, and the keys by which a name is known.

Pure. Chinese, Japanese and Korean text has no spaces, so that every character and every pair of neighbours is a token;
other text is split into words. How Chinese sounds comes from a `Reading`, which the index fills from pypinyin.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

__all__ = [
    "FILLER_CHARACTERS",
    "Tokens",
    "compact",
    "core",
    "is_han",
    "normal",
    "sounds",
    "spoken",
    "tokens",
    "words_of",
]

# The characters that are taken apart one by one and in pairs: kana, Han with its extensions, Hangul.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003ffff"
_RUN = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?P<word>[^\W_{_CJK}]+)")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_NO_KEY = re.compile(r"[\W_]+")

MAX_WORD = 40
MAX_VARIANTS = 4

# What a request is wrapped in and what says nothing of the thing that is wanted.
_FILLER = re.compile(
    "我想要?|我要|我需要|我的|帮我|帮忙|给我|替我|请问|请你|麻烦|能不能|可不可以|可以|怎么样?|怎样|如何|哪里|哪儿|哪个|哪些|什么|有没有"
    "|一下子?|一些|一个|一点|想要|需要|的话|的时候|应该|打开|进入|启动|手机上?|这个|那个"
)
# Characters that say too little to be looked for alone.
FILLER_CHARACTERS = frozenset(
    "我你他她它的了着吗呢吧啊呀在把被和与跟就都也很要想去到是有个用给让从对为上下里一不没这那么什能会可以些们吧来做"
)
_FILLER_WORDS = re.compile(
    r"\b(?:a|an|the|i|me|my|you|your|we|to|of|for|in|on|at|and|or|is|are|be|do|does|how|can|could|would|want|need|please"
    r"|with|from|by|it|this|that|some|what|where|which|apps?|open)\b"
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text: `strong` ones (words, pairs, mixed runs) and single characters as `weak` ones."""

    strong: tuple[str, ...]
    weak: tuple[str, ...]


def normal(text: str) -> str:
    """NFKC without case: `Ｂ站` and `b站` are the same."""
    return unicodedata.normalize("NFKC", text).casefold()


def compact(text: str) -> str:
    """A name as a key: normal, letters and digits alone, Latin letters without accents."""
    return _NO_KEY.sub("", _plain(normal(text)))


def _plain(text: str) -> str:
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    kept = "".join(c for i, c in enumerate(parts) if not (unicodedata.combining(c) and i and parts[i - 1] < "\u0250"))
    return unicodedata.normalize("NFC", kept)


def is_han(text: str) -> bool:
    """Whether the text holds a Chinese character."""
    return _HAN.search(text) is not None


def core(text: str) -> str:
    """A query without what wraps it: of `我想订外卖` there remains `订外卖`; all of it when nothing would remain."""
    plain = normal(text)
    kept = " ".join(_FILLER_WORDS.sub(" ", _FILLER.sub(" ", plain)).split())
    return kept if compact(kept) else plain


def tokens(text: str) -> Tokens:
    """The tokens of a text in order, with repetitions.

    `在QQ音乐听歌` has 在 音 乐 听 歌, 音乐 乐听 听歌, qq, and the mixed 在qq qq音 qq音乐.
    """
    strong: list[str] = []
    weak: list[str] = []
    before: re.Match[str] | None = None
    for match in _RUN.finditer(_plain(normal(text))):
        adjacent = before is not None and before.end() == match.start()
        if match["cjk"]:
            run = match["cjk"]
            weak += run
            strong += map("".join, itertools.pairwise(run))
            if adjacent and before is not None and before["word"]:
                strong += _mixed(before["word"], run)
        else:
            strong += _word(match["word"])
            if adjacent and before is not None and before["cjk"]:
                strong.append(before["cjk"][-1] + match["word"][:MAX_WORD])
        before = match
    return Tokens(tuple(strong), tuple(weak))


def _mixed(word: str, run: str) -> Iterator[str]:
    for length in (1, 2)[: len(run)]:
        yield word[-MAX_WORD:] + run[:length]


def _word(word: str) -> Iterator[str]:
    word = word[:MAX_WORD]
    yield _singular(word)
    # `mate60`, `bilibili2024`: a person may know one half of it.
    parts = re.findall(r"\d+|\D+", word)
    if len(parts) > 1:
        yield from (part for part in parts if len(part) > 1)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text as a person typed them, without what is taken apart."""
    return tuple(match.group() for match in _RUN.finditer(_plain(normal(text))))


def sounds(name: str, phrase: Callable[[str], list[list[str]]]) -> tuple[tuple[str, str], ...]:
    """How a name with Chinese in it may be typed by sound: pairs of full pinyin and initials, the likeliest first.

    Args:
        name: The name.
        phrase: The readings of a run of Chinese, a list a character, the likeliest first.
    """
    pieces: list[list[tuple[str, str]]] = []
    for match in re.finditer(rf"(?P<han>{_HAN.pattern}+)|(?P<other>[^\W_])", _plain(normal(name))):
        if match["han"]:
            pieces += [[(syllable, syllable[:1]) for syllable in readings] for readings in phrase(match["han"])]
        else:
            pieces.append([(match["other"], match["other"])])
    if not any(len(syllable) > 1 or is_han(name) for piece in pieces for syllable, _ in piece):
        return ()
    choices = itertools.islice(itertools.product(*pieces), MAX_VARIANTS)
    return tuple(
        dict.fromkeys(
            ("".join(full for full, _ in choice), "".join(first for _, first in choice)) for choice in choices
        )
    )


def spoken(text: str, readings: Mapping[str, str]) -> str:
    """The likeliest full pinyin of a query; characters that are not known stay as they are."""
    return "".join(readings.get(character, character) for character in compact(text))

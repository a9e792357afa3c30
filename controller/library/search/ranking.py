"""Answers to a query: exact names first, then names with a slip in them, then documents by their words.

Asks an `Index` and touches no file itself. Which documents may be shown at all is said by the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from controller.library.search.entry import Level
from controller.library.search.index import Row
from controller.library.search.synonyms import others_for
from controller.library.search.tokens import FILLER_CHARACTERS, compact, core, is_han, spoken, tokens, words_of

__all__ = ["Searchable", "find"]

LIMIT = 10
MAX_QUERY = 200
# A name of more letters is not looked for letter by letter.
MAX_NAME = 40
# More words are a sentence; a name in them is found by its words.
MAX_NAME_WORDS = 3
# What is longer in Chinese is a sentence and no name with slips in it; by sound it is looked for only when shorter.
MAX_HAN_NAME = 12
MAX_SPOKEN_NAME = 8
MAX_MENTION = 12
MAX_TOKENS = 24
# Documents that a query looks at word by word; the rare words come first, the frequent ones are left out beyond it.
MAX_POSTINGS = 800
SYNONYM_WEIGHT = 0.6
# What fits so much worse than the best shares a character with the query and no more.
LEAST_SCORE = 0.15


class Searchable(Protocol):
    """What ranking asks of an index; `Index` says what each answers."""

    def rows(self, numbers: Sequence[int]) -> dict[int, Row]: ...
    def named(self, keys: Sequence[str]) -> list[tuple[str, int, int]]: ...
    def beginning(self, key: str, *, limit: int) -> list[tuple[str, int, int]]: ...
    def keys_of_length(self, length: int, *, han: bool) -> list[str]: ...
    def readings(self) -> dict[str, str]: ...
    def frequencies(self, tokens: Sequence[str]) -> dict[str, int]: ...
    def matching(self, expression: str, kinds: Sequence[str], *, limit: int) -> list[tuple[int, float]]: ...


@dataclass(frozen=True, slots=True)
class _Hit:
    """A document and how well it fits; the lower the rank the better."""

    doc: int
    rank: tuple[float, ...]


def find(
    index: Searchable,
    query: str,
    *,
    kinds: Sequence[str],
    hidden: frozenset[str] = frozenset(),
    limit: int = LIMIT,
) -> list[Row]:
    """The documents that a query means, the best first.

    Args:
        index: What is known of the documents.
        query: What a person or a model typed.
        kinds: The kinds that are wanted.
        hidden: References of documents that must not be shown.
        limit: At most so many.
    """
    query = query[:MAX_QUERY]
    key = compact(query)
    if not key:
        return []
    best: dict[int, tuple[float, ...]] = {}
    exact = _exact(index, key)
    _keep(best, exact)
    if not exact:
        _keep(best, _sounding(index, key))
        if len(words_of(query)) <= MAX_NAME_WORDS:
            _keep(best, _slips(index, key))
    _keep(best, _beginning(index, key))
    wanted = core(query)
    _keep(
        best,
        _by_words(index, wanted, kinds, limit=limit * 3 + len(hidden), mentioned=_mentioned(index, compact(wanted))),
    )
    rows = index.rows(list(best))
    shown = [row for row in rows.values() if row.kind in kinds and row.reference not in hidden]
    shown.sort(key=lambda row: (best[row.id][0], not row.trusted, best[row.id], row.place))
    return shown[:limit]


def _keep(best: dict[int, tuple[float, ...]], hits: Iterable[_Hit]) -> None:
    for hit in hits:
        if hit.doc not in best or hit.rank < best[hit.doc]:
            best[hit.doc] = hit.rank


# The first number of a rank is its tier.
_EXACT, _SOUND, _SLIP, _WORDS = range(4)


def _exact(index: Searchable, key: str) -> list[_Hit]:
    return [_Hit(doc, (_EXACT, level)) for _, doc, level in index.named([key])]


def _sounding(index: Searchable, key: str) -> list[_Hit]:
    """Names that sound like the query: 哔哩哔里, 支付寶."""
    if not is_han(key) or len(key) > MAX_NAME:
        return []
    heard = spoken(key, index.readings())
    return [_Hit(doc, (_SOUND, level)) for _, doc, level in index.named([heard]) if level <= Level.PINYIN]


def _beginning(index: Searchable, key: str) -> list[_Hit]:
    """Names that the query begins: `bili`, 哔哩."""
    if len(key) < 2:
        return []
    return [
        _Hit(doc, (_SLIP, 0.5, len(name) - len(key), level))
        for name, doc, level in index.beginning(key, limit=LIMIT * 3)
        if name != key and level != Level.INITIALS
    ]


def _slips(index: Searchable, key: str) -> list[_Hit]:
    """Names that are the query but for one or two slips, written or by sound."""
    near = _near(index, key)
    if is_han(key) and len(key) <= MAX_SPOKEN_NAME and min(near.values(), default=9.0) > 1:
        allowed = 1 if len(key) < 4 else 2
        for name, distance in _near(index, spoken(key, index.readings())).items():
            if distance <= allowed:
                # What sounds alike is a little further away than what is written alike.
                near[name] = min(near.get(name, 9.0), distance + 0.25)
    if not near:
        return []
    hits = index.named(list(near))
    return [_Hit(doc, (_SLIP, near[name], level)) for name, doc, level in hits if level != Level.INITIALS]


def _near(index: Searchable, key: str) -> dict[str, float]:
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    slips = _allowed(key)
    if not slips or len(key) > (MAX_HAN_NAME if is_han(key) else MAX_NAME):
        return {}
    near: dict[str, float] = {}
    for length in range(len(key) - slips, len(key) + slips + 1):
        names = index.keys_of_length(length, han=is_han(key))
        for name, distance, _ in process.extract(key, names, scorer=OSA.distance, score_cutoff=slips, limit=20):
            near[name] = float(distance)
    return dict(sorted(near.items(), key=lambda item: item[1])[:40])


def _allowed(key: str) -> int:
    """How many slips a name of this length may have: one in three, two in five letters."""
    if is_han(key):
        return 0 if len(key) < 3 else 1 if len(key) < 6 else 2
    return 0 if len(key) < 3 else 1 if len(key) < 5 else 2


def _mentioned(index: Searchable, key: str) -> dict[int, int]:
    """Documents of which a name stands inside the query, with the length of that name: 用支付宝交水费."""
    parts = {
        key[start : start + length]
        for length in range(2, min(len(key), MAX_MENTION) + 1)
        for start in range(min(len(key), MAX_NAME) - length + 1)
    }
    # Inside a word of Latin letters anything can be found by chance.
    parts = {part for part in parts if not part.isascii() or len(part) > 3}
    mentioned: dict[int, int] = {}
    for name, doc, level in index.named(list(parts)) if parts else ():
        if level <= Level.ALIAS:
            mentioned[doc] = max(mentioned.get(doc, 0), len(name))
    return mentioned


def _by_words(
    index: Searchable, query: str, kinds: Sequence[str], *, limit: int, mentioned: dict[int, int]
) -> list[_Hit]:
    fits = _fitting(index, _expression(index, query), kinds, limit)
    for doc, worth in _fitting(index, _expression_of_others(index, query), kinds, limit).items():
        fits[doc] = fits.get(doc, 0.0) + SYNONYM_WEIGHT * worth
    best = max(fits.values(), default=1.0)
    whole = max(len(compact(query)), 1)
    # A name that fills the query counts as much as the document that fits best.
    scores = {doc: fits.get(doc, 0.0) / best + mentioned.get(doc, 0) / whole for doc in fits.keys() | mentioned.keys()}
    least = LEAST_SCORE * max(scores.values(), default=0.0)
    return [_Hit(doc, (_WORDS, -score)) for doc, score in scores.items() if score >= least]


def _fitting(index: Searchable, expression: str, kinds: Sequence[str], limit: int) -> dict[int, float]:
    """The documents for an expression and how well they fit; the more the better."""
    # bm25 is the more negative the better; a word that nearly all documents have gives next to nothing, never zero.
    found = index.matching(expression, kinds, limit=limit) if expression else []
    return {doc: max(-score, 1e-9) for doc, score in found}


def _expression(index: Searchable, query: str) -> str:
    """The query for the index: quoted tokens joined with OR, the rare ones first."""
    found = tokens(query)
    chosen = dict.fromkeys(found.strong)
    chosen.update(dict.fromkeys(token for token in found.weak if token not in FILLER_CHARACTERS))
    strong = set(found.strong)
    counts = index.frequencies(list(chosen)[: MAX_TOKENS * 2])
    rare_first = sorted((count, token not in strong, token) for token, count in counts.items())
    return _joined((count, f'"{token}"') for count, _, token in rare_first)


def _expression_of_others(index: Searchable, query: str) -> str:
    """The same for the words that mean what words of the query mean; all tokens of such a word have to be there."""
    parts = [tokens(word).strong or tokens(word).weak for word in others_for(query)]
    counts = index.frequencies(list(dict.fromkeys(token for part in parts for token in part)))
    known = [(min(counts[token] for token in part), part) for part in parts if all(token in counts for token in part)]
    return _joined((count, "(" + " AND ".join(f'"{token}"' for token in part) + ")") for count, part in sorted(known))


def _joined(parts: Iterable[tuple[int, str]]) -> str:
    """The parts joined with OR as far as they do not mean too many documents."""
    kept: list[str] = []
    postings = 0
    for count, part in parts:
        if len(kept) == MAX_TOKENS or (kept and postings + count > MAX_POSTINGS):
            break
        kept.append(part)
        postings += count
    return " OR ".join(kept)

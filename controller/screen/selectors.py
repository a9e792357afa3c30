"""Selectors as Maestro's flows have them: which nodes of a tree are meant.

A text is a regular expression over the whole text, description or hint, case ignored; an id matches with and without
its package prefix. Of nested nodes that match the deepest is meant. Where to touch a node is `touch`'s business.
"""

from __future__ import annotations

import functools
import math
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

import regex
from rapidfuzz import fuzz, process

from controller.errors import InvalidSelector
from controller.screen.hierarchy import (
    SYSTEM_UI,
    Bounds,
    Hierarchy,
    Node,
    app_windows,
    clean,
    extent,
    is_field,
    reading_order,
    seen_nodes,
)

__all__ = ["Selector", "find", "nearest"]

# Longer than any honest pattern takes on a whole screen; `(a+)+$` would run for minutes.
PATTERN_TIMEOUT_S = 0.25
TRAITS = ("text", "long-text", "square")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """What an element must be like; everything given must hold.

    Args:
        text: Regular expression over the whole text, description or hint, case ignored.
        id: The same over the resource id, with or without its package.
        index: The n-th match in reading order, from 0; below zero from the end.
        enabled, checked, focused, selected: A state it must have or lack.
        below, above, left_of, right_of: Its place relative to another element; the nearest is meant.
        contains_child: A direct child of it.
        child_of: An element it lies in.
        contains_descendants: Elements that all lie in it.
        width, height, tolerance: Its size in pixels.
        traits: `text`, `long-text` or `square`, several separated by spaces.
    """

    text: str | None = None
    id: str | None = None
    index: int | None = None
    enabled: bool | None = None
    checked: bool | None = None
    focused: bool | None = None
    selected: bool | None = None
    below: Selector | None = None
    above: Selector | None = None
    left_of: Selector | None = None
    right_of: Selector | None = None
    contains_child: Selector | None = None
    child_of: Selector | None = None
    contains_descendants: tuple[Selector, ...] = ()
    width: int | None = None
    height: int | None = None
    tolerance: int | None = None
    traits: str | None = None

    def __post_init__(self) -> None:
        if all(getattr(self, field.name) in (None, ()) for field in fields(self) if field.name != "tolerance"):
            raise InvalidSelector("a selector that says nothing", hint="give a text or an id")
        unknown = [trait for trait in (self.traits or "").split() if trait not in TRAITS]
        if unknown:
            raise InvalidSelector(f"unknown trait {unknown[0]!r}", hint=f"traits are {', '.join(TRAITS)}")

    def __str__(self) -> str:
        said = [(field.name, getattr(self, field.name)) for field in fields(self)]
        given = [(name, value) for name, value in said if value not in (None, ())]
        if given == [("text", self.text)]:
            return f'"{self.text}"'
        return ", ".join(f"{name} {_in_words(value)}" for name, value in given)


def _in_words(value: object) -> str:
    match value:
        case Selector():
            return f"({value})"
        case tuple():
            return " and ".join(f"({part})" for part in value)
        case str():
            return f'"{value}"'
        case _:
            return str(value).lower()


def find(h: Hierarchy, selector: Selector, *, screen: Bounds | None = None) -> list[Node]:
    """The nodes that are meant, of those that can be seen, in reading order.

    Without an index those that can be clicked come first (the button `Log in` before the title `Log in`), and with a
    place relative to another element the nearest.

    Raises:
        InvalidSelector: The regular expression takes too long.
    """
    in_sight = [node for node in seen_nodes(h.windows, screen) if not _toast_root(node)]
    found = reading_order(_matches(h, selector, in_sight))
    if selector.index is not None:
        return found[selector.index :][:1] if -len(found) <= selector.index < len(found) else []
    anchors = _anchors(h, selector, in_sight)
    if anchors:
        found.sort(key=lambda node: min(_distance(node, anchor) for anchor in anchors))
    if len(found) > 1:
        small = 0.25 * extent(h).area
        found.sort(key=lambda node: not _can_be_clicked(h, node, small))
    return found


def nearest(h: Hierarchy, selector: Selector, *, limit: int = 5) -> list[str]:
    """Texts or ids of apps on the screen that are most like what was looked for, the most alike first.

    The letters on a keyboard and the system's bars are not what anybody meant.
    """
    wanted = selector.text if selector.text is not None else selector.id
    if wanted is None:
        return []
    there: dict[str, None] = {}
    for node in seen_nodes(app_windows(h, None)):
        names = _texts(node) if selector.text is not None else (node.short_id,)
        there.update(dict.fromkeys(name for name in map(clean, names) if name))
    alike = process.extract(clean(wanted), list(there), scorer=fuzz.WRatio, processor=str.lower, limit=limit)
    return [name if len(name) <= 80 else f"{name[:79]}…" for name, score, _ in alike if score >= 45]


def _matches(h: Hierarchy, selector: Selector, in_sight: list[Node]) -> list[Node]:
    candidates = [node for node in in_sight if all(test(node) for test in _tests(selector))]
    for inner, related in _relations(selector):
        others = _matches(h, inner, in_sight)
        if inner.index is not None:
            others = reading_order(others)[inner.index :][:1]
        candidates = [node for node in candidates if any(related(node, other) for other in others)]
        if not candidates:
            return []
    if not _says_what(selector):
        candidates = [node for node in candidates if _is_something(node)]
    return _deepest(candidates)


def _can_be_clicked(h: Hierarchy, node: Node, small: float) -> bool:
    """Whether the node or what it stands in is a control, and not the whole page."""
    if node.clickable or node.checkable:
        return True
    return any(above.clickable and above.bounds.area <= small for above in h.ancestors(node))


def _says_what(selector: Selector) -> bool:
    """Whether the selector tells what the element is, and not only where."""
    return any(
        value not in (None, ())
        for value in (
            selector.text, selector.id, selector.contains_child, selector.contains_descendants, selector.width,
            selector.height, selector.traits, selector.focused,
        )
    )  # fmt: skip


def _is_something(node: Node) -> bool:
    return bool(node.clickable or node.checkable or node.text or node.desc or is_field(node))


def _deepest(nodes: list[Node]) -> list[Node]:
    """The nodes that have no other of them inside: `Save` the text, not the button and the row around it."""
    above = {node.path[:length] for node in nodes for length in range(1, len(node.path))}
    return [node for node in nodes if node.path not in above]


def _tests(selector: Selector) -> Iterator[Callable[[Node], bool]]:
    if selector.text is not None:
        matches_text = _matcher(selector.text)
        yield lambda node: any(matches_text(text) for text in _texts(node) if text)
    if selector.id is not None:
        matches_id = _matcher(selector.id)
        yield lambda node: bool(node.resource_id) and (matches_id(node.resource_id) or matches_id(node.short_id))
    for state in ("enabled", "checked", "focused", "selected"):
        wanted = getattr(selector, state)
        if wanted is not None:
            yield functools.partial(_has_state, state, wanted)
    if selector.width is not None or selector.height is not None:
        yield functools.partial(_has_size, selector)
    for trait in (selector.traits or "").split():
        yield functools.partial(_has_trait, trait)


def _relations(selector: Selector) -> Iterator[tuple[Selector, Callable[[Node, Node], bool]]]:
    if selector.below is not None:
        yield selector.below, lambda node, other: node.bounds.top > other.bounds.top
    if selector.above is not None:
        yield selector.above, lambda node, other: node.bounds.top < other.bounds.top
    if selector.left_of is not None:
        yield selector.left_of, lambda node, other: node.bounds.left < other.bounds.left
    if selector.right_of is not None:
        yield selector.right_of, lambda node, other: node.bounds.left > other.bounds.left
    if selector.contains_child is not None:
        yield selector.contains_child, lambda node, other: other.path[:-1] == node.path
    if selector.child_of is not None:
        yield selector.child_of, lambda node, other: _lies_in(node, other)
    for inner in selector.contains_descendants:
        yield inner, lambda node, other: _lies_in(other, node)


def _anchors(h: Hierarchy, selector: Selector, in_sight: list[Node]) -> list[Node]:
    places = (selector.below, selector.above, selector.left_of, selector.right_of)
    return [node for place in places if place is not None for node in _matches(h, place, in_sight)]


def _distance(node: Node, other: Node) -> float:
    return math.dist(node.bounds.center, other.bounds.center)


def _lies_in(node: Node, other: Node) -> bool:
    return len(node.path) > len(other.path) and node.path[: len(other.path)] == other.path


def _texts(node: Node) -> tuple[str, ...]:
    return node.text, node.desc, node.hint


def _has_state(state: str, wanted: bool, node: Node) -> bool:
    return getattr(node, state) is wanted


def _has_size(selector: Selector, node: Node) -> bool:
    tolerance = selector.tolerance or 0
    return (selector.width is None or abs(node.bounds.width - selector.width) <= tolerance) and (
        selector.height is None or abs(node.bounds.height - selector.height) <= tolerance
    )


def _has_trait(trait: str, node: Node) -> bool:
    match trait:
        case "text":
            return bool(node.text)
        case "long-text":
            return len(node.text) > 200
        case _:
            return abs(node.bounds.width - node.bounds.height) <= 0.03 * node.bounds.width


@functools.lru_cache(maxsize=256)
def _matcher(pattern: str) -> Callable[[str], bool]:
    """A function that says whether a text is meant by the pattern: as a regular expression or letter for letter."""
    plain = _plain(pattern).casefold()
    try:
        compiled = regex.compile(pattern, regex.IGNORECASE | regex.DOTALL | regex.VERSION0)
    except regex.error:  # `C++ (new` is no pattern: it is meant letter for letter
        compiled = None

    def matches(text: str) -> bool:
        simple = _plain(text)
        if simple.casefold() == plain:
            return True
        if compiled is None:
            return False
        try:
            return any(compiled.fullmatch(form, timeout=PATTERN_TIMEOUT_S) for form in dict.fromkeys((text, simple)))
        except TimeoutError as err:
            raise InvalidSelector(
                f"the pattern {pattern!r} takes too long",
                hint="repetitions inside repetitions, as in (a+)+, take for ever; write it without",
            ) from err

    return matches


def _plain(text: str) -> str:
    """As a person would type it: composed letters, one line, no invisible marks."""
    return unicodedata.normalize("NFC", clean(text))


def _toast_root(node: Node) -> bool:
    return len(node.path) == 1 and node.package == SYSTEM_UI and not node.children

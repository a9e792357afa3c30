"""Which way that was gone before is meant by what is done now.

Pure. An element is known again by what it is, then by where it lies; among ways that fit equally the one that comes
next in the recording counts, so that a flow which is run again goes the way it went.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from controller.virtual.captured.spec import HIDDEN, Capture, Screen, Way, direction
from controller.virtual.captured.stage import roots_by_height
from controller.virtual.ui import Rect, UiNode

__all__ = ["Standing", "Ways", "field_name", "fields_of", "hit", "shown_text"]

Fits = Callable[[Way, Screen], int | None]
"""How well a way fits, 0 best; None where it does not. The screen is the one that it begins on."""

SMALL = 0.1
"""A stroke that covers less of the screen's height and rests at its end brings nothing new."""
_NEAR_PX = 8
_REACH = 0.06
"""Part of the screen's width by which two touches of the same place may differ."""
_CHAIN = 6
_BULLETS = "•●∙·*⬤"
_FORMATTING = " -–()/.\u00a0\u2009\u202f"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the phone is: on which screen, with what typed into its fields, and which way was the last."""

    screen: Screen
    texts: Mapping[str, str] = field(default_factory=dict)
    """Key of a field → its text now, where it is not that of the screen."""
    last: int = -1


class Ways:
    """Finds ways in one capture."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture

    def touch(self, now: Standing, point: tuple[int, int], *, long: bool) -> Way | None:
        """The way of a tap or a long press."""
        node = hit(now.screen, point)
        kind = "hold" if long else "tap"

        def fits(way: Way, source: Screen) -> int | None:
            if way.kind != kind or way.at is None:
                return None
            other = hit(source, way.at)
            if node is None or other is None:
                return 3 if node is other and self._near(way.at, point) else None
            return self._alike(node, now.screen, other, source, near=self._near(way.at, point))

        return self._best(now, fits)

    def _alike(self, node: UiNode, here: Screen, other: UiNode, there: Screen, *, near: bool) -> int | None:
        """How sure it is that both are the same element: by all it says, by its id alone, by its place."""
        name = identity(node)
        if _nameless(node) or _nameless(other):
            # A canvas or a layer over everything: only the same place of it is the same thing.
            return 3 if near and name[0] == identity(other)[0] and _close(node.bounds, other.bounds) else None
        if identity(other) == name:
            if _close(other.bounds, node.bounds) or _count(here, name) == 1:
                return 0
            return 1 if here != there else None
        # What stands on it may change (a counter, a hint that turns); an id that is there once is the same element.
        by_id = node.resource_id and node.resource_id == other.resource_id and node.class_name == other.class_name
        return 2 if by_id and _count(here, name[:2]) == 1 == _count(there, name[:2]) else None

    def _near(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        return max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= _REACH * self._capture.width

    def key(self, now: Standing, code: int) -> Way | None:
        """The way of a key."""
        return self._best(now, lambda way, _: 0 if way.kind == "press" and way.key == code else None)

    def home(self, now: Standing) -> Way | None:
        """The way home, from wherever it was gone."""
        return self._anywhere(now, lambda way: way.kind == "press" and way.key == 3)

    def link(self, now: Standing, uri: str, package: str | None) -> Way | None:
        """The way of a link: it leads to the same page from everywhere."""
        return self._anywhere(
            now,
            lambda way: (
                way.kind == "link"
                and way.uri is not None
                and _same_text(way.uri, uri)
                and (package is None or way.package in (None, package))
            ),
        )

    def app(self, now: Standing, kind: str, package: str) -> Way | None:
        """The way of opening, stopping or clearing an app."""
        return self._anywhere(now, lambda way: way.kind == kind and way.package == package)

    def typed(self, now: Standing, node: UiNode, text: str) -> Way | None:
        """The way of a text that stands in a field now."""

        def fits(way: Way, _: Screen) -> int | None:
            target = focused_field(self._capture.screens[way.target])
            if way.kind != "type" or target is None or field_name(target) != field_name(node):
                return None
            return 0 if _same_value(way.text or "", text, password=node.password) else None

        return self._best(now, fits, texts=False)

    def stroke(self, now: Standing, start: tuple[int, int], end: tuple[int, int], *, length: float) -> Way | None:
        """The way of a stroke: scrolls in its direction, several together where they come closer to its length."""
        there = direction(start, end)
        from_edge = start[1] < 0.03 * self._capture.height
        best: tuple[float, int, Way] | None = None
        for total, way in self._scrolls(now.screen.id, there, from_edge):
            off = abs(total - length)
            if (length > SMALL or total <= 1.5 * SMALL) and (best is None or (off, self._turn(now, way)) < best[:2]):
                best = off, self._turn(now, way), way
        return best[2] if best else self._backwards(now, there)

    def itself(self, now: Standing) -> Way | None:
        """The way that a screen goes without being touched."""
        found = [way for way in self._ways(now.screen) if way.kind == "wait" and way.source == now.screen.id]
        return min(found, key=lambda way: self._turn(now, way), default=None)

    def known(self, screen: Screen) -> list[str]:
        """What was done from a screen, in words, each once."""
        ways = sorted(self._ways(screen), key=lambda way: way.source != screen.id)
        return list(dict.fromkeys(f"{way.words} → {way.target}" for way in ways if screen.id != way.target))

    def other_texts(self, now: Standing) -> list[str]:
        """What was typed on this page, where something else stands in a field now."""
        typed = [way.text for way in self._ways(now.screen) if way.kind == "type" and way.text]
        agrees = any(self._agree(now, self._capture.screens[way.source]) for way in self._ways(now.screen))
        return [] if agrees and not now.texts else list(dict.fromkeys(typed))

    # -- choosing

    def _ways(self, screen: Screen) -> Sequence[Way]:
        return self._capture.ways_of_page.get(screen.page, ())

    def _best(self, now: Standing, fits: Fits, *, texts: bool = True) -> Way | None:
        found: list[tuple[tuple[int, bool, int], Way]] = []
        for way in self._ways(now.screen):
            source = self._capture.screens[way.source]
            rank = fits(way, source)
            if rank is not None and (not texts or self._agree(now, source)):
                found.append(((rank, source.id != now.screen.id, self._turn(now, way)), way))
        return min(found, key=lambda entry: entry[0], default=(None, None))[1]

    def _anywhere(self, now: Standing, fits: Callable[[Way], bool]) -> Way | None:
        found = [way for way in self._capture.ways if fits(way)]
        return min(found, key=lambda way: (way.source != now.screen.id, self._turn(now, way)), default=None)

    def _turn(self, now: Standing, way: Way) -> int:
        """How far behind the last way it comes in the recording, which is gone round."""
        return (way.number - now.last - 1) % max(1, len(self._capture.ways))

    def _agree(self, now: Standing, source: Screen) -> bool:
        """Whether the fields hold now what they held then; a hidden text agrees with every text."""
        then = {field_name(node): shown_text(node) for node in fields_of(source)}
        holding = {
            field_name(node): (node, now.texts.get(node.key, shown_text(node))) for node in fields_of(now.screen)
        }
        return all(
            _same_value(then[name], text, password=node.password)
            for name, (node, text) in holding.items()
            if name in then
        )

    def _scrolls(self, screen: str, there: str, from_edge: bool) -> Iterator[tuple[float, Way]]:
        """The ways of scrolling on in a direction, each with its length from here; the last stands for the whole."""
        waiting: list[tuple[str, float, int]] = [(screen, 0.0, 0)]
        while waiting:
            here, total, depth = waiting.pop(0)
            for way in self._ways(self._capture.screens[here]):
                if way.kind != "scroll" or way.source != here or way.direction != there or way.at is None:
                    continue
                if (way.at[1] < 0.03 * self._capture.height) != from_edge:
                    continue
                length = total + self._length(way)
                yield length, way
                if way.target != here and depth < _CHAIN:
                    waiting.append((way.target, length, depth + 1))

    def _length(self, way: Way) -> float:
        if way.at is None or way.end is None:
            return 0.0
        along = 1 if way.direction in ("up", "down") else 0
        return abs(way.end[along] - way.at[along]) / self._capture.height

    def _backwards(self, now: Standing, there: str) -> Way | None:
        """A scroll the other way that led here: what it came from is shown again."""
        opposite = {"down": "up", "up": "down", "left": "right", "right": "left"}[there]
        came = [
            way
            for way in self._ways(now.screen)
            if way.kind == "scroll" and way.target == now.screen.id != way.source and way.direction == opposite
        ]
        if not came:
            return None
        last = min(came, key=lambda way: (now.last - way.number) % max(1, len(self._capture.ways)))
        return Way(last.number, last.target, last.source, "scroll", last.end, last.at)


# ---------------------------------------------------------------------------------------------------------- elements


def hit(screen: Screen, point: tuple[int, int]) -> UiNode | None:
    """What a finger on a point means: the topmost thing there that can be clicked, else the innermost."""
    innermost: list[UiNode] = []
    for root in roots_by_height(screen):
        if root.bounds.contains(*point):
            chain = list(_under(root, point))
            clickable = [node for node in chain if node.clickable or node.long_clickable or _is_field(node)]
            if clickable:
                return clickable[-1]
            innermost.append(chain[-1])
    # Layers of the system over an app take no finger; where nothing takes it, the app in front is meant.
    own = [node for node in innermost if node.package == screen.package]
    return next(iter([*own, *innermost]), None)


def _under(node: UiNode, point: tuple[int, int]) -> Iterator[UiNode]:
    yield node
    below = [child for child in node.children if child.visible and child.bounds.contains(*point)]
    if below:
        # What is drawn later lies on top; an empty layer over a page lets the finger through.
        on_top = max(
            enumerate(below), key=lambda entry: (_touchable(entry[1], point), entry[1].drawing_order, entry[0])
        )
        yield from _under(on_top[1], point)


def _touchable(node: UiNode, point: tuple[int, int]) -> bool:
    return any(part.clickable or part.long_clickable or _is_field(part)
               for part in node.walk() if part.bounds.contains(*point))  # fmt: skip


def identity(node: UiNode) -> tuple[str, ...]:
    """What an element is, wherever it lies: class, id and what stands on it."""
    if _is_field(node):
        return (*field_name(node), node.hint)
    said = [part.text or part.content_desc for part in node.walk() if part.text or part.content_desc]
    return (node.class_name, node.resource_id, *said[:8])


def _nameless(node: UiNode) -> bool:
    return not _is_field(node) and not node.resource_id and len(identity(node)) == 2


def _count(screen: Screen, name: tuple[str, ...]) -> int:
    """How many elements of a screen have this identity, or with its first two parts class and id."""
    return sum(1 for node in screen.nodes() if identity(node)[: len(name)] == name)


def _close(one: Rect, other: Rect) -> bool:
    pairs = zip(_sides(one), _sides(other), strict=True)
    return all(abs(mine - its) <= _NEAR_PX for mine, its in pairs)


def _sides(rect: Rect) -> tuple[int, int, int, int]:
    return rect.left, rect.top, rect.right, rect.bottom


# ------------------------------------------------------------------------------------------------------------ fields


def _is_field(node: UiNode) -> bool:
    return node.kind == "field"


def fields_of(screen: Screen) -> list[UiNode]:
    """The text fields of a screen."""
    return [node for node in screen.nodes() if _is_field(node)]


def focused_field(screen: Screen) -> UiNode | None:
    """The field that had the focus."""
    return next((node for node in fields_of(screen) if node.focused), None)


def field_name(node: UiNode) -> tuple[str, str]:
    """What a field is called among those of its screen."""
    return node.class_name, node.resource_id


def shown_text(node: UiNode) -> str:
    """What is in a field: nothing while it shows its hint."""
    return "" if node.hint and node.text == node.hint else node.text


def _same_value(then: str, now: str, *, password: bool) -> bool:
    """Whether a field holds what it held; a password and a hidden text are held by anything but nothing."""
    if password or HIDDEN in then or (then and not then.strip(_BULLETS)):
        return bool(then) == bool(now)
    return then == now or _bare(then) == _bare(now) != ""


def _bare(text: str) -> str:
    """Numbers without what fields put between their digits; nothing for any other text."""
    bare = "".join(sign for sign in text if sign not in _FORMATTING)
    return bare if bare.isdigit() else ""


def _same_text(then: str, now: str) -> bool:
    """Whether both are the same text, where anything may stand for what was hidden."""
    if HIDDEN not in then:
        return then == now
    return re.fullmatch(".*".join(re.escape(part) for part in then.split(HIDDEN)), now) is not None

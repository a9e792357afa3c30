"""The map of a capture as one HTML page: every screen, and what leads from one to the other.

Pure; the page needs no script, no network and no font. Screens of the same page of an app share a card; cards stand in
columns by how many actions lie between them and the start.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from jinja2 import Environment, PackageLoader, StrictUndefined
from PIL import Image

from controller.virtual.captured.spec import Capture, Screen, Way
from controller.virtual.captured.ways import shown_text

__all__ = ["map_page"]

CARD_W, PICTURE_W, SMALL_W = 196, 172, 52
GAP_X, GAP_Y, MARGIN, TITLE_H, SMALL_H, PAD = 224, 44, 24, 46, 18, 12
LEFT = 72
"""Room before the first column where ways lead back to it, as behind the last one."""
SMALL_IN_ROW = 3
LANE = 34
_SHARP = 2
"""Pixels of a thumbnail for each of the page's, so that it stays sharp on fine screens."""
_MOST_LINES = 3


@dataclass(slots=True)
class _Card:
    """One page of an app and where its card stands."""

    page: int
    screens: list[Screen]
    inside: list[str] = field(default_factory=list)
    column: int = 0
    x: int = 0
    y: int = 0
    height: int = 0

    @property
    def main(self) -> Screen:
        return self.screens[0]

    @property
    def middle(self) -> int:
        return self.y + min(self.height, TITLE_H + 360) // 2


@dataclass(frozen=True, slots=True)
class _Edge:
    """All ways from one card to another."""

    path: str
    words: tuple[str, ...]
    x: int
    y: int
    dashed: bool


def map_page(capture: Capture) -> str:
    """The page."""
    cards = _cards(capture)
    _columns(capture, cards)
    _place(capture, cards)
    edges, bottom = _edges(capture, cards)
    environment = Environment(
        loader=PackageLoader("controller.virtual.captured"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    right = max(card.x for card in cards.values()) + CARD_W + LEFT
    return environment.get_template("map.html.j2").render(
        name=capture.name,
        about=_about(capture),
        width=right,
        height=bottom + MARGIN,
        cards=[_shown(card, capture) for card in cards.values()],
        edges=edges,
        rows=[_row(screen, capture) for screen in capture.screens.values()],
        start=capture.start,
        card_width=CARD_W,
    )


def _about(capture: Capture) -> str:
    pages = len({screen.page for screen in capture.screens.values()})
    lead = len({(way.source, way.words, way.target) for way in capture.ways if way.source != way.target})
    android = f", Android {capture.release}" if capture.release else ""
    screens = "screen" if len(capture.screens) == 1 else "screens"
    return f"{capture.maker} {capture.model}{android} · {len(capture.screens)} {screens} on {pages} pages · {lead} ways"


# ------------------------------------------------------------------------------------------------------------ layout


def _cards(capture: Capture) -> dict[int, _Card]:
    cards: dict[int, _Card] = {}
    for screen in capture.screens.values():
        cards.setdefault(screen.page, _Card(screen.page, [])).screens.append(screen)
    for card in cards.values():
        inside = [way for way in _leading(capture.ways) if _pages(way, capture) == (card.page, card.page)]
        card.inside = list(dict.fromkeys(f"{way.source}  {way.words} → {way.target}" for way in inside))
    return cards


def _leading(ways: Iterable[Way]) -> list[Way]:
    return [way for way in ways if way.source != way.target]


def _pages(way: Way, capture: Capture) -> tuple[int, int]:
    return capture.screens[way.source].page, capture.screens[way.target].page


def _columns(capture: Capture, cards: Mapping[int, _Card]) -> None:
    """Each card in the column of the fewest actions from the start; what nothing leads to stands in the first one."""
    depth = {capture.screens[capture.start].page: 0}
    waiting = list(depth)
    while waiting:
        here = waiting.pop(0)
        for way in _leading(capture.ways):
            source, target = _pages(way, capture)
            if source == here and target not in depth:
                depth[target] = depth[here] + 1
                waiting.append(target)
    for card in cards.values():
        card.column = depth.get(card.page, 0)


def _place(capture: Capture, cards: Mapping[int, _Card]) -> None:
    free: dict[int, int] = {}
    back = any(card.column == 0 and _sources(card, capture) for card in cards.values())
    left = LEFT if back else MARGIN
    for card in sorted(cards.values(), key=lambda card: card.column):
        card.x = left + card.column * (CARD_W + GAP_X)
        card.height = _height(card, capture)
        above = [cards[source].y for source in _sources(card, capture) if cards[source].column < card.column]
        card.y = max(free.get(card.column, MARGIN), min(above, default=MARGIN))
        free[card.column] = card.y + card.height + GAP_Y


def _sources(card: _Card, capture: Capture) -> list[int]:
    return [
        source for source, target in (_pages(way, capture) for way in capture.ways) if target == card.page != source
    ]


def _height(card: _Card, capture: Capture) -> int:
    rows = -(-(len(card.screens) - 1) // SMALL_IN_ROW)
    small = rows * (_scaled(card.screens[0], capture, SMALL_W) + SMALL_H + 6)
    inside = 8 + 17 * min(len(card.inside), 6) + 4 if card.inside else 0
    return TITLE_H + _scaled(card.main, capture, PICTURE_W) + small + inside + 2 * PAD


def _scaled(screen: Screen, capture: Capture, width: int) -> int:
    wide, high = (capture.width, capture.height) if screen.rotation % 2 == 0 else (capture.height, capture.width)
    return round(width * high / wide)


def _edges(capture: Capture, cards: Mapping[int, _Card]) -> tuple[list[_Edge], int]:
    """The arrows, and how far down the page reaches: ways back run below the cards, each in a lane of its own."""
    together: dict[tuple[int, int], list[Way]] = {}
    for way in _leading(capture.ways):
        pair = _pages(way, capture)
        if pair[0] != pair[1]:
            together.setdefault(pair, []).append(way)
    bottom = max(card.y + card.height for card in cards.values())
    outgoing: dict[int, int] = {}
    found: list[_Edge] = []
    for (source, target), ways in together.items():
        one, other = cards[source], cards[target]
        words = tuple(
            dict.fromkeys(_short(f"{way.source}: {way.words}" if one.screens[1:] else way.words) for way in ways)
        )
        words = (
            words
            if len(words) <= _MOST_LINES
            else (*words[: _MOST_LINES - 1], f"and {len(words) - _MOST_LINES + 1} more")
        )
        dashed = all(way.kind in ("wait", "unknown action") for way in ways)
        if other.column == one.column + 1:
            number = outgoing[source] = outgoing.get(source, 0) + 1
            found.append(_forward(one, other, words, dashed, start=number))
        else:
            bottom += LANE + 14 * (len(words) - 1)
            found.append(_below(one, other, words, dashed, lane=bottom, number=len(found)))
    return found, bottom + LANE // 2


def _forward(one: _Card, other: _Card, words: tuple[str, ...], dashed: bool, *, start: int) -> _Edge:
    x1, y1 = one.x + CARD_W, min(one.middle + 26 * (start - 1), one.y + one.height - 12)
    x2, y2 = other.x - 9, other.middle
    bend = (x2 - x1) // 2
    path = f"M{x1},{y1} C{x1 + bend},{y1} {x2 - bend},{y2} {x2},{y2}"
    return _Edge(path, words, (x1 + x2) // 2, (y1 + y2) // 2, dashed)


def _below(one: _Card, other: _Card, words: tuple[str, ...], dashed: bool, *, lane: int, number: int) -> _Edge:
    """Down beside the card, along a lane below all cards, and up beside the other: over no card on the way."""
    aside = 14 + 7 * (number % 6)
    x1, y1 = one.x + CARD_W, one.y + one.height - 20 - 9 * (number % 6)
    x2, y2 = other.x - 9, other.y + other.height - 20 - 9 * (number % 6)
    right, left = x1 + aside, x2 - aside
    path = (
        f"M{x1},{y1} L{right - 10},{y1} Q{right},{y1} {right},{y1 + 10} L{right},{lane - 10} Q{right},{lane} "
        f"{right - 10},{lane} L{left + 10},{lane} Q{left},{lane} {left},{lane - 10} L{left},{y2 + 10} "
        f"Q{left},{y2} {left + 10},{y2} L{x2},{y2}"
    )
    return _Edge(path, words, (left + right) // 2, lane, dashed)


def _short(words: str) -> str:
    return words if len(words) <= 30 else words[:29] + "…"


# ------------------------------------------------------------------------------------------------------------- cards


def _shown(card: _Card, capture: Capture) -> dict[str, object]:
    main = card.main
    return {
        "x": card.x,
        "y": card.y,
        "height": card.height,
        "id": main.id,
        "title": (main.activity or main.package).rpartition(".")[2] or main.state,
        "package": main.package,
        "over": main.overlay or "",
        "start": capture.start in [screen.id for screen in card.screens],
        "picture": _thumbnail(main, PICTURE_W),
        "high": _scaled(main, capture, PICTURE_W),
        "why": _why(main, capture),
        "texts": _texts(main)[:7],
        "others": [
            {"id": screen.id, "picture": _thumbnail(screen, SMALL_W), "high": _scaled(screen, capture, SMALL_W)}
            for screen in card.screens[1:]
        ],
        "inside": card.inside[:6],
    }


def _why(screen: Screen, capture: Capture) -> str:
    if screen.picture:
        return ""
    return capture.notes.get(screen.id) or ("the app forbids pictures" if screen.secure else "no picture")


def _texts(screen: Screen) -> list[str]:
    own = (node for node in screen.nodes() if node.package == screen.package)
    said = (node.content_desc or (shown_text(node) if node.kind == "field" else node.text) for node in own)
    return list(dict.fromkeys(text for text in said if text))


def _thumbnail(screen: Screen, width: int) -> str:
    """The picture as a data URI, small; nothing where there is none."""
    if not screen.picture:
        return ""
    image = Image.open(io.BytesIO(screen.picture)).convert("RGB")
    wide = min(image.width, width * _SHARP)
    small = image.resize((wide, max(1, round(image.height * wide / image.width))), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    small.save(out, "JPEG", quality=72, optimize=True)
    return f"data:image/jpeg;base64,{base64.b64encode(out.getvalue()).decode('ascii')}"


def _row(screen: Screen, capture: Capture) -> dict[str, object]:
    out = [way for way in capture.ways if way.source == screen.id]
    lead = dict.fromkeys((way.words, way.target) for way in out if way.target != screen.id)
    stay = dict.fromkeys(way.words for way in out if way.target == screen.id)
    where = (screen.package, (screen.activity or "").rpartition(".")[2], screen.overlay)
    return {
        "id": screen.id,
        "where": " ".join(part for part in where if part),
        "ways": list(lead),
        "stay": list(stay),
    }

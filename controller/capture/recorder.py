"""A stream of looks and actions as a map: distinct screens, and what led from one to the other.

Pure. A look counts once it was seen twice in a row, or when something is done on it: what flashes by in between is
nobody's screen. Whether the actions are our own or a person's makes no difference here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b

from controller.screen.dumpsys import Foreground, State
from controller.screen.hierarchy import (
    SYSTEM_UI,
    Bounds,
    Hierarchy,
    Node,
    focused_field,
    is_field,
    is_keyboard,
)
from controller.screen.sameness import ScreenMark, is_new_screen, mark

__all__ = ["Arrow", "Deed", "Doing", "Recorder", "Screen", "Seen", "Shot"]

RESTLESS = 3
"""A place that changed by itself so often says nothing about the screen any more: a clock, a counter, an advert."""
_SMALL = 0.25
"""Part of a screen that may change by itself without making it another one."""
_NONE: frozenset[str] = frozenset()
LATE_S = 5.0
"""A screen that comes this long after an action is still its effect, if nothing else happened meanwhile."""


class Doing(StrEnum):
    """What can be done to a phone, in the words of capture.yaml."""

    TAP = "tap"
    HOLD = "hold"
    SCROLL = "scroll"
    PRESS = "press"
    OPEN = "open"
    LINK = "link"
    STOP = "stop"
    CLEAR = "clear"
    TYPE = "type"
    WAIT = "wait"
    UNKNOWN = "unknown action"


@dataclass(frozen=True, slots=True)
class Deed:
    """One action as it was done: what, where, with what, and when."""

    kind: Doing
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None
    key: int | None = None
    package: str | None = None
    uri: str | None = None
    text: str | None = None
    seconds: float | None = None
    at: float = 0.0

    def same(self, other: Deed) -> bool:
        """Whether both do the same, at whatever time."""
        mine = (self.kind, self.start, self.end, self.key, self.package, self.uri)
        return mine == (other.kind, other.start, other.end, other.key, other.package, other.uri)


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of a screen; `secure` where the app forbids pictures of itself, `note` why there is none."""

    png: bytes = b""
    secure: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """One look, with nothing in it that is to be hidden. `painted` are the places of the picture to paint over."""

    front: Foreground
    hierarchy: Hierarchy
    size: tuple[int, int]
    rotation: int = 0
    keyboard: Bounds | None = None
    input_method: str | None = None
    at: float = 0.0
    painted: tuple[Bounds, ...] = ()


@dataclass(frozen=True, slots=True)
class Screen:
    """A distinct screen. Those of one `page` are the same screen of the app, scrolled or typed into."""

    number: int
    page: int
    seen: Seen
    shot: Shot
    mark: ScreenMark

    @property
    def id(self) -> str:
        """`s7`"""
        return f"s{self.number}"


@dataclass(frozen=True, slots=True)
class Arrow:
    """What led from one screen to another, or left it as it was. `element` says in words what was touched."""

    source: str
    target: str
    deed: Deed
    element: str = ""
    bounds: Bounds | None = None
    times: int = 1


_Place = tuple[str | None, str | None, str | None]
"""Package, activity and what lies over it."""


@dataclass(frozen=True, slots=True)
class _Sight:
    seen: Seen
    shot: Shot | None


class Recorder:
    """Makes the map.

    Args:
        sees_actions: Whether every action is told; a change without one came by itself then, else by an unknown action.
    """

    def __init__(self, *, sees_actions: bool = True) -> None:
        self.sees_actions = sees_actions
        self.screens: list[Screen] = []
        self.arrows: list[Arrow] = []
        self.current: Screen | None = None
        self._by_print: dict[str, Screen] = {}
        self._changes: dict[tuple[_Place, str], int] = {}
        self._restless: dict[_Place, frozenset[str]] = {}
        self._made: list[tuple[Seen, frozenset[str], str]] = []
        """The latest fingerprints: a look is asked for its own several times."""
        self._latest: _Sight | None = None
        self._since = 0.0
        self._pending: list[Deed] = []
        self._looked = False
        self._stood = False
        """Whether a look since the last action showed what was there before it."""

    def knows(self, seen: Seen) -> bool:
        """Whether this screen is kept already."""
        return self._print(seen) in self._by_print

    def again(self, seen: Seen) -> bool:
        """Whether it shows what the look before showed."""
        return self._latest is not None and self._print(self._latest.seen) == self._print(seen)

    def lacks_picture(self, seen: Seen) -> bool:
        """Whether this screen is new and was not photographed at the look before."""
        pictured = self._latest is not None and self._latest.shot is not None and self.again(seen)
        return not self.knows(seen) and not pictured

    @property
    def waits_for_picture(self) -> Seen | None:
        """The latest look where it would be kept now and has no picture yet."""
        sight = self._latest
        return sight.seen if sight is not None and sight.shot is None and not self.knows(sight.seen) else None

    def saw(self, seen: Seen, shot: Shot | None = None) -> None:
        """One look at the phone."""
        again = self.again(seen)
        kept = self._latest.shot if again and self._latest is not None else None
        self._latest = _Sight(seen, shot or kept)
        self._looked = True
        self._stood = self._stood or self._by_print.get(self._print(seen)) is self.current
        if again:
            self._arrive()

    def photographed(self, shot: Shot) -> None:
        """The picture of the latest look."""
        if self._latest is not None:
            self._latest = _Sight(self._latest.seen, shot)

    def did(self, deed: Deed) -> None:
        """An action, on the screen that was seen last."""
        self._arrive()
        if self._looked:
            # The actions before left the screen as it was: that is worth knowing too (the end of a list).
            self._without_effect(self._pending)
            self._pending = []
        self._pending.append(deed)
        self._looked = self._stood = False

    def finish(self) -> None:
        """Nothing more comes."""
        self._arrive()
        self._without_effect(self._pending)
        self._pending = []

    # -- arriving

    def _arrive(self) -> None:
        """Be on the screen of the latest look, and draw the arrow that led there."""
        if self._latest is None:
            return
        seen, before = self._latest.seen, self.current
        known = self._by_print.get(self._print(seen))
        if known is not None and known is before:
            return
        if before is not None and not self._pending and self._grew_restless(before.seen, seen):
            return
        if self._pending and self._stood and seen.at - self._pending[-1].at > LATE_S:
            self._without_effect(self._pending)
            self._pending = []
        deeds = self._deeds(before, seen)
        arrived = known or self._keep(seen, self._latest.shot or Shot(note="no picture was taken"), before, deeds)
        if before is not None:
            self._draw(before, arrived, deeds)
        self.current, self._since, self._pending = arrived, seen.at, []

    def _deeds(self, before: Screen | None, seen: Seen) -> Sequence[Deed]:
        """What led from a screen to this look: what was told, what was typed, else time."""
        if before is None:
            return ()
        if self._pending:
            return tuple(self._pending)
        typed = _typed(before.seen, seen)
        if typed is not None:
            field, text = typed
            return (Deed(Doing.TYPE, start=field.bounds.center, text=text, at=seen.at),)
        if not self.sees_actions:
            return (Deed(Doing.UNKNOWN, at=seen.at),)
        return (Deed(Doing.WAIT, seconds=round(seen.at - self._since, 2), at=seen.at),)

    def _draw(self, source: Screen, target: Screen, deeds: Sequence[Deed]) -> None:
        last = deeds[-1]
        if all(deed.same(last) for deed in deeds):
            self._add(source, target, last, times=len(deeds))
        else:
            self._without_effect(deeds[:-1])
            self._add(source, target, last)

    def _without_effect(self, deeds: Sequence[Deed]) -> None:
        if self.current is not None:
            for deed in deeds:
                self._add(self.current, self.current, deed)

    def _add(self, source: Screen, target: Screen, deed: Deed, *, times: int = 1) -> None:
        touched = (
            _touched(source.seen, deed.start) if deed.start is not None and deed.kind is not Doing.SCROLL else None
        )
        name, bounds = (_name(touched, deed.start), touched.bounds) if touched is not None else ("", None)
        arrow = Arrow(source.id, target.id, deed, name, bounds, times)
        if deed.kind is not Doing.WAIT or not any(_same_way(arrow, other) for other in self.arrows):
            self.arrows.append(arrow)

    def _keep(self, seen: Seen, shot: Shot, before: Screen | None, deeds: Sequence[Deed]) -> Screen:
        marked = _mark(seen)
        page = self._page(seen, marked, before, deeds)
        screen = Screen(len(self.screens) + 1, page, seen, shot, marked)
        self.screens.append(screen)
        self._by_print[self._print(seen)] = screen
        return screen

    # -- what changes by itself

    def _print(self, seen: Seen) -> str:
        restless = self._restless.get(_place(seen), _NONE)
        for looked, ignoring, made in self._made:
            if looked is seen and ignoring is restless:
                return made
        made = fingerprint(seen, ignoring=restless)
        self._made = [(seen, restless, made), *self._made[:3]]
        return made

    def _grew_restless(self, before: Seen, seen: Seen) -> bool:
        """Whether a change without an action was only that of places which change all the time."""
        place = _place(seen)
        if _place(before) != place or _typed(before, seen) is not None:
            return False
        old, new = _lines(before), _lines(seen)
        changed = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
        if not changed or len(changed) > _SMALL * len(new):
            return False
        for name in changed:
            self._changes[place, name] = self._changes.get((place, name), 0) + 1
        restless = {name for name in changed if self._changes[place, name] >= RESTLESS}
        if not restless <= self._restless.get(place, frozenset()):
            self._restless[place] = self._restless.get(place, frozenset()) | restless
            mine = [screen for screen in self.screens if _place(screen.seen) == place]
            self._by_print = {mark: screen for mark, screen in self._by_print.items() if screen not in mine}
            for screen in reversed(mine):
                self._by_print[self._print(screen.seen)] = screen
        return changed <= self._restless.get(place, frozenset())

    def _page(self, seen: Seen, marked: ScreenMark, before: Screen | None, deeds: Sequence[Deed]) -> int:
        if before is not None and _place(before.seen) == _place(seen):
            stays = deeds and all(deed.kind in (Doing.SCROLL, Doing.TYPE) for deed in deeds)
            if stays and before.seen.front.record == seen.front.record:
                # Scrolling and typing show other items of the same screen.
                return before.page
        for screen in reversed(self.screens):
            if _place(screen.seen) == _place(seen) and not is_new_screen(screen.mark, marked):
                return screen.page
        return max((screen.page for screen in self.screens), default=0) + 1


# ---------------------------------------------------------------------------------------------------------- looking


def fingerprint(seen: Seen, *, ignoring: frozenset[str] = frozenset()) -> str:
    """What makes a screen distinct: the front app and what its windows show, the clock and the keys left out."""
    front = seen.front
    head = (front.package, front.activity, front.state, front.overlay, seen.rotation, seen.keyboard is not None)
    parts = [repr(head), *(line for name, line in _lines(seen).items() if name not in ignoring)]
    return blake2b("\n".join(parts).encode("utf-8", "replace"), digest_size=12).hexdigest()


def _lines(seen: Seen) -> dict[str, str]:
    """Place in the tree → what is there."""
    return {
        f"{number}.{node.path}.{node.class_name}.{node.resource_id}": _line(node)
        for number, window in enumerate(_content(seen))
        for node in window.walk()
    }


def _same_way(one: Arrow, other: Arrow) -> bool:
    return (one.source, one.target, one.deed.kind) == (other.source, other.target, other.deed.kind)


def _line(node: Node) -> str:
    states = (node.checked, node.selected, node.enabled, node.focused and is_field(node))
    return repr((node.class_name, node.resource_id, node.text, node.desc, str(node.bounds), states))


def _content(seen: Seen) -> list[Node]:
    over_app = seen.front.state is not State.APP
    return [
        window
        for window in seen.hierarchy.windows
        if (over_app or window.package != SYSTEM_UI) and not is_keyboard(window.package, seen.input_method)
    ]


def _mark(seen: Seen) -> ScreenMark:
    front = seen.front
    return mark(seen.hierarchy, package=front.package, activity=front.activity, window=front.record)


def _place(seen: Seen) -> _Place:
    return seen.front.package, seen.front.activity, seen.front.overlay


def _typed(before: Seen, after: Seen) -> tuple[Node, str] | None:
    """The field and its new text, where the field that has the focus changed its text and the app did not move on."""
    field = focused_field(after.hierarchy)
    if field is None or before.front.package != after.front.package:
        return None
    same = [node for node in before.hierarchy.nodes() if is_field(node) and _names(node) == _names(field)]
    if len(same) != 1 or same[0].text == field.text:
        return None
    empty = field.states.showing_hint or (field.hint and field.text == field.hint)
    return field, "" if empty else field.text


def _names(node: Node) -> tuple[str, str]:
    return node.class_name, node.resource_id


def _touched(seen: Seen, point: tuple[int, int] | None) -> Node | None:
    """What a person would say was touched: the smallest clickable thing there, else the smallest with a name."""
    if point is None:
        return None
    there = [node for node in seen.hierarchy.nodes() if node.bounds.contains(*point)]
    usable = [node for node in there if node.clickable or node.long_clickable or is_field(node)]
    found = usable or [node for node in there if node.text or node.desc]
    if found:
        return min(reversed(found), key=lambda node: node.bounds.area)
    return there[-1] if there else None


def _name(node: Node, point: tuple[int, int] | None) -> str:
    """The element in words: its own, or those of what lies in it, first what lies under the finger."""
    if is_field(node):
        return node.hint or node.short_id or node.short_class
    below = [part for part in node.walk() if part.text or part.desc]
    at_point = [part for part in below if point is not None and part.bounds.contains(*point)]
    named = next(iter([*([node] if node.text or node.desc else []), *at_point, *below]), None)
    return (named.text or named.desc) if named is not None else node.short_id or node.short_class

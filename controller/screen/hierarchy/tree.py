"""A dump of the screen as values: windows of nodes, as uiautomator, uiautomator2 and Appium write them.

Reading is one pass of expat over the text as it came; only text that a strict parser refuses is repaired (`repair`) and
read again, at last by a parser that recovers what it can. What the nodes mean to a person is left to the other modules.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any
from xml.parsers import expat

from controller.errors import DocumentError
from controller.screen.hierarchy.repair import as_text, repair, unmangle

__all__ = ["Bounds", "Hierarchy", "Node", "States", "parse"]

# Real trees are at most some eighty levels deep; what walks them by recursion must not meet the end of the stack.
MAX_DEPTH = 160


@dataclass(frozen=True, slots=True)
class Bounds:
    """A rectangle in pixels of the display; clipped rows come with top below bottom and count as empty."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return max(0, self.right - self.left)

    @property
    def height(self) -> int:
        return max(0, self.bottom - self.top)

    @property
    def area(self) -> int:
        return self.width * self.height

    @property
    def center(self) -> tuple[int, int]:
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    @property
    def empty(self) -> bool:
        return self.right <= self.left or self.bottom <= self.top

    def contains(self, x: int, y: int) -> bool:
        """Whether the pixel lies inside; right and bottom are outside."""
        return self.left <= x < self.right and self.top <= y < self.bottom

    def encloses(self, other: Bounds) -> bool:
        """Whether the whole of the other rectangle lies inside."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def intersection(self, other: Bounds) -> Bounds:
        """What both share; empty when they do not meet."""
        return Bounds(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def union(self, other: Bounds) -> Bounds:
        """The smallest rectangle around both."""
        return Bounds(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def __str__(self) -> str:
        return f"[{self.left},{self.top}][{self.right},{self.bottom}]"


NOWHERE = Bounds(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class States:
    """What is true of a node. A screen has a few dozen different ones, so equal ones are one object."""

    clickable: bool = False
    long_clickable: bool = False
    scrollable: bool = False
    checkable: bool = False
    checked: bool = False
    enabled: bool = True
    focusable: bool = False
    focused: bool = False
    selected: bool = False
    password: bool = False
    heading: bool = False
    showing_hint: bool = False
    visible: bool = True


@dataclass(frozen=True, slots=True)
class Node:
    """One element of the tree. `path` is the way from the root: the place among the siblings at each level."""

    path: tuple[int, ...] = (0,)
    class_name: str = ""
    package: str = ""
    text: str = ""
    desc: str = ""
    resource_id: str = ""
    hint: str = ""
    bounds: Bounds = NOWHERE
    states: States = States()
    drawing_order: int = 0
    children: tuple[Node, ...] = ()

    @property
    def clickable(self) -> bool:
        return self.states.clickable

    @property
    def long_clickable(self) -> bool:
        return self.states.long_clickable

    @property
    def scrollable(self) -> bool:
        return self.states.scrollable

    @property
    def checkable(self) -> bool:
        return self.states.checkable

    @property
    def checked(self) -> bool:
        return self.states.checked

    @property
    def enabled(self) -> bool:
        return self.states.enabled

    @property
    def focusable(self) -> bool:
        return self.states.focusable

    @property
    def focused(self) -> bool:
        return self.states.focused

    @property
    def selected(self) -> bool:
        return self.states.selected

    @property
    def password(self) -> bool:
        return self.states.password

    @property
    def visible(self) -> bool:
        return self.states.visible

    @property
    def short_class(self) -> str:
        """`Button` of `android.widget.Button`."""
        return self.class_name.rpartition(".")[2]

    @property
    def short_id(self) -> str:
        """`title` of `com.example:id/title`."""
        return self.resource_id.rpartition("/")[2]

    def walk(self) -> Iterator[Node]:
        """This node and all below it, each before its children."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """All windows of one dump, in its order (uiautomator2: the topmost first); `notes` names the repairs."""

    windows: tuple[Node, ...] = ()
    rotation: int | None = None
    notes: tuple[str, ...] = ()

    def nodes(self) -> Iterator[Node]:
        """Every node, window by window, each before its children."""
        for window in self.windows:
            yield from window.walk()

    @property
    def count(self) -> int:
        return sum(1 for _ in self.nodes())

    def at(self, path: tuple[int, ...]) -> Node | None:
        """The node at a path, or None where the tree has none."""
        level, found = self.windows, None
        for place in path:
            if place >= len(level):
                return None
            found = level[place]
            level = found.children
        return found

    def ancestors(self, node: Node) -> list[Node]:
        """The nodes above this one, the nearest first."""
        above: list[Node] = []
        level = self.windows
        for place in node.path[:-1]:
            above.append(level[place])
            level = level[place].children
        return above[::-1]


def parse(xml: str | bytes) -> Hierarchy:
    """The hierarchy of a dump, repaired where it must be.

    Raises:
        DocumentError: Nothing in it can be read as a UI hierarchy.
    """
    try:
        return _finish(_read_strictly(xml), [])
    except (expat.ExpatError, ValueError, LookupError):
        text, notes = as_text(xml) if isinstance(xml, bytes) else (xml, [])
    repaired, repairs = repair(text)
    notes += repairs
    try:
        return _finish(_read_strictly(repaired), notes)
    except (expat.ExpatError, ValueError) as err:
        return _finish(_read_what_is_left(repaired, err), [*notes, "recovered"])


# <hierarchy rotation="0"><node index="0" text="" resource-id="" class="android.widget.FrameLayout"
#   package="com.example" content-desc="" checkable="false" … bounds="[0,0][1080,2400]" drawing-order="0" hint="">…
# Appium: <hierarchy rotation="0" width="1080" …><android.widget.Button package="…" text="…" bounds="…" displayed="…"/>
_STRINGS = ("class", "package", "text", "content-desc", "resource-id", "hint", "bounds", "drawing-order")
_FLAGS = (
    "clickable", "long-clickable", "scrollable", "checkable", "checked", "enabled", "focusable", "focused", "selected",
    "password", "heading", "showing-hint",
)  # fmt: skip
_MARKS = frozenset({"class", "bounds", "resource-id", "content-desc", "package"})


class _Builder:
    """Takes the start and end of tags and builds nodes. Attributes come as one flat list: name, value, name, value …

    One dump writes the same attributes in the same order for (nearly) all nodes, so the places of the attributes are
    found once for each layout.
    """

    def __init__(self) -> None:
        self.rotation: int | None = None
        self.windows: list[Node] = []
        self.bad_bounds = False
        self.mangled = False
        self._orders: dict[str, int] = {}
        self._bounds: dict[str, Bounds] = {"": NOWHERE}
        self._states: dict[tuple[str, ...], States] = {}
        self._layouts: dict[tuple[str, ...], tuple[Callable[..., Any], Callable[..., Any]]] = {}
        self._names: list[str] = []
        self._pick: tuple[Callable[..., Any], Callable[..., Any]] = _layout(())
        self._open: list[tuple[Any, ...]] = []
        self._levels: list[list[Node]] = [self.windows]
        self._in_root = False

    def start(self, tag: str, attributes: list[str]) -> None:
        if not self._open and not self._in_root:
            if tag == "hierarchy":
                self._in_root = True
                self._take_rotation(attributes)
                return
            if tag != "node" and _MARKS.isdisjoint(attributes[0::2]):
                raise DocumentError(f"not a UI hierarchy: the root element is <{tag[:40]}>")
        names = attributes[0::2]
        if names != self._names:
            self._names = names
            self._pick = self._layouts.get(tuple(names)) or self._new_layout(names)
        attributes.append("")
        strings, flags = self._pick
        path = (*self._open[-1][0], len(self._levels[-1])) if self._open else (len(self.windows),)
        if len(path) > MAX_DEPTH:
            raise DocumentError(f"not a UI hierarchy: nested deeper than {MAX_DEPTH} levels")
        self._open.append((path, tag, strings(attributes), flags(attributes)))
        self._levels.append([])

    def end(self, _tag: str) -> None:
        if not self._open:
            return
        path, tag, (class_name, package, text, desc, resource_id, hint, bounds, order), flags = self._open.pop()
        if not (text.isascii() and desc.isascii()):
            text, desc = self._unmangled(text), self._unmangled(desc)
        children = self._levels.pop()
        node = object.__new__(Node)
        _set_path(node, path)
        _set_class_name(node, class_name or ("" if tag == "node" else tag))
        _set_package(node, package)
        _set_text(node, text)
        _set_desc(node, desc)
        _set_resource_id(node, resource_id)
        _set_hint(node, hint)
        _set_bounds(node, self._bounds.get(bounds) or self._new_bounds(bounds))
        _set_states(node, self._states.get(flags) or self._new_states(flags))
        _set_drawing_order(node, self._orders.get(order) or self._new_order(order))
        _set_children(node, tuple(children))
        self._levels[-1].append(node)

    def _unmangled(self, text: str) -> str:
        right = unmangle(text)
        if right != text:
            self.mangled = True
        return right

    def _new_order(self, written: str) -> int:
        self._orders[written] = order = int(written) if written.isdecimal() and len(written) < 10 else 0
        return order

    def _take_rotation(self, attributes: list[str]) -> None:
        found = dict(zip(attributes[0::2], attributes[1::2], strict=True)).get("rotation", "")
        self.rotation = int(found) if found in ("0", "1", "2", "3") else None

    def _new_layout(self, names: list[str]) -> tuple[Callable[..., Any], Callable[..., Any]]:
        self._layouts[tuple(names)] = picked = _layout(tuple(names))
        return picked

    def _new_bounds(self, written: str) -> Bounds:
        # bounds="[0,63][1080,2400]"
        try:
            left, top, right, bottom = map(int, written[1:-1].replace("][", ",").split(","))
        except ValueError:
            self.bad_bounds = True
            bounds = NOWHERE
        else:
            bounds = Bounds(left, top, right, bottom)
        self._bounds[written] = bounds
        return bounds

    def _new_states(self, flags: tuple[str, ...]) -> States:
        said = [flag == "true" for flag in flags[: len(_FLAGS)]]
        said[_ENABLED] = flags[_ENABLED] != "false"
        states = _interned_states(*said, "false" not in flags[len(_FLAGS) :])
        self._states[flags] = states
        return states


_ENABLED = _FLAGS.index("enabled")


@functools.cache
def _interned_states(*said: bool) -> States:
    return States(*said)


# The slots of `Node`, set directly: what `Node(…)` does through `object.__setattr__`, in 40 % of its time a node.
(
    _set_path, _set_class_name, _set_package, _set_text, _set_desc, _set_resource_id, _set_hint, _set_bounds,
    _set_states, _set_drawing_order, _set_children,
) = (getattr(Node, name).__set__ for name in Node.__slots__)  # fmt: skip


def _layout(names: tuple[str, ...]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Two functions that pick strings and flags out of a node's flat list, which ends in a "" for what is missing."""
    places = {name: 2 * place + 1 for place, name in enumerate(names)}

    def pick(wanted: tuple[str, ...]) -> Callable[..., Any]:
        return itemgetter(*(places.get(name, -1) for name in wanted))

    return pick(_STRINGS), pick((*_FLAGS, "visible-to-user", "displayed"))


def _read_strictly(text: str | bytes) -> _Builder:
    builder = _Builder()
    parser = expat.ParserCreate()
    parser.ordered_attributes = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.Parse(text, True)
    return builder


def _refuse_doctype(*_: object) -> None:
    raise DocumentError("not a UI hierarchy: it declares a document type")


def _read_what_is_left(text: str, strict: Exception) -> _Builder:
    from lxml import etree  # only damaged dumps need it

    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(text.encode("utf-8", "ignore"), parser)
    except (etree.XMLSyntaxError, ValueError) as err:
        raise DocumentError(f"not a UI hierarchy: {strict}") from err
    if root is None:
        raise DocumentError(f"not a UI hierarchy: {strict}") from strict
    builder = _Builder()
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if not isinstance(element.tag, str):
            continue
        if event == "start":
            builder.start(element.tag, [str(part) for pair in element.items() for part in pair])
        else:
            builder.end(element.tag)
    return builder


def _finish(builder: _Builder, notes: list[str]) -> Hierarchy:
    windows = tuple(builder.windows)
    if builder.mangled:
        notes = [*notes, "cp437"]
    if builder.bad_bounds:
        notes = [*notes, "unreadable_bounds"]
    if windows and not any(node.visible for window in windows for node in window.walk()):
        # Appium says displayed="false" for everything on some screens that are in plain sight.
        windows = tuple(_shown(window) for window in windows)
        notes = [*notes, "displayed_false"]
    return Hierarchy(windows, builder.rotation, tuple(notes))


def _shown(node: Node) -> Node:
    seen = {field: getattr(node.states, field) for field in States.__slots__} | {"visible": True}
    return Node(
        node.path, node.class_name, node.package, node.text, node.desc, node.resource_id, node.hint, node.bounds,
        States(**seen), node.drawing_order, tuple(_shown(child) for child in node.children),
    )  # fmt: skip

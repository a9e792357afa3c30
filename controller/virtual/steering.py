"""Moving the focus with keys: TAB, the directional pad, page up and down, as a keyboard or a remote control does.

Owns which element comes next and what a key does to it. Typing into a field is for `fields`, what a click does for
`gestures`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from controller.virtual.activities import Surface
from controller.virtual.elements import KINDS
from controller.virtual.gestures import Gestures
from controller.virtual.keys import SHIFT_ON, Key
from controller.virtual.layout import Box
from controller.virtual.ui import Rect, UiNode
from controller.virtual.windows import scroll_of

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Steering"]

_WAYS = {Key.DPAD_UP: (0, -1), Key.DPAD_DOWN: (0, 1), Key.DPAD_LEFT: (-1, 0), Key.DPAD_RIGHT: (1, 0)}
_PAGES = {Key.PAGE_UP: -1, Key.PAGE_DOWN: 1}
_STEP = 0.5
"""Part of a list that it moves by where it holds nothing further to focus."""


class Steering:
    """The key focus of one phone. It shows from the first such key on and goes with the next touch."""

    def __init__(self, phone: VirtualPhone, gestures: Gestures) -> None:
        self._phone = phone
        self._gestures = gestures

    def key(self, code: int, meta: int) -> bool:
        """A key that moves the focus or a page; False where it is none."""
        if code in _PAGES:
            return self._page(_PAGES[code])
        if code == Key.TAB:
            return self._next(-1 if meta & SHIFT_ON else 1)
        return code in _WAYS and self._move(_WAYS[code])

    def click(self) -> bool:
        """The key in the middle: a tap on what has the focus; False where nothing has it."""
        current = next((node for node in self._nodes() if node.focused), None)
        found = self._box(current) if current is not None else None
        if current is None or found is None or not current.clickable:
            return False
        self._gestures.click(*found, current, x=current.bounds.center[0])
        return True

    def _next(self, step: int) -> bool:
        nodes = list(self._nodes())
        if not nodes:
            return False
        at = next((number for number, node in enumerate(nodes) if node.focused), None)
        return self._focus(nodes[0] if at is None else nodes[(at + step) % len(nodes)])

    def _move(self, way: tuple[int, int]) -> bool:
        nodes = list(self._nodes())
        current = next((node for node in nodes if node.focused), None)
        if current is None:
            return bool(nodes) and self._focus(nodes[0])
        inside = self._within_list(current, way) if way[0] == 0 else None
        found = inside or _nearest(current.bounds, nodes, way)
        return found is not None and self._focus(found)

    def _within_list(self, current: UiNode, way: tuple[int, int]) -> UiNode | None:
        """The next one in the list around a node, which moves where it has to, as a list's own arrows do."""
        for _ in range(2):
            found = self._list(current)
            inner = list(found.walk()) if found is not None else []
            here = next((node for node in inner if node.key == current.key), None)
            if here is None:
                return None
            inner_keys = {node.key for node in inner}
            near = _nearest(here.bounds, [node for node in self._nodes() if node.key in inner_keys], way)
            if near is not None or not self._scroll(here, way[1] * _STEP):
                return near
        return None

    def _page(self, way: int) -> bool:
        window = self._phone.focused_window()
        if window is None:
            return False
        current = next((node for node in self._nodes() if node.focused), window.root)
        return self._scroll(current, way * 1.0)

    def _scroll(self, node: UiNode, part: float) -> bool:
        """Move the list around a node, else the window's first one, by a part of its height."""
        found = self._list(node)
        return found is not None and self._scroll_by(found, part * found.bounds.height)

    def _reveal(self, node: UiNode) -> None:
        """Move the list around a node so that all of it can be seen."""
        found = self._list(node)
        if found is None or not any(inner.key == node.key for inner in found.walk()):
            return
        below, above = node.frame.bottom - found.bounds.bottom, node.frame.top - found.bounds.top
        if below > 0 or above < 0:
            self._scroll_by(found, below if below > 0 else above)

    def _list(self, node: UiNode) -> UiNode | None:
        window = self._phone.focused_window()
        lists = [] if window is None else [one for one in window.root.walk() if one.scrollable and _vertical(one)]
        around = [one for one in lists if any(inner.key == node.key for inner in one.walk())]
        return around[-1] if around else next(iter(lists), None)

    def _scroll_by(self, node: UiNode, pixels: float) -> bool:
        found = self._box(node)
        if found is None:
            return False
        surface, box = found
        scroll = surface.scroll.setdefault(box.key, scroll_of(surface, box))
        before, scroll.fling = scroll.at(self._phone.now()), None
        scroll.offset = min(float(box.limit), max(0.0, before + pixels))
        self._phone.moved()
        return scroll.offset != before

    def _focus(self, node: UiNode) -> bool:
        found = self._box(node)
        if found is None:
            return False
        surface, box = found
        if node.kind == "field":
            surface.cursor = ""
            self._phone.fields.focus(surface, box.element.var)
        else:
            surface.cursor, surface.focus, surface.keyboard = node.key, "", False
        self._reveal(node)
        self._phone.changed()
        return True

    def _nodes(self) -> Iterable[UiNode]:
        """What can have the focus in the focused window, in reading order."""
        window = self._phone.focused_window()
        if window is None:
            return []
        return [node for node in window.root.walk() if node.focusable and node.enabled and not node.scrollable]

    def _box(self, node: UiNode) -> tuple[Surface, Box] | None:
        window = self._phone.focused_window()
        return self._phone.stage.node_box(window.hash, node.key) if window is not None else None


def _vertical(node: UiNode) -> bool:
    return KINDS[node.kind].axis == "v"


def _nearest(start: Rect, nodes: Iterable[UiNode], way: tuple[int, int]) -> UiNode | None:
    """The next node in a direction: what lies in the beam before what lies beside it, as Android's FocusFinder."""
    best: tuple[float, UiNode] | None = None
    for node in nodes:
        if (score := _score(start, node.bounds, way)) is not None and (best is None or score < best[0]):
            best = (score, node)
    return best[1] if best is not None else None


def _score(start: Rect, end: Rect, way: tuple[int, int]) -> float | None:
    """The less the better, None for what does not lie there: `FocusFinder.isCandidate` and its weighted distance."""
    (near, far), (end_near, end_far) = _along(start, way), _along(end, way)
    if not (near < end_near or far <= end_near) or far >= end_far:
        return None
    side = 0 if way[1] else 1
    along, across = max(0, end_near - far), abs(end.center[side] - start.center[side])
    beam = start.left < end.right and end.left < start.right
    if way[0]:
        beam = start.top < end.bottom and end.top < start.bottom
    return 13.0 * along * along + across * across + (0 if beam else 1e9)


def _along(rect: Rect, way: tuple[int, int]) -> tuple[int, int]:
    """The edges of a rectangle that come first and last on the way."""
    match way:
        case (1, _):
            return rect.left, rect.right
        case (-1, _):
            return -rect.right, -rect.left
        case (_, 1):
            return rect.top, rect.bottom
        case _:
            return -rect.bottom, -rect.top

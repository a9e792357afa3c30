"""Where to put the finger: a point that reaches an element, a line that scrolls a container.

Everything is in pixels of the whole display and is checked before anything is sent. The touch itself is the device's.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from controller.errors import NotTappable, OccludedByKeyboard
from controller.screen.hierarchy import (
    SYSTEM_DIALOGS,
    SYSTEM_UI,
    Bounds,
    Hierarchy,
    Node,
    app_windows,
    extent,
    is_keyboard,
)

__all__ = ["Direction", "Line", "drag_line", "has_dialog", "scroll_container", "scroll_line", "tap_point"]

Point = tuple[int, int]
Line = tuple[Point, Point]

# Ids of containers that are a dialog or a sheet inside the page's own window.
_DIALOG_IDS = frozenset({"alertTitle", "parentPanel", "touch_outside", "design_bottom_sheet", "buttonPanel"})
# A finger that begins or ends this near to the edge of the display is taken for the system's gesture.
EDGE_MARGIN_PX = 24


class Direction(StrEnum):
    """Where the content is looked for: `down` shows what lies below."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"


def tap_point(h: Hierarchy, node: Node, *, screen: Bounds, keyboard: Bounds | None = None) -> Point:
    """A point of the element that can be touched.

    A label without an area of its own is touched at the nearest clickable thing around it. A row that holds buttons is
    touched beside them, and what a dialog covers in part is touched where it can be seen.

    Raises:
        NotTappable: It has no area inside the screen, or a dialog lies over it.
        OccludedByKeyboard: The keyboard lies over the point.
    """
    for candidate in (node, *(above for above in h.ancestors(node) if above.clickable)):
        area = candidate.bounds.intersection(screen)
        if not candidate.bounds.empty and not area.empty:
            break
    else:
        raise NotTappable(
            f"the element has no area on the screen: bounds {node.bounds} on {screen.width}x{screen.height}",
            hint="scroll it into view first",
            bounds=[node.bounds.left, node.bounds.top, node.bounds.right, node.bounds.bottom],
        )
    covers = _covers(h, node)
    point = _beside_buttons(candidate, area, covers)
    if any(cover.contains(*point) for cover in covers):
        raise NotTappable(
            f"a dialog or popup lies over the element {node.bounds}",
            hint="close it first, or use one of its own elements: `phonectl observe` shows them",
            bounds=[node.bounds.left, node.bounds.top, node.bounds.right, node.bounds.bottom],
        )
    if keyboard is not None and keyboard.contains(*point):
        raise OccludedByKeyboard(
            f"the keyboard {keyboard} lies over the point {point[0]},{point[1]} of the element {node.bounds}",
            hint="hide the keyboard first: `phonectl press back`, or `hideKeyboard` in a flow",
        )
    return point


def scroll_container(h: Hierarchy, *, package: str | None) -> Node | None:
    """The biggest container of the front app that scrolls up and down."""
    windows = [window for window in app_windows(h, package) if not is_keyboard(window.package)]
    around = extent(h)
    found = [
        node
        for window in windows
        for node in window.walk()
        if node.scrollable
        and node.visible
        and not _sideways(node)
        and node.bounds.height >= 0.15 * around.height
        and node.bounds.width >= 0.3 * around.width
    ]
    # Of nested ones of equal size the innermost moves.
    return max(found, key=lambda node: (node.bounds.area, len(node.path)), default=None)


def scroll_line(area: Bounds, screen: Bounds, fraction: float) -> Line:
    """From where to where a finger drags to show what lies below, by a part of the container's height.

    Args:
        area: The container.
        screen: The display.
        fraction: The part of the container's height; below zero it shows what lies above.
    """
    safe = _safe(area, screen)
    distance = min(abs(round(fraction * area.height)), safe.height - 1)
    x = safe.left + round(0.5 * (safe.width - 1))
    low = safe.top + (safe.height + distance) // 2
    low = min(low, safe.bottom - 1)
    high = low - distance
    return ((x, low), (x, high)) if fraction >= 0 else ((x, high), (x, low))


def drag_line(
    area: Bounds,
    screen: Bounds,
    direction: Direction,
    fraction: float,
    *,
    keyboard: Bounds | None = None,
) -> Line:
    """From where to where a finger drags to show what lies in a direction: `down` moves the finger up."""
    if keyboard is not None and not keyboard.empty and keyboard.top > area.top:
        area = Bounds(area.left, area.top, area.right, min(area.bottom, keyboard.top))
    match direction:
        case Direction.DOWN:
            return scroll_line(area, screen, fraction)
        case Direction.UP:
            return scroll_line(area, screen, -fraction)
        case Direction.LEFT | Direction.RIGHT:
            sign = 1 if direction is Direction.RIGHT else -1
            (a, b), (c, d) = scroll_line(_turned(area), _turned(screen), sign * fraction)
            return (b, a), (d, c)


def has_dialog(h: Hierarchy, *, package: str | None, screen: Bounds | None = None) -> bool:
    """Whether a dialog, a sheet or a popup lies over the page."""
    front = [w for w in h.windows if w.package != SYSTEM_UI and not is_keyboard(w.package) and not w.bounds.empty]
    own = app_windows(h, package)
    top = next((window for window in front if window.package in SYSTEM_DIALOGS or window in own), None)
    if top is None:
        return False
    if top.package in SYSTEM_DIALOGS and package not in SYSTEM_DIALOGS:
        return True
    whole = screen or extent(h)
    if top.bounds.area < 0.75 * whole.area and len(own) == 1:
        return True
    if len(own) > 1 and top.bounds.area < 0.9 * max(window.bounds.area for window in own):
        return True
    return any(node.short_id in _DIALOG_IDS and not node.bounds.empty for node in top.walk() if node.visible)


def _covers(h: Hierarchy, node: Node) -> list[Bounds]:
    """The windows that lie over the node's window. A dump has no fixed order: of two windows the smaller is on top."""
    own = h.windows[node.path[0]]
    return [
        window.bounds
        for place, window in enumerate(h.windows)
        if place != node.path[0]
        and (window.package == own.package or window.package in SYSTEM_DIALOGS)
        and window.class_name != "android.widget.Toast"
        and not is_keyboard(window.package)
        and window.visible
        and not window.bounds.empty
        and window.bounds.area < 0.9 * own.bounds.area
    ]


def _beside_buttons(node: Node, area: Bounds, covers: list[Bounds]) -> Point:
    """The middle of the area, or a point of it that nothing inside or above takes for itself."""
    inner = [below.bounds for below in node.walk() if below is not node and (below.clickable or below.checkable)]
    inner = [bounds for bounds in inner if not bounds.empty and not bounds.encloses(area)] if node.clickable else []
    for taken in ((*inner, *covers), covers, inner):
        for x, y in _points(area):
            if not any(bounds.contains(x, y) for bounds in taken):
                return x, y
    return area.center


def _points(area: Bounds) -> Iterator[Point]:
    yield area.center
    for down in (2, 1, 3):
        for along in (1, 3, 2):
            yield area.left + area.width * along // 4, area.top + area.height * down // 4
    for along in range(1, 16):
        yield area.left + area.width * along // 16, area.top + area.height // 2


def _sideways(node: Node) -> bool:
    name = node.short_class
    if "Horizontal" in name or "ViewPager" in name:
        return True
    rows = [child.bounds for child in node.children if not child.bounds.empty]
    if len(rows) < 2:
        return node.bounds.height * 3 < node.bounds.width and "ScrollView" not in name
    return len({row.top for row in rows}) == 1 and len({row.left for row in rows}) > 1


def _safe(area: Bounds, screen: Bounds) -> Bounds:
    margin = EDGE_MARGIN_PX
    inside = Bounds(screen.left + margin, screen.top + margin, screen.right - margin, screen.bottom - margin)
    within = area.intersection(inside)
    inner = Bounds(within.left, within.top + min(EDGE_MARGIN_PX, within.height // 8), within.right, within.bottom)
    inner = Bounds(inner.left, inner.top, inner.right, inner.bottom - min(EDGE_MARGIN_PX, inner.height // 8))
    if inner.empty:
        raise NotTappable(f"no room to scroll: {area} on {screen.width}x{screen.height}")
    return inner


def _turned(bounds: Bounds) -> Bounds:
    return Bounds(bounds.top, bounds.left, bounds.bottom, bounds.right)

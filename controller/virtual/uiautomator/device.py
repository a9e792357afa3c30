"""What uiautomator2's server sees of the phone and does to it: roots, objects, fingers, keys, with their real waits.

A function that takes time is a generator of the seconds to wait, so that nothing here reads a clock. The names and
rules are those of `UiDevice`, `UiObject` and `InteractionController` of androidx.test.uiautomator.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from controller.virtual.phone import VirtualPhone
from controller.virtual.ui import Rect, UiNode, Window
from controller.virtual.uiautomator.selector import Found, Selector, find_by, find_in

__all__ = ["JavaError", "Steps", "UiDevice", "object_not_found"]

Steps = Generator[float, None, Any]
"""Seconds to wait, and in the end a value."""

STEP_S = 0.005  # one injected movement
CLICK_S = 0.1  # REGULAR_CLICK_LENGTH
LONG_PRESS_S = 0.75  # one and a half times the long press timeout
ACKNOWLEDGE_S = 0.5  # the server sets the action acknowledgement timeout to 500 ms
KEY_EVENT_S = 1.0  # how long pressBack and pressHome wait for something to change
SETTLE_S = 1.0  # the longest that a scroll is waited for
_INSTANT_S = 0.001
BY_POLL_S = 0.1
UI_POLL_S = 1.0
_TEXT_CLASSES = ("TextView", "EditText", "Button", "CheckBox", "Switch", "CheckedTextView")


class JavaError(Exception):
    """An exception on the phone's side, with its Java class."""

    def __init__(self, java_class: str, message: str) -> None:
        super().__init__(message)
        self.java_class = java_class
        self.message = message


def object_not_found(selector: Selector | str) -> JavaError:
    """The exception for a selector that nothing matches."""
    return JavaError("androidx.test.uiautomator.UiObjectNotFoundException", str(selector))


class UiDevice:
    """The phone as UiAutomator offers it."""

    def __init__(self, phone: VirtualPhone) -> None:
        self.phone = phone
        self.watch: Callable[[], bool] = lambda: False
        """Runs the registered watchers; True where one of them acted."""

    # ---- looking

    def windows(self) -> list[Window]:
        """All windows in the order of a Java HashSet: none that one could rely on."""
        self.phone.tick()
        return sorted(self.phone.windows(), key=lambda window: window.hash)

    def roots(self) -> list[UiNode]:
        """The roots of all windows."""
        return [window.root for window in self.windows()]

    def active_root(self) -> UiNode | None:
        """The root of the window that has the focus."""
        self.phone.tick()
        focused = self.phone.focused_window()
        return focused.root if focused is not None else None

    def find_by(self, selector: Selector) -> Found | None:
        """A node of any window."""
        found = find_by(selector, self.roots())
        return find_by(selector, self.roots()) if found is None and self.watch() else found

    def find_in(self, selector: Selector) -> Found | None:
        """A node of the active window."""
        found = find_in(selector, self.active_root())
        if found is None:
            self.watch()
        return found

    def find(self, selector: Selector) -> Found | None:
        """As `toUiObject2` where that search can answer, else as UiSelector."""
        found = self.find_by(selector) if selector.simple else None
        return found or self.find_in(selector)

    def need(self, selector: Selector) -> Found:
        """The node, or the exception that there is none."""
        found = self.find(selector)
        if found is None:
            raise object_not_found(selector)
        return found

    def need_in(self, selector: Selector) -> Found:
        """The node in the active window, or the exception that there is none."""
        found = self.find_in(selector)
        if found is None:
            raise object_not_found(selector)
        return found

    def count(self, selector: Selector) -> int:
        """How many nodes of the active window match."""
        if "instance" in selector.deepest.terms:
            return int(self.find_in(selector) is not None)
        root, number = self.active_root(), 0
        while find_in(selector.with_instance(number), root) is not None:
            number += 1
        return number

    def info(self, found: Found, *, as_object2: bool) -> dict[str, Any]:
        """`ObjInfo`: UiObject2 has null for what a view lacks, and the resource name; UiObject has neither."""
        node = found.node
        bounds = rect_json(node.bounds)
        return {
            "bounds": bounds,
            "checkable": node.checkable,
            "checked": node.checked,
            "childCount": len(node.children),
            "className": node.class_name,
            "clickable": node.clickable,
            "contentDescription": node.content_desc or (None if as_object2 else ""),
            "enabled": node.enabled,
            "focusable": node.focusable,
            "focused": node.focused,
            "longClickable": node.long_clickable,
            "packageName": node.package,
            "resourceName": (node.resource_id or None) if as_object2 else None,
            "scrollable": node.scrollable,
            "selected": node.selected,
            "text": node_text(node) if as_object2 else node.text,
            "visibleBounds": bounds,
        }

    # ---- fingers

    def click(self, x: float, y: float, hold_s: float = CLICK_S) -> Steps:
        """Down, a while, up."""
        if x < 0 or y < 0:
            return False
        self.check_injection()
        if hold_s > CLICK_S:
            yield hold_s
            self.phone.tap(int(x), int(y), hold_s=hold_s)
            return True
        self.phone.touch_down(int(x), int(y))
        yield hold_s
        self.phone.touch_up(int(x), int(y))
        return True

    def click_and_sync(self, point: tuple[int, int], hold_s: float = CLICK_S) -> Steps:
        """A click that answers whether anything changed."""
        before = self.phone.version
        yield from self.click(*point, hold_s)
        if self.changed_since(before):
            return True
        yield ACKNOWLEDGE_S
        return self.changed_since(before)

    def swipe(self, points: list[tuple[int, int]], steps: int) -> Steps:
        """A straight movement through the points, `steps` of five milliseconds between two of them."""
        self.check_injection()
        duration = max(1, steps) * STEP_S * max(1, len(points) - 1)
        yield duration
        self.phone.gesture(points, duration)
        return True

    def drag(self, start: tuple[int, int], end: tuple[int, int], steps: int) -> Steps:
        """A long press that moves and rests before it lets go."""
        self.check_injection()
        self.phone.touch_down(*start)
        yield LONG_PRESS_S
        count = max(1, min(steps, 20))
        for number in range(1, count + 1):
            self.phone.touch_move(
                start[0] + (end[0] - start[0]) * number // count, start[1] + (end[1] - start[1]) * number // count
            )
            yield max(1, steps) * STEP_S / count
        yield CLICK_S
        self.phone.touch_up(*end)
        return True

    def scroll(self, selector: Selector, *, vertical: bool, forward: bool, steps: int) -> Steps:
        """One swipe over a list; True while there is more to come in that direction."""
        area = self.need_in(selector).node.bounds
        before = self._positions(selector)
        start, end = scroll_line(area, vertical=vertical, forward=forward)
        yield from self.swipe([start, end], steps)
        now, waited = self._positions(selector), 0.0
        while waited < SETTLE_S:
            yield 0.05
            waited += 0.05
            later = self._positions(selector)
            if later == now:
                break
            now = later
        return now != before and not self._at_end(selector, vertical=vertical, forward=forward)

    def _positions(self, selector: Selector) -> list[tuple[str, str]]:
        found = self.find_in(selector)
        return [(str(node.bounds), node.text) for node in found.node.walk()] if found is not None else []

    def _at_end(self, selector: Selector, *, vertical: bool, forward: bool) -> bool:
        found = self.find_in(selector)
        if found is None or not found.node.children:
            return True
        area = found.node.bounds
        frames = [child.frame for child in found.node.children]
        if vertical:
            return (
                max(frame.bottom for frame in frames) <= area.bottom + 1
                if forward
                else min(frame.top for frame in frames) >= area.top - 1
            )
        return (
            max(frame.right for frame in frames) <= area.right + 1
            if forward
            else min(frame.left for frame in frames) >= area.left - 1
        )

    # ---- keys

    def press(self, code: int, meta: int = 0) -> bool:
        """A key, without waiting."""
        self.check_injection()
        self.phone.key(code, meta)
        return True

    def press_and_wait(self, code: int) -> Steps:
        """`pressBack`, `pressHome`: False, a second later, where nothing changes."""
        before = self.phone.version
        self.press(code)
        if self.changed_since(before):
            return True
        yield KEY_EVENT_S
        return self.changed_since(before)

    def changed_since(self, version: int) -> bool:
        """Whether the phone's screen is another one by now."""
        self.phone.tick()
        return self.phone.version != version

    def check_injection(self) -> None:
        """Raise what a phone answers that keeps adb from touching it."""
        if self.phone.faults.active("inject_denied"):
            raise JavaError(
                "java.lang.SecurityException", "Injecting to another application requires INJECT_EVENTS permission"
            )

    # ---- waiting

    def wait(self, condition: Callable[[], bool], timeout_s: float, poll_s: float) -> Steps:
        """Whether the condition came true in time."""
        waited = 0.0
        while not condition():
            if waited >= timeout_s - _INSTANT_S:
                return False
            pause = min(poll_s, timeout_s - waited)
            yield pause
            waited += pause
        return True

    def wait_for(self, selector: Selector, timeout_s: float, *, gone: bool) -> Steps:
        """`waitForExists` and `waitUntilGone`."""
        search = self.find_by if selector.simple else self.find_in
        poll_s = BY_POLL_S if selector.simple else UI_POLL_S
        return (yield from self.wait(lambda: (search(selector) is None) == gone, timeout_s, poll_s))


def rect_json(rect: Rect) -> dict[str, int]:
    """A rectangle as the server's JSON has it."""
    return {"bottom": rect.bottom, "left": rect.left, "right": rect.right, "top": rect.top}


def node_text(node: UiNode) -> str | None:
    """The text of a node: a view that shows text has at least an empty one, others have none."""
    return node.text if node.text or node.class_name.endswith(_TEXT_CLASSES) else None


def scroll_line(area: Rect, *, vertical: bool, forward: bool) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where UiScrollable's swipe begins and ends: a tenth inside the list."""
    x, y = area.center
    if vertical:
        dead = int(area.height * 0.1)
        low, high = (x, area.bottom - dead), (x, area.top + dead)
    else:
        dead = int(area.width * 0.1)
        low, high = (area.right - dead, y), (area.left + dead, y)
    return (low, high) if forward else (high, low)

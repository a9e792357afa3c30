"""The methods that touch: clicks, swipes, drags, keys."""

from __future__ import annotations

import math
from typing import Any

from controller.virtual.ui import Rect
from controller.virtual.uiautomator.device import CLICK_S, LONG_PRESS_S, STEP_S, JavaError, Steps
from controller.virtual.uiautomator.keys import KEYS, WAITED_KEYS
from controller.virtual.uiautomator.selector import Selector
from controller.virtual.uiautomator.server import ArgumentFault, UiAutomator, decimal, list_of, method, number, text_of

__all__: list[str] = []

_FINGER_HALF_WIDTH = 20
"""How near to the middle UiObject puts two fingers that are together."""


@method("click")
def click(server: UiAutomator, first: Any, *rest: Any) -> Steps:
    """`click(x, y)`, `click(x, y, ms)`, `click(selector)`, `click(selector, corner)`."""
    if isinstance(first, str | dict):
        return (yield from _click_object(server, first, rest, CLICK_S))
    if len(rest) not in {1, 2}:
        raise ArgumentFault(rest)
    hold_s = decimal(rest[1]) / 1000 if len(rest) > 1 else CLICK_S
    return (yield from server.device.click(number(first), number(rest[0]), hold_s))


@method("longClick")
def long_click(server: UiAutomator, reference: Any, *corner: Any) -> Steps:
    """`longClick(selector)`, `longClick(selector, corner)`."""
    return (yield from _click_object(server, reference, corner, LONG_PRESS_S))


def _click_object(server: UiAutomator, reference: Any, corners: tuple[Any, ...], hold_s: float) -> Steps:
    if len(corners) > 1:
        raise ArgumentFault(corners)
    target = server.target(reference)
    corner = (text_of(corners[0]) or "center").lower() if corners else ""
    found = server.need(reference)
    if isinstance(target, Selector) and corner:
        found = server.device.need_in(target)
    area = found.node.bounds
    points = {
        "br": (area.right - 5, area.bottom - 5),
        "bottomright": (area.right - 5, area.bottom - 5),
        "tl": (area.left + 5, area.top + 5),
        "topleft": (area.left + 5, area.top + 5),
    }
    if corner not in {"", "c", "center", *points}:
        return False
    if not corner and isinstance(target, Selector) and target.simple:  # UiObject2.click answers nothing, so true
        yield from server.device.click(*area.center, hold_s)
        return True
    return (yield from server.device.click_and_sync(points.get(corner, area.center), hold_s))


@method("clickAndWaitForNewWindow")
def click_and_wait(server: UiAutomator, reference: Any, timeout_ms: float) -> Steps:
    """A click; whether another window is there in time."""
    found = server.need(reference)
    before = [window.hash for window in server.device.windows()]
    yield from server.device.click(*found.node.bounds.center)
    return (
        yield from server.device.wait(
            lambda: [window.hash for window in server.device.windows()] != before, decimal(timeout_ms) / 1000, 0.1
        )
    )


@method("swipe")
def swipe(server: UiAutomator, first: Any, *rest: Any) -> Steps:
    """`swipe(x1, y1, x2, y2, steps)`, `swipe(selector, direction[, percent], steps)`."""
    if len(rest) == 4:
        x1, y1, x2, y2, steps = (number(value) for value in (first, *rest))
        return (yield from server.device.swipe([(x1, y1), (x2, y2)], steps))
    if len(rest) not in {2, 3}:
        raise ArgumentFault(rest)
    direction, steps = text_of(rest[0]).lower()[:1], number(rest[-1])
    area = server.need(first).node.bounds
    x, y = area.center
    lines = {
        "u": ((x, area.bottom - 5), (x, area.top + 5)),
        "d": ((x, area.top + 5), (x, area.bottom - 5)),
        "l": ((area.right - 5, y), (area.left + 5, y)),
        "r": ((area.left + 5, y), (area.right - 5, y)),
    }
    if direction not in lines or (area.height if direction in "ud" else area.width) <= 10:
        return False
    return (yield from server.device.swipe(list(lines[direction]), steps))


@method("swipePoints")
def swipe_points(server: UiAutomator, segments: Any, steps: int) -> Steps:
    """A movement through many points, given as x, y, x, y …"""
    numbers = [number(value) for value in list_of(segments)]
    points = [(numbers[at], numbers[at + 1]) for at in range(0, len(numbers) - 1, 2)]
    if not points:
        return False
    return (yield from server.device.swipe(points, number(steps)))


@method("drag")
def drag(server: UiAutomator, x1: float, y1: float, x2: float, y2: float, steps: int) -> Steps:
    """A long press that moves."""
    return (yield from server.device.drag((number(x1), number(y1)), (number(x2), number(y2)), number(steps)))


@method("dragTo")
def drag_to(server: UiAutomator, reference: Any, first: Any, second: Any, steps: Any = None) -> Steps:
    """`dragTo(selector, x, y, steps)`, `dragTo(selector, selector, steps)`."""
    start = server.need(reference).node.bounds.center
    if steps is None:
        end, steps = server.need(first).node.bounds.center, second
    else:
        end = (number(first), number(second))
    return (yield from server.device.drag(start, end, number(steps)))


@method("pinchIn")
def pinch_in(server: UiAutomator, reference: Any, percent: int, steps: int) -> Steps:
    """Two fingers come together over an object, from a part of its width to its middle."""
    bounds = server.need(reference).node.bounds
    return (yield from _pinch(server, bounds.center, 1 / _spread(bounds, number(percent)), steps))


@method("pinchOut")
def pinch_out(server: UiAutomator, reference: Any, percent: int, steps: int) -> Steps:
    """Two fingers move apart over an object, from its middle to a part of its width."""
    bounds = server.need(reference).node.bounds
    return (yield from _pinch(server, bounds.center, _spread(bounds, number(percent)), steps))


def _spread(bounds: Rect, percent: int) -> float:
    """How many times further the fingers are from each other where they are apart, as in `UiObject.pinchOut`."""
    if bounds.width <= 2 * _FINGER_HALF_WIDTH:
        raise JavaError("java.lang.IllegalStateException", "Object width is too small for operation")
    return max(1.0, bounds.width * min(100, max(0, percent)) / 100 / (2 * _FINGER_HALF_WIDTH))


@method("gesture")
def gesture(server: UiAutomator, reference: Any, *points: Any) -> Steps:
    """`gesture(selector, start1, start2, end1, end2, steps)`; a point is `{"x": 1, "y": 2}`."""
    if len(points) != 5 or not all(isinstance(point, dict) for point in points[:4]):
        raise ArgumentFault(points)
    start1, start2, end1, end2 = ((number(point.get("x")), number(point.get("y"))) for point in points[:4])
    server.need(reference)
    before = math.dist(start1, start2)
    middle = (start1[0] + start2[0]) // 2, (start1[1] + start2[1]) // 2
    return (yield from _pinch(server, middle, math.dist(end1, end2) / before if before else 1.0, points[4]))


def _pinch(server: UiAutomator, middle: tuple[int, int], factor: float, steps: Any) -> Steps:
    server.device.check_injection()
    yield max(1, number(steps)) * STEP_S
    server.phone.pinch(*middle, factor)
    return True


@method("injectInputEvent")
def inject_input_event(server: UiAutomator, action: int, x: float, y: float, meta: int = 0) -> bool:
    """One touch event: 0 down, 1 up, 2 move."""
    del meta
    server.device.check_injection()
    phone, point = server.phone, (number(x), number(y))
    match action:
        case 0:
            phone.touch_down(*point)
        case 1:
            phone.touch_up(*point)
        case 2:
            phone.touch_move(*point)
        case _:
            return False
    return True


@method("pressKey")
def press_key(server: UiAutomator, name: str) -> Steps:
    """A key by the server's own names; False for one it does not know."""
    name = text_of(name).lower()
    if name in WAITED_KEYS:
        return (yield from server.device.press_and_wait(WAITED_KEYS[name]))
    return server.device.press(KEYS[name]) if name in KEYS else False


@method("pressKeyCode")
def press_key_code(server: UiAutomator, code: int, meta: int = 0) -> bool:
    """A key by its code."""
    return server.device.press(number(code), number(meta))

"""The methods of UiScrollable: scrolling, flinging, scrolling to something."""

from __future__ import annotations

from typing import Any

from controller.virtual.uiautomator.device import Steps
from controller.virtual.uiautomator.selector import Selector
from controller.virtual.uiautomator.server import UiAutomator, method, number, read_selector

__all__ = ["scroll_into_view"]

_MAX_SEARCH_SWIPES = 30
_SCROLL_STEPS, _FLING_STEPS = 55, 5


@method("scrollForward")
def scroll_forward(server: UiAutomator, selector: Any, vertical: bool, steps: int) -> Steps:
    """One swipe towards the end."""
    return (yield from _scroll(server, selector, vertical, steps, forward=True))


@method("scrollBackward")
def scroll_backward(server: UiAutomator, selector: Any, vertical: bool, steps: int) -> Steps:
    """One swipe towards the beginning."""
    return (yield from _scroll(server, selector, vertical, steps, forward=False))


@method("flingForward")
def fling_forward(server: UiAutomator, selector: Any, vertical: bool) -> Steps:
    """One fast swipe towards the end."""
    return (yield from _scroll(server, selector, vertical, _FLING_STEPS, forward=True))


@method("flingBackward")
def fling_backward(server: UiAutomator, selector: Any, vertical: bool) -> Steps:
    """One fast swipe towards the beginning."""
    return (yield from _scroll(server, selector, vertical, _FLING_STEPS, forward=False))


@method("scrollToEnd")
def scroll_to_end(server: UiAutomator, selector: Any, vertical: bool, swipes: int, steps: int) -> Steps:
    """Swipes to the end; whether it was reached."""
    return (yield from _scroll_far(server, selector, vertical, swipes, steps, forward=True))


@method("scrollToBeginning")
def scroll_to_beginning(server: UiAutomator, selector: Any, vertical: bool, swipes: int, steps: int) -> Steps:
    """Swipes to the beginning; whether it was reached."""
    return (yield from _scroll_far(server, selector, vertical, swipes, steps, forward=False))


@method("flingToEnd")
def fling_to_end(server: UiAutomator, selector: Any, vertical: bool, swipes: int) -> Steps:
    """Fast swipes to the end."""
    return (yield from _scroll_far(server, selector, vertical, swipes, _FLING_STEPS, forward=True))


@method("flingToBeginning")
def fling_to_beginning(server: UiAutomator, selector: Any, vertical: bool, swipes: int) -> Steps:
    """Fast swipes to the beginning."""
    return (yield from _scroll_far(server, selector, vertical, swipes, _FLING_STEPS, forward=False))


@method("scrollTo")
def scroll_to(server: UiAutomator, parent: Any, wanted: Any, vertical: bool) -> Steps:
    """Swipes until the wanted object shows."""
    return (yield from scroll_into_view(server, read_selector(parent), read_selector(wanted), vertical=vertical))


def _scroll(server: UiAutomator, data: Any, vertical: bool, steps: int, *, forward: bool) -> Steps:
    selector = read_selector(data)
    return (yield from server.device.scroll(selector, vertical=bool(vertical), forward=forward, steps=number(steps)))


def _scroll_far(server: UiAutomator, data: Any, vertical: bool, swipes: int, steps: int, *, forward: bool) -> Steps:
    for _ in range(number(swipes)):
        more = yield from _scroll(server, data, vertical, steps, forward=forward)
        if not more:
            return True
    return False


def scroll_into_view(server: UiAutomator, parent: Selector, wanted: Selector, *, vertical: bool) -> Steps:
    """Swipe to the beginning, then towards the end, until the wanted object shows; whether it does."""
    child = parent.then("child", wanted)
    if server.device.find_in(child) is not None:
        return True
    for forward in (False, True):
        for _ in range(_MAX_SEARCH_SWIPES):
            more = yield from server.device.scroll(parent, vertical=vertical, forward=forward, steps=_SCROLL_STEPS)
            if forward and server.device.find_in(child) is not None:
                return True
            if not more:
                break
        if server.device.find_in(child) is not None:
            return True
    return False

"""Is this a new screen? The answer that budgets and waits are counted by.

A screen is what the person sees as one page. The mark of a screen is small and is kept between two processes, so its
items are digests. What opened the screen, and how long to wait, is the session's and `pace`'s business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from controller.screen.hierarchy import (
    SYSTEM_DIALOGS,
    SYSTEM_UI,
    Hierarchy,
    Node,
    app_windows,
    clean,
    is_field,
    is_keyboard,
    seen_nodes,
)

__all__ = ["ScreenMark", "changing", "is_new_screen", "mark"]


@dataclass(frozen=True, slots=True)
class ScreenMark:
    """What is needed to tell one screen from another.

    Args:
        package: The app in front.
        activity: Its activity, as a full class name.
        items: Digests of what can be seen: role, id and text of each item.
        window: The full-screen window as the window manager knows it, where the caller does: a new instance of the same
            activity has another one.
    """

    package: str | None = None
    activity: str | None = None
    items: frozenset[str] = frozenset()
    window: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The mark as JSON."""
        return {
            "package": self.package,
            "activity": self.activity,
            "window": self.window,
            "items": " ".join(sorted(self.items)),
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> ScreenMark:
        """The mark that `as_json` wrote."""
        return cls(kept.get("package"), kept.get("activity"), frozenset(kept["items"].split()), kept.get("window"))


def mark(
    h: Hierarchy,
    *,
    package: str | None,
    activity: str | None,
    ignoring: frozenset[str] = frozenset(),
    window: str | None = None,
) -> ScreenMark:
    """The mark of a screen.

    Args:
        h: The tree.
        package: The app in front; None takes the owner of the full-screen window.
        activity: Its activity.
        ignoring: What `changing` found to change by itself.
        window: The full-screen window's identity, for instance the hash in `mCurrentFocus=Window{1a2b3c u0 …}`.
    """
    items = frozenset(_digest(_item(node)) for node in _items(h, package) if _place(node) not in ignoring)
    return ScreenMark(package or _owner_of_full_window(h), activity, items, window)


def changing(first: Hierarchy, second: Hierarchy, *, package: str | None = None) -> frozenset[str]:
    """What changed between two readings of a screen that nobody touched: timers, progress, adverts that turn."""
    before = {_place(node): _item(node) for node in _items(first, package)}
    after = {_place(node): _item(node) for node in _items(second, package)}
    return frozenset(place for place in before.keys() | after.keys() if before.get(place) != after.get(place))


def is_new_screen(before: ScreenMark, after: ScreenMark) -> bool:
    """Whether the second is another screen than the first.

    The front activity or the full-screen window changed, or fewer than half of the items in sight are those of before.
    A system dialog is never a new screen, and neither is a tree without items, which says nothing. After either,
    compare with the last mark that was a page.
    """
    if after.package in SYSTEM_DIALOGS:
        return False
    if _differ(before.package, after.package) or _differ(before.activity, after.activity):
        return True
    if _differ(before.window, after.window):
        return True
    # A tree without items says nothing: when it fills, the page is the one that was there.
    return bool(before.items) and 2 * len(before.items & after.items) < len(after.items)


def _differ(before: str | None, after: str | None) -> bool:
    return before is not None and after is not None and before != after


def _items(h: Hierarchy, package: str | None) -> Iterator[Node]:
    """What a person sees as things: texts, fields, controls that hold no text. No status bar, no keys, no toasts."""
    for window in app_windows(h, package):
        if is_keyboard(window.package) or window.class_name == "android.widget.Toast":
            continue
        for node in seen_nodes((window,)):
            of_the_system = node.package == SYSTEM_UI and package != SYSTEM_UI
            if not of_the_system and not is_keyboard(node.package) and _is_item(node):
                yield node


def _is_item(node: Node) -> bool:
    if clean(node.text) or clean(node.desc) or is_field(node):
        return True
    actionable = node.clickable or node.checkable or node.long_clickable
    return actionable and not any(below.text or below.desc for below in node.walk())


def _item(node: Node) -> str:
    """Role, id and text. What is typed into a field is not the screen's; neither is the state of a switch."""
    text = "" if is_field(node) else clean(node.text) or clean(node.desc)
    return "\n".join((node.short_class, node.short_id, text))


def _place(node: Node) -> str:
    return _digest("\n".join((node.class_name, node.resource_id, repr(node.path))))


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=5).hexdigest()


def _owner_of_full_window(h: Hierarchy) -> str | None:
    """The package of the topmost window that begins at the corner and is the largest; None for a dialog alone."""
    largest = max((window.bounds.area for window in h.windows), default=0)
    for window in app_windows(h, None):
        corner = window.bounds.left == 0 and window.bounds.top <= 100
        if corner and not window.bounds.empty and window.bounds.area >= 0.9 * largest:
            return window.package
    return None

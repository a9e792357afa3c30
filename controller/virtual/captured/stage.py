"""The windows of a captured screen: which of its trees is the app, a dialog, a bar or the keyboard.

A tree does not say what kind of window it belongs to; package, place and what was in front say it well enough for the
dumps to tell the same foreground again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from controller.virtual.activities import Surface
from controller.virtual.captured.spec import Screen
from controller.virtual.layout import Box
from controller.virtual.ui import Rect, Style, UiNode, Window, WindowKind
from controller.virtual.windows import Stage, Target

if TYPE_CHECKING:
    from controller.virtual.captured.phone import CapturedPhone

__all__ = ["CapturedStage", "kinds_of", "roots_by_height"]

SYSTEM_UI = "com.android.systemui"
_HEIGHT = (
    WindowKind.APPLICATION,
    WindowKind.DIALOG,
    WindowKind.POPUP,
    WindowKind.INPUT_METHOD,
    WindowKind.NAVIGATION_BAR,
    WindowKind.STATUS_BAR,
    WindowKind.NOTIFICATION_SHADE,
    WindowKind.KEYGUARD,
)
"""Kinds of windows from the bottom up."""
_FOCUS = (
    WindowKind.KEYGUARD,
    WindowKind.NOTIFICATION_SHADE,
    WindowKind.POPUP,
    WindowKind.DIALOG,
    WindowKind.APPLICATION,
)
_TITLES = {
    WindowKind.STATUS_BAR: "StatusBar",
    WindowKind.NAVIGATION_BAR: "NavigationBar0",
    WindowKind.NOTIFICATION_SHADE: "NotificationShade",
    WindowKind.KEYGUARD: "NotificationShade",
    WindowKind.INPUT_METHOD: "InputMethod",
}
_ERROR_TITLES = {"crash_dialog": "Application Error", "anr_dialog": "Application Not Responding"}
_DAY = Style(background="#ffffff")


def kinds_of(screen: Screen) -> list[WindowKind]:
    """The kind of each tree's window."""
    own = [root.bounds for root in screen.roots if root.package == screen.package]
    largest = max((bounds.width * bounds.height for bounds in own), default=0)
    return [_kind(screen, root, largest) for root in screen.roots]


def _kind(screen: Screen, root: UiNode, largest: int) -> WindowKind:
    bounds = root.bounds
    if root.package == screen.input_method or "inputmethod" in root.package:
        return WindowKind.INPUT_METHOD
    if root.package == SYSTEM_UI:
        extent = max((other.bounds.bottom for other in screen.roots), default=1)
        if bounds.height > 0.5 * extent:
            return WindowKind.KEYGUARD if screen.state == "keyguard" else WindowKind.NOTIFICATION_SHADE
        return WindowKind.STATUS_BAR if bounds.top < extent / 2 else WindowKind.NAVIGATION_BAR
    if root.package == screen.package and bounds.width * bounds.height < largest:
        return WindowKind.POPUP if screen.overlay == "popup" else WindowKind.DIALOG
    if root.package != screen.package and _title_over(screen) is not None:
        return WindowKind.DIALOG
    return WindowKind.APPLICATION


def _title_over(screen: Screen) -> str | None:
    """The title of a window that another program laid over the app; None where there is none."""
    over = screen.overlay or ""
    if over in _ERROR_TITLES:
        return f"{_ERROR_TITLES[over]}: {screen.package}"
    return over.removeprefix("window:") if over.startswith("window:") else None


def roots_by_height(screen: Screen) -> list[UiNode]:
    """The trees, the topmost window first."""
    pairs = zip(screen.roots, kinds_of(screen), strict=True)
    return [root for root, _ in sorted(pairs, key=lambda pair: _HEIGHT.index(pair[1]), reverse=True)]


class CapturedStage(Stage):
    """Shows one screen after the other; asks the phone which one, and what was typed into its fields."""

    def __init__(self, phone: CapturedPhone) -> None:
        super().__init__(phone)
        self._captured = phone
        self._at_version = -1
        self._stack: list[Window] = []

    def stack(self) -> list[Window]:
        phone = self._captured
        if self._at_version != phone.version:
            self._stack = windows_of(
                phone.screen, phone.texts, hidden_keyboard=not phone.keyboard_shown, size=phone.size
            )
            self._at_version = phone.version
        return self._stack

    def surface(self, window: Window) -> Surface | None:
        return self._captured.tasks.top

    def target(self, x: int, y: int) -> Target | None:
        surface = self._captured.tasks.top
        for window in self.stack():
            if window.frame.contains(x, y) and surface is not None:
                return Target(window, surface, None, None)
        return None

    def scrollable(self, x: int, y: int, *, axis: str, towards: int) -> tuple[Surface, Box] | None:
        return None

    def node_box(self, window_hash: int, key: str) -> tuple[Surface, Box] | None:
        return None

    @property
    def keyboard_frame(self) -> Rect:
        return self._captured.screen.keyboard or Rect(0, 0, 0, 0)


def windows_of(
    screen: Screen, texts: Mapping[str, str], *, hidden_keyboard: bool, size: tuple[int, int]
) -> list[Window]:
    """The windows of a screen, top first."""
    found: list[Window] = []
    for root, kind in zip(screen.roots, kinds_of(screen), strict=True):
        if not (kind is WindowKind.INPUT_METHOD and hidden_keyboard):
            found.append(_window(screen, root, kind, texts, len(found), size))
    if screen.keyboard is not None and not hidden_keyboard and not _has(found, WindowKind.INPUT_METHOD):
        # Some phones keep their keyboard out of the tree; that it is shown is known all the same.
        root = UiNode(
            "ime", "window", "android.widget.FrameLayout", screen.input_method or "", screen.keyboard, screen.keyboard
        )
        window = _window(screen, root, WindowKind.INPUT_METHOD, texts, len(found), size)
        found.append(replace(window, reported=False, frame=screen.keyboard))
    if not any(window.activity for window in found) and screen.activity and screen.state != "screen_off":
        # The app gives no tree; that it is in front is known all the same.
        whole = Rect(0, 0, *size)
        root = UiNode("none", "window", "android.widget.FrameLayout", screen.package, whole, whole, style=_DAY)
        found.append(replace(_window(screen, root, WindowKind.APPLICATION, texts, len(found), size), reported=False))
    stacked = sorted(found, key=lambda window: _HEIGHT.index(window.kind))
    focus = _focused(stacked)
    numbered = [replace(w, layer=n + 1, focused=w is focus) for n, w in enumerate(stacked)]
    return numbered[::-1]


def _has(windows: Sequence[Window], kind: WindowKind) -> bool:
    return any(window.kind is kind for window in windows)


def _focused(stacked: Sequence[Window]) -> Window | None:
    """The window with the focus; `stacked` is bottom first."""
    for kind in _FOCUS:
        for window in reversed(stacked):
            if window.kind is kind and (kind is not WindowKind.APPLICATION or window.activity is not None):
                return window
    return None


def _window(
    screen: Screen, root: UiNode, kind: WindowKind, texts: Mapping[str, str], number: int, size: tuple[int, int]
) -> Window:
    front = root.package == screen.package
    activity = screen.activity if front and kind in (WindowKind.APPLICATION, WindowKind.DIALOG) else None
    # One number a page and a window: that an activity is the same instance is told by it.
    mark = 0x1000000 + screen.page * 0x1000 + (0x10 if kind is WindowKind.APPLICATION and front else 0x20 + number)
    title = _TITLES.get(kind) or f"{root.package}/{activity or root.package}"
    if kind is WindowKind.POPUP:
        title = f"PopupWindow:{mark:x}"
    elif kind is WindowKind.DIALOG and not front:
        title = _title_over(screen) or title
    elif kind is WindowKind.NOTIFICATION_SHADE and screen.overlay == "status_bar":
        title = _TITLES[WindowKind.STATUS_BAR]  # up to Android 10 the shade is part of the status bar
    bar = kind in (WindowKind.STATUS_BAR, WindowKind.NAVIGATION_BAR, WindowKind.INPUT_METHOD)
    frame = screen.keyboard if kind is WindowKind.INPUT_METHOD and screen.keyboard is not None else root.bounds
    typed = typed_into(root, texts) if texts else root
    return Window(
        hash=mark,
        title=title,
        package=root.package,
        activity=activity,
        kind=kind,
        frame=frame if not frame.empty else Rect(0, 0, *size),
        root=replace(typed, style=Style() if bar else _DAY),
        secure=screen.secure and front,
    )


def typed_into(node: UiNode, texts: Mapping[str, str]) -> UiNode:
    """The tree with what was typed into its fields."""
    children = tuple(typed_into(child, texts) for child in node.children)
    if node.key not in texts:
        return replace(node, children=children) if children != node.children else node
    text = texts[node.key]
    return replace(node, text=("•" * len(text) if node.password else text) or node.hint, children=children)

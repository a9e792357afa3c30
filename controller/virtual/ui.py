"""What a window of the virtual phone shows, laid out: rectangles, nodes, windows.

The values carry every attribute of a UiAutomator node, and beside them what the drawing needs. They know nothing of
how they came about (`layout`), of XML (`uiautomator`) or of pixels (`draw`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["PLAIN", "Rect", "Style", "UiNode", "Window", "WindowKind"]


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in pixels; right and bottom lie outside it, as in `android.graphics.Rect`."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return self.bottom - self.top

    @property
    def center(self) -> tuple[int, int]:
        """The point in the middle."""
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    @property
    def empty(self) -> bool:
        """Whether it holds no pixel."""
        return self.right <= self.left or self.bottom <= self.top

    def contains(self, x: int, y: int) -> bool:
        """Whether the pixel lies in it."""
        return self.left <= x < self.right and self.top <= y < self.bottom

    def intersection(self, other: Rect) -> Rect:
        """What both share; may be empty."""
        return Rect(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def moved(self, dx: int, dy: int) -> Rect:
        """The same rectangle elsewhere."""
        return Rect(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)

    def __str__(self) -> str:
        """As Android writes it: `[0,63][1080,210]`."""
        return f"[{self.left},{self.top}][{self.right},{self.bottom}]"


@dataclass(frozen=True, slots=True)
class Style:
    """How an element is drawn; sizes in dp, colours as `#rrggbb` or empty for none."""

    size: float = 15
    bold: bool = False
    color: str = ""
    accent: str = ""
    """The colour of the text while the element is selected."""
    background: str = ""
    radius: float = 0
    align: str = "start"
    max_lines: int = 0


PLAIN = Style()


@dataclass(frozen=True, slots=True)
class UiNode:
    """One laid-out element with the attributes of a UiAutomator node.

    `bounds` are clipped to what can be seen, as UiAutomator reports them; `frame` is the whole element, also where it
    is scrolled out of its list. `key` tells the element among those of its window while the screen lives.
    """

    key: str
    kind: str
    class_name: str
    package: str
    bounds: Rect
    frame: Rect
    index: int = 0
    text: str = ""
    resource_id: str = ""
    content_desc: str = ""
    hint: str = ""
    checkable: bool = False
    checked: bool = False
    clickable: bool = False
    enabled: bool = True
    focusable: bool = False
    focused: bool = False
    scrollable: bool = False
    long_clickable: bool = False
    password: bool = False
    selected: bool = False
    visible: bool = True
    drawing_order: int = 0
    style: Style = PLAIN
    label: str = ""
    progress: float = 0.0
    padding: tuple[float, float, float, float] = (0, 0, 0, 0)
    """dp between the frame and the text: left, top, right, bottom."""
    children: tuple[UiNode, ...] = ()

    def walk(self) -> Iterator[UiNode]:
        """This node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


class WindowKind(StrEnum):
    """What a window is for; the dumps of the window manager print it in their own words."""

    APPLICATION = "application"
    DIALOG = "dialog"
    POPUP = "popup"
    SPLASH = "splash"
    INPUT_METHOD = "input_method"
    STATUS_BAR = "status_bar"
    NAVIGATION_BAR = "navigation_bar"
    NOTIFICATION_SHADE = "notification_shade"
    KEYGUARD = "keyguard"
    TOAST = "toast"
    DIVIDER = "divider"


@dataclass(frozen=True, slots=True)
class Window:
    """One window with its laid-out tree.

    `title` is what dumpsys prints (`pkg/full.Class` for an activity). `reported` tells whether the accessibility
    service sees the window: an activity under its own dialog and a toast are not reported.
    """

    hash: int
    title: str
    package: str
    activity: str | None
    kind: WindowKind
    frame: Rect
    root: UiNode
    focused: bool = False
    layer: int = 0
    secure: bool = False
    reported: bool = True
    translucent: bool = False

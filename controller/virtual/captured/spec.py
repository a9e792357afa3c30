"""What a capture holds: screens, and the ways between them. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from controller.virtual.ui import Rect, UiNode

__all__ = ["DOINGS", "HIDDEN", "Capture", "Screen", "Way"]

DOINGS = (
    "tap", "hold", "scroll", "press", "open", "link", "stop", "clear", "type", "wait", "unknown action",
)  # fmt: skip
"""The kinds of ways, as capture.yaml writes them."""

HIDDEN = "▒▒▒▒"
"""What a recorder writes for a text that must not be kept; any text fits it."""


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen as it was seen. Screens of one `page` are the same screen of the app, scrolled or typed into."""

    id: str
    page: int
    package: str
    activity: str | None
    state: str
    roots: tuple[UiNode, ...]
    overlay: str | None = None
    behind: str | None = None
    rotation: int = 0
    keyboard: Rect | None = None
    input_method: str | None = None
    secure: bool = False
    picture: bytes = b""

    def nodes(self) -> list[UiNode]:
        """Every node, window by window."""
        return [node for root in self.roots for node in root.walk()]

    @property
    def title(self) -> str:
        """The screen in words: its id and where it is."""
        activity = (self.activity or "").rpartition(".")[2]
        return f"{self.id} ({' '.join(part for part in (self.package, activity, self.overlay) if part)})"


@dataclass(frozen=True, slots=True)
class Way:
    """What was done on a screen, and the screen that it led to. `number` is its place in the recording."""

    number: int
    source: str
    target: str
    kind: str
    at: tuple[int, int] | None = None
    end: tuple[int, int] | None = None
    key: int | None = None
    name: str = ""
    package: str | None = None
    uri: str | None = None
    text: str | None = None
    seconds: float = 0.0
    element: str = ""
    bounds: Rect | None = None
    times: int = 1

    @property
    def direction(self) -> str:
        """Where a scroll looks for content: `down` where the finger goes up."""
        if self.at is None or self.end is None:
            return ""
        return direction(self.at, self.end)

    @property
    def words(self) -> str:
        """The action in words: `tap “搜索”`, `press back`, `scroll down`."""
        match self.kind:
            case "tap" | "hold":
                what = f"“{self.element}”" if self.element else f"{self.at[0]},{self.at[1]}" if self.at else ""
                return f"{'long press' if self.kind == 'hold' else 'tap'} {what}" + (" twice" if self.times > 1 else "")
            case "scroll":
                return f"scroll {self.direction}"
            case "press":
                return f"press {self.name or self.key}"
            case "link":
                return f"open {self.uri}"
            case "open" | "stop" | "clear":
                return f"{self.kind} {self.package}"
            case "type":
                return f"type “{self.text}”" if self.text else "erase the text"
            case "wait":
                return f"by itself after {self.seconds:g} s"
        return self.kind


def direction(start: tuple[int, int], end: tuple[int, int]) -> str:
    """Where a stroke looks for content: the finger goes the other way."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    if abs(dy) >= abs(dx):
        return "down" if dy < 0 else "up"
    return "right" if dx < 0 else "left"


@dataclass(frozen=True)
class Capture:
    """A whole capture."""

    name: str
    model: str
    maker: str
    sdk: int
    width: int
    height: int
    density: int
    start: str
    screens: Mapping[str, Screen]
    ways: tuple[Way, ...] = ()
    release: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Screen → why it has no picture."""

    @cached_property
    def ways_of_page(self) -> Mapping[int, tuple[Way, ...]]:
        """The ways that begin on a screen of a page."""
        found: dict[int, list[Way]] = {}
        for way in self.ways:
            found.setdefault(self.screens[way.source].page, []).append(way)
        return {page: tuple(ways) for page, ways in found.items()}

    @property
    def android(self) -> int:
        """The Android version that the dumps are printed in: the nearest of those that a virtual phone speaks."""
        return 9 if self.sdk < 29 else 11 if self.sdk < 31 else 14

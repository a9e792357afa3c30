"""Which part of the glass belongs to whom: bars, the hole for the camera, the app, the halves of a split, the keyboard.

Pure arithmetic over one display. What is shown in an area is for `windows`.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.virtual.ui import Rect

__all__ = ["DIVIDER_DP", "NAVIGATION_BAR_DP", "STATUS_BAR_DP", "Areas", "Room"]

STATUS_BAR_DP, NAVIGATION_BAR_DP, DIVIDER_DP = 24, 48, 10


@dataclass(frozen=True, slots=True)
class Room:
    """The frame of an app's window, and the part of it that no bar covers."""

    frame: Rect
    content: Rect


@dataclass(frozen=True, slots=True)
class Areas:
    """The areas of a display in its present turn.

    Args:
        width: Pixels.
        height: Pixels.
        density: Dots per inch.
        safe: What the hole for the camera takes at the left, top, right and bottom.
    """

    width: int
    height: int
    density: int
    safe: tuple[int, int, int, int] = (0, 0, 0, 0)

    def px(self, dp: float) -> int:
        """Pixels of a length in dp."""
        return round(dp * self.density / 160)

    @property
    def screen(self) -> Rect:
        """The whole display."""
        return Rect(0, 0, self.width, self.height)

    @property
    def status_bar(self) -> Rect:
        """As high as the hole where that lies in it."""
        return Rect(0, 0, self.width, max(self.px(STATUS_BAR_DP), self.safe[1]))

    @property
    def navigation_bar(self) -> Rect:
        """At the bottom."""
        return Rect(0, self.height - self.px(NAVIGATION_BAR_DP), self.width, self.height)

    @property
    def app(self) -> Room:
        """An app alone. In landscape it stays clear of the hole, as `layoutInDisplayCutoutMode=default` wants it."""
        frame = Rect(self.safe[0], 0, self.width - self.safe[2], self.height)
        return Room(frame, Rect(frame.left, self.status_bar.bottom, frame.right, self.navigation_bar.top))

    @property
    def divider(self) -> Rect:
        """Between the halves of a split: across the longer side."""
        whole, half = self.app.content, self.px(DIVIDER_DP) // 2
        if self.width > self.height:
            middle = (whole.left + whole.right) // 2
            return Rect(middle - half, 0, middle + half, self.height)
        middle = (whole.top + whole.bottom) // 2
        return Rect(0, middle - half, self.width, middle + half)

    @property
    def halves(self) -> tuple[Room, Room]:
        """Above and below the divider, or left and right of it."""
        whole, between = self.app, self.divider
        if self.width > self.height:
            frames = (
                Rect(whole.frame.left, 0, between.left, self.height),
                Rect(between.right, 0, whole.frame.right, self.height),
            )
        else:
            frames = (
                Rect(whole.frame.left, 0, whole.frame.right, between.top),
                Rect(whole.frame.left, between.bottom, whole.frame.right, self.height),
            )
        first, second = (Room(frame, frame.intersection(whole.content)) for frame in frames)
        return first, second

    def keyboard(self, height_dp: float) -> Rect:
        """Above the navigation bar."""
        bottom = self.navigation_bar.top
        return Rect(0, bottom - self.px(height_dp), self.width, bottom)

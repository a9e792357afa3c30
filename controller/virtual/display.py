"""The glass of a phone: its size, density and turn, the hole in it, dark or light.

Owns what `wm` and the settings of the display change. What is shown on it is for `windows`, how for `draw`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.virtual.displays import ExtraDisplay, simulated
from controller.virtual.ui import Rect

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Display"]

_NIGHT = "2"
"""`UiModeManager.MODE_NIGHT_YES`, as `secure ui_night_mode` keeps it."""


class Display:
    """The built-in display of one phone."""

    def __init__(self, phone: VirtualPhone) -> None:
        self._phone = phone
        self._turned = 0
        self._size: tuple[int, int] | None = None
        self._density: int | None = None

    @property
    def rotation(self) -> int:
        """Quarters that the display is turned: by the front app's wish, else as it was set."""
        top = self._phone.tasks.top
        wish = top.spec.orientation if top is not None else ""
        return {"portrait": 0, "landscape": 1}.get(wish, self._turned)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels in the present rotation."""
        width, height = self._size or (self._phone.spec.width, self._phone.spec.height)
        return (height, width) if self.rotation % 2 else (width, height)

    @property
    def density(self) -> int:
        """Dots per inch, the override where one is set."""
        return self._density or self._phone.spec.density

    @property
    def override(self) -> tuple[tuple[int, int] | None, int | None]:
        """The size and density that were set with `wm`, where they were."""
        return self._size, self._density

    def set(self, *, size: tuple[int, int] | None = None, density: int | None = None, reset: bool = False) -> None:
        """`wm size WxH`, `wm density N`; with `reset` the phone's own come back first."""
        if reset:
            self._size = self._density = None
        self._size = size or self._size
        self._density = density or self._density
        self._phone.changed()

    def turn(self, rotation: int) -> None:
        """Turn the display: 0, 1, 2 or 3 quarters."""
        self._turned = rotation % 4
        self._phone.changed()

    def follow_settings(self) -> None:
        """The turn that the settings ask for: the locked one, else upright."""
        phone = self._phone
        fixed = phone.setting("system", "accelerometer_rotation") == "0"
        turned = phone.setting("system", "user_rotation") or "0"
        self.turn(int(turned) if fixed and turned.isdigit() else 0)

    @property
    def cutout(self) -> Rect | None:
        """Where the hole for the camera lies in the present rotation; None for a glass without one."""
        hole = self._phone.spec.cutout
        if hole is None:
            return None
        width, height = self._phone.spec.width, self._phone.spec.height
        match self.rotation:
            case 1:
                return Rect(hole.top, width - hole.right, hole.bottom, width - hole.left)
            case 2:
                return Rect(width - hole.right, height - hole.bottom, width - hole.left, height - hole.top)
            case 3:
                return Rect(height - hole.bottom, hole.left, height - hole.top, hole.right)
            case _:
                return hole

    @property
    def safe(self) -> tuple[int, int, int, int]:
        """Pixels at the left, top, right and bottom that the hole takes from windows."""
        hole, (width, height) = self.cutout, self.size
        if hole is None:
            return 0, 0, 0, 0
        match self.rotation:
            case 1:
                return hole.right, 0, 0, 0
            case 2:
                return 0, 0, 0, height - hole.top
            case 3:
                return 0, 0, width - hole.left, 0
            case _:
                return 0, hole.bottom, 0, 0

    @property
    def others(self) -> list[ExtraDisplay]:
        """The displays besides this one: the phone's own, then those that a developer option simulates."""
        own = list(self._phone.spec.displays)
        asked = self._phone.setting("global", "overlay_display_devices") or ""
        return own + simulated(asked, [one.id for one in own])

    def other(self, number: str) -> ExtraDisplay | None:
        """One of them by its id, or by the name that screencap uses."""
        return next((one for one in self.others if number in (str(one.id), one.physical or "none")), None)

    @property
    def night(self) -> bool:
        """Whether the system is dark (`cmd uimode night yes`)."""
        return self._phone.setting("secure", "ui_night_mode") == _NIGHT

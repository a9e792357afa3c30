"""The names under which uiautomator2's server knows keys."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["KEYS", "WAITED_KEYS"]

KEYS: Mapping[str, int] = {
    "left": 21, "right": 22, "up": 19, "down": 20, "center": 23, "menu": 82, "search": 84, "enter": 66, "delete": 67,
    "del": 67, "recent": 187, "volume_up": 24, "volume_down": 25, "volume_mute": 164, "camera": 27, "power": 26,
}  # fmt: skip
WAITED_KEYS: Mapping[str, int] = {"home": 3, "back": 4}
"""Keys after which the server waits for something to change."""

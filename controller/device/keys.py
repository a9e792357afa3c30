"""Names of keys, and Android's codes for them. Pure."""

from __future__ import annotations

import difflib

from controller.errors import UsageError

__all__ = ["BACK", "HOME", "KEYS", "STAYING", "keycode", "names"]

HOME = 3
BACK = 4

# Names as people and Maestro write them, in small letters with blanks; codes of android.view.KeyEvent.
KEYS: dict[str, int] = {
    "home": HOME,
    "back": BACK,
    "call": 5,
    "end call": 6,
    "up": 19,
    "down": 20,
    "left": 21,
    "right": 22,
    "center": 23,
    "volume up": 24,
    "volume down": 25,
    "power": 26,
    "camera": 27,
    "clear": 28,
    "comma": 55,
    "period": 56,
    "tab": 61,
    "space": 62,
    "explorer": 64,
    "enter": 66,
    "backspace": 67,
    "delete": 67,
    "menu": 82,
    "notification": 83,
    "search": 84,
    "play pause": 85,
    "media stop": 86,
    "next": 87,
    "previous": 88,
    "rewind": 89,
    "fast forward": 90,
    "mute": 91,
    "page up": 92,
    "page down": 93,
    "escape": 111,
    "forward delete": 112,
    "move home": 122,
    "move end": 123,
    "volume mute": 164,
    "settings": 176,
    "app switch": 187,
    "recent": 187,
    "recents": 187,
    "brightness down": 220,
    "brightness up": 221,
    "sleep": 223,
    "lock": 223,
    "wakeup": 224,
    "wake up": 224,
    "cut": 277,
    "copy": 278,
    "paste": 279,
    # Maestro's names for the remote control of a television
    "remote dpad up": 19,
    "remote dpad down": 20,
    "remote dpad left": 21,
    "remote dpad right": 22,
    "remote dpad center": 23,
    "remote media play pause": 85,
    "remote media stop": 86,
    "remote media next": 87,
    "remote media previous": 88,
    "remote media rewind": 89,
    "remote media fast forward": 90,
    "remote system navigation up": 280,
    "remote system navigation down": 281,
    "remote button a": 96,
    "remote button b": 97,
    "remote menu": 82,
    "tv input": 178,
}

STAYING = frozenset({24, 25, 27, 28, 55, 56, 61, 62, 67, 91, 92, 93, 112, 122, 123, 164, 220, 221, 277, 278, 279})
"""Keys that change a sound, a light, a text or a place in it, and never lead to another screen of the app."""


def names() -> tuple[str, ...]:
    """The names that `keycode` knows."""
    return tuple(KEYS)


def keycode(key: str | int) -> int:
    """Android's code of a key: `back`, `Volume Up`, `volume_up`, `KEYCODE_BACK`, `4` or 4.

    Raises:
        UsageError: There is no such key.
    """
    if isinstance(key, int):
        return _checked(key)
    name = " ".join(key.strip().lower().removeprefix("keycode_").replace("_", " ").replace("-", " ").split())
    if name in KEYS:
        return KEYS[name]
    if name.isascii() and name.isdigit():
        # A number is a code, as for `input keyevent`, and not the key with that digit on it.
        return _checked(int(name))
    near = difflib.get_close_matches(name, KEYS, n=3, cutoff=0.5)
    raise UsageError(
        f"no key is called “{key}”" + (f"; near: {', '.join(near)}" if near else ""),
        hint="the names are those of Android's KEYCODE_…, or give the number",
        code="unknown_key",
        candidates=near,
    )


def _checked(code: int) -> int:
    if not 0 < code < 1000:
        raise UsageError(f"no key has the code {code}", code="unknown_key")
    return code

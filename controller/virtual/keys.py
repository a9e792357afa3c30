"""Android key codes and the characters they type.

A table and one lookup; what a key does on the phone is for `phone`.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["Key", "character"]


class Key:
    """The key codes that the phone acts on (`android.view.KeyEvent`)."""

    HOME, BACK = 3, 4
    DPAD_UP, DPAD_DOWN, DPAD_LEFT, DPAD_RIGHT, DPAD_CENTER = 19, 20, 21, 22, 23
    VOLUME_UP, VOLUME_DOWN, POWER = 24, 25, 26
    TAB, SPACE, ENTER, DEL = 61, 62, 66, 67
    MENU, NOTIFICATION, SEARCH = 82, 83, 84
    PAGE_UP, PAGE_DOWN = 92, 93
    ESCAPE, FORWARD_DEL = 111, 112
    MOVE_HOME, MOVE_END = 122, 123
    NUMPAD_ENTER = 160
    APP_SWITCH = 187
    SLEEP, WAKEUP = 223, 224
    CUT, COPY, PASTE = 277, 278, 279


CTRL_ON = 0x1000 | 0x2000 | 0x4000
SHIFT_ON = 0x1 | 0x40 | 0x80 | 0x100000
"""Meta state bits: control (any side), shift (any side) and caps lock."""

_PLAIN: Mapping[int, str] = {
    **{7 + digit: str(digit) for digit in range(10)},
    **{29 + number: chr(ord("a") + number) for number in range(26)},
    55: ",", 56: ".", 62: " ", 68: "`", 69: "-", 70: "=", 71: "[", 72: "]", 73: "\\", 74: ";", 75: "'", 76: "/",
    77: "@", 81: "+", 17: "*", 18: "#",
    **{144 + digit: str(digit) for digit in range(10)},
}  # fmt: skip
_SHIFTED: Mapping[int, str] = {
    7: ")", 8: "!", 9: "@", 10: "#", 11: "$", 12: "%", 13: "^", 14: "&", 15: "*", 16: "(",
    55: "<", 56: ">", 68: "~", 69: "_", 70: "+", 71: "{", 72: "}", 73: "|", 74: ":", 75: '"', 76: "?",
}  # fmt: skip


def character(code: int, meta: int = 0) -> str:
    """What the key types; empty where it types nothing."""
    plain = _PLAIN.get(code, "")
    if not meta & SHIFT_ON:
        return plain
    return _SHIFTED.get(code, plain.upper())

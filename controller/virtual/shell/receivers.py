"""Broadcast receivers that programs over adb rely on: the ADB keyboards and the clipboard helper.

Each answers only while what it belongs to is installed (the keyboards: while they are the default input method).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping

from controller.virtual.intents import Intent
from controller.virtual.phone import VirtualPhone

__all__ = ["deliver"]

OK, CANCELED = -1, 0
_ATX = "com.github.uiautomator/.AdbKeyboard"
_ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
_CLIPPER = "ca.zgrs.clipper"

Answer = tuple[int, str | None]


def deliver(phone: VirtualPhone, intent: Intent) -> Answer:
    """Result code and data of an ordered broadcast: 0 and none where nobody answers."""
    receiver = _RECEIVERS.get(intent.action or "")
    if receiver is None:
        return CANCELED, None
    keyboard, act = receiver
    if keyboard == _CLIPPER:
        return act(phone, intent) if keyboard in phone.packages else (CANCELED, None)
    if phone.ime is None or phone.ime.id != keyboard:
        return CANCELED, None
    return act(phone, intent)


def _text_of(intent: Intent, name: str) -> str:
    return intent.extras.get(name, "")


def _decoded(intent: Intent, name: str) -> str | None:
    try:
        return base64.b64decode(_text_of(intent, name)).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None


def _atx_input(phone: VirtualPhone, intent: Intent) -> Answer:
    # The keyboard answers -1 also where no field has the focus: the text is lost in silence.
    text = _decoded(intent, "text")
    if text is None:
        return CANCELED, "bad base64"
    phone.commit_text(text)
    return OK, "success"


def _atx_clear(phone: VirtualPhone, intent: Intent) -> Answer:
    del intent
    field = phone.focused_field()
    if field is not None:
        phone.set_text(field, "")
    return OK, "success"


def _atx_hide(phone: VirtualPhone, intent: Intent) -> Answer:
    del intent
    phone.hide_keyboard()
    return OK, "success"


def _atx_editor_code(phone: VirtualPhone, intent: Intent) -> Answer:
    # It reads an int; a string extra reads as its default, and nothing happens.
    del phone, intent
    return OK, "success"


def _atx_enter(phone: VirtualPhone, intent: Intent) -> Answer:
    del intent
    phone.editor_action()
    return OK, "success"


def _get_clipboard(phone: VirtualPhone, intent: Intent) -> Answer:
    del intent
    return OK, base64.b64encode(phone.clipboard.encode()).decode("ascii")


def _adb_input(phone: VirtualPhone, intent: Intent) -> Answer:
    phone.commit_text(_text_of(intent, "msg"))
    return CANCELED, None


def _adb_input_base64(phone: VirtualPhone, intent: Intent) -> Answer:
    phone.commit_text(_decoded(intent, "msg") or "")
    return CANCELED, None


def _adb_clear(phone: VirtualPhone, intent: Intent) -> Answer:
    _atx_clear(phone, intent)
    return CANCELED, None


def _adb_editor_code(phone: VirtualPhone, intent: Intent) -> Answer:
    del intent
    phone.editor_action()
    return CANCELED, None


def _adb_code(phone: VirtualPhone, intent: Intent) -> Answer:
    code = _text_of(intent, "code")
    if code.isdecimal() and len(code) < 6:
        phone.key(int(code))
    return CANCELED, None


def _clipper_set(phone: VirtualPhone, intent: Intent) -> Answer:
    phone.clipboard = _text_of(intent, "text")
    return OK, "Text is copied into clipboard."


def _clipper_get(phone: VirtualPhone, intent: Intent) -> Answer:
    del intent
    return OK, phone.clipboard


_RECEIVERS: Mapping[str, tuple[str, Callable[[VirtualPhone, Intent], Answer]]] = {
    "ADB_KEYBOARD_INPUT_TEXT": (_ATX, _atx_input),
    "ADB_KEYBOARD_CLEAR_TEXT": (_ATX, _atx_clear),
    "ADB_KEYBOARD_HIDE": (_ATX, _atx_hide),
    "ADB_KEYBOARD_EDITOR_CODE": (_ATX, _atx_editor_code),
    "ADB_KEYBOARD_SMART_ENTER": (_ATX, _atx_enter),
    "ADB_KEYBOARD_GET_CLIPBOARD": (_ATX, _get_clipboard),
    "ADB_INPUT_TEXT": (_ADB_KEYBOARD, _adb_input),
    "ADB_INPUT_B64": (_ADB_KEYBOARD, _adb_input_base64),
    "ADB_CLEAR_TEXT": (_ADB_KEYBOARD, _adb_clear),
    "ADB_EDITOR_CODE": (_ADB_KEYBOARD, _adb_editor_code),
    "ADB_INPUT_CODE": (_ADB_KEYBOARD, _adb_code),
    "clipper.set": (_CLIPPER, _clipper_set),
    "clipper.get": (_CLIPPER, _clipper_get),
}
"""Action → what it belongs to, and what it does."""

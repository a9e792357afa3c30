"""Keyboards that type what a broadcast brings, borrowed for the time being.

The person's own keyboard is written into a journal before it is changed, and put back after success, failure and
Ctrl-C. What a torn cable left undone is put back by `restore_keyboard` at the next start. Nothing is installed here.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from controller.clock import poll
from controller.device.phone import Phone
from controller.errors import DeviceError, StepError, TimedOut, TypingFailed
from controller.screen.dumpsys import broadcast_answer, ime_answer, ime_list

__all__ = [
    "ADB_KEYBOARDS",
    "AdbKeyboard",
    "Journal",
    "borrowed",
    "is_installed",
    "restore_keyboard",
    "send",
]

KEYBOARD = "keyboard"
"""The journal's name for the person's own keyboard."""

SWITCH_S = 5.0


@dataclass(frozen=True, slots=True)
class AdbKeyboard:
    """A keyboard that types what a broadcast brings in base64; `answers` means that it says -1 when it did."""

    ime: str
    action: str
    extra: str
    answers: bool

    @property
    def package(self) -> str:
        """The app it belongs to."""
        return self.ime.split("/")[0]


ADB_KEYBOARDS = (
    AdbKeyboard("com.github.uiautomator/.AdbKeyboard", "ADB_KEYBOARD_INPUT_TEXT", "text", answers=True),
    AdbKeyboard("com.android.adbkeyboard/.AdbIME", "ADB_INPUT_B64", "msg", answers=False),
)


class Journal(Protocol):
    """Where things to put back are written down before they are changed."""

    def remember(self, key: str, value: Any) -> None:
        """Write down the person's own value, unless one is there already."""

    def forget(self, key: str) -> None:
        """It is as it was."""

    def pending(self) -> Mapping[str, Any]:
        """What is still to be put back."""


def restore_keyboard(phone: Phone, journal: Journal) -> str | None:
    """The keyboard that was put back, if an earlier run had to leave that undone."""
    own = journal.pending().get(KEYBOARD)
    if not own:
        return None
    _put_back(phone, str(own))
    journal.forget(KEYBOARD)
    return str(own)


def is_installed(phone: Phone, keyboard: AdbKeyboard) -> bool:
    """Whether the keyboard is on the phone."""
    said = phone.shell(["ime", "list", "-s", "-a"])
    if keyboard.ime in ime_list(said.stdout):
        return True
    if not ime_answer(said.text, said.exit_code).ok:
        # Some makers let nobody list keyboards: the settings name those that are switched on.
        enabled = phone.shell(["settings", "get", "secure", "enabled_input_methods"]).stdout
        return any(entry.split(";")[0] == keyboard.ime for entry in enabled.strip().split(":"))
    return False


@contextmanager
def borrowed(phone: Phone, keyboard: AdbKeyboard, journal: Journal) -> Iterator[None]:
    """Another keyboard for the time being."""
    own = _current(phone)
    if own == keyboard.ime:
        yield
        return
    journal.remember(KEYBOARD, own)
    try:
        _switch(phone, keyboard.ime)
        yield
    finally:
        try:
            _put_back(phone, own)
        except (DeviceError, TimedOut, StepError):
            # The phone is gone or refuses: the journal keeps it for the next start, and the first error counts.
            pass
        else:
            journal.forget(KEYBOARD)


def send(phone: Phone, keyboard: AdbKeyboard, text: str) -> bool:
    """Whether the keyboard took the text; one that never answers is believed, and the field is read back anyway."""
    coded = base64.b64encode(text.encode()).decode("ascii")
    # To this package alone: newer Androids drop a broadcast to nobody in particular and call it completed.
    target = ["-a", keyboard.action, "-p", keyboard.package]
    answer = broadcast_answer(phone.device.act(["am", "broadcast", *target, "--es", keyboard.extra, coded]).text)
    return answer.result == -1 if keyboard.answers else answer.result is not None


def _current(phone: Phone) -> str:
    return phone.shell(["settings", "get", "secure", "default_input_method"]).stdout.strip()


def _put_back(phone: Phone, own: str) -> None:
    if own and own != "null" and _current(phone) != own:
        _switch(phone, own)


def _switch(phone: Phone, ime: str) -> None:
    said: list[str] = []

    def switched() -> bool | None:
        # Right after its installation a keyboard is not known for a moment.
        for verb in ("enable", "set"):
            answer = phone.shell(["ime", verb, ime])
            if not ime_answer(answer.text, answer.exit_code).ok:
                said.append(answer.text.strip())
                return None
        return True if _current(phone) == ime else None

    if not poll(switched, clock=phone.clock, timeout_s=SWITCH_S, every_s=0.3):
        why = said[-1][:200] if said else "another one stays in use"
        raise phone.explain(why) or TypingFailed(f"the keyboard {ime} cannot be used: {why}", code="keyboard_refused")

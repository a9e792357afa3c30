"""What a key does to the phone: the system's keys, Back, and those that go to the app in front.

Owns who gets a key. Typing is for `fields`, the focus for `steering`; the codes themselves are in `keys`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.virtual import actions
from controller.virtual.keys import CTRL_ON, Key
from controller.virtual.steering import Steering

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Pressing"]

_LOUDEST = 15


class Pressing:
    """The keys of one phone."""

    def __init__(self, phone: VirtualPhone, steering: Steering) -> None:
        self._phone = phone
        self._steering = steering

    def key(self, code: int, meta: int) -> None:
        """Press and release a key; while the screen is off only the power keys do something."""
        phone = self._phone
        if code in (Key.POWER, Key.WAKEUP, Key.SLEEP):
            (phone.sleep if code == Key.SLEEP or (code == Key.POWER and phone.screen_on) else phone.wake)()
        elif phone.screen_on:
            self._lit(code, meta)

    def _lit(self, code: int, meta: int) -> None:
        phone = self._phone
        match code:
            case Key.HOME if not phone.keyguard:
                phone.shade = ""
                phone.launcher.go_home()
            case Key.BACK | Key.ESCAPE:
                self.back()
            case Key.APP_SWITCH if not phone.keyguard:
                phone.shade = ""
                phone.launcher.recents()
            case Key.NOTIFICATION:
                phone.expand_shade()
            case Key.MENU if phone.keyguard:
                phone.dismiss_keyguard()
            case Key.VOLUME_UP | Key.VOLUME_DOWN:
                self._volume(1 if code == Key.VOLUME_UP else -1)
            case Key.ENTER | Key.NUMPAD_ENTER | Key.DPAD_CENTER | Key.SEARCH if not meta & CTRL_ON:
                if not phone.watching.acted() and not phone.fields.editor_action():
                    self._steering.click()
            case _:
                if not phone.fields.key(code, meta):
                    self._steering.key(code, meta)

    def back(self) -> None:
        """One step back: shade, keyboard, dialog, what the screen does with it, the screen itself."""
        phone = self._phone
        if phone.shade:
            phone.collapse_shade()
            return
        if phone.keyguard or phone.hide_keyboard():
            return
        top = phone.tasks.top
        if top is None or phone.dialogs.system() is not None or phone.watching.acted():
            return
        top = phone.tasks.top or top
        if top.dialogs:
            if top.dialogs[-1].spec.cancelable:
                phone.dialogs.close(top.dialogs[-1])
        elif top.spec.on_back:
            actions.run(actions.Doing(phone, top, phone.names.scope(top)), top.spec.on_back)
        else:
            phone.launcher.back_out(top)

    def _volume(self, step: int) -> None:
        value = int(self._phone.setting("system", "volume_music") or "5")
        self._phone.put_setting("system", "volume_music", str(min(_LOUDEST, max(0, value + step))))

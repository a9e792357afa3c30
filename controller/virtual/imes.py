"""The input methods of a phone: which are installed, which are enabled, which one types.

Owns choosing and enabling. The keyboard's window is for `windows`, what is typed for `fields`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from controller.virtual.spec import ImeSpec

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["InputMethods"]


class InputMethods:
    """The input methods of one phone; the default one stands in its settings."""

    def __init__(self, phone: VirtualPhone) -> None:
        self._phone = phone
        self.all: dict[str, ImeSpec] = {ime.id: ime for ime in phone.spec.imes}

    @property
    def current(self) -> ImeSpec | None:
        """The default input method."""
        return self.all.get(self._phone.setting("secure", "default_input_method") or "")

    def choose(self, ime_id: str) -> bool:
        """Make an enabled input method the default; False where it is unknown or not enabled."""
        ime = self.all.get(ime_id)
        if ime is None or not ime.enabled or self._phone.faults.active("ime_refused") is not None:
            return False
        self._phone.put_setting("secure", "default_input_method", ime_id)
        return True

    def enable(self, ime_id: str, *, on: bool = True) -> bool:
        """Enable or disable an input method; False where it is unknown."""
        if ime_id not in self.all:
            return False
        self.all[ime_id] = replace(self.all[ime_id], enabled=on)
        enabled = ":".join(ime.id for ime in self.all.values() if ime.enabled)
        self._phone.put_setting("secure", "enabled_input_methods", enabled)
        return True

    def add(self, ime: ImeSpec) -> None:
        """An installed package brings an input method."""
        self.all[ime.id] = ime

"""Wi-Fi, mobile data, Bluetooth and airplane mode, as far as settings and dumps tell of them.

Owns what one switch does to the others. The phone reaches no network, whatever they say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Radios"]


class Radios:
    """The radios of one phone; their state stands in its global settings."""

    def __init__(self, phone: VirtualPhone) -> None:
        self._phone = phone
        self._taken_down: set[str] = set()

    @property
    def airplane(self) -> bool:
        """Whether airplane mode is on."""
        return self._is_on("airplane_mode_on")

    @property
    def wifi(self) -> bool:
        """Whether Wi-Fi is on."""
        return self._is_on("wifi_on")

    @property
    def mobile(self) -> bool:
        """Whether there is mobile data."""
        return self._is_on("mobile_data") and not self.airplane

    def follow_airplane_mode(self) -> None:
        """Airplane mode takes Wi-Fi and Bluetooth down; its end brings back what was on."""
        phone = self._phone
        if self.airplane:
            self._taken_down |= {name for name in ("wifi_on", "bluetooth_on") if self._is_on(name)}
            phone.settings.update({("global", name): "0" for name in self._taken_down})
        else:
            phone.settings.update({("global", name): "1" for name in self._taken_down})
            self._taken_down.clear()

    def _is_on(self, name: str) -> bool:
        return self._phone.setting("global", name) not in (None, "", "0")

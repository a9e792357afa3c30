"""UiAutomator's watchers: what the server does by itself when a search finds nothing."""

from __future__ import annotations

from dataclasses import dataclass

from controller.virtual.uiautomator.device import UiDevice
from controller.virtual.uiautomator.selector import Selector, find_in

__all__ = ["Watchers"]


@dataclass(frozen=True, slots=True)
class _Watcher:
    """All conditions must hold; then the target is clicked, or the keys are pressed."""

    conditions: tuple[Selector, ...]
    action: Selector | tuple[int, ...]


class Watchers:
    """The registered watchers of one server."""

    def __init__(self, device: UiDevice) -> None:
        self._device = device
        self._watchers: dict[str, _Watcher] = {}
        self._running = False
        self.triggered: set[str] = set()

    def register(self, name: str, conditions: list[Selector], action: Selector | list[int]) -> None:
        """Add or replace one."""
        kept = action if isinstance(action, Selector) else tuple(action)
        self._watchers[name] = _Watcher(tuple(conditions), kept)

    def remove(self, name: str) -> None:
        """Forget one."""
        self._watchers.pop(name, None)

    def names(self) -> list[str]:
        """Their names."""
        return sorted(self._watchers)

    def run(self) -> bool:
        """Let all look; True where one acted. What a watcher itself searches for triggers none."""
        if self._running or not self._watchers:
            return False
        self._running = True
        acted = [name for name, watcher in self._watchers.items() if self._look(watcher)]
        self._running = False
        self.triggered.update(acted)
        return bool(acted)

    def _look(self, watcher: _Watcher) -> bool:
        root = self._device.active_root()
        if any(find_in(condition, root) is None for condition in watcher.conditions):
            return False
        if isinstance(watcher.action, Selector):
            found = find_in(watcher.action, root)
            if found is not None:
                self._device.phone.tap(*found.node.bounds.center)
        else:
            for code in watcher.action:
                self._device.phone.key(code)
        return True

"""The strict apps of a phone: told of everything that is done to them, they turn away whoever is too fast.

Owns which app is told of what. The arithmetic is in `strict`, what an app does then stands in its data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.virtual import actions
from controller.virtual.activities import Activity
from controller.virtual.spec import PackageSpec
from controller.virtual.strict import StrictWatch

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Watching"]


class Watching:
    """The watches of one phone, by package."""

    def __init__(self, phone: VirtualPhone) -> None:
        self._phone = phone
        self._watches: dict[str, StrictWatch] = {}

    def add(self, spec: PackageSpec) -> None:
        """Watch a package where it is strict, from the beginning."""
        self.remove(spec.name)
        if spec.strict is not None:
            self._watches[spec.name] = StrictWatch(spec.strict)

    def remove(self, package: str) -> None:
        """Watch a package no more."""
        self._watches.pop(package, None)

    def of(self, package: str) -> StrictWatch | None:
        """The watch of a package, where it is strict."""
        return self._watches.get(package)

    def acted(self) -> bool:
        """The app in front is acted on; True where that was too fast and it has turned away."""
        phone = self._phone
        top = phone.tasks.top
        watch = self._watches.get(top.package) if top is not None else None
        if top is None or watch is None or phone.keyguard or phone.shade:
            return False
        return self._turn_away(top, watch.action(phone.now()))

    def typed(self, count: int) -> bool:
        """So many characters arrive in the app in front; True where that was too fast."""
        top = self._phone.tasks.top
        watch = self._watches.get(top.package) if top is not None else None
        return top is not None and watch is not None and self._turn_away(top, watch.typed(self._phone.now(), count))

    def screen(self, activity: Activity) -> None:
        """A new screen of an app is there."""
        self._phone.trace("screen", component="/".join(activity.component), page=list(activity.page))
        watch = self._watches.get(activity.package)
        if watch is not None:
            self._turn_away(activity, watch.screen(self._phone.now()))

    def pardon(self, package: str) -> None:
        """A passed verification: the app counts anew."""
        if package in self._watches:
            self._watches[package].pardon()

    def _turn_away(self, activity: Activity, problem: str) -> bool:
        if not problem:
            return False
        phone = self._phone
        package = phone.packages[activity.package]
        package.state["strict_reason"] = problem
        phone.trace("strict", package=activity.package, reason=problem)
        if package.spec.strict is not None:
            actions.run(actions.Doing(phone, activity, phone.names.scope(activity)), package.spec.strict.then)
        return True

"""Two apps that share the screen: which tasks they are, and which of them has the focus.

Owns the pair. Where the halves lie is for `areas`, what is shown in them for `windows`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.virtual.activities import Activity, Task
from controller.virtual.dialogs import owner_of

if TYPE_CHECKING:
    from controller.virtual.activities import Surface
    from controller.virtual.phone import VirtualPhone

__all__ = ["Splitting"]


class Splitting:
    """The split screen of one phone. It shows as long as one of its tasks is in front."""

    def __init__(self, phone: VirtualPhone) -> None:
        self._phone = phone
        self._pair: tuple[int, int] | None = None

    @property
    def pair(self) -> tuple[Task, Task] | None:
        """The tasks in the first and the second half while they are shown; None for an undivided screen."""
        if self._pair is None:
            return None
        first, second = (self._phone.tasks.by_id(number) for number in self._pair)
        front = self._phone.tasks.front
        if first is None or second is None or not first.activities or not second.activities:
            return None
        return (first, second) if front in (first, second) else None

    def enter(self, first: Task, second: Task) -> None:
        """Show two tasks; the second has the focus."""
        phone = self._phone
        if first is second or first.home or second.home:
            return
        self._pair = (first.id, second.id)
        for task in (first, second):
            phone.tasks.to_front(task)
        phone.trace("split", first=first.affinity, second=second.affinity)
        phone.launcher.resumed()
        phone.changed()

    def leave(self, keep: Task | None = None) -> None:
        """One task has the screen again: the given one, else the one in front."""
        if self._pair is None:
            return
        self._pair = None
        if keep is not None:
            self._phone.tasks.to_front(keep)
            self._phone.launcher.refocused()
        self._phone.changed()

    def beside(self, task: Task) -> None:
        """Pair a task with the one that was used before it."""
        others = [other for other in reversed(list(self._phone.tasks)) if other is not task and not other.home]
        if others:
            self.enter(task, others[0])

    def touched(self, surface: Surface) -> None:
        """A half is touched: its task has the focus."""
        owner, pair = owner_of(surface), self.pair
        if owner is None or pair is None:
            return
        task = next((task for task in pair if task.id == owner.task_id), None)
        if task is not None and task is not self._phone.tasks.front:
            self._phone.tasks.to_front(task)
            self._phone.launcher.refocused()
            self._phone.changed()

    def shown(self, task: Task) -> bool:
        """Whether a task can be seen."""
        return task in (self.pair or (self._phone.tasks.front,))

    def resumed(self, activity: Activity) -> bool:
        """Whether an activity runs in sight: up to Android 9 only the one with the focus does."""
        pair, top = self.pair, self._phone.top_activity()
        if pair is None or self._phone.sdk < 29:
            return activity is top
        return any(task.top is activity for task in pair)

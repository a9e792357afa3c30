"""What lives on the phone: surfaces with their variables, activities in tasks, dialogs.

Owns the structures and the moves inside the back stack. Which activity an intent means, and what happens on the screen
when one comes to the front, is for `starting` and `phone`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from controller.virtual.intents import Intent
from controller.virtual.scope import Scope
from controller.virtual.scrolling import Scroll
from controller.virtual.spec import Action, ActivitySpec, DialogSpec
from controller.virtual.ui import Rect

__all__ = ["Activity", "Callback", "Dialog", "Surface", "Task", "Tasks"]


@dataclass(slots=True, eq=False)
class Surface:
    """Something with a window: its variables, where its lists stand, which field has the focus."""

    window_hash: int
    """The hash that dumps print: `Window{hash …}`."""
    package: str
    vars: dict[str, str] = field(default_factory=dict)
    scroll: dict[str, Scroll] = field(default_factory=dict)
    focus: str = ""
    """The variable of the focused field."""
    cursor: str = ""
    """The key of the node that TAB or the directional pad has put the focus on."""
    selection: tuple[int, int] | None = None
    """Where the cursor is in it; None for behind the text."""
    ime_action: str = "done"
    """What the action key of the keyboard says for that field."""
    keyboard: bool = False
    """Whether the focused field wants the keyboard shown."""


@dataclass(slots=True, eq=False)
class Dialog(Surface):
    """A dialog, sheet or popup list over an activity."""

    spec: DialogSpec = field(default_factory=DialogSpec)
    anchor: Rect | None = None
    owner: Activity | None = None
    """The activity that it lies over; None for a dialog of the system."""
    title: str = ""
    """What the window of a system dialog is called where that is not what it shows as its title."""


@dataclass(frozen=True, slots=True)
class Callback:
    """What goes on when another activity (a permission dialog) has answered."""

    scope: Scope
    then: tuple[Action, ...]
    otherwise: tuple[Action, ...]


@dataclass(slots=True, eq=False)
class Activity(Surface):
    """One activity that lives in a task."""

    token: int = 0
    """The hash that dumps print: `ActivityRecord{token …}`."""
    spec: ActivitySpec = field(default_factory=lambda: ActivitySpec(""))
    intent: Intent = field(default_factory=Intent)
    task_id: int = 0
    started: float = 0.0
    row: Mapping[str, str] = field(default_factory=dict)
    """The row of data that the screen was looked up by."""
    defaults: dict[str, str] = field(default_factory=dict)
    """What the screen's parameters are where nobody gave them."""
    dialogs: list[Dialog] = field(default_factory=list)
    timers: list[tuple[float, tuple[Action, ...]]] = field(default_factory=list)
    loading_until: float = 0.0
    splash_until: float = 0.0
    page: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    """What a chooser offers: (package, full class)."""
    chosen_for: Intent | None = None
    begun: bool = False
    """Whether its start actions have run."""
    callback: Callback | None = None
    caller: Activity | None = None

    @property
    def component(self) -> tuple[str, str]:
        """Package and full class."""
        return self.package, self.spec.name


@dataclass(slots=True, eq=False)
class Task:
    """One back stack; the last activity is on top."""

    id: int
    token: int
    affinity: str
    activities: list[Activity] = field(default_factory=list)
    home: bool = False

    @property
    def top(self) -> Activity | None:
        """The activity that shows when the task is in front."""
        return self.activities[-1] if self.activities else None


class Tasks:
    """All tasks, the front one last."""

    def __init__(self) -> None:
        self._all: list[Task] = []

    def __iter__(self) -> Iterator[Task]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    @property
    def front(self) -> Task | None:
        """The task in front."""
        return self._all[-1] if self._all else None

    @property
    def top(self) -> Activity | None:
        """The activity in front."""
        return self.front.top if self.front is not None else None

    def add(self, task: Task) -> None:
        """A new task comes to the front."""
        self._all.append(task)

    def to_front(self, task: Task) -> None:
        """An existing task comes to the front."""
        self._all.remove(task)
        self._all.append(task)

    def to_back(self, task: Task) -> None:
        """A task goes below all others."""
        self._all.remove(task)
        self._all.insert(0, task)

    def home(self) -> Task | None:
        """The launcher's task."""
        return next((task for task in self._all if task.home), None)

    def of(self, affinity: str) -> Task | None:
        """The frontmost task with an affinity."""
        return next((task for task in reversed(self._all) if task.affinity == affinity), None)

    def by_id(self, task_id: int) -> Task | None:
        """The task with a number."""
        return next((task for task in self._all if task.id == task_id), None)

    def remove(self, activity: Activity) -> None:
        """An activity ends; a task without activities ends with it, and the task below comes to the front."""
        task = self.by_id(activity.task_id)
        if task is None or activity not in task.activities:
            return
        task.activities.remove(activity)
        if not task.activities and not task.home:
            self._all.remove(task)

    def under(self, activity: Activity) -> Activity | None:
        """The activity that can be seen behind a translucent one."""
        found = list(self.activities())
        place = found.index(activity)
        return found[place + 1] if place + 1 < len(found) else None

    def activities(self) -> Iterator[Activity]:
        """Every activity, the front one first."""
        for task in reversed(self._all):
            yield from reversed(task.activities)

    def end_package(self, package: str) -> None:
        """All activities of a package end."""
        for activity in [activity for activity in self.activities() if activity.package == package]:
            self.remove(activity)

"""Which activity an intent means, and what starting it does to the tasks.

Pure functions over packages and tasks. What happens on the screen when an activity comes to the front is for `phone`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from controller.virtual.activities import Activity, Task, Tasks
from controller.virtual.intents import ACTION_MAIN, ACTION_VIEW, CATEGORY_HOME, CATEGORY_LAUNCHER, Intent, StartStatus
from controller.virtual.spec import ActivitySpec, PackageSpec

__all__ = [
    "CLEAR_TASK",
    "CLEAR_TOP",
    "LAUNCH_ADJACENT",
    "SINGLE_TOP",
    "Handler",
    "Placed",
    "bring_existing",
    "candidates",
    "is_launch",
    "is_web",
    "matches",
]

SINGLE_TOP, CLEAR_TOP, CLEAR_TASK, LAUNCH_ADJACENT = 0x20000000, 0x04000000, 0x00008000, 0x00001000
"""Bits of `Intent.setFlags`."""


@dataclass(frozen=True, slots=True)
class Handler:
    """An activity that answers an intent, with what the intent's URI gives it."""

    package: PackageSpec
    activity: ActivitySpec
    target: str = ""
    """Full class name of the activity it forwards to; empty for itself."""
    values: Mapping[str, str] = field(default_factory=dict)
    verified: bool = False

    @property
    def component(self) -> tuple[str, str]:
        """Package and full class of what the intent resolves to."""
        return self.package.name, self.activity.name


@dataclass(frozen=True, slots=True)
class Placed:
    """Where an intent has ended: its activity, and whether that activity gets the intent (`again`: while it lives)."""

    status: StartStatus
    activity: Activity
    delivers: bool = True
    again: bool = False


def matches(intent: Intent, package: PackageSpec, activity: ActivitySpec) -> Handler | None:
    """The activity as a handler, where one of its filters takes the intent."""
    if intent.data is not None:
        return _by_link(intent, package, activity)
    if intent.action == ACTION_MAIN:
        wanted = set(intent.categories)
        if CATEGORY_HOME in wanted:
            return Handler(package, activity) if activity.home else None
        return Handler(package, activity) if activity.launcher else None
    return Handler(package, activity) if intent.action in activity.actions else None


def candidates(intent: Intent, packages: Iterable[PackageSpec], *, sdk: int) -> list[Handler]:
    """All activities that answer an implicit intent, the ones that Android would choose by itself first.

    A web link goes to the app that has proved it owns the site; else, from Android 12 on, to the browser alone.
    """
    found = []
    for package in packages:
        if intent.package in (None, package.name):
            found += [h for activity in package.activities.values() if (h := matches(intent, package, activity))]
    if not is_web(intent) or intent.package is not None:
        return found
    own = [handler for handler in found if handler.verified]
    browsers = [handler for handler in found if handler.package.browser]
    return own or (browsers if sdk >= 31 and browsers else found)


def is_web(intent: Intent) -> bool:
    """Whether the intent shows a web page."""
    return (intent.data or "").lower().startswith(("http://", "https://"))


def is_launch(intent: Intent) -> bool:
    """Whether the intent is what an icon of the launcher sends."""
    return intent.action == ACTION_MAIN and CATEGORY_LAUNCHER in intent.categories


def bring_existing(
    tasks: Tasks, task: Task, intent: Intent, target: ActivitySpec, *, package: str, sdk: int
) -> Placed | None:
    """What becomes of an intent whose task is there already; None where a new activity is needed.

    The task is in front afterwards. An intent for the task's own root only brings back what was on top. A task that
    comes up by it is "brought to the front", also where the activity gets the intent; one that was in front is
    "delivered to", where nothing was to be delivered from Android 12 on alone (`ActivityStarter.recycleTask`).
    """
    was_front = task is tasks.front
    tasks.to_front(task)
    if intent.flags & CLEAR_TASK:
        for activity in list(task.activities):
            task.activities.remove(activity)
        return None
    top = task.top
    component = (package, target.name)
    found = next((a for a in reversed(task.activities) if a.component == component), None)
    single = target.mode in ("singleTask", "singleInstance") or bool(intent.flags & CLEAR_TOP)
    if found is not None and (single or (found is top and (_single_top(intent, target)))):
        del task.activities[task.activities.index(found) + 1 :]
        status = StartStatus.DELIVERED if was_front else StartStatus.BROUGHT_TO_FRONT
        return Placed(status, found, again=True)
    root = task.activities[0] if task.activities else None
    if (
        root is not None
        and top is not None
        and root.component == component
        and intent.data is None
        and not _extras(intent)
    ):
        told = was_front and sdk >= 31
        return Placed(StartStatus.DELIVERED if told else StartStatus.BROUGHT_TO_FRONT, top, delivers=False)
    return None


def _single_top(intent: Intent, target: ActivitySpec) -> bool:
    return target.mode == "singleTop" or bool(intent.flags & SINGLE_TOP)


def _extras(intent: Intent) -> bool:
    """Whether the intent carries values of its own, so that it is not the one that began the task."""
    return bool(intent.extras)


def _by_link(intent: Intent, package: PackageSpec, activity: ActivitySpec) -> Handler | None:
    if intent.action not in (None, ACTION_VIEW, *activity.actions):
        return None
    for link in activity.links:
        values = link.match(intent.data or "")
        if values is not None:
            target = package.name + link.target if link.target.startswith(".") else link.target
            return Handler(package, activity, target, {**values, **dict(link.set)}, link.verified)
    return None

"""What outlives a process: tasks with their budgets, the screen seen last, and things to put back on the phone.

One JSON file a phone, changed under a lock and replaced as a whole, so that two processes meet the same limits and a
crash never gives screens back. How much may be used is decided in `pace`; when something is counted, in `session`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from controller.clock import Clock
from controller.errors import BudgetSpent, UsageError
from controller.pace import Budget, Speed

__all__ = [
    "Draft",
    "FileTasks",
    "LastAction",
    "MemoryTasks",
    "PhoneRecord",
    "Reservation",
    "SeenScreen",
    "Task",
    "TaskJournal",
    "Tasks",
    "phone_folder",
]

VERSION = 1
KEPT_TASKS = 20
# Longer than the longest wait and the slowest start of an app together.
TURN_S = 120.0


@dataclass(frozen=True, slots=True)
class Task:
    """One task: what budgets are counted in.

    Args:
        id: Short name, unique for the phone.
        started: Seconds since 1970.
        label: What it is for, in the person's words.
        budgets: New screens by app id.
        max_new_screens: A lower limit than the rules' for every app of this task.
        speed: The person's choice for this task, None for the default.
        announced: The app whose knowledge was announced last and that has not been left since.
        ended: Seconds since 1970, None while it is open.
    """

    id: str
    started: float
    label: str = ""
    budgets: Mapping[str, Budget] = field(default_factory=dict)
    max_new_screens: int | None = None
    speed: Speed | None = None
    announced: str | None = None
    ended: float | None = None

    def budget(self, app: str) -> Budget:
        """The app's budget in this task."""
        return self.budgets.get(app, Budget()).lowered(self.max_new_screens)

    def with_budget(self, app: str, budget: Budget) -> Task:
        """The task with another budget for one app."""
        return replace(self, budgets={**self.budgets, app: budget})


@dataclass(frozen=True, slots=True)
class LastAction:
    """The last action that could lead to another screen and did not seem to: its screen may still be on its way."""

    app: str | None
    at: float


@dataclass(frozen=True, slots=True)
class SeenScreen:
    """The screen seen last, as far as the next process needs it.

    Args:
        mark: `ScreenMark.as_json()` of the screen.
        first_seen: By the machine's clock since its boot.
        acted_at: When the last action on it ended, None before the first.
        jittered: The last wait on it had its small scroll.
        awaited: An action whose effect has not shown yet.
    """

    mark: Any
    first_seen: float
    acted_at: float | None = None
    jittered: bool = False
    awaited: LastAction | None = None


@dataclass(frozen=True, slots=True)
class PhoneRecord:
    """All that is kept for one phone."""

    current: str | None = None
    tasks: tuple[Task, ...] = ()
    screen: SeenScreen | None = None
    outline: Any = None
    journal: Mapping[str, Any] = field(default_factory=dict)

    def task(self, task_id: str | None) -> Task | None:
        """The task with this id."""
        return next((task for task in self.tasks if task.id == task_id), None)

    def with_task(self, task: Task) -> PhoneRecord:
        """The record with this task put in or replaced; the oldest ended ones are dropped."""
        tasks = (*(other for other in self.tasks if other.id != task.id), task)
        return replace(self, tasks=tasks[-KEPT_TASKS:])


@dataclass(frozen=True, slots=True)
class Reservation:
    """Screens set aside before an action is sent: the task and the apps that may get a new screen."""

    task: str
    apps: tuple[str, ...]


class Tasks(Protocol):
    """Where a phone's record is kept."""

    def read(self) -> PhoneRecord:
        """The record as it is now."""
        ...

    def edit(self) -> contextlib.AbstractContextManager[Draft]:
        """The record to change; it is written when the block ends without an error."""
        ...

    def turn(self) -> contextlib.AbstractContextManager[object]:
        """Held while one action is planned, waited for and done: no other process acts on the phone meanwhile."""
        ...


class Draft:
    """A record being changed, and the changes that tasks know."""

    def __init__(self, record: PhoneRecord) -> None:
        self.record = record

    def current(self, clock: Clock) -> Task:
        """The open task; one is begun where none is open."""
        task = self.record.task(self.record.current)
        return task if task and task.ended is None else self.begin(clock)

    def begin(
        self, clock: Clock, *, label: str = "", max_new_screens: int | None = None, speed: Speed | None = None
    ) -> Task:
        """A new task, which becomes the phone's current one. The one before it ends."""
        self.end(clock)
        number = 1 + max((int(task.id.removeprefix("t")) for task in self.record.tasks), default=0)
        task = Task(f"t{number}", clock.wall(), label, max_new_screens=max_new_screens, speed=speed)
        self.record = replace(self.record.with_task(task), current=task.id)
        return task

    def end(self, clock: Clock) -> Task | None:
        """The current task, ended; None where none was open."""
        task = self.record.task(self.record.current)
        self.record = replace(self.record, current=None)
        if task is None or task.ended is not None:
            return None
        return self.put(replace(task, ended=clock.wall()))

    def put(self, task: Task) -> Task:
        """The task, put in the place of the one with the same id."""
        self.record = self.record.with_task(task)
        return task

    def renew(self, task_id: str) -> Task:
        """The task after the person said yes: every budget starts again at 0."""
        task = self._task(task_id)
        return self.put(replace(task, budgets={app: budget.renew() for app, budget in task.budgets.items()}))

    def reserve(self, task_id: str, apps: tuple[str, ...]) -> Reservation:
        """One screen of each app, set aside.

        Raises:
            BudgetSpent: One of them has none left; nothing is set aside.
        """
        task = self._task(task_id)
        for app in apps:
            refuse_spent(task, app)
        for app in apps:
            task = task.with_budget(app, task.budget(app).reserve())
        self.put(task)
        return Reservation(task_id, apps)

    def release(self, reservation: Reservation, *, counted: str | None) -> Task:
        """The task after the action: what was set aside goes back, `counted` gets the new screen there was."""
        task = self._task(reservation.task)
        for app in reservation.apps:
            task = task.with_budget(app, task.budget(app).give_back())
        if counted is not None:
            task = task.with_budget(counted, task.budget(counted).count())
        return self.put(task)

    def lift(self, task_id: str, app: str) -> Task:
        """The task after an outward action succeeded in `app`."""
        task = self._task(task_id)
        return self.put(task.with_budget(app, task.budget(app).lift()))

    def _task(self, task_id: str) -> Task:
        task = self.record.task(task_id)
        if task is None:
            raise UsageError(f"task {task_id} is not known for this phone", hint="run `phonectl task show`")
        return task


def refuse_spent(task: Task, app: str) -> None:
    """Nothing, where `app` has a new screen left in `task`.

    Raises:
        BudgetSpent: It has none left.
    """
    budget = task.budget(app)
    if budget.spent:
        raise BudgetSpent(
            f"the budget of {budget.limit} new screens in {app} is spent in task {task.id}; nothing was sent",
            hint="look at what was done, then `phonectl task continue` allows as many again",
            app=app,
            used=budget.counted,
            limit=budget.limit,
            task=task.id,
        )


class TaskJournal:
    """Things to put back, kept in the phone's record."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    def remember(self, key: str, value: Any) -> None:
        with self._tasks.edit() as draft:
            # The first value is the person's own; a second one would be ours.
            draft.record = replace(draft.record, journal={key: value, **draft.record.journal})

    def forget(self, key: str) -> None:
        with self._tasks.edit() as draft:
            kept = {other: value for other, value in draft.record.journal.items() if other != key}
            draft.record = replace(draft.record, journal=kept)

    def pending(self) -> Mapping[str, Any]:
        return self._tasks.read().journal


class MemoryTasks:
    """A record that ends with the process, for a phone that ends with it."""

    def __init__(self) -> None:
        self._record = PhoneRecord()

    def read(self) -> PhoneRecord:
        return self._record

    @contextlib.contextmanager
    def edit(self) -> Iterator[Draft]:
        draft = Draft(self._record)
        yield draft
        self._record = draft.record

    def turn(self) -> contextlib.AbstractContextManager[object]:
        return contextlib.nullcontext()


class FileTasks:
    """A record in `folder`, shared by all processes of this person.

    Args:
        folder: The phone's own folder; made when first written to.
        lock_timeout_s: How long to wait for another process that is writing.
        turn_timeout_s: How long to wait for another process that is acting on the phone.
    """

    def __init__(self, folder: Path, *, lock_timeout_s: float = 10.0, turn_timeout_s: float = TURN_S) -> None:
        self._folder = folder
        self._file = folder / "tasks.json"
        self._lock_timeout_s = lock_timeout_s
        self._turn_timeout_s = turn_timeout_s

    def read(self) -> PhoneRecord:
        try:
            text = self._file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return PhoneRecord()
        return _record_from(text, self._file)

    @contextlib.contextmanager
    def edit(self) -> Iterator[Draft]:
        with self._locked("tasks.lock", self._lock_timeout_s, "for its tasks"):
            draft = Draft(self.read())
            before = draft.record
            yield draft
            if draft.record != before:
                self._write(draft.record)

    def turn(self) -> contextlib.AbstractContextManager[object]:
        return self._locked("turn.lock", self._turn_timeout_s, "to act")

    @contextlib.contextmanager
    def _locked(self, name: str, timeout_s: float, what: str) -> Iterator[None]:
        # Imported here: a command that only prints help needs no lock.
        from filelock import FileLock, Timeout

        self._folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self._folder / name, timeout=timeout_s)
        try:
            lock.acquire()
        except Timeout as err:
            raise UsageError(
                f"another phonectl has held this phone {what} for {timeout_s:g} s",
                hint="wait for the other command to end, or stop it",
                code="phone_busy",
            ) from err
        try:
            yield
        finally:
            lock.release()

    def _write(self, record: PhoneRecord) -> None:
        scratch = self._file.with_suffix(f".{os.getpid()}.tmp")
        scratch.write_text(json.dumps({"version": VERSION, **asdict(record)}, ensure_ascii=False), encoding="utf-8")
        scratch.replace(self._file)


def phone_folder(root: Path, serial: str) -> Path:
    """The folder under `root` that belongs to the phone: its serial, made safe as a file name and kept unique."""
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", serial)
    if safe != serial:
        safe += "-" + hashlib.blake2b(serial.encode(), digest_size=3).hexdigest()
    return root / "phones" / safe


def _record_from(text: str, path: Path) -> PhoneRecord:
    try:
        data = json.loads(text)
        if data.pop("version") != VERSION:
            raise ValueError("it was written by another version")
        tasks = tuple(_task_from(task) for task in data.pop("tasks"))
        screen = data.pop("screen")
        return PhoneRecord(tasks=tasks, screen=_screen_from(screen) if screen else None, **data)
    except (ValueError, KeyError, TypeError, AttributeError) as err:
        # A budget that cannot be read must not become a fresh one in silence.
        raise UsageError(
            f"{path} cannot be read: {err}", hint="delete the file to begin with fresh budgets", code="task_file"
        ) from err


def _task_from(data: dict[str, Any]) -> Task:
    budgets = {app: Budget(**budget) for app, budget in data.pop("budgets").items()}
    speed = data.pop("speed")
    return Task(budgets=budgets, speed=Speed(speed) if speed else None, **data)


def _screen_from(data: dict[str, Any]) -> SeenScreen:
    awaited = data.pop("awaited")
    return SeenScreen(awaited=LastAction(**awaited) if awaited else None, **data)

"""Tasks and budgets that outlive a process."""

from __future__ import annotations

import json
import multiprocessing
from pathlib import Path

import pytest

from controller.clock import ManualClock
from controller.errors import BudgetSpent, UsageError
from controller.pace import Budget, Speed
from controller.task import FileTasks, LastAction, MemoryTasks, PhoneRecord, SeenScreen, TaskJournal, phone_folder


def test_a_task_is_begun_when_none_is_open_and_kept_for_the_next_process(tmp_path: Path) -> None:
    with FileTasks(tmp_path).edit() as draft:
        task = draft.current(ManualClock())

    record = FileTasks(tmp_path).read()
    assert record.current == "t1"
    assert record.tasks == (task,)


def test_everything_that_is_kept_comes_back_as_it_was(tmp_path: Path) -> None:
    clock = ManualClock()
    seen = SeenScreen({"items": ["a"]}, 12.5, acted_at=13.0, jittered=True, awaited=LastAction("tv.danmaku.bili", 14.0))
    with FileTasks(tmp_path).edit() as draft:
        task = draft.begin(clock, label="猫", max_new_screens=3, speed=Speed.FAST)
        draft.reserve(task.id, ("bilibili",))
        draft.record = PhoneRecord(task.id, draft.record.tasks, seen, {"e1": {"name": "搜索"}}, {"ime": "x/.Y"})
        written = draft.record

    assert FileTasks(tmp_path).read() == written


def test_the_twenty_fifth_screen_is_refused_and_a_yes_opens_the_next_twenty_four() -> None:
    tasks, clock = MemoryTasks(), ManualClock()

    def open_screens() -> int:
        opened = 0
        while True:
            with tasks.edit() as draft:
                task = draft.current(clock)
                try:
                    reservation = draft.reserve(task.id, ("bilibili",))
                except BudgetSpent:
                    return opened
                draft.release(reservation, counted="bilibili")
                opened += 1

    assert open_screens() == 24
    with tasks.edit() as draft:
        draft.renew(draft.current(clock).id)
    assert open_screens() == 24


def test_a_refusal_names_the_app_the_count_and_how_to_go_on() -> None:
    tasks, clock = MemoryTasks(), ManualClock()
    with tasks.edit() as draft:
        task = draft.current(clock)
        draft.put(task.with_budget("bilibili", Budget(used=24)))
        with pytest.raises(BudgetSpent) as caught:
            draft.reserve(task.id, ("bilibili",))

    assert caught.value.exit_code == 7
    assert caught.value.details == {"app": "bilibili", "used": 24, "limit": 24, "task": "t1"}
    assert "phonectl task continue" in caught.value.hint


def test_one_spent_app_sets_nothing_aside_in_the_other() -> None:
    tasks, clock = MemoryTasks(), ManualClock()
    with tasks.edit() as draft:
        task = draft.current(clock)
        draft.put(task.with_budget("taobao", Budget(used=24)))
        with pytest.raises(BudgetSpent):
            draft.reserve(task.id, ("bilibili", "taobao"))
        assert draft.current(clock).budget("bilibili") == Budget()


def test_a_crash_after_the_write_gives_no_screen_back(tmp_path: Path) -> None:
    clock = ManualClock()
    with FileTasks(tmp_path).edit() as draft:
        draft.reserve(draft.current(clock).id, ("bilibili",))

    # The process that reserved never comes back; the next one sees one screen less.
    with FileTasks(tmp_path).edit() as draft:
        assert draft.current(clock).budget("bilibili").left == 23


def test_an_error_inside_a_change_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    tasks = FileTasks(tmp_path)
    with tasks.edit() as draft:
        draft.begin(ManualClock())
    before = tasks.read()

    with pytest.raises(ZeroDivisionError), tasks.edit() as draft:
        draft.begin(ManualClock())
        raise ZeroDivisionError

    assert tasks.read() == before
    assert [path.name for path in tmp_path.glob("*.tmp")] == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 99}', '{"version": 1, "tasks": [{}]}'])
def test_a_damaged_file_is_said_and_never_taken_as_a_fresh_budget(tmp_path: Path, text: str) -> None:
    (tmp_path / "tasks.json").write_text(text, encoding="utf-8")

    with pytest.raises(UsageError, match=r"tasks\.json cannot be read") as caught:
        FileTasks(tmp_path).read()
    assert caught.value.code == "task_file"


def test_tasks_do_not_share_counts_and_the_old_one_ends() -> None:
    tasks, clock = MemoryTasks(), ManualClock()
    with tasks.edit() as draft:
        first = draft.begin(clock)
        draft.put(first.with_budget("bilibili", Budget(used=20)))
        second = draft.begin(clock)

    record = tasks.read()
    assert second.budget("bilibili") == Budget()
    ended = record.task("t1")
    assert ended is not None
    assert ended.ended == clock.wall()


def _spend(folder: str, opened: multiprocessing.Queue[int]) -> None:
    tasks, clock, count = FileTasks(Path(folder)), ManualClock(), 0
    while True:
        try:
            with tasks.edit() as draft:
                reservation = draft.reserve(draft.current(clock).id, ("bilibili",))
        except BudgetSpent:
            break
        with tasks.edit() as draft:
            draft.release(reservation, counted="bilibili")
        count += 1
    opened.put(count)


@pytest.mark.slow
def test_two_processes_together_never_exceed_the_budget(tmp_path: Path) -> None:
    with FileTasks(tmp_path).edit() as draft:
        draft.begin(ManualClock())
    context = multiprocessing.get_context("spawn")
    opened: multiprocessing.Queue[int] = context.Queue()
    processes = [context.Process(target=_spend, args=(str(tmp_path), opened)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)

    assert [process.exitcode for process in processes] == [0, 0]
    assert opened.get(timeout=5) + opened.get(timeout=5) == 24
    task = FileTasks(tmp_path).read().task("t1")
    assert task is not None
    assert task.budget("bilibili") == Budget(used=24)


def test_only_one_process_at_a_time_acts_on_a_phone(tmp_path: Path) -> None:
    other = FileTasks(tmp_path, turn_timeout_s=0.05)

    with (
        FileTasks(tmp_path).turn(),
        pytest.raises(UsageError, match="another phonectl has held this phone"),
        other.turn(),
    ):
        raise AssertionError("two at once")
    with other.turn():
        pass


def test_the_journal_keeps_the_persons_own_value_not_a_later_one() -> None:
    journal = TaskJournal(MemoryTasks())

    journal.remember("ime", "the.person/.Keyboard")
    journal.remember("ime", "ours/.Keyboard")

    assert dict(journal.pending()) == {"ime": "the.person/.Keyboard"}
    journal.forget("ime")
    assert dict(journal.pending()) == {}


def test_serials_become_folders_that_cannot_leave_their_place_or_collide(tmp_path: Path) -> None:
    folders = [phone_folder(tmp_path, serial).name for serial in ("emulator-5554", "127.0.0.1:5555", "127.0.0.1_5555")]

    assert folders[0] == "emulator-5554"
    assert len(set(folders)) == 3
    assert phone_folder(tmp_path, "../../x").parent == tmp_path / "phones"


def test_file_is_json_that_a_person_can_read(tmp_path: Path) -> None:
    with FileTasks(tmp_path).edit() as draft:
        draft.begin(ManualClock(), label="比价")

    assert json.loads((tmp_path / "tasks.json").read_text(encoding="utf-8"))["tasks"][0]["label"] == "比价"

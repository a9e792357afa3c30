from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.report import build, read_events, read_run
from controller.report.run import BudgetUse, WaitRun
from tests.report.runs import Story, told


def test_events_become_steps_with_their_waits_and_totals(tmp_path: Path) -> None:
    told(tmp_path)

    run = read_run(tmp_path)

    assert [(step.number, step.title, step.status, step.depth) for step in run.steps] == [
        (1, "Tap “搜索”", "done", 0),
        (2, "Pause 2 s", "done", 0),
        (3, "Run sub.yaml", "failed", 0),
        (4, "See “收藏”", "failed", 1),
    ]
    assert (run.name, run.status, run.exit_code, run.tags, run.task) == ("Search", "failed", 1, ("smoke",), "t1")
    assert run.duration_s == pytest.approx(5.804 + 0.3 + 2 + 17)
    assert (run.pace_planned_s, run.pace_s, run.pause_s) == pytest.approx((5.8, 5.804, 2.0))
    assert run.work_s == pytest.approx(17.3)
    assert (run.step_count, run.new_screens, run.counted("failed")) == (3, 1, 1)
    assert run.budgets == (BudgetUse(pytest.approx(6.104), "bilibili", 1, 24),)
    assert run.steps[0].device_s == pytest.approx(0.3)


def test_a_wait_keeps_its_parts_and_where_it_began(tmp_path: Path) -> None:
    told(tmp_path)

    (wait,) = read_run(tmp_path).steps[0].waits

    assert wait == WaitRun(
        t=pytest.approx(0.0),
        planned_s=pytest.approx(5.8),
        actual_s=pytest.approx(5.804),
        reason="2.9 s new screen + 4.1 s reading 164 characters + -1.2 s already passed",
        parts=((2.9, "new screen"), (4.1, "reading 164 characters"), (-1.2, "already passed")),
    )


def test_a_screen_that_came_late_belongs_to_the_step_that_acted(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.begin(1, "Press enter")
    story.act(0.1, new=False)
    story.end(1)
    story.begin(2, "See results")
    story.end(2)
    story.begin(3, "Tap")
    story.used = 1
    story.act(0.1, new=True)
    story.end(3)
    story.finish()

    run = read_run(tmp_path)

    assert [step.new_screens for step in run.steps] == [1, 0, 1]
    assert [(use.app, use.used) for use in run.budgets] == [("bilibili", 2)]


def test_a_killed_run_is_unfinished_and_tells_what_there_is(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.begin(1, "Tap")
    story.clock.advance(1.5)
    story.trace.emit("action", step="tap")
    story.trace.close()

    run = read_run(tmp_path)

    assert (run.status, run.exit_code, run.passed) == ("unfinished", None, False)
    assert [(step.status, step.duration_s) for step in run.steps] == [("unfinished", 1.5)]


def test_a_file_cut_anywhere_is_read_up_to_the_event_in_flight(tmp_path: Path) -> None:
    told(tmp_path)
    whole = (tmp_path / "events.jsonl").read_bytes()
    events = read_events(whole)

    for cut in range(0, len(whole), 7):
        left = read_events(whole[:cut])
        assert left == events[: len(left)]
        assert len(left) >= whole[:cut].count(b"\n")
        build(left)


def test_what_is_no_event_is_left_out() -> None:
    lines = (
        b'{"t":0,"kind":"a"}\nnull\n[]\n{"kind":"b"}\n{"t":"1","kind":"c"}\n\xff\xfe\n\n{"t":1,"kind":"d"}\n{"t":2,"ki'
    )

    assert [event["kind"] for event in read_events(lines)] == ["a", "d"]


def test_a_lost_end_of_a_step_does_not_swallow_the_next(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.begin(1, "group", composite=True)
    story.begin(2, "inner")
    story.end(1)
    story.begin(3, "next")
    story.end(3)
    story.end(99)
    story.finish()

    run = read_run(tmp_path)

    assert [(step.number, step.status, step.depth) for step in run.steps] == [
        (1, "done", 0),
        (2, "unfinished", 1),
        (3, "done", 0),
    ]


def test_a_folder_that_is_run_in_again_tells_the_last_run(tmp_path: Path) -> None:
    told(tmp_path)
    story = Story(tmp_path, name="again")
    story.clock.advance(1)
    story.finish()

    run = read_run(tmp_path)

    assert (run.name, run.steps, run.duration_s, run.status) == ("again", (), 1.0, "passed")


@given(st.lists(st.dictionaries(st.sampled_from(["kind", "t", "step", "status"]), st.text(max_size=3) | st.integers())))
def test_events_of_any_shape_never_break_the_reading(events: list[dict[str, object]]) -> None:
    import json

    lines = "\n".join(json.dumps({"t": 0, **event}) for event in events).encode()

    assert build(read_events(lines)).status == "unfinished"

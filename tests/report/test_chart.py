from __future__ import annotations

from pathlib import Path

import pytest

from controller.report import chart, read_run
from controller.report.run import BudgetUse, Run
from controller.report.words import clock_time, seconds, signed
from tests.report.runs import told


def test_the_timeline_tells_waits_pauses_and_work_apart(tmp_path: Path) -> None:
    told(tmp_path)

    segments = chart.segments(read_run(tmp_path))

    assert [(segment.kind, segment.step) for segment in segments] == [
        ("pace", 1),
        ("work", 1),
        ("pause", 2),
        ("work", 4),
    ]
    assert sum(segment.width for segment in segments) == pytest.approx(100, abs=0.1)
    assert segments[0].title == (
        "1. Tap “搜索”: 5.8 s 2.9 s new screen + 4.1 s reading 164 characters + -1.2 s already passed"
    )
    assert [segment.failed for segment in segments] == [False, False, False, True]


@pytest.mark.parametrize(
    ("duration", "labels"),
    [
        (0.0, []),
        (0.2, []),
        (2.2, ["0 s", "0.5 s", "1 s", "1.5 s", "2 s"]),
        (58, ["0 s", "10 s", "20 s", "30 s", "40 s", "50 s"]),
        (300, ["0 s", "60 s", "2:00", "3:00", "4:00", "5:00"]),
    ],
)
def test_the_axis_has_marks_at_round_times(duration: float, labels: list[str]) -> None:
    assert [tick.label for tick in chart.ticks(duration)] == labels


def test_a_budget_climbs_with_each_new_screen() -> None:
    uses = (BudgetUse(10, "a", 1, 24), BudgetUse(20, "b", 1, 2), BudgetUse(50, "a", 12, 24))

    lines = chart.budget_lines(Run("x", duration_s=100, budget_uses=uses))

    assert [(line.app, line.path, line.used, line.limit) for line in lines] == [
        ("a", "M0 100 H10.00 V95.83 H50.00 V50.00 H100", 12, 24),
        ("b", "M0 100 H20.00 V50.00 H100", 1, 2),
    ]


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0 s"), (0.04, "0.04 s"), (2.94, "2.9 s"), (65.2, "65.2 s"), (125.4, "2 min 05 s")]
)
def test_seconds_are_said_as_people_say_them(value: float, text: str) -> None:
    assert seconds(value) == text


def test_parts_of_a_wait_carry_their_sign() -> None:
    assert (signed(4.1), signed(-1.2)) == ("+ 4.1 s", "− 1.2 s")


def test_the_clock_is_told_with_its_zone() -> None:
    from datetime import UTC

    assert clock_time(1_700_000_000, UTC) == "2023-11-14 22:13:20 +0000"

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.device.gestures import Path, drag, swipe_steps

POINTS = st.tuples(st.integers(0, 4000), st.integers(0, 4000))


def test_a_drag_is_cut_into_stretches_of_a_twentieth_of_a_second() -> None:
    assert drag((0, 100), (0, 0), duration_s=0.1) == Path((0, 100, 0, 50, 0, 0), steps=10)


def test_a_rest_stays_at_the_end_before_the_finger_is_lifted() -> None:
    path = drag((0, 100), (0, 0), duration_s=0.1, rest_s=0.15)

    assert path == Path((0, 100, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0), steps=10)


@given(start=POINTS, end=POINTS, duration_s=st.floats(0.05, 3), rest_s=st.floats(0, 1))
def test_a_drag_begins_and_ends_where_it_should_and_lasts_as_long_as_it_should(
    start: tuple[int, int], end: tuple[int, int], duration_s: float, rest_s: float
) -> None:
    path = drag(start, end, duration_s=duration_s, rest_s=rest_s)

    assert path.points[:2] == start
    assert path.points[-2:] == end
    assert abs(path.duration_s - duration_s - rest_s) <= 0.051


def test_a_swipe_has_at_least_two_steps() -> None:
    assert [swipe_steps(seconds) for seconds in (0, 0.3)] == [2, 60]

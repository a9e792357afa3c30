"""Waits, small scrolls, typing and budgets: the figures of `pace: careful`, for any seed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.pace import CAREFUL, Budget, History, Part, Plan, cadence, plan

seeds = st.integers(0, 2**32)
characters = st.integers(0, 100_000)
passed = st.floats(0, 100)


def test_an_app_without_pace_waits_for_nothing_and_draws_nothing() -> None:
    rng = random.Random(7)
    before = rng.getstate()

    assert plan(None, History(first_seen=0.0), now=0.0, rng=rng) == Plan()
    assert rng.getstate() == before


@given(seeds)
def test_first_action_on_a_screen_without_text_waits_two_and_a_half_to_five_seconds(seed: int) -> None:
    wait = plan(CAREFUL, History(first_seen=100.0), now=100.0, rng=random.Random(seed)).wait_s

    assert 2.5 <= wait <= 5.0


@given(seeds, characters)
def test_reading_time_is_added_and_together_at_most_fifteen_seconds(seed: int, count: int) -> None:
    bare = plan(CAREFUL, History(first_seen=0.0), now=0.0, rng=random.Random(seed)).wait_s
    wait = plan(CAREFUL, History(first_seen=0.0, characters=count), now=0.0, rng=random.Random(seed)).wait_s

    assert wait == pytest.approx(min(15.0, bare + count / 40))


@given(seeds, characters, characters, passed)
def test_more_characters_never_shorten_a_wait(seed: int, a: int, b: int, gone: float) -> None:
    few, many = sorted((a, b))

    def wait(count: int) -> float:
        return plan(CAREFUL, History(first_seen=0.0, characters=count), now=gone, rng=random.Random(seed)).wait_s

    assert wait(few) <= wait(many)


@given(seeds)
def test_further_action_on_the_same_screen_waits_one_to_two_seconds(seed: int) -> None:
    history = History(first_seen=0.0, acted_at=50.0, characters=4000)

    assert 1.0 <= plan(CAREFUL, history, now=50.0, rng=random.Random(seed)).wait_s <= 2.0


@given(seeds, characters, st.floats(-1e6, 1e6))
def test_a_wait_is_never_negative_and_never_longer_than_its_range_whatever_the_clock_says(
    seed: int, count: int, now: float
) -> None:
    wait = plan(CAREFUL, History(first_seen=0.0, characters=count), now=now, rng=random.Random(seed)).wait_s

    assert 0.0 <= wait <= 15.0


def test_time_that_has_passed_anyway_counts_and_is_said() -> None:
    history = History(first_seen=100.0, characters=164)

    made = plan(CAREFUL, history, now=101.2, rng=random.Random(7))

    assert made.reason == "3.3 s new screen + 4.1 s reading 164 characters − 1.2 s already passed"
    assert made.wait_s == pytest.approx(3.3096 + 4.1 - 1.2, abs=1e-3)
    assert sum(part.seconds for part in made.parts) == pytest.approx(made.wait_s)


def test_a_wait_over_the_longest_says_what_was_cut() -> None:
    made = plan(CAREFUL, History(first_seen=0.0, characters=4000), now=0.0, rng=random.Random(7))

    assert made.wait_s == 15.0
    assert made.parts[2] == Part(pytest.approx(-88.3096, abs=1e-3), "over the longest wait of 15 s")


def test_about_one_new_screen_wait_in_four_scrolls_a_little() -> None:
    rng = random.Random(7)
    plans = [plan(CAREFUL, History(first_seen=0.0, can_scroll=True), now=0.0, rng=rng) for _ in range(2000)]
    jitters = [made.jitter for made in plans if made.jitter]

    assert 440 <= len(jitters) <= 560
    assert all(0.03 <= jitter.fraction <= 0.08 for jitter in jitters)


@given(seeds, passed)
def test_a_small_scroll_lies_inside_its_wait(seed: int, gone: float) -> None:
    made = plan(CAREFUL, History(first_seen=0.0, can_scroll=True), now=gone, rng=random.Random(seed))

    if made.jitter:
        assert made.jitter.after_s > 0
        assert made.jitter.after_s + made.jitter.drag_s < made.wait_s


@given(seeds)
def test_no_small_scroll_without_a_container_after_another_or_on_a_known_screen(seed: int) -> None:
    histories = (
        History(first_seen=0.0, can_scroll=False),
        History(first_seen=0.0, can_scroll=True, jittered=True),
        History(first_seen=0.0, can_scroll=True, acted_at=0.0),
    )

    assert [plan(CAREFUL, each, now=0.0, rng=random.Random(seed)).jitter for each in histories] == [None] * 3


@given(seeds, st.integers(1, 200))
def test_typing_waits_after_each_grapheme_and_pauses_every_eight_to_fifteen(seed: int, count: int) -> None:
    strokes = cadence(CAREFUL, "x" * count, random.Random(seed))
    assert strokes is not None

    pauses = [index for index, stroke in enumerate(strokes, start=1) if stroke.wait_s > 0.32 + 1e-9]
    gaps = [b - a for a, b in zip([0, *pauses], pauses, strict=False)]
    assert all(0.12 <= stroke.wait_s <= 0.32 + 0.7 for stroke in strokes)
    # A pause of 0.3 s on a grapheme of 0.12 s is always longer than the longest grapheme.
    assert all(8 <= gap <= 15 for gap in gaps)
    assert count - (pauses[-1] if pauses else 0) < 15 + 1


def test_typing_keeps_graphemes_whole_and_in_order() -> None:
    strokes = cadence(CAREFUL, ["猫", "👩‍👩‍👧", "é"], random.Random(7))
    assert strokes is not None

    assert [stroke.grapheme for stroke in strokes] == ["猫", "👩‍👩‍👧", "é"]


def test_typing_without_rules_is_entered_at_once() -> None:
    assert cadence(None, "abc", random.Random(7)) is None


def test_a_budget_of_twenty_four_refuses_the_twenty_fifth() -> None:
    budget = Budget()
    for _ in range(24):
        assert not budget.spent
        budget = budget.reserve().give_back().count()

    assert budget == Budget(used=24)
    assert budget.spent
    with pytest.raises(ValueError, match="spent"):
        budget.reserve()


def test_actions_on_their_way_count_as_screens() -> None:
    budget = Budget(limit=2).reserve().reserve()

    assert budget.spent
    assert budget.give_back().left == 1


def test_a_yes_starts_the_count_again_and_an_outward_action_lifts_it() -> None:
    spent = Budget(used=24)

    assert spent.renew() == Budget(used=0, renewals=1)
    assert not spent.lift().spent
    assert spent.lift().reserve().give_back().count().used == 24


def test_a_task_may_only_lower_the_limit() -> None:
    assert Budget().lowered(5).limit == 5
    assert Budget().lowered(500).limit == 24
    assert Budget().lowered(None).limit == 24


@given(
    st.lists(st.sampled_from(["reserve a", "reserve b", "open a", "open b", "nothing a", "nothing b"]), max_size=200)
)
def test_two_clients_in_any_order_never_exceed_the_budget(events: list[str]) -> None:
    budget = Budget()
    on_their_way = {"a": 0, "b": 0}
    opened = 0
    for event in events:
        what, who = event.split()
        if what == "reserve" and not budget.spent:
            budget = budget.reserve()
            on_their_way[who] += 1
        elif what != "reserve" and on_their_way[who]:
            on_their_way[who] -= 1
            budget = budget.give_back()
            if what == "open":
                budget = budget.count()
                opened += 1
        assert opened + sum(on_their_way.values()) <= 24
        assert budget.used == opened

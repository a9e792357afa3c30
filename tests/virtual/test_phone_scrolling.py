"""Lists under a finger: real offsets, Android's fling, and what is seen of them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from controller.virtual.scrolling import fling_from
from tests.virtual.hand import Hand

SLOP = 21  # 8 dp at 420 dpi


@pytest.fixture
def hand() -> Hand:
    """Settings, whose list has sixteen rows."""
    hand = Hand()
    hand.phone.launch("com.android.settings")
    return hand


def place(hand: Hand, title: str) -> int:
    return hand.see(title).frame.top


def test_a_drag_that_rests_at_its_end_moves_the_list_by_its_way_without_the_slop(hand: Hand) -> None:
    before = place(hand, "显示")

    hand.phone.gesture([(540, 1800), (540, 1500)], 0.5, rest_s=0.2)
    hand.wait(3)

    assert before - place(hand, "显示") == 300 - SLOP


def test_a_swipe_of_1100_px_in_300_ms_scrolls_1990_px() -> None:
    hand = Hand()
    hand.view("https://example.org/long")
    hand.wait(1)
    scrolls = next(node for node in hand.nodes() if node.scrollable)
    hand.phone.gesture([(540, 1900), (540, 800)], 0.3)
    hand.wait(3)
    activity = hand.phone.top_activity()

    assert activity is not None
    assert activity.scroll[scrolls.key].at(hand.clock.now()) == pytest.approx(1990, abs=3)


def test_a_fling_goes_on_by_itself_and_slows_down(hand: Hand) -> None:
    hand.phone.gesture([(540, 1800), (540, 1500)], 0.15)
    offsets = []
    for _ in range(4):
        offsets.append(place(hand, "显示"))
        hand.wait(0.1)
    steps = [before - after for before, after in pairwise(offsets)]

    assert steps == sorted(steps, reverse=True)
    assert steps[-1] > 0


def test_a_tap_during_a_fling_only_stops_it(hand: Hand) -> None:
    hand.phone.gesture([(540, 1800), (540, 1500)], 0.15)
    hand.wait(0.1)
    hand.phone.tap(540, 1000)
    stopped = place(hand, "显示")
    hand.wait(2)

    assert hand.front == "Settings"
    assert place(hand, "显示") == stopped


def test_a_list_ends_at_its_last_row(hand: Hand) -> None:
    for _ in range(5):
        hand.phone.gesture([(540, 1900), (540, 700)], 0.2)
        hand.wait(3)
    rows = hand.see(id="recycler_view")

    assert rows.children[-1].bounds.bottom == rows.bounds.bottom
    assert hand.see("关于手机").bounds.bottom < rows.bounds.bottom


def test_nodes_are_clipped_to_the_list_and_what_is_outside_is_not_reported(hand: Hand) -> None:
    rows = hand.see(id="recycler_view")
    hand.phone.gesture([(540, 1800), (540, 1700)], 0.5, rest_s=0.2)
    first = hand.see(id="recycler_view").children[0]

    assert first.bounds.top == rows.bounds.top
    assert first.frame.top == rows.bounds.top - (100 - SLOP)
    assert first.index == 0
    assert hand.all("关于手机") == []


def test_a_touch_that_moves_less_than_the_slop_is_a_tap(hand: Hand) -> None:
    x, y = hand.see("蓝牙").bounds.center
    hand.phone.gesture([(x, y), (x + 5, y + 12)], 0.1)

    assert hand.front == "Settings$BluetoothSettingsActivity"


def test_a_finger_followed_event_by_event_moves_the_list_as_a_whole_gesture_does(hand: Hand) -> None:
    before = place(hand, "显示")
    hand.phone.touch_down(540, 1800)
    for y in range(1780, 1480, -20):
        hand.wait(0.02)
        hand.phone.touch_move(540, y)
    hand.wait(0.3)
    hand.phone.touch_up(540, 1500)

    assert before - place(hand, "显示") == 300 - SLOP


def test_a_list_that_starts_at_its_end_shows_what_was_added_last() -> None:
    hand = Hand()
    hand.phone.launch("com.tencent.mm")
    hand.tap("小满")
    for number in range(30):
        hand.tap(id="input")
        hand.phone.commit_text(f"第 {number} 条")
        hand.tap(id="send")

    assert "第 29 条" in hand.texts()
    assert "第 0 条" not in hand.texts()


def test_a_fling_never_leaves_the_list() -> None:
    fling = fling_from(-9000, origin=120, limit=5000, now=0, density=420)

    assert fling is not None
    assert fling.offset(fling.duration) == pytest.approx(0)


def test_a_finger_too_slow_for_a_fling_leaves_the_list_where_it_is() -> None:
    assert fling_from(100, origin=0, limit=5000, now=0, density=420) is None

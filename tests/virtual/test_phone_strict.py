"""The video app bears the pace of a person, and turns away whoever is faster."""

from __future__ import annotations

import pytest

from controller.virtual.intents import Intent
from controller.virtual.spec import StrictSpec
from controller.virtual.strict import StrictWatch
from tests.virtual.hand import Hand

BILI = "tv.danmaku.bili"


@pytest.fixture
def hand() -> Hand:
    """The video app's start page, just opened."""
    hand = Hand()
    hand.view("bilibili://home", package=BILI)
    return hand


def logged_in(hand: Hand) -> bool:
    return hand.phone.packages[BILI].state["logged_in"] == "true"


def open_and_leave_videos(hand: Hand, screens: int, *, wait_s: float) -> None:
    for _ in range(screens // 2):
        hand.wait(wait_s)
        hand.tap(id="card")
        hand.wait(wait_s)
        hand.phone.key(4)


def test_a_careful_run_of_24_screens_and_the_next_24_after_consent_stays_logged_in(hand: Hand) -> None:
    open_and_leave_videos(hand, 24, wait_s=2.5)
    assert logged_in(hand)
    open_and_leave_videos(hand, 24, wait_s=2.5)

    assert (logged_in(hand), hand.front) == (True, "MainActivityV2")


def test_a_fast_run_is_logged_out_and_asked_to_verify(hand: Hand) -> None:
    hand.wait(0.5)
    hand.tap(id="card")

    assert (logged_in(hand), hand.front) == (False, "VerifyActivity")
    assert "操作过于频繁" in hand.see(id="verify_message").text
    assert ("strict", {"package": BILI, "reason": "first action 0.50 s after a new screen"}) in hand.events


def test_the_touch_that_was_too_fast_opens_nothing(hand: Hand) -> None:
    hand.tap(id="card")
    hand.tap(id="verify_done")

    assert hand.front == "MainActivityV2"


def test_more_screens_than_a_person_would_open_are_too_many(hand: Hand) -> None:
    open_and_leave_videos(hand, 58, wait_s=3)
    assert logged_in(hand)
    hand.wait(3)
    hand.tap(id="card")
    hand.wait(3)
    hand.phone.key(4)

    assert not logged_in(hand)


def test_a_long_rest_counts_screens_anew(hand: Hand) -> None:
    open_and_leave_videos(hand, 50, wait_s=3)
    hand.wait(400)
    open_and_leave_videos(hand, 50, wait_s=3)

    assert logged_in(hand)


def test_a_further_action_on_the_same_screen_needs_a_shorter_wait(hand: Hand) -> None:
    hand.wait(3)
    hand.phone.gesture([(540, 1800), (540, 900)], 0.4, rest_s=0.1)
    hand.wait(1)
    hand.phone.gesture([(540, 1800), (540, 900)], 0.4, rest_s=0.1)
    assert logged_in(hand)
    hand.wait(0.6)
    hand.phone.gesture([(540, 1800), (540, 900)], 0.4, rest_s=0.1)

    assert not logged_in(hand)


def test_a_small_scroll_that_ends_at_rest_within_the_wait_is_reading(hand: Hand) -> None:
    hand.wait(1)
    hand.phone.gesture([(540, 1400), (540, 1260)], 0.6, rest_s=0.2)
    hand.wait(1.6)
    hand.tap(id="card")

    assert logged_in(hand)


def test_a_small_fling_within_the_wait_is_an_action(hand: Hand) -> None:
    hand.wait(1)
    hand.phone.gesture([(540, 1400), (540, 1260)], 0.1)

    assert not logged_in(hand)


def test_another_page_of_the_same_activity_is_a_new_screen(hand: Hand) -> None:
    hand.wait(3)
    hand.tap("动态")
    hand.wait(1.2)
    hand.tap("会员购")

    assert not logged_in(hand)


def test_opening_another_app_is_no_action_in_the_one_in_front(hand: Hand) -> None:
    hand.wait(0.5)
    hand.view("https://example.com/", package="com.android.chrome")

    assert logged_in(hand)


def test_typing_a_character_after_the_other_is_borne_and_a_whole_text_at_once_is_not(hand: Hand) -> None:
    hand.wait(3)
    hand.tap(id="search_box")
    hand.wait(2.6)
    for char in "云海日出":
        hand.phone.commit_text(char)
        hand.wait(0.12)
    assert (logged_in(hand), hand.see(id="search_src_text").text) == (True, "云海日出")
    hand.wait(1)
    hand.phone.commit_text("很好看")

    assert not logged_in(hand)


def test_setting_a_text_counts_only_what_is_new_in_it(hand: Hand) -> None:
    hand.wait(3)
    hand.tap(id="search_box")
    hand.wait(2.6)
    for text in ("云", "云海", "云海日"):
        field = hand.phone.focused_field()
        assert field is not None
        hand.phone.set_text(field, text)
        hand.wait(0.15)

    assert logged_in(hand)


def test_a_link_from_the_shell_is_an_action_on_the_app_in_front(hand: Hand) -> None:
    hand.wait(1)
    hand.view("bilibili://space/20250003", package=BILI)

    assert not logged_in(hand)


def test_what_is_done_to_other_apps_and_to_the_system_is_not_watched(hand: Hand) -> None:
    hand.phone.expand_shade()
    hand.phone.collapse_shade()
    hand.phone.key(3)
    hand.phone.launch("com.android.settings")
    hand.tap("显示")
    hand.phone.key(4)
    hand.phone.start(Intent("android.settings.WIFI_SETTINGS"))

    assert logged_in(hand)


def test_one_fast_run_is_one_violation_until_it_is_pardoned() -> None:
    watch = StrictWatch(StrictSpec())
    watch.screen(0)

    assert watch.action(1) == "first action 1.00 s after a new screen"
    assert watch.action(1.1) == ""
    watch.pardon()
    watch.screen(2)
    assert watch.action(2.5) == "first action 0.50 s after a new screen"

"""Intents and the back stack: what starts, what comes back, what back does."""

from __future__ import annotations

import pytest

from controller.virtual.intents import ACTION_MAIN, CATEGORY_HOME, CATEGORY_LAUNCHER, Intent, StartStatus
from tests.virtual.hand import Hand

BILI = "tv.danmaku.bili"
MAIN = (BILI, f"{BILI}.MainActivityV2")


@pytest.fixture
def hand() -> Hand:
    return Hand()


def start(hand: Hand, package: str, name: str) -> StartStatus:
    return hand.phone.start(Intent(ACTION_MAIN, categories=(CATEGORY_LAUNCHER,), component=(package, name))).status


def test_the_phone_boots_to_its_home_screen(hand: Hand) -> None:
    assert hand.front == "QuickstepLauncher"
    assert {"哔哩哔哩", "淘宝", "淘宝特价版", "微信", "Chrome", "设置"} <= set(hand.texts())


def test_an_icon_starts_its_app(hand: Hand) -> None:
    hand.tap("哔哩哔哩", id="icon")

    assert hand.front == "MainActivityV2"


def test_starting_a_tasks_root_brings_back_what_was_on_top(hand: Hand) -> None:
    assert start(hand, *MAIN) is StartStatus.STARTED
    hand.wait(5)
    hand.tap(id="card")
    hand.phone.key(3)

    assert start(hand, *MAIN) is StartStatus.BROUGHT_TO_FRONT
    assert hand.front == "UnitedBizDetailsActivity"


def test_a_single_top_activity_in_front_gets_the_intent(hand: Hand) -> None:
    settings = ("com.android.settings", "com.android.settings.Settings")
    assert start(hand, *settings) is StartStatus.STARTED

    assert start(hand, *settings) is StartStatus.DELIVERED


def test_a_single_task_activity_ends_what_lies_above_it(hand: Hand) -> None:
    hand.view("https://example.org/")
    result = hand.view("https://example.org/two")

    assert result.status is StartStatus.DELIVERED
    hand.wait(1)
    assert hand.see(id="url_bar").text == "https://example.org/two"


def test_back_shows_the_screen_below_and_at_last_home(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    hand.tap("显示")
    hand.phone.key(4)
    assert hand.front == "Settings"
    hand.phone.key(4)

    assert hand.front == "QuickstepLauncher"


@pytest.mark.parametrize("android", [9, 14])
def test_back_at_the_root_leads_to_the_app_that_was_in_front_before(android: int) -> None:
    hand = Hand(android=android)
    hand.phone.launch("com.tencent.mm")
    start(hand, "com.android.settings", "com.android.settings.Settings")
    hand.phone.key(4)

    assert hand.front == "LauncherUI"


def test_the_home_screen_that_is_stopped_starts_again(hand: Hand) -> None:
    hand.phone.stop("com.android.launcher3")

    assert hand.front == "QuickstepLauncher"


@pytest.mark.parametrize(("android", "tasks"), [(9, 1), (14, 2)])
def test_back_at_the_root_ends_the_task_before_android_12_and_keeps_it_after(android: int, tasks: int) -> None:
    hand = Hand(android=android)
    hand.phone.launch("com.android.settings")
    hand.phone.key(4)

    assert len(hand.phone.tasks) == tasks


def test_a_scrolled_list_is_where_it_was_after_coming_back(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    hand.phone.gesture([(540, 1800), (540, 1400)], 0.5, rest_s=0.2)
    before = hand.see("显示").bounds
    hand.tap("显示")
    hand.phone.key(4)

    assert hand.see("显示").bounds == before


def test_stopping_an_app_ends_its_task_and_its_process(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    hand.phone.stop("com.android.settings")

    assert hand.front == "QuickstepLauncher"
    assert hand.phone.packages["com.android.settings"].pid is None
    assert hand.phone.launch("com.android.settings").cold


def test_clearing_an_app_forgets_its_state(hand: Hand) -> None:
    hand.phone.packages[BILI].state["logged_in"] = "false"
    hand.phone.clear(BILI)

    assert hand.phone.packages[BILI].state["logged_in"] == "true"


def test_recent_apps_bring_a_task_back(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    hand.phone.launch("com.tencent.mm")
    hand.phone.key(187)
    hand.tap("设置", id="snapshot")

    assert hand.front == "Settings"


def test_clearing_the_recent_apps_leaves_the_home_screen(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    hand.phone.key(187)
    hand.tap("全部清除")

    assert hand.front == "QuickstepLauncher"
    assert len(hand.phone.tasks) == 1


def test_home_is_answered_by_the_launcher(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    result = hand.phone.start(Intent(ACTION_MAIN, categories=(CATEGORY_HOME,)))

    assert result.component == ("com.android.launcher3", "com.android.launcher3.uioverrides.QuickstepLauncher")
    assert hand.front == "QuickstepLauncher"


def test_an_uninstalled_app_is_gone_and_a_system_app_stays(hand: Hand) -> None:
    assert hand.phone.uninstall("com.tencent.mm")
    assert not hand.phone.uninstall("com.android.settings")

    assert hand.phone.launch("com.tencent.mm").status is StartStatus.NOT_INSTALLED

"""The system around the apps: bars, shade, keyguard, rotation, settings, faults."""

from __future__ import annotations

import pytest

from controller.virtual.ui import Rect, WindowKind
from tests.virtual.hand import Hand


@pytest.fixture
def hand() -> Hand:
    return Hand()


def focus(hand: Hand) -> str | None:
    window = hand.phone.focused_window()
    return window.title if window is not None else None


@pytest.mark.parametrize(("android", "release", "sdk"), [(9, "9", 28), (11, "11", 30), (14, "14", 34)])
def test_the_version_shows_in_the_properties(android: int, release: str, sdk: int) -> None:
    phone = Hand(android=android).phone

    assert (phone.release, phone.sdk) == (release, sdk)
    assert phone.props["ro.build.version.sdk"] == str(sdk)
    assert phone.props["ro.product.model"] == "Virtual Phone"


def test_bars_and_app_share_the_screen(hand: Hand) -> None:
    assert [(window.kind, window.frame) for window in hand.phone.windows()] == [
        (WindowKind.NAVIGATION_BAR, Rect(0, 2274, 1080, 2400)),
        (WindowKind.STATUS_BAR, Rect(0, 0, 1080, 63)),
        (WindowKind.APPLICATION, Rect(0, 0, 1080, 2400)),
    ]


def test_the_navigation_bar_works(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    hand.tap("显示")
    hand.tap("返回", id="back")
    assert hand.front == "Settings"
    hand.tap("主屏幕")

    assert hand.front == "QuickstepLauncher"


def test_the_screen_off_brings_the_keyguard_and_a_swipe_up_takes_it_away(hand: Hand) -> None:
    hand.phone.key(26)
    assert not hand.phone.screen_on
    hand.phone.tap(540, 1000)
    hand.phone.key(224)
    assert (hand.phone.keyguard, focus(hand)) == (True, "NotificationShade")
    hand.phone.gesture([(540, 1900), (540, 900)], 0.3)

    assert (hand.phone.keyguard, hand.front) == (False, "QuickstepLauncher")


def test_the_shade_is_pulled_down_and_pushed_up(hand: Hand) -> None:
    hand.phone.gesture([(540, 10), (540, 900)], 0.3)
    assert focus(hand) == "NotificationShade"
    hand.phone.gesture([(540, 1900), (540, 900)], 0.3)

    assert focus(hand) == "com.android.launcher3/com.android.launcher3.uioverrides.QuickstepLauncher"


def test_before_android_11_the_shade_is_the_status_bar(hand: Hand) -> None:
    hand = Hand(android=9)
    hand.phone.expand_shade()

    assert focus(hand) == "StatusBar"


def test_a_notification_opens_its_app(hand: Hand) -> None:
    hand.phone.notify("com.tencent.mm", "小满", "我到了")
    hand.phone.expand_shade()
    hand.tap("我到了") if hand.see("我到了").clickable else hand.tap(id="expandableNotificationRow")

    assert (hand.front, hand.phone.shade, hand.phone.notifications) == ("LauncherUI", "", [])


def test_a_switch_in_the_settings_sets_the_setting(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    hand.tap("网络和互联网")
    before = [node.checked for node in hand.all(id="switch_widget")]
    hand.tap("飞行模式")

    assert hand.phone.setting("global", "airplane_mode_on") == "1"
    assert [node.checked for node in hand.all(id="switch_widget")] == [True, before[1], before[2]]


def test_a_notification_is_pushed_aside_and_another_opens_its_page(hand: Hand) -> None:
    hand.phone.notify("com.tencent.mm", "小满", "我到了")
    hand.phone.notify("tv.danmaku.bili", "更新", "新视频")
    hand.phone.expand_shade()
    x, y = hand.see("新视频").bounds.center
    hand.phone.gesture([(x, y), (x + 100, y)], 0.3, rest_s=0.1)
    assert [one.title for one in hand.phone.notifications] == ["更新", "小满"]
    hand.phone.gesture([(x, y), (x + 500, y)], 0.3)
    assert [one.title for one in hand.phone.notifications] == ["小满"]
    hand.tap("我到了")

    assert (hand.front, hand.phone.notifications) == ("LauncherUI", [])


def test_a_card_is_pushed_out_of_the_recents(hand: Hand) -> None:
    for package in ("com.android.settings", "com.tencent.mm"):
        hand.phone.launch(package)
    hand.phone.key(187)
    _, y = hand.see("微信").bounds.center
    hand.phone.gesture([(540, y), (40, y)], 0.3)

    assert [node.text for node in hand.all(id="task_name")] == ["设置"]


def test_a_turned_display_lays_everything_out_anew(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    hand.phone.put_setting("system", "user_rotation", "1")

    assert (hand.phone.rotation, hand.phone.size) == (1, (2400, 1080))
    assert hand.see(id="recycler_view").bounds.right == 2400


def test_another_size_and_density_are_taken_and_given_back(hand: Hand) -> None:
    hand.phone.display.set(size=(720, 1280), density=320)
    assert (hand.phone.size, hand.phone.density) == ((720, 1280), 320)
    assert hand.phone.windows()[0].frame.right == 720
    hand.phone.display.set(reset=True)

    assert (hand.phone.size, hand.phone.density) == ((1080, 2400), 420)


def test_the_clock_of_the_status_bar_goes(hand: Hand) -> None:
    before = hand.see(id="clock").text
    hand.wait(60)

    assert (before, hand.see(id="clock").text) == ("09:41", "09:42")


def test_asking_again_without_a_change_gives_the_same_windows(hand: Hand) -> None:
    first = hand.phone.window_stack()

    assert hand.phone.window_stack() == first
    assert all(again is window for again, window in zip(hand.phone.window_stack(), first, strict=True))


def test_faults_show_where_they_are_looked_for(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    hand.phone.faults.set("null_focus", count=1)
    hand.phone.faults.set("tree_empty")

    assert focus(hand) is None
    assert hand.phone.faults.take("null_focus") is not None
    assert focus(hand) == "com.android.settings/com.android.settings.Settings"
    assert {window.package for window in hand.phone.windows()} == {"com.android.systemui"}
    assert hand.phone.stage.stack()[-1].root.children != ()
    hand.phone.faults.clear()
    assert hand.all("设置") != []


def test_a_fault_that_does_not_exist_is_refused(hand: Hand) -> None:
    with pytest.raises(KeyError, match="toaster"):
        hand.phone.faults.set("toaster")


def test_tapping_what_is_disabled_does_nothing(hand: Hand) -> None:
    hand.phone.packages["tv.danmaku.bili"].state["logged_in"] = "false"
    hand.view("bilibili://main/favorite")
    hand.wait(3)
    assert not hand.see(id="login_button").enabled
    hand.tap(id="login_button")

    assert hand.front == "LoginActivity"


def test_logging_in_opens_the_way_back(hand: Hand) -> None:
    hand.phone.packages["tv.danmaku.bili"].state["logged_in"] = "false"
    hand.view("bilibili://main/favorite")
    for field in ("account", "password"):
        hand.wait(3)
        hand.tap(id=field)
        hand.wait(1)
        hand.phone.commit_text("1")
    hand.wait(1.5)
    hand.tap(id="login_button")

    assert hand.phone.packages["tv.danmaku.bili"].state["logged_in"] == "true"
    assert hand.front != "LoginActivity"

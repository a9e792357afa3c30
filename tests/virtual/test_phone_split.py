"""Two apps on one screen: their halves, the focus, the dumps; and a glass with a hole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.clock import ManualClock
from controller.screen.dumpsys import State, foreground, foreground_commands
from controller.virtual.intents import Intent
from controller.virtual.phone import VirtualPhone
from controller.virtual.shell import run
from controller.virtual.store import load_phone
from controller.virtual.ui import Rect, Window, WindowKind
from tests.virtual.hand import Hand

SETTINGS, WECHAT = "com.android.settings", "com.tencent.mm"


def split(android: int = 14) -> Hand:
    """Settings above, WeChat below, which has the focus."""
    hand = Hand(android=android)
    hand.phone.launch(SETTINGS)
    run(hand.phone, f"am start -f 0x10001000 -n {WECHAT}/.ui.LauncherUI")
    return hand


def apps(hand: Hand) -> list[Window]:
    return [window for window in hand.phone.windows() if window.kind is WindowKind.APPLICATION]


def test_both_apps_are_seen_and_the_second_has_the_focus() -> None:
    hand = split()

    assert [(one.package, one.frame, one.focused) for one in apps(hand)] == [
        (WECHAT, Rect(0, 1181, 1080, 2400), True),
        (SETTINGS, Rect(0, 0, 1080, 1155), False),
    ]
    assert {"微信", "网络和互联网"} <= set(hand.texts())


def test_a_touch_gives_the_other_half_the_focus_and_does_what_it_means() -> None:
    hand = split()
    hand.tap("蓝牙")

    assert hand.front == "Settings$BluetoothSettingsActivity"
    assert [(one.package, one.focused) for one in apps(hand)] == [(SETTINGS, True), (WECHAT, False)]


def test_a_list_in_one_half_scrolls_alone() -> None:
    hand = split()
    before = hand.see("网络和互联网").bounds
    hand.phone.gesture([(540, 2000), (540, 1700)], 0.5, rest_s=0.2)

    assert hand.see("网络和互联网").bounds == before


@pytest.mark.parametrize(("to", "left"), [(100, WECHAT), (2300, SETTINGS)])
def test_the_divider_sends_away_the_half_at_its_end(to: int, left: str) -> None:
    hand = split()
    hand.phone.gesture([(540, 1168), (540, to)], 0.5)

    assert [(one.package, one.frame) for one in apps(hand)] == [(left, Rect(0, 0, 1080, 2400))]


def test_a_dialog_lies_in_its_half() -> None:
    hand = split()
    hand.phone.start(Intent("android.settings.SOUND_SETTINGS", caller=SETTINGS))
    hand.tap("默认提示音")
    dialog = next(window for window in hand.phone.windows() if window.kind is WindowKind.DIALOG)

    assert dialog.frame.intersection(Rect(0, 63, 1080, 1155)) == dialog.frame


def test_home_hides_the_pair_and_one_of_it_brings_it_back() -> None:
    hand = split()
    hand.phone.key(3)
    assert [one.package for one in apps(hand)] == ["com.android.launcher3"]
    hand.phone.launch(SETTINGS)

    assert [one.package for one in apps(hand)] == [SETTINGS, WECHAT]


def test_the_recents_offer_a_split() -> None:
    hand = Hand()
    for package in (SETTINGS, WECHAT):
        hand.phone.launch(package)
    hand.phone.key(187)
    hand.tap("分屏")

    assert [one.package for one in apps(hand)] == [SETTINGS, WECHAT]


def test_a_turned_split_lies_side_by_side() -> None:
    hand = split()
    hand.phone.rotate(1)

    assert [one.frame for one in apps(hand)] == [Rect(1213, 0, 2400, 1080), Rect(0, 0, 1187, 1080)]


@pytest.mark.parametrize(
    ("android", "modes", "resumed"),
    [
        (9, {"mode=split-screen-primary", "mode=split-screen-secondary"}, 1),
        (11, {"mode=split-screen-primary", "mode=split-screen-secondary"}, 2),
        (14, {"mode=multi-window"}, 2),
    ],
)
def test_each_versions_dumps_tell_of_two_visible_tasks_and_one_focus(
    android: int, modes: set[str], resumed: int
) -> None:
    hand = split(android)
    dump = run(hand.phone, "dumpsys activity activities").stdout.decode()
    words = set(dump.split())

    assert {word for word in words if word.startswith("mode=") and word != "mode=fullscreen"} == modes
    name = "topResumedActivity=" if android == 14 else "mResumedActivity:"
    assert dump.count(name) == resumed
    found = foreground(
        {line: run(hand.phone, line).stdout.decode() for line in foreground_commands(hand.phone.sdk)}, hand.phone.sdk
    )
    assert (found.package, found.state, found.confident) == (WECHAT, State.APP, True)
    assert run(hand.phone, "am stack list").stdout.decode().count("visible=true") == 2


@pytest.mark.parametrize(("mode", "above"), [("3", WECHAT), ("4", SETTINGS)])
def test_the_windowing_mode_chooses_the_half(mode: str, above: str) -> None:
    hand = Hand(android=11)
    hand.phone.launch(SETTINGS)
    run(hand.phone, f"am start --windowingMode {mode} -n {WECHAT}/.ui.LauncherUI")

    assert next(one.package for one in apps(hand) if one.frame.top == 0) == above


def test_the_window_managers_shell_splits_and_joins() -> None:
    hand = Hand()
    for package in (SETTINGS, WECHAT):
        hand.phone.launch(package)
    number = hand.phone.tasks.of(SETTINGS)
    assert number is not None
    run(hand.phone, f"wm shell splitscreen moveToSideStage {number.id} 1")
    assert len(apps(hand)) == 2
    run(hand.phone, f"wm shell splitscreen removeFromSideStage {number.id}")

    assert [one.package for one in apps(hand)] == [SETTINGS]


def notched() -> VirtualPhone:
    spec = replace(load_phone("default"), cutout=Rect(490, 0, 590, 100))
    return VirtualPhone(spec, now=ManualClock().now)


@pytest.mark.parametrize(
    ("turn", "hole", "app"),
    [
        (0, Rect(490, 0, 590, 100), Rect(0, 0, 1080, 2400)),
        (1, Rect(0, 490, 100, 590), Rect(100, 0, 2400, 1080)),
        (3, Rect(2300, 490, 2400, 590), Rect(0, 0, 2300, 1080)),
    ],
)
def test_an_app_stays_clear_of_the_hole(turn: int, hole: Rect, app: Rect) -> None:
    phone = notched()
    phone.rotate(turn)
    window = next(one for one in phone.windows() if one.kind is WindowKind.APPLICATION)

    assert (phone.display.cutout, window.frame) == (hole, app)
    assert all(one.bounds.intersection(app) == one.bounds for one in window.root.walk())


def test_the_status_bar_is_as_high_as_the_hole_and_the_dumps_say_so() -> None:
    phone = notched()

    assert next(one.frame for one in phone.windows() if one.kind is WindowKind.STATUS_BAR) == Rect(0, 0, 1080, 100)
    assert "DisplayCutout{insets=Rect(0, 100 - 0, 0)" in run(phone, "dumpsys window displays").stdout.decode()
    assert "cutout DisplayCutout{insets=Rect(0, 100 - 0, 0)" in run(phone, "dumpsys display").stdout.decode()
    assert "type=displayCutout frame=[0,0][1080,100]" in run(phone, "dumpsys window displays").stdout.decode()

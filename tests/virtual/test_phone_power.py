"""Battery, radios, permissions that are remembered, and what `am start` says of a task that is there."""

from __future__ import annotations

import pytest

from controller.virtual.intents import Intent, StartStatus
from controller.virtual.shell import run
from tests.virtual.hand import Hand
from tests.virtual.shell_phone import Handset, handset


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def phone() -> Handset:
    return handset()


def field(phone: Handset, name: str) -> str:
    """A line of `dumpsys battery`."""
    lines = (line.strip().partition(": ") for line in phone.out("dumpsys battery").splitlines())
    return next(value for key, _, value in lines if key == name)


def test_the_battery_is_what_was_said_until_it_is_reset(phone: Handset) -> None:
    assert (field(phone, "level"), field(phone, "USB powered"), field(phone, "status")) == ("100", "true", "5")
    phone.run("dumpsys battery unplug; dumpsys battery set level 17")
    assert (field(phone, "level"), field(phone, "USB powered"), field(phone, "status")) == ("17", "false", "3")
    assert "(UPDATES STOPPED -- use 'reset' to restart)" in phone.out("dumpsys battery")
    assert "mIsPowered=false" in phone.out("dumpsys power")
    assert phone.out("cmd battery get level; dumpsys battery get usb") == "17\nfalse\n"
    phone.run("cmd battery reset")
    assert field(phone, "level") == "100"


def test_what_the_battery_is_not_is_refused(phone: Handset) -> None:
    refused = phone.run("dumpsys battery set colour 3")

    assert refused.stderr == b"Unknown set option: colour\n"
    assert phone.out("dumpsys battery set level full") == "Bad value: full\n"


@pytest.mark.parametrize(("android", "docked"), [(9, False), (11, False), (14, True)])
def test_a_dock_is_told_of_from_android_13_on(android: int, docked: bool) -> None:
    assert ("Dock powered: false" in handset(android).out("dumpsys battery")) is docked


def test_the_status_bar_says_how_full_the_battery_is(hand: Hand) -> None:
    run(hand.phone, "dumpsys battery set level 42")

    assert hand.see(id="battery").content_desc == "电池电量：百分之 42。"


def test_airplane_mode_takes_the_radios_down_and_brings_them_back(hand: Hand) -> None:
    run(hand.phone, "svc bluetooth disable; cmd connectivity airplane-mode enable")
    assert (hand.phone.radios.wifi, hand.phone.radios.mobile) == (False, False)
    assert run(hand.phone, "cmd connectivity airplane-mode; dumpsys wifi").stdout.decode().splitlines() == [
        "enabled",
        "Wi-Fi is disabled",
        "mAirplaneModeOn true",
    ]
    assert hand.all(id="wifi_signal") == []
    run(hand.phone, "cmd connectivity airplane-mode disable")

    assert (hand.phone.radios.wifi, hand.phone.setting("global", "bluetooth_on")) == (True, "0")


@pytest.mark.parametrize(("android", "name"), [(9, "SSID: VirtualWifi,"), (14, 'SSID: "VirtualWifi",')])
def test_wifi_is_told_in_each_versions_words(android: int, name: str) -> None:
    phone = handset(android)
    phone.run("svc wifi enable")

    assert name in phone.out("dumpsys wifi")
    assert 'Wifi is connected to "VirtualWifi"' in phone.out("cmd wifi status")
    assert "WIFI" in phone.out("dumpsys connectivity")
    phone.run("cmd wifi set-wifi-enabled disabled")
    assert phone.out("cmd wifi status") == "Wifi is disabled\nWifi scanning is always available\n"


def ask(hand: Hand) -> None:
    """Let the app in front ask for the camera."""
    from controller.virtual.activities import Callback
    from controller.virtual.spec import Action

    top = hand.phone.top_activity()
    assert top is not None
    said = Callback(hand.phone.names.scope(top), (Action("toast", "yes"),), (Action("toast", "no"),))
    hand.phone.permissions.ask(top, "android.permission.CAMERA", said)


def answer(hand: Hand) -> str:
    assert hand.phone.toast is not None
    return hand.phone.toast.text


def test_a_granted_permission_is_not_asked_for_again(hand: Hand) -> None:
    hand.phone.launch("com.tencent.mm")
    ask(hand)
    hand.tap(id="permission_allow_foreground_only_button")
    hand.wait(5)
    ask(hand)

    assert (hand.front, answer(hand)) == ("LauncherUI", "yes")
    dump = run(hand.phone, "dumpsys package com.tencent.mm | grep CAMERA:").stdout.decode()
    assert dump.strip().endswith("CAMERA: granted=true, flags=[ USER_SET|USER_SENSITIVE_WHEN_GRANTED]")


def test_a_permission_for_once_ends_with_the_process(hand: Hand) -> None:
    hand.phone.launch("com.tencent.mm")
    ask(hand)
    hand.tap(id="permission_allow_one_time_button")
    assert "android.permission.CAMERA" in hand.phone.packages["com.tencent.mm"].granted
    hand.phone.stop("com.tencent.mm")

    assert "android.permission.CAMERA" not in hand.phone.packages["com.tencent.mm"].granted


@pytest.mark.parametrize(("android", "asked"), [(9, True), (14, False)])
def test_a_second_refusal_is_for_good_from_android_11_on(android: int, asked: bool) -> None:
    hand = Hand(android=android)
    hand.phone.launch("com.tencent.mm")
    for _ in range(2):
        ask(hand)
        hand.tap(id="permission_deny_button")
    hand.wait(5)
    ask(hand)

    assert (hand.front == "GrantPermissionsActivity") is asked
    if not asked:
        assert answer(hand) == "no"
        run(hand.phone, "pm grant com.tencent.mm android.permission.CAMERA")
        ask(hand)
        assert answer(hand) == "yes"


SINGLE_TASK = "am start -W -n com.android.chrome/com.google.android.apps.chrome.Main"
FRONT = "Warning: Activity not started, its current task has been brought to the front"
DELIVERED = "Warning: Activity not started, intent has been delivered to currently running top-most instance."


@pytest.mark.parametrize("android", [9, 11, 14])
def test_a_single_task_that_was_not_in_front_is_brought_there(android: int) -> None:
    hand = Hand(android=android)
    run(hand.phone, f"{SINGLE_TASK}; input keyevent HOME")

    lines = run(hand.phone, SINGLE_TASK).stdout.decode().splitlines()

    assert (lines[1], hand.front) == (FRONT, "Main")


def test_a_single_task_in_front_gets_the_intent(hand: Hand) -> None:
    run(hand.phone, SINGLE_TASK)

    assert run(hand.phone, SINGLE_TASK).stdout.decode().splitlines()[1] == DELIVERED


def test_a_link_reaches_the_single_task_that_it_brings_to_the_front(hand: Hand) -> None:
    hand.view("https://one.example/", package="com.android.chrome")
    hand.phone.key(3)

    result = hand.view("https://two.example/", package="com.android.chrome")

    hand.wait(2)
    assert (result.status, hand.see(id="page_title").text) == (
        StartStatus.BROUGHT_TO_FRONT,
        "网页 https://two.example/",
    )


@pytest.mark.parametrize(("android", "status"), [(11, StartStatus.BROUGHT_TO_FRONT), (14, StartStatus.DELIVERED)])
def test_starting_what_is_in_front_changes_nothing(android: int, status: StartStatus) -> None:
    hand = Hand(android=android)
    hand.phone.launch("com.android.settings")
    hand.tap("显示")
    main = Intent(component=("com.android.settings", "com.android.settings.Settings"))

    assert (hand.phone.start(main).status, hand.front) == (status, "Settings$DisplaySettingsActivity")


def test_the_volume_keys_change_the_volume(hand: Hand) -> None:
    run(hand.phone, "input keyevent VOLUME_UP VOLUME_UP VOLUME_DOWN")

    assert hand.phone.setting("system", "volume_music") == "10"


def test_the_volume_is_told_and_set_by_its_command(phone: Handset) -> None:
    assert phone.out("media volume --set 4 --get") == (
        "[V] will control stream=3 (STREAM_MUSIC)\n[V] will set volume to index=4\n[V] will get volume\n"
        "[V] volume is 4 in range [0..15]\n"
    )
    assert phone.out("cmd media_session volume --adj raise --get").endswith("[V] volume is 5 in range [0..15]\n")
    assert phone.run("media volume --set 99").exit_code == 1


@pytest.mark.parametrize(
    ("android", "verb"),
    [(9, "user-rotation"), (9, "set-user-rotation"), (11, "user-rotation"), (14, "set-user-rotation")],
)
def test_a_verb_of_another_version_is_unknown(android: int, verb: str) -> None:
    assert handset(android).out(f"wm {verb} lock 1") == f"Unknown command: {verb}\n"


@pytest.mark.parametrize(("android", "verb"), [(11, "set-user-rotation"), (14, "user-rotation")])
def test_the_display_is_turned_by_each_versions_verb(android: int, verb: str) -> None:
    phone = handset(android)
    phone.run(f"wm {verb} lock 1")

    assert phone.phone.size == (2400, 1080)


def test_the_dark_is_told_by_configuration_and_service(phone: Handset) -> None:
    assert "-notnight-" in phone.out("am get-config")
    phone.run("cmd uimode night yes")

    assert "-night-" in phone.out("am get-config")
    assert "mNightMode=2 (yes)" in phone.out("dumpsys uimode")
    assert " night finger" in phone.out("dumpsys window displays") + phone.out("dumpsys activity top")


def test_the_switch_of_the_dark_is_the_systems(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    hand.tap("显示")
    hand.tap("夜间模式")

    assert run(hand.phone, "cmd uimode night").stdout == b"Night mode: yes\n"

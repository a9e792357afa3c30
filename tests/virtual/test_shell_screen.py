"""dumpsys, input, wm, screencap, uiautomator dump: each version's own lines, and the faults that show in them."""

from __future__ import annotations

import json
import re

import pytest

from controller.screen.dumpsys import (
    Foreground,
    State,
    display_rotation,
    foreground,
    foreground_commands,
    ime_window,
    wm_density,
    wm_size,
)
from controller.virtual.shell import Lasting
from controller.virtual.uiautomator import hold, release
from tests.shared import shared_cases
from tests.virtual.shell_phone import Handset, handset

NOTES = "am start -n com.example.notes/.Main"


@pytest.fixture
def phone() -> Handset:
    return handset()


def look(handset: Handset) -> Foreground:
    """The front app by the product's own reader, from the commands that it sends."""
    lines = foreground_commands(handset.phone.sdk)
    return foreground({line: handset.out(line) for line in lines}, handset.phone.sdk)


@pytest.mark.parametrize("android", [9, 11, 14])
def test_the_front_app_is_told_by_each_versions_own_dumps(android: int) -> None:
    phone = handset(android)
    phone.run(NOTES)

    found = look(phone)

    assert (found.package, found.activity, found.user) == ("com.example.notes", "com.example.notes.Main", 0)
    assert (found.state, found.overlay, found.confident) == (State.APP, None, True)


@pytest.mark.parametrize("android", [9, 11, 14])
@pytest.mark.parametrize(
    ("change", "state", "overlay"),
    [
        ("cmd statusbar expand-notifications", State.OVERLAY, "notification_shade"),
        ("settings put secure lockscreen.disabled 0; input keyevent 223 224", State.KEYGUARD, "keyguard"),
        ("input keyevent 223", State.SCREEN_OFF, "screen_off"),
    ],
)
def test_what_lies_over_the_app_is_told_too(android: int, change: str, state: State, overlay: str) -> None:
    phone = handset(android)
    phone.run(f"{NOTES}; {change}")

    found = look(phone)

    assert (found.package, found.state) == ("com.example.notes", state)
    # Up to Android 10 the shade is the window of the status bar.
    assert found.overlay in {overlay, "status_bar" if android == 9 and state is State.OVERLAY else overlay}


@pytest.mark.parametrize("android", [9, 11, 14])
def test_a_null_focus_is_printed_as_null(android: int) -> None:
    phone = handset(android)
    phone.run(NOTES)
    phone.phone.faults.set("null_focus")

    section = "windows" if android == 9 else "displays"
    assert "mCurrentFocus=null" in phone.out(f"dumpsys window {section}")
    assert look(phone).confident is False


def test_lines_stand_where_each_version_has_them() -> None:
    dumps = {android: handset(android) for android in (9, 11, 14)}

    def has(android: int, command: str, word: str) -> bool:
        return word in dumps[android].out(command)

    assert [has(a, "dumpsys window windows", "mCurrentFocus=") for a in (9, 11, 14)] == [True, False, False]
    assert [has(a, "dumpsys window displays", "mCurrentFocus=") for a in (9, 11, 14)] == [False, True, True]
    assert [has(a, "dumpsys window", "mCurrentFocus=") for a in (9, 11, 14)] == [True, True, True]
    assert [has(a, "dumpsys activity activities", "mResumedActivity:") for a in (9, 11, 14)] == [True, True, False]
    assert [has(a, "dumpsys activity activities", "topResumedActivity=") for a in (9, 11, 14)] == [False, False, True]
    assert [has(a, "dumpsys activity activities", "  ResumedActivity: ") for a in (9, 11, 14)] == [True] * 3
    assert [has(a, "dumpsys input", "FocusedWindow: ") for a in (9, 11, 14)] == [True, False, False]
    assert [has(a, "dumpsys input", "FocusRequests:") for a in (9, 11, 14)] == [False, False, True]
    assert [has(a, "dumpsys activity top-resumed", "ACTIVITY ") for a in (9, 11, 14)] == [False, False, True]


def test_activity_top_lists_a_task_each_and_the_front_one_last(phone: Handset) -> None:
    phone.run(NOTES)

    assert re.findall(r"ACTIVITY (\S+) \w+ pid=\d+", phone.out("dumpsys activity top")) == [
        "com.example.home/.Launcher",
        "com.example.notes/.Main",
    ]


def test_the_display_is_turned_and_resized(phone: Handset) -> None:
    assert display_rotation(phone.out("dumpsys display")) == 0
    phone.run("settings put system accelerometer_rotation 0; settings put system user_rotation 1")
    assert display_rotation(phone.out("dumpsys display")) == 1
    assert display_rotation(phone.out("dumpsys window displays")) == 1
    assert phone.out("wm size") == "Physical size: 1080x2400\n"
    phone.run("wm size 720x1280; wm density 320")
    assert phone.out("wm size; wm density") == (
        "Physical size: 1080x2400\nOverride size: 720x1280\nPhysical density: 420\nOverride density: 320\n"
    )
    assert wm_size(phone.out("wm size")).override == (720, 1280)
    assert wm_density(phone.out("wm density")).override == 320
    phone.run("wm size reset; wm density reset")
    assert phone.out("wm size; wm density") == "Physical size: 1080x2400\nPhysical density: 420\n"


def test_power_says_whether_the_screen_is_on(phone: Handset) -> None:
    assert "mWakefulness=Awake" in phone.out("dumpsys power")
    assert "mHoldingDisplaySuspendBlocker=true" in phone.out("dumpsys power")
    phone.run("input keyevent SLEEP")
    assert "mWakefulness=Asleep" in phone.out("dumpsys power")


@pytest.mark.parametrize("android", [9, 11, 14])
def test_the_keyboards_window_and_frame_are_told(android: int) -> None:
    phone = handset(android)
    phone.run(NOTES)
    assert ime_window(phone.out("dumpsys input_method; dumpsys window")).shown is False
    tap_field(phone)

    told = ime_window(phone.out("dumpsys input_method; dumpsys window"))

    frame = phone.phone.keyboard_frame
    assert frame is not None
    assert (told.shown, told.frame) == (True, (frame.left, frame.top, frame.right, frame.bottom))


def tap_field(handset: Handset) -> None:
    window = handset.phone.focused_window()
    assert window is not None
    field = next(node for node in window.root.walk() if node.class_name.endswith("EditText"))
    handset.run("input tap {} {}".format(*field.bounds.center))


def test_text_and_keys_reach_the_field(phone: Handset) -> None:
    phone.run(NOTES)
    tap_field(phone)
    phone.run("input text 'a%sb'; input keyevent KEYCODE_DEL 31")

    field = phone.phone.focused_field()
    assert field is not None
    assert field.text == "a c"


def test_text_that_no_key_types_throws_as_each_version_does() -> None:
    new, old = handset(14).run("input text 中文"), handset(9).run("input text 中文")

    assert (new.exit_code, new.stderr.decode().splitlines()[1:3]) == (
        255,
        [
            "Exception occurred while executing 'text':",
            "java.lang.NullPointerException: Attempt to get length of null array",
        ],
    )
    assert (old.exit_code, old.stderr.decode().splitlines()[0]) == (
        1,
        "java.lang.NullPointerException: Attempt to get length of null array",
    )


def test_a_swipe_takes_its_time_and_a_denied_one_is_refused(phone: Handset) -> None:
    assert phone.run("input swipe 500 2000 500 1000 700").took_s == 0.7
    phone.phone.faults.set("inject_denied")
    denied = phone.run("input tap 1 1")
    assert (denied.exit_code, "INJECT_EVENTS permission" in denied.stderr.decode()) == (255, True)


def test_uiautomator_dumps_the_focused_window_alone(phone: Handset) -> None:
    phone.run(NOTES)

    assert phone.out("uiautomator dump") == "UI hierchary dumped to: /sdcard/window_dump.xml\n"
    xml = phone.out("cat /sdcard/window_dump.xml")
    assert xml.startswith(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\" text=\"\""
    )
    assert set(re.findall(r' package="([^"]*)"', xml)) == {"com.example.notes"}
    assert "Notes &amp; more" in xml
    assert phone.out("uiautomator dump /dev/tty") == xml + "UI hierchary dumped to: /dev/tty\n"


def test_uiautomator_dump_is_killed_while_another_client_holds_the_connection(phone: Handset) -> None:
    hold(phone.phone, "test")

    output = phone.run("uiautomator dump")

    release(phone.phone)
    assert (output.exit_code, output.stderr) == (137, b"Killed \n")
    assert phone.run("uiautomator dump").exit_code == 0


def test_the_servers_process_starts_once_its_jar_is_there(phone: Handset) -> None:
    start = "CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"

    assert phone.run(start).exit_code == 134
    phone.run("echo jar > /data/local/tmp/u2.jar")
    started = phone.run(start).lasting
    behind = phone.run(f"nohup sh -c '{start}' >/dev/null 2>&1 &").lasting

    assert started == Lasting("uiautomator", 9008)
    assert behind == Lasting("uiautomator", 9008, detached=True)
    hold(phone.phone, "test")
    assert "already registered" in phone.out(start)
    release(phone.phone)


def test_a_picture_comes_as_png_behind_a_warning_where_there_are_several_displays(phone: Handset) -> None:
    phone.phone.faults.set("multi_display_warning", count=1)

    warned, plain = phone.run("screencap -p").stdout, phone.run("screencap -p").stdout

    assert plain.startswith(b"\x89PNG\r\n\x1a\n")
    assert warned.startswith(b"[Warning] Multiple displays were found, but no display id was specified!")
    assert warned.endswith(plain)
    assert phone.run("screencap -d 123 -p").exit_code == 1
    assert phone.run("screencap /sdcard/a.png; head -c 4 /sdcard/a.png").stdout == b"\x89PNG"


LAUNCH = "am start -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -n com.example.web/.Page"

# Recorded outputs of real devices → version, command line, and what stands here for what stood there.
RECORDED: dict[str, tuple[int, str, dict[str, str]]] = {
    "am-denied-a8": (
        9,
        "am start -W -n com.example.notes/.Secret -S",
        {
            "com.kingnet.fiveline": "com.example.notes",
            ".ui.main.MainActivity": ".Secret",
            "pid=19537": "pid=12345",
            "10246": "10178",
        },
    ),
    "am-denied-mi-a1": (
        9,
        "am start -W -n com.example.notes/.Secret -S",
        {
            "com.isinolsun.app": "com.example.notes",
            ".activities.OnBoarderActivity": ".Secret",
            "\n java": "\njava",
            "pid=11484": "pid=12345",
            "10084": "10178",
        },
    ),
    "am-unresolved-exit0": (14, "am start -W -a com.example.NONE -p com.example.notes", {}),
    "am-warn-front": (11, f"{LAUNCH}; input keyevent 3; {LAUNCH}", {}),
    "am-broadcast-eaten": (14, "am broadcast -a ADB_INPUT_TEXT --es msg hello? Hello?", {}),
    "cap-multi-display": (14, "screencap -p", {". See": ".\nSee"}),
    "ime-enable-unknown-a9": (9, "ime enable com.google.android.inputmethod.pinyin/.PinyinIME", {}),
    "ime-list": (14, "ime list -s", {"com.android.inputmethod.latin": "com.example.keys"}),
    "ime-set-unknown": (14, "ime set com.android.adbkeyboard/.AdbIME", {}),
    "input-inject-a10": (9, "input keyevent KEYCODE_APP_SWITCH", {"Parcel.java:2075": "Parcel.java:1950"}),
    "input-text-npe-a10": (9, 'input text "Тест"', {}),
    "input-text-npe-ascii": (14, "input text 'a\u00a0b'", {}),
    "monkey-no-activities": (14, "monkey -p com.example.keys 1", {"No act": "** No act"}),
    "pm-resolve-full": (
        11,
        "cmd package resolve-activity -c android.intent.category.LAUNCHER com.example.notes",
        {
            "air.com.distriqt.test": "com.example.notes",
            "AIRAppEntry": "Main",
            "launchMode=2": "launchMode=1",
            "    name=androidx.multidex.MultiDexApplication": "",
        },
    ),
    "pm-secure-folder": (14, "pm list packages --user 150", {}),
    "pm-users": (14, "pm list users", {"UserName:4c13": "Owner:c13", "        UserInfo{0": "\tUserInfo{0"}),
    "pm-versioncode": (
        9,
        "cmd package list packages --show-versioncode",
        {"com.android.managedprovisioning versionCode:35": "com.example.notes versionCode:21"},
    ),
    "ui-killed": (14, "uiautomator dump /dev/tty", {"Killed": "Killed "}),
    "wm-density-override": (14, "wm density 160; wm density", {"480": "420"}),
}
# Frames of Java's stack (their lines differ), and lines about other things than are here.
SKIPPED = re.compile(r"^\s+at |^ com\.android\.server\.am|UserInfo\{150|volosyukivan|wallpaper|com\.android\.chrome")


@pytest.mark.parametrize("case_id", sorted(RECORDED))
def test_recorded_answers_of_real_phones_are_printed_line_for_line(case_id: str) -> None:
    android, command, names = RECORDED[case_id]
    lines = shared_cases("device_outputs.jsonl").read_text(encoding="utf-8").splitlines()
    recorded = next(case for case in map(json.loads, lines) if case["id"] == case_id)
    phone = handset(android)
    if case_id == "ui-killed":
        hold(phone.phone, "test")
    if case_id == "cap-multi-display":
        phone.phone.faults.set("multi_display_warning")
    if case_id == "input-inject-a10":
        phone.phone.faults.set("inject_denied")

    printed = phone.run(command).merged.decode("utf-8", "replace")

    text = recorded["output"]
    for there, here in names.items():
        text = text.replace(there, here)
    wanted = [line for line in text.split("\n") if line.strip() and not SKIPPED.search(line)]
    assert [line for line in wanted if line not in printed] == []

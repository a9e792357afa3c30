"""am, monkey, pm, cmd and receivers: what they do to the phone and what they print, per Android version."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from controller.virtual.shell.apk import read_manifest
from controller.virtual.shell.intent_args import parse_intent_uri
from tests.virtual.shell_phone import Handset, handset


@pytest.fixture
def phone() -> Handset:
    return handset()


def test_a_start_that_waits_reports_a_cold_start(phone: Handset) -> None:
    output = phone.run("am start -W -n com.example.notes/.Main")

    assert output.stdout.decode() == (
        "Starting: Intent { cmp=com.example.notes/.Main }\n"
        "Status: ok\n"
        "LaunchState: COLD\n"
        "Activity: com.example.notes/.Main\n"
        "TotalTime: 412\n"
        "WaitTime: 418\n"
        "Complete\n"
    )
    assert (output.stderr, output.exit_code) == (b"", 0)


def test_android_9_has_no_launch_state() -> None:
    assert "LaunchState" not in handset(9).out("am start -W -n com.example.notes/.Main")


def test_a_second_start_is_delivered_and_the_warning_goes_to_stderr_without_wait(phone: Handset) -> None:
    phone.run("am start -n com.example.notes/.Main")

    quick = phone.run("am start -n com.example.notes/.Main")
    waiting = phone.run("am start -W -n com.example.notes/.Main")

    warning = b"Warning: Activity not started, intent has been delivered to currently running top-most instance.\n"
    assert (quick.stdout, quick.stderr) == (b"Starting: Intent { cmp=com.example.notes/.Main }\n", warning)
    assert warning in waiting.stdout
    assert waiting.stderr == b""


def test_a_launcher_start_from_home_brings_the_task_to_the_front(phone: Handset) -> None:
    launch = "am start -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -n com.example.web/.Page"
    phone.run(f"{launch}; input keyevent HOME")

    assert phone.run(launch).stderr == (
        b"Warning: Activity not started, its current task has been brought to the front\n"
    )


def test_failures_of_am_start_end_with_0_and_say_so_in_words(phone: Handset) -> None:
    unresolved = phone.run("am start -W -a android.intent.action.VIEW -d nope://x")
    missing = phone.run("am start -n com.example.none/.X")

    assert (unresolved.exit_code, unresolved.stdout.decode().splitlines()[-1]) == (
        0,
        "Error: Activity not started, unable to resolve "
        "Intent { act=android.intent.action.VIEW dat=nope://x/... flg=0x10000000 }",
    )
    assert (missing.exit_code, missing.stderr.decode()) == (
        0,
        "Error type 3\nError: Activity class {com.example.none/com.example.none.X} does not exist.\n",
    )


def test_an_activity_that_is_not_exported_is_refused_with_255() -> None:
    new, old = (
        handset(14).run("am start -n com.example.notes/.Secret"),
        handset(9).run("am start -n com.example.notes/.Secret"),
    )

    denial = (
        "Permission Denial: starting Intent { flg=0x10000000 cmp=com.example.notes/.Secret } "
        "from null (pid=12345, uid=2000) not exported from uid 10178"
    )
    assert new.exit_code == old.exit_code == 255
    assert new.stderr.decode().startswith(
        f"\nException occurred while executing 'start':\njava.lang.SecurityException: {denial}\n\tat "
    )
    assert old.stderr.decode().startswith(
        f"Security exception: {denial}\n\njava.lang.SecurityException: {denial}\n\tat "
    )


def test_a_link_is_opened_with_its_uri_as_it_stands(phone: Handset) -> None:
    phone.run("am start -a android.intent.action.VIEW -d 'notes://open/a%20b?x=1&y=2' -p com.example.notes")

    top = phone.phone.top_activity()
    assert top is not None
    assert (top.component, top.intent.data) == (
        ("com.example.notes", "com.example.notes.Main"),
        "notes://open/a%20b?x=1&y=2",
    )


def test_an_intent_uri_is_read_where_it_stands_alone() -> None:
    intent = parse_intent_uri(
        "intent://open/7?a=b#Intent;scheme=notes;package=com.example.notes;action=a.B;category=c.D;"
        "launchFlags=0x10000000;S.name=v%20w;end"
    )

    assert (intent.action, intent.data, intent.package) == ("a.B", "notes://open/7?a=b", "com.example.notes")
    assert (intent.categories, intent.flags, dict(intent.extras)) == (("c.D",), 0x10000000, {"name": "v w"})


def test_positional_targets_are_uri_component_or_package(phone: Handset) -> None:
    for target in ("notes://open/1", "com.example.notes/.Main", "com.example.notes"):
        phone.run("am force-stop com.example.notes")
        phone.run(f"am start {target}")

        top = phone.phone.top_activity()
        assert top is not None
        assert top.component == ("com.example.notes", "com.example.notes.Main"), target


def test_stop_first_ends_the_app_and_says_so(phone: Handset) -> None:
    phone.run("am start -n com.example.notes/.Main")

    assert phone.out("am start -S -n com.example.notes/.Main").startswith("Stopping: com.example.notes\nStarting: ")
    assert phone.out("am force-stop com.example.notes; pidof com.example.notes; echo $?") == "1\n"


def test_a_lost_quote_makes_the_second_word_a_package(phone: Handset) -> None:
    assert phone.out("am broadcast -a ADB_INPUT_TEXT --es msg hello? Hello?") == (
        "Broadcasting: Intent { act=ADB_INPUT_TEXT flg=0x400000 pkg=Hello? (has extras) }\n"
        "Broadcast completed: result=0\n"
    )


def test_the_atx_keyboard_types_base64_once_it_is_the_default(phone: Handset) -> None:
    phone.run("am start -n com.example.notes/.Main")
    field = next(node for node in phone.phone.windows()[-1].root.walk() if node.resource_id.endswith("draft"))
    phone.run(f"input tap {field.bounds.center[0]} {field.bounds.center[1]}")
    send = "am broadcast -a ADB_KEYBOARD_INPUT_TEXT --es text 5L2g5aW9"

    before = phone.out(send)
    phone.run("ime enable com.github.uiautomator/.AdbKeyboard; ime set com.github.uiautomator/.AdbKeyboard")
    after = phone.out(send)

    assert before.endswith("Broadcast completed: result=0\n")
    assert after.endswith('Broadcast completed: result=-1, data="success"\n')
    typed = phone.phone.focused_field()
    assert typed is not None
    assert typed.text == "你好"


def test_monkey_launches_or_ends_with_252(phone: Handset) -> None:
    done = phone.run("monkey -p com.example.notes -c android.intent.category.LAUNCHER 1")
    none = phone.run("monkey -p com.example.keys -c android.intent.category.LAUNCHER 1")

    assert (done.exit_code, "Events injected: 1\n" in done.stdout.decode()) == (0, True)
    assert (none.exit_code, none.stdout.decode().splitlines()[-1]) == (
        252,
        "** No activities found to run, monkey aborted.",
    )


def test_packages_are_listed_with_the_columns_asked_for(phone: Handset) -> None:
    assert phone.out("pm list packages notes") == "package:com.example.notes\n"
    assert phone.out("cmd package list packages -U --show-versioncode -f notes") == (
        "package:/data/app/com.example.notes-1/base.apk=com.example.notes versionCode:21 uid:10178\n"
    )
    assert phone.out("pm list packages -3 | sort") == "package:com.example.notes\npackage:com.example.web\n"
    assert phone.out("pm list packages -d") == ""
    assert phone.run("pm list packages --user 10").exit_code == 255
    assert "Shell does not have permission to access user 10" in phone.out("pm list packages --user 10")


def test_activities_are_resolved_in_the_short_and_the_long_form(phone: Handset) -> None:
    brief = phone.out("cmd package resolve-activity --brief -c android.intent.category.LAUNCHER com.example.notes")
    long = phone.out("cmd package resolve-activity -a android.intent.action.VIEW -d notes://open/1")

    assert brief == (
        "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\ncom.example.notes/.Main\n"
    )
    assert long.splitlines()[:4] == [
        "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false",
        "ActivityInfo:",
        "  name=com.example.notes.Main",
        "  packageName=com.example.notes",
    ]
    assert phone.out("cmd package resolve-activity --brief -a x.Y") == "No activity found\n"


def test_permissions_are_granted_and_dumped(phone: Handset) -> None:
    phone.run("pm grant com.example.notes android.permission.CAMERA")

    assert "android.permission.CAMERA: granted=true" in phone.out("dumpsys package com.example.notes")
    assert phone.run("pm grant com.example.notes android.permission.X").exit_code == 255
    phone.run("pm revoke com.example.notes android.permission.CAMERA")
    assert "android.permission.CAMERA: granted=false" in phone.out("dumpsys package com.example.notes")


def test_clearing_an_app_answers_success_or_failed(phone: Handset) -> None:
    assert phone.out("pm clear com.example.notes; echo $?; pm clear nope; echo $?") == "Success\n0\nFailed\n1\n"


def test_keyboards_are_listed_enabled_and_chosen(phone: Handset) -> None:
    keyboard = "com.github.uiautomator/.AdbKeyboard"

    assert phone.out("ime list -s") == "com.example.keys/.LatinIME\n"
    assert phone.out("ime list -s -a") == f"com.example.keys/.LatinIME\n{keyboard}\n"
    assert phone.out(f"ime set {keyboard}; echo $?") == (
        f"Unknown input method {keyboard} cannot be selected for user #0\n255\n"
    )
    assert phone.out(f"ime enable {keyboard}; ime set {keyboard}") == (
        f"Input method {keyboard}: now enabled for user #0\nInput method {keyboard} selected for user #0\n"
    )
    assert phone.out("settings get secure default_input_method") == f"{keyboard}\n"
    assert phone.out(f"ime disable {keyboard}; settings get secure default_input_method").endswith(
        "com.example.keys/.LatinIME\n"
    )


def test_the_status_bar_and_night_mode_obey_cmd(phone: Handset) -> None:
    phone.run("cmd statusbar expand-notifications")
    assert phone.phone.shade == "notifications"
    phone.run("cmd statusbar collapse")
    assert phone.phone.shade == ""
    assert phone.out("cmd uimode night; cmd uimode night yes; cmd nope") == (
        "Night mode: no\nNight mode: yes\ncmd: Can't find service: nope\n"
    )


def test_an_apk_brings_its_package_its_launcher_and_its_keyboard(phone: Handset) -> None:
    apk = _apk()

    assert phone.out(f"cmd package install -r -S {len(apk)}", apk) == "Success\n"
    assert phone.out("pm path com.test.app; ime list -s -a | tail -1") == (
        "package:/data/app/com.test.app-1/base.apk\ncom.test.app/.Keys\n"
    )
    assert phone.out("cmd package resolve-activity --brief com.test.app").endswith("com.test.app/.Start\n")
    assert phone.out("pm uninstall com.test.app; pm path com.test.app; echo $?") == "Success\n1\n"


def test_a_file_that_is_no_apk_is_refused(phone: Handset) -> None:
    assert read_manifest(b"PK\x03\x04 nonsense") is None
    assert phone.out("pm install /sdcard/none.apk; echo $?").endswith("1\n")
    assert "INSTALL_PARSE_FAILED_NOT_APK" in phone.out("echo x > /sdcard/x.apk; pm install /sdcard/x.apk")


def _apk() -> bytes:
    """A file with the binary manifest of a small app."""
    words: list[str] = []

    def index(text: str) -> int:
        if text not in words:
            words.append(text)
        return words.index(text)

    def start(tag: str, **attributes: str) -> bytes:
        fields = b"".join(
            struct.pack("<iIiHBBI", -1, index(key), index(value), 8, 0, 3, index(value))
            for key, value in attributes.items()
        )
        body = struct.pack("<iIHHHHHH", -1, index(tag), 20, 20, len(attributes), 0, 0, 0) + fields
        return struct.pack("<HHIII", 0x0102, 16, 16 + len(body), 1, 0xFFFFFFFF) + body

    def end(tag: str) -> bytes:
        return struct.pack("<HHIIIiI", 0x0103, 16, 24, 1, 0xFFFFFFFF, -1, index(tag))

    body = b"".join(
        [
            start("manifest", package="com.test.app", versionName="3.2"),
            start("activity", name=".Start"),
            start("intent-filter"),
            start("action", name="android.intent.action.MAIN"),
            end("action"),
            start("category", name="android.intent.category.LAUNCHER"),
            end("category"),
            end("intent-filter"),
            end("activity"),
            start("service", name=".Keys", permission="android.permission.BIND_INPUT_METHOD"),
            end("service"),
            end("manifest"),
        ]
    )
    encoded = [struct.pack("<H", len(word)) + word.encode("utf-16-le") + b"\0\0" for word in words]
    offsets = [sum(len(one) for one in encoded[:number]) for number in range(len(encoded))]
    head = 28 + 4 * len(words)
    pool = struct.pack("<HHIIIIII", 1, 28, head + sum(map(len, encoded)), len(words), 0, 0, head, 0)
    pool += struct.pack(f"<{len(words)}I", *offsets) + b"".join(encoded)
    document = struct.pack("<HHI", 3, 8, 8 + len(pool) + len(body)) + pool + body
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("AndroidManifest.xml", document)
    return out.getvalue()

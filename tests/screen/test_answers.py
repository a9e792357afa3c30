"""Answers of commands that do something: done, or why not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.screen.dumpsys import (
    Answer,
    BroadcastAnswer,
    DumpAnswer,
    ScreencapNote,
    StartAnswer,
    broadcast_answer,
    dump_answer,
    ime_answer,
    input_answer,
    monkey_answer,
    screencap_note,
    service_answer,
    start_answer,
)

STARTED = """Starting: Intent { act=android.intent.action.VIEW dat=bilibili://root pkg=tv.danmaku.bili }
Status: ok
LaunchState: WARM
Activity: tv.danmaku.bili/.MainActivityV2
TotalTime: 312
WaitTime: 318
Complete
"""


def test_started_activity_is_named_in_full() -> None:
    assert start_answer(STARTED, 0) == StartAnswer(
        ok=True, activity="tv.danmaku.bili/tv.danmaku.bili.MainActivityV2", raw=STARTED
    )


@pytest.mark.parametrize(
    ("text", "exit_code", "error"),
    [
        (
            "Security exception: Permission Denial: starting Intent { cmp=a.b/.C } not exported from uid 1",
            255,
            "not_exported",
        ),
        ("Permission Denial: starting Intent { cmp=a.b/.C } not exported from uid 10084", 4294967295, "not_exported"),
        ("Error: Activity not started, unable to resolve Intent { act=VIEW dat=x:// flg=0x10000000 }", 0, "unresolved"),
        ("Error type 3\nError: Activity class {a.b/a.b.C} does not exist.", 0, "no_such_activity"),
        ("java.lang.SecurityException: Permission Denial: requires android.permission.CALL_PHONE", 255, "denied"),
        ("java.lang.SecurityException: Shell does not have permission to access user 10", 255, "user_denied"),
        ("Error: Unknown option: --nonsense", 255, "bad_arguments"),
        ("cmd: Can't find service: activity", 20, "booting"),
        ("Exception occurred while executing 'start':\njava.lang.IllegalStateException: no", 255, "failed"),
        ("Error: Activity not started, voice control not allowed for: Intent { }", 0, "failed"),
        ("Killed", 137, "killed"),
        ("", 1, "failed"),
        ("", 0, "no_answer"),
    ],
)
def test_failed_start_is_told_by_its_text(text: str, exit_code: int, error: str) -> None:
    answer = start_answer("Starting: Intent { act=android.intent.action.VIEW }\n" + text if text else "", exit_code)

    assert (answer.ok, answer.error) == (False, error)


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("Warning: Activity not started, its current task has been brought to the front", "brought_to_front"),
        (
            "Warning: Activity not started, intent has been delivered to currently running top-most instance.",
            "delivered",
        ),
    ],
)
def test_link_to_a_running_app_is_unconfirmed(text: str, warning: str) -> None:
    """Both warnings mean that the screen has to tell whether the link was taken (DL-04)."""
    answer = start_answer(f"Starting: Intent {{ dat=demo://x }}\n{text}\nStatus: ok\n", 0)

    assert (answer.ok, answer.warning) == (True, warning)
    assert text in answer.raw


def test_slow_start_is_a_start() -> None:
    answer = start_answer("Starting: Intent { cmp=a.b/.C }\nStatus: timeout\nActivity: a.b/.C\nWaitTime: 11639\n")

    assert (answer.ok, answer.slow, answer.activity) == (True, True, "a.b/a.b.C")


def test_words_inside_the_link_are_not_an_error() -> None:
    echo = "Starting: Intent { act=VIEW dat=demo://SecurityException/Error: unable to resolve Intent }"

    assert start_answer(f"{echo}\nStatus: ok\n", 0).ok


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Events injected: 1\n## Network stats: elapsed time=9ms", Answer(ok=True)),
        ("** SYS_KEYS has no physical keys but with factor 2.0%.", Answer(False, "no_sys_keys")),
        ("** No activities found to run, monkey aborted.", Answer(False, "no_launcher_activity")),
        (
            "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission",
            Answer(False, "inject_denied"),
        ),
        ("// CRASH: org.notes (pid 4711)\n** Monkey aborted due to error.", Answer(False, "crashed")),
    ],
)
def test_monkey_says_whether_it_launched(text: str, expected: Answer) -> None:
    assert monkey_answer(text) == expected


@pytest.mark.parametrize(
    ("text", "exit_code", "expected"),
    [
        ("", 0, Answer(ok=True)),
        ("WARNING: linker: unused DT entry\n", 0, Answer(ok=True)),
        (
            "java.lang.NullPointerException: Attempt to get length of null array",
            0,
            Answer(False, "unicode_unsupported"),
        ),
        (
            "java.lang.SecurityException: Injecting input events requires the caller to have INJECT_EVENTS",
            255,
            Answer(False, "inject_denied"),
        ),
        ("Error: Unknown command: tapp\nUsage: input [<source>] <command>", 255, Answer(False, "bad_arguments")),
        ("cmd: Can't find service: input", 20, Answer(False, "booting", retry=True)),
        ("", 1, Answer(False, "failed")),
    ],
)
def test_input_is_silent_when_it_worked(text: str, exit_code: int, expected: Answer) -> None:
    assert input_answer(text, exit_code) == expected


def test_missing_service_is_a_phone_that_still_boots() -> None:
    assert service_answer("cmd: Can't find service: package") == Answer(False, "booting", retry=True)
    assert service_answer("package:org.notes") == Answer(ok=True)


XML = "<?xml version='1.0'?><hierarchy rotation=\"0\"></hierarchy>"


@pytest.mark.parametrize(
    ("text", "exit_code", "xml", "expected"),
    [
        (
            "UI hierchary dumped to: /sdcard/window_dump.xml",
            0,
            None,
            DumpAnswer(ok=True, path="/sdcard/window_dump.xml"),
        ),
        (
            "UI hierarchy dumped to: /sdcard/window_dump.xml",
            0,
            XML,
            DumpAnswer(ok=True, path="/sdcard/window_dump.xml"),
        ),
        ("ERROR: could not get idle state.", 0, None, DumpAnswer(False, "not_idle", retry=True)),
        (
            "ERROR: null root node returned by UiTestAutomationBridge.",
            0,
            None,
            DumpAnswer(False, "null_root", retry=True),
        ),
        ("Killed", 137, None, DumpAnswer(False, "killed", retry=True)),
        ("Killed", 137, XML, DumpAnswer(ok=True)),
        (XML + "Killed", 137, None, DumpAnswer(ok=True)),
        ("", 1, None, DumpAnswer(False, "crashed", retry=True)),
        (
            "java.io.FileNotFoundException: theme_compatibility.xml: open failed",
            1,
            None,
            DumpAnswer(ok=True, check_file=True),
        ),
        (
            "java.io.FileNotFoundException: theme_compatibility.xml: open failed",
            1,
            XML[:30],
            DumpAnswer(False, "incomplete", retry=True),
        ),
        ("/system/bin/sh: uiautomator: not found", 127, None, DumpAnswer(False, "no_uiautomator")),
    ],
)
def test_view_tree_is_judged_by_its_file(text: str, exit_code: int, xml: str | None, expected: DumpAnswer) -> None:
    assert dump_answer(text, exit_code, xml=xml) == expected


PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
WARNING = b"[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first one.\n"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (PNG, ScreencapNote(ok=True, offset=0)),
        (WARNING + PNG, ScreencapNote(ok=True, note="multi_display", png_after_text=True, offset=len(WARNING))),
        (WARNING, ScreencapNote(ok=True, note="multi_display", png_after_text=True)),
        (PNG.replace(b"\n", b"\r\n"), ScreencapNote(ok=True, note="line_ends_damaged", offset=0)),
        (b"", ScreencapNote(ok=False, error="empty")),
        (b"/system/bin/sh: screencap: not found", ScreencapNote(ok=False, error="no_screencap")),
        (b"Failed to take screenshot. Status: -22", ScreencapNote(ok=False, error="failed")),
    ],
)
def test_capture_says_where_its_picture_begins(data: bytes, expected: ScreencapNote) -> None:
    assert screencap_note(data) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Input method com.android.adbkeyboard/.AdbIME selected for user #0", Answer(ok=True)),
        ("Input method com.android.adbkeyboard/.AdbIME: now enabled for user #0", Answer(ok=True)),
        (
            "Unknown input method com.android.adbkeyboard/.AdbIME cannot be selected for user #0",
            Answer(False, "ime_unknown"),
        ),
        ("java.lang.IllegalArgumentException: Unknown id: com.google.pinyin/.PinyinIME", Answer(False, "ime_unknown")),
        ("java.lang.SecurityException: Permission Denial: no WRITE_SECURE_SETTINGS", Answer(False, "denied")),
    ],
)
def test_keyboard_change_is_told_by_its_text(text: str, expected: Answer) -> None:
    assert ime_answer(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'Broadcasting: Intent { act=ADB_INPUT_TEXT }\nBroadcast completed: result=-1, data="ok"',
            BroadcastAnswer(True, None, -1, "ok"),
        ),
        (
            "Broadcasting: Intent { act=ADB_INPUT_TEXT }\nBroadcast completed: result=0",
            BroadcastAnswer(False, "not_delivered", 0),
        ),
        (
            "java.lang.SecurityException: Permission Denial: not allowed to send broadcast",
            BroadcastAnswer(False, "denied"),
        ),
        ("", BroadcastAnswer(False, "no_answer")),
    ],
)
def test_broadcast_needs_a_receiver_that_answers(text: str, expected: BroadcastAnswer) -> None:
    assert broadcast_answer(text) == expected


@given(st.text(), st.one_of(st.none(), st.integers(0, 255)))
def test_any_text_gets_an_answer(text: str, code: int | None) -> None:
    assert start_answer(text, code).raw == text
    for read in (monkey_answer, input_answer, ime_answer):
        answer = read(text, code)
        assert answer.ok == (answer.error is None)
    assert broadcast_answer(text).ok or broadcast_answer(text).error
    assert dump_answer(text, code).ok or dump_answer(text, code).error
    assert screencap_note(text).ok or screencap_note(text).error

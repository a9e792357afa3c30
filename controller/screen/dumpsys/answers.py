"""What am, monkey, input, uiautomator, screencap, ime and cmd say about an action: done, or why not.

Owns the texts of failures; exit codes alone do not tell (am exits with 0 when nothing was started, Windows shows -1 as
4294967295). What is listed rather than done is in `listings`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from controller.screen.dumpsys.records import parse_component

__all__ = [
    "Answer",
    "BroadcastAnswer",
    "DumpAnswer",
    "ScreencapNote",
    "StartAnswer",
    "broadcast_answer",
    "dump_answer",
    "ime_answer",
    "input_answer",
    "monkey_answer",
    "screencap_note",
    "service_answer",
    "start_answer",
]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a command that does one thing.

    Attributes:
        ok: The command did it, as far as it says.
        error: Why not, as one word for programs.
        retry: True where the same command may succeed in a moment.
        user: The Android user that is closed to adb, for `user_denied`.
    """

    ok: bool
    error: str | None = None
    retry: bool = False
    user: int | None = None


@dataclass(frozen=True, slots=True)
class StartAnswer:
    """The answer of `am start`.

    Attributes:
        ok: Something was started or brought to the front; which app is in front is another question.
        error: not_exported, unresolved, no_such_activity, user_denied, denied, bad_arguments, booting, failed …
        warning: brought_to_front or delivered: an app that ran already may have ignored the link.
        slow: The activity was not idle within am's own wait.
        activity: The activity that am names, `package/full.Class`; a trampoline may have forwarded since.
        raw: The text.
    """

    ok: bool
    error: str | None = None
    warning: str | None = None
    slow: bool = False
    activity: str | None = None
    raw: str = ""


@dataclass(frozen=True, slots=True)
class DumpAnswer:
    """The answer of `uiautomator dump`; `check_file` says that the file decides, not this text."""

    ok: bool
    error: str | None = None
    retry: bool = False
    check_file: bool = False
    path: str | None = None


@dataclass(frozen=True, slots=True)
class ScreencapNote:
    """What stands around a picture of `screencap -p`; `offset` is where its PNG begins, or None without one."""

    ok: bool
    error: str | None = None
    note: str | None = None
    png_after_text: bool = False
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class BroadcastAnswer:
    """The answer of `am broadcast`: result 0 means that no receiver answered."""

    ok: bool
    error: str | None = None
    result: int | None = None
    data: str | None = None


_Rules = tuple[tuple[re.Pattern[str], str], ...]


def _rules(*rows: tuple[str, str]) -> _Rules:
    return tuple((re.compile(pattern), word) for pattern, word in rows)


# A work profile, a private space or a second app's user: adb has no access to it.
_DENIED_USER = re.compile(r"does not have permission to access user (\d{1,9})")

_BOOTING = (
    r"Can't find service: \w+|Can't connect to \w+ ?manager|Could not access the Package Manager"
    r"|Is the system running\?|DeadObjectException|DeadSystemException"
)

_SYSTEM_RULES = _rules(
    (r"does not have permission to access user \d+", "user_denied"),
    (_BOOTING, "booting"),
)


def _first(rules: _Rules, text: str) -> str | None:
    return next((word for pattern, word in rules if pattern.search(text)), None)


def _user(text: str) -> int | None:
    found = _DENIED_USER.search(text)
    return int(found[1]) if found else None


# -- am start -------------------------------------------------------------------------------------------------------

# Starting: Intent { act=android.intent.action.VIEW dat=bilibili://… }
# Status: ok
# LaunchState: COLD
# Activity: tv.danmaku.bili/.MainActivityV2
# TotalTime: 312
# WaitTime: 318
# Complete
_START_RULES: _Rules = (
    *_SYSTEM_RULES,
    *_rules(
        # Permission Denial: starting Intent { … } from null (pid=19537, uid=2000) not exported from uid 10246
        (r"not exported from uid", "not_exported"),
        (r"unable to resolve Intent|No Activity found to handle", "unresolved"),
        # Error type 3 \n Error: Activity class {com.foo/com.foo.Main} does not exist.
        (r"Activity class \{.*\} does not exist|Error type 3\b", "no_such_activity"),
        (r"[Ss]ecurity ?[Ee]xception|Permission Denial", "denied"),
        (
            r"(?m)^Error: (?:Unknown option|Argument expected|No intent|Bad component)|^Bad component name",
            "bad_arguments",
        ),
        (
            r"(?m)^\s*Error(?: type \d+|:)|Exception occurred while executing|^\s*java\.\S+(?:Exception|Error)\b",
            "failed",
        ),
        (r"(?m)^(?:Killed|Aborted|Segmentation fault)\s*$", "killed"),
    ),
)
_START_WARNINGS = _rules(
    (r"current task has been brought to the front", "brought_to_front"),
    (r"delivered to currently running top-most instance", "delivered"),
    (r"Activity not started because the current activity is being kept", "kept"),
    (r"(?m)^Warning: Activity not started", "not_started"),
)
# The intent is echoed; its data may hold any word.
_ECHO = re.compile(r"^(?:Starting|Stopping|Broadcasting): .*$", re.MULTILINE)
_STARTED = re.compile(r"^Activity: (\S+)", re.MULTILINE)


def start_answer(text: str, exit_code: int | None = None) -> StartAnswer:
    """Whether `am start` started something, and what it says about it."""
    said = _ECHO.sub("", text)
    error = _first(_START_RULES, said)
    if error is None and (exit_code or not text.strip()):
        error = "failed" if exit_code else "no_answer"
    named = _STARTED.search(said)
    component = parse_component(named[1]) if named else None
    return StartAnswer(
        ok=error is None,
        error=error,
        warning=_first(_START_WARNINGS, said) if error is None else None,
        slow="Status: timeout" in said,
        activity="/".join(component) if component else None,
        raw=text,
    )


# -- monkey, input, cmd ---------------------------------------------------------------------------------------------

_INJECT = (
    r"INJECT_EVENTS|Injecting (?:to another application|input events) requires",
    "inject_denied",
)

_MONKEY_RULES: _Rules = (
    *_SYSTEM_RULES,
    *_rules(
        # ** SYS_KEYS has no physical keys but with factor 2.0%.     emulators without a keyboard
        (r"SYS_KEYS has no physical keys", "no_sys_keys"),
        # ** No activities found to run, monkey aborted.     missing, disabled, or a TV app with LEANBACK_LAUNCHER only
        (r"No activities found to run", "no_launcher_activity"),
        _INJECT,
        (r"(?m)^// CRASH: ", "crashed"),
        (r"(?m)^// NOT RESPONDING: ", "not_responding"),
        (r"[Mm]onkey aborted|System appears to have crashed|(?m:^\*\* Error)|[a-z]Exception\b", "failed"),
    ),
)


def monkey_answer(text: str, exit_code: int | None = None) -> Answer:
    """Whether monkey launched the app."""
    error = _first(_MONKEY_RULES, text) or ("failed" if exit_code else None)
    return Answer(error is None, error, retry=error == "booting", user=_user(text))


_INPUT_RULES: _Rules = (
    *_SYSTEM_RULES,
    *_rules(
        _INJECT,
        # java.lang.NullPointerException: Attempt to get length of null array
        # 	at com.android.commands.input.Input$InputText.sendText(Input.java:168)
        (r"NullPointerException", "unicode_unsupported"),
        (r"(?m)^Error: |Unknown command|Invalid arguments|^Usage: input", "bad_arguments"),
        (r"[a-z]Exception\b|Exception occurred while executing", "failed"),
        (r"(?m)^(?:Killed|Aborted)\s*$", "killed"),
    ),
)


def input_answer(text: str, exit_code: int | None = None) -> Answer:
    """Whether `input` sent its touches, keys or text: it prints nothing when it did."""
    error = _first(_INPUT_RULES, text) or ("failed" if exit_code else None)
    return Answer(error is None, error, retry=error == "booting", user=_user(text))


def service_answer(text: str) -> Answer:
    """Whether the system service answered at all; `cmd: Can't find service: package` is a phone that still boots."""
    error = _first(_SYSTEM_RULES, text)
    return Answer(error is None, error, retry=error == "booting", user=_user(text))


# -- uiautomator dump, screencap ------------------------------------------------------------------------------------

_DUMP_RULES = _rules(
    (r"could not get idle state", "not_idle"),
    (r"null root node", "null_root"),
    (r"UiAutomationService .* already registered|already registered!", "busy"),
    (r"(?m)^Killed\s*$", "killed"),
    (r"not found|inaccessible", "no_uiautomator"),
    (r"(?m)^ERROR: ", "failed"),
)
# UI hierchary dumped to: /sdcard/window_dump.xml     (spelt so up to Android 11)
_DUMPED = re.compile(r"dumped to: (\S+)")


def dump_answer(text: str, exit_code: int | None = None, *, xml: str | None = None) -> DumpAnswer:
    """Whether there is a view tree. A complete file decides where `xml` is given, else the text as far as it can.

    MIUI's theme engine prints an exception and exits with 1 while the file is complete; `Killed` may follow a complete
    dump as well.
    """
    if xml is not None and "</hierarchy>" in xml[-200:]:
        return DumpAnswer(ok=True, path=_path(text))
    if "</hierarchy>" in text:
        return DumpAnswer(ok=True)
    error = _first(_DUMP_RULES, text)
    if error is None and not text.strip():
        error = "crashed"
    if error is None and xml is not None:
        error = "incomplete"
    if error is not None:
        return DumpAnswer(ok=False, error=error, retry=error != "no_uiautomator")
    return DumpAnswer(ok=True, check_file=_path(text) is None or bool(exit_code), path=_path(text))


def _path(text: str) -> str | None:
    found = _DUMPED.search(text)
    return found[1] if found else None


_PNG = b"\x89PNG"
_PNG_DAMAGED = b"\x89PNG\r\r\n"
_MULTI_DISPLAY = b"Multiple displays were found"
_CAP_RULES = _rules(
    (r"not found|inaccessible", "no_screencap"),
    (r"[Pp]ermission denied|SecurityException", "denied"),
    (r"(?i)error|fail|unable|exception|killed", "failed"),
)


def screencap_note(data: bytes | str) -> ScreencapNote:
    """What a capture is: a picture, a picture behind a warning (`multi_display`), or the reason for none.

    Foldables print `[Warning] Multiple displays were found …` to stdout in front of the PNG; where the text was
    separated from the picture, the warning alone still means that a picture follows.
    """
    raw = data.encode("utf-8", "replace") if isinstance(data, str) else data
    offset = raw.find(_PNG)
    note = "multi_display" if _MULTI_DISPLAY in raw[: offset if offset >= 0 else len(raw)] else None
    if offset >= 0:
        if raw.startswith(_PNG_DAMAGED, offset):
            note = "line_ends_damaged" if note is None else note
        return ScreencapNote(ok=True, note=note, png_after_text=offset > 0, offset=offset)
    if note is not None:
        return ScreencapNote(ok=True, note=note, png_after_text=True)
    text = raw[:2000].decode("utf-8", "replace")
    return ScreencapNote(ok=False, error=(_first(_CAP_RULES, text) or "no_picture") if text.strip() else "empty")


# -- ime, am broadcast ----------------------------------------------------------------------------------------------

_IME_RULES: _Rules = (
    *_SYSTEM_RULES,
    *_rules(
        # Unknown input method com.android.adbkeyboard/.AdbIME cannot be selected for user #0
        # java.lang.IllegalArgumentException: Unknown id: com.google…/.PinyinIME     Android 9 throws
        (r"Unknown (?:input method|id)\b|cannot be (?:selected|enabled)", "ime_unknown"),
        (r"SecurityException|Permission Denial", "denied"),
        (r"(?m)^Error: |[a-z]Exception\b|Exception occurred while executing", "failed"),
    ),
)


def ime_answer(text: str, exit_code: int | None = None) -> Answer:
    """Whether `ime set` or `ime enable` was accepted; read `default_input_method` afterwards all the same."""
    error = _first(_IME_RULES, text) or ("failed" if exit_code else None)
    return Answer(error is None, error, retry=error == "booting", user=_user(text))


# Broadcast completed: result=-1, data="ok"
_COMPLETED = re.compile(r'Broadcast completed: result=(-?\d{1,9})(?:, data="(.*?)"(?:, extras|\s*$))?', re.DOTALL)


def broadcast_answer(text: str) -> BroadcastAnswer:
    """Whether a receiver answered: -1 is the usual yes, 0 means that nobody did."""
    said = _ECHO.sub("", text)
    error = _first(_START_RULES, said)
    found = _COMPLETED.search(said)
    if error is not None or found is None:
        return BroadcastAnswer(ok=False, error=error or "no_answer")
    result = int(found[1])
    return BroadcastAnswer(result != 0, None if result else "not_delivered", result, found[2])

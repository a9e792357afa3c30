"""Every line that a real phone printed about its foreground: the virtual one prints a line of the same form."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from tests.shared import shared_cases
from tests.virtual.shell_phone import Handset, handset

_VERSIONS = {9: 9, 11: 11, 12: 14, 13: 14, 14: 14, 15: 14}
# Lines that no phone without the vendor's part, or without the accident, prints.
_ELSEWHERE = {
    r"com\.sony\.dtv\.sonysystemservice}|Sys2023:dream|com\.amazon\.vizzini": "windows of a vendor's own",
    r"ActivityRecordInputSink": "a row that is no window of an app",
    r"TIMEOUT|Timeout|wallpaper/\.picker": "a dump that was cut off",
    r"preferredDisplayMode|mSession=Session": "a player's own window attributes",
    r"type=undefined|NonFullscreenBounds": "a desktop's organizer tasks",
    r"u0 .* \.\.\.|Window\{\.\.\.|contacts/\.\.\.": "what the reporter left out",
    r"\} t57\}|mAttrs=": "records of Android 13 with a brace too many; a window's own attributes",
    r"requested-bounds": "split screens of Android 12 before 12L",
    r"I=com|TaskFragment|type=home U=0|deepestLast|153529581": "Android 15",
    r"qwerty|mLastDisplayFreezeDuration=\+|Pointer Capture": "a keyboard, a frozen display, a game's mouse",
}


def version(android: str) -> int | None:
    """The emulated version that a recorded one stands for: `8/9`, `11 (Fire OS 8)`, `13`."""
    numbers = {int(number) for number in re.findall(r"\b(\d{1,2})(?:\.\d)?L?\b", android)}
    return max((_VERSIONS[number] for number in numbers if number in _VERSIONS), default=None)


def form(line: str) -> str:
    """A line without what differs from phone to phone."""
    line = re.sub(r"\b(?:[\w$]+\.)+[\w$]+/[\w.$]+", "COMPONENT", line.strip())
    line = re.sub(r"\b[a-z]\w*(?:\.\w+)+\b", "PACKAGE", line)
    line = re.sub(r"0x[0-9a-f]+|\b[0-9a-f]{5,9}\b", "1", line)
    line = re.sub(r"\btrue\b|\bfalse\b", "FLAG", line)
    return re.sub(r"type=home|type=standard", "type=KIND", re.sub(r"\d+", "N", line))


@lru_cache(maxsize=3)
def phones(android: int) -> list[Handset]:
    """An app in front; the shade over it; the keyboard; a second display."""
    states = ["", "cmd statusbar expand-notifications", "input keyevent TAB"]
    states.append("settings put global overlay_display_devices 1280x720/213")
    found = [handset(android) for _ in states]
    for one, state in zip(found, states, strict=True):
        one.run(f"am start -n com.example.notes/.Main; {state}")
    return found


def recorded() -> list[tuple[str, int, str, list[str]]]:
    """(case, version, command, lines) of the cases about the foreground."""
    cases: list[dict[str, Any]] = [
        json.loads(line) for line in shared_cases("device_outputs.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    found = []
    for case in cases:
        command = case["command"].partition("|")[0].partition("(")[0].strip()
        android = version(case["android"])
        if case["expect"]["kind"] == "foreground" and android is not None and command.startswith("dumpsys"):
            found.append((case["id"], android, command, case["output"].splitlines()))
    return found


def test_every_recorded_line_of_these_versions_has_its_form_in_the_same_dump() -> None:
    missing = []
    for case, android, command, lines in recorded():
        forms = [form(line) for one in phones(android) for line in one.out(command).splitlines()]
        for line in lines:
            elsewhere = any(re.search(pattern, line) for pattern in _ELSEWHERE)
            if line.strip() and not elsewhere and not any(own.startswith(form(line)) for own in forms):
                missing.append((case, android, command, line))

    assert missing == []


def test_the_cases_are_many_enough_to_mean_something() -> None:
    cases = recorded()

    assert {android for _, android, _, _ in cases} == set(_VERSIONS.values())
    assert len(cases) >= 20


def test_a_form_keeps_what_is_the_same_on_every_phone() -> None:
    focus = "  mCurrentFocus=Window{fbb0b82 u0 com.miui.home/com.miui.home.launcher.Launcher}"
    resumed = "mResumedActivity: ActivityRecord{7fbc105 u0 com.huawei.health/.MainActivity t1573}"

    assert form(focus) == "mCurrentFocus=Window{N uN COMPONENT}"
    assert form(resumed) == "mResumedActivity: ActivityRecord{N uN COMPONENT tN}"

"""The front app from text: the foreground cases of the case file, and a long dump of many tasks."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from controller.screen.dumpsys import foreground, split_multi
from tests.bench.rows import Row, median_ms

# The three patterns of adbutils' app_current, in its order.
_FOCUS = re.compile(r"mCurrentFocus=Window{.*\s+(?P<package>[^\s]+)/(?P<activity>[^\s]+)\}")
_RESUMED = re.compile(r"mResumedActivity: ActivityRecord\{.*?\s+(?P<package>[^\s]+)/(?P<activity>[^\s]+)\s.*?\}")
_TOP = re.compile(r"ACTIVITY (?P<package>[^\s]+)/(?P<activity>[^/\s]+) \w+ pid=(?P<pid>\d+)")


def run() -> list[Row]:
    texts = _texts()
    ours = median_ms(lambda: [foreground(split_multi(text)) for text in texts])
    other = median_ms(lambda: [_three_patterns(text) for text in texts])
    long = _long_dump()
    per_second = 1000 * len(texts)
    return [
        Row("foreground of small dumps", per_second / ours, per_second / other, "adbutils' three patterns", "/s"),
        Row(
            f"foreground of one dump of {len(long) // 1000} kB",
            median_ms(lambda: foreground({"dumpsys activity activities": long})),
            median_ms(lambda: _three_patterns(long)),
            "adbutils' three patterns",
        ),
    ]


def _three_patterns(text: str) -> str | None:
    """The package as app_current finds it, were every command's output this text."""
    found = _FOCUS.search(text) or _RESUMED.search(text)
    if found:
        return found["package"]
    tops = list(_TOP.finditer(text))
    return tops[-1]["package"] if tops else None


def _texts() -> list[str]:
    """The case file where it is at hand, else one focus line often enough to be measured."""
    root = Path(os.environ.get("PHONECTL_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    path = root / "cases" / "device_outputs.jsonl"
    if not path.exists():
        return ["  mCurrentFocus=Window{1 u0 org.notes/org.notes.Main}\n"] * 36
    cases = map(json.loads, filter(None, path.read_text(encoding="utf-8").splitlines()))
    return [case["output"] for case in cases if case["expect"]["kind"] == "foreground"]


def _long_dump() -> str:
    """A phone with many tasks: what `dumpsys activity activities` of Android 14 looks like, 400 kB of it."""
    task = (
        "  * Task{{{n:x} #{n} type=standard A=1:org.app{n} U=0 visible=false mode=fullscreen sz=1}}\n"
        "    mLastPausedActivity: ActivityRecord{{{n:x}a u0 org.app{n}/.Main t{n}}}\n"
        "    * Hist  #0: ActivityRecord{{{n:x}a u0 org.app{n}/.Main t{n}}}\n"
        + "".join(f"      field{i}=value mOther{i}=false state=STOPPED delayedResume=false\n" for i in range(60))
    )
    history = "".join(task.format(n=number) for number in range(100))
    return (
        "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\nDisplay #0 (activities from top to bottom):\n"
        f"{history}  ResumedActivity: ActivityRecord{{1 u0 org.notes/.Main t5}}\n"
        "  Display: mDisplayId=0\n    mCurrentFocus=Window{1 u0 org.notes/org.notes.Main}\n"
    )

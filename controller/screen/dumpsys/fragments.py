"""What can be made of text that is no dump: quoted lines, log lines, the output of `cut` and `awk`.

Owns the tolerant second look, taken only where the lines of a dump were not found. What it finds is never confident.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from controller.screen.dumpsys.records import parse_component

__all__ = ["Fragment", "from_fragments", "mend"]


@dataclass(frozen=True, slots=True)
class Fragment:
    """A name found outside a dump."""

    package: str
    activity: str | None
    user: int | None
    via: str


# A key in the middle of a line: `01-02 10:00:00.1 I/adb: mCurrentFocus=Window{…}`, `"mResumedActivity: …"`; one fixture
# in the wild spells mFocuseadApp.
_KEY = re.compile(
    r"\b(mCurrentFocus|mFocus\w*App|mFocusedWindow|mFocusedActivity|m?[Tt]opResumedActivity|mResumedActivity"
    r"|ResumedActivity)\s*[=:]\s*(?=null|Window|Activity|App|Token)"
)
_AT_START = re.compile(
    r"^[^A-Za-z\n]*(?:mCurrentFocus|mFocusedApp|mFocusedWindow|mFocusedActivity|mResumedActivity|topResumedActivity"
    r"|ResumedActivity|mTopResumedActivity)\b",
    re.MULTILINE,
)


def mend(dumps: Mapping[str, str]) -> Mapping[str, str]:
    """The dumps with focus keys at the start of their lines; the same object where nothing needs mending."""
    if not any(_needs_mending(text) for text in dumps.values()):
        return dumps
    return {
        command: _KEY.sub(_on_its_own_line, text) if _needs_mending(text) else text for command, text in dumps.items()
    }


def _needs_mending(text: str) -> bool:
    """Small texts only: whole dumps come as the phone printed them."""
    if len(text) > 20_000:
        return False
    return len(_KEY.findall(text)) > len(_AT_START.findall(text))


def _on_its_own_line(match: re.Match[str]) -> str:
    key = "mFocusedApp" if match[1].startswith("mFocus") and match[1].endswith("App") else match[1]
    return f"\n{key}="


# topActivityInfo=ActivityInfo{2482a04 com.foo.Main} … isFocused=true isVisible=true        transition log, 13+
_TOP_INFO = re.compile(r"topActivityInfo=ActivityInfo\{[^\s{}]{1,20} ([\w.$]+)\}(.*)")
# topActivity=ComponentInfo{com.foo/com.foo.Main}
_TOP_COMPONENT = re.compile(r"topActivity=ComponentInfo\{([^{}]+)\}(.*)")
# ActivityTaskManager: Displayed com.foo/.Main: +312ms     wm_set_resumed_activity: [0,com.foo/.Main,…]
_EVENT = re.compile(
    r"(?:Displayed |(?:am|wm)_(?:set_resumed|resume|on_resume_called|on_top_resumed_gained_called)"
    r"\w*: ?\[)(.*)"
)
# Classes that live in a package of another name. The module of the permission controller keeps its AOSP class names
# and is com.google.android.permissioncontroller on every phone with Google's services.
_HOME_OF_CLASS = (("com.android.permissioncontroller.", "com.google.android.permissioncontroller"),)


def from_fragments(dumps: Mapping[str, str]) -> Fragment | None:
    """The best name that the text has outside a dump, or None."""
    for text in dumps.values():
        found = _from_log(text)
        if found is not None:
            return found
    for command, text in dumps.items():
        found = _from_filtered(command, text)
        if found is not None:
            return found
    return None


def _from_log(text: str) -> Fragment | None:
    """The last event of a log that puts an activity in front."""
    found: Fragment | None = None
    for line in text.splitlines():
        found = _log_line(line) or found
    return found


def _log_line(line: str) -> Fragment | None:
    match = _TOP_COMPONENT.search(line) or _EVENT.search(line)
    if match is not None and "isVisible=false" not in line:
        component = parse_component(match[1])
        return Fragment(*component, user=None, via="log") if component else None
    match = _TOP_INFO.search(line)
    if match is not None and "isFocused=true" in match[2] and "isVisible=false" not in match[2]:
        for prefix, package in _HOME_OF_CLASS:
            if match[1].startswith(prefix):
                return Fragment(package, match[1], user=None, via="topActivityInfo in a log")
    return None


def _from_filtered(command: str, text: str) -> Fragment | None:
    """A lone component that `cut` or `awk` left of a focus or resumed line; a lone package says too little."""
    if not re.search(r"mCurrentFocus|ResumedActivity|mFocusedActivity", command) or len(text) > 400:
        return None
    component = parse_component(text)
    return Fragment(*component, user=None, via=f"filtered output of {command}") if component else None

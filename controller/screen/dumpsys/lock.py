"""Is the screen off, is the lock screen in front: from the states that policy, power and activity manager print.

Owns which of several reports decides. What stands below a dark or locked screen is `foreground`.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["app_over_keyguard", "why_dark", "why_locked"]

_DARK: tuple[tuple[str, frozenset[str]], ...] = (
    ("mWakefulness", frozenset({"Asleep", "Dozing"})),
    ("displayPower", frozenset({"OFF", "DOZE", "DOZE_SUSPEND"})),
    ("screenState", frozenset({"SCREEN_STATE_OFF"})),
    ("mAwake", frozenset({"false"})),
    ("interactiveState", frozenset({"INTERACTIVE_STATE_SLEEP"})),
    ("mScreenOnFully", frozenset({"false"})),
    ("isSleeping", frozenset({"true"})),
)
_ON_ITS_WAY = frozenset({"SCREEN_STATE_TURNING_ON", "SCREEN_STATE_TURNING_OFF", "null"})


def why_dark(state: Mapping[str, str]) -> str | None:
    """The line that says the screen is off; the first of these that was printed decides."""
    if state.get("mAodShowing") == "true":
        return "mAodShowing"
    for key, dark in _DARK:
        value = state.get(key)
        if value is not None and value not in _ON_ITS_WAY:
            return key if value in dark else None
    return None


def why_locked(state: Mapping[str, str]) -> str | None:
    """The line that says the lock screen shows, under its name on each version."""
    for key in (
        "mShowingLockscreen",  # up to 7
        "mDreamingLockscreen",  # 5+, the newest as well
        "mIsShowing",  # KeyguardStateMonitor, 7+
        "showing",  # KeyguardServiceDelegate
        "isKeyguardShowing",
        "isStatusBarKeyguard",
        "mKeyguardShowing",  # KeyguardController of the activity manager, 8+
    ):
        if state.get(key) == "true":
            return key
    return None


def app_over_keyguard(state: Mapping[str, str]) -> bool:
    """Camera, alarm and incoming calls may stand over the lock screen, which then still counts as showing."""
    return any(state.get(key) == "true" for key in ("occluded", "mOccluded", "mKeyguardOccluded", "Occluded"))

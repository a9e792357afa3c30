"""What each command may say: its keys, their shapes, and what must hold of them together.

Pure. A name here is a row's `keys` in the table of `commands`; the parameters a command's function is given are these
keys in snake case.
"""

from __future__ import annotations

from typing import Any

from controller.flow.shapes import (
    CONDITION,
    DURATION,
    MILLISECONDS,
    PATH,
    POINT,
    SELECTOR,
    SELECTOR_FIELDS,
    TEXT,
    TRUTH,
    WHOLE,
    Commands,
    Field,
    Keys,
    Later,
    MapOf,
    Only,
    Scalar,
    choice,
)

__all__ = [
    "DOUBLE_TAP",
    "ERASE",
    "INPUT",
    "LAUNCH",
    "LINK",
    "LONG_PRESS",
    "NO_KEYS",
    "PACE",
    "PAUSE",
    "PRESS",
    "REPEAT",
    "RUN_FLOW",
    "SCREENSHOT",
    "SCROLL_UNTIL",
    "SEE",
    "SEE_NOT",
    "STOP",
    "SWIPE",
    "TAP",
    "VARIABLE",
    "WAIT",
]

VARIABLE = r"[A-Za-z_]\w*"


def _touched(present: frozenset[str]) -> str:
    selector = present & set(SELECTOR_FIELDS)
    if not selector and "point" not in present:
        return "nothing to touch is named: text, id, point …"
    return "" if selector != {"index"} else "an index alone names no element: add text or id"


def _seen_keys(present: frozenset[str]) -> str:
    return "" if present - {"index", "tolerance"} else "nothing to look for is named: text, id …"


def _link_keys(present: frozenset[str]) -> str:
    if "link" in present:
        extra = present & {"app", "title", "args"}
        return f"`link` is a whole URI; {', '.join(sorted(extra))} belong to `app` and `title`" if extra else ""
    return "" if {"app", "title"} <= present else "needs either `link`, or `app` and `title`"


def _swipe_keys(present: frozenset[str]) -> str:
    if {"start", "end"} & present:
        if {"direction", "from"} & present:
            return "`start` and `end` say it all; leave out `direction` and `from`"
        return "" if {"start", "end"} <= present else "needs both `start` and `end`"
    return "" if "direction" in present else "needs `direction`, or `start` and `end`"


def _wait_keys(present: frozenset[str]) -> str:
    return "" if {"visible", "notVisible"} & present else "needs `visible` or `notVisible`"


def _flow_keys(present: frozenset[str]) -> str:
    return "" if len({"file", "commands"} & present) == 1 else "needs either `file` or `commands`"


def _repeat_keys(present: frozenset[str]) -> str:
    return "" if {"times", "while"} & present else "needs `times` or `while`; it would never end"


def _count(text: str) -> int:
    count = WHOLE.convert(text)
    if not 0 <= count <= 10_000:
        raise ValueError(f"`{text}` is not a number of characters")
    return int(count)


def _key(text: str) -> str:
    """`Volume Up` → `volume_up`; any case, as Maestro takes it."""
    return "_".join(text.strip().casefold().split())


def _source(**parts: Any) -> dict[str, Any]:
    return parts


APP_FIELDS = {"appId": Field(TEXT), "url": Field(TEXT, "app_id")}
TOUCH_FIELDS = {
    **SELECTOR_FIELDS,
    "point": Field(POINT),
    "retryTapIfNoChange": Field(
        Only("false", "an action is sent once here; repeat it with `repeat: {while: …}` where that is meant")
    ),
    "waitToSettleTimeoutMs": Field(Later()),
    "waitUntilVisible": Field(Only("true", "an element is always waited for")),
}
ONLY_ANDROID = Only("false", "Android has no keychain: use `clearState: true`")
LAUNCH = Keys(
    "launchApp",
    {
        **APP_FIELDS,
        "clearState": Field(TRUTH),
        "stopApp": Field(TRUTH),
        "clearKeychain": Field(ONLY_ANDROID),
        "permissions": Field(Later("setting permissions is not supported yet")),
        "arguments": Field(Later("launch arguments are not supported yet")),
    },
    shorthand="appId",
)
LINK = Keys(
    "openLink",
    {
        "link": Field(TEXT),
        "package": Field(TEXT),
        "app": Field(TEXT),
        "title": Field(TEXT),
        "args": Field(MapOf(TEXT)),
        "browser": Field(Only("false", "choosing the browser is not supported yet: name its `package`")),
        "autoVerify": Field(Only("false", "verifying links is not supported yet")),
    },
    shorthand="link",
    rule=_link_keys,
)
OUTWARD = choice("send", "submit", "publish", "pay", "delete", "confirm", "call", "share")
TAP = Keys(
    "tapOn",
    {
        **TOUCH_FIELDS,
        "outward": Field(OUTWARD),
        "repeat": Field(WHOLE),
        "delay": Field(MILLISECONDS),
    },
    shorthand="text",
    rule=_touched,
)
SWIPE = Keys(
    "swipe",
    {
        "direction": Field(choice("UP", "DOWN", "LEFT", "RIGHT")),
        "start": Field(POINT),
        "end": Field(POINT),
        "from": Field(
            Keys("a text or a selector", {**SELECTOR_FIELDS, "point": Field(POINT)}, _source, shorthand="text"),
            "source",
        ),
        "duration": Field(MILLISECONDS),
        "waitToSettleTimeoutMs": Field(Later()),
    },
    rule=_swipe_keys,
)
SCROLL_UNTIL = Keys(
    "scrollUntilVisible",
    {
        "element": Field(SELECTOR, needed=True),
        "direction": Field(choice("UP", "DOWN", "LEFT", "RIGHT")),
        "timeout": Field(MILLISECONDS),
        "speed": Field(WHOLE),
        "visibilityPercentage": Field(Only("100", "another percentage is not supported yet")),
        "centerElement": Field(Only("false", "centring is not supported yet")),
        "waitToSettleTimeoutMs": Field(Later()),
    },
)
RUN_FLOW = Keys(
    "runFlow",
    {
        "file": Field(PATH),
        "commands": Field(Commands()),
        "env": Field(MapOf(TEXT, key=VARIABLE)),
        "when": Field(CONDITION),
        "else": Field(Later("`else` is not supported yet: use a second `runFlow` with the opposite `when`")),
        "config": Field(Later()),
    },
    shorthand="file",
    rule=_flow_keys,
)
REPEAT = Keys(
    "repeat",
    {
        "times": Field(WHOLE),
        "while": Field(CONDITION, "while_"),
        "commands": Field(Commands(), needed=True),
    },
    rule=_repeat_keys,
)
STOP = Keys("stopApp", APP_FIELDS, shorthand="appId")
LONG_PRESS = Keys("longPressOn", TOUCH_FIELDS, shorthand="text", rule=_touched)
DOUBLE_TAP = Keys("doubleTapOn", TOUCH_FIELDS, shorthand="text", rule=_touched)
INPUT = Keys("inputText", {"text": Field(TEXT, needed=True), "into": Field(SELECTOR)}, shorthand="text")
SEE = Keys("assertVisible", SELECTOR_FIELDS, shorthand="text", rule=_seen_keys)
SEE_NOT = Keys("assertNotVisible", SELECTOR_FIELDS, shorthand="text", rule=_seen_keys)
WAIT = Keys(
    "extendedWaitUntil",
    {"visible": Field(SELECTOR), "notVisible": Field(SELECTOR), "timeout": Field(MILLISECONDS)},
    rule=_wait_keys,
)
SCREENSHOT = Keys(
    "takeScreenshot",
    {"path": Field(PATH, needed=True), "cropOn": Field(Later("cropping is not supported yet"))},
    shorthand="path",
)
PAUSE = Keys("pause", {"duration": Field(DURATION, needed=True)}, shorthand="duration")
PACE = Keys("pace", {"speed": Field(choice("careful", "fast"), needed=True)}, shorthand="speed")
NO_KEYS = Keys("this command", {})
ERASE = Keys(
    "eraseText", {"charactersToErase": Field(Scalar("a number of characters", _count))}, shorthand="charactersToErase"
)
PRESS = Keys("pressKey", {"key": Field(Scalar("a key", _key), needed=True)}, shorthand="key")

"""The window list of `dumpsys window windows`: one value for each `Window #N` block.

Owns the lines inside a block, in the spelling of Android 4 (numbers) and of 9 and later (words). Which window has the
focus stands elsewhere in the dump and is read by `facts`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from controller.screen.dumpsys.records import Activity, Window, parse_activity, parse_window

__all__ = ["Rect", "WindowBlock", "parse_windows", "present", "sections"]

Rect = tuple[int, int, int, int]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class WindowBlock:
    """One window of the list; what its block does not say is None or empty."""

    number: int
    window: Window
    display: int | None
    package: str | None
    type: str
    flags: str
    visible: bool
    frame: Rect | None
    given_insets: Rect | None  # what the window itself says is empty: a keyboard's see-through upper part
    activity: Activity | None

    @property
    def secure(self) -> bool:
        """True when the window may not be photographed."""
        if self.flags.startswith(("#", "0x")):
            return bool(int(self.flags.lstrip("#"), 16) & _FLAG_SECURE)
        return "SECURE" in self.flags.split()

    @property
    def application(self) -> bool:
        """True for the main window of an activity."""
        return self.type in {"1", "2", "BASE_APPLICATION", "APPLICATION"}


_FLAG_SECURE = 0x2000

# Window #0 Window{5c08713 u0 org.xbmc.kodi/org.xbmc.kodi.Main}:
_HEAD = re.compile(r"^[^A-Za-z\n]*Window #(\d{1,9})[ :]*(Window\{.*\}):?[ \t\r]*$", re.MULTILINE)
#   mDisplayId=0 rootTaskId=1290 mSession=…
_DISPLAY = re.compile(r"\bmDisplayId=(\d{1,9})")
#   mOwnerUid=10087 showForAllUsers=false package=org.xbmc.kodi appop=NONE
_PACKAGE = re.compile(r"\bpackage=([\w.]+)")
#   mAttrs={(0,0)(fillxfill) sim={adjust=resize} ty=BASE_APPLICATION …       9+
#   mAttrs=WM.LayoutParams{(0,0)(fillxfill) sim=#20 ty=1 fl=#81810100 …      up to 8.1
_TYPE = re.compile(r"\bty=(\w+)")
_FLAGS = re.compile(r"\bfl=((?:#|0x)[0-9a-fA-F]{1,8}\b|[A-Z][A-Z_ ]*[A-Z])")
_VISIBILITY = re.compile(r"\bmViewVisibility=0x([0-9a-fA-F]{1,8})\b")
_NO_SURFACE = re.compile(r"\bmHasSurface=false|\bisVisible=false|\bisOnScreen=false")
#   mFrame=[0,0][1080,1920] last=…    Frames: … frame=[0,1399][1080,2220]
_FRAME = re.compile(r"\bm?[Ff]rame=\[(-?\d{1,9}),(-?\d{1,9})\]\[(-?\d{1,9}),(-?\d{1,9})\]")
_GIVEN = re.compile(r"\bmGivenContentInsets=\[(-?\d{1,9}),(-?\d{1,9})\]\[(-?\d{1,9}),(-?\d{1,9})\]")
_ACTIVITY = re.compile(r"\b(?:mActivityRecord|mAppToken|mToken)=(.*ActivityRecord\{.*)")


# WINDOW MANAGER LAST ANR (dumpsys window lastanr)        comes first in `dumpsys window`, with the focus of that moment
# Input Dispatcher State at time of last ANR:             comes last in `dumpsys input`
_PAST = re.compile(
    r"^[ \t>]*(?:(?:WINDOW|ACTIVITY) MANAGER LAST ANR|Input Dispatcher State at time of last ANR)"
    r".*?(?=^[ \t>]*(?:(?:WINDOW|ACTIVITY|INPUT) MANAGER (?!LAST ANR)|Input Dispatcher State:|\$ )|\Z)",
    re.MULTILINE | re.DOTALL,
)


def present(text: str) -> str:
    """The text without what it repeats of the moment of the last ANR."""
    return _PAST.sub("", text) if "LAST ANR" in text or "last ANR" in text else text


def parse_windows(text: str) -> tuple[WindowBlock, ...]:
    """The windows of the list, top first as the phone prints them."""
    blocks = (_block(head, body) for head, body in sections(_HEAD, text))
    return tuple(block for block in blocks if block is not None)


def sections(head: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Each heading of the text and what stands between it and the next one."""
    before: re.Match[str] | None = None
    for found in head.finditer(text):
        if before is not None:
            yield before, text[before.end() : found.start()]
        before = found
    if before is not None:
        yield before, text[before.end() :]


def _block(head: re.Match[str], body: str) -> WindowBlock | None:
    window = parse_window(head[2])
    if window is None:
        return None
    display, record = _DISPLAY.search(body), _ACTIVITY.search(body)
    visibility = _VISIBILITY.search(body)
    return WindowBlock(
        number=int(head[1]),
        window=window,
        display=int(display[1]) if display else None,
        package=_first(_PACKAGE, body) or None,
        type=_first(_TYPE, body),
        flags=_first(_FLAGS, body),
        visible=visibility is not None and int(visibility[1], 16) == 0 and not _NO_SURFACE.search(body),
        frame=_rect(_FRAME.search(body)),
        given_insets=_rect(_GIVEN.search(body)),
        activity=parse_activity(record[1]) if record else window.activity,
    )


def _first(pattern: re.Pattern[str], body: str) -> str:
    found = pattern.search(body)
    return found[1] if found else ""


def _rect(found: re.Match[str] | None) -> Rect | None:
    if found is None:
        return None
    left, top, right, bottom = (int(value) for value in found.groups())
    return left, top, right, bottom

"""Facts about a display: is the keyboard shown and where, how is it turned, may it be photographed.

Pure functions over `dumpsys input_method`, `window` and `display`. The front app is `foreground`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from controller.screen.dumpsys.records import parse_window
from controller.screen.dumpsys.windows import Rect, WindowBlock, parse_windows, present, sections

__all__ = ["ImeWindow", "display_rotation", "ime_window", "secure_window"]


@dataclass(frozen=True, slots=True)
class ImeWindow:
    """The keyboard: `shown` is None where no line tells; `frame` is the part of the screen that it covers."""

    shown: bool | None
    frame: Rect | None = None


# mShowRequested=true mShowExplicitlyRequested=false mShowForced=false mInputShown=true       `dumpsys input_method`
_INPUT_SHOWN = re.compile(r"\bmInputShown=(true|false)")
# InsetsSource id=3 type=ime frame=[0,1442][1080,2340] visible=true flags=          14+
# InsetsSource type=ITYPE_IME frame=[0,1442][1080,2340] visible=true                11–13
# InsetsSource: {mType=ITYPE_IME, mFrame=Rect(0, 1442 - 1080, 2340), mVisible=true}
_INSETS = re.compile(
    r"InsetsSource\b[^\n]{0,60}?[tT]ype=(?:ITYPE_IME|ime)\b[^\n]{0,60}?[fF]rame=(?:Rect)?[\[(]"
    r"(-?\d{1,9}), ?(-?\d{1,9})(?:\]\[| - )(-?\d{1,9}), ?(-?\d{1,9})[^\n]{0,60}?[vV]isible=(true|false)"
)
# touchable region=SkRegion((0,1583,1080,2340))
_TOUCHABLE = re.compile(r"touchable region=SkRegion\(\((-?\d{1,9}),(-?\d{1,9}),(-?\d{1,9}),(-?\d{1,9})\)\)")


def ime_window(dumps: Mapping[str, str] | str) -> ImeWindow:
    """Whether the keyboard is shown and its frame, from `dumpsys input_method` and `dumpsys window [windows]`.

    The input method says whether it was asked to show; the insets and the window list say where it is.
    """
    text = present(dumps if isinstance(dumps, str) else "\n".join(dumps.values()))
    asked = _INPUT_SHOWN.findall(text)
    insets = [(_rect(found), found[4] == "true") for found in _INSETS.findall(text)]
    visible = [rect for rect, shown in insets if shown and not _is_empty(rect)]
    block = next((one for one in parse_windows(text) if one.window.title.startswith("InputMethod")), None)
    if "true" in asked:
        shown: bool | None = True
    elif asked:
        shown = False
    elif insets:
        shown = bool(visible)
    else:
        shown = block.visible if block is not None else None
    if not shown:
        return ImeWindow(shown)
    return ImeWindow(True, visible[-1] if visible else _covered(text, block))


def _covered(text: str, block: WindowBlock | None) -> Rect | None:
    """The keyboard's own frame without the upper part that it declares to be see-through."""
    touchable = _TOUCHABLE.search(text, text.find("InputMethod}:")) if block is not None else None
    if touchable is not None and "Window #" not in text[text.find("InputMethod}:") : touchable.start()]:
        return _rect(touchable.groups())
    if block is None or block.frame is None:
        return None
    left, top, right, bottom = block.frame
    insets = block.given_insets or (0, 0, 0, 0)
    frame = (left + insets[0], top + insets[1], right - insets[2], bottom - insets[3])
    return None if _is_empty(frame) else frame


def _rect(values: tuple[str, ...]) -> Rect:
    left, top, right, bottom = (int(value) for value in values[:4])
    return left, top, right, bottom


def _is_empty(rect: Rect) -> bool:
    return rect[2] <= rect[0] or rect[3] <= rect[1]


# mViewports=[DisplayViewport{type=INTERNAL, …, displayId=0, uniqueId='local:0', physicalPort=0, orientation=1, …}, …]
# [displayId=2 orientation=0][displayId=0 orientation=1 2400x1080]
_VIEWPORT = re.compile(r"[{\[][^{}\[\]]*?\bdisplayId=(\d{1,9})\b[^{}\[\]]*?\borientation=(\d)")
# mOverrideDisplayInfo=DisplayInfo{"Built-in Screen", displayId 0", … real 2400 x 1080, … rotation 1, state ON, …}
_INFO = re.compile(
    r"m(?P<kind>Override|Base)DisplayInfo=DisplayInfo\{[^\n]*?\bdisplayId (?P<id>\d{1,9})[^\n]*?\brotation (?P<turn>\d)"
)
# Display: mDisplayId=0          `dumpsys window displays`
#   … mRotation=ROTATION_90   mRotation=1
_SECTION = re.compile(r"^\s*Display: mDisplayId=(\d{1,9})", re.MULTILINE)
_ROTATION = re.compile(r"\b(?:mCurrentRotation|mRotation)=(?:ROTATION_(0|90|180|270)|([0-3]))\b")
# SurfaceOrientation: 1          `dumpsys input`, up to 12: the built-in display
_SURFACE = re.compile(r"\bSurfaceOrientation: ([0-3])\b")


def display_rotation(text: str, display: int = 0) -> int | None:
    """The rotation (0 to 3) of this display, from `dumpsys display`, `window displays` or `input`; None if unsaid.

    `dumpsys display` lists every display in no fixed order, so the first `orientation=` is not the answer.
    """
    for number, turn in _VIEWPORT.findall(text):
        if int(number) == display:
            return int(turn) % 4
    infos = {(found["kind"], int(found["id"])): int(found["turn"]) % 4 for found in _INFO.finditer(text)}
    for kind in ("Override", "Base"):
        if (kind, display) in infos:
            return infos[kind, display]
    found = _rotation_in_section(text, display)
    if found is not None or display != 0:
        return found
    surface = _SURFACE.search(text)
    return int(surface[1]) if surface else None


def _rotation_in_section(text: str, display: int) -> int | None:
    for head, body in sections(_SECTION, text):
        found = _ROTATION.search(body)
        if int(head[1]) == display and found is not None:
            return int(found[1]) // 90 if found[1] else int(found[2])
    return None


_FOCUS = re.compile(r"\bmCurrentFocus=(Window\{[^\n]*)")
#   fl=LAYOUT_IN_SCREEN SECURE SPLIT_TOUCH HARDWARE_ACCELERATED
_SECURE_LINE = re.compile(r"\bfl=[A-Z_ .…]*\bSECURE\b")


def secure_window(text: str) -> bool:
    """True when the window in front forbids pictures (FLAG_SECURE), so that captures are black by design.

    It is the window in focus where the text names it, else the topmost visible application window; a loose `fl=` line
    counts where no window list is there.
    """
    text = present(text)
    blocks = parse_windows(text)
    if not blocks:
        return _SECURE_LINE.search(text) is not None
    focused = {window.hash for found in _FOCUS.finditer(text) if (window := parse_window(found[1]))}
    front = [block for block in blocks if block.window.hash in focused]
    if not front:
        front = [block for block in blocks if block.application and block.visible][:1]
    return any(block.secure for block in front)

"""What one look at the phone gave, made of the texts it answered with. Pure; asking is left to `phone`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from controller.screen.dumpsys import Foreground, State, display_rotation, ime_window
from controller.screen.hierarchy import SYSTEM_UI, Bounds, Hierarchy, Node, has_nodes_of, is_keyboard

__all__ = [
    "TREE_MISSING_APP",
    "TREE_UNAVAILABLE",
    "Observation",
    "Size",
    "agree",
    "display_size",
    "input_method",
    "is_transition",
    "keyboard",
    "notes_about",
    "rotation_of",
    "turned_size",
]

Size = tuple[int, int]

TREE_MISSING_APP = "tree_missing_app"
"""The tree has no node of the front app: say nothing about what is on its screen."""
TREE_UNAVAILABLE = "tree_unavailable"
"""There is no tree at all; the note goes on with the reason."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at the phone.

    Args:
        foreground: The front app.
        hierarchy: The tree of all windows.
        size: Width and height of the display as it is turned now.
        keyboard: The part of the screen that the keyboard covers, when it is shown.
        at: When the look ended, by the session's clock.
        device_s: How long the phone took for it.
        notes: What is to be known about it: `tree_missing_app`, `tree_unavailable: …`, `frame_mismatch: …`.
        rotation: How the display is turned, in quarters; None where nothing told.
        input_method: The keyboard's package, where it is known.
    """

    foreground: Foreground
    hierarchy: Hierarchy
    size: Size
    keyboard: Bounds | None
    at: float
    device_s: float
    notes: tuple[str, ...] = ()
    rotation: int | None = None
    input_method: str | None = None

    @property
    def screen(self) -> Bounds:
        """The whole display."""
        return Bounds(0, 0, *self.size)

    @property
    def observable(self) -> bool:
        """Whether the tree says what is on the front app's screen."""
        return not any(note.startswith((TREE_MISSING_APP, TREE_UNAVAILABLE)) for note in self.notes)


# mCurMethodId=com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME     `dumpsys input_method`
_METHOD = re.compile(r"\bmCurMethodId=([\w.]+)/")
#     init=1080x2400 420dpi cur=2400x1080 app=2400x1017 rng=1080x1017-2400x2337      `dumpsys window displays`
_DISPLAY = re.compile(r"^\s*Display: mDisplayId=(\d+)", re.MULTILINE)
_CURRENT = re.compile(r"\bcur=(\d+)x(\d+)\b")


def display_size(dumps: Mapping[str, str], display: int = 0) -> Size | None:
    """The size of a display as it is turned now, from `dumpsys window displays`; None where it does not tell."""
    for text in dumps.values():
        # Each display's lines follow its head, so the parts are: before the first, number, lines, number, lines …
        parts = _DISPLAY.split(text)
        for number, lines in zip(parts[1::2], parts[2::2], strict=True):
            if int(number) == display and (found := _CURRENT.search(lines)):
                return int(found[1]), int(found[2])
    return None


def turned_size(natural: Size, rotation: int | None) -> Size:
    """The natural size as it lies in this rotation."""
    return (natural[1], natural[0]) if rotation in (1, 3) else natural


def input_method(dumps: Mapping[str, str]) -> str | None:
    """The package of the keyboard in use, from `dumpsys input_method`."""
    found = next((found for text in dumps.values() if (found := _METHOD.search(text))), None)
    return found[1] if found else None


def keyboard(dumps: Mapping[str, str], hierarchy: Hierarchy, screen: Bounds) -> Bounds | None:
    """The part of the screen that the keyboard covers; None while it is hidden.

    The dumps say whether it is shown; where it lies, the tree's keyboard window tells too.
    """
    window = ime_window(dumps)
    package = input_method(dumps)
    drawn = _drawn(hierarchy, package, screen)
    if window.shown is False:
        return None
    if window.frame:
        return Bounds(*window.frame).intersection(screen)
    # A frame that nobody tells is not made up, unless the tree shows one.
    return drawn


def _drawn(hierarchy: Hierarchy, package: str | None, screen: Bounds) -> Bounds | None:
    around: Bounds | None = None
    for window in hierarchy.windows:
        if is_keyboard(window.package, package):
            for node in window.walk():
                seen = node.bounds.intersection(screen)
                # The root of a keyboard often covers the whole screen; its keys lie below.
                if not seen.empty and not node.children:
                    around = seen if around is None else around.union(seen)
    return around


def notes_about(hierarchy: Hierarchy, front: Foreground, rotation: int | None) -> tuple[str, ...]:
    """What a reader of the tree must know."""
    notes: list[str] = list(hierarchy.notes)
    if front.package and front.state is State.APP and not has_nodes_of(hierarchy, front.package):
        notes.append(TREE_MISSING_APP)
    if None not in (rotation, hierarchy.rotation) and rotation != hierarchy.rotation:
        notes.append(f"frame_mismatch: the tree is of rotation {hierarchy.rotation}, the display of {rotation}")
    return tuple(notes)


def rotation_of(dumps: Mapping[str, str], hierarchy: Hierarchy, display: int = 0) -> int | None:
    """How the display in use is turned: what the window manager says, else the tree."""
    said = next((turn for text in dumps.values() if (turn := display_rotation(text, display)) is not None), None)
    return hierarchy.rotation if said is None else said


def is_transition(front: Foreground) -> bool:
    """Whether no window has the focus at this moment, as between two screens."""
    return front.transition


def agree(first: Observation, second: Observation) -> bool:
    """Whether two looks show the same, the clock in the status bar and the keyboard's keys left out."""
    return (
        first.foreground == second.foreground
        and not is_transition(second.foreground)
        and second.foreground.overlay != "splash"
        and first.size == second.size
        and (first.keyboard is None) == (second.keyboard is None)
        and _content(first) == _content(second)
    )


def _content(observation: Observation) -> list[Node]:
    return [
        window
        for window in observation.hierarchy.windows
        if window.package != SYSTEM_UI and not is_keyboard(window.package, observation.input_method)
    ]

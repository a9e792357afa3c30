"""What a person points at, and where that is on the screen now: a selector, a ref of the outline, or a point.

Pure: the screen is an observation, and what the refs of the last outline stood for is an argument. Touching is for
`verbs`, which refs are remembered for `session`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from controller.device.observation import TREE_UNAVAILABLE, Observation
from controller.errors import Ambiguous, InvalidSelector, NotFound, NotObservable, NotTappable, StepError
from controller.screen import outline as outlines
from controller.screen import selectors, touch
from controller.screen.hierarchy import Bounds, Node, focused_field, is_field
from controller.screen.outline import Outline
from controller.screen.points import Space, to_device
from controller.screen.selectors import Selector

__all__ = [
    "Point",
    "Ref",
    "Spot",
    "Target",
    "describe",
    "field_in_focus",
    "locate",
    "miss",
    "name_of",
    "one_target",
    "outline_of",
    "parse_point",
    "pixel",
    "ref_or_text",
]


@dataclass(frozen=True, slots=True)
class Ref:
    """An element of the outline that was read last: `e12`."""

    text: str


@dataclass(frozen=True, slots=True)
class Point:
    """A point and the space its numbers are in."""

    x: float
    y: float
    space: Space = Space.DEVICE


Target = Selector | Ref | Point


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a target is now: the pixel to touch, and what is there."""

    x: int
    y: int
    name: str
    bounds: Bounds | None = None
    healed: bool = False
    note: str = ""

    def evidence(self) -> dict[str, Any]:
        """The spot for an outcome and a report."""
        told: dict[str, Any] = {"point": [self.x, self.y], "element": self.name}
        if self.bounds is not None:
            told["bounds"] = [self.bounds.left, self.bounds.top, self.bounds.right, self.bounds.bottom]
        if self.healed:
            told["healed"] = True
        if self.note:
            told["note"] = self.note
        return told


# ---------------------------------------------------------------------------------------------------- a person's words

_REF = re.compile(r"\[?(?:ref=)?@?e\d+(?:~o\d+)?\]?")
_POINT = re.compile(r"\s*(-?\d+(?:\.\d+)?)(%?)\s*,\s*(-?\d+(?:\.\d+)?)(%?)\s*")


def ref_or_text(word: str) -> Ref | Selector:
    """The element that one word means: a ref (`e12`, `@e12`, `[ref=e12]`, `e12~o7`), else a text."""
    return Ref(word) if _REF.fullmatch(word) else Selector(text=word)


def parse_point(text: str) -> Point:
    """The point that a person wrote: `540,1200` in pixels, `50%,30%` of the screen.

    Raises:
        InvalidSelector: It is neither.
    """
    found = _POINT.fullmatch(text)
    if found is None or found[2] != found[4]:
        raise InvalidSelector(f"{text!r} is no point", hint="write pixels as 540,1200 or percent as 50%,30%")
    x, y = float(found[1]), float(found[3])
    if not found[2]:
        return Point(x, y)
    if not (0 <= x <= 100 and 0 <= y <= 100):
        raise InvalidSelector(f"{text!r} lies outside the screen", hint="percent run from 0 to 100")
    return Point(x / 100, y / 100, Space.FRACTION)


def one_target(
    ref: str | None = None,
    *,
    text: str | None = None,
    id: str | None = None,
    index: int | None = None,
    at: Point | None = None,
) -> Target:
    """The one thing that is named, of the ways to name it.

    Raises:
        InvalidSelector: None or several are.
    """
    if sum(each is not None for each in (ref, text if text is not None else id, at)) != 1:
        raise InvalidSelector(
            "name exactly one thing to touch: a ref, a text and/or id, or a point",
            hint="for instance `phonectl tap e12`, `phonectl tap --text 搜索` or `phonectl tap --at 50%,30%`",
        )
    if ref is not None:
        return Ref(ref)
    return at if at is not None else Selector(text=text, id=id, index=index)


def describe(target: Target) -> str:
    """The target in words."""
    match target:
        case Point(x, y, Space.FRACTION):
            return f"{x:.0%},{y:.0%}"
        case Point(x, y):
            return f"{x:g},{y:g}"
        case Ref(text):
            return text
        case Selector():
            return str(target)


def name_of(node: Node) -> str:
    """What a person would call the element."""
    return node.text or node.desc or node.hint or node.resource_id or node.class_name.rsplit(".", 1)[-1]


# ---------------------------------------------------------------------------------------------------------- on a screen


def locate(
    observation: Observation, target: Target, *, remembered: Any = None, unique: bool = False, field: bool = False
) -> Spot:
    """Where to touch the target.

    Args:
        observation: The screen now.
        target: What is meant.
        remembered: `screen.outline.identities` of the outline that a ref is of.
        unique: Refuse when several elements match, instead of taking the first in reading order.
        field: It is to be typed into: where text fields match, other elements that match too are not meant.

    Raises:
        NotFound, NotObservable, Ambiguous, StaleRef: There is no such element, or not one alone.
        NotTappable, OccludedByKeyboard: It is there and cannot be touched.
    """
    match target:
        case Point():
            x, y = pixel(observation, target)
            under_keyboard = observation.keyboard is not None and observation.keyboard.contains(x, y)
            return Spot(x, y, describe(target), note="the keyboard lies there" if under_keyboard else "")
        case Ref(text):
            identity = outlines.identity(remembered, text)
            element = outlines.find_again(identity, outline_of(observation))
            return _spot_of(observation, element.node, element.name, healed=element.node.path != identity.path)
        case Selector():
            node = _selected(observation, target, unique=unique, field=field)
            return _spot_of(observation, node, name_of(node))


def _selected(observation: Observation, selector: Selector, *, unique: bool, field: bool) -> Node:
    found = selectors.find(observation.hierarchy, selector, screen=observation.screen)
    if field:
        found = [node for node in found if is_field(node)] or found
    if not found:
        raise miss(observation, selector)
    if unique and len(found) > 1 and selector.index is None:
        raise Ambiguous(
            f"{len(found)} elements match {selector}",
            hint="add --index N (from 0, in reading order), or use a ref of `phonectl observe`",
            candidates=[name_of(node) for node in found[:10]],
        )
    return found[0]


def _spot_of(observation: Observation, node: Node, name: str, *, healed: bool = False) -> Spot:
    x, y = touch.tap_point(observation.hierarchy, node, screen=observation.screen, keyboard=observation.keyboard)
    return Spot(x, y, name, node.bounds, healed)


def pixel(observation: Observation, point: Point) -> tuple[int, int]:
    """The pixel of the display that a point means.

    Raises:
        NotTappable: The tree and the display are turned differently, so that nobody knows what a point means; or the
            display has no such pixel, and the nearest one is another place.
    """
    for note in observation.notes:
        if note.startswith("frame_mismatch"):
            raise NotTappable(f"{note}; points mean nothing now", hint="try again, or tap an element instead")
    width, height = observation.size
    if point.space is Space.DEVICE and not (0 <= point.x < width and 0 <= point.y < height):
        raise NotTappable(
            f"{describe(point)} lies outside the screen of {width}x{height}",
            hint="`phonectl observe --boxes` shows where things are",
            code="outside_screen",
        )
    return to_device((point.x, point.y), point.space, observation.size)


def field_in_focus(observation: Observation) -> Node:
    """The text field that has the focus.

    Raises:
        NotFound: None has.
    """
    node = focused_field(observation.hierarchy)
    if node is None:
        raise NotFound(
            "no text field has the focus", hint="tap a field first, or name one with --into", code="no_focused_field"
        )
    return node


def outline_of(observation: Observation) -> Outline:
    """The outline of the screen."""
    return outlines.outline(
        observation.hierarchy,
        package=observation.foreground.package,
        screen=observation.screen,
        keyboard=observation.keyboard,
    )


def miss(observation: Observation, selector: Selector, *, waited_s: float = 0.0) -> StepError:
    """The error for a selector that matches nothing, with what is nearest to it."""
    waited = f" within {waited_s:g} s" if waited_s else ""
    package = observation.foreground.package
    if not observation.observable:
        reason = next((note for note in observation.notes if note.startswith(TREE_UNAVAILABLE)), "")
        why = reason or f"{package} shows no elements"
        return NotObservable(
            f"{why}, so {selector} cannot be looked for{waited}",
            hint="take a screenshot and tap by coordinates: `phonectl screenshot`, `phonectl tap --at X,Y`",
        )
    near = selectors.nearest(observation.hierarchy, selector)
    overlay = observation.foreground.overlay or ""
    covered = _IN_FRONT.get(overlay) or (_A_DIALOG if overlay.startswith("window:") else None)
    says, cure = covered or ("", f"nearest: {', '.join(near)}" if near else _LOOK)
    return NotFound(
        f"nothing on the screen of {package} matches {selector}{waited}{says and f': {says}'}",
        hint=cure,
        candidates=near,
        **({"overlay": overlay} if covered else {}),
    )


_LOOK = "run `phonectl observe` to see what is there"
_A_DIALOG = ("a dialog lies in front", f"{_LOOK}, and answer the dialog first")
_IN_FRONT = {
    "anr_dialog": (
        "Android says that an app does not respond",
        f"{_LOOK}: wait for the app, or close it and open it again",
    ),
    "chooser": ("Android asks which app to use", f"{_LOOK}, and choose one first"),
    "crash_dialog": (
        "Android says that an app crashed",
        f"{_LOOK}: close the dialog, then open the app again",
    ),
    "keyguard": ("the phone is locked", "unlock the phone"),
    "notification_shade": ("the notifications lie in front", "`phonectl press back` pushes them up"),
    "permission_dialog": ("Android asks for a permission", f"{_LOOK}, and answer the question first"),
    "screen_off": ("the screen is off", "wake and unlock the phone"),
}
"""Overlay → what is in front of the app, and what helps."""

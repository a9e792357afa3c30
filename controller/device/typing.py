"""Text into the field that has the focus: by the route that works, at the pace that is asked, read back afterwards.

The first route needs no keyboard: uiautomator2's server sets the field's text. Where a field does not take that,
`input text` for ASCII, or an ADB keyboard that is already on the phone (`keyboards`). Which field, and whether typing
is allowed, is decided above.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from controller import pace
from controller.clock import Clock, poll
from controller.device.input import ShellInput
from controller.device.keyboards import ADB_KEYBOARDS, Journal, borrowed, is_installed, restore_keyboard, send
from controller.device.phone import Phone
from controller.errors import NotFound, OutcomeUnknown, StepError, TypingFailed, UiServerError
from controller.screen.hierarchy import Node, clean, focused_field

__all__ = [
    "Journal",
    "Match",
    "Typed",
    "compare",
    "erase_text",
    "graphemes",
    "restore_keyboard",
    "type_text",
    "value_of",
]

SHOWN_S = 2.0
_BULLETS = "•●∙·*⬤"
# Phone numbers, bank cards and dates are set with these by the fields themselves.
_FORMATTING = " -–()/.\u00a0\u2009\u202f"


@dataclass(frozen=True, slots=True)
class Typed:
    """What became of a text. `value` is the field's text afterwards, None for a password or a field that is gone."""

    route: str
    verified: bool
    value: str | None = None
    note: str = ""


class Match(StrEnum):
    """How the text in a field relates to the one that was to be there."""

    SAME = "same"
    FORMATTED = "formatted"
    HIDDEN = "hidden"
    TRUNCATED = "truncated"
    DIFFERENT = "different"


# Text, without a phone


def graphemes(text: str) -> list[str]:
    """What a person calls characters: an emoji of several code points is one."""
    import regex  # only typing needs it, and it takes a while to load

    found: list[str] = regex.findall(r"\X", text)
    return found


def value_of(field: Node) -> str:
    """The text that is really in a field: accessibility gives an empty field its hint as text."""
    if field.states.showing_hint or (field.hint and field.text == field.hint):
        return ""
    return field.text


def compare(wanted: str, found: str, *, password: bool = False) -> Match:
    """Whether a field holds what was typed; the field's formatting of numbers and a password's bullets are allowed."""
    if password and found and not found.strip(_BULLETS):
        return Match.HIDDEN if len(found) in (len(wanted), len(graphemes(wanted))) else Match.DIFFERENT
    wanted, found = _plain(wanted), _plain(found)
    if wanted == found:
        return Match.SAME
    bare = wanted.translate(_WITHOUT_FORMATTING), found.translate(_WITHOUT_FORMATTING)
    if bare[0] == bare[1] and any(sign.isdigit() for sign in bare[0]):
        return Match.FORMATTED
    if wanted.startswith(found):
        return Match.TRUNCATED
    return Match.DIFFERENT


_WITHOUT_FORMATTING = {ord(sign): None for sign in _FORMATTING}


def _plain(text: str) -> str:
    # Line ends stay: a line break that was lost is a difference.
    return "\n".join(
        clean(line) for line in unicodedata.normalize("NFC", text).replace("\r\n", "\n").split("\n")
    ).strip()


# Typing


def type_text(
    phone: Phone,
    text: str,
    *,
    rules: pace.Rules | None,
    rng: random.Random,
    clock: Clock,
    journal: Journal,
) -> Typed:
    """What became of `text`, appended to the field that has the focus.

    Args:
        phone: The phone.
        text: What to type; a line break is text and presses no key.
        rules: The pace; None enters the text at once.
        rng: Draws the pauses.
        clock: Waits for them.
        journal: Where the keyboard is written down if it must be changed.

    Raises:
        TypingFailed: No field has the focus, no route works, or the field does not hold the text afterwards.
        OutcomeUnknown: A part was sent and its answer was lost.
    """
    field = _focused(phone)
    before = _Before.of(field, phone)
    strokes = _strokes(rules, graphemes(text), rng) if rules else (pace.Keystroke(text, 0.0),)
    route = _enter(phone, field, before, strokes, clock, journal)
    return _read_back(phone, field, before, text, route, clock)


def erase_text(
    phone: Phone, count: int | None = None, *, rules: pace.Rules | None = None, rng: random.Random | None = None
) -> int:
    """How many characters are left in the field after its last `count` were erased; all of them when not given.

    Args:
        phone: The phone.
        count: How many characters, as a person counts them.
        rules: The pace; None erases them at once.
        rng: Draws the pauses; needed with `rules`.

    Raises:
        TypingFailed: No field has the focus, or it kept its text.
    """
    field = _focused(phone)
    signs = graphemes(_value(phone, field))
    kept = len(signs) - (len(signs) if count is None else min(count, len(signs)))
    if signs[kept:] and (rules or not (_knows(field) and _set_text(phone, field, "".join(signs[:kept])))):
        _delete(phone, _strokes(rules, signs[kept:], rng))
    found = poll(
        lambda: None if (now := _length(phone, field)) is None or now > kept else now,
        clock=phone.clock,
        timeout_s=SHOWN_S,
    )
    if found is None:
        now = _length(phone, field)
        says = "the field is gone" if now is None else f"the field still holds {now} characters of {len(signs)}"
        hint = "the app may set the text itself, or have moved on; look at the screen"
        raise TypingFailed(f"{says}; {kept} were to be left", hint=hint, code="not_erased")
    return found


@dataclass(frozen=True, slots=True)
class _Before:
    """What was in the field. `text` is None where it cannot be known: a password that was there already."""

    text: str | None
    length: int

    @classmethod
    def of(cls, field: Node, phone: Phone) -> _Before:
        value = _value(phone, field)
        if field.password and value:
            return cls(None, len(value))
        if phone.sdk is not None and phone.sdk < 26 and not field.hint:
            # Before Android 8 nothing tells a hint from a text, and a field is mostly typed into while it is empty.
            value = ""
        return cls(value, len(value))


def _enter(
    phone: Phone,
    field: Node,
    before: _Before,
    strokes: Sequence[pace.Keystroke],
    clock: Clock,
    journal: Journal,
) -> str:
    """The route by which the text went in. Another route is tried only while nothing has been entered."""
    text = "".join(stroke.grapheme for stroke in strokes)
    if before.text is not None and _by_server(phone, field, before.text, strokes, clock):
        return "set_text"
    if text.isascii() and text.isprintable() and _by_keys(phone, strokes, clock):
        return "input"
    if _by_keyboard(phone, strokes, clock, journal):
        return "keyboard"
    raise TypingFailed(
        "the field takes no text from outside",
        hint="type it on the phone, or install an ADB keyboard there once (ADBKeyBoard or uiautomator2's)",
        code="no_route",
    )


def _by_server(phone: Phone, field: Node, entered: str, strokes: Sequence[pace.Keystroke], clock: Clock) -> bool:
    """Set the field's text anew with each grapheme, where uiautomator2's server runs."""

    def set_longer(grapheme: str) -> bool:
        nonlocal entered
        entered += grapheme
        return _set_text(phone, field, entered)

    return not isinstance(phone.input, ShellInput) and _stroke_by_stroke(strokes, set_longer, clock)


def _by_keys(phone: Phone, strokes: Sequence[pace.Keystroke], clock: Clock) -> bool:
    by_keys = ShellInput(phone.device, explain=phone.explain)
    return _stroke_by_stroke(strokes, lambda grapheme: _done(lambda: by_keys.text(grapheme)), clock)


def _by_keyboard(phone: Phone, strokes: Sequence[pace.Keystroke], clock: Clock, journal: Journal) -> bool:
    for keyboard in ADB_KEYBOARDS:
        if is_installed(phone, keyboard):
            with borrowed(phone, keyboard, journal):
                if _stroke_by_stroke(strokes, partial(send, phone, keyboard), clock):
                    return True
    return False


def _stroke_by_stroke(strokes: Sequence[pace.Keystroke], send: Callable[[str], bool], clock: Clock) -> bool:
    """Send each grapheme and wait until the next one is due. False when the first one was not taken.

    Raises:
        TypingFailed: A later one was not taken.
    """
    for place, stroke in enumerate(strokes):
        started = clock.now()
        if not send(stroke.grapheme):
            if place == 0:
                return False
            raise TypingFailed(
                f"the field took {place} of {len(strokes)} characters",
                hint="look at the field: it may have a limit, or the app moved on",
                code="text_truncated",
                delivered=place,
            )
        if place < len(strokes) - 1:
            _rest(stroke, started, clock)
    return True


def _rest(stroke: pace.Keystroke, started: float, clock: Clock) -> None:
    """Wait until the next grapheme is due.

    The answer's own time belongs to the gap. When in that time the grapheme arrived is not known, so the shortest gap
    is counted from its answer: a slow first answer must not bring two graphemes close together on the phone.
    """
    shortest = min(stroke.wait_s, pace.CAREFUL.grapheme.low)
    clock.sleep(max(shortest, stroke.wait_s - (clock.now() - started)))


def _strokes(rules: pace.Rules | None, signs: Sequence[str], rng: random.Random | None) -> Sequence[pace.Keystroke]:
    """The graphemes with their pauses; without a pace they have none."""
    if rules is None or rng is None:
        return [pace.Keystroke(sign, 0.0) for sign in signs]
    return pace.cadence(rules, signs, rng) or ()


def _delete(phone: Phone, strokes: Sequence[pace.Keystroke]) -> None:
    """Erase so many graphemes at the end, each with a key of its own."""
    phone.press("move end")
    for stroke in strokes:
        started = phone.clock.now()
        phone.press("delete")
        _rest(stroke, started, phone.clock)


def _done(act: Callable[[], None]) -> bool:
    try:
        act()
    except OutcomeUnknown:
        raise
    except StepError as err:
        if err.code == "inject_denied":
            raise
        return False
    return True


# The field


def _focused(phone: Phone) -> Node:
    observation = phone.observe()
    field = focused_field(observation.hierarchy)
    if field is None:
        why = f" ({observation.notes[0]})" if not observation.observable else ""
        raise TypingFailed(f"no text field has the focus{why}", hint="tap the field first, then type", code="no_focus")
    if field.bounds.intersection(observation.screen).empty:
        raise TypingFailed(
            "the field that has the focus cannot be seen",
            hint="scroll to it, or tap the field you mean; some apps keep a hidden field behind boxes for digits",
            code="hidden_field",
        )
    return field


# d(className=…, resourceId=…, focused=True, instance=0), as uiautomator2 writes it
def _selector(field: Node) -> dict[str, Any]:
    """What names the field for the server. With `instance` it sets the text without touching the field first."""
    mask, names = 0x020000 | 0x01000000, {}
    if field.class_name:
        mask, names = mask | 0x10, {"className": field.class_name}
    if field.resource_id:
        mask, names = mask | 0x200000, {**names, "resourceId": field.resource_id}
    return {"mask": mask, "childOrSibling": [], "childOrSiblingSelector": [], "focused": True, "instance": 0, **names}


def _set_text(phone: Phone, field: Node, text: str) -> bool:
    try:
        if not text:
            phone.ui.call("clearTextField", _selector(field), read=False)
            return True
        return phone.ui.call("setText", _selector(field), text, read=False) is not False
    except (NotFound, UiServerError):
        return False


def _knows(field: Node) -> bool:
    """Whether the value can be set anew without losing what cannot be read."""
    return not (field.password and value_of(field))


def _value(phone: Phone, field: Node) -> str:
    """What is in the field before anything is done. The server is asked: a dump may break emoji."""
    value = value_of(field)
    if not value or field.password:
        return value
    return _text_now(phone, field) or ""


def _text_now(phone: Phone, field: Node) -> str | None:
    """The field's text by the server's own word. None when the field is gone."""
    try:
        if not isinstance(phone.input, ShellInput):
            text = phone.ui.call("getText", _selector(field), read=True)
            # Without a hint in the tree the server's text is the best there is.
            return "" if text is None or (field.hint and text == field.hint) else str(text)
    except (NotFound, UiServerError):
        pass
    found = focused_field(phone.observe().hierarchy)
    return value_of(found) if found else None


def _length(phone: Phone, field: Node) -> int | None:
    text = _text_now(phone, field)
    return None if text is None else len(graphemes(text))


def _read_back(phone: Phone, field: Node, before: _Before, text: str, route: str, clock: Clock) -> Typed:
    wanted = text if before.text is None else before.text + text
    seen: list[str | None] = [None]

    def arrived() -> Match | None:
        seen[0] = found = _text_now(phone, field)
        if found is None:
            return Match.HIDDEN
        if before.text is None:
            return Match.HIDDEN if len(found) >= before.length + len(graphemes(text)) else None
        match = compare(wanted, found, password=field.password)
        return match if match in (Match.SAME, Match.FORMATTED, Match.HIDDEN) else None

    match = poll(arrived, clock=clock, timeout_s=SHOWN_S)
    found = seen[0]
    if found is None:
        return Typed(route, verified=False, note="the field is gone: the app moved on")
    if match is not None:
        return Typed(route, verified=True, value=None if field.password else found, note=str(match))
    raise _not_there(wanted, found, len(wanted) - len(text), field)


def _not_there(wanted: str, found: str, before: int, field: Node) -> TypingFailed:
    if field.password:
        return TypingFailed("the password field does not hold what was typed", hint="erase it and type again")
    if compare(wanted, found) is Match.TRUNCATED:
        delivered = max(0, len(found) - before)
        return TypingFailed(
            f"the field holds {delivered} of {len(wanted) - before} characters",
            hint="the field may have a limit",
            code="text_truncated",
            delivered=delivered,
        )
    return TypingFailed(
        f"the field holds “{found[:80]}”, not what was typed",
        hint="the app may change the text itself; look at the field",
        found=found,
    )

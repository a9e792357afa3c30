"""The steps people know: tap, type, press, scroll, open a link by its name; a function each.

A verb turns what a person means into a `Step` and lets the session conduct it. Waiting for the pace, counting screens
and tracing are the session's; where a target is on the screen is for `targets`; the words of links are `links`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controller import links, opening, targets
from controller.clock import poll
from controller.device import keys, typing
from controller.device.observation import Observation
from controller.device.phone import Phone
from controller.errors import NotFound, NotObservable, OpenFailed, TimedOut, UnknownApp
from controller.library.app import App
from controller.screen import outline as outlines
from controller.screen import selectors, touch
from controller.screen.hierarchy import Node
from controller.screen.outline import Outline
from controller.screen.selectors import Selector
from controller.screen.touch import Direction, Line
from controller.session import Session
from controller.step import Effect, Hands, Opening, Outcome, Status, Step, Verdict
from controller.targets import Point, Ref, Spot, Target

__all__ = [
    "double_tap",
    "erase_text",
    "find",
    "hide_keyboard",
    "long_press",
    "observe",
    "open_app",
    "open_link",
    "open_uri",
    "press",
    "screenshot",
    "scroll",
    "scroll_to",
    "stop_app",
    "swipe",
    "tap",
    "type_text",
    "wait_for",
    "wait_gone",
]

# How often a screen is read while something is waited for, in seconds.
LOOK_EVERY_S = 0.25
# Part of a container's height that one `scroll` moves, as Maestro's does.
SCROLL_FRACTION = 0.6
SCROLL_S = 0.5


# ---------------------------------------------------------------------------------------------------------- reading


def observe(session: Session) -> tuple[Observation, Outline]:
    """The screen now and its outline; the outline's refs may be used by the next command."""
    observation = session.observe()
    made = targets.outline_of(observation)
    last = session.remembered_outline() or {}
    session.remember_outline(outlines.identities(made, number=(last.get("number") or 0) + 1))
    return observation, made


def screenshot(session: Session) -> bytes:
    """A PNG of the screen.

    Raises:
        NotObservable: The window forbids pictures of itself.
    """
    picture = session.phone.picture()
    if picture.secure:
        raise NotObservable(
            "the app in front forbids pictures of its screen",
            hint="its elements can be read all the same: `phonectl observe`",
            code="secure_window",
        )
    return picture.png


def find(session: Session, selector: Selector, *, timeout_s: float = 0.0) -> tuple[Observation, Node]:
    """The first element that matches, in reading order, and the observation it is on; waits up to `timeout_s`.

    Raises:
        NotFound: Nothing matches; the error names the nearest candidates.
        NotObservable: The front app shows no elements at all.
    """
    last: list[Observation] = []

    def look() -> tuple[Observation, Node] | None:
        observation = session.observe()
        last[:] = [observation]
        found = selectors.find(observation.hierarchy, selector, screen=observation.screen)
        return (observation, found[0]) if found else None

    answer = poll(look, clock=session.clock, timeout_s=timeout_s, every_s=LOOK_EVERY_S)
    if answer is None:
        raise targets.miss(last[0], selector, waited_s=timeout_s)
    return answer


def wait_for(session: Session, selector: Selector, *, timeout_s: float) -> Observation:
    """The observation on which an element matches.

    Raises:
        TimedOut: None did within `timeout_s`.
    """
    try:
        return find(session, selector, timeout_s=timeout_s)[0]
    except (NotFound, NotObservable) as err:
        raise TimedOut(err.message, hint=err.hint, **err.details) from err


def wait_gone(session: Session, selector: Selector, *, timeout_s: float) -> Observation:
    """The observation on which no element matches any more.

    Raises:
        TimedOut: One still did after `timeout_s`.
    """

    def look() -> Observation | None:
        observation = session.observe()
        return None if selectors.find(observation.hierarchy, selector, screen=observation.screen) else observation

    answer = poll(look, clock=session.clock, timeout_s=timeout_s, every_s=LOOK_EVERY_S)
    if answer is None:
        raise TimedOut(f"{selector} is still on the screen after {timeout_s:g} s")
    return answer


# ---------------------------------------------------------------------------------------------------------- touching


def tap(session: Session, target: Target, *, outward: str | None = None, unique: bool = False) -> Outcome:
    """What became of one tap on `target`.

    Args:
        session: The phone.
        target: A selector, a ref of the last outline, or a point.
        outward: What the tap sends into the world (send, submit, pay …), if it does.
        unique: Refuse when several elements match, instead of taking the first in reading order.
    """
    return session.conduct(_touch_step(session, "tap", target, _tap, outward=outward, unique=unique))


def long_press(session: Session, target: Target, *, hold_s: float = 0.8, unique: bool = False) -> Outcome:
    """What became of one long press on `target`."""

    def press_long(phone: Phone, x: int, y: int) -> None:
        phone.long_press(x, y, hold_s=hold_s)

    return session.conduct(_touch_step(session, "long_press", target, press_long, unique=unique))


def double_tap(session: Session, target: Target) -> Outcome:
    """What became of two quick taps on `target`."""

    def twice(phone: Phone, x: int, y: int) -> None:
        phone.tap(x, y)
        phone.tap(x, y)

    return session.conduct(_touch_step(session, "double_tap", target, twice))


def swipe(session: Session, start: Point, end: Point, *, duration_s: float = 0.4) -> Outcome:
    """What became of a swipe from `start` to `end`."""

    def locate(observation: Observation) -> Line:
        return targets.pixel(observation, start), targets.pixel(observation, end)

    def act(hands: Hands, line: Line) -> Mapping[str, Any]:
        hands.phone.swipe(line[0], line[1], duration_s=duration_s)
        return {"from": list(line[0]), "to": list(line[1])}

    return session.conduct(Step("swipe", "swipe", Effect.STAYS, locate, act))


def scroll(session: Session, direction: Direction = Direction.DOWN, *, fraction: float = SCROLL_FRACTION) -> Outcome:
    """What became of one scroll of the biggest scroll container in front; `evidence["moved"]` says if it moved."""

    def locate(observation: Observation) -> Line:
        vertical = direction in (Direction.UP, Direction.DOWN)
        package = observation.foreground.package
        container = touch.scroll_container(observation.hierarchy, package=package) if vertical else None
        bounds = container.bounds if container else observation.screen
        return touch.drag_line(bounds, observation.screen, direction, fraction, keyboard=observation.keyboard)

    def act(hands: Hands, line: Line) -> Mapping[str, Any]:
        hands.phone.drag(line[0], line[1], duration_s=SCROLL_S, rest_s=0.1)
        return {"from": list(line[0]), "to": list(line[1])}

    def judge(before: Observation, after: Observation, evidence: Mapping[str, Any]) -> Verdict:
        moved = before.hierarchy.windows != after.hierarchy.windows
        summary = f"scroll {direction}" if moved else f"scroll {direction}: nothing moved, the end is reached"
        return Verdict(Status.DONE, summary, {**evidence, "moved": moved})

    return session.conduct(Step("scroll", f"scroll {direction}", Effect.STAYS, locate, act, judge))


def scroll_to(
    session: Session, selector: Selector, *, direction: Direction = Direction.DOWN, timeout_s: float = 20.0
) -> Node:
    """The element that matches, scrolled into view.

    Raises:
        NotFound: The end was reached, or `timeout_s` went by, without it.
    """
    deadline = session.clock.now() + timeout_s
    still = 0
    while True:
        observation = session.observe()
        found = selectors.find(observation.hierarchy, selector, screen=observation.screen)
        if found:
            return found[0]
        # The second scroll that moves nothing proves the end: the first one may have met a list that was loading.
        if still >= 2 or session.clock.now() >= deadline:
            raise targets.miss(observation, selector, waited_s=timeout_s)
        still = 0 if scroll(session, direction).evidence["moved"] else still + 1


# ---------------------------------------------------------------------------------------------------------- keys, text


def press(session: Session, key: str) -> Outcome:
    """What became of one key: back, home, enter, volume_up … or an Android key code."""
    code = keys.keycode(key)
    effect = Effect.STAYS if code in keys.STAYING else Effect.NAVIGATES

    def act(hands: Hands, _: None) -> Mapping[str, Any]:
        hands.phone.press(code)
        return {"key": key, "keycode": code}

    return session.conduct(Step("press", f"press {key}", effect, _nothing, act))


def hide_keyboard(session: Session) -> Outcome | None:
    """What became of hiding the keyboard; None when it was not shown."""
    if session.observe().keyboard is None:
        return None

    def act(hands: Hands, _: None) -> Mapping[str, Any]:
        # Back hides a shown keyboard and leaves the screen as it is.
        hands.phone.press("back")
        return {}

    return session.conduct(Step("hide_keyboard", "hide the keyboard", Effect.STAYS, _nothing, act))


def type_text(
    session: Session, text: str, *, into: Target | None = None, secret: bool = False, unique: bool = False
) -> Outcome:
    """What became of typing `text` into the focused field, or into `into`, which is tapped first.

    Raises:
        TypingFailed: The field shows something else afterwards.
        NotFound: No text field has the focus.
    """
    tapped = None
    if into is not None:
        tapped = session.conduct(_touch_step(session, "tap", into, _tap, unique=unique, field=True))
        if tapped.status is not Status.DONE:
            return tapped
    shown = "•" * len(text) if secret else text

    def act(hands: Hands, _: Node) -> Mapping[str, Any]:
        done = typing.type_text(
            hands.phone, text, rules=hands.rules, rng=hands.rng, clock=hands.clock, journal=hands.journal
        )
        return {"route": done.route, "characters": len(text), "verified": done.verified}

    typed = session.conduct(Step("type", f"type “{shown}”", Effect.STAYS, targets.field_in_focus, act))
    return typed.behind(tapped) if tapped else typed


def erase_text(session: Session, count: int | None = None) -> Outcome:
    """What became of erasing the last `count` characters of the focused field, all of them if not given."""

    def act(hands: Hands, _: Node) -> Mapping[str, Any]:
        return {"left": typing.erase_text(hands.phone, count, rules=hands.rules, rng=hands.rng)}

    what = "all text" if count is None else f"{count} characters"
    return session.conduct(Step("erase", f"erase {what}", Effect.STAYS, targets.field_in_focus, act))


# ---------------------------------------------------------------------------------------------------------- opening


def open_app(session: Session, name: str, *, stop: bool = False, clear: bool = False) -> Outcome:
    """What became of opening an app by its name in APP.md or by its package.

    Raises:
        UnknownApp: Neither an APP.md nor an installed package has this name.
    """
    package, app = _package_of(session, name)

    def act(hands: Hands, _: None) -> Mapping[str, Any]:
        if clear:
            hands.phone.clear_app(package)
        elif stop:
            hands.phone.stop_app(package)
        return opening.told(hands.phone.start_app(package))

    def judge(before: Observation, after: Observation, evidence: Mapping[str, Any]) -> Verdict:
        return opening.judge(before, after, evidence, package=package, what=name)

    opens = Opening(package, app)
    return session.conduct(Step("open_app", f"open {name}", Effect.NAVIGATES, _nothing, act, judge, opens))


def stop_app(session: Session, name: str) -> str:
    """The package that was stopped. Stopping is not an action in the app: nothing is waited for or counted."""
    package, _ = _package_of(session, name)
    session.phone.stop_app(package)
    session.trace.emit("action", step="stop_app", summary=f"stop {package}")
    return package


def open_link(session: Session, app_name: str, title: str, args: Mapping[str, str] | None = None) -> Outcome:
    """What became of opening a page of an app by its link's title in APP.md.

    Args:
        session: The phone.
        app_name: The app's id, name, alias or package; the name of one of several packages opens the page in that one.
        title: The link's title.
        args: Values of the link's `{placeholders}`.

    Raises:
        UnknownApp, UnknownLink: No such app or title; the error names the nearest ones.
        InvalidLink: A value is missing or too many.
        OpenFailed: The app is not installed.
    """
    app, named = session.library.target(app_name)
    link = links.resolve(app, title, args or {}, package=named if named != app.packages[0] else None)
    if not session.phone.installed(link.package):
        raise _not_installed(session, app.display, link.package)
    return session.conduct(_link_step(link.uri, link.package, app, f"{app.display} “{link.title}”"))


def open_uri(session: Session, uri: str, *, package: str | None = None) -> Outcome:
    """What became of opening a URI, in `package` or in whatever app handles it.

    Raises:
        InvalidLink: The URI must not be sent.
        OpenFailed: `package` is not installed.
    """
    encoded = links.check_uri(uri)
    if package is not None and not session.phone.installed(package):
        raise _not_installed(session, package, package)
    app = session.library.app_by_package(package) if package else None
    return session.conduct(_link_step(encoded, package, app, uri))


def _link_step(uri: str, package: str | None, app: App | None, what: str) -> Step[None]:
    def act(hands: Hands, _: None) -> Mapping[str, Any]:
        return {"uri": uri, **opening.told(hands.phone.view(uri, package))}

    def judge(before: Observation, after: Observation, evidence: Mapping[str, Any]) -> Verdict:
        return opening.judge(before, after, evidence, package=package, what=what)

    opens = Opening(package, app) if package else None
    return Step("open_link", f"open {what}", Effect.NAVIGATES, _nothing, act, judge, opens)


def _not_installed(session: Session, name: str, package: str) -> OpenFailed:
    shown = name if name == package else f"{name} ({package})"
    return OpenFailed(
        f"{shown} is not installed on {session.phone.serial}; nothing was sent",
        hint="install it on the phone, or name another package of the app",
        code="not_installed",
        package=package,
    )


def _package_of(session: Session, name: str) -> tuple[str, App | None]:
    try:
        app, named = session.library.target(name)
    except UnknownApp:
        if session.phone.installed(name):
            return name, None
        raise
    # Where the name means the app as a whole, any of its packages that is installed serves.
    candidates = app.packages if named == app.packages[0] and name != named else (named,)
    for package in candidates:
        if session.phone.installed(package):
            return package, app
    raise _not_installed(session, app.display, candidates[0])


# ---------------------------------------------------------------------------------------------------------- steps


def _touch_step(
    session: Session,
    kind: str,
    target: Target,
    touch_it: Callable[[Phone, int, int], None],
    *,
    outward: str | None = None,
    unique: bool = False,
    field: bool = False,
) -> Step[Spot]:
    def locate(observation: Observation) -> Spot:
        remembered = session.remembered_outline() if isinstance(target, Ref) else None
        return targets.locate(observation, target, remembered=remembered, unique=unique, field=field)

    def act(hands: Hands, spot: Spot) -> Mapping[str, Any]:
        touch_it(hands.phone, spot.x, spot.y)
        return spot.evidence()

    word = kind.replace("_", " ")
    return Step(kind, f"{word} {targets.describe(target)}", Effect.NAVIGATES, locate, act, outward=outward)


def _tap(phone: Phone, x: int, y: int) -> None:
    # Not the method itself: a phone that is being filmed has its own.
    phone.tap(x, y)


def _nothing(observation: Observation) -> None:  # noqa: ARG001 - a step without a target still is asked for it
    return None

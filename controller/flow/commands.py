"""The one table of commands, and the function that does each of them.

A command is one function and one row of `COMMANDS`; its keys are in `grammar`. The function is given the stage and its
filled values, calls a verb, and answers with the verb's outcome, or with facts for the report. Reading is in `parser`,
order in `runner`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller import verbs
from controller.errors import AssertionFailed, NotFound, NotObservable, TimedOut, UsageError
from controller.flow import grammar
from controller.flow.expressions import truthy
from controller.flow.model import StepSpec
from controller.flow.shapes import Condition, Keys, ScreenPoint
from controller.flow.stage import OPTIONAL_LOOKUP_S, Stage
from controller.screen.hierarchy import Bounds, Node, focused_field
from controller.screen.points import Space
from controller.screen.selectors import Selector
from controller.screen.touch import Direction
from controller.step import Outcome
from controller.targets import Point, name_of

__all__ = ["COMMANDS", "Command", "Result", "Skipped", "holds", "subflow_path"]

Result = Outcome | Mapping[str, Any] | None


class Skipped(Exception):
    """The command did nothing because its condition does not hold."""


@dataclass(frozen=True, slots=True)
class Command:
    """One row of the table.

    Args:
        name: The word in the file.
        run: Does it.
        keys: What it may say.
        bare: It may stand alone, without values.
        composite: It contains commands: it has no picture of its own.
    """

    name: str
    run: Callable[..., Result]
    keys: Keys
    bare: bool = False
    composite: bool = False


# ---------------------------------------------------------------------------------------------------------- apps, links


def launch_app(
    stage: Stage, *, app_id: str | None = None, clear_state: bool = False, stop_app: bool = True, **_: Any
) -> Result:
    """Open an app, as Maestro does after stopping it."""
    return verbs.open_app(stage.session, _app(stage, app_id), stop=stop_app, clear=clear_state)


def stop_app(stage: Stage, *, app_id: str | None = None) -> Result:
    """Stop an app."""
    return {"package": verbs.stop_app(stage.session, _app(stage, app_id))}


def open_link(
    stage: Stage,
    *,
    link: str | None = None,
    package: str | None = None,
    app: str | None = None,
    title: str | None = None,
    args: Mapping[str, str] | None = None,
    **_: Any,
) -> Result:
    """Open a URI, or a page of an app by its link's title."""
    if link is not None:
        return verbs.open_uri(stage.session, link, package=package)
    return verbs.open_link(stage.session, app or _app(stage, None), title or "", args or {})


def _app(stage: Stage, app_id: str | None) -> str:
    name = app_id or stage.app_id
    if name is None:
        raise UsageError("no app is named", hint="name it in the command, or write `appId:` in the flow's header")
    return name


# ---------------------------------------------------------------------------------------------------------- touching


def tap_on(stage: Stage, *, outward: str | None = None, repeat: int = 1, delay: float = 0.1, **what: Any) -> Result:
    """Tap an element or a point, once or `repeat` times."""
    outcome = verbs.tap(stage.session, _target(stage, **what), outward=outward)
    for _ in range(repeat - 1):
        stage.session.clock.sleep(delay)
        outcome = verbs.tap(stage.session, _target(stage, **what), outward=outward)
    return outcome


def long_press_on(stage: Stage, **what: Any) -> Result:
    """Press an element or a point for long."""
    return verbs.long_press(stage.session, _target(stage, **what))


def double_tap_on(stage: Stage, **what: Any) -> Result:
    """Tap an element or a point twice, quickly."""
    return verbs.double_tap(stage.session, _target(stage, **what))


def swipe(
    stage: Stage,
    *,
    direction: str = "UP",
    start: ScreenPoint | None = None,
    end: ScreenPoint | None = None,
    source: Mapping[str, Any] | None = None,
    duration: float = 0.4,
) -> Result:
    """Swipe in a direction, from an element in a direction, or between two points."""
    if start is not None and end is not None:
        return verbs.swipe(stage.session, _screen_point(start), _screen_point(end), duration_s=duration)
    if source is None:
        first, last = SWIPES[direction]
        return verbs.swipe(stage.session, _percent(*first), _percent(*last), duration_s=duration)
    (x, y), (width, height) = _place_of(stage, **source)
    ends = {"UP": (x, 0.1 * height), "DOWN": (x, 0.9 * height), "LEFT": (0.1 * width, y), "RIGHT": (0.9 * width, y)}
    return verbs.swipe(stage.session, Point(x, y), Point(*ends[direction]), duration_s=duration)


SWIPES = {
    "UP": ((50, 50), (50, 10)),
    "DOWN": ((50, 20), (50, 90)),
    "LEFT": ((90, 50), (10, 50)),
    "RIGHT": ((10, 50), (90, 50)),
}
"""Where a swipe begins and ends, in percent of the screen; the figures of Maestro's `AndroidDriver.kt`."""


def scroll(stage: Stage) -> Result:
    """Scroll down."""
    return verbs.scroll(stage.session, Direction.DOWN)


def scroll_until_visible(
    stage: Stage, *, element: Selector, direction: str = "DOWN", timeout: float = 20.0, **_: Any
) -> Result:
    """Scroll until an element can be seen."""
    node = verbs.scroll_to(stage.session, element, direction=Direction(direction.lower()), timeout_s=timeout)
    return _seen(node)


def _target(stage: Stage, *, point: ScreenPoint | None = None, **selector: Any) -> Selector | Point:
    """What is to be touched; an element is waited for first."""
    if not selector:
        if point is None:
            raise UsageError("nothing to touch is named", hint="name a text, an id or a point")
        return _screen_point(point)
    if point is None:
        target = Selector(**selector)
        verbs.find(stage.session, target, timeout_s=stage.lookup_s)
        return target
    return Point(*_place_of(stage, point=point, **selector)[0])


def _place_of(
    stage: Stage, *, point: ScreenPoint | None = None, **selector: Any
) -> tuple[tuple[float, float], tuple[int, int]]:
    """The pixel in an element, and the size of the screen: its middle, or the point inside of it."""
    seen, node = verbs.find(stage.session, Selector(**selector), timeout_s=stage.lookup_s)
    inside = point or ScreenPoint(50, 50, percent=True)
    box = node.bounds
    if inside.percent:
        return (box.left + box.width * inside.x / 100, box.top + box.height * inside.y / 100), seen.size
    return (box.left + inside.x, box.top + inside.y), seen.size


def _screen_point(point: ScreenPoint) -> Point:
    return _percent(point.x, point.y) if point.percent else Point(point.x, point.y)


def _percent(x: float, y: float) -> Point:
    return Point(x / 100, y / 100, Space.FRACTION)


# ---------------------------------------------------------------------------------------------------------- text, keys


def input_text(stage: Stage, *, text: str, into: Selector | None = None) -> Result:
    """Type into the focused field, or into the one that is named."""
    field = _field(stage, into)
    secret = field is not None and field.password
    if secret:
        stage.runner.redact(text)
    return verbs.type_text(stage.session, text, into=into, secret=secret)


def _field(stage: Stage, into: Selector | None) -> Node | None:
    if into is None:
        return focused_field(stage.session.observe().hierarchy)
    return verbs.find(stage.session, into, timeout_s=stage.lookup_s)[1]


def erase_text(stage: Stage, *, characters_to_erase: int | None = None) -> Result:
    """Erase the last characters of the focused field; all of them where no number is given."""
    return verbs.erase_text(stage.session, characters_to_erase)


def press_key(stage: Stage, *, key: str) -> Result:
    """Press a key."""
    return verbs.press(stage.session, key)


def back(stage: Stage) -> Result:
    """Go back."""
    return verbs.press(stage.session, "back")


def hide_keyboard(stage: Stage) -> Result:
    """Hide the keyboard, where it is shown."""
    return verbs.hide_keyboard(stage.session) or {"note": "the keyboard was not shown"}


# ---------------------------------------------------------------------------------------------------------- looking


def assert_visible(stage: Stage, **selector: Any) -> Result:
    """An element can be seen, at the latest when the look-up time is over."""
    return _see(stage, Selector(**selector), stage.lookup_s)


def assert_not_visible(stage: Stage, **selector: Any) -> Result:
    """No such element can be seen, at the latest when the look-up time is over."""
    return _see_gone(stage, Selector(**selector), stage.lookup_s)


def extended_wait_until(
    stage: Stage, *, visible: Selector | None = None, not_visible: Selector | None = None, timeout: float | None = None
) -> Result:
    """An element can be seen, or is gone, within a time of the flow's own."""
    wait_s = stage.lookup_s if timeout is None else timeout
    if not_visible is not None:
        _see_gone(stage, not_visible, wait_s)
    return _see(stage, visible, wait_s) if visible is not None else None


def take_screenshot(stage: Stage, *, path: str) -> Result:
    """A picture in the run folder."""
    return {"picture": stage.runner.keep_picture(path.removesuffix(".png"))}


def _see(stage: Stage, selector: Selector, timeout_s: float) -> Result:
    try:
        _, node = verbs.find(stage.session, selector, timeout_s=timeout_s)
    except NotFound as err:
        raise AssertionFailed(err.message, hint=err.hint, **err.details) from err
    return _seen(node)


def _see_gone(stage: Stage, selector: Selector, timeout_s: float) -> Result:
    try:
        verbs.wait_gone(stage.session, selector, timeout_s=timeout_s)
    except TimedOut as err:
        raise AssertionFailed(err.message, hint=err.hint, **err.details) from err
    return None


def _seen(node: Node) -> dict[str, Any]:
    return {"element": name_of(node), "bounds": _box(node.bounds)}


def _box(bounds: Bounds) -> list[int]:
    return [bounds.left, bounds.top, bounds.right, bounds.bottom]


# ---------------------------------------------------------------------------------------------------------- order


def run_flow(
    stage: Stage,
    *,
    file: str | None = None,
    commands: tuple[StepSpec, ...] = (),
    env: Mapping[str, str] | None = None,
    when: Condition | None = None,
) -> Result:
    """Run a sub-flow or commands, where the condition holds."""
    if when is not None and not holds(stage, when):
        raise Skipped("its condition does not hold")
    if file is not None:
        stage.runner.run_file(subflow_path(stage.file, file), env or {}, stage.variables)
    else:
        stage.runner.run_steps(commands, {**stage.variables, **(env or {})})
    return None


def repeat(
    stage: Stage, *, commands: tuple[StepSpec, ...], times: int | None = None, while_: Condition | None = None
) -> Result:
    """Run commands again and again: a number of times, while a condition holds, or whichever ends first."""
    done = 0
    while (times is None or done < times) and (while_ is None or holds(stage, while_)):
        stage.runner.run_steps(commands, stage.variables)
        done += 1
    return {"times": done}


def pause(stage: Stage, *, duration: float) -> Result:
    """Wait for a time of the flow's own."""
    stage.runner.pause(duration, "pause of the flow")
    return None


def pace(stage: Stage, *, speed: str) -> Result:
    """Go on carefully or fast."""
    stage.runner.set_speed(speed)
    return {"speed": speed}


def holds(stage: Stage, condition: Condition) -> bool:
    """Whether every part of the condition holds; elements get the optional look-up time, counted from the last action.

    A screen that shows no elements makes neither `visible` nor `notVisible` true.
    """
    if condition.platform is not None and condition.platform != "Android":
        return False
    if condition.true is not None and not truthy(condition.true):
        return False
    clock = stage.session.clock
    timeout_s = max(0.0, OPTIONAL_LOOKUP_S - (clock.now() - stage.idle_since))
    try:
        if condition.visible is not None:
            verbs.find(stage.session, condition.visible, timeout_s=timeout_s)
        if condition.not_visible is not None:
            verbs.wait_gone(stage.session, condition.not_visible, timeout_s=timeout_s)
    except (NotFound, NotObservable, TimedOut):
        return False
    return True


def subflow_path(file: str, named: str) -> str:
    """The path of a sub-flow that `file` names, relative to the folder of `file`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(file.replace("\\", "/")), named.replace("\\", "/")))


# ---------------------------------------------------------------------------------------------------------- the table


COMMANDS: dict[str, Command] = {
    row.name: row
    for row in (
        Command("launchApp", launch_app, grammar.LAUNCH, bare=True),
        Command("stopApp", stop_app, grammar.STOP, bare=True),
        Command("openLink", open_link, grammar.LINK),
        Command("tapOn", tap_on, grammar.TAP),
        Command("longPressOn", long_press_on, grammar.LONG_PRESS),
        Command("doubleTapOn", double_tap_on, grammar.DOUBLE_TAP),
        Command("inputText", input_text, grammar.INPUT),
        Command("eraseText", erase_text, grammar.ERASE, bare=True),
        Command("pressKey", press_key, grammar.PRESS),
        Command("back", back, grammar.NO_KEYS, bare=True),
        Command("hideKeyboard", hide_keyboard, grammar.NO_KEYS, bare=True),
        Command("scroll", scroll, grammar.NO_KEYS, bare=True),
        Command("scrollUntilVisible", scroll_until_visible, grammar.SCROLL_UNTIL),
        Command("swipe", swipe, grammar.SWIPE),
        Command("assertVisible", assert_visible, grammar.SEE),
        Command("assertNotVisible", assert_not_visible, grammar.SEE_NOT),
        Command("extendedWaitUntil", extended_wait_until, grammar.WAIT),
        Command("takeScreenshot", take_screenshot, grammar.SCREENSHOT),
        Command("runFlow", run_flow, grammar.RUN_FLOW, composite=True),
        Command("repeat", repeat, grammar.REPEAT, composite=True),
        Command("pause", pause, grammar.PAUSE),
        Command("pace", pace, grammar.PACE),
    )
}

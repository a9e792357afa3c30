"""Which app is in front, what lies over it, and how sure that is: one pure function over the text of dumps.

Owns the weighing of the lines that `facts` collects. Running the commands, and asking again while the answer is a
transition, is `device.phone`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from controller.screen.dumpsys.facts import DisplayFacts, Facts, Resumed, Sighting, collect
from controller.screen.dumpsys.fragments import Fragment, from_fragments, mend
from controller.screen.dumpsys.lock import app_over_keyguard, why_dark, why_locked
from controller.screen.dumpsys.records import (
    Activity,
    Window,
    overlay_of_activity,
    overlay_of_title,
    parse_activity,
    parse_component,
    parse_package,
    split_process,
)
from controller.screen.dumpsys.windows import WindowBlock, parse_windows, present

__all__ = ["Foreground", "State", "foreground", "foreground_commands", "more_commands"]


class State(StrEnum):
    """What the person sees: an app, something over it, the lock screen, nothing; or it cannot be said."""

    APP = "app"
    OVERLAY = "overlay"
    KEYGUARD = "keyguard"
    SCREEN_OFF = "screen_off"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Foreground:
    """The front app.

    Attributes:
        package: The app whose screen it is, also while something else has the focus over it.
        activity: Its activity, the full class name.
        user: The Android user it runs as (10 and above: work profile, dual app, second person).
        display: The display the answer is about.
        state: What the person sees.
        overlay: What has the focus instead of the app: notification_shade, status_bar, permission_dialog, chooser,
            crash_dialog, anr_dialog, popup, ime, splash, dream, keyguard, screen_off, `window:<title>`; else None.
        behind: An activity the system still calls focused while another one has the input focus.
        confident: False for everything that is inferred rather than said by the focus or resumed lines.
        via: The line the answer came from, or why there is none.
        about: The process a crash or ANR dialog is about.
        transition: No window has the focus at this moment, as between two screens: ask again.
        record: The identity of the activity's instance, the same from one look to the next: two pages of one class are
            two instances.
    """

    package: str | None
    activity: str | None = None
    user: int | None = None
    display: int = 0
    state: State = State.UNKNOWN
    overlay: str | None = None
    behind: str | None = None
    confident: bool = False
    via: str = ""
    about: str | None = None
    transition: bool = False
    record: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The answer as JSON."""
        return {**asdict(self), "state": str(self.state)}


def foreground_commands(sdk: int | None) -> tuple[str, ...]:
    """The commands whose outputs `foreground` reads best; plain words, to be joined by `;` for one round trip.

    Android 10 moved `mCurrentFocus` from `window windows` to `window displays`; `window` alone has it everywhere and
    is long.
    """
    if sdk is None:
        return ("dumpsys window", "dumpsys activity activities")
    focus = "dumpsys window displays" if sdk >= 29 else "dumpsys window windows"
    return (focus, "dumpsys window policy", "dumpsys activity activities")


def more_commands(sdk: int | None) -> tuple[str, ...]:
    """What to run where the first answer is not confident and no transition."""
    del sdk  # the same on all versions
    return ("dumpsys window", "dumpsys input", "dumpsys activity top")


def foreground(dumps: Mapping[str, str], sdk: int | None = None, *, display: int | None = None) -> Foreground:
    """The front app, from command lines and their outputs. Never raises; says so where the text does not tell.

    Args:
        dumps: Command line → output, in any order and number; filtered, cut and pasted text is read as it is.
        sdk: Android's API level where it is known.
        display: Ask for this display instead of the one in use.
    """
    dumps = {command: present(text) for command, text in dumps.items()}
    answer = _read(dumps, sdk, display)
    if answer.confident:
        return answer
    mended = mend(dumps)
    return answer if mended is dumps else _read(mended, sdk, display)


def _read(dumps: Mapping[str, str], sdk: int | None, display: int | None) -> Foreground:
    facts = collect(dumps, sdk)
    view = _View(facts, _choose_display(facts, display), dumps, asked=display is not None)
    return _with_screen(_front(view), view)


# -- the display ----------------------------------------------------------------------------------------------------


def _choose_display(facts: Facts, asked: int | None) -> int:
    """The key of the display in use: the one asked for, the focused one, the only one with a focus, or 0."""
    if asked is not None:
        return asked
    if facts.focused_display is not None and _has_lines(facts, facts.focused_display):
        return facts.focused_display
    named = [key for key in facts.displays if key >= 0 and _focus_of(facts.displays[key])]
    if named:
        return next((key for key in named if _has_resumed(facts, key)), 0 if 0 in named else named[0])
    loose = _loose_with_focus(facts)
    if loose:
        return loose[0]
    nameless = [key for key in facts.displays if key < 0]
    without_focus = [key for key in nameless if facts.displays[key].focus]
    if not nameless or (0 in facts.displays and not without_focus):
        return 0
    apps = [key for key in nameless if (app := facts.displays[key].app) and app[0] is not None]
    return (apps or without_focus or nameless)[0]


def _has_resumed(facts: Facts, key: int) -> bool:
    """True where the display has the resumed activity of the whole system in focus."""
    resumed, place = facts.resumed[0] if facts.resumed else None, facts.displays[key]
    focus, app = _focus_of(place), place.app[0] if place.app else None
    activities = (app, focus.activity if focus else None)
    return any(activity is not None and activity.same_as(resumed) for activity in activities)


def _has_lines(facts: Facts, number: int) -> bool:
    """False for a focused display of which the (filtered) text has nothing, while it names a focus elsewhere."""
    place = facts.displays.get(number)
    return (place is not None and (place.focus or place.app) is not None) or not _loose_with_focus(facts)


def _focus_of(place: DisplayFacts) -> Window | None:
    """The focused window by the best line there is."""
    for pair in (place.focus, place.policy_focus, place.has_focus):
        if pair is not None and pair[0] is not None:
            return pair[0]
    return None


def _loose_with_focus(facts: Facts) -> list[int]:
    """Displays without a heading that have a focus: those of the first dump that has any; a main screen first."""
    keys = [key for key in facts.displays if key < 0 and _focus_of(facts.displays[key])]
    keys = [key for key in keys if key // 1000 == keys[0] // 1000]
    resumed = facts.resumed[0] if facts.resumed else None

    def rank(key: int) -> int:
        focus = _focus_of(facts.displays[key])
        activity = focus.activity if focus else None
        if activity is not None and activity.same_as(resumed):
            return 0
        return 2 if activity is not None and _is_second_home(activity) else 1

    return sorted(keys, key=rank)


def _is_second_home(activity: Activity) -> bool:
    """Cover screens and second screens keep a home screen of their own in front."""
    name = activity.name or ""
    return name.endswith((".subscreen.SubHomeActivity", ".SecondaryDisplayLauncher", ".CoverLauncher"))


class _View:
    """The facts as they look from one display: w (focus), a (focused app), r (resumed activity)."""

    def __init__(self, facts: Facts, key: int, dumps: Mapping[str, str], *, asked: bool) -> None:
        self.facts = facts
        self.asked = asked
        self.dumps = dumps
        self.key = key
        self.number = max(key, 0)
        self.place = facts.displays.get(key) or DisplayFacts()
        self.focus = self._focus()
        self.app = self._app()
        self.resumed, self.resumed_sure = self._resumed()
        self.loose = _loose_with_focus(facts)

    def _focus(self) -> tuple[Window | None, Sighting] | None:
        """The focus line; the display policy and the window list of `dumpsys input` stand in for it."""
        pairs = (self.place.focus, self.place.policy_focus, self.place.has_focus)
        seen = [pair for pair in pairs if pair is not None]
        return next((pair for pair in seen if pair[0] is not None), seen[0] if seen else None)

    def _app(self) -> tuple[Activity | None, Sighting] | None:
        """The focused app of this display, or the only one that was printed without a heading."""
        if self.place.app is not None or self.key > 0:
            return self.place.app
        apps = [place.app for key, place in self.facts.displays.items() if (key < 0 or self.key < 0) and place.app]
        known = [pair for pair in apps if pair[0] is not None]
        return known[0] if len(known) == 1 else (apps[0] if len(apps) == 1 else None)

    def _resumed(self) -> tuple[tuple[Activity, Sighting] | None, bool]:
        """The resumed activity of this display, and whether the text leaves no choice."""
        facts = self.facts
        whole = facts.resumed
        if whole is not None and whole[0] is not None and self._is_in_use():
            return (whole[0], whole[1]), True
        for several in (facts.top_resumed, facts.stack_resumed):
            mine = [one for one in several if self._shows(one)]
            if mine:
                best = self._in_focused_root(mine) or mine[0]
                alone = all(one.activity.same_as(best.activity) for one in mine) or best.root == facts.focused_root
                return (best.activity, best.sighting), alone
        areas = [place.area_resumed for place in (facts.displays.values() if self.key < 0 else [self.place])]
        for pair in (*areas, facts.focused_activity if self.number == 0 else None):
            if pair is not None and pair[0] is not None:
                return (pair[0], pair[1]), True
        return None, False

    def _is_in_use(self) -> bool:
        """`ResumedActivity:` speaks of the display in use."""
        return self.key < 0 or self.facts.focused_display in {None, self.number}

    def _shows(self, one: Resumed) -> bool:
        on_display = one.display is None or self.key < 0 or one.display == self.number
        return on_display and one.visible and not one.pinned

    def _in_focused_root(self, several: list[Resumed]) -> Resumed | None:
        root = self.facts.focused_root
        return next((one for one in several if root is not None and one.root == root), None)

    def blocks(self) -> tuple[WindowBlock, ...]:
        """The window list, read only where the focus lines do not suffice."""
        return tuple(block for text in self.dumps.values() if "Window #" in text for block in parse_windows(text))


# -- the decision ---------------------------------------------------------------------------------------------------


def _front(view: _View) -> Foreground:
    if view.focus is None:
        return _without_focus(view)
    window, sighting = view.focus
    if window is None:
        return _no_window_has_focus(view, sighting)
    if window.activity is not None:
        answer = _activity_in_focus(view, window, window.activity, sighting)
    else:
        answer = _title_in_focus(view, window, sighting)
    if _several_focused(view):
        return replace(answer, confident=False, via=f"{answer.via}; several displays have a focus")
    return answer


def _several_focused(view: _View) -> bool:
    """Several displays have different windows in focus, and nothing says which is in use."""
    if view.asked or view.facts.focused_display == view.key or _has_resumed(view.facts, view.key):
        return False
    keys = view.loose if view.key < 0 else [key for key in view.facts.displays if key >= 0]
    windows = {window for key in keys if (window := _focus_of(view.facts.displays[key]))}
    return len(windows) > 1


def _activity_in_focus(view: _View, window: Window, activity: Activity, sighting: Sighting) -> Foreground:
    """The window in focus is an activity's: it beats every other line."""
    overlay = overlay_of_activity(activity)
    others = [pair[0] for pair in (view.app, view.resumed) if pair is not None and pair[0] is not None]
    under = next((other for other in others if overlay_of_activity(other) is None), None)
    if overlay == "dream" and under is not None:
        return _answer(view, under, sighting, overlay=overlay, sure=window.whole)
    if activity.name is None:  # cut off: another line may have the whole name
        activity = next((other for other in others if other.package == activity.package), activity)
    behind = next((other for other in others if other.package != activity.package), None)
    if behind is None and overlay is not None:
        behind = _asker(view, [activity, *others])
    answer = _answer(view, activity, sighting, overlay=overlay, sure=window.whole)
    return replace(answer, behind=behind.short if behind else None)


def _asker(view: _View, dialog: list[Activity]) -> Activity | None:
    """The app that a permission dialog or chooser stands in front of: the next one in the history of its task."""
    task = next((one.task for one in dialog if one.task is not None), None)
    for line in view.facts.history if task is not None else ():
        activity = parse_activity(line)
        if activity is not None and activity.task == task and overlay_of_activity(activity) is None:
            return activity
    return None


def _title_in_focus(view: _View, window: Window, sighting: Sighting) -> Foreground:
    """The window in focus belongs to no activity: it is an overlay, the app is the one the system calls focused."""
    overlay = overlay_of_title(window.title)
    app, sure = _app_under(view)
    if app is None:
        app, sure = _owner(view, window, overlay), False
    answer = _answer(view, app, sighting, overlay=overlay, sure=sure and window.whole)
    return replace(answer, user=app.user if app and app.user is not None else window.user, about=_about(window.title))


def _app_under(view: _View) -> tuple[Activity | None, bool]:
    """The app under an overlay: the focused app, else the resumed one; sure when they do not contradict."""
    app = view.app[0] if view.app else None
    resumed = view.resumed[0] if view.resumed else None
    if app is None:
        return resumed, view.resumed_sure
    return app, resumed is None or app.package == resumed.package


def _owner(view: _View, window: Window, overlay: str) -> Activity | None:
    """Whose window it is, where no activity line came: the window list, what is visible below, the title itself."""
    if view.place.below is not None:
        return view.place.below[0]
    if overlay == "splash":
        package = parse_package(window.title.rsplit(" ", 1)[-1].split("/", 1)[0])
        return Activity(package, None, window.user) if package else None
    if overlay == "popup" and (found := parse_component(window.title.partition(":")[2])):
        return Activity(*found, window.user)
    if overlay != "popup" and not overlay.startswith("window:"):
        return None  # the shade and the dialogs belong to the system, not to an app
    for block in view.blocks():
        if window.hash and block.window.hash == window.hash:
            if block.activity is not None:
                return block.activity
            if block.package is not None:
                return Activity(block.package, None, window.user)
    package = parse_package(window.title)
    return Activity(package, None, window.user) if package else None


def _about(title: str) -> str | None:
    head, colon, process = title.partition(": ")
    return process if colon and head in {"Application Error", "Application Not Responding"} else None


def _no_window_has_focus(view: _View, sighting: Sighting) -> Foreground:
    """A transition or a black screen. The caller asks again; only two lines that agree are worth a mention."""
    app = view.app[0] if view.app else None
    resumed = view.resumed[0] if view.resumed else None
    if app is not None and resumed is not None and app.package == resumed.package:
        answer = _answer(view, resumed, sighting, overlay=overlay_of_activity(resumed), sure=False)
        return replace(answer, transition=True, via=f"{sighting} is null")
    behind = app.short if app else None
    return Foreground(None, display=view.number, behind=behind, transition=True, via=f"{sighting} is null")


def _without_focus(view: _View) -> Foreground:
    """No focus line at all, as in filtered output: the resumed activity, then the focused app, then hints."""
    app = view.app[0] if view.app else None
    if view.resumed is not None:
        resumed, sighting = view.resumed
        opaque = view.place.opaque[0] if view.place.opaque else None
        others = [one for one in (app, opaque.activity if opaque else None) if one is not None]
        sure = view.resumed_sure and all(one.package == resumed.package for one in others)
        overlay = overlay_of_activity(resumed)
        asker = _asker(view, [resumed]) if overlay is not None else None
        answer = _answer(view, resumed, sighting, overlay=overlay, sure=sure)
        return replace(answer, behind=asker.short if asker else None)
    if view.app is not None and app is not None:
        # Up to Android 10 the focused app may be stale on the way home (a car head unit on 4.4, TCL on 5.x).
        sure = not view.app[1].key.endswith("(token)")
        return _answer(view, app, view.app[1], overlay=overlay_of_activity(app), sure=sure)
    return _last_resort(view)


def _last_resort(view: _View) -> Foreground:
    """Lines that are right more often than not. Never confident, but for the dump made for this question."""
    facts = view.facts
    if facts.top:
        resumed = [entry for entry in facts.top if entry.resumed]
        best = (resumed or facts.top)[-1]  # the focused one is printed last
        if resumed or all(entry.resumed is None for entry in facts.top):
            return _answer(view, best.activity, best.sighting, overlay=None, sure=facts.top_only)
    for pair in (facts.task_activity, facts.stack_list):
        if pair is not None:
            return _answer(view, pair[0], pair[1], overlay=None, sure=False)
    found = _window_hint(view)
    if found is not None:
        return _answer(view, found[0], found[1], overlay=None, sure=False)
    if facts.process is not None:
        process = Activity(split_process(facts.process[0])[0], None)
        return _answer(view, process, facts.process[1], overlay=None, sure=False)
    return _from_fragment(view, from_fragments(view.dumps))


def _window_hint(view: _View) -> tuple[Activity, Sighting] | None:
    """The window the keyboard would serve, the topmost application window, an opaque or awake-keeping window."""
    targets = [place.ime_target for place in view.facts.displays.values() if place.ime_target]
    target = view.place.ime_target or (targets[0] if len(targets) == 1 else None)
    for pair in (target, _topmost(view), view.place.opaque, view.facts.hint):
        if pair is not None and pair[0] is not None and pair[0].activity is not None:
            return pair[0].activity, pair[1]
    return None


def _topmost(view: _View) -> tuple[Window, Sighting] | None:
    """The first application window of the list that can be seen, where the list begins at the top."""
    blocks = [block for block in view.blocks() if block.display in {None, view.number}]
    ascending = len(blocks) < 2 or blocks[0].number < blocks[1].number
    if not blocks or (ascending and blocks[0].number > 1):
        return None
    for block in blocks:
        if block.application and block.visible and block.window.activity is not None:
            return block.window, Sighting(f"Window #{block.number}", "")
    return None


def _from_fragment(view: _View, fragment: Fragment | None) -> Foreground:
    """Log lines and loose names: a past moment, so the state stays unknown."""
    if fragment is not None:
        return Foreground(
            fragment.package, fragment.activity, user=fragment.user, display=view.number, via=fragment.via
        )
    why = "a dump was cut off by its time limit" if view.facts.cut else "no line names a focus or a resumed activity"
    return Foreground(None, display=view.number, via=why)


def _answer(
    view: _View, activity: Activity | None, sighting: Sighting, *, overlay: str | None, sure: bool
) -> Foreground:
    state = State.APP if overlay is None else State.OVERLAY
    return Foreground(
        activity.package if activity else None,
        activity.name if activity else None,
        user=activity.user if activity else None,
        display=view.number,
        state=State(overlay) if overlay in _STATES_OF_THEIR_OWN else state,
        overlay=overlay,
        confident=sure and sighting.sure and activity is not None,
        via=str(sighting),
        record=_record(view, activity),
    )


def _record(view: _View, activity: Activity | None) -> str | None:
    """The identity of the activity's instance: a window's title does not have it, the records of the app do."""
    if activity is None or activity.record is not None:
        return activity.record if activity else None
    for pair in (view.resumed, view.app):
        if pair is not None and activity.same_as(pair[0]):
            return pair[0].record if pair[0] else None
    return None


_STATES_OF_THEIR_OWN = {State.KEYGUARD.value, State.SCREEN_OFF.value}


# -- screen and lock ------------------------------------------------------------------------------------------------


def _with_screen(answer: Foreground, view: _View) -> Foreground:
    """A dark or locked screen overrides every app that still counts as resumed."""
    state = {**view.facts.state, **view.place.state}
    if view.key < 0 or not view.place.state:  # states printed without the heading of a display
        for key, place in view.facts.displays.items():
            if key < 0:
                state.update(place.state)
    dark = why_dark(state)
    if dark is not None:
        return _covered(answer, view, State.SCREEN_OFF, dark)
    locked = why_locked(state)
    if locked is not None and not app_over_keyguard(state):
        return _covered(answer, view, State.KEYGUARD, locked)
    if state.get("mWakefulness") == "Dreaming" and answer.overlay is None:
        return replace(answer, state=State.OVERLAY, overlay="dream", via="mWakefulness")
    return answer


def _covered(answer: Foreground, view: _View, state: State, why: str) -> Foreground:
    """The answer under a screen that is off or locked: the app below stays named where lines agree on it."""
    if answer.package is None:
        app, sure = _app_under(view)
        if app is not None:
            answer = _answer(view, app, Sighting(why, ""), overlay=None, sure=sure)
    return replace(answer, state=state, overlay=state.value, transition=False, via=why)

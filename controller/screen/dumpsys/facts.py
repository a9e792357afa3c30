"""One pass over the text of dumps, collecting every line that says something about the front app.

Owns which lines exist and where they stand (display, task, section). It weighs nothing against anything: that is
`foreground`. The text decides what is read, not the command, so pasted, filtered and mixed output reads the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from controller.screen.dumpsys.records import Activity, Window, parse_activity, parse_window

__all__ = ["DisplayFacts", "Facts", "Resumed", "Sighting", "TopEntry", "collect"]


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where a fact was read; `sure` is false when its dump was cut off by a time limit."""

    key: str
    command: str
    sure: bool = True

    def __str__(self) -> str:
        return f"{self.key} in {self.command}" if self.command else self.key


@dataclass(slots=True)
class DisplayFacts:
    """What the dumps say about one display; a pair is None when its line was not there at all."""

    focus: tuple[Window | None, Sighting] | None = None  # mCurrentFocus, FocusedWindow(s)
    app: tuple[Activity | None, Sighting] | None = None  # mFocusedApp, FocusedApplication(s)
    policy_focus: tuple[Window | None, Sighting] | None = None  # mFocusedWindow of the display policy
    opaque: tuple[Window | None, Sighting] | None = None  # mTopFullscreenOpaqueWindowState
    ime_target: tuple[Window | None, Sighting] | None = None
    area_resumed: tuple[Activity | None, Sighting] | None = None  # `Resumed:` of the task display areas
    has_focus: tuple[Window | None, Sighting] | None = None  # a row of `dumpsys input` with hasFocus=true
    below: tuple[Activity, Sighting] | None = None  # the first visible application window of `dumpsys input`
    state: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Resumed:
    """A resumed activity and the task it was printed in."""

    activity: Activity
    display: int | None
    root: int | None
    visible: bool
    pinned: bool
    sighting: Sighting


@dataclass(slots=True)
class TopEntry:
    """One ACTIVITY block of `dumpsys activity top`."""

    activity: Activity
    sighting: Sighting
    resumed: bool | None = None


@dataclass(slots=True)
class Facts:
    """Everything that was read. Displays that were not named have negative keys, in the order they were printed."""

    displays: dict[int, DisplayFacts] = field(default_factory=dict)
    focused_display: int | None = None
    focused_root: int | None = None
    resumed: tuple[Activity | None, Sighting] | None = None  # `ResumedActivity:`, the one of the whole system
    top_resumed: list[Resumed] = field(default_factory=list)  # `topResumedActivity=`, one for each leaf task (12L+)
    stack_resumed: list[Resumed] = field(default_factory=list)  # `mResumedActivity:`, one for each stack (up to 12)
    focused_activity: tuple[Activity | None, Sighting] | None = None  # `mFocusedActivity:`, up to 7.1
    task_activity: tuple[Activity, Sighting] | None = None  # first record of the first visible task
    history: list[str] = field(default_factory=list)  # `Hist #1: ActivityRecord{…}` as printed, top of each task first
    stack_list: tuple[Activity, Sighting] | None = None  # `am stack list`
    hint: tuple[Window, Sighting] | None = None  # mObscuringWindow, mHoldScreenWindow
    top: list[TopEntry] = field(default_factory=list)
    top_only: bool = False  # the short `dumpsys activity top-resumed`
    process: tuple[str, Sighting] | None = None  # `(top-activity)` of `dumpsys activity processes`
    cut: bool = False  # a dump ran into its time limit
    state: dict[str, str] = field(default_factory=dict)

    def display(self, key: int) -> DisplayFacts:
        """The facts of one display, made when it is named for the first time."""
        found = self.displays.get(key)
        if found is None:
            found = self.displays[key] = DisplayFacts()
        return found


def collect(dumps: Mapping[str, str], sdk: int | None = None) -> Facts:
    """All facts of the dumps, in their order."""
    facts = Facts()
    for number, (command, text) in enumerate(dumps.items()):
        _Reader(facts, command, text, number, sdk).read()
    return facts


@dataclass(slots=True)
class _Task:
    indent: int
    number: int | None
    visible: bool
    pinned: bool


# The word a line begins with, behind blanks, list marks, quoting (`> `) and the numbers of `grep -n`.
_WORD = re.compile(r"[^A-Za-z]*([A-Za-z]\w*)")
_NUMBER = re.compile(r"-?\d{1,9}\b")
_PAIR = re.compile(r"\b(\w+)=(\w+)")
_TIMED_OUT = ("DUMP TIMEOUT", "Failure while dumping")

# mTopFocusedDisplayId is -1 while no display has the focus.
_ROOT_NUMBER = re.compile(r"stackId=(\d{1,9})|#(\d{1,9})")
_TASK_NUMBER = re.compile(r"#(\d{1,9})|id=(\d{1,9})")
# displayId=0, name='Window{c4bfea u0 com.foo/com.foo.Main}'
_NAMED = re.compile(r"displayId=(\d{1,9}), name='(.*?)'(?:,|\s|$)")
# 2: name='Window{3efed45d u0 dream}', displayId=0, … hasFocus=true, … visible=true, … type=0x000007e7
_ROW = re.compile(r"name='(.*?)',.*?\bdisplayId=(\d{1,9})")
_BASE_TYPE = re.compile(r"\btype=(?:0x0*1\b|BASE_APPLICATION|APPLICATION)")
# taskId=6: com.foo/com.foo.Main bounds=… visible=true topActivity=ComponentInfo{com.foo/com.foo.Main}
_TOP_COMPONENT = re.compile(r"topActivity=ComponentInfo\{([^{}]*)\}")
# Proc # 0: fg     T/A/TOP  LCM  t: 0 6204:com.foo/u0a201 (top-activity)
_TOP_PROCESS = re.compile(r"\d+:([A-Za-z][\w.:]*)/\S+ \(top-activity\)")
_IN_DISPLAY = re.compile(r"in display# ?(\d{1,9})")
# Several lines pasted as one.
_NEXT_KEY = re.compile(
    r"\s(?=(?:mCurrentFocus|mFocusedApp|mFocusedWindow|mResumedActivity|topResumedActivity|ResumedActivity"
    r"|mLastPausedActivity|mFocusedActivity|mInputMethodTarget)\s*[=:])"
)


class _Reader:
    """Reads one dump into the facts; keeps the place (display, task, section) it is at."""

    def __init__(self, facts: Facts, command: str, text: str, number: int, sdk: int | None) -> None:
        self.facts = facts
        self.command = command
        self.text = text
        self.sdk = sdk
        self.cut = any(mark in text for mark in _TIMED_OUT)
        facts.cut |= self.cut
        self.place: int | None = None  # display
        self.tasks: list[_Task] = []
        self.section = ""
        self.rest = ""
        self.loose = {"focus": -1 - 1000 * number, "app": -1 - 1000 * number}
        self.base = -1 - 1000 * number

    def read(self) -> None:
        """Reads every line once."""
        handlers = _HANDLERS
        match = _WORD.match
        for line in self.text.splitlines():
            self.rest = line
            while self.rest:  # several keys may share a line
                line, self.rest = self.rest, ""
                found = match(line)
                handler = handlers.get(found[1]) if found is not None else None
                if found is not None and handler is not None:
                    handler(self, found[1], line, found.end())

    def seen(self, key: str) -> Sighting:
        """A sighting in this dump."""
        return Sighting(key, self.command, not self.cut)

    def here(self) -> DisplayFacts:
        """The display whose section this is."""
        return self.facts.display(self.base if self.place is None else self.place)

    # -- where we are -------------------------------------------------------------------------------------------

    def heading(self, word: str, line: str, end: int) -> None:
        """`WINDOW MANAGER …`, `ACTIVITY MANAGER …`, `ActivityTaskSupervisor state:` begin anew."""
        rest = line[end:]
        if word == "ACTIVITY" and not rest.startswith(" MANAGER "):
            self.top_entry(rest)
            return
        self.place, self.tasks, self.section = None, [], ""
        if "TOP-RESUMED" in rest:
            self.facts.top_only = True

    def display(self, _word: str, line: str, end: int) -> None:
        """`Display #0 (activities …):`, `Display: mDisplayId=0 (organized)`, `Display: 0`."""
        rest = line[end:]
        number = _NUMBER.search(rest)
        if number is not None and rest[:2] in {" #", ": "}:
            self.place, self.tasks, self.section = int(number[0]), [], ""
        elif rest.startswith(" Power: state="):
            self.facts.state.setdefault("displayPower", rest[14:].split(" ", 1)[0])

    def task(self, word: str, line: str, end: int) -> None:
        """`* Task{c66ea45 #6 … visible=true … mode=fullscreen}`, `Stack #1: type=standard mode=pinned`."""
        rest = line[end:]
        if word == "Task" and not rest.startswith("{"):
            return
        indent = len(line[: end - len(word)].rpartition(":")[2])  # without the number of `grep -n`
        while self.tasks and (self.tasks[-1].indent >= indent or word != "Task"):
            self.tasks.pop()
        number = _TASK_NUMBER.search(rest)
        shown = "visible=false" not in rest
        root = int(number[1] or number[2]) if number else None
        # Android 7 on TV: stack 4 is the picture in picture, and the mode is not printed.
        pinned = "mode=pinned" in rest or (word == "Stack" and root == 4 and self.sdk in {24, 25})
        self.tasks.append(_Task(indent, root, shown, pinned))

    def resumed_in_task(self, activity: Activity, key: str) -> Resumed:
        """The activity with the circumstances of the task around this line."""
        return Resumed(
            activity,
            self.place,
            self.tasks[0].number if self.tasks else None,
            visible=all(task.visible for task in self.tasks),
            pinned=any(task.pinned for task in self.tasks),
            sighting=self.seen(key),
        )

    # -- lines of the window manager ----------------------------------------------------------------------------

    def current_focus(self, word: str, line: str, end: int) -> None:
        """`mCurrentFocus=Window{…}` or `=null`."""
        window = parse_window(self.value(line, end))
        place = self.facts.display(self.next_place("focus"))
        if place.focus is None or place.focus[0] is None:
            place.focus = (window, self.seen(word))

    def focused_app(self, word: str, line: str, end: int) -> None:
        """`mFocusedApp=ActivityRecord{…}`, `=AppWindowToken{… ActivityRecord{…}}` or `=null`."""
        value = self.value(line, end)
        place = self.facts.display(self.next_place("app"))
        if place.app is None or place.app[0] is None:
            key = word if "Token{" not in value else f"{word} (token)"
            place.app = (parse_activity(value), self.seen(key))

    def next_place(self, kind: str) -> int:
        """The display of this line; without headings the n-th focus belongs to the n-th focused app."""
        if self.place is not None:
            return self.place
        key = self.loose[kind]
        self.loose[kind] = key - 1
        return key

    def value(self, line: str, end: int) -> str:
        """The value behind `=` or `:`; more keys on the same line are left to be read next."""
        rest = line[end:].lstrip(" =:\t")
        more = _NEXT_KEY.search(rest)
        if more is None:
            return rest
        self.rest = rest[more.end() :]
        return rest[: more.start()]

    def policy_window(self, word: str, line: str, end: int) -> None:
        """`mFocusedWindow=`, `mTopFullscreenOpaqueWindowState=` of the display policy."""
        window = parse_window(self.value(line, end))
        place = self.here()
        if word == "mFocusedWindow":
            place.policy_focus = place.policy_focus or (window, self.seen(word))
        else:
            place.opaque = place.opaque or (window, self.seen(word))

    def ime_target(self, word: str, line: str, end: int) -> None:
        """`mInputMethodTarget=Window{…}`, `imeInputTarget in display# 0 Window{…}`."""
        rest = line[end:]
        number = _IN_DISPLAY.search(rest)
        start = rest.find("Window{")
        window = parse_window(rest[start:]) if start >= 0 else None
        place = self.facts.display(int(number[1])) if number else self.here()
        if window is not None and place.ime_target is None:
            place.ime_target = (window, self.seen(word))

    def window_hint(self, word: str, line: str, end: int) -> None:
        """`mObscuringWindow=`, `mHoldScreenWindow=`: the last hint of some televisions."""
        window = parse_window(self.value(line, end))
        if window is not None and self.facts.hint is None:
            self.facts.hint = (window, self.seen(word))

    def focused_display(self, _word: str, line: str, end: int) -> None:
        """`mTopFocusedDisplayId=0`, `FocusedDisplayId: 0`."""
        number = _NUMBER.search(line, end)
        if number is not None and int(number[0]) >= 0 and self.facts.focused_display is None:
            self.facts.focused_display = int(number[0])

    def states(self, word: str, line: str, _end: int) -> None:
        """`mAwake=true mScreenOnEarly=true`, `showing=false`: states of keyguard and screen."""
        state = self.here().state if word in _DISPLAY_STATES else self.facts.state
        for key, value in _PAIR.findall(line):
            if key in _STATES:
                state[key] = _merged(key, state.get(key), value)

    # -- lines of the activity manager --------------------------------------------------------------------------

    def system_resumed(self, word: str, line: str, end: int) -> None:
        """`ResumedActivity: ActivityRecord{…}`, the resumed activity of the display in use."""
        if self.facts.resumed is None or self.facts.resumed[0] is None:
            self.facts.resumed = (parse_activity(self.value(line, end)), self.seen(word))

    def area_resumed(self, word: str, line: str, end: int) -> None:
        """`Resumed: ActivityRecord{…}`, one for each display area, top first (12+)."""
        if line[end : end + 1] == ":" and self.here().area_resumed is None:
            self.here().area_resumed = (parse_activity(line[end:]), self.seen(word))

    def task_resumed(self, word: str, line: str, end: int) -> None:
        """`topResumedActivity=` of a leaf task, `mResumedActivity:` of a stack."""
        activity = parse_activity(self.value(line, end))
        if activity is None:
            return
        kind = self.facts.top_resumed if word == "topResumedActivity" else self.facts.stack_resumed
        kind.append(self.resumed_in_task(activity, word))

    def focused_activity(self, word: str, line: str, end: int) -> None:
        """`mFocusedActivity: ActivityRecord{…}`, up to 7.1."""
        if self.facts.focused_activity is None:
            self.facts.focused_activity = (parse_activity(self.value(line, end)), self.seen(word))

    def focused_root(self, _word: str, line: str, end: int) -> None:
        """`topDisplayFocusedRootTask=Task{… #57 …}`, `mFocusedStack=ActivityStack{… stackId=1 …}`."""
        number = _ROOT_NUMBER.search(line, end)
        if number is not None and self.facts.focused_root is None:
            self.facts.focused_root = int(number[1] or number[2])

    def history(self, word: str, line: str, end: int) -> None:
        """`* Hist #0: ActivityRecord{…}` under a task that can be seen."""
        rest = line[end:]
        if word == "Hist":
            self.facts.history.append(rest)
        if self.facts.task_activity is not None or not self.tasks or (word == "ActivityRecord" and rest[:1] != "{"):
            return
        place = self.resumed_in_task(Activity("", None), word)
        activity = parse_activity(rest)
        if activity is not None and place.visible and not place.pinned and self.shows_visibility():
            self.facts.task_activity = (activity, self.seen("first visible task"))

    def shows_visibility(self) -> bool:
        """Older dumps do not say which task can be seen; their order alone proves nothing."""
        return any(mark in self.text for mark in ("visible=true", "visible=false"))

    def top_entry(self, rest: str) -> None:
        """`ACTIVITY pkg/.Cls 589e99e pid=8859` of `dumpsys activity top`."""
        activity = parse_activity(rest)
        if activity is not None and not self.cut:
            self.facts.top.append(TopEntry(activity, self.seen("ACTIVITY")))

    def top_state(self, _word: str, line: str, end: int) -> None:
        """`mResumed=true mStopped=false mFinished=false` under an ACTIVITY line."""
        if self.facts.top and self.facts.top[-1].resumed is None:
            self.facts.top[-1].resumed = line.startswith("=true", end)

    def listed_task(self, _word: str, line: str, end: int) -> None:
        """`taskId=6: pkg/cls … visible=true topActivity=ComponentInfo{pkg/cls}` of `am stack list`."""
        rest = line[end:]
        found = _TOP_COMPONENT.search(rest)
        activity = parse_activity(found[1] if found else rest)
        pinned = any(task.pinned for task in self.tasks)
        if self.facts.stack_list is None and activity and "visible=true" in rest and not pinned:
            self.facts.stack_list = (activity, self.seen("am stack list"))

    def configuration(self, _word: str, line: str, _end: int) -> None:
        """The line below `Stack id=`: `configuration={… winConfig={… mWindowingMode=pinned …}}`."""
        if self.tasks and "mWindowingMode=pinned" in line:
            self.tasks[-1].pinned = True

    def process(self, word: str, line: str, end: int) -> None:
        """`Proc # 0: fg T/A/TOP … 6204:com.foo/u0a201 (top-activity)`."""
        found = _TOP_PROCESS.search(line, end)
        if found is not None and self.facts.process is None:
            self.facts.process = (found[1], self.seen(word))

    # -- lines of the input dispatcher --------------------------------------------------------------------------

    def input_section(self, word: str, line: str, end: int) -> None:
        """`FocusedWindows:` and `FocusedApplications:` with rows; up to 9 `FocusedWindow: name='…'` on one line."""
        self.section = word
        name = re.search(r"name='(.*?)'(?:,|\s|$)", line[end:])
        if name is not None:
            self.input_focus(0, name[1])
        elif "<null>" in line:
            self.input_focus(0, "null")

    def input_named(self, _word: str, line: str, _end: int) -> None:
        """A row of the section: `displayId=0, name='…'`."""
        found = _NAMED.search(line)
        if found is not None:
            self.input_focus(int(found[1]), found[2])

    def input_focus(self, display: int, name: str) -> None:
        """What the input dispatcher sends keys to; rows of other sections are not focus."""
        place = self.facts.display(display)
        if self.section.startswith("FocusedApplication") and (place.app is None or place.app[0] is None):
            place.app = (parse_activity(name), self.seen(self.section))
        elif self.section.startswith("FocusedWindow") and (place.focus is None or place.focus[0] is None):
            place.focus = (parse_window(name), self.seen(self.section))

    def input_row(self, _word: str, line: str, _end: int) -> None:
        """A row of the window list, top first; ActivityRecordInputSink rows catch touches and show nothing."""
        found = _ROW.search(line)
        if found is None or "ActivityRecordInputSink" in found[1]:
            return
        window = parse_window(found[1])
        place = self.facts.display(int(found[2]))
        if "hasFocus=true" in line and place.has_focus is None:
            place.has_focus = (window, self.seen("hasFocus"))
        if window and window.activity and place.below is None and "visible=true" in line and _BASE_TYPE.search(line):
            place.below = (window.activity, self.seen("first visible application window"))

    def leave_section(self, _word: str, _line: str, _end: int) -> None:
        """Any other heading of the input dispatcher ends the section."""
        self.section = ""


_ANY_TRUE = {
    "mShowingLockscreen",
    "mDreamingLockscreen",
    "mIsShowing",
    "showing",
    "isKeyguardShowing",
    "isStatusBarKeyguard",
    "mKeyguardShowing",
    "occluded",
    "mOccluded",
    "mKeyguardOccluded",
    "Occluded",
    "mAodShowing",
}
_DISPLAY_STATES = {"mAwake", "mScreenOnEarly", "mScreenOnFully"}
_STATES = (
    _ANY_TRUE
    | _DISPLAY_STATES
    | {
        "KeyguardServiceDelegate",
        "KeyguardStateMonitor",
        "KeyguardController",
        "screenState",
        "interactiveState",
        "mWakefulness",
        "mShowingDream",
        "isSleeping",
    }
)


def _merged(key: str, before: str | None, now: str) -> str:
    """One keyguard that shows is enough, several parts of the system report on it; all tasks must sleep."""
    if key in _ANY_TRUE and before == "true":
        return before
    if key == "isSleeping" and before == "false":
        return before
    return now


_Handler = Callable[[_Reader, str, str, int], None]


def _table(rows: Iterable[tuple[str, _Handler]]) -> dict[str, _Handler]:
    return {word: handler for words, handler in rows for word in words.split()}


_HANDLERS = _table(
    [
        ("WINDOW ACTIVITY ActivityTaskSupervisor ActivityStackSupervisor", _Reader.heading),
        ("Display", _Reader.display),
        ("Task Stack RootTask", _Reader.task),
        ("mCurrentFocus", _Reader.current_focus),
        ("mFocusedApp", _Reader.focused_app),
        ("mFocusedWindow mTopFullscreenOpaqueWindowState", _Reader.policy_window),
        (
            "mInputMethodTarget mInputMethodInputTarget imeLayeringTarget imeInputTarget imeControlTarget",
            _Reader.ime_target,
        ),
        ("mObscuringWindow mHoldScreenWindow", _Reader.window_hint),
        ("mTopFocusedDisplayId FocusedDisplayId", _Reader.focused_display),
        (" ".join(sorted(_STATES)), _Reader.states),
        ("ResumedActivity mTopResumedActivity", _Reader.system_resumed),
        ("Resumed", _Reader.area_resumed),
        ("topResumedActivity mResumedActivity", _Reader.task_resumed),
        ("mFocusedActivity", _Reader.focused_activity),
        ("topDisplayFocusedRootTask topDisplayFocusedStack mFocusedStack", _Reader.focused_root),
        ("Hist ActivityRecord", _Reader.history),
        ("mResumed", _Reader.top_state),
        ("taskId", _Reader.listed_task),
        ("configuration", _Reader.configuration),
        ("Proc", _Reader.process),
        ("FocusedApplication FocusedApplications FocusedWindow FocusedWindows", _Reader.input_section),
        ("displayId", _Reader.input_named),
        ("name", _Reader.input_row),
        ("FocusRequests TouchStates TouchStatesByDisplay Windows", _Reader.leave_section),
    ]
)

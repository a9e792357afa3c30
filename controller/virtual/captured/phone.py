"""A phone that goes the ways that were captured, and says where none was.

Owns where it stands: the screen, what was typed into its fields, the way that was gone last. Which way is meant is for
`ways`; what a screen looks like in windows for `stage`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from controller.virtual.activities import Activity, Task, Tasks
from controller.virtual.captured.spec import Capture, Screen, Way, direction
from controller.virtual.captured.stage import CapturedStage
from controller.virtual.captured.ways import (
    SMALL,
    Standing,
    Ways,
    field_name,
    fields_of,
    focused_field,
    hit,
    identity,
    shown_text,
)
from controller.virtual.display import Display
from controller.virtual.editing import Editor
from controller.virtual.gestures import Gestures
from controller.virtual.intents import ACTION_MAIN, CATEGORY_HOME, CATEGORY_LAUNCHER, Intent, StartResult, StartStatus
from controller.virtual.keys import Key, character
from controller.virtual.phone import VirtualPhone
from controller.virtual.spec import ActivitySpec, ImeSpec, PackageSpec, PhoneSpec
from controller.virtual.touch import Stroke, StrokeKind
from controller.virtual.ui import Rect, UiNode
from controller.virtual.uncaptured import NotCaptured

__all__ = ["CapturedPhone", "phone_spec"]

_FIRST_UID = 10100
_MOST_BY_ITSELF = 4
_QUIET = frozenset({Key.VOLUME_UP, Key.VOLUME_DOWN, 164, 220, 221, Key.MOVE_HOME, Key.MOVE_END})
"""Keys that never lead to another screen."""


class CapturedPhone(VirtualPhone):
    """One captured phone.

    Args:
        capture: What was captured.
        now: Seconds of a clock that does not go back.
        trace: Told of what happens.
        serial: Another serial than `captured-<name>`.
    """

    def __init__(
        self,
        capture: Capture,
        *,
        now: Callable[[], float],
        trace: Callable[[str, dict[str, Any]], None] | None = None,
        serial: str | None = None,
    ) -> None:
        self.capture = capture
        self.screen = capture.screens[capture.start]
        self.texts: dict[str, str] = {}
        """Key of a field → what was typed into it."""
        self._ways = Ways(capture)
        self._last = -1
        self._since = now()
        self._been: list[Screen] = []
        self._repeated: tuple[int, int] = (-1, 0)
        self._keyboard_hidden = False
        self._instances: dict[int, Activity] = {}
        super().__init__(phone_spec(capture), now=now, android=capture.android, trace=trace, serial=serial)

    def _boot(self) -> None:
        self.display = _Glass(self)
        self.stage = CapturedStage(self)
        self._gestures = _Fingers(self, self.stage)
        for package in self.spec.packages.values():
            self.install(package)
        self._run_home()

    def _run_home(self) -> None:
        self._stand(self.capture.screens[self.capture.start])

    # -- what is on the screen

    @property
    def photo(self) -> bytes:
        """The picture that was taken; empty where there is none."""
        return self.screen.picture

    @property
    def keyboard_shown(self) -> bool:
        return self.screen.keyboard is not None and not self._keyboard_hidden

    @property
    def keyboard_frame(self) -> Rect | None:
        return self.screen.keyboard if self.keyboard_shown else None

    def focused_field(self) -> UiNode | None:
        self.tick()
        wanted = focused_field(self.screen)
        nodes = (node for window in self.stage.stack() for node in window.root.walk())
        return None if wanted is None else next((node for node in nodes if node.key == wanted.key), None)

    def tick(self) -> None:
        super().tick()
        for _ in range(_MOST_BY_ITSELF):
            way = None if self.texts else self._ways.itself(self._standing)
            if way is None or self.now() - self._since < way.seconds:
                return
            self._follow(way, since=self._since + way.seconds)

    # -- fingers

    def touched(self, x: int, y: int, *, long: bool) -> None:
        """A tap or a long press."""
        node = hit(self.screen, (x, y))
        way = self._find(lambda now: self._ways.touch(now, (x, y), long=long))
        if way is not None:
            self._follow(way)
        elif node is None or not (node.kind == "field" and node.focused):
            # A field that has the focus keeps it; everything else may lead anywhere.
            self.refuse(f"{'long press' if long else 'tap'} {_words(node, x, y)}")

    def stroked(self, start: tuple[int, int], end: tuple[int, int], *, rests: bool) -> None:
        """A drag or a fling."""
        along = 1 if direction(start, end) in ("up", "down") else 0
        length = abs(end[along] - start[along]) / self.size[1]
        way = self._ways.stroke(self._standing, start, end, length=length)
        if way is not None:
            self._follow(way)
        elif not (rests and length <= SMALL):
            self.refuse(f"scroll {direction(start, end)}")

    def pinch(self, x: int, y: int, factor: float) -> bool:
        self.refuse("zoom")
        return False

    # -- keys and text

    def key(self, code: int, meta: int = 0) -> None:
        self.tick()
        self.trace("key", code=code, meta=meta)
        if code == Key.ESCAPE:
            code = Key.BACK
        way = self._find(lambda now: self._ways.key(now, code))
        if way is None and code == Key.HOME:
            way = self._ways.home(self._standing)
        if way is not None:
            self._follow(way)
        elif code in (Key.POWER, Key.SLEEP, Key.WAKEUP):
            (self.sleep if code == Key.SLEEP or (code == Key.POWER and self.screen_on) else self.wake)()
        elif not self.screen_on:
            return
        elif code == Key.BACK:
            self._go_back()
        elif not self._edit(code, meta) and code not in _QUIET:
            self.refuse(f"press {_KEY_NAMES.get(code, code)}")

    def _go_back(self) -> None:
        """Back where it was not recorded: a keyboard goes, a page gives way to the one before it."""
        if self.keyboard_shown:
            if not self.hide_keyboard():
                self.refuse("press back")
            return
        while self._been and self._been[-1].page == self.screen.page:
            self._been.pop()
        if not self._been or self._been[-1].package != self.screen.package:
            self.refuse("press back")
        self._stand(self._been.pop())

    def hide_keyboard(self) -> bool:
        if not self.keyboard_shown:
            return False
        for screen in self.capture.screens.values():
            if screen.page == self.screen.page and screen.keyboard is None and _values(screen) == self._values_now():
                self._stand(screen)
                return True
        self._keyboard_hidden = True
        self.changed()
        return True

    def commit_text(self, text: str) -> bool:
        return self._change(lambda editor: editor.insert(text))

    def erase(self, count: int = 1) -> bool:
        def backspace(editor: Editor) -> Editor:
            for _ in range(count):
                editor = editor.backspace()
            return editor

        return self._change(backspace)

    def set_text(self, node: UiNode, text: str) -> bool:
        self.tick()
        field = next((one for one in fields_of(self.screen) if one.key == node.key), None)
        return field is not None and self._put(field, text)

    def editor_action(self) -> bool:
        if focused_field(self.screen) is None:
            return False
        self.key(Key.ENTER)
        return True

    def _edit(self, code: int, meta: int) -> bool:
        """A key that changes the text in the field; False where it is none."""
        if code in (Key.ENTER, Key.NUMPAD_ENTER, Key.DPAD_CENTER, Key.SEARCH):
            return False
        if code == Key.DEL:
            return self.erase()
        typed = character(code, meta)
        return bool(typed) and self.commit_text(typed)

    def _change(self, change: Callable[[Editor], Editor]) -> bool:
        self.tick()
        field = focused_field(self.screen)
        return field is not None and self._put(field, change(Editor.at_end(self._value(field))).text)

    def _put(self, field: UiNode, text: str) -> bool:
        if text == self._value(field):
            return True
        self.texts[field.key] = text
        self.trace("text", text=text)
        way = self._ways.typed(self._standing, field, text)
        if way is not None:
            self._follow(way)
            target = next((one for one in fields_of(self.screen) if field_name(one) == field_name(field)), None)
            if target is not None and shown_text(target) != text:
                # What was hidden in the recording is what was typed now.
                self.texts[target.key] = text
        self.changed()
        return True

    def _value(self, field: UiNode) -> str:
        return self.texts.get(field.key, shown_text(field))

    def _values_now(self) -> dict[tuple[str, str], str]:
        return {field_name(field): self._value(field) for field in fields_of(self.screen)}

    # -- apps

    def start(self, intent: Intent) -> StartResult:
        self.tick()
        package = intent.component[0] if intent.component is not None else intent.package
        if intent.data is not None:
            way, asked = self._ways.link(self._standing, intent.data, package), f"open {intent.data}"
        elif CATEGORY_HOME in intent.categories:
            way, asked = self._ways.home(self._standing), "press home"
        else:
            way, asked = self._ways.app(self._standing, "open", package or ""), f"open {package}"
        if way is not None:
            self._follow(way)
        elif intent.data is not None or package != self.screen.package:
            self.refuse(asked)
        status = StartStatus.STARTED if way is not None else StartStatus.BROUGHT_TO_FRONT
        top = self.tasks.top
        component = top.component if top is not None else None
        self.trace("start", component="/".join(component or ()), status=str(status), data=intent.data)
        return StartResult(status, intent, component, component)

    def launch(self, package: str) -> StartResult:
        return self.start(Intent(ACTION_MAIN, categories=(CATEGORY_LAUNCHER,), package=package))

    def stop(self, package: str) -> None:
        self._end("stop", package)

    def clear(self, package: str) -> bool:
        self._end("clear", package)
        return package in self.packages

    def _end(self, kind: str, package: str) -> None:
        way = self._ways.app(self._standing, kind, package)
        if way is None and package == self.screen.package:
            way = self._ways.home(self._standing)
        if way is not None:
            self._follow(way)
        elif package == self.screen.package:
            self.refuse(f"{kind} {package}")

    # -- the system

    def sleep(self) -> None:
        self.screen_on = False
        self.changed()

    def wake(self) -> None:
        self.screen_on = True
        self.changed()

    def dismiss_keyguard(self) -> None:
        if self.keyguard:
            self.refuse("dismiss the keyguard")

    def expand_shade(self, *, settings: bool = False) -> None:
        self.refuse("open the quick settings" if settings else "open the notifications")

    # -- going

    @property
    def _standing(self) -> Standing:
        return Standing(self.screen, self.texts, self._last)

    def _find(self, search: Callable[[Standing], Way | None]) -> Way | None:
        """A way from here, else from where this screen leads by itself."""
        now = self._standing
        for _ in range(_MOST_BY_ITSELF):
            way = search(now)
            on = self._ways.itself(now)
            if way is not None or on is None:
                return way
            now = replace(now, screen=self.capture.screens[on.target], last=on.number)
        return None

    def _follow(self, way: Way, *, since: float | None = None) -> None:
        if way.times > 1:
            again = self._repeated[1] + 1 if self._repeated[0] == way.number else 1
            self._repeated = (way.number, again)
            if again < way.times:
                return
        self._repeated = (-1, 0)
        self._last = way.number
        self.trace("way", words=way.words, source=way.source, target=way.target)
        target = self.capture.screens[way.target]
        if target is not self.screen or self.texts:
            self._been.append(self.screen)
            self._stand(target, since=since)

    def _stand(self, screen: Screen, *, since: float | None = None) -> None:
        self.screen, self.texts, self._keyboard_hidden = screen, {}, False
        self._since = self.now() if since is None else since
        self.settings["system", "user_rotation"] = str(screen.rotation)
        self.display.turn(screen.rotation)
        self.keyguard = screen.state == "keyguard"
        self.screen_on = screen.state != "screen_off"
        if screen.input_method:
            self.settings["secure", "default_input_method"] = _ime_id(screen.input_method)
        self.tasks = self._tasks()
        self.changed()

    def _tasks(self) -> Tasks:
        """One task with the front activity, and below it the one that it asked from."""
        tasks = Tasks()
        screen = self.screen
        behind = screen.behind.partition("/") if screen.behind else ("", "", "")
        pairs = [(behind[0], behind[2] or None, -screen.page), (screen.package, screen.activity, screen.page)]
        for package, name, instance in pairs:
            installed = self.packages.get(package)
            if installed is None:
                continue
            self.installer.run(installed)
            task = Task(abs(instance) + 10, 0x2000000 + instance, package)
            task.activities.append(self._activity(package, name or "", instance, task.id))
            tasks.add(task)
        return tasks

    def _activity(self, package: str, name: str, instance: int, task: int) -> Activity:
        kept = self._instances.get(instance)
        if kept is None or kept.component != (package, name):
            spec = self.packages[package].spec.activities.get(name) or ActivitySpec(name)
            mark = 0x3000000 + instance
            kept = Activity(
                mark, package, token=mark + 0x100000, spec=spec, task_id=task, started=self.now(), begun=True
            )
            self._instances[instance] = kept
        return kept

    def refuse(self, asked: str) -> None:
        """Say that it was not captured, and what was.

        Raises:
            NotCaptured: Always.
        """
        known = self._ways.known(self.screen)
        told = "; ".join(known[:8]) + (f" and {len(known) - 8} more" if len(known) > 8 else "") if known else "nothing"
        typed = self._ways.other_texts(self._standing)
        text = f" with what is typed now (typed then: {', '.join(f'“{one}”' for one in typed)})" if typed else ""
        self.trace("not_captured", asked=asked, screen=self.screen.id)
        raise NotCaptured(f"not captured: {asked} on {self.screen.title}{text}; from there was captured: {told}")


class _Glass(Display):
    """A glass that lies as the phone lay."""

    def __init__(self, phone: CapturedPhone) -> None:
        super().__init__(phone)
        self._captured = phone

    def turn(self, rotation: int) -> None:
        if rotation % 4 != self._captured.screen.rotation:
            self._captured.refuse("turn the screen")
        super().turn(rotation)


class _Fingers(Gestures):
    """Strokes go to the phone, which knows the ways."""

    _captured: CapturedPhone

    def __init__(self, phone: CapturedPhone, stage: CapturedStage) -> None:
        super().__init__(phone, stage)
        self._captured = phone

    def _end(self, stroke: Stroke) -> None:
        phone = self._captured
        phone.trace("touch", gesture=str(stroke.kind), start=list(stroke.start), end=list(stroke.end))
        match stroke.kind:
            case StrokeKind.TAP | StrokeKind.HOLD:
                phone.touched(*stroke.start, long=stroke.kind is StrokeKind.HOLD)
            case StrokeKind.DRAG | StrokeKind.FLING:
                phone.stroked(stroke.start, stroke.end, rests=stroke.kind is StrokeKind.DRAG)


_KEY_NAMES = {3: "home", 4: "back", 66: "enter", 82: "menu", 84: "search", 187: "recents"}


def _words(node: UiNode | None, x: int, y: int) -> str:
    if node is None:
        return f"{x},{y}"
    said = [part for part in identity(node)[2:] if part]
    return f"“{said[0]}”" if said else f"{node.resource_id or node.class_name} at {x},{y}"


def _values(screen: Screen) -> dict[tuple[str, str], str]:
    return {field_name(field): shown_text(field) for field in fields_of(screen)}


def _ime_id(package: str) -> str:
    return f"{package}/.Captured"


def phone_spec(capture: Capture) -> PhoneSpec:
    """The phone as the shell knows it: the packages that were seen, with their activities."""
    seen: dict[str, dict[str, ActivitySpec]] = {}
    started = {way.package for way in capture.ways if way.kind == "open"}
    for screen in capture.screens.values():
        if screen.package:
            activities = seen.setdefault(screen.package, {})
            if screen.activity and screen.activity not in activities:
                launcher = not activities and (screen.package in started or not started)
                activities[screen.activity] = ActivitySpec(screen.activity, exported=True, launcher=launcher)
        if screen.behind:
            package, _, name = screen.behind.partition("/")
            seen.setdefault(package, {}).setdefault(name, ActivitySpec(name, exported=True))
    for way in capture.ways:
        if way.package and way.kind in ("open", "link"):
            seen.setdefault(way.package, {})
    methods = {screen.input_method for screen in capture.screens.values() if screen.input_method}
    names = [
        *seen,
        *sorted(methods - seen.keys()),
        *(["com.android.systemui"] if "com.android.systemui" not in seen else []),
    ]
    packages = {
        name: PackageSpec(name, name, _FIRST_UID + number, activities=_with_launcher(name, seen.get(name, {})))
        for number, name in enumerate(names)
    }
    return PhoneSpec(
        name=capture.name,
        serial=f"captured-{capture.name}",
        model=capture.model,
        manufacturer=capture.maker,
        brand=capture.maker,
        product=capture.model.replace(" ", "_").lower(),
        device=capture.model.replace(" ", "_").lower(),
        width=capture.width,
        height=capture.height,
        density=capture.density,
        packages=MappingProxyType(packages),
        imes=tuple(ImeSpec(_ime_id(method), method) for method in sorted(methods)),
        props=MappingProxyType({"ro.phonectl.captured": capture.name}),
        settings=MappingProxyType({("system", "accelerometer_rotation"): "0", ("system", "user_rotation"): "0"}),
    )


def _with_launcher(package: str, activities: Mapping[str, ActivitySpec]) -> Mapping[str, ActivitySpec]:
    """Every app can be asked to open: whether that was captured is said when it is done."""
    if any(activity.launcher for activity in activities.values()):
        return activities
    name = next(iter(activities), f"{package}.Main")
    return {**activities, name: ActivitySpec(name, exported=True, launcher=True)}

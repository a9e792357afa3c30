"""One phone's verbs: look, touch, press, open, photograph.

Reads may be repeated within their deadlines; each action is sent once. Which element is meant, how long to wait before
an action and what it led to are decided above; text entry is `typing`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from controller.adb.client import AdbDevice, ShellResult, command_line
from controller.adb.uiserver import UiServer
from controller.clock import Clock, poll
from controller.device import capture, commands, keys
from controller.device import observation as seeing
from controller.device.capture import Picture
from controller.device.input import Input, ShellInput, UiInput
from controller.device.observation import Observation, Size
from controller.device.profile import KnownErrors, Profile, load_known_errors
from controller.errors import (
    AdbFailure,
    Booting,
    DeviceError,
    DocumentError,
    NotFound,
    OpenFailed,
    PhonectlError,
    StepError,
    TimedOut,
    UiServerError,
)
from controller.screen.dumpsys import (
    Foreground,
    StartAnswer,
    dump_answer,
    foreground,
    foreground_commands,
    monkey_answer,
    more_commands,
    package_list,
    resolve_activity,
    service_answer,
    start_answer,
    wm_size,
)
from controller.screen.hierarchy import Bounds, Hierarchy, parse
from controller.screen.points import clamp

__all__ = ["Facts", "Observation", "Phone", "Picture"]

Point = tuple[int, int]
Tree = tuple[Hierarchy, tuple[str, ...]]
"""A tree, or an empty one with the reason as a note."""

SHELL_S = 30.0
DUMP_S = 15.0
START_S = 30.0
TRANSITION_S = 1.0
ASK_AGAIN_S = 0.2
SETTLE_EVERY_S = 0.1
_DEEPEST = 50
_DUMP_FILE = "/sdcard/window_dump.xml"


@dataclass(frozen=True, slots=True)
class Facts:
    """What does not change while the phone runs."""

    sdk: int | None
    release: str
    maker: str
    model: str


_PROPERTIES = ("ro.build.version.sdk", "ro.build.version.release", "ro.product.manufacturer", "ro.product.model")


class Phone:
    """One phone. Connects to nothing until it is asked for something; `close` ends what it started on the phone.

    Args:
        device: The phone behind an adb server.
        profile: How its person reads and what is allowed.
        clock: Measures deadlines and waits for the screen to settle.
        known_errors: What phones say when they refuse; None loads the built-in table when it is first needed.
    """

    def __init__(
        self, device: AdbDevice, profile: Profile, clock: Clock, *, known_errors: KnownErrors | None = None
    ) -> None:
        self.device = device
        self.serial = device.serial
        self.profile = profile
        self.clock = clock
        self.ui = UiServer(device, clock, explain=self.explain)
        self.input: Input = UiInput(self.ui, cure=lambda: self.cure("inject_denied"))
        self._known_errors = known_errors
        self._facts: Facts | None = None
        self._user: int | None = None
        self._natural: Size | None = None
        self._size: Size | None = None
        self._rotation: int | None = None

    def __enter__(self) -> Phone:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the server that was started on the phone; what ran before goes on."""
        self.ui.close()

    # What it is

    @property
    def facts(self) -> Facts:
        """Version, maker and model, asked once."""
        if self._facts is None:
            lines = [f"getprop {name}" for name in _PROPERTIES]
            sdk, release, maker, model = (text.strip() for text in self.run_all(lines).values())
            self._facts = Facts(int(sdk) if sdk.isdigit() else None, release, maker, model)
        return self._facts

    @property
    def sdk(self) -> int | None:
        """Android's API level; None where the phone does not tell."""
        return self.facts.sdk

    @property
    def user(self) -> int:
        """The Android user in front; commands without one may fail for a space that is closed to adb."""
        if self._user is None:
            said = self.shell(["am", "get-current-user"]).stdout.strip()
            self._user = int(said) if said.isdigit() else 0
        return self._user

    def explain(self, text: str) -> PhonectlError | None:
        """The error behind a text of this phone, with the cure of its maker; None where it is not a known one."""
        errors = self._errors()
        return errors.explain(text, maker=self.facts.maker) if errors.explain(text) else None

    def cure(self, code: str) -> str:
        """What helps on this maker's phones against a known error."""
        return self._errors().cure(code, self.facts.maker)

    # Looking

    def observe(self) -> Observation:
        """The front app and the tree of all windows. The tree is asked for first and read last: both take their time.

        Where the app gives no tree, or the phone none at all, a note says so and the tree is empty.
        """
        started = self.clock.now()
        tree = self._ask_tree()
        dumps = self._look()
        front = foreground(dumps, self.sdk)
        if seeing.is_transition(front):
            tree()
            front, dumps = self._past_transition(front, dumps)
            tree = self._ask_tree()
        hierarchy, trouble = tree()
        rotation = seeing.rotation_of(dumps, hierarchy)
        self._size = seeing.display_size(dumps) or seeing.turned_size(self._natural_size(), rotation)
        self._rotation = rotation
        ended = self.clock.now()
        return Observation(
            foreground=front,
            hierarchy=hierarchy,
            size=self._size,
            keyboard=seeing.keyboard(dumps, hierarchy, Bounds(0, 0, *self._size)),
            at=ended,
            device_s=ended - started,
            notes=trouble or seeing.notes_about(hierarchy, front, rotation),
            rotation=rotation,
            input_method=seeing.input_method(dumps),
        )

    def settle(self, *, cap_s: float = 1.0, unlike: Observation | None = None) -> Observation:
        """What the phone shows once two looks agree; after `cap_s` the last look, whatever it shows.

        Args:
            cap_s: No further look begins after this.
            unlike: A look at the screen before: while nothing has changed, the change may still be on its way.
        """
        until = self.clock.now() + cap_s
        last = self.observe()
        while self.clock.now() < until:
            self.clock.sleep(min(SETTLE_EVERY_S, until - self.clock.now()))
            before, last = last, self.observe()
            if seeing.agree(before, last) and not (unlike and seeing.agree(unlike, last)):
                break
        return last

    def foreground(self) -> Foreground:
        """The front app; between two screens it asks again, for a second at most."""
        dumps = self._look()
        front = foreground(dumps, self.sdk)
        if seeing.is_transition(front):
            return self._past_transition(front, dumps)[0]
        if not front.confident and front.package is None:
            more = foreground({**dumps, **self.run_all(more_commands(self.sdk))}, self.sdk)
            return more if more.package else front
        return front

    def picture(self) -> Picture:
        """The screen as a PNG, with notes; never a black placeholder.

        Raises:
            TimedOut: No picture came within ten seconds together.
            AdbFailure: The phone gave none.
        """
        taken = capture.capture(self.device, self.ui, clock=self.clock)
        return capture.upright(taken, display_size=self._size, rotation=self._rotation)

    # Touching

    def tap(self, x: int, y: int) -> None:
        """Touch a point for a tenth of a second.

        Raises:
            InputDenied: The phone forbids touches, or did not take this one.
            OutcomeUnknown: It was sent and the answer was lost.
        """
        self.input.hold(self._inside((x, y)))

    def long_press(self, x: int, y: int, *, hold_s: float = 0.8) -> None:
        """Touch a point and hold it."""
        self.input.hold(self._inside((x, y)), hold_s=hold_s)

    def swipe(self, start: Point, end: Point, *, duration_s: float = 0.3) -> None:
        """Draw a finger over the screen and let go while it moves: a list goes on by itself."""
        self.input.swipe(self._inside(start), self._inside(end), duration_s=duration_s)

    def drag(self, start: Point, end: Point, *, duration_s: float = 0.5, rest_s: float = 0.0) -> None:
        """Draw a finger over the screen; with a rest at the end a list stays where it was brought."""
        self.input.drag(self._inside(start), self._inside(end), duration_s=duration_s, rest_s=rest_s)

    def press(self, key: str | int) -> None:
        """Press a key, by name or code.

        Raises:
            UsageError: There is no such key.
        """
        self.input.press(keys.keycode(key))

    # Opening

    def start_app(self, package: str) -> StartAnswer:
        """Start an app as its icon does, and what am said.

        Raises:
            OpenFailed: It is not installed, or has nothing to start.
        """
        found = resolve_activity(self._ask(commands.resolve(package, user=self.user)).text)
        if found.component:
            return self._start(commands.launch(found.component, user=self.user))
        if found.error == "unresolved" and not self.installed(package):
            raise OpenFailed(
                f"{package} is not installed on {self.serial}",
                hint="`phonectl` works with the apps that are on the phone; install it there",
                code="not_installed",
                package=package,
            )
        # Old phones have no `cmd package`; television apps have no launcher activity.
        said = self.device.act(commands.monkey(package), timeout_s=START_S)
        answer = monkey_answer(said.text, said.exit_code)
        return StartAnswer(ok=answer.ok, error=answer.error, raw=said.text)

    def view(self, uri: str, package: str | None) -> StartAnswer:
        """Open a URI in an app, and what am said; its exit code says nothing."""
        return self._start(commands.view(uri, package))

    def stop_app(self, package: str) -> None:
        """End an app."""
        self._succeed(["am", "force-stop", "--user", str(self.user), package])

    def clear_app(self, package: str) -> None:
        """Take an app back to its first start: its data and logins are gone."""
        said = self._succeed(commands.clear(package, user=self.user))
        if "Success" not in said:
            raise StepError(f"{package} was not cleared: {said.strip()[:200]}", code="clear_failed", package=package)

    def installed(self, package: str) -> bool:
        """Whether the app is installed for the user in front."""
        said = self._ask(commands.list_packages(package, user=self.user))
        answer = package_list(said.text, said.exit_code)
        if answer.error == "booting":
            raise Booting(f"{self.serial} is still starting: {said.text.strip()[:200]}", hint="try again in a moment")
        return package in answer.packages

    # The shell

    def shell(self, args: Sequence[str] | str, *, timeout_s: float = SHELL_S) -> ShellResult:
        """What a command printed; a list is quoted word by word."""
        return self.device.shell(args, timeout_s=timeout_s)

    def run_all(self, lines: Sequence[str]) -> dict[str, str]:
        """The outputs of commands that only read, in one round trip where the phone's shell keeps them apart."""
        answers = commands.split(self._read(commands.joined(lines)), lines)
        if answers is None:
            answers = {line: self._read(line) for line in lines}
        return answers

    # Private

    def _read(self, line: str) -> str:
        """What a reading command printed."""
        return self._ask(line).text

    def _ask(self, args: Sequence[str] | str) -> ShellResult:
        """What a reading command gave; it is asked once more when its answer was cut off."""
        try:
            return self.shell(args)
        except AdbFailure as err:
            if err.code not in ("cut_short", "connection_lost"):
                raise
            return self.shell(args)

    def _errors(self) -> KnownErrors:
        if self._known_errors is None:
            self._known_errors = load_known_errors()
        return self._known_errors

    def _look(self) -> Mapping[str, str]:
        return self.run_all([*foreground_commands(self.sdk), "dumpsys input_method"])

    def _past_transition(self, front: Foreground, dumps: Mapping[str, str]) -> tuple[Foreground, Mapping[str, str]]:
        last = (front, dumps)

        def landed() -> bool | None:
            nonlocal last
            looked = self._look()
            last = (foreground(looked, self.sdk), looked)
            return None if seeing.is_transition(last[0]) else True

        poll(landed, clock=self.clock, timeout_s=TRANSITION_S, every_s=ASK_AGAIN_S)
        return last

    def _ask_tree(self) -> Callable[[], Tree]:
        """Asks for the tree now; the function that comes back reads it. An empty tree comes with the reason."""
        if isinstance(self.input, ShellInput):
            return self._tree_by_command
        try:
            answer = self.ui.ask("dumpWindowHierarchy", False, _DEEPEST, timeout_s=DUMP_S)
        except (UiServerError, AdbFailure) as err:
            if err.code == "ui_server_start":
                self._refuse_booting()
            if err.code in ("jar_missing", "ui_server_start"):
                # It cannot run on this phone: the slow commands do without it from now on.
                self.input = ShellInput(self.device, explain=self.explain)
                return self._tree_by_command
            without = _no_tree(err)
            return lambda: without

        def read() -> Tree:
            try:
                return parse(answer()), ()
            except (UiServerError, AdbFailure, DocumentError, NotFound, TimedOut) as err:
                return _no_tree(err)

        return read

    def _tree_by_command(self) -> Tree:
        """The tree of the front window alone, by the slow command that needs nothing on the phone."""
        dump = command_line(["uiautomator", "dump", _DUMP_FILE])
        said = self.shell(f"rm -f {_DUMP_FILE};{dump};cat {_DUMP_FILE}", timeout_s=DUMP_S).text
        if not dump_answer(said).ok:
            return Hierarchy(), (f"{seeing.TREE_UNAVAILABLE}: {said.strip()[:200]}",)
        try:
            return parse(said[said.find("<") :]), ("front_window_only",)
        except DocumentError as err:
            return _no_tree(err)

    def _natural_size(self) -> Size:
        if self._natural is None:
            said = self.shell(["wm", "size"]).text
            size = wm_size(said).current
            if size is None:
                raise self.explain(said) or AdbFailure(
                    f"{self.serial} does not tell the size of its screen: {said.strip()[:200]}"
                )
            self._natural = size
        return self._natural

    def _refuse_booting(self) -> None:
        """What does not work while Android starts is no trait of the phone."""
        if self._read("getprop sys.boot_completed").strip() != "1":
            raise Booting(f"{self.serial} is still starting", hint="wait until its home screen shows, then try again")

    def _inside(self, point: Point) -> Point:
        return clamp(*point, self._size or self._natural_size())

    def _start(self, args: Sequence[str]) -> StartAnswer:
        said = self.device.act(args, timeout_s=START_S)
        answer = start_answer(said.text, said.exit_code)
        if answer.error == "booting":
            raise Booting(f"{self.serial} is still starting", hint="try again in a moment", answer=said.text[:400])
        if answer.error == "failed" and (known := self.explain(said.text)) and known.code == "not_captured":
            raise known
        return answer

    def _succeed(self, args: Sequence[str]) -> str:
        """The output of a command that changes something and must not complain."""
        said = self.device.act(args)
        service = service_answer(said.text)
        if service.error == "booting":
            raise Booting(f"{self.serial} is still starting", hint="try again in a moment")
        if said.exit_code or "Exception" in said.text or "Error:" in said.text:
            raise self.explain(said.text) or DeviceError(
                f"{' '.join(args)} failed: {said.text.strip()[:300]}", code="command_failed"
            )
        return said.text


def _no_tree(err: PhonectlError) -> Tree:
    return Hierarchy(), (f"{seeing.TREE_UNAVAILABLE}: {err.code}: {err.message[:300]}",)

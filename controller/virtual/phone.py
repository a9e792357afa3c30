"""The virtual phone: one pure state machine from touches, keys, texts and intents to windows.

Reads no clock of its own (`now` is an argument), opens no file and no socket, and starts no thread. What a shell
prints, how a tree becomes XML and how bytes travel is for `shell`, `uiautomator` and `services`; who may touch the phone at
the same time is for `server`, which holds one lock per phone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.virtual.faults import Faults
from controller.virtual.files import FileSystem
from controller.virtual.intents import Intent, StartResult
from controller.virtual.spec import ActivitySpec, ImeSpec, PackageSpec, PhoneSpec
from controller.virtual.ui import Rect, UiNode, Window

__all__ = ["RELEASES", "Activity", "Notification", "Package", "Task", "Toast", "VirtualPhone"]

RELEASES: Mapping[int, tuple[str, int]] = {9: ("9", 28), 11: ("11", 30), 14: ("14", 34)}
"""Android version → release name and API level."""

Trace = Callable[[str, dict[str, Any]], None]


@dataclass(slots=True)
class Activity:
    """One activity that lives in a task."""

    token: int
    """The hash that dumps print: `ActivityRecord{token …}`."""
    window_hash: int
    spec: ActivitySpec
    package: str
    intent: Intent
    task_id: int
    started: float

    @property
    def component(self) -> tuple[str, str]:
        """Package and full class."""
        return self.package, self.spec.name


@dataclass(slots=True)
class Task:
    """One back stack; the last activity is on top."""

    id: int
    token: int
    affinity: str
    activities: list[Activity] = field(default_factory=list)
    home: bool = False


@dataclass(slots=True)
class Package:
    """An installed package and what changes about it."""

    spec: PackageSpec
    enabled: bool = True
    granted: set[str] = field(default_factory=set)
    state: dict[str, str] = field(default_factory=dict)
    pid: int | None = None
    path: str = ""
    installed: float = 0.0


@dataclass(frozen=True, slots=True)
class Toast:
    """A short message over everything."""

    text: str
    package: str
    until: float


@dataclass(frozen=True, slots=True)
class Notification:
    """A line in the shade."""

    package: str
    title: str
    text: str
    key: str


class VirtualPhone:
    """One phone.

    Public state that others may read and set: `props`, `settings`, `clipboard`, `files`, `packages`, `imes`, `faults`.
    All else changes through the methods. Every change raises `version`, by which layouts and pictures are cached.

    Args:
        spec: What `apps.load_phone` read.
        now: Seconds of a clock that does not go back.
        android: 9, 11 or 14.
        trace: Told of what happens: `trace(kind, data)`; the caller adds the time.
    """

    def __init__(
        self,
        spec: PhoneSpec,
        *,
        now: Callable[[], float],
        android: int = 14,
        trace: Trace | None = None,
        serial: str | None = None,
    ) -> None:
        self.spec = spec
        self.now = now
        self._trace = trace
        self.release, self.sdk = RELEASES[android]
        self.serial = serial or spec.serial
        self.version = 0
        self.props: dict[str, str] = {}
        self.settings: dict[tuple[str, str], str] = {}
        self.clipboard = ""
        self.packages: dict[str, Package] = {}
        self.imes: dict[str, ImeSpec] = {}
        self.faults = Faults(now)
        self.files = FileSystem(self.wall, spec.files)
        self.tasks: list[Task] = []
        """Front task last."""
        self.screen_on = True
        self.keyguard = False
        self.rotation = 0
        self.shade = ""
        """Empty, `notifications` or `settings`."""
        self.notifications: list[Notification] = []
        self.toast: Toast | None = None
        self.boot_time = now()

    # -- what is on the screen

    def wall(self) -> float:
        """Seconds since 1970 on the phone's clock."""
        raise NotImplementedError

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels in the present rotation."""
        raise NotImplementedError

    @property
    def density(self) -> int:
        """Dots per inch, the override where one is set."""
        raise NotImplementedError

    def set_display(
        self, *, size: tuple[int, int] | None = None, density: int | None = None, reset: bool = False
    ) -> None:
        """`wm size WxH`, `wm density N`, or back to the phone's own."""
        raise NotImplementedError

    def tick(self) -> None:
        """Let everything happen that is due by now: timers, loading, the end of toasts and flings."""
        raise NotImplementedError

    def windows(self) -> list[Window]:
        """The windows that the accessibility service reports, top z first."""
        raise NotImplementedError

    def window_stack(self) -> list[Window]:
        """All windows, top z first, also those under a dialog and toasts (for dumpsys and drawing)."""
        raise NotImplementedError

    def focused_window(self) -> Window | None:
        """The window with the input focus; None while the fault `null_focus` is on or the screen is off."""
        raise NotImplementedError

    def top_activity(self) -> Activity | None:
        """The resumed activity, also while shade, keyguard or a dialog lies over it."""
        raise NotImplementedError

    def focused_field(self) -> UiNode | None:
        """The text field that has the focus."""
        raise NotImplementedError

    @property
    def keyboard_shown(self) -> bool:
        """Whether the input method's window is there."""
        raise NotImplementedError

    @property
    def keyboard_frame(self) -> Rect | None:
        """Where the keyboard lies."""
        raise NotImplementedError

    # -- fingers

    def tap(self, x: int, y: int, *, hold_s: float = 0.0) -> None:
        """Touch a point; from 0.5 s on it is a long press."""
        raise NotImplementedError

    def gesture(self, points: Sequence[tuple[int, int]], duration_s: float, *, rest_s: float = 0.0) -> None:
        """Move a finger along points, evenly in time; `rest_s` at the end takes the speed out, so nothing flings.

        It happens at `now()`: a caller that wants the movement to take its time waits before calling.
        """
        raise NotImplementedError

    def touch_down(self, x: int, y: int) -> None:
        """A finger comes down now."""
        raise NotImplementedError

    def touch_move(self, x: int, y: int) -> None:
        """The finger that is down moves now."""
        raise NotImplementedError

    def touch_up(self, x: int | None = None, y: int | None = None) -> None:
        """The finger leaves now: a tap, a long press, a drag or a fling, by its way and time."""
        raise NotImplementedError

    # -- keys and text

    def key(self, code: int, meta: int = 0) -> None:
        """Press and release a key (Android's KEYCODE and meta state bits)."""
        raise NotImplementedError

    def commit_text(self, text: str) -> bool:
        """Type into the focused field as a keyboard does; False where no field has the focus."""
        raise NotImplementedError

    def set_text(self, node: UiNode, text: str) -> bool:
        """ACTION_SET_TEXT on a field; False where the node is none."""
        raise NotImplementedError

    def editor_action(self) -> bool:
        """The action key of the keyboard (search, send, done) in the focused field."""
        raise NotImplementedError

    def erase(self, count: int = 1) -> bool:
        """Delete graphemes before the cursor."""
        raise NotImplementedError

    def hide_keyboard(self) -> bool:
        """Hide the keyboard; False where none is shown."""
        raise NotImplementedError

    # -- apps

    def start(self, intent: Intent) -> StartResult:
        """Start an activity for an intent."""
        raise NotImplementedError

    def resolve(self, intent: Intent) -> list[tuple[str, ActivitySpec]]:
        """(package, activity) that would answer the intent, the best first."""
        raise NotImplementedError

    def launch(self, package: str) -> StartResult:
        """What a tap on the icon does."""
        raise NotImplementedError

    def stop(self, package: str) -> None:
        """Force-stop: all its activities and its process end."""
        raise NotImplementedError

    def clear(self, package: str) -> bool:
        """Forget all it kept (`pm clear`); False where it is not installed."""
        raise NotImplementedError

    def install(self, spec: PackageSpec) -> Package:
        """Add a package (or a new version of it)."""
        raise NotImplementedError

    def uninstall(self, package: str) -> bool:
        """Remove a package; False where it is not installed or part of the system."""
        raise NotImplementedError

    # -- the system

    def wake(self) -> None:
        """Screen on; the keyguard stays where it was up."""
        raise NotImplementedError

    def sleep(self) -> None:
        """Screen off; the keyguard comes up."""
        raise NotImplementedError

    def dismiss_keyguard(self) -> None:
        """Swipe the keyguard away."""
        raise NotImplementedError

    def expand_shade(self, *, settings: bool = False) -> None:
        """Pull the notification shade down."""
        raise NotImplementedError

    def collapse_shade(self) -> None:
        """Push the shade up."""
        raise NotImplementedError

    def rotate(self, rotation: int) -> None:
        """Turn the display: 0, 1, 2 or 3 quarters."""
        raise NotImplementedError

    def notify(self, package: str, title: str, text: str) -> Notification:
        """Post a notification."""
        raise NotImplementedError

    def set_ime(self, ime_id: str) -> bool:
        """Make an enabled input method the default; False where it is unknown or not enabled."""
        raise NotImplementedError

    def setting(self, namespace: str, key: str) -> str | None:
        """The value of a setting."""
        return self.settings.get((namespace, key))

    def put_setting(self, namespace: str, key: str, value: str | None) -> None:
        """Set or, with None, delete a setting."""
        raise NotImplementedError

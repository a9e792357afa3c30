"""The virtual phone: one pure state machine from touches, keys, texts and intents to windows.

Reads no clock of its own (`now` is an argument), opens no file and no socket, and starts no thread. What a shell
prints, how a tree becomes XML and how bytes travel is for `shell`, `uiautomator` and `services`; who may touch the
phone at the same time is for `server`, which holds one lock per phone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from controller.virtual import actions
from controller.virtual.activities import Activity, Dialog, Surface, Task, Tasks
from controller.virtual.battery import Battery
from controller.virtual.dialogs import Dialogs
from controller.virtual.display import Display
from controller.virtual.faults import Faults
from controller.virtual.faults.mishaps import Mishaps, phase_of_restart
from controller.virtual.fields import Fields
from controller.virtual.files import FileSystem
from controller.virtual.gestures import Gestures
from controller.virtual.imes import InputMethods
from controller.virtual.intents import Intent, StartResult
from controller.virtual.latency import Latency
from controller.virtual.launching import Launcher
from controller.virtual.names import Names
from controller.virtual.notices import Notices, Notification, Toast
from controller.virtual.packages import Installer, Package
from controller.virtual.permissions import Permissions
from controller.virtual.pressing import Pressing
from controller.virtual.properties import properties
from controller.virtual.radios import Radios
from controller.virtual.spec import ActivitySpec, ImeSpec, PackageSpec, PhoneSpec
from controller.virtual.splitting import Splitting
from controller.virtual.steering import Steering
from controller.virtual.ui import Rect, UiNode, Window, WindowKind
from controller.virtual.watching import Watching
from controller.virtual.windows import Stage

__all__ = ["RELEASES", "Activity", "Dialog", "Notification", "Package", "Surface", "Task", "Toast", "VirtualPhone"]

RELEASES: Mapping[int, tuple[str, int]] = {9: ("9", 28), 11: ("11", 30), 14: ("14", 34)}
"""Android version → release name and API level."""

Trace = Callable[[str, dict[str, Any]], None]

_SYSTEM_SURFACES = {
    "status_bar": "com.android.systemui",
    "navigation_bar": "com.android.systemui",
    "shade": "com.android.systemui",
    "quick_settings": "com.android.systemui",
    "keyguard": "com.android.systemui",
    "toast": "com.android.systemui",
    "divider": "com.android.systemui",
    "keyboard": "com.android.inputmethod.latin",
}
_SHOWN_FAULTS = ("secure_window",)


class VirtualPhone:
    """One phone.

    Public state that others may read and set: `props`, `clipboard`, `files`, `faults`, and to read: `settings`,
    `packages`, `imes`, `tasks`, `notifications`, `toast`. All else changes through the methods. Every change raises
    `version`, by which layouts and pictures are cached.

    Args:
        spec: What `store.load_phone` read.
        now: Seconds of a clock that does not go back.
        android: 9, 11 or 14.
        trace: Told of what happens: `trace(kind, data)`; the caller adds the time.
        serial: Another serial than the data's.
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
        self._tell = trace
        self.release, self.sdk = RELEASES[android]
        self.serial = serial or spec.serial
        self.boot_time = self._switched_on = now()
        self.version = 0
        """Raised by every change of what is on the screen."""
        self.content = 0
        """Raised by every change but scrolling."""
        self.props = properties(spec, serial=self.serial, release=self.release, sdk=self.sdk)
        self.settings: dict[tuple[str, str], str] = dict(spec.settings)
        self.latency: Latency | None = None
        """How long a real phone would take over a cable; None for no time at all."""
        self.clipboard = ""
        self.packages: dict[str, Package] = {}
        self.radios = Radios(self)
        self.input_methods = InputMethods(self)
        self.imes: dict[str, ImeSpec] = self.input_methods.all
        self.preferred: dict[str, str] = {}
        """Scheme → package that a chooser was told to use always."""
        self.mishaps = Mishaps(self)
        self.faults = Faults(now, front=self._front, effects=self.mishaps.effects)
        self.files = FileSystem(self.wall, spec.files)
        self.tasks = Tasks()
        self.resumed_activity: Activity | None = None
        self.screen_on = True
        self.keyguard = False
        self.shade = ""
        """Empty, `notifications` or `settings`."""
        self.display = Display(self)
        self.battery = Battery()
        self.notices = Notices(self)
        self._counter = 0
        self._seen: tuple[object, ...] = ()
        self.surfaces: Mapping[str, Surface] = {
            name: Surface(self.next_hash(), package) for name, package in _SYSTEM_SURFACES.items()
        }
        self.splitting = Splitting(self)
        self.stage = Stage(self)
        self.names = Names(self)
        self.dialogs = Dialogs(self)
        self.watching = Watching(self)
        self.installer = Installer(self)
        self.launcher = Launcher(self)
        self.permissions = Permissions(self)
        self.fields = Fields(self)
        self._gestures = Gestures(self, self.stage)
        self._pressing = Pressing(self, Steering(self, self._gestures))
        self._boot()
        for fault in spec.faults:
            self.faults.put(fault)

    def _boot(self) -> None:
        for package in self.spec.packages.values():
            self.install(package)
        self._run_home()

    def _run_home(self) -> None:
        for name in ("com.android.systemui", *(ime.package for ime in self.spec.imes)):
            if name in self.packages:
                self.installer.run(self.packages[name])
        self.launcher.go_home()

    # -- what is on the screen

    def wall(self) -> float:
        """Seconds since 1970 on the phone's clock."""
        return self.spec.wall + self.now() - self._switched_on

    @property
    def photo(self) -> bytes:
        """A PNG of what is on the screen, where it was photographed and need not be drawn."""
        return b""

    @property
    def rotation(self) -> int:
        """Quarters that the display is turned now."""
        return self.display.rotation

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels in the present rotation."""
        return self.display.size

    @property
    def density(self) -> int:
        """Dots per inch, the override where one is set."""
        return self.display.density

    @property
    def notifications(self) -> list[Notification]:
        """The notifications in the shade, the newest first."""
        return self.notices.notifications

    @property
    def toast(self) -> Toast | None:
        """The toast that is shown."""
        return self.notices.toast

    def tick(self) -> None:
        """Let everything happen that is due by now: timers, loading, the end of toasts and flings."""
        self.faults.tick()
        now = self.now()
        seen = (int(self.wall() // 60), *(self.faults.active(name) for name in _SHOWN_FAULTS))
        if seen != self._seen:
            self._seen = seen
            self.changed()
        self.notices.tick(now)
        top = self.tasks.top
        if top is None:
            return
        for surface in (top, *top.dialogs, *self.surfaces.values()):
            for scroll in surface.scroll.values():
                if scroll.settle(now):
                    self.moved()
        if top.loading_until and now >= top.loading_until:
            top.loading_until = 0.0
            self.changed()
        if top.splash_until and now >= top.splash_until:
            top.splash_until = 0.0
            self.changed()
        for due, todo in [timer for timer in top.timers if timer[0] <= now]:
            top.timers.remove((due, todo))
            actions.run(actions.Doing(self, top, self.names.scope(top)), todo)

    def windows(self) -> list[Window]:
        """The windows that the accessibility service reports, top z first."""
        stack = self.window_stack()
        return [window for window in stack if window.reported and not self.is_withheld(window)]

    def is_withheld(self, window: Window) -> bool:
        """Whether the app of a window gives the accessibility service no nodes: by a fault, or because it hangs."""
        if window.kind is WindowKind.INPUT_METHOD:
            return False
        top = self.tasks.top
        empty = top is not None and top.package == window.package and self.faults.active("tree_empty") is not None
        return empty or self.mishaps.victims.get("anr") == window.package

    def window_stack(self) -> list[Window]:
        """All windows, top z first, also those under a dialog and toasts (for dumpsys and drawing)."""
        self.tick()
        return self.stage.stack()

    def focused_window(self) -> Window | None:
        """The window with the input focus; None while the fault `null_focus` is on."""
        if self.faults.active("null_focus") is not None:
            return None
        return next((window for window in self.window_stack() if window.focused), None)

    def top_activity(self) -> Activity | None:
        """The resumed activity, also while shade, keyguard or a dialog lies over it."""
        return self.tasks.top

    def focused_field(self) -> UiNode | None:
        """The text field that has the focus."""
        self.tick()
        found = self.fields.node()
        return found[2] if found is not None else None

    @property
    def keyboard_shown(self) -> bool:
        """Whether the input method's window is there."""
        return self.fields.shown()

    @property
    def keyboard_frame(self) -> Rect | None:
        """Where the keyboard lies; None while it is hidden."""
        return self.stage.keyboard_frame if self.keyboard_shown else None

    def focused_surface(self) -> Surface | None:
        """What the focused window shows."""
        if self.keyguard or not self.screen_on:
            return self.surfaces["keyguard"]
        if self.shade:
            return self.surfaces["shade"]
        if (dialog := self.dialogs.system()) is not None:
            return dialog
        top = self.tasks.top
        return top.dialogs[-1] if top is not None and top.dialogs else top

    # -- fingers

    def tap(self, x: int, y: int, *, hold_s: float = 0.0) -> None:
        """Touch a point; from 0.5 s on it is a long press."""
        self.gesture([(x, y)], hold_s)

    def gesture(self, points: Sequence[tuple[int, int]], duration_s: float, *, rest_s: float = 0.0) -> None:
        """Move a finger along points, evenly in time; `rest_s` at the end takes the speed out, so nothing flings.

        It happens at `now()`: a caller that wants the movement to take its time waits before calling.
        """
        self.tick()
        self._gestures.play(points, duration_s, rest_s=rest_s)

    def touch_down(self, x: int, y: int) -> None:
        """A finger comes down now."""
        self.tick()
        self._gestures.down(x, y)

    def touch_move(self, x: int, y: int) -> None:
        """The finger that is down moves now."""
        self.tick()
        self._gestures.move(x, y)

    def touch_up(self, x: int | None = None, y: int | None = None) -> None:
        """The finger leaves now: a tap, a long press, a drag or a fling, by its way and time."""
        self.tick()
        if x is not None and y is not None:
            self._gestures.move(x, y)
        self._gestures.up()

    def pinch(self, x: int, y: int, factor: float) -> bool:
        """Two fingers around a point; False where nothing there grows by it."""
        self.tick()
        return self._gestures.pinch(x, y, factor)

    # -- keys and text

    def key(self, code: int, meta: int = 0) -> None:
        """Press and release a key (Android's KEYCODE and meta state bits)."""
        self.tick()
        self.trace("key", code=code, meta=meta)
        self._pressing.key(code, meta)

    def commit_text(self, text: str) -> bool:
        """Type into the focused field as a keyboard does; False where no field has the focus."""
        self.tick()
        return self.fields.commit(text)

    def set_text(self, node: UiNode, text: str) -> bool:
        """ACTION_SET_TEXT on a field; False where the node is none."""
        self.tick()
        for window in self.stage.stack():
            found = self.stage.node_box(window.hash, node.key)
            if found is not None and any(other is node or other == node for other in window.root.walk()):
                return self.fields.set(*found, text)
        return False

    def editor_action(self) -> bool:
        """The action key of the keyboard (search, send, done) in the focused field."""
        self.tick()
        return self.fields.node() is not None and (self.watching.acted() or self.fields.editor_action())

    def erase(self, count: int = 1) -> bool:
        """Delete graphemes before the cursor."""
        return self.fields.erase(count)

    def hide_keyboard(self) -> bool:
        """Hide the keyboard; False where none is shown."""
        return self.fields.hide()

    # -- apps

    def start(self, intent: Intent) -> StartResult:
        """Start an activity for an intent."""
        self.tick()
        return self.launcher.start(intent)

    def resolve(self, intent: Intent) -> list[tuple[str, ActivitySpec]]:
        """(package, activity) that would answer the intent, the best first."""
        return [(handler.package.name, handler.activity) for handler in self.launcher.resolve(intent)]

    def launch(self, package: str) -> StartResult:
        """What a tap on the icon does."""
        return self.launcher.launch(package)

    def stop(self, package: str) -> None:
        """Force-stop: all its activities and its process end."""
        self.installer.stop(package)

    def clear(self, package: str) -> bool:
        """Forget all it kept (`pm clear`); False where it is not installed."""
        return self.installer.clear(package)

    def install(self, spec: PackageSpec) -> Package:
        """Add a package (or a new version of it)."""
        return self.installer.install(spec)

    def uninstall(self, package: str) -> bool:
        """Remove a package; False where it is not installed or part of the system."""
        return self.installer.uninstall(package)

    def running(self) -> dict[int, Package]:
        """The processes of packages, by process id."""
        return {package.pid: package for package in self.packages.values() if package.pid is not None}

    # -- the system

    def restart(self) -> None:
        """Everything that runs ends, and the launcher comes up anew; data, settings and files stay."""
        self.trace("restart")
        self.props |= {"sys.boot_completed": "", "init.svc.bootanim": "running"}
        for name, package in self.packages.items():
            package.pid = None
            self.tasks.end_package(name)
        self.notices.clear()
        self.shade, self.screen_on, self.keyguard = "", True, False
        self.boot_time = self.now()
        self._run_home()
        self.changed()

    @property
    def restarting(self) -> str:
        """`gone` while a restart has the phone off, `starting` while its services are missing, else nothing."""
        fault = self.faults.begun("reboot")
        return "" if fault is None else phase_of_restart(fault, self.now() - self.mishaps.since["reboot"])

    def wake(self) -> None:
        """Screen on; the keyguard stays where it was up."""
        self.screen_on = True
        self.changed()

    def sleep(self) -> None:
        """Screen off; the keyguard comes up where the phone has one."""
        self.screen_on, self.shade = False, ""
        self.keyguard = self.setting("secure", "lockscreen.disabled") != "1"
        self.changed()

    def dismiss_keyguard(self) -> None:
        """Swipe the keyguard away."""
        self.keyguard = self.keyguard and not self.screen_on
        self.changed()

    def expand_shade(self, *, settings: bool = False) -> None:
        """Pull the notification shade down."""
        self.shade = "settings" if settings else "notifications"
        self.changed()

    def collapse_shade(self) -> None:
        """Push the shade up."""
        self.shade = ""
        self.changed()

    def rotate(self, rotation: int) -> None:
        """Turn the display: 0, 1, 2 or 3 quarters."""
        self.display.turn(rotation)

    def notify(self, package: str, title: str, text: str) -> Notification:
        """Post a notification."""
        return self.notices.post(package, title, text)

    def show_toast(self, package: str, text: str) -> None:
        """Show a short message."""
        self.notices.show_toast(package, text)

    @property
    def ime(self) -> ImeSpec | None:
        """The default input method."""
        return self.input_methods.current

    def setting(self, namespace: str, key: str) -> str | None:
        """The value of a setting."""
        return self.settings.get((namespace, key))

    def put_setting(self, namespace: str, key: str, value: str | None) -> None:
        """Set or, with None, delete a setting; what it stands for follows."""
        if value is None:
            self.settings.pop((namespace, key), None)
        else:
            self.settings[namespace, key] = value
        if (namespace, key) == ("global", "airplane_mode_on"):
            self.radios.follow_airplane_mode()
        if namespace == "system" and key in ("user_rotation", "accelerometer_rotation"):
            self.display.follow_settings()
        self.changed()

    # -- bookkeeping

    def _front(self) -> str:
        top = self.tasks.top
        return "/".join(top.component) if top is not None else ""

    def changed(self) -> None:
        """Something on the screen is different now."""
        self.version += 1
        self.content += 1

    def moved(self) -> None:
        """A list has moved; nothing else is different."""
        self.version += 1

    def trace(self, kind: str, /, **data: Any) -> None:
        """Tell whoever listens."""
        if self._tell is not None:
            self._tell(kind, data)

    def next_hash(self) -> int:
        """A hash as dumps print them: seven hexadecimal digits, never twice."""
        self._counter += 1
        return 0x1000000 | (self._counter * 0x9E3779B1 & 0xEFFFFFF)

    def next_task_id(self) -> int:
        """The number of a new task."""
        return max((task.id for task in self.tasks), default=0) + 1

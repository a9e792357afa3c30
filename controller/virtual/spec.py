"""What a virtual phone is made of, as read from its data: phone, packages, activities, elements, actions.

Values only. `apps` reads them from YAML; `phone` brings them to life. Nothing here changes while a phone runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.virtual.displays import ExtraDisplay
from controller.virtual.faults import Fault
from controller.virtual.intents import LinkPattern
from controller.virtual.ui import PLAIN, Rect, Style

__all__ = [
    "Action",
    "ActivitySpec",
    "Condition",
    "DialogSpec",
    "Element",
    "ImeSpec",
    "LaunchMode",
    "Length",
    "PackageSpec",
    "PhoneSpec",
    "StrictSpec",
    "Timer",
]

LaunchMode = str
"""`standard`, `singleTop`, `singleTask` or `singleInstance`."""

Length = float | str | None
"""dp, `fill`, or None for as large as the content."""


@dataclass(frozen=True, slots=True)
class Condition:
    """`logged_in`, `!logged_in`, `tab == 推荐`, `count != 0`; a list of them must hold together."""

    terms: tuple[tuple[str, str, str], ...] = ()
    """`(name, operator, right)`; operators `is`, `not`, `==`, `!=`; the right side is a template."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something that happens on the phone: `open`, `set`, `toast` … (the table is in `actions`)."""

    name: str
    value: str = ""
    args: tuple[tuple[str, str], ...] = ()
    then: tuple[Action, ...] = ()
    otherwise: tuple[Action, ...] = ()
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Timer:
    """Actions that run by themselves some seconds after the screen appeared."""

    after_s: float
    do: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Element:
    """A piece of a screen before it is laid out; texts are templates (`{title}`)."""

    kind: str
    """A row of the table in `elements`."""
    text: str = ""
    id: str = ""
    desc: str = ""
    hint: str = ""
    class_name: str = ""
    label: str = ""
    """What is drawn where the element has no text: the name on an image, the glyph of an icon."""
    width: Length = None
    height: Length = None
    weight: float = 0
    padding: tuple[float, float, float, float] = (0, 0, 0, 0)
    margin: tuple[float, float, float, float] = (0, 0, 0, 0)
    gap: float = 0
    align: str = ""
    """Where it lies across its parent's line, in a stack both ways (`bottom end`)."""
    items: str = ""
    """How its children lie across its line where they say nothing themselves."""
    style: Style = PLAIN
    when: Condition | None = None
    enabled: Condition | None = None
    selected: Condition | None = None
    checked: Condition | None = None
    clickable: bool | None = None
    tap: tuple[Action, ...] = ()
    hold: tuple[Action, ...] = ()
    swipe: tuple[Action, ...] = ()
    """What a finger does that pushes it aside."""
    submit: tuple[Action, ...] = ()
    """What the action key of the keyboard does in a field."""
    change: tuple[Action, ...] = ()
    var: str = ""
    """The variable that a field, check box, switch or spinner shows and sets."""
    value: str = ""
    """The value that a radio button stands for; the state (0 to 1) of a progress bar."""
    input: str = "text"
    """`text`, `password`, `number` or `multiline`."""
    ime_action: str = "done"
    options: tuple[str, ...] = ()
    rows: str = ""
    """The data whose rows an `each` repeats its children for; `@…` is data of the phone itself."""
    where: Condition | None = None
    columns: int = 1
    zoom: str = ""
    """The variable that two fingers change: how many times larger it and all in it is."""
    zoom_range: tuple[float, float] = (1.0, 4.0)
    start: str = ""
    """`end`: a list that shows its end first, as chats do."""
    args: tuple[tuple[str, str], ...] = ()
    """Names that the templates of this element and its children see (`with`)."""
    children: tuple[Element, ...] = ()


@dataclass(frozen=True, slots=True)
class DialogSpec:
    """A dialog of an app: Android's alert with title, message and buttons, or a body of its own."""

    title: str = ""
    message: str = ""
    body: tuple[Element, ...] = ()
    buttons: tuple[tuple[str, tuple[Action, ...]], ...] = ()
    cancelable: bool = True
    at: str = "center"
    """`center`, `bottom` (a sheet) or `anchor` (a list under what was tapped)."""
    width: float = 0


@dataclass(frozen=True, slots=True)
class ActivitySpec:
    """One activity: how it is started and what it shows."""

    name: str
    """Full class name."""
    label: str = ""
    mode: LaunchMode = "standard"
    exported: bool = False
    launcher: bool = False
    home: bool = False
    actions: tuple[str, ...] = ()
    links: tuple[LinkPattern, ...] = ()
    body: tuple[Element, ...] = ()
    params: tuple[tuple[str, str], ...] = ()
    lookup: tuple[str, str, str] | None = None
    """`(data name, key, template of the value)`: the row whose values the screen's templates see."""
    pages: tuple[str, ...] = ()
    """Variables whose change makes another page of the same activity."""
    focus: str = ""
    loading_s: float = 0
    timers: tuple[Timer, ...] = ()
    on_start: tuple[Action, ...] = ()
    on_back: tuple[Action, ...] = ()
    needs: Condition | None = None
    otherwise: str = ""
    """Where the activity sends whoever does not fulfil `needs`."""
    secure: bool = False
    translucent: bool = False
    soft_input: str = "pan"
    background: str = "#ffffff"
    orientation: str = ""
    no_history: bool = False


@dataclass(frozen=True, slots=True)
class StrictSpec:
    """The pace that an app bears, and what it does when it is driven faster."""

    min_new_screen_s: float = 2.4
    min_same_screen_s: float = 0.9
    min_grapheme_s: float = 0.1
    max_screens: float = 60
    rest_s: float = 300
    """After so long without any touch the screens are counted anew."""
    free_scroll: float = 0.1
    """A drag that ends at rest and moves less than this part of the screen's height is not counted."""
    then: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class PackageSpec:
    """An installed package as the data describes it."""

    name: str
    label: str
    uid: int
    version_name: str = "1.0"
    version_code: int = 1
    target_sdk: int = 34
    system: bool = False
    hidden: bool = False
    color: str = "#607d8b"
    icon: str = ""
    """The glyph on the launcher icon; the label's first letter where none is named."""
    permissions: tuple[str, ...] = ()
    activities: Mapping[str, ActivitySpec] = field(default_factory=dict)
    dialogs: Mapping[str, DialogSpec] = field(default_factory=dict)
    surfaces: Mapping[str, tuple[Element, ...]] = field(default_factory=dict)
    """What the package shows in windows of the system: status bar, shade, keyguard, keyboard."""
    data: Mapping[str, tuple[Mapping[str, str], ...]] = field(default_factory=dict)
    state: Mapping[str, str] = field(default_factory=dict)
    strict: StrictSpec | None = None
    splash_s: float = 0
    browser: bool = False

    @property
    def launcher(self) -> ActivitySpec | None:
        """The activity behind the icon."""
        return next((a for a in self.activities.values() if a.launcher), None)


@dataclass(frozen=True, slots=True)
class ImeSpec:
    """An input method that is installed."""

    id: str
    """`com.android.inputmethod.latin/.LatinIME`"""
    label: str
    enabled: bool = True
    height: float = 270
    """dp that its window covers at the bottom of the screen."""

    @property
    def package(self) -> str:
        """The package before the slash."""
        return self.id.partition("/")[0]


@dataclass(frozen=True, slots=True)
class PhoneSpec:
    """A whole phone: what `devices/virtual/<name>/` says."""

    name: str
    serial: str
    model: str
    manufacturer: str
    brand: str
    product: str
    device: str
    width: int
    height: int
    density: int
    packages: Mapping[str, PackageSpec]
    imes: tuple[ImeSpec, ...]
    props: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[tuple[str, str], str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    wall: float = 1_760_000_000.0
    """Seconds since 1970 that the phone's clock shows when it boots."""
    locale: str = "zh-CN"
    time_zone: str = "Asia/Shanghai"
    utc_offset_h: float = 8
    faults: tuple[Fault, ...] = ()
    """Faults that are switched on from the start."""
    displays: tuple[ExtraDisplay, ...] = ()
    cutout: Rect | None = None
    """Where the hole for the camera lies on the upright phone, in pixels."""

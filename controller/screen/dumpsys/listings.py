"""Lists that phones and the adb server print: devices, packages, users, keyboards, sizes, the activity of an intent.

Each function reads one command's output into a value; partial lists that end in an error say so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from controller.screen.dumpsys.answers import service_answer
from controller.screen.dumpsys.records import overlay_of_activity, parse_activity, parse_component

__all__ = [
    "Density",
    "DeviceRow",
    "PackageList",
    "ResolvedActivity",
    "Size",
    "UserRow",
    "adb_devices",
    "ime_list",
    "package_list",
    "resolve_activity",
    "user_list",
    "wm_density",
    "wm_size",
]


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """One row of `adb devices [-l]`; `state` is one state even where it has a blank (`no permissions`)."""

    serial: str
    state: str
    model: str | None = None
    product: str | None = None
    device: str | None = None
    usb: str | None = None
    transport_id: str | None = None
    note: str = ""  # what adb says behind the state: the udev advice of `no permissions`


# List of devices attached
# adb server version (41) doesn't match this client (39); killing...
# * daemon started successfully *
# 0123456789abcdef       unauthorized usb:1-1
# 87654321               device usb:2-1 product:MyProduct model:MyModel device:MyDevice transport_id:58
# XXXXXXXX	no permissions (missing udev rules? user is in the plugdev group); see [http://…]
# adb-R5CN-x (2)._adb-tls-connect._tcp	device
_STATES = (
    "no permissions|unauthorized|authorizing|connecting|offline|device|host|recovery|rescue|sideload|bootloader"
    "|fastbootd?|detached|unknown"
)
_ROW = re.compile(rf"(?P<serial>\S.*?)[ \t]+(?P<state>{_STATES})(?=[\s(;]|$)[ \t]*(?P<rest>.*)")
_NOT_A_ROW = ("List of devices", "*", "-", "adb server", "adb:", "adb.exe:", "error:", "daemon ")
_ATTRIBUTE = re.compile(r"\b(usb|product|model|device|transport_id):(\S+)")


def adb_devices(text: str) -> tuple[DeviceRow, ...]:
    """The rows of `adb devices`, with or without `-l`, or of the server's own list without the header."""
    rows = (_device(line.strip()) for line in text.splitlines())
    return tuple(row for row in rows if row is not None)


def _device(line: str) -> DeviceRow | None:
    if not line or line.startswith(_NOT_A_ROW):
        return None
    found = _ROW.fullmatch(line)
    if found is None:
        return None
    has = dict(_ATTRIBUTE.findall(found["rest"]))
    return DeviceRow(
        found["serial"],
        found["state"],
        model=has.get("model"),
        product=has.get("product"),
        device=has.get("device"),
        usb=has.get("usb"),
        transport_id=has.get("transport_id"),
        note="" if has else found["rest"],
    )


@dataclass(frozen=True, slots=True)
class PackageList:
    """Packages in alphabetical order. With `ok` false they are the part that was printed before the error."""

    ok: bool
    packages: tuple[str, ...] = ()
    error: str | None = None
    user: int | None = None  # the user that is closed to adb, for `user_denied`


# package:com.android.chrome versionCode:636771932
# package:/data/app/~~k3==/com.foo-9A==/base.apk=com.foo        with -f
# package:com.qualcomm.qti.telephonyservice  installer=null uid:8
_PACKAGE = re.compile(r"^package:(?:\S*=)?([A-Za-z][\w.]*)(?=\s|$)", re.MULTILINE)
_FAILURE = re.compile(r"^\s*(?:Error:|Exception occurred|java\.\S+Exception|Failure)", re.MULTILINE)


def package_list(text: str, exit_code: int | None = None) -> PackageList:
    """The packages of `pm list packages`; an error anywhere makes the list a partial one."""
    packages = tuple(sorted(set(_PACKAGE.findall(text))))
    service = service_answer(text)
    if not service.ok:
        return PackageList(False, packages, service.error, service.user)
    if _FAILURE.search(text) or exit_code:
        return PackageList(False, packages, "failed")
    return PackageList(True, packages)


@dataclass(frozen=True, slots=True)
class UserRow:
    """One Android user: 0 the owner, 10 and above work profiles and guests, 95/150/999 makers' second spaces."""

    id: int
    name: str
    flags: int
    running: bool


# 	UserInfo{150:Secure Folder:10061030} running
_USER = re.compile(r"UserInfo\{(\d{1,9}):([^{}\n]*):([0-9a-fA-F]{1,16})\}(.*)")


def user_list(text: str) -> tuple[UserRow, ...]:
    """The users of `pm list users`; adb may be barred from some that run."""
    return tuple(
        UserRow(int(number), name, int(flags, 16), "running" in rest)
        for number, name, flags, rest in _USER.findall(text)
    )


@dataclass(frozen=True, slots=True)
class ResolvedActivity:
    """What an intent resolves to: one component, or `several` apps that the person would have to choose from."""

    component: str | None
    several: bool = False
    error: str | None = None


_SECTION = re.compile(
    r"^\s*(?:ActivityInfo|ServiceInfo|ProviderInfo):[ \t\r]*\n(.*?)(?=^\s*ApplicationInfo:|\Z)", re.M | re.S
)
_NAME = re.compile(r"^\s*name=(\S+)", re.MULTILINE)
_OWNER = re.compile(r"^\s*packageName=(\S+)", re.MULTILINE)


def resolve_activity(text: str) -> ResolvedActivity:
    """The answer of `cmd package resolve-activity`, with `--brief` (last line) or without (ActivityInfo alone)."""
    service = service_answer(text)
    if not service.ok:
        return ResolvedActivity(None, error=service.error)
    component = _long_form(text) or _brief_form(text)
    if component is None:
        return ResolvedActivity(None, error="unresolved")
    activity = parse_activity(component)
    several = activity is not None and overlay_of_activity(activity) == "chooser"
    return ResolvedActivity(None if several else component, several=several)


def _long_form(text: str) -> str | None:
    section = _SECTION.search(text)
    if section is None:
        return None
    name, owner = _NAME.search(section[1]), _OWNER.search(section[1])
    return f"{owner[1]}/{name[1]}" if name and owner else None


def _brief_form(text: str) -> str | None:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    component = parse_component(lines[-1]) if lines and " " not in lines[-1] else None
    return "/".join(component) if component else None


# com.android.inputmethod.latin/.LatinIME        `ime list -s`
#   mId=com.android.inputmethod.latin/.LatinIME mSettingsActivityName=…       `ime list`
_IME_LINE = re.compile(r"^\s*(?:mId=)?([A-Za-z][\w.]*/[\w.$]+):?(?=\s|$)", re.MULTILINE)


def ime_list(text: str) -> tuple[str, ...]:
    """The ids of `ime list -s`, as printed; without `-a` these are the enabled ones only."""
    return tuple(dict.fromkeys(_IME_LINE.findall(text)))


@dataclass(frozen=True, slots=True)
class Size:
    """The answer of `wm size`: an override is what apps and touches see."""

    physical: tuple[int, int] | None
    override: tuple[int, int] | None = None

    @property
    def current(self) -> tuple[int, int] | None:
        """Width and height in use, in the natural rotation."""
        return self.override or self.physical


@dataclass(frozen=True, slots=True)
class Density:
    """The answer of `wm density`, in dots per inch."""

    physical: int | None
    override: int | None = None

    @property
    def current(self) -> int | None:
        """The density in use."""
        return self.override or self.physical


# Physical size: 1080x2400
# Override size: 1080x2160
_SIZE = re.compile(r"(Physical|Override) size: *(\d{1,6})x(\d{1,6})")
_DENSITY = re.compile(r"(Physical|Override) density: *(\d{1,6})")


def wm_size(text: str) -> Size:
    """Physical and overridden size; both None where the text has neither."""
    sizes = {kind: (int(width), int(height)) for kind, width, height in _SIZE.findall(text)}
    return Size(sizes.get("Physical"), sizes.get("Override"))


def wm_density(text: str) -> Density:
    """Physical and overridden density; both None where the text has neither."""
    densities = {kind: int(value) for kind, value in _DENSITY.findall(text)}
    return Density(densities.get("Physical"), densities.get("Override"))

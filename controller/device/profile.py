"""Device profiles and the table of what phones say when they refuse: the values behind devices/*.yaml.

A file is one of three things by its first key: `profile:` a phone and its person, `makers:` cures for a maker's phones,
`errors:` the table itself. Finding the phone is left to `connect`, raising the errors to `phone`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import yaml

from controller.errors import (
    Booting,
    DeviceError,
    DocumentError,
    InputDenied,
    PhonectlError,
    StepError,
    UiServerError,
    UsageError,
)
from controller.pace import Speed
from controller.resources import resource_dir

__all__ = [
    "FindBy",
    "KnownErrors",
    "Profile",
    "load_known_errors",
    "load_profile",
    "parse_profile",
    "profile_names",
]


class FindBy(StrEnum):
    """How the phone of a profile is found."""

    ANY = "any"
    SERIAL = "serial"
    USB = "usb"
    EMULATOR = "emulator"
    VIRTUAL = "virtual"


@dataclass(frozen=True, slots=True)
class Profile:
    """A phone and the person beside it.

    Args:
        name: The profile's name.
        about: One line for people.
        find: How the phone is found.
        serial: Its serial, for `find: serial`.
        host: The adb server's host; None takes the environment's or the usual one.
        port: The adb server's port, likewise.
        phone: The emulated phone's folder, for `find: virtual`.
        android: The emulated phone's Android version.
        reading_chars_per_s: How fast the person reads.
        unknown_apps: `careful` keeps the careful pace in apps without an APP.md.
        speed: `careful` or `fast`, where the profile decides.
    """

    name: str = "any"
    about: str = ""
    find: FindBy = FindBy.ANY
    serial: str | None = None
    host: str | None = None
    port: int | None = None
    phone: str = "default"
    android: int = 14
    reading_chars_per_s: float = 40.0
    unknown_apps: str | None = None
    speed: Speed | None = None

    def __post_init__(self) -> None:
        if self.find is FindBy.SERIAL and not self.serial:
            raise ValueError("`find: serial` needs a `serial`")
        if not 1 <= self.reading_chars_per_s <= 1000:
            raise ValueError(f"`reading_chars_per_s` is between 1 and 1000, got {self.reading_chars_per_s:g}")


# profile: usb
# find: usb
# server: 127.0.0.1:5037
def parse_profile(text: str, path: str) -> Profile:
    """The profile in a YAML text.

    Raises:
        DocumentError: It is none; the message begins with file, line and column.
    """
    values = _Values(text, path, _PROFILE_KEYS)
    server, speed = values.text("server"), values.choice("speed", [one.value for one in Speed])
    host, port = _address(server) if server else (None, None)
    if server and host is None:
        raise values.error("server", f"`server` is HOST:PORT, got {server!r}")
    try:
        return Profile(
            name=values.text("profile") or "",
            about=values.text("about") or "",
            find=FindBy(values.choice("find", [one.value for one in FindBy]) or FindBy.ANY),
            serial=values.text("serial"),
            host=host,
            port=port,
            phone=values.text("phone") or "default",
            android=int(values.number("android") or 14),
            reading_chars_per_s=values.number("reading_chars_per_s") or 40.0,
            unknown_apps=values.choice("unknown_apps", ["careful"]),
            speed=Speed(speed) if speed else None,
        )
    except ValueError as err:
        raise values.error("profile", str(err)) from err


def profile_names(folder: Path | None = None) -> tuple[str, ...]:
    """The names of the built-in profiles."""
    paths = (folder or resource_dir("devices")).glob("*.yaml")
    return tuple(sorted(path.stem for path in paths if _kind_of(path) == "profile"))


def load_profile(name: str | Path, *, folder: Path | None = None) -> Profile:
    """The profile of this name, or in this file (`./my-phone.yaml`).

    Raises:
        UsageError: There is no such profile.
        DocumentError: The file is no profile.
    """
    given = Path(name)
    if given.suffix in (".yaml", ".yml"):
        if not given.is_file():
            raise UsageError(f"no device profile at {given}", code="no_profile")
        return parse_profile(given.read_text(encoding="utf-8"), str(given))
    names = profile_names(folder)
    if str(name) not in names:
        raise UsageError(
            f"no device profile is called “{name}”; there are {', '.join(names)}",
            hint="give one of these names, the path of a profile file, or a serial that `phonectl devices` lists",
            code="no_profile",
        )
    path = (folder or resource_dir("devices")) / f"{name}.yaml"
    return parse_profile(path.read_text(encoding="utf-8"), str(path))


@dataclass(frozen=True, slots=True)
class _Row:
    code: str
    match: re.Pattern[str]
    says: str
    cure: str


_ERRORS: dict[str, type[PhonectlError]] = {
    "inject_denied": InputDenied,
    "settings_denied": DeviceError,
    "automation_busy": UiServerError,
    "booting": Booting,
    "not_captured": StepError,
}


@dataclass(frozen=True, slots=True)
class KnownErrors:
    """The table of what phones say, and the makers' own cures."""

    rows: tuple[_Row, ...] = ()
    cures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Maker in small letters → code → cure."""

    def explain(self, text: str, *, maker: str = "") -> PhonectlError | None:
        """The error for a phone's text, with the cure for this maker's phones; None where the text is not known."""
        for row in self.rows:
            if found := row.match.search(text):
                line = text[text.rfind("\n", 0, found.start()) + 1 :].split("\n", 1)[0].strip()
                kind = _ERRORS.get(row.code, DeviceError)
                # A pattern that marks the telling words leaves out what stands around them.
                told = found.groupdict().get("words") or line[:200]
                return kind(f"{row.says}: {told[:1000]}", hint=self.cure(row.code, maker), code=row.code, answer=line)
        return None

    def cure(self, code: str, maker: str = "") -> str:
        """What helps against a known error."""
        own = self.cures.get(maker.lower(), {}).get(code)
        return own or next((row.cure for row in self.rows if row.code == code), "")


def load_known_errors(folder: Path | None = None) -> KnownErrors:
    """The table and the cures of all files in a folder.

    Raises:
        DocumentError: A file is not as it should be.
    """
    rows: list[_Row] = []
    cures: dict[str, Mapping[str, str]] = {}
    for path in sorted((folder or resource_dir("devices")).glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        match _kind(text):
            case "errors":
                rows += _parse_errors(text, str(path))
            case "makers":
                values = _Values(text, str(path), _MAKER_KEYS)
                own = {str(code): str(cure) for code, cure in values.mapping("cures").items()}
                cures.update({str(maker).lower(): own for maker in values.items("makers")})
    return KnownErrors(tuple(rows), cures)


def _parse_errors(text: str, path: str) -> list[_Row]:
    values = _Values(text, path, ("errors",))
    rows: list[_Row] = []
    for row in values.items("errors"):
        if not isinstance(row, dict) or set(row) != {"code", "match", "says", "cure"}:
            raise values.error("errors", f"each error has code, match, says and cure, got {row!r}")
        try:
            rows.append(_Row(str(row["code"]), re.compile(str(row["match"])), str(row["says"]), str(row["cure"])))
        except re.error as err:
            raise values.error("errors", f"`match` of {row['code']} is no pattern: {err}") from err
    return rows


_PROFILE_KEYS = (
    "profile", "about", "find", "serial", "server", "phone", "android", "reading_chars_per_s", "unknown_apps", "speed",
)  # fmt: skip
_MAKER_KEYS = ("makers", "cures")


class _Values:
    """A YAML mapping whose values know their place in the file."""

    def __init__(self, text: str, path: str, known: Sequence[str]) -> None:
        self.path = path
        try:
            self.values: dict[str, Any] = yaml.safe_load(text) or {}
            node = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as err:
            mark = err.problem_mark
            place = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else path
            raise DocumentError(f"{place}: {err.problem}", path=path) from err
        if not isinstance(self.values, dict) or not isinstance(node, yaml.MappingNode):
            raise DocumentError(f"{path}:1:1: expected `key: value` lines", path=path)
        self._marks = {key.value: key.start_mark for key, _ in node.value}
        for key in self.values:
            if key not in known:
                raise self.error(key, f"`{key}` is not known here; known: {', '.join(known)}")

    def error(self, key: str, message: str) -> DocumentError:
        """An error at the key's place."""
        mark = self._marks.get(str(key))
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        return DocumentError(f"{self.path}:{line}:{column}: {message}", path=self.path, line=line, column=column)

    def text(self, key: str) -> str | None:
        value = self.values.get(key)
        if value is None:
            return None
        # A serial of digits is a number to YAML.
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            return str(value)
        raise self.error(key, f"`{key}` is a text, got {value!r}")

    def number(self, key: str) -> float | None:
        value = self.values.get(key)
        if value is None:
            return None
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
        raise self.error(key, f"`{key}` is a number, got {value!r}")

    def choice(self, key: str, choices: Sequence[str]) -> str | None:
        value = self.text(key)
        if value is not None and value not in choices:
            raise self.error(key, f"`{key}` is one of {', '.join(choices)}, got {value!r}")
        return value

    def items(self, key: str) -> list[Any]:
        value = self.values.get(key)
        if not isinstance(value, list):
            raise self.error(key, f"`{key}` is a list")
        return value

    def mapping(self, key: str) -> dict[Any, Any]:
        value = self.values.get(key)
        if not isinstance(value, dict):
            raise self.error(key, f"`{key}` has `name: text` lines")
        return value


def _kind_of(path: Path) -> str | None:
    return _kind(path.read_text(encoding="utf-8"))


def _kind(text: str) -> str | None:
    found = re.search(r"^(profile|makers|errors):", text, re.MULTILINE)
    return found[1] if found else None


def _address(text: str) -> tuple[str | None, int | None]:
    # 127.0.0.1:5037   [::1]:5037   buildhost
    found = re.fullmatch(r"(?:tcp:)?(\[[0-9a-fA-F:]+\]|[^:\s]+)(?::(\d{1,5}))?", text)
    if not found or (found[2] and not 0 < int(found[2]) < 65536):
        return None, None
    return found[1].strip("[]"), int(found[2]) if found[2] else 5037

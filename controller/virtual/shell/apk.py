"""What an APK says about itself: package, version, permissions, activities and input methods of its manifest.

Reads the binary XML that Android's build writes, as far as installing needs it. An app that was installed so has an
empty screen: what it shows is not in the manifest.
"""

from __future__ import annotations

import io
import struct
import zipfile
from dataclasses import dataclass, field

from controller.virtual.intents import full_class
from controller.virtual.phone import VirtualPhone
from controller.virtual.spec import ActivitySpec, ImeSpec, PackageSpec

__all__ = ["Manifest", "install", "read_manifest"]

_STRING_POOL, _START_ELEMENT, _END_ELEMENT = 0x0001, 0x0102, 0x0103
_UTF8 = 0x100
_TYPE_STRING, _TYPE_BOOLEAN = 0x03, 0x12
_MAIN, _LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"
_IME_PERMISSION = "android.permission.BIND_INPUT_METHOD"


@dataclass(slots=True)
class Manifest:
    """The part of AndroidManifest.xml that installing needs."""

    package: str = ""
    version_code: int = 1
    version_name: str = "1.0"
    target_sdk: int = 34
    label: str = ""
    permissions: list[str] = field(default_factory=list)
    activities: dict[str, bool] = field(default_factory=dict)
    """Full class → whether it is exported."""
    launchers: list[str] = field(default_factory=list)
    imes: list[str] = field(default_factory=list)
    """Classes of input method services, as the manifest writes them."""


def read_manifest(apk: bytes) -> Manifest | None:
    """The manifest of an APK's bytes, None where they are no APK."""
    try:
        with zipfile.ZipFile(io.BytesIO(apk)) as archive:
            data = archive.read("AndroidManifest.xml")
        return _Reader(data).manifest()
    except (zipfile.BadZipFile, KeyError, struct.error, UnicodeDecodeError, IndexError, NotImplementedError, EOFError):
        return None


def install(phone: VirtualPhone, manifest: Manifest) -> None:
    """Put the app on the phone."""
    old = phone.packages.get(manifest.package)
    uid = old.spec.uid if old is not None else max((one.spec.uid for one in phone.packages.values()), default=10100) + 1
    activities = {
        name: ActivitySpec(name, label=manifest.label, exported=exported, launcher=name in manifest.launchers[:1])
        for name, exported in manifest.activities.items()
    }
    phone.install(
        PackageSpec(
            manifest.package,
            manifest.label or manifest.package.rpartition(".")[2],
            uid,
            version_name=manifest.version_name,
            version_code=manifest.version_code,
            target_sdk=manifest.target_sdk,
            permissions=tuple(manifest.permissions),
            activities=activities,
        )
    )
    for name in manifest.imes:
        full = full_class(manifest.package, name)
        phone.input_methods.add(
            ImeSpec(f"{manifest.package}/{full.removeprefix(manifest.package)}", name, enabled=False)
        )


class _Reader:
    """Walks the chunks of a binary XML document."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._strings: list[str] = []
        self._manifest = Manifest()
        self._activity = ""
        self._actions: set[str] = set()

    def manifest(self) -> Manifest | None:
        at = struct.unpack_from("<H", self._data, 2)[0]
        while at + 8 <= len(self._data):
            kind, header, size = struct.unpack_from("<HHI", self._data, at)
            if size < 8:
                break
            if kind == _STRING_POOL:
                self._read_strings(at)
            elif kind == _START_ELEMENT:
                self._start(at + header)
            elif kind == _END_ELEMENT:
                self._end(at + header)
            at += size
        return self._manifest if self._manifest.package else None

    def _read_strings(self, at: int) -> None:
        count, _, flags, start = struct.unpack_from("<IIII", self._data, at + 8)
        offsets = struct.unpack_from(f"<{count}I", self._data, at + 28)
        self._strings = [self._string(at + start + offset, utf8=bool(flags & _UTF8)) for offset in offsets]

    def _string(self, at: int, *, utf8: bool) -> str:
        if utf8:
            at += 2 if self._data[at] & 0x80 else 1
            size, at = self._data[at], at + 1
            if size & 0x80:
                size, at = (size & 0x7F) << 8 | self._data[at], at + 1
            return self._data[at : at + size].decode("utf-8", "replace")
        size = struct.unpack_from("<H", self._data, at)[0]
        return self._data[at + 2 : at + 2 + size * 2].decode("utf-16-le", "replace")

    def _start(self, at: int) -> None:
        name = self._strings[struct.unpack_from("<I", self._data, at + 4)[0]]
        first, width, count = struct.unpack_from("<HHH", self._data, at + 8)
        attributes: dict[str, str | int] = {}
        for number in range(count):
            place = at + first + number * width
            _, key, raw, _, _, kind, value = struct.unpack_from("<IIiHBBI", self._data, place)
            attributes[self._strings[key]] = self._strings[value if raw < 0 else raw] if kind == _TYPE_STRING else value
        self._take(name, attributes)

    def _take(self, name: str, attributes: dict[str, str | int]) -> None:
        found, own = self._manifest, str(attributes.get("name", ""))
        match name:
            case "manifest":
                found.package = str(attributes.get("package", ""))
                found.version_code = int(attributes.get("versionCode", 1) or 1)
                found.version_name = str(attributes.get("versionName", "1.0"))
            case "uses-sdk" if isinstance(attributes.get("targetSdkVersion"), int):
                found.target_sdk = int(attributes["targetSdkVersion"])
            case "uses-permission":
                found.permissions.append(own)
            case "application" if isinstance(attributes.get("label"), str):
                found.label = str(attributes["label"])
            case "activity" | "activity-alias":
                self._activity = full_class(found.package, own)
                found.activities[self._activity] = bool(attributes.get("exported", 0))
            case "action" | "category":
                self._actions.add(own)
            case "service" if attributes.get("permission") == _IME_PERMISSION:
                found.imes.append(own)

    def _end(self, at: int) -> None:
        name = self._strings[struct.unpack_from("<I", self._data, at + 4)[0]]
        if name == "intent-filter":
            if self._activity and {_MAIN, _LAUNCHER} <= self._actions:
                self._manifest.launchers.append(self._activity)
                self._manifest.activities[self._activity] = True
            self._actions.clear()
        elif name in {"activity", "activity-alias"}:
            self._activity = ""

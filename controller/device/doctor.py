"""Tries each part of the way to a phone for real, and says the one next step.

Nothing is touched or changed on the phone: it is read, photographed, and uiautomator2's server is started as any
command would start it. What lies above `device` (knowledge, fonts of the emulated phone) is examined by functions that
are given in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from controller.adb import starter
from controller.adb.client import AdbDevice, AdbServer, ensure_server
from controller.adb.states import READY, Kind, state_name
from controller.device.keyboards import ADB_KEYBOARDS
from controller.device.phone import Phone
from controller.errors import PhonectlError
from controller.screen.dumpsys import Foreground, State
from controller.screen.picture import size_of

__all__ = ["Check", "Health", "Report", "examine", "next_step"]


class Health(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Check:
    """One row: what was tried, how it went, what was found, and what helps."""

    name: str
    health: Health
    found: str
    cure: str = ""
    details: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The row as JSON."""
        row = {"name": self.name, "health": str(self.health), "found": self.found, "cure": self.cure}
        return {**row, **({"details": self.details} if self.details else {})}


@dataclass(frozen=True, slots=True)
class Report:
    """All rows, and the one thing to do now."""

    checks: tuple[Check, ...]

    @property
    def healthy(self) -> bool:
        """Whether nothing failed."""
        return not any(check.health is Health.FAIL for check in self.checks)

    @property
    def next_step(self) -> str:
        """The one thing to do now."""
        return next_step(self.checks)

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        rows = [check.as_dict() for check in self.checks]
        return {"healthy": self.healthy, "checks": rows, "next_step": self.next_step}


OpenPhone = Callable[[AdbDevice], Phone]
Recognise = Callable[[Foreground], str | None]
_NEEDS_PHONE = ("android", "ui server", "front app", "hierarchy", "screenshot", "touches", "keyboard")


def examine(
    server: AdbServer,
    open_phone: OpenPhone,
    *,
    search_path: str | None,
    serial: str | None = None,
    kind: Kind = Kind.ANY,
    recognise: Recognise = lambda _: None,
    extras: Iterable[Callable[[], Check]] = (),
) -> Iterator[Check]:
    """The checks, one by one as they are made.

    Args:
        server: The adb server that commands would use.
        open_phone: Makes the phone of a device.
        search_path: Where the person's own adb is looked for.
        serial: The phone that is meant, if one is named.
        kind: How it is connected, if that is part of the question.
        recognise: The name of the app in front, None for an app nothing is known of.
        extras: Checks of what lies above.
    """
    yield _tried("adb program", lambda: _programs(search_path))
    up = _tried("adb server", lambda: _server(server, search_path))
    yield up
    device: list[AdbDevice] = []
    if up.health is not Health.FAIL:
        yield _tried("devices", lambda: _devices(server))
        yield _tried("phone", lambda: _chosen(server, serial, kind, device))
    if device:
        with open_phone(device[0]) as phone:
            yield from _phone_checks(phone, recognise)
    else:
        yield from (Check(name, Health.SKIPPED, "no phone") for name in _NEEDS_PHONE)
    yield from (_tried("", extra) for extra in extras)


def next_step(checks: Iterable[Check]) -> str:
    """The one thing to do now."""
    rows = list(checks)
    for health in (Health.FAIL, Health.WARN):
        for row in rows:
            if row.health is health and row.cure:
                return f"{row.name}: {row.cure}"
    if any(row.health is Health.FAIL for row in rows):
        return "look at the failed rows above"
    return "everything works: try `phonectl observe`"


def _phone_checks(phone: Phone, recognise: Recognise) -> Iterator[Check]:
    yield _tried("android", lambda: _android(phone))
    yield _tried("ui server", lambda: _ui_server(phone))
    yield _tried("front app", lambda: _front(phone, recognise))
    yield _tried("hierarchy", lambda: _hierarchy(phone))
    yield _tried("screenshot", lambda: _screenshot(phone))
    yield _tried("touches", lambda: _touches(phone))
    yield _tried("keyboard", lambda: _keyboard(phone))


def _tried(name: str, check: Callable[[], Check]) -> Check:
    try:
        return check()
    except PhonectlError as err:
        return Check(name, Health.FAIL, err.message, err.hint, {"code": err.code, **err.details})


def _programs(search_path: str | None) -> Check:
    programs = starter.find_programs(search_path)
    if not programs:
        cure = "install Android's platform-tools, or `pip install adbutils`"
        return Check("adb program", Health.WARN, "none; a server that runs already is used all the same", cure)
    versions = {program: starter.version_of(program) for program in programs}
    found = "; ".join(f"{program.path} ({release})" for program, (_, release) in versions.items())
    if len({protocol for protocol, _ in versions.values() if protocol}) > 1:
        cure = "keep one adb on PATH: whichever starts second ends the other's server"
        return Check("adb program", Health.WARN, f"different versions: {found}", cure)
    return Check("adb program", Health.OK, found)


def _server(server: AdbServer, search_path: str | None) -> Check:
    started = ensure_server(server, search_path=search_path)
    version = server.version()
    how = f"started with {started.path}" if started else "was running"
    found = f"{server.address}, version {version}, {how}"
    others = {
        protocol for program in starter.find_programs(search_path) if (protocol := starter.version_of(program)[0])
    }
    if others and version not in others:
        cure = f"the server is not of the adb found here (version {', '.join(map(str, sorted(others)))}): keep one adb"
        return Check("adb server", Health.WARN, found, cure, {"code": "adb_conflict"})
    return Check("adb server", Health.OK, found)


def _devices(server: AdbServer) -> Check:
    rows = server.devices()
    found = "; ".join(f"{row.serial} {row.state}" for row in rows) or "none"
    ready = any(row.state == READY for row in rows)
    states = [{"serial": row.serial, "state": state_name(row), **row.details} for row in rows]
    return Check("devices", Health.OK if ready else Health.FAIL, found, details={"devices": states})


def _chosen(server: AdbServer, serial: str | None, kind: Kind, device: list[AdbDevice]) -> Check:
    chosen = server.choose(serial=serial, kind=kind)
    device.append(chosen)
    return Check("phone", Health.OK, chosen.serial)


def _android(phone: Phone) -> Check:
    facts = phone.facts
    found = f"Android {facts.release or '?'} (API {facts.sdk or '?'}), {facts.maker} {facts.model}".rstrip()
    if facts.sdk is not None and facts.sdk < 24:
        return Check("android", Health.WARN, found, "Android 7 and newer are known to work")
    return Check("android", Health.OK, found)


def _ui_server(phone: Phone) -> Check:
    started = phone.clock.now()
    phone.ui.start()
    took = phone.clock.now() - started
    how = f"started in {took:.1f} s" if phone.ui.is_ours else "was running; it is left running"
    return Check("ui server", Health.OK, how)


def _front(phone: Phone, recognise: Recognise) -> Check:
    front = phone.foreground()
    if front.state in (State.KEYGUARD, State.SCREEN_OFF):
        return Check("front app", Health.WARN, f"the phone shows {front.state}", "wake and unlock the phone")
    if front.package is None:
        return Check("front app", Health.WARN, f"cannot be told ({front.via})", "`phonectl foreground --json` says why")
    name = recognise(front)
    over = f", with {front.overlay} over it" if front.overlay else ""
    known = f"{name} ({front.package})" if name else f"{front.package}, of which there is no APP.md"
    return Check("front app", Health.OK, f"{known}{over}", details=front.as_dict())


def _hierarchy(phone: Phone) -> Check:
    seen = phone.observe()
    found = f"{seen.hierarchy.count} nodes in {seen.device_s:.2f} s, screen {seen.size[0]}x{seen.size[1]}"
    if not seen.observable:
        cure = "the app in front shows no nodes (or its dump fails): use screenshots and points, or another app"
        return Check("hierarchy", Health.WARN, f"{found}; {'; '.join(seen.notes)}", cure)
    return Check("hierarchy", Health.OK, "; ".join([found, *seen.notes]))


def _screenshot(phone: Phone) -> Check:
    started = phone.clock.now()
    picture = phone.picture()
    took = phone.clock.now() - started
    if picture.secure:
        return Check(
            "screenshot", Health.WARN, "the app in front forbids pictures", "read its tree: `phonectl observe`"
        )
    width, height = size_of(picture.png)
    notes = "".join(f"; {note}" for note in picture.notes)
    return Check("screenshot", Health.OK, f"{width}x{height}, {len(picture.png) // 1024} KiB in {took:.2f} s{notes}")


# android.permission.INJECT_EVENTS: granted=true          `dumpsys package com.android.shell`
def _touches(phone: Phone) -> Check:
    """Whether adb may touch the screen, as far as reading tells: nothing is touched to find out."""
    said = phone.shell(["dumpsys", "package", "com.android.shell"]).stdout
    if "android.permission.INJECT_EVENTS: granted=true" in said:
        return Check("touches", Health.OK, "adb holds the permission; some makers have a switch of their own beside it")
    cure = phone.cure("inject_denied")
    return Check("touches", Health.OK, f"will show with the first touch; should it be denied: {cure}")


def _keyboard(phone: Phone) -> Check:
    current = phone.shell(["settings", "get", "secure", "default_input_method"]).stdout.strip()
    if current in {keyboard.ime for keyboard in ADB_KEYBOARDS}:
        cure = "another tool left it: choose your own under Settings → Languages & input, or `adb shell ime reset`"
        return Check("keyboard", Health.WARN, f"{current}, on which a person cannot type", cure)
    return Check("keyboard", Health.OK, current or "none is set")

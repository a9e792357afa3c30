"""Which phone is meant, and what to do about each state that an adb server can report.

Pure. Rows come from `client`; the texts a person reads are the table below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from controller.errors import (
    Booting,
    DeviceError,
    DeviceNotFound,
    NoDevice,
    NoPermissions,
    Offline,
    SeveralDevices,
    Unauthorized,
)
from controller.wire.adb.host import DeviceLine

__all__ = ["READY", "Kind", "choose", "group", "is_known", "of_kind", "state_error", "state_name"]

READY = "device"


class Kind(StrEnum):
    """How a phone is connected, where that is part of the question."""

    ANY = "any"
    USB = "usb"
    EMULATOR = "emulator"


@dataclass(frozen=True, slots=True)
class _State:
    """One state in words. The cure may name `{serial}`."""

    error: type[DeviceError]
    says: str
    cure: str


# The words an adb server prints in the second column, `adb devices` of platform-tools 36.
_STATES: dict[str, _State] = {
    "unauthorized": _State(
        Unauthorized,
        "has not accepted this computer's key",
        "unlock the phone and accept “Allow USB debugging?”; if no dialog comes, replug the cable, or revoke the USB "
        "debugging authorisations in Developer options and plug it in again",
    ),
    "authorizing": _State(
        Unauthorized,
        "is deciding about this computer's key",
        "unlock the phone, accept “Allow USB debugging?”, and try again",
    ),
    "offline": _State(
        Offline,
        "is known and does not answer",
        "it may still be starting; otherwise `adb reconnect {serial}`, or unplug and replug the cable",
    ),
    "connecting": _State(Offline, "is still being connected", "wait a moment and try again"),
    "no permissions": _State(
        NoPermissions,
        "may not be opened by this user",
        "on Linux install the udev rules (package `android-sdk-platform-tools-common`), join the group `plugdev`, log "
        "in again and replug the cable",
    ),
    "bootloader": _State(Booting, "is in its bootloader", "start Android with `fastboot reboot`"),
    "recovery": _State(Booting, "is in recovery", "choose “Reboot system now” on the phone"),
    "rescue": _State(Booting, "is in rescue mode", "choose “Reboot system now” on the phone"),
    "sideload": _State(Booting, "is waiting for a sideload", "choose “Reboot system now” on the phone"),
    "host": _State(Offline, "answers as a computer, not as a phone", "restart the emulator"),
    "detached": _State(Offline, "was given up by this adb server", "`adb attach {serial}`"),
}

NO_DEVICE_HINT = (
    "turn on USB debugging in Developer options, use a cable that carries data and accept the dialog on the phone; "
    "for an emulator start it first; without any phone: `--device virtual`"
)


def state_name(row: DeviceLine) -> str:
    """The row's state as one of the known words; `no permissions (user in plugdev group; …)` is `no permissions`."""
    return "no permissions" if row.state.startswith("no permissions") else row.state


def is_known(row: DeviceLine) -> bool:
    """Whether the row's state is a word adb prints; else a blank in the serial had the line cut in the wrong place."""
    return state_name(row) in _STATES or row.state == READY


def of_kind(rows: Iterable[DeviceLine], kind: Kind) -> tuple[DeviceLine, ...]:
    """The rows that are connected in this way."""
    match kind:
        case Kind.USB:
            return tuple(row for row in rows if _is_usb(row))
        case Kind.EMULATOR:
            return tuple(row for row in rows if row.serial.startswith("emulator-"))
        case _:
            return tuple(rows)


def group(rows: Sequence[DeviceLine], number: Callable[[DeviceLine], str]) -> tuple[DeviceLine, ...]:
    """One row for each phone: a phone on the cable and on Wi-Fi is listed twice, and the cable is preferred.

    Args:
        rows: Rows in state `device`.
        number: What the phone itself says its serial number is (`ro.serialno`); "" when it says nothing.
    """
    phones: dict[str, DeviceLine] = {}
    for row in rows:
        key = number(row) or f"row:{row.serial}"
        if key not in phones or (_is_usb(row) and not _is_usb(phones[key])):
            phones[key] = row
    return tuple(phones.values())


def choose(rows: Sequence[DeviceLine], *, serial: str | None = None, kind: Kind = Kind.ANY) -> DeviceLine:
    """The one phone that is meant.

    Raises:
        NoDevice: There is none of this kind.
        SeveralDevices: More than one could be meant; the message lists their serials.
        DeviceNotFound: None has the serial.
        Unauthorized, Offline, NoPermissions, Booting: It is there and cannot be used.
    """
    candidates = _with_serial(rows, serial) if serial else of_kind(rows, kind)
    if not candidates:
        what = "phone" if kind is Kind.ANY else "phone on USB" if kind is Kind.USB else "emulator"
        raise NoDevice(f"the adb server knows no {what}", hint=NO_DEVICE_HINT, serials=[row.serial for row in rows])
    ready = [row for row in candidates if row.state == READY]
    if len(ready) == 1 or (serial and ready):
        return ready[0]
    if ready:
        serials = [row.serial for row in ready]
        raise SeveralDevices(
            f"{len(ready)} phones are connected: {', '.join(serials)}",
            hint=f"name one: `--device {serials[0]}`, or set ANDROID_SERIAL",
            serials=serials,
        )
    raise state_error(candidates[0], others=candidates[1:])


def state_error(row: DeviceLine, *, others: Sequence[DeviceLine] = ()) -> DeviceError:
    """The error of a phone that is listed and cannot be used."""
    state = _STATES.get(state_name(row), _State(Offline, f"is in the state “{row.state}”", "restart the phone"))
    also = "".join(f"; {other.serial} is {state_name(other)}" for other in others)
    return state.error(
        f"{row.serial} {state.says} ({row.state}){also}",
        hint=state.cure.format(serial=row.serial),
        serial=row.serial,
        state=state_name(row),
    )


def _with_serial(rows: Sequence[DeviceLine], serial: str) -> tuple[DeviceLine, ...]:
    found = tuple(row for row in rows if row.serial == serial)
    if found:
        return found
    serials = [row.serial for row in rows]
    known = f"connected: {', '.join(serials)}" if serials else "none is connected"
    remote = f"; `adb connect {serial}` reaches a phone over the network" if ":" in serial else ""
    raise DeviceNotFound(
        f"no phone with serial “{serial}”; {known}",
        hint=f"`phonectl devices` lists them{remote}",
        serial=serial,
        serials=serials,
    )


def _is_usb(row: DeviceLine) -> bool:
    # `usb:1-3` stands in the long list; where it does not (some servers), a serial without an address is on a cable.
    if "usb" in row.details:
        return True
    return ":" not in row.serial and not row.serial.startswith(("emulator-", "adb-"))

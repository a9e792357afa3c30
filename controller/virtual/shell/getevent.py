"""`getevent`: the input devices, and what they tell while somebody uses the phone by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from controller.virtual.glass import DEVICE, Row, rows_of
from controller.virtual.phone import VirtualPhone
from controller.virtual.shell.core import Call, Lasting, command

__all__: list[str] = []

_TYPES: Mapping[str, int] = {"EV_SYN": 0, "EV_KEY": 1, "EV_ABS": 3}
_CODES: Mapping[str, int] = {
    "SYN_REPORT": 0, "KEY_VOLUMEDOWN": 114, "KEY_VOLUMEUP": 115, "KEY_POWER": 116, "KEY_BACK": 158, "KEY_HOMEPAGE": 172,
    "KEY_APPSELECT": 580, "BTN_TOUCH": 330, "ABS_MT_SLOT": 47, "ABS_MT_POSITION_X": 53, "ABS_MT_POSITION_Y": 54,
    "ABS_MT_TRACKING_ID": 57,
}  # fmt: skip


@command("getevent")
def getevent(call: Call) -> int:
    """`getevent [-l] [-t] [-p] [DEVICE]`; without `-p` it stays and tells."""
    flags = {letter for argument in call.args if argument.startswith("-") for letter in argument[1:]}
    labels = "l" in flags
    if flags & {"p", "i"}:
        call.out(_devices(call.phone, labels=labels))
        return 0
    call.out(f'add device 1: {DEVICE}\n  name:     "virtual_ts"\n')
    call.shell.last(Lasting("getevent", follow=_follower(call.phone, timed="t" in flags, labels=labels)))
    return 0


def _devices(phone: VirtualPhone, *, labels: bool) -> str:
    ranges = (
        ("ABS_MT_SLOT", 9),
        ("ABS_MT_POSITION_X", phone.spec.width - 1),
        ("ABS_MT_POSITION_Y", phone.spec.height - 1),
        ("ABS_MT_TRACKING_ID", 65535),
    )
    lines = [f"add device 1: {DEVICE}", '  name:     "virtual_ts"', "  events:"]
    for number, (name, most) in enumerate(ranges):
        head = "    ABS (0003): " if number == 0 else " " * 16
        shown = f"{name:<22}" if labels else f"{_CODES[name]:04x} "
        lines.append(f"{head}{shown}: value 0, min 0, max {most}, fuzz 0, flat 0, resolution 0")
    return "\n".join([*lines, "  input props:", "    INPUT_PROP_DIRECT", ""])


# [   71534.162713] EV_ABS       ABS_MT_POSITION_X    0000021c
# [   71534.162713] EV_KEY       BTN_TOUCH            DOWN
def _follower(phone: VirtualPhone, *, timed: bool, labels: bool) -> Callable[[], bytes]:
    """Gives what was told since it was asked last; of one device or of all, `getevent` names it before each row."""
    seen = [len(rows_of(phone))]

    def more() -> bytes:
        rows = rows_of(phone)
        new, seen[0] = rows[seen[0] :], len(rows)
        return "".join(_shown(row, timed=timed, labels=labels) for row in new).encode("ascii")

    return more


def _shown(row: Row, *, timed: bool, labels: bool) -> str:
    stamp = f"[{row.at:15.6f}] " if timed else ""
    if not labels:
        return f"{stamp}{DEVICE}: {_TYPES[row.kind]:04x} {_CODES[row.code]:04x} {row.value:08x}\n"
    value = {0: "UP", 1: "DOWN"}[row.value] if row.kind == "EV_KEY" else f"{row.value:08x}"
    return f"{stamp}{DEVICE}: {row.kind:<12} {row.code:<20} {value}\n"

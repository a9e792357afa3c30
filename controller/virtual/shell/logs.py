"""`logcat` and `log`: what was written to the phone's log, and what is written while somebody looks."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from controller.virtual.phone import VirtualPhone
from controller.virtual.shell import clock
from controller.virtual.shell.core import Call, Lasting, command, encode

__all__ = ["write_anr", "write_crash", "write_log"]

_PRIORITIES = "VDIWEFS"
_ENTRY = struct.Struct("<HHiIIIII")
_MAX_ROWS = 2_000
_VALUED = {"-v", "-b", "-t", "-T", "-e", "-f", "-r", "-n", "-m", "--pid", "--regex"}
_LONG = {"--clear": "-c", "--dump": "-d", "--buffer-size": "-g", "--format": "-v", "--buffer": "-b", "--binary": "-B"}
_SHELL_PID = 12345
_CRASH_TAG = "AndroidRuntime"
_QUIET_S = 1.0
"""A phone's log never stands still: somebody writes at least so often while it is followed."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the log."""

    at: float
    pid: int
    priority: str
    tag: str
    text: str


@dataclass(slots=True)
class _Log:
    """The rows that are kept; `dropped` counts those that are not there any more."""

    rows: list[_Row]
    dropped: int = 0


_LOGS: WeakKeyDictionary[VirtualPhone, _Log] = WeakKeyDictionary()


def write_log(phone: VirtualPhone, tag: str, text: str, *, priority: str = "I", pid: int = 612) -> None:
    """Write a line to the log, by default as the system server does."""
    log = _log(phone)
    log.rows.append(_Row(phone.wall(), pid, priority, tag, text))
    if len(log.rows) > _MAX_ROWS:
        log.dropped += 1
        del log.rows[0]


def write_crash(phone: VirtualPhone, package: str, pid: int) -> None:
    """What the runtime writes when an app throws and nobody catches."""
    lines = (
        "FATAL EXCEPTION: main",
        f"Process: {package}, PID: {pid}",
        f"java.lang.NullPointerException: Attempt to invoke virtual method on a null object reference in {package}",
        "\tat android.os.Handler.dispatchMessage(Handler.java:106)",
        "\tat android.os.Looper.loop(Looper.java:288)",
    )
    for line in lines:
        write_log(phone, _CRASH_TAG, line, priority="E", pid=pid)


def write_anr(phone: VirtualPhone, package: str, component: str, pid: int) -> None:
    """What the system server writes when an app takes no input."""
    reason = "Input dispatching timed out (Waited 5002ms for MotionEvent)"
    for line in (f"ANR in {package} ({component})", f"PID: {pid}", f"Reason: {reason}"):
        write_log(phone, "ActivityManager", line, priority="E")


def _log(phone: VirtualPhone) -> _Log:
    return _LOGS.setdefault(phone, _Log([]))


@command("log")
def log(call: Call) -> int:
    """`log [-p PRIORITY] [-t TAG] text…`."""
    args, priority, tag = list(call.args), "I", "log"
    while args and args[0] in {"-p", "-t"}:
        flag = args.pop(0)
        value = args.pop(0) if args else ""
        if flag == "-t":
            tag = value
        else:
            priority = value[:1].upper() if value[:1].upper() in _PRIORITIES[:-1] else "I"
    write_log(call.phone, tag, " ".join(args), priority=priority, pid=_SHELL_PID)
    return 0


@command("logcat")
def logcat(call: Call) -> int:
    """`logcat [-c|-d|-g] [-B] [-v FORMAT] [-s] [-t N] [TAG:PRIORITY…]`; without `-d` it stays and follows."""
    flags, values, filters = _read(call.args)
    log = _log(call.phone)
    if "-c" in flags:
        log.dropped += len(log.rows)
        log.rows.clear()
        return 0
    if "-g" in flags:
        call.line("main: ring buffer is 256 KiB (255 KiB consumed), max entry is 5120 B, max payload is 4068 B")
        return 0
    wanted = _wanted(filters, silent="-s" in flags)
    only_crashes = values.get("-b") == "crash"
    kept = [row for row in log.rows if row.tag == _CRASH_TAG] if only_crashes else log.rows
    if "-B" in flags:
        show = _packed(wanted)
        call.out(b"".join(show(row) for row in kept))
    else:
        show = _shown(call.phone, values.get("-v", "threadtime"), wanted)
        call.line(f"--------- beginning of {'crash' if only_crashes else 'main'}")
        count = values.get("-t", values.get("-T", ""))
        rows = kept[-int(count) :] if re.fullmatch(r"[1-9]\d{0,5}", count) else kept
        call.out(b"".join(show(row) for row in rows))
    if not flags & {"-d", "-t"}:
        call.shell.last(Lasting("logcat", follow=_follower(call.phone, show)))
    return 0


def _read(args: list[str]) -> tuple[set[str], dict[str, str], list[str]]:
    flags: set[str] = set()
    values: dict[str, str] = {}
    filters, rest = [], list(args)
    while rest:
        name, given, value = rest.pop(0).partition("=")
        argument = _LONG.get(name, name) + (given + value if name not in _LONG else "")
        if given and name in _LONG:
            flags.add(argument)
            values[argument] = value
        elif argument in _VALUED:
            flags.add(argument)
            values[argument] = rest.pop(0) if rest else ""
        elif argument.startswith("-"):
            flags.add(argument)
        else:
            filters.append(argument)
    return flags, values, filters


def _wanted(filters: list[str], *, silent: bool) -> Callable[[_Row], bool]:
    """Whether a row passes `TAG:PRIORITY` filters; `-s` silences what none names."""
    least = {"*": "S" if silent else "V"}
    for one in filters:
        tag, _, priority = one.partition(":")
        least[tag] = priority[:1].upper() if priority[:1].upper() in _PRIORITIES else "V"
    return lambda row: _PRIORITIES.index(row.priority) >= _PRIORITIES.index(least.get(row.tag, least["*"]))


def _packed(wanted: Callable[[_Row], bool]) -> Callable[[_Row], bytes]:
    """Rows as `-B` passes them on: the kernel's entries, version 4."""

    def show(row: _Row) -> bytes:
        if not wanted(row):
            return b""
        # Length of the payload, of the header, pid, tid, seconds, nanoseconds, number of the log (0 is main), uid; then
        # the priority as a byte, the tag and the text, each with a NUL.
        text = b"%c%s\0%s\0" % (_PRIORITIES.index(row.priority) + 2, encode(row.tag), encode(row.text))
        nanoseconds = int(row.at % 1 * 1e9)
        return _ENTRY.pack(len(text), _ENTRY.size, row.pid, row.pid, int(row.at), nanoseconds, 0, 1000) + text

    return show


def _shown(phone: VirtualPhone, form: str, wanted: Callable[[_Row], bool]) -> Callable[[_Row], bytes]:
    form, *modifiers = form.split(",")

    def show(row: _Row) -> bytes:
        if not wanted(row):
            return b""
        day = "%Y-%m-%d" if "year" in modifiers else "%m-%d"
        time = clock.formatted(phone, f"{day} %H:%M:%S", row.at) + f".{int(row.at % 1 * 1000):03d}"
        match form:
            case "raw":
                line = row.text
            case "brief":
                line = f"{row.priority}/{row.tag:<8}({row.pid:5d}): {row.text}"
            case "tag":
                line = f"{row.priority}/{row.tag:<8}: {row.text}"
            case "time":
                line = f"{time} {row.priority}/{row.tag:<8}({row.pid:5d}): {row.text}"
            case _:
                line = f"{time} {row.pid:5d} {row.pid:5d} {row.priority} {row.tag:<8}: {row.text}"
        return encode(line + "\n")

    return show


def _follower(phone: VirtualPhone, show: Callable[[_Row], bytes]) -> Callable[[], bytes]:
    """Gives what was written since it was asked last."""
    log = _log(phone)
    seen, heard = [log.dropped + len(log.rows)], [phone.now()]

    def more() -> bytes:
        if log.dropped + len(log.rows) > seen[0]:
            heard[0] = phone.now()
        elif phone.now() - heard[0] >= _QUIET_S:
            write_log(phone, "healthd", "battery l=100 v=4300 t=25.0 h=2 st=5 c=0 fc=3000000 cc=1 chg=u", pid=1)
            heard[0] = phone.now()
        new = log.rows[max(0, seen[0] - log.dropped) :]
        seen[0] = log.dropped + len(log.rows)
        return b"".join(show(row) for row in new)

    return more

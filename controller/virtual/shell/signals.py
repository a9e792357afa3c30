"""`kill`, `killall`, `pkill`: the shell user may end its own processes: uiautomator2's server and no others."""

from __future__ import annotations

import re

from controller.virtual.shell.core import Call, command
from controller.virtual.shell.processes import Process, processes
from controller.virtual.uiautomator.connection import end

__all__: list[str] = []

_SIGNAL = re.compile(r"-(\d+|(SIG)?[A-Z][A-Z0-9]+)")
_SIGNALS = "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM"


@command("kill")
def kill(call: Call) -> int:
    """`kill [-l | -SIGNAL | -s SIGNAL] PID…`."""
    signal, pids = _signal(call.args)
    if signal == "-l":
        call.line(_SIGNALS)
        return 0
    code = 0
    for pid in pids:
        found = next((process for process in processes(call.phone) if str(process.pid) == pid), None)
        if not pid.isdecimal():  # `%1`, a job of this shell: it has ended, as everything here does at once
            continue
        trouble = "No such process" if found is None else _send(call, found, signal)
        if trouble:
            call.err(f"/system/bin/sh: kill: {pid}: {trouble}")
            code = 1
    return code


@command("killall", "pkill")
def kill_by_name(call: Call) -> int:
    """`killall NAME…`, `pkill [-f] PATTERN`."""
    signal, names = _signal([word for word in call.args if word not in {"-f", "-x", "-q"}])
    code = 0
    for name in names:
        found = [
            process for process in processes(call.phone) if _is_called(process, name, whole=call.name == "killall")
        ]
        troubles = [_send(call, process, signal) for process in found]
        if not found and call.name == "killall":
            call.fail(f"{name}: No such process")
        for process, trouble in zip(found, troubles, strict=True):
            if trouble:
                call.fail(f"{process.pid}: {trouble}")
        code = code or int(not found or all(troubles))
    return code


def _is_called(process: Process, name: str, *, whole: bool) -> bool:
    return process.name == name if whole else name in process.name or name in process.line


def _signal(args: list[str]) -> tuple[str, list[str]]:
    """The signal's name or number, empty for the usual one, and what it is for."""
    if args[:1] == ["-s"]:
        return args[1] if len(args) > 1 else "", args[2:]
    if args[:1] == ["-l"]:
        return "-l", []
    if args and _SIGNAL.fullmatch(args[0]):
        return args[0][1:], args[1:]
    return "", list(args)


def _send(call: Call, process: Process, signal: str) -> str:
    """Signal a process; what was wrong, empty where nothing was."""
    if process.user != "shell":
        return "Operation not permitted"
    if signal != "0" and process.name == "app_process":
        end(call.phone)
    return ""

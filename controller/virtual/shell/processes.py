"""The processes that run on the phone: init and friends, and one for every app that has been started."""

from __future__ import annotations

from dataclasses import dataclass

from controller.virtual.phone import VirtualPhone
from controller.virtual.uiautomator.connection import held_by

__all__ = ["Process", "processes", "user_name"]

_SYSTEM: tuple[tuple[str, int, int, str], ...] = (
    ("root", 1, 0, "init"),
    ("root", 2, 0, "[kthreadd]"),
    ("logd", 201, 1, "logd"),
    ("system", 203, 1, "servicemanager"),
    ("system", 301, 1, "surfaceflinger"),
    ("root", 311, 1, "zygote64"),
    ("shell", 402, 1, "adbd"),
    ("system", 612, 311, "system_server"),
)

_SERVER_LINE = "app_process / com.wetest.uia2.Main"


@dataclass(frozen=True, slots=True)
class Process:
    """One process."""

    user: str
    pid: int
    parent: int
    name: str
    front: bool = False
    line: str = ""
    """The command line, where it says more than the name."""


def user_name(uid: int) -> str:
    """The name of an app's user: `u0_a123` of 10123; `system` of 1000."""
    if uid >= 10000:
        return f"u{uid // 100000}_a{uid % 100000 - 10000}"
    return {0: "root", 1000: "system", 1001: "radio", 1027: "nfc", 2000: "shell"}.get(uid, str(uid))


def processes(phone: VirtualPhone) -> list[Process]:
    """All processes, by pid."""
    top = phone.top_activity()
    found = [Process(user, pid, parent, name) for user, pid, parent, name in _SYSTEM]
    for name, package in phone.packages.items():
        if package.pid is not None:
            front = top is not None and top.package == name
            found.append(Process(user_name(package.spec.uid), package.pid, 311, name, front))
    if held_by(phone) is not None:
        found.append(Process("shell", 12001, 402, "app_process", line=_SERVER_LINE))
    found.append(Process("shell", 12345, 402, "sh"))
    return sorted(found, key=lambda process: process.pid)

"""What the phone itself does when a fault begins and when it ends: it locks, restarts, loses an app, asks a question.

Pure, on the phone's own state. Connections that break with it are for `services`, how a dialog looks for `dialogs`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from controller.virtual.activities import Activity, Callback
from controller.virtual.faults.switchboard import Effect, Fault

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Mishaps", "phase_of_restart"]

GONE_S = 3.0
STARTING_S = 3.0
_LOCATION = "android.permission.ACCESS_FINE_LOCATION"


class Mishaps:
    """The effects of one phone, by the fault's name, and what they remember."""

    def __init__(self, phone: VirtualPhone) -> None:
        self.victims: dict[str, str] = {}
        """Fault → the package that it met."""
        self.since: dict[str, float] = {}
        """Fault → when it began."""
        self.asked: Activity | None = None
        """The permission dialog of the fault."""
        plain = _Plain(phone, self)
        self.effects: Mapping[str, Effect] = {
            "offline": plain,
            "unauthorized": plain,
            "popup": plain,
            "unplug": _Unplug(phone, self),
            "reboot": _Restart(phone, self),
            "uiserver_killed": _Momentary(phone, self),
            "keyguard": _Keyguard(phone, self),
            "permission_dialog": _Permission(phone, self),
            "crash": _Crash(phone, self),
            "anr": _Hang(phone, self),
        }


class _Plain:
    """Begins, and lasts until it is cleared."""

    def __init__(self, phone: VirtualPhone, mishaps: Mishaps) -> None:
        self.phone = phone
        self.mishaps = mishaps

    def begin(self, fault: Fault) -> bool:
        self.mishaps.since[fault.name] = self.phone.now()
        self.phone.changed()
        return True

    def over(self, fault: Fault) -> bool:
        del fault
        return False

    def end(self, fault: Fault) -> None:
        self.mishaps.since.pop(fault.name, None)
        self.mishaps.victims.pop(fault.name, None)
        self.phone.changed()

    def lasted(self, fault: Fault) -> float:
        """Seconds since it began."""
        return self.phone.now() - self.mishaps.since[fault.name]


class _Momentary(_Plain):
    """Over as soon as it has happened."""

    def over(self, fault: Fault) -> bool:
        del fault
        return True


class _Unplug(_Plain):
    def over(self, fault: Fault) -> bool:
        seconds = fault.args.get("seconds")
        return seconds is not None and self.lasted(fault) >= float(seconds)


class _Restart(_Plain):
    def begin(self, fault: Fault) -> bool:
        self.phone.restart()
        return super().begin(fault)

    def over(self, fault: Fault) -> bool:
        return phase_of_restart(fault, self.lasted(fault)) == ""

    def end(self, fault: Fault) -> None:
        self.phone.props |= {"sys.boot_completed": "1", "init.svc.bootanim": "stopped"}
        super().end(fault)


class _Keyguard(_Plain):
    def begin(self, fault: Fault) -> bool:
        self.phone.sleep()
        self.phone.keyguard = True
        if fault.args.get("screen") != "off":
            self.phone.wake()
        return super().begin(fault)

    def over(self, fault: Fault) -> bool:
        del fault
        return not self.phone.keyguard

    def end(self, fault: Fault) -> None:
        self.phone.wake()
        self.phone.dismiss_keyguard()
        super().end(fault)


class _Permission(_Plain):
    def begin(self, fault: Fault) -> bool:
        phone = self.phone
        top = _app_in_front(phone)
        if top is None:
            return False
        permission = fault.args.get("permission", _LOCATION)
        phone.packages[top.package].granted.discard(permission)
        phone.permissions.ask(top, permission, Callback(phone.names.scope(top), (), ()))
        self.mishaps.asked = phone.tasks.top
        return super().begin(fault)

    def over(self, fault: Fault) -> bool:
        del fault
        return self.mishaps.asked not in tuple(self.phone.tasks.activities())

    def end(self, fault: Fault) -> None:
        asked, self.mishaps.asked = self.mishaps.asked, None
        if asked is not None and asked in tuple(self.phone.tasks.activities()):
            self.phone.launcher.finish(asked)
        super().end(fault)


class _Crash(_Plain):
    def begin(self, fault: Fault) -> bool:
        victim = _victim(self.phone, fault)
        if victim is None:
            return False
        # Imported here: the shell is built on the phone, and its log belongs to it.
        from controller.virtual.shell.logs import write_crash

        self.mishaps.victims[fault.name] = victim
        write_crash(self.phone, victim, self.phone.packages[victim].pid or 0)
        self.phone.stop(victim)
        return super().begin(fault)


class _Hang(_Plain):
    """The app takes no touches and shows no nodes; what Android asks about it is modal."""

    def begin(self, fault: Fault) -> bool:
        victim = _victim(self.phone, fault)
        if victim is None:
            return False
        # As for a crash.
        from controller.virtual.shell.logs import write_anr

        self.mishaps.victims[fault.name] = victim
        top = self.phone.tasks.top
        component = "/".join(top.component) if top is not None else victim
        write_anr(self.phone, victim, component, self.phone.packages[victim].pid or 0)
        return super().begin(fault)

    def over(self, fault: Fault) -> bool:
        package = self.phone.packages.get(self.mishaps.victims[fault.name])
        return package is None or package.pid is None


def phase_of_restart(fault: Fault, lasted_s: float) -> str:
    """`gone`, `starting`, or nothing once the phone is up again."""
    gone = float(fault.args.get("seconds", GONE_S))
    starting = float(fault.args.get("starting", STARTING_S))
    return "gone" if lasted_s < gone else "starting" if lasted_s < gone + starting else ""


def _app_in_front(phone: VirtualPhone) -> Activity | None:
    """The activity in front where it is an app's and not the launcher's."""
    top = phone.tasks.top
    task = phone.tasks.front
    return None if top is None or task is None or task.home else top


def _victim(phone: VirtualPhone, fault: Fault) -> str | None:
    named = fault.args.get("app")
    if named is not None:
        package = phone.packages.get(named)
        return named if package is not None and package.pid is not None else None
    top = _app_in_front(phone)
    return top.package if top is not None else None

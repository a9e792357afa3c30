"""The table of faults: a name, a sentence on what a client sees, and the arguments. Pure data."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["FAULTS", "FaultKind", "check_arguments"]

APP = "package that it meets; the app in front where none is named"


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A fault that can be asked for.

    Args:
        says: What a client sees, in a sentence.
        takes: Its arguments, each with its meaning.
        strikes: Whether `count` counts single answers that are spoilt; else it counts how often it comes up again
            after the person (or the client) has dealt with it.
        connection: Whether connections break when it begins.
    """

    says: str
    takes: Mapping[str, str] = field(default_factory=dict)
    strikes: bool = False
    connection: bool = False


FAULTS: Mapping[str, FaultKind] = {
    # the connection
    "cut": FaultKind("the connection breaks in the middle of an answer", strikes=True),
    "unplug": FaultKind(
        "the cable is pulled: connections break and the phone is no longer listed",
        {"seconds": "until it is plugged in again; without it, until the fault is cleared"},
        connection=True,
    ),
    "offline": FaultKind("the phone is listed as offline and refuses every service", connection=True),
    "unauthorized": FaultKind("the phone has not accepted the computer's key", connection=True),
    "reboot": FaultKind(
        "the phone restarts: it is gone, then it answers without its services, then its home screen is there",
        {"seconds": "how long it is gone (3)", "starting": "how long its services are missing afterwards (3)"},
        connection=True,
    ),
    "slow": FaultKind(
        "every answer takes longer",
        {"seconds": "by how much (1)", "profile": "as on this connection instead: a name of latency.yaml"},
    ),
    "crlf": FaultKind("what a shell prints has CR LF line ends, pictures included; only `exec:` is left whole"),
    # uiautomator2's server
    "uiserver_dies": FaultKind("uiautomator2's server ends when the next call arrives, before doing it", strikes=True),
    "uiserver_killed": FaultKind("the phone's power saver ends uiautomator2's server and the command that started it"),
    "uiserver_hang": FaultKind("uiautomator2's server takes a call and never answers", strikes=True),
    "already_registered": FaultKind("another program holds UiAutomation, so uiautomator2's server cannot start"),
    # what is seen
    "null_focus": FaultKind("the window manager names no focused window"),
    "secure_window": FaultKind("the front window is FLAG_SECURE: pictures of it are black"),
    "multi_display_warning": FaultKind("screencap prints its warning about several displays before the PNG"),
    "tree_empty": FaultKind("the hierarchy holds no node of the app in front, only those of the system"),
    "emoji_surrogates": FaultKind("`uiautomator dump` writes both halves of an emoji as references, which is no XML"),
    "idle_never": FaultKind("the screen never rests: `uiautomator dump` gives up waiting for it", strikes=True),
    # what is refused
    "inject_denied": FaultKind("touches and keys by adb are refused (INJECT_EVENTS)"),
    "ime_refused": FaultKind("the keyboard cannot be changed: `ime set` and `ime enable` are denied"),
    "install_refused": FaultKind("installing is refused by the person (INSTALL_FAILED_USER_RESTRICTED)"),
    # what lies in front
    "keyguard": FaultKind(
        "the phone is locked and shows its keyguard", {"screen": "`off` leaves the screen dark as well"}
    ),
    "permission_dialog": FaultKind(
        "Android asks for a permission over the app in front",
        {"permission": "which one (android.permission.ACCESS_FINE_LOCATION)"},
    ),
    "popup": FaultKind(
        "a dialog of the system lies over whatever is in front",
        {"title": "its title", "message": "its text"},
    ),
    "crash": FaultKind("the app in front crashes, and Android says so in a dialog", {"app": APP}),
    "anr": FaultKind("the app in front does not respond, and Android asks whether to wait", {"app": APP}),
    # where links and apps lead
    "chooser": FaultKind("the next link opens Android's chooser instead of an app", strikes=True),
    "browser_link": FaultKind("the next link ends in the browser instead of its app", strikes=True),
    "brought_to_front": FaultKind(
        "the next start only brings the running app to the front; what was to be opened is ignored", strikes=True
    ),
}
"""Every fault by its name."""


def check_arguments(name: str, arguments: Mapping[str, str]) -> None:
    """Refuse a fault that does not exist or takes no such argument.

    Raises:
        ValueError: With the nearest names.
    """
    kind = FAULTS.get(name)
    if kind is None:
        near = difflib.get_close_matches(name, FAULTS, 3)
        raise ValueError(f"there is no fault `{name}`" + (f"; did you mean {', '.join(near)}?" if near else ""))
    for key, value in arguments.items():
        if key not in kind.takes:
            takes = f"it takes {', '.join(kind.takes)}" if kind.takes else "it takes none"
            raise ValueError(f"the fault `{name}` takes no `{key}`; {takes}")
        if key in ("seconds", "starting") and not _is_duration(value):
            raise ValueError(f"`{key}` of the fault `{name}` is {value!r}, which is no number of seconds")


def _is_duration(text: str) -> bool:
    try:
        return 0 <= float(text) < float("inf")
    except ValueError:
        return False

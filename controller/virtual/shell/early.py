"""What commands say while Android is starting: adbd and the shell are there, the services are not yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Refusal", "without_services"]

# `am`, `pm` and the like are scripts around `cmd SERVICE`, which ends with 20 where there is no such service.
_SERVICE_OF: Mapping[str, str] = {
    "am": "activity",
    "content": "content",
    "ime": "input_method",
    "input": "input",
    "monkey": "package",
    "pm": "package",
    "settings": "settings",
    "svc": "phone",
    "wm": "window",
}
_NO_SERVICE = 20


@dataclass(frozen=True, slots=True)
class Refusal:
    """What is printed to standard error, and the exit code."""

    text: str
    exit_code: int


def without_services(name: str, args: list[str]) -> Refusal | None:
    """How a command fails that needs a service; None for one that needs none."""
    match name:
        case "cmd":
            return Refusal(f"cmd: Can't find service: {args[0] if args else ''}", _NO_SERVICE)
        case "dumpsys":
            named = [arg for arg in args if not arg.startswith("-")]
            return Refusal("\n".join(f"Can't find service: {one}" for one in named[:1]), 0) if named else Refusal("", 0)
        case "app_process" | "uiautomator":
            # UiAutomation is reached through the activity service.
            return Refusal(
                "java.lang.NullPointerException: Attempt to invoke interface method "
                "'android.app.IUiAutomationConnection' on a null object reference",
                1,
            )
        case _ if name in _SERVICE_OF:
            return Refusal(f"cmd: Can't find service: {_SERVICE_OF[name]}", _NO_SERVICE)
        case _:
            return None

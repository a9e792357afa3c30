"""Argument lists of Android's own commands. Pure; they are quoted once, in `adb.client.command_line`."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["SEPARATOR", "clear", "joined", "launch", "list_packages", "monkey", "resolve", "split", "view"]

SEPARATOR = "__phonectl__"
# FLAG_ACTIVITY_NEW_TASK | FLAG_ACTIVITY_RESET_TASK_IF_NEEDED: what a launcher sends.
_LAUNCHER_FLAGS = "0x10200000"
_LAUNCHER = "android.intent.category.LAUNCHER"


def resolve(package: str, *, user: int | None) -> list[str]:
    """Ask for the activity that an app's icon starts."""
    return ["cmd", "package", "resolve-activity", "--brief", *_user(user), "-c", _LAUNCHER, package]


def launch(component: str, *, user: int | None) -> list[str]:
    """Start an app as its icon does: its task comes back where it was."""
    main = ["-a", "android.intent.action.MAIN", "-c", _LAUNCHER, "-f", _LAUNCHER_FLAGS]
    return ["am", "start", "-W", *_user(user), *main, "-n", component]


def monkey(package: str) -> list[str]:
    """Start an app where the package manager cannot be asked. Without system keys: some phones have none to press."""
    return ["monkey", "-p", package, "-c", _LAUNCHER, "--pct-syskeys", "0", "1"]


def view(uri: str, package: str | None, *, user: int | None = None) -> list[str]:
    """Open a URI. `am` reads `intent:` and `android-app:` itself where they stand alone, and not behind `-d`."""
    target = ["-p", package] if package else []
    head = ["am", "start", "-W", *_user(user)]
    if uri.lower().startswith(("intent:", "android-app:")):
        return [*head, *target, uri]
    return [*head, "-a", "android.intent.action.VIEW", "-d", uri, *target]


def clear(package: str, *, user: int | None) -> list[str]:
    """Take an app back to its first start."""
    return ["pm", "clear", *_user(user), package]


def list_packages(package: str, *, user: int | None) -> list[str]:
    """List packages whose name holds this one; without a user it may fail for a space that is closed to adb."""
    return ["pm", "list", "packages", *_user(user), package]


def joined(lines: Sequence[str]) -> str:
    """Several command lines as one, with a line between their outputs; plain words, for the simplest shells."""
    return ";".join(f"{line};echo {SEPARATOR}" for line in lines)


def split(output: str, lines: Sequence[str]) -> dict[str, str] | None:
    """The outputs by command line; None where the shell did not keep them apart."""
    pieces = output.replace("\r\n", "\n").split(SEPARATOR)
    if len(pieces) != len(lines) + 1:
        return None
    return {line: piece.lstrip("\n") for line, piece in zip(lines, pieces, strict=False)}


def _user(user: int | None) -> list[str]:
    return [] if user is None else ["--user", str(user)]

"""The embedded virtual phone that runs for itself: served, found by other commands, and steered.

A note in the person's state folder says where it serves. The phone itself is `virtual`; one that is booted for a single
session is `connect`'s.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.config import Config, state_folder
from controller.errors import UsageError
from controller.task import phone_folder

if TYPE_CHECKING:
    from controller.virtual.server import VirtualServer

__all__ = ["Running", "draw_map", "fault_table", "find_running", "serve", "steer"]


@dataclass(frozen=True, slots=True)
class Running:
    """Where a virtual phone serves.

    Args:
        pid: The process that serves it.
        serial: Its serial.
        server: Its adb server, `HOST:PORT`.
        control: Where it takes requests to disturb it, `HOST:PORT`.
        token: What such a request must bring.
    """

    pid: int
    serial: str
    server: str
    control: str
    token: str


@contextmanager
def serve(
    config: Config,
    *,
    name: str = "default",
    port: int = 0,
    android: int = 14,
    trace: Path | None = None,
    count: int = 1,
    latency: str | None = None,
) -> Iterator[VirtualServer]:
    """Virtual phones that serve for the time of the block; `--device virtual` finds the first of them meanwhile."""
    from controller.virtual import boot
    from controller.virtual.control import Control
    from controller.virtual.tracing import JsonLines

    with ExitStack() as ends:
        lines = ends.enter_context(closing(JsonLines(trace))) if trace else None
        server = ends.enter_context(boot(name, android=android, port=port, trace=lines, count=count, latency=latency))
        token = secrets.token_urlsafe(24)
        control = ends.enter_context(closing(Control(server, token=token)))
        control.start()
        note = _running_file(config)
        _write_private(note, Running(os.getpid(), server.serial, server.server, control.address, token))
        ends.callback(_forget_running, note)
        for serial in server.phones:
            # Its budgets begin with it: another phone of the same name was another phone.
            (phone_folder(state_folder(config), serial) / "tasks.json").unlink(missing_ok=True)
        yield server


def steer(config: Config, request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The faults that are switched on after a request to the running virtual phone (see `virtual.control`).

    Raises:
        UsageError: None is running, or it refuses the request.
    """
    running = find_running(config)
    if running is None:
        raise UsageError(
            "no virtual phone is running, so there is nothing to disturb",
            hint="start one with `phonectl virtual start`",
        )
    answer = _ask_control(running, request)
    if not answer.get("ok"):
        raise UsageError(str(answer.get("error")), hint="`phonectl virtual faults` lists them")
    return list(answer["faults"])


def fault_table() -> list[dict[str, Any]]:
    """Every fault that a virtual phone can show: its name, what a client sees, and what it takes."""
    from controller.virtual.control import fault_table as table

    return table()


def draw_map(folder: Path) -> str:
    """The map of a captured phone, as an HTML page.

    Raises:
        DocumentError: The folder holds no capture, or something in it is wrong.
    """
    from controller.virtual.captured.map import map_page
    from controller.virtual.captured.reading import read_capture

    return map_page(read_capture(folder))


def find_running(config: Config) -> Running | None:
    """Where the virtual phone of `phonectl virtual start` serves; None when none does."""
    try:
        running = _read(_running_file(config))
        # The control socket, and not the list of phones: an unplugged phone is not listed and runs all the same.
        answer = _ask_control(running, {"do": "faults"})
        return running if answer.get("ok") else None
    except (OSError, ValueError, TypeError):
        return None


def _ask_control(running: Running, request: Mapping[str, Any]) -> dict[str, Any]:
    from controller.virtual.control import ask

    return ask(running.control, running.token, request)


def _read(path: Path) -> Running:
    return Running(**json.loads(path.read_text(encoding="utf-8")))


def _write_private(path: Path, content: Running) -> None:
    """The token inside is for this person alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(asdict(content), file)


def _forget_running(note: Path) -> None:
    try:
        if _read(note).pid == os.getpid():
            note.unlink()
    except (OSError, ValueError, TypeError):
        # Another phone that was started later has taken the note over, or it is gone already.
        return


def _running_file(config: Config) -> Path:
    return state_folder(config) / "virtual.json"

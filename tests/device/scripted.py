"""A phone for tests, as a table: what its shell prints for a command, what uiautomator2's server answers to a call."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from controller.adb.client import AdbServer
from controller.clock import Clock, ManualClock
from controller.device.commands import SEPARATOR
from controller.device.phone import Phone
from controller.device.profile import Profile
from tests.adb.peer import Peer, UiPeer, exit_code, stdout

__all__ = ["Call", "Script", "scripted"]

Call = tuple[str, list[Any]]


class Script:
    """Answers of a phone. A list is used up one by one, its last one stays; a function gets the command or parameters.

    `binary` has outputs as bytes: None never comes, and the streams of lines in `cut` end before their exit code. Calls
    in `silent` are answered after a second.
    """

    def __init__(self) -> None:
        self.shell: dict[str, Any] = {
            "getprop ro.build.version.sdk": "34\n",
            "getprop ro.build.version.release": "14\n",
            "getprop ro.product.manufacturer": "Xiaomi\n",
            "getprop ro.product.model": "23013RK75C\n",
            "wm size": "Physical size: 1080x2400\n",
            "am get-current-user": "0\n",
        }
        self.rpc: dict[str, Any] = {}
        self.binary: dict[str, Any] = {}
        self.cut: set[str] = set()
        self.always_cut = True
        self.silent: set[str] = set()
        self.commands: list[str] = []
        self.calls: list[Call] = []

    def run(self, line: str) -> str:
        """What the shell prints; an unknown command is answered as `sh` does."""
        self.commands.append(line)
        known = next((self.shell[key] for key in self.shell if line == key or line.startswith(f"{key} ")), None)
        if known is None:
            return f"/system/bin/sh: {line.split()[0]}: inaccessible or not found\n"
        return known(line) if callable(known) else str(taken(known))

    def answer(self, method: str, params: list[Any]) -> Any:
        self.calls.append((method, params))
        known = self.rpc[method]
        return known(*params) if callable(known) else taken(known)

    def called(self, method: str) -> list[list[Any]]:
        """The parameters of each call of a method."""
        return [params for name, params in self.calls if name == method]


def taken(known: Any) -> Any:
    if isinstance(known, list):
        return known.pop(0) if len(known) > 1 else known[0]
    return known


@contextmanager
def scripted(script: Script, *, clock: Clock | None = None, tick: Callable[[], None] = lambda: None) -> Iterator[Phone]:
    """The phone behind a small adb server."""
    clock = clock or ManualClock()

    def shell(sock: socket.socket, service: str) -> None:
        tick()
        line = service.removeprefix("shell,v2,raw:")
        if line in script.binary:
            data = taken(script.binary[line])
            if data is None:
                sock.recv(1)
                return
            sock.sendall(stdout(data) + exit_code(0))
            return
        if any(line.startswith(begin) for begin in script.cut):
            script.cut = script.cut if script.always_cut else set()
            script.run(line)
            return
        lines = [one.lstrip(";") for one in line.split(f";echo {SEPARATOR}")]
        joined = "".join(script.run(one) + SEPARATOR + "\n" for one in lines[:-1])
        out = joined or script.run(line)
        sock.sendall(stdout(out.encode()) + exit_code(1 if "Error" in out or "Exception" in out else 0))

    class Ui(UiPeer):
        def _reply(self, body: bytes) -> bytes | None:
            request = json.loads(body)
            value = script.answer(request["method"], request["params"])
            if request["method"] in script.silent:
                threading.Event().wait(1)
            answer = value if isinstance(value, dict) and set(value) == {"error"} else {"result": value}
            data = json.dumps({"jsonrpc": "2.0", "id": 1, **answer}).encode()
            return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(data) + data

    at = Peer({"host-serial:*": b"OKAY0014shell_v2,cmd,stat_v2", "shell,v2,raw:*": shell, "tcp:9008": Ui()})
    try:
        with Phone(AdbServer("127.0.0.1", at.port, clock=clock).device("S1"), Profile(), clock) as phone:
            yield phone
    finally:
        at.close()

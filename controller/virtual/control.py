"""The control socket of running virtual phones: faults set, cleared and listed from outside the process.

A JSON object a line and one line back, on 127.0.0.1, for whoever holds the token:

    {"token": "…", "do": "fault", "name": "popup", "args": {"title": "…"}, "after": 3, "count": 1, "when": {"app": "…"}}
    {"token": "…", "do": "clear", "name": "popup"}
    {"token": "…", "do": "faults"}

`serial` names one phone; without it all of them are meant. The answer is `{"ok": true, "faults": […]}` or
`{"ok": false, "error": "…"}`. What a fault does is not known here.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import socket
from collections.abc import Mapping
from typing import Any

from controller.errors import DocumentError
from controller.virtual.faults import FAULTS, Fault, When, check_arguments
from controller.virtual.listener import HOST, Listener
from controller.virtual.server import VirtualServer
from controller.virtual.services import Services
from controller.virtual.store import load_latency
from controller.virtual.streams import close_socket

__all__ = ["Control", "ask", "fault_table"]

_LONGEST = 64 * 1024
_IDLE_S = 10.0


def fault_table() -> list[dict[str, Any]]:
    """Every fault: its name, what a client sees, and what it takes."""
    return [{"name": name, "says": kind.says, "takes": dict(kind.takes)} for name, kind in FAULTS.items()]


def ask(address: str, token: str, request: Mapping[str, Any], *, timeout_s: float = 5.0) -> dict[str, Any]:
    """The answer of a control socket.

    Raises:
        OSError: Nobody answers there.
        ValueError: What answers is no control socket.
    """
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=timeout_s) as peer:
        peer.sendall(json.dumps({**request, "token": token}).encode() + b"\n")
        line = _line(peer)
    answer = json.loads(line)
    if not isinstance(answer, dict):
        raise ValueError(f"not the answer of a control socket: {line[:80]!r}")
    return answer


class Control:
    """The socket.

    Args:
        server: Whose phones it steers.
        token: What a request must hold.
    """

    def __init__(self, server: VirtualServer, *, token: str) -> None:
        self._server = server
        self._token = token
        self._listener = Listener(self._serve, name="control")

    @property
    def address(self) -> str:
        """`127.0.0.1:PORT`."""
        return f"{HOST}:{self._listener.port}"

    def start(self) -> None:
        """Begin to accept."""
        self._listener.start()

    def close(self) -> None:
        """Stop accepting."""
        self._listener.close()

    def _serve(self, peer: socket.socket) -> None:
        peer.settimeout(_IDLE_S)
        with contextlib.suppress(OSError):
            peer.sendall(json.dumps(self._answer(_line(peer)), ensure_ascii=False).encode() + b"\n")
        close_socket(peer)

    def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise ValueError("a request is a JSON object")
            if not hmac.compare_digest(str(request.get("token", "")).encode(), self._token.encode()):
                raise ValueError("the token is wrong")
            return {"ok": True, **self._do(request)}
        except ValueError as err:
            return {"ok": False, "error": str(err)}

    def _do(self, request: Mapping[str, Any]) -> dict[str, Any]:
        phones = self._meant(request.get("serial"))
        match request.get("do"):
            case "fault":
                fault = _fault(request)
                for services in phones:
                    with services.lock:
                        services.phone.faults.put(fault)
                        services.phone.tick()
            case "clear":
                name = request.get("name")
                if name is not None:
                    check_arguments(str(name), {})
                for services in phones:
                    with services.lock:
                        services.phone.faults.clear(name)
                        services.phone.tick()
            case "faults":
                pass
            case other:
                raise ValueError(f"`do` is {other!r}; known: fault, clear, faults")
        return {"faults": [standing for services in phones for standing in _standing(services)]}

    def _meant(self, serial: str | None) -> list[Services]:
        if serial is None:
            return list(self._server.services.values())
        services = self._server.services.get(serial)
        if services is None:
            raise ValueError(f"there is no phone {serial!r}; there are: {', '.join(self._server.services)}")
        return [services]


def _fault(request: Mapping[str, Any]) -> Fault:
    name, args = str(request.get("name", "")), _texts(request, "args")
    check_arguments(name, args)
    if "profile" in args:
        try:
            load_latency(args["profile"])
        except DocumentError as err:
            raise ValueError(f"{err.message}; {err.hint}") from err
    when = _texts(request, "when")
    if unknown := set(when) - {"app", "doing"}:
        raise ValueError(f"`when` takes app and doing, not {', '.join(sorted(unknown))}")
    count = request.get("count")
    if count is not None and (not isinstance(count, int) or count < 1):
        raise ValueError(f"`count` is {count!r}; expected a whole number from 1 on")
    after = request.get("after", 0)
    if not isinstance(after, int | float) or not 0 <= after < float("inf"):
        raise ValueError(f"`after` is {after!r}; expected seconds")
    return Fault(name, args, float(after), count, When(**when))


def _texts(request: Mapping[str, Any], key: str) -> dict[str, str]:
    value = request.get(key) or {}
    if not isinstance(value, dict):
        raise ValueError(f"`{key}` is {value!r}; expected names with values")
    return {str(name): str(text) for name, text in value.items()}


def _standing(services: Services) -> list[dict[str, Any]]:
    with services.lock:
        return [
            {
                "serial": services.phone.serial,
                "name": fault.name,
                "on": on,
                "args": dict(fault.args),
                "after": fault.after_s,
                "count": fault.count,
                "when": fault.when.as_dict(),
            }
            for fault, on in services.phone.faults.standing()
        ]


def _line(peer: socket.socket) -> bytes:
    data = bytearray()
    while b"\n" not in data and len(data) < _LONGEST and (piece := peer.recv(4096)):
        data += piece
    return bytes(data).partition(b"\n")[0]

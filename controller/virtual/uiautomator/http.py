"""The HTTP/1.1 face of uiautomator2's server, without a socket: bytes in, bytes out.

One `HttpConnection` is one keep-alive connection as the NanoHTTPD inside the jar serves it. It answers requests in
order. A call that takes its time (a held touch, a wait for an element) says in `wake_in` how long to wait before `poll`
continues it; no clock is read here. Closing an idle connection after `idle_timeout_s` is for whoever owns the socket.

    out = connection.feed(data)
    while connection.wake_in is not None:
        sleep(connection.wake_in)
        out += connection.poll()
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from typing import Any
from urllib.parse import parse_qs, urlsplit

from controller.virtual.uiautomator.server import RpcError, UiAutomator

__all__ = ["IDLE_TIMEOUT_S", "HttpConnection"]

IDLE_TIMEOUT_S = 5.0
"""NanoHTTPD's SOCKET_READ_TIMEOUT."""

_MAX_HEAD = 8192
_MAX_BODY = 64 * 1024 * 1024
_REASONS = {200: "OK", 400: "BAD REQUEST", 404: "Not Found", 500: "Internal Server Error"}

Steps = Generator[float, None, bytes]


class HttpConnection:
    """One connection to the server.

    Args:
        automator: The server's state, shared by its connections.
    """

    idle_timeout_s = IDLE_TIMEOUT_S

    def __init__(self, automator: UiAutomator) -> None:
        self._automator = automator
        self._buffer = bytearray()
        self._steps: Steps | None = None
        self.wake_in: float | None = None
        """Seconds until `poll` is to be called; None while no call is under way."""
        self.closing = False
        """Whether the connection is to be closed once what was given out is sent."""

    def feed(self, data: bytes) -> bytes:
        """Take bytes of the client; gives the bytes to send now."""
        self._buffer += data
        return self._advance() if self.wake_in is None else b""

    def poll(self) -> bytes:
        """Go on with the call that was waiting; gives the bytes to send now."""
        return self._advance()

    def _advance(self) -> bytes:
        out = bytearray()
        self.wake_in = None
        while not self.closing:
            self._steps = self._steps or self._next_request()
            if self._steps is None:
                break
            try:
                self.wake_in = next(self._steps)
            except StopIteration as finished:
                out += finished.value
                self._steps = None
            else:
                break
        return bytes(out)

    def _next_request(self) -> Steps | None:
        head_end = self._buffer.find(b"\r\n\r\n")
        if head_end < 0:
            if len(self._buffer) > _MAX_HEAD:
                return self._refuse()
            return None
        head = self._buffer[:head_end].decode("iso-8859-1").split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        length = headers.get("content-length", "0")
        request = re.fullmatch(r"([A-Z]+) (\S+) HTTP/1\.[01]", head[0])
        if request is None or not length.isdecimal() or len(length) > 9 or int(length) > _MAX_BODY:
            return self._refuse()
        end = head_end + 4 + int(length)
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[head_end + 4 : end])
        del self._buffer[:end]
        keep = "close" not in headers.get("connection", "").lower() and not head[0].endswith("1.0")
        return self._serve(request[2], body, keep=keep)

    def _refuse(self) -> Steps:
        self._buffer.clear()
        return _immediately(self._response(400, "text/plain", b"BAD REQUEST: Syntax error.", keep=False))

    def _serve(self, target: str, body: bytes, *, keep: bool) -> Steps:
        path, query = urlsplit(target).path, urlsplit(target).query
        match path:
            case "/ping":
                return _immediately(self._response(200, "text/html", b"pong", keep=keep))
            case "/stop":
                self._automator.stop_asked = True
                return _immediately(self._response(200, "text/html", b"Server stopped!!!", keep=False))
            case "/screenshot/0":
                values = {name: found[-1] for name, found in parse_qs(query).items()}
                png = self._automator.screenshot_png(_positive(values.get("scale", "1")))
                return _immediately(self._response(200, "image/png", png, keep=keep))
            case "/jsonrpc/0":
                return self._call(body, keep=keep)
            case _:
                return _immediately(self._response(404, "text/plain", b"Not Found!!!", keep=keep))

    def _call(self, body: bytes, *, keep: bool) -> Steps:
        if not body:
            return self._response(500, "text/plain", b"Invalid http post data!", keep=keep)
        answer = yield from answer_call(self._automator, body)
        return self._response(200, "application/json", answer, keep=keep)

    def _response(self, status: int, kind: str, body: bytes, *, keep: bool) -> bytes:
        self.closing = self.closing or not keep
        head = (
            f"HTTP/1.1 {status} {_REASONS[status]} \r\n"
            f"Content-Type: {kind}\r\n"
            "Date: Thu, 1 Jan 1970 00:00:00 GMT\r\n"
            f"Connection: {'keep-alive' if keep else 'close'}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        return head.encode("ascii") + body


def answer_call(automator: UiAutomator, body: bytes) -> Steps:
    """The JSON answer to a JSON-RPC request, after the waits that the call needs."""
    try:
        request = json.loads(body)
    except ValueError:
        return _error(None, -32700, "JSON parse error")
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        return _error(None, -32600, "invalid request")
    params = request.get("params") or []
    arguments = list(params.values()) if isinstance(params, dict) else params if isinstance(params, list) else [params]
    outcome = yield from automator.call(request["method"], arguments)
    if isinstance(outcome, RpcError):
        return _error(request.get("id"), outcome.code, outcome.message, outcome.data)
    answer = {"jsonrpc": "2.0", "id": request.get("id"), "result": outcome}
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _error(request_id: Any, code: int, message: str, data: Any = None) -> bytes:
    error = {"code": code, "message": message} | ({} if data is None else {"data": data})
    answer = {"jsonrpc": "2.0", "id": request_id, "error": error}
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _immediately(answer: bytes) -> Steps:
    yield from ()
    return answer


def _positive(text: str) -> float:
    match = re.fullmatch(r"\d{0,3}(\.\d{1,6})?", text)
    return float(text) if match and text not in {"", "."} else 1.0

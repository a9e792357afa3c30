"""The life and the connections of uiautomator2's server; what its calls do is tested with `uiautomator`."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import pytest

from controller.virtual.server import VirtualServer
from controller.virtual.tracing import Tracer
from controller.virtual.uiserver import UiServer
from controller.wire.adb.host import Okay
from tests.virtual.peers import AdbClient, Link, PlainPhone, refusal

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

PING = b"GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n"


def call(method: str, *params: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    return b"POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(body) + body


class Script:
    """A stream whose client says the given pieces; None stands for silence until the server loses patience."""

    def __init__(self, *pieces: bytes | None) -> None:
        self.pieces = list(pieces)
        self.waits: list[float | None] = []
        self.sent = b""
        self.closed = False

    def read(self, timeout_s: float | None = None) -> bytes:
        self.waits.append(timeout_s)
        piece = self.pieces.pop(0) if self.pieces else b""
        if piece is None:
            raise TimeoutError
        return piece

    def write(self, data: bytes) -> None:
        self.sent += data

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.close()


@pytest.fixture
def phone() -> PlainPhone:
    return PlainPhone()


@pytest.fixture
def events() -> list[dict[str, Any]]:
    return []


@pytest.fixture
def ui(phone: PlainPhone, events: list[dict[str, Any]]) -> UiServer:
    trace = Tracer(events.append, now=lambda: 7.0, serial=phone.serial)
    ui = UiServer(cast("VirtualPhone", phone), threading.RLock(), trace=trace, sleep=lambda _: None)
    assert ui.start(9008)
    return ui


@pytest.fixture
def server(phone: PlainPhone) -> Iterator[VirtualServer]:
    with VirtualServer(cast("VirtualPhone", phone)) as server:
        server.start()
        yield server


def test_one_connection_carries_many_calls(ui: UiServer) -> None:
    stream = Script(PING, PING)

    ui.serve(stream)

    assert stream.sent.count(b"\r\n\r\npong") == 2


def test_a_connection_may_idle_for_five_seconds(ui: UiServer) -> None:
    stream = Script(PING, None, PING)

    ui.serve(stream)

    assert (stream.waits, stream.sent.count(b"pong")) == ([5.0, 5.0], 1)


def test_every_call_is_traced(ui: UiServer, events: list[dict[str, Any]]) -> None:
    ui.serve(Script(call("noSuchMethod", 1, "二")))

    assert events == [{"t": 7.0, "serial": "plain-1", "kind": "jsonrpc", "method": "noSuchMethod", "params": [1, "二"]}]


def test_one_server_runs_at_a_time(ui: UiServer) -> None:
    assert not ui.start(9009)
    assert ui.port == 9008

    ui.stop()
    assert ui.start(9009)


def test_another_client_of_uiautomation_keeps_it_from_starting(ui: UiServer, phone: PlainPhone) -> None:
    ui.stop()
    phone.faults.set("already_registered")

    assert not ui.start(9008)


def test_connections_break_when_the_server_ends(ui: UiServer) -> None:
    class Stopping(Script):
        def read(self, timeout_s: float | None = None) -> bytes:
            ui.stop()
            return b""

    stopping = Stopping()
    ui.serve(stopping)

    assert (stopping.closed, ui.port) == (True, None)


def test_a_dying_server_answers_nothing_and_is_gone(ui: UiServer, phone: PlainPhone) -> None:
    phone.faults.set("uiserver_dies", count=1)
    stream = Script(call("deviceInfo"))

    with pytest.raises(ConnectionAbortedError):
        ui.serve(stream)

    assert (stream.sent, ui.port) == (b"", None)


def test_a_hanging_server_still_answers_the_ping(ui: UiServer, phone: PlainPhone) -> None:
    phone.faults.set("uiserver_hang")
    stream = Script(PING, call("deviceInfo"))

    with pytest.raises(ConnectionAbortedError):
        ui.serve(stream)

    assert stream.sent.endswith(b"pong")


def test_a_cut_breaks_an_answer_in_the_middle(ui: UiServer, phone: PlainPhone) -> None:
    whole = Script(PING)
    ui.serve(whole)
    phone.faults.set("cut", count=1)
    cut = Script(PING)

    with pytest.raises(ConnectionAbortedError):
        ui.serve(cut)

    assert cut.sent == whole.sent[: len(whole.sent) // 2]


def test_its_port_is_open_while_it_runs(server: VirtualServer) -> None:
    ui = server.services["plain-1"].ui_server
    assert refusal(server.server, "host:transport-any", "tcp:9008") == "closed"

    ui.start(9008)
    with AdbClient(server.server) as client:
        client.ask("host:transport-any")
        assert client.ask("tcp:9008") == Okay()
        client.socket.sendall(PING)
        assert client.socket.recv(4096).endswith(b"pong")

        ui.stop()
        assert client.everything() == b""
    assert refusal(server.server, "host:transport-any", "tcp:9008") == "closed"


def test_the_command_that_starts_it_keeps_it_alive(server: VirtualServer, phone: PlainPhone) -> None:
    phone.files.write("/data/local/tmp/u2.jar", b"PK\3\4")
    launch = "shell:CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"
    with Link(server.transport) as link:
        stream = link.connection.open(launch)
        while b"StaticLoggerBinder" not in link.data.get(stream, b""):
            link.step()
        assert link.data[stream].startswith(b"[server] INFO: [UiAutomator2Server] Starting Server\n")
        assert link.run("tcp:9008", PING.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))

        second = link.run(launch)
        assert second is not None
        assert b"IAccessibilityServiceClient$Stub$Proxy@5deffd5already registered!" in second

        link.connection.close(stream)
        while link.run("tcp:9008", PING) is not None:  # the phone learns of the end a moment later
            pass

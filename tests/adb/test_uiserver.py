from __future__ import annotations

import hashlib
import socket
import time
from collections.abc import Iterator
from typing import Protocol

import pytest

from controller.adb.client import AdbServer
from controller.adb.uiserver import Explain, UiServer, find_jar
from controller.clock import Clock, ManualClock, SystemClock
from controller.errors import AdbFailure, InputDenied, NotFound, OutcomeUnknown, TimedOut, UiServerError
from tests.adb.peer import Handler, Peer, UiPeer, error, peer, result

LAUNCH = "shell:CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"


class Make(Protocol):
    def __call__(self, at: Peer, clock: Clock | None = None, *, explain: Explain = ...) -> UiServer: ...


@pytest.fixture
def uiserver() -> Iterator[Make]:
    made: list[UiServer] = []

    def make(at: Peer, clock: Clock | None = None, *, explain: Explain = lambda _: None) -> UiServer:
        clock = clock or ManualClock()
        device = AdbServer("127.0.0.1", at.port, clock=clock).device("S")
        made.append(UiServer(device, clock, explain=explain))
        return made[-1]

    yield make
    for server in made:
        server.close()


def test_many_calls_share_one_connection_and_a_running_server_is_used_as_it_is(uiserver: Make) -> None:
    ui = UiPeer(result("true"), result('"text"'))
    with peer({"tcp:9008": ui}) as at:
        server = uiserver(at)
        assert server.call("click", 5, 6, read=False) is True
        assert server.call("getText", {"mask": 0}, read=True) == "text"
        assert not server.is_ours

    assert ui.connections == 1
    assert ui.bodies[0] == b'{"jsonrpc": "2.0", "id": 1, "method": "click", "params": [5, 6]}'
    assert not [asked for asked in at.asked if asked.startswith("shell")]


def test_text_that_is_not_ascii_travels_escaped(uiserver: Make) -> None:
    ui = UiPeer(result("true"))
    with peer({"tcp:9008": ui}) as at:
        uiserver(at).call("setText", {}, "你😃", read=False)

    assert b'"\\u4f60\\ud83d\\ude03"' in ui.bodies[0]


def test_an_action_whose_answer_is_lost_is_not_sent_again(uiserver: Make) -> None:
    ui = UiPeer(None, result("true"))
    with peer({"tcp:9008": ui}) as at:
        server = uiserver(at)
        with pytest.raises(OutcomeUnknown, match="click was sent to S and its answer was lost"):
            server.call("click", 1, 2, read=False)
        assert len(ui.bodies) == 1

        assert server.call("deviceInfo", read=True) is True


def test_an_answer_cut_in_the_middle_is_lost_too(uiserver: Make) -> None:
    ui = UiPeer(b"HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n{half", cut=True)
    with peer({"tcp:9008": ui}) as at, pytest.raises(OutcomeUnknown):
        uiserver(at).call("click", 1, 2, read=False)

    assert len(ui.bodies) == 1


def test_a_read_whose_answer_is_lost_is_asked_once_more_and_no_further(uiserver: Make) -> None:
    ui = UiPeer(None, result("7"), None, None)
    with peer({"tcp:9008": ui}) as at:
        server = uiserver(at)
        assert server.call("count", {}, read=True) == 7
        with pytest.raises(AdbFailure):
            server.call("count", {}, read=True)

    assert len(ui.bodies) == 4


def test_an_idle_close_is_noticed_before_an_action_is_sent(uiserver: Make) -> None:
    closing: list[socket.socket] = []

    class Closing(UiPeer):
        def __call__(self, sock: socket.socket, service: str) -> None:
            closing.append(sock)
            super().__call__(sock, service)

    ui = Closing(result("true"), result("true"))
    with peer({"tcp:9008": ui}) as at:
        server = uiserver(at)
        server.call("click", 1, 1, read=False)
        closing[0].shutdown(socket.SHUT_RDWR)
        wait_until_closed(server)
        assert server.call("click", 2, 2, read=False) is True

    assert len(ui.bodies) == 2
    assert ui.connections == 2


def test_a_connection_that_was_idle_for_almost_five_seconds_is_not_used_again(uiserver: Make) -> None:
    clock = ManualClock()
    ui = UiPeer(result("true"), result("true"), result("true"))
    with peer({"tcp:9008": ui}) as at:
        server = uiserver(at, clock)
        server.call("click", 1, 1, read=False)
        clock.advance(4.4)
        server.call("click", 2, 2, read=False)
        assert ui.connections == 1
        clock.advance(4.6)
        server.call("click", 3, 3, read=False)

    assert ui.connections == 2
    assert len(ui.bodies) == 3


def test_a_server_that_says_close_is_given_a_new_connection_each_time(uiserver: Make) -> None:
    closing = result("true").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    ui = UiPeer(closing, result("true"))
    with peer({"tcp:9008": ui}) as at:
        server = uiserver(at)
        server.call("click", 1, 1, read=False)
        server.call("click", 2, 2, read=False)

    assert ui.connections == 2


def test_an_answer_that_was_not_waited_for_is_never_taken_for_the_next_one(uiserver: Make) -> None:
    ui = UiPeer(result('"old"'), result('"new"'))
    with peer({"tcp:9008": ui}) as at:
        server = uiserver(at)
        server.ask("getText", {"instance": 1})
        assert server.call("getText", {"instance": 2}, read=True) == "new"


def test_a_read_that_takes_too_long_ends_at_its_deadline_and_the_next_call_works(uiserver: Make) -> None:
    stop: list[socket.socket] = []

    class Slow(UiPeer):
        def _read(self, sock: socket.socket) -> bytes:
            request = super()._read(sock)
            if b"slow" in request:
                stop.append(sock)
                sock.recv(1)
            return request

    ui = Slow(result("1"), result("1"))
    with peer({"tcp:9008": ui}) as at:
        server = uiserver(at, SystemClock())
        before = time.monotonic()
        with pytest.raises(TimedOut):
            server.call("slow", read=True, timeout_s=0.2)
        assert time.monotonic() - before < 1
        assert server.call("count", {}, read=True) == 1


def test_the_server_is_launched_as_uiautomator2_does_and_its_jar_is_pushed_once(uiserver: Make) -> None:
    jar = find_jar()
    assert jar is not None
    ui = UiPeer(result("true"))
    phone = Launching(ui)
    with peer(phone.table) as at:
        server = uiserver(at)
        server.call("click", 1, 2, read=False)
        assert server.is_ours
        server.close()

    assert LAUNCH in at.asked
    assert phone.pushed == [jar.stat().st_size]


def test_a_second_uiautomation_is_a_conflict_with_a_name(uiserver: Make) -> None:
    words = (
        b"OKAYjava.lang.IllegalStateException: UiAutomationService "
        b"android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@1a2balready registered!\n"
    )

    def launch(sock: socket.socket, _: str) -> None:
        sock.sendall(words[4:])

    table = {"host-serial:*": b"OKAY0003cmd", "shell:toybox*": md5_of_jar(), LAUNCH: launch}
    with peer(table) as at, pytest.raises(UiServerError) as caught:
        uiserver(at).call("click", 1, 2, read=False)

    assert caught.value.code == "automation_busy"
    assert "Appium" in caught.value.hint


def test_a_server_that_quits_at_once_is_an_error_with_what_it_printed(uiserver: Make) -> None:
    def launch(sock: socket.socket, _: str) -> None:
        sock.sendall(b"Aborted: no memory\n")

    table = {"host-serial:*": b"OKAY0003cmd", "shell:toybox*": md5_of_jar(), LAUNCH: launch}
    with peer(table) as at, pytest.raises(UiServerError, match="no memory"):
        uiserver(at).call("click", 1, 2, read=False)


def test_a_server_that_ended_is_started_again_before_an_action_which_is_sent_once(
    uiserver: Make,
) -> None:
    ui = UiPeer(result("true"), result("true"))
    phone = Launching(ui)
    with peer(phone.table) as at:
        server = uiserver(at)
        server.call("click", 1, 1, read=False)
        phone.end()
        server.call("click", 2, 2, read=False)
        server.close()

    assert at.asked.count(LAUNCH) == 2
    assert len(ui.bodies) == 2


def test_a_lost_uiautomation_restarts_our_server_for_a_read_and_never_for_an_action(uiserver: Make) -> None:
    gone = error("java.lang.IllegalStateException: UiAutomation not connected!")
    ui = UiPeer(gone, result('"tree"'), gone)
    phone = Launching(ui)
    with peer(phone.table) as at:
        server = uiserver(at)
        assert server.call("dumpWindowHierarchy", False, 50, read=True) == "tree"
        assert at.asked.count(LAUNCH) == 2
        with pytest.raises(UiServerError) as caught:
            server.call("click", 1, 1, read=False)
        server.close()

    assert caught.value.code == "ui_automation_gone"
    assert len(ui.bodies) == 3


def test_a_dead_object_in_an_action_leaves_its_fate_open(uiserver: Make) -> None:
    ui = UiPeer(error("android.os.DeadObjectException"))
    with peer({"tcp:9008": ui}) as at, pytest.raises(OutcomeUnknown):
        uiserver(at).call("click", 1, 1, read=False)

    assert len(ui.bodies) == 1


def test_a_selector_without_a_match_is_not_found(uiserver: Make) -> None:
    ui = UiPeer(error("androidx.test.uiautomator.UiObjectNotFoundException: UiSelector[FOCUSED=true]"))
    with peer({"tcp:9008": ui}) as at, pytest.raises(NotFound):
        uiserver(at).call("getText", {}, read=True)


def test_a_known_text_of_the_phone_becomes_the_error_that_explains_it(uiserver: Make) -> None:
    def explain(text: str) -> InputDenied | None:
        return InputDenied("forbidden", hint="the maker's switch") if "INJECT_EVENTS" in text else None

    ui = UiPeer(error("java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS"))
    with peer({"tcp:9008": ui}) as at, pytest.raises(InputDenied, match="forbidden"):
        uiserver(at, explain=explain).call("click", 1, 1, read=False)


def wait_until_closed(server: UiServer) -> None:
    connection = server._connection
    assert connection is not None
    deadline = time.monotonic() + 5
    while not connection.stirs() and time.monotonic() < deadline:
        pass


def md5_of_jar() -> bytes:
    jar = find_jar()
    assert jar is not None
    line = hashlib.md5(jar.read_bytes()).hexdigest() + "  /data/local/tmp/u2.jar\nphonectl:exit:0\n"
    return b"OKAY" + line.encode()


class Launching:
    """A phone whose server runs while the launch stream is open."""

    def __init__(self, ui: UiPeer) -> None:
        self.ui = ui
        self.pushed: list[int] = []
        self.table: dict[str, bytes | Handler] = {
            "host-serial:*": b"OKAY0003cmd",
            "shell:toybox*": b"OKAYmd5sum: no such file\nphonectl:exit:1\n",
            "sync:": self.sync,
            LAUNCH: self.launch,
        }

    def launch(self, sock: socket.socket, _: str) -> None:
        self.table["tcp:9008"] = self.ui
        self.stream = sock
        sock.sendall(b"[server] INFO: [UiAutomator2Server] Starting Server\n")
        while sock.recv(1):
            pass
        del self.table["tcp:9008"]

    def sync(self, sock: socket.socket, _: str) -> None:
        data = b""
        while b"DONE" not in data[-8:]:
            data += sock.recv(1 << 20)
        size, at = 0, data.index(b"DATA")
        while data[at : at + 4] == b"DATA":
            length = int.from_bytes(data[at + 4 : at + 8], "little")
            size, at = size + length, at + 8 + length
        self.pushed.append(size)
        self.table["shell:toybox*"] = md5_of_jar()
        sock.sendall(b"OKAY\x00\x00\x00\x00")

    def end(self) -> None:
        """Let the server die, as a phone's power saver does."""
        self.stream.shutdown(socket.SHUT_RDWR)
        deadline = time.monotonic() + 5
        while "tcp:9008" in self.table and time.monotonic() < deadline:
            pass

"""The other ends for tests of the servers: an adb client, an adb server, and the least that passes for a phone."""

from __future__ import annotations

import socket
import time
from types import TracebackType

from controller.virtual.faults import Faults
from controller.virtual.files import FileSystem
from controller.wire.adb import host
from controller.wire.adb.connection import Accepted, Closed, Connected, Connection, Event, Received, Role
from controller.wire.adb.transport import MAX_PAYLOAD, VERSION_SKIP_CHECKSUM, Banner


class PlainPhone:
    """A phone without a screen: files, properties, faults. The shell needs no more for its simple commands."""

    def __init__(self, serial: str = "plain-1") -> None:
        self.serial = serial
        self.sdk, self.release = 34, "14"
        self.props = {
            "ro.product.name": "sdk_phone64",
            "ro.product.model": "Test Phone",
            "ro.product.device": "emu64",
        }
        self.now = time.monotonic
        self.faults = Faults(self.now)
        self.files = FileSystem(lambda: 1_700_000_000.0, {"/system/etc/hosts": "127.0.0.1 localhost\n"})
        self.ticks = 0
        self.latency = None
        self.restarting = ""

    def tick(self) -> None:
        self.ticks += 1


class AdbClient:
    """One connection to an adb server."""

    def __init__(self, address: str) -> None:
        name, _, port = address.rpartition(":")
        self.socket = socket.create_connection((name, int(port)), timeout=5)
        self.reader = host.HostReader()

    def ask(self, service: str) -> host.Okay | host.Fail:
        self.socket.sendall(host.request(service))
        return self.reply()

    def reply(self) -> host.Okay | host.Fail:
        while (reply := self.reader.reply()) is None:
            self._more()
        return reply

    def string(self) -> str:
        while (text := self.reader.string()) is None:
            self._more()
        return text

    def exactly(self, count: int) -> bytes:
        while (data := self.reader.exactly(count)) is None:
            self._more()
        return data

    def everything(self) -> bytes:
        """All bytes until the server closes."""
        data = self.reader.rest()
        while piece := self.socket.recv(65536):
            data += piece
        return data

    def _more(self) -> None:
        data = self.socket.recv(65536)
        if not data:
            raise EOFError("the adb server closed")
        self.reader.feed(data)

    def __enter__(self) -> AdbClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.socket.close()


def ask(address: str, service: str) -> str:
    """The string that a request is answered with."""
    with AdbClient(address) as client:
        assert client.ask(service) == host.Okay(), service
        return client.string()


def refusal(address: str, *services: str) -> str:
    """The words with which the last of the requests is refused."""
    with AdbClient(address) as client:
        for service in services[:-1]:
            assert client.ask(service) == host.Okay(), service
        answer = client.ask(services[-1])
        assert isinstance(answer, host.Fail), services[-1]
        return answer.message


class Link:
    """An adb server's end of a transport, with blocking calls."""

    def __init__(self, address: str, *, version: int = VERSION_SKIP_CHECKSUM, max_payload: int = MAX_PAYLOAD) -> None:
        name, _, port = address.rpartition(":")
        self.socket = socket.create_connection((name, int(port)), timeout=5)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection = Connection(
            Role.HOST, Banner("host", {}, ("shell_v2",)), version=version, max_payload=max_payload
        )
        self.data: dict[int, bytes] = {}
        self.closed: set[int] = set()
        self.accepted: set[int] = set()
        self.connection.connect()
        self.peer = next(event for event in self.step() if isinstance(event, Connected))

    def step(self) -> list[Event]:
        """Send what is due and take what comes."""
        self.flush()
        data = self.socket.recv(1 << 20)
        if not data:
            raise EOFError("the phone hung up")
        events = self.connection.receive(data)
        for event in events:
            match event:
                case Accepted(stream):
                    self.accepted.add(stream)
                case Received(stream, content):
                    self.data[stream] = self.data.get(stream, b"") + content
                    self.connection.acknowledge(stream)
                case Closed(stream):
                    self.closed.add(stream)
                case _:
                    pass
        self.flush()
        return events

    def flush(self) -> None:
        self.socket.sendall(self.connection.to_send())

    def run(self, service: str, send: bytes = b"") -> bytes | None:
        """Everything a service says until it closes; None where it was refused."""
        stream = self.connection.open(service)
        self.connection.write(stream, send)
        while stream not in self.closed:
            self.step()
        return self.data.pop(stream, b"") if stream in self.accepted else None

    def __enter__(self) -> Link:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.socket.close()

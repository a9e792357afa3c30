"""Phones and their states, shell commands, services and files, over the sockets of an adb server.

Speaks to the server itself and starts no adb program for any of it; `starter` starts a server where there is none.
Nothing is retried here: a caller knows whether its command may be sent again.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeVar

from controller.adb import starter
from controller.adb.connection import Connection, Deadline, connect
from controller.adb.states import Kind, choose, group, is_known, of_kind, state_error
from controller.clock import Clock
from controller.errors import (
    AdbFailure,
    AdbServerError,
    DeviceNotFound,
    OutcomeUnknown,
    ProtocolError,
    SeveralDevices,
    TimedOut,
)
from controller.wire.adb import host as wire
from controller.wire.adb import shell as shell_wire
from controller.wire.adb import sync as sync_wire
from controller.wire.adb.host import DeviceLine
from controller.wire.adb.shell import PacketId
from controller.wire.adb.sync import Stat

__all__ = ["DEFAULT_PORT", "AdbDevice", "AdbServer", "ShellResult", "command_line", "ensure_server"]

DEFAULT_PORT = 5037
ASK_S = 5.0
SHELL_S = 30.0
FILE_S = 60.0

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class ShellResult:
    """What a command printed and how it ended. `exit_code` is -1 where the phone did not tell."""

    stdout: str
    stderr: str = ""
    exit_code: int = 0

    @property
    def text(self) -> str:
        """Both outputs: most of Android's commands put failures into either."""
        return self.stdout + self.stderr


def command_line(args: Sequence[str] | str) -> str:
    """One command for the phone's shell; a list is quoted word by word, and this is the only place that quotes."""
    return args if isinstance(args, str) else " ".join(shlex.quote(arg) for arg in args)


class AdbServer:
    """An adb server, by its address. Holds no connection.

    Args:
        host: Where it runs.
        port: Its port.
        clock: Measures the deadlines.
    """

    def __init__(self, host: str = "127.0.0.1", port: int = DEFAULT_PORT, *, clock: Clock) -> None:
        self.host = host
        self.port = port
        self.clock = clock

    @property
    def address(self) -> str:
        """`127.0.0.1:5037`."""
        return f"{self.host}:{self.port}"

    def version(self) -> int:
        """The protocol version of the server; 41 for all of recent years.

        Raises:
            AdbServerError: Nothing listens, or what listens is no adb server.
        """
        try:
            answer = self.ask("host:version")
            return int(answer, 16)
        except (ProtocolError, AdbFailure, TimedOut, ValueError) as err:
            raise AdbServerError(
                f"what listens at {self.address} is not an adb server: {err}",
                hint="another program has the port; name the server with ANDROID_ADB_SERVER_PORT",
                code="not_adb",
                host=self.host,
                port=self.port,
            ) from err

    def ask(self, service: str, *, timeout_s: float = ASK_S) -> str:
        """The server's answer to a request that is answered with one string.

        Raises:
            AdbFailure: It refused, or ended the answer early.
        """
        deadline = self.deadline(timeout_s, service)
        with self._request(service, deadline) as (connection, reader):
            return _read(connection, reader.feed, reader.string, deadline)

    def devices(self) -> tuple[DeviceLine, ...]:
        """Every phone the server knows, in its order, in whatever state."""
        rows = tuple(wire.parse_devices(self.ask("host:devices-l")))
        if all(is_known(row) for row in rows):
            return rows
        # A phone found by mDNS may have a blank in its serial, and the long list is set in blanks; the short one has
        # tabs: `adb-0a1b2c3d-XyZ123 (2)._adb-tls-connect._tcp\tdevice`. Both lists have one order.
        short = wire.parse_devices(self.ask("host:devices"))
        if len(short) != len(rows):
            return tuple(short)
        return tuple(DeviceLine(exact.serial, exact.state, row.details) for exact, row in zip(short, rows, strict=True))

    def device(self, serial: str) -> AdbDevice:
        """The phone with this serial; nothing is asked yet."""
        return AdbDevice(self, DeviceLine(serial, "device"))

    def choose(self, *, serial: str | None = None, kind: Kind = Kind.ANY) -> AdbDevice:
        """The one phone that is meant; one that is connected twice counts once.

        Raises:
            NoDevice, SeveralDevices, DeviceNotFound, Unauthorized, Offline, NoPermissions: See `states.choose`.
        """
        rows = self.devices()
        try:
            row = choose(rows, serial=serial, kind=kind)
        except SeveralDevices:
            ready = [row for row in of_kind(rows, kind) if row.state == "device"]
            row = choose(group(ready, lambda one: AdbDevice(self, one).serial_number()))
        twice = sum(other.serial == row.serial for other in rows) > 1
        return AdbDevice(self, row, by_id=twice)

    def connect(self, address: str) -> str:
        """What the server says to `adb connect ADDRESS`."""
        return self.ask(f"host:connect:{address}", timeout_s=15.0)

    def open(self, services: Sequence[str], deadline: Deadline) -> tuple[Connection, bytes]:
        """A connection on which each service was granted in turn, and the bytes that came behind the last grant.

        Raises:
            AdbServerError: Nothing listens.
            AdbFailure: A service was refused.
        """
        reader = wire.HostReader()
        with ExitStack() as undo:
            connection = undo.enter_context(connect(self.host, self.port))
            for service in services:
                connection.send(wire.request(service), deadline)
                reply = _read(connection, reader.feed, reader.reply, deadline)
                if isinstance(reply, wire.Fail):
                    raise _refused(service, reply.message)
            undo.pop_all()
        return connection, reader.rest()

    def deadline(self, timeout_s: float, what: str) -> Deadline:
        """A deadline by this server's clock."""
        return Deadline(self.clock, timeout_s, what=what)

    def _request(self, service: str, deadline: Deadline) -> _Answering:
        return _Answering(*self.open([service], deadline))


class _Answering:
    """A connection whose request was granted, with a reader that has the bytes which came along."""

    def __init__(self, connection: Connection, first: bytes) -> None:
        self.connection = connection
        self.reader = wire.HostReader()
        self.reader.feed(first)

    def __enter__(self) -> tuple[Connection, wire.HostReader]:
        return self.connection, self.reader

    def __exit__(self, *_: object) -> None:
        self.connection.close()


def ensure_server(server: AdbServer, *, search_path: str | None) -> starter.AdbProgram | None:
    """The program whose server was started, or None where one was running already.

    Raises:
        AdbServerError: None runs and none could be started, or something else has the port.
    """
    try:
        server.version()
        return None
    except AdbServerError as err:
        if err.code == "not_adb" or not starter.is_local(server.host):
            raise
    programs = starter.find_programs(search_path)
    return starter.start(
        programs, host=server.host, port=server.port, answers=lambda: _answers(server), clock=server.clock
    )


def _answers(server: AdbServer) -> bool:
    try:
        server.version()
    except AdbServerError as err:
        if err.code == "not_adb":
            raise
        return False
    return True


class AdbDevice:
    """One phone behind an adb server. Holds no connection; its features are asked once.

    Args:
        server: The adb server that knows it.
        row: Its line in the server's list.
        by_id: Name it by its transport id: another phone has the same serial.
    """

    def __init__(self, server: AdbServer, row: DeviceLine, *, by_id: bool = False) -> None:
        self.server = server
        self.row = row
        self.serial = row.serial
        self.clock = server.clock
        number = row.details.get("transport_id") if by_id else None
        self._transport = f"host:transport-id:{number}" if number else f"host:transport:{row.serial}"
        self._prefix = f"host-transport-id:{number}" if number else f"host-serial:{row.serial}"
        self._features: frozenset[str] | None = None

    @property
    def features(self) -> frozenset[str]:
        """What adbd on the phone and the server both can: `shell_v2`, `cmd`, `stat_v2` …"""
        if self._features is None:
            try:
                self._features = frozenset(self.server.ask(f"{self._prefix}:features").split(","))
            except AdbFailure as err:
                self._raise_if_gone(err)
                self._features = frozenset()
        return self._features

    def serial_number(self) -> str:
        """What the phone says its serial number is; "" where it says nothing."""
        try:
            return self.shell(["getprop", "ro.serialno"], timeout_s=ASK_S).stdout.strip()
        except AdbFailure:
            return ""

    def open(self, service: str, *, timeout_s: float = ASK_S) -> tuple[Connection, bytes]:
        """A stream to a service of the phone (`tcp:9008`, `localabstract:…`), and the bytes that already came.

        Raises:
            AdbFailure: The phone refused: with code `service_closed` nobody listens there.
        """
        return self._open(service, self._deadline(timeout_s, service))

    def shell(self, args: Sequence[str] | str, *, timeout_s: float = SHELL_S) -> ShellResult:
        """What a command printed. A list is quoted; text goes to the phone's shell as it is.

        Raises:
            AdbFailure: The stream ended before the exit code came.
            TimedOut: The command did not end in time; it is not ended on the phone.
        """
        raw = self._run(command_line(args), timeout_s)
        return ShellResult(_text(raw.stdout), _text(raw.stderr), raw.exit_code)

    def act(self, args: Sequence[str] | str, *, timeout_s: float = SHELL_S) -> ShellResult:
        """What a command printed that changes something: it is sent once.

        Raises:
            OutcomeUnknown: It was sent, and how it ended did not come back.
        """
        try:
            return self.shell(args, timeout_s=timeout_s)
        except (AdbFailure, TimedOut) as err:
            if err.code not in ("cut_short", "connection_lost", "timed_out"):
                raise
            raise OutcomeUnknown(
                f"`{_short(command_line(args))}` was sent to {self.serial} and its answer was lost: {err.message}",
                hint="look at the screen: `phonectl observe`. It is not sent again by itself",
            ) from err

    def exec_out(self, args: Sequence[str] | str, *, timeout_s: float = SHELL_S) -> bytes:
        """The bytes a command printed, unchanged by any terminal.

        Raises:
            AdbFailure: The phone refused the service.
        """
        line = command_line(args)
        if "shell_v2" in self.features:
            return self._run(line, timeout_s).stdout
        deadline = self._deadline(timeout_s, line)
        connection, first = self._open(f"exec:{line}", deadline)
        with connection:
            return first + connection.receive_all(deadline)

    def stat(self, path: str) -> Stat:
        """What the phone says of a path; `exists` is False where nothing is there."""
        v2 = "stat_v2" in self.features
        with self._sync(f"stat {path}", ASK_S) as sync:
            sync.send(sync_wire.stat_request(path, v2=v2))
            return sync.read(sync.reader.stat)

    def push(self, content: bytes, path: str, *, mode: int = 0o644, mtime: int = 0) -> None:
        """Write a file.

        Raises:
            AdbFailure: The phone refused, or the stream broke: nothing is known of the file then.
        """
        with self._sync(f"push {path}", FILE_S) as sync:
            frames = [sync_wire.send_request(path, mode=0o100000 | mode), *sync_wire.split_data(content)]
            sync.send(b"".join([*frames, sync_wire.done(mtime or int(self.clock.wall()))]))
            sync.read(sync.reader.written)

    def pull(self, path: str) -> bytes:
        """A file's content, whole.

        Raises:
            AdbFailure: The phone refused, or ended the stream before the file's end.
        """
        with self._sync(f"pull {path}", FILE_S) as sync:
            sync.send(sync_wire.receive_request(path))
            pieces: list[bytes] = []
            while isinstance(piece := sync.read(sync.reader.chunk), sync_wire.Data):
                pieces.append(piece.data)
            return b"".join(pieces)

    def _run(self, line: str, timeout_s: float) -> _RawResult:
        deadline = self._deadline(timeout_s, line)
        if "shell_v2" in self.features:
            return self._run_v2(line, deadline)
        return self._run_v1(line, deadline)

    def _run_v2(self, line: str, deadline: Deadline) -> _RawResult:
        connection, piece = self._open(f"shell,v2,raw:{line}", deadline)
        reader = shell_wire.ShellReader()
        out: dict[PacketId, list[bytes]] = {PacketId.STDOUT: [], PacketId.STDERR: []}
        with connection:
            while True:
                for packet in reader.feed(piece):
                    if packet.id is PacketId.EXIT:
                        stdout, stderr = (b"".join(out[one]) for one in (PacketId.STDOUT, PacketId.STDERR))
                        return _RawResult(stdout, stderr, packet.data[0] if packet.data else -1)
                    if packet.id in out:
                        out[packet.id].append(packet.data)
                piece = connection.receive(deadline)
                if not piece:
                    raise _cut_short(deadline.what)

    def _run_v1(self, line: str, deadline: Deadline) -> _RawResult:
        # Version 1 has no exit code; an old adbd puts a terminal between, which makes \r\n of every \n.
        connection, first = self._open(f"shell:{line} ; echo {_MARK}$?", deadline)
        with connection:
            data = (first + connection.receive_all(deadline)).replace(b"\r\n", b"\n")
        found = [*_EXIT.finditer(data)]
        if not found:
            raise _cut_short(deadline.what)
        last = found[-1]
        return _RawResult(data[: last.start()] + data[last.end() :], b"", int(last[1]))

    def _open(self, service: str, deadline: Deadline) -> tuple[Connection, bytes]:
        try:
            return self.server.open([self._transport, service], deadline)
        except AdbFailure as err:
            self._raise_if_gone(err)
            raise

    def _raise_if_gone(self, err: AdbFailure) -> None:
        """Raises the error of the phone's state, where the refusal comes from that."""
        # device 'emulator-5554' not found / device offline / device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS …
        words = str(err.details.get("answer", ""))
        if "not found" in words and self.serial in words:
            raise DeviceNotFound(
                f"{self.serial} is not connected (any more)",
                hint="put the cable back in; where the phone restarts, wait until its home screen shows. `phonectl "
                "devices` lists what is connected",
                serial=self.serial,
            ) from err
        for state in ("unauthorized", "offline", "authorizing", "no permissions"):
            if f"device {state}" in words or f"device still {state}" in words:
                raise state_error(DeviceLine(self.serial, state)) from err

    def _sync(self, what: str, timeout_s: float) -> _Sync:
        deadline = self._deadline(timeout_s, what)
        return _Sync(*self._open("sync:", deadline), deadline)

    def _deadline(self, timeout_s: float, what: str) -> Deadline:
        return self.server.deadline(timeout_s, f"{self.serial}: {_short(what)}")


@dataclass(frozen=True, slots=True)
class _RawResult:
    stdout: bytes
    stderr: bytes
    exit_code: int


class _Sync:
    """One `sync:` stream."""

    def __init__(self, connection: Connection, first: bytes, deadline: Deadline) -> None:
        self.connection = connection
        self.deadline = deadline
        self.reader = sync_wire.SyncReader()
        self.reader.feed(first)

    def __enter__(self) -> _Sync:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def send(self, data: bytes) -> None:
        self.connection.send(data, self.deadline)

    def read(self, take: Callable[[], _T | sync_wire.Failed | None]) -> _T:
        def refusing() -> _T | None:
            answer = take()
            if isinstance(answer, sync_wire.Failed):
                raise AdbFailure(f"{self.deadline.what}: {answer.message}", code="file_refused", answer=answer.message)
            return answer

        return _read(self.connection, self.reader.feed, refusing, self.deadline)


_MARK = "phonectl:exit:"
# What a command wrote to its error stream may come behind the mark, so it need not be the last line.
_EXIT = re.compile(rb"phonectl:exit:(\d+)\n?")


def _read(
    connection: Connection, feed: Callable[[bytes], None], take: Callable[[], _T | None], deadline: Deadline
) -> _T:
    """The next whole value of a stream."""
    while (value := take()) is None:
        piece = connection.receive(deadline)
        if not piece:
            raise _cut_short(deadline.what)
        feed(piece)
    return value


def _cut_short(what: str) -> AdbFailure:
    return AdbFailure(
        f"{what}: the answer was cut short",
        hint="the phone or the adb server went away in mid-answer; `phonectl devices` shows what is left",
        code="cut_short",
    )


def _refused(service: str, message: str) -> AdbFailure:
    # `closed` is what adb says when nobody on the phone listens at the service.
    code = "service_closed" if message.strip() in ("closed", "") else None
    return AdbFailure(f"{_short(service)}: the adb server says: {message or 'nothing'}", code=code, answer=message)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _short(text: str) -> str:
    return text if len(text) <= 120 else text[:117] + "…"

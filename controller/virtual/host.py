"""The adb server's own side, for a machine without any adb: which phones there are, and the way to each.

Serves the phones of this process on a private port and knows no others. It never touches the adb server of the machine
on 5037, and `host:kill` does not end it. The requests are `wire.adb.host`'s values; what a phone offers is `services`.
"""

from __future__ import annotations

import itertools
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from controller.errors import ProtocolError
from controller.virtual.listener import Listener
from controller.virtual.services import ABSENT, Services
from controller.virtual.streams import SocketStream, Stream
from controller.wire.adb.host import (
    OKAY,
    DeviceLine,
    ForwardLine,
    HostRequest,
    RequestReader,
    Selection,
    Target,
    fail,
    format_devices,
    format_forwards,
    parse_request,
    prefixed,
    split_forward,
)

__all__ = ["SERVER_VERSION", "HostServer"]

SERVER_VERSION = 41
"""What adb 1.0.41 answers to `host:version`; a client of another version would try to replace the server."""

PERSONS_PORT = 5037


class _Refusal(Exception):
    """What the client is told after FAIL."""


@dataclass(frozen=True, slots=True)
class _Attached:
    """A phone with its transport id."""

    id: int
    serial: str
    services: Services
    address: str

    def line(self) -> DeviceLine:
        """The phone as `host:devices-l` lists it."""
        props = self.services.phone.props
        details = {key: props.get(f"ro.product.{name}", "") for key, name in _LISTED} | {"transport_id": str(self.id)}
        return DeviceLine(self.serial, self.services.state, details)


_LISTED = (("product", "name"), ("model", "model"), ("device", "device"))


class HostServer:
    """An adb server for the virtual phones of this process.

    Args:
        port: 0 takes a free one.

    Raises:
        ValueError: The port is 5037, which belongs to the person's own adb server.
        OSError: The port is taken.
    """

    def __init__(self, *, port: int = 0) -> None:
        if port == PERSONS_PORT:
            raise ValueError(f"port {PERSONS_PORT} belongs to the machine's own adb server")
        self._phones: dict[str, _Attached] = {}
        self._away: set[str] = set()
        self._forwards: dict[str, tuple[ForwardLine, Listener]] = {}
        self._ids = itertools.count(1)
        self._changed = threading.Condition()
        self._closed = False
        self._clients: set[SocketStream] = set()
        self._listener = Listener(self._serve, port=port, name="adb-server")

    @property
    def port(self) -> int:
        """The port that was taken."""
        return self._listener.port

    def start(self) -> None:
        """Begin to accept."""
        self._listener.start()

    def attach(self, serial: str, services: Services, *, address: str = "") -> None:
        """List a phone.

        Args:
            serial: How it is listed.
            services: What it offers.
            address: Where its own transport listens, for `host:connect`.

        Raises:
            ValueError: A phone with this serial is there.
        """
        with self._changed:
            if serial in self._phones:
                raise ValueError(f"a phone with serial {serial!r} is attached already")
            self._phones[serial] = _Attached(next(self._ids), serial, services, address)
            self._changed.notify_all()

    def detach(self, serial: str) -> None:
        """Take a phone off the list, as unplugging does; its forwards go with it."""
        with self._changed:
            self._phones.pop(serial, None)
            self._changed.notify_all()
        for local in [item.local for item, _ in self._forwards.values() if item.serial == serial]:
            self._remove_forward(local)

    def unplugged(self, serial: str) -> None:
        """A phone's connections broke: its forwards are gone, and those who follow the list look again."""
        for local in [item.local for item, _ in self._forwards.values() if item.serial == serial]:
            self._remove_forward(local)
        self.announce()

    def announce(self) -> None:
        """Let those who follow the list look again, after a phone's state changed."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Stop, and end every connection."""
        self._listener.close()
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for local in tuple(self._forwards):
            self._remove_forward(local)
        for client in tuple(self._clients):
            client.abort()

    # -- one client

    def _serve(self, peer: socket.socket) -> None:
        stream = SocketStream(peer)
        self._clients.add(stream)
        try:
            self._converse(stream)
        except (ConnectionError, ProtocolError):
            pass  # the client went away, or speaks something else
        finally:
            self._clients.discard(stream)
            stream.close()

    def _converse(self, stream: SocketStream) -> None:
        reader = RequestReader()
        text = _next_request(reader, stream)
        if text is None:
            return
        request = parse_request(text)
        try:
            if request is None:
                raise _Refusal("unknown host service")
            if request.verb in ("transport", "tport"):
                self._to_phone(request, reader, stream)
            else:
                self._answer(request, stream)
        except _Refusal as refusal:
            stream.write(fail(str(refusal)))

    def _to_phone(self, request: HostRequest, reader: RequestReader, stream: SocketStream) -> None:
        phone = self._usable(request.target)
        stream.write(OKAY + (phone.id.to_bytes(8, "little") if request.verb == "tport" else b""))
        service = _next_request(reader, stream)
        if service is None:
            return
        request_again = parse_request(service)
        if request_again is not None:  # adb asks `host:forward:…` on a socket whose phone it has chosen
            self._answer(replace(request_again, target=Target(Selection.ID, str(phone.id))), stream)
            return
        handler = phone.services.find(service)
        if handler is None:
            raise _Refusal("closed")
        stream.write(OKAY)
        stream.push_back(reader.rest())
        phone.services.handle(handler, stream)

    def _answer(self, request: HostRequest, stream: SocketStream) -> None:
        if request.verb.startswith("wait-for-"):
            self._wait_for(request, stream)
            return
        answer = _ANSWERS.get(request.verb)
        if answer is None:
            raise _Refusal("unknown host service")
        answer(self, request, stream)

    # -- choosing

    def _usable(self, target: Target) -> _Attached:
        phone = self._choose(target)
        state = phone.services.state
        if state == "offline":
            raise _Refusal("device offline")
        if state == "unauthorized":
            raise _Refusal(
                "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\n"
                "Try 'adb kill-server' if that seems wrong.\n"
                "Otherwise check for a confirmation dialog on your device."
            )
        return phone

    def _choose(self, target: Target) -> _Attached:
        phones = self._present()
        match target.selection:
            case Selection.SERIAL:
                found = [p for p in phones if target.value in (p.serial, p.address)]
                missing = f"device '{target.value}' not found"
            case Selection.ID:
                found = [p for p in phones if str(p.id) == target.value]
                missing = f"no device with transport id '{target.value}'"
            case Selection.USB:
                found, missing = [], "no devices found"
            case Selection.LOCAL:
                found, missing = phones, "no emulators found"
            case Selection.ANY:
                found, missing = phones, "no devices/emulators found"
        if not found:
            raise _Refusal(missing)
        if len(found) > 1:
            raise _Refusal("more than one device/emulator")
        return found[0]

    # -- answers about the server

    def _version(self, request: HostRequest, stream: Stream) -> None:
        del request
        _say(stream, f"{SERVER_VERSION:04x}")

    def _host_features(self, request: HostRequest, stream: Stream) -> None:
        del request
        _say(stream, "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir,abb,abb_exec,fixed_push_symlink_timestamp")

    def _kill(self, request: HostRequest, stream: Stream) -> None:
        del request, stream
        raise _Refusal("this adb server belongs to a virtual phone and ends with it")

    def _connect(self, request: HostRequest, stream: Stream) -> None:
        known = {name for phone in self._present() for name in (phone.serial, phone.address)}
        if request.argument in known:
            _say(stream, f"already connected to {request.argument}")
        else:
            _say(stream, f"failed to connect to '{request.argument}': this adb server has virtual phones only")

    def _disconnect(self, request: HostRequest, stream: Stream) -> None:
        if not request.argument:
            _say(stream, "disconnected everything")
            return
        phone = self._choose(Target(Selection.SERIAL, request.argument))
        raise _Refusal(f"{phone.serial} is a virtual phone and stays connected")

    # -- answers about the phones

    def _lines(self) -> list[DeviceLine]:
        return [phone.line() for phone in self._present()]

    def _present(self) -> list[_Attached]:
        """The phones that are listed. One that was unplugged comes back with another transport id."""
        with self._changed:
            for serial, phone in self._phones.items():
                absent = phone.services.state == ABSENT
                if absent:
                    self._away.add(serial)
                elif serial in self._away:
                    self._away.discard(serial)
                    self._phones[serial] = replace(phone, id=next(self._ids))
            return [phone for serial, phone in self._phones.items() if serial not in self._away]

    def _devices(self, request: HostRequest, stream: Stream) -> None:
        _say(stream, format_devices(self._lines(), long=request.verb == "devices-l"))

    def _track(self, request: HostRequest, stream: SocketStream) -> None:
        stream.write(OKAY)
        ended = threading.Event()
        threading.Thread(target=self._watch_end, args=(stream, ended), name="adb-track", daemon=True).start()
        told: str | None = None
        while not (self._closed or ended.is_set()):
            text = format_devices(self._lines(), long=request.verb == "track-devices-l")
            if text != told:
                stream.write(prefixed(text))
                told = text
            with self._changed:
                # A state may also change by a fault whose time has come, which nobody announces.
                self._changed.wait(timeout=0.2)

    def _watch_end(self, stream: SocketStream, ended: threading.Event) -> None:
        while stream.read():
            pass
        ended.set()
        self.announce()

    def _wait_for(self, request: HostRequest, stream: Stream) -> None:
        # wait-for-<any|usb|local>-<state>; the first OKAY says it waits, the second that the state is there
        _, _, state = request.verb.removeprefix("wait-for-").partition("-")
        stream.write(OKAY)
        with self._changed:
            while not (self._closed or self._is_in(request.target, state)):
                self._changed.wait(timeout=0.2)
        stream.write(OKAY)

    def _is_in(self, target: Target, state: str) -> bool:
        try:
            phone = self._choose(target)
        except _Refusal:
            return state == "disconnect"
        return state in ("any", phone.services.state)

    def _get_state(self, request: HostRequest, stream: Stream) -> None:
        _say(stream, self._choose(request.target).services.state)

    def _get_serial(self, request: HostRequest, stream: Stream) -> None:
        _say(stream, self._choose(request.target).serial)

    def _get_path(self, request: HostRequest, stream: Stream) -> None:
        self._choose(request.target)
        _say(stream, "unknown")  # what adb says of every phone that is not on USB

    def _get_product(self, request: HostRequest, stream: Stream) -> None:
        _say(stream, self._choose(request.target).line().details["product"])

    def _features(self, request: HostRequest, stream: Stream) -> None:
        _say(stream, ",".join(self._usable(request.target).services.features))

    def _reconnect(self, request: HostRequest, stream: Stream) -> None:
        phone = self._choose(request.target)
        _say(stream, f"reconnecting {phone.serial} [{phone.services.state}]\n")

    def _reconnect_offline(self, request: HostRequest, stream: Stream) -> None:
        del request
        _say(stream, "")

    # -- forwards

    def _forward(self, request: HostRequest, stream: Stream) -> None:
        phone = self._usable(request.target)
        try:
            local, remote, norebind = split_forward(request.argument)
        except ProtocolError as err:
            raise _Refusal(err.message) from err
        port = _tcp_port(local)
        if port and local in self._forwards:
            if norebind:
                raise _Refusal(f"cannot rebind existing socket: {local}")
            self._remove_forward(local)
        bound = self._bind(phone, port, remote)
        # OKAY for the request and OKAY for the binding; the port only where the client left it open.
        stream.write(OKAY + OKAY + (b"" if port else prefixed(str(bound))))

    def _bind(self, phone: _Attached, port: int, remote: str) -> int:
        if port == PERSONS_PORT:
            raise _Refusal(f"cannot bind listener: port {PERSONS_PORT} belongs to the machine's own adb server")

        def serve(peer: socket.socket) -> None:
            stream = SocketStream(peer)
            self._clients.add(stream)
            try:
                handler = phone.services.find(remote)
                if handler is not None:
                    phone.services.handle(handler, stream)
            finally:
                self._clients.discard(stream)
                stream.close()

        try:
            listener = Listener(serve, port=port, name=f"forward-{port}")
        except OSError as err:
            raise _Refusal(f"cannot bind listener: {err.strerror}") from err
        local = f"tcp:{listener.port}"
        self._forwards[local] = (ForwardLine(phone.serial, local, remote), listener)
        listener.start()
        return listener.port

    def _list_forward(self, request: HostRequest, stream: Stream) -> None:
        # adb lists the forwards of all phones, whichever phone was named.
        del request
        _say(stream, format_forwards([line for line, _ in self._forwards.values()]))

    def _kill_forward(self, request: HostRequest, stream: Stream) -> None:
        if request.argument not in self._forwards:
            raise _Refusal(f"listener '{request.argument}' not found")
        self._remove_forward(request.argument)
        stream.write(OKAY + OKAY)

    def _kill_all_forwards(self, request: HostRequest, stream: Stream) -> None:
        del request
        for local in tuple(self._forwards):
            self._remove_forward(local)
        stream.write(OKAY + OKAY)

    def _remove_forward(self, local: str) -> None:
        _, listener = self._forwards.pop(local)
        listener.close()


_ANSWERS: Mapping[str, Callable[[HostServer, HostRequest, SocketStream], None]] = {
    "version": HostServer._version,
    "host-features": HostServer._host_features,
    "kill": HostServer._kill,
    "connect": HostServer._connect,
    "disconnect": HostServer._disconnect,
    "devices": HostServer._devices,
    "devices-l": HostServer._devices,
    "track-devices": HostServer._track,
    "track-devices-l": HostServer._track,
    "get-state": HostServer._get_state,
    "get-serialno": HostServer._get_serial,
    "get-devpath": HostServer._get_path,
    "get-product": HostServer._get_product,
    "features": HostServer._features,
    "reconnect": HostServer._reconnect,
    "reconnect-offline": HostServer._reconnect_offline,
    "forward": HostServer._forward,
    "list-forward": HostServer._list_forward,
    "killforward": HostServer._kill_forward,
    "killforward-all": HostServer._kill_all_forwards,
}
"""Verb of a request → what answers it."""


def _next_request(reader: RequestReader, stream: Stream) -> str | None:
    """The next request, or None where the client went away before it was whole."""
    while (text := reader.next()) is None:
        data = stream.read()
        if not data:
            return None
        reader.feed(data)
    return text


def _say(stream: Stream, text: str) -> None:
    stream.write(OKAY + prefixed(text))


def _tcp_port(local: str) -> int:
    kind, _, number = local.partition(":")
    if kind != "tcp" or not number.isdecimal() or int(number) > 0xFFFF:
        raise _Refusal(f"cannot bind listener: only tcp:PORT is offered on this side, not {local}")
    return int(number)

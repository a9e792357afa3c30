"""Requests to an adb server and its answers.

A client sends one request, four hexadecimal digits of length and the name of a service; the server answers OKAY or
FAIL, and for many services a string with the same kind of length. After `host:transport…` the next request names a
service of the phone, and after its OKAY the socket carries that service's own bytes.

Owns both sides of that text. Which phones there are and what a service does is left to the callers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from controller.errors import ProtocolError
from controller.wire.adb.buffer import ReceiveBuffer

__all__ = [
    "MAX_REQUEST",
    "OKAY",
    "DeviceLine",
    "Fail",
    "ForwardLine",
    "HostReader",
    "HostRequest",
    "Okay",
    "RequestReader",
    "Selection",
    "Target",
    "fail",
    "format_devices",
    "format_forwards",
    "parse_devices",
    "parse_forwards",
    "parse_request",
    "prefixed",
    "request",
    "split_forward",
]

MAX_REQUEST = 0xFFFF
OKAY = b"OKAY"
_LENGTH = re.compile(rb"[0-9a-fA-F]{4}")


@dataclass(frozen=True, slots=True)
class Okay:
    """The server did or will do what was asked."""


@dataclass(frozen=True, slots=True)
class Fail:
    """The server refused, with its words."""

    message: str


class Selection(StrEnum):
    """How a request names the phone it means."""

    ANY = "any"
    USB = "usb"
    LOCAL = "local"
    SERIAL = "serial"
    ID = "id"


@dataclass(frozen=True, slots=True)
class Target:
    """The phone a request means; `value` is a serial or a transport id."""

    selection: Selection = Selection.ANY
    value: str = ""


@dataclass(frozen=True, slots=True)
class HostRequest:
    """A request to the adb server itself; of `host-serial:X:killforward:tcp:1` the verb is `killforward`."""

    verb: str
    argument: str = ""
    target: Target = field(default_factory=Target)


@dataclass(frozen=True, slots=True)
class DeviceLine:
    """One phone in the answer to `host:devices` or `host:devices-l`."""

    serial: str
    state: str
    details: Mapping[str, str] = field(default_factory=dict)
    """`product`, `model`, `device`, `transport_id`; a USB path under `usb`. Only in the long form."""


@dataclass(frozen=True, slots=True)
class ForwardLine:
    """One forwarded port: connections to `local` reach `remote` on the phone."""

    serial: str
    local: str
    remote: str


def prefixed(text: str | bytes) -> bytes:
    """A string with its length before it."""
    data = _to_bytes(text)
    if len(data) > MAX_REQUEST:
        raise ProtocolError(f"adb host: a string of {len(data)} bytes does not fit in four digits of length")
    return b"%04x" % len(data) + data


def request(service: str) -> bytes:
    """The bytes that ask for a service: `000chost:version`."""
    return prefixed(service)


def fail(message: str) -> bytes:
    """The bytes of a refusal."""
    return b"FAIL" + prefixed(_to_bytes(message)[:MAX_REQUEST])


class HostReader:
    """What an adb server answers, read piece by piece as the request asked for it.

    Each method returns None while its piece is not whole. After the last one `rest` gives the bytes that already belong
    to the service on the same socket.
    """

    def __init__(self) -> None:
        self._buffer = ReceiveBuffer()
        self._failed = False

    def feed(self, data: bytes) -> None:
        """Add what came from the server."""
        self._buffer.feed(data)

    def reply(self) -> Okay | Fail | None:
        """OKAY or FAIL with its message.

        Raises:
            ProtocolError: It is neither.
        """
        if self._failed:
            return self._failure()
        status = self._buffer.take(4)
        if status is None:
            return None
        if status == OKAY:
            return Okay()
        if status == b"FAIL":
            self._failed = True
            return self._failure()
        raise ProtocolError(f"adb host: expected OKAY or FAIL, got {status!r}")

    def string(self) -> str | None:
        """A string that has its length before it.

        Raises:
            ProtocolError: The length is no hexadecimal number.
        """
        data = _take_prefixed(self._buffer)
        return None if data is None else _to_text(data)

    def exactly(self, count: int) -> bytes | None:
        """So many bytes, for instance the eight of the transport id after `host:tport:`."""
        return self._buffer.take(count)

    def rest(self) -> bytes:
        """What came behind the pieces that were read."""
        return self._buffer.take_all()

    def _failure(self) -> Fail | None:
        message = self.string()
        if message is None:
            return None
        self._failed = False
        return Fail(message)


class RequestReader:
    """What a client asks of an adb server: one request at a time, since the last one gives the socket away."""

    def __init__(self) -> None:
        self._buffer = ReceiveBuffer()

    def feed(self, data: bytes) -> None:
        """Add what came from the client."""
        self._buffer.feed(data)

    def next(self) -> str | None:
        """The next service asked for, or None while it is not whole.

        Raises:
            ProtocolError: The length is no hexadecimal number.
        """
        data = _take_prefixed(self._buffer)
        return None if data is None else _to_text(data)

    def rest(self) -> bytes:
        """What the client sent ahead to the service."""
        return self._buffer.take_all()


def parse_request(service: str) -> HostRequest | None:
    """The request as a value, or None for the name of a service of the phone.

    Samples: `host:devices-l`, `host:transport:emulator-5554`, `host:tport:any`, `host:transport-id:3`,
    `host-serial:127.0.0.1:5555:forward:norebind:tcp:0;tcp:9008`, `host-transport-id:3:features`, `host-usb:get-state`.
    """
    prefix, colon, rest = service.partition(":")
    if not colon:
        return None
    match prefix:
        case "host":
            return _without_target(rest)
        case "host-usb":
            return _with_target(rest, Target(Selection.USB))
        case "host-local":
            return _with_target(rest, Target(Selection.LOCAL))
        case "host-transport-id":
            number, _, command = rest.partition(":")
            return _with_target(command, Target(Selection.ID, number))
        case "host-serial":
            serial, command = _split_serial(rest)
            return _with_target(command, Target(Selection.SERIAL, serial))
        case _:
            return None


def split_forward(argument: str) -> tuple[str, str, bool]:
    """Local end, remote end and `norebind` of a forward request's argument (`norebind:tcp:0;tcp:9008`).

    Raises:
        ProtocolError: There are not two ends.
    """
    norebind = argument.startswith("norebind:")
    local, semicolon, remote = argument.removeprefix("norebind:").partition(";")
    if not (semicolon and local and remote):
        raise ProtocolError(f"adb host: bad forward: {argument}")
    return local, remote, norebind


# emulator-5554          device product:sdk_gphone64_x86_64 model:sdk_gphone64_x86_64 device:emu64xa transport_id:1
# 0A021FDD40012X         unauthorized usb:1-3 transport_id:2
# ????????????           no permissions (user in plugdev group; are your udev rules wrong?); see [http://…] usb:3-1
def parse_devices(text: str) -> list[DeviceLine]:
    """The phones in the answer to `host:devices` (tabs) or `host:devices-l` (columns and details)."""
    return [_device_line(line) for line in text.splitlines() if line.strip()]


def format_devices(devices: Iterable[DeviceLine], *, long: bool = False) -> str:
    """The answer to `host:devices`, or with `long` to `host:devices-l`."""
    if not long:
        return "".join(f"{device.serial}\t{device.state}\n" for device in devices)
    return "".join(_long_line(device) for device in devices)


def parse_forwards(text: str) -> list[ForwardLine]:
    """The answer to `list-forward`: `SERIAL LOCAL REMOTE` a line."""
    return [ForwardLine(*parts) for line in text.splitlines() if len(parts := line.split(" ")) == 3]


def format_forwards(forwards: Iterable[ForwardLine]) -> str:
    """The answer to `list-forward`."""
    return "".join(f"{item.serial} {item.local} {item.remote}\n" for item in forwards)


def _without_target(rest: str) -> HostRequest:
    verb, _, argument = rest.partition(":")
    match verb:
        case "transport":
            return HostRequest("transport", target=Target(Selection.SERIAL, argument))
        case "transport-any" | "transport-usb" | "transport-local":
            return HostRequest("transport", target=Target(Selection(verb.removeprefix("transport-"))))
        case "transport-id":
            return HostRequest("transport", target=Target(Selection.ID, argument))
        case "tport":
            kind, _, value = argument.partition(":")
            if kind not in ("any", "usb", "local", "serial"):
                return HostRequest(verb, argument)
            return HostRequest("tport", target=Target(Selection(kind), value))
        case _:
            return HostRequest(verb, argument)


def _with_target(rest: str, target: Target) -> HostRequest:
    verb, _, argument = rest.partition(":")
    return HostRequest(verb, argument, target)


_SERIAL = re.compile(
    r"""
      (?:usb|product|model|device):[^:]*      # a USB path, or a phone named by what it is
    | (?:(?:tcp|udp|vsock):)?                 # a network address with its port
      (?:\[[^\]]*\]|[^:]*) (?::[0-9]+(?=:))?
    """,
    re.VERBOSE,
)


def _split_serial(text: str) -> tuple[str, str]:
    # The serial ends at a colon, and an address has colons of its own: 127.0.0.1:5555:features, [::1]:5555:get-state
    match = _SERIAL.match(text)
    end = match.end() if match else 0
    return text[:end], text[end + 1 :]


def _device_line(line: str) -> DeviceLine:
    if "\t" in line:
        serial, _, state = line.partition("\t")
        return DeviceLine(serial.strip(), state.strip())
    serial, _, rest = line.strip().partition(" ")
    words = rest.split()
    details: dict[str, str] = {}
    while words and _is_detail(words[-1]):
        key, _, value = words.pop().partition(":")
        details[key] = value
    return DeviceLine(serial, " ".join(words), dict(reversed(details.items())))


def _is_detail(word: str) -> bool:
    key, colon, _ = word.partition(":")
    return bool(colon) and key in ("usb", "product", "model", "device", "transport_id")


def _long_line(device: DeviceLine) -> str:
    details = "".join(f" {key}:{_sanitised(value)}" for key, value in device.details.items())
    return f"{device.serial:<22} {device.state}{details}\n"


def _sanitised(value: str) -> str:
    # adb prints every character of a product or model that is not a letter or a digit as an underscore.
    return re.sub(r"[^A-Za-z0-9_.-]", "_", value)


def _take_prefixed(buffer: ReceiveBuffer) -> bytes | None:
    digits = buffer.peek(4)
    if digits is None:
        return None
    if not _LENGTH.fullmatch(digits):
        raise ProtocolError(f"adb host: expected four hexadecimal digits, got {digits!r}")
    length = int(digits, 16)
    if len(buffer) < 4 + length:
        return None
    buffer.take(4)
    return buffer.take(length)


def _to_bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def _to_text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")

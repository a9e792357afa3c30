"""What the phone's adbd offers, by the name of the service: `shell:`, `sync:`, `tcp:9008` and the others.

Owns the table of services, the one lock around the phone's state, and what runs on the phone for as long as a stream
lives. How bytes arrive is for `adbd` and `host`; what a command prints is for `shell`, what a call answers for
`uiautomator`.
"""

from __future__ import annotations

import shlex
import struct
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from controller.errors import ProtocolError
from controller.virtual.faults import FAULTS, Fault, Faults
from controller.virtual.latency import Latency, SlowStream
from controller.virtual.monkey import Monkey
from controller.virtual.reverse import Reverses
from controller.virtual.shell.proc import read_special
from controller.virtual.store import load_latency
from controller.virtual.streams import Handler, Stream
from controller.virtual.terminal import Terminal, terminal_for
from controller.virtual.tracing import Tracer
from controller.virtual.transfer import SyncService
from controller.virtual.uiserver import READY, REFUSED, STARTING, UiServer
from controller.wire.adb import shell as packets
from controller.wire.adb.host import prefixed

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["ABSENT", "Services", "features"]

ABSENT = "absent"
"""The state of a phone that no adb server lists."""

_FEATURES_BY_SDK: Mapping[int, tuple[str, ...]] = {
    28: ("stat_v2", "cmd", "shell_v2"),
    30: (
        "shell_v2",
        "cmd",
        "stat_v2",
        "ls_v2",
        "fixed_push_mkdir",
        "apex",
        "abb",
        "fixed_push_symlink_timestamp",
        "abb_exec",
        "remount_shell",
    ),
}
_INTERRUPTED = 130
"""What a shell says of a command that Ctrl-C has ended."""
_FOLLOW_S = 0.02
"""How often a command that goes on printing is asked for more."""
_NEWEST = (*_FEATURES_BY_SDK[30], "sendrecv_v2", "track_app")


def features(sdk: int) -> tuple[str, ...]:
    """The features adbd announces: abb came with Android 10, ls_v2 with 11, sendrecv_v2 with 12."""
    return _FEATURES_BY_SDK.get(sdk, _NEWEST)


class Services:
    """Everything that can be opened on one phone.

    Args:
        phone: The phone.
        trace: Told of services, commands and calls.
        sleep: Waits as long as a real phone would be busy.
    """

    def __init__(self, phone: VirtualPhone, *, trace: Tracer, sleep: Callable[[float], None] = time.sleep) -> None:
        self.phone = phone
        self.lock = threading.RLock()
        self.ui_server = UiServer(phone, self.lock, trace=trace, sleep=sleep, latency=lambda: self.latency)
        self._trace = trace
        self._sleep = sleep
        self._provided: dict[str, Handler] = {}
        self._reverses = Reverses()
        self._lasting: set[Stream] = set()
        self._open: set[Stream] = set()
        self._closed = 0  # how often
        self._monkeys: set[int] = set()
        self.on_disconnect: Callable[[], None] = lambda: None
        """Called when every connection breaks: the cable is pulled, the phone restarts."""
        phone.faults.on_begin.append(self._fault_began)
        phone.faults.on_end.append(self._fault_ended)

    @property
    def features(self) -> tuple[str, ...]:
        """What adbd of this phone's Android version announces."""
        return features(self.phone.sdk)

    @property
    def state(self) -> str:
        """How an adb server lists the phone: `device`, by fault `offline`, `unauthorized`, or ABSENT: not at all."""
        faults = self.phone.faults
        if not faults.names():
            return "device"
        if self.phone.restarting == "gone" or _is_on(faults, "unplug"):
            return ABSENT
        return next((name for name in ("offline", "unauthorized") if _is_on(faults, name)), "device")

    @property
    def latency(self) -> Latency | None:
        """How long everything takes: by the fault `slow` with a profile, else as the phone was started."""
        slow = self.phone.faults.active("slow")
        profile = slow.args.get("profile") if slow is not None else None
        return self.phone.latency if profile is None else load_latency(profile)

    def provide(self, service: str, handler: Handler) -> None:
        """Offer one more service under its exact name, for instance `localabstract:chrome_devtools_remote`."""
        self._provided[service] = handler

    def find(self, service: str) -> Handler | None:
        """Who answers for a service, or None where adbd would refuse it."""
        self._trace("service", {"name": service})
        provided = self._provided.get(service)
        if provided is not None:
            return provided
        reverse = self._reverses.find(service)
        if reverse is not None:
            return reverse
        request = packets.parse_request(service)
        if request is not None:
            return lambda stream: self._shell(request, stream)
        name, _, argument = service.partition(":")
        opener = _SERVICES.get(name)
        return None if opener is None else opener(self, argument)

    def handle(self, handler: Handler, stream: Stream) -> None:
        """Let a handler speak over a stream, and close it; a peer that goes away or talks nonsense ends it."""
        latency = self.latency
        if latency is not None:
            self._sleep(latency.round_trip_s)  # the service is opened, and the phone says so
            stream = SlowStream(stream, latency, self._sleep)
        self._open.add(stream)
        try:
            self._sleep_for(self.delay_s)
            handler(stream)
        except (ConnectionError, ProtocolError):
            pass
        finally:
            self._open.discard(stream)
            stream.close()

    @property
    def delay_s(self) -> float:
        """How much longer an answer takes by the fault `slow`."""
        slow = self.phone.faults.active("slow")
        return 0.0 if slow is None or "profile" in slow.args else float(slow.args.get("seconds", 1))

    def disconnect(self) -> None:
        """Every connection breaks and what lives in one ends, as when the cable is pulled."""
        self._reverses.clear()
        self.close()
        for stream in tuple(self._open):
            stream.abort()
        self.on_disconnect()

    def _fault_ended(self, fault: Fault) -> None:
        if fault.name in ("offline", "unauthorized"):
            # An adb server that waits for an answer it will not get connects again by itself.
            self.on_disconnect()

    def _fault_began(self, fault: Fault) -> None:
        if FAULTS[fault.name].connection:
            self.disconnect()
        elif fault.name in ("uiserver_killed", "already_registered"):
            self.ui_server.stop()

    def close(self) -> None:
        """End what lives on the phone: uiautomator2's server and commands that go on running."""
        self._closed += 1
        self._monkeys.clear()
        self.ui_server.stop()
        for stream in tuple(self._lasting):
            stream.abort()

    # -- shell

    def _shell(self, request: packets.ShellRequest, stream: Stream) -> None:
        terminal = terminal_for(request, stream, self.lock, sleep=self._pause(stream))
        terminal.damaged = (request.v2 or request.pty is not False) and self.phone.faults.active("crlf") is not None
        if request.command:
            terminal.exit(self._command(request.command, terminal, stream))
        else:
            terminal.exit(self._interactive(terminal, stream))

    def _command(self, line: str, terminal: Terminal, stream: Stream) -> int:
        """Run one command line to its end and show what it printed; its exit code comes back."""
        self._trace("shell", {"command": line})
        with self.lock:
            self.phone.tick()
            output = terminal.run(self.phone, line, latency=self.latency)
        self._sleep_for(output.took_s)
        if output.lasting is not None and output.lasting.kind == "uiautomator":
            return self._ui_server(output.lasting.port, terminal, stream, detached=output.lasting.detached)
        if self.phone.faults.take("cut", line):
            terminal.print(output.merged[: len(output.merged) // 2])
            raise ConnectionAbortedError("the connection is cut by a fault")
        terminal.show(output)
        if output.lasting is not None and output.lasting.kind == "reboot":
            self._restart()
        elif output.lasting is not None and output.lasting.kind == "monkey":
            self._monkeys.add(output.lasting.port)  # it outlives its shell
        elif output.lasting is not None and not output.lasting.detached:
            return _INTERRUPTED if self._stay(stream, terminal, output.lasting.follow) else output.exit_code
        return output.exit_code

    def _interactive(self, terminal: Terminal, stream: Stream) -> int:
        """A shell without a command: a line at a time until `exit` or the end of input."""
        while True:
            terminal.prompt(self.phone)
            line = terminal.line()
            if line is None or line.strip() == "exit":
                return 0
            if line.strip():
                self._command(line, terminal, stream)

    def _stay(self, stream: Stream, terminal: Terminal, follow: Callable[[], bytes] | None = None) -> bool:
        """Until the client closes or, True, presses Ctrl-C; what the command prints is asked for meanwhile."""
        self._lasting.add(stream)
        try:
            while True:
                came = self._came(stream, None if follow is None else _FOLLOW_S)
                if came == b"":
                    return False
                if came is not None and terminal.interrupts(came):
                    return True
                if follow is not None:
                    with self.lock:
                        more = follow()
                    if more:
                        terminal.print(more)
        finally:
            self._lasting.discard(stream)

    @staticmethod
    def _came(stream: Stream, timeout_s: float | None) -> bytes | None:
        """What came in time, None where nothing did; empty once the client has closed."""
        try:
            return stream.read(timeout_s)
        except TimeoutError:
            return None

    def _pause(self, stream: Stream) -> Callable[[float], None]:
        """Lets time pass between two commands of a line; raises where the client or the phone is gone then."""
        closed = self._closed

        def pause(seconds: float) -> None:
            self._sleep(seconds)
            if self._closed != closed or stream.gone():
                raise ConnectionAbortedError("nobody is there any more for what the command prints")

        return pause

    def _sleep_for(self, seconds: float) -> None:
        if seconds > 0:
            self._sleep(seconds)

    def _ui_server(self, port: int, terminal: Terminal, stream: Stream, *, detached: bool) -> int:
        """uiautomator2's server lives as long as the stream of the command that started it."""
        started = self.ui_server.start(port, ended=None if detached else stream.abort)
        terminal.print(STARTING + (READY if started else REFUSED))
        if not started:
            return 1
        if detached:
            return 0
        try:
            return _INTERRUPTED if self._stay(stream, terminal) else 137
        finally:
            self.ui_server.stop()

    # -- files, pictures, the phone itself

    def _sync(self, argument: str) -> Handler:
        del argument
        return self._serve_sync

    def _serve_sync(self, stream: Stream) -> None:
        service = SyncService(self.phone.files, lambda path: read_special(self.phone, path))
        while not service.finished and (data := stream.read()):
            with self.lock:
                answer = service.receive(data)
            if answer and self.phone.faults.take("cut", "sync"):
                stream.write(answer[: len(answer) // 2])
                raise ConnectionAbortedError("the connection is cut by a fault")
            if answer:
                stream.write(answer)

    def _framebuffer(self, argument: str) -> Handler:
        del argument
        return self._serve_framebuffer

    def _serve_framebuffer(self, stream: Stream) -> None:
        from controller.virtual.draw import draw  # Pillow is loaded when the first picture is wanted

        with self.lock:
            self.phone.tick()
            image = draw(self.phone).convert("RGBA")
        # Version 2 of the header, since Android 9: version, bits, colour space (1 is sRGB), size, width, height, and
        # offset and length in bits of red, blue, green, alpha.
        size = (image.width * image.height * 4, image.width, image.height)
        stream.write(struct.pack("<14I", 2, 32, 1, *size, 0, 8, 16, 8, 8, 8, 24, 8))
        stream.write(image.tobytes())

    def _reboot(self, argument: str) -> Handler:
        self._trace("reboot", {"argument": argument})
        return self._serve_reboot

    def _serve_reboot(self, stream: Stream) -> None:
        stream.close()
        self._restart()

    def _restart(self) -> None:
        self.phone.faults.set("reboot")
        with self.lock:
            self.phone.tick()
        self.disconnect()

    def _tcp(self, argument: str) -> Handler | None:
        port, _, host = argument.partition(":")
        if host not in ("", "localhost", "127.0.0.1") or not port.isdecimal():
            return None
        if int(port) in self._monkeys:
            return self._serve_monkey
        return self.ui_server.serve if self.ui_server.port == int(port) else None

    def _serve_monkey(self, stream: Stream) -> None:
        monkey = Monkey(self.phone)
        while not monkey.finished and (data := stream.read()):
            with self.lock:
                self.phone.tick()
                answer = monkey.feed(data)
            if answer:
                stream.write(answer)

    def _track_jdwp(self, argument: str) -> Handler:
        """The pids of debuggable processes, told anew when they change: a production build has none."""
        del argument

        def serve(stream: Stream) -> None:
            stream.write(prefixed(""))
            while stream.read():
                pass

        return serve

    def _remount(self, argument: str) -> Handler:
        del argument
        return _say(b'Not running as root. Try "adb root" first.\n')

    # -- binder commands

    def _abb(self, argument: str) -> Handler:
        request = packets.ShellRequest(_abb_line(argument), v2=True, pty=False)
        return lambda stream: self._shell(request, stream)

    def _abb_exec(self, argument: str) -> Handler:
        request = packets.ShellRequest(_abb_line(argument), pty=False)
        return lambda stream: self._shell(request, stream)

    # -- reverse, and what production builds refuse

    def _reverse(self, argument: str) -> Handler:
        return lambda stream: self._reverses.answer(argument, stream)

    def _root(self, argument: str) -> Handler:
        del argument
        return _say(b"adbd cannot run as root in production builds\n")

    def _unroot(self, argument: str) -> Handler:
        del argument
        return _say(b"adbd not running as root\n")

    def _tcpip(self, argument: str) -> Handler:
        return _say(f"restarting in TCP mode port: {argument}\n".encode())

    def _usb(self, argument: str) -> Handler:
        del argument
        return _say(b"restarting in USB mode\n")


_SERVICES: Mapping[str, Callable[[Services, str], Handler | None]] = {
    "sync": Services._sync,
    "framebuffer": Services._framebuffer,
    "reboot": Services._reboot,
    "tcp": Services._tcp,
    "abb": Services._abb,
    "abb_exec": Services._abb_exec,
    "reverse": Services._reverse,
    "root": Services._root,
    "unroot": Services._unroot,
    "tcpip": Services._tcpip,
    "usb": Services._usb,
    "remount": Services._remount,
    "track-jdwp": Services._track_jdwp,
}
"""Name before the colon → what opens it; what is not here is refused, as an unknown service is by adbd."""


def _is_on(faults: Faults, name: str) -> bool:
    return faults.active(name) is not None or faults.begun(name) is not None


def _say(text: bytes) -> Handler:
    return lambda stream: stream.write(text)


def _abb_line(argument: str) -> str:
    # `package\0install\0-r\0-S\0012345`: NULs between the words, which go to the binder service as `cmd` does it.
    words = argument.split("\0") if "\0" in argument else argument.split()
    return shlex.join(["cmd", *words])

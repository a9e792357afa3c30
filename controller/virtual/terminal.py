"""How a shell's input and output travel over a stream: plain bytes, a terminal's bytes, or v2 packets.

Owns the form alone. What is run is decided by `services`.
"""

from __future__ import annotations

import contextlib
import threading
import unicodedata
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from controller.virtual.shell.core import Buffer, Input, ShellOutput, Tee
from controller.virtual.shell.interpreter import Shell, Streams
from controller.virtual.streams import Stream
from controller.wire.adb.shell import Packet, PacketId, ShellReader, ShellRequest, encode, exit_packet

if TYPE_CHECKING:
    from controller.virtual.latency import Latency
    from controller.virtual.phone import VirtualPhone

__all__ = ["LineDiscipline", "PacketTerminal", "PlainTerminal", "Terminal", "terminal_for"]

_PIECE = 256 * 1024
_CTRL_C = b"\x03"


class Terminal(ABC):
    """One shell's input and output; the form of the bytes is the subclass's, the order of use is the same.

    Args:
        stream: What carries the bytes.
        lock: The phone's lock, held while a command runs and let go while it waits for input.
        pty: Whether the client asked for a terminal: then lines end in CR LF and input is echoed.
        sleep: Lets time pass between the commands of a line.
    """

    def __init__(
        self, stream: Stream, lock: threading.RLock, *, pty: bool, sleep: Callable[[float], None] | None = None
    ) -> None:
        self._sleep = sleep
        self._stream = stream
        self._lock = lock
        self._pty = pty
        self.damaged = False
        """Whether line ends are changed though nobody asked for a terminal, as by an old adbd."""
        self._input = _StreamInput(self)
        self._typing = LineDiscipline()

    def run(self, phone: VirtualPhone, line: str, *, latency: Latency | None = None) -> ShellOutput:
        """Run a command line with this terminal's input; called with the phone's lock held once."""
        out, err, merged = Buffer(), Buffer(), Buffer()
        shell = Shell(phone)
        shell.budget.latency = latency
        budget = shell.budget

        def output(code: int) -> ShellOutput:
            parts = bytes(out.data), bytes(err.data), code, bytes(merged.data)
            for buffer in (out, err, merged):
                buffer.data.clear()
            return ShellOutput(*parts, budget.took_s, budget.lasting)

        if self._sleep is not None:
            budget.pause = lambda seconds: self._pause(phone, output(0), seconds)
        return output(shell.run_text(line, Streams(self._input, Tee(out, merged), Tee(err, merged))))

    def _pause(self, phone: VirtualPhone, so_far: ShellOutput, seconds: float) -> None:
        """Show what was printed and let time pass for everybody."""
        assert self._sleep is not None
        with self.unlocked():
            self.show(so_far)
            self._sleep(seconds)
        phone.tick()

    @abstractmethod
    def show(self, output: ShellOutput) -> None:
        """Send what a command printed."""

    @abstractmethod
    def print(self, data: bytes) -> None:
        """Send bytes of standard output."""

    @abstractmethod
    def echo(self, data: bytes) -> None:
        """Send what a terminal shows while somebody types, as it is."""

    @abstractmethod
    def exit(self, code: int) -> None:
        """Say how the shell ended, where the form can say it."""

    @abstractmethod
    def pieces(self) -> Iterator[bytes]:
        """The bytes of standard input as they come, until its end."""

    @abstractmethod
    def typed(self, data: bytes) -> bytes:
        """The bytes of standard input in what came over the stream."""

    def interrupts(self, data: bytes) -> bool:
        """Whether what came over the stream while a command goes on holds Ctrl-C; it is shown then."""
        if not self._pty or _CTRL_C not in self.typed(data):
            return False
        self.echo(b"^C\r\n")
        return True

    def prompt(self, phone: VirtualPhone) -> None:
        """Show the prompt of an interactive shell."""
        if self._pty:
            self.print(f"{phone.props.get('ro.product.device', '')}:/ $ ".encode())

    def line(self) -> str | None:
        """The next line of an interactive shell's input, without its end; None after the last."""
        data = self._typed_line() if self._pty else self._input.wait_line()
        return None if data is None else data.decode("utf-8", "surrogateescape").rstrip("\n")

    def _typed_line(self) -> bytes | None:
        while not self._typing.lines and not self._typing.ended:
            piece = self._input.wait_piece()
            if piece is None:
                return None
            self.echo(self._typing.feed(piece))
        return self._typing.lines.popleft() if self._typing.lines else None

    def as_lines(self, data: bytes) -> bytes:
        """The bytes with line ends as a terminal shows them, where there is a terminal."""
        return data.replace(b"\n", b"\r\n") if self._pty or self.damaged else data

    @contextlib.contextmanager
    def unlocked(self) -> Iterator[None]:
        """Let others use the phone while a command waits for its input."""
        self._lock.release()
        try:
            yield
        finally:
            self._lock.acquire()


class PlainTerminal(Terminal):
    """Both outputs as one stream of bytes, and no exit code: `shell:` of old, and `exec:`."""

    def show(self, output: ShellOutput) -> None:
        self.print(output.merged)

    def print(self, data: bytes) -> None:
        self.echo(self.as_lines(data))

    def echo(self, data: bytes) -> None:
        if data:
            self._stream.write(data)

    def exit(self, code: int) -> None:
        del code

    def pieces(self) -> Iterator[bytes]:
        while data := self._stream.read():
            yield data

    def typed(self, data: bytes) -> bytes:
        return data


class PacketTerminal(Terminal):
    """Packets of the shell protocol v2; with a terminal, stderr goes the way of stdout as it does on a phone."""

    def __init__(
        self, stream: Stream, lock: threading.RLock, *, pty: bool, sleep: Callable[[float], None] | None = None
    ) -> None:
        super().__init__(stream, lock, pty=pty, sleep=sleep)
        self._reader = ShellReader()

    def show(self, output: ShellOutput) -> None:
        if self._pty:
            self.print(output.merged)
        else:
            self._send(PacketId.STDOUT, self.as_lines(output.stdout))
            self._send(PacketId.STDERR, self.as_lines(output.stderr))

    def print(self, data: bytes) -> None:
        self.echo(self.as_lines(data))

    def echo(self, data: bytes) -> None:
        self._send(PacketId.STDOUT, data)

    def exit(self, code: int) -> None:
        self._stream.write(encode(exit_packet(code)))

    def pieces(self) -> Iterator[bytes]:
        while data := self._stream.read():
            for packet in self._reader.feed(data):
                if packet.id is PacketId.STDIN:
                    yield packet.data
                elif packet.id is PacketId.CLOSE_STDIN:
                    return

    def typed(self, data: bytes) -> bytes:
        return b"".join(packet.data for packet in self._reader.feed(data) if packet.id is PacketId.STDIN)

    def _send(self, packet: PacketId, data: bytes) -> None:
        for start in range(0, len(data), _PIECE):
            self._stream.write(encode(Packet(packet, data[start : start + _PIECE])))


class _StreamInput(Input):
    """Standard input that is read off the stream when a command asks for it, since most never do."""

    def __init__(self, terminal: Terminal) -> None:
        super().__init__()
        self._terminal = terminal
        self._pieces = terminal.pieces()
        self._buffer = bytearray()

    def read(self) -> bytes:
        with self._terminal.unlocked():
            for piece in self._pieces:
                self._buffer += piece
        return self.take_all()

    def take_all(self) -> bytes:
        """What has come and was not read."""
        data = bytes(self._buffer)
        self._buffer.clear()
        return data

    def read_line(self) -> bytes | None:
        with self._terminal.unlocked():
            return self.wait_line()

    def wait_piece(self) -> bytes | None:
        """What comes next, as it comes; None at the end."""
        if self._buffer:
            return self.take_all()
        return next(self._pieces, None)

    def wait_line(self) -> bytes | None:
        """The next line, waited for with the phone's lock not held."""
        while b"\n" not in self._buffer and (piece := next(self._pieces, None)) is not None:
            self._buffer += piece
        if not self._buffer:
            return None
        end = self._buffer.find(b"\n")
        stop = end + 1 if end >= 0 else len(self._buffer)
        line = bytes(self._buffer[:stop])
        del self._buffer[:stop]
        return line


class LineDiscipline:
    """What the kernel does with keys on a terminal: echo, erasing, ends of lines. Keys in, complete lines out."""

    def __init__(self) -> None:
        self.lines: deque[bytes] = deque()
        """The lines that are complete; Ctrl-C makes an empty one."""
        self.ended = False
        """Whether Ctrl-D was pressed on an empty line."""
        self._line = bytearray()

    def feed(self, keys: bytes) -> bytes:
        """Take keys; what the terminal shows of them comes back."""
        return b"".join(self._key(key) for key in keys)

    def _key(self, key: int) -> bytes:
        match key:
            case 0x0D | 0x0A:
                return self._complete(b"\r\n")
            case 0x03:  # Ctrl-C
                self._line.clear()
                return self._complete(b"^C\r\n")
            case 0x04:  # Ctrl-D
                self.ended = self.ended or not self._line
                return b""
            case 0x7F | 0x08:
                return self._erase()
            case _:
                self._line.append(key)
                return bytes([key])

    def _complete(self, shown: bytes) -> bytes:
        self.lines.append(bytes(self._line))
        self._line.clear()
        return shown

    def _erase(self) -> bytes:
        text = self._line.decode("utf-8", "replace")
        if not text:
            return b""
        self._line[:] = text[:-1].encode()
        columns = 2 if unicodedata.east_asian_width(text[-1]) in "WF" else 1
        return b"\b" * columns + b" " * columns + b"\b" * columns


def terminal_for(
    request: ShellRequest, stream: Stream, lock: threading.RLock, *, sleep: Callable[[float], None] | None = None
) -> Terminal:
    """The form that a shell request asks for."""
    pty = request.pty if request.pty is not None else not request.command
    return (PacketTerminal if request.v2 else PlainTerminal)(stream, lock, pty=pty, sleep=sleep)

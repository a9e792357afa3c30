"""What every shell command is given and where it is found: `Call`, the table, the streams.

A command is one function of a `Call`, registered with `@command("name")`, that writes to `call.out` and returns its
exit code (None is 0). It lives in one of this package's modules; nothing else has to be changed to add one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone
    from controller.virtual.shell.interpreter import Shell

__all__ = [
    "COMMANDS",
    "Buffer",
    "Call",
    "CommandFunction",
    "Input",
    "Lasting",
    "Nothing",
    "ShellOutput",
    "Sink",
    "Streams",
    "Tee",
    "command",
    "encode",
]


@dataclass(frozen=True, slots=True)
class Lasting:
    """A command that goes on running until its stream is closed.

    `kind` is "uiautomator" for uiautomator2's server (it listens on `port` while it runs), "logcat" and the like for
    commands that only wait, "reboot" for a phone that goes down. `detached` ones outlive their shell. `follow` gives
    what the command has printed since it was asked last, for those that go on printing.
    """

    kind: str
    port: int = 0
    detached: bool = False
    follow: Callable[[], bytes] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ShellOutput:
    """What a command line printed and how it ended.

    `merged` holds both streams in the order of writing, as a shell without the v2 protocol sends them. `took_s` is how
    long a real phone would have been busy (a swipe of one second, `sleep 2`); nothing has waited for it.
    """

    stdout: bytes
    stderr: bytes
    exit_code: int
    merged: bytes = b""
    took_s: float = 0.0
    lasting: Lasting | None = None


class Sink(Protocol):
    """Where a command writes to."""

    def write(self, data: bytes) -> None: ...


class Buffer:
    """Keeps what is written."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, data: bytes) -> None:
        self.data += data


class Tee:
    """Writes to several sinks."""

    def __init__(self, *sinks: Sink) -> None:
        self._sinks = sinks

    def write(self, data: bytes) -> None:
        for sink in self._sinks:
            sink.write(data)


class Nothing:
    """`/dev/null`."""

    def write(self, data: bytes) -> None:
        del data


class Input:
    """Standard input; what one command has read is gone for the next."""

    def __init__(self, data: bytes = b"") -> None:
        self._data = data
        self._at = 0

    def read(self) -> bytes:
        """All that is left."""
        data = self._data[self._at :]
        self._at = len(self._data)
        return data

    def read_bytes(self, count: int) -> bytes:
        """That many bytes, fewer at the end: a client that sends a file with its size does not close its side."""
        data = bytearray()
        while len(data) < count and (piece := self.wait_piece()) is not None:
            data += piece
        return bytes(data[:count])

    def wait_piece(self) -> bytes | None:
        """What comes next, as it comes; None at the end."""
        return self.read() or None

    def read_line(self) -> bytes | None:
        """The next line with its end, None after the last."""
        if self._at >= len(self._data):
            return None
        end = self._data.find(b"\n", self._at)
        stop = len(self._data) if end < 0 else end + 1
        line = self._data[self._at : stop]
        self._at = stop
        return line


@dataclass(frozen=True, slots=True)
class Streams:
    """The three standard streams."""

    stdin: Input
    out: Sink
    err: Sink


@dataclass(slots=True)
class Call:
    """One command that is being run."""

    phone: VirtualPhone
    name: str
    args: list[str]
    stdin: Input
    stdout: Sink
    stderr: Sink
    shell: Shell
    environment: dict[str, str] = field(default_factory=dict)

    def out(self, text: str | bytes) -> None:
        """Writes to standard output as it is."""
        self.stdout.write(encode(text))

    def line(self, text: str | bytes = "") -> None:
        """Writes one line to standard output."""
        self.stdout.write(encode(text) + b"\n")

    def lines(self, lines: list[str]) -> None:
        """Writes lines to standard output."""
        for line in lines:
            self.line(line)

    def err(self, text: str | bytes) -> None:
        """Writes one line to standard error."""
        self.stderr.write(encode(text) + b"\n")

    def fail(self, message: str, code: int = 1) -> int:
        """Writes `name: message` to standard error and gives back the exit code."""
        self.err(f"{self.name}: {message}")
        return code

    def run(self, words: list[str], stdin: Input | None = None) -> int:
        """Run another command with this one's streams."""
        return self.shell.run_command(words, Streams(stdin or self.stdin, self.stdout, self.stderr), self.environment)

    def path(self, name: str) -> str:
        """`name` as an absolute path."""
        return self.shell.absolute(name)

    def flags(self, known: str) -> tuple[set[str], list[str]]:
        """Leading one-letter flags out of `known`, and the other arguments; `--` ends the flags."""
        found: set[str] = set()
        rest = list(self.args)
        while rest and rest[0].startswith("-") and len(rest[0]) > 1 and set(rest[0][1:]) <= set(known + "-"):
            first = rest.pop(0)
            if first == "--":
                break
            found |= set(first[1:])
        return found, rest

    def text_of(self, names: list[str]) -> tuple[bytes, int]:
        """The content of the named files one after the other, of standard input where none is named (or `-`)."""
        if not names:
            return self.stdin.read(), 0
        parts: list[bytes] = []
        code = 0
        for name in names:
            content = self.stdin.read() if name == "-" else self.shell.read_file(name)
            if isinstance(content, bytes):
                parts.append(content)
            else:
                self.err(f"{self.name}: {name}: {content}")
                code = 1
        return b"".join(parts), code


CommandFunction = Callable[[Call], int | None]

COMMANDS: dict[str, CommandFunction] = {}
"""Every command by its name."""


def command(*names: str) -> Callable[[CommandFunction], CommandFunction]:
    """Registers a function as the command with these names."""

    def register(function: CommandFunction) -> CommandFunction:
        for name in names:
            COMMANDS[name] = function
        return function

    return register


def encode(text: str | bytes) -> bytes:
    """Bytes of a text; arguments that were not valid UTF-8 come out as they went in."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")

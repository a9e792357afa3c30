"""The server of `monkey --port N`: a line a command, a line an answer.

    tap 540 660        → OK
    getvar am.current.package → OK:com.android.settings
    press KEYCODE_NOPE → ERROR:unable to parse

Owns what the lines mean. The port, and how long its process lives, are for `services`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from controller.virtual.shell.keycodes import keycode

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Monkey"]

_UNREADABLE = "ERROR:unable to parse"


class Monkey:
    """One connection to the server.

    Args:
        phone: The phone; whoever feeds lines holds its lock.
    """

    def __init__(self, phone: VirtualPhone) -> None:
        self._phone = phone
        self._unread = b""
        self._track: list[tuple[int, int]] = []
        self.finished = False
        """Whether the client said that it needs the connection no more."""

    def feed(self, data: bytes) -> bytes:
        """The answers to the lines that are whole now."""
        *lines, self._unread = (self._unread + data).split(b"\n")
        return b"".join(f"{answer}\n".encode() for answer in self._answers(lines))

    def _answers(self, lines: list[bytes]) -> Iterator[str]:
        for line in lines:
            if self.finished:
                return
            yield self._answer(line.decode("utf-8", "replace").strip())

    def _answer(self, line: str) -> str:
        try:
            name, *words = shlex.split(line)
            return _COMMANDS[name](self, words)
        except (ValueError, KeyError, TypeError):
            return _UNREADABLE

    def _tap(self, words: list[str]) -> str:
        x, y = map(int, words)
        self._phone.tap(x, y)
        return "OK"

    def _touch(self, words: list[str]) -> str:
        what, x, y = words[0], int(words[1]), int(words[2])
        match what:
            case "down":
                self._track = [(x, y)]
            case "move":
                self._track.append((x, y))
            case "up":
                track, self._track = [*self._track, (x, y)], []
                if len({*track}) == 1:
                    self._phone.tap(x, y)
                else:
                    self._phone.gesture(track, 0.2)
            case _:
                return _UNREADABLE
        return "OK"

    def _press(self, words: list[str]) -> str:
        code = keycode(words[0])
        if not code:
            return _UNREADABLE
        self._phone.key(code)
        return "OK"

    def _key(self, words: list[str]) -> str:
        # A key acts when it comes up; what is held down repeats on a phone, not here.
        return self._press(words[1:]) if words[0] == "up" else "OK" if words[0] == "down" else _UNREADABLE

    def _type(self, words: list[str]) -> str:
        self._phone.commit_text(" ".join(words))
        return "OK"

    def _wake(self, words: list[str]) -> str:
        del words
        self._phone.wake()
        return "OK"

    def _nothing(self, words: list[str]) -> str:
        del words
        return "OK"

    def _get(self, words: list[str]) -> str:
        (name,) = words
        read = _VARIABLES.get(name)
        return f"ERROR:unknown var: {name}" if read is None else f"OK:{read(self._phone)}"

    def _names(self, words: list[str]) -> str:
        del words
        return f"OK:{' '.join(sorted(_VARIABLES))}"

    def _done(self, words: list[str]) -> str:
        del words
        self.finished = True
        return "OK"


_COMMANDS: Mapping[str, Callable[[Monkey, list[str]], str]] = {
    "tap": Monkey._tap,
    "touch": Monkey._touch,
    "press": Monkey._press,
    "key": Monkey._key,
    "type": Monkey._type,
    "wake": Monkey._wake,
    "sleep": Monkey._nothing,
    "getvar": Monkey._get,
    "listvar": Monkey._names,
    "done": Monkey._done,
    "quit": Monkey._done,
}


def _property(name: str) -> Callable[[VirtualPhone], str]:
    return lambda phone: phone.props.get(name, "")


def _uptime(phone: VirtualPhone) -> str:
    return str(int((phone.now() - phone.boot_time) * 1000))


def _front(phone: VirtualPhone) -> str:
    return phone.tasks.top.package if phone.tasks.top is not None else ""


_VARIABLES: Mapping[str, Callable[[VirtualPhone], str]] = {
    "am.current.package": _front,
    "build.brand": _property("ro.product.brand"),
    "build.device": _property("ro.product.device"),
    "build.manufacturer": _property("ro.product.manufacturer"),
    "build.model": _property("ro.product.model"),
    "build.product": _property("ro.product.name"),
    "build.version.release": _property("ro.build.version.release"),
    "build.version.sdk": _property("ro.build.version.sdk"),
    "clock.millis": lambda phone: str(int(phone.wall() * 1000)),
    "clock.uptime": _uptime,
    "display.density": lambda phone: str(phone.density / 160),
    "display.height": lambda phone: str(phone.size[1]),
    "display.width": lambda phone: str(phone.size[0]),
    "monkey.version": lambda _: "2",
}
"""Variable → how it is read."""

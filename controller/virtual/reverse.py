"""`adb reverse`: ports of the phone that lead to ports of the computer, through the connection that asked for them.

Owns which there are and the passing on of bytes. The connection that opens the computer's side belongs to the stream.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from controller.errors import ProtocolError
from controller.virtual.streams import Handler, Stream
from controller.wire.adb.host import fail, prefixed, split_forward

__all__ = ["Reverses"]

_OKAY = b"OKAY"
_TRANSPORT = "host-19"
"""What adbd calls the connection of an adb server over TCP, by the number of its socket."""
_FIRST_PORT = 40_000


class Reverses:
    """The reverse forwards of one phone."""

    def __init__(self) -> None:
        self._routes: dict[str, tuple[str, Callable[[str], Stream]]] = {}

    def answer(self, argument: str, stream: Stream) -> None:
        """Do what follows `reverse:` in a service's name, and say what came of it."""
        verb, _, rest = argument.partition(":")
        match verb:
            case "forward":
                stream.write(self._add(rest, stream))
            case "list-forward":
                lines = [f"{_TRANSPORT} {remote} {local}\n" for remote, (local, _) in self._routes.items()]
                stream.write(prefixed("".join(lines)))
            case "killforward" if rest in self._routes:
                del self._routes[rest]
                stream.write(_OKAY)
            case "killforward":
                stream.write(fail(f"listener '{rest}' not found"))
            case "killforward-all":
                self._routes.clear()
                stream.write(_OKAY)
            case _:
                stream.write(fail(f"unknown reverse request: {verb}"))

    def find(self, service: str) -> Handler | None:
        """Who answers on a port of the phone that leads to the computer."""
        route = self._routes.get(service)
        if route is None:
            return None
        local, opener = route
        return lambda stream: _join(stream, opener(local))

    def clear(self) -> None:
        """Forget all, as when the cable is pulled."""
        self._routes.clear()

    def _add(self, request: str, stream: Stream) -> bytes:
        try:
            remote, local, norebind = split_forward(request)
        except ProtocolError as err:
            return fail(err.message)
        if norebind and remote in self._routes:
            return fail(f"cannot rebind existing socket: {remote}")
        if remote != "tcp:0":
            self._routes[remote] = (local, stream.open_back)
            return _OKAY
        port = next(port for port in range(_FIRST_PORT, 65536) if f"tcp:{port}" not in self._routes)
        self._routes[f"tcp:{port}"] = (local, stream.open_back)
        return _OKAY + prefixed(str(port))


def _join(one: Stream, other: Stream) -> None:
    """Pass on what either says until one of them ends."""
    back = threading.Thread(target=_pass_on, args=(other, one), name="adb-reverse", daemon=True)
    back.start()
    _pass_on(one, other)
    back.join()


def _pass_on(source: Stream, target: Stream) -> None:
    try:
        while data := source.read():
            target.write(data)
    except ConnectionError:
        pass
    finally:
        target.close()

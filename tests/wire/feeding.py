"""The one habit of all codec tests: bytes in one lump and byte by byte must mean the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

E = TypeVar("E")
E_co = TypeVar("E_co", covariant=True)


class Reader(Protocol[E_co]):
    def feed(self, data: bytes) -> Sequence[E_co]: ...


def events_of(make: Callable[[], Reader[E]], data: bytes) -> list[E]:
    """The events of `data`, after checking that they do not depend on where it is cut."""
    lump = list(make().feed(data))
    slow = make()
    assert [event for i in range(len(data)) for event in slow.feed(data[i : i + 1])] == lump
    return lump

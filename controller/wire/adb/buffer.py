"""The bytes that came and are not yet a whole value. What they mean is left to the readers."""

from __future__ import annotations

__all__ = ["ReceiveBuffer"]


class ReceiveBuffer:
    """Bytes in arrival order, taken from the front."""

    def __init__(self) -> None:
        self._data = bytearray()

    def __len__(self) -> int:
        return len(self._data)

    def feed(self, data: bytes) -> None:
        """Add what came from the peer."""
        self._data += data

    def peek(self, count: int) -> bytes | None:
        """The first `count` bytes, left in place, or None while there are fewer."""
        if len(self._data) < count:
            return None
        return bytes(self._data[:count])

    def take(self, count: int) -> bytes | None:
        """The first `count` bytes, removed, or None while there are fewer."""
        if len(self._data) < count:
            return None
        taken = bytes(self._data[:count])
        del self._data[:count]
        return taken

    def take_all(self) -> bytes:
        """Everything that is left: the bytes that belong to the next protocol on the same socket."""
        taken = bytes(self._data)
        self._data.clear()
        return taken

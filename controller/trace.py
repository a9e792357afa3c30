"""Events as they happen, one JSON line each, and the pictures that belong to them.

Owns the run folder's `events.jsonl` and `pictures/`, and the masking of secret values in everything that is written
there. What an event means is the business of those who emit it and of `report`, which reads them back.

A line of `events.jsonl`:

    {"t": 3.214, "wall": 1700000003.214, "kind": "step_end", "step": 4, "status": "done", "duration_s": 0.412}
"""

from __future__ import annotations

import dataclasses
import io
import json
import re
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

from controller.clock import Clock

__all__ = ["EVENTS_FILE", "MASK", "FileTrace", "NoTrace", "Recorder", "Redaction", "Trace"]

EVENTS_FILE = "events.jsonl"
MASK = "•••"
WHOLE_ONLY = 3
"""Secrets shorter than this are masked only where they are the whole text: without each `1` nothing could be read."""


class Trace(Protocol):
    """What the rest of phonectl needs of a trace."""

    def emit(self, kind: str, **data: Any) -> None:
        """Write one event."""
        ...

    def picture(self, name: str, png: bytes) -> str | None:
        """Keep a picture; the answer is its path inside the run folder, or None where pictures are not kept."""
        ...

    def redact(self, *values: str) -> None:
        """Mask these values in every event from now on."""
        ...


class NoTrace:
    """A trace that keeps nothing."""

    def emit(self, kind: str, **data: Any) -> None:
        del kind, data

    def picture(self, name: str, png: bytes) -> str | None:
        del name, png
        return None

    def redact(self, *values: str) -> None:
        del values


class Redaction:
    """Secret values, and any JSON-able value without them."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values: set[str] = set()
        self.add(*values)

    def add(self, *values: str) -> None:
        """Mask these as well; empty ones are left out."""
        self._values.update(value for value in values if value)

    @property
    def values(self) -> tuple[str, ...]:
        """The secrets, longest first, so that one which contains another is masked as a whole."""
        return tuple(sorted(self._values, key=lambda value: (-len(value), value)))

    def text(self, text: str) -> str:
        """The text with each secret replaced by the mask."""
        if text in self._values:
            return MASK
        for value in self.values:
            if len(value) >= WHOLE_ONLY:
                text = text.replace(value, MASK)
        return text

    def apply(self, value: Any) -> Any:
        """The value with each secret masked in all of its strings, keys included."""
        match value:
            case str():
                return self.text(value)
            case Mapping():
                return {self.text(str(key)): self.apply(item) for key, item in value.items()}
            case list() | tuple():
                return [self.apply(item) for item in value]
            case _:
                return value


class Recorder:
    """Hands events on to another trace and keeps them in memory, masked, for whoever counts them at the end."""

    def __init__(self, inner: Trace, clock: Clock) -> None:
        self.events: list[dict[str, Any]] = []
        self.redaction = Redaction()
        self._inner = inner
        self._clock = clock
        self._start = clock.now()

    def emit(self, kind: str, **data: Any) -> None:
        self._inner.emit(kind, **data)
        self.events.append(_event(kind, data, self._clock, self._start, self.redaction))

    def picture(self, name: str, png: bytes) -> str | None:
        return self._inner.picture(name, png)

    def redact(self, *values: str) -> None:
        self.redaction.add(*values)
        self._inner.redact(*values)


class FileTrace:
    """A run folder that grows as the run goes on.

    Each event is one unbuffered write, so that after a kill at most the event in flight is missing.

    Args:
        folder: The run folder; made at the first event.
        clock: Gives `t`, seconds since the trace was made, and the wall time.
        secrets: Values to mask from the first event on.
    """

    def __init__(self, folder: Path, clock: Clock, *, secrets: Iterable[str] = ()) -> None:
        self.folder = folder
        self.redaction = Redaction(secrets)
        self._clock = clock
        self._start = clock.now()
        self._file: io.FileIO | None = None

    def emit(self, kind: str, **data: Any) -> None:
        event = _event(kind, data, self._clock, self._start, self.redaction)
        line = json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n"
        # Half of a surrogate pair, as a cut text of a phone may end in, cannot be written.
        self._open().write(line.encode("utf-8", "replace"))

    def picture(self, name: str, png: bytes) -> str | None:
        path = _free(self.folder / "pictures" / f"{_safe(self.redaction.text(name))}.png")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png)
        return path.relative_to(self.folder).as_posix()

    def redact(self, *values: str) -> None:
        self.redaction.add(*values)

    def close(self) -> None:
        """Close the file; a later event opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> FileTrace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> io.FileIO:
        if self._file is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self.folder / EVENTS_FILE
            cut = path.exists() and not path.read_bytes().endswith(b"\n")
            self._file = path.open("ab", buffering=0)
            if cut:  # a killed run left half a line; nothing must be glued to it
                self._file.write(b"\n")
        return self._file


def _event(kind: str, data: Mapping[str, Any], clock: Clock, start: float, redaction: Redaction) -> dict[str, Any]:
    stamp = {"t": round(clock.now() - start, 4), "wall": round(clock.wall(), 3)}
    return {**stamp, "kind": kind, **redaction.apply(plain(data))}


def plain(value: Any) -> Any:
    """The value as JSON can hold it: dataclasses as objects, enums as their values, anything unknown as its text."""
    match value:
        case Enum():
            return plain(value.value)
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case set() | frozenset():
            return sorted((plain(item) for item in value), key=str)
        case bytes() | bytearray():
            return f"{len(value)} bytes"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return str(value)


def _safe(name: str) -> str:
    """A relative path below `pictures`, whatever a flow's author wrote: no drive, no root, no way up."""
    parts = [re.sub(r"[^\w.\- ]+", "-", part).strip(". ") for part in re.split(r"[/\\]+", name)]
    return "/".join(part[:80] for part in parts if part) or "picture"


def _free(path: Path) -> Path:
    """The path itself, or the first of `name-2`, `name-3` … that is not taken."""
    if not path.exists():
        return path
    number = 2
    while (other := path.with_stem(f"{path.stem}-{number}")).exists():
        number += 1
    return other

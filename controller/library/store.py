"""A small JSON file that several processes change: under a lock, replaced as a whole.

Owns how it is kept; what stands in it is its users' business.
"""

from __future__ import annotations

import contextlib
import copy
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.errors import DocumentError, UsageError

__all__ = ["JsonFile"]

LOCK_TIMEOUT_S = 10.0


class JsonFile:
    """One JSON object in a file; a file that is not there is an empty one."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, Any]:
        """What stands in the file.

        Raises:
            DocumentError: The file is there and holds something else than a JSON object.
        """
        try:
            text = self._path.read_text(encoding="utf-8")
            content = json.loads(text)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise self._broken() from error
        if not isinstance(content, dict):
            raise self._broken()
        return content

    def _broken(self) -> DocumentError:
        return DocumentError(f"{self._path} cannot be read as JSON", hint="mend the file, or remove it to start anew")

    @contextlib.contextmanager
    def edit(self) -> Iterator[dict[str, Any]]:
        """The content to be changed in the block; it is written when the block ends well and something changed."""
        from filelock import FileLock, Timeout

        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(self._path.with_suffix(".lock"), timeout=LOCK_TIMEOUT_S):
                content = self.read()
                before = copy.deepcopy(content)
                yield content
                if content != before:
                    self._write(content)
        except Timeout as error:
            message = f"another process has held {self._path} for {LOCK_TIMEOUT_S:g} s"
            raise UsageError(message, hint="wait for it to end, or stop it", code="store_busy") from error

    def _write(self, content: dict[str, Any]) -> None:
        scratch = self._path.with_suffix(f".{os.getpid()}.tmp")
        scratch.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")
        scratch.replace(self._path)

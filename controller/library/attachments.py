"""Reading files that lie beside a document, and nothing else.

A name such as `references/说明.md` comes from a model or a document, so every way out of the document's folder is
refused here: absolute names, drives, backslashes, `..`, links. The way is walked folder by folder without following a
link, so that nothing can be put in its place between the check and the reading.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from controller.errors import DocumentError

__all__ = ["attachment_names", "file_names", "read_attachment"]

MAX_ATTACHMENT_BYTES = 1024 * 1024
MAX_LISTED = 1000

_SKIPPED = frozenset({"node_modules", "__pycache__"})
# Opening a pipe for reading would wait for a writer.
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_WALKS = os.open in os.supports_dir_fd


def attachment_names(folder: Path) -> tuple[str, ...]:
    """The files below `references/` of a document's folder as relative names with `/`, sorted; links are left out."""
    return file_names(folder / "references")


def file_names(folder: Path) -> tuple[str, ...]:
    """The files below a folder as relative names with `/`, sorted; links and hidden ones are left out."""
    found: list[str] = []
    if folder.is_symlink():
        return ()
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in sorted(folders) if not name.startswith(".") and name not in _SKIPPED]
        for name in files:
            path = Path(here, name)
            if not name.startswith(".") and path.is_file() and not path.is_symlink():
                found.append(path.relative_to(folder).as_posix())
        if len(found) > MAX_LISTED:
            break
    return tuple(sorted(found)[:MAX_LISTED])


def read_attachment(folder: Path, name: str) -> str:
    """The text of a file below a document's folder.

    Raises:
        DocumentError: The name leads outside or through a link, or the file is not a regular file, is too large or not
            UTF-8.
    """
    parts = name.split("/")
    if not name or "\\" in name or "\0" in name or ":" in name or any(part in ("", ".", "..") for part in parts):
        raise DocumentError(f"{name!r} is not a file name inside the document's folder", code="attachment_name")
    try:
        descriptor = _open(folder, parts)
    except FileNotFoundError as error:
        raise DocumentError(f"there is no file {name!r}", code="attachment_missing") from error
    except (OSError, ValueError) as error:
        # A link is refused as ELOOP or ENOTDIR, a folder on the way that is a file as ENOTDIR.
        message = f"{name!r} leads through a link or to no file of the document's folder"
        raise DocumentError(message, code="attachment_name") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise DocumentError(f"there is no file {name!r}", code="attachment_missing")
    with os.fdopen(descriptor, "rb") as stream:
        return _text(stream.read(MAX_ATTACHMENT_BYTES + 1), name)


def _open(folder: Path, parts: list[str]) -> int:
    if not _WALKS:
        return _open_whole(folder, parts)
    here = os.open(folder, os.O_RDONLY)
    try:
        for part in parts[:-1]:
            below = os.open(part, _FLAGS | os.O_DIRECTORY, dir_fd=here)
            os.close(here)
            here = below
        return os.open(parts[-1], _FLAGS, dir_fd=here)
    finally:
        os.close(here)


def _open_whole(folder: Path, parts: list[str]) -> int:
    """For Windows, where a folder cannot be held open to walk from it."""
    path = folder.joinpath(*parts)
    if path.resolve() != folder.resolve().joinpath(*parts):
        raise ValueError("a link is on the way")
    return os.open(path, _FLAGS)


def _text(data: bytes, name: str) -> str:
    if len(data) > MAX_ATTACHMENT_BYTES:
        raise DocumentError(f"{name!r} is larger than {MAX_ATTACHMENT_BYTES // 1024} KiB", code="attachment_too_large")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(f"{name!r} is not UTF-8", code="attachment_not_text") from error

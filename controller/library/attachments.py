"""Reading files that lie beside a document, and nothing else.

A name such as `references/说明.md` comes from a model or a document, so every way out of the document's folder is
refused here: absolute names, drives, backslashes, `..`, links.
"""

from __future__ import annotations

import os
from pathlib import Path

from controller.errors import DocumentError

__all__ = ["attachment_names", "read_attachment"]

MAX_ATTACHMENT_BYTES = 1024 * 1024
MAX_LISTED = 1000


def attachment_names(folder: Path) -> tuple[str, ...]:
    """The files below `references/` of a document's folder as relative names with `/`, sorted; links are left out."""
    base = folder / "references"
    found: list[str] = []
    for here, folders, files in os.walk(base):
        folders[:] = [name for name in sorted(folders) if not name.startswith(".")]
        for name in files:
            path = Path(here, name)
            if not name.startswith(".") and path.is_file() and not path.is_symlink():
                found.append(path.relative_to(base).as_posix())
        if len(found) > MAX_LISTED:
            break
    return tuple(sorted(found)[:MAX_LISTED])


def read_attachment(folder: Path, name: str) -> str:
    """The text of a file below a document's folder.

    Raises:
        DocumentError: The name leads outside, or the file is not a regular file, is too large or not UTF-8.
    """
    parts = name.split("/")
    if not name or "\\" in name or "\0" in name or ":" in name or any(part in ("", ".", "..") for part in parts):
        raise DocumentError(f"{name!r} is not a file name inside the document's folder", code="attachment_name")
    root = folder.resolve()
    path = folder.joinpath(*parts)
    if not path.resolve().is_relative_to(root):
        raise DocumentError(f"{name!r} leads outside the document's folder", code="attachment_name")
    if not path.is_file():
        raise DocumentError(f"there is no file {name!r}", code="attachment_missing")
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_ATTACHMENT_BYTES + 1)
        if len(data) > MAX_ATTACHMENT_BYTES:
            raise DocumentError(
                f"{name!r} is larger than {MAX_ATTACHMENT_BYTES // 1024} KiB", code="attachment_too_large"
            )
        return data.decode("utf-8-sig")
    except OSError as error:
        raise DocumentError(f"{name!r} cannot be read: {error.strerror or error}", code="attachment_missing") from error
    except UnicodeDecodeError as error:
        raise DocumentError(f"{name!r} is not UTF-8", code="attachment_not_text") from error

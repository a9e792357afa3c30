"""The documents that lie in some roots: a quick look at names, sizes and times, and the reading of one of them.

The only module that knows which folder of a root holds which kind. Which document serves is the catalog's business.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from controller.library.app import App, parse_app
from controller.library.findings import Finding, Severity
from controller.library.origin import Origin
from controller.library.reader import MAX_DOCUMENT_BYTES, Document, read_document
from controller.library.roots import Root
from controller.library.site import Site, parse_site
from controller.library.skill import Skill, parse_skill

__all__ = ["Found", "Kind", "Record", "in_order", "read_bytes", "read_file", "read_record", "record_of", "scan"]

Record = App | Site | Skill


class Kind(StrEnum):
    """What a document is about."""

    APP = "app"
    SITE = "site"
    SKILL = "skill"


_DOCUMENTS = {Kind.APP: "APP.md", Kind.SITE: "SITE.md", Kind.SKILL: "SKILL.md"}


@dataclass(frozen=True, slots=True)
class Found:
    """A folder where a document is expected.

    Attributes:
        root: The root it lies in.
        kind: What kind of document it is.
        folder: The folder, whose name is the document's id.
        stamp: Size, time of change of the content and of the file, in nanoseconds; None when there is no document.
    """

    root: Root
    kind: Kind
    folder: str
    stamp: tuple[int, int, int] | None

    @property
    def path(self) -> str:
        """The document's file."""
        return os.path.join(self.folder, _DOCUMENTS[self.kind])  # noqa: PTH118 - ten thousand of them, at each start

    @property
    def id(self) -> str:
        """The name of the folder."""
        return os.path.basename(self.folder)  # noqa: PTH119 - the same


def scan(roots: Iterable[Root]) -> Iterator[Found]:
    """Every folder where a document is expected, the ones that serve first at the front."""
    for root in in_order(roots):
        bases = {
            Kind.APP: root.knowledge / "apps",
            Kind.SITE: root.knowledge / "sites",
            Kind.SKILL: root.skills,
        }
        for kind, base in bases.items():
            for folder in _folders(base):
                yield Found(root, kind, folder, _stamp(folder + os.sep + _DOCUMENTS[kind]))


def in_order(roots: Iterable[Root]) -> list[Root]:
    """The roots as they serve: what is not trusted never shadows what is."""
    return sorted(roots, key=lambda root: not root.trusted)


def _folders(base: Path) -> list[str]:
    try:
        with os.scandir(base) as entries:
            return sorted(entry.path for entry in entries if not entry.name.startswith(".") and entry.is_dir())
    except OSError:
        return []


def _stamp(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - the same
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns, status.st_ctime_ns) if stat.S_ISREG(status.st_mode) else None


def read_record(found: Found) -> tuple[Record | None, tuple[Finding, ...]]:
    """The record of a document that was found, and what is wrong with it."""
    return record_of(found, read_file(Path(found.path), inside=found.root.path))


def record_of(found: Found, document: Document) -> tuple[Record | None, tuple[Finding, ...]]:
    """The record that a document holds, and what is wrong with it."""
    match found.kind:
        case Kind.APP:
            return parse_app(document, folder=found.id, trusted=found.root.origin is Origin.BUILTIN)
        case Kind.SITE:
            return parse_site(document, folder=found.id)
        case Kind.SKILL:
            return parse_skill(document, folder=found.id, source=found.root.origin)


def read_file(path: Path, *, inside: Path | None = None) -> Document:
    """The document in a file; what the file system refuses becomes a finding as well.

    Args:
        path: The file.
        inside: A folder that the file must not leave, not even through links.
    """
    data = read_bytes(path, inside=inside)
    return data if isinstance(data, Document) else read_document(data, path=str(path))


def read_bytes(path: Path, *, inside: Path | None = None) -> bytes | Document:
    """The bytes of a document's file, at most one more than a document may have, or a document that says why not."""
    name = str(path)
    if inside is not None and not path.resolve().is_relative_to(inside.resolve()):
        return _unread(name, "outside_root", f"the file lies outside {inside}")
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_DOCUMENT_BYTES + 1)
    except OSError as error:
        return _unread(name, "unreadable", f"the file cannot be read: {error.strerror or error}")


def _unread(path: str, code: str, message: str) -> Document:
    return Document(path, findings=(Finding(path, 1, 1, code, Severity.ERROR, message),))

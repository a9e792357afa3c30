"""One reader for all documents: bytes become a header with places, a body, and findings.

Any bytes give a `Document`: what cannot be read is said in its findings. What the fields mean is left to the formats,
files and folders to the catalog.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from controller.library.findings import Edit, Finding, Place, Severity
from controller.library.header import Entry, header_entries
from controller.library.rawlines import RawList, take_raw_lists

__all__ = ["MAX_DOCUMENT_BYTES", "MAX_HEADER_BYTES", "Document", "read_document"]

MAX_DOCUMENT_BYTES = 1024 * 1024
MAX_HEADER_BYTES = 64 * 1024
FENCE = "---"

_BOM = "\ufeff"
_FULL_WIDTH_COLON = re.compile(r"[ ]*[A-Za-z_][\w-]*[ \t]*(?P<colon>：)")


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it was read.

    Attributes:
        path: The name of the file, as it was given.
        entries: The header's keys and values; empty when the header could not be read.
        lists: `links` and `package_aliases`, item by item as they stand in the file.
        body: Everything after the header, with line feeds.
        body_line: The number of the body's first line.
        newline: The line ends of the file, for whoever writes it again.
        readable: Whether there is a header that could be read.
        findings: What was found wrong on the way.
    """

    path: str
    entries: tuple[Entry, ...] = ()
    lists: tuple[RawList, ...] = ()
    body: str = ""
    body_line: int = 1
    newline: str = "\n"
    readable: bool = False
    findings: tuple[Finding, ...] = ()

    def entry(self, key: str) -> Entry | None:
        """The entry with this key, spelled exactly so."""
        return next((entry for entry in self.entries if entry.key.value == key), None)

    def raw_list(self, key: str) -> RawList | None:
        """The items of `links` or `package_aliases` as they stand in the file."""
        return next((found for found in self.lists if found.key == key), None)


def read_document(data: bytes, *, path: str) -> Document:
    """The document in `data`; never raises.

    Args:
        data: The bytes of the file; a reader need not hand over more than one byte beyond `MAX_DOCUMENT_BYTES`.
        path: The name of the file, for the findings.
    """
    if len(data) > MAX_DOCUMENT_BYTES:
        return _failed(path, Place(1, 1), "too_large", f"the document is larger than {MAX_DOCUMENT_BYTES // 1024} KiB")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(data, error, path)
    newline = _newline(text)
    lines = text.removeprefix(_BOM).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[0] != FENCE:
        return _no_header(lines, path, newline)
    end = next((number for number in range(1, len(lines)) if lines[number] == FENCE), None)
    if end is None:
        return _unclosed(lines, path, newline)
    return _with_header(lines, end, path=path, newline=newline)


def _with_header(lines: list[str], end: int, *, path: str, newline: str) -> Document:
    body, body_line = "\n".join(lines[end + 1 :]), end + 2
    header = lines[1:end]
    if sum(len(line.encode("utf-8")) + 1 for line in header) > MAX_HEADER_BYTES:
        finding = _error(
            path, Place(1, 1), "header_too_large", f"the header is larger than {MAX_HEADER_BYTES // 1024} KiB"
        )
        return Document(path, body=body, body_line=body_line, newline=newline, findings=(finding,))
    header, colons = _mend_colons(header, path)
    rest, lists, shape = take_raw_lists(header, path=path, first_line=2)
    entries, problems = header_entries("\n".join(rest), path=path, first_line=2)
    return Document(
        path,
        entries=entries or (),
        lists=tuple(lists),
        body=body,
        body_line=body_line,
        newline=newline,
        readable=entries is not None,
        findings=tuple(sorted([*colons, *shape, *problems], key=lambda finding: (finding.line, finding.column))),
    )


def _mend_colons(header: list[str], path: str) -> tuple[list[str], list[Finding]]:
    """The header with `key：value` read as `key: value`, and an error for each such line."""
    mended, findings = list(header), []
    for number, line in enumerate(header):
        match = _FULL_WIDTH_COLON.match(line)
        if match is None or line.startswith(" "):
            continue
        column = match.start("colon") + 1
        edit = Edit(number + 2, column, column + 1, ": ")
        message = "a full-width colon ： after the key; YAML needs `: `"
        findings.append(
            _error(path, Place(number + 2, column), "full_width_colon", message, fix="write `: `", edit=edit)
        )
        mended[number] = f"{line[: column - 1]}: {line[column:]}"
    return mended, findings


def _error(
    path: str, place: Place, code: str, message: str, *, fix: str | None = None, edit: Edit | None = None
) -> Finding:
    return Finding(path, place.line, place.column, code, Severity.ERROR, message, fix, edit)


def _failed(path: str, place: Place, code: str, message: str, *, fix: str | None = None) -> Document:
    return Document(path, findings=(_error(path, place, code, message, fix=fix),))


def _not_utf8(data: bytes, error: UnicodeDecodeError, path: str) -> Document:
    before = data[: error.start].decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    line = before.count("\n") + 1
    column = len(before.rpartition("\n")[2]) + 1
    named = "UTF-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else f"byte 0x{data[error.start]:02x}"
    message = f"the document is not UTF-8 ({named})"
    return _failed(path, Place(line, column), "not_utf8", message, fix="save the file as UTF-8")


def _newline(text: str) -> str:
    if "\r\n" in text:
        return "\r\n"
    return "\r" if "\r" in text and "\n" not in text else "\n"


def _spaced_fence(line: str, number: int, path: str) -> Finding | None:
    """A fence with white space behind it, which is no fence; said apart because one cannot see it."""
    if line.rstrip() != FENCE:
        return None
    edit = Edit(number, 1, len(line) + 1, FENCE)
    message = "white space after ---: a fence is the line --- and nothing else"
    return _error(path, Place(number, 4), "fence_space", message, fix="remove the white space", edit=edit)


def _no_header(lines: list[str], path: str, newline: str) -> Document:
    finding = _spaced_fence(lines[0], 1, path) or _error(
        path,
        Place(1, 1),
        "no_header",
        "the first line is not ---, so there is no header",
        fix="begin with a header between two lines ---",
    )
    return Document(path, body="\n".join(lines), newline=newline, findings=(finding,))


def _unclosed(lines: list[str], path: str, newline: str) -> Document:
    spaced = (_spaced_fence(line, number, path) for number, line in enumerate(lines[1:], start=2))
    finding = next((found for found in spaced if found is not None), None) or _error(
        path,
        Place(1, 1),
        "unclosed_header",
        "the header that begins here has no closing line ---",
        fix="add a line --- after the header",
    )
    return Document(path, newline=newline, findings=(finding,))

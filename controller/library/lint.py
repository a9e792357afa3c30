"""Lint: everything that is wrong with some documents, and the repair of what is mechanical.

Reads files and folders; how findings are printed is left to `formats`, the exit code to the command line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.errors import DocumentError
from controller.library.app import App, check_app, parse_app
from controller.library.attachments import attachment_names
from controller.library.catalog import Library, library_findings, load_library
from controller.library.findings import Edit, Finding, Severity
from controller.library.reader import Document
from controller.library.roots import builtin_roots, is_builtin
from controller.library.scan import read_file
from controller.library.scripts import scripts_of
from controller.library.site import Site, check_site, parse_site
from controller.library.skill import Skill, check_skill, parse_skill

__all__ = ["apply_edits", "fix", "lint"]

_SKIPPED = frozenset({"node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True)
class _Checked:
    """A document's record and everything that its own format says about it."""

    record: App | Site | Skill | None
    findings: tuple[Finding, ...]


def _app(document: Document, folder: Path) -> _Checked:
    app, findings = parse_app(document, folder=folder.name, trusted=is_builtin(folder))
    more = check_app(document, app, attachments=attachment_names(folder)) if app else ()
    return _Checked(app, (*findings, *more))


def _site(document: Document, folder: Path) -> _Checked:
    site, findings = parse_site(document, folder=folder.name)
    if site is None:
        return _Checked(None, findings)
    more = check_site(document, site, attachments=attachment_names(folder))
    scripts = scripts_of(folder, source=site.reference, domains=site.domains).findings
    return _Checked(site, (*findings, *more, *scripts))


def _skill(document: Document, folder: Path) -> _Checked:
    skill, findings = parse_skill(document, folder=folder.name)
    if skill is None:
        return _Checked(None, findings)
    more = check_skill(document, skill, attachments=attachment_names(folder))
    return _Checked(skill, (*findings, *more, *scripts_of(folder, source=skill.reference).findings))


_KINDS: dict[str, Callable[[Document, Path], _Checked]] = {"APP.md": _app, "SITE.md": _site, "SKILL.md": _skill}


def lint(paths: Iterable[Path]) -> list[Finding]:
    """Everything that is wrong with the documents in these files and folders, in order of place.

    References are looked up among these documents, those that lie beside them in the same root, and the built-in ones.

    Raises:
        DocumentError: A path does not exist, or is a file of another name than the formats have.
    """
    looked = [_documents(Path(path)) for path in paths]
    files = list(dict.fromkeys(file for documents, _ in looked for file in documents))
    strays = [stray for _, found in looked for stray in found]
    checked = {str(file): _KINDS[file.name](read_file(file), file.resolve().parent) for file in files}
    findings = [*strays, *(finding for document in checked.values() for finding in document.findings)]
    findings += _between(files, checked)
    return sorted(dict.fromkeys(findings), key=lambda each: (each.path, each.line, each.column, each.code))


def _documents(path: Path) -> tuple[list[Path], list[Finding]]:
    """The documents in a path, and warnings about what looks like one and is none."""
    if path.is_file():
        if path.name not in _KINDS:
            message = f"{path} is none of {', '.join(_KINDS)}"
            raise DocumentError(message, hint="the name of a document says its format")
        return [path], []
    if not path.is_dir():
        raise DocumentError(f"there is no file or folder {path}", hint="check the spelling of the path")
    files = list(_files_below(path))
    documents = [file for file in files if file.name in _KINDS]
    misnamed = {kind.casefold(): kind for kind in _KINDS}
    strays = [
        _stray(file, "misnamed_document", f"{file.name} is not read; the name is {misnamed[file.name.casefold()]}")
        for file in files
        if file.name.casefold() in misnamed and file.name not in _KINDS
    ]
    if not documents and not strays:
        strays = [_stray(path, "no_document", f"the folder holds no {', '.join(_KINDS)}")]
    return documents, strays


def _files_below(path: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        yield from (Path(here, name) for name in sorted(names))


def _stray(path: Path, code: str, message: str) -> Finding:
    return Finding(str(path), 1, 1, code, Severity.WARNING, message)


def _between(files: Sequence[Path], checked: dict[str, _Checked]) -> list[Finding]:
    """Findings between documents: the linted ones count first, then their neighbours, then the built-in ones."""
    around = load_library([*_roots_of(files), *builtin_roots()])
    here = {file.resolve(): str(file) for file in files}
    records = [document.record for document in checked.values() if document.record is not None]

    def others(known: Sequence[App] | Sequence[Site] | Sequence[Skill]) -> list[App | Site | Skill]:
        mine = {record.reference for record in records}
        return [each for each in known if Path(each.path).resolve() not in here and each.reference not in mine]

    everything = [*records, *others(around.apps), *others(around.sites), *others(around.skills)]
    library = Library(
        apps=tuple(record for record in everything if isinstance(record, App)),
        sites=tuple(record for record in everything if isinstance(record, Site)),
        skills=tuple(record for record in everything if isinstance(record, Skill)),
    )
    return library_findings(library, checked=frozenset(checked))


def _roots_of(files: Iterable[Path]) -> list[Path]:
    """The roots that the files lie in: above `apps/<id>/APP.md` and `sites/<domain>/SITE.md`, above `<id>/SKILL.md`."""
    roots = []
    for file in files:
        folder = file.resolve().parent
        roots.append(folder.parent if file.name == "SKILL.md" else folder.parent.parent)
    return list(dict.fromkeys(roots))


def fix(paths: Iterable[Path]) -> list[Finding]:
    """Repair what is mechanical in these documents and return what was repaired; line ends and BOM stay as they are."""
    repaired: list[Finding] = []
    # A repair can bring the next one to light (a header that can be read now), so there are up to three rounds.
    files = [Path(path) for path in paths]
    for _ in range(3):
        fixable = [finding for finding in lint(files) if finding.edit is not None]
        if not fixable:
            break
        for path in dict.fromkeys(finding.path for finding in fixable):
            edits = [finding.edit for finding in fixable if finding.path == path and finding.edit is not None]
            data = Path(path).read_bytes()
            Path(path).write_bytes(apply_edits(data.decode("utf-8"), edits).encode("utf-8"))
        repaired += fixable
    return repaired


def apply_edits(source: str, edits: Iterable[Edit]) -> str:
    """The text with the edits made; of two that touch the same characters the first wins."""
    bom = "\ufeff" if source.startswith("\ufeff") else ""
    lines = _lines(source.removeprefix(bom))
    taken: set[tuple[int, int]] = set()
    for edit in sorted(dict.fromkeys(edits), key=lambda each: (each.line, each.start), reverse=True):
        line = lines[edit.line - 1]
        if edit.text is None:
            lines[edit.line - 1] = ""
            continue
        span = {(edit.line, column) for column in range(edit.start, max(edit.end, edit.start + 1))}
        if not span & taken and line:
            lines[edit.line - 1] = line[: edit.start - 1] + edit.text + line[edit.end - 1 :]
            taken |= span
    return bom + "".join(lines)


def _lines(text: str) -> list[str]:
    """Lines with their ends; only CR, LF and CRLF end a line."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)

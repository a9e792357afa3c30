"""Taking a skill in, from a folder or a zip file: everything is checked before anything is written.

What a right skill is, is said by its format. Executables and code are copied as files and never run.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from controller.errors import DocumentError, UsageError
from controller.library.findings import Finding, Severity
from controller.library.origin import Origin
from controller.library.reader import read_document
from controller.library.skill import check_skill, parse_skill

__all__ = ["Installed", "install_skill"]

MAX_FILES = 512
MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 8
DOCUMENT = "SKILL.md"

_ID = re.compile(r"(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*")
# Names that Windows takes for devices, whatever stands behind the dot.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_LEFT_OUT = re.compile(r"(?:__MACOSX|\.git|__pycache__|node_modules)(?:/|$)|(?:.*/)?(?:\.DS_Store|Thumbs\.db)$")


@dataclass(frozen=True, slots=True)
class Installed:
    """A skill that was taken in.

    Attributes:
        reference: How it is named from now on.
        path: Its document.
        files: Everything that was written, as names below its folder.
        replaced: Whether it stands where another one stood.
        findings: What is not quite right with it.
    """

    reference: str
    path: str
    files: tuple[str, ...]
    replaced: bool
    findings: tuple[Finding, ...]


def install_skill(source: Path, into: Path, *, replace: bool = False) -> Installed:
    """Take the skill in a folder or a zip file into a folder of skills.

    Args:
        source: The folder with the SKILL.md, or a zip file of it.
        into: The person's folder of skills.
        replace: Whether a skill of the same name may be replaced.

    Raises:
        DocumentError: The source holds no single right skill, or something that must not be unpacked.
        UsageError: A skill of the name is there already.
    """
    files = _checked(source)
    name, files = _single(source, files)
    findings = _judged(name, files)
    target = into / name
    there = target.exists() or target.is_symlink()
    if there and not replace:
        raise UsageError(
            f"there is a skill {name!r} in {into} already", hint="say --replace to replace it", code="skill_exists"
        )
    _write(files, target)
    return Installed(f"personal:{name}", str(target / DOCUMENT), tuple(sorted(files)), there, findings)


# Gathering


def _checked(source: Path) -> dict[str, bytes]:
    """The files of a source by their names, each of them fit to be written."""
    if "://" in str(source) or re.match(r"https?:/", str(source)):
        raise DocumentError(f"{source} is an address, not a path", hint="fetch it first", code="not_a_path")
    if source.is_dir():
        entries = _from_folder(source)
    elif source.is_file() and zipfile.is_zipfile(source):
        entries = _from_zip(source)
    else:
        raise DocumentError(f"{source} is neither a folder nor a zip file", code="not_a_skill")
    files: dict[str, bytes] = {}
    folded: dict[str, str] = {}
    total = 0
    for name, data in entries:
        _check_name(name)
        key = unicodedata.normalize("NFC", name).casefold()
        if key in folded:
            raise DocumentError(f"{name!r} and {folded[key]!r} are one file on some systems", code="unsafe_entry")
        files[name], folded[key] = data, name
        total += len(data)
        if len(files) > MAX_FILES or total > MAX_BYTES:
            message = f"{source} holds more than {MAX_FILES} files or {MAX_BYTES // 1024 // 1024} MiB"
            raise DocumentError(message, code="too_large")
    for key, name in folded.items():
        parent = key.rpartition("/")[0]
        while parent:
            if parent in folded:
                raise DocumentError(f"{folded[parent]!r} is a file and the folder of {name!r}", code="unsafe_entry")
            parent = parent.rpartition("/")[0]
    return files


def _from_folder(source: Path) -> Iterator[tuple[str, bytes]]:
    prefix = f"{source.resolve().name}/"
    left = MAX_BYTES
    for here, folders, names in os.walk(source):
        for folder in folders:
            if Path(here, folder).is_symlink():
                raise DocumentError(f"{Path(here, folder)} is a link", code="unsafe_entry")
        folders[:] = sorted(folder for folder in folders if not _LEFT_OUT.match(f"{folder}/"))
        for name in sorted(names):
            path = Path(here, name)
            relative = path.relative_to(source).as_posix()
            if _LEFT_OUT.match(relative):
                continue
            if not stat.S_ISREG(path.lstat().st_mode):
                raise DocumentError(f"{path} is a link or no regular file", code="unsafe_entry")
            with path.open("rb") as stream:
                data = stream.read(left + 1)
            left = max(left - len(data), 0)
            yield prefix + relative, data


def _from_zip(source: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(source) as archive:
            entries = archive.infolist()
            if len(entries) > MAX_FILES * 2:
                raise DocumentError(f"{source} holds more than {MAX_FILES} files", code="too_large")
            left = MAX_BYTES
            for entry in entries:
                _check_entry(entry)
                if entry.is_dir() or _LEFT_OUT.match(entry.filename) or "/.git/" in entry.filename:
                    continue
                # The size that the archive claims is not believed.
                with archive.open(entry) as stream:
                    data = stream.read(left + 1)
                left = max(left - len(data), 0)
                yield entry.filename, data
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, ValueError, RuntimeError) as error:
        raise DocumentError(f"{source} cannot be unpacked: {error}", code="not_a_skill") from error


def _check_entry(entry: zipfile.ZipInfo) -> None:
    if "\0" in entry.orig_filename:
        raise DocumentError(f"{entry.orig_filename!r} holds a NUL", code="unsafe_entry")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise DocumentError(f"{entry.filename!r} is a link or no regular file", code="unsafe_entry")
    if entry.flag_bits & 0x1:
        raise DocumentError(f"{entry.filename!r} is encrypted", code="unsafe_entry")
    _check_name(entry.filename.removesuffix("/"))


def _check_name(name: str) -> None:
    parts = name.split("/")
    strange = (
        not name
        or len(parts) > MAX_DEPTH
        or "\\" in name
        or ":" in name
        or any(unicodedata.category(character) in ("Cc", "Cs") for character in name)
        or any(part in ("", ".", "..") or part != part.rstrip(" .") or _DEVICES.fullmatch(part) for part in parts)
    )
    if strange:
        raise DocumentError(f"{name!r} is no name that may be written", code="unsafe_entry")


# Judging


def _single(source: Path, files: Mapping[str, bytes]) -> tuple[str, dict[str, bytes]]:
    """The name of the one skill in the files, and its files by their names below its folder."""
    if DOCUMENT in files:
        name = _named(files[DOCUMENT])
        return _valid(name), dict(files)
    tops = {name.partition("/")[0] for name in files}
    holders = [top for top in sorted(tops) if f"{top}/{DOCUMENT}" in files]
    if len(holders) != 1 or len(tops) != 1:
        what = f"skills: {', '.join(holders)}" if len(holders) > 1 else f"{DOCUMENT} beside or in one folder"
        message = f"{source} holds several {what}" if len(holders) > 1 else f"{source} holds no {what}"
        raise DocumentError(message, hint="one folder with a SKILL.md and what belongs to it", code="not_a_skill")
    top = holders[0]
    return _valid(top), {name.removeprefix(f"{top}/"): data for name, data in files.items()}


def _named(data: bytes) -> str:
    skill, _ = parse_skill(read_document(data, path=DOCUMENT), folder="")
    document = read_document(data, path=DOCUMENT)
    entry = document.entry("name")
    value = getattr(entry.value, "value", "") if skill is not None and entry is not None else ""
    return str(value).strip()


def _valid(name: str) -> str:
    if _ID.fullmatch(name) is None:
        message = f"{name!r} is no name of a skill: 1 to 64 lower-case letters, digits and single hyphens"
        raise DocumentError(message, code="skill_name")
    return name


def _judged(name: str, files: Mapping[str, bytes]) -> tuple[Finding, ...]:
    document = read_document(files[DOCUMENT], path=f"{name}/{DOCUMENT}")
    skill, findings = parse_skill(document, folder=name, source=Origin.PERSON)
    below = [each.removeprefix("references/") for each in files if each.startswith("references/")]
    more = check_skill(document, skill, attachments=below) if skill is not None else ()
    everything = (*findings, *more)
    errors = [finding for finding in everything if finding.severity is Severity.ERROR]
    if errors:
        places = [
            {"file": f.path, "line": f.line, "column": f.column, "code": f.code, "message": f.message, "fix": f.fix}
            for f in errors
        ]
        raise DocumentError(f"the skill {name!r} has {len(errors)} errors", hint="mend them first", findings=places)
    return everything


# Writing


def _write(files: Mapping[str, bytes], target: Path) -> None:
    """Write the files beside the target and put them in its place in one step."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.parent / f".{target.name}.{os.getpid()}.new"
    old = target.parent / f".{target.name}.{os.getpid()}.old"
    for folder in (fresh, old):
        shutil.rmtree(folder, ignore_errors=True)
    try:
        for name, data in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if target.is_symlink():
            target.unlink()
        elif target.exists():
            target.rename(old)
        fresh.rename(target)
    finally:
        if old.exists() and not target.exists():
            old.rename(target)
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)

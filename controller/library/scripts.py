"""The scripts that lie beside a document: what they are called, what they take, and what is wrong with their listing.

Read here and never run. A script of a sandbox stands in `scripts/manifest.json`; a command of a site is a `.js` file
that begins with its own header.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.errors import DocumentError
from controller.library.attachments import file_names, read_attachment
from controller.library.findings import Finding, Severity

__all__ = ["BundledScript", "Scripts", "SiteCommand", "scripts_of"]

MANIFEST = "manifest.json"
RUNTIMES = ("python", "sh")
OUTPUTS = ("text", "json")
DEFAULT_TIMEOUT_S = 30.0
MAX_TIMEOUT_S = 600.0

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,63}")
_TYPES = ("string", "number", "integer", "boolean", "array", "object")
_MISSING = object()

# /* mika-command
# {"name": "search", "description": "…", "args": {"q": {"type": "string", "required": true}}, "readOnly": true}
# */
_HEADER = re.compile(r"\s*/\*\s*mika-command\b(?P<json>.*?)\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BundledScript:
    """A script of the manifest. `source` is what a reading tool hands out and a running tool asks for."""

    name: str
    file: str
    runtime: str
    description: str
    source: str
    args: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    timeout_s: float = DEFAULT_TIMEOUT_S
    output: str = "text"

    def as_dict(self) -> dict[str, Any]:
        """The script as a reading tool lists it."""
        return {
            "name": self.name,
            "scriptSource": self.source,
            "description": self.description,
            "args": {name: dict(rule) for name, rule in self.args.items()},
        }


@dataclass(frozen=True, slots=True)
class SiteCommand:
    """A command of a site, which reads a page and changes nothing."""

    name: str
    file: str
    description: str
    domains: tuple[str, ...]
    args: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    example: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The command as a reading tool lists it."""
        return {
            "name": self.name,
            "description": self.description,
            "domains": list(self.domains),
            "args": {name: dict(rule) for name, rule in self.args.items()},
            "example": self.example,
        }


@dataclass(frozen=True, slots=True)
class Scripts:
    """What lies in `scripts/` of one document."""

    scripts: tuple[BundledScript, ...] = ()
    commands: tuple[SiteCommand, ...] = ()
    findings: tuple[Finding, ...] = ()


def scripts_of(folder: Path, *, source: str, domains: tuple[str, ...] = ()) -> Scripts:
    """The scripts and commands of a document's folder.

    Args:
        folder: The document's folder.
        source: The document's reference.
        domains: The domains of a site, whose folder may hold commands; none for another document.
    """
    files = file_names(folder / "scripts")
    if not files:
        return Scripts()
    reader = _Reader(folder, source, domains)
    scripts = tuple(reader.manifest(files)) if MANIFEST in files else ()
    listed = {script.file for script in scripts}
    commands = tuple(reader.commands(name for name in files if name.endswith(".js") and name not in listed))
    taken = listed | {command.file for command in commands} | reader.judged | {MANIFEST}
    for name in files:
        if name not in taken and Path(name).suffix in (".py", ".sh", ".js") and not Path(name).name.startswith("_"):
            reader.report(name, "script_unlisted", f"{name!r} is not listed in {MANIFEST}", fix="list it, or remove it")
    return Scripts(scripts, commands, tuple(reader.findings))


class _Reader:
    """Reads one folder; what is wrong gathers in `findings`."""

    def __init__(self, folder: Path, source: str, domains: tuple[str, ...]) -> None:
        self._folder = folder
        self._source = source
        self._domains = domains
        self.findings: list[Finding] = []
        self.judged: set[str] = set()

    def report(self, name: str, code: str, message: str, *, fix: str | None = None, line: int = 1) -> None:
        path = str(self._folder / "scripts" / name)
        # What is only not listed does no harm; agentskills.io knows no manifest.
        severity = Severity.WARNING if code == "script_unlisted" and not self._domains else Severity.ERROR
        self.findings.append(Finding(path, line, 1, code, severity, message, fix))
        self.judged.add(name)

    # The manifest

    def manifest(self, files: tuple[str, ...]) -> Iterator[BundledScript]:
        rows = self._json(MANIFEST, self._text(MANIFEST))
        rows = rows.get("scripts") if isinstance(rows, dict) else None
        if not isinstance(rows, list):
            if MANIFEST not in self.judged:
                self.report(MANIFEST, "manifest_form", 'the manifest is not {"scripts": [ … ]}')
            return
        names: set[str] = set()
        for number, row in enumerate(rows, start=1):
            problem = self._problem(row, files, names)
            if problem is not None:
                self.report(MANIFEST, "manifest_entry", f"script {number}: {problem}")
                continue
            names.add(row["name"])
            yield BundledScript(
                name=row["name"],
                file=row["file"],
                runtime=row["runtime"],
                description=row.get("description", ""),
                source=self._source,
                args=row.get("args", {}),
                timeout_s=float(row.get("timeout_s", DEFAULT_TIMEOUT_S)),
                output=row.get("output", "text"),
            )

    def _problem(self, row: Any, files: tuple[str, ...], names: set[str]) -> str | None:
        if not isinstance(row, dict):
            return "is not an object"
        for key, default in (("name", None), ("file", None), ("runtime", None), ("description", "")):
            if not isinstance(row.get(key, default), str):
                return f"`{key}` is missing or not a text"
        if _NAME.fullmatch(row["name"]) is None or row["name"] in names:
            return f"the name {row['name']!r} is taken or no name"
        if row["file"] not in files:
            return f"there is no file {row['file']!r} in scripts/"
        if row["runtime"] not in RUNTIMES:
            return f"the runtime {row['runtime']!r} is none of {', '.join(RUNTIMES)}"
        if row.get("output", "text") not in OUTPUTS:
            return f"the output {row['output']!r} is none of {', '.join(OUTPUTS)}"
        limit = row.get("timeout_s", DEFAULT_TIMEOUT_S)
        if isinstance(limit, bool) or not isinstance(limit, int | float) or not 0 < limit <= MAX_TIMEOUT_S:
            return f"`timeout_s` is {limit!r}; it is a number up to {MAX_TIMEOUT_S:g}"
        return _args_problem(row.get("args", {}))

    # Commands of a site

    def commands(self, names: Iterator[str]) -> Iterator[SiteCommand]:
        seen: set[str] = set()
        for name in names:
            text = self._text(name)
            match = _HEADER.match(text) if text is not None else None
            if match is None or not self._domains:
                # Reported as not listed, where it is no part of another script.
                continue
            header = self._json(name, match["json"])
            problem = self._header_problem(header, seen) if header is not _MISSING else None
            if problem is not None:
                self.report(name, "command_header", problem)
            if header is _MISSING or problem is not None:
                continue
            seen.add(header["name"])
            domains = header.get("domains") or self._domains
            yield SiteCommand(
                name=header["name"],
                file=name,
                description=header.get("description", ""),
                domains=tuple(domains),
                args=header.get("args", {}),
                example=str(header.get("example", "")),
            )

    def _header_problem(self, header: Any, seen: set[str]) -> str | None:
        if not isinstance(header, dict):
            return "the header is not a JSON object"
        name = header.get("name")
        if not isinstance(name, str) or _NAME.fullmatch(name) is None:
            return "`name` is missing or no name"
        if name in seen:
            return f"the name {name!r} is taken by another command"
        if not isinstance(header.get("description", ""), str):
            return "`description` is not a text"
        if header.get("readOnly") is not True:
            return "`readOnly` is not true; a site's command only reads"
        domains = header.get("domains", [])
        if not isinstance(domains, list) or not all(isinstance(domain, str) for domain in domains):
            return "`domains` is not a list of texts"
        strange = [
            each for each in domains if not any(each == own or each.endswith(f".{own}") for own in self._domains)
        ]
        if strange:
            return f"the domain {strange[0]!r} is not one of the site's"
        return _args_problem(header.get("args", {}))

    # Reading

    def _text(self, name: str) -> str | None:
        try:
            return read_attachment(self._folder, f"scripts/{name}")
        except DocumentError as error:
            self.report(name, "script_unreadable", error.message)
            return None

    def _json(self, name: str, text: str | None) -> Any:
        if text is None:
            return _MISSING
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            line = getattr(error, "lineno", 1)
            self.report(name, "script_json", f"no JSON: {error}", line=line)
            return _MISSING


def _args_problem(args: Any) -> str | None:
    if not isinstance(args, dict) or not all(isinstance(rule, dict) for rule in args.values()):
        return "`args` is not an object of objects"
    for name, rule in args.items():
        if rule.get("type", "string") not in _TYPES:
            return f"the type {rule['type']!r} of {name!r} is none of {', '.join(_TYPES)}"
        if not isinstance(rule.get("required", False), bool):
            return f"`required` of {name!r} is not true or false"
        if not isinstance(rule.get("enum", []), list):
            return f"`enum` of {name!r} is not a list"
    return None

"""Everything that is wrong with the documents of a virtual phone, and what looks like a slip of the pen.

Pure: texts in, problems out; `store` reads the files. The grammar itself is that of `apps` and `screens`; here their
first error does not end the reading.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from controller.errors import DocumentError
from controller.virtual.apps import read_phone
from controller.virtual.document import Place, parse
from controller.virtual.names import FACTS
from controller.virtual.scope import template_names

__all__ = ["Problem", "check_phone", "unknown_names"]

_GIVERS = frozenset({"params", "state", "set", "with", "row", "cycle"})
"""Keys whose pairs give values to names."""
_VARIABLES = frozenset({"field", "spinner", "seek", "var", "zoom"})
"""Keys whose value is the name of a variable."""
_CONDITIONS = frozenset({"when", "where", "enabled", "selected", "checked", "needs"})
_PATTERNS = frozenset({"links", "uri"})
_SPACES = ("system.", "secure.", "global.", "prop.")
_ASKED = re.compile(r"!?\s*([A-Za-z_@][\w.@]*)")


@dataclass(frozen=True, slots=True)
class Problem:
    """One place in one document, and what is wrong there; no error where the phone can be used all the same."""

    path: str
    line: int
    column: int
    message: str
    hint: str = ""
    is_error: bool = True


def check_phone(documents: Mapping[str, str], *, name: str) -> list[Problem]:
    """What is wrong with `phone.yaml` and `apps/*.yaml`, by their paths: each once, in order of place."""
    errors: list[DocumentError] = []
    try:
        read_phone(documents, name=name, problems=errors)
    except DocumentError as problem:
        errors.append(problem)
    found = [_problem(error) for error in errors]
    broken = {problem.path for problem in found}
    for path, text in documents.items():
        if not path.endswith("phone.yaml") and path not in broken:
            found += unknown_names(text, path)
    return sorted(dict.fromkeys(found), key=lambda problem: (problem.path, problem.line, problem.column))


def unknown_names(text: str, path: str) -> list[Problem]:
    """Names in templates and conditions of an app that nothing in its file gives a value, and the phone neither."""
    root = parse(text, path)
    known = {name for key, value in _pairs(root) for name in _given(key, value)} | FACTS
    problems = []
    for place, name in _asked(root):
        bare = name.removeprefix("outer.")
        if bare not in known and not bare.startswith(_SPACES):
            near = difflib.get_close_matches(bare, known, 1)
            hint = f"did you mean `{near[0]}`?" if near else "give it in `params`, `state`, `with` or a row of `data`"
            message = f"nothing gives `{name}` a value, so it is always empty"
            problems.append(Problem(path, place.line, place.column, message, hint, is_error=False))
    return problems


def _problem(error: DocumentError) -> Problem:
    path, line, column = (error.details.get(key) for key in ("path", "line", "column"))
    place = f"{path}:{line}:{column}: "
    return Problem(str(path), int(line or 1), int(column or 1), str(error).removeprefix(place), error.hint or "")


def _pairs(place: Place) -> Iterator[tuple[str, Place]]:
    """Every key of a document with its value, at every depth."""
    if place.is_list:
        for entry in place.entries():
            yield from _pairs(entry)
    elif place.is_mapping:
        for key, value in place.items():
            yield key.text(), value
            yield from _pairs(value)


def _given(key: str, value: Place) -> Iterator[str]:
    """The names that a pair gives a value."""
    if key in _GIVERS and value.is_mapping:
        yield from value.fields()
    elif key in _VARIABLES and value.is_text:
        yield value.text()
    elif key == "data" and value.is_mapping:
        for rows in value.fields().values():
            for row in rows.entries() if rows.is_list else []:
                yield from row.fields()
    elif key in _PATTERNS:
        for uri in value.many():
            if uri.is_text:
                yield from template_names(uri.text())
                yield from (name for name, _ in parse_qsl(urlsplit(uri.text()).query, keep_blank_values=True))


def _asked(place: Place, key: str = "") -> Iterator[tuple[Place, str]]:
    """The names that templates and conditions ask for, with their places."""
    if place.is_list:
        for entry in place.entries():
            yield from _asked(entry, key)
    elif place.is_mapping:
        for inner, value in place.items():
            if inner.text() not in _PATTERNS:
                yield from _asked(value, inner.text())
    else:
        for name in template_names(place.text()):
            yield place, name
        for term in place.text().split(" and ") if key in _CONDITIONS else []:
            found = _ASKED.match(term.strip())
            if found is not None:
                yield place, found.group(1)

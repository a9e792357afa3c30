"""What can be said about a place in a document, as values.

Reading and checking produce findings and never raise; showing them is the business of `formats`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

__all__ = ["Edit", "Finding", "Place", "Severity", "has_errors"]


class Severity(StrEnum):
    """How much a finding weighs: an error breaks a rule, a warning is worth a look, info is only said."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Place:
    """A line and a column of a file, both counted from 1, the column in characters."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Edit:
    """A mechanical repair: the characters `start` to `end` of a line (columns, `end` not included) become `text`.

    With `text` None the whole line goes.
    """

    line: int
    start: int
    end: int
    text: str | None


@dataclass(frozen=True, slots=True)
class Finding:
    """One place in one document and what is to be said about it."""

    path: str
    line: int
    column: int
    code: str
    severity: Severity
    message: str
    fix: str | None = None
    edit: Edit | None = None

    def as_dict(self) -> dict[str, Any]:
        """The finding as JSON."""
        return {
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "code": self.code,
            "severity": self.severity.value,
            "message": self.message,
            "fix": self.fix,
            "fixable": self.edit is not None,
        }


def has_errors(findings: Iterable[Finding]) -> bool:
    """Whether one of the findings is an error."""
    return any(finding.severity is Severity.ERROR for finding in findings)

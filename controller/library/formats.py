"""Findings as text for people, and as JSON, GitHub workflow commands and SARIF for programs.

`FORMATS` is the table of them; a new format is a new row.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from controller.library.findings import Finding, Severity

__all__ = ["FORMATS", "as_github", "as_json", "as_sarif", "as_text"]

_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_GITHUB_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_SARIF_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def as_text(findings: Sequence[Finding]) -> str:
    """One line a finding, `file:line:column: severity: message [code]`, the fix below it, and a line of sums."""
    lines = []
    for finding in findings:
        place = f"{finding.path}:{finding.line}:{finding.column}"
        lines.append(f"{place}: {finding.severity.value}: {finding.message} [{finding.code}]")
        if finding.fix:
            lines.append(f"    fix: {finding.fix}")
    lines.append(_sums(findings))
    return "\n".join(lines)


def _sums(findings: Sequence[Finding]) -> str:
    if not findings:
        return "nothing found"
    counts = ((_count(findings, severity), severity.value) for severity in Severity)
    return ", ".join(f"{count} {name}{'s' if count > 1 and name != 'info' else ''}" for count, name in counts if count)


def _count(findings: Sequence[Finding], severity: Severity) -> int:
    return sum(finding.severity is severity for finding in findings)


def as_json(findings: Sequence[Finding]) -> str:
    """One JSON object with the findings and their number by severity."""
    answer = {
        "findings": [finding.as_dict() for finding in findings],
        "errors": _count(findings, Severity.ERROR),
        "warnings": _count(findings, Severity.WARNING),
        "infos": _count(findings, Severity.INFO),
    }
    return json.dumps(answer, ensure_ascii=False, indent=2)


def as_github(findings: Sequence[Finding]) -> str:
    """Workflow commands that GitHub shows beside the lines: `::error file=…,line=…,col=…,title=…::message`."""
    return "\n".join(_github_line(finding) for finding in findings)


def _github_line(finding: Finding) -> str:
    values = {"file": finding.path, "line": finding.line, "col": finding.column, "title": finding.code}
    properties = ",".join(f"{name}={_escape(str(value), ':,')}" for name, value in values.items())
    message = finding.message + (f" (fix: {finding.fix})" if finding.fix else "")
    return f"::{_GITHUB_LEVELS[finding.severity]} {properties}::{_escape(message, '')}"


def _escape(text: str, more: str) -> str:
    # https://docs.github.com/actions/reference/workflow-commands: these characters would end the value.
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def as_sarif(findings: Sequence[Finding]) -> str:
    """A SARIF 2.1.0 log with one run."""
    rules = [{"id": code} for code in dict.fromkeys(finding.code for finding in findings)]
    driver = {"name": "phonectl lint", "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": [_result(f) for f in findings]}
    return json.dumps({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _result(finding: Finding) -> dict[str, Any]:
    region = {"startLine": finding.line, "startColumn": finding.column}
    location = {"artifactLocation": {"uri": finding.path.replace("\\", "/")}, "region": region}
    message = finding.message + (f" (fix: {finding.fix})" if finding.fix else "")
    return {
        "ruleId": finding.code,
        "level": _SARIF_LEVELS[finding.severity],
        "message": {"text": message},
        "locations": [{"physicalLocation": location}],
    }


FORMATS: dict[str, Callable[[Sequence[Finding]], str]] = {
    "text": as_text,
    "json": as_json,
    "github": as_github,
    "sarif": as_sarif,
}

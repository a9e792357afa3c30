"""What `phonectl lint` looks at: the library's documents and those of virtual phones, as one list of findings.

Composes two checks that know nothing of each other; how findings are printed is for `library.formats`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from controller.library.findings import Finding, Severity
from controller.library.lint import lint
from controller.library.roots import builtin_roots
from controller.resources import resource_dir
from controller.virtual.check import Problem
from controller.virtual.store import check_folder, phone_folders

__all__ = ["builtin_paths", "check"]


def builtin_paths() -> tuple[Path, ...]:
    """The roots of the library and the virtual phones that come along."""
    return (*builtin_roots(), resource_dir("devices") / "virtual")


def check(paths: Iterable[Path]) -> list[Finding]:
    """Everything that is wrong with what lies in these files and folders, in order of place.

    Raises:
        DocumentError: A path does not exist, or is a file of another name than the formats have.
    """
    findings: list[Finding] = []
    for path in paths:
        folders = phone_folders(path)
        found = [_finding(problem) for folder in folders for problem in check_folder(folder)]
        if path.is_file() and folders:
            findings += [finding for finding in found if Path(finding.path) == path]
            continue
        documents = lint([path])
        findings += found + [finding for finding in documents if not (folders and finding.code == "no_document")]
    return sorted(dict.fromkeys(findings), key=lambda each: (each.path, each.line, each.column, each.code))


def _finding(problem: Problem) -> Finding:
    return Finding(
        problem.path,
        problem.line,
        problem.column,
        "invalid_phone" if problem.is_error else "unknown_name",
        Severity.ERROR if problem.is_error else Severity.WARNING,
        problem.message,
        problem.hint or None,
    )

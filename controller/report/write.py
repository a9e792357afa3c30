"""Writes the report of a run folder: `report.html`, `result.json`, `junit.xml`, from what the folder holds."""

from __future__ import annotations

import json
from datetime import tzinfo
from pathlib import Path

from controller.report.html import render
from controller.report.junit import junit_xml
from controller.report.result import as_result
from controller.report.run import Run, read_run

__all__ = ["write"]


def write(folder: Path, *, zone: tzinfo | None = None) -> Run:
    """The run, after its report has been written into its folder."""
    run = read_run(folder)
    root = folder.resolve()

    def read(path: str) -> bytes | None:
        file = (root / path).resolve()
        # A path in the events is not followed out of the folder.
        return file.read_bytes() if file.is_relative_to(root) and file.is_file() else None

    result = json.dumps(as_result(run), ensure_ascii=False, indent=2) + "\n"
    _replace(folder / "result.json", result.encode("utf-8", "replace"))
    _replace(folder / "junit.xml", junit_xml(run))
    _replace(folder / "report.html", render(run, read, zone=zone).encode("utf-8"))
    return run


def _replace(path: Path, data: bytes) -> None:
    scratch = path.with_name(f".{path.name}.tmp")
    scratch.write_bytes(data)
    scratch.replace(path)

"""The import table of ARCHITECTURE.md, held by reading every module's imports."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1] / "controller"

# Module or package: what it may import of ours. A package's own parts may always import each other.
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "clock": set(),
    "resources": set(),
    "wire": {"errors"},
    "adb": {"wire", "clock", "errors", "screen.dumpsys"},
    "screen.dumpsys": {"errors"},
    "screen": {"errors"},
    "library": {"errors", "resources"},
    "recognise": {"errors", "library", "screen.dumpsys"},
    "links": {"errors", "library"},
    "pace": {"errors"},
    "trace": {"clock", "errors"},
    "task": {"pace", "clock", "errors"},
    "device": {"adb", "screen", "clock", "errors", "pace", "resources"},
    "step": {"clock", "device", "errors", "library", "pace"},
    "session": {"clock", "device", "errors", "library", "pace", "recognise", "screen", "step", "task", "trace"},
    "opening": {"device", "screen", "step"},
    "verbs": {"clock", "device", "errors", "library", "links", "opening", "screen", "session", "step"},
    "looking": {"errors", "library", "recognise", "screen", "session", "verbs"},
    "report": {"errors", "screen", "trace"},
    "flow": {
        "clock",
        "device",
        "errors",
        "library",
        "links",
        "pace",
        "report",
        "screen",
        "session",
        "step",
        "trace",
        "verbs",
    },
    "connect": {
        "adb",
        "clock",
        "device",
        "errors",
        "library",
        "pace",
        "resources",
        "screen",
        "session",
        "step",
        "task",
        "trace",
        "virtual",
        "wire",
    },
    "handle": {"connect", "errors", "looking", "pace", "screen", "session", "step", "verbs"},
    "cli": {
        "adb",
        "clock",
        "connect",
        "device",
        "errors",
        "flow",
        "library",
        "looking",
        "pace",
        "screen",
        "session",
        "step",
        "task",
        "trace",
        "verbs",
    },
    "virtual": {"wire", "errors", "resources"},
    "": {"handle", "errors", "pace", "screen", "step", "verbs"},
}

PURE = ("errors", "wire", "screen", "recognise", "links", "pace", "opening")
IMPURE_MODULES = {"os", "socket", "subprocess", "threading", "time", "requests", "tempfile", "shutil", "select"}


def owner(module: str) -> str:
    """The row of the table that a module of ours belongs to: the longest that fits."""
    rows = [row for row in ALLOWED if row and (module == row or module.startswith(row + "."))]
    return max(rows, key=len, default="" if not module else module.split(".")[0])


def modules() -> list[tuple[str, Path]]:
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found.append((".".join(part for part in parts if part != "__init__"), path))
    return found


def imports(path: Path) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            base = node.module or ""
            if base == "controller":
                found += [(node.lineno, f"controller.{alias.name}") for alias in node.names]
            elif base.startswith("controller."):
                found += [(node.lineno, f"{base}.{alias.name}") for alias in node.names]
            else:
                found.append((node.lineno, base))
    return found


def may_import(importer: str, imported: str) -> bool:
    mine, theirs = owner(importer), owner(imported)
    if mine == theirs:
        return True
    allowed = ALLOWED[mine]
    return any(theirs == row or theirs.startswith(row + ".") for row in allowed)


@pytest.mark.parametrize(("module", "path"), modules(), ids=[name or "controller" for name, _ in modules()])
def test_a_module_imports_only_downwards(module: str, path: Path) -> None:
    wrong = [
        f"{path.name}:{line} imports {name}"
        for line, name in imports(path)
        if name.startswith("controller.") and not may_import(module, name.removeprefix("controller."))
    ]

    assert wrong == []


def test_every_module_has_a_row() -> None:
    assert {owner(name) for name, _ in modules()} <= set(ALLOWED)


@pytest.mark.parametrize("pure", PURE)
def test_pure_modules_touch_no_file_socket_process_or_clock(pure: str) -> None:
    wrong = [
        f"{name} imports {imported}"
        for name, path in modules()
        if name == pure or name.startswith(pure + ".")
        for _, imported in imports(path)
        if imported.split(".")[0] in IMPURE_MODULES
    ]

    assert wrong == []


def users_of(library: str) -> set[str]:
    return {name for name, path in modules() for _, imported in imports(path) if imported.split(".")[0] == library}


def test_the_two_phone_libraries_have_one_owner_each() -> None:
    assert users_of("adbutils") <= {name for name, _ in modules() if owner(name) == "adb"}
    assert users_of("uiautomator2") <= {"adb.uiserver"}


def test_only_the_clock_reads_the_time_outside_the_virtual_phone() -> None:
    assert {name for name in users_of("time") if owner(name) != "virtual"} <= {"clock"}

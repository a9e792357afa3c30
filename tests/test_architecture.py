"""The import table of ARCHITECTURE.md, held by reading every module's imports."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1] / "controller"

# Module or package: what it may import of ours. A package's own parts may always import each other.
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "clock": set(),
    "resources": set(),
    "wire": {"errors"},
    "adb": {"wire", "clock", "errors"},
    "screen.dumpsys": {"errors"},
    "screen": {"errors"},
    "library": {"errors", "resources"},
    "recognise": {"library"},
    "links": {"errors", "library"},
    "pace": set(),
    "trace": {"clock"},
    "task": {"pace", "clock", "errors"},
    "device": {"adb", "screen", "clock", "errors", "pace", "resources"},
    "step": {"clock", "device", "errors", "library", "pace"},
    "scene": {"device", "library", "recognise", "screen", "task"},
    "session": {
        "clock",
        "device",
        "errors",
        "library",
        "pace",
        "recognise",
        "scene",
        "screen",
        "step",
        "task",
        "trace",
    },
    "opening": {"device", "screen", "step"},
    "targets": {"device", "errors", "screen"},
    "verbs": {"clock", "device", "errors", "library", "links", "opening", "screen", "session", "step", "targets"},
    "looking": {"errors", "library", "screen", "session", "verbs"},
    "capture": {"adb", "clock", "device", "errors", "screen"},
    "report": {"errors", "screen", "trace"},
    "flow": {
        "device",
        "errors",
        "library",
        "links",
        "pace",
        "report",
        "screen",
        "session",
        "step",
        "targets",
        "trace",
        "verbs",
    },
    "config": {"pace"},
    "embedded": {"config", "errors", "task", "virtual"},
    "connect": {
        "adb",
        "capture",
        "clock",
        "config",
        "device",
        "embedded",
        "errors",
        "library",
        "screen.dumpsys",
        "session",
        "step",
        "task",
        "trace",
        "virtual",
        "wire",
    },
    "handle": {"config", "connect", "looking", "pace", "screen", "session", "step", "targets", "verbs"},
    "cli": {
        "adb",
        "capture",
        "clock",
        "config",
        "connect",
        "device",
        "embedded",
        "errors",
        "flow",
        "library",
        "looking",
        "pace",
        "report",
        "resources",
        "screen",
        "session",
        "step",
        "targets",
        "task",
        "trace",
        "verbs",
        "virtual",
    },
    "virtual": {"wire", "errors", "resources"},
    "": {"handle", "errors", "step"},
}

# A whole row, or single modules of one that has both kinds.
PURE = (
    "errors",
    "wire",
    "screen",
    "recognise",
    "links",
    "pace",
    "opening",
    "scene",
    "targets",
    "device.commands",
    "device.gestures",
    "device.keys",
    "device.observation",
    "flow.expressions",
    "flow.grammar",
    "flow.model",
    "flow.parser",
    "flow.shapes",
    "library.app",
    "library.checks",
    "library.fields",
    "library.findings",
    "library.header",
    "library.origin",
    "library.prompts",
    "library.rawlines",
    "library.reader",
    "library.search.entry",
    "library.search.ranking",
    "library.search.readings",
    "library.search.synonyms",
    "library.search.tokens",
    "library.site",
    "library.skill",
    "library.text",
    "library.uri",
    "library.wrapping",
    "report.chart",
    "report.junit",
    "report.result",
)
IMPURE_MODULES = {
    "filelock",
    "os",
    "pathlib",
    "platformdirs",
    "requests",
    "select",
    "shutil",
    "socket",
    "subprocess",
    "tempfile",
    "threading",
    "time",
}


def owner(module: str) -> str:
    """The row of the table that a module of ours belongs to: the longest that fits."""
    rows = [row for row in ALLOWED if row and (module == row or module.startswith(row + "."))]
    return max(rows, key=len, default="" if not module else module.split(".")[0])


@functools.cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def modules() -> list[tuple[str, Path]]:
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found.append((".".join(part for part in parts if part != "__init__"), path))
    return found


def imports(path: Path) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(tree_of(path)):
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


def test_no_row_allows_more_than_is_used() -> None:
    used = {
        (owner(module), owner(name.removeprefix("controller.")))
        for module, path in modules()
        for _, name in imports(path)
        if name.startswith("controller.")
    }

    assert {(row, other) for row, allowed in ALLOWED.items() for other in allowed} - used == set()


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


def test_nobody_draws_from_the_one_random_source_of_the_process() -> None:
    drawn = [
        f"{name}:{node.lineno} random.{node.attr}"
        for name, path in modules()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random"
        if node.attr != "Random"
    ]

    assert drawn == []


def users_of(library: str) -> set[str]:
    return {name for name, path in modules() for _, imported in imports(path) if imported.split(".")[0] == library}


def test_the_two_phone_libraries_have_one_owner_each() -> None:
    assert users_of("adbutils") <= {name for name, _ in modules() if owner(name) == "adb"}
    assert users_of("uiautomator2") <= {"adb.uiserver"}


def test_other_programs_are_started_in_few_places() -> None:
    assert {name for name in users_of("subprocess") if owner(name) == "library"} == {"library.git"}


def test_the_libraries_of_search_have_one_owner_each() -> None:
    assert users_of("sqlite3") == {"library.search.index"}
    assert users_of("pypinyin") == {"library.search.readings"}


def test_only_the_clock_reads_the_time_outside_the_virtual_phone() -> None:
    assert {name for name in users_of("time") if owner(name) != "virtual"} <= {"clock"}

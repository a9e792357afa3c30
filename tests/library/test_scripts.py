"""The scripts beside a document: listed with what they take, and every wrong listing named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controller.library.lint import lint
from controller.library.scripts import BundledScript, Scripts, SiteCommand, scripts_of
from tests.library.documents import SITE
from tests.library.places import write

ROW = {"name": "count", "file": "count.py", "runtime": "python", "description": "d"}
COMMAND = {"name": "titles", "description": "标题", "readOnly": True, "args": {"n": {"type": "integer", "default": 3}}}


def manifest(*rows: Any) -> str:
    return json.dumps({"scripts": list(rows)}, ensure_ascii=False)


def command(**changes: Any) -> str:
    header = json.dumps({**COMMAND, **changes}, ensure_ascii=False)
    return f"/* mika-command\n{header}\n*/\nasync (args) => []\n"


def of_site(folder: Path) -> Scripts:
    return scripts_of(folder, source="site:example.com", domains=("example.com",))


def test_row56_row57_scripts_of_the_manifest_and_commands_with_their_header(tmp_path: Path) -> None:
    write(tmp_path, "scripts/manifest.json", manifest({**ROW, "timeout_s": 5, "output": "json"}))
    write(tmp_path, "scripts/count.py", "print()")
    write(tmp_path, "scripts/_helper.py", "")
    write(tmp_path, "scripts/titles.js", command())

    assert of_site(tmp_path) == Scripts(
        (BundledScript("count", "count.py", "python", "d", "site:example.com", {}, 5.0, "json"),),
        (SiteCommand("titles", "titles.js", "标题", ("example.com",), {"n": {"type": "integer", "default": 3}}),),
    )


def test_a_document_without_scripts_has_none(tmp_path: Path) -> None:
    assert of_site(tmp_path) == Scripts()


@pytest.mark.parametrize(
    "row",
    [
        {**ROW, "file": "missing.py"},
        {**ROW, "file": "../count.py"},
        {**ROW, "file": "/etc/passwd"},
        {**ROW, "file": "link.py"},
        {**ROW, "file": None},
        {**ROW, "runtime": "perl"},
        {**ROW, "name": "a b"},
        {**ROW, "args": []},
        {**ROW, "args": {"n": "text"}},
        {**ROW, "args": {"n": {"type": "date"}}},
        {**ROW, "timeout_s": 0},
        {**ROW, "timeout_s": True},
        {**ROW, "timeout_s": 1e9},
        {**ROW, "output": "xml"},
        "count.py",
    ],
)
def test_row57_a_wrong_entry_is_an_error_and_not_offered(tmp_path: Path, row: Any) -> None:
    write(tmp_path, "scripts/count.py", "")
    write(tmp_path, "outside.py", "")
    (tmp_path / "scripts/link.py").symlink_to(tmp_path / "outside.py")
    write(tmp_path, "scripts/manifest.json", manifest(row))

    found = of_site(tmp_path)

    assert found.scripts == ()
    assert "manifest_entry" in [finding.code for finding in found.findings]


def test_row57_the_second_of_one_name_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, "scripts/count.py", "")
    write(tmp_path, "scripts/manifest.json", manifest(ROW, ROW))

    found = of_site(tmp_path)

    assert ([script.name for script in found.scripts], len(found.findings)) == (["count"], 1)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"scripts": {}}', "null", "[" * 5000])
def test_row57_a_manifest_that_is_none_is_an_error(tmp_path: Path, text: str) -> None:
    write(tmp_path, "scripts/manifest.json", text)

    found = of_site(tmp_path)

    assert (found.scripts, len(found.findings)) == ((), 1)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("async (args) => []", "script_unlisted"),
        ("/* mika-command {broken */ x", "script_json"),
        ("/* mika-command [] */ x", "command_header"),
        (command(readOnly=False), "command_header"),
        (command(readOnly="yes"), "command_header"),
        (command(name=""), "command_header"),
        (command(domains=["example.com.evil.org"]), "command_header"),
        (command(domains=["evilexample.com"]), "command_header"),
        (command(domains="example.com"), "command_header"),
        (command(args={"n": {"enum": "a"}}), "command_header"),
    ],
)
def test_row56_row59_a_command_without_a_right_header_is_an_error(tmp_path: Path, text: str, code: str) -> None:
    write(tmp_path, "scripts/titles.js", text)

    found = of_site(tmp_path)

    assert ([finding.code for finding in found.findings], found.commands) == ([code], ())


def test_row56_a_command_may_name_a_host_below_the_sites_own(tmp_path: Path) -> None:
    write(tmp_path, "scripts/titles.js", command(domains=["m.example.com"]))

    assert of_site(tmp_path).commands[0].domains == ("m.example.com",)


def test_a_skill_has_no_commands(tmp_path: Path) -> None:
    write(tmp_path, "scripts/titles.js", command())

    found = scripts_of(tmp_path, source="skill:x")

    assert (found.commands, [finding.code for finding in found.findings]) == ((), ["script_unlisted"])


def test_row56_row57_lint_says_what_is_wrong_with_scripts(tmp_path: Path) -> None:
    write(tmp_path, "sites/example.com/SITE.md", SITE)
    path = write(tmp_path, "sites/example.com/scripts/loose.js", "1")

    assert [f"{f.path}:{f.line} {f.severity} {f.code}" for f in lint([tmp_path]) if "loose" in f.path] == [
        f"{path}:1 error script_unlisted"
    ]

"""The rules of SKILL.md; the numbers in the ids are those of the table of rules."""

from __future__ import annotations

import json

import pytest

from controller.library.findings import Severity
from tests.library.documents import SKILL, changed, said, skill_of
from tests.shared import shared_cases


def test_a_right_document_is_a_skill_without_findings() -> None:
    skill, findings = skill_of(SKILL)

    assert findings == []
    assert skill is not None
    assert (skill.id, skill.display, skill.aliases, skill.terms) == ("pdf-text", "取 PDF 文字", ("读 PDF",), ("OCR",))
    assert skill.references == (("app:example", 13),)
    assert skill.reference == "skill:pdf-text"


RULES = [
    ("row16-folder", [("name: pdf-text", "name: other")], "warning name_folder 2:7"),
    ("row37-pace", [("apps: []", "apps: []\npace: careful")], "error removed_field 8:1"),
    ("row66-description", [("description: 要从 PDF 里取出文字时用\n", "")], "error missing_field 1:1"),
    ("row66-display", [("display: 取 PDF 文字\n", "")], "error missing_field 1:1"),
    ("row67-lines", [("要从 PDF 里取出文字时用", "|\n  一\n  二")], "error description_lines 4:14"),
    ("row69-section", [("## 步骤\n", "步骤\n")], "error missing_section 9:1"),
    ("row71-removed", [("apps: []", "apps: []\nstatus: done")], "error removed_field 8:1"),
    ("row08-word", [("打开文件。", "打开总则。")], "error banned_word 10:3"),
]


@pytest.mark.parametrize(("changes", "finding"), [row[1:] for row in RULES], ids=[row[0] for row in RULES])
def test_rules(changes: list[tuple[str, str]], finding: str) -> None:
    assert finding in said(skill_of(changed(SKILL, *changes))[1])


def test_row69_brackets_may_be_of_either_width_and_the_template_may_say_its_own_words() -> None:
    assert skill_of(changed(SKILL, ("（核实证据）", "(核实证据)")))[1] == []
    assert skill_of(changed(SKILL, ("怎样算办成（核实证据）", "怎样算办成")))[1] == []


@pytest.mark.parametrize(
    "tools",
    ["allowed_tools: Read, Bash(git:*)", "allowed-tools: Read Bash(git:*)", "allowedTools: [Read, 'Bash(git:*)']"],
)
def test_three_spellings_of_the_allowed_tools_are_one_field(tools: str) -> None:
    skill, findings = skill_of(f"---\nname: x\ndescription: y\n{tools}\n---\nbody\n", folder="x")

    assert findings == []
    assert skill is not None
    assert skill.allowed_tools == ("Read", "Bash(git:*)")


def test_a_skill_of_another_writer_owes_the_template_nothing() -> None:
    text = "---\nname: x\ndescription: y\nwhen_to_use: z\naliases_: q\nuser_invocable: no\n---\nbody\n"
    skill, findings = skill_of(text, folder="x")

    assert said(findings) == ["warning unknown_key 5:1"]
    assert skill is not None
    assert (skill.when_to_use, skill.user_invocable, skill.extra) == ("z", False, (("aliases_", "q"),))


def test_a_name_and_a_description_that_are_off_are_warnings_and_the_skill_loads() -> None:
    """FM-06 of the case file: folder local_search, name 本地搜索, description of 3000 characters."""
    cases = map(json.loads, shared_cases("bug_reports.jsonl").read_text(encoding="utf-8").splitlines())
    case = next(each for each in cases if each["id"] == "FM-06")
    folder, name = case["input"].split(",")[0].split()[1], case["input"].split("name: ")[1].split(",")[0]

    skill, findings = skill_of(f"---\nname: {name}\ndescription: {'字' * 3000}\n---\n", folder=folder)

    warnings = [finding.code for finding in findings if finding.severity is Severity.WARNING]
    assert warnings == ["name_folder", "description_length"]
    assert skill is not None
    assert skill.id == "local_search"
    assert skill.summary == "字" * 1024 + "…"

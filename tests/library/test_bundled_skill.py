"""One record for skills of every origin: the template's, agentskills.io's, and headers with comma strings."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.library.prompts import format_skills_for_system_prompt
from controller.library.skill import Skill
from tests.library.documents import said, skill_of

HEADER = """---
name: product-data
description: 提取标签边界
when_to_use: 当用户提供产品定义时
aliases: definition-data, label-data,
allowed_tools: read_file, write_file, Bash(git:*, ls)
user_invocable: no
---

做。
"""

AGENT_SKILL = """---
name: pdf-processing
description: Extract text from PDF files. Use when a PDF is at hand.
license: Apache-2.0
compatibility: Needs poppler
allowed-tools: Bash(git:*) Read
metadata:
  author: example-org
  version: "1.0"
  size: [1, 2]
---
# PDF
"""


def test_row82_a_skill_has_the_fields_of_a_bundled_skill_and_cannot_be_changed() -> None:
    skill, findings = skill_of(HEADER, folder="product-data")

    assert skill is not None
    assert findings == []
    assert (skill.name, skill.description, skill.when_to_use) == (
        "product-data",
        "提取标签边界",
        "当用户提供产品定义时",
    )
    assert skill.aliases == ("definition-data", "label-data")
    assert skill.allowed_tools == ("read_file", "write_file", "Bash(git:*, ls)")
    assert (skill.user_invocable, skill.source, skill.path) == (False, "built-in", "SKILL.md")
    with pytest.raises(dataclasses.FrozenInstanceError):
        skill.id = "other"  # type: ignore[misc]


def test_row87_row88_the_body_is_the_prompt_and_arguments_stand_below_their_heading() -> None:
    skill, _ = skill_of(HEADER, folder="product-data")

    assert skill is not None
    assert skill.get_prompt() == skill.get_prompt("  ") == "做。"
    assert skill.get_prompt("两行\n 参数") == "做。\n\n## Invocation Arguments\n\n两行\n 参数"


@given(st.text(min_size=1).filter(str.strip))
def test_row88_arguments_are_kept_as_they_are(args: str) -> None:
    prompt = Skill("a", "a", "d", body="b").get_prompt(args)

    assert prompt == f"b\n\n## Invocation Arguments\n\n{args}"


def test_row84_without_a_header_there_is_no_skill() -> None:
    assert skill_of("做。")[0] is None


def test_row85_agentskills_are_read_into_the_same_record() -> None:
    skill, findings = skill_of(AGENT_SKILL, folder="pdf-processing")

    assert skill is not None
    assert said(findings) == ["warning not_text 10:9"]
    assert (skill.license, skill.compatibility) == ("Apache-2.0", "Needs poppler")
    assert skill.allowed_tools == ("Bash(git:*)", "Read")
    assert skill.metadata == (("author", "example-org"), ("version", "1.0"), ("size", "[1, 2]"))
    assert skill.extra == ()


@pytest.mark.parametrize(("length", "codes"), [(500, []), (501, ["compatibility_length"])])
def test_row85_compatibility_has_five_hundred_characters(length: int, codes: list[str]) -> None:
    text = f"---\nname: a\ndescription: d\ncompatibility: {'x' * length}\n---\n"

    assert [finding.code for finding in skill_of(text, folder="a")[1]] == codes


def test_metadata_that_is_no_mapping_is_said() -> None:
    skill, findings = skill_of("---\nname: a\ndescription: d\nlicense: x\nmetadata: text\n---\n", folder="a")

    assert skill is not None
    assert (skill.metadata, said(findings)) == ((), ["error not_mapping 5:11"])


def test_row86_row90_the_prompt_lists_what_may_be_called() -> None:
    skills = [
        Skill("one", "One", "does\none"),
        Skill("two", "Two", "does two", when_to_use="for two"),
        Skill("three", "Three", "hidden", user_invocable=False),
        Skill("four", "Four", "mine", source="personal"),
    ]

    assert format_skills_for_system_prompt(skills).splitlines()[1:] == [
        "- one: does one",
        "- two: does two When to use: for two",
        "- personal:four: mine",
    ]
    assert format_skills_for_system_prompt(skills[2:3]) == ""


def test_row90_a_line_has_250_characters_and_the_list_8000() -> None:
    text = format_skills_for_system_prompt(Skill(f"s-{number}", "", "长" * 400) for number in range(100))
    lines = text.splitlines()[1:]

    assert {len(line) for line in lines} == {250}
    assert all(line.endswith("长...") for line in lines)
    assert 8000 - 251 < len(text) <= 8000

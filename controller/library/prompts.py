"""How skills are told to a model: one line each, so that it can choose one and call for the rest.

Pure. Which skills are on is the shelf's business.
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.library.skill import Skill

__all__ = ["format_skills_for_system_prompt"]

LINE_LIMIT = 250
LIST_LIMIT = 8000
HEADER = "Skills that can be called by name when one of them fits:"


def format_skills_for_system_prompt(skills: Iterable[Skill]) -> str:
    """The list of skills, empty when there is none; a line that would not fit and all after it are left out.

    Skills that say `user_invocable: false` are not offered.
    """
    lines = [HEADER]
    length = len(HEADER)
    for skill in skills:
        if not skill.user_invocable:
            continue
        line = _line(skill)
        if length + 1 + len(line) > LIST_LIMIT:
            break
        lines.append(line)
        length += 1 + len(line)
    return "\n".join(lines) if len(lines) > 1 else ""


def _line(skill: Skill) -> str:
    name = skill.id if skill.reference == f"skill:{skill.id}" else skill.reference
    told = f"- {name}: {skill.description}"
    if skill.when_to_use:
        told += f" When to use: {skill.when_to_use}"
    told = " ".join(told.split())
    return told if len(told) <= LINE_LIMIT else f"{told[: LINE_LIMIT - 3]}..."

"""Sections of a body (`## heading`), and the one table of the headings that each format expects.

A heading is accepted in Chinese or in English, with full-width or half-width brackets. Whether a section is missing or
empty is judged here; what stands in it is left to the formats.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from controller.library.text import fold

__all__ = ["APP_SECTIONS", "SITE_SECTIONS", "SKILL_SECTIONS", "ExpectedSection", "Section", "sections_of"]


@dataclass(frozen=True, slots=True)
class ExpectedSection:
    """A section of a format: its key in code, its headings (the template's own first), and whether it must be."""

    key: str
    headings: tuple[str, ...]
    required: bool = True


_WHAT = ExpectedSection("what", ("是什么", "What it is"))
_FUNCTIONS = ExpectedSection("functions", ("功能", "Functions", "What it does"))
_KNOWN = ExpectedSection("known", ("已知现象", "Known behaviour", "Known behavior"), required=False)

APP_SECTIONS = (_WHAT, ExpectedSection("screens", ("界面", "Screens", "Interface")), _FUNCTIONS, _KNOWN)
SITE_SECTIONS = (
    _WHAT,
    ExpectedSection("pages", ("页面与网址", "Pages and addresses", "Pages and URLs")),
    _FUNCTIONS,
    ExpectedSection("api", ("接口", "API", "Interfaces"), required=False),
    _KNOWN,
)
SKILL_SECTIONS = (
    ExpectedSection("start", ("入口", "Where to start")),
    ExpectedSection("steps", ("步骤", "Steps")),
    ExpectedSection("pitfalls", ("容易出错的地方", "Where it goes wrong", "Pitfalls")),
    ExpectedSection("done", ("怎样算办成(核实证据)", "怎样算办成", "How to tell it is done")),
    ExpectedSection("stop", ("什么时候停下交给用户", "When to stop and hand over")),
)


@dataclass(frozen=True, slots=True)
class Section:
    """A section: its heading as written, the line of the heading, and the lines below it."""

    heading: str
    line: int
    lines: tuple[str, ...]
    key: str | None

    @property
    def empty(self) -> bool:
        """Whether nothing stands below the heading."""
        return not any(line.strip() for line in self.lines)


_HEADING = re.compile(r"##[ \t]+(?P<heading>.+?)[ \t]*#*[ \t]*")
_CODE_FENCE = re.compile(r"[ ]{0,3}(?:```|~~~)")


def sections_of(body: str, *, first_line: int, expected: Sequence[ExpectedSection]) -> tuple[Section, ...]:
    """The sections of a body in order; text above the first heading belongs to none."""
    found: list[tuple[str, int, list[str]]] = []
    in_code = False
    for number, line in enumerate(body.split("\n"), start=first_line):
        if _CODE_FENCE.match(line):
            in_code = not in_code
        match = None if in_code else _HEADING.fullmatch(line)
        if match is not None:
            found.append((match["heading"], number, []))
        elif found:
            found[-1][2].append(line)
    keys = {fold(heading).replace(" ", ""): section.key for section in expected for heading in section.headings}
    return tuple(
        Section(heading, line, tuple(lines), keys.get(fold(heading).replace(" ", ""))) for heading, line, lines in found
    )

"""SKILL.md: a method that is used again, its record and its rules.

Three writers are accepted: the product's own template, agentskills.io, and headers with comma strings. Whether the apps
and sites it names exist is the catalog's business; turning skills on and off is not done here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from controller.library import checks, words
from controller.library.app import REMOVED_KEYS
from controller.library.fields import Fields
from controller.library.findings import Finding, Place, Severity
from controller.library.origin import Origin
from controller.library.reader import Document
from controller.library.sections import SKILL_SECTIONS, Section, sections_of

__all__ = ["SKILL_KEYS", "Skill", "check_skill", "parse_skill"]

_TEMPLATE_KEYS = ("display", "terms", "apps", "sites")
_FOREIGN_KEYS = ("when_to_use", "allowed_tools", "user_invocable", "license", "compatibility", "metadata")
SKILL_KEYS = ("name", "description", "aliases", *_TEMPLATE_KEYS, *_FOREIGN_KEYS)

# `allowed_tools`, `allowed-tools` and `allowedTools` are one field, and so for its neighbours.
_SPELLINGS = {
    "allowed-tools": "allowed_tools",
    "allowedTools": "allowed_tools",
    "when-to-use": "when_to_use",
    "whenToUse": "when_to_use",
    "user-invocable": "user_invocable",
    "userInvocable": "user_invocable",
}

DESCRIPTION_LIMIT = 1024
COMPATIBILITY_LIMIT = 500
ARGUMENTS_HEADING = "## Invocation Arguments"

_NAME = re.compile(r"(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*")
_REFERENCE = re.compile(r"(?<![\w-])(?P<kind>app|site):(?P<name>[A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9]|[A-Za-z0-9])")
_TEMPLATE_HEADINGS = {heading for section in SKILL_SECTIONS for heading in section.headings}


@dataclass(frozen=True, slots=True)
class Skill:
    """What SKILL.md says; `references` are the `app:` and `site:` names of its body with their lines."""

    id: str
    display: str
    description: str
    aliases: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    when_to_use: str = ""
    allowed_tools: tuple[str, ...] = ()
    user_invocable: bool = True
    license: str = ""
    compatibility: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    body: str = ""
    path: str = ""
    source: str = Origin.BUILTIN
    extra: tuple[tuple[str, str], ...] = ()
    references: tuple[tuple[str, int], ...] = ()

    @property
    def reference(self) -> str:
        """How the document is named elsewhere: `skill:pdf-text`, a person's own `personal:pdf-text`."""
        return f"{'personal' if self.source == Origin.PERSON else 'skill'}:{self.id}"

    @property
    def name(self) -> str:
        """The name by which it is called, the folder's."""
        return self.id

    @property
    def summary(self) -> str:
        """The description as lists show it, cut at 1024 characters."""
        if len(self.description) <= DESCRIPTION_LIMIT:
            return self.description
        return f"{self.description[:DESCRIPTION_LIMIT]}…"

    def get_prompt(self, args: str = "") -> str:
        """The body as instructions, with what was asked for below a heading of its own."""
        prompt = self.body.strip()
        return f"{prompt}\n\n{ARGUMENTS_HEADING}\n\n{args}" if args.strip() else prompt


def parse_skill(
    document: Document, *, folder: str, source: str = Origin.BUILTIN
) -> tuple[Skill | None, tuple[Finding, ...]]:
    """The skill that a document describes and what is wrong with its header; None when the header cannot be read."""
    fields = Fields(document, spellings=_SPELLINGS)
    if not document.readable:
        return None, document.findings
    record = _skill(fields, folder, source)
    return record, (*document.findings, *fields.findings)


def _skill(fields: Fields, folder: str, source: str) -> Skill:
    rule = "1 to 64 lower-case letters, digits and single hyphens"
    checks.check_name(fields, folder, pattern=_NAME, rule=rule, severity=Severity.WARNING)
    description = (fields.required("description") or "").strip()
    if len(description) > DESCRIPTION_LIMIT:
        message = f"the description has {len(description)} characters; lists show {DESCRIPTION_LIMIT}"
        place = fields.place("description")
        fields.report(place, "description_length", message, severity=Severity.WARNING, fix="shorten it")
    fields.removed(REMOVED_KEYS, reason="is not used any more")
    fields.removed(("pace",), reason="is a fact about an app or a site; a skill has none")
    invocable = fields.flag("user_invocable", default=True)
    body, first = fields.document.body, fields.document.body_line
    return Skill(
        id=folder,
        display=(fields.text("display") or "").strip() or folder,
        description=description,
        aliases=fields.texts("aliases"),
        terms=fields.texts("terms"),
        apps=fields.texts("apps"),
        sites=fields.texts("sites"),
        when_to_use=(fields.text("when_to_use") or "").strip(),
        allowed_tools=fields.texts("allowed_tools"),
        user_invocable=invocable,
        license=(fields.text("license") or "").strip(),
        compatibility=_compatibility(fields),
        metadata=fields.table("metadata"),
        body=body,
        path=fields.document.path,
        source=source,
        extra=fields.unknown(SKILL_KEYS),
        references=tuple(
            (match.group(), first + body.count("\n", 0, match.start())) for match in _REFERENCE.finditer(body)
        ),
    )


def _compatibility(fields: Fields) -> str:
    text = (fields.text("compatibility") or "").strip()
    if len(text) > COMPATIBILITY_LIMIT:
        message = f"`compatibility` has {len(text)} characters; agentskills.io allows {COMPATIBILITY_LIMIT}"
        place = fields.place("compatibility")
        fields.report(place, "compatibility_length", message, severity=Severity.WARNING, fix="shorten it")
    return text


def check_skill(document: Document, skill: Skill, *, attachments: Sequence[str] | None = None) -> tuple[Finding, ...]:
    """What is wrong beside what `parse_skill` said: the template's fields and sections, words, attachments.

    A skill of agentskills.io or one with comma strings owes the template nothing.
    """
    fields = Fields(document, spellings=_SPELLINGS)
    sections = sections_of(skill.body, first_line=document.body_line, expected=SKILL_SECTIONS)
    if _follows_template(fields, sections):
        fields.required("display")
        checks.check_sections(fields, sections, SKILL_SECTIONS)
    if "\n" in skill.description.strip():
        fields.report(fields.place("description"), "description_lines", "the description is more than one line")
    _check_words(fields)
    checks.check_attachments(fields, attachments)
    return tuple(fields.findings)


def _follows_template(fields: Fields, sections: Sequence[Section]) -> bool:
    """Whether a skill is written by the product's own template: it has a field or a heading that only that one has."""
    own = any(fields.has(key) for key in _TEMPLATE_KEYS) or any(section.key for section in sections)
    return own or (fields.has("aliases") and not any(fields.has(key) for key in _FOREIGN_KEYS))


def _check_words(fields: Fields) -> None:
    prose = checks.uncoded(fields.document.body)
    for line, text in enumerate(prose.split("\n"), start=fields.document.body_line):
        if text.lstrip("# ").strip().replace("（", "(").replace("）", ")") in _TEMPLATE_HEADINGS:
            continue
        for match in words.BANNED_WORDS.finditer(text):
            message = f"a word that the documents do not use: {match.group()!r}"
            fields.report(Place(line, match.start() + 1), "banned_word", message, fix="say it in plain words")

"""Rules about bodies that apps and sites share: length, sections, words that knowledge does not use, attachments.

Each rule is a function that reports through `Fields`. Header rules are with their formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from controller.library import words
from controller.library.fields import Fields
from controller.library.findings import Place, Severity
from controller.library.sections import ExpectedSection, Section
from controller.library.text import character_count, fold

__all__ = [
    "DESCRIPTION_LIMIT",
    "check_attachments",
    "check_description",
    "check_functions",
    "check_knowledge_words",
    "check_length",
    "check_name",
    "check_sections",
    "uncoded",
]

DESCRIPTION_LIMIT = 60
BODY_LIMIT = 2500

# Code and addresses keep their own words: a parameter may be called `scope`.
_CODE = re.compile(r"`[^`\n]*`|\b[a-z][a-z0-9+.-]*://[^\s)）」』】>，。；、]+", re.IGNORECASE)
_CODE_BLOCK = re.compile(r"^[ ]{0,3}(```|~~~).*?(?:^[ ]{0,3}\1.*?$|\Z)", re.MULTILINE | re.DOTALL)
_ATTACHMENT = re.compile(r"(?<![\w/.-])(?:\./)?references/(?P<name>[^\s`)\]）」』】>\"'，。；：、,;:]+)")

# - **功能名**：从哪进去；要不要登录；能看到哪些信息
_BULLET = re.compile(r"(?P<indent>[ ]{0,3})[-*+][ \t]+(?P<text>.*)")
_NAMED = re.compile(r"\*\*(?P<name>[^*]+?)[：:]?\*\*[ \t]*[：:]?[ \t]*(?P<text>.*)")


def check_name(fields: Fields, folder: str, *, pattern: re.Pattern[str], rule: str, severity: Severity) -> None:
    """The header's `name` is well formed and equal to the folder, which is the document's true name."""
    name = fields.required("name")
    if name is None or (name == folder and pattern.fullmatch(folder)):
        return
    place = fields.place("name")
    if name != folder:
        message = f"name {name!r} differs from the folder {folder!r}, by which the document is known"
        fields.report(place, "name_folder", message, severity=severity, fix=f"name: {folder}")
    else:
        fields.report(place, "name_form", f"name {name!r} is not {rule}", severity=severity)


def check_description(fields: Fields, description: str | None) -> None:
    """A description says in at most 60 characters what can be done there."""
    if description is None:
        return
    count = character_count(description)
    if count > DESCRIPTION_LIMIT:
        message = f"the description has {count} characters; {DESCRIPTION_LIMIT} is the limit"
        fields.report(fields.place("description"), "description_length", message, fix="shorten it")


def check_length(fields: Fields) -> None:
    """A body has at most 2500 characters without white space; large material goes to references/."""
    count = character_count(fields.document.body)
    if count > BODY_LIMIT:
        message = f"the body has {count} characters without white space; {BODY_LIMIT} is the limit"
        place = Place(fields.document.body_line, 1)
        fields.report(place, "body_length", message, fix="move tables and lists into references/")


def check_sections(fields: Fields, sections: Sequence[Section], expected: Sequence[ExpectedSection]) -> None:
    """Every required section is there, and none of the expected ones is empty."""
    found = {section.key: section for section in sections if section.key is not None}
    for wanted in expected:
        section = found.get(wanted.key)
        if section is None and wanted.required:
            message = f"the section `## {wanted.headings[0]}` is missing"
            place = Place(fields.document.body_line, 1)
            fields.report(place, "missing_section", message, fix=f"add `## {wanted.headings[0]}`")
        elif section is not None and section.empty:
            severity = Severity.ERROR if wanted.required else Severity.WARNING
            message = f"the section `## {section.heading}` is empty"
            fields.report(
                Place(section.line, 1), "empty_section", message, severity=severity, fix="fill it or remove it"
            )


def check_functions(fields: Fields, sections: Sequence[Section]) -> tuple[tuple[str, str], ...]:
    """The named bullets of the section on functions; a bullet without a bold name gets a warning."""
    bullets: list[tuple[str, str]] = []
    for section in sections:
        if section.key != "functions":
            continue
        for line, indent, text in _bullets(section):
            named = _NAMED.match(text)
            if named is not None:
                bullets.append((named["name"].strip(), named["text"].strip()))
            elif not indent:
                message = "a function without its name in bold"
                fix = "write - **name**：where it is; whether it needs a login; what can be seen"
                fields.report(Place(line, 1), "function_name", message, severity=Severity.WARNING, fix=fix)
    return tuple(bullets)


def _bullets(section: Section) -> Iterator[tuple[int, int, str]]:
    for line, text in enumerate(section.lines, start=section.line + 1):
        match = _BULLET.fullmatch(text)
        if match is not None:
            yield line, len(match["indent"]), match["text"]


def check_knowledge_words(fields: Fields, sections: Sequence[Section]) -> None:
    """Knowledge states facts: no jargon, no conduct, no mention of skills, and phenomena instead of orders."""
    body = fields.document.body
    prose = uncoded(body)
    for code, pattern, what, fix in _WORD_RULES:
        text = body if code == "skill_mention" else prose
        for match in pattern.finditer(text):
            fields.report(_place_in(fields, body, match.start()), code, f"{what}: {match.group()!r}", fix=fix)
    for match in words.SCREEN_WORDS.finditer(prose):
        message = "「看屏幕」 is not said of an interface"
        place = _place_in(fields, body, match.start())
        fields.report(place, "screen_word", message, severity=Severity.WARNING, fix="write 界面, 页面, 入口 or 按钮")
    _check_orders(fields, sections, prose)


_WORD_RULES = (
    ("banned_word", words.BANNED_WORDS, "a word that knowledge does not use", "say it in plain words"),
    ("conduct", words.CONDUCT, "a rule of conduct; knowledge states facts", "describe what the app shows instead"),
    ("skill_mention", words.SKILL_MENTIONS, "knowledge mentions no skill", "remove the reference"),
)


def _check_orders(fields: Fields, sections: Sequence[Section], prose: str) -> None:
    lines = prose.split("\n")
    for section in sections:
        if section.key != "known":
            continue
        for line in range(section.line + 1, section.line + 1 + len(section.lines)):
            match = words.ORDERS.search(lines[line - fields.document.body_line])
            if match is not None:
                message = f"an order ({match.group().strip()!r}) where a phenomenon is described"
                fix = "say what happens: which entry leads where"
                place = Place(line, match.start() + 1)
                fields.report(place, "order", message, severity=Severity.WARNING, fix=fix)


def check_attachments(fields: Fields, attachments: Sequence[str] | None) -> None:
    """Every file in references/ is mentioned in the body, and every mention has its file.

    Args:
        fields: The document.
        attachments: The files below references/, as relative paths; None when nobody looked.
    """
    if attachments is None:
        return
    body = fields.document.body
    mentioned: dict[str, int] = {}
    for match in _ATTACHMENT.finditer(body):
        mentioned.setdefault(match["name"].rstrip(".!?…"), match.start())
    for name, index in mentioned.items():
        if fold(name) not in {fold(known) for known in attachments}:
            message = f"references/{name} is mentioned and does not exist"
            fields.report(_place_in(fields, body, index), "missing_attachment", message, fix="add the file")
    for name in attachments:
        if fold(name) not in {fold(known) for known in mentioned}:
            message = f"references/{name} is not mentioned in the body, so nobody knows when to read it"
            place = Place(fields.document.body_line, 1)
            fix = "say when to read it"
            fields.report(place, "unmentioned_attachment", message, severity=Severity.WARNING, fix=fix)


def uncoded(text: str) -> str:
    """The text with code and addresses blanked out, every other character at its place."""

    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match.group())

    return _CODE.sub(blank, _CODE_BLOCK.sub(blank, text))


def _place_in(fields: Fields, body: str, index: int) -> Place:
    before = body[:index]
    return Place(fields.document.body_line + before.count("\n"), index - (before.rfind("\n") + 1) + 1)

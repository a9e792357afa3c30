"""What of a record is searched: its names with their weight, what it says it does, and its body.

Pure. The words come apart in `tokens`; which documents there are is the index's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from controller.library.app import App
from controller.library.site import Site
from controller.library.skill import Skill

__all__ = ["Entry", "Level", "entry_of"]

# Longer bodies are long tables; what a document is about stands in its first pages.
MAX_BODY = 6000


class Level(IntEnum):
    """How good a name is; the lower ones come first among exact hits."""

    ID = 0
    DISPLAY = 1
    ALIAS = 2
    PINYIN = 3
    INITIALS = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """A document as the catalogue shows it, and what it is found by."""

    reference: str
    name: str
    display: str
    kind: str
    description: str
    names: tuple[tuple[str, Level], ...]
    about: str
    body: str


def entry_of(record: App | Site | Skill) -> Entry:
    """The entry of a record."""
    match record:
        case App():
            return _app(record)
        case Site():
            return _site(record)
        case Skill():
            return _skill(record)


def _app(app: App) -> Entry:
    spellings = [text for name, _ in app.package_aliases for text in (name, f"{app.display}{name}")]
    return Entry(
        reference=app.reference,
        name=app.id,
        display=app.display,
        kind="app",
        description=app.description,
        names=_names(ids=(app.id, *app.packages), displays=(app.display, app.open), aliases=(*app.aliases, *spellings)),
        about=" ".join([app.description, *(link.title for link in app.links)]),
        body=app.body[:MAX_BODY],
    )


def _site(site: Site) -> Entry:
    return Entry(
        reference=site.reference,
        name=site.id,
        display=site.display,
        kind="site",
        description=site.description,
        names=_names(ids=(site.id, *site.domains), displays=(site.display,), aliases=site.aliases),
        about=" ".join([site.description, *(link.title for link in site.links)]),
        body=site.body[:MAX_BODY],
    )


def _skill(skill: Skill) -> Entry:
    return Entry(
        reference=skill.reference,
        name=skill.id,
        display=skill.display,
        kind="skill",
        description=skill.summary,
        names=_names(ids=(skill.id,), displays=(skill.display,), aliases=(*skill.aliases, *skill.terms)),
        about=f"{skill.description} {skill.when_to_use}".strip(),
        body=skill.body[:MAX_BODY],
    )


def _names(
    *, ids: tuple[str, ...], displays: tuple[str, ...], aliases: tuple[str, ...]
) -> tuple[tuple[str, Level], ...]:
    kept: dict[str, Level] = {}
    for level, names in ((Level.ID, ids), (Level.DISPLAY, displays), (Level.ALIAS, aliases)):
        for name in names:
            kept.setdefault(name, level)
    return tuple(kept.items())

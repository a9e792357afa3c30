"""What the tools and commands of knowledge and skills answer: search, read, switch on and off, look again.

One `Shelf` stands for the documents of some roots as one account sees them in one task. It hands out the bodies of
trusted roots only, knowledge wrapped as data, and never a skill that is off. Running scripts is not done here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.errors import DocumentError, Refused, UsageError
from controller.library.attachments import attachment_names, file_names, read_attachment
from controller.library.choices import DEFAULT_ACCOUNT, SkillChoices, is_enabled
from controller.library.findings import Severity
from controller.library.git import Synced, is_repository, sync
from controller.library.install import Installed, install_skill
from controller.library.origin import Origin
from controller.library.prompts import format_skills_for_system_prompt
from controller.library.roots import Root
from controller.library.scan import Found, Kind, read_record
from controller.library.scripts import Scripts, scripts_of
from controller.library.search.entry import Level
from controller.library.search.index import Index, Row, open_index
from controller.library.search.ranking import LIMIT, find
from controller.library.search.tokens import compact
from controller.library.site import Site
from controller.library.skill import Skill
from controller.library.wrapping import wrap_knowledge

__all__ = ["Hit", "Reading", "Reloaded", "Shelf", "SkillRow"]

KNOWLEDGE = (Kind.APP, Kind.SITE)
SKILLS = (Kind.SKILL,)
_PREFIXES: Mapping[str, tuple[Kind, ...]] = {
    "app": KNOWLEDGE,
    "site": KNOWLEDGE,
    "skill": SKILLS,
    "personal": SKILLS,
}
_READERS = {KNOWLEDGE: "knowledge_read", SKILLS: "skill_read"}


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer of a search."""

    name: str
    display: str
    kind: str
    description: str
    reference: str

    def as_dict(self) -> dict[str, str]:
        """The answer as JSON."""
        return dataclasses.asdict(self)


@dataclass(frozen=True, slots=True)
class Reading:
    """A document or one of the files beside it, as it is handed out.

    Attributes:
        content: The text: knowledge wrapped as data, a skill as it is.
        source: Who put the document there.
        file_path: The file beside the document, None for the document itself.
        links: What the document's links are called and where they lead.
        attachments: The files that can be asked for.
        scripts: What can be run in the sandbox.
        commands: What can be run on a page of the site.
    """

    name: str
    display: str
    kind: str
    description: str
    reference: str
    source: str
    content: str
    file_path: str | None = None
    links: tuple[Mapping[str, Any], ...] = ()
    attachments: tuple[str, ...] = ()
    scripts: tuple[Mapping[str, Any], ...] = ()
    commands: tuple[Mapping[str, Any], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The document as JSON; of a file beside it only what tells which one it is."""
        head = {
            "name": self.name,
            "display": self.display,
            "kind": self.kind,
            "description": self.description,
            "reference": self.reference,
            "source": self.source,
        }
        if self.file_path is not None:
            return {**head, "file_path": self.file_path, "content": self.content}
        return {
            **head,
            "content": self.content,
            "links": [dict(link) for link in self.links],
            "attachments": list(self.attachments),
            "scripts": [dict(script) for script in self.scripts],
            "commands": [dict(command) for command in self.commands],
        }


@dataclass(frozen=True, slots=True)
class SkillRow:
    """A skill as the list of skills shows it."""

    name: str
    display: str
    description: str
    reference: str
    source: str
    enabled: bool
    trusted: bool

    def as_dict(self) -> dict[str, Any]:
        """The row as JSON."""
        return dataclasses.asdict(self)


@dataclass(frozen=True, slots=True)
class Reloaded:
    """What another look at the files came to."""

    count: int
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: bool
    folders: tuple[str, ...]
    skills: tuple[tuple[str, str], ...]

    def as_dict(self) -> dict[str, Any]:
        """The answer as JSON, with the first ten skills."""
        return {
            "count": self.count,
            "added": list(self.added),
            "removed": list(self.removed),
            "changed": self.changed,
            "folders": list(self.folders),
            "skills": [{"reference": reference, "description": text} for reference, text in self.skills[:10]],
        }


class Shelf:
    """The documents of some roots for one account and task."""

    def __init__(
        self,
        roots: Callable[[], Sequence[Root]],
        *,
        cache: Path | None,
        choices: SkillChoices,
        account: str = DEFAULT_ACCOUNT,
        task: str | None = None,
    ) -> None:
        self._find_roots = roots
        self._cache = cache
        self._choices = choices
        self._account = account
        self._task = task
        self._index: Index | None = None
        self._roots: tuple[Root, ...] = ()

    def close(self) -> None:
        """Let go of the index."""
        if self._index is not None:
            self._index.close()
        self._index = None

    # Searching

    def knowledge_search(self, query: str, kind: str | None = None) -> list[Hit]:
        """At most ten apps and sites that a query means, the best first.

        Raises:
            UsageError: The kind is neither `app` nor `site`.
        """
        if kind is not None and kind not in KNOWLEDGE:
            raise UsageError(f"kind is {kind!r}; it is `app` or `site`", code="invalid_kind")
        return self._search(query, KNOWLEDGE if kind is None else (Kind(kind),))

    def skill_search(self, query: str) -> list[Hit]:
        """At most ten skills that are on, the built-in and the personal ones together, the best first."""
        return self._search(query, SKILLS)

    def _search(self, query: str, kinds: tuple[Kind, ...]) -> list[Hit]:
        hidden = self._switched_off() if Kind.SKILL in kinds else frozenset()
        rows = find(self._opened(), query, kinds=kinds, hidden=hidden, limit=LIMIT)
        return [Hit(row.name, row.display, row.kind, row.description, row.reference) for row in rows]

    # Reading

    def knowledge_read(self, name: str, file_path: str | None = None) -> Reading:
        """An app's or a site's knowledge as data, or a file of its `references/`.

        Raises:
            UsageError: No document or several have the name, or the file is not one of the document's.
            Refused: The document lies in a folder that is not trusted.
        """
        row = self._trusted(self._named(name, KNOWLEDGE))
        folder = _folder(row)
        if file_path is not None:
            path = file_path if file_path.startswith("references/") else f"references/{file_path}"
            text = read_attachment(folder, path)
            return _reading(row, wrap_knowledge(text, name=row.display, kind=row.kind, source=row.reference), path)
        record = self._record(row)
        scripts = scripts_of(folder, source=row.reference, domains=record.domains if isinstance(record, Site) else ())
        content = wrap_knowledge(record.body, name=row.display, kind=row.kind, source=row.reference)
        attachments = tuple(f"references/{each}" for each in attachment_names(folder))
        return _whole(_reading(row, content), record, attachments, scripts)

    def skill_read(self, name: str, file_path: str | None = None) -> Reading:
        """A skill in full, or a file beside it.

        Raises:
            UsageError: No skill or several have the name, or the file is not one of the skill's.
            Refused: The skill is off, or lies in a folder that is not trusted.
        """
        row = self._skill_row(name)
        folder = _folder(row)
        if file_path is not None:
            return _reading(row, read_attachment(folder, file_path), file_path)
        record = self._record(row)
        attachments = tuple(each for each in file_names(folder) if each != "SKILL.md")
        return _whole(_reading(row, record.body.strip()), record, attachments, scripts_of(folder, source=row.reference))

    def skill_prompt(self, name: str, args: str = "") -> str:
        """What joins the conversation when a skill is called: its body, and the arguments below their heading.

        Raises:
            UsageError: No skill or several have the name.
            Refused: The skill is off, or lies in a folder that is not trusted.
        """
        record = self._record(self._skill_row(name))
        assert isinstance(record, Skill)
        return record.get_prompt(args)

    def skills_prompt(self) -> str:
        """The list of skills for a system prompt: those that are on and may be called."""
        rows = [row for row in self._opened().catalogue(SKILLS) if row.trusted]
        off = self._switched_off()
        records = [self._record(row) for row in rows if row.reference not in off]
        return format_skills_for_system_prompt(records)

    def _skill_row(self, name: str) -> Row:
        row = self._trusted(self._named(name, SKILLS))
        if row.reference in self._switched_off():
            raise Refused(
                f"the skill {row.reference} is switched off",
                hint=f"`phonectl skills enable {row.reference}` switches it on",
                code="skill_disabled",
            )
        return row

    def _record(self, row: Row) -> Any:
        root = Root(Path(row.root), Origin(row.origin), row.trusted)
        found = Found(root, Kind(row.kind), str(Path(row.path).parent), (0, 0, 0))
        record, findings = read_record(found)
        if record is None:
            raise _unreadable(row.path, next((f.message for f in findings if f.severity is Severity.ERROR), "empty"))
        return record

    # Names

    def _named(self, name: str, kinds: tuple[Kind, ...]) -> Row:
        """The document that a name means."""
        name = name.strip()
        prefix, _, rest = name.partition(":")
        if prefix in _PREFIXES and rest:
            if _PREFIXES[prefix] != kinds:
                tool = _READERS[_PREFIXES[prefix]]
                raise UsageError(f"{name!r} is read with {tool}", hint=f"use {tool}", code="wrong_kind")
            row = self._opened().by_reference(f"{prefix}:{rest}")
            if row is None:
                raise self._unknown(name, rest, kinds)
            return row
        for reference in self._references(name, kinds):
            row = self._opened().by_reference(reference)
            if row is not None:
                return row
        return self._by_any_name(name, kinds)

    def _references(self, name: str, kinds: tuple[Kind, ...]) -> list[str]:
        """The references that a bare name may be, the one that serves first at the front."""
        if kinds == KNOWLEDGE:
            return [f"{kind}:{name}" for kind in kinds]
        found = [self._opened().by_reference(f"{prefix}:{name}") for prefix in ("personal", "skill")]
        return [row.reference for row in sorted((row for row in found if row), key=lambda row: row.place)]

    def _by_any_name(self, name: str, kinds: tuple[Kind, ...]) -> Row:
        index = self._opened()
        levels = {doc: level for _, doc, level in index.named([compact(name)]) if level <= Level.ALIAS}
        rows = [row for row in index.rows(list(levels)).values() if row.kind in kinds]
        rows = [row for row in rows if row.trusted] or rows
        if not rows:
            raise self._unknown(name, name, kinds)
        best = min(levels[row.id] for row in rows)
        rows = sorted((row for row in rows if levels[row.id] == best), key=lambda row: row.place)
        if len({row.reference for row in rows}) > 1:
            names = [row.reference for row in rows]
            message = f"{name!r} is a name of {' and of '.join(names)}"
            raise UsageError(message, hint=f"say {' or '.join(names)}", code="ambiguous_name", candidates=names)
        return rows[0]

    def _unknown(self, name: str, bare: str, kinds: tuple[Kind, ...]) -> UsageError:
        path = self._opened().unreadable(bare, kinds)
        if path is not None:
            return _unreadable(path, "its header is broken")
        near = [row.reference for row in find(self._opened(), bare, kinds=kinds, hidden=self._switched_off(), limit=3)]
        what = "skill" if kinds == SKILLS else "app or site"
        hint = f"did you mean {' or '.join(near)}?" if near else f"`phonectl {what.split()[0]}-search` finds them"
        if kinds == KNOWLEDGE and not near:
            hint = "`phonectl knowledge-search` finds them"
        return UsageError(f"there is no {what} {name!r}", hint=hint, code="unknown_document", candidates=near)

    def _trusted(self, row: Row) -> Row:
        if row.trusted:
            return row
        project = Path(row.root).parent
        raise Refused(
            f"{row.reference} lies in {row.root}, which is not trusted; its text is not shown",
            hint=f"look at it, then `phonectl library trust {project}`",
            code="untrusted",
        )

    # Switching

    def skills(self, *, all_of_them: bool = False) -> list[SkillRow]:
        """The skills that are on, or all of them."""
        content = self._choices.read()
        rows = [self._skill(row, content) for row in self._opened().catalogue(SKILLS)]
        return [row for row in rows if all_of_them or row.enabled]

    def _skill(self, row: Row, content: Mapping[str, Any]) -> SkillRow:
        enabled = is_enabled(content, row.reference, account=self._account, task=self._task)
        return SkillRow(row.name, row.display, row.description, row.reference, row.origin, enabled, row.trusted)

    def enabled_skill_names(self) -> tuple[str, ...]:
        """The references of the skills that are on."""
        return tuple(row.reference for row in self.skills())

    def set_skill_enabled(self, name: str, enabled: bool) -> str:
        """Switch a skill on or off for this account, and this task where there is one; its reference.

        Raises:
            UsageError: No skill or several have the name.
        """
        reference = self._named(name, SKILLS).reference
        self._choices.set_one(reference, enabled, account=self._account, task=self._task)
        return reference

    def set_all_skills_enabled(self, enabled: bool) -> None:
        """Switch all skills on or off for this account, and this task where there is one."""
        self._choices.set_all(enabled, account=self._account, task=self._task)

    def _switched_off(self) -> frozenset[str]:
        content = self._choices.read()
        if not content:
            return frozenset()
        return frozenset(
            row.reference
            for row in (self._skill(each, content) for each in self._opened().catalogue(SKILLS))
            if not row.enabled
        )

    # Looking again

    def reload_skills(self) -> Reloaded:
        """Look at the roots and their files again."""
        before = {row.reference for row in self._opened().catalogue(SKILLS)}
        index, changed = self._opened(), False
        roots = tuple(self._find_roots())
        if roots == self._roots:
            changed = index.synchronise()
        else:
            self.close()
            index, changed = self._opened(), True
        rows = index.catalogue(SKILLS)
        after = [row.reference for row in rows]
        folders = dict.fromkeys(str(Path(row.path).parent.parent) for row in rows)
        return Reloaded(
            count=len(rows),
            added=tuple(reference for reference in after if reference not in before),
            removed=tuple(sorted(before - set(after))),
            changed=changed,
            folders=tuple(folders),
            skills=tuple((row.reference, row.description) for row in rows),
        )

    # Taking in

    def install_skill(self, source: Path, *, replace: bool = False) -> Installed:
        """Take a skill from a folder or a zip file into the person's own.

        Raises:
            UsageError: It is not right, not safe, or there already; nothing has been written.
        """
        installed = install_skill(source, self._own_root().skills, replace=replace)
        self.reload_skills()
        return installed

    def sync_skills_from_git(self, folder: Path | None = None) -> tuple[Synced, Reloaded]:
        """Bring a folder of skills forward to its `origin`, by default the person's own, and look again.

        Raises:
            UsageError: It cannot go straight forward; nothing has been changed.
        """
        if folder is None:
            own = [place for root in self.roots if root.origin is Origin.PERSON for place in (root.skills, root.path)]
            folder = next((place for place in own if is_repository(place)), self._own_root().skills)
        synced = sync(folder)
        return synced, self.reload_skills()

    def _own_root(self) -> Root:
        return next(root for root in self.roots if root.origin is Origin.PERSON)

    @property
    def roots(self) -> tuple[Root, ...]:
        """The roots as they were found last."""
        self._opened()
        return self._roots

    def catalogue(self) -> list[Row]:
        """Every document that serves, those of untrusted roots included."""
        return self._opened().catalogue(tuple(Kind))

    def _opened(self) -> Index:
        if self._index is None:
            self._roots = tuple(self._find_roots())
            self._index = open_index(self._roots, folder=self._cache)
        return self._index


def _unreadable(path: str, reason: str) -> DocumentError:
    return DocumentError(f"{path} cannot be read: {reason}", hint=f"`phonectl lint {path}` says where and why")


def _folder(row: Row) -> Path:
    """The document's folder, which must not have become a way out of its root since it was indexed."""
    folder = Path(row.path).parent
    if not folder.resolve().is_relative_to(Path(row.root).resolve()):
        raise DocumentError(f"{folder} leads outside {row.root}", code="outside_root")
    return folder


def _reading(row: Row, content: str, file_path: str | None = None) -> Reading:
    return Reading(row.name, row.display, row.kind, row.description, row.reference, row.origin, content, file_path)


def _whole(reading: Reading, record: Any, attachments: tuple[str, ...], scripts: Scripts) -> Reading:
    return dataclasses.replace(
        reading,
        links=tuple(_links(record)),
        attachments=attachments,
        scripts=tuple(script.as_dict() for script in scripts.scripts),
        commands=tuple(command.as_dict() for command in scripts.commands),
    )


def _links(record: Any) -> list[dict[str, Any]]:
    if isinstance(record, Skill):
        return []
    if isinstance(record, Site):
        return [{"title": link.title, "url": link.url} for link in record.links]
    return [
        {
            "title": link.title,
            "uri": link.uri,
            "package": link.package,
            "values": list(link.parameters),
            "pays": link.pays,
        }
        for link in record.links
    ]

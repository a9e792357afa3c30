"""All documents of some folders as one `Library`: which serve, which are shadowed, which cannot be read and why.

Finding the files is left to `scan`, what a document says to the formats, searching to `search`. Nothing is ever dropped
in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from controller.errors import UnknownApp
from controller.library.app import App
from controller.library.findings import Finding, Severity
from controller.library.origin import Origin
from controller.library.roots import Root
from controller.library.scan import Found, Kind, Record, read_record, scan
from controller.library.site import Site
from controller.library.skill import Skill
from controller.library.text import fold, nearest

__all__ = [
    "Library",
    "Shadowed",
    "Unreadable",
    "library_findings",
    "load_library",
    "package_conflicts",
]


@dataclass(frozen=True, slots=True)
class Shadowed:
    """A document that does not serve because a root before its own has one of the same reference."""

    reference: str
    path: str
    by: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A document that could not be loaded; the reason is its first error."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Library:
    """The documents that serve, and what was found wrong while loading them.

    Of the `untrusted` ones there is only what a catalogue shows; nothing is recognised or opened by them.
    """

    apps: tuple[App, ...] = ()
    sites: tuple[Site, ...] = ()
    skills: tuple[Skill, ...] = ()
    findings: tuple[Finding, ...] = ()
    shadowed: tuple[Shadowed, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    untrusted: tuple[Record, ...] = ()
    _names: tuple[Mapping[str, tuple[tuple[App, str], ...]], ...] = field(init=False, repr=False, compare=False)
    _packages: Mapping[str, App] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_names", _name_tables(self.apps))
        packages = {package: app for app in reversed(self.apps) for package in app.packages}
        object.__setattr__(self, "_packages", packages)

    def app(self, name: str) -> App:
        """The app with this id, package, display name, alias or package alias.

        Raises:
            UnknownApp: No app has the name, or several have it; the nearest names are in the details.
        """
        return self.target(name)[0]

    def target(self, name: str) -> tuple[App, str]:
        """The app with this name and the one of its packages that the name means, by default its first.

        `国际版` and `com.bilibili.app.in` mean a package of their own.

        Raises:
            UnknownApp: No app has the name, or several have it.
        """
        wanted = fold(name.strip().removeprefix("app:"))
        for table in self._names:
            found = table.get(wanted, ())
            if len({app.id for app, _ in found}) > 1:
                names = [app.id for app, _ in found]
                message = f"{name!r} is a name of several apps: {', '.join(names)}"
                raise UnknownApp(message, hint="say one of their ids", code="ambiguous_app", candidates=names)
            if found:
                return found[0]
        raise self._unknown(name)

    def _unknown(self, name: str) -> UnknownApp:
        known = [label for app in self.apps for label in (app.id, app.display, *app.aliases, *app.packages)]
        near = nearest(name.strip().removeprefix("app:"), known)
        hint = f"did you mean {' or '.join(near)}?" if near else "`phonectl links` lists the apps that are known"
        return UnknownApp(f"no app is known by the name {name!r}", hint=hint, candidates=near)

    def app_by_package(self, package: str) -> App | None:
        """The app that claims this package, exactly as written."""
        return self._packages.get(package)

    def site_by_host(self, host: str) -> Site | None:
        """The site that this host belongs to."""
        return next((site for site in self.sites if site.holds(host)), None)


def _name_tables(apps: Sequence[App]) -> tuple[Mapping[str, tuple[tuple[App, str], ...]], ...]:
    """Names to apps, the stronger kind of name first: ids and packages, display names, aliases, names of packages."""
    tables: list[dict[str, dict[tuple[str, str], tuple[App, str]]]] = [{} for _ in range(4)]

    def note(kind: int, name: str, app: App, package: str) -> None:
        if fold(name):
            tables[kind].setdefault(fold(name), {})[app.id, package] = (app, package)

    for app in apps:
        first = app.packages[0] if app.packages else ""
        note(0, app.id, app, first)
        for package in app.packages:
            note(0, package, app, package)
        for name in (app.display, app.open):
            note(1, name, app, first)
        for name in app.aliases:
            note(2, name, app, first)
        for name, package in app.package_aliases:
            for spelling in (name, f"{app.display}{name}", f"{app.display} {name}", f"{app.id} {name}"):
                note(3, spelling, app, package)
    return tuple({name: tuple(found.values()) for name, found in table.items()} for table in tables)


def load_library(roots: Iterable[Path | Root]) -> Library:
    """The library of these folders, the first folder winning where two have the same document.

    A root holds `knowledge/` and `skills/`, or is one of these two itself. A document that cannot be read is listed
    with its reason and the others load. Of a root that is not trusted nothing serves; its catalogue is kept apart.
    """
    gathered = _Gathered()
    for found in scan(root if isinstance(root, Root) else Root.at(Path(root)) for root in roots):
        gathered.take(found)
    return gathered.library()


class _Gathered:
    """The documents that were met, in the order in which they serve."""

    def __init__(self) -> None:
        self._serving: dict[str, Record] = {}
        self._untrusted: dict[str, Record] = {}
        self._findings: list[Finding] = []
        self._shadowed: list[Shadowed] = []
        self._unreadable: list[Unreadable] = []

    def take(self, found: Found) -> None:
        if found.stamp is None:
            self._missing(found)
            return
        record, findings = read_record(found)
        self._findings.extend(findings)
        if record is None:
            reason = next((f.message for f in findings if f.severity is Severity.ERROR), "it has no content")
            self._unreadable.append(Unreadable(found.path, reason))
            return
        by = self._serving.get(record.reference) or self._untrusted.get(record.reference)
        if by is not None:
            self._shadowed.append(Shadowed(record.reference, record.path, by.path))
        elif found.root.trusted:
            self._serving[record.reference] = record
        else:
            self._untrusted[record.reference] = _without_body(record)

    def _missing(self, found: Found) -> None:
        # Among skills there are folders of other kinds; below apps/ and sites/ a folder without its document is a slip.
        if found.kind is Kind.SKILL:
            return
        name = Path(found.path).name
        message = f"the folder holds no {name}"
        self._findings.append(Finding(found.folder, 1, 1, "no_document", Severity.WARNING, message, f"add {name}"))
        self._unreadable.append(Unreadable(found.folder, message))

    def library(self) -> Library:
        serving = self._serving.values()
        apps = tuple(record for record in serving if isinstance(record, App))
        skills = tuple(record for record in serving if isinstance(record, Skill))
        for entry in self._shadowed:
            message = f"{entry.reference} is taken from {entry.by}; this document does not serve"
            self._findings.append(Finding(entry.path, 1, 1, "shadowed", Severity.INFO, message))
        return Library(
            apps=apps,
            sites=tuple(record for record in serving if isinstance(record, Site)),
            skills=skills,
            findings=(*self._findings, *package_conflicts(apps), *_same_bare_names(skills)),
            shadowed=tuple(self._shadowed),
            unreadable=tuple(self._unreadable),
            untrusted=tuple(self._untrusted.values()),
        )


def _without_body(record: Record) -> Record:
    """The catalogue's part of a record whose root is not trusted: neither its body nor its links."""
    match record:
        case Skill():
            return replace(record, body="", references=())
        case App():
            return replace(record, body="", links=())
        case Site():
            return replace(record, body="", links=())


def _same_bare_names(skills: Sequence[Skill]) -> Iterator[Finding]:
    """A personal skill and another of one name: each has its reference, the bare name means the personal one."""
    others = {skill.id: skill for skill in skills if skill.source != Origin.PERSON}
    for skill in skills:
        other = others.get(skill.id)
        if skill.source == Origin.PERSON and other is not None:
            first, second = sorted((skill, other), key=lambda each: list(Origin).index(Origin(each.source)))
            message = (
                f"{skill.id!r} without a prefix means {first.reference}; {second.reference} has to be named in full"
            )
            yield Finding(second.path, 1, 1, "same_name", Severity.INFO, message)


def package_conflicts(apps: Sequence[App]) -> list[Finding]:
    """An error at each of the documents that claim one package together."""
    owners: dict[str, list[App]] = {}
    for app in apps:
        for package in app.packages:
            owners.setdefault(package, []).append(app)
    findings = []
    for package, claimants in owners.items():
        for app in claimants if len(claimants) > 1 else ():
            others = ", ".join(other.path for other in claimants if other is not app)
            message = f"the package {package} is claimed by {others} as well"
            fix = "leave it to one of them"
            findings.append(Finding(app.path, 1, 1, "package_claimed_twice", Severity.ERROR, message, fix))
    return findings


def library_findings(library: Library, *, checked: frozenset[str] | None = None) -> list[Finding]:
    """What is wrong between documents: packages and names of two apps, names that lead nowhere, one-sided references.

    Args:
        library: All documents that may be referred to.
        checked: The paths whose documents are judged; all of them when None.
    """
    apps = {app.id: app for app in library.apps}
    sites = {site.id: site for site in library.sites}
    findings: list[Finding] = []

    def judged(path: str) -> bool:
        return checked is None or path in checked

    for app in filter(lambda each: judged(each.path), library.apps):
        findings += _app_references(app, sites)
    for site in filter(lambda each: judged(each.path), library.sites):
        findings += _site_references(site, apps)
    for skill in filter(lambda each: judged(each.path), library.skills):
        findings += _skill_references(skill, apps, sites)
    shared = [*package_conflicts(library.apps), *_shared_names(library.apps)]
    findings += [finding for finding in shared if judged(finding.path)]
    return findings


def _app_references(app: App, sites: Mapping[str, Site]) -> Iterator[Finding]:
    for name in app.sites:
        if name not in sites:
            yield _dangling(app.path, 1, f"site:{name}", sites)
        elif app.id not in sites[name].apps:
            yield _one_sided(app.path, f"site:{name}", app.reference)


def _site_references(site: Site, apps: Mapping[str, App]) -> Iterator[Finding]:
    for name in site.apps:
        if name not in apps:
            yield _dangling(site.path, 1, f"app:{name}", apps)
        elif site.id not in apps[name].sites:
            yield _one_sided(site.path, f"app:{name}", site.reference)


def _skill_references(skill: Skill, apps: Mapping[str, App], sites: Mapping[str, Site]) -> Iterator[Finding]:
    named = [(f"app:{name}", 1) for name in skill.apps] + [(f"site:{name}", 1) for name in skill.sites]
    for reference, line in [*named, *skill.references]:
        kind, _, name = reference.partition(":")
        known: Mapping[str, object] = apps if kind == "app" else sites
        if name not in known:
            yield _dangling(skill.path, line, reference, known)


def _dangling(path: str, line: int, reference: str, known: Iterable[str]) -> Finding:
    near = nearest(reference.partition(":")[2], known, limit=1)
    fix = f"did you mean `{near[0]}`?" if near else "add the document or leave the name out"
    return Finding(path, line, 1, "dangling_reference", Severity.ERROR, f"there is no {reference}", fix)


def _one_sided(path: str, reference: str, back: str) -> Finding:
    message = f"{reference} does not name {back} in return"
    return Finding(path, 1, 1, "one_sided_reference", Severity.WARNING, message, f"name {back} there")


def _shared_names(apps: Sequence[App]) -> Iterator[Finding]:
    owners: dict[str, dict[str, App]] = {}
    for app in apps:
        for name in (app.id, app.display, *app.aliases):
            owners.setdefault(fold(name), {})[app.id] = app
    for name, claimants in owners.items():
        for app in claimants.values() if len(claimants) > 1 else ():
            others = ", ".join(other.path for other in claimants.values() if other is not app)
            message = f"{name!r} is a name of {others} as well"
            yield Finding(app.path, 1, 1, "shared_name", Severity.WARNING, message, "leave it to one of them")

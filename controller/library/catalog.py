"""All documents of some folders as one `Library`: which serve, which are shadowed, which cannot be read and why.

The only module of the library that looks into folders for documents. What a document says is the formats' business,
searching is not done here, and nothing is ever dropped in silence.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from controller.errors import UnknownApp
from controller.library.app import App, parse_app
from controller.library.findings import Finding, Severity
from controller.library.reader import MAX_DOCUMENT_BYTES, Document, read_document
from controller.library.site import Site, parse_site
from controller.library.skill import Skill, parse_skill
from controller.library.text import fold, nearest
from controller.resources import resource_dir

__all__ = [
    "Library",
    "Shadowed",
    "Unreadable",
    "builtin_roots",
    "is_builtin",
    "library_findings",
    "load_library",
    "package_conflicts",
    "read_file",
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
    """The documents that serve, and what was found wrong while loading them."""

    apps: tuple[App, ...] = ()
    sites: tuple[Site, ...] = ()
    skills: tuple[Skill, ...] = ()
    findings: tuple[Finding, ...] = ()
    shadowed: tuple[Shadowed, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
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


def builtin_roots() -> tuple[Path, ...]:
    """The folders of the documents that travel with the product."""
    return (resource_dir("knowledge"), resource_dir("skills"))


def is_builtin(path: Path) -> bool:
    """Whether a file or folder is one of the built-in documents' folders or lies in one."""
    resolved = path.resolve()
    return any(resolved.is_relative_to(root.resolve()) for root in builtin_roots())


def load_library(roots: Iterable[Path]) -> Library:
    """The library of these folders, the first folder winning where two have the same document.

    A root holds `knowledge/` and `skills/`, or is one of these two itself. A document that cannot be read is listed
    with its reason and the others load.
    """
    loader = _Loader()
    for root in roots:
        loader.root(Path(root))
    return loader.library()


class _Record(Protocol):
    """What the catalog needs of a record of any kind."""

    @property
    def path(self) -> str: ...

    @property
    def reference(self) -> str: ...


R = TypeVar("R", bound=_Record)


class _Loader:
    """Gathers documents root by root."""

    def __init__(self) -> None:
        self._apps: dict[str, App] = {}
        self._sites: dict[str, Site] = {}
        self._skills: dict[str, Skill] = {}
        self._findings: list[Finding] = []
        self._shadowed: list[Shadowed] = []
        self._unreadable: list[Unreadable] = []

    def root(self, root: Path) -> None:
        trusted = is_builtin(root)
        knowledge = root / "knowledge" if (root / "knowledge").is_dir() else root
        skills = root / "skills" if (root / "skills").is_dir() else root

        def app(document: Document, folder: str) -> tuple[App | None, tuple[Finding, ...]]:
            return parse_app(document, folder=folder, trusted=trusted)

        self._kind(root, knowledge / "apps", "APP.md", app, self._apps)
        self._kind(root, knowledge / "sites", "SITE.md", _parse_site, self._sites)
        self._kind(root, skills, "SKILL.md", _parse_skill, self._skills)

    def _kind(
        self,
        root: Path,
        base: Path,
        name: str,
        parse: Callable[[Document, str], tuple[R | None, tuple[Finding, ...]]],
        into: dict[str, R],
    ) -> None:
        for folder in _folders(base):
            path = folder / name
            if not path.is_file():
                self._missing(folder, name, quiet=name == "SKILL.md")
                continue
            document = read_file(path, inside=root)
            record, findings = parse(document, folder.name)
            self._findings.extend(findings)
            if record is None:
                reason = next((f.message for f in findings if f.severity is Severity.ERROR), "it has no content")
                self._unreadable.append(Unreadable(str(path), reason))
            elif folder.name in into:
                self._shadowed.append(Shadowed(record.reference, record.path, into[folder.name].path))
            else:
                into[folder.name] = record

    def _missing(self, folder: Path, name: str, *, quiet: bool) -> None:
        # Among skills there are folders of other kinds; below apps/ and sites/ a folder without its document is a slip.
        if quiet:
            return
        message = f"the folder holds no {name}"
        self._findings.append(Finding(str(folder), 1, 1, "no_document", Severity.WARNING, message, f"add {name}"))
        self._unreadable.append(Unreadable(str(folder), message))

    def library(self) -> Library:
        apps = tuple(self._apps.values())
        for entry in self._shadowed:
            message = f"{entry.reference} is taken from {entry.by}; this document does not serve"
            self._findings.append(Finding(entry.path, 1, 1, "shadowed", Severity.INFO, message))
        return Library(
            apps=apps,
            sites=tuple(self._sites.values()),
            skills=tuple(self._skills.values()),
            findings=(*self._findings, *package_conflicts(apps)),
            shadowed=tuple(self._shadowed),
            unreadable=tuple(self._unreadable),
        )


def _parse_site(document: Document, folder: str) -> tuple[Site | None, tuple[Finding, ...]]:
    return parse_site(document, folder=folder)


def _parse_skill(document: Document, folder: str) -> tuple[Skill | None, tuple[Finding, ...]]:
    return parse_skill(document, folder=folder)


def _folders(base: Path) -> Iterator[Path]:
    try:
        with os.scandir(base) as entries:
            names = sorted(entry.name for entry in entries if not entry.name.startswith(".") and entry.is_dir())
    except OSError:
        return
    yield from (base / name for name in names)


def read_file(path: Path, *, inside: Path | None = None) -> Document:
    """The document in a file; what the file system refuses becomes a finding as well.

    Args:
        path: The file.
        inside: A folder that the file must not leave, not even through links.
    """
    name = str(path)
    if inside is not None and not path.resolve().is_relative_to(inside.resolve()):
        return _unread(name, "outside_root", f"the file lies outside {inside}")
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_DOCUMENT_BYTES + 1)
    except OSError as error:
        return _unread(name, "unreadable", f"the file cannot be read: {error.strerror or error}")
    return read_document(data, path=name)


def _unread(path: str, code: str, message: str) -> Document:
    return Document(path, findings=(Finding(path, 1, 1, code, Severity.ERROR, message),))


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

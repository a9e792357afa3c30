"""APP.md: what an app is, its record and its rules.

`parse_app` reads the header and is all that a running session needs; `check_app` adds the rules about the body for
lint. Other documents (does this site exist, is this package claimed twice) are the catalog's business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from controller.library import checks, words
from controller.library.fields import Fields
from controller.library.findings import Edit, Finding, Place, Severity
from controller.library.rawlines import RawItem, split_fields
from controller.library.reader import Document
from controller.library.sections import APP_SECTIONS, sections_of
from controller.library.uri import is_intent, parameters, parse_intent, uri_problem

__all__ = ["APP_KEYS", "REMOVED_KEYS", "App", "AppLink", "Pace", "check_app", "parse_app", "read_pace"]

APP_KEYS = (
    "name",
    "display",
    "description",
    "packages",
    "package_aliases",
    "aliases",
    "sites",
    "open",
    "pace",
    "links",
)
REMOVED_KEYS = ("risk", "status", "updated", "verified_on")

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_PACKAGE = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+")


class Pace(StrEnum):
    """The one thing that can be said about pace: it limits how fast one account may act."""

    CAREFUL = "careful"


@dataclass(frozen=True, slots=True)
class AppLink:
    """A page of an app that has a name. `trusted` says that the document travels with the product."""

    title: str
    uri: str
    package: str
    line: int = 0
    pays: bool = False
    trusted: bool = False

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the URI's `{placeholders}`, in order."""
        return parameters(self.uri)


@dataclass(frozen=True, slots=True)
class App:
    """What APP.md says of an app; `extra` keeps header keys that are not known, as written."""

    id: str
    display: str
    description: str
    packages: tuple[str, ...]
    package_aliases: tuple[tuple[str, str], ...] = ()
    aliases: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    open: str = ""
    pace: Pace | None = None
    links: tuple[AppLink, ...] = ()
    body: str = ""
    path: str = ""
    extra: tuple[tuple[str, str], ...] = ()
    trusted: bool = False

    @property
    def reference(self) -> str:
        """How the document is named elsewhere: `app:bilibili`."""
        return f"app:{self.id}"


def parse_app(document: Document, *, folder: str, trusted: bool = False) -> tuple[App | None, tuple[Finding, ...]]:
    """The app that a document describes and what is wrong with its header.

    None instead of an app when the header cannot be read or names no package, by which an app is recognised.

    Args:
        document: The document as read.
        folder: The name of its folder, which is the app's id.
        trusted: Whether the document travels with the product.
    """
    fields = Fields(document)
    if not document.readable:
        return None, document.findings
    app = _app(fields, folder, trusted)
    return (app if app.packages else None), (*document.findings, *fields.findings)


def _app(fields: Fields, folder: str, trusted: bool) -> App:
    rule = "lower-case letters, digits and single hyphens"
    checks.check_name(fields, folder, pattern=_ID, rule=rule, severity=Severity.ERROR)
    display = fields.required("display") or folder
    description = fields.required("description")
    checks.check_description(fields, description)
    packages = _packages(fields)
    pace = read_pace(fields)
    fields.removed(REMOVED_KEYS, reason="is not used any more")
    fields.removed(("terms",), reason="is for skills alone; an app has `aliases`")
    opened = fields.text("open")
    return App(
        id=folder,
        display=display,
        description=description or "",
        packages=packages,
        package_aliases=_package_aliases(fields, packages),
        aliases=fields.texts("aliases"),
        sites=fields.texts("sites"),
        open=(opened or "").strip() or display,
        pace=pace,
        links=_links(fields, packages, trusted),
        body=fields.document.body,
        path=fields.document.path,
        extra=fields.unknown(APP_KEYS),
        trusted=trusted,
    )


def _packages(fields: Fields) -> tuple[str, ...]:
    packages = []
    for package, place in fields.placed_texts("packages"):
        if _PACKAGE.fullmatch(package):
            packages.append(package)
        else:
            message = f"{package!r} is not the name of an Android package"
            fields.report(place, "package_form", message, fix="write it as `adb shell pm list packages` does")
    if not packages:
        message = "`packages` names no package, so the app cannot be recognised"
        fields.report(fields.place("packages"), "no_packages", message, fix='packages: ["com.example.app"]')
    return tuple(packages)


def read_pace(fields: Fields) -> Pace | None:
    """The pace of an app or a site; only `careful` can be said."""
    value = fields.text("pace")
    if value is None or value == Pace.CAREFUL:
        return Pace.CAREFUL if value else None
    place = fields.place("pace")
    meant = value.strip().casefold() == Pace.CAREFUL
    edit = Edit(place.line, place.column, place.column + len(value), "careful") if meant else None
    message = f"pace is {value!r}; only `careful` can be said, or nothing"
    fields.report(place, "pace_value", message, fix="pace: careful" if meant else "remove the line", edit=edit)
    return Pace.CAREFUL if meant else None


def _package_aliases(fields: Fields, packages: Sequence[str]) -> tuple[tuple[str, str], ...]:
    aliases: dict[str, str] = {}
    for item in fields.raw_items("package_aliases"):
        parts = split_fields(item.text, 2)
        if parts is None or not all(parts):
            message = f"{item.text!r} is not `name | package`"
            fields.report(item.place, "package_alias_form", message, fix="write `name | package` with spaces around |")
        elif parts[1] not in packages:
            message = f"the package {parts[1]!r} is not one of `packages`"
            fields.report(item.place, "package_alias_package", message, fix="add it to `packages`")
        elif parts[0] in aliases:
            fields.report(item.place, "duplicate_item", f"{parts[0]!r} stands twice", severity=Severity.WARNING)
        else:
            aliases[parts[0]] = parts[1]
    return tuple(aliases.items())


def _links(fields: Fields, packages: Sequence[str], trusted: bool) -> tuple[AppLink, ...]:
    links: dict[tuple[str, str], AppLink] = {}
    for item in fields.raw_items("links"):
        link = _link(fields, item, packages, trusted)
        if link is None:
            continue
        if (link.title, link.package) in links:
            first = links[link.title, link.package].line
            message = f"the link {link.title!r} stands on line {first} already"
            fields.report(item.place, "duplicate_link", message, fix="give it another title")
        else:
            links[link.title, link.package] = link
    return tuple(links.values())


def _link(fields: Fields, item: RawItem, packages: Sequence[str], trusted: bool) -> AppLink | None:
    parts = split_fields(item.text, 3)
    if parts is None or not all(parts):
        message = f"{item.text!r} is not `title | URI | package`"
        fields.report(item.place, "link_fields", message, fix="write `title | URI | package` with spaces around |")
        return None
    title, uri, package = parts
    if package not in packages:
        message = f"the package {package!r} of the link {title!r} is not one of `packages`"
        fields.report(_inside(item, item.text.rfind(package)), "link_package", message, fix="add it to `packages`")
    place = _inside(item, item.text.find(uri))
    _check_uri(fields, place, uri, package, trusted=trusted)
    return AppLink(title, uri, package, item.place.line, words.pays(title), trusted)


def _inside(item: RawItem, offset: int) -> Place:
    return Place(item.place.line, item.place.column + max(offset, 0))


def _check_uri(fields: Fields, place: Place, uri: str, package: str, *, trusted: bool) -> None:
    problem = uri_problem(uri, trusted=trusted)
    if problem is not None:
        code, message = problem
        # In a document from elsewhere it is refused when it is opened; whether it belongs there is for its author.
        severity = Severity.WARNING if code == "intent_refused" else Severity.ERROR
        fix = "write %20 for a space" if code == "uri_white_space" else None
        fields.report(place, code, message, severity=severity, fix=fix)
        return
    intent = parse_intent(uri) if is_intent(uri) else None
    if intent is not None and intent.package not in (None, package):
        message = f"the intent is for {intent.package}, the link for {package}"
        fields.report(place, "intent_package", message, fix="name one package")


def check_app(document: Document, app: App, *, attachments: Sequence[str] | None = None) -> tuple[Finding, ...]:
    """What is wrong with the body, beside what `parse_app` said of the header.

    Args:
        document: The document as read.
        app: The app that `parse_app` made of it.
        attachments: The files below references/, as relative paths; None when nobody looked.
    """
    fields = Fields(document)
    sections = sections_of(document.body, first_line=document.body_line, expected=APP_SECTIONS)
    checks.check_length(fields)
    checks.check_sections(fields, sections, APP_SECTIONS)
    checks.check_functions(fields, sections)
    checks.check_knowledge_words(fields, sections)
    checks.check_attachments(fields, attachments)
    _check_several_packages(fields, app)
    return tuple(fields.findings)


def _check_several_packages(fields: Fields, app: App) -> None:
    """With several packages, the section on what the app is says what each of them is."""
    if len(app.packages) < 2:
        return
    sections = sections_of(app.body, first_line=fields.document.body_line, expected=APP_SECTIONS)
    what = next((section for section in sections if section.key == "what"), None)
    if what is None:
        return
    text = "\n".join(what.lines)
    names: dict[str, list[str]] = {package: [package] for package in app.packages}
    for name, package in app.package_aliases:
        names[package].append(name)
    silent = [package for package, known in names.items() if not any(name in text for name in known)]
    if silent:
        message = f"`## {what.heading}` does not say what {', '.join(silent)} is"
        place = Place(what.line, 1)
        fix = "one sentence for each package"
        fields.report(place, "packages_unexplained", message, severity=Severity.WARNING, fix=fix)

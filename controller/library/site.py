"""SITE.md: what a web site is, its record and its rules, and whether a host belongs to it.

Pages are opened and read elsewhere; whether the apps it names exist is the catalog's business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from controller.library import checks
from controller.library.app import REMOVED_KEYS, Pace, read_pace
from controller.library.fields import Fields
from controller.library.findings import Finding, Severity
from controller.library.rawlines import SEPARATOR
from controller.library.reader import Document
from controller.library.sections import SITE_SECTIONS, sections_of
from controller.library.uri import uri_problem

__all__ = ["SITE_KEYS", "Mode", "Site", "SiteLink", "check_site", "parse_site"]

SITE_KEYS = ("name", "display", "description", "domains", "aliases", "apps", "open", "mode", "pace", "links")

_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+")


class Mode(StrEnum):
    """Which pages of the site are used."""

    DESKTOP = "desktop"
    MOBILE = "mobile"


@dataclass(frozen=True, slots=True)
class SiteLink:
    """A page of a site that has a name."""

    title: str
    url: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Site:
    """What SITE.md says of a site."""

    id: str
    display: str
    description: str
    domains: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    open: str = ""
    mode: Mode = Mode.DESKTOP
    pace: Pace | None = None
    links: tuple[SiteLink, ...] = ()
    body: str = ""
    path: str = ""
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def reference(self) -> str:
        """How the document is named elsewhere: `site:bilibili.com`."""
        return f"site:{self.id}"

    def holds(self, host: str) -> bool:
        """Whether a host is one of the site's domains or below one: `m.bilibili.com` is, `evilbilibili.com` is not."""
        wanted = host.casefold().rstrip(".")
        return any(wanted == domain or wanted.endswith(f".{domain}") for domain in self.domains)


def parse_site(document: Document, *, folder: str) -> tuple[Site | None, tuple[Finding, ...]]:
    """The site that a document describes and what is wrong with its header; None when the header cannot be read."""
    fields = Fields(document)
    if not document.readable:
        return None, document.findings
    record = _site(fields, folder)
    return record, (*document.findings, *fields.findings)


def _site(fields: Fields, folder: str) -> Site:
    checks.check_name(fields, folder, pattern=_HOST, rule="a host name such as example.com", severity=Severity.ERROR)
    display = fields.required("display") or folder
    description = fields.required("description")
    checks.check_description(fields, description)
    fields.removed(REMOVED_KEYS, reason="is not used any more")
    fields.removed(("terms",), reason="is for skills alone; a site has `aliases`")
    return Site(
        id=folder,
        display=display,
        description=description or "",
        domains=_domains(fields, folder),
        aliases=fields.texts("aliases"),
        apps=fields.texts("apps"),
        open=_open(fields) or f"https://{folder}",
        mode=_mode(fields),
        pace=read_pace(fields),
        links=_links(fields),
        body=fields.document.body,
        path=fields.document.path,
        extra=fields.unknown(SITE_KEYS),
    )


def _domains(fields: Fields, folder: str) -> tuple[str, ...]:
    domains = []
    for domain, place in fields.placed_texts("domains"):
        if _HOST.fullmatch(domain):
            domains.append(domain)
        else:
            fields.report(place, "domain_form", f"{domain!r} is not a host name", fix="write example.com")
    if folder not in domains:
        message = f"`domains` does not hold the site's own name {folder!r}"
        fields.report(fields.place("domains"), "domain_missing", message, fix=f"add {folder!r}")
        domains.append(folder)
    return tuple(domains)


def _open(fields: Fields) -> str | None:
    value = (fields.text("open") or "").strip()
    if not value:
        return None
    url = value if "://" in value else f"https://{value}"
    host = re.split(r"[/?#:]", url.partition("://")[2], maxsplit=1)[0]
    if not url.startswith(("https://", "http://")) or _HOST.fullmatch(host.casefold()) is None:
        fields.report(fields.place("open"), "open_form", f"open {value!r} is not an address", fix="write example.com")
        return None
    return url


def _mode(fields: Fields) -> Mode:
    value = fields.text("mode")
    if value is None:
        return Mode.DESKTOP
    if value not in tuple(Mode):
        message = f"mode is {value!r}; it is `desktop` or `mobile`"
        fields.report(fields.place("mode"), "mode_value", message, fix="mode: desktop")
        return Mode.DESKTOP
    return Mode(value)


def _links(fields: Fields) -> tuple[SiteLink, ...]:
    links = []
    for item in fields.raw_items("links"):
        title, _, url = (part.strip() for part in item.text.partition(SEPARATOR))
        problem = uri_problem(url) if url else None
        if not (title and url):
            message = f"{item.text!r} is not `title | address`"
            fields.report(item.place, "link_fields", message, fix="write `title | https://…` with spaces around |")
        elif problem is not None:
            fields.report(item.place, *problem)
        else:
            links.append(SiteLink(title, url, item.place.line))
    return tuple(links)


def check_site(document: Document, site: Site, *, attachments: Sequence[str] | None = None) -> tuple[Finding, ...]:
    """What is wrong with the body, beside what `parse_site` said of the header."""
    fields = Fields(document)
    sections = sections_of(site.body, first_line=document.body_line, expected=SITE_SECTIONS)
    checks.check_length(fields)
    checks.check_sections(fields, sections, SITE_SECTIONS)
    checks.check_functions(fields, sections)
    checks.check_knowledge_words(fields, sections)
    checks.check_attachments(fields, attachments)
    return tuple(fields.findings)

"""A link by its name becomes the URI and the package that are sent to the phone.

Pure: values are encoded once, a URI is judged before anything is sent, and a command is a list of arguments. Quoting
for the phone's shell and reading the answer are left to the device.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.errors import InvalidLink, UnknownLink
from controller.library.app import App, AppLink
from controller.library.text import fold, nearest
from controller.library.uri import encode_uri, fill, is_intent, parse_intent, uri_problem

__all__ = ["ResolvedLink", "check_uri", "find_link", "package_of", "resolve"]


@dataclass(frozen=True, slots=True)
class ResolvedLink:
    """A link ready to be sent."""

    uri: str
    package: str
    title: str
    app: App
    pays: bool = False


def resolve(app: App, title: str, args: Mapping[str, str] | None = None, *, package: str | None = None) -> ResolvedLink:
    """The URI and package of an app's link.

    Args:
        app: The app.
        title: The link's title: exact, or without regard to case and width, or one of several names joined by ` / `.
        args: A value for each `{placeholder}` of the link, as plain text; it is encoded here, once.
        package: Another of the app's packages, or the name of one, instead of the link's own.

    Raises:
        UnknownLink: The app has no link of this title.
        InvalidLink: A value is missing or too many, the package is not the app's, or the URI must not be sent.
    """
    chosen = None if package is None else package_of(app, package)
    link = find_link(app, title, package=chosen)
    values = _values(app, link, args or {})
    uri = check_uri(fill(link.uri, values), trusted=link.trusted)
    return ResolvedLink(uri, _target(link, uri, chosen), link.title, app, link.pays)


def find_link(app: App, title: str, *, package: str | None = None) -> AppLink:
    """The link of this title; where several have it, the one for `package`.

    Raises:
        UnknownLink: There is none; the nearest titles are in the details.
    """
    found = _by_title(app.links, title)
    if found:
        return next((link for link in found if link.package == package), found[0])
    titles = list(dict.fromkeys(link.title for link in app.links))
    near = nearest(title, titles) or titles[:5]
    hint = f"it has: {', '.join(near)}" if near else "open the app without a title"
    message = f"{app.display} has no link {title!r}"
    raise UnknownLink(message, hint=hint, app=app.id, candidates=near, titles=titles)


def _by_title(links: Sequence[AppLink], title: str) -> list[AppLink]:
    exact = [link for link in links if link.title == title]
    if exact:
        return exact
    wanted = fold(title)
    whole = [link for link in links if fold(link.title) == wanted]
    return whole or [link for link in links if wanted in {fold(name) for name in link.title.split(" / ")}]


def package_of(app: App, name: str) -> str:
    """The package of an app that a package name or the name of one of its packages means.

    Raises:
        InvalidLink: The app has no such package.
    """
    if name in app.packages:
        return name
    names = {fold(alias): package for alias, package in app.package_aliases}
    if fold(name) in names:
        return names[fold(name)]
    known = [*app.packages, *(alias for alias, _ in app.package_aliases)]
    message = f"{app.display} has no package {name!r}"
    raise InvalidLink(message, hint=f"it has: {', '.join(known)}", code="unknown_package", packages=known)


def _values(app: App, link: AppLink, args: Mapping[str, str]) -> dict[str, str]:
    wanted = link.parameters
    missing = [name for name in wanted if name not in args]
    unknown = [name for name in args if name not in wanted]
    if missing or unknown:
        raise _wrong_arguments(app, link, missing, unknown)
    return {name: str(args[name]) for name in wanted}


def _wrong_arguments(app: App, link: AppLink, missing: Sequence[str], unknown: Sequence[str]) -> InvalidLink:
    parts = []
    if missing:
        parts.append(f"needs {', '.join(missing)}")
    if unknown:
        parts.append(f"has no {', '.join(unknown)}")
    wanted = link.parameters
    usage = " ".join(f"{name}=…" for name in wanted)
    hint = f"phonectl open {app.id} {link.title} {usage}".rstrip() if wanted else f"{link.title} takes no values"
    return InvalidLink(
        f"the link {link.title!r} of {app.display} {' and '.join(parts)}",
        hint=hint,
        code="link_arguments",
        missing=list(missing),
        unknown=list(unknown),
        parameters=list(wanted),
    )


def _target(link: AppLink, uri: str, chosen: str | None) -> str:
    intent = parse_intent(uri) if is_intent(uri) else None
    named = intent.package if intent is not None else None
    if named is not None and chosen is not None and named != chosen:
        message = f"the link {link.title!r} is for {named} alone"
        raise InvalidLink(message, hint="leave the package out", code="unknown_package")
    return chosen or link.package


def check_uri(uri: str, *, trusted: bool = False) -> str:
    """The URI as it is sent, encoded once where it was not.

    Args:
        uri: The URI as written in a document or by a person.
        trusted: Whether it comes from a document that travels with the product.

    Raises:
        InvalidLink: It must not be sent: control characters, white space outside the query, no scheme, an intent that
            names a component or carries what only the built-in library may.
    """
    problem = uri_problem(uri, trusted=trusted)
    if problem is not None:
        code, message = problem
        raise InvalidLink(message, hint="nothing was sent to the phone", reason=code, uri=uri)
    return encode_uri(uri)

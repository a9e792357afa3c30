"""Intents, what their filters accept, and what starting one may answer.

Owns matching: URI against link patterns, intent against filters. Who answers for a package and what happens to tasks
afterwards is for `activities` and `phone`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import parse_qsl, unquote, urlsplit

__all__ = [
    "ACTION_MAIN",
    "ACTION_SEND",
    "ACTION_VIEW",
    "CATEGORY_HOME",
    "CATEGORY_LAUNCHER",
    "EXTRA_TEXT",
    "Intent",
    "LinkPattern",
    "StartResult",
    "StartStatus",
    "component_name",
    "full_class",
    "short_component",
]

ACTION_MAIN = "android.intent.action.MAIN"
ACTION_VIEW = "android.intent.action.VIEW"
ACTION_SEND = "android.intent.action.SEND"
EXTRA_TEXT = "android.intent.extra.TEXT"
CATEGORY_LAUNCHER = "android.intent.category.LAUNCHER"
CATEGORY_HOME = "android.intent.category.HOME"


@dataclass(frozen=True, slots=True)
class Intent:
    """A request to start an activity, as `am start` and apps make it.

    `component` is `(package, full class name)`; `flags` are Android's bits. `from_shell` marks a caller that may not
    start what is not exported.
    """

    action: str | None = None
    data: str | None = None
    type: str | None = None
    categories: tuple[str, ...] = ()
    component: tuple[str, str] | None = None
    package: str | None = None
    flags: int = 0
    extras: Mapping[str, str] = field(default_factory=dict)
    caller: str = "com.android.shell"

    @property
    def from_shell(self) -> bool:
        """Whether adb's shell user sends it."""
        return self.caller == "com.android.shell"


class StartStatus(StrEnum):
    """What became of an intent."""

    STARTED = "started"
    BROUGHT_TO_FRONT = "brought_to_front"
    DELIVERED = "delivered"
    CHOOSER = "chooser"
    UNRESOLVED = "unresolved"
    NOT_EXPORTED = "not_exported"
    NOT_INSTALLED = "not_installed"
    NO_ACTIVITY = "no_activity"


@dataclass(frozen=True, slots=True)
class StartResult:
    """The answer to an intent.

    `component` is what the intent resolved to, `top` the activity that is on the screen afterwards (another one where
    the resolved activity only forwards). `cold` says that the process had to be started.
    """

    status: StartStatus
    intent: Intent
    component: tuple[str, str] | None = None
    top: tuple[str, str] | None = None
    cold: bool = False
    uid: int | None = None

    @property
    def ok(self) -> bool:
        """Whether some activity is in front because of it."""
        return self.status in (
            StartStatus.STARTED,
            StartStatus.BROUGHT_TO_FRONT,
            StartStatus.DELIVERED,
            StartStatus.CHOOSER,
        )


@dataclass(frozen=True, slots=True)
class LinkPattern:
    """A URI that an activity answers: `bilibili://video/{bvid}`, `https://b23.tv/*`.

    A `{name}` takes one path segment, a trailing `*` any rest of the path. Query parameters named in the pattern must
    be there; all others are welcome and arrive as parameters too.
    """

    uri: str
    target: str = ""
    verified: bool = False
    set: tuple[tuple[str, str], ...] = ()

    @property
    def scheme(self) -> str:
        """The part before the colon, in lower case."""
        return urlsplit(self.uri).scheme.lower()

    @property
    def host(self) -> str:
        """The host as the pattern writes it."""
        return urlsplit(self.uri).netloc

    def match(self, uri: str) -> dict[str, str] | None:
        """The parameters of `uri`, decoded once, or None where it is another link."""
        asked, own = urlsplit(uri), urlsplit(self.uri)
        if asked.scheme.lower() != own.scheme.lower():
            return None
        found = _match_part(own.netloc, asked.netloc)
        rest = _match_path(own.path, asked.path)
        if found is None or rest is None:
            return None
        query = dict(parse_qsl(asked.query, keep_blank_values=True))
        required = [key for key, _ in parse_qsl(own.query, keep_blank_values=True)]
        if any(key not in query for key in required):
            return None
        for key, value in parse_qsl(own.query, keep_blank_values=True):
            if value.startswith("{"):
                query[value.strip("{}")] = query[key]
        return {**query, **found, **rest}


def full_class(package: str, name: str) -> str:
    """`.Main` of a package in full."""
    return package + name if name.startswith(".") else name


def component_name(text: str) -> tuple[str, str] | None:
    """`com.a/.B` as (package, full class); None where it is no component."""
    package, slash, name = text.partition("/")
    return (package, full_class(package, name)) if slash and package and name else None


def short_component(component: tuple[str, str]) -> str:
    """`com.a/.B`: the package is left out of the class where it begins with it, as ComponentName does."""
    package, name = component
    return f"{package}/{name.removeprefix(package) if name.startswith(package + '.') else name}"


def _match_part(pattern: str, text: str) -> dict[str, str] | None:
    if pattern == "*":
        return {}
    if pattern.startswith("{") and pattern.endswith("}"):
        return {pattern[1:-1]: unquote(text)} if text else None
    return {} if pattern.lower() == text.lower() else None


def _match_path(pattern: str, text: str) -> dict[str, str] | None:
    pieces = re.split(r"(\{[a-z_]\w*\}|/?\*)", pattern.rstrip("/"))
    regex = "".join(
        f"(?P<{piece[1:-1]}>[^/]+)"
        if piece.startswith("{")
        else {"*": ".*", "/*": "(?:/.*)?"}.get(piece, re.escape(piece))
        for piece in pieces
    )
    found = re.fullmatch(regex, text.rstrip("/"))
    return None if found is None else {key: unquote(value) for key, value in found.groupdict().items()}

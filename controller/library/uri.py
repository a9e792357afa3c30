"""URIs of deep links: what may be sent to a phone, how they are encoded, what an `intent:` URI says.

The one place that decides about a URI; links in documents and links typed by a person pass through it. Filling
placeholders is left to `links`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import quote

__all__ = ["Intent", "encode_uri", "encode_value", "fill", "is_intent", "parameters", "parse_intent", "uri_problem"]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_PARAMETER = re.compile(r"\{([^\W\d]\w*)\}")
_INTENT_MARK = "#Intent;"

# What an intent of a document from elsewhere may carry. Anything else (component, SEL, launchFlags, …) could reach a
# screen or a permission its author was not given, because adb acts with the rights of the shell.
_FREE_KEYS = frozenset({"scheme", "package", "category", "end"})
_FREE_EXTRAS = frozenset("SBbcdfils")
_FREE_ACTIONS = ("android.intent.action.VIEW", "android.intent.action.MAIN", "android.intent.action.SENDTO")
_FREE_ACTION_PREFIX = "android.settings."


@dataclass(frozen=True, slots=True)
class Intent:
    """What an `intent:` or `android-app:` URI says.

    Attributes:
        data: The URI the app receives, with the scheme put back; empty when there is none.
        package: The package it is meant for, None when it names none.
        fields: Everything between `#Intent;` and `end`, in order.
    """

    data: str
    package: str | None
    fields: tuple[tuple[str, str], ...]

    def field(self, key: str) -> str | None:
        """The first value of a field such as `action` or `component`."""
        return next((value for name, value in self.fields if name == key), None)


def is_intent(uri: str) -> bool:
    """Whether Android parses this URI as a whole intent instead of handing it over as data."""
    return uri[:7].lower() == "intent:" or uri[:14].lower() == "android-app://"


def parse_intent(uri: str) -> Intent | None:
    """What an intent URI says, None when it is malformed.

    `intent://video/1#Intent;scheme=bilibili;package=tv.danmaku.bili;end` says `bilibili://video/1` for that package;
    `android-app://com.tencent.mm/#Intent;action=…;end` is for com.tencent.mm.
    """
    head, mark, tail = uri.rpartition(_INTENT_MARK)
    if not mark and uri[:14].lower() == "android-app://":
        head, tail = uri, "end"
    elif not mark:
        return None
    if "#" in tail or (not mark and "#" in head):
        # Android takes the last # for the intent's own and reads what follows in an older way, components and all.
        return None
    fields = tail.split(";")
    if fields[-1] == "end":
        fields = fields[:-1]
    elif fields[-2:] == ["end", ""]:
        fields = fields[:-2]
    else:
        return None
    pairs = [field.partition("=") for field in fields if field]
    if any(not equals and name != "SEL" for name, equals, _ in pairs):
        return None
    values = tuple((name, value) for name, _, value in pairs)
    if uri[:7].lower() == "intent:":
        return _intent_of(head[7:], values)
    return _app_intent_of(head[14:], values)


def _intent_of(data: str, fields: tuple[tuple[str, str], ...]) -> Intent:
    named = dict(reversed(fields))
    if data and "scheme" in named:
        data = f"{named['scheme']}:{data}"
    return Intent(data, named.get("package"), fields)


def _app_intent_of(rest: str, fields: tuple[tuple[str, str], ...]) -> Intent:
    #   android-app://com.package/scheme/host/path
    package, _, path = rest.partition("/")
    scheme, _, remainder = path.partition("/")
    data = f"{scheme}://{remainder}" if scheme and remainder else f"{scheme}:" if scheme else ""
    return Intent(data, package or None, fields)


def uri_problem(uri: str, *, trusted: bool = False) -> tuple[str, str] | None:
    """Why a URI must not be sent, as code and sentence; None when it may.

    Args:
        uri: The URI as written, placeholders and all.
        trusted: Whether it comes from the documents that travel with the product, which alone may name a component.
    """
    control = next((c for c in uri if unicodedata.category(c) in ("Cc", "Cs")), None)
    if control is not None:
        return "uri_control_character", f"the URI holds the control character U+{ord(control):04X}"
    if _SCHEME.match(uri) is None:
        return "uri_scheme", f"{uri!r} is not a URI: it does not begin with a scheme such as https:"
    # White space in a value of the query or the fragment is encoded; before them it means that something is wrong:
    # `demo://x -n com.evil/.A` once made an option of am.
    path = re.split(r"[?#]", uri, maxsplit=1)[0]
    if any(character.isspace() for character in path):
        return "uri_white_space", f"the URI {uri!r} holds white space outside its query"
    return _intent_problem(uri, trusted=trusted) if is_intent(uri) else None


def _intent_problem(uri: str, *, trusted: bool) -> tuple[str, str] | None:
    intent = parse_intent(uri)
    if intent is None:
        return "intent_malformed", "the intent URI does not end with #Intent;…;end"
    if trusted:
        return None
    refused = [name for name, _ in intent.fields if not _is_free(name)]
    if refused:
        return "intent_refused", f"an intent with `{refused[0]}` is taken only from the built-in library"
    action = intent.field("action")
    if action is not None and action not in _FREE_ACTIONS and not action.startswith(_FREE_ACTION_PREFIX):
        return "intent_refused", f"the action {action} is taken only from the built-in library"
    return None


def _is_free(name: str) -> bool:
    return name in _FREE_KEYS or name == "action" or (len(name) > 2 and name[1] == "." and name[0] in _FREE_EXTRAS)


def encode_uri(uri: str) -> str:
    """The URI encoded once: spaces, characters outside ASCII and stray `%` are escaped, everything else stays.

    `bilibili://search?keyword=猫 咖` becomes `…%E7%8C%AB%20%E5%92%96`; `…=%E7%8C%AB` stays as it is.
    """
    strays = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", uri)
    return re.sub(r"[^\x21-\x7e]+", lambda match: quote(match.group(), safe=""), strays)


def encode_value(value: str) -> str:
    """A value for a placeholder, encoded once as text: reserved characters and `%` too."""
    return quote(value, safe="")


def parameters(uri: str) -> tuple[str, ...]:
    """The names of the `{placeholders}` of a URI, each once, in order."""
    return tuple(dict.fromkeys(_PARAMETER.findall(uri)))


def fill(uri: str, values: dict[str, str]) -> str:
    """The URI with each placeholder replaced by its encoded value; every name must be in `values`."""
    return _PARAMETER.sub(lambda match: encode_value(values[match[1]]), uri)

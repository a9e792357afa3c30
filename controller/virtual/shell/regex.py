"""POSIX regular expressions in Python's spelling, and text as lines: what grep, sed and the other filters share."""

from __future__ import annotations

import re

__all__ = ["compiled", "lines_of", "posix_regex", "split_keeping"]

_CLASSES = {
    "[:alpha:]": "a-zA-Z",
    "[:digit:]": "0-9",
    "[:alnum:]": "a-zA-Z0-9",
    "[:space:]": r"\s",
    "[:blank:]": r" \t",
    "[:upper:]": "A-Z",
    "[:lower:]": "a-z",
    "[:punct:]": r"!-/:-@\[-`{-~",
    "[:xdigit:]": "0-9A-Fa-f",
}
_BASIC_SWAPPED = re.compile(r"\[\^?\]?[^\]]*\]|\\.|[+?|(){}]")


def posix_regex(pattern: str, *, extended: bool) -> str:
    """A POSIX regular expression in Python's spelling."""
    for name, members in _CLASSES.items():
        pattern = pattern.replace(name, members)

    def one(match: re.Match[str]) -> str:
        token = match.group()
        if token.startswith("["):
            return re.sub(r"(?<=.)\[|--|&&|\|\||~~", lambda m: "".join("\\" + c for c in m.group()), token)
        if token.startswith("\\"):
            if not extended and token[1] in "+?|(){}":
                return token[1]
            if token in {"\\<", "\\>"}:
                return r"\b"
            return token if token[1] in "bBdDsSwW.*+?|(){}[]^$\\123456789" else re.escape(token[1])
        return token if extended else "\\" + token

    converted = _BASIC_SWAPPED.sub(one, pattern)
    return converted[0].replace("*", r"\*") + converted[1:] if converted[:1] == "*" else converted


def compiled(pattern: str, *, ignore_case: bool = False) -> re.Pattern[str]:
    """The pattern, compiled.

    Raises:
        ValueError: it is no regular expression.
    """
    try:
        return re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except (re.error, OverflowError, RecursionError) as fault:
        raise ValueError(f"bad REGEX '{pattern}': {fault}") from fault


def lines_of(content: bytes) -> list[str]:
    """The lines without their ends; no empty line after the last end."""
    text = content.decode("utf-8", "surrogateescape")
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def split_keeping(content: bytes) -> list[bytes]:
    """The lines with their ends, cut at line feeds alone."""
    return re.findall(rb"[^\n]*\n|[^\n]+", content)

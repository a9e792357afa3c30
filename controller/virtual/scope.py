"""Templates and conditions of app data: `{title}`, `logged_in and tab == 推荐`.

Owns their syntax and how a name is looked up through a chain of maps. Whose values the maps hold is for the callers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from controller.virtual.spec import Condition

__all__ = ["Scope", "parse_condition", "template_names"]

# "{title}", "{system.airplane_mode_on}", "{@apps}"; anything else in braces is plain text
_NAME = re.compile(r"\{([A-Za-z_@][\w.@]*)\}")
_TERM = re.compile(r"\s*(!?)\s*([A-Za-z_@][\w.@]*|\{\w+\})\s*(?:(==|!=)\s*(.*?))?\s*$")
_FALSE = frozenset({"", "0", "false"})


class Scope:
    """Names with their values, the nearest first; an unknown name is an empty text.

    `outer.x` is `x` without the nearest map: inside a row of data, the screen's own `x`.
    """

    __slots__ = ("_fallback", "_maps")

    def __init__(self, *maps: Mapping[str, str], fallback: Callable[[str], str | None] | None = None) -> None:
        self._maps = maps
        self._fallback = fallback

    def inner(self, values: Mapping[str, str]) -> Scope:
        """A scope in which `values` come first."""
        return Scope(values, *self._maps, fallback=self._fallback)

    def get(self, name: str) -> str:
        """The value of a name."""
        maps = self._maps
        if name.startswith("outer."):
            maps, name = maps[1:], name.removeprefix("outer.")
        for values in maps:
            if name in values:
                return values[name]
        return (self._fallback(name) if self._fallback is not None else None) or ""

    def expand(self, template: str) -> str:
        """The template with its names filled in; what is filled in is not expanded again."""
        return _NAME.sub(lambda found: self.get(found.group(1)), template) if "{" in template else template

    def expand_all(self, pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
        """Every template of `(name, template)` pairs filled in."""
        return {name: self.expand(template) for name, template in pairs}

    def holds(self, condition: Condition | None) -> bool:
        """Whether all terms hold; no condition holds always."""
        return condition is None or all(self._term(*term) for term in condition.terms)

    def _term(self, name: str, operator: str, right: str) -> bool:
        value = self.get(self.expand(name))
        match operator:
            case "is":
                return value.lower() not in _FALSE
            case "not":
                return value.lower() in _FALSE
            case "==":
                return value == self.expand(right)
            case _:
                return value != self.expand(right)


def parse_condition(text: str) -> Condition:
    """`a`, `!a`, `a == text`, `a != text`, several joined by ` and `; `{a}` is the variable whose name `a` holds.

    Raises:
        ValueError: It is no condition.
    """
    terms = []
    for part in text.split(" and "):
        found = _TERM.match(part)
        if found is None or (found.group(1) and found.group(3)):
            raise ValueError(
                f"`{part.strip()}` is no condition; write `name`, `!name`, `name == text` or `name != text`"
            )
        negated, name, operator, right = found.groups()
        terms.append((name, operator or ("not" if negated else "is"), right or ""))
    return Condition(tuple(terms))


def template_names(template: str) -> list[str]:
    """The names that a template asks for."""
    return _NAME.findall(template)

"""Words → arguments: variables, substitutions, arithmetic, splitting at white space, file names.

Knows how a word becomes fields; running what stands in `$(…)` is a function that the interpreter passes in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from controller.virtual.arithmetic import evaluate
from controller.virtual.shell.syntax import Arithmetic, Literal, Parameter, Part, Script, Substitution, Word

__all__ = ["Expander", "ParameterFault", "glob_regex"]

_GLOB = frozenset("*?[")


class ParameterFault(Exception):
    """`${name:?message}` of a parameter that is not set."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text that came out of one part of a word."""

    text: str
    quoted: bool


class Expander:
    """Expands words.

    Args:
        value_of: The value of a parameter, None where it is unset.
        assign: Sets a variable (`${x:=y}`).
        output_of: Runs a script and gives what it printed.
        names_matching: The paths that match a pattern, sorted.
        positional: The positional parameters, for `$@`.
    """

    def __init__(
        self,
        *,
        value_of: Callable[[str], str | None],
        assign: Callable[[str, str], None],
        output_of: Callable[[Script], str],
        names_matching: Callable[[str], list[str]],
        positional: Callable[[], list[str]],
    ) -> None:
        self._value_of = value_of
        self._assign = assign
        self._output_of = output_of
        self._names_matching = names_matching
        self._positional = positional

    def fields(self, words: Iterable[Word]) -> list[str]:
        """The arguments that the words make."""
        found: list[str] = []
        for word in words:
            for field in self._split(word):
                found.extend(self._file_names(field))
        return found

    def text(self, word: Word) -> str:
        """The word as one text, without splitting: an assignment, a redirection, a here document."""
        return "".join(piece.text for part in word for piece in self._pieces(part))

    def pattern(self, word: Word) -> str:
        """The word as a pattern in which quoted characters stand for themselves."""
        return "".join(
            _escape(piece.text) if piece.quoted else piece.text for part in word for piece in self._pieces(part)
        )

    def _split(self, word: Word) -> list[list[_Piece]]:
        """Fields, each a list of pieces: unquoted expansions are cut at white space."""
        fields: list[list[_Piece]] = [[]]
        for position, part in enumerate(word):
            if isinstance(part, Parameter) and part.name == "@" and part.quoted and not part.op:
                for index, argument in enumerate(self._positional()):
                    fields.extend([[]] if index else [])
                    fields[-1].append(_Piece(argument, quoted=True))
                continue
            for piece in self._pieces(part):
                if piece.quoted or isinstance(part, Literal):
                    fields[-1].append(_tilde(piece) if position == 0 else piece)
                    continue
                chunks = re.split(r"[ \t\n]+", piece.text)
                fields[-1].extend([_Piece(chunks[0], quoted=False)] if chunks[0] else [])
                for chunk in chunks[1:]:
                    fields.append([_Piece(chunk, quoted=False)] if chunk else [])
        return [field for field in fields if field]

    def _file_names(self, field: list[_Piece]) -> list[str]:
        plain = "".join(piece.text for piece in field)
        if not any(not piece.quoted and _GLOB & set(piece.text) for piece in field):
            return [plain]
        pattern = "".join(_escape(piece.text) if piece.quoted else piece.text for piece in field)
        return self._names_matching(pattern) or [plain]

    def _pieces(self, part: Part) -> list[_Piece]:
        match part:
            case Literal(text, quoted):
                return [_Piece(text, quoted)]
            case Parameter():
                return self._parameter(part)
            case Substitution(script, quoted):
                return [_Piece(self._output_of(script).rstrip("\n"), quoted)]
            case Arithmetic(expression, quoted):
                return [_Piece(str(evaluate(expression, lambda name: self._value_of(name) or "")), quoted)]

    def _parameter(self, part: Parameter) -> list[_Piece]:
        value = " ".join(self._positional()) if part.name in {"@", "*"} else self._value_of(part.name)
        if part.op == "length":
            return [_Piece(str(len(value or "")), part.quoted)]
        if part.op in {"%", "%%", "#", "##", "/", "//"}:
            return [_Piece(self._trimmed(value or "", part), part.quoted)]
        missing = value is None or (part.op.startswith(":") and value == "")
        match part.op.lstrip(":"):
            case "-" if missing:
                return [piece for inner in part.word for piece in self._pieces(inner)]
            case "=" if missing:
                value = self.text(part.word)
                self._assign(part.name, value)
            case "+":
                return [] if missing else [piece for inner in part.word for piece in self._pieces(inner)]
            case "?" if missing:
                raise ParameterFault(f"{part.name}: {self.text(part.word) or 'parameter null or not set'}")
        return [_Piece(value or "", part.quoted)]

    def _trimmed(self, value: str, part: Parameter) -> str:
        pattern = self.pattern(part.word)
        if part.op in {"/", "//"}:
            old, _, new = pattern.partition("/")
            return re.sub(glob_regex(old), lambda _: new, value, count=0 if part.op == "//" else 1) if old else value
        matches = re.compile(glob_regex(pattern)).fullmatch
        shortest_first = part.op in {"%", "#"}
        sizes = range(len(value) + 1) if shortest_first else range(len(value), -1, -1)
        for size in sizes:
            if part.op.startswith("%"):
                if matches(value, len(value) - size):
                    return value[: len(value) - size]
            elif matches(value, 0, size):
                return value[size:]
        return value


def _tilde(piece: _Piece) -> _Piece:
    if not piece.quoted and (piece.text == "~" or piece.text.startswith("~/")):
        return _Piece("/" + piece.text[2:], quoted=False)
    return piece


def _escape(text: str) -> str:
    return re.sub(r"([*?\[\]\\])", r"\\\1", text)


@lru_cache(maxsize=256)
def glob_regex(pattern: str) -> str:
    """A regular expression for a shell pattern; `\\` before a character makes it stand for itself."""
    out: list[str] = ["(?s:"]
    at = 0
    while at < len(pattern):
        character = pattern[at]
        at += 1
        if character == "*":
            if out[-1] != ".*":  # two stars say no more than one, and would be slow to match
                out.append(".*")
        elif character == "?":
            out.append(".")
        elif character == "\\" and at < len(pattern):
            out.append(re.escape(pattern[at]))
            at += 1
        elif character == "[" and (end := pattern.find("]", at + 1)) > 0:
            body = re.sub(r"([&|~\[\\^])", r"\\\1", pattern[at:end]).replace("--", r"\--")
            out.append("[" + ("^" + body[1:] if body.startswith("!") else body) + "]")
            at = end + 1
        else:
            out.append(re.escape(character))
    compiled = "".join(out) + ")"
    try:
        re.compile(compiled)
    except re.error:  # `[z-a]`
        return re.escape(pattern)
    return compiled

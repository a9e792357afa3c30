"""The values a shell line is made of: words with their quoting, commands, lists, loops.

Says what was written, nothing about what it does: reading is `parser`, doing is `interpreter`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = [
    "AndOr",
    "Arithmetic",
    "Assignment",
    "Case",
    "Command",
    "For",
    "Group",
    "If",
    "Item",
    "Literal",
    "Loop",
    "Parameter",
    "Part",
    "Pipeline",
    "Redirect",
    "RedirectOp",
    "Script",
    "Simple",
    "Substitution",
    "Word",
]


@dataclass(frozen=True, slots=True)
class Literal:
    """Text as it stands; `quoted` text is neither split nor expanded to file names."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """`$name` or `${name<op><word>}`, for instance `${file%.png}` or `${x:-none}`; `op` "length" is `${#name}`."""

    name: str
    quoted: bool = False
    op: str = ""
    word: Word = ()


@dataclass(frozen=True, slots=True)
class Substitution:
    """`$(…)` or back quotes."""

    script: Script
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`$((…))`."""

    expression: str
    quoted: bool = False


Part = Literal | Parameter | Substitution | Arithmetic
Word = tuple[Part, ...]


class RedirectOp(StrEnum):
    """What a redirection does with its descriptor."""

    READ = "<"
    WRITE = ">"
    APPEND = ">>"
    DUPLICATE = ">&"
    TEXT = "<<"


@dataclass(frozen=True, slots=True)
class Redirect:
    """`2>/dev/null`, `>>log`, `2>&1`; for TEXT the target is the text itself."""

    fd: int
    op: RedirectOp
    target: Word


@dataclass(frozen=True, slots=True)
class Assignment:
    """`NAME=value`, before a command or alone."""

    name: str
    value: Word


@dataclass(frozen=True, slots=True)
class Simple:
    """A command with its arguments."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """`( … )` with variables of its own, or `{ …; }` without."""

    script: Script
    subshell: bool
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class If:
    """`if … then … elif … else … fi`."""

    branches: tuple[tuple[Script, Script], ...]
    otherwise: Script | None
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """`for name in words; do … done`."""

    name: str
    words: tuple[Word, ...]
    body: Script
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Loop:
    """`while` or `until`."""

    condition: Script
    body: Script
    until: bool
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """`case word in pattern|pattern) … ;; esac`."""

    word: Word
    items: tuple[tuple[tuple[Word, ...], Script], ...]
    redirects: tuple[Redirect, ...] = ()


Command = Simple | Group | If | For | Loop | Case


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands joined by `|`; `!` before them turns the status round."""

    commands: tuple[Command, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class AndOr:
    """Pipelines joined by `&&` and `||`."""

    first: Pipeline
    rest: tuple[tuple[str, Pipeline], ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list, with `&` behind it or not."""

    list: AndOr
    background: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """A list of commands."""

    items: tuple[Item, ...] = ()

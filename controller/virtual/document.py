"""YAML with places: a value and where in which file it stands.

Owns reading one document and saying exactly what is wrong with it. What the values mean is for `apps`. Scalars stay
text until a caller asks for a number, so that `否`, `on` and `1.0` mean what the author wrote.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import NoReturn, TypeVar

import yaml

from controller.errors import DocumentError

__all__ = ["Place", "parse", "require"]

_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_YES, _NO = frozenset({"true", "yes", "on"}), frozenset({"false", "no", "off"})

T = TypeVar("T")


def parse(text: str, path: str, problems: list[DocumentError] | None = None) -> Place:
    """The document in `text`; `path` is what messages call it.

    With `problems` reading goes on behind a part that is wrong, and what is wrong is added to them (`Place.attempt`).

    Raises:
        DocumentError: It is no YAML, or empty.
    """
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as err:
        mark = err.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        raise _problem(path, line, column, f"not valid YAML: {err.problem or err}") from err
    except yaml.YAMLError as err:
        raise _problem(path, 1, 1, f"not valid YAML: {err}") from err
    if node is None:
        raise _problem(path, 1, 1, "the file is empty")
    return Place(path, node, problems)


class Place:
    """One value of a document and its position."""

    __slots__ = ("node", "path", "problems")

    def __init__(self, path: str, node: yaml.Node, problems: list[DocumentError] | None = None) -> None:
        self.path = path
        self.node = node
        self.problems = problems

    @property
    def line(self) -> int:
        """Line, from 1."""
        return int(self.node.start_mark.line) + 1

    @property
    def column(self) -> int:
        """Column, from 1."""
        return int(self.node.start_mark.column) + 1

    @property
    def is_mapping(self) -> bool:
        """Whether it is `key: value` pairs."""
        return isinstance(self.node, yaml.MappingNode)

    @property
    def is_list(self) -> bool:
        """Whether it is a list."""
        return isinstance(self.node, yaml.SequenceNode)

    @property
    def is_text(self) -> bool:
        """Whether it is one scalar."""
        return isinstance(self.node, yaml.ScalarNode)

    def fail(self, message: str, *, hint: str = "") -> NoReturn:
        """Say what is wrong here.

        Raises:
            DocumentError: Always.
        """
        raise _problem(self.path, self.line, self.column, message, hint=hint)

    def items(self) -> list[tuple[Place, Place]]:
        """The pairs of a mapping in their order, those of `<<` first."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fail(f"expected `key: value` pairs, found {self._found()}")
        pairs: list[tuple[Place, Place]] = []
        for key, value in self.node.value:
            if key.value == "<<":
                pairs += self._at(value).items()
            else:
                pairs.append((self._at(key), self._at(value)))
        return pairs

    def fields(self, known: Iterable[str] | None = None) -> dict[str, Place]:
        """The pairs as a dictionary; with `known` an unknown key is an error.

        Raises:
            DocumentError: No mapping, an unknown key, a key that stands there twice.
        """
        allowed = None if known is None else frozenset(known)
        found: dict[str, Place] = {}
        own: set[str] = set()
        merged = {id(key.node) for key, _ in self.items()} - {id(key) for key, _ in self.node.value}
        for key, value in self.items():
            name = key.text()
            if allowed is not None and name not in allowed:
                near = difflib.get_close_matches(name, allowed, 1)
                key.fail(f"unknown key `{name}`", hint=f"did you mean `{near[0]}`?" if near else _listing(allowed))
            if name in own:
                key.fail(f"`{name}` stands here twice")
            if id(key.node) not in merged:
                own.add(name)
            found[name] = value
        return found

    def entries(self) -> list[Place]:
        """The elements of a list.

        Raises:
            DocumentError: It is none.
        """
        if not isinstance(self.node, yaml.SequenceNode):
            self.fail(f"expected a list, found {self._found()}")
        return [self._at(node) for node in self.node.value]

    def many(self) -> list[Place]:
        """The elements of a list, or the value itself as the only one."""
        return self.entries() if self.is_list else [self]

    def text(self) -> str:
        """The scalar as the author wrote it.

        Raises:
            DocumentError: It is none.
        """
        if not isinstance(self.node, yaml.ScalarNode):
            self.fail(f"expected a text, found {self._found()}")
        return "" if self.node.tag.endswith(":null") else str(self.node.value)

    def number(self, *, least: float | None = None) -> float:
        """The scalar as a number.

        Raises:
            DocumentError: It is none, or less than `least`.
        """
        try:
            number = float(self.text())
        except ValueError:
            self.fail(f"expected a number, found `{self.text()}`")
        if least is not None and number < least:
            self.fail(f"expected at least {least:g}, found {number:g}")
        return number

    def integer(self, *, least: int | None = None) -> int:
        """The scalar as a whole number.

        Raises:
            DocumentError: It is none, or less than `least`.
        """
        number = self.number(least=least)
        if number != int(number):
            self.fail(f"expected a whole number, found {number:g}")
        return int(number)

    def boolean(self) -> bool:
        """`true` or `false`.

        Raises:
            DocumentError: It is neither.
        """
        word = self.text().lower()
        if word not in _YES | _NO:
            self.fail(f"expected true or false, found `{self.text()}`")
        return word in _YES

    def choice(self, options: Iterable[str]) -> str:
        """The scalar where it is one of the options.

        Raises:
            DocumentError: It is not.
        """
        word = self.text()
        allowed = tuple(options)
        if word not in allowed:
            near = difflib.get_close_matches(word, allowed, 1)
            self.fail(f"`{word}` is not one of {', '.join(allowed)}", hint=f"did you mean `{near[0]}`?" if near else "")
        return word

    def texts(self) -> dict[str, str]:
        """A mapping of texts."""
        return {key: value.text() for key, value in self.fields().items()}

    def attempt(self, read: Callable[[], T]) -> T | None:
        """What `read` makes of this part; None where it is wrong and the document collects its problems.

        Raises:
            DocumentError: It is wrong, and the document does not.
        """
        try:
            return read()
        except DocumentError as problem:
            if self.problems is None:
                raise
            self.problems.append(problem)
            return None

    def convert(self, make: Callable[[], T]) -> T:
        """What `make` returns; its ValueError becomes an error at this place."""
        try:
            return make()
        except ValueError as err:
            self.fail(str(err))

    def _at(self, node: yaml.Node) -> Place:
        return Place(self.path, node, self.problems)

    def _found(self) -> str:
        return "pairs" if self.is_mapping else "a list" if self.is_list else f"`{self.node.value}`"


def require(fields: Mapping[str, Place], name: str, owner: Place) -> Place:
    """The field `name`.

    Raises:
        DocumentError: It is missing.
    """
    if name not in fields:
        owner.fail(f"`{name}` is missing")
    return fields[name]


def _listing(names: Iterable[str]) -> str:
    return "known keys: " + ", ".join(sorted(names))


def _problem(path: str, line: int, column: int, message: str, *, hint: str = "") -> DocumentError:
    return DocumentError(f"{path}:{line}:{column}: {message}", hint=hint, path=path, line=line, column=column)

"""What the values of a flow may be: scalars by kind, lists, mappings with their keys, selectors, conditions.

Pure. A shape reads a YAML node into a `Value` of `model` and says what is wrong with it; which command has which
shape is said in `commands`. Every scalar is read as the text that stands in the file, so `0123` and `no` stay what
they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import yaml
from rapidfuzz import fuzz, process

from controller.flow.expressions import ExpressionError, parse_template
from controller.flow.model import Block, Finding, Leaf, Place, StepSpec, Value
from controller.screen.selectors import TRAITS, Selector

__all__ = [
    "CONDITION",
    "DURATION",
    "MILLISECONDS",
    "PATH",
    "POINT",
    "SELECTOR",
    "SELECTOR_FIELDS",
    "TEXT",
    "TRUTH",
    "WHOLE",
    "Commands",
    "Condition",
    "Field",
    "Keys",
    "Later",
    "ListOf",
    "MapOf",
    "Only",
    "Reader",
    "Scalar",
    "ScreenPoint",
    "Shape",
    "choice",
    "described",
    "is_missing",
    "nearest",
    "read_scalar",
]


class Reader(Protocol):
    """What a shape needs of the parser."""

    findings: list[Finding]

    def error(self, node: yaml.Node, code: str, message: str, fix: str = "", *, index: int | None = None) -> None:
        """Write down what is wrong at `node`, or at its `index`-th expression."""
        ...

    def place(self, node: yaml.Node) -> Place:
        """Where the node stands."""
        ...

    def holes(self, node: yaml.Node) -> tuple[Place, ...]:
        """Where each `${` of a scalar stands."""
        ...

    def commands(self, node: yaml.Node) -> tuple[StepSpec, ...]:
        """A list of commands."""
        ...


class Shape(Protocol):
    """Reads one kind of value."""

    @property
    def what(self) -> str:
        """The value in words: `a number`, `a selector`."""
        ...

    def read(self, node: yaml.Node, reader: Reader) -> Value | None:
        """The value, or None when an error was written down."""
        ...


# ---------------------------------------------------------------------------------------------------------- scalars


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar that becomes a value through `convert`, which raises ValueError on anything else."""

    what: str
    convert: Callable[[str], Any]

    def read(self, node: yaml.Node, reader: Reader) -> Leaf | None:
        leaf = read_scalar(node, reader, self.what, self.convert)
        if leaf is None or not leaf.template.constant:
            return leaf
        try:
            self.convert(leaf.template.render({}))
        except ValueError as err:
            reader.error(node, "wrong_value", str(err))
            return None
        return leaf


def read_scalar(node: yaml.Node, reader: Reader, what: str, convert: Callable[[str], Any]) -> Leaf | None:
    """The scalar as a template that is converted when it is filled."""
    if is_missing(node):
        reader.error(node, "missing_value", f"here {what} is missing")
        return None
    if not isinstance(node, yaml.ScalarNode):
        reader.error(node, "wrong_type", f"this has to be {what}, and is {described(node)}")
        return None
    try:
        template = parse_template(node.value)
        return Leaf(template, convert, reader.place(node), () if template.constant else reader.holes(node))
    except ExpressionError as err:
        reader.error(node, "invalid_expression", err.message, err.fix, index=err.index)
        return None


def is_missing(node: yaml.Node) -> bool:
    """Whether nothing at all is written there: `tapOn:`; `""` is a text."""
    return isinstance(node, yaml.ScalarNode) and node.value == "" and node.style is None


def described(node: yaml.Node) -> str:
    """The node's type in words."""
    match node:
        case yaml.SequenceNode():
            return "a list"
        case yaml.MappingNode():
            return "a mapping"
        case yaml.ScalarNode():
            return f"`{node.value[:40]}`" if node.value else "empty"
    return "something else"


def _text(text: str) -> str:
    return text


def _truth(text: str) -> bool:
    if (word := text.strip().casefold()) in {"true", "false"}:
        return word == "true"
    raise ValueError(f"`{text}` is not true or false")


def _whole(text: str) -> int:
    if re.fullmatch(r"-?\d{1,9}", text.strip()):
        return int(text)
    raise ValueError(f"`{text}` is not a whole number")


def _milliseconds(text: str) -> float:
    """`20000` → 20.0; Maestro also takes `20_000`."""
    if re.fullmatch(r"\d{1,4}(_?\d{3})*|\d{1,9}", text.strip()):
        return int(text) / 1000
    raise ValueError(f"`{text}` is not a number of milliseconds")


def _duration(text: str) -> float:
    """`2s`, `500ms`, `1.5 s`, `1m` → seconds. A number alone could be either, so it is refused."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|m)", text.strip())
    if found is None:
        raise ValueError(f"`{text}` is not a duration: write 2s, 500ms or 1m")
    seconds = float(found[1]) * {"ms": 0.001, "s": 1.0, "m": 60.0}[found[2]]
    if seconds > 3600:
        raise ValueError(f"`{text}` is longer than an hour")
    return seconds


@dataclass(frozen=True, slots=True)
class ScreenPoint:
    """A point: percent of the screen (or of an element), or pixels of the screen."""

    x: float
    y: float
    percent: bool


def _point(text: str) -> ScreenPoint:
    """`50%,30%` or `100,200`."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)(%?)\s*,\s*(\d+(?:\.\d+)?)(%?)\s*", text)
    if found is None or found[2] != found[4]:
        raise ValueError(f"`{text}` is not a point: write 50%,30% or 100,200")
    point = ScreenPoint(float(found[1]), float(found[3]), percent=found[2] == "%")
    if point.percent and not (point.x <= 100 and point.y <= 100):
        raise ValueError(f"`{text}` lies outside: each is between 0% and 100%")
    return point


TEXT = Scalar("a text", _text)
PATH = Scalar("a path", _text)
TRUTH = Scalar("true or false", _truth)
WHOLE = Scalar("a whole number", _whole)
MILLISECONDS = Scalar("a number of milliseconds", _milliseconds)
DURATION = Scalar("a duration (2s, 500ms, 1m)", _duration)
POINT = Scalar("a point (50%,30% or 100,200)", _point)


def choice(*words: str) -> Scalar:
    """One of the words, in any case; the value is the word as it is given here."""

    def convert(text: str) -> str:
        found = {word.casefold(): word for word in words}.get(text.strip().casefold())
        if found is None:
            raise ValueError(f"`{text}` is not one of {', '.join(words)}")
        return found

    return Scalar(f"one of {', '.join(words)}", convert)


@dataclass(frozen=True, slots=True)
class Only:
    """A scalar of which only one value has a meaning here: `clearKeychain: false`."""

    allowed: str
    why: str

    @property
    def what(self) -> str:
        return f"`{self.allowed}`"

    def read(self, node: yaml.Node, reader: Reader) -> None:
        if not isinstance(node, yaml.ScalarNode) or node.value.casefold() != self.allowed:
            reader.error(node, "not_supported", self.why)


@dataclass(frozen=True, slots=True)
class Later:
    """A key that Maestro knows and that is not written here yet."""

    why: str = "not supported yet"

    @property
    def what(self) -> str:
        return self.why

    def read(self, node: yaml.Node, reader: Reader) -> None:
        reader.error(node, "not_supported", self.why)


# ---------------------------------------------------------------------------------------------------------- collections


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list; a single value counts as a list of one."""

    item: Shape

    @property
    def what(self) -> str:
        return f"a list of {self.item.what}"

    def read(self, node: yaml.Node, reader: Reader) -> tuple[Value, ...]:
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        values = [self.item.read(item, reader) for item in nodes]
        return tuple(value for value in values if value is not None)


@dataclass(frozen=True, slots=True)
class MapOf:
    """A mapping whose keys the author chooses: `env`."""

    item: Shape
    key: str = r".+"

    @property
    def what(self) -> str:
        return f"a mapping of names to {self.item.what}"

    def read(self, node: yaml.Node, reader: Reader) -> Mapping[str, Value] | None:
        if not isinstance(node, yaml.MappingNode):
            reader.error(node, "wrong_type", f"this has to be {self.what}, and is {described(node)}")
            return None
        values: dict[str, Value] = {}
        for key, value_node in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if not re.fullmatch(self.key, name):
                reader.error(key, "wrong_value", f"`{name}` cannot be a name here")
            elif (value := self.item.read(value_node, reader)) is not None:
                values[name] = value
        return values


@dataclass(frozen=True, slots=True)
class Commands:
    """A list of commands."""

    what: str = "a list of commands"

    def read(self, node: yaml.Node, reader: Reader) -> tuple[StepSpec, ...] | None:
        if not isinstance(node, yaml.SequenceNode):
            reader.error(node, "wrong_type", f"this has to be {self.what}, and is {described(node)}")
            return None
        return reader.commands(node)


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a mapping: the shape of its value, and the parameter's name where it is not the key in snake case."""

    shape: Shape
    name: str = ""
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Keys:
    """A mapping with known keys.

    Args:
        what: The value in words.
        fields: Its keys.
        build: Makes the value of what was filled; raises ValueError when the parts do not fit.
        shorthand: The key that a bare scalar stands for.
        rule: What must hold of the set of keys that are there; answers with what is wrong, or "".
    """

    what: str
    fields: Mapping[str, Field]
    build: Callable[..., Any] = dict
    shorthand: str | None = None
    rule: Callable[[frozenset[str]], str] = field(default=lambda _: "")

    def read(self, node: yaml.Node, reader: Reader) -> Block | None:
        before = len(reader.findings)
        values = self.read_values(node, reader)
        return (
            None if values is None or len(reader.findings) > before else Block(values, self.build, reader.place(node))
        )

    def read_values(self, node: yaml.Node, reader: Reader, *, aside: Iterable[str] = ()) -> dict[str, Value] | None:
        """The values by parameter name; keys named in `aside` are left to the caller."""
        if self.shorthand is not None and not isinstance(node, yaml.MappingNode):
            field_ = self.fields[self.shorthand]
            value = field_.shape.read(node, reader)
            return None if value is None else {_name(self.shorthand, field_): value}
        if not isinstance(node, yaml.MappingNode):
            reader.error(node, "wrong_type", f"this has to be {self.what}, and is {described(node)}")
            return None
        return self._read_mapping(node, reader, frozenset(aside))

    def _read_mapping(self, node: yaml.MappingNode, reader: Reader, aside: frozenset[str]) -> dict[str, Value]:
        values: dict[str, Value] = {}
        present: set[str] = set()
        for key, value_node in node.value:
            word = key.value if isinstance(key, yaml.ScalarNode) else described(key)
            if word in aside:
                continue
            if word not in self.fields:
                what = self.what.removeprefix("a text or ")
                reader.error(key, "unknown_key", f"`{word}` is not a key of {what}", self._known(word, aside))
                continue
            present.add(word)
            value = self.fields[word].shape.read(value_node, reader)
            if value is not None:
                values[_name(word, self.fields[word])] = value
        for word, field_ in self.fields.items():
            if field_.needed and word not in present:
                reader.error(node, "missing_key", f"`{word}` is missing: {field_.shape.what}")
        if wrong := self.rule(frozenset(present)):
            reader.error(node, "wrong_keys", wrong)
        return values

    def _known(self, word: str, aside: frozenset[str]) -> str:
        known = [*self.fields, *aside]
        near = nearest(word, known)
        return f"did you mean `{near}`?" if near else f"known are {', '.join(known)}"


def _name(key: str, field_: Field) -> str:
    """`leftOf` → `left_of`."""
    return field_.name or re.sub(r"(?<=[a-z])([A-Z])", r"_\1", key).lower()


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is meant most probably, or None when none is near."""
    lowered = {other.casefold(): other for other in known}
    found = process.extractOne(word.casefold(), lowered.keys(), scorer=fuzz.ratio, score_cutoff=65)
    return lowered[found[0]] if found else None


# ---------------------------------------------------------------------------------------------------------- selectors


@dataclass(frozen=True, slots=True)
class _Selector:
    """A selector inside a selector; looked up when it is read, since the two contain each other."""

    what: str = "a text or a selector"

    def read(self, node: yaml.Node, reader: Reader) -> Block | None:
        return SELECTOR.read(node, reader)


def _index(text: str) -> int:
    """Maestro also takes `0.0`, which comes of a computed index."""
    return _whole(re.sub(r"\.0+$", "", text.strip()))


def _traits(text: str) -> str:
    for trait in text.split():
        if trait not in TRAITS:
            raise ValueError(f"`{trait}` is not one of {', '.join(TRAITS)}")
    return text


def _names_something(present: frozenset[str]) -> str:
    said = present - {"index", "tolerance"}
    return "" if said else f"a selector needs more than {' and '.join(sorted(present)) or 'nothing'}: text, id …"


SELECTOR_FIELDS: dict[str, Field] = {
    "text": Field(TEXT),
    "id": Field(TEXT),
    "index": Field(Scalar("a whole number", _index)),
    "enabled": Field(TRUTH),
    "checked": Field(TRUTH),
    "focused": Field(TRUTH),
    "selected": Field(TRUTH),
    "width": Field(WHOLE),
    "height": Field(WHOLE),
    "tolerance": Field(WHOLE),
    "traits": Field(Scalar("traits (text, long-text, square)", _traits)),
    "below": Field(_Selector()),
    "above": Field(_Selector()),
    "leftOf": Field(_Selector()),
    "rightOf": Field(_Selector()),
    "containsChild": Field(_Selector()),
    "childOf": Field(_Selector()),
    "containsDescendants": Field(ListOf(_Selector())),
}
SELECTOR = Keys("a text or a selector", SELECTOR_FIELDS, Selector, shorthand="text", rule=_names_something)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """`when` or `while`, filled; all parts must hold."""

    visible: Selector | None = None
    not_visible: Selector | None = None
    platform: str | None = None
    true: str | None = None
    label: str | None = None
    optional: bool = False


CONDITION = Keys(
    "a condition (visible, notVisible, platform, true)",
    {
        "visible": Field(SELECTOR),
        "notVisible": Field(SELECTOR),
        "platform": Field(choice("Android", "iOS", "Web")),
        "true": Field(TEXT),
        "label": Field(TEXT),
        "optional": Field(TRUTH),
    },
    Condition,
    rule=lambda present: "" if present - {"label", "optional"} else "a condition needs visible, notVisible or true",
)

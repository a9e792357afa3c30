"""`${…}` in the texts of a flow: names, defaults, comparisons of literals, and nothing more.

Pure, and not a programming language: there is no call, no arithmetic, no JavaScript, no `eval`. What is put in place
of an expression is never looked at again.

    Hello ${USER || "you"}      name with a default
    ${LANG == "zh" && !GUEST}   comparison, for `when: {true: …}`
    costs \\${5}                 literal ${5}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

__all__ = ["ExpressionError", "Template", "UnsetVariable", "parse_template", "truthy"]

Value = str | float | bool | None

MAX_DEPTH = 30
OPENING = re.compile(r"\\?\$\{")
TOKEN = re.compile(
    r"""\s*(?:
    (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<number>-?\d+(?:\.\d+)?)
    |(?P<name>[A-Za-z_]\w*(?:\.\w+)*)
    |(?P<sign>===|!==|==|!=|<=|>=|\|\||&&|[<>!()}])
    )""",
    re.VERBOSE | re.DOTALL,
)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
WORDS: dict[str, Value] = {"true": True, "false": False, "null": None, "undefined": None}
# Names that exist only where Maestro runs JavaScript.
SCRIPT_NAMES = frozenset({"output", "maestro", "http", "json", "faker", "process", "console", "Math", "JSON", "Date"})
NO_SCRIPT = (
    'use ${NAME}, ${NAME || "default"}, ==, !=, !, && or ||; anything else is computed outside and given with -e'
)


class ExpressionError(ValueError):
    """A text with an expression that cannot be read.

    Args:
        message: What is wrong.
        index: Which `${` of the text it is, from 0.
        fix: What to write instead.
    """

    def __init__(self, message: str, *, index: int, fix: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.index = index
        self.fix = fix


class UnsetVariable(KeyError):
    """A name that has no value and no default.

    Args:
        name: The variable.
        index: Which `${` of the text it is, from 0.
    """

    def __init__(self, name: str, *, index: int = 0) -> None:
        super().__init__(name)
        self.name = name
        self.index = index


@dataclass(frozen=True, slots=True)
class Literal:
    """A string, number, true, false or null."""

    value: Value


@dataclass(frozen=True, slots=True)
class Name:
    """A variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Not:
    """`!operand`."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands and a comparison, `&&` or `||`."""

    sign: str
    left: Expression
    right: Expression


Expression = Literal | Name | Not | Binary


@dataclass(frozen=True, slots=True)
class Hole:
    """A place in a text where a value is put in; `index` says which `${` of the text it is."""

    expression: Expression
    index: int

    def filled(self, variables: Mapping[str, str]) -> str:
        """The text that is put in."""
        try:
            return _text(_value(self.expression, variables))
        except UnsetVariable as err:
            raise UnsetVariable(err.name, index=self.index) from None


@dataclass(frozen=True, slots=True)
class Template:
    """A text, cut into what stands there and what is put in."""

    parts: tuple[str | Hole, ...]

    @property
    def constant(self) -> bool:
        """Whether it is the same text whatever the variables are."""
        return all(isinstance(part, str) for part in self.parts)

    def render(self, variables: Mapping[str, str]) -> str:
        """The text.

        Raises:
            UnsetVariable: A name has neither a value nor a default.
        """
        return "".join(part if isinstance(part, str) else part.filled(variables) for part in self.parts)


def parse_template(text: str) -> Template:
    r"""The text as a template; `\${` is a literal `${`.

    Raises:
        ExpressionError: One of its expressions cannot be read.
    """
    parts: list[str | Hole] = []
    position = index = 0
    while opening := OPENING.search(text, position):
        parts.append(text[position : opening.start()])
        if opening[0].startswith("\\"):
            parts.append("${")
            position = opening.end()
        else:
            reader = _Reader(text, opening.end(), index)
            parts.append(Hole(reader.expression(), index))
            position = reader.position
        index += 1
    parts.append(text[position:])
    return Template(tuple(part for part in parts if part != ""))


def truthy(text: str) -> bool:
    """Whether a text means yes where a condition is asked, as Maestro judges it."""
    if text.strip().casefold() in {"", "false", "undefined", "null"}:
        return False
    number = _number(text)
    return number is None or number != 0


class _Reader:
    """Recursive descent over one expression, up to its `}`."""

    def __init__(self, text: str, position: int, index: int) -> None:
        self.position = position
        self._index = index
        self._tokens = self._scan(text)
        self._kind, self._token = next(self._tokens)

    def expression(self) -> Expression:
        if self._token == "}":
            raise self._error("`${}` is empty", r"name a variable, or write `\${}` for the text itself")
        read = self._either(0)
        if self._token != "}":
            raise self._error(f"`{self._token}` cannot follow here", NO_SCRIPT)
        return read

    def _either(self, depth: int) -> Expression:
        left = self._both(depth)
        while self._token == "||":
            self._advance()
            left = Binary("||", left, self._both(depth))
        return left

    def _both(self, depth: int) -> Expression:
        left = self._comparison(depth)
        while self._token == "&&":
            self._advance()
            left = Binary("&&", left, self._comparison(depth))
        return left

    def _comparison(self, depth: int) -> Expression:
        left = self._operand(depth)
        sign = {"===": "==", "!==": "!="}.get(self._token, self._token)
        if self._kind != "sign" or sign not in COMPARISONS:
            return left
        self._advance()
        return Binary(sign, left, self._operand(depth))

    def _operand(self, depth: int) -> Expression:
        if depth > MAX_DEPTH:
            raise self._error("the expression is nested too deeply", NO_SCRIPT)
        kind, token = self._kind, self._token
        if token == "}":
            raise self._error("the expression ends where a value is missing", NO_SCRIPT)
        self._advance()
        match kind:
            case "string":
                return Literal(re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), token[1:-1], flags=re.DOTALL))
            case "number":
                return Literal(float(token))
            case "name":
                return self._name(token)
        if token == "!":
            return Not(self._operand(depth + 1))
        if token == "(":
            inner = self._either(depth + 1)
            if self._token != ")":
                raise self._error("`(` without `)`", NO_SCRIPT)
            self._advance()
            return inner
        raise self._error(f"`{token}` cannot stand here", NO_SCRIPT)

    def _name(self, token: str) -> Expression:
        if token in WORDS:
            return Literal(WORDS[token])
        first, _, rest = token.partition(".")
        if self._token == "(" or (rest and token != "maestro.platform") or (not rest and first in SCRIPT_NAMES):
            raise self._error(f"`{token}` needs JavaScript, which flows do not run here", NO_SCRIPT)
        return Name(token)

    def _advance(self) -> None:
        self._kind, self._token = next(self._tokens)

    def _scan(self, text: str) -> Iterator[tuple[str, str]]:
        while True:
            found = TOKEN.match(text, self.position)
            if found is None:
                rest = text[self.position :].strip()
                if not rest:
                    raise self._error("`${` without `}`", r"close it, or write `\${` for the text itself")
                raise self._error(f"`{rest[0]}` is not part of an expression", NO_SCRIPT)
            self.position = found.end()
            kind = found.lastgroup or ""
            yield kind, found[kind]

    def _error(self, message: str, fix: str) -> ExpressionError:
        return ExpressionError(message, index=self._index, fix=fix)


def _value(expression: Expression, variables: Mapping[str, str], *, lenient: bool = False) -> Value:
    match expression:
        case Literal(value):
            return value
        case Name(name):
            if name not in variables and not lenient:
                raise UnsetVariable(name)
            return variables.get(name)
        case Not(operand):
            return not _true(_value(operand, variables))
        case Binary("||", left, right):
            value = _value(left, variables, lenient=True)
            return value if _true(value) else _value(right, variables, lenient=lenient)
        case Binary("&&", left, right):
            value = _value(left, variables, lenient=lenient)
            return _value(right, variables, lenient=lenient) if _true(value) else value
        case Binary(sign, left, right):
            return _compare(sign, _value(left, variables), _value(right, variables))


def _compare(sign: str, left: Value, right: Value) -> bool:
    if sign in {"==", "!="}:
        return _same(left, right) == (sign == "==")
    first, second = _number(left), _number(right)
    if first is None or second is None:
        return False
    return {"<": first < second, "<=": first <= second, ">": first > second, ">=": first >= second}[sign]


def _same(left: Value, right: Value) -> bool:
    """Equality of a text and a literal: `"3" == 3` and `"true" == true`, since every variable is a text."""
    if isinstance(left, bool) or isinstance(right, bool) or left is None or right is None:
        return _text(left) == _text(right)
    if isinstance(left, float) or isinstance(right, float):
        return _number(left) is not None and _number(left) == _number(right)
    return left == right


def _true(value: Value) -> bool:
    return truthy(value) if isinstance(value, str) else bool(value)


def _number(value: Value) -> float | None:
    if isinstance(value, str):
        return float(value) if re.fullmatch(r"\s*-?\d+(\.\d+)?\s*", value) else None
    return None if value is None or isinstance(value, bool) else value


def _text(value: Value) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float():
            return str(int(value)) if value.is_integer() else repr(value)
        case str():
            return value

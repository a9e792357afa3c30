"""The integer arithmetic of the shell's `$((…))` and of apps: C's precedence, names standing for variables."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

__all__ = ["ArithmeticFault", "evaluate"]

_TOKEN = re.compile(r"\s*(0[xX][0-9a-fA-F]+|\d+|[A-Za-z_]\w*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%()<>!~&|^])")
_LIMIT = 1 << 63
_MAX_PARENTHESES = 20
_MAX_DIGITS = 30  # more than 64 bits hold; Python refuses to read endless ones

_LEVELS: tuple[dict[str, Callable[[int, int], int]], ...] = (
    {"||": lambda a, b: int(bool(a or b))},
    {"&&": lambda a, b: int(bool(a and b))},
    {"|": operator.or_},
    {"^": operator.xor},
    {"&": operator.and_},
    {"==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b)},
    {
        "<": lambda a, b: int(a < b),
        ">": lambda a, b: int(a > b),
        "<=": lambda a, b: int(a <= b),
        ">=": lambda a, b: int(a >= b),
    },
    {"<<": lambda a, b: a << (b & 63), ">>": lambda a, b: a >> (b & 63)},
    {"+": operator.add, "-": operator.sub},
    {
        "*": operator.mul,
        "/": lambda a, b: int(_divide(a, b)),
        "%": lambda a, b: a - b * int(_divide(a, b)),
    },
)


class ArithmeticFault(Exception):
    """The expression cannot be read or divides by zero; the text is mksh's."""


def evaluate(expression: str, value_of: Callable[[str], str]) -> int:
    """The value of `expression`; `value_of` gives the text of a variable, empty where it is unset.

    Raises:
        ArithmeticFault: it is no expression, or it divides by zero.
    """
    tokens = _tokens(expression)
    if not tokens:
        return 0
    reader = _Reader(expression, tokens, value_of)
    value = reader.level(0)
    if reader.tokens:
        raise reader.fault()
    return value


def _divide(a: int, b: int) -> int:
    if b == 0:
        raise ArithmeticFault("divisor is zero")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _tokens(expression: str) -> list[str]:
    tokens: list[str] = []
    at = 0
    text = expression.replace("$", "").rstrip()  # `$((i+1))` and `$(($i+1))` are the same
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ArithmeticFault(f"{expression}: unexpected '{text[at:].strip()[:1]}'")
        tokens.append(match.group(1))
        at = match.end()
    if tokens.count("(") > _MAX_PARENTHESES:
        raise ArithmeticFault(f"{expression}: nested too deeply")
    return tokens


class _Reader:
    """Precedence climbing over a list of tokens."""

    def __init__(self, expression: str, tokens: list[str], value_of: Callable[[str], str]) -> None:
        self._expression = expression
        self.tokens = tokens
        self._value_of = value_of

    def fault(self) -> ArithmeticFault:
        """What mksh says of the token that stands here."""
        return ArithmeticFault(
            f"{self._expression}: unexpected '{self.tokens[0] if self.tokens else 'end of expression'}'"
        )

    def level(self, depth: int) -> int:
        """The value of what binds at least as strongly as level `depth`."""
        if depth == len(_LEVELS):
            return self._unary()
        value = self.level(depth + 1)
        while self.tokens and self.tokens[0] in _LEVELS[depth]:
            apply = _LEVELS[depth][self.tokens.pop(0)]
            value = _wrap(apply(value, self.level(depth + 1)))
        return value

    def _unary(self) -> int:
        if not self.tokens:
            raise self.fault()
        signs: list[str] = []
        while self.tokens and self.tokens[0] in {"-", "+", "!", "~"}:
            signs.append(self.tokens.pop(0))
        value = self._atom()
        for sign in reversed(signs):
            value = {"-": -value, "+": value, "!": int(not value), "~": ~value}[sign]
        return value

    def _atom(self) -> int:
        if not self.tokens:
            raise self.fault()
        token = self.tokens.pop(0)
        if token == "(":
            value = self.level(0)
            if not self.tokens or self.tokens.pop(0) != ")":
                raise self.fault()
            return value
        if token[0].isdigit():
            return _wrap(_integer(token))
        if token[0].isalpha() or token[0] == "_":
            return _wrap(_integer(self._value_of(token)))
        self.tokens.insert(0, token)
        raise self.fault()


def _integer(text: str) -> int:
    """A number as the shell reads it; what is no number is 0."""
    match = re.fullmatch(r"\s*(-?)(0[xX][0-9a-fA-F]+|\d+)\s*", text)
    if match is None:
        return 0
    hexadecimal = match[2].lower().startswith("0x")
    digits = match[2].lower().removeprefix("0x")[-_MAX_DIGITS:]
    value = int(digits, 16 if hexadecimal else 10)
    return -value if match[1] else value


def _wrap(value: int) -> int:
    return (value + _LIMIT) % (2 * _LIMIT) - _LIMIT

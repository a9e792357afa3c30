"""`sed`: addresses and the commands s, p, d, q, a, i, c, y, = and blocks of them, one line at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass

from controller.virtual.shell.core import Call, command
from controller.virtual.shell.regex import compiled, lines_of, posix_regex

__all__: list[str] = []

_SIMPLE = "pdqDPn="


@dataclass(frozen=True, slots=True)
class _Address:
    """A line number, `$` (last) or a pattern."""

    number: int = 0
    last: bool = False
    pattern: re.Pattern[str] | None = None

    def matches(self, number: int, line: str, *, is_last: bool) -> bool:
        if self.pattern is not None:
            return bool(self.pattern.search(line))
        return is_last if self.last else number == self.number


@dataclass(frozen=True, slots=True)
class _Step:
    """One command with the lines it is for."""

    name: str
    start: _Address | None = None
    end: _Address | None = None
    negated: bool = False
    pattern: re.Pattern[str] | None = None
    text: str = ""
    flags: str = ""


@command("sed")
def sed(call: Call) -> int:
    """`sed [-nEri] [-e script] [script] [file…]`."""
    args, scripts, flags, names = list(call.args), [], "", []
    while args:
        argument = args.pop(0)
        if argument in {"-e", "-f"}:
            scripts.append(args.pop(0) if args else "")
        elif argument.startswith("-") and len(argument) > 1:
            flags += argument[1:]
        else:
            names.append(argument)
    if not scripts and not names:
        return call.fail("no pattern")
    text = "\n".join(scripts) if scripts else names.pop(0)
    try:
        steps = _Reader(text, extended="E" in flags or "r" in flags).steps()
    except ValueError as fault:
        return call.fail(str(fault))
    if "i" not in flags:
        content, code = call.text_of(names)
        call.out(_run(steps, content, quiet="n" in flags))
        return code
    code = 0
    for name in names:
        content, missing = call.text_of([name])
        code = code or missing
        if not missing:
            call.shell.write_file(name, _run(steps, content, quiet="n" in flags))
    return code


def _run(steps: list[_Step], content: bytes, *, quiet: bool) -> bytes:
    lines = lines_of(content)
    out: list[str] = []
    inside: set[int] = set()
    for number, line in enumerate(lines, 1):
        is_last, deleted, after, stop = number == len(lines), False, "", False
        for index, step in enumerate(steps):
            if not _applies(index, step, number, line, inside, is_last=is_last):
                continue
            match step.name:
                case "s" if step.pattern is not None:
                    line, count = step.pattern.subn(
                        lambda m, step=step: _replacement(m, step.text), line, count=0 if "g" in step.flags else 1
                    )
                    if count and "p" in step.flags:
                        out.append(line)
                case "y":
                    line = line.translate(str.maketrans(*step.text.split("\0")))
                case "p":
                    out.append(line)
                case "=":
                    out.append(str(number))
                case "d":
                    deleted = True
                case "c":
                    out.append(step.text)
                    deleted = True
                case "i":
                    out.append(step.text)
                case "a":
                    after += step.text + "\n"
                case "q":
                    stop = True
            if deleted or stop:
                break
        if not quiet and not deleted:
            out.append(line)
        out.extend(after.splitlines())
        if stop:
            break
    return "".join(line + "\n" for line in out).encode("utf-8", "surrogateescape")


def _applies(index: int, step: _Step, number: int, line: str, inside: set[int], *, is_last: bool) -> bool:
    if step.start is None:
        return not step.negated
    if step.end is None:
        return step.start.matches(number, line, is_last=is_last) != step.negated
    if index in inside:
        if step.end.matches(number, line, is_last=is_last) or 0 < step.end.number <= number:
            inside.discard(index)
        return not step.negated
    if step.start.matches(number, line, is_last=is_last):
        if not 0 < step.end.number <= number:
            inside.add(index)
        return not step.negated
    return step.negated


def _replacement(match: re.Match[str], text: str) -> str:
    def one(token: re.Match[str]) -> str:
        piece = token.group()
        if piece == "&":
            return match.group()
        if piece[1].isdecimal():
            group = int(piece[1])
            return (match.group(group) or "") if group <= (match.re.groups) else ""
        return {"n": "\n", "t": "\t"}.get(piece[1], piece[1])

    return re.sub(r"&|\\(.)", one, text, flags=re.DOTALL)


class _Reader:
    """Reads a sed script."""

    def __init__(self, text: str, *, extended: bool) -> None:
        self._text = text
        self._at = 0
        self._extended = extended

    def steps(self) -> list[_Step]:
        found: list[_Step] = []
        opened: list[tuple[_Address | None, _Address | None, bool]] = []
        while True:
            self._skip(" \t\n;")
            if self._at >= len(self._text):
                return found
            if self._peek() == "}":
                self._at += 1
                if not opened:
                    raise self._fault()
                opened.pop()
                continue
            start, end, negated = self._addresses()
            if self._peek() == "{":
                self._at += 1
                opened.append((start, end, negated))
                continue
            if start is None and opened:
                start, end, negated = opened[-1]
            found.append(self._step(start, end, negated=negated))

    def _addresses(self) -> tuple[_Address | None, _Address | None, bool]:
        start = self._address()
        end = None
        self._skip(" ")
        if start is not None and self._peek() == ",":
            self._at += 1
            self._skip(" ")
            end = self._address()
        self._skip(" ")
        negated = self._peek() == "!"
        self._at += int(negated)
        self._skip(" ")
        return start, end, negated

    def _address(self) -> _Address | None:
        number = re.compile(r"\d{1,9}").match(self._text, self._at)
        if number is not None:
            self._at = number.end()
            return _Address(number=int(number.group()))
        if self._peek() == "$":
            self._at += 1
            return _Address(last=True)
        if self._peek() == "/":
            self._at += 1
            return _Address(pattern=compiled(posix_regex(self._until("/"), extended=self._extended)))
        return None

    def _step(self, start: _Address | None, end: _Address | None, *, negated: bool) -> _Step:
        name = self._peek()
        self._at += 1
        if name in _SIMPLE and name:
            return _Step(name, start, end, negated)
        if name in {"a", "i", "c"}:
            line_end = self._text.find("\n", self._at)
            stop = len(self._text) if line_end < 0 else line_end
            text = self._text[self._at : stop].lstrip().removeprefix("\\").lstrip()
            self._at = stop
            return _Step(name, start, end, negated, text=text)
        if name in {"s", "y"}:
            delimiter = self._peek()
            self._at += 1
            if not delimiter or delimiter in "\n\\":
                raise self._fault()
            old, new = self._until(delimiter), self._until(delimiter)
            if name == "y":
                if len(old) != len(new):
                    raise ValueError("y strings different lengths")
                return _Step(name, start, end, negated, text=f"{old}\0{new}")
            flags = re.compile(r"[gpiI0-9]*").match(self._text, self._at)
            found = flags.group() if flags else ""
            self._at += len(found)
            pattern = compiled(posix_regex(old, extended=self._extended), ignore_case="i" in found.lower())
            return _Step(name, start, end, negated, pattern, new, found)
        raise self._fault()

    def _until(self, delimiter: str) -> str:
        """The text up to the delimiter, which `\\` before it makes an ordinary character."""
        out: list[str] = []
        while self._at < len(self._text):
            character = self._text[self._at]
            self._at += 1
            if character == delimiter:
                return "".join(out)
            if character == "\\" and self._at < len(self._text):
                following = self._text[self._at]
                self._at += 1
                out.append(following if following == delimiter else "\\" + following)
            else:
                out.append(character)
        raise self._fault()

    def _peek(self) -> str:
        return self._text[self._at] if self._at < len(self._text) else ""

    def _skip(self, characters: str) -> None:
        while self._peek() and self._peek() in characters:
            self._at += 1

    def _fault(self) -> ValueError:
        return ValueError(f"bad pattern '{self._text}'@{self._at} ({self._peek()})")

"""`grep` in its three names, with toybox's options."""

from __future__ import annotations

import re

from controller.virtual.shell.core import Call, command
from controller.virtual.shell.regex import compiled, lines_of, posix_regex

__all__: list[str] = []


@command("grep", "egrep", "fgrep")
def grep(call: Call) -> int:
    """`grep [-EFivcnoqwxhHlsrL] [-m N] [-A N] [-B N] [-C N] [-e PATTERN] pattern [file…]`."""
    try:
        options = _GrepOptions(call)
        matches = options.matcher()
    except ValueError as fault:
        return call.fail(str(fault), 2)
    found, failed = False, False
    for name in options.names or ["-"]:
        content, code = call.text_of([name])
        failed = failed or code != 0
        prefix = f"{name}:" if options.show_name else ""
        found = _grep_one(call, options, matches, content, prefix, name) or found
    return 0 if found and (options.has("q") or not failed) else 2 if failed else int(not found)


class _GrepOptions:
    """The arguments of one grep."""

    def __init__(self, call: Call) -> None:
        self.flags: set[str] = {"egrep": {"E"}, "fgrep": {"F"}}.get(call.name, set())
        self.patterns: list[str] = []
        self.limit = self.before = self.after = 0
        self.names: list[str] = []
        args = list(call.args)
        while args:
            argument = args.pop(0)
            if argument == "--":
                self.names.extend(args)
                break
            if argument.startswith("--"):
                self.flags.add({"--line-buffered": "_", "--color": "_"}.get(argument.partition("=")[0], "_"))
            elif argument.startswith("-") and len(argument) > 1:
                self._read_flags(argument[1:], args)
            else:
                self.names.append(argument)
        if not self.patterns:
            if not self.names:
                raise ValueError("no REGEX")
            self.patterns = [self.names.pop(0)]
        self.patterns = [line for pattern in self.patterns for line in pattern.split("\n")]
        self.show_name = (len(self.names) > 1 and not self.has("h")) or self.has("H")

    def has(self, flag: str) -> bool:
        return flag in self.flags

    def _read_flags(self, letters: str, args: list[str]) -> None:
        for index, letter in enumerate(letters):
            if letter in "efmABC":
                value = letters[index + 1 :] or (args.pop(0) if args else "")
                if letter == "e":
                    self.patterns.append(value)
                else:
                    self._read_number(letter, value)
                return
            if letter.isdigit():
                self.before = self.after = int(letters[index:][:4])
                return
            self.flags.add(letter)

    def _read_number(self, letter: str, value: str) -> None:
        if not re.fullmatch(r"\d{1,9}", value):
            raise ValueError(f"bad number '{value}'")
        number = int(value)
        if letter == "m":
            self.limit = number
        self.after = number if letter in "AC" else self.after
        self.before = number if letter in "BC" else self.before

    def matcher(self) -> re.Pattern[str]:
        """One regular expression for all patterns."""
        parts = []
        for pattern in self.patterns:
            text = re.escape(pattern) if self.has("F") else posix_regex(pattern, extended=self.has("E"))
            parts.append(rf"\b(?:{text})\b" if self.has("w") else f"(?:{text})")
        whole = "|".join(parts)
        return compiled(f"^(?:{whole})$" if self.has("x") else whole, ignore_case=self.has("i"))


def _grep_one(
    call: Call, options: _GrepOptions, matches: re.Pattern[str], content: bytes, prefix: str, name: str
) -> bool:
    lines = lines_of(content)
    hits = [index for index, line in enumerate(lines) if bool(matches.search(line)) != options.has("v")]
    hits = hits[: options.limit] if options.limit else hits
    if options.has("q"):
        return bool(hits)
    if options.has("c"):
        call.line(f"{prefix}{len(hits)}")
    elif options.has("l"):
        call.lines([name] if hits else [])
    elif options.has("o"):
        for index in hits:
            number = f"{index + 1}:" if options.has("n") else ""
            call.lines([prefix + number + match.group() for match in matches.finditer(lines[index]) if match.group()])
    else:
        _print_with_context(call, options, lines, hits, prefix)
    return bool(hits)


def _print_with_context(call: Call, options: _GrepOptions, lines: list[str], hits: list[int], prefix: str) -> None:
    shown: set[int] = set()
    for hit in hits:
        shown.update(range(max(0, hit - options.before), min(len(lines), hit + options.after + 1)))
    previous = -1
    for index in sorted(shown):
        if previous >= 0 and index > previous + 1 and (options.before or options.after):
            call.line("--")
        separator = ":" if index in hits else "-"
        number = f"{index + 1}{separator}" if options.has("n") else ""
        call.line(prefix.replace(":", separator) + number + lines[index])
        previous = index

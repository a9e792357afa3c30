"""Filters over lines of text, as toybox has them: head, tail, wc, sort, uniq, cut, tr, tee, base64 and the like."""

from __future__ import annotations

import base64 as base64_codec
import binascii
import re
from collections.abc import Callable

from controller.virtual.shell.basic import unescape
from controller.virtual.shell.core import Call, command
from controller.virtual.shell.regex import compiled, lines_of, posix_regex, split_keeping

__all__: list[str] = []


@command("head")
def head(call: Call) -> int:
    """`head [-n N] [-c N] [-N] [file…]`."""
    return _cut_ends(call, _first_rows, _first_bytes)


@command("tail")
def tail(call: Call) -> int:
    """`tail [-n N] [-c N] [-N] [-f] [file…]`."""
    return _cut_ends(call, _last_rows, _last_bytes)


def _cut_ends(
    call: Call, by_line: Callable[[bytes, int, bool], bytes], by_byte: Callable[[bytes, int, bool], bytes]
) -> int:
    args, count, cut, from_start = list(call.args), 10, by_line, False
    while args and re.match(r"[-+]\S", args[0]):
        flag = args.pop(0)
        if flag in {"-f", "-F", "-q", "-v"}:
            continue
        number = flag.lstrip("-").lstrip("nc") or (args.pop(0) if args else "")
        cut = by_byte if flag.startswith("-c") else by_line
        from_start = number.startswith("+")
        match = re.fullmatch(r"([-+]?)(\d{1,12})([kKmM]?)", number)
        if match is None:
            return call.fail(f"not integer: {number}")
        count = int(match[2]) * {"": 1, "k": 1024, "m": 1 << 20}[match[3].lower()]
        if match[1] == "-" and call.name == "head":
            count = -count
    content, code = call.text_of(args)
    call.out(cut(content, count, from_start))
    return code


def _first_rows(content: bytes, count: int, _: bool) -> bytes:
    return b"".join(split_keeping(content)[:count])


def _last_rows(content: bytes, count: int, from_start: bool) -> bytes:
    lines = split_keeping(content)
    if from_start:
        return b"".join(lines[max(0, count - 1) :])
    return b"".join(lines[-count:]) if count else b""


def _first_bytes(content: bytes, count: int, _: bool) -> bytes:
    return content[:count]


def _last_bytes(content: bytes, count: int, from_start: bool) -> bytes:
    if from_start:
        return content[max(0, count - 1) :]
    return content[-count:] if count else b""


@command("wc")
def wc(call: Call) -> int:
    """`wc [-lwcm] [file…]`."""
    flags, names = call.flags("lwcm")
    totals, code = [0, 0, 0], 0
    for name in names or [""]:
        content, fault = call.text_of([name] if name else [])
        code = code or fault
        counts = [content.count(b"\n"), len(content.split()), len(content)]
        if "m" in flags:
            counts[2] = len(content.decode("utf-8", "replace"))
        totals = [a + b for a, b in zip(totals, counts, strict=True)]
        _print_counts(call, flags, counts, name)
    if len(names) > 1:
        _print_counts(call, flags, totals, "total")
    return code


def _print_counts(call: Call, flags: set[str], counts: list[int], name: str) -> None:
    shown = [count for count, letter in zip(counts, ("l", "w", "c"), strict=True) if not flags or letter in flags]
    if "m" in flags and "c" not in flags:
        shown.append(counts[2])
    text = str(shown[0]) if len(shown) == 1 else " ".join(f"{count:7d}" for count in shown)
    call.line(f"{text} {name}" if name else text)


@command("sort")
def sort(call: Call) -> int:
    """`sort [-rnufV] [-k N] [-t C] [file…]`."""
    args, flags, key, separator, names = list(call.args), "", 0, None, []
    while args:
        argument = args.pop(0)
        if argument.startswith("-k"):
            spec = argument[2:] or (args.pop(0) if args else "")
            match = re.match(r"\d{1,4}", spec)
            key = int(match.group()) if match else 0
            flags += "".join(letter for letter in spec if letter in "nr")
        elif argument.startswith("-t"):
            separator = argument[2:] or (args.pop(0) if args else " ")
        elif argument.startswith("-") and len(argument) > 1:
            flags += argument[1:]
        else:
            names.append(argument)
    content, code = call.text_of(names)

    def rank(line: str) -> tuple[float, str]:
        fields = line.split(separator or None)
        text = line if not key else fields[key - 1] if key <= len(fields) else ""
        text = text.lower() if "f" in flags else text
        number = re.match(r"\s*-?\d{1,15}(\.\d{1,15})?", text)
        return (float(number.group()) if number else 0.0, text) if "n" in flags else (0.0, text)

    lines = sorted(lines_of(content), key=rank, reverse="r" in flags)
    call.lines(list(dict.fromkeys(lines)) if "u" in flags else lines)
    return code


@command("uniq")
def uniq(call: Call) -> int:
    """`uniq [-cdui] [file]`."""
    flags, names = call.flags("cdui")
    content, code = call.text_of(names[:1])
    runs: list[tuple[str, int]] = []
    for line in lines_of(content):
        if runs and (runs[-1][0] == line or ("i" in flags and runs[-1][0].lower() == line.lower())):
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((line, 1))
    for line, count in runs:
        if ("d" in flags and count == 1) or ("u" in flags and count > 1):
            continue
        call.line(f"{count:7d} {line}" if "c" in flags else line)
    return code


@command("cut")
def cut(call: Call) -> int:
    """`cut -d C -f LIST`, `cut -c LIST` [file…]."""
    args, names, kind, wanted, delimiter, only = list(call.args), [], "", "", "\t", False
    while args:
        argument = args.pop(0)
        if re.match(r"-[dfcb]", argument):
            value = argument[2:] or (args.pop(0) if args else "")
            if argument[1] == "d":
                delimiter = value or "\t"
            else:
                kind, wanted = argument[1], value
        elif argument == "-s":
            only = True
        else:
            names.append(argument)
    if not kind or not re.fullmatch(r"[\d,-]+", wanted):
        return call.fail("Needs -fFcb" if not kind else f"bad -{kind} '{wanted}'")
    content, code = call.text_of(names)
    for line in lines_of(content):
        if kind == "f":
            if delimiter in line:
                call.line(delimiter.join(_chosen(line.split(delimiter), wanted)))
            elif not only:
                call.line(line)
        else:
            call.line("".join(_chosen(list(line), wanted)))
    return code


def _chosen(items: list[str], wanted: str) -> list[str]:
    chosen: set[int] = set()
    for one in wanted.split(","):
        start, dash, end = one.partition("-")
        first = int(start[:9]) if start.isdecimal() else 1
        last = first if not dash else int(end[:9]) if end.isdecimal() else len(items)
        chosen.update(range(first, min(last, len(items)) + 1))
    return [item for index, item in enumerate(items, 1) if index in chosen]


@command("tr")
def tr(call: Call) -> int:
    """`tr [-ds] SET1 [SET2]`."""
    flags, sets = call.flags("dsc")
    if not sets or (len(sets) < 2 and not flags & {"d", "s"}):
        return call.fail(f"Needs {1 if flags & {'d', 's'} else 2} argument{'' if flags & {'d', 's'} else 's'}")
    first, second = _character_set(sets[0]), _character_set(sets[1]) if len(sets) > 1 else ""
    text = call.stdin.read().decode("utf-8", "surrogateescape")
    others = "c" in flags
    if "d" in flags:
        text = "".join(c for c in text if (c in first) == others)
    elif second:
        padded = second + second[-1] * max(0, len(first) - len(second))
        table = dict(zip(first, padded, strict=False))
        text = "".join(table.get(c, c) if not others else c if c in first else second[-1] for c in text)
    if "s" in flags:
        squeezed = second or first
        text = re.sub(r"(.)\1+", lambda m: m[1] if m[1] in squeezed else m.group(), text, flags=re.DOTALL)
    call.out(text)
    return 0


def _character_set(text: str) -> str:
    named = {"[:upper:]": "A-Z", "[:lower:]": "a-z", "[:digit:]": "0-9", "[:space:]": " \t\n\r\f\v"}
    for name, members in named.items():
        text = text.replace(name, members)
    text = unescape(text)
    return re.sub(
        r"(.)-(.)",
        lambda m: "".join(chr(code) for code in range(ord(m[1]), min(ord(m[2]), ord(m[1]) + 512) + 1)),
        text,
        flags=re.DOTALL,
    )


@command("tee")
def tee(call: Call) -> int:
    """`tee [-a] file…`."""
    flags, names = call.flags("a")
    content = call.stdin.read()
    call.out(content)
    faults = [(name, call.shell.write_file(name, content, append="a" in flags)) for name in names]
    for name, fault in faults:
        if fault is not None:
            call.err(f"tee: {name}: {fault}")
    return int(any(fault is not None for _, fault in faults))


@command("base64")
def base64(call: Call) -> int:
    """`base64 [-d] [-w N] [file]`."""
    args, width = list(call.args), 76
    decode = "-d" in args
    if "-w" in args and args.index("-w") + 1 < len(args):
        value = args.pop(args.index("-w") + 1)
        width = int(value) if re.fullmatch(r"\d{1,6}", value) else 76
    content, code = call.text_of([name for name in args if name not in {"-d", "-w", "-i"}])
    if decode:
        try:
            call.out(base64_codec.b64decode(content))
        except binascii.Error:
            return call.fail("bad character")
        return code
    encoded = base64_codec.b64encode(content)
    step = width or max(1, len(encoded))
    call.lines([encoded[at : at + step].decode() for at in range(0, len(encoded), step)])
    return code


@command("tac", "rev", "nl")
def reorder(call: Call) -> int:
    """`tac`, `rev`, `nl` [file…]."""
    content, code = call.text_of([name for name in call.args if not name.startswith("-")])
    lines = lines_of(content)
    if call.name == "tac":
        lines.reverse()
    elif call.name == "rev":
        lines = [line[::-1] for line in lines]
    else:
        lines = [f"{number:6d}\t{line}" for number, line in enumerate(lines, 1)]
    call.lines(lines)
    return code


@command("seq")
def seq(call: Call) -> int:
    """`seq [first [step]] last`."""
    numbers = call.args[:3]
    if not numbers or not all(re.fullmatch(r"-?\d{1,9}", number) for number in numbers):
        return call.fail("Needs 1 argument" if not numbers else "bad number")
    values = [int(number) for number in numbers]
    first = values[0] if len(values) > 1 else 1
    step = values[1] if len(values) == 3 else 1
    last = values[-1]
    if step == 0:
        return call.fail("zero increment")
    call.lines([str(number) for number in range(first, last + (1 if step > 0 else -1), step)[:100_000]])
    return 0


@command("awk")
def awk(call: Call) -> int:
    """`awk [-F C] '[/pattern/] {print $1, $NF}' [file…]`: printing fields, which is what it is used for over adb."""
    args, separator = list(call.args), None
    while args and args[0].startswith("-F"):
        flag = args.pop(0)
        separator = flag[2:] or (args.pop(0) if args else None)
    program = re.fullmatch(r"\s*(?:/(.*)/)?\s*(?:\{\s*print\s*(.*?);?\s*\})?\s*", args[0]) if args else None
    if program is None:
        return call.fail("syntax error at source line 1", 2)
    try:
        pattern = compiled(posix_regex(program[1], extended=True)) if program[1] else None
    except ValueError as fault:
        return call.fail(str(fault), 2)
    content, code = call.text_of(args[1:])
    for number, line in enumerate(lines_of(content), 1):
        if pattern is None or pattern.search(line):
            call.line(_awk_print(program[2] or "$0", line, line.split(separator), number))
    return code


def _awk_print(expression: str, line: str, fields: list[str], number: int) -> str:
    def value(token: re.Match[str]) -> str:
        text = token.group()
        if text.startswith('"'):
            return unescape(text[1:-1])
        if text == ",":
            return " "
        if text == "NR":
            return str(number)
        if text == "NF":
            return str(len(fields))
        index = len(fields) if text == "$NF" else int(text[1:5])
        return line if index == 0 else fields[index - 1] if index <= len(fields) else ""

    tokens = re.finditer(r'"(?:[^"\\]|\\.)*"|\$NF|\$\d+|NR|NF|,', expression)
    return "".join(value(token) for token in tokens)


@command("hexdump", "xxd", "od")
def xxd(call: Call) -> int:
    """`xxd [-p] [file]`: sixteen bytes a line."""
    plain = "-p" in call.args
    content, code = call.text_of([name for name in call.args if not name.startswith("-")])
    if plain:
        call.lines([content[at : at + 30].hex() for at in range(0, len(content), 30)])
        return code
    for at in range(0, len(content), 16):
        chunk = content[at : at + 16]
        pairs = " ".join(chunk[i : i + 2].hex() for i in range(0, len(chunk), 2))
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in chunk)
        call.line(f"{at:08x}: {pairs:<39}  {shown}")
    return code

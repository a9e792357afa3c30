"""What the shell itself does: echo, printf, test, variables, jumps, and the commands that run other commands."""

from __future__ import annotations

import re
from collections.abc import Callable

from controller.virtual.shell.core import COMMANDS, Call, Input, Streams, command
from controller.virtual.shell.interpreter import ExitShell, LoopControl

__all__: list[str] = []

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}
_ESCAPE = re.compile(r"\\(?:0([0-7]{0,3})|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|(.))", re.DOTALL)
_DIRECTIVE = re.compile(r"%([-+ #0]*)(\d*|\*)(?:\.(\d*|\*))?([diouxXcsbfeEgG%])")
_MAX_WIDTH = 10_000


@command(":", "true")
def true(call: Call) -> int:
    """`true`."""
    del call
    return 0


@command("false")
def false(call: Call) -> int:
    """`false`."""
    del call
    return 1


@command("echo")
def echo(call: Call) -> int:
    """`echo [-neE] text…`: mksh's echo reads escapes unless `-E` stands there."""
    args, newline, escapes = list(call.args), "\n", True
    while args and re.fullmatch(r"-[neE]+", args[0]):
        flags = args.pop(0)
        newline = "" if "n" in flags else newline
        escapes = "E" not in flags if "e" in flags or "E" in flags else escapes
    text = " ".join(args)
    if escapes:
        text, _, cut = unescape(text).partition("\\c")
        newline = "" if cut else newline
    call.out(text + newline)
    return 0


@command("printf")
def printf(call: Call) -> int:
    """`printf format [argument…]`, the format used again while arguments are left."""
    if not call.args:
        return call.fail("Needs 1 argument")
    form, args = call.args[0], call.args[1:]
    out, rest = _formatted(form, args)
    while rest and len(rest) < len(args):
        args = rest
        more, rest = _formatted(form, args)
        out += more
    call.out(out)
    return 0


@command("test", "[")
def test(call: Call) -> int:
    """`test expression`, `[ expression ]`."""
    args = list(call.args)
    if call.name == "[" and (not args or args.pop() != "]"):
        call.shell.complain("[: missing ]")
        return 2
    try:
        return 0 if _Test(call, args).value() else 1
    except ValueError as fault:
        call.shell.complain(f"{call.name}: {fault}")
        return 2


@command("[[")
def double_test(call: Call) -> int | None:
    """`[[ expression ]]`, read like `[`."""
    call.args = [*call.args[:-1], "]"] if call.args and call.args[-1] == "]]" else call.args
    call.name = "["
    return test(call)


@command("cd")
def cd(call: Call) -> int:
    """`cd [folder]`."""
    target = call.path(call.args[0] if call.args else "/")
    if not call.phone.files.exists(target):
        call.shell.complain(f"cd: {call.args[0]}: No such file or directory")
        return 2
    if not call.phone.files.is_dir(target):
        call.shell.complain(f"cd: {call.args[0]}: Not a directory")
        return 2
    call.shell.cwd = call.phone.files.resolve(target)
    return 0


@command("pwd")
def pwd(call: Call) -> int:
    """`pwd`."""
    call.line(call.shell.cwd)
    return 0


@command("export", "readonly", "local", "typeset", "declare")
def export(call: Call) -> int:
    """`export NAME[=value]…`; without arguments the exported variables."""
    if not call.args or call.args == ["-p"]:
        call.lines([f"{name}={value}" for name, value in sorted(call.environment.items())])
    for argument in call.args:
        name, equals, value = argument.partition("=")
        if equals:
            call.shell.variables[name] = value
        call.shell.exported.add(name)
    return 0


@command("unset")
def unset(call: Call) -> int:
    """`unset NAME…`."""
    for name in call.args:
        call.shell.variables.pop(name, None)
    return 0


@command("set")
def set_(call: Call) -> int:
    """`set [--] arguments`; options such as `-e` and `-x` are taken and change nothing."""
    args = list(call.args)
    if not args:
        call.lines([f"{name}={value}" for name, value in sorted(call.shell.variables.items())])
        return 0
    while args and args[0][:1] in {"-", "+"}:
        if args.pop(0) == "--":
            call.shell.arguments[1:] = args
            return 0
    if args:
        call.shell.arguments[1:] = args
    return 0


@command("shift")
def shift(call: Call) -> int:
    """`shift [n]`."""
    count = int(call.args[0]) if call.args and call.args[0].isdecimal() else 1
    if count >= len(call.shell.arguments):
        call.shell.complain("shift: nothing to shift")
        return 1
    del call.shell.arguments[1 : 1 + count]
    return 0


@command("read")
def read(call: Call) -> int:
    """`read [-r] NAME…`: one line of standard input, the last name takes the rest."""
    names = [name for name in call.args if not name.startswith("-")] or ["REPLY"]
    line = call.stdin.read_line()
    if line is None:
        return 1
    words = line.decode("utf-8", "surrogateescape").strip().split(None, len(names) - 1)
    for index, name in enumerate(names):
        call.shell.variables[name] = words[index] if index < len(words) else ""
    return 0


@command("exit", "return")
def exit_(call: Call) -> int:
    """`exit [code]`."""
    code = call.args[0] if call.args else str(call.shell.status)
    if not re.fullmatch(r"-?\d{1,9}", code):
        call.shell.complain(f"exit: {code}: bad number")
        raise ExitShell(1)
    raise ExitShell(int(code) & 255)


@command("break", "continue")
def leave_loop(call: Call) -> int:
    """`break [n]`, `continue [n]`."""
    depth = int(call.args[0]) if call.args and re.fullmatch(r"[1-9]\d{0,3}", call.args[0]) else 1
    raise LoopControl(call.name, depth)


@command("eval")
def eval_(call: Call) -> int:
    """`eval words`: the words as one line of this shell."""
    return _in_child(call, " ".join(call.args), keep=True)


@command("sh", "mksh")
def sh(call: Call) -> int:
    """`sh -c line [name arguments…]`, `sh file [arguments…]`, `sh` with the script on standard input."""
    args = list(call.args)
    while args and args[0] in {"-", "-e", "-x", "-l", "-i", "-s"}:
        args.pop(0)
    if not args:
        return _in_child(call, call.stdin.read().decode("utf-8", "surrogateescape"))
    if args[0] in {"-c", "-ec", "-lc"}:
        return _in_child(call, args[1], args[2:] or None) if len(args) > 1 else call.fail("-c: requires an argument")
    content = call.shell.read_file(args[0])
    if isinstance(content, str):
        call.shell.complain(f"{args[0]}: {content}")
        return 127
    return _in_child(call, content.decode("utf-8", "surrogateescape"), args)


@command(".", "source")
def source(call: Call) -> int:
    """`. file`: its lines as if they stood here."""
    content = call.shell.read_file(call.args[0]) if call.args else "missing argument"
    if isinstance(content, str):
        call.shell.complain(f".: {call.args[0] if call.args else ''}: {content}")
        return 1
    return _in_child(call, content.decode("utf-8", "surrogateescape"), keep=True)


@command("exec", "command", "builtin", "nohup", "nice", "ionice", "setsid", "stdbuf", "toybox", "toolbox", "time")
def run_other(call: Call) -> int:
    """Commands whose arguments are a command: `toybox md5sum file`, `nohup app_process …`."""
    args = list(call.args)
    if call.name == "command" and args and args[0] in {"-v", "-V"}:
        return _which(call, args[1:])
    while args and args[0].startswith("-"):
        args.pop(0)
    if not args:
        if call.name == "toybox":
            call.line(" ".join(sorted(name for name in COMMANDS if name.isalnum())))
        return 0
    if call.name == "toybox" and args[0] not in COMMANDS:
        return call.fail(f"Unknown command {args[0]}", 127)
    code = call.run(args)
    if call.name == "exec":
        raise ExitShell(code)
    return code


@command("timeout")
def timeout(call: Call) -> int:
    """`timeout [-k D] [-s SIG] seconds command…`; the command always ends in time."""
    args = list(call.args)
    while args and args[0].startswith("-"):
        del args[: 2 if args[0] in {"-k", "-s"} else 1]
    if len(args) < 2:
        return call.fail("Need 2 arguments")
    return call.run(args[1:])


@command("env", "printenv")
def env(call: Call) -> int:
    """`env [NAME=value…] [command…]`."""
    args, environment = list(call.args), dict(call.environment)
    while args and re.match(r"[A-Za-z_]\w*=", args[0]):
        name, _, value = args.pop(0).partition("=")
        environment[name] = value
    if call.name == "printenv" and args:
        known = [environment[name] for name in args if name in environment]
        call.lines(known)
        return 0 if len(known) == len(args) else 1
    if args:
        return call.shell.run_command(args, Streams(call.stdin, call.stdout, call.stderr), environment)
    call.lines([f"{name}={value}" for name, value in environment.items()])
    return 0


@command("which", "type")
def which(call: Call) -> int:
    """`which name…`."""
    return _which(call, [name for name in call.args if not name.startswith("-")])


@command("xargs")
def xargs(call: Call) -> int:
    """`xargs [-0] [-n N] [-I R] [command…]`."""
    args, size, replace, separator = list(call.args), 0, "", None
    while args and args[0].startswith("-"):
        flag = args.pop(0)
        if flag == "-0":
            separator = "\0"
        elif flag in {"-n", "-L", "-P"} and args:
            size = int(args.pop(0)) if args[0].isdecimal() else 0
        elif flag == "-I" and args:
            replace = args.pop(0)
    text = call.stdin.read().decode("utf-8", "surrogateescape")
    items = [item for item in text.split(separator or ("\n" if replace else None)) if item]
    base = args or ["echo"]
    if replace:
        runs = [[word.replace(replace, item.strip()) for word in base] for item in items]
    else:
        step = size or max(1, len(items))
        runs = [base + items[at : at + step] for at in range(0, len(items), step)] or [base]
    codes = [call.run(one, Input()) for one in runs[:1000]]
    return 123 if any(codes) else 0


@command("sleep", "usleep")
def sleep(call: Call) -> int:
    """`sleep seconds`."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d*)?|\.\d+)([smhd]?)", call.args[0]) if call.args else None
    if match is None:
        return call.fail("Needs 1 argument" if not call.args else f"bad seconds '{call.args[0]}'")
    unit = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}[match[2]]
    call.shell.take(float(match[1]) * (unit if call.name == "sleep" else 1e-6))
    call.shell.settle()
    return 0


@command("wait", "trap", "umask", "ulimit", "alias", "hash", "sync", "wait-for-device", "renice")
def accepted(call: Call) -> int:
    """Commands that are taken and change nothing here."""
    if call.name == "umask" and not call.args:
        call.line("0077")
    return 0


def unescape(text: str) -> str:
    """`\\n`, `\\x41`, `\\0101` as the characters they name; an unknown escape stays."""

    def one(match: re.Match[str]) -> str:
        octal, hexadecimal, plain_octal, letter = match.groups()
        if hexadecimal:
            return chr(int(hexadecimal, 16))
        if octal is not None or plain_octal:
            return chr(int(octal or plain_octal or "0", 8) & 255)
        return _ESCAPES.get(letter, match.group())

    return _ESCAPE.sub(one, text)


def _in_child(call: Call, text: str, arguments: list[str] | None = None, *, keep: bool = False) -> int:
    shell = call.shell.child(arguments)
    if keep:
        shell.variables = call.shell.variables
    code = shell.run_text(text, Streams(call.stdin, call.stdout, call.stderr))
    if keep:
        call.shell.cwd = shell.cwd
    return code


def _which(call: Call, names: list[str]) -> int:
    missing = [name for name in names if name not in COMMANDS or name == "["]
    call.lines([f"/system/bin/{name}" for name in names if name not in missing])
    return 1 if missing else 0


def _formatted(form: str, args: list[str]) -> tuple[str, list[str]]:
    """One pass of printf over its arguments, and those that are left."""
    rest = list(args)

    def one(match: re.Match[str]) -> str:
        flags, width, precision, kind = match.groups()
        if kind == "%":
            return "%"
        width = (rest.pop(0) if rest else "") if width == "*" else width
        value = rest.pop(0) if rest else ""
        return _pad(_converted(value, kind, precision), flags, width)

    return _DIRECTIVE.sub(one, unescape(form)), rest


def _converted(value: str, kind: str, precision: str | None) -> str:
    if kind == "b":
        return unescape(value)
    if kind == "s":
        return value if not precision else value[: int(precision[:5])]
    if kind == "c":
        return value[:1]
    if kind in "feEgG":
        try:
            return format(float(value or 0), f".{min(int(precision or 6), 50)}{kind}")
        except ValueError:
            return format(0.0, f".6{kind}")
    number = int(value) if re.fullmatch(r"[-+]?\d{1,18}", value) else 0
    return {"o": format(number, "o"), "x": format(number, "x"), "X": format(number, "X")}.get(kind, str(number))


def _pad(text: str, flags: str, width: str) -> str:
    columns = min(int(width), _MAX_WIDTH) if width.isdecimal() and len(width) < 9 else 0
    if "-" in flags:
        return text.ljust(columns)
    return text.rjust(columns, "0" if "0" in flags and re.match(r"[-\d]", text) else " ")


class _Test:
    """The expression of `test`: primaries joined by `!`, `-a`, `-o` and parentheses."""

    def __init__(self, call: Call, args: list[str]) -> None:
        self._call = call
        self._args = args[:200]

    def value(self) -> bool:
        if not self._args:
            return False
        result = self._or(0)
        if self._args:
            raise ValueError(f"{self._args[0]}: unexpected operator/operand")
        return result

    def _or(self, depth: int) -> bool:
        result = self._and(depth)
        while self._args and self._args[0] in {"-o", "||"}:
            self._args.pop(0)
            right = self._and(depth)
            result = result or right
        return result

    def _and(self, depth: int) -> bool:
        result = self._not(depth)
        while self._args and self._args[0] in {"-a", "&&"}:
            self._args.pop(0)
            right = self._not(depth)
            result = result and right
        return result

    def _not(self, depth: int) -> bool:
        negated = False
        while len(self._args) > 1 and self._args[0] == "!":
            self._args.pop(0)
            negated = not negated
        return self._primary(depth) != negated

    def _primary(self, depth: int) -> bool:
        if len(self._args) >= 3 and self._args[1] in _BINARY:
            left, operator, right = self._args[:3]
            del self._args[:3]
            return _BINARY[operator](left, right)
        if len(self._args) >= 3 and self._args[0] == "(" and depth < 20:
            self._args.pop(0)
            result = self._or(depth + 1)
            if not self._args or self._args.pop(0) != ")":
                raise ValueError("missing )")
            return result
        if len(self._args) >= 2 and re.fullmatch(r"-[a-zA-Z]", self._args[0]):
            operator, operand = self._args[:2]
            del self._args[:2]
            return self._unary(operator, operand)
        if not self._args:
            raise ValueError("argument expected")
        return bool(self._args.pop(0))

    def _unary(self, operator: str, operand: str) -> bool:
        files = self._call.phone.files
        path = self._call.path(operand)
        match operator:
            case "-n":
                return bool(operand)
            case "-z":
                return not operand
            case "-d":
                return files.is_dir(path)
            case "-f":
                return files.exists(path) and not files.is_dir(path)
            case "-L" | "-h":
                return files.exists(path) and files.stat(path, follow=False).is_link
            case "-s":
                return files.exists(path) and files.stat(path).size > 0
            case "-x":
                return files.exists(path) and bool(files.stat(path).mode & 0o111)
            case "-e" | "-r" | "-w" | "-u" | "-g" | "-k" | "-O" | "-G":
                return files.exists(path)
            case "-t" | "-b" | "-c" | "-p" | "-S":
                return False
            case _:
                raise ValueError(f"{operator}: unexpected operator/operand")


def _number(text: str) -> int:
    if not re.fullmatch(r"\s*[-+]?\d{1,18}\s*", text):
        raise ValueError(f"{text}: bad number")
    return int(text)


_BINARY: dict[str, Callable[[str, str], bool]] = {
    "=": lambda a, b: a == b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "-eq": lambda a, b: _number(a) == _number(b),
    "-ne": lambda a, b: _number(a) != _number(b),
    "-lt": lambda a, b: _number(a) < _number(b),
    "-le": lambda a, b: _number(a) <= _number(b),
    "-gt": lambda a, b: _number(a) > _number(b),
    "-ge": lambda a, b: _number(a) >= _number(b),
}

"""Runs what the parser read: pipes, lists, redirections, loops, and the commands of the table.

One `Shell` is one shell process: its variables, its folder, its last status. Time passes only where its owner lets it,
before the next command; otherwise `sleep` adds to `took_s`.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from controller.virtual.arithmetic import ArithmeticFault
from controller.virtual.shell.core import (
    COMMANDS,
    Buffer,
    Call,
    Input,
    Lasting,
    Nothing,
    ShellOutput,
    Sink,
    Streams,
    Tee,
    encode,
)
from controller.virtual.shell.early import without_services
from controller.virtual.shell.expansion import Expander, ParameterFault, glob_regex
from controller.virtual.shell.parser import ShellSyntaxError, parse
from controller.virtual.shell.syntax import (
    AndOr,
    Case,
    Command,
    For,
    Group,
    If,
    Loop,
    Pipeline,
    Redirect,
    RedirectOp,
    Script,
    Simple,
)
from controller.virtual.uncaptured import NotCaptured

if TYPE_CHECKING:
    from controller.virtual.latency import Latency
    from controller.virtual.phone import VirtualPhone

__all__ = ["ExitShell", "LoopControl", "Shell", "Streams", "run"]

SHELL = "/system/bin/sh"
_MAX_SHELLS = 25  # shells inside shells; a script that starts itself would go on for ever
_LINE_BY_LINE = frozenset({"grep", "egrep", "fgrep", "sed", "cut", "tr", "cat", "tee"})
_MAX_STEPS = 20_000  # a script that runs longer than this loops for ever; Android would kill it in time
_BINARY_FOLDERS = ("/system/bin/", "/system/xbin/", "/vendor/bin/", "/product/bin/")
_ENVIRONMENT = {
    "PATH": "/product/bin:/apex/com.android.runtime/bin:/apex/com.android.art/bin:/system_ext/bin:/system/bin:"
    "/system/xbin:/vendor/bin",
    "HOME": "/",
    "USER": "shell",
    "LOGNAME": "shell",
    "SHELL": "/bin/sh",
    "TMPDIR": "/data/local/tmp",
    "EXTERNAL_STORAGE": "/sdcard",
    "ANDROID_ROOT": "/system",
    "ANDROID_DATA": "/data",
    "TERM": "dumb",
}


class ExitShell(Exception):
    """`exit` was called."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class LoopControl(Exception):
    """`break` or `continue` out of `depth` loops."""

    def __init__(self, word: str, depth: int) -> None:
        super().__init__(word)
        self.word = word
        self.depth = depth


def _reads_on(words: list[str]) -> bool:
    """Whether a command takes line after line for as long as there are some."""
    return bool(words) and words[0] in _LINE_BY_LINE and not any(word[:2] in ("-m", "-c", "-q") for word in words[1:])


class _RedirectFault(Exception):
    """A redirection that cannot be made; the text is the shell's."""


@dataclass(slots=True)
class _Budget:
    """What the whole command line has used up."""

    steps: int = 0
    took_s: float = 0.0
    lasting: Lasting | None = None
    pause: Callable[[float], None] | None = None
    """Lets time pass; None where it only adds up."""
    latency: Latency | None = None
    """How long commands need on the phone; None for no time."""


def run(phone: VirtualPhone, command_line: str, stdin: bytes = b"") -> ShellOutput:
    """Run a command line on the phone, as `adb shell` passes it to `sh -c`; never raises."""
    out, err, merged = Buffer(), Buffer(), Buffer()
    streams = Streams(Input(stdin), Tee(out, merged), Tee(err, merged))
    shell = Shell(phone)
    code = shell.run_text(command_line, streams)
    budget = shell.budget
    return ShellOutput(bytes(out.data), bytes(err.data), code, bytes(merged.data), budget.took_s, budget.lasting)


class Shell:
    """A shell process.

    Args:
        phone: The phone it runs on.
        variables: Its variables; Android's own where none are given.
        cwd: The folder it starts in.
        arguments: `$0`, `$1` …
        budget: Shared with the shell that started this one.
    """

    def __init__(
        self,
        phone: VirtualPhone,
        *,
        variables: dict[str, str] | None = None,
        cwd: str = "/",
        arguments: list[str] | None = None,
        budget: _Budget | None = None,
        depth: int = 0,
    ) -> None:
        self.phone = phone
        self.variables = dict(_ENVIRONMENT) if variables is None else variables
        self.exported = set(self.variables)
        self.cwd = cwd
        self.arguments = arguments or [SHELL]
        self.status = 0
        self.budget = budget or _Budget()
        self._depth = depth
        self._substituted = 0
        self._streams = Streams(Input(), Nothing(), Nothing())

    # ---- running

    def run_text(self, text: str, streams: Streams) -> int:
        """Run a text as a shell of its own would: syntax errors and `exit` end it."""
        self._streams = streams
        try:
            self.status = self.run_script(parse(text), streams)
        except ShellSyntaxError as fault:
            self.complain(str(fault), streams)
            self.status = 1
        except ExitShell as leave:
            self.status = leave.code
        except LoopControl:
            self.status = 0
        return self.status

    def child(self, arguments: list[str] | None = None) -> Shell:
        """A shell with copies of the variables: a subshell, a part of a pipe."""
        shell = Shell(
            self.phone,
            variables=dict(self.variables),
            cwd=self.cwd,
            arguments=arguments or self.arguments,
            budget=self.budget,
            depth=self._depth + 1,
        )
        shell.status = self.status
        return shell

    def run_script(self, script: Script, streams: Streams) -> int:
        """Run a list of commands here; gives the last status."""
        for item in script.items:
            if item.background:
                self._run_in_background(item.list, streams)
            else:
                self.status = self._run_and_or(item.list, streams)
        return self.status

    def run_command(self, args: list[str], streams: Streams, environment: dict[str, str] | None = None) -> int:
        """Run one command of the table, a script file, or say that there is none."""
        name = args[0]
        for folder in _BINARY_FOLDERS:
            if name.startswith(folder):
                name = name.removeprefix(folder)
                break
        function = COMMANDS.get(name) if "/" not in name else None
        if function is None:
            return self._run_file(args, streams)
        self.settle()
        if self.budget.latency is not None:
            self.take(self.budget.latency.of_command(name))
        if self.phone.restarting and (refusal := without_services(name, args[1:])) is not None:
            streams.err.write(encode(refusal.text + "\n"))
            return refusal.exit_code
        call = Call(
            self.phone,
            name,
            args[1:],
            streams.stdin,
            streams.out,
            streams.err,
            self,
            {**{key: self.variables[key] for key in self.exported if key in self.variables}, **(environment or {})},
        )
        try:
            return function(call) or 0
        except NotCaptured as fault:
            streams.err.write(encode(f"Error: {fault}\n"))
            return 255

    def complain(self, message: str, streams: Streams | None = None) -> None:
        """Write `/system/bin/sh: message` to standard error."""
        if self.phone.sdk < 30:  # mksh before R58 turned the two halves round
            message = re.sub(r"unexpected ('.*'|EOF|newline)$", r"\1 unexpected", message)
        (streams or self._streams).err.write(encode(f"{SHELL}: {message}\n"))

    def last(self, lasting: Lasting) -> None:
        """Remember that a command goes on running."""
        self.budget.lasting = lasting

    def take(self, seconds: float) -> None:
        """Count the time that a real phone would have needed."""
        self.budget.took_s += max(0.0, seconds)

    def settle(self) -> None:
        """Let the time pass that was taken so far, where it can: what comes next sees the phone as it is then."""
        if self.budget.pause is not None and self.budget.took_s > 0:
            took, self.budget.took_s = self.budget.took_s, 0.0
            self.budget.pause(took)

    # ---- lists

    def _run_in_background(self, listed: AndOr, streams: Streams) -> None:
        before = self.budget.lasting
        quiet = Streams(Input(), streams.out, streams.err)
        with contextlib.suppress(ExitShell, LoopControl):
            self.child()._run_and_or(listed, quiet)
        if self.budget.lasting is not None and self.budget.lasting is not before:
            started = self.budget.lasting
            self.budget.lasting = replace(started, detached=True)
        self.status = 0

    def _run_and_or(self, listed: AndOr, streams: Streams) -> int:
        status = self._run_pipeline(listed.first, streams)
        for operator, pipeline in listed.rest:
            if (status == 0) == (operator == "&&"):
                status = self._run_pipeline(pipeline, streams)
            self.status = status
        return status

    def _run_pipeline(self, pipeline: Pipeline, streams: Streams) -> int:
        if len(pipeline.commands) == 1:
            status = self._run(pipeline.commands[0], streams)
        else:
            status = self._run_pipe(pipeline.commands, streams)
        self.status = int(status == 0) if pipeline.negated else status
        return self.status

    def _run_pipe(self, commands: tuple[Command, ...], streams: Streams) -> int:
        stdin, status = streams.stdin, 0
        for index, one in enumerate(commands):
            pipe = Buffer()
            last = index == len(commands) - 1
            shell, before = self.child(), self.budget.lasting
            try:
                status = shell._run(one, Streams(stdin, streams.out if last else pipe, streams.err))
            except ExitShell as leave:
                status = leave.code
            stdin = Input(bytes(pipe.data))
            if not last and self.budget.lasting is not before:
                self._pipe_on(commands[index + 1 :])
        return status

    def _pipe_on(self, commands: tuple[Command, ...]) -> None:
        """What a command goes on to print goes through the rest of its pipeline; one that reads on ends it."""
        lasting = self.budget.lasting
        if lasting is None or lasting.follow is None:
            return
        words = [self._expander(self._streams).fields(one.words) for one in commands if isinstance(one, Simple)]
        if len(words) < len(commands) or not all(_reads_on(found) for found in words):
            self.budget.lasting = None  # `head`, `grep -m 1`: they have read enough, and what writes to them ends
            return
        follow = lasting.follow

        def more() -> bytes:
            new, out = follow(), Buffer()
            if new:
                Shell(self.phone)._run_pipe(commands, Streams(Input(new), out, Nothing()))
            return bytes(out.data)

        self.budget.lasting = replace(lasting, follow=more)

    def _run(self, one: Command, streams: Streams) -> int:
        self.budget.steps += 1
        if self.budget.steps > _MAX_STEPS or self._depth > _MAX_SHELLS:
            streams.err.write(b"Killed \n")
            raise ExitShell(137)
        written: list[Callable[[], None]] = []
        try:
            streams = self._redirected(one.redirects, streams, written)
            return self._run_with(one, streams)
        except _RedirectFault as fault:
            self.complain(str(fault), streams)
            return 1
        except (ArithmeticFault, ParameterFault) as fault:
            self.complain(str(fault), streams)
            raise ExitShell(1) from fault
        finally:
            for finish in written:
                finish()

    def _run_with(self, one: Command, streams: Streams) -> int:
        match one:
            case Simple():
                return self._run_simple(one, streams)
            case Group(script, subshell):
                return self._run_group(script, streams) if subshell else self.run_script(script, streams)
            case If(branches, otherwise):
                for condition, body in branches:
                    if self.run_script(condition, streams) == 0:
                        return self.run_script(body, streams) if body.items else 0
                return self.run_script(otherwise, streams) if otherwise is not None else 0
            case For():
                return self._run_for(one, streams)
            case Loop(condition, body, until):
                return self._loop(
                    lambda: (self.run_script(condition, streams) == 0) != until,
                    lambda: self.run_script(body, streams),
                )
            case Case():
                return self._run_case(one, streams)

    def _run_group(self, script: Script, streams: Streams) -> int:
        shell = self.child()
        try:
            return shell.run_script(script, streams)
        except ExitShell as leave:
            return leave.code

    def _run_for(self, loop: For, streams: Streams) -> int:
        values = iter(self._expander(streams).fields(loop.words))

        def more() -> bool:
            value = next(values, None)
            if value is None:
                return False
            self.variables[loop.name] = value
            return True

        return self._loop(more, lambda: self.run_script(loop.body, streams))

    def _loop(self, more: Callable[[], bool], body: Callable[[], int]) -> int:
        status = 0
        while more():
            try:
                status = body()
            except LoopControl as control:
                if control.depth > 1:
                    raise LoopControl(control.word, control.depth - 1) from control
                if control.word == "break":
                    return 0
        return status

    def _run_case(self, case: Case, streams: Streams) -> int:
        expander = self._expander(streams)
        value = expander.text(case.word)
        for patterns, body in case.items:
            if any(re.fullmatch(glob_regex(expander.pattern(pattern)), value) for pattern in patterns):
                return self.run_script(body, streams) if body.items else 0
        return 0

    # ---- one command

    def _run_simple(self, one: Simple, streams: Streams) -> int:
        expander = self._expander(streams)
        self._substituted = 0
        args = expander.fields(one.words)
        assigned = {entry.name: expander.text(entry.value) for entry in one.assignments}
        if not args:
            self.variables.update(assigned)
            return self._substituted
        return self.run_command(args, streams, assigned)

    def _expander(self, streams: Streams) -> Expander:
        return Expander(
            value_of=self.value_of,
            assign=self.variables.__setitem__,
            output_of=lambda script: self._output_of(script, streams),
            names_matching=self._names_matching,
            positional=lambda: self.arguments[1:],
        )

    def _output_of(self, script: Script, streams: Streams) -> str:
        out = Buffer()
        shell = self.child()
        try:
            self._substituted = shell.run_script(script, Streams(streams.stdin, out, streams.err))
        except ExitShell as leave:
            self._substituted = leave.code
        self.status = self._substituted
        return out.data.decode("utf-8", "surrogateescape").replace("\0", "")

    def value_of(self, name: str) -> str | None:
        """A parameter's value, None where it is unset."""
        match name:
            case "?":
                return str(self.status)
            case "$":
                return "12345"
            case "!" | "-":
                return ""
            case "#":
                return str(len(self.arguments) - 1)
            case "RANDOM":
                return str(self.budget.steps * 7919 % 32768)
            case "PWD":
                return self.cwd
            case _ if name.isdigit():
                return self.arguments[int(name)] if int(name) < len(self.arguments) else None
            case _:
                return self.variables.get(name)

    def _run_file(self, args: list[str], streams: Streams) -> int:
        name = args[0]
        if "/" not in name:
            self.complain(self.not_found(name), streams)
            return 127
        content = self.read_file(name)
        if content == "Is a directory":
            self.complain(f"{name}: can't execute: Is a directory", streams)
            return 126
        if isinstance(content, str):
            self.complain(self.not_found(name), streams)
            return 127
        if not self.phone.files.stat(self.absolute(name)).mode & 0o111:
            self.complain(f"{name}: can't execute: Permission denied", streams)
            return 126
        return self.child([name, *args[1:]]).run_text(content.decode("utf-8", "surrogateescape"), streams)

    def not_found(self, name: str) -> str:
        """What the shell says of a command that it does not know."""
        # Android 10's mksh says "inaccessible or not found" (R57), 9's only "not found" (R56).
        return f"{name}: inaccessible or not found" if self.phone.sdk > 28 else f"{name}: not found"

    # ---- files

    def absolute(self, name: str) -> str:
        """A path seen from the shell's folder."""
        return name if name.startswith("/") else f"{self.cwd.rstrip('/')}/{name}"

    def read_file(self, name: str) -> bytes | str:
        """A file's bytes, or in a text why there are none; files of `/proc` are made when they are read."""
        from controller.virtual.shell.proc import read_special

        path = self.absolute(name)
        special = read_special(self.phone, path)
        if special is not None:
            return special
        try:
            return self.phone.files.read(path)
        except OSError as fault:
            return fault.strerror or "I/O error"

    def write_file(self, name: str, data: bytes, *, append: bool = False) -> str | None:
        """Write a file; gives in a text why it could not be."""
        try:
            self.phone.files.write(self.absolute(name), data, append=append)
        except OSError as fault:
            return fault.strerror or "I/O error"
        return None

    def _names_matching(self, pattern: str) -> list[str]:
        absolute = pattern.startswith("/")
        found = ["/" if absolute else ""]
        for part in (part for part in pattern.split("/") if part):
            found = [path for base in found for path in self._matches_in(base, part)]
        return [path for path in found if path]

    def _matches_in(self, base: str, part: str) -> list[str]:
        joined = base if base.endswith("/") or not base else base + "/"
        if not set(part) & set("*?["):
            plain = re.sub(r"\\(.)", r"\1", part)
            return [joined + plain] if self.phone.files.exists(self.absolute(joined + plain)) else []
        try:
            names = self.phone.files.listdir(self.absolute(base or "."))
        except OSError:
            return []
        matches = re.compile(glob_regex(part)).fullmatch
        return [joined + name for name in names if matches(name) and name.startswith(".") == part.startswith(".")]

    def _redirected(
        self, redirects: tuple[Redirect, ...], streams: Streams, written: list[Callable[[], None]]
    ) -> Streams:
        for redirect in redirects:
            streams = self._redirect(redirect, streams, written)
        return streams

    def _redirect(self, redirect: Redirect, streams: Streams, written: list[Callable[[], None]]) -> Streams:
        target = self._expander(streams).text(redirect.target)
        match redirect.op:
            case RedirectOp.TEXT:
                return Streams(Input(encode(target)), streams.out, streams.err)
            case RedirectOp.READ:
                content = self.read_file(target)
                if isinstance(content, str):
                    raise _RedirectFault(f"can't open {target}: {content}")
                return Streams(Input(content), streams.out, streams.err)
            case RedirectOp.DUPLICATE:
                return self._duplicated(redirect.fd, target, streams)
            case _:
                sink = self._file_sink(target, streams, written, append=redirect.op is RedirectOp.APPEND)
        out = sink if redirect.fd in {1, -1} else streams.out
        err = sink if redirect.fd in {2, -1} else streams.err
        return Streams(streams.stdin, out, err)

    def _duplicated(self, fd: int, target: str, streams: Streams) -> Streams:
        sources: dict[str, Sink] = {"1": streams.out, "2": streams.err, "-": Nothing()}
        if fd == 0:
            return streams
        if target not in sources:
            raise _RedirectFault(f"{target}: bad file descriptor")
        source = sources[target]
        return Streams(streams.stdin, source if fd == 1 else streams.out, source if fd == 2 else streams.err)

    def _file_sink(self, target: str, streams: Streams, written: list[Callable[[], None]], *, append: bool) -> Sink:
        if target == "/dev/null":
            return Nothing()
        if target in {"/dev/tty", "/dev/stdout", "/proc/self/fd/1"}:
            return streams.out
        if target in {"/dev/stderr", "/proc/self/fd/2"}:
            return streams.err
        fault = self.write_file(target, b"", append=append)
        if fault is not None:
            raise _RedirectFault(f"can't create {target}: {fault}")
        buffer = Buffer()

        def finish() -> None:
            self.write_file(target, bytes(buffer.data), append=True)

        written.append(finish)
        return buffer

"""Dumps out of files: several outputs behind `$ command` lines, bug reports pasted as text, JSON Lines.

Owns the splitting of text into commands and outputs. Reading the file and printing the answers is `cli`.
"""

from __future__ import annotations

import json
import re
from typing import Any

from controller.errors import DocumentError
from controller.screen.dumpsys.foreground import Foreground, foreground

__all__ = ["parse_report", "split_multi"]

ReportId = str | int | None

# $ dumpsys window displays            # dumpsys input             > adb shell dumpsys window
# C:\Users\me> adb shell dumpsys …     generic_x86:/ $ dumpsys …   root@hammerhead:/ # dumpsys …
# adb -s emulator-5554 shell "dumpsys window | grep mCurrentFocus"     dumpsys window windows   (a line of its own)
_COMMAND = re.compile(
    r"(?:[^\n$#>]{0,80}[$#>]\s*)?(?P<command>(?:adb(?:\.exe)?\s(?:-[de]\s+|-\S+\s+\S+\s+)*(?:shell|exec-out|logcat)\b.*"
    r"|(?:dumpsys|am|cmd|wm|logcat|ime|pm)\s+[a-z-].*))"
)
_PROMPT = re.compile(r"\$\s(?P<command>\S.*)")
_ADB = re.compile(r"adb(?:\.exe)?\s+(?:-[de]\s+|-\S+\s+\S+\s+)*(?:shell|exec-out)\s+")


def split_multi(text: str) -> dict[str, str]:
    """Command → output for text with `$ command` lines (or pasted prompts); text without any is one output.

    A command that was run several times keeps its last output that says anything.
    """
    sections: list[tuple[str, list[str]]] = [("", [])]
    for line in text.splitlines():
        command = _command(line)
        if command is None:
            sections[-1][1].append(line)
        else:
            sections.append((command, []))
    result: dict[str, str] = {}
    for command, lines in sections:
        output = "\n".join(lines)
        if output.strip() or (command and command not in result):
            result.pop(command, None)
            result[command] = output
    prose = result.pop("", None)  # what a report says around its dumps counts last
    if prose is not None:
        result[""] = prose
    return result or {"": text}


def _command(line: str) -> str | None:
    """The command line that this line shows, without prompt and `adb shell`; None for output."""
    stripped = line.strip(" \t|").lstrip("> \t")
    match = _PROMPT.fullmatch(stripped) or _COMMAND.fullmatch(stripped)
    if match is None:
        return None
    command = match["command"].strip()
    bare = _ADB.sub("", command, count=1)
    if bare != command and len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'":
        bare = bare[1:-1]
    return bare.strip() or command


def parse_report(text: str) -> list[tuple[ReportId, Foreground]]:
    """The answers of a file in its order, each with its id.

    A file whose first line is a JSON object with an `output` is JSON Lines of `{"id", "command", "output", "sdk"?}`;
    any other file is one report, pasted as plain text, whose id is None.

    Raises:
        DocumentError: A line of a JSON Lines file is not such an object; the message has its number.
    """
    # PowerShell writes UTF-16; read as UTF-8 it is the same text with zeros in between.
    text = text.replace("\0", "").lstrip("\ufeff\ufffd")
    if not _is_json_lines(text):
        return [(None, foreground(split_multi(text)))]
    # split on line feeds alone: JSON strings may hold U+2028, which splitlines() would take for a line end
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    return [_answer(number, line) for number, line in lines]


def _is_json_lines(text: str) -> bool:
    first = next((line for line in text.split("\n") if line.strip()), "")
    if not first.lstrip().startswith("{"):
        return False
    try:
        record = json.loads(first)
    except ValueError:
        return False
    return isinstance(record, dict) and "output" in record


def _answer(number: int, line: str) -> tuple[ReportId, Foreground]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as err:
        raise DocumentError(
            f"line {number}: not JSON: {err}", hint="one JSON object on each line", line=number
        ) from err
    if not isinstance(record, dict) or not isinstance(record.get("output"), str):
        raise DocumentError(f"line {number}: no text in `output`", hint='each line: {"id", "command", "output"}')
    return _id(record), foreground(_dumps(record), _sdk(record.get("sdk")))


def _dumps(record: dict[str, Any]) -> dict[str, str]:
    command, output = record.get("command"), str(record["output"])
    sections = split_multi(output)
    if command in {None, "", "multi"} or len(sections) > 1 or "" not in sections:
        return sections
    return {str(command): output}


def _id(record: dict[str, Any]) -> ReportId:
    found = record.get("id")
    return found if isinstance(found, str | int) else None


def _sdk(value: object) -> int | None:
    """The API level, also where it was written as text."""
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None

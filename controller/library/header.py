"""YAML of a header as texts, lists and tables with the place of each.

Everything stays text (`no`, `12:30`, `0123` are what they look like): what a field means is decided by the format that
reads it. Aliases, anchors, tags, duplicate keys and deep nesting are refused. Fences and files are the reader's.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from controller.library.findings import Edit, Finding, Place, Severity

__all__ = ["Entry", "Items", "Table", "Text", "Value", "header_entries"]

MAX_DEPTH = 8
MAX_VALUES = 20_000
MAX_BRACKETS = 100

# libyaml is twenty times as fast; a PyYAML built without it reads the same.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# What YAML 1.1 does not allow in a stream.
_CONTROL = re.compile("[^\x09\x0a\x0d\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar as it was written, without its quotes; `source` is what stands in the file."""

    value: str
    place: Place
    source: str


@dataclass(frozen=True, slots=True)
class Items:
    """A YAML list."""

    items: tuple[Value, ...]
    place: Place
    source: str


@dataclass(frozen=True, slots=True)
class Table:
    """A YAML mapping; keys are texts and each appears once."""

    entries: tuple[Entry, ...]
    place: Place
    source: str


Value = Text | Items | Table


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of a table and its value."""

    key: Text
    value: Value


class _Unreadable(Exception):
    """The YAML cannot be read further; carries the place and the reason."""

    def __init__(self, code: str, message: str, index: int, fix: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.index = index
        self.fix = fix


def header_entries(text: str, *, path: str, first_line: int) -> tuple[tuple[Entry, ...] | None, list[Finding]]:
    """The entries of a header and what is wrong with it; None instead of entries when it cannot be read.

    Args:
        text: The lines between the fences, joined by line feeds.
        path: The name of the file, for the findings.
        first_line: The number of the header's first line in its file.
    """
    control = _CONTROL.search(text)
    builder = _Builder(text, path, first_line)
    if control is not None:
        message = f"the header holds the control character U+{ord(control.group()):04X}"
        builder.report(control.start(), "control_character", message, fix="remove the character")
        return None, builder.findings
    if _brackets(text) > MAX_BRACKETS:
        builder.report(0, "too_deep", f"the header nests deeper than {MAX_DEPTH} levels")
        return None, builder.findings
    text, repaired = _quote_plain_values(text, builder) if _fails(text) else (text, False)
    if repaired:
        builder = _Builder(text, path, first_line, findings=builder.findings)
    try:
        return builder.document(), builder.findings
    except _Unreadable as problem:
        builder.report(problem.index, problem.code, problem.message, fix=problem.fix)
        return None, builder.findings


def _brackets(text: str) -> int:
    """How many brackets are open at once, quotes not regarded: where libyaml gives up, PyYAML itself takes minutes."""
    depth = deepest = 0
    for bracket in re.findall(r"[\[\]{}]", text):
        depth = depth + 1 if bracket in "[{" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


def _fails(text: str) -> bool:
    try:
        for _ in yaml.parse(text, Loader=_LOADER):
            pass
    except yaml.YAMLError:
        return True
    return False


#   description: 打开B站: 搜索视频      YAML sees a second mapping in the value and gives up
#   display: @小红书                   a reserved first character
_PLAIN_LINE = re.compile(
    r"""(?P<lead>\ *[A-Za-z_][\w-]*:[ \t]+)(?P<value>[^\s"'|>&*!#].*?)(?P<tail>[ \t]+\#.*)?[ \t]*"""
)


def _needs_quotes(value: str) -> bool:
    if value[0] in "@`%":
        return True
    if value[0] in "[{":
        return not value.endswith("]" if value[0] == "[" else "}")
    return ": " in value or value.endswith(":") or ":\t" in value


def _quote_plain_values(text: str, builder: _Builder) -> tuple[str, bool]:
    """The header with plain values quoted where YAML would misread them, each with a warning; were there any."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        match = _PLAIN_LINE.fullmatch(line)
        if match is None or not _needs_quotes(match["value"]):
            continue
        quoted = "'" + match["value"].replace("'", "''") + "'"
        start = match.start("value") + 1
        place = Place(builder.first_line + number, start)
        edit = Edit(place.line, start, start + len(match["value"]), quoted)
        builder.report_at(
            place,
            "unquoted_value",
            f"YAML would misread the value {match['value']!r}; it was read as plain text",
            severity=Severity.WARNING,
            fix=f"quote it: {quoted}",
            edit=edit,
        )
        lines[number] = match["lead"] + quoted + (match["tail"] or "")
    repaired = "\n".join(lines)
    if repaired == text or _fails(repaired):
        # The warnings would only distract from the true reason.
        builder.findings.clear()
        return text, False
    return repaired, True


class _Builder:
    """Builds values from YAML events; knows where a character of the header lies in its file."""

    def __init__(self, text: str, path: str, first_line: int, findings: list[Finding] | None = None) -> None:
        self.text = text
        self.path = path
        self.first_line = first_line
        self.findings: list[Finding] = [] if findings is None else findings
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._values = 0

    def place(self, index: int) -> Place:
        # The mark's own line would be wrong after U+0085 or U+2028, which YAML takes for line ends and editors do not.
        row = bisect_right(self._starts, index) - 1
        return Place(self.first_line + row, index - self._starts[row] + 1)

    def report(self, index: int, code: str, message: str, *, fix: str | None = None) -> None:
        self.report_at(self.place(index), code, message, severity=Severity.ERROR, fix=fix)

    def report_at(
        self,
        place: Place,
        code: str,
        message: str,
        *,
        severity: Severity,
        fix: str | None = None,
        edit: Edit | None = None,
    ) -> None:
        self.findings.append(Finding(self.path, place.line, place.column, code, severity, message, fix, edit))

    def document(self) -> tuple[Entry, ...]:
        events = self._events()
        first = next(events, None)
        if first is None or _is_null(first):
            return ()
        if not isinstance(first, yaml.MappingStartEvent):
            raise _Unreadable("header_not_mapping", "the header is not a list of `key: value` lines", _start(first))
        table = self._table(events, first, depth=0)
        extra = next(events, None)
        if extra is not None:
            raise _Unreadable("several_documents", "the header holds a second YAML document", _start(extra))
        return table.entries

    def _events(self) -> Iterator[Any]:
        """The events of content; the frame of stream and document is left out."""
        frame = (yaml.StreamStartEvent, yaml.StreamEndEvent, yaml.DocumentStartEvent, yaml.DocumentEndEvent)
        try:
            for event in yaml.parse(self.text, Loader=_LOADER):
                if not isinstance(event, frame):
                    yield event
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            message = f"YAML: {error.problem or error.context}"
            index = min(mark.index, len(self.text)) if mark is not None else 0
            raise _Unreadable("yaml", message, index, "quote the value with ' '") from error
        except yaml.YAMLError as error:
            raise _Unreadable("yaml", f"YAML: {str(error).splitlines()[0]}", 0) from error

    def _value(self, events: Iterator[Any], event: Any, *, depth: int) -> Value:
        self._values += 1
        if depth > MAX_DEPTH or self._values > MAX_VALUES:
            raise _Unreadable(
                "too_deep", f"the header nests deeper than {MAX_DEPTH} levels or is too long", _start(event)
            )
        self._refuse_magic(event)
        if isinstance(event, yaml.ScalarEvent):
            return Text(event.value, self.place(_start(event)), self._source(event, event))
        if isinstance(event, yaml.AliasEvent):
            source = self._source(event, event)
            return Text(source, self.place(_start(event)), source)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._items(events, event, depth=depth)
        return self._table(events, event, depth=depth)

    def _items(self, events: Iterator[Any], start: Any, *, depth: int) -> Items:
        items: list[Value] = []
        end = start
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                end = event
                break
            items.append(self._value(events, event, depth=depth + 1))
        return Items(tuple(items), self.place(_start(start)), self._source(start, end))

    def _table(self, events: Iterator[Any], start: Any, *, depth: int) -> Table:
        entries: dict[str, Entry] = {}
        end = start
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                end = event
                break
            key = self._value(events, event, depth=depth + 1)
            value = self._value(events, next(events), depth=depth + 1)
            if not isinstance(key, Text):
                self.report(_start(event), "key_not_text", "a key must be a plain word")
            elif key.value in entries:
                line = entries[key.value].key.place.line
                self.report(
                    _start(event),
                    "duplicate_key",
                    f"the key `{key.value}` stands on line {line} already",
                    fix="remove one",
                )
            else:
                entries[key.value] = Entry(key, value)
        return Table(tuple(entries.values()), self.place(_start(start)), self._source(start, end))

    def _refuse_magic(self, event: Any) -> None:
        if isinstance(event, yaml.AliasEvent):
            self.report(
                _start(event), "yaml_alias", f"YAML reads `*{event.anchor}` as an alias", fix="quote the value with ' '"
            )
            return
        if event.anchor is not None:
            self.report(
                _start(event),
                "yaml_anchor",
                f"YAML reads `&{event.anchor}` as an anchor",
                fix="quote the value with ' '",
            )
        if event.tag is not None:
            self.report(_start(event), "yaml_tag", f"YAML reads `{event.tag}` as a tag", fix="quote the value with ' '")

    def _source(self, start: Any, end: Any) -> str:
        return self.text[start.start_mark.index : end.end_mark.index].strip()


def _start(event: Any) -> int:
    index: int = event.start_mark.index
    return index


def _is_null(event: Any) -> bool:
    return isinstance(event, yaml.ScalarEvent) and event.value == "" and event.implicit[0]

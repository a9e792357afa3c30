"""Lists whose items are kept byte for byte: `links` and `package_aliases`.

YAML eats ` #fragment`, turns `视频: 热门` into a mapping and stumbles over `[热门]`, so the items of these keys are
taken from the header's lines before YAML sees them. What the items mean is left to the formats.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import yaml

from controller.library.findings import Finding, Place, Severity

__all__ = ["RawItem", "RawList", "split_fields", "take_raw_lists"]

SEPARATOR = " | "

#   links:
#     - 首页 | bilibili://home #top | tv.danmaku.bili
#     - "视频: 热门 | bilibili://popular | tv.danmaku.bili"     # a remark after quotes is a remark
#   links: ["首页 | bilibili://home | tv.danmaku.bili", 直播 | bilibili://live | tv.danmaku.bili]
_FIELDS = {"links": 3, "package_aliases": 2}
_KEY = re.compile(
    r"""(?P<indent>[ ]*)(?P<quote>["']?)(?P<key>links|package_aliases)(?P=quote)[ \t]*:(?=[ \t]|$)[ \t]*"""
)
_ANY_KEY = re.compile(r"""[ ]*["']?[A-Za-z_][\w-]*["']?[ \t]*:(?=[ \t]|$)""")
_BLOCK_TEXT = re.compile(r"[|>][-+0-9]*[ \t]*(#.*)?")
_DASH = re.compile(r"[ \t]*-(?=[ \t]|$)[ \t]*")


@dataclass(frozen=True, slots=True)
class RawItem:
    """One item, without quotes around it, and the place of its first character."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class RawList:
    """A key and its items."""

    key: str
    place: Place
    items: tuple[RawItem, ...]


def split_fields(text: str, count: int) -> tuple[str, ...] | None:
    """`title | uri | package` (3) or `name | package` (2) as stripped fields, None when there are fewer separators.

    With three fields the first and the last separator count and everything between them is the URI.
    """
    first, last = text.find(SEPARATOR), text.rfind(SEPARATOR)
    if first < 0 or (count == 3 and first == last):
        return None
    tail = text[last + len(SEPARATOR) :].strip()
    if count == 2:
        return text[:last].strip(), tail
    return text[:first].strip(), text[first + len(SEPARATOR) : max(last, first + len(SEPARATOR))].strip(), tail


def take_raw_lists(
    lines: Sequence[str], *, path: str, first_line: int
) -> tuple[list[str], list[RawList], list[Finding]]:
    """The header's lines with the raw lists blanked out, the raw lists, and what is wrong with their shape."""
    rest = list(lines)
    lists: dict[str, RawList] = {}
    findings: list[Finding] = []
    indent = _indent_of_keys(lines)
    number = 0
    while number < len(lines):
        match = _KEY.match(lines[number])
        if match is None or len(match["indent"]) != indent:
            number += 1
            continue
        taken = _Taken(lines, number, match.end(), indent, _FIELDS[match["key"]])
        found = RawList(match["key"], Place(first_line + number, len(match["indent"]) + 1), taken.items(first_line))
        if taken.unclosed:
            findings.append(
                _error(path, found.place, "unclosed_list", f"the list of `{found.key}` has no closing ]", "add ]")
            )
        if found.key in lists:
            message = f"the key `{found.key}` stands on line {lists[found.key].place.line} already"
            findings.append(_error(path, found.place, "duplicate_key", message, "remove one"))
        lists.setdefault(found.key, found)
        rest[number : taken.end] = [""] * (taken.end - number)
        number = taken.end
    return rest, list(lists.values()), findings


def _error(path: str, place: Place, code: str, message: str, fix: str) -> Finding:
    return Finding(path, place.line, place.column, code, Severity.ERROR, message, fix)


def _indent_of_keys(lines: Sequence[str]) -> int:
    for line in lines:
        if line.strip() and not line.lstrip().startswith("#"):
            return len(line) - len(line.lstrip(" "))
    return 0


@dataclass(slots=True)
class _Draft:
    """An item being gathered; continuation lines are joined with one space, as YAML does."""

    row: int
    column: int
    text: str

    def finish(self, first_line: int) -> RawItem:
        stripped = self.text.strip()
        lead = len(self.text) - len(self.text.lstrip())
        unquoted = _unquote(stripped)
        shift = lead + (1 if unquoted is not None else 0)
        text = stripped if unquoted is None else unquoted
        return RawItem(text, Place(first_line + self.row, self.column + shift + 1))


@dataclass(slots=True)
class _Taken:
    """The lines of one raw list, from the character after its colon on."""

    lines: Sequence[str]
    row: int
    column: int
    indent: int
    fields: int
    end: int = 0
    unclosed: bool = False
    drafts: list[_Draft] = field(default_factory=list)

    def items(self, first_line: int) -> tuple[RawItem, ...]:
        value = self.lines[self.row][self.column :]
        if value.startswith("["):
            self._flow()
        else:
            self._block(value)
        items = (draft.finish(first_line) for draft in self.drafts)
        return tuple(item for item in items if item.text)

    def _block(self, value: str) -> None:
        each_line = _BLOCK_TEXT.fullmatch(value) is not None
        if value and not value.startswith("#") and not each_line:
            self.drafts.append(_Draft(self.row, self.column, value))
        self.end = self.row + 1
        while self.end < len(self.lines) and self._belongs(self.lines[self.end]):
            line = self.lines[self.end]
            dash = _DASH.match(line)
            if dash is not None:
                self.drafts.append(_Draft(self.end, dash.end(), line[dash.end() :]))
            elif line.strip() and not line.lstrip().startswith("#"):
                self._continue(line, new=each_line or not self.drafts)
            self.end += 1

    def _continue(self, line: str, *, new: bool) -> None:
        if new:
            self.drafts.append(_Draft(self.end, 0, line))
        else:
            self.drafts[-1].text = f"{self.drafts[-1].text.rstrip()} {line.strip()}"

    def _belongs(self, line: str) -> bool:
        stripped = line.lstrip(" \t")
        if not stripped or stripped.startswith("#"):
            return True
        depth = len(line) - len(stripped)
        return depth > self.indent or (depth == self.indent and _DASH.match(line) is not None)

    def _flow(self) -> None:
        """`[…]` over one or more lines: a comma ends an item in quotes, or a plain one that has all its fields."""
        row, column = self.row, self.column + 1
        draft = _Draft(row, column, "")
        depth = 0
        while row < len(self.lines):
            line = self.lines[row]
            if row > self.row and _ANY_KEY.match(line) and len(line) - len(line.lstrip(" ")) == self.indent:
                break
            while column < len(line):
                character = line[column]
                if not draft.text.strip():
                    if character == "#" and (column == 0 or line[column - 1] in " \t"):
                        break
                    draft = _Draft(row, column, "")
                    quoted = _quoted_length(line, column)
                    if quoted and character in "\"'":
                        draft.text = line[column : column + quoted]
                        column += quoted
                        continue
                if character == "]" and depth == 0:
                    self._close(draft)
                    self.end = row + 1
                    return
                depth += {"[": 1, "]": -1}.get(character, 0)
                if character == "," and self._complete(draft.text):
                    self.drafts.append(draft)
                    draft = _Draft(row, column + 1, "")
                else:
                    draft.text += character
                column += 1
            if draft.text.strip():
                draft.text = draft.text.rstrip() + " "
            row, column = row + 1, 0
        self.unclosed = True
        self._close(draft)
        self.end = row

    def _close(self, draft: _Draft) -> None:
        if draft.text.strip():
            self.drafts.append(draft)

    def _complete(self, text: str) -> bool:
        """Whether a comma after `text` ends an item: it may also be one inside a URI such as `geo:0,0?q=x`."""
        stripped = text.strip()
        return not stripped or _unquote(stripped) is not None or stripped.count(SEPARATOR) >= self.fields - 1


def _quoted_length(text: str, start: int) -> int:
    """The length of the quoted scalar that begins at `start`, 0 when it does not end on this line."""
    quote = text[start]
    at = start + 1
    while at < len(text):
        escaped = text[at] == "\\" if quote == '"' else text[at : at + 2] == "''"
        if escaped:
            at += 2
        elif text[at] == quote:
            return at - start + 1
        else:
            at += 1
    return 0


def _unquote(text: str) -> str | None:
    """The content of a text that is one quoted scalar, perhaps with a remark behind it; None for any other text."""
    if not text or text[0] not in "\"'":
        return None
    length = _quoted_length(text, 0)
    tail = text[length:]
    if not length or (tail.strip() and re.match(r"[ \t]+#", tail) is None):
        return None
    quoted = text[:length]
    if quoted[0] == "'":
        return quoted[1:-1].replace("''", "'")
    return _unescape(quoted) if "\\" in quoted else quoted[1:-1]


def _unescape(quoted: str) -> str | None:
    try:
        value = yaml.safe_load(quoted)
    except (yaml.YAMLError, ValueError, OverflowError):
        return None
    return value if isinstance(value, str) else None

"""Header fields as the types a format wants, with a finding where a value has another shape.

Knows how texts, lists and booleans are written; which fields a format has and what they mean is the format's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from controller.library.findings import Edit, Finding, Place, Severity
from controller.library.header import Entry, Items, Table, Text, Value
from controller.library.rawlines import RawItem
from controller.library.reader import Document
from controller.library.text import nearest

__all__ = ["Fields", "split_list"]

_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off"})
_OPENING, _CLOSING = "([{（【", ")]}）】"


def split_list(text: str) -> tuple[str, ...]:
    """A list written as one string: split on commas outside brackets, or on white space outside brackets without any.

    `Bash(git:*, ls) Read` has two items, `a, b c` has two as well.
    """
    by_comma = _split(text, lambda character: character in ",，")
    if len(by_comma) > 1 or text.rstrip().endswith((",", "，")):
        return by_comma
    return _split(text, str.isspace)


def _split(text: str, separates: Callable[[str], bool]) -> tuple[str, ...]:
    parts, depth = [""], 0
    for character in text:
        depth += (character in _OPENING) - (character in _CLOSING)
        if depth <= 0 and separates(character):
            parts.append("")
            depth = 0
        else:
            parts[-1] += character
    return tuple(part.strip() for part in parts if part.strip())


class Fields:
    """The header of one document, read field by field; what is wrong gathers in `findings`."""

    def __init__(self, document: Document, *, spellings: Mapping[str, str] | None = None) -> None:
        self.document = document
        self.findings: list[Finding] = []
        spell = spellings or {}
        self._entries: dict[str, Entry] = {}
        for entry in document.entries:
            self._entries.setdefault(spell.get(entry.key.value, entry.key.value), entry)
        self._known: set[str] = set()

    # Reporting

    def report(
        self,
        place: Place,
        code: str,
        message: str,
        *,
        severity: Severity = Severity.ERROR,
        fix: str | None = None,
        edit: Edit | None = None,
    ) -> None:
        """Add a finding at a place of this document."""
        self.findings.append(Finding(self.document.path, place.line, place.column, code, severity, message, fix, edit))

    def place(self, key: str) -> Place:
        """Where the value of a key stands, or the key itself, or the header's first line when there is no such key."""
        entry = self._entries.get(key)
        if entry is not None:
            return entry.value.place
        raw = self.document.raw_list(key)
        return raw.place if raw is not None else Place(1, 1)

    # Reading

    def has(self, key: str) -> bool:
        """Whether the header has this key, whatever its value."""
        return key in self._entries or self.document.raw_list(key) is not None

    def text(self, key: str) -> str | None:
        """The text of a field, None when it is not there or is no text."""
        self._known.add(key)
        entry = self._entries.get(key)
        if entry is None:
            return None
        return self._as_text(entry.value, key)

    def required(self, key: str) -> str | None:
        """The text of a field that must be there and not empty."""
        value = self.text(key)
        if value is not None and value.strip():
            return value.strip()
        if value is not None:
            self.report(self.place(key), "empty_field", f"`{key}` is empty", fix=f"give `{key}` a value")
        elif key not in self._entries:
            self.report(Place(1, 1), "missing_field", f"`{key}` is missing", fix=f"add a line `{key}: …`")
        return None

    def texts(self, key: str) -> tuple[str, ...]:
        """The items of a list field: a YAML list, or a string with commas, or one with white space; duplicates go."""
        return tuple(text for text, _ in self.placed_texts(key))

    def placed_texts(self, key: str) -> tuple[tuple[str, Place], ...]:
        """Like `texts`, with the place of each item."""
        self._known.add(key)
        entry = self._entries.get(key)
        if entry is None:
            return ()
        kept: dict[str, Place] = {}
        for text, place in self._items_of(entry.value, key):
            if text in kept:
                message = f"{text!r} stands twice in `{key}`"
                self.report(place, "duplicate_item", message, severity=Severity.WARNING, fix="remove one")
            elif text:
                kept[text] = place
        return tuple(kept.items())

    def flag(self, key: str, *, default: bool) -> bool:
        """A boolean, written yes/no, on/off or true/false."""
        value = self.text(key)
        if value is None:
            return default
        word = value.strip().casefold()
        if word not in _TRUE | _FALSE:
            self.report(self.place(key), "not_boolean", f"`{key}` is {value!r}", fix="write true or false")
            return default
        return word in _TRUE

    def table(self, key: str) -> tuple[tuple[str, str], ...]:
        """The texts of a mapping field by their keys; what is no text is kept as it stands in the file."""
        self._known.add(key)
        entry = self._entries.get(key)
        if entry is None or (isinstance(entry.value, Text) and not entry.value.value.strip()):
            return ()
        if not isinstance(entry.value, Table):
            self.report(
                entry.value.place, "not_mapping", f"`{key}` is no mapping", fix="write `key: value` lines below it"
            )
            return ()
        pairs = []
        for each in entry.value.entries:
            if isinstance(each.value, Text):
                pairs.append((each.key.value, each.value.value))
                continue
            message = f"`{key}.{each.key.value}` is not a text"
            fix = "quote it with ' '"
            self.report(each.value.place, "not_text", message, severity=Severity.WARNING, fix=fix)
            pairs.append((each.key.value, each.value.source))
        return tuple(pairs)

    def raw_items(self, key: str) -> tuple[RawItem, ...]:
        """The items of `links` or `package_aliases`, byte for byte."""
        self._known.add(key)
        raw = self.document.raw_list(key)
        if raw is not None:
            return raw.items
        # Only a header written as one `{…}` comes here; YAML has then read the items already.
        return tuple(RawItem(text, place) for text, place in self.placed_texts(key))

    def unknown(self, known: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """The fields that no one asked for, as written, each with a warning that names the nearest known key."""
        names = sorted(set(known))
        extra = []
        for key, entry in self._entries.items():
            if key in self._known or key in names:
                continue
            near = nearest(key, names, limit=1)
            message = f"the key `{key}` is not known" + (f"; did you mean `{near[0]}`?" if near else "")
            fix = f"write `{near[0]}`" if near else None
            self.report(entry.key.place, "unknown_key", message, severity=Severity.WARNING, fix=fix)
            extra.append((key, entry.value.source))
        return tuple(extra)

    def removed(self, keys: Iterable[str], *, reason: str) -> None:
        """An error for each of these keys that is there; its line can be taken out mechanically."""
        for key in keys:
            entry = self._entries.get(key)
            if entry is None:
                continue
            self._known.add(key)
            one_line = isinstance(entry.value, Text) and "\n" not in entry.value.source
            edit = Edit(entry.key.place.line, 1, 1, None) if one_line else None
            self.report(entry.key.place, "removed_field", f"`{key}`: {reason}", fix="remove the line", edit=edit)

    # Shapes

    def _as_text(self, value: Value, key: str) -> str | None:
        if isinstance(value, Text):
            return value.value
        shape = "a list" if isinstance(value, Items) else "a mapping"
        self.report(
            value.place, "not_text", f"`{key}` is {shape}, not a text", fix="write it on one line, quoted with ' '"
        )
        return None

    def _items_of(self, value: Value, key: str) -> Iterable[tuple[str, Place]]:
        match value:
            case Text(text, place, _):
                return [(item, place) for item in split_list(text)]
            case Items(items, _, _):
                return [item for each in items if (item := self._item(each, key)) is not None]
            case Table():
                self.report(value.place, "not_list", f"`{key}` is a mapping, not a list", fix='write ["a", "b"]')
                return []

    def _item(self, value: Value, key: str) -> tuple[str, Place] | None:
        if isinstance(value, Text):
            return value.value.strip(), value.place
        if isinstance(value, Table) and "\n" not in value.source and not value.source.startswith("{"):
            #   - 视频: 热门       YAML makes a mapping of it; what was meant is plain to see
            quoted = "'" + value.source.replace("'", "''") + "'"
            end = value.place.column + len(value.source)
            self.report(
                value.place,
                "unquoted_value",
                f"YAML would misread the item {value.source!r} of `{key}`; it was read as plain text",
                severity=Severity.WARNING,
                fix=f"quote it: {quoted}",
                edit=Edit(value.place.line, value.place.column, end, quoted),
            )
            return value.source, value.place
        self.report(value.place, "not_text", f"an item of `{key}` is not a text", fix="quote it with ' '")
        return None

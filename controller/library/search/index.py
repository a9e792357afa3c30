"""The search index on disk: kept in step with the files, replaced only as a whole, rebuilt when it is broken.

One SQLite file for one list of roots. All changes of one look at the files are one transaction, so that a crash leaves
what was there before. A file is read again when its size or times changed, and taken apart again when its hash did.
What a query means is left to `ranking`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.library.reader import Document, read_document
from controller.library.roots import Root
from controller.library.scan import Found, Kind, read_bytes, record_of, scan
from controller.library.search.entry import Entry, Level, entry_of
from controller.library.search.readings import common_readings, phrase_readings
from controller.library.search.tokens import compact, is_han, sounds, tokens

__all__ = ["Index", "Row", "open_index"]

# Raised whenever what is kept for a document changes, so that an older file is built anew.
VERSION = 1
BUSY_TIMEOUT_S = 30.0
KEPT_FILES = 12

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE docs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, reference TEXT NOT NULL,
    name TEXT NOT NULL, display TEXT NOT NULL, description TEXT NOT NULL, origin TEXT NOT NULL, root TEXT NOT NULL,
    trusted INTEGER NOT NULL, readable INTEGER NOT NULL, serves INTEGER NOT NULL, place INTEGER NOT NULL,
    stamp TEXT NOT NULL, sha256 BLOB NOT NULL
);
CREATE INDEX docs_reference ON docs (reference);
CREATE TABLE names (
    key TEXT NOT NULL, doc INTEGER NOT NULL, level INTEGER NOT NULL, PRIMARY KEY (key, doc)
) WITHOUT ROWID;
CREATE INDEX names_doc ON names (doc);
CREATE TABLE lists (length INTEGER NOT NULL, han INTEGER NOT NULL, keys TEXT NOT NULL, PRIMARY KEY (length, han));
CREATE VIRTUAL TABLE words USING fts5 (
    names, about, body, names_weak, about_weak, content='', tokenize="unicode61 remove_diacritics 0"
);
CREATE VIRTUAL TABLE frequencies USING fts5vocab (words, row);
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A document as the catalogue shows it, and where it lies."""

    id: int
    reference: str
    name: str
    display: str
    kind: str
    description: str
    path: str
    root: str
    origin: str
    trusted: bool
    place: int


_ROW = "id, reference, name, display, kind, description, path, root, origin, trusted, place"


def _row(values: tuple[Any, ...]) -> Row:
    number, reference, name, display, kind, description, path, root, origin, trusted, place = values
    return Row(number, reference, name, display, kind, description, path, root, origin, bool(trusted), place)


def open_index(roots: Sequence[Root], *, folder: Path | None) -> Index:
    """The index of the documents in these roots, in step with the files.

    Args:
        roots: Where documents lie, the one that serves first at the front.
        folder: Where indexes are kept; None, or a folder that cannot be written, keeps this one in memory.
    """
    for attempt in (_on_disk, _anew):
        if folder is None:
            break
        try:
            return attempt(roots, folder)
        except sqlite3.DatabaseError:
            # Broken, of another program, locked for half a minute, or a folder that cannot be written.
            continue
        except OSError:
            break
    return _synchronised(sqlite3.connect(":memory:", isolation_level=None), roots)


def _on_disk(roots: Sequence[Root], folder: Path) -> Index:
    path = folder / f"{_name(roots)}.sqlite"
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        _prune(folder)
    return _synchronised(sqlite3.connect(path, isolation_level=None, timeout=BUSY_TIMEOUT_S), roots)


def _anew(roots: Sequence[Root], folder: Path) -> Index:
    path = folder / f"{_name(roots)}.sqlite"
    for name in (path.name, f"{path.name}-journal"):
        path.with_name(name).unlink(missing_ok=True)
    return _on_disk(roots, folder)


def _name(roots: Sequence[Root]) -> str:
    text = "\n".join(f"{root.origin}\t{root.path.resolve()}" for root in roots)
    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()


def _prune(folder: Path) -> None:
    """Keep the indexes that were written last; a list of roots that is used no more leaves one behind."""
    files = sorted(folder.glob("*.sqlite"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in files[KEPT_FILES - 1 :]:
        path.unlink(missing_ok=True)


def _synchronised(connection: sqlite3.Connection, roots: Sequence[Root]) -> Index:
    try:
        index = Index(connection, roots)
        index.synchronise()
    except BaseException:
        connection.close()
        raise
    return index


class Index:
    """What is known of the documents; closed at the end like a file."""

    def __init__(self, connection: sqlite3.Connection, roots: Sequence[Root]) -> None:
        self._connection = connection
        self._roots = tuple(roots)
        self._names: dict[tuple[int, bool], list[str]] = {}
        self._readings: dict[str, str] | None = None
        connection.execute("PRAGMA cache_size = -16000")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    # Keeping step

    def synchronise(self) -> bool:
        """Take in what changed in the files since the last look; whether anything did."""
        found = [each for each in scan(self._roots) if each.stamp is not None]
        signature = _signature(found)
        with contextlib.suppress(sqlite3.OperationalError):
            # The table is not there in a new file.
            if self._meta("version") == str(VERSION) and self._meta("signature") == signature:
                return False
        with self._transaction():
            self._create()
            self._take(found)
            self._put("signature", signature)
        self._names.clear()
        self._readings = None
        return True

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _create(self) -> None:
        tables = {name for (name,) in self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "meta" in tables and self._meta("version") == str(VERSION):
            return
        for name in ("frequencies", "words", "lists", "names", "docs", "meta"):
            self._connection.execute(f"DROP TABLE IF EXISTS {name}")
        for statement in filter(str.strip, _SCHEMA.split(";")):
            self._connection.execute(statement)
        self._put("version", str(VERSION))
        self._put("readings", json.dumps(dict(common_readings()), ensure_ascii=False))

    def _take(self, found: Sequence[Found]) -> None:
        known = {
            row[0]: row[1:] for row in self._connection.execute("SELECT path, id, stamp, sha256, trusted FROM docs")
        }
        for path in known.keys() - {each.path for each in found}:
            self._forget(known[path][0])
        for each in found:
            before = known.get(each.path)
            if before is None or before[1] != _text(each.stamp) or before[3] != each.root.trusted:
                self._refresh(each, before)
        self._let_serve(found)
        self._list_names()

    def _forget(self, number: int) -> None:
        # The words stay behind without a document; a row of a table without content cannot be taken out alone.
        self._connection.execute("DELETE FROM docs WHERE id = ?", (number,))
        self._connection.execute("DELETE FROM names WHERE doc = ?", (number,))

    def _refresh(self, found: Found, before: tuple[Any, ...] | None) -> None:
        data = read_bytes(Path(found.path), inside=found.root.path)
        sha256 = b"" if isinstance(data, Document) else hashlib.sha256(data).digest()
        if before is not None and before[2] == sha256 and before[3] == found.root.trusted:
            self._connection.execute("UPDATE docs SET stamp = ? WHERE id = ?", (_text(found.stamp), before[0]))
            return
        if before is not None:
            self._forget(before[0])
        document = data if isinstance(data, Document) else read_document(data, path=found.path)
        record, _ = record_of(found, document)
        self._add(found, entry_of(record) if record is not None else None, sha256)

    def _add(self, found: Found, entry: Entry | None, sha256: bytes) -> None:
        shown = entry or Entry(f"{found.kind}:{found.id}", found.id, found.id, found.kind, "", (), "", "")
        cursor = self._connection.execute(
            "INSERT INTO docs (path, kind, reference, name, display, description, origin, root, trusted, readable,"
            " serves, place, stamp, sha256) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)",
            (
                found.path,
                found.kind,
                shown.reference,
                shown.name,
                shown.display,
                shown.description,
                found.root.origin,
                str(found.root.path),
                found.root.trusted,
                entry is not None,
                _text(found.stamp),
                sha256,
            ),
        )
        number = cursor.lastrowid
        if entry is None or number is None:
            return
        keys = _keys(entry)
        self._connection.executemany(
            "INSERT INTO names (key, doc, level) VALUES (?, ?, ?)",
            [(key, number, level) for key, level in keys.items()],
        )
        self._connection.execute(
            "INSERT INTO words (rowid, names, about, body, names_weak, about_weak) VALUES (?, ?, ?, ?, ?, ?)",
            (number, *_words(entry, keys, with_body=found.root.trusted)),
        )

    def _let_serve(self, found: Sequence[Found]) -> None:
        """Note for each document whether it serves: the first readable one of its reference does."""
        rows = {row[0]: row[1:] for row in self._connection.execute("SELECT path, id, reference, readable FROM docs")}
        taken: set[str] = set()
        served = []
        for place, each in enumerate(found):
            number, reference, readable = rows[each.path]
            serves = bool(readable) and reference not in taken
            if serves:
                taken.add(reference)
            served.append((serves, place, number))
        self._connection.executemany("UPDATE docs SET serves = ?, place = ? WHERE id = ?", served)

    def _list_names(self) -> None:
        """Keep the names of one length together, so that looking for slips reads a few rows and not thousands."""
        lists: dict[tuple[int, bool], list[str]] = {}
        query = "SELECT DISTINCT key FROM names WHERE level != ?"
        for (key,) in self._connection.execute(query, (int(Level.INITIALS),)):
            lists.setdefault((len(key), is_han(key)), []).append(key)
        self._connection.execute("DELETE FROM lists")
        self._connection.executemany(
            "INSERT INTO lists VALUES (?, ?, ?)", [(*which, "\n".join(keys)) for which, keys in lists.items()]
        )

    def _meta(self, key: str) -> str | None:
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def _put(self, key: str, value: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    # Asking

    def rows(self, numbers: Sequence[int]) -> dict[int, Row]:
        """The documents with these numbers that serve."""
        marks = ",".join("?" * len(numbers))
        query = f"SELECT {_ROW} FROM docs WHERE serves AND id IN ({marks})"
        return {row[0]: _row(row) for row in self._connection.execute(query, list(numbers))}

    def catalogue(self, kinds: Sequence[Kind]) -> list[Row]:
        """All documents of these kinds that serve, in the order in which they serve."""
        marks = ",".join("?" * len(kinds))
        query = f"SELECT {_ROW} FROM docs WHERE serves AND kind IN ({marks}) ORDER BY place"
        return [_row(row) for row in self._connection.execute(query, list(kinds))]

    def by_reference(self, reference: str) -> Row | None:
        """The document with this reference that serves."""
        found = self._connection.execute("SELECT id FROM docs WHERE serves AND reference = ?", (reference,)).fetchone()
        return self.rows([found[0]]).get(found[0]) if found else None

    def unreadable(self, name: str, kinds: Sequence[Kind]) -> str | None:
        """The path of a document of this name that cannot be read."""
        marks = ",".join("?" * len(kinds))
        query = f"SELECT path FROM docs WHERE NOT readable AND name = ? AND kind IN ({marks}) ORDER BY place"
        found = self._connection.execute(query, (name, *kinds)).fetchone()
        return found[0] if found else None

    def named(self, keys: Sequence[str]) -> list[tuple[str, int, int]]:
        """Key, document and level of every name among these keys."""
        marks = ",".join("?" * len(keys))
        return self._connection.execute(f"SELECT key, doc, level FROM names WHERE key IN ({marks})", keys).fetchall()

    def beginning(self, key: str, *, limit: int) -> list[tuple[str, int, int]]:
        """Names that begin with a key, the shortest first."""
        query = "SELECT key, doc, level FROM names WHERE key >= ? AND key < ? ORDER BY length(key), level LIMIT ?"
        return self._connection.execute(query, (key, key + "\U0010ffff", limit)).fetchall()

    def keys_of_length(self, length: int, *, han: bool) -> list[str]:
        """All names of one length with or without Chinese, each once; initials are too short to tell slips in them."""
        if (length, han) not in self._names:
            query = "SELECT keys FROM lists WHERE length = ? AND han = ?"
            row = self._connection.execute(query, (length, han)).fetchone()
            self._names[length, han] = row[0].split("\n") if row else []
        return self._names[length, han]

    def readings(self) -> dict[str, str]:
        """The likeliest reading of each common Chinese character."""
        if self._readings is None:
            self._readings = json.loads(self._meta("readings") or "{}")
        return self._readings

    def frequencies(self, tokens: Sequence[str]) -> dict[str, int]:
        """How many documents have each of these tokens; those that none has are left out."""
        marks = ",".join("?" * len(tokens))
        return dict(self._connection.execute(f"SELECT term, doc FROM frequencies WHERE term IN ({marks})", tokens))

    def matching(self, expression: str, kinds: Sequence[str], *, limit: int) -> list[tuple[int, float]]:
        """Documents by the words in them, the best first; the expression holds quoted tokens and OR alone."""
        marks = ",".join("?" * len(kinds))
        query = (
            "SELECT docs.id, bm25(words, 10.0, 3.0, 1.0, 3.0, 1.0) AS score"
            " FROM words JOIN docs ON docs.id = words.rowid"
            f" WHERE words MATCH ? AND docs.serves AND docs.kind IN ({marks}) ORDER BY score, docs.place LIMIT ?"
        )
        return self._connection.execute(query, (expression, *kinds, limit)).fetchall()


def _signature(found: Sequence[Found]) -> str:
    digest = hashlib.blake2b(digest_size=20)
    for each in found:
        line = f"{each.folder}\t{each.kind}\t{each.stamp}\t{each.root.trusted}\t{each.root.origin}\n"
        digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _text(stamp: tuple[int, int, int] | None) -> str:
    return " ".join(map(str, stamp or ()))


def _keys(entry: Entry) -> dict[str, int]:
    """Every way in which a name may be typed, with its level: as written, by sound, by initials."""
    keys: dict[str, int] = {}
    for name, level in entry.names:
        if compact(name):
            keys.setdefault(compact(name), level)
    for name, _ in entry.names:
        for full, initials in sounds(name, phrase_readings):
            keys.setdefault(full, Level.PINYIN)
            if len(initials) > 1:
                keys.setdefault(initials, Level.INITIALS)
    return keys


def _words(entry: Entry, keys: dict[str, int], *, with_body: bool) -> tuple[str, str, str, str, str]:
    names = [tokens(name) for name, _ in entry.names]
    about = tokens(entry.about)
    # Once each: a body is not more about a thing because it says it often.
    body = dict.fromkeys(tokens(entry.body).strong) if with_body else {}
    strong = dict.fromkeys([*(token for each in names for token in each.strong), *keys])
    weak = dict.fromkeys(token for each in names for token in each.weak)
    return (" ".join(strong), " ".join(about.strong), " ".join(body), " ".join(weak), " ".join(about.weak))

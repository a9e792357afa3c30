"""The index on disk keeps step with the files and survives whatever happens to it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from controller.library.roots import Origin, Root
from controller.library.search import index as subject
from controller.library.search.index import Index, open_index
from controller.library.search.ranking import find
from tests.library.places import app, write

KINDS = ("app", "site", "skill")


def found(index: Index, query: str) -> list[str]:
    return [row.reference for row in find(index, query, kinds=KINDS)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, "library/knowledge/apps/one/APP.md", app("one", display="第一个", body="说到苹果。"))
    write(tmp_path, "library/knowledge/apps/two/APP.md", app("two", display="第二个", body="说到香蕉。"))
    return tmp_path / "library"


def index_of(root: Path, *, trusted: bool = True) -> Index:
    return open_index((Root(root, Origin.EXPLICIT, trusted),), folder=root.parent / "cache")


def test_files_that_change_come_and_go_are_noticed(root: Path) -> None:
    index = index_of(root)
    assert found(index, "苹果") == ["app:one"]
    write(root, "knowledge/apps/one/APP.md", app("one", display="第一个", body="说到樱桃。"))
    write(root, "knowledge/apps/three/APP.md", app("three", display="第三个", body="说到苹果。"))
    (root / "knowledge/apps/two/APP.md").unlink()

    assert index.synchronise() is True
    assert (found(index, "苹果"), found(index, "樱桃"), found(index, "香蕉")) == (["app:three"], ["app:one"], [])
    assert index.synchronise() is False


def test_a_change_of_the_same_size_at_the_same_time_is_noticed(root: Path) -> None:
    index_of(root).close()
    path = root / "knowledge/apps/one/APP.md"
    before = path.stat()
    path.write_text(path.read_text(encoding="utf-8").replace("苹果", "樱桃"), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size

    assert found(index_of(root), "樱桃") == ["app:one"]


def test_a_file_that_was_only_touched_is_not_taken_apart_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index_of(root).close()
    os.utime(root / "knowledge/apps/one/APP.md", ns=(1, 1))
    taken: list[object] = []
    monkeypatch.setattr(subject, "entry_of", taken.append)

    assert found(index_of(root), "苹果") == ["app:one"]
    assert taken == []


def test_a_crash_while_it_is_written_leaves_the_old_one(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = index_of(root)
    write(root, "knowledge/apps/one/APP.md", app("one", display="第一个", body="说到樱桃。"))
    write(root, "knowledge/apps/two/APP.md", app("two", display="第二个", body="说到樱桃。"))

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Index, "_let_serve", crash)
    with pytest.raises(KeyboardInterrupt):
        index.synchronise()
    monkeypatch.undo()

    assert found(index, "苹果") == ["app:one"]
    assert found(index, "樱桃") == []
    assert index.synchronise() is True
    assert sorted(found(index, "樱桃")) == ["app:one", "app:two"]


def test_a_process_that_is_killed_while_it_writes_leaves_the_old_one(root: Path) -> None:
    index_of(root).close()
    (path,) = (root.parent / "cache").glob("*.sqlite")
    half = sqlite3.connect(path, isolation_level=None)
    half.execute("BEGIN IMMEDIATE")
    half.execute("DELETE FROM docs")
    half.close()

    assert found(index_of(root), "苹果") == ["app:one"]


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_broken_file_is_built_anew(root: Path, content: bytes) -> None:
    index_of(root).close()
    (path,) = (root.parent / "cache").glob("*.sqlite")
    path.write_bytes(content)

    index = index_of(root)
    assert found(index, "苹果") == ["app:one"]
    index.close()
    assert path.read_bytes()[:15] == b"SQLite format 3"


def test_a_file_of_another_version_is_built_anew(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "VERSION", 0)
    index_of(root).close()
    monkeypatch.undo()

    assert found(index_of(root), "苹果") == ["app:one"]


def test_without_a_place_to_write_the_index_is_kept_in_memory(root: Path) -> None:
    blocked = root.parent / "blocked"
    blocked.write_text("a file where a folder should be", encoding="utf-8")

    assert found(open_index((Root(root),), folder=blocked), "苹果") == ["app:one"]
    assert found(open_index((Root(root),), folder=None), "苹果") == ["app:one"]


def test_two_processes_may_open_it_at_once(root: Path) -> None:
    first, second = index_of(root), index_of(root)
    write(root, "knowledge/apps/one/APP.md", app("one", display="第一个", body="说到樱桃。"))
    first.synchronise()

    assert found(second, "樱桃") == ["app:one"]


def test_a_document_that_cannot_be_read_takes_no_place(root: Path, tmp_path: Path) -> None:
    write(tmp_path, "first/knowledge/apps/one/APP.md", "no header")

    index = open_index((Root(tmp_path / "first"), Root(root)), folder=None)
    row = index.by_reference("app:one")

    assert row is not None
    assert row.path == str(root / "knowledge/apps/one/APP.md")


def test_of_an_untrusted_root_only_the_catalogue_is_indexed(root: Path) -> None:
    index = index_of(root, trusted=False)
    assert (found(index, "苹果"), found(index, "第一个")) == ([], ["app:one", "app:two"])
    index.close()

    assert found(index_of(root), "苹果") == ["app:one"]


def test_few_indexes_are_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "KEPT_FILES", 2)
    for name in "abcd":
        (root / name).mkdir()
        open_index((Root(root / name),), folder=root.parent / "cache").close()

    assert len(list((root.parent / "cache").glob("*.sqlite"))) == 2

"""Small files that several processes change, and the choices of skills in one of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from controller.errors import DocumentError
from controller.library.choices import SkillChoices, is_enabled
from controller.library.store import JsonFile


def test_changes_that_fail_are_not_kept(tmp_path: Path) -> None:
    file = JsonFile(tmp_path / "deep/a.json")
    with file.edit() as content:
        content["a"] = [1]

    with pytest.raises(ZeroDivisionError), file.edit() as content:
        content["a"].append(1 // 0)

    assert file.read() == {"a": [1]}
    assert [path.name for path in (tmp_path / "deep").glob("*.tmp")] == []


def test_no_change_of_several_writers_is_lost(tmp_path: Path) -> None:
    def count(_: int) -> None:
        with JsonFile(tmp_path / "a.json").edit() as content:
            content["n"] = content.get("n", 0) + 1

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count, range(20)))

    assert JsonFile(tmp_path / "a.json").read() == {"n": 20}


@pytest.mark.parametrize("text", ["", "[]", "{", "\0"])
def test_a_file_that_holds_something_else_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text, encoding="utf-8")

    with pytest.raises(DocumentError, match=r"a\.json"):
        JsonFile(tmp_path / "a.json").read()


CONTENT = {
    "accounts": {
        "a": {"skills": {"skill:x": False}, "tasks": {"t": {"skills": {"skill:x": True}}, "u": {"all": False}}},
        "b": {"all": False, "skills": {"skill:x": True}},
    }
}


@pytest.mark.parametrize(
    ("reference", "account", "task", "enabled"),
    [
        ("skill:x", "a", None, False),
        ("skill:x", "a", "t", True),
        ("skill:x", "a", "u", False),
        ("skill:y", "a", "u", False),
        ("skill:y", "a", None, True),
        ("skill:x", "b", "any", True),
        ("skill:y", "b", "any", False),
        ("skill:x", "c", None, True),
    ],
)
def test_row92_the_nearest_choice_decides(reference: str, account: str, task: str | None, enabled: bool) -> None:
    assert is_enabled(CONTENT, reference, account=account, task=task) is enabled


def test_row92_switching_all_forgets_single_choices(tmp_path: Path) -> None:
    choices = SkillChoices(tmp_path)
    choices.set_one("skill:x", False, account="a", task=None)
    choices.set_all(True, account="a", task=None)

    assert choices.read() == {"accounts": {"a": {"all": True}}}

"""A folder of skills and its origin: straight forward, or nothing changes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from controller.errors import UsageError
from controller.library.git import sync
from controller.library.shelf import Shelf
from tests.library.places import Places, skill, write

NOBODY = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "init.defaultBranch=main")
    environment = {**os.environ, **NOBODY}
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, env=environment, check=True, capture_output=True, encoding="utf-8"
    )
    return done.stdout.strip()


def commit(folder: Path, name: str) -> str:
    write(folder, f"{name}/SKILL.md", skill(name))
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", name)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def author(tmp_path: Path) -> Path:
    """Somebody's clone, from which the bare repository `origin.git` is filled."""
    git(tmp_path, "init", "-q", "--bare", "origin.git")
    git(tmp_path, "clone", "-q", f"file://{tmp_path}/origin.git", "author")
    author = tmp_path / "author"
    git(author, "checkout", "-q", "-B", "main")
    commit(author, "one")
    git(author, "push", "-q", "origin", "main")
    git(tmp_path / "origin.git", "symbolic-ref", "HEAD", "refs/heads/main")
    return author


@pytest.fixture
def own(places: Places, author: Path) -> Path:
    """The person's skills, a clone of the same repository."""
    git(places.own, "clone", "-q", f"file://{author.parent}/origin.git", "skills")
    return places.own / "skills"


def tree(folder: Path) -> tuple[str, list[str]]:
    files = [path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts]
    return git(folder, "rev-parse", "HEAD"), sorted(f"{path}:{path.read_text(encoding='utf-8')}" for path in files)


def refused(folder: Path) -> str:
    before = tree(folder)
    with pytest.raises(UsageError) as error:
        sync(folder)
    assert tree(folder) == before
    return error.value.code


def test_row110_row111_new_skills_come_in_and_are_there_at_once(author: Path, own: Path, shelf: Shelf) -> None:
    assert "personal:one" in shelf.enabled_skill_names()
    before = git(own, "rev-parse", "HEAD")
    after = commit(author, "two")
    git(author, "push", "-q", "origin", "main")

    synced, again = shelf.sync_skills_from_git()

    assert (synced.branch, synced.before, synced.after, synced.files) == ("main", before, after, ("two/SKILL.md",))
    assert again.added == ("personal:two",)
    assert shelf.skill_search("two")[0].reference == "personal:two"
    assert shelf.sync_skills_from_git()[0].files == ()


def test_row108_what_is_no_repository_is_refused(tmp_path: Path, shelf: Shelf) -> None:
    with pytest.raises(UsageError) as error:
        shelf.sync_skills_from_git()
    assert error.value.code == "not_a_repository"
    with pytest.raises(UsageError):
        sync(tmp_path / "missing")


def test_row108_a_folder_inside_a_repository_is_refused(author: Path) -> None:
    with pytest.raises(UsageError) as error:
        sync(author / "one")
    assert error.value.code == "not_a_repository"


@pytest.mark.parametrize("staged", [False, True])
def test_row109_changed_tracked_files_are_not_touched(author: Path, own: Path, staged: bool) -> None:
    commit(author, "two")
    git(author, "push", "-q", "origin", "main")
    write(own, "one/SKILL.md", "mine")
    if staged:
        git(own, "add", "-A")

    assert refused(own) == "not_clean"


def test_row109_untracked_files_do_no_harm_unless_they_stand_in_the_way(author: Path, own: Path) -> None:
    commit(author, "two")
    git(author, "push", "-q", "origin", "main")
    write(own, "two/SKILL.md", "mine, not tracked")

    assert refused(own) == "pull_refused"

    (own / "two/SKILL.md").rename(own / "two/notes.md")
    assert sync(own).files == ("two/SKILL.md",)
    assert (own / "two/notes.md").exists()


def test_row110_diverged_branches_are_refused(author: Path, own: Path) -> None:
    commit(author, "two")
    git(author, "push", "-q", "origin", "main")
    commit(own, "mine")

    assert refused(own) == "diverged"


def test_row110_only_the_current_branch_of_origin_counts(own: Path) -> None:
    git(own, "checkout", "-q", "-b", "feature")
    assert refused(own) == "no_branch"
    git(own, "checkout", "-q", "--detach")
    assert refused(own) == "detached"
    git(own, "checkout", "-q", "main")
    git(own, "remote", "rename", "origin", "upstream")
    assert refused(own) == "no_origin"


def test_an_origin_that_is_gone_changes_nothing(author: Path, own: Path) -> None:
    (author.parent / "origin.git").rename(author.parent / "gone.git")

    assert refused(own) == "fetch_failed"


def test_hooks_are_not_run_and_an_address_that_is_a_command_is_refused(author: Path, own: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    for name in ("post-merge", "post-checkout", "reference-transaction"):
        hook = write(own, f".git/hooks/{name}", f"#!/bin/sh\ntouch {marker}\n")
        hook.chmod(0o755)
    commit(author, "two")
    git(author, "push", "-q", "origin", "main")

    assert sync(own).files == ("two/SKILL.md",)
    git(own, "remote", "set-url", "origin", f"ext::sh -c touch% {marker}")
    assert refused(own) == "fetch_failed"
    assert not marker.exists()


def test_the_git_variables_of_another_repository_mean_nothing_here(
    author: Path, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(author / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(author))

    assert sync(own).folder == str(own)

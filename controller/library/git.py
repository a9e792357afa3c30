"""Bringing a folder of skills up to date from its git repository, and nothing that could lose work.

The only module of the library that starts another program, and the only program is git. Hooks are not run, and no
password is asked for.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from controller.errors import TimedOut, UsageError

__all__ = ["Synced", "is_repository", "sync"]

TIMEOUT_S = 120.0

_SETTINGS = ("core.hooksPath=" + os.devnull, "core.fsmonitor=false", "protocol.ext.allow=never", "gc.auto=0")


@dataclass(frozen=True, slots=True)
class Synced:
    """What became of a folder: the commits before and after, and the files that changed between them."""

    folder: str
    branch: str
    before: str
    after: str
    files: tuple[str, ...]


def is_repository(folder: Path) -> bool:
    """Whether the folder is the top of a git repository."""
    return (folder / ".git").exists()


def sync(folder: Path, *, timeout_s: float = TIMEOUT_S) -> Synced:
    """Fetch the current branch from `origin` and go forward to it.

    Raises:
        UsageError: The folder is no repository, has changes in tracked files, is on no branch, has no `origin`, or
            could not go straight forward. Nothing has been changed then.
        TimedOut: git did not come back in time.
    """
    if shutil.which("git") is None:
        raise UsageError("git is not installed", hint="install git", code="git_missing")
    if not folder.is_dir() or not is_repository(folder):
        raise UsageError(
            f"{folder} is not the top folder of a git repository", hint="clone it there first", code="not_a_repository"
        )
    git = _Git(folder, timeout_s)
    branch = git.branch()
    git.require_clean()
    git.require_origin()
    before = git.read("rev-parse", "HEAD")
    git.run("fetch", "--quiet", "--no-tags", "origin", code="fetch_failed", refusal="the origin cannot be fetched")
    git.require_forward(branch)
    git.run(
        *("pull", "--quiet", "--ff-only", "--no-rebase", "--no-tags", "origin", branch),
        code="pull_refused",
        refusal="the changes cannot be taken over",
    )
    after = git.read("rev-parse", "HEAD")
    files = git.read("-c", "core.quotePath=false", "diff", "--name-only", before, after)
    return Synced(str(folder), branch, before, after, tuple(files.splitlines()))


class _Git:
    """git in one folder."""

    def __init__(self, folder: Path, timeout_s: float) -> None:
        self._folder = folder
        self._timeout_s = timeout_s
        # A hook of another repository may have left GIT_DIR and its like behind, which would mean that repository.
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self._environment = {**kept, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}

    def branch(self) -> str:
        done = self._start("symbolic-ref", "--quiet", "--short", "HEAD")
        if done.returncode != 0 or not done.stdout.strip():
            raise self._refused("no branch is checked out", "detached", hint="check out a branch")
        return done.stdout.strip()

    def require_clean(self) -> None:
        changed = self.read("status", "--porcelain", "--untracked-files=no")
        if changed:
            names = ", ".join(line[3:] for line in changed.splitlines()[:5])
            raise self._refused(f"tracked files were changed: {names}", "not_clean", hint="commit or undo the changes")

    def require_origin(self) -> None:
        if self._start("remote", "get-url", "origin").returncode != 0:
            raise self._refused("there is no remote `origin`", "no_origin", hint="git remote add origin …")

    def require_forward(self, branch: str) -> None:
        upstream = f"refs/remotes/origin/{branch}"
        if self._start("rev-parse", "--verify", "--quiet", upstream).returncode != 0:
            raise self._refused(f"origin has no branch {branch!r}", "no_branch", hint="check out one that it has")
        ahead = self._start("merge-base", "--is-ancestor", "HEAD", upstream).returncode
        behind = self._start("merge-base", "--is-ancestor", upstream, "HEAD").returncode
        if ahead != 0 and behind != 0:
            raise self._refused(f"{branch!r} and origin's have diverged", "diverged", hint="merge or rebase by hand")

    def read(self, *arguments: str) -> str:
        """What git prints."""
        return self.run(*arguments, code="git_failed", refusal=f"git {arguments[0]} failed")

    def run(self, *arguments: str, code: str, refusal: str) -> str:
        done = self._start(*arguments)
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip().splitlines()
            raise self._refused(f"{refusal}: {said[-1] if said else done.returncode}", code)
        return done.stdout.rstrip("\n")

    def _refused(self, reason: str, code: str, *, hint: str = "") -> UsageError:
        return UsageError(f"{self._folder} stays as it is: {reason}", hint=hint, code=code)

    def _start(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        settings = [part for setting in _SETTINGS for part in ("-c", setting)]
        try:
            return subprocess.run(
                ["git", *settings, *arguments],
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                timeout=self._timeout_s,
                # Without a terminal ssh and credential helpers cannot ask.
                start_new_session=True,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            message = f"git {arguments[0]} in {self._folder} took longer than {self._timeout_s:g} s"
            raise TimedOut(message, hint="look at the connection to origin") from error

"""Which skills are switched on, for each account and each of its tasks.

A choice for a task goes before one for the account; without any a skill is on. Kept in the person's folder. Where a
skill that is off must not appear is the shelf's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controller.library.store import JsonFile

__all__ = ["DEFAULT_ACCOUNT", "SkillChoices", "is_enabled"]

DEFAULT_ACCOUNT = "default"


def is_enabled(content: Mapping[str, Any], reference: str, *, account: str, task: str | None) -> bool:
    """Whether a skill is on.

    Args:
        content: `{"accounts": {account: {"all": bool, "skills": {reference: bool}, "tasks": {task: {…the same}}}}}`.
        reference: The skill, such as `skill:pdf-text`.
        account: Whose choice.
        task: The task, None for what holds in all of them.
    """
    own = content.get("accounts", {}).get(account, {})
    in_task = own.get("tasks", {}).get(task, {}) if task is not None else {}
    for choice in (in_task, own):
        if reference in choice.get("skills", {}):
            return bool(choice["skills"][reference])
        if "all" in choice:
            return bool(choice["all"])
    return True


class SkillChoices:
    """The choices in the file of a folder."""

    def __init__(self, folder: Path) -> None:
        self._file = JsonFile(folder / "skills.json")

    def read(self) -> dict[str, Any]:
        """Everything that was chosen, as `is_enabled` takes it."""
        return self._file.read()

    def set_one(self, reference: str, enabled: bool, *, account: str, task: str | None) -> None:
        """Switch one skill on or off."""
        with self._file.edit() as content:
            _chosen(content, account, task).setdefault("skills", {})[reference] = enabled

    def set_all(self, enabled: bool, *, account: str, task: str | None) -> None:
        """Switch all skills on or off, those that come later included."""
        with self._file.edit() as content:
            chosen = _chosen(content, account, task)
            chosen["all"] = enabled
            chosen.pop("skills", None)


def _chosen(content: dict[str, Any], account: str, task: str | None) -> dict[str, Any]:
    own: dict[str, Any] = content.setdefault("accounts", {}).setdefault(account, {})
    if task is None:
        return own
    chosen: dict[str, Any] = own.setdefault("tasks", {}).setdefault(task, {})
    return chosen

"""Folders of documents for tests, and the shelf over them as the command line would open it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from controller.library.choices import DEFAULT_ACCOUNT, SkillChoices
from controller.library.roots import Root, Trust, find_roots
from controller.library.shelf import Shelf


def write(root: Path, name: str, text: str) -> Path:
    """A file with its folders."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def app(name: str, *, display: str = "", description: str = "d", aliases: str = "[]", body: str = "") -> str:
    """A small APP.md."""
    return (
        f"---\nname: {name}\ndisplay: {display or name}\ndescription: {description}\n"
        f"packages: [com.example.{name.replace('-', '_')}]\naliases: {aliases}\n---\n{body}"
    )


def skill(name: str, *, description: str = "用的时候", body: str = "## 入口\n做。\n", more: str = "") -> str:
    """A small SKILL.md."""
    return f"---\nname: {name}\ndescription: {description}\n{more}---\n{body}"


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of one person and one project."""

    base: Path

    @property
    def explicit(self) -> Path:
        return self.base / "explicit"

    @property
    def project(self) -> Path:
        return self.base / "project"

    @property
    def agents(self) -> Path:
        return self.project / ".agents"

    @property
    def own(self) -> Path:
        return self.base / "own"

    @property
    def home_agents(self) -> Path:
        return self.base / "home/.agents"

    def roots(self) -> tuple[Root, ...]:
        explicit = (self.explicit,) if self.explicit.is_dir() else ()
        person = (self.own, self.home_agents)
        return find_roots(explicit=explicit, project=self.project, person=person, trust=Trust(self.own))

    def shelf(self, *, account: str = DEFAULT_ACCOUNT, task: str | None = None) -> Shelf:
        cache = self.base / "cache"
        return Shelf(self.roots, cache=cache, choices=SkillChoices(self.own), account=account, task=task)

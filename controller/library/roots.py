"""The folders that documents come from, in the order in which they serve, and which of them are trusted.

Says where to look; what lies there is the catalog's business. The project's folder is not read until a person has said
`phonectl library trust .`; what was said is kept in the person's own folder, outside every project.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.library.origin import Origin
from controller.library.store import JsonFile
from controller.resources import resource_dir

__all__ = ["Root", "Trust", "builtin_roots", "find_roots", "is_builtin"]

PROJECT_FOLDER = ".agents"


@dataclass(frozen=True, slots=True)
class Root:
    """A folder of documents.

    Attributes:
        path: The folder.
        origin: Who put it there.
        trusted: Whether its bodies may be read; of an untrusted root only the catalogue is shown.
    """

    path: Path
    origin: Origin = Origin.EXPLICIT
    trusted: bool = True

    @classmethod
    def at(cls, path: Path) -> Root:
        """The root at a folder that a person or a caller named."""
        return cls(path, Origin.BUILTIN if is_builtin(path) else Origin.EXPLICIT)

    @property
    def knowledge(self) -> Path:
        """Where `apps/` and `sites/` lie."""
        return self._below("knowledge")

    @property
    def skills(self) -> Path:
        """Where the folders of skills lie."""
        return self._below("skills")

    def _below(self, name: str) -> Path:
        # `--library` may name either of the two folders itself; in `.agents` there are folders of others' kinds.
        strict = self.origin in (Origin.PROJECT, Origin.PERSON)
        return self.path / name if strict or (self.path / name).is_dir() else self.path


def builtin_roots() -> tuple[Path, ...]:
    """The folders of the documents that travel with the product."""
    return (resource_dir("knowledge"), resource_dir("skills"))


def is_builtin(path: Path) -> bool:
    """Whether a file or folder is one of the built-in documents' folders or lies in one."""
    resolved = path.resolve()
    return any(resolved.is_relative_to(root.resolve()) for root in builtin_roots())


def find_roots(
    *,
    explicit: Iterable[Path] = (),
    project: Path | None = None,
    person: Sequence[Path] = (),
    trust: Trust | None = None,
) -> tuple[Root, ...]:
    """All roots, the one that serves first at the front.

    Args:
        explicit: Folders that were named for this run.
        project: The folder a person works in; its `.agents` is looked at.
        person: The person's own folders.
        trust: Which projects are trusted; none when it is not given.
    """
    own = {folder.resolve() for folder in person}
    roots = [Root(path) for path in explicit]
    if project is not None and (project / PROJECT_FOLDER).resolve() not in own:
        trusted = trust is not None and trust.holds(project)
        roots.append(Root(project / PROJECT_FOLDER, Origin.PROJECT, trusted))
    roots += [Root(folder, Origin.PERSON) for folder in person]
    return (*roots, *(Root(path, Origin.BUILTIN) for path in builtin_roots()))


class Trust:
    """The projects that a person trusts, by their resolved paths."""

    def __init__(self, folder: Path) -> None:
        self._file = JsonFile(folder / "trust.json")

    def holds(self, project: Path) -> bool:
        """Whether a project is trusted."""
        return str(project.resolve()) in self.projects()

    def projects(self) -> tuple[str, ...]:
        """All trusted projects."""
        return tuple(str(path) for path in self._file.read().get("projects", []))

    def add(self, project: Path) -> bool:
        """Trust a project; whether that is new."""
        path = str(project.resolve())
        with self._file.edit() as content:
            known = content.setdefault("projects", [])
            if path in known:
                return False
            known.append(path)
            return True

    def remove(self, project: Path) -> bool:
        """Trust a project no longer; whether it was trusted."""
        path = str(project.resolve())
        with self._file.edit() as content:
            known = content.setdefault("projects", [])
            if path not in known:
                return False
            known.remove(path)
            return True

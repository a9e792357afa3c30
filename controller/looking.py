"""What `observe` answers: the header with app, pace and budget, and the outline below it.

Made from a phone or from a saved hierarchy. The outline itself is `screen.outline`'s.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller import verbs
from controller.errors import DocumentError
from controller.library.app import App
from controller.screen.hierarchy import Hierarchy, app_windows, parse
from controller.screen.outline import Outline, outline
from controller.session import Session

__all__ = ["Seen", "from_file", "from_phone"]


@dataclass(frozen=True, slots=True)
class Seen:
    """One look at a screen.

    Args:
        outline: The elements, with refs.
        package: The front app.
        activity: Its activity.
        app: Its APP.md, where there is one.
        overlay: What has the focus instead of the app.
        notes: What the reading could not see, and repairs.
        budget: New screens used and allowed in the app's task; None where nothing is counted.
    """

    outline: Outline
    package: str | None = None
    activity: str | None = None
    app: App | None = None
    overlay: str | None = None
    notes: tuple[str, ...] = ()
    budget: tuple[int, int] | None = None

    def __str__(self) -> str:
        return self.text()

    def text(self, *, boxes: bool = False) -> str:
        """The look as a person or an agent reads it."""
        return "\n".join(line for line in (self._header(), *self._notes(), self.outline.text(boxes=boxes)) if line)

    def as_dict(self) -> dict[str, Any]:
        """The look as JSON: the header's facts, the elements, and the outline as text."""
        return {
            "package": self.package,
            "activity": self.activity,
            "app": self.app.id if self.app else None,
            "pace": self.app.pace.value if self.app and self.app.pace else None,
            "overlay": self.overlay,
            "screens": {"used": self.budget[0], "limit": self.budget[1]} if self.budget else None,
            "notes": [*self.notes, *self.outline.notes],
            "elements": [element.as_dict() for element in self.outline.elements],
            "outline": self.outline.text(),
        }

    def _header(self) -> str:
        if self.package is None:
            return ""
        name = f"{self.app.display} " if self.app else ""
        activity = (self.activity or "").removeprefix(self.package)
        counted = f" · screen {self.budget[0]} of {self.budget[1]}" if self.budget else ""
        pace = f" · pace {self.app.pace.value}" if self.app and self.app.pace else ""
        over = f" · behind {self.overlay}" if self.overlay else ""
        return f"# {name}{self.package}{'/' + activity if activity else ''}{over}{counted}{pace}"

    def _notes(self) -> tuple[str, ...]:
        return tuple(f"! {note}" for note in self.notes)


def from_phone(session: Session) -> Seen:
    """A look at the phone's screen; its refs may be used by the next command."""
    observation, made = verbs.observe(session)
    front = observation.foreground
    app = session.app_of(observation)
    budget = None
    if app is not None and app.pace:
        kept = session.task().budget(app.id)
        budget = None if kept.lifted else (kept.counted, kept.limit)
    return Seen(made, front.package, front.activity, app, front.overlay, observation.notes, budget)


def from_file(path: Path) -> Seen:
    """A look at a hierarchy saved by any of the usual tools.

    Raises:
        DocumentError: The file cannot be read as one.
    """
    try:
        hierarchy = parse(path.read_bytes())
    except DocumentError as err:
        raise DocumentError(f"{path}: {err.message}", hint=err.hint or "save it with `uiautomator dump`") from err
    package = _front_package(hierarchy)
    return Seen(outline(hierarchy, package=package), package, notes=hierarchy.notes)


def _front_package(hierarchy: Hierarchy) -> str | None:
    """The package that owns the largest part of the screen: a saved tree does not say who had the focus."""
    windows = [window for window in app_windows(hierarchy, None) if window.package]
    largest = max(windows, key=lambda window: window.bounds.area, default=None)
    return largest.package if largest else None

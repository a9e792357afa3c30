"""What an observation means for pace: whose screen it is, whether it is the one that was there before, since when.

Pure: what was seen last is an argument, as it stands in the task file. Reading and writing that file, and what follows
from a new screen, are the session's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.device.observation import Observation
from controller.library.app import App
from controller.recognise import KnowsPackages, recognise
from controller.screen import sameness, touch
from controller.screen.dumpsys import Foreground, State
from controller.screen.hierarchy import SYSTEM_DIALOGS, Node, visible_text
from controller.task import SeenScreen

__all__ = ["Scene", "anything_changed", "is_late", "is_under_way", "popped_up", "read_scene", "with_restless"]

# An action whose screen came later than the settling cap still opened it, if nothing else happened meanwhile.
LATE_SCREEN_S = 5.0
LOADING_WORDS = frozenset({"加载中", "正在加载", "请稍候", "请稍等", "loading", "please wait", "searching"})


@dataclass(frozen=True, slots=True)
class Scene:
    """An observation and what it means.

    Args:
        observation: The look.
        package: The app whose pace counts: below a dialog of the system the one that asked.
        app: Its APP.md, where there is one.
        mark: What tells its screen from another.
        seen: The screen as the task file keeps it, with the time it was first seen.
        dialog: A dialog or something of the system lies over the app.
        restless: Places that changed by themselves while nothing was done: they say nothing about a new screen.
    """

    observation: Observation
    package: str | None
    app: App | None
    mark: sameness.ScreenMark
    seen: SeenScreen
    dialog: bool
    restless: frozenset[str] = frozenset()

    @property
    def characters(self) -> int:
        """Characters there are to read: what can be seen of the app, white space and the keyboard's keys left out."""
        look = self.observation
        text = visible_text(
            look.hierarchy, package=self.package, keyboard_package=look.input_method, screen=look.screen
        )
        return len("".join(text.split()))


def read_scene(
    observation: Observation,
    last: SeenScreen | None,
    library: KnowsPackages,
    *,
    restless: frozenset[str] = frozenset(),
) -> tuple[Scene, bool]:
    """The scene, and whether its screen is another than `last`."""
    front = observation.foreground
    known = sameness.ScreenMark.from_json(last.mark) if last else None
    package = _owner(front, known)
    app = recognise(package, library).app
    mark = _mark(observation, package, restless)
    dialog = front.state is not State.APP or front.package in SYSTEM_DIALOGS
    if last is None or known is None or (not dialog and sameness.is_new_screen(known, mark)):
        seen = SeenScreen(mark.as_json(), first_seen=observation.at)
        return Scene(observation, package, app, mark, seen, dialog), True
    # A permission or system dialog is not a screen of the app: what lies below it is still the same.
    seen = last if dialog else replace(last, mark=_with_items(mark, known).as_json())
    return Scene(observation, package, app, mark, seen, dialog), False


def with_restless(before: Scene, scene: Scene) -> Scene:
    """The scene after a wait, told what changed meanwhile although nobody touched the phone."""
    restless = sameness.changing(before.observation.hierarchy, scene.observation.hierarchy, package=scene.package)
    mark = _mark(scene.observation, scene.package, restless)
    seen = scene.seen if scene.dialog else replace(scene.seen, mark=mark.as_json())
    return replace(scene, mark=mark, seen=seen, restless=restless)


def is_under_way(before: Observation, after: Observation) -> bool:
    """Whether what an action leads to may still be coming: nothing has moved, or the app says that it is loading."""
    if not anything_changed(before, after):
        return True
    package = after.foreground.package
    return any(_is_loading(node) for node in after.hierarchy.nodes() if node.visible and node.package == package)


def popped_up(before: Observation, after: Observation, package: str | None) -> bool:
    """Whether a dialog or popup of the app lies on its page that did not lie there before."""
    return _has_popup(after, package) and not _has_popup(before, package)


def is_late(seen: SeenScreen, observation: Observation) -> bool:
    """Whether a screen that shows only now is still the effect of the last action."""
    return seen.awaited is not None and observation.at - seen.awaited.at <= LATE_SCREEN_S


def anything_changed(before: Observation, after: Observation) -> bool:
    """Whether anything at all is different on the phone."""
    return before.hierarchy.windows != after.hierarchy.windows or before.foreground != after.foreground


def _mark(observation: Observation, package: str | None, restless: frozenset[str]) -> sameness.ScreenMark:
    front = observation.foreground
    # The instance tells two pages of one activity apart; below a dialog it is the dialog's.
    window = front.record if front.package == package else None
    return sameness.mark(
        observation.hierarchy, package=package, activity=front.activity, ignoring=restless, window=window
    )


def _with_items(mark: sameness.ScreenMark, known: sameness.ScreenMark) -> sameness.ScreenMark:
    """The mark, with the items seen last where the tree shows none: an empty tree says nothing about the page."""
    return mark if mark.items else replace(mark, items=known.items)


def _has_popup(observation: Observation, package: str | None) -> bool:
    return touch.has_dialog(observation.hierarchy, package=package, screen=observation.screen)


def _is_loading(node: Node) -> bool:
    return node.class_name.endswith(".ProgressBar") or node.text.strip(" .…").casefold() in LOADING_WORDS


def _owner(front: Foreground, known: sameness.ScreenMark | None) -> str | None:
    """The app whose pace counts: below a permission or system dialog it is the app that asked."""
    below = known.package if known else None
    if front.package is None or front.package in SYSTEM_DIALOGS:
        return front.behind.split("/")[0] if front.behind else below
    return front.package

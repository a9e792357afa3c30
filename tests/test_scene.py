"""What a look means for pace: whose screen it is, whether it is another one, and how much there is to read."""

from __future__ import annotations

from dataclasses import replace

from controller.device.observation import Observation
from controller.library.app import App
from controller.scene import Scene, is_late, read_scene, with_restless
from controller.screen.dumpsys import Foreground, State
from controller.screen.hierarchy import parse
from controller.task import LastAction, SeenScreen
from tests.screen.trees import APP, dump, node

DIALOGS = "com.android.permissioncontroller"


class NoLibrary:
    """A library that knows no app."""

    def app_by_package(self, package: str) -> App | None:
        del package
        return None


def look(*children: str, at: float = 0.0, package: str = APP, behind: str | None = None, **more: str) -> Observation:
    window = node("FrameLayout", "", (0, 0, 1080, 2400), *children, package=package)
    state = State.OVERLAY if behind else State.APP
    front = Foreground(package, f"{package}.Main", state=state, behind=behind, confident=True)
    return Observation(front, parse(dump(window, *more.values())), (1080, 2400), None, at=at, device_s=0.0)


def rows(*texts: str, package: str = APP) -> list[str]:
    return [
        node("TextView", text, (0, 100 * place, 1080, 100 * place + 90), id=f"row{place}", package=package)
        for place, text in enumerate(texts)
    ]


def read(observation: Observation, last: SeenScreen | None = None) -> tuple[Scene, bool]:
    return read_scene(observation, last, NoLibrary())


LIST = rows("Alpha", "Bravo", "Charlie", "Delta")


def test_the_first_look_is_a_new_screen_from_its_own_time() -> None:
    scene, changed = read(look(*LIST, at=3.0))

    assert (scene.package, scene.seen.first_seen, changed) == (APP, 3.0, True)


def test_the_same_screen_keeps_the_time_it_was_first_seen() -> None:
    first, _ = read(look(*LIST, at=3.0))

    scene, changed = read(look(*rows("Alpha", "Bravo", "Charlie", "Echo"), at=9.0), first.seen)

    assert (scene.seen.first_seen, changed) == (3.0, False)


def test_another_page_is_a_new_screen() -> None:
    first, _ = read(look(*LIST, at=3.0))

    scene, changed = read(look(*rows("Name", "Street", "Town", "Country"), at=9.0), first.seen)

    assert (scene.seen.first_seen, changed) == (9.0, True)


def test_below_a_permission_dialog_the_app_that_asked_is_still_on_its_screen() -> None:
    first, _ = read(look(*LIST, at=3.0))

    asking, changed = read(look(*rows("Allow?", package=DIALOGS), package=DIALOGS, behind=f"{APP}/.Main"), first.seen)

    assert (asking.package, asking.dialog, changed) == (APP, True, False)
    assert asking.seen == first.seen


def test_what_moves_by_itself_during_a_wait_says_nothing_about_the_screen() -> None:
    before, _ = read(look(*rows("Alpha", "0:01")))
    after, _ = read(look(*rows("Alpha", "0:02"), at=2.0), before.seen)

    assert with_restless(before, after).restless != frozenset()


def test_a_screen_is_late_for_five_seconds_after_the_action_that_awaits_it() -> None:
    seen = replace(read(look(*LIST))[0].seen, awaited=LastAction(APP, 10.0))

    assert [is_late(seen, look(*LIST, at=at)) for at in (14.9, 15.1)] == [True, False]
    assert not is_late(replace(seen, awaited=None), look(*LIST, at=10.0))


def test_only_what_can_be_seen_is_to_be_read() -> None:
    below = node("TextView", "far below the screen", (0, 2500, 1080, 2600))
    keys = node("Button", "q", (0, 1500, 1080, 2400), package="org.example.keys")

    shown = look(*rows("three words here"), below, keys=keys)
    scene, _ = read(replace(shown, input_method="org.example.keys"))

    assert scene.characters == len("threewordshere")

"""A person drives a virtual phone by hand, and the watcher makes a capture of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from controller.capture import FilmedPhone
from controller.capture.touches import Key, Touch
from controller.capture.watching import deed_of, open_hands, watch
from controller.clock import SystemClock, poll
from controller.virtual.glass import Person
from controller.virtual.ui import UiNode
from tests.capture.phones import device_of, filmed, played


class Told:
    """What a person's fingers did, told at the next asking."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size
        self._done: list[Touch | Key] = []

    def touched(self, start: tuple[int, int], end: tuple[int, int] | None = None, seconds: float = 0.1) -> None:
        ends = [(x / self._size[0], y / self._size[1]) for x, y in (start, end or start)]
        self._done.append(Touch(ends[0], ends[1], seconds))

    def drain(self) -> Iterable[Touch | Key]:
        done, self._done = self._done, []
        return done


def test_a_person_is_watched_and_their_way_can_be_gone_again(tmp_path: Path) -> None:
    with filmed(tmp_path / "c", eager=True) as (server, phone):
        virtual = server.phone
        told = Told(virtual.size)

        def tap(text: str) -> Callable[[], None]:
            def act() -> None:
                point = _find(server.phone.windows(), text).bounds.center
                told.touched(point)
                virtual.tap(*point)

            return act

        def back() -> None:
            told._done.append(Key("BACK"))
            virtual.key(4)

        acts = [tap("设置"), tap("显示"), back]
        watch(phone, told, until=_script(acts, phone), every_s=0.5)

    ways = [(arrow.source, str(arrow.deed.kind), arrow.element, arrow.target) for arrow in phone.film.recorder.arrows]
    assert ways == [("s1", "tap", "设置", "s2"), ("s2", "tap", "显示", "s3"), ("s3", "press", "", "s2")]

    with played(tmp_path / "c") as (captured, driver):
        for text in ("设置", "显示"):
            driver.tap(*_find(captured.windows(), text).bounds.center)
        there = captured.screen.id
        driver.press("back")
        assert (there, captured.screen.id) == ("s3", "s2")


def test_without_touches_what_led_on_is_an_unknown_action(tmp_path: Path) -> None:
    with filmed(tmp_path / "c", eager=True) as (server, phone):
        phone.film.recorder.sees_actions = False
        watch(phone, None, until=_script([lambda: _launch(server)], phone), every_s=0.5)

    assert [str(arrow.deed.kind) for arrow in phone.film.recorder.arrows] == ["unknown action"]


def test_typing_on_the_keyboard_is_told_by_the_field_and_only_its_action_key_by_the_finger(tmp_path: Path) -> None:
    with filmed(tmp_path / "c") as (server, phone):
        server.phone.launch("com.android.settings")
        phone.clock.sleep(3)
        server.phone.tap(*_find(server.phone.windows(), "搜索设置").bounds.center)
        phone.clock.sleep(1)
        screen = phone.observe()
        keyboard = screen.keyboard
        assert keyboard is not None

        def at(x: float, y: float) -> Touch:
            return Touch((x / 1080, y / 2400), (x / 1080, y / 2400), 0.1)

        letter = deed_of(at(500, keyboard.top + 200), screen, density=420, at=1.0)
        action = deed_of(at(1000, keyboard.bottom - 40), screen, density=420, at=1.0)
        edge = deed_of(Touch((0.005, 0.3), (0.4, 0.3), 0.2), screen, density=420, at=1.0)

    assert letter is None
    assert action is not None
    assert (str(action.kind), action.key) == ("press", 66)
    assert edge is not None
    assert (str(edge.kind), edge.key) == ("press", 4)


def test_fingers_on_the_glass_are_read_over_the_wire(tmp_path: Path) -> None:
    with filmed(tmp_path / "c") as (server, phone), open_hands(device_of(server, phone.clock), phone.clock) as hands:  # type: ignore[arg-type]
        assert hands is not None
        person = Person(server.phone)
        server.phone.tap(540, 1000)  # injected: it never passes the glass
        phone.clock.sleep(1)
        person.tap(540, 1200)
        person.stroke([(540, 1800), (540, 600)], 0.3)
        person.press(24)
        found: list[Touch | Key] = []
        poll(lambda: found.extend(hands.drain()) or len(found) >= 3 or None, clock=SystemClock(), timeout_s=5)  # type: ignore[func-returns-value]

    assert found == [
        Touch((0.5, 0.5), (0.5, 0.5), 0.08),
        Touch((0.5, 0.75), (0.5, 0.25), 0.3),
        Key("VOLUMEUP"),
    ]


def _script(acts: list[Callable[[], None]], phone: FilmedPhone) -> Callable[[], bool]:
    """Between two looks nothing three times, then the next act; the end after the last one."""
    waiting = list(acts)
    looks = [0]

    def until() -> bool:
        looks[0] += 1
        if looks[0] % 4 == 0:
            if not waiting:
                return True
            waiting.pop(0)()
        return False

    return until


def _launch(server: object) -> None:
    server.phone.launch("com.android.settings")  # type: ignore[attr-defined]


def _find(windows: Iterable[object], text: str) -> UiNode:
    nodes = [node for window in windows for node in window.root.walk() if text in (node.text, node.content_desc)]  # type: ignore[attr-defined]
    assert nodes, text
    return nodes[0]

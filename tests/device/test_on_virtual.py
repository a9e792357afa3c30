"""The whole way on the emulated phone, whose clock is the test's: nothing here waits in real time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from controller import virtual
from controller.adb.client import AdbServer
from controller.clock import ManualClock
from controller.device.phone import Phone
from controller.device.profile import Profile
from controller.device.typing import erase_text, type_text
from controller.errors import InputDenied, Offline, OpenFailed, OutcomeUnknown, UiServerError, Unauthorized
from controller.pace import CAREFUL
from controller.screen.dumpsys import State
from controller.screen.hierarchy import Node
from controller.screen.picture import size_of
from controller.virtual.server import VirtualServer
from tests.device.test_typing import Notebook

BILI = "tv.danmaku.bili"
SETTINGS = "com.android.settings"


class Rig:
    """An emulated phone with everything that reaches it."""

    def __init__(self, server: VirtualServer, events: list[dict[str, Any]], clock: ManualClock) -> None:
        self.events = events
        self.clock = clock
        self.faults = server.phone.faults
        host, port = server.server.rsplit(":", 1)
        self.adb = AdbServer(host, int(port), clock=clock)
        self.phone = Phone(self.adb.choose(), Profile(), clock)

    def called(self, method: str) -> int:
        """How often uiautomator2's server was asked for this."""
        return sum(event.get("kind") == "jsonrpc" and event.get("method") == method for event in self.events)

    def open(self, package: str) -> None:
        assert self.phone.start_app(package).ok
        self.clock.advance(6)


@pytest.fixture
def rig() -> Iterator[Rig]:
    yield from rigs(14)


def rigs(android: int) -> Iterator[Rig]:
    clock, events = ManualClock(), []  # type: ignore[var-annotated]
    with virtual.boot(now=clock.now, sleep=clock.sleep, android=android, trace=events.append) as server:
        made = Rig(server, events, clock)
        with made.phone:
            yield made


def with_text(phone: Phone, text: str) -> Node:
    return next(node for node in phone.observe().hierarchy.nodes() if text in node.text)


@pytest.mark.parametrize(("android", "sdk"), [(9, 28), (11, 30), (14, 34)])
def test_each_android_is_read_with_its_front_app_tree_and_size(android: int, sdk: int) -> None:
    for rig in rigs(android):
        rig.open(BILI)
        seen = rig.phone.observe()

        assert rig.phone.sdk == sdk
        assert (seen.foreground.package, seen.foreground.state) == (BILI, State.APP)
        assert seen.foreground.confident
        assert (seen.size, seen.notes, seen.keyboard) == ((1080, 2400), (), None)
        assert size_of(rig.phone.picture().png) == seen.size


def test_text_is_typed_with_its_gaps_into_a_field_and_erased_again(rig: Rig) -> None:
    rig.open(BILI)
    rig.phone.tap(*with_text(rig.phone, "搜索").bounds.center)
    rig.clock.advance(5)
    journal, rng = Notebook(), random.Random(7)

    typed = type_text(rig.phone, "猫咖👨‍👩‍👧", rules=CAREFUL, rng=rng, clock=rig.clock, journal=journal)

    assert (typed.route, typed.verified, typed.value) == ("set_text", True, "猫咖👨‍👩‍👧")
    keyboard = rig.phone.observe().keyboard
    assert keyboard is not None
    assert keyboard.bottom <= 2400
    times = [event["t"] for event in rig.events if event.get("method") == "setText"]
    assert [0.12 <= after - before <= 0.33 for before, after in pairwise(times)] == [True, True]
    rig.clock.advance(2)
    assert erase_text(rig.phone, rules=CAREFUL, rng=rng) == 0
    assert journal.history == []


def test_a_drag_that_rests_moves_a_list_by_its_own_length_and_a_swipe_by_more(rig: Rig) -> None:
    rig.open(SETTINGS)
    before = rig.phone.observe()
    rig.phone.drag((540, 1600), (540, 1400), duration_s=0.4, rest_s=0.2)
    dragged = moved(before.hierarchy.nodes(), rig.phone.settle().hierarchy.nodes())
    before = rig.phone.observe()
    rig.phone.swipe((540, 1400), (540, 1200), duration_s=0.1)
    rig.clock.advance(2)
    swiped = moved(before.hierarchy.nodes(), rig.phone.settle().hierarchy.nodes())

    assert 150 <= dragged <= 200
    assert swiped > dragged


def moved(before: Iterator[Node], after: Iterator[Node]) -> int:
    """How far the rows went up."""
    tops = {node.text: node.bounds.top for node in before if node.package == SETTINGS and node.text}
    shared = [tops[node.text] - node.bounds.top for node in after if node.text in tops]
    return max(shared)


def test_apps_that_are_not_there_and_links_that_nobody_opens_are_told(rig: Rig) -> None:
    with pytest.raises(OpenFailed) as caught:
        rig.phone.start_app("com.example.nosuch")

    assert caught.value.code == "not_installed"
    assert rig.phone.view("nosuch://page", BILI).error == "unresolved"
    assert rig.phone.installed(BILI)


def test_home_brings_the_launcher_and_the_app_comes_back_where_it_was(rig: Rig) -> None:
    rig.open(SETTINGS)
    rig.phone.press("home")
    assert rig.phone.settle().foreground.package != SETTINGS
    rig.open(SETTINGS)

    assert rig.phone.foreground().package == SETTINGS


# Faults


def test_a_server_that_dies_under_a_tap_leaves_its_fate_open_and_the_next_look_works(rig: Rig) -> None:
    rig.open(SETTINGS)
    rig.phone.observe()
    rig.faults.set("uiserver_dies", count=1)
    with pytest.raises(OutcomeUnknown):
        rig.phone.tap(540, 1200)

    assert rig.called("click") <= 1
    assert rig.phone.observe().foreground.package == SETTINGS


def test_a_held_uiautomation_is_a_conflict_and_the_front_app_is_told_all_the_same(rig: Rig) -> None:
    rig.faults.set("already_registered")
    with pytest.raises(UiServerError) as caught:
        rig.phone.tap(540, 1200)

    assert caught.value.code == "automation_busy"
    seen = rig.phone.observe()
    assert seen.notes[0].startswith("tree_unavailable: automation_busy")
    assert seen.foreground.package is not None


def test_a_forbidden_touch_is_denied_once(rig: Rig) -> None:
    rig.phone.observe()
    rig.faults.set("inject_denied")
    with pytest.raises(InputDenied):
        rig.phone.tap(540, 1200)

    assert rig.called("click") == 1


def test_a_protected_window_gives_no_picture_and_its_tree(rig: Rig) -> None:
    rig.open(SETTINGS)
    rig.faults.set("secure_window")
    picture = rig.phone.picture()

    assert (picture.secure, picture.png) == (True, b"")
    assert rig.phone.observe().hierarchy.count > 5


def test_a_warning_in_front_of_the_picture_is_cut_off(rig: Rig) -> None:
    rig.faults.set("multi_display_warning")
    picture = rig.phone.picture()

    assert size_of(picture.png) == (1080, 2400)
    assert "multi_display" in picture.notes


def test_a_missing_focus_ends_in_an_honest_answer_after_a_second(rig: Rig) -> None:
    rig.open(SETTINGS)
    rig.phone.foreground()
    rig.faults.set("null_focus")
    before = rig.clock.now()
    front = rig.phone.foreground()

    assert front.package is None or not front.confident
    assert rig.clock.now() - before <= 1.5


@pytest.mark.parametrize(("fault", "error"), [("offline", Offline), ("unauthorized", Unauthorized)])
def test_a_phone_in_a_bad_state_is_told_by_it(rig: Rig, fault: str, error: type[Exception]) -> None:
    rig.faults.set(fault)
    with pytest.raises(error):
        rig.adb.choose()

"""What must hold on a real phone: `PHONECTL_LIVE_SERIAL=SERIAL pytest tests/live`.

Opens Android's Settings, scrolls there, types into its search and goes home again; nothing is changed or sent.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from controller.adb.client import AdbServer, ensure_server
from controller.clock import SystemClock
from controller.device.doctor import Health, examine
from controller.device.phone import Phone
from controller.device.profile import Profile
from controller.device.typing import erase_text, type_text
from controller.errors import TypingFailed
from controller.pace import CAREFUL
from controller.screen.dumpsys import State
from controller.screen.hierarchy import is_field
from controller.screen.picture import size_of

SERIAL = os.environ.get("PHONECTL_LIVE_SERIAL")
SETTINGS = "com.android.settings"

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not SERIAL, reason="names no phone: set PHONECTL_LIVE_SERIAL to a serial of `adb devices`"),
]


class Nothing:
    def remember(self, key: str, value: Any) -> None: ...

    def forget(self, key: str) -> None: ...

    def pending(self) -> Mapping[str, Any]:
        return {}


@pytest.fixture(scope="module")
def server() -> AdbServer:
    host = os.environ.get("ANDROID_ADB_SERVER_ADDRESS", "127.0.0.1")
    port = int(os.environ.get("ANDROID_ADB_SERVER_PORT", "5037"))
    found = AdbServer(host, port, clock=SystemClock())
    ensure_server(found, search_path=os.environ.get("PATH"))
    return found


@pytest.fixture(scope="module")
def phone(server: AdbServer) -> Iterator[Phone]:
    with Phone(server.choose(serial=SERIAL), Profile(), server.clock) as one:
        yield one
        one.press("home")


def test_the_phone_says_what_it_is(phone: Phone) -> None:
    assert phone.sdk is not None
    assert phone.facts.release


def test_settings_opens_and_is_recognised_with_its_tree(phone: Phone) -> None:
    answer = phone.start_app(SETTINGS)
    seen = phone.settle(cap_s=3.0)

    assert answer.ok
    assert (seen.foreground.package, seen.foreground.state) == (SETTINGS, State.APP)
    assert seen.foreground.confident
    assert seen.hierarchy.count > 10
    assert seen.observable


def test_a_look_takes_less_than_two_seconds(phone: Phone) -> None:
    phone.observe()

    assert phone.observe().device_s < 2.0


def test_picture_and_tree_have_one_size(phone: Phone) -> None:
    assert size_of(phone.picture().png) == phone.observe().size


def test_a_drag_that_rests_does_not_fling(phone: Phone) -> None:
    width, height = phone.observe().size
    phone.drag((width // 2, height * 2 // 3), (width // 2, height * 2 // 3 - 100), duration_s=0.4, rest_s=0.2)
    first = phone.observe()

    assert phone.observe().hierarchy.windows == first.hierarchy.windows


def test_text_goes_into_a_field_at_both_speeds_and_out_again(phone: Phone) -> None:
    phone.start_app(SETTINGS)
    seen = phone.settle(cap_s=3.0)
    search = next((n for n in seen.hierarchy.nodes() if "search" in n.resource_id and not n.bounds.empty), None)
    if search is None:
        pytest.skip("this phone's Settings has no search that can be found by its id")
    phone.tap(*search.bounds.center)
    phone.settle(cap_s=3.0)
    assert any(is_field(node) for node in phone.observe().hierarchy.nodes())

    for rules, text in ((None, "屏幕"), (CAREFUL, "wi-fi")):
        try:
            typed = type_text(phone, text, rules=rules, rng=random.Random(7), clock=phone.clock, journal=Nothing())
        except TypingFailed as err:
            pytest.fail(f"{err.code}: {err.message}")
        assert typed.verified
        assert erase_text(phone) == 0


def test_the_doctor_finds_nothing_that_fails(server: AdbServer) -> None:
    checks = examine(
        server,
        lambda device: Phone(device, Profile(), server.clock),
        search_path=os.environ.get("PATH"),
        serial=SERIAL,
    )

    assert [check for check in checks if check.health is Health.FAIL] == []

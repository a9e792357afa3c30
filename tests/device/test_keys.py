from __future__ import annotations

import pytest

from controller.device.keys import STAYING, keycode
from controller.errors import UsageError


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("back", 4),
        ("Back", 4),
        ("KEYCODE_BACK", 4),
        ("volume_up", 24),
        ("Volume Up", 24),
        ("Remote Dpad Center", 23),
        ("66", 66),
        (187, 187),
        ("backspace", 67),
    ],
)
def test_a_key_has_the_names_people_and_android_give_it(name: str | int, code: int) -> None:
    assert keycode(name) == code


def test_an_unknown_key_is_answered_with_near_names() -> None:
    with pytest.raises(UsageError, match="near: back"):
        keycode("bakc")


@pytest.mark.parametrize("key", [0, -1, 100000, "99999"])
def test_a_number_that_is_no_code_is_refused(key: str | int) -> None:
    with pytest.raises(UsageError):
        keycode(key)


def test_enter_and_back_can_lead_elsewhere_and_a_volume_key_cannot() -> None:
    assert {keycode("enter"), keycode("back"), keycode("home"), keycode("search")} & STAYING == set()
    assert keycode("volume up") in STAYING

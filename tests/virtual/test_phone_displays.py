"""A phone with more than one display: what the dumps say, and what `-d` means."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image

from controller.screen.dumpsys import State, display_rotation, foreground, foreground_commands
from controller.virtual.displays import ExtraDisplay, simulated
from controller.virtual.phone import VirtualPhone
from controller.virtual.shell import run
from tests.virtual.shell_phone import Handset, sample_spec

COVER = ExtraDisplay(1, 748, 720, 340, "Cover Screen", "4619827677550801153")


def folding(android: int = 14) -> Handset:
    spec = replace(sample_spec(), displays=(COVER,))
    return Handset(VirtualPhone(spec, now=lambda: 0.0, android=android))


@pytest.mark.parametrize("android", [11, 14])
def test_the_front_app_is_told_although_an_idle_display_comes_first(android: int) -> None:
    phone = folding(android)
    phone.run("am start -n com.example.notes/.Main")

    lines = phone.out("dumpsys window displays | grep -E 'mCurrentFocus|mFocusedApp'").splitlines()
    found = foreground({line: phone.out(line) for line in foreground_commands(phone.phone.sdk)}, phone.phone.sdk)

    assert [line.strip() for line in lines[:2]] == ["mCurrentFocus=null", "mFocusedApp=null"]
    assert "com.example.notes" in lines[2]
    assert (found.package, found.state, found.display) == ("com.example.notes", State.APP, 0)


def test_the_display_service_lists_both() -> None:
    text = folding().out("dumpsys display")

    assert "Logical Displays: size=2" in text
    assert 'DisplayInfo{"Cover Screen", displayId 1"' in text
    assert display_rotation(text) == 0


def test_a_display_is_chosen_with_d() -> None:
    phone = folding()

    assert phone.out("wm size -d 1; wm density -d 1") == "Physical size: 748x720\nPhysical density: 340\n"
    assert phone.out("wm size -d 7") == "Error: no display 7\n"
    assert [line.split()[1] for line in phone.out("dumpsys SurfaceFlinger --display-id").splitlines()] == [
        "4619827259835644672",
        COVER.physical,
    ]
    picture = Image.open(io.BytesIO(phone.run(f"screencap -p -d {COVER.physical}").stdout))
    assert (picture.size, picture.convert("L").getextrema()) == ((748, 720), (0, 0))


def test_a_touch_on_another_display_does_nothing_on_this_one() -> None:
    phone = folding()
    phone.run("am start -n com.example.notes/.Main")
    window = phone.phone.focused_window()
    assert window is not None
    field = next(node for node in window.root.walk() if node.class_name.endswith("EditText"))
    place = "{} {}".format(*field.bounds.center)

    assert phone.run(f"input -d 1 tap {place}").exit_code == 0
    assert phone.phone.keyboard_shown is False
    phone.run(f"input -d 0 tap {place}")
    assert phone.phone.keyboard_shown is True


@pytest.mark.parametrize(("android", "warned"), [(11, False), (14, True)])
def test_a_picture_without_a_choice_comes_with_a_warning_since_android_14(android: int, warned: bool) -> None:
    said = folding(android).run("screencap -p").stdout

    assert said.startswith(b"[Warning] Multiple displays were found") is warned
    assert b"\x89PNG\r\n\x1a\n" in said


def test_the_developer_option_simulates_displays() -> None:
    phone = folding()
    phone.run('settings put global overlay_display_devices "1280x720/213;720x480/142,secure"')

    assert [one.name for one in phone.phone.display.others] == ["Cover Screen", "Overlay #1", "Overlay #2"]
    assert phone.out("wm size -d 2") == "Physical size: 1280x720\n"
    assert run(phone.phone, "screencap -p -d 2").exit_code == 1


def test_a_setting_that_is_none_simulates_nothing() -> None:
    assert simulated("null;12;x", []) == []

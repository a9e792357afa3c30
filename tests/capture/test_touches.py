"""Fingers out of `getevent`, as phones print it."""

from __future__ import annotations

import pytest

from controller.capture.touches import Glass, Key, Touch, TouchReader, read_glass, turned

# `getevent -lp` and `getevent -lt` of a phone with a glass that counts ten times as fine as its display
LISTED = """\
add device 3: /dev/input/event1
  name:     "gpio-keys"
  events:
    KEY (0001): KEY_VOLUMEUP          KEY_POWER
add device 4: /dev/input/event2
  name:     "goodix_ts"
  events:
    KEY (0001): BTN_TOUCH
    ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_X     : value 0, min 0, max 10799, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 23999, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_DIRECT
"""
TAPPED = """\
[   71534.162713] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   0000012f
[   71534.162713] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    00001518
[   71534.162713] /dev/input/event2: EV_ABS       ABS_MT_POSITION_Y    00000bb8
[   71534.162713] /dev/input/event2: EV_KEY       BTN_TOUCH            DOWN
[   71534.162713] /dev/input/event2: EV_SYN       SYN_REPORT           00000000
[   71534.241055] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff
[   71534.241055] /dev/input/event2: EV_KEY       BTN_TOUCH            UP
[   71534.241055] /dev/input/event2: EV_SYN       SYN_REPORT           00000000
"""
GLASS = Glass("/dev/input/event2", 10800, 24000)


def read(text: str) -> list[Touch | Key]:
    reader = TouchReader(GLASS)
    found = [reader.feed(line) for line in text.splitlines()]
    return [one for one in found if one is not None]


def test_the_touch_screen_is_found_among_the_devices() -> None:
    assert read_glass(LISTED) == GLASS
    assert read_glass('add device 1: /dev/input/event0\n  name: "gpio-keys"\n') is None
    assert read_glass("/system/bin/sh: getevent: inaccessible or not found") is None


def test_a_tap_is_told_when_the_finger_leaves() -> None:
    assert read(TAPPED) == [Touch((0.5, 0.125), (0.5, 0.125), 0.078)]


def test_a_stroke_has_both_ends_and_the_second_finger_does_not_count() -> None:
    moved = TAPPED.replace(
        "[   71534.241055] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff\n",
        "[   71534.200000] /dev/input/event2: EV_ABS       ABS_MT_SLOT          00000001\n"
        "[   71534.200000] /dev/input/event2: EV_ABS       ABS_MT_POSITION_Y    00000001\n"
        "[   71534.200000] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff\n"
        "[   71534.210000] /dev/input/event2: EV_ABS       ABS_MT_SLOT          00000000\n"
        "[   71534.210000] /dev/input/event2: EV_ABS       ABS_MT_POSITION_Y    00001770\n"
        "[   71534.210000] /dev/input/event2: EV_SYN       SYN_REPORT           00000000\n"
        "[   71534.241055] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff\n",
    )

    assert read(moved) == [Touch((0.5, 0.125), (0.5, 0.25), 0.078)]


def test_a_key_counts_when_it_goes_down() -> None:
    line = "[   71540.000001] /dev/input/event1: EV_KEY       KEY_BACK             {}"

    assert read("\n".join([line.format("DOWN"), line.format("UP"), "could not read, ignored"])) == [Key("BACK")]


@pytest.mark.parametrize(("rotation", "point"), [(0, (270, 300)), (1, (300, 810)), (2, (810, 2100)), (3, (2100, 270))])
def test_a_place_on_the_glass_lies_elsewhere_on_a_turned_display(rotation: int, point: tuple[int, int]) -> None:
    size = (1080, 2400) if rotation % 2 == 0 else (2400, 1080)

    assert turned((0.25, 0.125), size=size, rotation=rotation) == point

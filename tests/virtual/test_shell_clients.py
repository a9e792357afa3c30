"""Small answers that other people's clients read: ppadb, appium-adb."""

from __future__ import annotations

import pytest

from tests.virtual.shell_phone import Handset, handset


@pytest.fixture(scope="module")
def phone() -> Handset:
    return handset()


def test_a_package_has_normal_permissions_from_its_installation_and_others_by_grant(phone: Handset) -> None:
    lines = phone.run("dumpsys package com.example.notes | grep permission").stdout.decode().splitlines()

    assert [line.strip() for line in lines] == [
        "requested permissions:",
        "android.permission.CAMERA",
        "install permissions:",
        "runtime permissions:",
        "android.permission.CAMERA: granted=false, flags=[ USER_SENSITIVE_WHEN_GRANTED]",
    ]


def test_the_location_is_switched(phone: Handset) -> None:
    line = "cmd location set-location-enabled true; cmd location is-location-enabled --user 0"

    assert phone.run(line).stdout == b"true\n"
    assert phone.run(line.replace(" true;", " false;")).stdout == b"false\n"


def test_the_cores_and_what_ps_can_do_are_told(phone: Handset) -> None:
    assert phone.run("ls /sys/devices/system/cpu").stdout == b"cpu0\ncpu1\ncpu2\ncpu3\n"
    assert b"\n-A\tAll\n" in phone.run("ps --help").stdout

from __future__ import annotations

from collections.abc import Sequence

from controller.adb.client import AdbServer
from controller.clock import SystemClock
from controller.device.doctor import Check, Health, Report, examine, next_step
from tests.adb.peer import peer
from tests.device.scripted import Script, scripted
from tests.device.test_capture import RED
from tests.device.test_phone import KEYBOARD_HIDDEN, looking


def rows(script: Script, *, listed: bytes, serial: str | None = None) -> list[Check]:
    script.rpc["dumpWindowHierarchy"] = script.rpc.get("dumpWindowHierarchy", "")
    with scripted(script) as phone:
        table = {"host:version": b"OKAY00040029", "host:devices-l": b"OKAY%04x" % len(listed) + listed}
        with peer(table) as at:
            server = AdbServer("127.0.0.1", at.port, clock=SystemClock())
            extra = Check("knowledge", Health.OK, "12 apps")
            checks = examine(
                server,
                lambda _: phone,
                search_path=None,
                serial=serial,
                recognise=lambda front: "哔哩哔哩" if front.package == "tv.danmaku.bili" else None,
                extras=[lambda: extra],
            )
            return list(checks)


def by_name(checks: Sequence[Check]) -> dict[str, Health]:
    return {check.name: check.health for check in checks}


def healthy() -> Script:
    script = looking()
    script.binary["screencap -p"] = RED
    script.shell |= {
        "dumpsys package com.android.shell": "  android.permission.INJECT_EVENTS: granted=true\n",
        "settings get secure default_input_method": "com.example.ime/.Ime\n",
        "dumpsys input_method": KEYBOARD_HIDDEN,
    }
    return script


def test_a_healthy_phone_passes_every_check_and_is_not_touched() -> None:
    script = healthy()

    checks = rows(script, listed=b"S1 device usb:1-1 transport_id:1\n")

    assert set(by_name(checks).values()) == {Health.OK}
    assert [check.name for check in checks] == [
        "adb program",
        "adb server",
        "devices",
        "phone",
        "android",
        "ui server",
        "front app",
        "hierarchy",
        "screenshot",
        "touches",
        "keyboard",
        "knowledge",
    ]
    assert {method for method, _ in script.calls} == {"dumpWindowHierarchy"}
    assert Report(tuple(checks)).as_dict() | {"checks": []} == {
        "healthy": True,
        "checks": [],
        "next_step": "everything works: try `phonectl observe`",
    }
    assert next(check.found for check in checks if check.name == "front app") == "哔哩哔哩 (tv.danmaku.bili)"


def test_an_unauthorized_phone_is_the_next_step_and_what_needs_it_is_skipped() -> None:
    checks = rows(healthy(), listed=b"S1 unauthorized usb:1-1 transport_id:1\n")

    health = by_name(checks)
    assert (health["devices"], health["phone"], health["screenshot"]) == (Health.FAIL, Health.FAIL, Health.SKIPPED)
    assert "Allow USB debugging" in next_step(checks)


def test_no_adb_server_fails_and_the_rest_goes_on() -> None:
    with scripted(healthy()) as phone, peer({"host:version": b"nonsense"}) as at:
        server = AdbServer("127.0.0.1", at.port, clock=SystemClock())
        checks = list(examine(server, lambda _: phone, search_path=None))

    assert by_name(checks)["adb server"] is Health.FAIL
    assert next_step(checks).startswith("adb server: another program has the port")


def test_a_keyboard_that_another_tool_left_is_a_warning() -> None:
    script = healthy()
    script.shell["settings get secure default_input_method"] = "com.android.adbkeyboard/.AdbIME\n"

    checks = rows(script, listed=b"S1 device usb:1-1 transport_id:1\n")

    assert by_name(checks)["keyboard"] is Health.WARN
    assert "ime reset" in next_step(checks)


def test_a_failing_part_does_not_hide_the_others() -> None:
    script = healthy()
    script.binary["screencap -p"] = b""
    script.rpc["takeScreenshot"] = None

    health = by_name(rows(script, listed=b"S1 device usb:1-1 transport_id:1\n"))

    assert (health["screenshot"], health["keyboard"], health["knowledge"]) == (Health.FAIL, Health.OK, Health.OK)

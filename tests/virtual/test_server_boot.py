"""A whole phone, booted and reached."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from controller.virtual import boot
from controller.virtual.phone import VirtualPhone
from controller.virtual.server import VirtualServer
from controller.virtual.store import load_phone
from controller.virtual.tracing import JsonLines
from controller.wire.adb.host import Okay
from tests.virtual.peers import AdbClient, Link, ask


def shell(server: VirtualServer, command: str, *, serial: str = "") -> bytes:
    with AdbClient(server.server) as client:
        assert client.ask(f"host:transport:{serial or server.serial}") == Okay()
        assert client.ask(f"shell:{command}") == Okay()
        return client.everything()


def test_a_phone_boots_and_answers_at_both_doors() -> None:
    with boot() as server:
        assert ask(server.server, "host:devices") == f"{server.serial}\tdevice\n"
        assert shell(server, "getprop ro.build.version.release") == b"14\n"
        with Link(server.transport) as link:
            assert link.peer.banner.properties["ro.product.model"] == server.phone.spec.model


@pytest.mark.parametrize(("android", "sdk"), [(9, b"28\n"), (11, b"30\n"), (14, b"34\n")])
def test_the_android_version_is_a_switch(android: int, sdk: bytes) -> None:
    with boot(android=android) as server:
        assert shell(server, "getprop ro.build.version.sdk") == sdk
        assert ("ls_v2" in ask(server.server, "host:features")) == (android >= 11)


def test_touches_keys_commands_and_services_are_traced_in_order_with_their_times() -> None:
    events: list[dict[str, Any]] = []
    before = time.monotonic()
    with boot(trace=events.append) as server:
        serial = server.serial
        shell(server, "input tap 5 2390; input keyevent HOME")
        with AdbClient(server.server) as client:
            client.ask("host:transport-any")
            client.ask("sync:")

    told = [event for event in events if event["kind"] in ("service", "shell", "touch", "key")]
    assert [event["kind"] for event in told] == ["service", "shell", "touch", "key", "service"]
    assert told[1]["command"] == "input tap 5 2390; input keyevent HOME"
    assert told[2]["start"] == [5, 2390]
    times = [event["t"] for event in events]
    assert times == sorted(times)
    assert before <= times[0] <= times[-1] <= time.monotonic()
    assert {event["serial"] for event in events} == {serial}


def test_a_swipe_takes_its_time_and_the_phone_is_free_meanwhile() -> None:
    waited: list[float] = []
    with boot(sleep=waited.append) as server:
        shell(server, "input swipe 500 1500 500 900 800")

    assert waited == [pytest.approx(0.8, abs=0.05)]


def test_the_trace_is_written_a_json_object_a_line(tmp_path: Path) -> None:
    lines = JsonLines(tmp_path / "trace.jsonl")
    with boot(trace=lines) as server:
        shell(server, "echo 你好")
    lines.close()
    lines({"kind": "late"})

    written = [json.loads(line) for line in (tmp_path / "trace.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [e["command"] for e in written if e["kind"] == "shell"] == ["echo 你好"]


def test_many_phones_share_one_adb_server() -> None:
    with boot(serial="phone-0") as server:
        for number in range(1, 50):
            server.add(VirtualPhone(load_phone("default"), now=time.monotonic, serial=f"phone-{number}"))

        listed = ask(server.server, "host:devices").splitlines()
        assert listed == [f"phone-{number}\tdevice" for number in range(50)]
        shell(server, "setprop debug.mark 37", serial="phone-37")
        assert shell(server, "getprop debug.mark", serial="phone-37") == b"37\n"
        assert shell(server, "getprop debug.mark", serial="phone-38") == b"\n"


def test_nothing_is_left_behind() -> None:
    before = set(threading.enumerate())
    with boot() as server:
        shell(server, "true")
        with Link(server.transport) as link:
            link.run("shell:true")

    left = set(threading.enumerate()) - before
    for thread in left:
        thread.join(timeout=2)
    assert [thread.name for thread in left if thread.is_alive()] == []

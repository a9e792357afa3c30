"""adbkit of @devicefarmer, which speaks to an adb server itself: no v2 shell, trackers, monkey, binary logs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.virtual.server import VirtualServer
from tests.clients.adb import Adb
from tests.clients.environments import node_environment, tool
from tests.clients.watching import Watch

pytestmark = pytest.mark.client

SCRIPT = Path(__file__).with_name("adbkit_calls.js")
Calls = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def kit(any_adb: Adb) -> Calls:
    """Runs calls of the script in one process; each answer is `{"result": …}` or `{"error": message}`."""
    node = tool("node")
    folder = node_environment("adbkit", "@devicefarmer/adbkit@3.3.9") / "node_modules" / "@devicefarmer" / "adbkit"

    def run(*names: str) -> list[dict[str, Any]]:
        command = [node, str(SCRIPT), str(folder), str(any_adb.port), any_adb.serial, *names]
        done = subprocess.run(
            command, env=any_adb.environment, capture_output=True, encoding="utf-8", timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def test_the_phone_is_listed_and_tracked(kit: Calls, any_adb: Adb) -> None:
    device = {"id": any_adb.serial, "type": "device"}

    assert kit("version", "devices", "tracked", "state", "ready") == [
        {"result": 41},
        {"result": [device]},
        {"result": device},
        {"result": "device"},
        {"result": any_adb.serial},
    ]


def test_the_phone_says_what_it_is(kit: Calls) -> None:
    release, features, packages = (answer["result"] for answer in kit("release", "features", "packages"))

    assert release == "14"
    assert features["android.hardware.touchscreen"] is True
    assert "tv.danmaku.bili" in packages


def test_a_shell_prints_both_outputs_as_one(kit: Calls) -> None:
    assert kit("shell", "shell_words") == [{"result": "你好\nerr\n"}, {"result": "a  b $HOME it's\n"}]


def test_a_picture_comes_as_png(kit: Calls) -> None:
    assert kit("screencap") == [{"result": "PNG"}]


def test_files_go_there_and_back(kit: Calls) -> None:
    pushed, pulled, missing, unknown, names = kit("push", "pull", "pull_nothing", "stat_nothing", "names")

    assert pushed == {"result": {"size": 300_000, "file": True}}
    assert pulled == {"result": "kitkit"}
    assert missing == {"error": "Failure: 'open failed: No such file or directory'"}
    assert "ENOENT" in unknown["error"]
    assert ["Download", True] in names["result"]


def test_ports_of_the_phone_are_reached(kit: Calls, server: VirtualServer, any_adb: Adb) -> None:
    server.services[server.serial].provide("tcp:7777", lambda stream: stream.write(b"served " + stream.read()))

    opened, closed, forwards = kit("open_tcp", "closed_port", "forward")

    assert opened == {"result": "served hello"}
    assert "closed" in closed["error"]
    assert [row["remote"] for row in forwards["result"]] == ["tcp:7777"]
    any_adb.out("forward", "--remove-all")


def test_apps_are_started_and_cleared(kit: Calls, trace: Watch) -> None:
    started, linked, refused, installed, cleared, unknown = kit(
        "start", "link", "start_nothing", "installed", "clear", "clear_nothing"
    )

    assert (started, linked, cleared) == ({"result": True},) * 3
    assert "does not exist" in refused["error"]
    assert installed == {"result": [True, False]}
    assert "could not be cleared" in unknown["error"]
    assert [event["data"] for event in trace.all("start") if event["data"]] == ["bilibili://search?keyword=a b"]


def test_what_is_no_package_is_not_installed(kit: Calls) -> None:
    (refused,) = kit("install_nonsense")

    assert "INSTALL_PARSE_FAILED_NOT_APK" in refused["error"]


def test_the_end_of_booting_is_waited_for(kit: Calls, trace: Watch) -> None:
    assert kit("booted") == [{"result": True}]
    assert trace.commands == ["while getprop sys.boot_completed 2>/dev/null; do sleep 1; done"]


def test_the_load_is_read_from_a_file_of_the_kernel(kit: Calls) -> None:
    assert kit("cpu") == [{"result": ["cpu0", "cpu1", "cpu2", "cpu3"]}]


def test_root_is_refused_as_on_a_production_phone(kit: Calls) -> None:
    assert kit("root") == [{"error": "adbd cannot run as root in production builds"}]


def test_debuggable_processes_are_tracked(kit: Calls) -> None:
    assert kit("debuggable") == [{"result": {"removed": [], "added": []}}]


def test_a_line_of_the_log_arrives_as_it_is_written(kit: Calls) -> None:
    assert kit("log") == [{"result": {"priority": 5, "tag": "kit", "message": "hello log"}}]


def test_monkey_is_started_and_taps(kit: Calls, trace: Watch) -> None:
    assert kit("monkey") == [{"result": "1080"}]
    assert [(event["gesture"], event["start"]) for event in trace.all("touch")] == [("tap", [540, 660])]


def test_a_port_of_the_computer_is_offered_to_the_phone(kit: Calls) -> None:
    (reverses,) = kit("reverse")

    assert {"remote": "tcp:7001", "local": "tcp:7002"} in reverses["result"]

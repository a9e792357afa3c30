"""android-emu-agent: a daemon with sessions, snapshots with refs, expectations."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.virtual.server import VirtualServer
from tests.clients.adb import Adb
from tests.clients.environments import python_environment
from tests.clients.programs import Program
from tests.clients.watching import Watch

pytestmark = pytest.mark.client

SETTINGS = "com.android.settings"


@pytest.fixture(scope="module")
def agent(adb: Adb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The program with a daemon of its own, which ends with the tests."""
    folder = tmp_path_factory.mktemp("agent")
    program = python_environment("android-emu-agent", "android-emu-agent==0.2.1") / "android-emu-agent"
    environment = adb.environment | {"ANDROID_EMU_AGENT_SOCKET": str(folder / "daemon.sock"), "NO_COLOR": "1"}
    agent = Program((str(program),), environment, folder)
    agent.out("daemon", "start")
    yield agent
    agent.out("daemon", "stop")


@pytest.fixture(scope="module")
def session(agent: Program, adb: Adb) -> str:
    """A session on the phone."""
    started = json.loads(agent.out("session", "start", "--device", adb.serial, "--json"))
    assert (started["status"], started["device_serial"]) == ("done", adb.serial)
    return str(started["session_id"])


@pytest.fixture
def settings(agent: Program, adb: Adb) -> Program:
    """The program, with the first page of the settings in front; by adb, since each of its commands takes a second."""
    adb.out("shell", f"pm clear {SETTINGS}; am start -W -n {SETTINGS}/.Settings")
    return agent


def ref(agent: Program, session: str, text: str) -> str:
    """The ref of an element in a new snapshot."""
    # ^g1a5 clickable '蓝牙' id=- bounds=[0, 581, 1080, 753]
    snapshot = agent.out("ui", "snapshot", session, "--format", "text")
    found = re.search(rf"^(\^g\d+a\d+) .*'{text}' ", snapshot, re.MULTILINE)
    assert found is not None, snapshot
    return found[1]


def test_the_phone_is_listed(agent: Program, adb: Adb, server: VirtualServer) -> None:
    listed = agent.out("device", "list").strip()

    model = server.phone.spec.model
    assert listed == f"{adb.serial}  model={model} sdk={server.phone.sdk} root=False emulator=False"


def test_an_app_is_reset_and_launched(agent: Program, session: str, trace: Watch) -> None:
    agent.out("app", "reset", session, SETTINGS)
    agent.out("app", "launch", session, SETTINGS)

    agent.out("expect", "text", session, "网络和互联网")
    assert f"pm clear {SETTINGS}" in trace.commands


def test_a_snapshots_ref_is_tapped_and_the_page_expected(settings: Program, session: str, trace: Watch) -> None:
    settings.out("action", "tap", session, ref(settings, session, "蓝牙"))

    settings.out("expect", "text", session, "使用蓝牙")
    settings.out("expect", "gone", session, "--text", "网络和互联网")
    settings.out("expect", "current-app", session, "--package", SETTINGS, "--activity", "Bluetooth")
    assert "click" in {call["method"] for call in trace.all("jsonrpc")}

    settings.out("action", "back", session)
    settings.out("expect", "exists", session, "--text", "网络和互联网")


def test_what_is_not_there_fails_the_expectation(settings: Program, session: str) -> None:
    missed = settings.run("expect", "text", session, "没有这一行", "--timeout-ms", "300")

    assert missed.returncode != 0
    assert "ERR_EXPECTATION_FAILED" in missed.stdout + missed.stderr


def test_text_replaces_what_a_field_holds(settings: Program, session: str, server: VirtualServer) -> None:
    settings.out("action", "tap", session, ref(settings, session, "搜索设置"))
    settings.out("wait", "idle", session)
    field = f"id:{SETTINGS}:id/search_src_text"
    settings.out("action", "set-text", session, field, "你好")
    settings.out("action", "set-text", session, field, "wifi 网络")

    settings.out("expect", "text", session, "wifi 网络")


def test_a_swipe_shows_what_was_below(settings: Program, session: str) -> None:
    settings.out("action", "swipe", "up", "--session", session)

    settings.out("expect", "gone", session, "--text", "网络和互联网")


def test_pictures_and_files_are_fetched(settings: Program, session: str, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("你好", encoding="utf-8")

    printed = settings.out("ui", "screenshot", session)
    settings.out("file", "push", str(tmp_path / "note.txt"), "--session", session)

    picture = Path(printed.split("->")[1].strip())
    assert picture.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert "note.txt" in settings.out("file", "list", "/sdcard/Download", "--session", session)

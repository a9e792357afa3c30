"""adb-agent-bridge: an adb process a command, and uiautomator2's server where it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.virtual.server import VirtualServer
from tests.clients.adb import Adb
from tests.clients.environments import python_environment
from tests.clients.programs import Program
from tests.clients.watching import Watch

pytestmark = pytest.mark.client

SETTINGS = "com.android.settings"
ADB_KEYBOARD = "com.android.adbkeyboard"


@pytest.fixture
def aab(any_adb: Adb, server: VirtualServer, tmp_path: Path) -> Program:
    """The program, on a phone with the first page of the settings in front."""
    any_adb.run("shell", f"pm clear {SETTINGS}; am start -n {SETTINGS}/.Settings")
    program = python_environment("adb-agent-bridge", "adb-agent-bridge==0.1.2") / "aab"
    return Program((str(program), "-s", any_adb.serial), any_adb.environment, tmp_path)


def test_elements_are_listed_tapped_and_left(aab: Program, trace: Watch) -> None:
    assert "android.widget.TextView text='蓝牙' id='android:id/title'" in aab.out("ui")

    aab.out("tap", "--text", "蓝牙")
    assert "text='使用蓝牙'" in aab.out("ui")

    aab.out("key", "4")
    assert "text='网络和互联网'" in aab.out("ui")
    assert [command.split()[:2] for command in trace.commands if command.startswith("input")] == [
        ["input", "tap"],
        ["input", "keyevent"],
    ]


def test_text_is_typed_into_the_focused_field(aab: Program, trace: Watch) -> None:
    aab.out("tap", "--text", "搜索设置")
    aab.out("text", "it's 100 (really)")

    assert """text="it's 100 (really)" id='com.android.settings:id/search_src_text\'""" in aab.out("ui")
    assert f"ime enable {ADB_KEYBOARD}/.AdbIME" in trace.commands  # its keyboard is an APK of its own: refused
    refused = aab.run("text", "你好")
    assert (refused.returncode, refused.stderr) == (1, "aab: cannot type '你好' via input text — install ADBKeyboard\n")


def test_a_swipe_scrolls(aab: Program) -> None:
    before = aab.out("ui")
    aab.out("swipe", "540", "1800", "540", "900", "--ms", "400")

    assert "text='网络和互联网'" in before
    assert "text='网络和互联网'" not in aab.out("ui")


def test_pictures_and_marks_are_written(aab: Program, tmp_path: Path) -> None:
    aab.out("screenshot", "plain.png")
    legend = aab.out("marks", "marks.png")

    assert (tmp_path / "plain.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert (tmp_path / "marks.png").stat().st_size > 10_000
    assert f"id='{SETTINGS}:id/search_action_bar'" in legend


def test_the_server_of_uiautomator2_is_asked_where_it_runs(
    aab: Program, any_adb: Adb, server: VirtualServer, trace: Watch
) -> None:
    services = server.services[server.serial]
    assert services.ui_server.start(9008)
    try:
        listed = aab.run("ui")
    finally:
        services.ui_server.stop()

    assert "text='蓝牙'" in listed.stdout
    assert listed.stderr.endswith("(server)\n")
    assert [call["method"] for call in trace.all("jsonrpc")] == ["dumpWindowHierarchy"]
    any_adb.run("forward", "--remove-all")

"""u2cli, the command line of uiautomator2, with its own server between the commands."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from controller.virtual.server import VirtualServer
from tests.clients.adb import Adb
from tests.clients.conftest import free_port
from tests.clients.programs import Program
from tests.clients.watching import Watch

pytestmark = pytest.mark.client

SETTINGS = "com.android.settings"


@pytest.fixture(scope="module")
def u2cli(adb: Adb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The program with a server on a port of its own, which ends with the tests."""
    words = (str(Path(sys.executable).with_name("u2cli")), "--server-port", str(free_port()), "-s", adb.serial)
    program = Program(words, adb.environment, tmp_path_factory.mktemp("u2cli"))
    yield program
    program.out("kill-server")


@pytest.fixture
def settings(u2cli: Program) -> Program:
    """The program, with the first page of the settings in front."""
    u2cli.out("app-clear", SETTINGS)
    u2cli.out("app-start", SETTINGS)
    assert answer(u2cli.out("wait", "--text", "蓝牙"))["result"] is True
    return u2cli


def answer(printed: str) -> dict[str, object]:
    """What it printed as `key: value` lines, but for the line with the Python it stands for."""
    lines = [line for line in printed.splitlines() if not line.startswith(("u2_code:", "device_serial:"))]
    found = yaml.safe_load("\n".join(lines))
    assert isinstance(found, dict), printed
    return found


def test_the_phone_is_described(settings: Program, server: VirtualServer) -> None:
    width, height = server.phone.size

    assert answer(settings.out("device-info"))["model"] == server.phone.spec.model
    assert answer(settings.out("window-size")) == {"width": width, "height": height}
    assert answer(settings.out("app-current"))["package"] == SETTINGS


def test_elements_are_found_and_clicked(settings: Program, trace: Watch) -> None:
    assert answer(settings.out("exists", "--text", "没有这一行"))["result"] is False
    settings.out("click", "--text", "蓝牙")
    assert answer(settings.out("wait", "--text", "使用蓝牙"))["result"] is True
    assert "使用蓝牙" in settings.out("dump-hierarchy")

    settings.out("press", "back")

    assert answer(settings.out("wait", "--text", "网络和互联网"))["result"] is True
    assert {"click", "pressKey"} <= {call["method"] for call in trace.all("jsonrpc")}


def test_text_is_typed(settings: Program) -> None:
    settings.out("click", "--text", "搜索设置")
    settings.out("send-keys", "wifi 网络")

    assert "wifi 网络" in settings.out("dump-hierarchy")


def test_pictures_and_commands_come_back(settings: Program, tmp_path: Path) -> None:
    settings.out("screenshot", str(tmp_path / "screen.png"))

    assert (tmp_path / "screen.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert settings.out("shell", "echo 你好").endswith("exit_code: 0\n你好\n")
    assert {"tv.danmaku.bili", SETTINGS} <= set(settings.out("app-list").splitlines())


def test_a_link_opens(settings: Program, server: VirtualServer) -> None:
    settings.out("open-url", "https://example.com/")

    assert answer(settings.out("app-current"))["package"] == "com.android.chrome"

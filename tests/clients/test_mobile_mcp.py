"""mobile-mcp: its tools over stdio, with plain adb (its older way) and with mobilecli, the program it now brings.

mobilecli pushes a server of its own to the phone, waits five seconds for it and goes on without: what only that server
can do is out of reach.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.virtual.server import VirtualServer
from tests.clients.adb import Adb
from tests.clients.environments import node_environment, tool
from tests.clients.stdio_rpc import ToolFailed, Tools, running_tools
from tests.clients.watching import Watch

pytestmark = pytest.mark.client

SETTINGS = "com.android.settings"
QUIET = {"MOBILEMCP_DISABLE_TELEMETRY": "1"}


class Phone:
    """The tools with the phone filled in."""

    def __init__(self, tools: Tools, serial: str) -> None:
        self.tools = tools
        self.serial = serial

    def __call__(self, tool: str, **arguments: Any) -> str:
        return self.tools.call(f"mobile_{tool}", device=self.serial, **arguments)

    def elements(self) -> str:
        """The elements on the screen, a line each."""
        return self("list_elements_on_screen")

    def tap(self, text: str) -> None:
        """Tap an element by the coordinates that the list gives."""
        # @e12 TextView text="蓝牙" id="android:id/title" at=188,615 size=89x59
        found = re.search(rf'="{text}".* at=(\d+),(\d+) size=(\d+)x(\d+)', self.elements())
        assert found is not None
        left, top, width, height = map(int, found.groups())
        self("click_on_screen_at_coordinates", x=left + width // 2, y=top + height // 2)


@pytest.fixture(scope="module")
def server_command() -> list[str]:
    node = tool("node")
    folder = node_environment("mobile-mcp", "@mobilenext/mobile-mcp@1.0.4")
    return [node, str(folder / "node_modules/@mobilenext/mobile-mcp/lib/index.js"), "--stdio"]


@pytest.fixture(scope="module")
def by_adb(adb: Adb, server_command: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    environment = adb.environment | QUIET | {"MOBILEMCP_LEGACY_ROBOT": "1", "MOBILEMCP_ALLOW_UNSAFE_URLS": "1"}
    with running_tools(server_command, environment, tmp_path_factory.mktemp("mcp")) as tools:
        yield Phone(tools, adb.serial)


@pytest.fixture(scope="module")
def by_mobilecli(adb: Adb, server_command: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    with running_tools(server_command, adb.environment | QUIET, tmp_path_factory.mktemp("mcp")) as tools:
        yield Phone(tools, adb.serial)


@pytest.fixture
def settings(adb: Adb) -> None:
    """The first page of the settings is in front."""
    adb.out("shell", f"pm clear {SETTINGS}; am start -W -n {SETTINGS}/.Settings")


@pytest.mark.parametrize("way", ["by_adb", "by_mobilecli"])
def test_the_phone_is_listed(way: str, request: pytest.FixtureRequest, server: VirtualServer) -> None:
    phone: Phone = request.getfixturevalue(way)

    (device,) = json.loads(phone.tools.call("mobile_list_available_devices"))["devices"]

    assert (device["id"], device["platform"], device["version"], device["state"]) == (
        phone.serial,
        "android",
        "14",
        "online",
    )
    assert device["name"] == server.phone.spec.model
    assert phone("get_screen_size") == "Screen size is 1080x2400 pixels"


def test_apps_are_listed_launched_and_ended(by_adb: Phone, server: VirtualServer) -> None:
    assert "tv.danmaku.bili" in by_adb("list_apps")

    by_adb("launch_app", packageName=SETTINGS)
    assert server.phone.tasks.top is not None
    assert server.phone.tasks.top.package == SETTINGS

    by_adb("terminate_app", packageName=SETTINGS)
    assert server.phone.tasks.top.package != SETTINGS


@pytest.mark.usefixtures("settings")
def test_elements_are_listed_and_tapped(by_adb: Phone, trace: Watch) -> None:
    by_adb.tap("蓝牙")
    assert 'text="使用蓝牙"' in by_adb.elements()

    by_adb("press_button", button="BACK")
    assert 'text="网络和互联网"' in by_adb.elements()
    assert "input keyevent KEYCODE_BACK" in trace.commands


@pytest.mark.usefixtures("settings")
def test_text_is_typed(by_adb: Phone) -> None:
    by_adb.tap("搜索设置")
    by_adb("type_keys", text="a (b) & c", submit=False)

    assert 'text="a (b) & c"' in by_adb.elements()
    assert "Non-ASCII text is not supported" in by_adb("type_keys", text="你好", submit=False)


@pytest.mark.usefixtures("settings")
def test_a_swipe_scrolls(by_adb: Phone) -> None:
    by_adb("swipe_on_screen", direction="up")

    assert 'text="网络和互联网"' not in by_adb.elements()


def test_a_screenshot_is_saved(by_adb: Phone, tmp_path: Path) -> None:
    by_adb("save_screenshot", saveTo=str(tmp_path / "screen.png"))

    assert (tmp_path / "screen.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_links_open_in_the_browser_and_in_apps(by_adb: Phone, server: VirtualServer, trace: Watch) -> None:
    by_adb("open_url", url="https://example.com/?a=1&b=2")
    by_adb("open_url", url="bilibili://search?keyword=cat")

    assert [(event["component"].partition("/")[0], event["data"]) for event in trace.all("start")] == [
        ("com.android.chrome", "https://example.com/?a=1&b=2"),
        ("tv.danmaku.bili", "bilibili://search?keyword=cat"),
    ]


def test_the_screen_is_turned(by_adb: Phone, server: VirtualServer) -> None:
    by_adb("set_orientation", orientation="landscape")
    assert "landscape" in by_adb("get_orientation")

    by_adb("set_orientation", orientation="portrait")
    assert "portrait" in by_adb("get_orientation")
    assert server.phone.size == (1080, 2400)


@pytest.mark.usefixtures("settings")
def test_mobilecli_goes_on_without_its_server(by_mobilecli: Phone, server: VirtualServer, trace: Watch) -> None:
    by_mobilecli("launch_app", packageName=SETTINGS)
    assert by_mobilecli("get_foreground_app") == f"Foreground app: {SETTINGS} ({SETTINGS})"

    by_mobilecli.tap("蓝牙")  # its list takes five seconds: it waits for the server that cannot start
    assert trace.commands[-1].startswith("input tap ")
    assert any("com.mobilenext.mobilecli.DeviceServer" in command for command in trace.commands)

    by_mobilecli("type_keys", text="hello", submit=False)
    by_mobilecli("open_url", url="https://example.com/")
    assert by_mobilecli("get_foreground_app") == "Foreground app: com.android.chrome (com.android.chrome)"


def test_what_only_mobileclis_server_can_do_is_said_to_fail(by_mobilecli: Phone) -> None:
    with pytest.raises(ToolFailed, match="device server did not start"):
        by_mobilecli("clipboard")

"""Unmodified adbutils, over a real adb server and over the virtual phone's own."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import adbutils
import pytest
from adbutils.errors import AdbError

from controller.virtual.server import VirtualServer
from tests.clients.adb import Adb

pytestmark = [
    pytest.mark.client,
    # adbutils leaves its sockets to the garbage collector where an answer is an error.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module", params=["real server", "embedded server"])
def device(request: pytest.FixtureRequest) -> adbutils.AdbDevice:
    adb: Adb = request.getfixturevalue("adb" if request.param == "real server" else "embedded_adb")
    return adbutils.AdbClient("127.0.0.1", adb.port).device(adb.serial)


@pytest.fixture
def folder(device: adbutils.AdbDevice) -> Iterator[str]:
    yield "/sdcard/Download/folder"
    device.shell("rm -rf /sdcard/Download/folder")


def test_the_phone_is_listed(server: VirtualServer) -> None:
    client = adbutils.AdbClient("127.0.0.1", server.server_port)

    assert client.server_version() == 41
    assert [(found.serial, found.state) for found in client.list()] == [(server.serial, "device")]
    assert [found.serial for found in client.device_list()] == [server.serial]
    assert next(iter(client.track_devices())).serial == server.serial


def test_the_phone_says_what_it_is(device: adbutils.AdbDevice, server: VirtualServer) -> None:
    assert device.get_state() == "device"
    assert "shell_v2" in device.get_features()
    assert device.prop.model == server.phone.spec.model
    assert device.getprop("ro.build.version.release") == "14"


def test_a_shell_answers_with_its_output(device: adbutils.AdbDevice) -> None:
    assert device.shell("echo hello; echo 你好") == "hello\n你好"
    assert device.shell(["echo", "a  b", "$HOME"]) == "a  b $HOME"


@pytest.mark.parametrize("v2", [False, True])
def test_a_shell_tells_its_exit_code(device: adbutils.AdbDevice, v2: bool) -> None:
    answer = device.shell2("echo out; false", v2=v2)

    assert (answer.returncode, answer.output) == (1, "out\n")


def test_the_second_shell_protocol_keeps_the_outputs_apart(device: adbutils.AdbDevice) -> None:
    answer = device.shell2("echo out; echo err >&2; exit 3", v2=True)

    assert (answer.returncode, answer.stdout, answer.stderr) == (3, "out\n", "err\n")


def test_the_size_is_that_of_the_screen(device: adbutils.AdbDevice, server: VirtualServer) -> None:
    assert tuple(device.window_size()) == server.phone.size
    assert device.rotation() == 0


def test_the_front_app_is_known(device: adbutils.AdbDevice) -> None:
    device.app_start("com.android.settings")

    assert device.app_current().package == "com.android.settings"

    device.keyevent("HOME")
    assert device.app_current().package != "com.android.settings"


def test_packages_are_listed(device: adbutils.AdbDevice) -> None:
    packages = device.list_packages()

    assert {"com.android.settings", "tv.danmaku.bili"} <= set(packages)
    assert "tv.danmaku.bili" in device.list_packages(["-3"])
    assert "com.android.settings" not in device.list_packages(["-3"])


def test_an_apps_version_is_known(device: adbutils.AdbDevice) -> None:
    info = device.app_info("tv.danmaku.bili")

    assert info is not None
    assert (info.package_name, bool(info.version_name)) == ("tv.danmaku.bili", True)
    assert device.app_info("not.installed") is None


def test_pictures_are_those_of_the_screen(device: adbutils.AdbDevice, server: VirtualServer) -> None:
    picture = device.screenshot(error_ok=False)

    assert picture.size == server.phone.size
    assert len(picture.resize((40, 80)).getcolors(4000)) > 3
    assert device.framebuffer().convert("RGB").tobytes() == picture.tobytes()


def test_files_are_pushed_read_listed_and_pulled(device: adbutils.AdbDevice, folder: str, tmp_path: Path) -> None:
    assert device.sync.push(b"hello", f"{folder}/inner/a.txt", 0o644, check=True) == 5
    device.sync.push("中文".encode(), f"{folder}/b.txt")

    assert device.sync.read_bytes(f"{folder}/inner/a.txt") == b"hello"
    assert device.sync.read_text(f"{folder}/b.txt") == "中文"
    assert [e.path for e in device.sync.list(folder)] == [".", "..", "b.txt", "inner"]
    found = device.sync.stat(f"{folder}/inner/a.txt")
    assert (stat.S_ISREG(found.mode), found.size) == (True, 5)
    assert not device.sync.exists(f"{folder}/missing")
    assert device.sync.pull(folder, tmp_path / "back") == 5 + 6
    assert (tmp_path / "back" / "inner" / "a.txt").read_bytes() == b"hello"


def test_a_file_that_is_not_there_raises_androids_words(device: adbutils.AdbDevice) -> None:
    with pytest.raises(AdbError, match="No such file or directory"):
        device.sync.read_bytes("/sdcard/missing")


def test_a_port_of_the_phone_is_reached_directly_and_through_a_forward(
    device: adbutils.AdbDevice, server: VirtualServer
) -> None:
    server.services[server.serial].provide("tcp:7777", lambda stream: stream.write(b"served " + stream.read()))

    with device.create_connection(adbutils.Network.TCP, 7777) as direct:
        direct.sendall(b"directly")
        assert direct.recv(100) == b"served directly"

    port = device.forward_port(7777)
    assert [f.remote for f in device.forward_list() if f.local == f"tcp:{port}"] == ["tcp:7777"]
    device.forward_remove(f"tcp:{port}")
    assert [f for f in device.forward_list() if f.local == f"tcp:{port}"] == []


def test_a_closed_port_of_the_phone_is_refused(device: adbutils.AdbDevice) -> None:
    with pytest.raises(AdbError, match="closed"):
        device.create_connection(adbutils.Network.TCP, 7778)


def test_the_hierarchy_is_dumped_as_uiautomator_does(device: adbutils.AdbDevice) -> None:
    device.app_start("com.android.settings")

    assert '<hierarchy rotation="0">' in device.dump_hierarchy()


def test_root_is_refused_as_on_a_production_phone(device: adbutils.AdbDevice) -> None:
    assert device.root() == "adbd cannot run as root in production builds\n"

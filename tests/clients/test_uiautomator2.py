"""Unmodified uiautomator2 over a real adb server, and in short over the virtual phone's own."""

from __future__ import annotations

from collections.abc import Iterator

import adbutils
import pytest
import uiautomator2
from lxml import etree
from uiautomator2.exceptions import UiObjectNotFoundError

from controller.virtual.server import VirtualServer
from tests.clients.adb import Adb

SETTINGS = "com.android.settings"

pytestmark = [
    pytest.mark.client,
    # Both libraries leave sockets to the garbage collector, and uiautomator2 uses names it has itself deprecated.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def phone(adb: Adb) -> Iterator[uiautomator2.Device]:
    device = connect(adb)
    yield device
    device.stop_uiautomator()


def connect(adb: Adb) -> uiautomator2.Device:
    return uiautomator2.connect(adbutils.AdbClient("127.0.0.1", adb.port).device(adb.serial))


@pytest.fixture
def settings(phone: uiautomator2.Device) -> uiautomator2.Device:
    """The phone with the first page of the settings in front."""
    phone.app_start(SETTINGS, stop=True)
    assert phone(text="蓝牙").wait(timeout=3)
    return phone


def test_the_phone_tells_about_itself(settings: uiautomator2.Device, server: VirtualServer) -> None:
    width, height = server.phone.size

    assert settings.window_size() == (width, height)
    info = settings.info
    assert (info["currentPackageName"], info["displayWidth"], info["sdkInt"], info["screenOn"]) == (
        SETTINGS,
        width,
        server.phone.sdk,
        True,
    )
    assert settings.device_info["model"] == server.phone.spec.model


def test_the_hierarchy_shows_every_window(settings: uiautomator2.Device) -> None:
    tree = etree.fromstring(settings.dump_hierarchy().encode())

    assert {SETTINGS, "com.android.systemui"} <= {node.get("package") for node in tree.iter("node")}
    assert "蓝牙" in {node.get("text") for node in tree.iter("node")}


def test_elements_are_found_by_text_id_class_and_position(settings: uiautomator2.Device) -> None:
    assert settings(text="蓝牙").exists
    assert not settings(text="没有这一行").exists
    assert settings(textContains="蓝").info["text"] == "蓝牙"
    assert settings(textMatches="网络.*").info["resourceName"] == "android:id/title"
    assert settings(resourceId=f"{SETTINGS}:id/homepage_title").get_text() == "设置"
    assert settings(className="android.widget.TextView").count > 5
    assert settings(resourceId="android:id/title", instance=1).get_text() == "蓝牙"
    with pytest.raises(UiObjectNotFoundError):
        settings(text="没有这一行").click(timeout=0)


def test_elements_are_found_by_their_relations(settings: uiautomator2.Device) -> None:
    rows = settings(resourceId=f"{SETTINGS}:id/recycler_view")

    assert rows.child(text="蓝牙").exists
    assert rows.child(resourceId="android:id/title", instance=0).get_text() == "网络和互联网"
    assert settings(text="蓝牙").sibling(resourceId="android:id/summary").get_text() == "已连接的设备"
    assert settings(text="网络和互联网").down(resourceId="android:id/title").get_text() == "蓝牙"


def test_xpath_finds_and_clicks(settings: uiautomator2.Device) -> None:
    assert settings.xpath("蓝牙").exists
    assert settings.xpath('//*[@resource-id="android:id/title"]').get().text == "网络和互联网"

    settings.xpath('//*[@text="电池"]').click()

    assert settings.xpath("已充满").wait(timeout=3)


def test_a_click_opens_the_page_and_back_closes_it(settings: uiautomator2.Device) -> None:
    settings(text="蓝牙").click()

    assert settings(text="使用蓝牙").wait(timeout=3)
    assert settings.app_current()["activity"].endswith("BluetoothSettingsActivity")

    settings.press("back")
    assert settings(text="网络和互联网").wait(timeout=3)


def test_a_click_on_a_point_hits_what_is_drawn_there(settings: uiautomator2.Device) -> None:
    x, y = settings(text="电池").center()

    settings.click(x, y)

    assert settings(text="已充满").wait(timeout=3)


def test_a_switch_is_turned(settings: uiautomator2.Device, server: VirtualServer) -> None:
    before = server.phone.setting("global", "bluetooth_on")
    settings(text="蓝牙").click()
    settings(text="使用蓝牙").click(timeout=3)

    assert server.phone.setting("global", "bluetooth_on") != before


def test_a_swipe_scrolls_the_list(settings: uiautomator2.Device) -> None:
    width, height = settings.window_size()
    top = settings(text="电池").center()[1]

    settings.swipe(width // 2, height * 3 // 4, width // 2, height // 2, 0.2)

    moved = settings(text="电池")
    assert not moved.exists or moved.center()[1] < top - 100


def test_scrolling_finds_the_last_row(settings: uiautomator2.Device) -> None:
    assert not settings(text="关于手机").exists

    assert settings(scrollable=True).scroll.to(text="关于手机")

    assert settings(text="关于手机").exists


def test_chinese_is_typed_and_erased(settings: uiautomator2.Device) -> None:
    settings(text="搜索设置").click()
    field = settings(resourceId=f"{SETTINGS}:id/search_src_text")
    assert field.wait(timeout=3)

    settings.clear_text()
    settings.send_keys("中文输入")
    assert field.get_text() == "中文输入"

    settings.clear_text()
    field.set_text("你好，world 👋")
    assert field.info["text"] == "你好，world 👋"


def test_a_picture_has_the_size_of_the_screen(settings: uiautomator2.Device, server: VirtualServer) -> None:
    assert settings.screenshot().size == server.phone.size


def test_apps_are_started_stopped_and_told_apart(phone: uiautomator2.Device) -> None:
    phone.app_start("tv.danmaku.bili", wait=True)
    assert phone.app_current()["package"] == "tv.danmaku.bili"
    assert phone.app_wait("tv.danmaku.bili", timeout=3) > 0

    phone.app_stop("tv.danmaku.bili")
    assert phone.app_current()["package"] != "tv.danmaku.bili"
    assert {"tv.danmaku.bili", SETTINGS} <= set(phone.app_list())


def test_a_link_opens_its_page(phone: uiautomator2.Device) -> None:
    phone.open_url("bilibili://search?keyword=%E7%8C%AB")

    assert phone.app_current()["package"] == "tv.danmaku.bili"
    assert phone(text="猫").wait(timeout=5)
    phone.app_stop("tv.danmaku.bili")  # a strict app does not let itself be left at once


def test_the_home_key_leaves_the_app(settings: uiautomator2.Device) -> None:
    settings.press("home")

    assert settings.app_current()["package"] != SETTINGS


def test_the_screen_goes_off_and_on(phone: uiautomator2.Device) -> None:
    phone.screen_off()
    assert not phone.info["screenOn"]

    phone.unlock()
    assert phone.info["screenOn"]


def test_the_clipboard_holds_what_was_put_there(phone: uiautomator2.Device) -> None:
    phone.clipboard = "剪贴板"

    assert phone.clipboard == "剪贴板"


def test_shell_commands_answer(phone: uiautomator2.Device) -> None:
    answer = phone.shell("echo 你好; (exit 3)")

    assert (answer.output.strip(), answer.exit_code) == ("你好", 3)


def test_the_server_is_started_again_after_it_died(settings: uiautomator2.Device, server: VirtualServer) -> None:
    server.services[server.serial].ui_server.stop()

    assert settings(text="蓝牙").exists


def test_no_adb_binary_is_needed(embedded_adb: Adb, phone: uiautomator2.Device) -> None:
    phone.stop_uiautomator()
    device = connect(embedded_adb)
    device.app_start(SETTINGS, stop=True)

    device(text="蓝牙").click(timeout=3)

    assert device(text="使用蓝牙").wait(timeout=3)
    assert device.app_current()["package"] == SETTINGS
    device.stop_uiautomator()


def test_a_second_server_is_told_that_the_first_holds_the_phone(phone: uiautomator2.Device) -> None:
    phone.start_uiautomator()

    answer = phone.shell("CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9009")

    assert "already registered" in answer.output

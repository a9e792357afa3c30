"""What lies over an activity: dialogs, sheets, lists, permissions, toasts."""

from __future__ import annotations

import pytest

from controller.virtual.ui import WindowKind
from tests.virtual.hand import Hand

BILI = "tv.danmaku.bili"


@pytest.fixture
def hand() -> Hand:
    """Sound settings."""
    hand = Hand()
    hand.phone.launch("com.android.settings")
    hand.tap("声音和振动")
    return hand


def kinds(hand: Hand) -> list[WindowKind]:
    return [window.kind for window in hand.phone.windows()]


def test_a_dialog_hides_the_window_below_it_from_the_accessibility_service(hand: Hand) -> None:
    hand.tap("默认提示音")

    assert WindowKind.DIALOG in kinds(hand)
    assert WindowKind.APPLICATION not in kinds(hand)
    assert WindowKind.APPLICATION in [window.kind for window in hand.phone.window_stack()]
    focused = hand.phone.focused_window()
    assert focused is not None
    assert focused.title == "com.android.settings/com.android.settings.Settings$SoundSettingsActivity"
    assert focused.frame.left > 0


def test_a_dialog_has_androids_own_ids(hand: Hand) -> None:
    hand.tap("默认提示音")

    assert [hand.see(id=name).text for name in ("alertTitle", "message", "button2", "button1")] == [
        "默认提示音",
        "在虚拟手机上没有铃声可以选择。",
        "取消",
        "确定",
    ]


@pytest.mark.parametrize("way", ["button", "back", "beside"])
def test_a_dialog_goes_by_its_button_by_back_and_by_a_touch_beside_it(hand: Hand, way: str) -> None:
    hand.tap("默认提示音")
    if way == "button":
        hand.tap("取消")
    elif way == "back":
        hand.phone.key(4)
    else:
        hand.phone.tap(540, 200)

    assert WindowKind.DIALOG not in kinds(hand)
    assert hand.front == "Settings$SoundSettingsActivity"


def test_a_spinner_opens_a_list_and_takes_what_is_chosen() -> None:
    hand = Hand()
    hand.phone.launch("com.android.settings")
    hand.tap("显示")
    hand.tap(id="timeout_spinner")
    hand.tap("5 分钟")

    assert hand.see(id="timeout_spinner").text == "5 分钟"
    assert WindowKind.POPUP not in kinds(hand)


@pytest.mark.parametrize(
    ("android", "package"), [(9, "com.android.packageinstaller"), (14, "com.android.permissioncontroller")]
)
def test_a_permission_is_asked_for_once_it_is_granted_not_again(android: int, package: str) -> None:
    hand = Hand(android=android)
    hand.view("bilibili://qrcode", package=BILI)
    top = hand.phone.top_activity()
    assert top is not None
    assert (top.package, top.spec.name.rpartition(".")[2]) == (package, "GrantPermissionsActivity")
    hand.tap("使用时允许")
    assert "android.permission.CAMERA" in hand.phone.packages[BILI].granted
    hand.wait(3)
    hand.phone.key(4)
    hand.wait(3)
    hand.view("bilibili://qrcode", package=BILI)

    assert hand.front == "QRcodeCaptureActivity"


def test_a_denied_permission_is_told_to_the_app() -> None:
    hand = Hand()
    hand.view("bilibili://qrcode", package=BILI)
    hand.tap("不允许")

    assert hand.phone.toast is not None
    assert hand.phone.toast.text == "没有相机权限"
    assert hand.front != "QRcodeCaptureActivity"


def test_a_toast_lies_over_everything_for_a_while_and_is_not_reported() -> None:
    hand = Hand()
    hand.phone.show_toast("android", "已复制")
    stack = [window.kind for window in hand.phone.window_stack()]

    assert WindowKind.TOAST in stack
    assert WindowKind.TOAST not in kinds(hand)
    hand.wait(2.1)
    assert WindowKind.TOAST not in [window.kind for window in hand.phone.window_stack()]


def test_a_dialog_comes_by_itself_after_its_time() -> None:
    hand = Hand()
    hand.phone.packages[BILI].state["teen_popup"] = "true"
    hand.phone.launch(BILI)
    hand.wait(2.9)
    assert hand.all("我知道了") == []
    hand.wait(0.2)

    assert hand.see("我知道了").resource_id == "android:id/button1"


def test_the_fault_popup_lies_over_every_app_until_it_is_answered(hand: Hand) -> None:
    hand.phone.faults.set("popup", after_s=5, title="应用无响应", message="要等待吗？")
    assert hand.all("应用无响应") == []
    hand.wait(5)
    assert hand.see("应用无响应").package == "android"
    hand.phone.key(4)
    hand.tap("知道了")

    assert hand.all("应用无响应") == []
    assert hand.front == "Settings$SoundSettingsActivity"


def test_a_page_shows_that_it_loads_until_it_has_loaded() -> None:
    hand = Hand()
    hand.view("bilibili://search?keyword=a", package=BILI)
    assert (bool(hand.all(id="loading")), bool(hand.all(id="search_results"))) == (True, False)
    hand.wait(0.6)

    assert (bool(hand.all(id="loading")), bool(hand.all(id="search_results"))) == (False, True)


def test_a_long_press_does_what_a_tap_does_not() -> None:
    hand = Hand()
    hand.phone.launch("com.tencent.mm")
    hand.tap("妈妈", hold_s=0.8)

    assert "删除该聊天" in hand.texts()
    assert hand.front == "LauncherUI"


def test_a_long_press_on_what_knows_none_is_a_tap() -> None:
    hand = Hand()
    hand.phone.launch("com.android.settings")
    hand.tap("显示", hold_s=0.8)

    assert hand.front == "Settings$DisplaySettingsActivity"

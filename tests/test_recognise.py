"""Which app is in front, matched by its package."""

from __future__ import annotations

import pytest

from controller.library.app import App
from controller.library.catalog import Library
from controller.recognise import Recognised, recognise

WECHAT = App(id="wechat", display="微信", description="", packages=("com.tencent.mm",), body="## 是什么\n聊天。\n")
TAOBAO = App(id="taobao", display="淘宝", description="", packages=("com.taobao.taobao", "com.taobao.lite"))
LIBRARY = Library(apps=(WECHAT, TAOBAO))


@pytest.mark.parametrize(
    ("process", "recognised"),
    [
        ("com.tencent.mm", Recognised(WECHAT, "com.tencent.mm")),
        ("com.tencent.mm:appbrand0", Recognised(WECHAT, "com.tencent.mm", "appbrand0")),
        ("com.taobao.lite", Recognised(TAOBAO, "com.taobao.lite")),
        ("com.tencent.mmm", Recognised(None, "com.tencent.mmm")),
        ("COM.TENCENT.MM", Recognised(None, "COM.TENCENT.MM")),
        ("com.tencent", Recognised(None, "com.tencent")),
        ("", Recognised(None, None)),
        (None, Recognised(None, None)),
        (":x", Recognised(None, None)),
    ],
)
def test_a_package_is_matched_exactly_and_its_process_kept(process: str | None, recognised: Recognised) -> None:
    assert recognise(process, LIBRARY) == recognised

"""The documents that travel with the product: they are right, they are found, they are quick to load."""

from __future__ import annotations

import re
import time

import pytest

from controller.library.app import Pace
from controller.library.catalog import Library, load_library
from controller.library.lint import lint
from controller.library.roots import builtin_roots
from controller.links import resolve


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library(builtin_roots())


def test_the_shipped_library_lints_without_a_finding() -> None:
    assert lint(builtin_roots()) == []


def test_the_apps_that_are_promised_are_there(library: Library) -> None:
    for name in (
        "哔哩哔哩",
        "微信",
        "支付宝",
        "淘宝",
        "京东",
        "小红书",
        "高德地图",
        "12306",
        "设置",
        "Chrome",
        "YouTube",
        "WhatsApp",
    ):
        assert library.app(name).packages
    assert len(library.apps) >= 20
    assert library.unreadable == ()


def test_careful_is_said_only_of_apps_whose_limits_have_a_source(library: Library) -> None:
    careful = {app.id for app in library.apps if app.pace is Pace.CAREFUL}

    assert careful == {"bilibili", "taobao", "xiaohongshu", "12306", "douban", "xianyu"}


def test_every_link_resolves_when_its_values_are_given(library: Library) -> None:
    for app in library.apps:
        for link in app.links:
            values = dict.fromkeys(link.parameters, "猫 咖&1")
            resolved = resolve(app, link.title, values, package=link.package)
            assert re.fullmatch(r"[\x21-\x7e]+", resolved.uri), (app.id, link.title)


def test_the_demo_opens_the_video_app_by_name(library: Library) -> None:
    home = resolve(library.app("bilibili"), "首页")
    search = resolve(library.app("哔哩哔哩"), "搜索", {"keyword": "猫咖"})

    assert (home.uri, home.package) == ("bilibili://home", "tv.danmaku.bili")
    assert search.uri == "bilibili://search?keyword=%E7%8C%AB%E5%92%96"


def test_pages_where_money_moves_are_marked(library: Library) -> None:
    paying = {(app.id, link.title) for app in library.apps for link in app.links if link.pays}

    assert paying == {("wechat", "付款码"), ("alipay", "付款码"), ("alipay", "转账"), ("alipay", "生活缴费")}


def test_the_library_loads_fast() -> None:
    """The processor time of the best of three, so that a busy machine does not decide."""
    best = 1.0
    for _ in range(3):
        started = time.process_time()
        load_library(builtin_roots())
        best = min(best, time.process_time() - started)

    assert best < 0.15

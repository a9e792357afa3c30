"""Deep links: who answers, what arrives, and all the ways in which they end elsewhere."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.virtual.intents import Intent, LinkPattern, StartStatus, component_name, short_component
from controller.virtual.shell import run
from tests.virtual.hand import Hand

BILI, SHOP, LITE = "tv.danmaku.bili", "com.taobao.taobao", "com.taobao.litetao"


@pytest.fixture
def hand() -> Hand:
    return Hand()


def test_a_link_opens_the_activity_that_its_app_forwards_it_to(hand: Hand) -> None:
    result = hand.view("bilibili://video/BV1yx411a7B3", package=BILI)

    assert result.status is StartStatus.STARTED
    assert result.component == (BILI, f"{BILI}.ui.intent.IntentHandlerActivity")
    assert result.top == (BILI, "com.bilibili.ship.theseus.detail.UnitedBizDetailsActivity")
    assert hand.see(id="video_title").text == "一碗阳春面的讲究"


def test_a_parameter_arrives_decoded_and_is_shown(hand: Hand) -> None:
    hand.view(f"bilibili://search?keyword={quote('云海 & 50%')}", package=BILI)
    hand.wait(1)

    assert hand.see(id="search_src_text").text == "云海 & 50%"
    assert hand.see(id="result_title").text == "“云海 & 50%”的搜索结果"


@pytest.mark.parametrize(
    ("uri", "activity"),
    [
        ("bilibili://home", "MainActivityV2"),
        ("bilibili://root", "MainActivityV2"),
        ("bilibili://search", "BiliMainSearchActivity"),
        ("bilibili://video/av170001", "UnitedBizDetailsActivity"),
        ("bilibili://space/20250003", "AuthorSpaceActivity"),
        ("bilibili://live/88001", "LiveRoomActivityV3"),
        ("bilibili://main/favorite", "FavoritesActivity"),
        ("bilibili://user_center/history", "HistoryActivity"),
    ],
)
def test_every_link_of_the_video_app_opens_its_page(hand: Hand, uri: str, activity: str) -> None:
    assert hand.view(uri, package=BILI).ok
    assert hand.front == activity


def test_the_start_page_ends_what_lay_above_it(hand: Hand) -> None:
    hand.view("bilibili://home", package=BILI)
    hand.view("bilibili://space/20250003", package=BILI)
    hand.wait(3)
    result = hand.view("bilibili://home", package=BILI)

    assert (result.status, hand.front) == (StartStatus.DELIVERED, "MainActivityV2")
    hand.phone.key(4)
    assert hand.front == "QuickstepLauncher"


def test_a_page_for_members_sends_a_guest_to_the_login(hand: Hand) -> None:
    hand.phone.packages[BILI].state["logged_in"] = "false"
    hand.view("bilibili://main/favorite", package=BILI)

    assert hand.front == "LoginActivity"


def test_a_link_that_two_apps_answer_shows_the_chooser(hand: Hand) -> None:
    result = hand.view("taobao://s.taobao.com?q=1")

    assert (result.status, hand.front) == (StartStatus.CHOOSER, "ResolverActivity")
    assert not hand.see("仅此一次").enabled
    hand.tap("淘宝特价版")
    hand.tap("仅此一次")
    top = hand.phone.top_activity()
    assert top is not None
    assert top.package == LITE


def test_always_in_the_chooser_is_remembered(hand: Hand) -> None:
    hand.view("taobao://s.taobao.com?q=1")
    hand.tap("淘宝")
    hand.tap("始终")

    result = hand.view("taobao://s.taobao.com?q=2")

    assert (result.status, result.component) == (
        StartStatus.STARTED, (SHOP, "com.taobao.search.sf.MainSearchResultActivity"),
    )  # fmt: skip


def test_a_named_package_needs_no_chooser(hand: Hand) -> None:
    result = hand.view("taobao://s.taobao.com?q=1", package=SHOP)

    assert result.status is StartStatus.STARTED


def test_an_activity_that_is_not_exported_is_refused_to_the_shell_alone(hand: Hand) -> None:
    name = "com.taobao.tao.recommend.InternalDebugActivity"

    assert hand.view("taobao://internal/debug").status is StartStatus.NOT_EXPORTED
    assert hand.phone.start(Intent(component=(SHOP, name))).status is StartStatus.NOT_EXPORTED
    assert hand.phone.start(Intent(component=(SHOP, name), caller=SHOP)).status is StartStatus.STARTED


@pytest.mark.parametrize(
    ("intent", "status"),
    [
        (Intent("android.intent.action.VIEW", "nobody://x"), StartStatus.UNRESOLVED),
        (Intent("android.intent.action.VIEW", "bilibili://nowhere/at/all", package=BILI), StartStatus.UNRESOLVED),
        (
            Intent("android.intent.action.VIEW", "bilibili://home", package="com.bilibili.app.in"),
            StartStatus.NOT_INSTALLED,
        ),
        (Intent(component=("com.nobody", "com.nobody.Main")), StartStatus.NOT_INSTALLED),
        (Intent(component=(SHOP, f"{SHOP}.Nowhere")), StartStatus.NO_ACTIVITY),
    ],
)
def test_what_cannot_be_started_is_told_apart(hand: Hand, intent: Intent, status: StartStatus) -> None:
    assert hand.phone.start(intent).status is status
    assert hand.front == "QuickstepLauncher"


def test_a_web_link_that_an_app_only_claims_opens_the_browser(hand: Hand) -> None:
    result = hand.view("https://item.taobao.com/item.htm?id=600001")

    assert result.top == ("com.android.chrome", "com.google.android.apps.chrome.Main")


def test_before_android_12_such_a_link_asks_which_app() -> None:
    hand = Hand(android=11)

    assert hand.view("https://item.taobao.com/item.htm?id=600001").status is StartStatus.CHOOSER


def test_a_web_link_that_an_app_has_proved_opens_the_app(hand: Hand) -> None:
    assert hand.view("https://b23.tv/BV1yx411a7B1").top == (
        BILI, "com.bilibili.ship.theseus.detail.UnitedBizDetailsActivity",
    )  # fmt: skip


def test_a_settings_page_is_opened_by_its_action(hand: Hand) -> None:
    hand.phone.start(Intent("android.settings.WIFI_SETTINGS"))

    assert hand.see(id="collapsing_toolbar_title").text == "WLAN"


def test_details_of_an_app_are_opened_by_its_package(hand: Hand) -> None:
    hand.phone.start(Intent("android.settings.APPLICATION_DETAILS_SETTINGS", f"package:{BILI}"))

    assert hand.see(id="entity_header_summary").text == BILI


@settings(max_examples=60)
@given(
    st.text(min_size=1, max_size=30).filter(
        lambda text: "\x00" not in text and not any(0xD800 <= ord(c) < 0xE000 for c in text)
    )
)
def test_any_value_encoded_once_arrives_as_it_was(value: str) -> None:
    pattern = LinkPattern("bilibili://search?keyword={keyword}")

    assert pattern.match(f"bilibili://search?keyword={quote(value, safe='')}") == {"keyword": value}


@pytest.mark.parametrize(
    ("pattern", "uri", "values"),
    [
        ("a://video/{id}", "a://video/BV1", {"id": "BV1"}),
        ("a://video/{id}", "A://VIDEO/BV1?t=3", {"id": "BV1", "t": "3"}),
        ("a://video/{id}", "a://video/BV1/more", None),
        ("a://video/{id}", "a://video/", None),
        ("a://s.b.com?q={q}", "a://s.b.com?q=", {"q": ""}),
        ("a://s.b.com?q={q}", "a://s.b.com?other=1", None),
        ("https://*/*", "https://example.org/deep/path", {}),
        ("https://*/*", "https://example.org", {}),
        ("https://*/*", "ftp://example.org/", None),
        ("package:{package}", "package:com.a.b", {"package": "com.a.b"}),
        ("weixin://", "weixin://", {}),
    ],
)
def test_patterns_take_the_links_they_describe(pattern: str, uri: str, values: dict[str, str] | None) -> None:
    assert LinkPattern(pattern).match(uri) == values


def test_components_are_written_as_android_writes_them() -> None:
    assert component_name("com.a/.B") == ("com.a", "com.a.B")
    assert component_name("com.a") is None
    assert short_component(("com.a", "com.a.B")) == "com.a/.B"
    assert short_component(("com.a", "org.other.B")) == "com.a/org.other.B"


@pytest.mark.parametrize(("android", "package"), [(9, "android"), (11, "android"), (14, "com.android.intentresolver")])
def test_the_share_sheet_hands_a_text_to_another_app(android: int, package: str) -> None:
    hand = Hand(android=android)
    hand.view("bilibili://video/BV1yx411a7B1", package="tv.danmaku.bili")
    hand.wait(10)
    hand.tap(id="share_action")
    top = hand.phone.top_activity()
    assert top is not None
    assert (top.package, hand.front) == (package, "ChooserActivity")
    text = hand.see(id="content_preview_text").text
    assert "https://b23.tv/BV1yx411a7B1" in text
    hand.tap("微信")
    hand.tap("小满")
    assert hand.see(id="message").text == text
    hand.tap("发送")

    assert hand.phone.toast is not None
    assert (hand.phone.toast.text, hand.front) == ("已发送", "UnitedBizDetailsActivity")


def test_the_share_sheet_copies_and_is_left_by_a_touch_beside_it() -> None:
    hand = Hand()
    hand.phone.launch("tv.danmaku.bili")
    hand.phone.launcher.share("a line", caller="tv.danmaku.bili")
    hand.tap(id="chooser_copy_button")
    assert hand.phone.clipboard == "a line"
    hand.phone.launcher.share("another", caller="tv.danmaku.bili")
    hand.phone.tap(500, 400)

    assert hand.front != "ChooserActivity"


def test_a_text_that_one_app_takes_goes_there_at_once() -> None:
    hand = Hand()
    run(hand.phone, "am start -a android.intent.action.SEND -t text/plain --es android.intent.extra.TEXT hello")

    assert hand.front == "ShareImgUI"

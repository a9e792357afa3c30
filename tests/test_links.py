"""Links by name become URIs that may be sent, encoded once, as lists of arguments."""

from __future__ import annotations

import json
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.device.commands import view
from controller.errors import InvalidLink, UnknownLink
from controller.library.app import App, AppLink
from controller.library.uri import encode_uri, encode_value, parse_intent, uri_problem
from controller.links import ResolvedLink, check_uri, find_link, package_of, resolve
from tests.shared import shared_cases

BILI = "tv.danmaku.bili"
GLOBAL = "com.bilibili.app.in"
SCAN = "intent:#Intent;component=tv.danmaku.bili/.Scan;B.from.shortcut=true;end"
APP = App(
    id="bilibili",
    display="哔哩哔哩",
    description="",
    packages=(BILI, GLOBAL),
    package_aliases=(("国际版", GLOBAL),),
    links=(
        AppLink("首页", "bilibili://home", BILI),
        AppLink("首页", "bstar://home", GLOBAL),
        AppLink("搜索", "bilibili://search?keyword={keyword}", BILI),
        AppLink("Video / 视频", "bilibili://video/{id}?t={t}", BILI),
        AppLink("充值", "bilibili://pay", BILI, pays=True),
        AppLink("扫一扫", SCAN, BILI, trusted=True),
        AppLink("远方", SCAN, BILI),
        AppLink("带空格", "bilibili://home #top", BILI),
    ),
)


def test_a_link_is_its_uri_and_its_package() -> None:
    assert resolve(APP, "首页") == ResolvedLink("bilibili://home", BILI, "首页", APP)
    assert resolve(APP, "充值").pays


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Video / 视频", "Video / 视频"),
        ("video / 视频", "Video / 视频"),
        ("视频", "Video / 视频"),
        ("VIDEO", "Video / 视频"),
    ],
)
def test_a_title_is_matched_whole_then_without_case_then_by_one_of_its_names(title: str, found: str) -> None:
    assert find_link(APP, title).title == found


def test_an_unknown_title_tells_the_nearest_ones() -> None:
    with pytest.raises(UnknownLink) as caught:
        resolve(APP, "搜")

    assert caught.value.details["candidates"] == ["搜索"]
    assert "搜索" in caught.value.hint


def test_values_are_encoded_once_as_text() -> None:
    link = resolve(APP, "搜索", {"keyword": "猫 咖&a=1#%41/"})

    assert link.uri == "bilibili://search?keyword=%E7%8C%AB%20%E5%92%96%26a%3D1%23%2541%2F"


@given(st.text(st.characters(blacklist_categories=("Cs",))))
def test_the_app_gets_back_what_was_given(value: str) -> None:
    uri = resolve(APP, "搜索", {"keyword": value}).uri

    assert uri.isascii()
    assert unquote(uri.partition("keyword=")[2]) == value
    assert encode_uri(uri) == uri


@pytest.mark.parametrize(
    ("args", "missing", "unknown"),
    [
        ({}, ["id", "t"], []),
        ({"id": "1"}, ["t"], []),
        ({"id": "1", "t": "2", "x": "3"}, [], ["x"]),
        ({"x": "3"}, ["id", "t"], ["x"]),
    ],
)
def test_wrong_values_are_named_with_the_right_command(
    args: dict[str, str], missing: list[str], unknown: list[str]
) -> None:
    with pytest.raises(InvalidLink) as caught:
        resolve(APP, "视频", args)

    details = caught.value.details
    assert (details["missing"], details["unknown"], details["parameters"]) == (missing, unknown, ["id", "t"])
    assert caught.value.code == "link_arguments"
    assert caught.value.hint == "phonectl open bilibili Video / 视频 id=… t=…"


def test_an_empty_value_is_a_value() -> None:
    assert resolve(APP, "视频", {"id": "1", "t": ""}).uri == "bilibili://video/1?t="


def test_another_package_of_the_app_may_be_chosen() -> None:
    assert resolve(APP, "首页", package="国际版") == ResolvedLink("bstar://home", GLOBAL, "首页", APP)
    assert resolve(APP, "充值", package=GLOBAL).package == GLOBAL
    assert package_of(APP, BILI) == BILI


def test_a_foreign_package_is_refused() -> None:
    with pytest.raises(InvalidLink) as caught:
        resolve(APP, "首页", package="com.evil")

    assert caught.value.details["packages"] == [BILI, GLOBAL, "国际版"]


def test_a_component_is_taken_from_the_built_in_library_alone() -> None:
    assert resolve(APP, "扫一扫").uri == SCAN
    with pytest.raises(InvalidLink) as caught:
        resolve(APP, "远方")
    assert caught.value.code == "invalid_link"


def test_a_link_that_yaml_would_have_cut_is_refused_whole() -> None:
    with pytest.raises(InvalidLink) as caught:
        resolve(APP, "带空格")

    assert caught.value.details["uri"] == "bilibili://home #top"


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("bilibili://search?keyword=猫 咖", "bilibili://search?keyword=%E7%8C%AB%20%E5%92%96"),
        ("bilibili://search?keyword=%E7%8C%AB", "bilibili://search?keyword=%E7%8C%AB"),
        ("a:b?c=100%&d=%4", "a:b?c=100%25&d=%254"),
        ("bilibili://search?keyword=cat&from=x(1)#top", "bilibili://search?keyword=cat&from=x(1)#top"),
        ("https://例子.cn/路?x={}", "https://%E4%BE%8B%E5%AD%90.cn/%E8%B7%AF?x={}"),
        ("a:b?c=\u3000", "a:b?c=%E3%80%80"),
        ("a:b#c d", "a:b#c%20d"),
    ],
)
def test_a_uri_is_encoded_once_and_reserved_characters_stay(written: str, sent: str) -> None:
    assert check_uri(written) == sent
    assert check_uri(sent) == sent


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("demo://x -n com.evil/.A", "uri_white_space"),
        ("demo://x\u3000y", "uri_white_space"),
        ("demo://x?a=\n", "uri_control_character"),
        ("demo://x?a=\x00", "uri_control_character"),
        ("demo://x?a=\x7f", "uri_control_character"),
        ("demo://x?a=\ud800", "uri_control_character"),
        ("home", "uri_scheme"),
        ("-n com.evil/.A", "uri_scheme"),
        ("", "uri_scheme"),
        ("//host/path", "uri_scheme"),
        ("intent:x", "intent_malformed"),
        ("intent:#Intent;scheme=x", "intent_malformed"),
        ("intent:#Intent;scheme;end", "intent_malformed"),
        ("intent:#Intent;S.a=#component(evil!X);end", "intent_malformed"),
        ("android-app://com.a/#component(evil!X)", "intent_malformed"),
        ("intent:#Intent;component=com.evil/.A;end", "intent_refused"),
        ("INTENT:#Intent;component=com.evil/.A;end", "intent_refused"),
        ("intent://x#Intent;scheme=a;SEL;component=com.evil/.A;end", "intent_refused"),
        ("intent:#Intent;launchFlags=0x3;end", "intent_refused"),
        ("intent:tel:1#Intent;action=android.intent.action.CALL;end", "intent_refused"),
        ("android-app://com.a/#Intent;component=com.b/.A;end", "intent_refused"),
    ],
)
def test_what_must_not_be_sent_is_refused_before_the_phone(uri: str, code: str) -> None:
    with pytest.raises(InvalidLink) as caught:
        check_uri(uri)

    assert (caught.value.code, caught.value.details["reason"]) == ("invalid_link", code)


@pytest.mark.parametrize(
    "uri",
    [
        "intent://video/1#Intent;scheme=bilibili;package=tv.danmaku.bili;end",
        "intent:#Intent;action=android.settings.WIFI_SETTINGS;end",
        "intent:a#Intent;scheme=b;S.x=1;B.y=true;i.z=3;l.w=4;end;",
        "android-app://com.a/https/b.c/d",
        "android-app://com.a",
    ],
)
def test_plain_intents_may_come_from_anywhere(uri: str) -> None:
    assert check_uri(uri) == uri


@pytest.mark.parametrize(
    ("uri", "data", "package"),
    [
        ("intent://video/1#Intent;scheme=bilibili;package=tv.danmaku.bili;end", "bilibili://video/1", BILI),
        ("intent:#Intent;action=a.b;end", "", None),
        ("intent:package:com.a#Intent;action=a.b;end", "package:com.a", None),
        ("android-app://com.a/https/b.c/d?e#Intent;action=x;end", "https://b.c/d?e", "com.a"),
        ("android-app://com.a/weixin", "weixin:", "com.a"),
        ("android-app://com.a/#Intent;action=x;end", "", "com.a"),
    ],
)
def test_an_intent_says_what_it_opens(uri: str, data: str, package: str | None) -> None:
    intent = parse_intent(uri)

    assert intent is not None
    assert (intent.data, intent.package) == (data, package)


@given(st.text(max_size=60))
def test_any_text_is_judged_and_what_passes_is_plain_ascii(text: str) -> None:
    for uri in (text, f"a:{text}", f"intent:{text}#Intent;{text};end"):
        if uri_problem(uri) is None:
            assert all("\x21" <= character <= "\x7e" for character in encode_uri(uri))


def test_a_view_is_a_list_of_arguments_with_the_uri_whole() -> None:
    uri = "bilibili://search?keyword=cat&from=x(1)#top"

    assert view(uri, BILI) == ["am", "start", "-W", "-a", "android.intent.action.VIEW", "-d", uri, "-p", BILI]
    assert view(uri, None, user=0) == [
        "am",
        "start",
        "-W",
        "--user",
        "0",
        "-a",
        "android.intent.action.VIEW",
        "-d",
        uri,
    ]


@pytest.mark.parametrize("uri", [SCAN, "android-app://com.tencent.mm/#Intent;action=a.b;end"])
def test_an_intent_stands_alone(uri: str) -> None:
    assert view(uri, BILI) == ["am", "start", "-W", "-p", BILI, uri]


def test_the_public_reports_about_links() -> None:
    """DL-01, 09 and 10 of the case file."""
    lines = shared_cases("bug_reports.jsonl").read_text(encoding="utf-8").splitlines()
    cases = {case["id"]: case["input"] for case in map(json.loads, lines)}
    first, second = cases["DL-09"].removeprefix("A ").split("   B ")
    intent, option = cases["DL-10"].removeprefix("A ").split("   B ")

    assert view(check_uri(cases["DL-01"]), BILI)[3:] == [
        "-a",
        "android.intent.action.VIEW",
        "-d",
        cases["DL-01"],
        "-p",
        BILI,
    ]
    assert check_uri(first) == "bilibili://search?keyword=%E7%8C%AB%20%E5%92%96"
    assert check_uri(second) == second
    parsed = parse_intent(check_uri(intent))
    assert parsed is not None
    assert (parsed.data, parsed.package) == ("bilibili://video/1", BILI)
    assert view(intent, BILI)[-1] == intent
    with pytest.raises(InvalidLink):
        check_uri(option)


def test_a_value_is_encoded_whole() -> None:
    assert encode_value("https://a.b/?q=%E7") == "https%3A%2F%2Fa.b%2F%3Fq%3D%25E7"

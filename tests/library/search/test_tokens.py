"""Text taken apart for search."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.library.search.readings import common_readings, phrase_readings
from controller.library.search.tokens import Tokens, compact, core, sounds, spoken, tokens


@pytest.mark.parametrize(
    ("text", "taken_apart"),
    [
        ("微信读书", Tokens(("微信", "信读", "读书"), ("微", "信", "读", "书"))),
        ("Ｂ站", Tokens(("b", "b站"), ("站",))),
        ("在QQ音乐听", Tokens(("在qq", "qq音", "qq音乐", "qq", "音乐", "乐听"), ("在", "音", "乐", "听"))),
        ("Videos & stories", Tokens(("video", "story"), ())),
        ("café", Tokens(("cafe",), ())),
        ("mate60", Tokens(("mate60", "mate", "60"), ())),
        ("com.tencent.mm", Tokens(("com", "tencent", "mm"), ())),
        ("…—", Tokens((), ())),
    ],
)
def test_tokens_of_mixed_text(text: str, taken_apart: Tokens) -> None:
    found = tokens(text)

    assert (sorted(found.strong), found.weak) == (sorted(taken_apart.strong), taken_apart.weak)


@pytest.mark.parametrize(
    ("name", "key"), [("B 站", "b站"), ("zhi fu bao", "zhifubao"), ("Ｆ-Droid", "fdroid"), ("铁路12306", "铁路12306")]
)
def test_a_key_has_letters_and_digits_alone(name: str, key: str) -> None:
    assert compact(name) == key


@pytest.mark.parametrize(
    ("query", "what_is_left"),
    [("我想打开支付宝", "支付宝"), ("how can i watch a film", "watch film"), ("怎么样", "怎么样"), ("酒吧", "酒吧")],
)
def test_the_wrapping_of_a_request_goes(query: str, what_is_left: str) -> None:
    assert core(query) == what_is_left


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("支付宝", ("zhifubao", "zfb")),
        ("QQ音乐", ("qqyinyue", "qqyy")),
        ("招商银行", ("zhaoshangyinhang", "zsyh")),
        ("铁路12306", ("tielu12306", "tl12306")),
    ],
)
def test_a_name_may_be_typed_by_its_sound(name: str, first: tuple[str, str]) -> None:
    assert sounds(name, phrase_readings)[0] == first


def test_a_character_of_two_sounds_is_found_by_both() -> None:
    assert {full for full, _ in sounds("音乐", phrase_readings)} == {"yinyue", "yinle"}


def test_latin_names_have_no_sound_of_their_own() -> None:
    assert sounds("YouTube", phrase_readings) == ()


def test_what_sounds_alike_is_spoken_alike() -> None:
    readings = common_readings()

    assert spoken("支付寶", readings) == spoken("支付包", readings) == "zhifubao"


@given(st.text())
def test_any_text_is_taken_apart_and_tokens_are_safe_to_quote(text: str) -> None:
    found = tokens(text)

    assert all(token and '"' not in token and not token.isspace() for token in (*found.strong, *found.weak))
    assert sounds(text[:20], lambda run: [[character] for character in run]) is not None

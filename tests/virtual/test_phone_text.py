"""Text fields and the keyboard over them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.virtual.editing import Editor, graphemes
from controller.virtual.spec import ImeSpec
from controller.virtual.ui import WindowKind
from tests.virtual.hand import Hand

CTRL = 0x1000


@pytest.fixture
def hand() -> Hand:
    """A chat with its text field in focus."""
    hand = Hand()
    hand.phone.launch("com.tencent.mm")
    hand.tap("小满")
    hand.tap(id="input")
    return hand


def text(hand: Hand) -> str:
    return hand.see(id="input").text


def test_a_field_that_is_touched_gets_the_focus_and_the_keyboard_covers_the_lower_part(hand: Hand) -> None:
    frame = hand.phone.keyboard_frame
    keyboard = next(window for window in hand.phone.windows() if window.kind is WindowKind.INPUT_METHOD)

    assert hand.phone.keyboard_shown
    assert frame == keyboard.frame
    assert (keyboard.package, keyboard.frame.bottom) == ("com.android.inputmethod.latin", 2400 - 126)
    assert hand.see(id="input").focused
    assert hand.see(id="input").bounds.bottom <= keyboard.frame.top


def test_keys_of_the_keyboard_type(hand: Hand) -> None:
    for char in "hi":
        hand.tap(char)
    hand.tap(id="key_delete")
    hand.tap("Shift")
    hand.tap("k")

    assert text(hand) == "hK"


def test_a_touch_on_the_keyboard_never_reaches_what_it_covers() -> None:
    hand = Hand()
    hand.phone.launch("tv.danmaku.bili")
    hand.wait(3)
    hand.tap(id="search_box")
    hand.wait(3)
    frame = hand.phone.keyboard_frame
    assert frame is not None
    covered = next(node for node in hand.all(id="hot_word") if frame.contains(*node.bounds.center))
    hand.phone.tap(*covered.bounds.center)

    assert hand.all(id="result_title") == []


def test_back_hides_the_keyboard_first(hand: Hand) -> None:
    hand.phone.key(4)
    assert (hand.phone.keyboard_shown, hand.front) == (False, "ChattingUI")
    hand.phone.key(4)

    assert hand.front == "LauncherUI"


def test_an_empty_field_shows_its_hint_as_text() -> None:
    hand = Hand()
    hand.view("bilibili://search")
    field = hand.see(id="search_src_text")

    assert (field.text, field.hint) == ("搜索视频、番剧或UP主", "搜索视频、番剧或UP主")


def test_a_password_is_reported_as_bullets() -> None:
    hand = Hand()
    hand.phone.packages["tv.danmaku.bili"].state["logged_in"] = "false"
    hand.view("bilibili://main/favorite")
    hand.wait(3)
    hand.tap(id="password")
    for char in "secret":
        hand.phone.commit_text(char)
        hand.wait(0.2)
    field = hand.see(id="password")

    assert (field.text, field.password) == ("••••••", True)


def test_deleting_takes_whole_graphemes(hand: Hand) -> None:
    hand.phone.commit_text("好👩‍👩‍👧👍🏽")
    hand.phone.key(67)
    assert text(hand) == "好👩‍👩‍👧"
    hand.phone.erase()

    assert text(hand) == "好"


def test_the_cursor_moves_and_text_goes_in_where_it_stands(hand: Hand) -> None:
    hand.phone.commit_text("abd")
    hand.phone.key(21)
    hand.phone.commit_text("c")
    hand.phone.key(122)
    hand.phone.key(112)

    assert text(hand) == "bcd"


def test_the_clipboard_is_filled_and_pasted_by_keys(hand: Hand) -> None:
    hand.phone.commit_text("拿铁")
    hand.phone.key(29, CTRL)
    hand.phone.key(52, CTRL)
    assert (hand.phone.clipboard, hand.all(id="send")) == ("拿铁", [])
    hand.phone.key(279)
    hand.phone.key(50, CTRL)

    assert text(hand) == "拿铁拿铁"


def test_keys_type_their_characters(hand: Hand) -> None:
    for code, meta in ((36, 0), (37, 0x1), (8, 0), (8, 0x1), (62, 0)):
        hand.phone.key(code, meta)

    assert text(hand) == "hI1! "


def test_enter_sends_a_search_and_breaks_a_line_where_there_are_several(hand: Hand) -> None:
    hand.phone.commit_text("a")
    hand.phone.key(66)
    assert text(hand) == "a\n"
    hand.view("taobao://s.taobao.com?q=", package="com.taobao.taobao")
    hand.tap(id="searchEdit")
    hand.phone.commit_text("壶")
    hand.phone.key(66)

    assert hand.see(id="result_title").text == "与“壶”相关的商品"


def test_nothing_is_typed_where_no_field_has_the_focus() -> None:
    assert not Hand().phone.commit_text("lost")


def test_a_message_is_sent(hand: Hand) -> None:
    hand.phone.commit_text("到了")
    hand.tap(id="send")

    assert [node.text for node in hand.all(id="message")][-1] == "到了"
    assert text(hand) == ""


def test_another_keyboard_is_taken_and_its_window_is_its_own(hand: Hand) -> None:
    hand.phone.input_methods.add(ImeSpec("com.example.keys/.Keys", "Keys", enabled=False, height=40))
    assert not hand.phone.input_methods.choose("com.example.keys/.Keys")
    hand.phone.input_methods.enable("com.example.keys/.Keys")
    assert hand.phone.input_methods.choose("com.example.keys/.Keys")
    keyboard = next(window for window in hand.phone.windows() if window.kind is WindowKind.INPUT_METHOD)

    assert (keyboard.package, keyboard.frame.height) == ("com.example.keys", 105)


def test_a_fault_refuses_to_change_the_keyboard(hand: Hand) -> None:
    hand.phone.faults.set("ime_refused")

    assert not hand.phone.input_methods.choose("com.android.inputmethod.latin/.LatinIME")


@given(st.text(max_size=40))
def test_graphemes_put_together_are_the_text(value: str) -> None:
    assert "".join(graphemes(value)) == value


@given(st.text(max_size=20), st.text(min_size=1, max_size=5))
def test_inserting_and_erasing_as_many_graphemes_gives_the_text_back(before: str, added: str) -> None:
    editor = Editor.at_end(before).insert(added)
    while len(editor.text) > len(before):
        editor = editor.backspace()

    assert before.startswith(editor.text)

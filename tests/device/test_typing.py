from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.clock import ManualClock
from controller.device.input import ShellInput
from controller.device.keyboards import restore_keyboard
from controller.device.phone import Phone
from controller.device.typing import Match, Typed, compare, erase_text, graphemes, type_text, value_of
from controller.errors import OutcomeUnknown, TypingFailed
from controller.pace import CAREFUL, Range, Rules
from controller.screen.hierarchy import parse
from tests.device.scripted import Script, scripted
from tests.device.test_phone import looking

OWN = "com.example.pinyin/.Ime"
ADB_IME = "com.android.adbkeyboard/.AdbIME"


class Notebook:
    def __init__(self, **values: Any) -> None:
        self.values = values
        self.history: list[str] = []

    def remember(self, key: str, value: Any) -> None:
        self.values.setdefault(key, value)
        self.history.append(f"remember {value}")

    def forget(self, key: str) -> None:
        self.values.pop(key, None)
        self.history.append("forget")

    def pending(self) -> Mapping[str, Any]:
        return self.values


class Field:
    """A text field of a scripted phone."""

    def __init__(self, text: str = "", *, hint: str = "", password: bool = False, limit: int = 10_000) -> None:
        self.text = text
        self.hint = hint
        self.password = password
        self.limit = limit
        self.takes = True
        self.bounds = "[0,0][900,120]"

    def tree(self, *_: Any) -> str:
        # uiautomator2's dump makes two dots of an emoji.
        shown = (
            "•" * len(self.text) if self.password else re.sub("[\U00010000-\U0010ffff]", "..", self.text or self.hint)
        )
        return (
            f'<hierarchy rotation="0"><node class="android.widget.EditText" package="tv.danmaku.bili" '
            f'resource-id="a:id/q" text="{shown}" hint="{self.hint}" focused="true" '
            f'password="{str(self.password).lower()}" bounds="{self.bounds}"/></hierarchy>'
        )

    def set(self, selector: dict[str, Any], text: str) -> bool:
        if self.takes:
            self.text = text[: self.limit]
        return self.takes

    def get(self, selector: dict[str, Any]) -> str:
        return "•" * len(self.text) if self.password else self.text or self.hint

    def clear(self, selector: dict[str, Any]) -> None:
        self.text = ""


def with_field(field: Field) -> Script:
    script = looking(field.tree)
    script.rpc |= {"setText": field.set, "getText": field.get, "clearTextField": field.clear}
    script.shell["ime list"] = f"{OWN}\n"
    return script


def write(phone: Phone, text: str, *, rules: Rules | None = None, journal: Notebook | None = None) -> Typed:
    rng = random.Random(7)
    return type_text(phone, text, rules=rules, rng=rng, clock=phone.clock, journal=journal or Notebook())


# Text


def test_an_emoji_of_several_code_points_is_one_grapheme() -> None:
    assert graphemes("a你👨‍👩‍👧e\u0301") == ["a", "你", "👨‍👩‍👧", "e\u0301"]


def test_the_value_of_an_empty_field_is_not_its_hint() -> None:
    hinted = parse(Field(hint="搜索").tree()).windows[0]

    assert value_of(hinted) == ""
    assert value_of(replace(hinted, text="搜索结果")) == "搜索结果"


@pytest.mark.parametrize(
    ("wanted", "found", "match"),
    [
        ("猫 咖", "猫 咖 ", Match.SAME),
        ("e\u0301", "é", Match.SAME),
        ("13800001111", "138 0000 1111", Match.FORMATTED),
        ("hello", "hel", Match.TRUNCATED),
        ("hello", "Hello", Match.DIFFERENT),
        ("一行\n二行", "一行 二行", Match.DIFFERENT),
        ("搜索", "", Match.TRUNCATED),
    ],
)
def test_what_is_in_a_field_is_compared_as_a_person_would(wanted: str, found: str, match: Match) -> None:
    assert compare(wanted, found) is match


def test_bullets_count_as_the_password_when_there_are_as_many() -> None:
    assert compare("geheim", "••••••", password=True) is Match.HIDDEN
    assert compare("geheim", "•••", password=True) is Match.DIFFERENT


@given(st.text(max_size=60))
def test_a_text_is_its_graphemes_put_together(text: str) -> None:
    assert "".join(graphemes(text)) == text


# Typing


def test_at_speed_the_text_goes_in_at_once_behind_what_is_there() -> None:
    field = Field("你")
    script = with_field(field)
    with scripted(script) as phone:
        typed = write(phone, "好😃")

    assert field.text == "你好😃"
    assert typed == Typed("set_text", verified=True, value="你好😃", note="same")
    assert len(script.called("setText")) == 1


def test_an_emoji_that_the_dump_breaks_is_kept_when_more_is_typed() -> None:
    field = Field("好😃")
    with scripted(with_field(field)) as phone:
        write(phone, "吗")

    assert field.text == "好😃吗"


def test_a_hint_is_not_typed_into_the_field() -> None:
    field = Field(hint="搜索")
    with scripted(with_field(field)) as phone:
        write(phone, "猫")

    assert field.text == "猫"


def test_the_field_is_named_so_that_the_server_does_not_touch_it_first() -> None:
    script = with_field(Field())
    with scripted(script) as phone:
        write(phone, "a")

    assert script.called("setText")[0][0] == {
        "mask": 0x020000 | 0x01000000 | 0x10 | 0x200000,
        "childOrSibling": [],
        "childOrSiblingSelector": [],
        "focused": True,
        "instance": 0,
        "className": "android.widget.EditText",
        "resourceId": "a:id/q",
    }


def test_at_the_careful_pace_each_grapheme_comes_by_itself_with_its_pause() -> None:
    script, clock = with_field(Field()), ManualClock()
    rules = replace(CAREFUL, grapheme=Range(0.12, 0.32))
    with scripted(script, clock=clock) as phone:
        write(phone, "搜👨‍👩‍👧a", rules=rules)

    assert [params[1] for params in script.called("setText")] == ["搜", "搜👨‍👩‍👧", "搜👨‍👩‍👧a"]
    assert len(clock.sleeps) == 2
    assert all(0.12 <= slept <= 0.32 for slept in clock.sleeps)


@pytest.mark.parametrize(("pause_s", "slept_s"), [(0.3, 0.2), (0.2, 0.12)])
def test_the_phones_own_time_belongs_to_the_pause_down_to_the_shortest_gap(pause_s: float, slept_s: float) -> None:
    clock = ManualClock()
    field = Field()
    script = with_field(field)

    def slow(selector: dict[str, Any], text: str) -> bool:
        clock.advance(0.1)
        return field.set(selector, text)

    script.rpc["setText"] = slow
    with scripted(script, clock=clock) as phone:
        write(phone, "ab", rules=replace(CAREFUL, grapheme=Range(pause_s, pause_s)))

    assert clock.sleeps == [pytest.approx(slept_s)]


def test_a_line_break_is_text_and_presses_no_key() -> None:
    field = Field()
    script = with_field(field)
    with scripted(script) as phone:
        write(phone, "第一行\nid")

    assert field.text == "第一行\nid"
    assert not script.called("pressKeyCode")
    assert not [line for line in script.commands if line.startswith("input")]


def test_a_long_text_arrives_whole() -> None:
    field = Field()
    with scripted(with_field(field)) as phone:
        write(phone, "测" * 1200 + "END")

    assert (len(field.text), field.text[-3:]) == (1203, "END")


def test_a_field_with_a_limit_says_how_much_it_took() -> None:
    with scripted(with_field(Field(limit=300))) as phone, pytest.raises(TypingFailed) as caught:
        write(phone, "测" * 1200)

    assert caught.value.code == "text_truncated"
    assert caught.value.details["delivered"] == 300


def test_a_password_is_verified_by_its_bullets_and_never_told() -> None:
    with scripted(with_field(Field(password=True))) as phone:
        assert write(phone, "Tr0ub4dor&3") == Typed("set_text", verified=True, value=None, note="hidden")


def test_a_wrong_password_field_is_told_without_its_text() -> None:
    with scripted(with_field(Field(password=True, limit=3))) as phone, pytest.raises(TypingFailed) as caught:
        write(phone, "Tr0ub4dor&3")

    assert "Tr0" not in str(caught.value.as_dict())


def test_without_a_focused_field_nothing_is_sent() -> None:
    script = looking()
    with scripted(script) as phone, pytest.raises(TypingFailed) as caught:
        write(phone, "a")

    assert caught.value.code == "no_focus"
    assert [method for method, _ in script.calls] == ["dumpWindowHierarchy"]


def test_a_field_that_cannot_be_seen_is_not_typed_into() -> None:
    field = Field()
    field.bounds = "[0,0][0,0]"
    script = with_field(field)
    with scripted(script) as phone, pytest.raises(TypingFailed) as caught:
        write(phone, "a")

    assert caught.value.code == "hidden_field"
    assert not script.called("setText")


def test_percent_signs_are_typed_as_they_are() -> None:
    script = Script()
    script.shell["input text"] = ""
    with scripted(script) as phone:
        ShellInput(phone.device, explain=lambda _: None).text("50% of %s")

    assert [line for line in script.commands if line.startswith("input")] == ["input text 50%%sof%s%", "input text s"]


def test_ascii_goes_by_keys_into_a_field_that_takes_no_text() -> None:
    field = Field()
    field.takes = False
    script = with_field(field)
    typed_lines: list[str] = []

    def by_keys(line: str) -> str:
        typed_lines.append(line)
        field.text += "a b"
        return ""

    script.shell["input text"] = by_keys
    with scripted(script) as phone:
        assert write(phone, "a b").route == "input"

    assert typed_lines == ["input text a%sb"]


# Keyboards


class Keyboards:
    """The keyboards of a scripted phone."""

    def __init__(self, script: Script, field: Field) -> None:
        self.now = OWN
        self.field = field
        self.switches: list[str] = []
        script.shell |= {
            "ime list": f"{OWN}\n{ADB_IME}\n",
            "ime enable": "",
            "ime set": self.switch,
            "settings get secure default_input_method": lambda _: f"{self.now}\n",
            "am broadcast": self.broadcast,
        }
        self.lines: list[str] = []

    def switch(self, line: str) -> str:
        self.now = line.split()[-1]
        self.switches.append(self.now)
        return f"Input method {self.now} selected for user #0\n"

    def broadcast(self, line: str) -> str:
        self.lines.append(line)
        self.field.text = "hello? 猫"
        return "Broadcasting: Intent { act=ADB_INPUT_B64 flg=0x400000 (has extras) }\nBroadcast completed: result=0\n"


def test_a_keyboard_is_borrowed_written_down_and_put_back() -> None:
    field = Field()
    field.takes = False
    script = with_field(field)
    keyboards, journal = Keyboards(script, field), Notebook()
    with scripted(script) as phone:
        typed = write(phone, "hello? 猫", journal=journal)

    assert typed.route == "keyboard"
    assert keyboards.switches == [ADB_IME, OWN]
    assert (journal.history, journal.values) == ([f"remember {OWN}", "forget"], {})
    assert keyboards.lines == ["am broadcast -a ADB_INPUT_B64 -p com.android.adbkeyboard --es msg aGVsbG8/IOeMqw=="]


def test_a_keyboard_is_put_back_after_a_failure_too() -> None:
    field = Field()
    field.takes = False
    script = with_field(field)
    keyboards, journal = Keyboards(script, field), Notebook()
    script.shell["am broadcast"] = "java.lang.SecurityException: no\n"
    with scripted(script) as phone, pytest.raises(TypingFailed):
        write(phone, "猫", journal=journal)

    assert keyboards.now == OWN
    assert journal.values == {}


def test_what_a_torn_cable_left_undone_is_put_back_at_the_next_start() -> None:
    field = Field()
    script = with_field(field)
    keyboards, journal = Keyboards(script, field), Notebook(keyboard=OWN)
    keyboards.now = ADB_IME
    with scripted(script) as phone:
        assert restore_keyboard(phone, journal) == OWN

    assert (keyboards.now, journal.values) == (OWN, {})


def test_an_answer_lost_while_typing_is_not_asked_for_again_and_the_keyboard_is_put_back() -> None:
    field = Field()
    field.takes = False
    script = with_field(field)
    keyboards, journal = Keyboards(script, field), Notebook()
    script.cut = {"am broadcast"}
    with scripted(script) as phone, pytest.raises(OutcomeUnknown):
        write(phone, "猫", journal=journal)

    assert len(keyboards.lines) == 1
    assert (keyboards.now, journal.values) == (OWN, {})


def test_a_field_that_takes_text_in_no_way_says_what_helps() -> None:
    field = Field()
    field.takes = False
    with scripted(with_field(field)) as phone, pytest.raises(TypingFailed) as caught:
        write(phone, "猫")

    assert caught.value.code == "no_route"
    assert "ADB keyboard" in caught.value.hint


# Erasing


def test_the_last_characters_are_erased_as_a_person_counts_them() -> None:
    field = Field("ab👨‍👩‍👧c")
    with scripted(with_field(field)) as phone:
        assert erase_text(phone, 2) == 2

    assert field.text == "ab"


def test_all_text_is_erased_without_a_count_and_a_hint_is_no_text() -> None:
    field = Field("abc", hint="搜索")
    with scripted(with_field(field)) as phone:
        assert erase_text(phone) == 0
        assert erase_text(phone) == 0

    assert field.text == ""


def test_a_password_is_erased_key_by_key() -> None:
    field = Field("abc", password=True)
    script = with_field(field)

    def key(code: int) -> bool:
        field.text = field.text[:-1] if code == 67 else field.text
        return True

    script.rpc["pressKeyCode"] = key
    with scripted(script) as phone:
        assert erase_text(phone, 2) == 1

    assert script.called("pressKeyCode") == [[123], [67], [67]]


class Interrupted(ManualClock):
    """A clock whose person presses Ctrl-C in the first pause."""

    def sleep(self, seconds: float) -> None:
        raise KeyboardInterrupt


def test_ctrl_c_in_the_middle_of_a_text_puts_the_keyboard_back() -> None:
    field = Field()
    field.takes = False
    script = with_field(field)
    keyboards, journal = Keyboards(script, field), Notebook()
    with scripted(script, clock=Interrupted()) as phone, pytest.raises(KeyboardInterrupt):
        write(phone, "猫咖", rules=CAREFUL, journal=journal)

    assert (keyboards.now, journal.values) == (OWN, {})


def test_a_keyboard_that_cannot_be_put_back_stays_in_the_journal() -> None:
    field = Field()
    field.takes = False
    script = with_field(field)
    keyboards, journal = Keyboards(script, field), Notebook()
    refused = f"Unknown input method {OWN} cannot be selected for user #0\n"
    script.shell["ime set"] = lambda line: refused if line.endswith(OWN) else keyboards.switch(line)
    with scripted(script) as phone:
        write(phone, "hello? 猫", journal=journal)

    assert journal.values == {"keyboard": OWN}


def test_at_the_careful_pace_characters_are_erased_one_by_one() -> None:
    field = Field("abc")
    script, clock = with_field(field), ManualClock()

    def key(code: int) -> bool:
        field.text = field.text[:-1] if code == 67 else field.text
        return True

    script.rpc["pressKeyCode"] = key
    with scripted(script, clock=clock) as phone:
        assert erase_text(phone, rules=CAREFUL, rng=random.Random(7)) == 0

    assert not script.called("setText")
    assert len(clock.sleeps) == 3
    assert all(0.12 <= slept <= 0.32 for slept in clock.sleeps)

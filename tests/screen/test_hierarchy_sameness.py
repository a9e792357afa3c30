"""Is this a new screen: the rule, and real screens before and after an action."""

from __future__ import annotations

import json

import pytest

from controller.screen.hierarchy import Hierarchy, parse
from controller.screen.sameness import ScreenMark, changing, is_new_screen, mark
from tests.screen.trees import APP, dump, node, tree
from tests.shared import shared_cases

ACTIVITY = "com.example.app.Main"


def marked(h: Hierarchy, *, package: str = APP, activity: str | None = ACTIVITY, **more) -> ScreenMark:
    return mark(h, package=package, activity=activity, **more)


def texts(*words: str) -> str:
    return "".join(node("TextView", word, (0, 100 * i, 1080, 100 * i + 90)) for i, word in enumerate(words))


def test_the_same_items_are_the_same_screen():
    assert not is_new_screen(marked(tree(texts("a", "b"))), marked(tree(texts("a", "b"))))


def test_another_activity_app_or_full_window_is_a_new_screen():
    before = marked(tree(texts("a")))

    assert is_new_screen(before, marked(tree(texts("a")), activity="com.example.app.Detail"))
    assert is_new_screen(before, marked(tree(texts("a"), package="com.other"), package="com.other", activity=None))
    assert is_new_screen(marked(tree(texts("a")), window="1a2b"), marked(tree(texts("a")), window="3c4d"))
    assert not is_new_screen(before, marked(tree(texts("a")), activity=None, window="3c4d"))


@pytest.mark.parametrize(
    ("after", "new"),
    [
        (("a", "b", "x", "y"), False),
        (("a", "x", "y"), True),
        (("a", "b", "c", "d", "more", "of", "a", "row"), False),
        (("a",), False),
        (("x",), True),
    ],
)
def test_fewer_than_half_of_the_items_being_those_of_before_makes_a_new_screen(after, new):
    before = marked(tree(texts("a", "b", "c", "d")))

    assert is_new_screen(before, marked(tree(texts(*after)))) is new


def test_the_same_layout_with_another_item_in_it_is_a_new_screen():
    first = tree(node("TextView", "Kettle"), node("TextView", "¥ 59"), node("TextView", "white"), node("Button", "Buy"))
    second = tree(node("TextView", "Lamp"), node("TextView", "¥ 99"), node("TextView", "blue"), node("Button", "Buy"))

    assert is_new_screen(marked(first), marked(second))


def test_typing_the_keyboard_a_toast_and_the_status_bar_change_nothing():
    page = node("FrameLayout", "", (0, 0, 1080, 2400), node("EditText", "", id="name"), texts("a", "b"))
    typed = node("FrameLayout", "", (0, 0, 1080, 2400), node("EditText", "Ada", id="name"), texts("a", "b"))
    keys = node("FrameLayout", "", (0, 1500, 1080, 2400), texts(*"qwertyuiop"), package="com.touchtype.swiftkey")
    bar = node("FrameLayout", "", (0, 0, 1080, 80), texts("12:01", "85 %", "5G"), package="com.android.systemui")
    toast = node("Toast", "Saved", (0, 0, 0, 0), package="com.android.settings")

    before = marked(parse(dump(page)))

    assert marked(parse(dump(keys, bar, typed, toast))) == before


def test_a_switch_that_was_turned_is_the_same_item():
    off = marked(tree(node("Switch", "Wi-Fi", flags="checkable")))

    assert marked(tree(node("Switch", "Wi-Fi", flags="checkable checked"))) == off


def test_what_changes_by_itself_is_left_out():
    first, second, third = (tree(texts(*words)) for words in (["0:12", "a"], ["0:13", "a"], ["0:14", "a"]))
    moving = changing(first, second, package=APP)

    assert marked(second, ignoring=moving) == marked(third, ignoring=moving)
    assert marked(second) != marked(third)


def test_a_permission_dialog_is_no_screen_of_the_app():
    page = marked(tree(texts("a", "b")))
    dialog = marked(tree(texts("Allow?", "Yes", "No")), package="com.google.android.permissioncontroller")

    assert not is_new_screen(page, dialog)


def test_an_empty_tree_says_nothing():
    empty = marked(parse('<hierarchy rotation="0"/>'))

    assert not is_new_screen(marked(tree(texts("a"))), empty)


def test_a_mark_is_small_and_survives_json():
    made = marked(tree(texts(*(f"line {i}" for i in range(40)))), window="1a2b")

    kept = json.dumps(made.as_json())

    assert ScreenMark.from_json(json.loads(kept)) == made
    assert len(kept) < 700
    assert sorted(marked(tree(texts("Hello"))).items) == ["b48016d199"]


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        ("fb_es_login_empty", "fb_es_login_typed", False),
        ("trust_en_switches_before", "trust_en_switches_after", False),
        ("agentchat_en_generating", "agentchat_en_done", False),
        ("korneo_ru_pick_before", "korneo_ru_pick_after", False),
        ("car_ko_quick_settings", "car_ko_mirror_popup", True),
        ("wework_zh_contacts", "wework_zh_add_customer", True),
        ("autotask_zh_edit", "autotask_zh_time_dialog", True),
        ("kakao_ko_longpress", "kakao_ko_delete_dialog", True),
        ("zeta_en_rebirth", "zeta_en_confirm", True),
        ("cars_ar_flutter_home", "cars_ar_add_form", True),
    ],
)
def test_real_screens_before_and_after_an_action(before, after, new):
    folder = shared_cases("hierarchies")
    index = (folder / "index.jsonl").read_text(encoding="utf-8").splitlines()
    packages = {case["file"]: case["package"] for case in map(json.loads, index)}

    def read(name: str) -> ScreenMark:
        return mark(parse((folder / f"{name}.xml").read_bytes()), package=packages[f"{name}.xml"], activity=None)

    assert is_new_screen(read(before), read(after)) is new

"""Targets: the words a person has for them, and where they are on a screen."""

from __future__ import annotations

import pytest

from controller.device.observation import Observation
from controller.errors import Ambiguous, InvalidSelector, NotFound, NotObservable, NotTappable
from controller.screen.dumpsys import Foreground, State
from controller.screen.hierarchy import Bounds, Hierarchy, parse
from controller.screen.outline import identities
from controller.screen.points import Space
from controller.screen.selectors import Selector
from controller.targets import (
    Point,
    Ref,
    Spot,
    describe,
    field_in_focus,
    locate,
    one_target,
    outline_of,
    parse_point,
    ref_or_text,
)
from tests.screen.trees import APP, dump, node, tree


def on(hierarchy: Hierarchy, *notes: str, keyboard: Bounds | None = None) -> Observation:
    front = Foreground(APP, f"{APP}.Main", state=State.APP, confident=True)
    return Observation(front, hierarchy, (1080, 2400), keyboard, at=0.0, device_s=0.0, notes=notes)


FIELD = node("EditText", hint="Search videos", bounds=(0, 100, 800, 200), id="field", flags="clickable")
BUTTON = node("Button", "Search", bounds=(800, 100, 1080, 200), flags="clickable")
PAGE = on(tree(FIELD, BUTTON))


@pytest.mark.parametrize("word", ["e12", "@e12", "[ref=e12]", "e12~o7"])
def test_a_word_that_reads_like_a_ref_is_one(word: str) -> None:
    assert ref_or_text(word) == Ref(word)


@pytest.mark.parametrize("word", ["e", "entry", "e12 and more", "搜索.*"])
def test_any_other_word_is_a_text(word: str) -> None:
    assert ref_or_text(word) == Selector(text=word)


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("540,1200", Point(540, 1200)),
        (" 0.5 , 12 ", Point(0.5, 12)),
        ("50%,30%", Point(0.5, 0.3, Space.FRACTION)),
    ],
)
def test_points_are_written_in_pixels_or_percent(text: str, point: Point) -> None:
    assert parse_point(text) == point


@pytest.mark.parametrize("text", ["540", "50%,30", "101%,0%", "a,b", ""])
def test_what_is_no_point_is_refused_with_the_way_to_write_one(text: str) -> None:
    with pytest.raises(InvalidSelector) as caught:
        parse_point(text)

    assert caught.value.hint


def test_one_thing_is_named_and_not_two() -> None:
    assert one_target("e3") == Ref("e3")
    assert one_target(text="A", id="b", index=1) == Selector(text="A", id="b", index=1)
    assert one_target(at=Point(1, 2)) == Point(1, 2)
    for wrong in ({}, {"ref": "e1", "text": "A"}, {"id": "b", "at": Point(1, 2)}):
        with pytest.raises(InvalidSelector, match="exactly one"):
            one_target(**wrong)


def test_targets_in_words() -> None:
    assert [describe(target) for target in (Point(0.5, 0.25, Space.FRACTION), Point(540, 12.5), Ref("e1"))] == [
        "50%,25%", "540,12.5", "e1",
    ]  # fmt: skip


def test_an_element_is_touched_in_its_middle() -> None:
    assert locate(PAGE, Selector(text="search")) == Spot(940, 150, "Search", Bounds(800, 100, 1080, 200))


def test_several_elements_are_refused_where_one_is_meant() -> None:
    with pytest.raises(Ambiguous) as caught:
        locate(PAGE, Selector(text="Search.*"), unique=True)

    assert caught.value.details["candidates"] == ["Search videos", "Search"]


def test_to_type_into_a_text_that_a_button_has_too_means_the_field() -> None:
    assert locate(PAGE, Selector(text="Search.*"), unique=True, field=True).name == "Search videos"


def test_to_type_into_what_is_no_field_yet_means_the_element_itself() -> None:
    assert locate(on(tree(BUTTON)), Selector(text="Search.*"), unique=True, field=True).name == "Search"


def test_a_ref_of_the_last_outline_is_found_again_where_it_has_moved_to() -> None:
    remembered = identities(outline_of(PAGE))
    below = node("Button", "Search", bounds=(800, 700, 1080, 800), flags="clickable")

    spot = locate(on(tree(node("TextView", "Advert"), FIELD, below)), Ref("e2"), remembered=remembered)

    assert (spot.name, spot.y, spot.healed) == ("Search", 750, True)


def test_a_point_under_the_keyboard_is_touched_with_a_note() -> None:
    spot = locate(on(tree(BUTTON), keyboard=Bounds(0, 1500, 1080, 2400)), Point(540, 1870))

    assert spot == Spot(540, 1870, "540,1870", note="the keyboard lies there")


def test_points_are_refused_while_tree_and_display_are_turned_differently() -> None:
    turned = on(tree(BUTTON), "frame_mismatch: the tree is of rotation 1, the display of 0")

    with pytest.raises(NotTappable, match="points mean nothing now"):
        locate(turned, Point(540, 1200))
    assert locate(turned, Selector(text="Search")).name == "Search"


def test_a_miss_names_what_is_near_and_none_of_the_keys_of_the_keyboard() -> None:
    page = node("FrameLayout", "", (0, 0, 1080, 2400), node("Button", "Send"))
    keys = node("FrameLayout", "s", (0, 1500, 1080, 2400), package="com.android.inputmethod.latin")
    typing = on(parse(dump(page, keys)), keyboard=Bounds(0, 1500, 1080, 2400))

    with pytest.raises(NotFound) as caught:
        locate(typing, Selector(text="Sent"))

    assert caught.value.details["candidates"] == ["Send"]


def test_nothing_is_said_of_an_app_that_shows_no_elements() -> None:
    with pytest.raises(NotObservable):
        locate(on(Hierarchy(), "tree_missing_app"), Selector(text="Search"))


def test_typing_needs_a_field_in_focus() -> None:
    with pytest.raises(NotFound) as caught:
        field_in_focus(PAGE)

    assert caught.value.code == "no_focused_field"

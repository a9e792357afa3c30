"""Selectors find what a Maestro flow means by them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import InvalidSelector
from controller.screen.hierarchy import Hierarchy, clean
from controller.screen.selectors import Selector, find, nearest
from tests.screen.trees import SCREEN, node, tree


def line(text: str, top: int, left: int = 0, right: int = 1080, **more) -> str:
    return node("TextView", text, (left, top, right, top + 100), **more)


def said(h: Hierarchy, **wanted) -> list[str]:
    return [found.text or found.desc or found.short_id for found in find(h, Selector(**wanted), screen=SCREEN)]


PAGE = tree(
    line("Log in", 100),
    node("Button", "Log in", (0, 300, 1080, 400), id="login_button", flags="clickable"),
    node("EditText", "", (0, 500, 1080, 600), hint="E-mail", id="mail", flags="clickable focused"),
    node("ImageButton", "", (900, 100, 1000, 200), desc="Navigate up", flags="clickable"),
    node("Switch", "Stay signed in", (0, 700, 1080, 800), flags="checkable checked"),
    line("Cost: $5 (new)", 900),
    line("first\nsecond", 1000),
    line("\u200cnaïve cafe\u0301", 1100),
    line("Done", 1200, flags="off:enabled"),
    line("hidden", 1300, flags="off:visible-to-user"),
    line("below the screen", 2500),
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Navigate up", ["Navigate up"]),
        ("navigate UP", ["Navigate up"]),
        ("navigate", []),
        ("Nav.*", ["Navigate up"]),
        ("e-?mail", ["mail"]),
        ("stay .* in|done", ["Stay signed in", "Done"]),
        ("Cost: $5 (new)", ["Cost: $5 (new)"]),
        ("cost: [$]5 .new.", ["Cost: $5 (new)"]),
        ("first second", ["first\nsecond"]),
        ("first.*", ["first\nsecond"]),
        ("naïve café", ["\u200cnaïve cafe\u0301"]),
        ("hidden", []),
        ("below the screen", []),
        ("C++ (new", []),
    ],
)
def test_a_text_is_an_expression_over_the_whole_text_description_or_hint(text, found):
    assert said(PAGE, text=text) == found


def test_a_text_that_is_no_expression_is_meant_letter_for_letter():
    assert said(tree(line("C++ (new", 0), line("C", 200)), text="c++ (NEW") == ["C++ (new"]


@pytest.mark.parametrize("wanted", ["login_button", "com.example.app:id/login_button", ".*button", "LOGIN_BUTTON"])
def test_an_id_matches_with_and_without_its_package(wanted):
    assert said(PAGE, id=wanted) == ["Log in"]


def test_what_can_be_clicked_comes_before_what_only_reads_the_same():
    assert [found.clickable for found in find(PAGE, Selector(text="Log in"))] == [True, False]


def test_an_index_counts_in_reading_order_from_zero_or_from_the_end():
    h = tree(line("a", 300), line("b", 100, left=500), line("c", 100, right=400), node("Button", "d", (0, 500, 9, 600)))

    order = [said(h, text=".", index=index) for index in (0, 1, 2, 3, 4, -1, -5)]

    assert order == [["c"], ["b"], ["a"], ["d"], [], ["d"], []]


def test_of_nested_nodes_with_the_same_text_the_deepest_is_meant():
    inner = node("View", "", (0, 0, 500, 100), node("TextView", "Save", (50, 0, 90, 100)), desc="Save")
    h = tree(node("View", "", (0, 0, 1080, 100), inner, desc="Save", flags="clickable"))

    assert [found.class_name for found in find(h, Selector(text="Save"))] == ["android.widget.TextView"]


@pytest.mark.parametrize(
    ("state", "found"),
    [
        ({"checked": True}, ["Stay signed in"]),
        ({"focused": True}, ["mail"]),
        ({"enabled": False}, ["Done"]),
        ({"text": "Log in", "enabled": False}, []),
        ({"text": "Done", "selected": False}, ["Done"]),
    ],
)
def test_states_narrow_what_is_meant(state, found):
    assert said(PAGE, **state) == found


def row(name: str, top: int) -> str:
    return node(
        "LinearLayout",
        "",
        (0, top, 1080, top + 200),
        node("TextView", name, (0, top, 500, top + 200)),
        node("Button", "Delete", (800, top, 1000, top + 200), flags="clickable"),
        id=f"row_{name}",
    )


ROWS = tree(row("one", 0), row("two", 300), row("three", 600))


@pytest.mark.parametrize(
    ("wanted", "tops"),
    [
        ({"text": "Delete", "below": Selector(text="one")}, [300, 600]),
        ({"text": "Delete", "above": Selector(text="three")}, [300, 0]),
        ({"text": "Delete", "right_of": Selector(text="two")}, [300, 0, 600]),
        ({"text": "t.*", "left_of": Selector(text="Delete")}, [300, 600]),
        ({"text": "Delete", "below": Selector(text="one"), "index": 1}, [600]),
        ({"text": "Delete", "child_of": Selector(id="row_two")}, [300]),
        ({"contains_child": Selector(text="two")}, [300]),
        ({"contains_descendants": (Selector(text="three"), Selector(text="Delete"))}, [600]),
        ({"contains_descendants": (Selector(text="three"), Selector(text="Absent"))}, []),
        ({"text": "Delete", "below": Selector(text="absent")}, []),
        ({"text": "Delete", "below": Selector(text="t.*", index=0)}, [600]),
        ({"width": 200, "height": 190, "tolerance": 10}, [0, 300, 600]),
        ({"width": 200, "height": 150, "tolerance": 10}, []),
        ({"traits": "square", "text": "Delete"}, [0, 300, 600]),
        ({"traits": "text", "id": "row.*"}, []),
    ],
)
def test_elements_are_found_by_their_place_size_and_kind(wanted, tops):
    assert [found.bounds.top for found in find(ROWS, Selector(**wanted), screen=SCREEN)] == tops


def test_a_selector_alone_with_a_place_finds_things_and_no_layouts():
    assert [found.text for found in find(ROWS, Selector(below=Selector(text="two")))] == ["Delete", "three"]


def test_an_expression_that_would_run_for_ever_is_refused_in_time():
    h = tree(line("a" * 60 + "!", 0))
    started = time.perf_counter()

    with pytest.raises(InvalidSelector, match="takes too long"):
        find(h, Selector(text="(a|aa)+(b|bb)?(a|aa)+$x"))

    assert time.perf_counter() - started < 2


def test_a_selector_that_says_nothing_or_an_unknown_trait_is_refused():
    with pytest.raises(InvalidSelector, match="says nothing"):
        Selector()
    with pytest.raises(InvalidSelector, match="unknown trait 'round'"):
        Selector(traits="round")


@pytest.mark.parametrize(
    ("selector", "words"),
    [
        (Selector(text="OK"), '"OK"'),
        (Selector(id="ok", index=2), 'id "ok", index 2'),
        (Selector(text="OK", below=Selector(text="Name"), enabled=True), 'text "OK", enabled true, below ("Name")'),
        (
            Selector(contains_descendants=(Selector(text="a"), Selector(id="b"))),
            'contains_descendants ("a") and (id "b")',
        ),
    ],
)
def test_a_selector_reads_as_words(selector, words):
    assert str(selector) == words


def test_the_nearest_names_are_told_when_nothing_matches():
    assert nearest(PAGE, Selector(text="Login"))[0] == "Log in"
    assert nearest(PAGE, Selector(id="login_buton"))[0] == "login_button"
    assert nearest(PAGE, Selector(index=3)) == []


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"]), min_size=1, max_size=12))
def test_any_text_finds_itself(text):
    h = tree(line(text, 0), line("something else", 200))
    (there, _) = h.windows[0].children

    found = find(h, Selector(text=text))

    assert not clean(there.text) or there in found or there.text != text

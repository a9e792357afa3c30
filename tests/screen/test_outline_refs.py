"""Elements found again, and what changed between two outlines."""

from __future__ import annotations

import json

import pytest

from controller.errors import StaleRef
from controller.screen.outline import (
    Identity,
    Outline,
    difference,
    find_again,
    identities,
    identity,
    outline,
)
from tests.screen.trees import APP, SCREEN, node, tree


def button(text: str, top: int, **more) -> str:
    return node("Button", text, (0, top, 1080, top + 80), flags="clickable", **more)


def made(*children: str) -> Outline:
    return outline(tree(*children), package=APP, screen=SCREEN)


def kept(shown: Outline, ref: str, *, number: int | None = None) -> Identity:
    return identity(json.loads(json.dumps(identities(shown, number=number))), ref)


def rows(*names: str) -> tuple[str, ...]:
    return tuple(
        node("LinearLayout", "", (0, 200 * i, 1080, 200 * i + 200),
             node("TextView", name, (0, 200 * i, 500, 200 * i + 200)),
             node("Button", "Follow", (800, 200 * i, 1000, 200 * i + 200), flags="clickable"))
        for i, name in enumerate(names)
    )  # fmt: skip


def test_an_element_that_moved_is_found_again_with_its_new_bounds():
    before = made(button("Save", 100), button("Delete", 300))
    after = made(node("TextView", "Saved", (0, 0, 1080, 80)), button("Delete", 700), button("Save", 900))

    found = find_again(kept(before, "e2"), after)

    assert (found.name, found.node.bounds.top) == ("Delete", 700)
    assert find_again(before.element("e2"), after) == found


def test_an_element_that_is_gone_is_stale_with_candidates_and_the_new_outline():
    before = made(button("Delete draft", 100))
    after = made(button("Delete drafts", 100), button("Back", 300))

    with pytest.raises(StaleRef, match="no longer on the screen") as stale:
        find_again(kept(before, "e1"), after)

    assert stale.value.details["candidates"][0] == '- button "Delete drafts" [ref=e1]'
    assert stale.value.details["outline"] == after.text()


def test_equal_buttons_are_told_apart_by_their_rows():
    before, after = made(*rows("Ada", "Bob", "Cem", "Dan")), made(*rows("Zoe", "Ada", "Bob", "Cem", "Dan"))

    found = find_again(kept(before, "e3"), after)

    assert found.node.bounds.top == 600


def test_the_button_of_another_row_is_never_taken_for_it():
    before = made(*rows("Ada", "Bob"))

    with pytest.raises(StaleRef):
        find_again(kept(before, "e1"), made(*rows("Bob")))


def test_several_that_could_be_meant_are_refused():
    before, after = made(button("OK", 0)), made(button("OK", 0), button("OK", 200))

    with pytest.raises(StaleRef, match="any of 2 elements"):
        find_again(kept(before, "e1"), after)


def test_a_counter_in_the_name_does_not_matter_where_the_id_is_its_alone():
    before = made(button("Inbox (1)", 0, id="inbox"), button("Sent", 200, id="sent"))
    after = made(button("Inbox (2)", 0, id="inbox"), button("Sent", 200, id="sent"))

    assert find_again(kept(before, "e1"), after).name == "Inbox (2)"
    with pytest.raises(StaleRef):
        find_again(
            kept(made(button("a", 0, id="row"), button("b", 200, id="row")), "e1"), made(button("c", 0, id="row"))
        )


def test_a_ref_may_name_its_observation():
    shown = made(button("OK", 0))

    assert kept(shown, "e1~o7", number=7).name == "OK"
    assert kept(shown, "e1", number=7).name == "OK"
    with pytest.raises(StaleRef, match="belongs to observation 6, the newest is 7"):
        kept(shown, "e1~o6", number=7)
    with pytest.raises(StaleRef, match="no element e4"):
        kept(shown, "e4")
    with pytest.raises(StaleRef, match="nothing was observed yet"):
        identity(None, "e1")


def test_only_what_changed_is_told():
    before = made(
        button("Wi-Fi", 0), node("Switch", "Bluetooth", (0, 200, 1080, 280), flags="checkable"), button("x1", 400)
    )
    after = made(
        button("Wi-Fi", 0),
        node("Switch", "Bluetooth", (0, 200, 1080, 280), flags="checkable checked"),
        button("y2", 400),
    )

    assert difference(before, after).split("\n") == [
        '- button "x1" [ref=e3]',
        '= switch "Bluetooth" [ref=e2] checked',
        '+ button "y2" [ref=e3]',
    ]
    assert difference(before, before) == "no change"


def test_notes_that_come_and_go_are_told():
    before, after = made(button("OK", 0)), made(button("OK", 0), button("Far", 2500))

    assert difference(before, after) == "+ ! off screen below: 1 items (Far)"
    assert difference(after, before) == "- ! off screen below: 1 items (Far)"

"""The two demo apps that other projects' suites drive, and what they need of the phone."""

from __future__ import annotations

import pytest

from controller.errors import DocumentError
from controller.virtual.apps import read_app
from controller.virtual.intents import Intent
from tests.virtual.hand import Hand

_APIS = "io.appium.android.apis"
_DEMO = "com.example.u2testdemo"


@pytest.fixture
def hand() -> Hand:
    return Hand()


def test_the_lists_of_the_api_demos_lead_to_a_sample_and_back(hand: Hand) -> None:
    hand.phone.launch(_APIS)
    for name in ("App", "Alert Dialogs"):
        hand.tap(name)
    assert hand.front == "AlertDialogSamples"

    for _ in range(2):
        hand.phone.key(4)
    assert [node.text for node in hand.all(id="text1")][:2] == ["Access'ibility", "Accessibility"]


def test_a_list_of_the_api_demos_is_a_list_view_longer_than_the_screen(hand: Hand) -> None:
    hand.phone.launch(_APIS)
    hand.tap("App")
    listing = hand.see(id="list")

    assert (listing.class_name, listing.resource_id, listing.scrollable) == (
        "android.widget.ListView",
        "android:id/list",
        True,
    )
    assert hand.all("Voice Recognition") == []


def test_a_sample_that_is_not_emulated_says_so(hand: Hand) -> None:
    hand.phone.launch(_APIS)
    hand.tap("Media")
    hand.tap("VideoView")

    assert hand.phone.toast is not None
    assert hand.phone.toast.text == "VideoView is not part of the virtual phone"


def test_a_search_takes_the_text_that_was_filled_in(hand: Hand) -> None:
    hand.phone.start(Intent(component=(_APIS, f"{_APIS}.app.SearchInvoke")))
    hand.tap(id="txt_query_prefill")
    hand.phone.commit_text("tea")
    hand.tap("onSearchRequested()")
    hand.tap(id="search_src_text")
    hand.phone.editor_action()

    assert (hand.front, hand.see(id="txt_query").text) == ("SearchQueryResults", "tea")


@pytest.mark.parametrize(
    ("first", "second", "total"), [("1", "2", "3"), ("20", "-5", "15"), ("1", "", ""), ("", "", ""), ("1", "x y", "")]
)
def test_an_app_calculates(hand: Hand, first: str, second: str, total: str) -> None:
    hand.phone.start(Intent(component=(_DEMO, f"{_DEMO}.AdditionActivity")))
    for name, text in (("First Number Input", first), ("Second Number Input", second)):
        hand.tap(name)
        hand.phone.commit_text(text)
    hand.tap("Add")

    assert hand.see("Result Output").text == total


def test_two_fingers_zoom_as_far_as_the_app_lets_them(hand: Hand) -> None:
    hand.phone.start(Intent(component=(_DEMO, f"{_DEMO}.PinchActivity")))
    point, width = hand.see("pinch image").bounds.center, hand.see("pinch image").bounds.width

    hand.phone.pinch(*point, 10)
    assert hand.see("Scale: 3.00")
    hand.phone.pinch(*point, 0.01)

    assert hand.see("Scale: 0.50")
    assert hand.see("pinch image").bounds.width == width // 2


@pytest.mark.parametrize("wrong", ["[1]", "[3, 0.5]", "[0, 2]", "[a, b]"])
def test_a_range_that_is_none_is_shown_where_it_stands(wrong: str) -> None:
    text = (
        "package: a.b\nlabel: A\nactivities:\n  .Main:\n    body:\n"
        f"      - text: A\n        zoom: size\n        range: {wrong}\n"
    )

    with pytest.raises(DocumentError) as caught:
        read_app(text, "a.yaml")
    assert str(caught.value).startswith("a.yaml:8:")

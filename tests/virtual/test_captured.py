"""A captured phone, written by hand: which way is meant, and what is said where none is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.clock import ManualClock
from controller.errors import DocumentError
from controller.virtual.captured import CapturedPhone
from controller.virtual.captured.map import map_page
from controller.virtual.captured.reading import parse_capture
from controller.virtual.captured.spec import HIDDEN, Capture
from controller.virtual.intents import ACTION_VIEW, Intent
from controller.virtual.keys import Key
from controller.virtual.shell import run
from controller.virtual.ui import UiNode
from controller.virtual.uiautomator import UiAutomator
from controller.virtual.uncaptured import NotCaptured

HEAD = """\
capture: 1
phone: {model: Test, maker: Nobody, sdk: 34, screen: {width: 1000, height: 2000, density: 400}}
start: list
screens:
  - {id: list, page: 1, package: a, activity: a.List, picture: false}
  - {id: lower, page: 1, package: a, activity: a.List, picture: false}
  - {id: detail, page: 2, package: a, activity: a.Detail, picture: false}
  - {id: form, page: 3, package: a, activity: a.Form, picture: false, keyboard: [0, 1400, 1000, 2000], input_method: k}
  - {id: typed, page: 3, package: a, activity: a.Form, picture: false, keyboard: [0, 1400, 1000, 2000], input_method: k}
  - {id: done, page: 4, package: a, activity: a.Done, picture: false, note: a picture was not taken}
actions:
"""
WAYS = """\
  - {from: list, do: tap, at: [500, 250], element: two, to: detail}
  - {from: list, do: scroll, at: [500, 1600], end: [500, 700], to: lower}
  - {from: lower, do: scroll, at: [500, 1600], end: [500, 700], to: lower}
  - {from: detail, do: tap, at: [500, 1900], element: more, times: 2, to: form}
  - {from: form, do: type, at: [500, 50], text: hello, to: typed}
  - {from: typed, do: press, key: 66, name: enter, to: done}
  - {from: done, do: wait, seconds: 3, to: list}
  - {from: list, do: link, uri: 'a://x?q=▒▒▒▒', package: a, to: detail}
  - {from: detail, do: unknown action, to: done}
"""


def tree(*rows: tuple[str, str, int], field: str | None = None) -> bytes:
    """Buttons (text, id, top), a hundred pixels high; and a field at the top with the focus."""
    nodes = [
        f'<node class="android.widget.Button" package="a" text="{text}" resource-id="{name}" clickable="true" '
        f'enabled="true" bounds="[0,{top}][1000,{top + 100}]"/>'
        for text, name, top in rows
    ]
    if field is not None:
        nodes.append(
            f'<node class="android.widget.EditText" package="a" resource-id="a:id/f" text="{field or "write"}" '
            'hint="write" focused="true" clickable="true" bounds="[0,0][1000,100]"/>'
        )
    window = f'<node class="F" package="a" bounds="[0,0][1000,2000]">{"".join(nodes)}</node>'
    return f'<hierarchy rotation="0">{window}</hierarchy>'.encode()


FILES = {
    "list": tree(("one", "a:id/row", 100), ("two", "a:id/row", 200)),
    "lower": tree(("two", "a:id/row", 1100), ("three", "a:id/row", 1200)),
    "detail": tree(("more", "", 1850)),
    "form": tree(field=""),
    "typed": tree(field="hello"),
    "done": tree(("thanks", "", 500)),
}


def capture(ways: str = WAYS, head: str = HEAD) -> Capture:
    files = {f"screens/{name}.xml": xml for name, xml in FILES.items()}
    return parse_capture(head + ways, "c/capture.yaml", name="c", files=files.get)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def phone(clock: ManualClock) -> CapturedPhone:
    return CapturedPhone(capture(), now=clock.now)


def see(phone: CapturedPhone, text: str) -> UiNode:
    return next(node for window in phone.windows() for node in window.root.walk() if node.text == text)


def test_a_tap_leads_where_it_led_also_where_the_element_has_moved(phone: CapturedPhone) -> None:
    phone.gesture([(500, 1600), (500, 800)], 0.5, rest_s=0.1)
    moved = phone.screen.id
    phone.tap(*see(phone, "two").bounds.center)

    assert (moved, phone.screen.id) == ("lower", "detail")


def test_another_element_at_the_same_place_is_not_the_one_that_was_tapped(phone: CapturedPhone) -> None:
    with pytest.raises(NotCaptured) as caught:
        phone.tap(500, 150)

    assert str(caught.value) == (
        "not captured: tap “one” on list (a List); from there was captured: tap “two” → detail; scroll down → lower; "
        "open a://x?q=▒▒▒▒ → detail"
    )


def test_an_element_is_known_by_an_id_that_is_there_once_whatever_stands_on_it(clock: ManualClock) -> None:
    ways = "  - {from: one, do: tap, at: [500, 150], to: end}\n  - {from: one, do: wait, seconds: 1, to: two}\n"
    head = HEAD[: HEAD.index("  - {id: list")].replace("start: list", "start: one") + "".join(
        f"  - {{id: {name}, page: {page}, package: a, activity: a.Main, picture: false}}\n"
        for name, page in (("one", 1), ("two", 1), ("end", 2))
    )
    trees = {"one": tree(("1 like", "a:id/like", 100)), "two": tree(("2 likes", "a:id/like", 300)), "end": tree()}
    files = {f"screens/{name}.xml": xml for name, xml in trees.items()}
    phone = CapturedPhone(parse_capture(head + "actions:\n" + ways, "c", name="c", files=files.get), now=clock.now)
    clock.advance(2)
    phone.tap(500, 350)

    assert phone.screen.id == "end"


def test_a_scroll_shows_what_was_seen_and_the_end_stays_the_end(phone: CapturedPhone) -> None:
    seen = []
    for start, end in ((1600, 700), (1600, 700), (700, 1600)):
        phone.gesture([(500, start), (500, end)], 0.5, rest_s=0.1)
        seen.append(phone.screen.id)

    assert seen == ["lower", "lower", "list"]
    with pytest.raises(NotCaptured, match="scroll up on list"):
        phone.gesture([(500, 700), (500, 1600)], 0.5, rest_s=0.1)


def test_a_small_scroll_that_rests_brings_nothing_new(phone: CapturedPhone) -> None:
    phone.gesture([(500, 1000), (500, 1100)], 0.5, rest_s=0.2)

    assert phone.screen.id == "list"


def test_back_leads_to_the_page_before_where_it_was_not_recorded(phone: CapturedPhone) -> None:
    phone.tap(500, 250)
    phone.key(Key.BACK)
    there = phone.screen.id
    with pytest.raises(NotCaptured, match="press back on list"):
        phone.key(Key.BACK)

    assert there == "list"


def test_a_way_that_was_gone_with_two_taps_needs_two(phone: CapturedPhone) -> None:
    phone.tap(500, 250)
    phone.tap(500, 1900)
    after_one = phone.screen.id
    phone.tap(500, 1900)

    assert (after_one, phone.screen.id) == ("detail", "form")


@pytest.fixture
def form(phone: CapturedPhone) -> CapturedPhone:
    phone.tap(500, 250)
    phone.tap(500, 1900)
    phone.tap(500, 1900)
    return phone


def test_text_goes_into_the_field_letter_by_letter_and_leads_on_once_it_is_what_was_typed(form: CapturedPhone) -> None:
    seen = []
    for letter in "hello":
        form.commit_text(letter)
        field = form.focused_field()
        assert field is not None
        seen.append((field.text, form.screen.id))

    assert seen[0] == ("h", "form")
    assert seen[-1] == ("hello", "typed")
    form.key(Key.ENTER)
    assert form.screen.id == "done"


def test_another_text_does_not_lead_on(form: CapturedPhone) -> None:
    form.commit_text("hallo")

    with pytest.raises(NotCaptured, match=r"press enter on form .* \(typed then: “hello”\)"):
        form.key(Key.ENTER)


def test_a_screen_that_went_on_by_itself_does_so_again(form: CapturedPhone, clock: ManualClock) -> None:
    form.commit_text("hello")
    form.key(Key.ENTER)
    clock.advance(2.9)
    form.tick()
    before = form.screen.id
    clock.advance(0.2)
    form.tick()

    assert (before, form.screen.id) == ("done", "list")


def test_a_link_leads_there_from_everywhere_with_anything_in_place_of_what_was_hidden(form: CapturedPhone) -> None:
    result = form.start(Intent(ACTION_VIEW, "a://x?q=42", package="a"))

    assert (result.ok, form.screen.id) == (True, "detail")
    with pytest.raises(NotCaptured, match="open a://y"):
        form.start(Intent(ACTION_VIEW, "a://y", package="a"))


def test_the_shell_and_uiautomator_say_what_was_not_captured(phone: CapturedPhone) -> None:
    said = run(phone, "input tap 500 150")
    calling = UiAutomator(phone).call("click", [500, 150])
    answer: Any = None
    try:
        while True:
            next(calling)
    except StopIteration as end:
        answer = end.value

    assert (said.exit_code, said.stderr[:37].decode()) == (255, "Error: not captured: tap “one” on")
    assert answer.message.startswith("not captured: tap “one” on list")
    assert run(phone, "input tap 500 250; echo $?").stdout == b"0\n"


def test_the_dumps_tell_the_captured_foreground(form: CapturedPhone) -> None:
    told = run(form, "dumpsys window displays; dumpsys input_method").stdout.decode()

    assert "mCurrentFocus=Window{1003010 u0 a/a.Form}" in told
    assert "mInputShown=true" in told
    assert run(form, "pm list packages").stdout.decode().split() == [
        "package:a",
        "package:k",
        "package:com.android.systemui",
    ]


@pytest.mark.parametrize(
    ("ways", "head", "says"),
    [
        ("  - {from: list, do: jump, to: done}\n", HEAD, "c/capture.yaml:12:22: `jump` is not one of tap, hold"),
        ("  - {from: list, do: tap, to: dome}\n", HEAD, "c/capture.yaml:12:31: `dome` is not one of list"),
        ("  - {from: list, do: tap, at: [1], to: done}\n", HEAD, "c/capture.yaml:12:31: expected 2 numbers"),
        (WAYS, HEAD.replace("capture: 1", "capture: 2"), "c/capture.yaml:1:10: this is a capture of format 2"),
        (WAYS, HEAD.replace("{id: done,", "{id: gone,"), "c/capture.yaml:10:5: screens/gone.xml is missing"),
        (WAYS, HEAD.replace("List, picture: false}\n  - {id: lower", "List}\n  - {id: lower"),
         "c/capture.yaml:5:5: pictures/list.png is missing"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_capture_is_said_with_its_place(ways: str, head: str, says: str) -> None:
    with pytest.raises(DocumentError) as caught:
        capture(ways, head)

    assert caught.value.message.startswith(says)


def test_the_map_is_one_page_with_every_screen_and_what_led_on() -> None:
    screens = dict(capture().screens)
    screens["done"] = replace(screens["done"], package="<script>alert(1)</script>")
    page = map_page(replace(capture(), screens=screens))

    assert page.count('<section class="card') == 4
    assert "unknown action" in page
    assert "a picture was not taken" in page
    assert "<script" not in page
    assert 'src="http' not in page


def test_for_a_hidden_text_any_text_leads_on_and_stands_in_the_field(clock: ManualClock) -> None:
    files = {f"screens/{name}.xml": xml for name, xml in {**FILES, "typed": tree(field=HIDDEN)}.items()}
    text = (HEAD + WAYS).replace("text: hello", f"text: {HIDDEN}").replace("start: list", "start: form")
    phone = CapturedPhone(parse_capture(text, "c", name="c", files=files.get), now=clock.now)
    shown = []
    for letter in "me":
        phone.commit_text(letter)
        field = phone.focused_field()
        assert field is not None
        shown.append((field.text, phone.screen.id))
    phone.key(Key.ENTER)

    assert shown == [("m", "typed"), ("me", "typed")]
    assert phone.screen.id == "done"

"""Keys that move the focus, and two fingers."""

from __future__ import annotations

import pytest

from controller.virtual.apps import read_phone
from controller.virtual.keys import SHIFT_ON, Key
from controller.virtual.phone import VirtualPhone
from controller.virtual.ui import UiNode
from controller.virtual.uiautomator.server import UiAutomator
from tests.virtual.hand import Hand

_PHONE = """
serial: TEST0002
model: Test Two
screen: {width: 1080, height: 2400, density: 420}
imes: [{id: com.example.keys/.Ime, label: Keys}]
settings: {secure: {default_input_method: com.example.keys/.Ime}}
"""
_APP = """
package: com.example.pad
label: Pad
system: true
state: {said: "", name: "", size: "1"}
data: {rows: {repeat: 30, row: {title: "row {n}"}}}
activities:
  .Main:
    home: true
    body:
      - row:
          - button: Left
            tap: {set: {said: left}}
          - button: Right
            tap: {set: {said: right}}
      - field: name
        id: name
      - column:
          - text: "picture"
            id: picture
            size: 20
        zoom: size
        id: frame
      - list:
          - each: rows
            item: [{text: "{title}", padding: 20}]
            tap: {set: {said: "{title}"}}
        id: rows
"""
FRAME = {"mask": 0x200000, "resourceId": "com.example.pad:id/frame"}


@pytest.fixture
def phone() -> VirtualPhone:
    return VirtualPhone(read_phone({"phone.yaml": _PHONE, "apps/pad.yaml": _APP}, name="test"), now=lambda: 0.0)


def nodes(phone: VirtualPhone) -> list[UiNode]:
    return [node for window in phone.windows() for node in window.root.walk()]


def focused(phone: VirtualPhone) -> str:
    """What the focused node says."""
    node = next((node for node in nodes(phone) if node.focused), None)
    return "" if node is None else next((part.text for part in node.walk() if part.text), node.resource_id)


def press(phone: VirtualPhone, *codes: int, meta: int = 0) -> str:
    for code in codes:
        phone.key(code, meta)
    return focused(phone)


def by_id(phone: VirtualPhone, name: str) -> UiNode:
    return next(node for node in nodes(phone) if node.resource_id.endswith(f"/{name}"))


def test_tab_goes_through_what_can_have_the_focus_and_back(phone: VirtualPhone) -> None:
    assert focused(phone) == ""
    assert [press(phone, Key.TAB) for _ in range(4)] == ["Left", "Right", "com.example.pad:id/name", "row 1"]
    assert press(phone, Key.TAB, meta=SHIFT_ON) == "com.example.pad:id/name"
    assert phone.keyboard_shown


def test_the_pad_moves_to_the_nearest_in_its_direction(phone: VirtualPhone) -> None:
    press(phone, Key.DPAD_DOWN)

    assert press(phone, Key.DPAD_RIGHT) == "Right"
    assert press(phone, Key.DPAD_LEFT) == "Left"
    assert press(phone, Key.DPAD_DOWN, Key.DPAD_DOWN) == "row 1"
    assert press(phone, Key.DPAD_LEFT) == "row 1"


def test_the_middle_key_clicks_what_has_the_focus(phone: VirtualPhone) -> None:
    press(phone, Key.DPAD_DOWN, Key.DPAD_RIGHT, Key.DPAD_CENTER)
    assert phone.packages["com.example.pad"].state["said"] == "right"
    press(phone, Key.DPAD_DOWN, Key.DPAD_DOWN, Key.ENTER)
    assert phone.packages["com.example.pad"].state["said"] == "row 1"


def test_a_list_follows_the_focus_beyond_its_end(phone: VirtualPhone) -> None:
    press(phone, Key.TAB, Key.TAB, Key.TAB, Key.TAB)

    assert press(phone, *[Key.DPAD_DOWN] * 29) == "row 30"
    assert press(phone, *[Key.DPAD_UP] * 29) == "row 1"


def test_a_page_key_moves_the_list_by_its_height(phone: VirtualPhone) -> None:
    before = next(node for node in nodes(phone) if node.text == "row 13").frame.top
    height = by_id(phone, "rows").bounds.height
    phone.key(Key.PAGE_DOWN)
    assert next(node for node in nodes(phone) if node.text == "row 13").frame.top == before - height
    phone.key(Key.PAGE_UP)

    assert next(node for node in nodes(phone) if node.text == "row 13").frame.top == before


def test_a_touch_ends_the_focus_of_the_keys(phone: VirtualPhone) -> None:
    press(phone, Key.TAB)
    phone.tap(900, 2200)

    assert focused(phone) == ""


def test_two_fingers_make_an_element_and_its_text_larger(phone: VirtualPhone) -> None:
    before, size = by_id(phone, "picture").bounds, by_id(phone, "picture").style.size

    assert phone.pinch(*by_id(phone, "frame").bounds.center, 2.0) is True
    assert by_id(phone, "picture").bounds.height == pytest.approx(before.height * 2, abs=1)
    assert by_id(phone, "picture").style.size == size * 2
    assert phone.pinch(*by_id(phone, "rows").bounds.center, 2.0) is False
    phone.pinch(*by_id(phone, "frame").bounds.center, 0.1)
    assert by_id(phone, "picture").bounds == before


@pytest.mark.parametrize(
    ("method", "zoom"),
    [("pinchOut", "4.00"), ("pinchIn", "1.00")],  # from 40 pixels to the whole width, and back
)
def test_the_servers_pinch_goes_over_the_whole_width(phone: VirtualPhone, method: str, zoom: str) -> None:
    list(UiAutomator(phone).call(method, [FRAME, 100, 50]))

    assert phone.packages["com.example.pad"].state["size"] == zoom


def test_the_servers_two_fingers_zoom_around_the_point_between_them(phone: VirtualPhone) -> None:
    x, y = by_id(phone, "frame").bounds.center
    points = [{"x": x + dx, "y": y} for dx in (-50, 50, -150, 150)]
    list(UiAutomator(phone).call("gesture", [FRAME, *points, 20]))

    assert phone.packages["com.example.pad"].state["size"] == "3.00"


def test_a_page_of_the_browser_grows() -> None:
    hand = Hand()
    hand.view("https://example.com/")
    hand.wait(2)
    before = hand.see(id="page_title").bounds.height
    hand.phone.pinch(*hand.see(id="web_view").bounds.center, 1.5)

    assert hand.see(id="page_title").bounds.height > before

"""What elements look like, and that nothing is painted outside of them."""

import pytest

from controller.virtual.icons import ICONS, icon
from controller.virtual.metrics import wrap
from controller.virtual.ui import Rect, Style
from tests.virtual.paper import changed, node, shown, within

FIELD = Style(size=16, background="#f1f3f4", radius=8, max_lines=1)


def test_no_line_begins_with_a_closing_mark() -> None:
    assert wrap("一二三四。五", 10, 40, 0) == ("一二三", "四。五")
    assert wrap("ab，cd", 10, 30, 0) == ("ab，", "cd")


def test_another_text_changes_the_picture_where_it_stands_and_nowhere_else():
    frame = Rect(20, 50, 220, 80)

    difference = changed(shown(node("text", frame, text="Alpha")), shown(node("text", frame, text="Gamma")))

    assert within(difference, frame)


@pytest.mark.parametrize("kind", ["text", "button", "tab", "image", "icon", "key", "field", "check", "spinner"])
def test_no_text_leaves_its_frame(kind: str):
    frame = Rect(40, 100, 140, 130)
    text = "一段很长的文字 with words ÄÖÜ " * 4

    drawn = shown(node(kind, frame, text=text, label=text, style=Style(size=18)))

    assert within(changed(drawn, shown()), frame)


@pytest.mark.parametrize("kind", ["icon", "image", "switch", "seek", "progress", "check", "radio", "field"])
def test_what_is_scrolled_half_out_of_its_list_is_cut_off_there(kind: str):
    frame, bounds = Rect(40, 100, 140, 160), Rect(40, 100, 140, 125)
    label = "gear" if kind in ("icon", "image") else "x"

    drawn = shown(node(kind, frame, bounds=bounds, label=label, checked=True, focused=True, style=FIELD))

    assert within(changed(drawn, shown()), bounds)


@pytest.mark.parametrize("kind", ["check", "radio", "switch"])
def test_a_checked_box_looks_unlike_one_that_is_not(kind: str):
    frame = Rect(40, 100, 140, 132)

    difference = changed(
        shown(node(kind, frame, checked=True, padding=(32, 6, 4, 6))),
        shown(node(kind, frame, padding=(32, 6, 4, 6))),
    )

    assert within(difference, frame)


def test_the_selected_tab_has_its_accent_and_a_line_below_it():
    frame, style = Rect(0, 0, 160, 40), Style(align="center", accent="#fb7299")

    drawn = shown(node("tab", frame, text="推荐", selected=True, style=style))

    assert drawn.getpixel((80, 36)) == (0xFB, 0x72, 0x99)


def test_an_empty_field_shows_its_hint_paler_than_a_text():
    frame = Rect(20, 100, 300, 140)
    hint = shown(node("field", frame, hint="HHHH", text="HHHH", style=FIELD))
    text = shown(node("field", frame, hint="HHHH", label="HHHH", text="HHHH", style=FIELD))

    assert hint.convert("L").getextrema()[0] > text.convert("L").getextrema()[0]


def test_a_focused_field_shows_the_end_of_a_text_that_is_too_long_and_a_cursor_behind_it():
    frame, start = Rect(20, 100, 200, 140), "HHHHHHHHHHHHHHHHHHHHHHHHHHHH"
    fields = [node("field", frame, label=start + end, focused=True, style=FIELD) for end in ("A", "Z")]

    one, other = (shown(field) for field in fields)

    assert changed(one, other) is not None
    assert changed(one, shown(node("field", frame, label=start + "A", style=FIELD))) is not None


def test_a_disabled_button_is_grey():
    frame, style = Rect(20, 100, 120, 140), Style(background="#1a73e8", color="#ffffff")

    assert shown(node("button", frame, enabled=False, style=style)).getpixel((22, 120)) == (218, 220, 224)
    assert shown(node("button", frame, style=style)).getpixel((22, 120)) == (0x1A, 0x73, 0xE8)


def test_the_length_of_a_video_stands_in_the_corner_of_its_picture():
    frame, style = Rect(0, 0, 200, 120), Style(size=12, background="#cfd8dc")

    difference = changed(
        shown(node("image", frame, label="08:12", style=style)), shown(node("image", frame, style=style))
    )

    assert within(difference, Rect(130, 90, 200, 120))


@pytest.mark.parametrize("name", sorted(ICONS))
def test_every_icon_leaves_ink(name: str):
    mask = icon(name, 24)

    assert mask is not None
    assert mask.getbbox() is not None

"""Where the finger goes: points that reach elements, lines that scroll."""

from __future__ import annotations

import random

import pytest

from controller.errors import NotTappable, OccludedByKeyboard
from controller.screen.hierarchy import Bounds, parse
from controller.screen.touch import Direction, drag_line, has_dialog, scroll_container, scroll_line, tap_point
from tests.screen.trees import APP, SCREEN, dump, named, node, tree


def test_the_middle_of_an_element_is_tapped():
    h = tree(node("Button", "OK", (764, 2153, 976, 2285), flags="clickable"))

    assert tap_point(h, named(h, "OK"), screen=Bounds(0, 0, 1080, 2340)) == (870, 2219)


@pytest.mark.parametrize("bounds", [(42, 2134, 1038, 2083), (0, 0, 0, 0), (0, 2400, 1080, 2500)])
def test_an_element_without_an_area_on_the_screen_is_refused(bounds):
    h = tree(node("Button", "OK", bounds, flags="clickable"))

    with pytest.raises(NotTappable, match="no area on the screen"):
        tap_point(h, named(h, "OK"), screen=SCREEN)


def test_a_label_without_an_area_is_tapped_at_the_tab_around_it():
    tab = node("View", "", (180, 2114, 360, 2200), node("TextView", "Projects", (0, 0, 0, 0)), flags="clickable")
    h = tree(tab)

    assert tap_point(h, named(h, "Projects"), screen=SCREEN) == (270, 2157)


def test_a_row_is_tapped_beside_the_button_in_its_middle():
    button = node("Button", "Follow", (400, 0, 700, 200), flags="clickable")
    h = tree(node("LinearLayout", "", (0, 0, 1080, 200), button, desc="row", flags="clickable"))

    x, y = tap_point(h, named(h, "row"), screen=SCREEN)

    assert not Bounds(400, 0, 700, 200).contains(x, y)
    assert Bounds(0, 0, 1080, 200).contains(x, y)


def test_what_lies_partly_outside_the_display_is_tapped_where_it_can_be_seen():
    h = tree(node("Button", "OK", (0, 2300, 1080, 2600), flags="clickable"))

    assert tap_point(h, named(h, "OK"), screen=SCREEN) == (540, 2350)


def test_an_element_under_the_keyboard_is_refused():
    h = tree(node("Button", "Send", (0, 1800, 1080, 1950), flags="clickable"))

    with pytest.raises(OccludedByKeyboard, match="the keyboard"):
        tap_point(h, named(h, "Send"), screen=SCREEN, keyboard=Bounds(0, 1500, 1080, 2400))
    assert tap_point(h, named(h, "Send"), screen=SCREEN, keyboard=Bounds(0, 2000, 1080, 2400)) == (540, 1875)


def _below_a_dialog(*rows: str, package: str = APP, cls: str = "FrameLayout"):
    """A page with a dialog over its middle, in the order in which a dump may have them."""
    page = node("FrameLayout", "", (0, 0, 1080, 2400), *rows)
    dialog = node(cls, "", (100, 800, 980, 1540), node("Button", "Close", (480, 1400, 600, 1520)), package=package)
    return [parse(dump(page, dialog)), parse(dump(dialog, page))]


@pytest.mark.parametrize("package", [APP, "com.google.android.permissioncontroller"])
def test_an_element_under_a_dialog_is_refused(package):
    for h in _below_a_dialog(node("Button", "Row", (200, 1000, 900, 1100), flags="clickable"), package=package):
        with pytest.raises(NotTappable, match="lies over the element"):
            tap_point(h, named(h, "Row"), screen=SCREEN)
        assert tap_point(h, named(h, "Close"), screen=SCREEN) == (540, 1460)


def test_an_element_partly_under_a_dialog_is_tapped_where_it_can_be_seen():
    for h in _below_a_dialog(node("Button", "Row", (0, 700, 1080, 1000), flags="clickable")):
        x, y = tap_point(h, named(h, "Row"), screen=SCREEN)

        assert Bounds(0, 700, 1080, 1000).contains(x, y)
        assert not Bounds(100, 800, 980, 1540).contains(x, y)


@pytest.mark.parametrize(
    ("package", "cls"),
    [(APP, "Toast"), ("com.google.android.inputmethod.latin", "FrameLayout"), ("com.example.bubble", "FrameLayout")],
)
def test_a_toast_a_keyboard_or_another_app_is_no_dialog_over_an_element(package, cls):
    for h in _below_a_dialog(node("Button", "Row", (200, 1000, 900, 1100)), package=package, cls=cls):
        assert tap_point(h, named(h, "Row"), screen=SCREEN) == (550, 1050)


def test_the_biggest_container_that_scrolls_up_and_down_is_chosen():
    def rows(top: int, count: int) -> tuple[str, ...]:
        return tuple(node("TextView", f"row {i}", (0, top + 100 * i, 1080, top + 100 * i + 100)) for i in range(count))

    stories = node(
        "RecyclerView", "", (0, 100, 1080, 700),
        node("TextView", "a", (0, 100, 500, 700)), node("TextView", "b", (500, 100, 1000, 700)), flags="scrollable",
    )  # fmt: skip
    feed = node("RecyclerView", "", (0, 700, 1080, 1900), *rows(700, 12), id="feed", flags="scrollable")
    pager = node("ViewPager", "", (0, 0, 1080, 2400), stories, feed, flags="scrollable")
    small = node("ScrollView", "", (0, 2000, 1080, 2100), *rows(2000, 2), flags="scrollable")
    h = tree(pager, small)

    found = scroll_container(h, package=APP)

    assert found is not None
    assert found.short_id == "feed"
    assert scroll_container(tree(node("TextView", "still")), package=APP) is None
    assert scroll_container(h, package="com.other") is None


def test_a_scroll_down_moves_the_finger_up_by_a_part_of_the_container():
    start, end = scroll_line(Bounds(0, 400, 1080, 1400), SCREEN, 0.5)

    assert (start, end) == ((540, 1150), (540, 650))
    assert scroll_line(Bounds(0, 400, 1080, 1400), SCREEN, -0.5) == (end, start)


def test_directions_say_where_the_content_is_looked_for():
    area = Bounds(0, 400, 1080, 1400)
    lines = {way: drag_line(area, SCREEN, way, 0.5) for way in Direction}

    assert {way: (end[0] - start[0], end[1] - start[1]) for way, (start, end) in lines.items()} == {
        "down": (0, -500),
        "up": (0, 500),
        "left": (540, 0),
        "right": (-540, 0),
    }


def test_a_scroll_stays_above_the_keyboard():
    start, end = drag_line(SCREEN, SCREEN, Direction.DOWN, 0.6, keyboard=Bounds(0, 1500, 1080, 2400))

    assert 0 < end[1] < start[1] < 1500


def test_no_swipe_begins_or_ends_on_a_system_edge():
    rng = random.Random(7)

    for _ in range(1000):
        line = drag_line(SCREEN, SCREEN, rng.choice(list(Direction)), rng.uniform(0.01, 1.5))
        for x, y in (*line, *scroll_line(SCREEN, SCREEN, rng.uniform(-1, 1))):
            assert 24 <= x < 1080 - 24
            assert 24 <= y < 2400 - 24


def test_a_container_without_room_is_refused():
    with pytest.raises(NotTappable, match="no room to scroll"):
        scroll_line(Bounds(0, 2390, 1080, 2400), SCREEN, 0.5)


def test_dialogs_sheets_and_permission_windows_are_on_top():
    page = node("FrameLayout", "", (0, 0, 1080, 2400), node("TextView", "page"))
    own = node("FrameLayout", "", (90, 900, 990, 1500), node("Button", "OK", (600, 1300, 900, 1400)))
    system = node("FrameLayout", "", (0, 1500, 1080, 2400), package="com.google.android.permissioncontroller")
    sheet = node("FrameLayout", "", (0, 0, 1080, 2400), node("View", "", (0, 0, 1080, 900), id="touch_outside"))

    def on_top(*windows: str) -> bool:
        return has_dialog(parse(dump(*windows)), package=APP, screen=SCREEN)

    assert not on_top(page)
    assert on_top(own)
    assert on_top(own, page)
    assert on_top(system, page)
    assert on_top(sheet)

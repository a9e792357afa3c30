"""Pictures of the screen."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops, ImageStat

from controller.virtual.draw import draw, encode_png, paint, png, scene
from controller.virtual.fonts import faces, font_note
from tests.virtual.hand import Hand


@pytest.fixture
def hand() -> Hand:
    return Hand()


def colors(image: Image.Image, box: tuple[int, int, int, int]) -> set[tuple[int, ...]]:
    part = image.crop(box)
    return {pixel for _, pixel in part.getcolors(part.width * part.height) or [] if isinstance(pixel, tuple)}


def test_a_picture_is_a_png_of_the_screens_size(hand: Hand) -> None:
    image = Image.open(io.BytesIO(png(hand.phone)))
    image.load()

    assert (image.format, image.size, image.mode) == ("PNG", (1080, 2400), "RGB")
    assert image.tobytes() == draw(hand.phone).tobytes()


def test_an_unchanged_screen_comes_from_the_cache(hand: Hand) -> None:
    first = png(hand.phone)
    hand.wait(5)
    assert png(hand.phone) is first
    hand.phone.launch("com.android.settings")
    assert png(hand.phone) is not first
    hand.phone.key(3)

    assert png(hand.phone) is first


def test_text_is_drawn_where_its_node_lies(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    title = hand.see(id="homepage_title").bounds
    image = draw(hand.phone)

    assert len(colors(image, (title.left, title.top, title.right, title.bottom))) > 10
    assert len(colors(image, (700, title.top, 1000, title.bottom))) == 1


def test_a_scrolled_list_does_not_paint_outside_itself(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    above = (0, 63, 1080, hand.see(id="recycler_view").bounds.top)
    before = draw(hand.phone).crop(above)
    hand.phone.gesture([(540, 1800), (540, 1750)], 0.5, rest_s=0.2)
    after = draw(hand.phone).crop(above)

    assert ImageChops.difference(before, after).getbbox() is None


def test_a_dialog_darkens_what_lies_below(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    hand.tap("声音和振动")
    bright = ImageStat.Stat(draw(hand.phone).convert("L")).mean[0]
    hand.tap("默认提示音")

    assert ImageStat.Stat(draw(hand.phone).convert("L")).mean[0] < bright * 0.75


def test_a_secure_window_and_a_screen_that_is_off_are_black(hand: Hand) -> None:
    hand.phone.launch("com.android.settings")
    hand.phone.faults.set("secure_window")
    assert colors(draw(hand.phone), (0, 200, 1080, 2200)) == {(0, 0, 0)}
    hand.phone.faults.clear()
    assert len(colors(draw(hand.phone), (0, 200, 1080, 2200))) > 10
    hand.phone.sleep()

    assert colors(draw(hand.phone), (0, 0, 1080, 2400)) == {(0, 0, 0)}


def test_a_password_is_drawn_as_bullets() -> None:
    hand = Hand()
    hand.phone.launch("com.android.settings")
    hand.tap("网络和互联网")
    hand.tap("WLAN")
    hand.tap("楼下咖啡")
    hand.tap(id="password")
    hand.phone.commit_text("abc")
    first = png(hand.phone)
    for _ in range(3):
        hand.phone.key(67)
    hand.phone.commit_text("xyz")

    assert png(hand.phone) == first


def test_a_turned_phone_gives_a_wide_picture(hand: Hand) -> None:
    hand.phone.rotate(1)

    assert draw(hand.phone).size == (2400, 1080)


def test_painting_changes_nothing_on_the_phone(hand: Hand) -> None:
    hand.phone.tick()
    version = hand.phone.version
    paint(scene(hand.phone))

    assert hand.phone.version == version


def test_the_encoder_writes_what_pillow_reads() -> None:
    image = Image.linear_gradient("L").convert("RGB").resize((7, 5))

    assert Image.open(io.BytesIO(encode_png(image))).convert("RGB").tobytes() == image.tobytes()


def test_a_missing_chinese_font_is_said_and_a_found_one_is_not() -> None:
    found = faces()

    assert (font_note() == "") == bool(found and found[0].chinese)

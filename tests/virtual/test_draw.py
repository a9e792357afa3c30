"""Pictures of the screen."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops, ImageStat

from controller.virtual.draw import draw, encode_png, jpeg, paint, png, scene
from controller.virtual.fonts import faces, font_note
from controller.virtual.ui import PLAIN, Rect, Style, WindowKind
from tests.virtual.hand import Hand
from tests.virtual.paper import node, picture, window

BLACK = ((0, 0), (0, 0), (0, 0))


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
    assert draw(hand.phone).getextrema() == BLACK
    hand.phone.faults.clear()
    assert len(colors(draw(hand.phone), (0, 200, 1080, 2200))) > 10
    hand.phone.sleep()

    assert draw(hand.phone).getextrema() == BLACK


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


def test_a_dark_system_dims_grounds_and_keeps_pictures(hand: Hand) -> None:
    hand.phone.launch("tv.danmaku.bili")
    hand.wait(10)
    light = draw(hand.phone)
    x, y = hand.see("封面").bounds.left + 200, hand.see("封面").bounds.top + 20
    hand.phone.put_setting("secure", "ui_night_mode", "2")
    dark = draw(hand.phone)

    assert ImageStat.Stat(dark.convert("L")).median[0] < 60 < 200 < ImageStat.Stat(light.convert("L")).median[0]
    assert dark.getpixel((x, y)) == light.getpixel((x, y))


def test_a_turned_phone_gives_a_wide_picture(hand: Hand) -> None:
    hand.phone.rotate(1)

    assert draw(hand.phone).size == (2400, 1080)


def test_painting_changes_nothing_on_the_phone(hand: Hand) -> None:
    hand.phone.tick()
    version = hand.phone.version
    paint(scene(hand.phone))

    assert hand.phone.version == version


def test_a_toast_comes_and_goes(hand: Hand) -> None:
    before = png(hand.phone)
    hand.phone.show_toast("com.android.systemui", "已保存")
    during = png(hand.phone)
    hand.wait(3)

    assert during != before
    assert png(hand.phone) == before


@pytest.mark.parametrize("package", ["tv.danmaku.bili", "com.android.settings", "com.taobao.taobao", "com.tencent.mm"])
def test_every_app_shows_more_than_a_blank_page(hand: Hand, package: str) -> None:
    hand.phone.launch(package)
    hand.wait(10)
    small = draw(hand.phone).resize((54, 120))

    assert len(small.getcolors(54 * 120) or ()) > 20


def test_a_jpeg_has_the_size_of_the_screen_and_its_quality(hand: Hand) -> None:
    fine, coarse = jpeg(hand.phone, quality=90), jpeg(hand.phone, quality=10)

    with Image.open(io.BytesIO(fine)) as read:
        assert (read.format, read.size) == ("JPEG", (1080, 2400))
    assert len(coarse) < len(fine)
    assert jpeg(hand.phone, quality=90) is fine


def test_a_secure_window_that_another_covers_forbids_nothing() -> None:
    secret, shade = window(secure=True), window(style=Style(background="#eef1f6"), kind=WindowKind.NOTIFICATION_SHADE)

    assert picture(secret, shade).getpixel((5, 5)) == (0xEE, 0xF1, 0xF6)
    assert picture(shade, secret).getextrema() == BLACK


def test_a_secure_window_behind_a_dialog_keeps_the_picture_black() -> None:
    dialog = window(frame=Rect(20, 100, 300, 200), kind=WindowKind.DIALOG)

    assert picture(window(secure=True), dialog).getextrema() == BLACK


def test_a_translucent_window_dims_what_it_leaves_in_sight() -> None:
    box = node("column", Rect(0, 300, 320, 400), style=Style(background="#ff0000"))
    over = picture(window(), window(box, translucent=True))

    assert over.getpixel((10, 10)) == (140, 140, 140)
    assert over.getpixel((10, 350)) == (255, 0, 0)


def test_a_list_of_choices_dims_nothing_and_throws_a_shadow() -> None:
    choices = window(frame=Rect(100, 100, 220, 200), kind=WindowKind.POPUP)
    over = picture(window(), choices)

    assert over.getpixel((10, 10)) == (255, 255, 255)
    assert over.getpixel((160, 203)) < (255, 255, 255)


def test_bars_are_written_in_the_colour_that_is_legible_on_what_lies_behind() -> None:
    clock_text = node("text", Rect(10, 2, 80, 22), text="H", style=Style(size=14))
    bar = window(clock_text, frame=Rect(0, 0, 320, 24), style=PLAIN, kind=WindowKind.STATUS_BAR)

    light, dark = picture(window(), bar), picture(window(style=Style(background="#101114")), bar)

    assert light.crop((10, 2, 80, 22)).convert("L").getextrema()[0] == 33
    assert dark.crop((10, 2, 80, 22)).convert("L").getextrema()[1] == 255


def test_a_dialog_dims_what_lies_beside_it() -> None:
    over = picture(window(), window(frame=Rect(20, 100, 300, 200), kind=WindowKind.DIALOG))

    assert over.getpixel((10, 10)) == (140, 140, 140)
    assert over.getpixel((160, 150)) == (255, 255, 255)


def test_the_encoder_writes_what_pillow_reads() -> None:
    image = Image.linear_gradient("L").convert("RGB").resize((7, 5))

    assert Image.open(io.BytesIO(encode_png(image))).convert("RGB").tobytes() == image.tobytes()


def test_a_picture_that_differs_in_one_place_is_encoded_as_if_it_were_new() -> None:
    first = Image.linear_gradient("L").convert("RGB").resize((40, 300))
    second = first.copy()
    second.paste((255, 0, 0), (5, 130, 30, 160))
    encode_png(first)

    for image in (second, first):
        assert Image.open(io.BytesIO(encode_png(image))).convert("RGB").tobytes() == image.tobytes()


def test_a_missing_chinese_font_is_said_and_a_found_one_is_not() -> None:
    found = faces()

    assert (font_note() == "") == bool(found and found[0].chinese)

"""Pictures and the spaces of their points."""

from __future__ import annotations

import base64
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from controller.errors import AdbFailure, UsageError
from controller.screen import picture
from controller.screen.hierarchy import Bounds
from controller.screen.points import Frame, Space, check_frame, clamp, to_device

BAD = "frame_mismatch"
WARNING = b"[Warning] Multiple displays were found, but no display id was specified!\n"


def png(size: tuple[int, int] = (30, 20), colour: tuple[int, int, int] = (255, 0, 0)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return out.getvalue()


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def test_a_sound_picture_stays_as_it_is():
    assert picture.repair_png(png()) == (png(), ())
    assert picture.size_of(png((30, 20))) == (30, 20)


def test_a_warning_about_several_displays_is_cut_off_and_noted():
    data, notes = picture.repair_png(WARNING + png())

    assert (data, notes) == (png(), ("multi_display",))
    assert opened(data).getpixel((3, 3)) == (255, 0, 0)


def test_other_text_before_the_picture_is_noted_as_it_is():
    assert picture.repair_png(b"hello\n" + png()) == (png(), ("text_before: hello",))


@pytest.mark.parametrize("ending", [b"\r\n", b"\r\r\n"])
def test_line_ends_that_a_terminal_changed_are_put_back(ending):
    assert picture.repair_png(png().replace(b"\n", ending)) == (png(), ("line_ends_repaired",))


def test_a_sound_picture_that_holds_cr_lf_is_not_touched():
    data = png() + b"trailing \r\n bytes"

    assert picture.repair_png(data) == (data, ())


@pytest.mark.parametrize(
    "data", [b"", b"error: device offline", WARNING, png()[:12], png()[:8] + b"\0\0\0\rIDAT" + b"\0" * 20]
)
def test_what_holds_no_picture_is_an_error_and_never_a_placeholder(data):
    with pytest.raises(AdbFailure) as failure:
        picture.repair_png(data)

    assert failure.value.code == "no_picture"


def test_a_black_frame_is_uniform_and_one_other_pixel_makes_a_difference():
    image = Image.new("RGB", (108, 240))
    assert picture.is_uniform(png((108, 240), (0, 0, 0)))

    image.putpixel((50, 50), (0, 0, 1))
    out = io.BytesIO()
    image.save(out, "PNG")

    assert not picture.is_uniform(out.getvalue())


def test_a_picture_for_a_model_is_small_and_never_enlarged():
    data, size = picture.scaled_jpeg(png((1080, 2400)))

    assert size == opened(data).size == (450, 1000)
    assert picture.scaled_jpeg(png((30, 20)))[1] == (30, 20)


def test_a_picture_for_a_model_keeps_within_its_bytes():
    noise = Image.effect_noise((600, 600), 200).convert("RGB")
    out = io.BytesIO()
    noise.save(out, "PNG")

    data, size = picture.scaled_jpeg(out.getvalue(), max_base64=20_000)

    assert len(base64.b64encode(data)) <= 20_000
    assert opened(data).size == size


def test_secrets_are_painted_over_and_nothing_else():
    masked = opened(picture.mask(png(), [Bounds(5, 5, 10, 10), Bounds(8, 8, 8, 20)]))

    assert masked.getpixel((5, 5)) == masked.getpixel((9, 9)) == (96, 96, 96)
    assert masked.getpixel((4, 5)) == masked.getpixel((10, 9)) == (255, 0, 0)
    assert picture.mask(png(), []) == png()


@pytest.mark.parametrize(
    ("point", "space", "image", "sent"),
    [
        ((270, 600), Space.IMAGE, (540, 1200), (540, 1200)),
        ((270, 600), Space.DEVICE, (540, 1200), (270, 600)),
        ((0.5, 0.25), Space.FRACTION, None, (540, 600)),
        ((1.0, 1.0), Space.FRACTION, None, (1079, 2399)),
        ((0.6, 900.0), Space.DEVICE, None, (1, 900)),
        ((-5.0, 300), Space.DEVICE, None, (0, 300)),
        ((5000, 5000), Space.DEVICE, None, (1079, 2399)),
    ],
)
def test_a_point_says_its_space_and_becomes_a_pixel_of_the_display(point, space, image, sent):
    assert to_device(point, space, (1080, 2400), image) == sent


def test_a_point_of_an_unknown_picture_and_a_number_that_is_none_are_refused():
    with pytest.raises(UsageError, match="needs the size"):
        to_device((1, 1), Space.IMAGE, (1080, 2400))
    with pytest.raises(UsageError, match="two numbers"):
        clamp(float("nan"), 1, (1080, 2400))


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_a_clamped_point_is_a_whole_pixel_inside(x, y):
    px, py = clamp(x, y, (1080, 2400))

    assert (type(px), type(py)) == (int, int)
    assert 0 <= px < 1080
    assert 0 <= py < 2400


@pytest.mark.parametrize(
    ("display", "rotation", "tree", "image", "frame"),
    [
        ((1080, 2400), 0, 0, (1080, 2400), Frame()),
        ((1080, 2400), 0, None, None, Frame()),
        ((2400, 1080), 1, 1, (1080, 2400), Frame(turn=90)),
        ((2400, 1080), 3, 3, (1080, 2400), Frame(turn=270)),
        ((1080, 2400), 0, 0, (540, 1200), Frame()),
        ((1920, 965), 0, 0, (1920, 965), Frame()),
        ((1080, 2400), 0, 0, (2400, 1080), Frame(mismatch=f"{BAD}: the picture is 2400x1080, the display 1080x2400")),
        ((1080, 1920), 0, 1, (1080, 1920), Frame(mismatch=f"{BAD}: the tree is of rotation 1, display 0")),
    ],
)  # fmt: skip
def test_picture_tree_and_display_must_mean_the_same_frame(display, rotation, tree, image, frame):
    answer = check_frame(display_size=display, display_rotation=rotation, tree_rotation=tree, image_size=image)

    assert answer == frame


def test_a_sideways_picture_is_turned_upright():
    image = Image.new("RGB", (4, 8))
    # The display is turned by 90 degrees: its top left corner is at the top right of a picture in the natural position.
    image.putpixel((3, 0), (255, 255, 255))
    out = io.BytesIO()
    image.save(out, "PNG")

    upright = opened(picture.turned(out.getvalue(), 90))

    assert upright.size == (8, 4)
    assert upright.getpixel((0, 0)) == (255, 255, 255)

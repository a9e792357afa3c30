"""Text as pixels."""

import pytest

from controller.virtual.fonts import font_note
from controller.virtual.glyphs import emoji_note, line_width, pieces


def test_chinese_is_legible():
    if font_note():
        pytest.skip(font_note())
    missing = [piece.image.tobytes() for piece in pieces("\U0010fffe", 40)]
    glyphs = {char: [piece.image.tobytes() for piece in pieces(char, 40)] for char in "云海搜索"}

    assert missing not in glyphs.values()
    assert len({str(glyph) for glyph in glyphs.values()}) == 4


def test_emoji_are_legible():
    if emoji_note():
        pytest.skip(emoji_note())
    missing = [piece.image.tobytes() for piece in pieces("\U0010fffe", 40)]
    glyphs = {char: [piece.image.tobytes() for piece in pieces(char, 40)] for char in "👍😂🔥"}

    assert missing not in glyphs.values()
    assert len({str(glyph) for glyph in glyphs.values()}) == 3


def test_a_skin_tone_and_a_joiner_take_no_room():
    assert line_width("👍🏽", 40) == line_width("👍", 40)
    assert line_width("👨‍👩", 40) == line_width("👨👩", 40)
    assert len(pieces("❤️", 40)) == 1


def test_bold_text_is_not_thinner():
    light, bold = (sum(pieces("Bold", 40, bold=heavy)[0].image.histogram()[128:]) for heavy in (False, True))

    assert bold > light

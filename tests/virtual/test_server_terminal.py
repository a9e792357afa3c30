from __future__ import annotations

from controller.virtual.terminal import LineDiscipline


def test_keys_are_shown_and_enter_completes_a_line() -> None:
    terminal = LineDiscipline()

    assert terminal.feed(b"ls") == b"ls"
    assert not terminal.lines
    assert terminal.feed(b" -l\rnext") == b" -l\r\nnext"
    assert list(terminal.lines) == [b"ls -l"]


def test_backspace_takes_whole_characters_and_the_columns_they_fill() -> None:
    terminal = LineDiscipline()
    terminal.feed("a中".encode())

    assert terminal.feed(b"\x7f") == b"\b\b  \b\b"
    assert terminal.feed(b"\x7f\x7f") == b"\b \b"
    terminal.feed(b"b\n")
    assert list(terminal.lines) == [b"b"]


def test_ctrl_c_drops_the_line_and_ctrl_d_ends_an_empty_one() -> None:
    terminal = LineDiscipline()

    assert terminal.feed(b"rm x\x03") == b"rm x^C\r\n"
    assert (list(terminal.lines), terminal.ended) == ([b""], False)
    terminal.feed(b"x\x04")
    assert not terminal.ended
    terminal.feed(b"\r\x04")
    assert terminal.ended

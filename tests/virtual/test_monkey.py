"""The server of `monkey --port`, a line a command."""

from __future__ import annotations

import pytest

from controller.virtual import boot
from controller.virtual.monkey import Monkey
from tests.virtual.peers import Link
from tests.virtual.shell_phone import Handset, handset


@pytest.fixture
def hand() -> Handset:
    return handset()


def test_lines_are_answered_as_they_become_whole(hand: Handset) -> None:
    monkey = Monkey(hand.phone)

    assert monkey.feed(b"getvar disp") == b""
    assert monkey.feed(b"lay.width\ngetvar monkey.version\n") == b"OK:1080\nOK:2\n"


def test_touches_keys_and_text_reach_the_phone(hand: Handset) -> None:
    hand.run("am start -n com.example.notes/.Main")
    monkey = Monkey(hand.phone)

    assert monkey.feed(b"getvar am.current.package\npress KEYCODE_HOME\nkey down HOME\nkey up HOME\n") == (
        b"OK:com.example.notes\nOK\nOK\nOK\n"
    )
    assert monkey.feed(b"touch down 500 1500\ntouch move 500 900\ntouch up 500 600\ntap 500 500\n") == b"OK\n" * 4
    assert monkey.feed(b'type "two words"\nwake\nsleep 10\ngetvar am.current.package\n') == (
        b"OK\nOK\nOK\nOK:com.example.home\n"
    )


@pytest.mark.parametrize(
    "line", [b"tap 1", b"tap a b", b"press NO_SUCH_KEY", b"touch over 1 2", b"nonsense", b'"', b""]
)
def test_what_cannot_be_read_is_an_error(hand: Handset, line: bytes) -> None:
    assert Monkey(hand.phone).feed(line + b"\n") == b"ERROR:unable to parse\n"


def test_an_unknown_variable_is_named(hand: Handset) -> None:
    assert Monkey(hand.phone).feed(b"getvar no.such\n") == b"ERROR:unknown var: no.such\n"


def test_nothing_is_answered_after_the_end(hand: Handset) -> None:
    monkey = Monkey(hand.phone)

    assert monkey.feed(b"done\ntap 1 1\n") == b"OK\n"
    assert monkey.finished


def test_the_port_is_open_once_the_command_was_given() -> None:
    with boot(sleep=lambda _: None) as server, Link(server.transport) as link:
        assert link.run("tcp:1080", b"") is None
        assert link.run("shell:monkey --port 1080 -v") == b":Monkey: seed=0 count=0\n"

        assert link.run("tcp:1080", b"getvar display.height\nquit\n") == b"OK:2400\nOK\n"

from __future__ import annotations

from controller.adb.client import command_line
from controller.device import commands


def test_a_link_is_one_argument_whatever_is_in_it() -> None:
    uri = "bilibili://search?keyword=cat&from=x(1)#top"

    line = command_line(commands.view(uri, "tv.danmaku.bili"))

    assert line == f"am start -W -a android.intent.action.VIEW -d '{uri}' -p tv.danmaku.bili"


def test_an_intent_uri_stands_alone_so_that_am_reads_it() -> None:
    uri = "intent://video/1#Intent;scheme=bilibili;package=tv.danmaku.bili;end"

    assert commands.view(uri, None) == ["am", "start", "-W", uri]


def test_commands_that_could_span_all_users_name_one() -> None:
    assert commands.list_packages("a.b", user=0) == ["pm", "list", "packages", "--user", "0", "a.b"]
    assert commands.clear("a.b", user=10) == ["pm", "clear", "--user", "10", "a.b"]


def test_outputs_of_joined_commands_are_told_apart_also_without_a_last_line_end() -> None:
    lines = ["getprop a", "wm size"]

    assert commands.joined(lines) == "getprop a;echo __phonectl__;wm size;echo __phonectl__"
    assert commands.split("34__phonectl__\nPhysical size: 1x2\n__phonectl__\n", lines) == {
        "getprop a": "34",
        "wm size": "Physical size: 1x2\n",
    }


def test_a_shell_that_does_not_keep_outputs_apart_is_noticed() -> None:
    assert commands.split("34\n", ["a", "b"]) is None

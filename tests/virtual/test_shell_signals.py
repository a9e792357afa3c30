"""Ending processes from the shell."""

from __future__ import annotations

import pytest

from controller.virtual.uiautomator import held_by, hold
from tests.virtual.shell_phone import handset

_SERVER = "shell        12001   402 10782744   7044 do_epoll_wait      0 S app_process"


@pytest.mark.parametrize("line", ["kill 12001", "kill -9 12001", "kill -s KILL 12001", "pkill -f com.wetest.uia2.Main"])
def test_the_ui_server_is_a_process_that_the_shell_can_kill(line: str) -> None:
    hand, ended = handset(), []
    hold(hand.phone, "uiautomator2", stop=lambda: ended.append(True))
    assert hand.out("ps -u shell").splitlines()[2] == _SERVER

    answer = hand.run(line)

    assert (answer.exit_code, answer.merged) == (0, b"")
    assert (ended, held_by(hand.phone)) == ([True], None)
    assert "app_process" not in hand.out("ps -A")


def test_a_signal_that_only_asks_ends_nothing() -> None:
    hand = handset()
    hold(hand.phone, "uiautomator2")

    assert hand.run("kill -0 12001").exit_code == 0
    assert held_by(hand.phone) == "uiautomator2"


def test_other_users_processes_and_unknown_ones_are_refused() -> None:
    hand = handset()

    assert hand.out("kill 612; echo $?") == "/system/bin/sh: kill: 612: Operation not permitted\n1\n"
    assert hand.out("kill 999; echo $?") == "/system/bin/sh: kill: 999: No such process\n1\n"
    assert hand.run("pkill nothing").exit_code == 1


def test_ps_lists_the_processes_of_a_user() -> None:
    lines = handset().out("ps -u system").splitlines()

    assert [line.split()[-1] for line in lines[1:]] == ["servicemanager", "surfaceflinger", "system_server"]

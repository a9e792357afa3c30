from __future__ import annotations

import pytest

from controller.flow.commands import COMMANDS
from controller.flow.model import fill
from controller.flow.titles import TITLES, title
from tests.flow.reading import parse_flow


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("launchApp", "Open com.x"),
        ("launchApp: com.y", "Open com.y"),
        ("openLink: a://b", "Open a://b"),
        ("openLink: {app: bilibili, title: 首页}", "Open bilibili “首页”"),
        ("tapOn: Log in", "Tap “Log in”"),
        ("tapOn: {id: ok}", 'Tap id "ok"'),
        ("tapOn: {text: OK, id: ok, index: 1}", 'Tap “OK” (id "ok", index 1)'),
        ("tapOn: {text: '\"OK\"'}", 'Tap “"OK"”'),
        ("tapOn: {point: '50%,30%'}", "Tap 50%,30%"),
        ("tapOn: {text: OK, point: '10,20'}", "Tap “OK” at 10,20"),
        ("inputText: 猫咖", "Type “猫咖”"),
        ("inputText: {text: a, into: {id: q}}", 'Type “a” into id "q"'),
        ("eraseText", "Erase all text"),
        ("eraseText: 1", "Erase 1 character"),
        ("pressKey: Enter", "Press enter"),
        ("swipe: {direction: LEFT}", "Swipe left"),
        ("swipe: {direction: LEFT, from: row}", "Swipe left from “row”"),
        ("swipe: {start: '1%,2%', end: '3%,4%'}", "Swipe from 1%,2% to 3%,4%"),
        ("scrollUntilVisible: {element: x}", "Scroll down to “x”"),
        ("assertNotVisible: x", "See no “x”"),
        ("extendedWaitUntil: {notVisible: x}", "Wait “x” is not visible"),
        ("takeScreenshot: end", "Picture end"),
        (
            "runFlow: {when: {visible: x, true: yes}, commands: [back]}",
            "Run 1 command when “x” is visible and `yes` is true",
        ),
        ("runFlow: {when: {visible: x, label: asked}, file: a.yaml}", "Run a.yaml when asked"),
        ("repeat: {times: 2, while: {visible: x}, commands: [back]}", "Repeat 2 times while “x” is visible"),
        ("pause: 1500ms", "Pause 1.5 s"),
        ("pace: fast", "Go on fast"),
    ],
)
def test_a_step_is_named_in_the_words_of_a_person(command: str, words: str) -> None:
    (step,) = parse_flow(f"appId: com.x\n---\n- {command}\n").steps

    assert title(step.command, fill(step.args, {}), app_id="com.x") == words


def test_what_may_be_a_password_is_left_out() -> None:
    assert title("inputText", {"text": "hunter2"}, hide_text=True) == "Type text"


def test_every_command_has_a_title() -> None:
    assert set(TITLES) == set(COMMANDS)

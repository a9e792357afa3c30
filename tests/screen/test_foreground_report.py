"""Dumps out of files: sections, pasted reports, JSON Lines; and the whole case file where it is at hand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import DocumentError
from controller.screen.dumpsys import Foreground, foreground, parse_report, split_multi
from tests.shared import shared_cases

FOCUS = "  mCurrentFocus=Window{1 u0 org.notes/org.notes.Main}"


def test_sections_are_split_at_their_commands() -> None:
    text = "$ dumpsys window displays\n  mCurrentFocus=null\n$ dumpsys input\n  FocusedDisplayId: 0\n"

    assert split_multi(text) == {
        "dumpsys window displays": "  mCurrentFocus=null",
        "dumpsys input": "  FocusedDisplayId: 0",
    }


@pytest.mark.parametrize(
    "line",
    [
        "$ adb shell dumpsys window displays",
        "$ adb -s emulator-5554 shell 'dumpsys window displays'",
        "> $ adb -d shell dumpsys window displays",
        r"C:\Users\me> adb shell dumpsys window displays",
        r"C:\Users\me>adb shell dumpsys window displays",
        "PS C:\\tools> adb.exe shell dumpsys window displays",
        "generic_x86:/ $ dumpsys window displays",
        "root@hammerhead:/ # dumpsys window displays",
        "adb shell dumpsys window displays",
        "dumpsys window displays",
    ],
)
def test_prompts_of_all_kinds_are_commands(line: str) -> None:
    assert split_multi(f"It names the wrong app:\n{line}\n{FOCUS}\n") == {
        "dumpsys window displays": FOCUS,
        "": "It names the wrong app:",
    }


def test_command_that_was_run_again_keeps_its_last_output() -> None:
    text = f"$ dumpsys window\n  mCurrentFocus=null\n$ dumpsys window\n{FOCUS}\n$ dumpsys window\n"

    assert split_multi(text) == {"dumpsys window": FOCUS}


def test_text_without_commands_is_one_output() -> None:
    assert split_multi(FOCUS) == {"": FOCUS}


def test_what_a_report_says_around_its_dumps_counts_last() -> None:
    text = f"Expected: mCurrentFocus=Window{{9 u0 org.other/org.other.Main}}\n$ adb shell dumpsys window\n{FOCUS}\n"

    assert [answer.package for _, answer in parse_report(text)] == ["org.notes"]


def test_plain_text_gives_one_answer_without_an_id() -> None:
    assert parse_report(FOCUS) == [(None, foreground({"": FOCUS}))]


def test_file_that_powershell_wrote_is_read() -> None:
    text = ("\ufeff" + FOCUS + "\r\n").encode("utf-16-le").decode("utf-8", errors="replace")

    assert [answer.package for _, answer in parse_report(text)] == ["org.notes"]


def test_json_lines_are_answered_in_their_order_with_their_ids() -> None:
    lines = [
        {"id": "b", "command": "dumpsys window", "output": FOCUS, "sdk": 28},
        {"id": 7, "command": "multi", "output": f"$ dumpsys input\n\n$ dumpsys window\n{FOCUS}"},
        {"command": "dumpsys window", "output": "\u2028"},
    ]
    text = "\ufeff" + "\r\n\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n"

    answers = parse_report(text)

    assert [(name, answer.package) for name, answer in answers] == [("b", "org.notes"), (7, "org.notes"), (None, None)]


@pytest.mark.parametrize("bad", ["{", "[1]", '{"id": "x"}', '{"output": 5}'])
def test_broken_json_line_is_named_by_its_number(bad: str) -> None:
    with pytest.raises(DocumentError, match=r"^line 2: "):
        parse_report('{"id": "a", "command": "c", "output": ""}\n' + bad)


def test_text_that_merely_begins_with_a_brace_is_plain() -> None:
    assert [name for name, _ in parse_report("{not json\n" + FOCUS)] == [None]


@given(st.text())
def test_any_text_is_split_without_losing_its_facts(text: str) -> None:
    assert all(isinstance(output, str) for output in split_multi(text).values())


# -- the case file --------------------------------------------------------------------------------------------------


def _cases() -> list[dict[str, Any]]:
    lines = shared_cases("device_outputs.jsonl").read_text(encoding="utf-8").splitlines()
    return [case for case in map(json.loads, filter(None, lines)) if case["expect"]["kind"] == "foreground"]


def _is_right(case: dict[str, Any], seen: Foreground) -> bool:
    """The rule for a case: the named things are as expected, or nothing is claimed where nothing can be decided."""
    expect = case["expect"]
    overlay_right = seen.overlay == expect["overlay"]
    if not expect["decidable"]:
        return (seen.package is None or not seen.confident) and (expect["overlay"] is None or overlay_right)
    if expect.get("unreadable") and expect["package"].split(".")[-1] not in case["output"]:
        return not seen.confident  # the right name is not in the text: only an honest answer can be asked for
    return seen.package == expect["package"] and expect["activity"] in {None, seen.activity} and overlay_right


def test_every_foreground_case_is_right() -> None:
    cases = _cases()
    report = "\n".join(json.dumps({key: case[key] for key in ("id", "command", "output")}) for case in cases)

    answers = dict(parse_report(report))

    assert list(answers) == [case["id"] for case in cases]
    assert [case["id"] for case in cases if not _is_right(case, answers[case["id"]])] == []

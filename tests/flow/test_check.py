from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from controller.errors import FlowError
from controller.flow.check import builtins, check_flow, entered, read_file
from tests.flow.reading import parse_flow

HEADER = "appId: com.example\n---\n"


def reading(files: Mapping[str, str]) -> Callable[[str], str]:
    def read(path: str) -> str:
        if path not in files:
            raise FlowError(f"there is no file {path}", code="missing_file")
        return files[path]

    return read


def found(files: Mapping[str, str], **options: Any) -> list[tuple[str, int, int, str]]:
    with pytest.raises(FlowError) as caught:
        check_flow(next(iter(files)), read=reading(files), **options)
    return [(item["file"], item["line"], item["column"], item["code"]) for item in caught.value.details["findings"]]


def test_a_flow_is_checked_with_its_subflows() -> None:
    files = {
        "a/main.yaml": HEADER + "- runFlow: ../b/sub.yaml\n- runFlow: ../b/sub.yaml\n",
        "b/sub.yaml": HEADER + "- back\n",
    }

    checked = check_flow("a/main.yaml", read=reading(files))

    assert sorted(checked.files) == ["a/main.yaml", "b/sub.yaml"]
    assert checked.flow is checked.files["a/main.yaml"]


def test_a_missing_subflow_is_found_where_it_is_called() -> None:
    assert found({"m.yaml": HEADER + "- back\n- runFlow: x.yaml\n"}) == [("m.yaml", 4, 3, "missing_file")]


def test_faults_of_all_files_are_found_at_once() -> None:
    files = {
        "m.yaml": HEADER + "- tapOn: ${A}\n- runFlow: s.yaml\n- tapOn: ${B}\n",
        "s.yaml": HEADER + "- tapn: x\n- tapOn: ${C}\n- runFlow: {when: {true: '${D}'}, commands: [tapOn: '${E}']}\n",
    }

    assert found(files) == [
        ("m.yaml", 3, 10, "unset_variable"),
        ("m.yaml", 5, 10, "unset_variable"),
        ("s.yaml", 3, 3, "unknown_command"),
        ("s.yaml", 4, 10, "unset_variable"),
        ("s.yaml", 5, 27, "unset_variable"),
        ("s.yaml", 5, 54, "unset_variable"),
    ]


def test_a_flow_that_runs_itself_is_refused() -> None:
    files = {
        "a.yaml": HEADER + "- runFlow: b.yaml\n",
        "b.yaml": HEADER + "- runFlow: ./a.yaml\n",
    }
    with pytest.raises(FlowError) as caught:
        check_flow("a.yaml", read=reading(files))

    (finding,) = caught.value.details["findings"]
    assert (finding["file"], finding["line"], finding["code"]) == ("b.yaml", 3, "cycle")
    assert finding["message"] == "the flow runs itself: a.yaml → b.yaml → a.yaml"


def test_flows_that_call_one_another_often_are_checked_once_each() -> None:
    files = {f"{n}.yaml": HEADER + f"- runFlow: {n + 1}.yaml\n" * 2 for n in range(40)} | {
        "40.yaml": HEADER + "- back\n"
    }

    assert len(check_flow("0.yaml", read=reading(files)).files) == 41


def test_variables_come_from_outside_from_the_header_and_from_the_caller() -> None:
    sub = HEADER.replace("---", 'env:\n  INNER: ${INNER || "own"}\n---') + "- tapOn: ${INNER} ${OUTER} ${GIVEN}\n"
    files = {"m.yaml": HEADER.replace("---", "env:\n  OUTER: o\n---") + "- runFlow: {file: s.yaml}\n", "s.yaml": sub}

    check_flow("m.yaml", read=reading(files), env={"GIVEN": "g"})

    assert found(files) == [("s.yaml", 5, 28, "unset_variable")]


def test_what_is_given_wins_over_the_header_and_the_header_over_the_caller() -> None:
    flow = parse_flow("env:\n  A: header\n  B: header\n  C: ${A} ${D}\n---\n- back\n")

    variables = entered(flow, given={"A": "given"}, inherited={"B": "caller", "D": "caller"})

    assert variables == {"A": "given", "B": "header", "C": "given caller", "D": "caller"}


def test_a_filled_value_of_the_wrong_kind_is_found() -> None:
    files = {"m.yaml": HEADER + "- extendedWaitUntil: {visible: a, timeout: '${T}'}\n"}

    check_flow("m.yaml", read=reading(files), env={"T": "100"})

    assert found(files, env={"T": "soon"}) == [("m.yaml", 3, 44, "wrong_value")]


def test_built_in_variables_are_there() -> None:
    files = {"x/main.yaml": HEADER + "- tapOn: ${MAESTRO_FILENAME} ${maestro.platform} ${MAESTRO_DEVICE_UDID}\n"}

    check_flow("x/main.yaml", read=reading(files))

    assert builtins("x/main.yaml", serial="abc")["MAESTRO_FILENAME"] == "main"


def test_a_command_without_an_app_is_found() -> None:
    files = {
        "m.yaml": "name: x\n---\n- launchApp\n- stopApp: com.x\n- runFlow: s.yaml\n",
        "s.yaml": HEADER + "- stopApp\n",
    }

    assert found(files) == [("m.yaml", 3, 3, "no_app")]


def test_a_subflow_without_an_app_of_its_own_has_its_callers() -> None:
    files = {"m.yaml": HEADER + "- runFlow: s.yaml\n", "s.yaml": "name: s\n---\n- launchApp\n"}

    check_flow("m.yaml", read=reading(files))


def test_links_and_keys_that_must_not_be_sent_are_found() -> None:
    files = {"m.yaml": HEADER + "- openLink: 'a b'\n- pressKey: Enter\n- pressKey: Hyperspace\n"}

    assert [place[:3] for place in found(files)] == [("m.yaml", 3, 3), ("m.yaml", 5, 3)]


def test_only_a_person_may_run_fast() -> None:
    files = {"m.yaml": "appId: x.y\npace: fast\n---\n- pace: fast\n"}

    check_flow("m.yaml", read=reading(files))

    assert found(files, allow_fast=False) == [
        ("m.yaml", 1, 1, "needs_person"),
        ("m.yaml", 4, 3, "needs_person"),
    ]


def test_a_secret_that_is_not_set_is_found() -> None:
    assert found({"m.yaml": "appId: x.y\nsecret: [PASSWORD]\n---\n- back\n"}) == [("m.yaml", 1, 1, "unset_variable")]


def test_files_are_read_as_utf_8_or_refused(tmp_path: Any) -> None:
    (tmp_path / "bom.yaml").write_bytes(b"\xef\xbb\xbf" + HEADER.encode() + b"- back\r\n")
    (tmp_path / "gbk.yaml").write_bytes(HEADER.encode() + "- tapOn: 搜索\n".encode("gbk"))

    check_flow(tmp_path / "bom.yaml")

    with pytest.raises(FlowError, match="is not UTF-8 at byte"):
        read_file(str(tmp_path / "gbk.yaml"))
    with pytest.raises(FlowError, match="there is no file"):
        check_flow(tmp_path / "none.yaml")
    with pytest.raises(FlowError, match="cannot be read"):
        check_flow(tmp_path)


def test_an_ordinary_flow_is_checked_in_under_fifty_milliseconds() -> None:
    body = "- tapOn:\n    text: 'Item ${N}'\n    below: {id: title}\n- assertVisible: Next\n- inputText: hello\n" * 10
    files = {"m.yaml": HEADER + body}

    best = min(_seconds(lambda: check_flow("m.yaml", read=reading(files), env={"N": "1"})) for _ in range(3))

    assert best < 0.05


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started

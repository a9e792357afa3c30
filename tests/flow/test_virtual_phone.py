"""Flows over the wire: on the embedded virtual phone, by one simulated clock for both sides, so that no test waits."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from controller.clock import ManualClock
from controller.config import Config
from controller.connect import connect
from controller.flow.check import check_flow
from controller.flow.examples import find_flow, name_of_example
from controller.flow.runner import RunResult, run_flow
from controller.report import read_run
from controller.trace import FileTrace

FLOWS = Path(__file__).resolve().parents[1] / "flows"


def run(flow: str, folder: Path, **env: str) -> RunResult:
    clock = ManualClock()
    config = Config(device="virtual", home=folder / "home")
    with FileTrace(folder / "run", clock) as trace:
        session = connect(config, trace=trace, clock=clock, rng=random.Random(7))
        try:
            checked = check_flow(flow, env=env, library=session.library)
            return run_flow(session, checked, report_dir=folder / "run")
        finally:
            session.close()


def test_the_demo_keeps_the_pace_of_the_video_app_and_stays_below_two_minutes(tmp_path: Path) -> None:
    result = run(find_flow("demo"), tmp_path)

    told = result.run
    assert (result.status, [step.status for step in told.steps]) == ("passed", ["done"] * 11)
    assert told.duration_s < 110
    assert (told.new_screens, [(use.app, use.used, use.limit) for use in told.budgets]) == (5, [("bilibili", 5, 24)])
    assert told.pace_s == pytest.approx(told.pace_planned_s, abs=0.02 * len(told.waits))
    assert read_run(tmp_path / "run") == told
    assert (tmp_path / "run" / "report.html").stat().st_size < 2_000_000


@pytest.mark.parametrize("name", ["browse", "login", "watch"])
def test_an_example_flow_passes_and_writes_no_password(name: str, tmp_path: Path) -> None:
    result = run(str(FLOWS / f"{name}.yaml"), tmp_path, PASSWORD="geheim-9917")

    assert (result.status, result.run.error) == ("passed", None)
    assert result.run.counted("failed", "unconfirmed") == 0
    written = [path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert not any(b"geheim-9917" in data for data in written)


def test_an_example_is_found_by_its_name_unless_a_file_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    example = find_flow("demo")

    assert (Path(example).name, name_of_example(example)) == ("demo.yaml", "demo")
    (tmp_path / "demo").write_text("", encoding="utf-8")
    assert find_flow("demo") == "demo"
    assert (find_flow("none"), name_of_example("flows/demo.yaml")) == ("none", None)

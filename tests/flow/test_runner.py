from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from controller.clock import ManualClock
from controller.errors import AssertionFailed, BudgetSpent, DeviceError, NotFound
from controller.flow.runner import RunResult, run_flow
from controller.library.catalog import load_library
from controller.pace import Speed
from controller.report import read_run
from controller.trace import MASK, FileTrace
from tests.flow.sketch import APP, Row, Sketch, SketchPhone, checked, session_on

HEADER = f"appId: {APP}\n---\n"
PAGES = {
    "home": (Row("Welcome"), Row("Next", to="second"), Row("Send", to="sent")),
    "second": (Row("Second page"), Row("Home", to="home")),
    "sent": (Row("Sent"),),
    "login": (Row("Password", password=True),),
}


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def phone(clock: ManualClock) -> SketchPhone:
    return SketchPhone(Sketch(PAGES), clock)


def run(phone: SketchPhone, body: str, **env: str) -> RunResult:
    return run_files(phone, {"main.yaml": HEADER + body}, **env)


def run_files(phone: SketchPhone, files: Mapping[str, str], **env: str) -> RunResult:
    return run_flow(session_on(phone), checked(files, **env))


def told(result: RunResult) -> list[tuple[str, str]]:
    return [(step.title, step.status) for step in result.run.steps]


def test_steps_run_in_order_until_the_end(phone: SketchPhone) -> None:
    result = run(phone, "- launchApp\n- tapOn: Next\n- assertVisible: Second page\n- back\n")

    assert told(result) == [
        (f"Open {APP}", "done"),
        ("Tap “Next”", "done"),
        ("See “Second page”", "done"),
        ("Go back", "done"),
    ]
    assert phone.sketch.done == [f"stop {APP}", f"start {APP}", "tap 540,300", "press 4"]
    assert (result.status, result.exit_code, result.error) == ("passed", 0, None)


def test_the_run_ends_at_the_first_failure(phone: SketchPhone) -> None:
    result = run(phone, "- tapOn: Nowhere\n- tapOn: Next\n")

    assert told(result) == [("Tap “Nowhere”", "failed")]
    assert phone.sketch.done == []
    assert isinstance(result.error, NotFound)
    assert (result.status, result.exit_code) == ("failed", 1)


def test_an_element_is_looked_for_seventeen_seconds_and_seven_where_it_is_optional(phone: SketchPhone) -> None:
    result = run(phone, "- tapOn: {text: Nowhere, optional: true}\n- tapOn: Nowhere\n")

    optional, needed = result.run.steps
    assert (optional.status, needed.status) == ("warned", "failed")
    assert optional.duration_s == pytest.approx(7, abs=0.5)
    assert needed.duration_s == pytest.approx(17, abs=0.5)


def test_an_assertion_that_does_not_hold_fails_the_run(phone: SketchPhone) -> None:
    result = run(phone, "- extendedWaitUntil: {visible: Never, timeout: 300}\n")

    assert isinstance(result.error, AssertionFailed)
    assert result.exit_code == 1
    assert result.run.steps[0].duration_s == pytest.approx(0.5, abs=0.3)


def test_where_a_step_failed_the_screen_is_kept(phone: SketchPhone) -> None:
    result = run(phone, "- assertNotVisible: Welcome\n")

    (step,) = result.run.steps
    assert step.screen.startswith(f"{APP}/{APP}.Home\n")
    assert "Welcome" in step.screen


def test_conditions_choose_what_runs(phone: SketchPhone) -> None:
    result = run(
        phone,
        "- runFlow: {when: {visible: Welcome, platform: Android, true: '${A == 1}'}, commands: [tapOn: Next]}\n"
        "- runFlow: {when: {visible: Nowhere}, commands: [tapOn: Home]}\n"
        "- runFlow: {when: {notVisible: Welcome}, commands: [tapOn: Home]}\n"
        "- runFlow: {when: {platform: iOS}, commands: [tapOn: Next]}\n"
        "- runFlow: {when: {true: ''}, commands: [tapOn: Next]}\n",
        A="1",
    )

    assert [step.status for step in result.run.steps] == [
        "done",
        "done",
        "skipped",
        "done",
        "done",
        "skipped",
        "skipped",
    ]
    assert [step.depth for step in result.run.steps] == [0, 1, 0, 0, 1, 0, 0]
    assert phone.sketch.page == "home"


def test_commands_are_repeated_a_number_of_times_or_while_a_condition_holds(phone: SketchPhone) -> None:
    run(
        phone,
        "- repeat: {times: 3, commands: [pressKey: Volume Up]}\n"
        "- repeat: {while: {visible: Welcome}, commands: [tapOn: Next]}\n",
    )

    assert phone.sketch.done == ["press 24"] * 3 + ["tap 540,300"]


def test_subflows_run_with_their_variables_and_hooks(phone: SketchPhone) -> None:
    sub = (
        f"appId: {APP}\nenv: {{WHAT: own}}\nonFlowStart: [assertVisible: Welcome]\nonFlowComplete: [back]\n---\n"
        "- tapOn: ${WHAT}\n- assertVisible: ${OUTER}\n"
    )
    files = {
        "a/main.yaml": f"appId: {APP}\nenv: {{OUTER: Second page}}\n---\n"
        "- runFlow: {file: ../b/sub.yaml, env: {WHAT: Next}}\n",
        "b/sub.yaml": sub,
    }

    result = run_files(phone, files)

    assert [step.title for step in result.run.steps] == [
        "Run ../b/sub.yaml",
        "See “Welcome”",
        "Tap “Next”",
        "See “Second page”",
        "Go back",
    ]
    assert (result.run.steps[1].file, result.run.steps[1].line) == ("b/sub.yaml", 3)


def test_hooks_run_after_a_failure_and_the_first_error_counts(phone: SketchPhone) -> None:
    header = f"appId: {APP}\nonFlowComplete: [tapOn: Next, tapOn: Gone]\nonFlowFailure: [back]\n"
    files = {"m.yaml": header + "---\n- tapOn: Nowhere\n"}

    result = run_files(phone, files)

    assert [step.status for step in result.run.steps] == ["failed", "done", "done", "failed"]
    assert phone.sketch.done == ["press 4", "tap 540,300"]
    assert isinstance(result.error, NotFound)
    assert "Nowhere" in str(result.error)


def test_a_hook_that_fails_fails_the_run(phone: SketchPhone) -> None:
    result = run_files(phone, {"m.yaml": f"appId: {APP}\nonFlowComplete: [tapOn: Gone]\n---\n- back\n"})

    assert result.status == "failed"


def test_after_the_phone_is_lost_nothing_more_is_tried(phone: SketchPhone) -> None:
    phone.sketch.lost_at = 1
    files = {"m.yaml": f"appId: {APP}\nonFlowComplete: [back]\n---\n- back\n- tapOn: {{text: Next, optional: true}}\n"}

    result = run_files(phone, files)

    assert (result.status, result.exit_code) == ("no_phone", 3)
    assert isinstance(result.error, DeviceError)
    assert phone.sketch.done == ["press 4"]


def test_an_optional_group_warns_and_the_run_goes_on(phone: SketchPhone) -> None:
    result = run(phone, "- runFlow: {optional: true, commands: [{tapOn: Nowhere}, back]}\n- back\n")

    assert [step.status for step in result.run.steps] == ["warned", "failed", "done"]
    assert result.passed
    assert result.run.steps[0].inner_error


def test_a_label_is_the_title(phone: SketchPhone) -> None:
    result = run(phone, "- tapOn: {text: Next, label: 'Go to ${WHERE}'}\n", WHERE="page two")

    assert told(result) == [("Go to page two", "done")]


def test_a_pause_is_waited_by_the_clock_and_told_apart(phone: SketchPhone, clock: ManualClock) -> None:
    result = run(phone, "- pause: 1500ms\n")

    assert clock.sleeps == [1.5]
    assert (result.run.pause_s, result.run.pace_s) == (1.5, 0)


def test_swipes_and_points_go_where_maestro_puts_them(phone: SketchPhone) -> None:
    run(
        phone,
        "- swipe: {direction: UP}\n"
        "- swipe: {start: '50%, 75%', end: '50%, 25%', duration: 1000}\n"
        "- swipe: {from: {text: Next}, direction: LEFT}\n"
        "- swipe: {start: '100,200', end: '300,400'}\n"
        "- tapOn: {point: '50%,5%'}\n"
        "- tapOn: {text: Welcome, point: '10%,50%'}\n",
    )

    assert phone.sketch.done == [
        "swipe (540, 1200) (540, 240) 0.4",
        "swipe (540, 1800) (540, 600) 1.0",
        "swipe (540, 300) (108, 300) 0.4",
        "swipe (100, 200) (300, 400) 0.4",
        "tap 540,120",
        "tap 108,100",
    ]


def test_one_run_is_one_task(phone: SketchPhone) -> None:
    session = session_on(phone)

    for _ in range(2):
        run_flow(session, checked({"main.yaml": HEADER + "- back\n"}))

    tasks = session.tasks.read().tasks
    assert [(task.id, task.label, task.ended is not None) for task in tasks] == [
        ("t1", "main", True),
        ("t2", "main", True),
    ]


def test_pace_of_the_file_holds_for_its_run_unless_the_command_line_says_otherwise(phone: SketchPhone) -> None:
    flow = checked({"m.yaml": f"appId: {APP}\npace: fast\n---\n- pace: fast\n- back\n"})
    session = session_on(phone)
    careful = session_on(phone, speed=Speed.CAREFUL)

    results = [run_flow(session, flow), run_flow(careful, flow)]

    assert [result.run.environment["speed"] for result in results] == ["fast", "careful"]
    assert (session.speed, careful.speed) == (None, Speed.CAREFUL)


def careful_library(tmp_path: Path) -> Path:
    folder = tmp_path / "apps" / "example"
    folder.mkdir(parents=True)
    (folder / "APP.md").write_text(
        f"---\nname: example\ndisplay: Example\ndescription: An app\npackages: [{APP}]\npace: careful\n---\n## It\n",
        encoding="utf-8",
    )
    return tmp_path


def test_waits_of_the_pace_are_counted_with_their_reasons(phone: SketchPhone, tmp_path: Path) -> None:
    session = session_on(phone, library=load_library([careful_library(tmp_path)]))

    result = run_flow(session, checked({"m.yaml": HEADER + "- tapOn: Next\n- tapOn: Home\n"}))

    run = result.run
    assert [step.new_screens for step in run.steps] == [1, 1]
    assert run.pace_planned_s == pytest.approx(run.pace_s, abs=0.01)
    assert all(2.0 <= step.pace_s <= 15 for step in run.steps)
    assert "new screen" in run.steps[0].reason
    assert [(use.app, use.used, use.limit) for use in run.budgets] == [("example", 2, 24)]
    assert run.work_s == pytest.approx(run.duration_s - run.pace_s)


def test_a_spent_budget_ends_the_run_with_its_own_status(phone: SketchPhone, tmp_path: Path) -> None:
    session = session_on(phone, library=load_library([careful_library(tmp_path)]))
    body = "- repeat: {times: 30, commands: [{tapOn: {text: Next, optional: true}}, {tapOn: Home}]}\n"

    result = run_flow(session, checked({"m.yaml": HEADER + body}))

    assert (result.status, result.exit_code) == ("budget_spent", 7)
    assert isinstance(result.error, BudgetSpent)
    assert phone.sketch.done == ["tap 540,300"] * 24
    assert session.tasks.read().tasks[-1].ended is None


class Stops:
    """A person who presses Ctrl-C during the pause."""

    def step_started(self, number: int, title: str, *, depth: int) -> None:
        pass

    def waiting(self, seconds: float, reason: str) -> AbstractContextManager[object]:
        raise KeyboardInterrupt

    def step_ended(self, number: int, title: str, status: str, *, depth: int, duration_s: float, note: str) -> None:
        pass


def test_a_run_that_a_person_stops_still_has_its_report(phone: SketchPhone, tmp_path: Path) -> None:
    flow = checked({"m.yaml": f"appId: {APP}\nonFlowComplete: [back]\n---\n- pause: 5s\n- back\n"})

    with FileTrace(tmp_path, phone.clock) as trace:
        result = run_flow(session_on(phone, trace=trace), flow, report_dir=tmp_path, progress=Stops())

    assert (result.status, result.exit_code) == ("interrupted", 130)
    assert phone.sketch.done == []
    assert [step.status for step in result.run.steps] == ["interrupted"]
    assert (tmp_path / "report.html").is_file()
    assert json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["exit_code"] == 130


class Listens:
    """Progress that writes down what it is told."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def step_started(self, number: int, title: str, *, depth: int) -> None:
        self.heard.append(f"{'  ' * depth}{number} {title}")

    def waiting(self, seconds: float, reason: str) -> AbstractContextManager[object]:
        self.heard.append(f"wait {seconds:g} s: {reason}")
        return nullcontext()

    def step_ended(self, number: int, title: str, status: str, *, depth: int, duration_s: float, note: str) -> None:
        self.heard.append(f"{'  ' * depth}{number} {status}")


def test_progress_is_told_of_every_step(phone: SketchPhone) -> None:
    progress = Listens()
    flow = checked({"m.yaml": HEADER + "- repeat: {times: 1, commands: [pause: 2s]}\n"})

    run_flow(session_on(phone), flow, progress=progress)

    assert progress.heard == [
        "1 Repeat 1 time",
        "  2 Pause 2 s",
        "wait 2 s: pause of the flow",
        "  2 done",
        "1 done",
    ]


def test_the_folder_tells_the_same_as_the_result(phone: SketchPhone, tmp_path: Path) -> None:
    with FileTrace(tmp_path, phone.clock) as trace:
        result = run_flow(
            session_on(phone, trace=trace),
            checked(
                {
                    "m.yaml": HEADER
                    + "- tapOn: Next\n- takeScreenshot: shots/second\n- tapOn: {text: x, optional: true}\n"
                }
            ),
            report_dir=tmp_path,
            environment={"phone": "a sketch"},
        )

    assert read_run(tmp_path) == result.run
    assert [step.picture for step in result.run.steps] == ["pictures/001.png", "pictures/002.png", "pictures/003.png"]
    assert result.run.steps[1].evidence == {"picture": "pictures/shots/second.png"}
    assert (tmp_path / "pictures/shots/second.png").is_file()
    assert result.run.environment["phone"] == "a sketch"


def test_secrets_are_in_no_file_of_the_run(phone: SketchPhone, tmp_path: Path) -> None:
    phone.sketch.page = "login"
    body = "---\n- tapOn: {text: '${PIN}', optional: true}\n- inputText: letmein\n"
    files = {"m.yaml": f"appId: {APP}\nsecret: [PIN]\n{body}"}
    progress = Listens()

    with FileTrace(tmp_path, phone.clock) as trace:
        session = session_on(phone, trace=trace)
        result = run_flow(session, checked(files, PIN="836251"), report_dir=tmp_path, progress=progress)

    everything = b"".join(path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file())
    assert isinstance(result.error, DeviceError)  # a sketch has no keyboard to type with
    for secret in ("836251", "letmein"):
        assert secret.encode() not in everything
        assert secret not in " ".join(progress.heard)
    assert progress.heard[0] == f"1 Tap “{MASK}”"
    assert progress.heard[2] == "2 Type text"

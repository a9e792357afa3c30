"""The command line as a person and a script meet it, on a virtual phone that serves meanwhile."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.clock import ManualClock
from controller.config import Config
from controller.connect import open_tasks
from controller.embedded import serve
from controller.pace import Budget
from controller.virtual.server import VirtualServer
from tests.cli.commands import Run, runner
from tests.phones import BILIBILI


@pytest.fixture
def phonectl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("PHONECTL_HOME", str(tmp_path / "home"))
    for name in ("ANDROID_SERIAL", "ANDROID_ADB_SERVER_ADDRESS", "ANDROID_ADB_SERVER_PORT", "PHONECTL_LIBRARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)

    return runner(capsys)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[VirtualServer]:
    with serve(Config(home=tmp_path / "home")) as server:
        yield server


def fast(*words: str) -> tuple[str, ...]:
    return ("-d", "virtual", "--speed", "fast", *words)


def test_help_reads_like_a_manual(phonectl: Run) -> None:
    said = phonectl("--help")

    assert said.status == 0
    for word in ("Look:", "Act:", "Environment:", "Exit status:", "ANDROID_SERIAL", "phonectl open bilibili 首页"):
        assert word in said.out


@pytest.mark.parametrize("verb", ["observe", "tap", "open", "run", "check", "task", "lint", "virtual", "doctor"])
def test_every_verb_has_help(phonectl: Run, verb: str) -> None:
    said = phonectl(verb, "--help")

    assert said.status == 0
    assert said.out.startswith(f"Usage: phonectl {verb}")


def test_an_unknown_verb_is_named_with_the_nearest(phonectl: Run) -> None:
    said = phonectl("obsreve")

    assert said.status == 2
    assert "Did you mean 'observe'?" in said.err


def test_current_says_app_page_and_certainty(phonectl: Run, server: VirtualServer) -> None:
    said = phonectl("-d", "virtual", "current", "--json")

    assert said.status == 0
    assert (said.json["package"], said.json["state"], said.json["confident"]) == ("com.android.launcher3", "app", True)


def test_a_page_opened_by_its_name(phonectl: Run, server: VirtualServer) -> None:
    said = phonectl(*fast("open", "bilibili", "首页", "--json"))

    assert said.status == 0
    assert (said.json["status"], said.json["package"], said.json["new_screen"]) == ("done", BILIBILI, True)
    assert said.json["evidence"]["uri"] == "bilibili://home"


def test_a_ref_of_the_last_outline_is_tapped_by_the_next_command(phonectl: Run, server: VirtualServer) -> None:
    seen = phonectl(*fast("observe", "--json")).json
    settings = next(element["ref"] for element in seen["elements"] if element["name"] == "设置")

    said = phonectl(*fast("tap", settings, "--json"))

    assert (said.status, said.json["package"]) == (0, "com.android.settings")


def test_a_ref_that_has_gone_is_stale_and_nothing_is_tapped(phonectl: Run, server: VirtualServer) -> None:
    phonectl(*fast("observe"))
    phonectl(*fast("open", "settings"))
    before = server.phone.version

    said = phonectl(*fast("tap", "e1", "--json"))

    assert (said.status, said.json["error"]["code"]) == (1, "stale_ref")
    assert server.phone.version == before


def test_several_matches_are_refused(phonectl: Run, server: VirtualServer) -> None:
    said = phonectl(*fast("tap", "--text", ".*淘宝.*"))

    assert said.status == 1
    assert "[ambiguous]" in said.err
    assert "--index" in said.err


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (("open", "bilibili", "没有这页"), 2, "unknown_link"),
        (("open", "no-such-app"), 2, "unknown_app"),
        (("open", "demo://x -n com.evil/.A"), 2, "invalid_link"),
        (("open", "bilibili", "搜索"), 2, "link_arguments"),
        (("open", "youtube"), 1, "not_installed"),
        (("tap", "--text", "就没有"), 1, "not_found"),
        (("tap", "--at", "10;20"), 2, "invalid_selector"),
        (("tap", "--at", "5000,100"), 1, "outside_screen"),
        (("swipe", "100,100", "100,-5"), 1, "outside_screen"),
        (("tap",), 2, "invalid_selector"),
        (("type", "x"), 1, "no_focused_field"),
        (("press", "hyperspace"), 2, "unknown_key"),
        (("run", "no-such.yaml"), 2, "invalid_flow"),
        (("screenshot", "nowhere/x.png"), 2, "usage"),
        (("screenshot", "x.jpg"), 2, "usage"),
    ],
)
def test_each_error_has_its_code_status_and_next_step(
    phonectl: Run, server: VirtualServer, words: tuple[str, ...], status: int, code: str
) -> None:
    said = phonectl(*fast(*words, "--json"))

    assert (said.status, said.json["error"]["code"]) == (status, code)
    assert f"[{code}]" in said.err


def test_no_phone_is_said_with_the_cure(phonectl: Run, monkeypatch: pytest.MonkeyPatch, server: VirtualServer) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", server.server.rpartition(":")[2])

    said = phonectl("-d", "emulator", "current", "--json")

    assert (said.status, said.json["error"]["code"]) == (3, "no_device")
    assert "USB debugging" in said.json["error"]["hint"]


def test_the_environment_names_server_and_phone(
    phonectl: Run, monkeypatch: pytest.MonkeyPatch, server: VirtualServer
) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", server.server.rpartition(":")[2])
    monkeypatch.setenv("ANDROID_SERIAL", "nobody")
    missing = phonectl("current", "--json")
    monkeypatch.setenv("ANDROID_SERIAL", server.serial)

    assert missing.json["error"]["code"] == "device_not_found"
    assert phonectl("current", "--json").json["package"] == "com.android.launcher3"


def test_a_port_that_is_no_number_is_said(phonectl: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "ninety")

    said = phonectl("devices")

    assert (said.status, "ANDROID_ADB_SERVER_PORT is 'ninety'" in said.err) == (2, True)


def test_tasks_are_shown_continued_and_ended(phonectl: Run, server: VirtualServer, tmp_path: Path) -> None:
    phonectl(*fast("open", "bilibili", "首页"))
    phonectl("-d", "virtual", "task", "start", "比价", "--max-new-screens", "1")
    with open_tasks(Config(device="virtual", home=tmp_path / "home")).edit() as draft:
        task = draft.current(ManualClock())
        draft.put(task.with_budget("bilibili", Budget(used=1)))
    refused = phonectl("-d", "virtual", "press", "back", "--json")
    shown = phonectl("-d", "virtual", "task", "show", "--json")
    again = phonectl("-d", "virtual", "task", "continue", "--json")
    ended = phonectl("-d", "virtual", "task", "end", "--json")

    assert (refused.status, refused.json["error"]["code"]) == (7, "budget_spent")
    assert shown.json["budgets"] == {"bilibili": {"used": 1, "limit": 1, "lifted": False}}
    assert again.json["budgets"]["bilibili"]["used"] == 0
    assert (ended.json["task"], ended.json["open"]) == (task.id, False)


def test_devices_lists_the_virtual_phone(phonectl: Run, server: VirtualServer) -> None:
    rows = phonectl("-d", "virtual", "devices", "--json").json

    assert [(row["serial"], row["state"]) for row in rows] == [(server.serial, "device")]


def test_a_screenshot_is_a_png_of_the_screen(phonectl: Run, server: VirtualServer, tmp_path: Path) -> None:
    said = phonectl("-d", "virtual", "screenshot", "shot.png", "--json")

    assert (said.json["width"], said.json["height"]) == (1080, 2400)
    assert (tmp_path / "shot.png").read_bytes().startswith(b"\x89PNG")


def test_doctor_finds_nothing_wrong_with_the_virtual_phone(phonectl: Run, server: VirtualServer) -> None:
    said = phonectl("-d", "virtual", "doctor", "--json")

    assert [check for check in said.json["checks"] if check["health"] == "fail"] == []
    assert said.status == 0


def test_foreground_of_pasted_text_needs_no_phone(phonectl: Run, tmp_path: Path) -> None:
    pasted = tmp_path / "report.txt"
    pasted.write_text("$ dumpsys window displays\n  mCurrentFocus=Window{1a u0 org.a/org.a.Main}\n", encoding="utf-8")
    lines = tmp_path / "cases.jsonl"
    cases = [
        {"id": "one", "command": "dumpsys window", "output": "mCurrentFocus=Window{1a u0 org.a/org.a.Main}"},
        {"id": "two", "command": "dumpsys window", "output": "nothing"},
    ]
    lines.write_text("\n".join(map(json.dumps, cases)), encoding="utf-8")

    assert phonectl("foreground", "--from", str(pasted), "--json").json["activity"] == "org.a.Main"
    answers = [json.loads(line) for line in phonectl("foreground", "--from", str(lines), "--json").out.splitlines()]
    assert [(answer["id"], answer["package"]) for answer in answers] == [("one", "org.a"), ("two", None)]


def test_observe_of_a_saved_tree_needs_no_phone(phonectl: Run, tmp_path: Path) -> None:
    saved = tmp_path / "tree.xml"
    saved.write_text(
        '<hierarchy rotation="0"><node class="android.widget.Button" text="登录" package="org.a" clickable="true" '
        'bounds="[0,0][100,50]"/></hierarchy>',
        encoding="utf-8",
    )

    assert phonectl("observe", "--from", str(saved)).out == '# org.a\n- button "登录" [ref=e1]\n'
    assert phonectl("observe", "--from", str(saved), "--json").json["elements"][0]["name"] == "登录"


def test_check_finds_every_fault_at_once_without_a_phone(phonectl: Run, tmp_path: Path) -> None:
    flow = tmp_path / "bad.yaml"
    flow.write_text("appId: a.b\n---\n- tapOnn: x\n- openLink: {app: bilibili, title: 没有}\n", encoding="utf-8")

    said = phonectl("check", str(flow))

    assert said.status == 2
    assert "bad.yaml:3:3:" in said.out
    assert "bad.yaml:4:" in said.out


def test_lint_names_each_mistake_of_a_virtual_phone(phonectl: Run, tmp_path: Path) -> None:
    (tmp_path / "apps").mkdir()
    (tmp_path / "phone.yaml").write_text("serial: A\nmodel: B\nscreen: {width: 9, height: 200, density: 160}\n")
    app = (
        "package: a.b\nlabel: B\nactivities:\n  .A:\n    body:\n      - {txt: x}\n      - {text: x, tap: {open: .C}}\n"
    )
    (tmp_path / "apps" / "b.yaml").write_text(app)

    found = phonectl("lint", str(tmp_path))

    lines = [line.removeprefix(str(tmp_path)) for line in found.out.splitlines() if not line.startswith("    fix")]
    assert (found.status, lines) == (
        1,
        [
            "/apps/b.yaml:6:10: error: unknown key `txt` [invalid_phone]",
            "/apps/b.yaml:7:31: error: there is no activity `.C` in a.b [invalid_phone]",
            "/phone.yaml:3:17: error: expected at least 100, found 9 [invalid_phone]",
            "3 errors",
        ],
    )


def test_lint_of_one_file_says_what_is_wrong_in_it_alone(phonectl: Run, tmp_path: Path) -> None:
    (tmp_path / "apps").mkdir()
    (tmp_path / "phone.yaml").write_text("serial: A\n")
    app = "package: a.b\nlabel: B\nactivities: {.A: {params: {title: T}, body: [{text: '{titel}'}]}}\n"
    (tmp_path / "apps" / "b.yaml").write_text(app)

    found = phonectl("lint", str(tmp_path / "apps" / "b.yaml"))

    assert (found.status, found.out.splitlines()) == (
        0,
        [
            f"{tmp_path}/apps/b.yaml:3:53: warning: nothing gives `titel` a value, so it is always empty"
            " [unknown_name]",
            "    fix: did you mean `title`?",
            "1 warning",
        ],
    )


def test_lint_of_the_shipped_library_is_clean(phonectl: Run) -> None:
    assert phonectl("lint").status == 0


def test_links_are_listed_by_app(phonectl: Run) -> None:
    rows = phonectl("links", "bilibili", "--json").json

    assert ("首页", []) in [(row["title"], row["values"]) for row in rows]
    assert ("搜索", ["keyword"]) in [(row["title"], row["values"]) for row in rows]


def test_a_flow_leaves_a_report_and_says_where(phonectl: Run, server: VirtualServer, tmp_path: Path) -> None:
    flow = tmp_path / "flow.yaml"
    flow.write_text(
        "name: look\nappId: com.android.settings\n---\n- launchApp\n- assertVisible: .*Settings.*|设置\n",
        encoding="utf-8",
    )

    said = phonectl(*fast("run", str(flow), "--report", "out"))

    assert said.status == 0, said.err
    assert "report: out/report.html" in said.out
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {
        "report.html",
        "junit.xml",
        "result.json",
        "events.jsonl",
    }


def test_a_fault_is_set_listed_and_cleared_from_the_command_line(phonectl: Run, server: VirtualServer) -> None:
    said = phonectl("virtual", "fault", "popup", "title=电量不足", "--count", "1")
    assert (said.status, said.out) == (0, f"{server.serial}  popup  on  title=电量不足 count=1\n")
    assert "电量不足" in phonectl("-d", "virtual", "observe").out
    assert phonectl("virtual", "fault", "--clear", "popup").out == "no fault is switched on\n"
    waiting = phonectl("virtual", "fault", "cut", "--after", "60", "--when-doing", "input", "--json").json

    assert waiting == [
        {
            "serial": server.serial,
            "name": "cut",
            "on": False,
            "args": {},
            "after": 60,
            "count": None,
            "when": {"doing": "input"},
        }
    ]
    assert phonectl("virtual", "fault", "--clear").out == "no fault is switched on\n"


def test_an_unplugged_virtual_phone_is_told_and_no_other_is_taken_for_it(phonectl: Run, server: VirtualServer) -> None:
    phonectl("virtual", "fault", "unplug")
    said = phonectl("-d", "virtual", "observe", "--json")

    assert (said.status, said.json["error"]["code"]) == (3, "device_not_found")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("poppup",), "there is no fault `poppup`; did you mean popup?"),
        (("popup", "titel=x"), "takes no `titel`; it takes title, message"),
        (("popup", "x"), "`x` is no key=value"),
        ((), "name a fault"),
    ],
)
def test_a_fault_that_cannot_be_is_refused(
    phonectl: Run, server: VirtualServer, words: tuple[str, ...], message: str
) -> None:
    said = phonectl("virtual", "fault", *words)

    assert (said.status, message in said.err, server.phone.faults.names()) == (2, True, ())


def test_without_a_running_phone_nothing_can_go_wrong_and_the_table_is_shown(phonectl: Run) -> None:
    refused = phonectl("virtual", "fault", "cut")
    table = phonectl("virtual", "faults", "--json").json

    assert (refused.status, "phonectl virtual start" in refused.err) == (2, True)
    assert {"name": "cut", "says": "the connection breaks in the middle of an answer", "takes": {}} in table
    assert "unplug" in phonectl("virtual", "faults").out


def test_only_the_person_may_read_the_token_of_the_control_socket(tmp_path: Path, server: VirtualServer) -> None:
    note = tmp_path / "home" / "virtual.json"

    assert server.serial == json.loads(note.read_text(encoding="utf-8"))["serial"]
    assert note.stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_virtual_start_prints_one_json_line_and_ends_on_a_signal(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from controller.cli import main; main()", "virtual", "start"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, encoding="utf-8", env={"PHONECTL_HOME": str(tmp_path), "PATH": ""}
    )
    try:
        assert process.stdout is not None
        line = json.loads(process.stdout.readline())
        process.terminate()
        rest, _ = process.communicate(timeout=20)
    finally:
        process.kill()

    assert sorted(line) == ["serial", "server", "transport"]
    assert (process.returncode, rest) == (0, "")
    assert not (tmp_path / "virtual.json").exists()

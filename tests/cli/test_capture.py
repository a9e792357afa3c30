"""`phonectl capture`, `--device FOLDER`, `phonectl virtual show`: as a person types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.cli.main import main

FLOW = """\
name: Settings
---
- launchApp: com.android.settings
- tapOn: 显示
- back
"""

pytestmark = pytest.mark.slow


@pytest.fixture
def flow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PHONECTL_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "settings.yaml").write_text(FLOW, encoding="utf-8")
    return "settings.yaml"


def test_a_flow_is_captured_played_and_drawn(flow: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    driven = ["--device", "virtual", "-q", "capture", "--to", "mine", "--hide", "华为", "run", flow, "--speed", "fast"]
    captured = main(driven)
    told = capsys.readouterr().err
    played = main(["--device", "mine", "-q", "run", flow, "--speed", "fast"])
    refused = main(["--device", "mine", "-q", "press", "recents", "--json"])
    said = json.loads(capsys.readouterr().out.strip().splitlines()[-1])
    drawn = main(["virtual", "show", "mine"])
    right = main(["lint", "mine"])
    (tmp_path / "mine" / "screens" / "s2.xml").unlink()
    wrong = main(["lint", "mine"])

    assert (captured, played, refused, drawn, right, wrong) == (0, 0, 1, 0, 0, 1)
    assert "screens/s2.xml is missing" in capsys.readouterr().out
    assert "captured 3 screens and 3 ways between them in mine" in told
    assert "nothing was sent anywhere" in told
    assert said["error"]["code"] == "not_captured"
    assert "tap “显示”" in (tmp_path / "mine" / "map.html").read_text(encoding="utf-8")


def test_a_capture_never_writes_into_a_folder_that_holds_something(
    flow: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear", encoding="utf-8")

    assert main(["--device", "virtual", "capture", "--to", "mine", "run", flow]) == 2
    assert "mine is not empty" in capsys.readouterr().err


def test_a_person_is_watched_for_a_while(flow: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--device", "virtual", "capture", "--to", "mine", "--seconds", "1"])

    assert status == 0
    assert "use the phone now, Ctrl-C ends" in capsys.readouterr().err
    assert (tmp_path / "mine" / "screens" / "s1.xml").is_file()


def test_a_folder_without_a_phone_is_no_device(flow: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["virtual", "show", str(tmp_path)]) == 2
    assert "there is no capture.yaml" in capsys.readouterr().err
    assert main(["--device", str(tmp_path), "observe"]) == 2
    assert "holds no virtual phone" in capsys.readouterr().err


def test_a_flow_that_fails_is_captured_up_to_there(
    flow: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = FLOW.replace("tapOn: 显示", "inputText: nowhere to go")
    (tmp_path / "wrong.yaml").write_text(wrong, encoding="utf-8")

    assert main(["--device", "virtual", "-q", "capture", "--to", "mine", "run", "wrong.yaml", "--speed", "fast"]) == 1
    assert "captured 2 screens and 1 ways" in capsys.readouterr().err

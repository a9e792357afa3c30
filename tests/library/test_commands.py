"""The verbs over knowledge and skills as a person and a script meet them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import Run, runner
from tests.library.documents import SKILL
from tests.library.places import app, skill, write


@pytest.fixture
def phonectl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("PHONECTL_HOME", str(tmp_path / "own"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PHONECTL_LIBRARY", raising=False)
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")

    return runner(capsys)


def test_row73_row77_knowledge_search_answers_with_exactly_these_keys(phonectl: Run) -> None:
    rows = phonectl("knowledge-search", "b站", "--json").json

    assert [list(row) for row in rows[:2]] == [["name", "display", "kind", "description", "reference"]] * 2
    assert [row["reference"] for row in rows[:2]] == ["app:bilibili", "site:bilibili.com"]
    assert phonectl("knowledge-search", "b站", "--kind", "site", "--json").json[0]["kind"] == "site"
    assert phonectl("knowledge-search", "b站", "--kind", "other").status == 2
    assert phonectl("knowledge-search", "b站").out.startswith("app:bilibili  哔哩哔哩: ")


def test_row74_knowledge_read_wraps_and_refuses(phonectl: Run) -> None:
    said = phonectl("knowledge-read", "app:bilibili", "--json")

    assert said.json["content"].startswith('<knowledge name="哔哩哔哩" kind="app" source="app:bilibili">')
    assert phonectl("knowledge-read", "app:bilibili", said.json["attachments"][0]).out.startswith("<knowledge ")
    escaped = phonectl("knowledge-read", "app:bilibili", "references/../../wechat/APP.md", "--json")
    assert (escaped.status, escaped.json["error"]["code"]) == (2, "attachment_name")
    ambiguous = phonectl("knowledge-read", "B站", "--json")
    assert (ambiguous.status, ambiguous.json["error"]["candidates"]) == (2, ["app:bilibili", "site:bilibili.com"])


def test_row252_trust_is_said_once_and_taken_back(phonectl: Run, tmp_path: Path) -> None:
    write(tmp_path, "project/.agents/skills/own-way/SKILL.md", skill("own-way", body="秘密"))
    write(tmp_path, "project/.agents/knowledge/apps/mine/APP.md", app("mine", body="秘密"))

    assert "skill:own-way [not trusted]" in phonectl("skills", "list").out
    refused = phonectl("skill-read", "own-way", "--json")
    assert (refused.status, refused.json["error"]["code"]) == (5, "untrusted")
    roots = phonectl("library", "roots", "--json").json
    assert roots["roots"][0] == {
        "path": str(tmp_path / "project/.agents"),
        "origin": "project",
        "trusted": False,
        "exists": True,
    }
    assert [row["reference"] for row in roots["untrusted"]] == ["app:mine", "skill:own-way"]

    assert phonectl("library", "trust", ".").out == f"{tmp_path / 'project'}: trusted\n"
    assert phonectl("skill-read", "own-way").out == "秘密\n"
    assert phonectl("library", "roots", "--json").json["untrusted"] == []

    assert phonectl("library", "untrust", ".").status == 0
    assert phonectl("skill-read", "own-way").status == 5


def test_row253_the_explicit_folder_serves_before_the_built_in(phonectl: Run, tmp_path: Path) -> None:
    path = write(tmp_path, "lib/knowledge/apps/wechat/APP.md", app("wechat", display="我的微信"))

    library = ("--library", str(tmp_path / "lib"))
    assert phonectl(*library, "knowledge-read", "app:wechat", "--json").json["display"] == "我的微信"
    shadowed = phonectl(*library, "library", "roots", "--json").json["shadowed"]
    assert [(row["reference"], row["by"]) for row in shadowed] == [("app:wechat", str(path))]


def test_row92_row251_skills_are_switched_for_an_account_and_a_task(phonectl: Run) -> None:
    assert phonectl("skills", "disable", "app-search", "--account", "a").out == "skill:app-search: off\n"

    assert phonectl("skills", "list", "--account", "a", "--json").json == []
    assert phonectl("skill-search", "搜索", "--account", "a", "--json").json == []
    assert phonectl("skill-read", "app-search", "--account", "a").status == 5
    assert [row["enabled"] for row in phonectl("skills", "list", "--all", "--account", "a", "--json").json] == [False]
    assert phonectl("skill-search", "搜索", "--json").json[0]["reference"] == "skill:app-search"
    assert phonectl("skills", "enable", "--all", "--account", "a", "--task", "t").status == 0
    assert len(phonectl("skills", "list", "--account", "a", "--task", "t", "--json").json) == 1
    assert phonectl("skills", "list", "--account", "a", "--prompt").out == "\n"
    assert phonectl("skills", "enable").status == 2
    assert phonectl("skills", "enable", "no-such-skill").status == 2


def test_row75_row193_installed_skills_are_there_at_once(phonectl: Run, tmp_path: Path) -> None:
    source = write(tmp_path, "from/pdf-text/SKILL.md", SKILL.replace("app:example", "app:chrome")).parent

    installed = phonectl("skills", "install", str(source), "--json").json
    assert (installed["reference"], installed["replaced"]) == ("personal:pdf-text", False)
    assert phonectl("skill-search", "读 PDF", "--json").json[0]["reference"] == "personal:pdf-text"
    assert phonectl("skills", "install", str(source), "--json").json["error"]["code"] == "skill_exists"
    assert phonectl("skills", "reload", "--json").json["count"] == 2
    assert phonectl("skills", "sync", "--json").json["error"]["code"] == "not_a_repository"


def test_the_errors_of_a_skill_that_is_not_taken_in_are_shown_with_their_places(phonectl: Run, tmp_path: Path) -> None:
    source = write(tmp_path, "from/pdf-text/SKILL.md", "---\nname: pdf-text\npace: careful\n---\n").parent

    said = phonectl("skills", "install", str(source))

    assert said.status == 2
    assert "pdf-text/SKILL.md:2:1" in said.err or "pdf-text/SKILL.md:3:1" in said.err


def test_row88_row95_a_skill_is_called_with_its_arguments(phonectl: Run) -> None:
    said = phonectl("skills", "call", "APP-SEARCH", "猫", "咖")

    assert said.out.endswith("\n\n## Invocation Arguments\n\n猫 咖\n")
    assert phonectl("skills", "call", "no-such-skill").status == 2

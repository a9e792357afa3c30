"""Lint over files and folders, its formats, and the repair of what is mechanical."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.errors import DocumentError
from controller.library.findings import Edit, Finding, Severity, has_errors
from controller.library.formats import FORMATS
from controller.library.lint import apply_edits, fix, lint
from tests.library.documents import APP, SITE, SKILL, changed, said
from tests.library.test_catalog import other_app, write


def test_a_right_library_has_no_findings(tmp_path: Path) -> None:
    write(tmp_path, "knowledge/apps/example/APP.md", APP)
    write(tmp_path, "knowledge/sites/example.com/SITE.md", SITE)
    write(tmp_path, "skills/pdf-text/SKILL.md", SKILL)

    assert [each for each in lint([tmp_path]) if "app:example" not in each.message] == []


def test_one_file_is_judged_with_its_neighbours(tmp_path: Path) -> None:
    app = write(tmp_path, "knowledge/apps/example/APP.md", APP)
    write(tmp_path, "knowledge/apps/second/APP.md", other_app("second", "com.example.app"))
    write(tmp_path, "knowledge/sites/example.com/SITE.md", SITE)

    assert [(each.path, each.code) for each in lint([app])] == [(str(app), "package_claimed_twice")]


def test_a_package_of_a_built_in_app_may_not_be_claimed_again(tmp_path: Path) -> None:
    app = write(tmp_path, "apps/second/APP.md", other_app("second", "tv.danmaku.bili"))

    assert [each.code for each in lint([app])] == ["package_claimed_twice"]


def test_findings_come_in_the_order_of_their_places(tmp_path: Path) -> None:
    write(tmp_path, "apps/b/APP.md", "---\nname: b\n")
    write(tmp_path, "apps/a/APP.md", "no header")
    write(tmp_path, ".hidden/c/APP.md", "no header")

    found = lint([tmp_path, tmp_path / "apps"])

    assert [(Path(each.path).parent.name, each.code) for each in found] == [
        ("a", "no_header"),
        ("b", "unclosed_header"),
    ]


def test_row14_attachments_are_looked_up_on_the_disk(tmp_path: Path) -> None:
    text = changed(APP, ("首页下面有三个标签。", "见 references/codes.md。"), ('sites: ["example.com"]\n', ""))
    app = write(tmp_path, "apps/example/APP.md", text)

    assert said(lint([app])) == ["error missing_attachment 19:3"]
    write(tmp_path, "apps/example/references/codes.md", "x")
    assert lint([app]) == []


def test_what_looks_like_a_document_and_is_none_is_said(tmp_path: Path) -> None:
    write(tmp_path, "apps/example/app.md", APP)
    (tmp_path / "empty").mkdir()

    assert [(each.code, Path(each.path).name) for each in lint([tmp_path / "apps", tmp_path / "empty"])] == [
        ("misnamed_document", "app.md"),
        ("no_document", "empty"),
    ]


@pytest.mark.parametrize("name", ["missing", "README.md"])
def test_what_is_no_document_is_an_error_of_the_caller(tmp_path: Path, name: str) -> None:
    write(tmp_path, "README.md", "x")

    with pytest.raises(DocumentError):
        lint([tmp_path / name])


FINDINGS = [
    Finding("a b/APP.md", 3, 7, "pace_value", Severity.ERROR, "pace is 'x', 100%\nno", "pace: careful"),
    Finding("APP.md", 1, 1, "order", Severity.WARNING, "一个"),
    Finding("APP.md", 2, 1, "shadowed", Severity.INFO, "taken"),
]


def test_text_says_place_severity_message_code_and_cure() -> None:
    assert FORMATS["text"](FINDINGS[:1] + FINDINGS[1:2] * 2).splitlines() == [
        "a b/APP.md:3:7: error: pace is 'x', 100%",
        "no [pace_value]",
        "    fix: pace: careful",
        "APP.md:1:1: warning: 一个 [order]",
        "APP.md:1:1: warning: 一个 [order]",
        "1 error, 2 warnings",
    ]
    assert FORMATS["text"]([]) == "nothing found"


def test_json_has_the_findings_and_their_numbers() -> None:
    answer = json.loads(FORMATS["json"](FINDINGS))

    assert (answer["errors"], answer["warnings"], answer["infos"]) == (1, 1, 1)
    assert answer["findings"][1] == {
        "path": "APP.md",
        "line": 1,
        "column": 1,
        "code": "order",
        "severity": "warning",
        "message": "一个",
        "fix": None,
        "fixable": False,
    }


def test_github_gets_one_escaped_command_a_finding() -> None:
    assert FORMATS["github"](FINDINGS).splitlines() == [
        "::error file=a b/APP.md,line=3,col=7,title=pace_value::pace is 'x', 100%25%0Ano (fix: pace: careful)",
        "::warning file=APP.md,line=1,col=1,title=order::一个",
        "::notice file=APP.md,line=2,col=1,title=shadowed::taken",
    ]


def test_sarif_names_rules_levels_and_regions() -> None:
    log = json.loads(FORMATS["sarif"](FINDINGS))

    run = log["runs"][0]
    assert log["version"] == "2.1.0"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["pace_value", "order", "shadowed"]
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 7}


def test_errors_are_told_apart_from_the_rest() -> None:
    assert has_errors(FINDINGS)
    assert not has_errors(FINDINGS[1:])


def test_repairs_keep_line_ends_and_bom(tmp_path: Path) -> None:
    broken = changed(
        APP,
        ("display: 样例", "display：样例"),
        ("description: 看样例的 App", "description: 看样例: 的 App"),
        ("pace: careful", "pace: Careful\nrisk: high"),
        ('sites: ["example.com"]\n', ""),
    )
    path = tmp_path / "apps/example/APP.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(("\ufeff" + broken).replace("\n", "\r\n").encode())

    repaired = fix([path])

    right = changed(
        APP, ("description: 看样例的 App", "description: '看样例: 的 App'"), ('sites: ["example.com"]\n', "")
    )
    assert path.read_bytes().decode() == ("\ufeff" + right).replace("\n", "\r\n")
    assert sorted(each.code for each in repaired) == [
        "full_width_colon",
        "pace_value",
        "removed_field",
        "unquoted_value",
    ]
    assert lint([path]) == []


def test_a_fence_with_white_space_is_repaired(tmp_path: Path) -> None:
    text = changed(APP, ('sites: ["example.com"]\n', ""))
    path = write(tmp_path, "apps/example/APP.md", text.replace("---\n", "--- \n", 1).replace("---\n##", "---\t\n##"))

    fix([path])

    assert path.read_text(encoding="utf-8") == text


def test_edits_on_one_line_do_not_disturb_each_other() -> None:
    edits = [Edit(1, 1, 2, "AA"), Edit(1, 3, 4, ""), Edit(1, 3, 4, "lost"), Edit(2, 1, 1, None), Edit(3, 2, 2, "+")]

    assert apply_edits("abc\r\ngone\rxy", edits) == "AAb\r\nx+y"

from __future__ import annotations

import json
from datetime import UTC
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from junitparser import Error, Failure, JUnitXml

from controller import report
from controller.clock import ManualClock
from controller.report.result import as_result
from controller.trace import MASK, FileTrace
from tests.report.runs import HOSTILE, Story, png, told

SCHEMA = Path(report.__file__).with_name("result.schema.json")


class Page(HTMLParser):
    """What a browser would see: tags, attributes and the text without style."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_data(self, data: str) -> None:
        if self._open[-1:] != ["style"]:
            self.text += f" {data}"

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass


def written(folder: Path) -> tuple[str, dict[str, Any], JUnitXml]:
    report.write(folder, zone=UTC)
    html = (folder / "report.html").read_text(encoding="utf-8")
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    return html, result, JUnitXml.fromfile(str(folder / "junit.xml"))


def test_the_page_tells_what_the_events_tell(tmp_path: Path) -> None:
    told(tmp_path)

    page = Page(written(tmp_path)[0])

    for words in (
        "Failed",
        "Search",
        "2023-11-14 22:13:20 +0000",
        "25.1 s in all",
        "5.8 s pace of the apps",
        "1 of 24 new screens bilibili",
        "waited 5.8 s",
        "2.9 s new screen + 4.1 s reading 164 characters − 1.2 s already passed",
        "nothing matches “收藏”",
        "nearest: 收藏夹",
        "e1 button “返回”",
        "a.b/.Main",
        "search.yaml:3",
    ):
        assert words in " ".join(page.text.split())


def test_every_step_can_be_linked_to(tmp_path: Path) -> None:
    told(tmp_path)

    page = Page(written(tmp_path)[0])

    ids = {attrs.get("id") for _, attrs in page.tags}
    links = {str(attrs["href"]) for tag, attrs in page.tags if tag == "a"}
    assert links == {"#s1", "#s2", "#s3", "#s4"}
    assert {link[1:] for link in links} <= ids


def test_the_page_needs_nothing_but_itself(tmp_path: Path) -> None:
    told(tmp_path)

    page = Page(written(tmp_path)[0])

    assert {tag for tag, _ in page.tags} & {"script", "link", "iframe", "object", "embed", "base", "form"} == set()
    sources = [str(value) for _, attrs in page.tags for name, value in attrs.items() if name in {"src", "href"}]
    assert all(source.startswith(("data:image/jpeg;base64,", "#")) for source in sources)


def test_the_touched_element_is_marked_on_its_picture(tmp_path: Path) -> None:
    told(tmp_path)

    tags = Page(written(tmp_path)[0]).tags

    assert [attrs for tag, attrs in tags if tag == "svg"][-1]["viewbox"] == "0 0 108 240"
    assert [(attrs["x"], attrs["y"], attrs["width"], attrs["height"]) for tag, attrs in tags if tag == "rect"] == [
        ("10.0", "10.0", "88.0", "20.0")
    ]
    assert [(attrs["cx"], attrs["cy"]) for tag, attrs in tags if tag == "circle"] == [("54.0", "20.0")]


def test_hostile_text_stays_text_everywhere(tmp_path: Path) -> None:
    story = Story(tmp_path, name=HOSTILE, file=HOSTILE, tags=[HOSTILE], environment={HOSTILE: HOSTILE})
    story.begin(1, HOSTILE, picture_note=HOSTILE, command=HOSTILE, file=HOSTILE)
    story.wait((1.0, HOSTILE))
    story.trace.emit("app_entered", display=HOSTILE)
    story.act(0.1, element=HOSTILE, package=HOSTILE, options=[HOSTILE], bounds=[1, 2, 3, 4])
    error = {"code": HOSTILE, "message": HOSTILE, "hint": HOSTILE}
    story.end(1, "failed", error=error, screen=HOSTILE, summary=HOSTILE)
    story.finish(1, error=error)

    html, result, junit = written(tmp_path)

    page = Page(html)
    assert "script" not in {tag for tag, _ in page.tags}
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)
    assert "{{7*7}}" in page.text
    assert "\x07" not in html
    assert result["flow"]["name"].startswith("<script>")
    assert next(iter(junit)).name.startswith("<script>")


def test_a_picture_outside_of_the_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "outside.png").write_bytes(png())
    folder = tmp_path / "run"
    story = Story(folder)
    story.trace.emit("step_start", step=1, command="tapOn", title="x", picture="../outside.png")
    story.end(1)
    story.finish()

    assert "data:image" not in written(folder)[0]


def test_a_picture_that_was_cut_short_is_left_out(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.begin(1, "x", picture=png()[:60])
    story.end(1)
    story.finish()

    assert "data:image" not in written(tmp_path)[0]


def test_fifty_steps_with_pictures_stay_below_five_megabytes(tmp_path: Path) -> None:
    story = Story(tmp_path)
    for number in range(1, 51):
        story.begin(number, f"Tap {number}", picture=png((270, 600), noise=number))
        story.wait((2.5, "new screen"))
        story.act(0.1, element="x", point=[5, 5])
        story.end(number)
    story.finish()

    report.write(tmp_path)

    assert (tmp_path / "report.html").stat().st_size < 5_000_000


def test_junit_says_what_failed_and_where(tmp_path: Path) -> None:
    told(tmp_path)

    _, _, junit = written(tmp_path)

    suite = next(iter(junit))
    (case,) = suite
    (failure,) = case.result
    assert (suite.tests, suite.failures, suite.errors) == (1, 1, 0)
    assert (case.name, case.classname, case.time) == ("Search", "search.yaml", 25.104)
    assert isinstance(failure, Failure)
    assert (failure.type, failure.message) == ("assertion_failed", "nothing matches “收藏”")
    assert "step 4: See “收藏” (search.yaml:6)" in failure.text
    assert "1. Tap “搜索” [done] 6.1 s, waited 5.8 s: 2.9 s new screen" in case.system_out
    assert {prop.name: prop.value for prop in suite.properties()}["budget.bilibili"] == "1/24"


@pytest.mark.parametrize(
    ("exit_code", "status", "kind"),
    [
        (0, "passed", None),
        (1, "failed", Failure),
        (3, "no_phone", Error),
        (4, "timed_out", Failure),
        (5, "refused", Failure),
        (6, "internal", Error),
        (7, "budget_spent", Failure),
        (130, "interrupted", Error),
        (99, "internal", Error),
    ],
)
def test_each_end_has_its_status(tmp_path: Path, exit_code: int, status: str, kind: type | None) -> None:
    Story(tmp_path).finish(exit_code)

    html, result, junit = written(tmp_path)

    (case,) = next(iter(junit))
    assert (result["status"], result["exit_code"]) == (status, exit_code)
    assert [type(item) for item in case.result] == ([kind] if kind else [])
    assert f"<title>{'Passed' if status == 'passed' else ''}" in html


def test_a_killed_run_has_a_report_too(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.begin(1, "Tap", picture=png())
    story.trace.close()
    with (tmp_path / "events.jsonl").open("ab") as file:
        file.write(b'{"t":1.0,"kind":"step_e')

    html, result, junit = written(tmp_path)

    assert "Not finished" in Page(html).text
    assert (result["status"], result["exit_code"]) == ("unfinished", None)
    assert next(iter(junit)).errors == 1


def test_the_result_keeps_to_its_schema(tmp_path: Path) -> None:
    told(tmp_path)
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))

    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(written(tmp_path)[1], schema)
    jsonschema.validate(as_result(report.build([])), schema)


def test_secrets_are_in_no_output(tmp_path: Path) -> None:
    with FileTrace(tmp_path, ManualClock(), secrets=["hunter2"]) as trace:
        trace.emit("run_start", name="log in hunter2", environment={"x": "hunter2"})
        trace.emit("step_start", step=1, command="inputText", title="Type “hunter2”")
        error = {"code": "typing_failed", "message": "the field shows hunter2!"}
        trace.emit("step_end", step=1, status="failed", error=error, screen="e1 field “hunter2”")
        trace.emit("run_end", exit_code=1, error=error)

    html, result, _ = written(tmp_path)

    for file in tmp_path.iterdir():
        assert b"hunter2" not in file.read_bytes()
    assert MASK in html
    assert result["steps"][0]["title"] == f"Type “{MASK}”"

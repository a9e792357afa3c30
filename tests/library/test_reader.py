"""The one reader: fences, line ends, texts that stay texts, places, refusals; any bytes give a document."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from controller.library.app import parse_app
from controller.library.fields import Fields, split_list
from controller.library.findings import Edit, Place, Severity
from controller.library.header import Items, Text
from controller.library.reader import MAX_DOCUMENT_BYTES, MAX_HEADER_BYTES, Document, read_document
from controller.library.skill import parse_skill
from tests.library.documents import said
from tests.shared import shared_cases


def read(text: str) -> Document:
    return read_document(text.encode(), path="x.md")


def texts(document: Document) -> dict[str, str]:
    return {entry.key.value: entry.value.value for entry in document.entries if isinstance(entry.value, Text)}


def codes(document: Document) -> list[str]:
    return said(list(document.findings))


def test_a_document_is_a_header_between_fences_and_a_body() -> None:
    document = read("---\nname: a\n---\nfirst\n---\nsecond\n")

    assert texts(document) == {"name": "a"}
    assert (document.body, document.body_line) == ("first\n---\nsecond\n", 4)
    assert document.findings == ()


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("bom", ["", "\ufeff"], ids=["plain", "bom"])
def test_line_ends_and_a_bom_make_no_difference(newline: str, bom: str) -> None:
    document = read(bom + newline.join(["---", "name: a", "description: b", "---", "## 是什么", ""]))

    assert texts(document) == {"name": "a", "description": "b"}
    assert document.body == "## 是什么\n"
    assert document.newline == newline
    assert document.entries[1].value.place == Place(3, 14)


def test_a_closing_fence_may_end_the_file_without_a_line_end() -> None:
    document = read("\ufeff---\r\nname: a\r\ndescription: b\r\n---")

    assert (texts(document), document.body, document.findings) == ({"name": "a", "description": "b"}, "", ())


def test_dashes_inside_a_value_are_no_fence() -> None:
    assert texts(read("---\ndescription: a --- b\n---\n")) == {"description": "a --- b"}


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("", "error no_header 1:1"),
        ("name: a\n", "error no_header 1:1"),
        ("\n---\nname: a\n---\n", "error no_header 1:1"),
        ("--- \nname: a\n---\n", "error fence_space 1:4"),
        ("---\nname: a\n", "error unclosed_header 1:1"),
        ("---\nname: a\n--- \nbody", "error fence_space 3:4"),
        ("---\n- a\n- b\n---\n", "error header_not_mapping 2:1"),
        ("---\njust words\n---\n", "error header_not_mapping 2:1"),
        ("---\nname: a\nname: b\n---\n", "error duplicate_key 3:1"),
        ("---\nlinks: []\nname: a\nlinks: []\n---\n", "error duplicate_key 4:1"),
        ("---\na: {b: 1, b: 2}\n---\n", "error duplicate_key 2:11"),
        ("---\na: &x 1\n---\n", "error yaml_anchor 2:4"),
        ("---\nname: *x\n---\n", "error yaml_alias 2:7"),
        ("---\nname: !!python/object:os.system x\n---\n", "error yaml_tag 2:7"),
        ("---\nname: !local x\n---\n", "error yaml_tag 2:7"),
        ("---\n? [a, b]\n: c\n---\n", "error key_not_text 2:3"),
        ("---\nname: a\n--- {name: b}\n---\n", "error several_documents 3:5"),
        ("---\nname: a\x07\n---\n", "error control_character 2:8"),
        ("---\n\tname: a\n---\n", "error yaml 2:1"),
        ("---\nname: 'a\n---\n", "error yaml 2:9"),
        ("---\na: " + "[" * 9 + "]" * 9 + "\n---\n", "error too_deep 2:12"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(text: str, finding: str) -> None:
    assert finding in codes(read(text))


def test_aliases_never_expand() -> None:
    bomb = "---\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n---\n"

    document = read(bomb)

    value = document.entries[2].value
    assert isinstance(value, Items)
    assert [item.value for item in value.items if isinstance(item, Text)] == ["*b", "*b"]
    assert {finding.severity for finding in document.findings} == {Severity.ERROR}


def test_what_is_no_utf8_is_said_with_the_place_of_the_byte() -> None:
    document = read_document("---\nname: 中".encode() + b"\xff\n---\n", path="x.md")

    assert codes(document) == ["error not_utf8 2:8"]
    assert not document.readable


def test_utf16_is_named() -> None:
    document = read_document("---\nname: a\n---\n".encode("utf-16"), path="x.md")

    assert "UTF-16" in document.findings[0].message


def test_sizes_are_capped() -> None:
    large = "---\nname: a\n---\n" + "x" * MAX_DOCUMENT_BYTES
    header = "---\nname: " + "x" * MAX_HEADER_BYTES + "\n---\nbody"

    assert codes(read(large)) == ["error too_large 1:1"]
    assert codes(read(header)) == ["error header_too_large 1:1"]


def test_a_header_of_just_the_size_is_read() -> None:
    value = "x" * (MAX_HEADER_BYTES - len("name: ") - 1)

    assert texts(read(f"---\nname: {value}\n---\n")) == {"name": value}


def test_texts_stay_texts_and_booleans_are_booleans_where_a_format_says_so() -> None:
    fields = Fields(
        read("---\nname: 10086\ntitle: no\ntime: 12:30\ncode: 0123\nday: 2024-05-01\non: ~\nenabled: yes\n---\n")
    )

    assert [fields.text(key) for key in ("name", "title", "time", "code", "day", "on")] == [
        "10086",
        "no",
        "12:30",
        "0123",
        "2024-05-01",
        "~",
    ]
    assert fields.flag("enabled", default=False) is True


@pytest.mark.parametrize(
    ("word", "value"), [("yes", True), ("no", False), ("On", True), ("off", False), ("true", True), ("FALSE", False)]
)
def test_six_words_are_booleans(word: str, value: bool) -> None:
    assert Fields(read(f"---\nflag: {word}\n---\n")).flag("flag", default=not value) is value


def test_another_word_is_no_boolean() -> None:
    fields = Fields(read("---\nflag: maybe\n---\n"))

    assert fields.flag("flag", default=True) is True
    assert said(fields.findings) == ["error not_boolean 2:7"]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("a, b", ("a", "b")),
        ("a， b,, c", ("a", "b", "c")),
        ("Bash(git:*) Read", ("Bash(git:*)", "Read")),
        ("Bash(git add, git rm), Read", ("Bash(git add, git rm)", "Read")),
        ("one two", ("one", "two")),
        ("one two, three", ("one two", "three")),
        ("一个", ("一个",)),
        ("one two,", ("one two",)),
        ("", ()),
    ],
)
def test_a_list_may_be_written_as_one_string(text: str, items: tuple[str, ...]) -> None:
    assert split_list(text) == items


@given(st.lists(st.text("abcdefg12", min_size=1), min_size=2, unique=True))
def test_the_spellings_of_a_list_are_equal(items: list[str]) -> None:
    spellings = (
        ", ".join(items),
        " ".join(items),
        json.dumps(items),
        "\n" + "".join(f"  - {item}\n" for item in items),
    )

    read_as = [Fields(read(f"---\naliases: {spelling}\n---\n")).texts("aliases") for spelling in spellings]

    assert read_as == [tuple(items)] * 4


def test_a_plain_value_with_a_colon_is_read_and_said() -> None:
    document = read("---\nname: bili\ndescription: 打开B站: 搜索视频\n---\n")

    assert texts(document) == {"name": "bili", "description": "打开B站: 搜索视频"}
    assert codes(document) == ["warning unquoted_value 3:14"]
    assert document.findings[0].edit == Edit(3, 14, 24, "'打开B站: 搜索视频'")


def test_a_remark_behind_such_a_value_stays_a_remark() -> None:
    assert texts(read("---\ndescription: a: b   # why\n---\n")) == {"description": "a: b"}


@pytest.mark.parametrize("value", ["@小红书", "%d", "`x`", "[热门] 榜", "it's: so"])
def test_values_that_begin_as_yaml_are_read_as_they_look(value: str) -> None:
    assert texts(read(f"---\ndisplay: {value}\n---\n")) == {"display": value}


def test_an_item_with_a_colon_is_a_text_and_said() -> None:
    fields = Fields(read("---\naliases:\n  - 视频: 热门\n  - B站\n---\n"))

    assert fields.texts("aliases") == ("视频: 热门", "B站")
    assert said(fields.findings) == ["warning unquoted_value 3:5"]


def test_a_full_width_colon_has_its_own_message() -> None:
    document = read("---\nname: bili\ndescription：打开B站\n---\n")

    assert codes(document) == ["error full_width_colon 3:12"]
    assert "full-width colon" in document.findings[0].message
    assert texts(document)["description"] == "打开B站"


def test_line_separators_of_unicode_do_not_shift_the_lines() -> None:
    document = read("---\nname: a\u2028b: c\nnext: *x\n---\n")

    assert "error yaml_alias 3:7" in codes(document)


# Anything gives a document. Headers come out often when the bytes begin as one.
_WORDS = ("---\n", "name: ", "links:\n", "links: [", "  - ", "- a | b:c | d.e", ": ", "&a ", "*a ", "!b ", "? ", "：")
_PIECES = st.sampled_from([*_WORDS, *"{}[]'\"\\#\t\r\n\ufeff\u2028|>%@\x00中"])
_HEADERS = st.lists(_PIECES, max_size=25).map(lambda parts: ("---\n" + "".join(parts) + "\n---\n").encode())


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.binary(max_size=200), _HEADERS))
@example(b"---\nlinks:\n- 'a\\\n---\n")
@example("---\n\u3000：\n---".encode())
def test_any_bytes_give_findings_and_never_an_exception(data: bytes) -> None:
    document = read_document(data, path="x.md")
    app, findings = parse_app(document, folder="x")
    parse_skill(document, folder="x")

    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    assert all(1 <= finding.line <= lines and finding.column >= 1 for finding in findings)
    assert document.readable or any(finding.severity is Severity.ERROR for finding in findings)
    assert app is None or app.packages


@pytest.mark.parametrize(
    "piece",
    ["[", "{", "- ", "a: ", "? ", "'", "[a, ", "&a ", "!a ", "x\n", "a:\n ", "links: [\n", "- '\n", " | ", '"\\'],
)
def test_no_header_takes_long(piece: str) -> None:
    text = "---\n" + piece * (60_000 // len(piece)) + "\n---\n"
    started = time.process_time()

    read(text)
    read("---\nlinks:\n- " + piece.replace("\n", " ") * (50_000 // len(piece)) + "\n---\n")

    assert time.process_time() - started < 2


def test_the_public_reports_about_headers() -> None:
    """FM-01, 02, 05 and 10 of the case file, each with the input of its report."""
    path = shared_cases("bug_reports.jsonl")
    cases = {case["id"]: case["input"] for case in map(json.loads, path.read_text(encoding="utf-8").splitlines())}

    def unescaped(text: str) -> str:
        return text.replace("\\n", "\n").replace("\\r", "\r").replace("\\ufeff", "\ufeff").replace('"', "")

    first, second = (part.split('"')[1] for part in cases["FM-01"].split("  B "))
    assert texts(read(unescaped(first))) == {"name": "bili", "description": "打开B站: 搜索视频"}
    assert codes(read(unescaped(second))) == ["error full_width_colon 3:12"]
    assert texts(read(unescaped(cases["FM-02"]))) == {"name": "a", "description": "b"}

    fields = Fields(read(f"---\n{unescaped(cases['FM-05'])}\n---\n"))
    assert [fields.text(key) for key in ("name", "title", "time", "code")] == ["10086", "no", "12:30", "0123"]
    assert fields.flag("enabled", default=False)

    header = f"---\npackages: [tv.danmaku.bili]\nlinks:\n{unescaped(cases['FM-10'])}\n---\n"
    app, findings = parse_app(read(header), folder="bili")
    assert app is not None
    assert [(link.title, link.uri) for link in app.links] == [
        ("首页", "bilibili://home #top"),
        ("视频: 热门", "bilibili://popular"),
        ("[热门]", "bilibili://hot"),
    ]
    assert "error uri_white_space 4:8" in said(list(findings))

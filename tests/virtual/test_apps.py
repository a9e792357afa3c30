"""App files: what they mean, and where in them something is wrong."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from controller.errors import DocumentError
from controller.virtual.apps import read_app, read_phone
from controller.virtual.phone import VirtualPhone
from controller.virtual.scope import Scope, parse_condition
from controller.virtual.spec import Action, Condition, Element
from controller.virtual.store import load_phone

APP = """
package: org.example.notes
label: Notes
state: {done: "0"}
data:
  notes:
    repeat: 3
    row: {title: "Note {n}"}
    cycle: {color: ["#fff", "#eee"]}
dialogs:
  sure: {title: Sure?, buttons: [{text: "No"}, {text: "Yes", do: {set: {done: "1"}}}]}
parts:
  line: [{text: "{title} ({mark})"}]
activities:
  .Main:
    launcher: true
    links: ["notes://open/{title}"]
    body:
      - list:
          - each: notes
            item: [{use: line, with: {mark: "{color}"}}]
            tap: {dialog: sure}
"""


def problem(text: str) -> tuple[int, int, str, str]:
    with pytest.raises(DocumentError) as caught:
        read_app(textwrap.dedent(text), "apps/x.yaml")
    error = caught.value
    assert error.message.startswith(f"apps/x.yaml:{error.details['line']}:{error.details['column']}: ")
    return error.details["line"], error.details["column"], error.message.partition(": ")[2], error.hint


def test_an_app_file_becomes_a_package() -> None:
    (package,) = read_app(APP, "notes.yaml")
    main = package.activities["org.example.notes.Main"]

    assert (package.name, package.label, dict(package.state)) == ("org.example.notes", "Notes", {"done": "0"})
    assert [dict(row) for row in package.data["notes"]] == [
        {"color": "#fff", "title": "Note 1", "n": "1"},
        {"color": "#eee", "title": "Note 2", "n": "2"},
        {"color": "#fff", "title": "Note 3", "n": "3"},
    ]
    assert (main.launcher, main.exported, main.links[0].uri) == (True, True, "notes://open/{title}")
    each = main.body[0].children[0]
    assert (each.kind, each.rows, each.tap) == ("each", "notes", (Action("dialog", "sure"),))
    assert each.children == (
        Element("use", children=(Element("text", text="{title} ({mark})"),), args=(("mark", "{color}"),)),
    )
    assert package.dialogs["sure"].buttons[1] == ("Yes", (Action("set", args=(("done", "1"),)),))


def test_several_packages_share_one_file_and_may_differ() -> None:
    text = """
        packages: [{package: a.one, label: One}, {package: a.two, label: Two, uid: 10999}]
        activities:
          .Main: {launcher: true, links: [{uri: "x://only-one", only: a.one}]}
          .Extra: {only: a.two}
    """
    one, two = read_app(textwrap.dedent(text), "x.yaml", first_uid=10300)

    assert (one.label, one.uid, list(one.activities)) == ("One", 10300, ["a.one.Main"])
    assert (two.label, two.uid, list(two.activities)) == ("Two", 10999, ["a.two.Main", "a.two.Extra"])
    assert (len(one.activities["a.one.Main"].links), len(two.activities["a.two.Main"].links)) == (1, 0)


HEAD = "package: a\nlabel: A\n"
MAIN = f"{HEAD}activities:\n  .M: "
KINDS = "`singletop` is not one of standard, singleTop, singleTask, singleInstance"
GRAMMAR = "`1 < 2` is no condition; write `name`, `!name`, `name == text` or `name != text`"


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        (f"{HEAD}activitys: {{}}", (3, 1), "unknown key `activitys`", "did you mean `activities`?"),
        ("label: A", (1, 1), "`package` is missing", ""),
        (f"{HEAD}uid: ten", (3, 6), "expected a number, found `ten`", ""),
        (f"{HEAD}label: B", (3, 1), "`label` stands here twice", ""),
        ("", (1, 1), "the file is empty", ""),
        (MAIN + "{body: [{txt: hello}]}", (4, 16), "unknown key `txt`", "did you mean `text`?"),
        (MAIN + "{body: [{text: a, tap: {opne: .N}}]}", (4, 31), "unknown key `opne`", "did you mean `open`?"),
        (MAIN + "{body: [{text: a, tap: {open: .N}}]}", (4, 37), "there is no activity `.N` in a", "there are: .M"),
        (MAIN + "{body: [{use: head}]}", (4, 21), "there is no part `head`", "parts: none"),
        (MAIN + "{mode: singletop}", (4, 14), KINDS, "did you mean `singleTop`?"),
        (MAIN + "{links: [home]}", (4, 16), "`home` is no URI: it has no scheme", ""),
        (MAIN + "{body: [{text: a, when: 1 < 2}]}", (4, 31), GRAMMAR, ""),
        (MAIN + "{body: [{text: a, padding: [1, 2, 3]}]}", (4, 34), "expected one, two or four numbers", ""),
        (
            f"{HEAD}parts:\n  x: [{{use: x}}]\nactivities: {{.M: {{body: [{{use: x}}]}}}}",
            (4, 13),
            "part `x` uses itself",
            "",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, place: tuple[int, int], message: str, hint: str) -> None:
    line, column, found, advice = problem(text)

    assert ((line, column), found, advice) == (place, message, hint)


def test_an_element_of_two_kinds_is_refused() -> None:
    line, column, message, _ = problem(MAIN + "{body: [{text: a, button: b}]}")

    assert (line, column, message) == (4, 15, "an element needs exactly one kind, found text, button")


def test_a_broken_yaml_file_is_named_with_its_place() -> None:
    line, _, message, _ = problem("package: a\nlabel: [A\nuid: 3\n")

    assert line in (2, 3)
    assert message.startswith("not valid YAML: ")


def test_a_phone_without_its_file_says_which_phones_there_are(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="there is no virtual phone 'nobody'") as caught:
        load_phone("nobody")

    assert "default" in caught.value.hint


def test_a_phone_is_read_from_any_folder(tmp_path: Path) -> None:
    (tmp_path / "apps").mkdir()
    (tmp_path / "phone.yaml").write_text(
        "serial: X1\nmodel: Box\nscreen: {width: 480, height: 800, density: 240}\n", encoding="utf-8"
    )
    (tmp_path / "apps" / "notes.yaml").write_text(APP, encoding="utf-8")
    spec = load_phone(tmp_path)

    assert (spec.serial, spec.width, spec.density, list(spec.packages)) == ("X1", 480, 240, ["org.example.notes"])


def test_the_shipped_phone_has_no_app_that_cannot_be_started() -> None:
    spec = load_phone("default")
    phone = VirtualPhone(spec, now=lambda: 0.0)
    for package in spec.packages.values():
        if package.launcher is not None:
            assert phone.launch(package.name).ok, package.name
            assert phone.windows()


def test_every_screen_of_the_shipped_apps_can_be_laid_out() -> None:
    from controller.virtual.intents import Intent

    spec = load_phone("default")
    for package in spec.packages.values():
        for name in package.activities:
            phone = VirtualPhone(spec, now=lambda: 0.0)
            phone.start(Intent(component=(package.name, name), caller=package.name))
            assert len(phone.windows()) >= 3, name


def test_an_error_in_a_phone_file_is_named() -> None:
    with pytest.raises(DocumentError, match=r"phone\.yaml:2:1: unknown key `modell`"):
        read_phone({"p/phone.yaml": "serial: A\nmodell: B\n"}, name="p")


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("a", (("a", "is", ""),)),
        ("!a", (("a", "not", ""),)),
        ("a == b c", (("a", "==", "b c"),)),
        ("a != {b}", (("a", "!=", "{b}"),)),
        ("a and b == ", (("a", "is", ""), ("b", "==", ""))),
    ],
)
def test_conditions_are_read(text: str, terms: tuple[tuple[str, str, str], ...]) -> None:
    assert parse_condition(text) == Condition(terms)


def test_names_are_looked_up_from_the_nearest_and_filled_in_once() -> None:
    scope = Scope({"a": "{b}", "n": "row"}, {"a": "far", "b": "two", "n": "screen"}, fallback={"f": "fact"}.get)

    assert scope.expand("{a} {b} {f} {missing} {outer.n} { no name }") == "{b} two fact  screen { no name }"
    assert scope.holds(parse_condition("b == two and !missing and n != screen"))

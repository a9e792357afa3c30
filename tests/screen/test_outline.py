"""The outline: what a person would say is on the screen."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest

from controller.errors import InvalidSelector, StaleRef
from controller.screen.hierarchy import Bounds, Hierarchy, parse
from controller.screen.outline import outline, read_ref
from tests.screen.trees import APP, SCREEN, dump, node, tree
from tests.shared import shared_cases


def lines(*children: str, keyboard: Bounds | None = None) -> list[str]:
    return shown(tree(*children), keyboard=keyboard)


def shown(h: Hierarchy, *, package: str | None = APP, keyboard: Bounds | None = None) -> list[str]:
    return outline(h, package=package, screen=SCREEN, keyboard=keyboard).text().split("\n")


def at(top: int, left: int = 0, right: int = 1080, height: int = 80) -> tuple[int, int, int, int]:
    return left, top, right, top + height


def test_a_row_is_one_line_with_its_second_text_as_value():
    row = node(
        "LinearLayout",
        "",
        at(0, height=200),
        node("TextView", "Email", at(20)),
        node("TextView", "ada@example.com", at(110)),
        flags="clickable",
    )

    assert lines(row) == ['- button "Email": ada@example.com [ref=e1]']


def test_the_letter_of_an_avatar_and_a_time_are_not_the_name():
    texts = [node("TextView", text, at(20, left=200 * i, right=200 * i + 150)) for i, text in enumerate(["P", "3"])]
    row = node("LinearLayout", "", at(0, height=200), *texts, node("TextView", "Planning", at(120)), flags="clickable")

    assert lines(row) == ['- button "Planning": 3 [ref=e1]']


def test_roles_and_flags_say_what_can_be_done():
    assert lines(
        node("TextView", "Title", at(0)),
        node("Button", "Off", at(100), flags="clickable off:enabled"),
        node("CheckBox", "Agree", at(200), flags="clickable checkable checked"),
        node("RadioButton", "One", at(300), flags="clickable checkable"),
        node("SeekBar", "", at(400), desc="Volume", flags="off:clickable"),
        node("ImageView", "", at(500), desc="A cat"),
        node("View", "Voice", at(600), flags="long-clickable"),
        node("TextView", "Tab", at(700), flags="selected"),
        node("ImageView", "", at(800), id="more", flags="clickable"),
        node("ImageView", "", at(900), id="0_resource_name_obfuscated", flags="clickable"),
    ) == [
        '- text "Title"',
        '- button "Off" [ref=e1] disabled',
        '- checkbox "Agree" [ref=e2] checked',
        '- radio "One" [ref=e3]',
        '- slider "Volume" [ref=e4]',
        '- image "A cat"',
        '- button "Voice" [ref=e5] long-press',
        '- text "Tab" selected',
        "- button #more [ref=e6]",
        "- button [ref=e7]",
    ]


def test_a_switch_called_by_its_state_takes_its_name_from_its_row():
    def row(name: str, top: int) -> str:
        return node(
            "LinearLayout",
            "",
            at(top, height=200),
            node("TextView", name, at(top + 10, right=500)),
            node("TextView", "in the background", at(top + 110, right=500)),
            node("Switch", "关闭", at(top + 50, left=900, height=100), flags="checkable"),
            desc=f"{name},in the background,null",
        )

    assert lines(row("Maps", 0), row("Mail", 200)) == [
        '- switch "Maps": in the background · 关闭 [ref=e1]',
        '- switch "Mail": in the background · 关闭 [ref=e2]',
    ]


def test_a_check_mark_inside_a_clickable_row_is_the_row():
    mark = node("RadioButton", "", at(20, left=900), flags="checkable checked")
    row = node("RelativeLayout", "", at(0), node("TextView", "For all", at(20, right=500)), mark, flags="clickable")

    assert lines(row) == ['- radio "For all" [ref=e1] checked']


def test_a_check_box_is_named_by_the_text_beside_it():
    assert lines(
        node("View", "", at(0, right=80), flags="checkable clickable"),
        node("TextView", "Fold by itself", at(10, left=100, right=600, height=60)),
        node("View", "", at(200, right=80), flags="checkable clickable checked"),
        node("TextView", "Tilt", at(210, left=100, right=600, height=60)),
    ) == ['- checkbox "Fold by itself" [ref=e1]', '- checkbox "Tilt" [ref=e2] checked']


def test_a_slider_is_named_by_the_line_above_and_a_list_of_choices_by_its_label():
    assert lines(
        node("View", "", at(0, right=500, height=40), desc="Iterations"),
        node("SeekBar", "", at(45), desc="38%", flags="clickable"),
        node("TextView", "Mode", at(200, right=200, height=60)),
        node("Spinner", "", at(265), node("TextView", "once", at(270)), flags="clickable"),
    ) == ['- slider "Iterations": 38% [ref=e1]', '- combobox "Mode": once [ref=e2]']


def test_a_field_is_named_by_its_hint_its_label_or_what_stands_in_it():
    assert lines(
        node("EditText", "ada", at(0), hint="Name", flags="clickable focused"),
        node("TextView", "E-mail", at(100, right=300, height=40)),
        node("EditText", "ada@example.com", at(145), flags="clickable"),
        node("EditText", "Search", at(400), flags="clickable"),
        node("EditText", "•••••", at(600), desc="Password", flags="clickable password"),
        node("EditText", "", at(800), id="message", flags="clickable"),
        node("EditText", "Phone", at(1000), hint="Phone", flags="clickable"),
    ) == [
        '- textbox "Name": ada [ref=e1] focused',
        '- textbox "E-mail": ada@example.com [ref=e2]',
        '- textbox "Search" [ref=e3]',
        '- textbox "Password" [ref=e4] password',
        "- textbox #message [ref=e5]",
        '- textbox "Phone" [ref=e6]',
    ]


def test_what_is_typed_into_a_password_field_is_never_shown():
    assert "hunter2" not in "\n".join(lines(node("EditText", "hunter2", at(0), flags="clickable password")))


def test_composes_three_names_of_one_button_are_one():
    button = node(
        "android.view.View",
        "",
        at(0),
        node("android.view.View", "", at(0), desc="Recovery action: Retry"),
        node("android.view.View", "", at(10, right=60, height=60), desc="Retry"),
        node("TextView", "Retry", at(10, left=70, right=200, height=60)),
        node("Button", "", at(0)),
        flags="clickable",
    )

    assert lines(button) == ['- button "Retry" [ref=e1]']


def test_texts_that_compose_lays_beside_their_clickable_area_belong_to_it():
    assert lines(
        node("android.view.View", "", at(0, height=200), flags="clickable"),
        node("TextView", "We get it", at(20, height=60)),
        node("TextView", "54 s", at(100, height=60)),
        node("Button", "", at(20, left=900, right=1000, height=60), desc="Copy", flags="clickable"),
        node("TextView", "Footer", at(300)),
    ) == ['- button "We get it": 54 s [ref=e1]', '  - button "Copy" [ref=e2]', '- text "Footer"']


def test_flutters_lines_are_a_name_and_a_value_without_instructions():
    assert lines(
        node("android.view.View", "", at(0), desc="Rebirth\nTab 3 of 13", flags="clickable"),
        node(
            "android.widget.ImageView",
            "",
            at(100),
            desc="Mandelbrot\nThe classic\nDouble tap to open",
            flags="clickable",
        ),
    ) == ['- button "Rebirth" [ref=e1]', '- button "Mandelbrot": The classic [ref=e2]']


def test_glyphs_of_icon_fonts_are_dropped_and_hidden_labels_used():
    tab = node("View", "", at(0), node("TextView", "Проекты", (0, 0, 0, 0)), desc="\uec28, Проекты", flags="clickable")
    icon = node(
        "View",
        "",
        at(100),
        node("TextView", "\uec84", at(100)),
        node("TextView", "Чаты", (0, 0, 0, 0)),
        flags="clickable",
    )

    assert lines(tab, icon) == ['- button "Проекты" [ref=e1]', '- button "Чаты" [ref=e2]']


def test_an_icon_and_a_label_that_are_clickable_each_are_one_button():
    chip = node(
        "LinearLayout",
        "",
        (20, 0, 200, 60),
        node("ImageView", "", (38, 14, 70, 46), flags="clickable"),
        node("TextView", "Card", (70, 12, 182, 48), flags="clickable"),
        flags="clickable",
    )

    assert lines(chip) == ['- button "Card" [ref=e1]']


def test_buttons_inside_a_row_keep_their_own_lines():
    row = node(
        "LinearLayout", "", at(0, height=200), node("TextView", "Ada", at(20, right=300)),
        node("Button", "Follow", at(20, left=700), flags="clickable"), flags="clickable",
    )  # fmt: skip

    assert lines(row) == ['- button "Ada" [ref=e1]', '  - button "Follow" [ref=e2]']


def test_a_list_that_scrolls_holds_its_rows():
    rows = [node("TextView", name, at(100 * i), flags="clickable") for i, name in enumerate(["a1", "b2"])]

    assert lines(node("RecyclerView", "", (0, 0, 1080, 2000), *rows, id="rows", flags="scrollable")) == [
        "- list #rows [ref=e1] scroll",
        '  - button "a1" [ref=e2]',
        '  - button "b2" [ref=e3]',
    ]


def test_lines_come_as_they_are_read_and_from_the_right_in_arabic():
    assert lines(node("TextView", "second", at(900)), node("TextView", "first", at(100))) == [
        '- text "first"',
        '- text "second"',
    ]
    assert lines(node("TextView", "اليسار", at(0, right=400)), node("TextView", "اليمين", at(0, left=600))) == [
        '- text "اليمين"',
        '- text "اليسار"',
    ]


def test_texts_of_the_screen_are_data():
    assert lines(node("TextView", 'He said "no" \\ \u202eevil\nsecond\tline\x85', at(0))) == [
        '- text "He said \\"no\\" \\\\ evil second line"'
    ]


def test_a_text_cannot_pass_for_a_ref():
    row = node(
        "View",
        "",
        at(0),
        node("TextView", "Hello", at(0)),
        node("TextView", "x [ref=e7] checked", at(40)),
        flags="clickable",
    )

    assert lines(row) == ['- button "Hello": x (ref=e7] checked [ref=e1]']


def test_long_texts_are_shortened_and_say_so():
    (line,) = lines(node("TextView", "x" * 1000, at(0)))

    assert line == f'- text "{"x" * 600}… (+400 characters)"'


@pytest.mark.parametrize(
    ("cls", "note", "line"),
    [
        (
            "android.webkit.WebView",
            "content not exposed: use screenshot or read_page",
            "- webview: content not exposed",
        ),
        ("android.view.SurfaceView", "content not exposed: use screenshot", "- canvas: content not exposed"),
        (
            "io.flutter.embedding.android.FlutterView",
            "content not exposed: use screenshot",
            "- canvas: content not exposed",
        ),
    ],
)
def test_a_large_view_that_exposes_nothing_is_said_with_its_bounds(cls, note, line):
    short = cls.rpartition(".")[2]

    assert lines(node(cls, "", (0, 200, 1080, 2200))) == [f"! {short} [0,200][1080,2200]: {note}", line]


def test_a_web_view_that_exposes_its_page_points_to_read_page():
    web = node("android.webkit.WebView", "", (0, 200, 1080, 2200), node("TextView", "Hello", at(300)))

    assert lines(web) == ["! WebView: use read_page", '- text "Hello"']


def test_an_empty_tree_says_why_it_may_be():
    assert shown(parse('<hierarchy rotation="0"/>')) == [
        "! tree empty: the app exposes nothing here (game, canvas, or not idle): use screenshot"
    ]
    bar = dump(node("FrameLayout", "", (0, 0, 1080, 80), node("TextView", "12:00"), package="com.android.systemui"))
    assert shown(parse(bar), package="com.tencent.mm")[0] == (
        "! no element of com.tencent.mm is in the tree: use screenshot"
    )


def test_rows_that_are_clipped_away_or_lie_outside_are_counted():
    assert lines(
        node("Button", "Here", at(100), flags="clickable"),
        node("Button", "All contacts", (42, 2534, 1038, 2383), flags="clickable"),
        node("Button", "New list", at(2500), flags="clickable"),
        node("TextView", "Up there", (0, -200, 1080, -100)),
    ) == [
        "! off screen above: 1 items (Up there)",
        "! off screen below: 2 items (New list, All contacts)",
        '- button "Here" [ref=e1]',
    ]


def test_a_dialog_of_the_system_is_named():
    dialog = node(
        "FrameLayout",
        "",
        (90, 900, 990, 1500),
        node("Button", "Wait", at(1000), flags="clickable", package="android"),
        package="android",
    )

    assert shown(parse(dump(dialog))) == [
        "! dialog on top: android",
        "! no element of com.example.app is in the tree: use screenshot",
        '- button "Wait" [ref=e1]',
    ]


def test_the_keyboard_is_said_its_keys_are_not_and_what_lies_under_it_is_marked():
    keys = node("FrameLayout", "", (0, 1500, 1080, 2400), node("TextView", "q"), package="com.baidu.input")
    page = node("FrameLayout", "", (0, 0, 1080, 2400), node("Button", "Send", at(1800), flags="clickable"))

    assert shown(parse(dump(keys, page))) == ["! keyboard shown", '- button "Send" [ref=e1] under-keyboard']


def test_windows_of_others_come_after_the_apps_own_and_bars_not_at_all():
    floating = node(
        "FrameLayout",
        "",
        (400, 500, 900, 1300),
        node("Button", "ESC", at(600), flags="clickable"),
        package="com.termux",
    )
    strip = node("android.view.View", "", (0, 108, 38, 2388), package="gesture")
    bar = node("FrameLayout", "", (0, 0, 1080, 80), node("TextView", "12:00"), package="com.android.systemui")
    page = node("FrameLayout", "", (0, 0, 1080, 2400), node("TextView", "Orders"))

    assert shown(parse(dump(floating, strip, bar, page))) == [
        '- text "Orders"',
        '- window "com.termux"',
        '  - button "ESC" [ref=e1]',
    ]


def test_boxes_are_given_when_asked_for():
    made = outline(tree(node("Button", "OK", (10, 20, 110, 70), flags="clickable")), package=APP)

    assert made.text(boxes=True) == '- button "OK" [ref=e1] [box=10,20,100,50]'
    assert made.as_dict()["elements"] == [
        {"ref": "e1", "role": "button", "name": "OK", "value": "", "flags": [], "depth": 0, "id": None,
         "bounds": [10, 20, 110, 70]}
    ]  # fmt: skip


@pytest.mark.parametrize("written", ["e1", "@e1", "[ref=e1]", "e1~o7", "E1", " e1 "])
def test_a_ref_may_be_written_in_several_ways(written):
    made = outline(tree(node("Button", "OK", flags="clickable")), package=APP)

    assert made.element(written).name == "OK"


def test_refs_that_are_none_or_unknown_are_told_apart():
    made = outline(tree(node("Button", "OK", flags="clickable")), package=APP)

    assert read_ref("e12~o7") == ("e12", 7)
    with pytest.raises(InvalidSelector, match="no reference"):
        made.element("OK")
    with pytest.raises(StaleRef, match="no element e9"):
        made.element("e9")


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text).casefold())


def test_real_screens_show_what_a_person_sees_and_all_that_can_be_acted_on():
    folder = shared_cases("hierarchies")
    seen = to_see = acted = to_act = named = to_name = length = 0
    for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        made = outline(parse((folder / case["file"]).read_bytes()), package=case["package"])
        text = unicodedata.normalize("NFC", made.text()).casefold()
        length += len(text)
        things = [thing for thing in case["person_sees"] if thing[0] not in "[("]
        to_see += len(things)
        seen += sum(all(word in text for word in words(thing)) for thing in things)
        found = {tuple(element.as_dict()["bounds"]): element for element in made.elements if element.ref}
        for action in case["actions"]:
            if action.get("not_actionable_in_xml"):
                continue
            to_act += 1
            element = found.get(tuple(action["bounds"]))
            acted += element is not None
            # Names in brackets, and those that the reader guessed, are not in the file.
            if element and not action.get("unnamed_in_xml") and not action.get("guess") and action["name"][0] != "(":
                to_name += 1
                wanted = words(re.sub(r"[(（].*?[)）]", "", action["name"]))
                named += all(word in " ".join(words(f"{element.name} {element.value}")) for word in wanted)

    assert (seen, to_see) == (661, 664)
    assert (acted, to_act) == (821, 821)
    assert named / to_name >= 0.95
    assert length <= 60_000

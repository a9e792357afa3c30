"""Dumps as values: what is read, what is repaired, what is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import DocumentError
from controller.screen.hierarchy import (
    NOWHERE,
    Bounds,
    Hierarchy,
    Node,
    States,
    app_windows,
    clean,
    focused_field,
    has_nodes_of,
    parse,
    visible_text,
)
from controller.screen.outline import outline
from tests.screen.trees import APP, dump, named, node, tree
from tests.shared import shared_cases


def test_a_node_has_all_that_the_dump_says_of_it():
    xml = """<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="1">
    <node index="0" text="设置" resource-id="com.example.app:id/title" class="android.widget.TextView"
    package="com.example.app" content-desc="open" checkable="true" checked="true" clickable="true" enabled="false"
    focusable="true" focused="true" scrollable="true" long-clickable="true" password="true" selected="true"
    visible-to-user="false" bounds="[0,63][1080,2400]" drawing-order="3" hint="what?" display-id="0"><node/></node>
    </hierarchy>"""

    read = parse(xml)

    states = States(
        clickable=True, long_clickable=True, scrollable=True, checkable=True, checked=True, enabled=False,
        focusable=True, focused=True, selected=True, password=True, visible=False,
    )  # fmt: skip
    child = Node(path=(0, 0), states=States())
    assert read == Hierarchy(
        windows=(
            Node(
                path=(0,),
                class_name="android.widget.TextView",
                package="com.example.app",
                text="设置",
                desc="open",
                resource_id="com.example.app:id/title",
                hint="what?",
                bounds=Bounds(0, 63, 1080, 2400),
                states=states,
                drawing_order=3,
                children=(child,),
            ),
        ),
        rotation=1,
    )
    assert read.windows[0].short_id == "title"
    assert read.windows[0].short_class == "TextView"


def test_text_and_bytes_are_read_alike_with_and_without_a_byte_order_mark():
    xml = dump(node("TextView", "été 中文 😃"))

    assert parse(xml) == parse(xml.encode()) == parse("\ufeff" + xml) == parse("\ufeff".encode() + xml.encode())
    assert parse(xml.replace('encoding="UTF-8"', "").encode("utf-16")).windows[0].text == "été 中文 😃"


def test_an_emoji_written_as_two_halves_is_one_character():
    xml = '<hierarchy rotation="0"><node text="hi &#55357;&#56835;" bounds="[0,0][10,10]"/></hierarchy>'

    read = parse(xml)

    assert (read.windows[0].text, read.notes) == ("hi 😃", ("references",))


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("a&#55357;b", "ab"),
        ("&#56835;&#55357;", ""),
        ("&#65;&#55357;&#56835;&#66;", "A😃B"),
        ("&#xD83D;&#xDE03;", "😃"),
        ("a&#0;b&#x1F;c", "abc"),
        ("a\x00b\x0bc", "abc"),
        ("\ud83d\ude03", "😃"),
        ("a\ud83db", "ab"),
        ("Tom & Jerry", "Tom & Jerry"),
        ("R&D&amp;", "R&D&"),
        ("&#99999999999999;x", "x"),
    ],
)
def test_characters_that_xml_forbids_are_joined_or_dropped(written, text):
    assert parse(f'<hierarchy><node text="{written}" bounds="[0,0][10,10]"/></hierarchy>').windows[0].text == text


def test_text_around_the_dump_is_cut_away():
    xml = dump(node("TextView", "Hello"))
    glued = f"[DeviceManager] Found USB device\r\n{xml}UI hierchary dumped to: /dev/tty\n"

    read = parse(glued.encode())

    assert read.windows == parse(xml).windows
    assert read.notes == ("text_before", "text_after")
    assert parse("WARNING: linker\n<hierarchy rotation='0' />\nKilled").windows == ()


def test_line_ends_that_a_shell_doubled_do_no_harm():
    xml = dump(node("FrameLayout", "", (0, 0, 9, 9), "\n  ", node("TextView", "Hello"), "\n"))

    assert parse(xml.replace("\n", "\r\r\n")).windows == parse(xml).windows


def test_korean_and_chinese_in_their_old_code_pages_are_read():
    korean = dump(node("TextView", "빠른 설정"), node("TextView", "사이드 미러 잠김"))
    chinese = dump(node("TextView", "我的收藏"), node("TextView", "更多设置与隐私政策"))

    assert [window.text for window in parse(korean.encode("cp949")).windows] == ["빠른 설정", "사이드 미러 잠김"]
    assert parse(korean.encode("cp949")).notes == ("not_utf8: read as cp949",)
    assert parse(chinese.encode("gb18030")).windows[1].text == "更多设置与隐私政策"


def test_a_few_broken_bytes_do_not_change_the_code_page():
    broken = dump(node("TextView", "设置设置设置设置")).encode().replace("设".encode(), b"\xe8\xae", 1)

    read = parse(broken)

    assert read.notes == ("not_utf8: unreadable characters replaced",)
    assert read.windows[0].text.endswith("设置设置设置")


def test_symbols_that_a_console_mangled_are_put_right():
    read = parse(dump(node("TextView", "Γ£ò"), node("TextView", "Γ¡É1"), node("TextView", "Ωραία, Γεια! £5 né")))

    assert [window.text for window in read.windows] == ["✕", "⭐1", "Ωραία, Γεια! £5 né"]
    assert read.notes == ("cp437",)


def test_appium_writes_classes_as_tags():
    xml = """<hierarchy index="0" class="hierarchy" rotation="0" width="1080" height="2254">
      <android.widget.Button index="0" package="com.example.app" class="android.widget.Button" text="OK"
        clickable="true" bounds="[0,0][200,100]" displayed="true"/>
      <android.widget.Toast text="Saved" displayed="true" />
    </hierarchy>"""

    button, toast = parse(xml).windows

    assert (button.class_name, button.text, button.clickable) == ("android.widget.Button", "OK", True)
    assert (toast.class_name, toast.bounds, toast.bounds.empty) == ("android.widget.Toast", NOWHERE, True)


def test_nodes_that_are_all_said_to_be_hidden_are_taken_as_shown():
    hidden = '<node text="a" displayed="false" bounds="[0,0][9,9]"><node text="b" displayed="false"/></node>'
    partly = '<node text="a" displayed="true" bounds="[0,0][9,9]"><node text="b" displayed="false"/></node>'

    assert [n.visible for n in parse(f"<hierarchy>{hidden}</hierarchy>").nodes()] == [True, True]
    assert parse(f"<hierarchy>{hidden}</hierarchy>").notes == ("displayed_false",)
    assert [n.visible for n in parse(f"<hierarchy>{partly}</hierarchy>").nodes()] == [True, False]


@pytest.mark.parametrize(
    ("written", "bounds"),
    [
        ("[42,2134][1038,2083]", Bounds(42, 2134, 1038, 2083)),
        ("[0,0][0,0]", NOWHERE),
        ("[-10,0][20,30]", Bounds(-10, 0, 20, 30)),
        ("", NOWHERE),
        ("[a,b][c,d]", NOWHERE),
    ],
)
def test_bounds_are_read_as_they_are_written(written, bounds):
    read = parse(f'<hierarchy><node bounds="{written}"/></hierarchy>').windows[0].bounds

    assert read == bounds
    assert read.empty == (written != "[-10,0][20,30]")


def test_inverted_bounds_have_no_size():
    inverted = Bounds(42, 2134, 1038, 2083)

    assert (inverted.width, inverted.height, inverted.area, inverted.empty) == (996, 0, 0, True)


def test_a_node_alone_is_a_window():
    assert parse('<node class="android.webkit.WebView" text="" bounds="[0,200][1080,2200]"/>').count == 1


def test_a_dump_that_was_cut_off_gives_what_there_is():
    xml = dump(node("FrameLayout", "", (0, 0, 9, 9), node("TextView", "Hello"), node("TextView", "World")))

    read = parse(xml[: xml.index("World")])

    assert [n.text for n in read.nodes() if n.text] == ["Hello"]
    assert "recovered" in read.notes


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Killed",
        "ERROR: could not get idle state.",
        "<html><body>no</body></html>",
        "{}",
        "<!DOCTYPE hierarchy [<!ENTITY a 'b'>]><hierarchy><node text='&a;'/></hierarchy>",
        "<node>" * 3000,
    ],
)
def test_what_is_no_hierarchy_is_refused(text):
    with pytest.raises(DocumentError, match="not a UI hierarchy"):
        parse(text)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_hierarchy_or_a_document_error(data):
    try:
        read = parse(b"<hierarchy><node text='" + data)
    except DocumentError:
        return
    assert isinstance(read, Hierarchy)


_PIECES = st.sampled_from(
    ["<hierarchy>", "</hierarchy>", "<node ", "/>", "</node>", "text='a\"'", 'text="', '" bounds="[1,2][30,40]"', ">",
     "&#55357;", "&", "<", "<?xml version='1.0' encoding='gb2312'?>", "clickable='true' ", "é", "\x00", "<!--", "]]>",
     "<a:b xmlns:a='x' class='y'>"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES, max_size=14).map("".join))
def test_any_pieces_of_a_dump_are_a_hierarchy_with_an_outline_or_a_document_error(text):
    try:
        read = parse(text)
    except DocumentError:
        return
    assert isinstance(outline(read, package=APP).text(), str)
    assert parse(text.encode()).windows == read.windows


def test_nodes_are_found_by_their_path_and_know_what_is_above_them():
    h = tree(node("LinearLayout", "", (0, 0, 9, 9), node("TextView", "a"), node("TextView", "b")))
    found = named(h, "b")

    assert found.path == (0, 0, 1)
    assert h.at(found.path) == found
    assert h.at((0, 5)) is None
    assert [above.short_class for above in h.ancestors(found)] == ["LinearLayout", "FrameLayout"]
    assert [n.path for n in h.nodes()] == [(0,), (0, 0), (0, 0, 0), (0, 0, 1)]
    assert h.count == 4


def test_the_windows_of_an_app_leave_out_bars_keyboards_and_toasts():
    app = node("FrameLayout", "", (0, 0, 1080, 2400), node("TextView", "mine"))
    bar = node("FrameLayout", "", (0, 0, 1080, 80), package="com.android.systemui")
    keys = node("FrameLayout", "", (0, 1500, 1080, 2400), package="com.google.android.inputmethod.latin")
    toast = node("Toast", "Saved", (0, 0, 0, 0), package="com.other")
    h = parse(dump(keys, bar, app, toast))

    assert [window.package for window in app_windows(h, APP)] == [APP]
    assert [window.package for window in app_windows(h, None)] == [APP]
    assert app_windows(h, "com.absent") == ()
    assert has_nodes_of(h, APP)


def test_a_mini_program_that_shows_only_the_status_bar_has_no_nodes_of_its_own():
    h = tree(node("TextView", "12:00"), package="com.android.systemui", bounds=(0, 0, 1080, 80))

    assert not has_nodes_of(h, "com.tencent.mm")


def test_the_bare_frames_around_a_window_are_no_nodes_of_the_app():
    frame = node("FrameLayout").replace('resource-id=""', 'resource-id="android:id/content"')

    assert not has_nodes_of(tree(frame), APP)
    assert has_nodes_of(tree(node("View", flags="clickable")), APP)


def test_reading_counts_each_text_once_and_no_secrets_keys_or_names_of_pictures():
    h = parse(
        dump(
            node("FrameLayout", "", (0, 1500, 1080, 2400), node("TextView", "q"), package="com.baidu.input"),
            node(
                "FrameLayout",
                "",
                (0, 0, 1080, 2400),
                node("TextView", "Hello"),
                node("TextView", "Hello"),
                node("ImageView", desc="Navigate up"),
                node("android.view.View", desc="Flutter says this\nin two lines"),
                node("EditText", "secret", flags="password"),
                node("EditText", hint="Search"),
                node("TextView", "gone", (0, 0, 0, 0)),
                node("TextView", "hidden", flags="off:visible-to-user"),
                node("LinearLayout", "", (0, 0, 9, 9), node("TextView", "row"), desc="row, joined"),
            ),
        )
    )

    assert visible_text(h, package=APP).split("\n") == ["Hello", "Flutter says this in two lines", "Search", "row"]


def test_a_page_under_a_sheet_is_not_read_where_the_drawing_order_tells():
    def layers(page_order: int, sheet_order: int) -> str:
        page = node(
            "FrameLayout",
            "",
            (0, 0, 1080, 2400),
            node("TextView", "page", (0, 1500, 1080, 1600)),
            node("TextView", "title", (0, 100, 1080, 200)),
            order=page_order,
        )
        sheet = node("FrameLayout", "", (0, 1200, 1080, 2400), node("TextView", "sheet", (0, 1500, 1080, 1600)),
                     order=sheet_order)  # fmt: skip
        return visible_text(tree(page, sheet), package=APP)

    assert layers(1, 2).split("\n") == ["title", "sheet"]
    assert layers(2, 1).split("\n") == ["page", "title"]
    assert layers(0, 0).split("\n") == ["page", "title", "sheet"]


def test_the_field_that_is_typed_into_is_the_focused_one():
    h = tree(node("EditText", "a"), node("EditText", "b", flags="focused"), node("Button", "c", flags="focused"))

    field = focused_field(h)

    assert field is not None
    assert field.text == "b"
    assert focused_field(tree(node("Button", "c", flags="focused"))) is None


@pytest.mark.parametrize(
    ("text", "tidy"),
    [
        ("\u200cRead  more\n\tnow ", "Read more now"),
        ("\u200e+49 30\u200f", "+49 30"),
        ("a\x00b\x1b[31m", "ab[31m"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("S/\xa010", "S/ 10"),
    ],
)
def test_texts_are_cleaned_to_one_line(text, tidy):
    assert clean(text) == tidy


def test_every_real_dump_is_read_with_the_node_count_of_its_index():
    folder = shared_cases("hierarchies")
    wanted, found, repaired = {}, {}, {}
    for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        read = parse((folder / case["file"]).read_bytes())
        wanted[case["file"]] = (case["nodes"], case["facts"]["windows"])
        found[case["file"]] = (read.count, len(read.windows))
        if read.notes:
            repaired[case["file"]] = read.notes

    assert found == wanted
    assert repaired == {
        "car_mojibake_quick_settings.xml": ("not_utf8: read as cp949", "text_before"),
        "car_en_general_displayed_false.xml": ("displayed_false",),
        "game_en_build_mojibake.xml": ("text_after", "cp437"),
    }


def test_a_deep_tree_can_be_compared_outlined_and_read():
    deep = (
        "<hierarchy>" + '<node text="x" bounds="[0,0][9,9]" displayed="false">' * 159 + "</node>" * 159 + "</hierarchy>"
    )

    read = parse(deep)

    assert read == parse(deep)
    assert read.count == 159
    assert outline(read, package=None).elements[0].name == "x"
    assert visible_text(read) == "x"

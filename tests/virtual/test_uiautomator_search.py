"""Selectors and dumps over trees written here, and what the server's two searches find in them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.virtual.ui import Rect, UiNode
from controller.virtual.uiautomator.dump import dump_focused, dump_windows, escaped, invalid_to_dots
from controller.virtual.uiautomator.selector import InvalidSelector, Selector, find_by, find_in

SCREEN = (1080, 2400)


def node(name: str, *children: UiNode, cls: str = "android.widget.TextView", **attributes: object) -> UiNode:
    """A node whose key and text are its name."""
    bounds = Rect(0, 0, 100, 50)
    values = {"text": name, "bounds": bounds, "frame": bounds} | attributes
    return UiNode(key=name, kind="text", class_name=cls, package="com.a", children=children, **values)  # type: ignore[arg-type]


def group(name: str, *children: UiNode, **attributes: object) -> UiNode:
    """A node without text."""
    return node(name, *children, cls="android.widget.FrameLayout", text="", **attributes)


TREE = group(
    "root",
    group(
        "list",
        group("row1", node("Alpha", resource_id="com.a:id/title"), node("first")),
        group("row2", node("Beta", resource_id="com.a:id/title"), node("second"), clickable=True),
        group("row3", node("alphabet", resource_id="com.a:id/title"), visible=False),
        scrollable=True,
    ),
    node("Alpha2", content_desc="Other"),
)
BAR = group("bar", node("12:00", content_desc="clock"))


def client(**terms: object) -> dict[str, object]:
    """The JSON that uiautomator2's own Selector sends for these arguments."""
    u2 = pytest.importorskip("uiautomator2._selector")
    selector = u2.Selector(**{key: value for key, value in terms.items() if key not in {"child", "sibling"}})
    for kind in ("child", "sibling"):
        if kind in terms:
            getattr(selector, kind)(**terms[kind])  # type: ignore[arg-type]
    return dict(selector)


def keys_by(**terms: object) -> str | None:
    found = find_by(Selector.read(client(**terms)), [BAR, TREE])
    return None if found is None else found.node.key


def keys_in(**terms: object) -> str | None:
    found = find_in(Selector.read(client(**terms)), TREE)
    return None if found is None else found.node.key


@pytest.mark.parametrize(
    ("terms", "key"),
    [
        ({"text": "Beta"}, "Beta"),
        ({"text": "beta"}, None),
        ({"textContains": "lph"}, "Alpha"),
        ({"textContains": "LPH"}, None),
        ({"textStartsWith": "Alp"}, "Alpha"),
        ({"textMatches": "B.*"}, "Beta"),
        ({"textMatches": "(?i)beta"}, "Beta"),
        ({"textMatches": "Bet"}, None),
        ({"textMatches": r"\p{Lu}eta"}, "Beta"),
        ({"description": "clock"}, "12:00"),
        ({"descriptionContains": "lock"}, "12:00"),
        ({"resourceId": "com.a:id/title"}, "Alpha"),
        ({"resourceIdMatches": ".*title", "text": "Beta"}, "Beta"),
        ({"className": "android.widget.FrameLayout"}, "bar"),
        ({"className": ".FrameLayout", "clickable": True}, "row2"),
        ({"packageName": "com.a", "scrollable": True}, "list"),
        ({"text": "alphabet"}, None),
        ({"text": "Beta", "instance": 9}, "Beta"),
    ],
)
def test_the_search_over_all_windows_finds(terms: dict[str, object], key: str | None) -> None:
    assert keys_by(**terms) == key


@pytest.mark.parametrize(
    ("terms", "key"),
    [
        ({"textContains": "LPH"}, "Alpha"),
        ({"textContains": "LPH", "instance": 1}, "Alpha2"),
        ({"textContains": "LPH", "instance": 2}, None),
        ({"description": "clock"}, None),
        ({"className": "android.widget.FrameLayout"}, "root"),
        ({"className": "android.widget.FrameLayout", "instance": 3}, "row2"),
        ({"index": 1, "className": "android.widget.TextView"}, "first"),
        ({"scrollable": True, "child": {"text": "second"}}, "second"),
        ({"text": "first", "sibling": {"resourceId": "com.a:id/title"}}, "Alpha"),
        ({"scrollable": True, "child": {"resourceId": "com.a:id/title", "instance": 1}}, "Beta"),
        ({"scrollable": True, "child": {"clickable": True}, "sibling": {"text": "first"}}, "first"),
        ({"text": "Alpha2", "child": {"text": "Beta"}}, None),
        ({}, "root"),
    ],
)
def test_the_search_in_the_active_window_finds(terms: dict[str, object], key: str | None) -> None:
    assert keys_in(**terms) == key


def test_a_selector_prints_itself_as_uiselector_does() -> None:
    selector = Selector.read(
        client(text="搜索", enabled=True, instance=1, resourceId="com.a:id/x", child={"textMatches": "a.*"})
    )

    assert str(selector) == (
        "UiSelector[TEXT=搜索, INSTANCE=1, ENABLED=true, CHILD=UiSelector[TEXT_REGEX=a.*], RESOURCE_ID=com.a:id/x]"
    )


def test_selectors_that_java_refuses_raise_its_exceptions() -> None:
    with pytest.raises(InvalidSelector) as empty:
        keys_by()
    with pytest.raises(InvalidSelector) as pattern:
        keys_in(textMatches="(")

    assert empty.value.java_class == "java.lang.NullPointerException"
    assert pattern.value.java_class == "java.util.regex.PatternSyntaxException"


def test_a_dump_of_all_windows_is_written_as_the_jar_writes_it() -> None:
    root = group("w", node("a", resource_id="com.a:id/a", hint="type", clickable=True, drawing_order=2), index=0)

    assert dump_windows([root], rotation=1, size=SCREEN, sdk=34) == (
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n"
        '<hierarchy rotation="1">\r\n'
        '  <node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="com.a" content-desc="" '
        'checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" '
        'scrollable="false" long-clickable="false" password="false" selected="false" visible-to-user="true" '
        'bounds="[0,0][100,50]" drawing-order="0" hint="" display-id="0">\r\n'
        '    <node index="0" text="a" resource-id="com.a:id/a" class="android.widget.TextView" package="com.a" '
        'content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="false" '
        'focused="false" scrollable="false" long-clickable="false" password="false" selected="false" '
        'visible-to-user="true" bounds="[0,0][100,50]" drawing-order="2" hint="type" display-id="0" />\r\n'
        "  </node>\r\n"
        "</hierarchy>"
    )


def test_an_empty_dump_closes_its_hierarchy_at_once() -> None:
    assert dump_windows([], rotation=0, size=SCREEN, sdk=34).endswith('\r\n<hierarchy rotation="0" />')


def test_android_9_has_no_display_id_and_depth_is_limited() -> None:
    assert "display-id" not in dump_windows([TREE], rotation=0, size=SCREEN, sdk=28)
    assert dump_windows([TREE], rotation=0, size=SCREEN, sdk=34, max_depth=1).count("<node") == 3


def test_invisible_children_are_left_out_and_keep_their_index() -> None:
    tree = group("g", node("a"), node("b", visible=False), node("c"))

    xml = ElementTree.fromstring(dump_focused(tree, rotation=0, size=SCREEN))

    assert [(one.get("text"), one.get("index")) for one in xml[0]] == [("a", "0"), ("c", "2")]


def test_a_button_that_says_nothing_is_marked_as_not_accessible() -> None:
    silent = group("s", group("icon"), clickable=True)

    assert '<node NAF="true" index="0"' in dump_focused(silent, rotation=0, size=SCREEN)
    assert "NAF" not in dump_focused(group("s", node("says"), clickable=True), rotation=0, size=SCREEN)


def test_attributes_are_escaped_as_java_does() -> None:
    assert escaped("a<b>&\"c'\n") == "'a&lt;b&gt;&amp;\"c&apos;&#10;'"
    assert escaped("it's") == '"it\'s"'
    assert escaped("😀") == '"&#128512;"'
    assert escaped("😀", surrogates=True) == '"&#55357;&#56832;"'
    assert invalid_to_dots("a😀\x00中\x7f") == "a...中."


@given(st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=40))
def test_any_text_survives_the_dump_but_for_what_xml_cannot_hold(text: str) -> None:
    xml = dump_windows([node("t", text=text)], rotation=0, size=SCREEN, sdk=34)

    assert ElementTree.fromstring(xml.encode())[0].get("text") == invalid_to_dots(text)

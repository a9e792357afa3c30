"""What is taken out of a tree, and what is painted over."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.capture.hiding import HIDDEN, PASSWORD, Hiding
from controller.screen.hierarchy import Bounds, Hierarchy, Node, States

PAGE = Bounds(0, 0, 100, 200)


def tree(*nodes: Node) -> Hierarchy:
    return Hierarchy((Node(class_name="android.widget.FrameLayout", bounds=PAGE, children=nodes),))


def test_a_marked_text_is_replaced_wherever_it_stands_and_its_element_is_painted_over() -> None:
    name = Node(text="你好，Ada Lovelace", bounds=Bounds(0, 0, 50, 10))
    picture = Node(desc="portrait of ADA LOVELACE", hint="ada lovelace", bounds=Bounds(0, 10, 50, 20))
    other = Node(text="Ada", bounds=Bounds(0, 20, 50, 30))

    hidden, painted = Hiding.of(["Ada Lovelace "]).tree(tree(name, picture, other))

    said = [(node.text, node.desc, node.hint) for node in hidden.windows[0].children]
    assert said == [(f"你好，{HIDDEN}", "", ""), ("", f"portrait of {HIDDEN}", HIDDEN), ("Ada", "", "")]
    assert painted == (name.bounds, picture.bounds)


def test_a_password_loses_its_length_and_the_keyboard_below_it_its_keys() -> None:
    field = Node(
        class_name="android.widget.EditText",
        text="•••",
        bounds=Bounds(0, 0, 50, 10),
        states=States(password=True, focused=True),
    )
    keyboard = Bounds(0, 120, 100, 200)

    hidden, painted = Hiding().tree(tree(field), keyboard=keyboard)

    assert hidden.windows[0].children[0].text == PASSWORD
    assert painted == (field.bounds, keyboard)


def test_an_empty_password_field_keeps_its_hint() -> None:
    field = Node(class_name="android.widget.EditText", text="密码", hint="密码", states=States(password=True))

    assert Hiding().tree(tree(field))[0].windows[0].children[0].text == "密码"


def test_a_marked_text_is_found_in_a_uri_also_where_it_is_encoded() -> None:
    assert (
        Hiding.of(["猫 咖"]).uri("bilibili://search?keyword=%E7%8C%AB%20%E5%92%96")
        == f"bilibili://search?keyword={HIDDEN}"
    )


def test_a_text_that_contains_another_is_hidden_as_a_whole() -> None:
    assert Hiding.of(["Ada", "Ada Lovelace", " "]).text("Ada Lovelace, Ada") == f"{HIDDEN}, {HIDDEN}"


@given(st.text(min_size=1).filter(lambda text: text.strip() and "▒" not in text), st.text(), st.text())
def test_nothing_hidden_is_left(secret: str, before: str, after: str) -> None:
    assert secret.strip() not in Hiding.of([secret]).text(before + secret + after)

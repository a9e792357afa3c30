"""Links and package aliases are taken from the lines, byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.library.findings import Place
from controller.library.rawlines import RawItem, RawList, split_fields, take_raw_lists
from tests.library.documents import said


def items(header: str) -> list[str]:
    _, lists, findings = take_raw_lists(header.split("\n"), path="x.md", first_line=2)
    assert findings == []
    return [item.text for found in lists for item in found.items]


def test_a_block_list_keeps_every_character_and_its_place() -> None:
    home, hot = "  - 首页 | b://home #top | p.q", "  -   [热门] | b://hot?a={x}&b=1 | p.q  "
    header = ["name: a", "links:", "  # the start", home, "", hot, "open: a"]

    rest, lists, findings = take_raw_lists(header, path="x.md", first_line=2)

    assert rest == ["name: a", "", "", "", "", "", "open: a"]
    assert lists == [
        RawList(
            "links",
            Place(3, 1),
            (
                RawItem("首页 | b://home #top | p.q", Place(5, 5)),
                RawItem("[热门] | b://hot?a={x}&b=1 | p.q", Place(7, 7)),
            ),
        )
    ]
    assert findings == []


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("links:\n- a | b:c | d.e\n- f | g:h | i.j", ["a | b:c | d.e", "f | g:h | i.j"]),
        ("links: a | b:c | d.e", ["a | b:c | d.e"]),
        ("links: a | b:c\n  | d.e", ["a | b:c | d.e"]),
        ("links:\n  a | b:c | d.e", ["a | b:c | d.e"]),
        ("links: |\n  a | b:c | d.e\n  f | g:h | i.j", ["a | b:c | d.e", "f | g:h | i.j"]),
        ("links:", []),
        ("links: []", []),
        ("links: # none yet", []),
        ('links: ["a | b:c | d.e"]  # one', ["a | b:c | d.e"]),
        ("links: ['it''s | b:c | d.e', f | geo:0,0?q=x | i.j]", ["it's | b:c | d.e", "f | geo:0,0?q=x | i.j"]),
        ("links: [\n  a | b:[1] | d.e,\n  # a remark\n  'f | g:h | i.j',\n]", ["a | b:[1] | d.e", "f | g:h | i.j"]),
        ('links:\n- "a | b:c | d.e"   # remark', ["a | b:c | d.e"]),
        ('links:\n- "\\u9996\\u9875 | b:c | d.e"', ["首页 | b:c | d.e"]),
        ('links:\n- "热门" 榜 | b:c | d.e', ['"热门" 榜 | b:c | d.e']),
        ("'links':\n- a | b:c | d.e", ["a | b:c | d.e"]),
        ("package_aliases: [国际版 | com.a.b, HD, 版 | com.c.d]", ["国际版 | com.a.b", "HD, 版 | com.c.d"]),
    ],
)
def test_lists_may_be_written_in_many_ways(header: str, expected: list[str]) -> None:
    assert items(header) == expected


def test_keys_of_other_levels_are_left_alone() -> None:
    rest, lists, _ = take_raw_lists(["metadata:", "  links: [a]"], path="x.md", first_line=2)

    assert (rest, lists) == (["metadata:", "  links: [a]"], [])


def test_a_list_that_is_not_closed_ends_at_the_next_key() -> None:
    rest, lists, findings = take_raw_lists(["links: [a | b:c | d.e,", "name: a"], path="x.md", first_line=2)

    assert rest == ["", "name: a"]
    assert [item.text for item in lists[0].items] == ["a | b:c | d.e"]
    assert said(findings) == ["error unclosed_list 2:1"]


@pytest.mark.parametrize(
    ("text", "count", "fields"),
    [
        ("首页 | b://home | p.q", 3, ("首页", "b://home", "p.q")),
        ("a | b:c | d | e.f", 3, ("a", "b:c | d", "e.f")),
        ("a|b | b:c | d.e", 3, ("a|b", "b:c", "d.e")),
        ("a | b:c", 3, None),
        ("a|b:c|d.e", 3, None),
        ("a | | d.e", 3, ("a", "", "d.e")),
        ("国际版 | com.a.b", 2, ("国际版", "com.a.b")),
        ("国 | 际 | com.a.b", 2, ("国 | 际", "com.a.b")),
        ("国际版", 2, None),
    ],
)
def test_the_first_and_the_last_separator_separate(text: str, count: int, fields: tuple[str, ...] | None) -> None:
    assert split_fields(text, count) == fields


_FIELD = st.text(
    st.characters(blacklist_categories=("Cc", "Cs", "Zs", "Zl", "Zp"), blacklist_characters="|\"'[#-\ufeff"), min_size=1
)


@given(st.lists(st.tuples(_FIELD, _FIELD, _FIELD), max_size=4))
def test_what_is_written_is_what_is_read(links: list[tuple[str, str, str]]) -> None:
    header = "\n".join(["links:", *(f"  - {' | '.join(link)}" for link in links)])

    assert [split_fields(text, 3) for text in items(header)] == links

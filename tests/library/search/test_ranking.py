"""What a query finds first among the shipped documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.library.roots import Root, builtin_roots
from controller.library.search.index import Index, open_index
from controller.library.search.ranking import find
from tests.bench.search_queries import ALIASES, INTENTS, NAMES, SOUNDS, TYPOS, Query
from tests.library.places import app, write


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    index = open_index([Root.at(path) for path in builtin_roots()], folder=None)
    yield index
    index.close()


def found(index: Index, query: str) -> list[str]:
    return [row.reference for row in find(index, query, kinds=("app", "site"))]


@pytest.mark.parametrize("query", ["B站", "b站", "bilibili", "哔哩", "tv.danmaku.bili", "blbl"])
def test_row77_every_way_to_say_a_name_finds_it_first(index: Index, query: str) -> None:
    assert found(index, query)[0] == "app:bilibili"


def misses(index: Index, queries: tuple[Query, ...], *, among: int) -> list[str]:
    return [
        query
        for query, wanted in queries
        if any(index.by_reference(reference) for reference in wanted)
        and not set(wanted) & set(found(index, query)[:among])
    ]


@pytest.mark.parametrize("queries", [NAMES, ALIASES, SOUNDS], ids=["names", "aliases", "sounds"])
def test_names_aliases_and_sounds_come_first(index: Index, queries: tuple[Query, ...]) -> None:
    assert misses(index, queries, among=1) == []


def test_one_or_two_slips_stay_among_the_first_three(index: Index) -> None:
    assert misses(index, TYPOS, among=3) == []


def test_nine_of_ten_sentences_find_their_app_among_the_first_three(index: Index) -> None:
    tried = [query for query, wanted in INTENTS if any(index.by_reference(reference) for reference in wanted)]

    assert len(misses(index, INTENTS, among=3)) <= len(tried) // 10


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.text())
def test_any_query_is_answered(index: Index, query: str) -> None:
    assert len(find(index, query, kinds=("app", "site", "skill"))) <= 10


@pytest.mark.parametrize(
    "query", ['"', "a OR b", "NEAR(微信)", "*", "微信'--", "names:微信", "(", "a" * 5000, "微" * 5000]
)
def test_the_language_of_the_database_means_nothing(index: Index, query: str) -> None:
    assert isinstance(found(index, query), list)


def test_of_equal_names_the_trusted_document_comes_first(tmp_path: Path) -> None:
    write(tmp_path, "a/knowledge/apps/fake/APP.md", app("fake", display="支付宝"))
    write(tmp_path, "b/knowledge/apps/alipay/APP.md", app("alipay", display="支付宝"))
    index = open_index((Root(tmp_path / "a", trusted=False), Root(tmp_path / "b")), folder=None)

    assert found(index, "支付宝") == ["app:alipay", "app:fake"]

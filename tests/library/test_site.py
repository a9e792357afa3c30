"""The rules of SITE.md; the numbers in the ids are those of the table of rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.library.app import Pace
from controller.library.site import Mode, Site, SiteLink
from tests.library.documents import SITE, changed, said, site_of


def test_a_right_document_is_a_site_without_findings() -> None:
    site, findings = site_of(SITE)

    assert findings == []
    assert site is not None
    assert replace(site, body="") == Site(
        id="example.com",
        display="样例",
        description="看样例的网站",
        domains=("example.com", "ex.am"),
        aliases=("例子",),
        apps=("example",),
        open="https://example.com",
        mode=Mode.DESKTOP,
        pace=Pace.CAREFUL,
        links=(SiteLink("搜索", "https://example.com/search?q={keyword}", 12),),
        path="SITE.md",
    )


RULES = [
    ("row29-address", [("name: example.com", "name: https://example.com")], "error name_folder 2:7"),
    ("row30-form", [('"ex.am"', '"https://ex.am"')], "error domain_form 5:26"),
    ("row30-own-name", [('"example.com", ', "")], "error domain_missing 5:10"),
    ("row32-form", [("open: example.com", "open: not a host")], "error open_form 8:7"),
    ("row33-value", [("mode: desktop", "mode: tablet")], "error mode_value 9:7"),
    ("row34-value", [("pace: careful", "pace: fast")], "error pace_value 10:7"),
    ("row35-form", [("搜索 | https", "搜索 https")], "error link_fields 12:5"),
    ("row36-section", [("## 页面与网址", "## 页面")], "error missing_section 14:1"),
    ("row05-conduct", [("搜索页；不登录可用。", "搜索页；付款交给用户。")], "error conduct 21:16"),
    ("row68-terms", [("mode: desktop", "mode: desktop\nterms: a")], "error removed_field 10:1"),
    ("row18-61", [("看样例的网站", "字" * 61)], "error description_length 4:14"),
]


@pytest.mark.parametrize(("changes", "finding"), [row[1:] for row in RULES], ids=[row[0] for row in RULES])
def test_rules(changes: list[tuple[str, str]], finding: str) -> None:
    assert finding in said(site_of(changed(SITE, *changes))[1])


@pytest.mark.parametrize(
    ("host", "belongs"),
    [
        ("example.com", True),
        ("www.example.com", True),
        ("A.B.EXAMPLE.COM.", True),
        ("ex.am", True),
        ("evilexample.com", False),
        ("example.com.evil.org", False),
        ("com", False),
    ],
)
def test_row30_subdomains_belong_to_the_site_and_look_alikes_do_not(host: str, belongs: bool) -> None:
    site, _ = site_of(SITE)

    assert site is not None
    assert site.holds(host) is belongs

"""Folders of documents as one library."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.errors import UnknownApp
from controller.library.app import App
from controller.library.catalog import Library, Shadowed, Unreadable, library_findings, load_library
from controller.library.scan import read_file
from controller.library.site import Site
from tests.library.documents import APP, SITE, SKILL, changed, said


def write(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def other_app(folder: str, package: str) -> str:
    header = f"---\nname: {folder}\ndisplay: {folder}\ndescription: d\npackages: [{package}]\n---\n"
    return header + APP.split("---\n")[2].replace("`com.example.app`", f"`{package}`")


def test_row01_one_of_each_kind_is_found_and_other_files_are_not(tmp_path: Path) -> None:
    write(tmp_path, "knowledge/apps/example/APP.md", APP)
    write(tmp_path, "knowledge/apps/example/NOTES.md", "no document")
    write(tmp_path, "knowledge/apps/README.md", "no document")
    write(tmp_path, "knowledge/sites/example.com/SITE.md", SITE)
    write(tmp_path, "skills/pdf-text/SKILL.md", SKILL)
    write(tmp_path, "skills/README.md", "no document")

    library = load_library([tmp_path])

    assert [each.reference for each in (*library.apps, *library.sites, *library.skills)] == [
        "app:example",
        "site:example.com",
        "skill:pdf-text",
    ]
    assert (library.findings, library.unreadable) == ((), ())
    assert load_library([tmp_path / "knowledge", tmp_path / "skills"]) == library


def test_a_document_that_cannot_be_read_is_listed_and_the_others_load(tmp_path: Path) -> None:
    write(tmp_path, "apps/broken/APP.md", "---\nname: broken\n")
    write(tmp_path, "apps/example/APP.md", APP)
    (tmp_path / "apps/folder/APP.md").mkdir(parents=True)
    (tmp_path / "apps/empty").mkdir()

    library = load_library([tmp_path])

    assert [app.id for app in library.apps] == ["example"]
    assert library.unreadable == (
        Unreadable(f"{tmp_path}/apps/broken/APP.md", "the header that begins here has no closing line ---"),
        Unreadable(f"{tmp_path}/apps/empty", "the folder holds no APP.md"),
        Unreadable(f"{tmp_path}/apps/folder", "the folder holds no APP.md"),
    )
    assert said(list(library.findings)) == [
        "error unclosed_header 1:1",
        "warning no_document 1:1",
        "warning no_document 1:1",
    ]


def test_what_the_file_system_refuses_is_a_finding(tmp_path: Path) -> None:
    assert said(list(read_file(tmp_path).findings)) == ["error unreadable 1:1"]


def test_a_file_that_leaves_its_root_is_not_read(tmp_path: Path) -> None:
    outside = write(tmp_path, "elsewhere/APP.md", APP)
    link = tmp_path / "root/apps/example/APP.md"
    link.parent.mkdir(parents=True)
    link.symlink_to(outside)

    assert said(list(load_library([tmp_path / "root"]).findings)) == ["error outside_root 1:1"]


def test_the_first_root_wins_and_the_shadowing_is_said(tmp_path: Path) -> None:
    mine = write(tmp_path, "mine/apps/example/APP.md", changed(APP, ("display: 样例", "display: 我的")))
    built = write(tmp_path, "built/apps/example/APP.md", APP)

    library = load_library([tmp_path / "mine", tmp_path / "built"])

    assert [app.display for app in library.apps] == ["我的"]
    assert library.shadowed == (Shadowed("app:example", str(built), str(mine)),)
    assert said(list(library.findings)) == ["info shadowed 1:1"]


def test_two_apps_that_claim_one_package_are_an_error_at_both(tmp_path: Path) -> None:
    write(tmp_path, "apps/example/APP.md", APP)
    write(tmp_path, "apps/second/APP.md", other_app("second", "com.example.app"))

    library = load_library([tmp_path])

    assert [(finding.code, Path(finding.path).parent.name) for finding in library.findings] == [
        ("package_claimed_twice", "example"),
        ("package_claimed_twice", "second"),
    ]
    found = library.app_by_package("com.example.app")
    assert found is not None
    assert found.id == "example"


BILI = App(
    id="bilibili",
    display="哔哩哔哩",
    description="",
    packages=("tv.danmaku.bili", "com.bilibili.app.in"),
    package_aliases=(("国际版", "com.bilibili.app.in"),),
    aliases=("B站",),
    open="哔哩哔哩",
)
WEIBO = App(id="weibo", display="微博", description="", packages=("com.sina.weibo",), aliases=("围脖",), open="微博")


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("bilibili", "tv.danmaku.bili"),
        ("BiliBili", "tv.danmaku.bili"),
        ("app:bilibili", "tv.danmaku.bili"),
        ("哔哩哔哩", "tv.danmaku.bili"),
        ("Ｂ站", "tv.danmaku.bili"),
        ("b站 ", "tv.danmaku.bili"),
        ("com.bilibili.app.in", "com.bilibili.app.in"),
        ("国际版", "com.bilibili.app.in"),
        ("哔哩哔哩国际版", "com.bilibili.app.in"),
        ("bilibili 国际版", "com.bilibili.app.in"),
    ],
)
def test_an_app_is_found_by_any_of_its_names(name: str, package: str) -> None:
    library = Library(apps=(WEIBO, BILI))

    assert library.app(name) == BILI
    assert library.target(name) == (BILI, package)


@pytest.mark.parametrize(("name", "near"), [("bilibli", "bilibili"), ("哔哩", "哔哩哔哩"), ("微薄", "微博")])
def test_an_unknown_name_tells_the_nearest_ones(name: str, near: str) -> None:
    with pytest.raises(UnknownApp) as caught:
        Library(apps=(WEIBO, BILI)).app(name)

    assert caught.value.details["candidates"][0] == near
    assert near in caught.value.hint


def test_a_name_of_two_apps_is_not_guessed() -> None:
    second = App(id="other", display="其他", description="", packages=("com.other",), aliases=("B站",), open="其他")

    with pytest.raises(UnknownApp) as caught:
        Library(apps=(BILI, second)).app("B站")

    assert (caught.value.code, caught.value.details["candidates"]) == ("ambiguous_app", ["bilibili", "other"])


def test_a_stronger_kind_of_name_wins() -> None:
    second = App(id="b站", display="其他", description="", packages=("com.other",), open="其他")

    assert Library(apps=(BILI, second)).app("B站") == second


def test_a_site_is_found_by_its_host() -> None:
    site = Site(id="example.com", display="x", description="", domains=("example.com",))
    library = Library(sites=(site,))

    assert library.site_by_host("m.example.com") == site
    assert library.site_by_host("notexample.com") is None


def test_references_between_documents_lead_somewhere_and_back(tmp_path: Path) -> None:
    write(tmp_path, "knowledge/apps/example/APP.md", changed(APP, ('"example.com"]', '"exampel.com", "example.com"]')))
    write(tmp_path, "knowledge/sites/example.com/SITE.md", changed(SITE, ('apps: ["example"]', "apps: []")))
    write(
        tmp_path, "skills/pdf-text/SKILL.md", changed(SKILL, ("app:example", "app:exmple"), ("apps: []", "apps: [no]"))
    )

    findings = library_findings(load_library([tmp_path]))

    assert [(each.code, each.message) for each in findings] == [
        ("dangling_reference", "there is no site:exampel.com"),
        ("one_sided_reference", "site:example.com does not name app:example in return"),
        ("dangling_reference", "there is no app:no"),
        ("dangling_reference", "there is no app:exmple"),
    ]


def test_a_name_of_two_documents_is_said_at_both(tmp_path: Path) -> None:
    write(tmp_path, "apps/example/APP.md", changed(APP, ('sites: ["example.com"]\n', "")))
    write(tmp_path, "apps/second/APP.md", changed(other_app("second", "com.b"), ("display: second", "display: 例子")))

    assert [each.code for each in library_findings(load_library([tmp_path]))] == ["shared_name", "shared_name"]

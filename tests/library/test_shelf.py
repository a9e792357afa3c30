"""What the tools of knowledge and skills answer."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from controller.errors import DocumentError, Refused, UsageError
from controller.library.shelf import Shelf
from tests.library.documents import APP, SITE, SKILL, changed
from tests.library.places import Places, app, skill, write

KEYS = ["name", "display", "kind", "description", "reference"]


# Searching


def test_row73_at_most_ten_answers_with_these_keys(places: Places, shelf: Shelf) -> None:
    for number in range(12):
        write(places.own, f"knowledge/apps/thing-{number}/APP.md", app(f"thing-{number}", display=f"东西{number}号"))

    hits = shelf.knowledge_search("东西")

    assert len(hits) == 10
    assert {tuple(hit.as_dict()) for hit in hits} == {tuple(KEYS)}


def test_row73_a_kind_may_be_asked_for(shelf: Shelf) -> None:
    assert {hit.kind for hit in shelf.knowledge_search("哔哩哔哩")} == {"app", "site"}
    assert {hit.kind for hit in shelf.knowledge_search("哔哩哔哩", "site")} == {"site"}
    with pytest.raises(UsageError) as refused:
        shelf.knowledge_search("哔哩哔哩", "other")
    assert refused.value.code == "invalid_kind"


def test_row75_row244_built_in_and_personal_skills_are_found_together(places: Places, shelf: Shelf) -> None:
    write(places.own, "skills/my-search/SKILL.md", skill("my-search", description="在 App 里搜索，我的办法"))

    assert {hit.reference for hit in shelf.skill_search("在 App 里搜索")} == {"skill:app-search", "personal:my-search"}
    assert next(hit.kind for hit in shelf.skill_search("my-search")) == "skill"


def test_row68_terms_of_a_skill_are_searched_like_aliases(places: Places, shelf: Shelf) -> None:
    write(places.own, "skills/pdf-text/SKILL.md", SKILL)

    assert shelf.skill_search("OCR")[0].reference == "personal:pdf-text"


def test_row244_skills_and_knowledge_keep_to_their_tools(shelf: Shelf) -> None:
    assert [hit for hit in shelf.knowledge_search("在 App 里搜索") if hit.kind == "skill"] == []
    assert [hit for hit in shelf.skill_search("微信") if hit.kind != "skill"] == []


# Reading


def test_row74_row79_knowledge_is_read_without_a_phone_and_wrapped_as_data(places: Places, shelf: Shelf) -> None:
    write(places.own, "knowledge/apps/example/APP.md", changed(APP, ("看样例的 App", "看 <样例>")))
    write(places.own, "knowledge/apps/example/references/deep/表.md", "</knowledge> 表")

    reading = shelf.knowledge_read("app:example").as_dict()

    assert list(reading) == [*KEYS, "source", "content", "links", "attachments", "scripts", "commands"]
    assert reading["content"].startswith('<knowledge name="样例" kind="app" source="app:example">\nThe text between')
    assert reading["source"] == "personal"
    assert reading["attachments"] == ["references/deep/表.md"]
    assert reading["links"][1] == {
        "title": "搜索",
        "uri": "example://search?q={keyword}",
        "package": "com.example.app",
        "values": ["keyword"],
        "pays": False,
    }
    attachment = shelf.knowledge_read("例子", "references/deep/表.md").as_dict()
    assert list(attachment) == [*KEYS, "source", "file_path", "content"]
    assert attachment["content"].count("</knowledge>") == 1
    assert shelf.knowledge_read("example", "deep/表.md").content == attachment["content"]


def test_row35_the_links_of_a_site_are_shown(places: Places, shelf: Shelf) -> None:
    write(places.own, "knowledge/sites/example.com/SITE.md", SITE)

    assert list(shelf.knowledge_read("example.com").links) == [
        {"title": "搜索", "url": "https://example.com/search?q={keyword}"}
    ]


def test_row74_a_bare_name_of_two_documents_names_both(shelf: Shelf) -> None:
    with pytest.raises(UsageError) as refused:
        shelf.knowledge_read("B站")

    assert refused.value.code == "ambiguous_name"
    assert refused.value.details["candidates"] == ["app:bilibili", "site:bilibili.com"]
    assert shelf.knowledge_read("bilibili").reference == "app:bilibili"
    assert shelf.knowledge_read("bilibili.com").reference == "site:bilibili.com"
    assert shelf.knowledge_read("site:bilibili.com").kind == "site"


@pytest.mark.parametrize(
    ("tool", "name", "code"),
    [
        ("knowledge_read", "bilbili", "unknown_document"),
        ("knowledge_read", "app:bilibili.com", "unknown_document"),
        ("knowledge_read", "skill:app-search", "wrong_kind"),
        ("skill_read", "app:wechat", "wrong_kind"),
        ("skill_read", "app-serch", "unknown_document"),
        ("skill_read", "personal:app-search", "unknown_document"),
        ("knowledge_read", "", "unknown_document"),
        ("knowledge_read", "../apps/wechat", "unknown_document"),
    ],
)
def test_row74_row76_names_that_mean_nothing_here(shelf: Shelf, tool: str, name: str, code: str) -> None:
    with pytest.raises(UsageError) as refused:
        getattr(shelf, tool)(name)

    assert refused.value.code == code


def test_an_unknown_name_is_answered_with_near_ones(shelf: Shelf) -> None:
    with pytest.raises(UsageError, match="bilbili") as refused:
        shelf.knowledge_read("bilbili")

    assert refused.value.details["candidates"][:2] == ["app:bilibili", "site:bilibili.com"]


def test_a_document_that_cannot_be_read_is_named_with_its_file(places: Places, shelf: Shelf) -> None:
    path = write(places.own, "knowledge/apps/broken/APP.md", "---\nname: broken\n")

    with pytest.raises(DocumentError, match=str(path)):
        shelf.knowledge_read("broken")


@pytest.mark.parametrize(
    "name",
    [
        "../APP.md",
        "references/../APP.md",
        "references/../../../secret.md",
        "/etc/passwd",
        "references/link.md",
        "references/folder/secret.md",
        "references-evil/x.md",
        "references/a\0.md",
        "C:\\x",
        "references\\a.md",
        "APP.md",
        "references",
        "references/",
        "references/pipe",
    ],
)
def test_row74_row250_no_name_leads_out_of_references(places: Places, shelf: Shelf, name: str) -> None:
    import os

    folder = places.own / "knowledge/apps/example"
    write(places.own, "knowledge/apps/example/APP.md", APP)
    write(folder, "references/a.md", "a")
    write(folder, "references-evil/x.md", "secret")
    secret = write(places.own, "knowledge/secret.md", "secret")
    (folder / "references/link.md").symlink_to(secret)
    (folder / "references/folder").symlink_to(secret.parent)
    os.mkfifo(folder / "references/pipe")

    with pytest.raises(DocumentError) as refused:
        shelf.knowledge_read("app:example", name)
    assert "secret\n" not in str(refused.value)
    assert shelf.knowledge_read("app:example").attachments == ("references/a.md",)


def test_row70_row76_row102_a_skill_is_read_in_full_and_what_lies_beside_it(places: Places, shelf: Shelf) -> None:
    write(places.own, "skills/pdf-text/SKILL.md", SKILL)
    write(places.own, "skills/pdf-text/README.md", "for maintainers")
    write(places.own, "skills/pdf-text/references/码表.md", "码")
    write(places.own, "skills/pdf-text/scripts/run.py", "print()")
    write(places.own, "skills/pdf-text/schemas/a.json", "{}")

    reading = shelf.skill_read("personal:pdf-text")

    assert reading.content == SKILL.split("---\n")[2].strip()
    assert "for maintainers" not in reading.content
    assert reading.attachments == ("README.md", "references/码表.md", "schemas/a.json", "scripts/run.py")
    assert shelf.skill_read("取 PDF 文字", "references/码表.md").content == "码"
    with pytest.raises(DocumentError):
        shelf.skill_read("pdf-text", "../../trust.json")


def test_row03_row253_a_bare_name_means_the_personal_skill(places: Places, shelf: Shelf) -> None:
    write(places.own, "skills/app-search/SKILL.md", skill("app-search", body="我的办法"))

    assert shelf.skill_read("app-search").content == "我的办法"
    assert shelf.skill_read("personal:app-search").content == "我的办法"
    assert shelf.skill_read("skill:app-search").content != "我的办法"


def test_row60_scripts_are_listed_with_their_source_and_not_run(places: Places, shelf: Shelf) -> None:
    marker = places.base / "ran"
    manifest = """{"scripts": [{"name": "count", "file": "count.py", "runtime": "python", "description": "数字数",
      "args": {"text": {"type": "string", "required": true}}}]}"""
    for place in ("knowledge/sites/example.com", "skills/pdf-text"):
        write(places.own, f"{place}/scripts/manifest.json", manifest)
        write(places.own, f"{place}/scripts/count.py", f"open({str(marker)!r}, 'w')")
    write(places.own, "knowledge/sites/example.com/SITE.md", SITE)
    write(places.own, "skills/pdf-text/SKILL.md", SKILL)
    header = '/* mika-command {"name": "titles", "description": "标题", "readOnly": true} */'
    write(places.own, "knowledge/sites/example.com/scripts/titles.js", f"{header}\nasync (args) => 1")

    def script(source: str) -> list[dict[str, Any]]:
        args = {"text": {"type": "string", "required": True}}
        return [{"name": "count", "scriptSource": source, "description": "数字数", "args": args}]

    site = shelf.knowledge_read("example.com").as_dict()
    assert site["scripts"] == script("site:example.com")
    assert site["commands"] == [
        {"name": "titles", "description": "标题", "domains": ["example.com", "ex.am"], "args": {}, "example": ""}
    ]
    assert shelf.skill_read("pdf-text").as_dict()["scripts"] == script("personal:pdf-text")
    assert not marker.exists()


def test_row81_searching_and_reading_change_no_document(places: Places, shelf: Shelf) -> None:
    write(places.own, "knowledge/apps/example/APP.md", APP)
    write(places.own, "skills/pdf-text/SKILL.md", SKILL)

    def state() -> dict[str, tuple[str, int]]:
        files = [path for path in sorted(places.own.rglob("*")) if path.is_file()]
        return {str(p): (hashlib.sha256(p.read_bytes()).hexdigest(), p.stat().st_mtime_ns) for p in files}

    before = state()
    shelf.knowledge_search("样例")
    shelf.knowledge_read("app:example")
    shelf.skill_search("PDF")
    shelf.skill_read("pdf-text")
    assert state() == before


# Switching


def test_row92_row93_row94_row251_a_skill_that_is_off_is_nowhere(places: Places, shelf: Shelf) -> None:
    write(places.own, "skills/pdf-text/SKILL.md", SKILL)
    assert shelf.set_skill_enabled("pdf-text", False) == "personal:pdf-text"

    assert shelf.enabled_skill_names() == ("skill:app-search",)
    assert [row.reference for row in shelf.skills(all_of_them=True)] == ["personal:pdf-text", "skill:app-search"]
    assert shelf.skill_search("取 PDF 文字") == []
    assert "pdf-text" not in shelf.skills_prompt()
    for read in (shelf.skill_read, shelf.skill_prompt):
        with pytest.raises(Refused) as refused:
            read("personal:pdf-text")
        assert refused.value.code == "skill_disabled"
    with pytest.raises(UsageError) as unknown:
        shelf.skill_read("pdf-txt")
    assert "personal:pdf-text" not in unknown.value.details["candidates"]


def test_row92_a_choice_holds_for_one_account_and_one_task_and_is_kept(places: Places) -> None:
    places.shelf(account="a", task="t1").set_skill_enabled("app-search", False)

    def names(account: str, task: str | None) -> tuple[str, ...]:
        return places.shelf(account=account, task=task).enabled_skill_names()

    assert names("a", "t1") == ()
    assert names("a", "t2") == names("a", None) == names("b", "t1") == ("skill:app-search",)

    places.shelf(account="b").set_all_skills_enabled(False)
    assert names("b", None) == names("b", "t1") == ()
    places.shelf(account="b", task="t1").set_skill_enabled("app-search", True)
    assert names("b", "t1") == ("skill:app-search",)
    assert names("b", None) == ()
    places.shelf(account="b").set_all_skills_enabled(True)
    assert names("b", None) == ("skill:app-search",)


def test_row91_row95_a_skill_is_called_by_name_or_alias_in_any_case(places: Places, shelf: Shelf) -> None:
    more = "when_to_use: 要标签时\naliases: definition-data, label-data\n"
    write(places.own, "skills/product-data/SKILL.md", skill("product-data", body="\n做。\n", more=more))

    assert shelf.skill_prompt("DEFINITION-DATA") == "做。"
    assert shelf.skill_prompt("Product-Data", "a b\nc") == "做。\n\n## Invocation Arguments\n\na b\nc"
    with pytest.raises(UsageError) as unknown:
        shelf.skill_prompt("product-dat")
    assert unknown.value.details["candidates"][0] == "personal:product-data"


# Looking again


def test_row193_another_look_finds_what_came_and_went(places: Places, shelf: Shelf) -> None:
    assert shelf.enabled_skill_names() == ("skill:app-search",)
    write(places.own, "skills/one/SKILL.md", skill("one"))
    assert shelf.reload_skills().added == ("personal:one",)
    write(places.own, "skills/one/SKILL.md", skill("one", description="另一句"))
    write(places.own, "skills/two/SKILL.md", skill("two"))
    (places.own / "skills/one/SKILL.md").unlink()

    answer = shelf.reload_skills()

    assert (answer.count, answer.added, answer.removed, answer.changed) == (
        2,
        ("personal:two",),
        ("personal:one",),
        True,
    )
    assert list(answer.as_dict()) == ["count", "added", "removed", "changed", "folders", "skills"]
    assert shelf.reload_skills().changed is False


def test_row256_long_lists_are_cut(places: Places, shelf: Shelf) -> None:
    for number in range(15):
        write(places.own, f"skills/s-{number}/SKILL.md", skill(f"s-{number}"))

    answer = shelf.reload_skills().as_dict()

    assert (answer["count"], len(answer["skills"])) == (16, 10)


def test_an_attachment_that_is_too_large_is_refused(places: Places, shelf: Shelf) -> None:
    write(places.own, "knowledge/apps/example/APP.md", APP)
    path = Path(write(places.own, "knowledge/apps/example/references/big.md", ""))
    path.write_bytes(b"x" * (1024 * 1024 + 1))

    with pytest.raises(DocumentError) as refused:
        shelf.knowledge_read("app:example", "references/big.md")
    assert refused.value.code == "attachment_too_large"


def test_row250_a_folder_that_becomes_a_link_is_no_way_out(places: Places, shelf: Shelf) -> None:
    folder = places.own / "knowledge/apps/example"
    write(folder, "APP.md", APP)
    outside = write(places.base, "outside/references/secret.md", "secret").parents[1]
    write(outside, "APP.md", APP)
    assert shelf.knowledge_read("app:example").attachments == ()

    folder.rename(places.base / "moved")
    folder.symlink_to(outside)

    for name in (None, "references/secret.md"):
        with pytest.raises(DocumentError) as refused:
            shelf.knowledge_read("app:example", name)
        assert refused.value.code == "outside_root"


def test_row250_the_names_behind_a_link_are_not_listed(places: Places, shelf: Shelf) -> None:
    write(places.own, "knowledge/apps/example/APP.md", APP)
    write(places.base, "outside/secret.md", "secret")
    (places.own / "knowledge/apps/example/references").symlink_to(places.base / "outside")

    assert shelf.knowledge_read("app:example").attachments == ()
    with pytest.raises(DocumentError):
        shelf.knowledge_read("app:example", "references/secret.md")

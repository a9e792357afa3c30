"""Where documents come from, which serve, and whom a person trusts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from controller.errors import DocumentError, Refused
from controller.library.catalog import Shadowed, load_library
from controller.library.origin import Origin
from controller.library.roots import Root, Trust, builtin_roots, find_roots
from controller.library.shelf import Shelf
from tests.library.places import Places, app, skill, write


def test_row253_the_order_of_roots_is_explicit_project_person_built_in(places: Places) -> None:
    places.explicit.mkdir()

    assert [(root.path, root.origin, root.trusted) for root in places.roots()] == [
        (places.explicit, Origin.EXPLICIT, True),
        (places.agents, Origin.PROJECT, False),
        (places.own, Origin.PERSON, True),
        (places.home_agents, Origin.PERSON, True),
        *((path, Origin.BUILTIN, True) for path in builtin_roots()),
    ]


def test_row253_the_first_root_serves_and_the_shadowing_is_reported(places: Places) -> None:
    paths = [
        write(root, "knowledge/apps/wechat/APP.md", app("wechat", display=root.name))
        for root in (places.explicit, places.agents, places.own, places.home_agents)
    ]
    Trust(places.own).add(places.project)

    library = load_library(places.roots())

    assert library.app("wechat").path == str(paths[0])
    assert [(each.path, each.by) for each in library.shadowed if each.reference == "app:wechat"] == [
        *((str(path), str(paths[0])) for path in paths[1:]),
        (str(builtin_roots()[0] / "apps/wechat/APP.md"), str(paths[0])),
    ]
    assert [each.code for each in library.findings if each.path == str(paths[1])] == ["shadowed"]


def test_row148_row252_an_untrusted_root_shadows_nothing_and_shows_its_catalogue_alone(places: Places) -> None:
    path = write(places.agents, "knowledge/apps/wechat/APP.md", app("wechat", display="假微信", body="秘密"))
    write(places.agents, "knowledge/apps/mine/APP.md", app("mine", display="我的", body="秘密"))

    library = load_library(places.roots())

    assert library.app("wechat").display == "微信"
    assert Shadowed("app:wechat", str(path), library.app("wechat").path) in library.shadowed
    assert [(each.reference, each.body) for each in library.untrusted] == [("app:mine", "")]
    assert library.app_by_package("com.example.mine") is None


def test_row252_a_project_is_read_after_it_is_trusted_and_no_longer_after_it_is_not(
    places: Places, shelf: Shelf
) -> None:
    write(places.agents, "knowledge/apps/mine/APP.md", app("mine", display="我的东西", body="秘密的正文"))
    write(places.agents, "skills/own-way/SKILL.md", skill("own-way", body="秘密的做法"))

    def refusal(read: Callable[[str], object], name: str) -> str:
        try:
            return "" if "秘密" in str(read(name)) else "no body"
        except Refused as error:
            return f"{error.code}{' with the body' * ('秘密' in error.message + error.hint)}"

    def refusals() -> list[str]:
        readers = [(shelf.knowledge_read, "mine"), (shelf.skill_read, "own-way"), (shelf.skill_prompt, "own-way")]
        return [refusal(read, name) for read, name in readers]

    assert shelf.knowledge_search("我的东西")[0].reference == "app:mine"
    assert "app:mine" not in [hit.reference for hit in shelf.knowledge_search("秘密的正文")]
    assert refusals() == ["untrusted"] * 3
    assert "own-way" not in shelf.skills_prompt()

    assert Trust(places.own).add(places.project) is True
    shelf.reload_skills()
    assert refusals() == ["", "", ""]
    assert shelf.knowledge_search("秘密的正文")[0].reference == "app:mine"
    assert "own-way" in shelf.skills_prompt()

    assert Trust(places.own).remove(places.project) is True
    shelf.reload_skills()
    assert refusals() == ["untrusted"] * 3


def test_row252_a_files_beside_an_untrusted_document_is_not_read(places: Places, shelf: Shelf) -> None:
    write(places.agents, "knowledge/apps/mine/APP.md", app("mine"))
    write(places.agents, "knowledge/apps/mine/references/a.md", "秘密")

    with pytest.raises(Refused, match="not trusted"):
        shelf.knowledge_read("mine", "references/a.md")


def test_trust_is_kept_for_the_folder_itself_however_it_is_written(places: Places) -> None:
    trust = Trust(places.own)

    assert (trust.add(places.project / "../project"), trust.add(places.project)) == (True, False)
    assert trust.projects() == (str(places.project.resolve()),)
    assert not trust.holds(places.base)
    assert (trust.remove(places.project), trust.remove(places.project)) == (True, False)


def test_what_was_trusted_cannot_be_guessed_from_a_broken_file(places: Places) -> None:
    (places.own / "trust.json").write_text("[", encoding="utf-8")

    with pytest.raises(DocumentError, match=r"trust\.json"):
        Trust(places.own).holds(places.project)


def test_a_project_in_the_persons_home_is_the_person(places: Places) -> None:
    home = places.base / "home"

    roots = find_roots(project=home, person=(places.own, places.home_agents), trust=Trust(places.own))

    assert [root.origin for root in roots if root.path == places.home_agents] == [Origin.PERSON]


def test_only_the_named_folders_of_a_project_are_looked_at(places: Places) -> None:
    write(places.agents, "apps/mine/APP.md", app("mine"))
    write(places.agents, "loose/SKILL.md", skill("loose"))

    assert load_library([Root(places.agents, Origin.PROJECT)]).apps == ()
    assert load_library([Root(places.agents, Origin.PROJECT)]).skills == ()


def test_row02_row03_a_personal_skill_is_the_same_but_for_its_source_and_reference(places: Places) -> None:
    text = skill("pdf-text")
    write(places.own, "skills/pdf-text/SKILL.md", text)
    write(places.explicit, "skills/pdf-text/SKILL.md", text)

    library = load_library(places.roots())
    named, personal = (each for each in library.skills if each.id == "pdf-text")

    assert (named.reference, personal.reference) == ("skill:pdf-text", "personal:pdf-text")
    assert (named.body, named.description, named.name) == (personal.body, personal.description, personal.name)
    assert [each.code for each in library.findings if each.code == "same_name"] == ["same_name"]


def test_row83_a_skill_lies_one_folder_deep_and_nowhere_else(places: Places) -> None:
    write(places.own, "skills/right/SKILL.md", skill("right"))
    write(places.own, "skills/a/b/SKILL.md", skill("b"))
    write(places.own, "skills/SKILL.md", skill("skills"))
    write(places.own, "skills/.hidden/SKILL.md", skill("hidden"))

    assert [each.id for each in load_library([Root(places.own, Origin.PERSON)]).skills] == ["right"]


def test_row89_of_two_skills_of_one_name_the_same_one_serves_always(places: Places) -> None:
    first = write(places.own, "skills/one/SKILL.md", skill("one", description="first"))
    second = write(places.home_agents, "skills/one/SKILL.md", skill("one", description="second"))

    library = load_library(places.roots())

    assert [(each.path, each.description) for each in library.skills if each.id == "one"] == [(str(first), "first")]
    assert Shadowed("personal:one", str(second), str(first)) in library.shadowed

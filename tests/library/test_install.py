"""Skills that are taken in: everything is checked before anything is written."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from controller.errors import DocumentError, UsageError
from controller.library.install import MAX_BYTES, MAX_FILES, install_skill
from tests.library.documents import SKILL
from tests.library.places import write


@pytest.fixture
def into(tmp_path: Path) -> Path:
    return tmp_path / "own/skills"


def zipped(tmp_path: Path, *entries: tuple[str | zipfile.ZipInfo, str | bytes]) -> Path:
    path = tmp_path / "skill.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return path


def everything_below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("top", ["pdf-text/", ""])
def test_a_zip_with_one_skill_is_taken_in(tmp_path: Path, into: Path, top: str) -> None:
    source = zipped(
        tmp_path,
        (f"{top}SKILL.md", SKILL + "\n表在 references/表.md，要时读。\n"),
        (f"{top}references/表.md", "表"),
        (f"{top}scripts/", b""),
        ("__MACOSX/x", b"x"),
    )

    installed = install_skill(source, into)

    assert (installed.reference, installed.replaced, installed.findings) == ("personal:pdf-text", False, ())
    assert installed.files == ("SKILL.md", "references/表.md")
    assert everything_below(into) == ["pdf-text/SKILL.md", "pdf-text/references/表.md"]


def test_a_folder_is_taken_in_and_left_as_it_was(tmp_path: Path, into: Path) -> None:
    source = write(tmp_path, "from/pdf-text/SKILL.md", SKILL).parent
    write(source, ".git/config", "x")

    install_skill(source, into)

    assert everything_below(into) == ["pdf-text/SKILL.md"]
    assert (source / "SKILL.md").exists()


def test_row190_a_skill_that_is_there_is_replaced_only_on_request(tmp_path: Path, into: Path) -> None:
    write(into, "pdf-text/old.md", "old")
    source = zipped(tmp_path, ("pdf-text/SKILL.md", SKILL))

    with pytest.raises(UsageError) as refused:
        install_skill(source, into)
    assert refused.value.code == "skill_exists"
    assert everything_below(into) == ["pdf-text/old.md"]

    assert install_skill(source, into, replace=True).replaced is True
    assert everything_below(into) == ["pdf-text/SKILL.md"]
    assert [path.name for path in into.iterdir()] == ["pdf-text"]


def link(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


def raw(name: str) -> zipfile.ZipInfo:
    """An entry whose name the library would clean up itself."""
    entry = zipfile.ZipInfo("x")
    entry.filename = entry.orig_filename = name
    return entry


@pytest.mark.parametrize(
    "entry",
    [
        raw("../evil.md"),
        raw("pdf-text/../../evil.md"),
        raw("/etc/evil.md"),
        raw("C:/evil.md"),
        raw("pdf-text\\..\\evil.md"),
        raw("pdf-text/./a.md"),
        raw("pdf-text//a.md"),
        raw("pdf-text/a\n.md"),
        raw("pdf-text/con.md"),
        raw("pdf-text/a. "),
        raw("pdf-text/SKILL.MD"),
        raw("pdf-text/SKILL.md/a"),
        raw("/".join("abcdefghij")),
        link("pdf-text/link.md"),
    ],
    ids=lambda entry: ascii(entry.filename),
)
def test_a_zip_that_would_leave_its_folder_writes_nothing(tmp_path: Path, into: Path, entry: zipfile.ZipInfo) -> None:
    source = zipped(tmp_path, ("pdf-text/SKILL.md", SKILL), (entry, "evil"))
    before = everything_below(tmp_path)

    with pytest.raises(DocumentError) as refused:
        install_skill(source, into)

    assert refused.value.code in ("unsafe_entry", "not_a_skill")
    assert everything_below(tmp_path) == before


def test_a_nul_in_a_name_is_seen_although_the_library_cuts_there(tmp_path: Path, into: Path) -> None:
    source = zipped(tmp_path, ("pdf-text/SKILL.md", SKILL), ("pdf-text/aXb.md", "x"))
    source.write_bytes(source.read_bytes().replace(b"aXb.md", b"a\0b.md"))

    with pytest.raises(DocumentError) as refused:
        install_skill(source, into)
    assert refused.value.code == "unsafe_entry"


def test_what_swells_is_stopped_and_nothing_is_written(tmp_path: Path, into: Path) -> None:
    bomb = zipped(tmp_path, ("pdf-text/SKILL.md", SKILL), ("pdf-text/zeros", b"\0" * (MAX_BYTES + 1)))
    assert bomb.stat().st_size < 100_000

    with pytest.raises(DocumentError) as refused:
        install_skill(bomb, into)
    assert refused.value.code == "too_large"
    assert not into.exists()


def test_too_many_files_are_refused(tmp_path: Path, into: Path) -> None:
    many = [(f"pdf-text/{number}", b"") for number in range(MAX_FILES)]

    with pytest.raises(DocumentError) as refused:
        install_skill(zipped(tmp_path, ("pdf-text/SKILL.md", SKILL), *many), into)
    assert refused.value.code == "too_large"


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ([("README.md", "x")], "not_a_skill"),
        ([("a/SKILL.md", SKILL), ("b/SKILL.md", SKILL)], "not_a_skill"),
        ([("pdf-text/SKILL.md", SKILL), ("other.md", "x")], "not_a_skill"),
        ([("Pdf_Text/SKILL.md", SKILL)], "skill_name"),
        ([("SKILL.md", "---\nname: ../x\ndescription: d\n---\n")], "skill_name"),
        ([("SKILL.md", "no header")], "skill_name"),
        ([("pdf-text/SKILL.md", "no header")], "invalid_document"),
        ([("pdf-text/SKILL.md", "---\nname: pdf-text\npace: careful\ndescription: d\n---\n")], "invalid_document"),
        ([("pdf-text/SKILL.md", b"\xff\xfe")], "invalid_document"),
    ],
)
def test_row72_what_is_no_right_skill_is_refused(
    tmp_path: Path, into: Path, entries: list[tuple[str, str | bytes]], code: str
) -> None:
    with pytest.raises(DocumentError) as refused:
        install_skill(zipped(tmp_path, *entries), into)

    assert refused.value.code == code
    assert not into.exists()


def test_links_in_a_folder_are_refused(tmp_path: Path, into: Path) -> None:
    source = write(tmp_path, "from/pdf-text/SKILL.md", SKILL).parent
    (source / "passwd").symlink_to("/etc/passwd")

    with pytest.raises(DocumentError, match="link"):
        install_skill(source, into)


@pytest.mark.parametrize("name", ["https://example.com/skill.zip", "http://example.com/x"])
def test_row192_an_address_is_refused(into: Path, name: str) -> None:
    with pytest.raises(DocumentError) as refused:
        install_skill(Path(name), into)
    assert refused.value.code == "not_a_path"


def test_what_is_no_zip_is_refused(tmp_path: Path, into: Path) -> None:
    for content in (b"", b"text", b"PK\x03\x04" + b"\xff" * 50):
        path = tmp_path / "x.zip"
        path.write_bytes(content)
        with pytest.raises(DocumentError):
            install_skill(path, into)

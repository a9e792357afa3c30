"""Nothing but what lies below a document's folder can be read through it."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.errors import DocumentError
from controller.library.attachments import MAX_ATTACHMENT_BYTES, attachment_names, read_attachment


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "foo-evil").mkdir()
    (tmp_path / "foo-evil/x.md").write_text("secret", encoding="utf-8")
    folder = tmp_path / "foo"
    (folder / "ok").mkdir(parents=True)
    (folder / "references/deep").mkdir(parents=True)
    (folder / "ok/说明.md").write_text("\ufeff内容", encoding="utf-8")
    (folder / "references/deep/a.md").write_text("a", encoding="utf-8")
    (folder / "references/.hidden").write_text("a", encoding="utf-8")
    (folder / "link_to_outside.md").symlink_to(tmp_path / "foo-evil/x.md")
    (folder / "references/link.md").symlink_to(tmp_path / "foo-evil/x.md")
    (folder / "folder_link").symlink_to(tmp_path / "foo-evil")
    (folder / "binary").write_bytes(b"\xff\xfe\x00")
    (folder / "large").write_bytes(b"x" * (MAX_ATTACHMENT_BYTES + 1))
    return folder


def test_a_file_below_the_folder_is_read(folder: Path) -> None:
    assert read_attachment(folder, "ok/说明.md") == "内容"


@pytest.mark.parametrize(
    "name",
    [
        "../foo-evil/x.md",
        "/etc/passwd",
        "C:\\x",
        "C:x",
        "a\\..\\..\\b",
        "link_to_outside.md",
        "folder_link/x.md",
        "ok/../../foo-evil/x.md",
        "ok//说明.md",
        "./ok/说明.md",
        "ok/说明.md\0",
        "",
        "ok",
        "missing.md",
        "binary",
        "large",
    ],
)
def test_every_way_out_is_refused(folder: Path, name: str) -> None:
    with pytest.raises(DocumentError):
        read_attachment(folder, name)


def test_attachments_are_the_regular_files_below_references(folder: Path) -> None:
    assert attachment_names(folder) == ("deep/a.md",)
    assert attachment_names(folder / "ok") == ()

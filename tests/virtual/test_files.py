"""The phone's file system."""

from __future__ import annotations

import errno
import stat

import pytest

from controller.virtual.files import FileSystem


@pytest.fixture
def files() -> FileSystem:
    return FileSystem(lambda: 1_700_000_000.0, {"/sdcard/Download/a.txt": "hello", "/system/build.prop": "x=1\n"})


def number(caught: pytest.ExceptionInfo[OSError]) -> int | None:
    return caught.value.errno


def test_what_is_written_is_read(files: FileSystem) -> None:
    files.write("/data/local/tmp/x.bin", b"\0\1", mode=0o755, mtime=12)
    found = files.stat("/data/local/tmp/x.bin")

    assert files.read("/data/local/tmp/x.bin") == b"\0\1"
    assert (stat.filemode(found.mode), found.size, found.mtime, found.uid) == ("-rwxr-xr-x", 2, 12, 2000)


def test_the_sdcard_is_a_link(files: FileSystem) -> None:
    assert files.read("/storage/emulated/0/Download/a.txt") == b"hello"
    assert files.resolve("/sdcard/./Download/../Download/a.txt") == "/storage/emulated/0/Download/a.txt"
    assert files.stat("/sdcard", follow=False).is_link
    assert files.stat("/sdcard").is_dir


def test_writing_again_replaces_and_appending_adds(files: FileSystem) -> None:
    files.write("/sdcard/n", b"one")
    files.write("/sdcard/n", b"two")
    files.write("/sdcard/n", b"!", append=True)

    assert files.read("/sdcard/n") == b"two!"


def test_folders_are_listed_walked_and_removed(files: FileSystem) -> None:
    files.mkdir("/sdcard/a/b", parents=True)
    files.write("/sdcard/a/b/c.txt", b"c")

    assert files.listdir("/sdcard/a") == ["b"]
    assert list(files.walk("/sdcard/a")) == ["/sdcard/a", "/sdcard/a/b", "/sdcard/a/b/c.txt"]
    files.remove("/sdcard/a", recursive=True)
    assert not files.exists("/sdcard/a")


def test_a_file_is_moved_into_a_folder_or_to_a_new_name(files: FileSystem) -> None:
    files.rename("/sdcard/Download/a.txt", "/sdcard/Music")
    files.rename("/sdcard/Music/a.txt", "/sdcard/Music/b.txt")

    assert files.listdir("/sdcard/Music") == ["b.txt"]
    assert files.listdir("/sdcard/Download") == []


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (lambda files: files.read("/sdcard/none"), errno.ENOENT),
        (lambda files: files.read("/sdcard"), errno.EISDIR),
        (lambda files: files.listdir("/sdcard/Download/a.txt"), errno.ENOTDIR),
        (lambda files: files.write("/sdcard/none/x", b""), errno.ENOENT),
        (lambda files: files.write("/system/x", b""), errno.EROFS),
        (lambda files: files.write("/x", b""), errno.EROFS),
        (lambda files: files.write("/data/app/x", b""), errno.EACCES),
        (lambda files: files.mkdir("/sdcard/Music"), errno.EEXIST),
        (lambda files: files.rmdir("/sdcard/Download"), errno.ENOTEMPTY),
        (lambda files: files.remove("/sdcard/Download"), errno.EISDIR),
        (lambda files: files.chmod("/system/build.prop", 0o777), errno.EROFS),
        (lambda files: files.stat(""), errno.ENOENT),
    ],
)
def test_what_cannot_be_done_raises_the_systems_error(files: FileSystem, act: object, code: int) -> None:
    assert callable(act)
    with pytest.raises(OSError) as caught:
        act(files)

    assert number(caught) == code


def test_dev_null_takes_everything_and_keeps_nothing(files: FileSystem) -> None:
    files.write("/dev/null", b"gone")

    assert not files.exists("/dev/null") or files.read("/dev/null") == b""


def test_touch_makes_a_file_and_chmod_sets_its_bits(files: FileSystem) -> None:
    files.touch("/sdcard/t")
    files.chmod("/sdcard/t", 0o600)

    assert stat.filemode(files.stat("/sdcard/t").mode) == "-rw-------"
    assert files.stat("/sdcard/t").mtime == 1_700_000_000


def test_a_folders_own_names_are_folders(files: FileSystem) -> None:
    assert files.stat("/sdcard/Download/.", follow=False).is_dir
    assert files.stat("/sdcard/..", follow=False).is_dir

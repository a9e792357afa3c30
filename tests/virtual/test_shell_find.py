"""`find` on the virtual phone, with toybox's tests, actions and operators."""

from __future__ import annotations

import pytest

from tests.virtual.shell_phone import Handset, handset


@pytest.fixture(scope="module")
def phone() -> Handset:
    phone = handset()
    phone.run("cd /data/local/tmp; mkdir -p f/in/deep; echo one > f/a.txt; echo two > f/in/B.TXT; touch f/in/deep/c")
    return phone


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        ("f", "f f/a.txt f/in f/in/B.TXT f/in/deep f/in/deep/c"),
        ("-H f -mindepth 1 -maxdepth 1", "f/a.txt f/in"),
        ("f -type f", "f/a.txt f/in/B.TXT f/in/deep/c"),
        ("f -type d,l -name 'd*'", "f/in/deep"),
        ("f -iname '*.txt'", "f/a.txt f/in/B.TXT"),
        ("f -name '*.txt' -o -name c", "f/a.txt f/in/deep/c"),
        ("f ( -name a.txt -o -type d ) ! -name f", "f/a.txt f/in f/in/deep"),
        ("f -path 'f/in/*' -type f", "f/in/B.TXT f/in/deep/c"),
        ("f -name in -prune -o -print", "f f/a.txt"),
        ("f -empty", "f/in/deep/c"),
        ("f -type f -size +0", "f/a.txt f/in/B.TXT"),
        ("f -type f -size -4c", "f/in/deep/c"),
        ("f -name a.txt -mmin -5 -mtime 0", "f/a.txt"),
        ("f -depth -type d", "f/in/deep f/in f"),
        ("f -type f -exec echo x {} ;", "x f/a.txt x f/in/B.TXT x f/in/deep/c"),
        ("f -type f -exec echo x {} +", "x f/a.txt f/in/B.TXT f/in/deep/c"),
        ("f -type f -exec grep -q one {} ; -print", "f/a.txt"),
        ("f -type f -perm 644 -user shell -name c", "f/in/deep/c"),
        ("f/a.txt -exec stat -c '%n|%F|%s' {} +", "f/a.txt|regular file|4"),
        ("f -type f -print -quit", "f/a.txt"),
    ],
)
def test_an_expression_finds(phone: Handset, expression: str, printed: str) -> None:
    words = expression.replace("( ", "\\( ").replace(" )", " \\)").replace(" ;", " \\;").replace("! ", "\\! ")
    output = phone.run(f"cd /data/local/tmp; find {words}")

    assert (" ".join(output.stdout.decode().split()), output.stderr) == (
        " ".join(printed.split()),
        b"",
    )


def test_what_cannot_be_read_is_said(phone: Handset) -> None:
    assert phone.run("find /sdcard -nonsense").stderr == b"find: bad arg '-nonsense'\n"
    missing = phone.run("find /nowhere /data/local/tmp/f/a.txt")
    assert (missing.stdout, missing.exit_code) == (b"/data/local/tmp/f/a.txt\n", 1)
    assert missing.stderr == b"find: /nowhere: No such file or directory\n"


def test_found_files_and_emptied_folders_are_deleted(phone: Handset) -> None:
    phone.run("mkdir -p /sdcard/gone/x; touch /sdcard/gone/x/y")

    assert phone.run("find /sdcard/gone -delete; ls -d /sdcard/gone").stderr.endswith(b"No such file or directory\n")

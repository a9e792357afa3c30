"""The shell language: quoting, expansion, lists, pipes, redirections, loops, and mksh's words for what is wrong."""

from __future__ import annotations

import contextlib
import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.virtual.shell import COMMANDS
from controller.virtual.shell.parser import ShellSyntaxError, parse
from tests.virtual.shell_phone import Handset, handset


@pytest.fixture(scope="module")
def phone() -> Handset:
    return handset()


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("echo one  two", "one two\n"),
        ("echo 'one  two' \"a $HOME\" 'a $HOME'", "one  two a / a $HOME\n"),
        (r"echo 'it'\''s'' '", "it's \n"),
        (r"echo a\ b \"c\"", 'a b "c"\n'),
        ("echo $?; false; echo $?", "0\n1\n"),
        ("x=5; echo $x ${x}6 ${y:-none} ${#x}", "5 56 none 1\n"),
        ("f=/sdcard/a.png; echo ${f%.png} ${f##*/} ${f#/sdcard}", "/sdcard/a a.png /a.png\n"),
        ("echo $(echo in) `echo back`", "in back\n"),
        ('echo "$(printf "a\\nb\\n\\n")"', "a\nb\n"),
        ("echo $((2 + 3 * 4)) $(( (2+3)*4 )) $((7/2)) $((-7%3))", "14 20 3 -1\n"),
        ("true && echo yes || echo no", "yes\n"),
        ("false && echo yes || echo no", "no\n"),
        ("! true; echo $?", "1\n"),
        ("echo a; echo b & echo c", "a\nb\nc\n"),
        ("printf 'b\\na\\nb\\n' | sort | uniq -c", "      1 a\n      2 b\n"),
        ("for x in 1 2 3; do echo n$x; done", "n1\nn2\nn3\n"),
        ("for x in a b c; do if [ $x = b ]; then continue; fi; echo $x; done", "a\nc\n"),
        ("i=0; while [ $i -lt 3 ]; do i=$((i+1)); done; echo $i", "3\n"),
        ("until true; do echo never; done; echo $?", "0\n"),
        ("case tv.danmaku.bili in *.bili) echo video;; *) echo other;; esac", "video\n"),
        ("if false; then echo a; elif true; then echo b; else echo c; fi", "b\n"),
        ("(cd /data; pwd); pwd", "/data\n/\n"),
        ("{ echo a; echo b; } | wc -l", "2\n"),
        ("A=1 env | grep ^A=", "A=1\n"),
        ("echo one # a comment", "one\n"),
        ("cat <<END\nline $((1+1))\nEND\n", "line 2\n"),
        ("cat <<'END'\nline $x\nEND\necho after", "line $x\nafter\n"),
        ("printf 'a b\\nc d\\n' | while read x y; do echo $y-$x; done", "b-a\nd-c\n"),
        ('set -- a \'b c\'; for x in "$@"; do echo "<$x>"; done; echo $#', "<a>\n<b c>\n2\n"),
        ("sh -c 'echo $0 $1' name arg", "name arg\n"),
        ("exit 3; echo never", ""),
        ("(exit 4); echo $?", "4\n"),
        ("echo {a,b} ~", "{a,b} /\n"),
        ("printf '%s-%05d|%x\\n' a 42 255", "a-00042|ff\n"),
    ],
)
def test_a_line_prints(phone: Handset, line: str, printed: str) -> None:
    assert phone.out(line) == printed


@pytest.mark.parametrize(
    ("line", "printed", "code"),
    [
        ("xyz", "/system/bin/sh: xyz: inaccessible or not found\n", 127),
        ("/data/local/tmp/xyz", "/system/bin/sh: /data/local/tmp/xyz: inaccessible or not found\n", 127),
        ("echo (", "/system/bin/sh: syntax error: unexpected '('\n", 1),
        ("echo )", "/system/bin/sh: syntax error: unexpected ')'\n", 1),
        ("a && ", "/system/bin/sh: syntax error: unexpected EOF\n", 1),
        ("| a", "/system/bin/sh: syntax error: unexpected '|'\n", 1),
        ("if true; then echo x", "/system/bin/sh: syntax error: unexpected EOF\n", 1),
        ("done", "/system/bin/sh: syntax error: unexpected 'done'\n", 1),
        ("echo 'open", "/system/bin/sh: no closing quote\n", 1),
        ("echo x > /system/x", "/system/bin/sh: can't create /system/x: Read-only file system\n", 1),
        ("cat < /sdcard/none", "/system/bin/sh: can't open /sdcard/none: No such file or directory\n", 1),
        ("echo $((1/0))", "/system/bin/sh: divisor is zero\n", 1),
        ("[ 1 -eq x ]", "/system/bin/sh: [: x: bad number\n", 2),
        ("while true; do :; done", "Killed \n", 137),
    ],
)
def test_a_line_fails_with_androids_words(phone: Handset, line: str, printed: str, code: int) -> None:
    output = phone.run(line)

    assert (output.merged.decode(), output.exit_code) == (printed, code)


def test_android_9_says_not_found_and_turns_the_syntax_error_round() -> None:
    old = handset(9)

    assert old.out("xyz; echo (") == "/system/bin/sh: syntax error: '(' unexpected\n"
    assert old.out("xyz") == "/system/bin/sh: xyz: not found\n"


def test_redirections_send_each_stream_where_it_is_told(phone: Handset) -> None:
    phone.run("echo one > /sdcard/log; echo two >> /sdcard/log; nothere 2>> /sdcard/log; nothere 2>/dev/null")

    assert phone.out("cat /sdcard/log") == "one\ntwo\n/system/bin/sh: nothere: inaccessible or not found\n"
    assert phone.run("nothere 2>&1").stdout == b"/system/bin/sh: nothere: inaccessible or not found\n"
    assert phone.run("nothere > /sdcard/log 2>&1; cat /sdcard/log").stderr == b""
    assert phone.run("echo to-err >&2").stderr == b"to-err\n"


def test_both_streams_keep_their_order_in_the_merged_output(phone: Handset) -> None:
    output = phone.run("echo a; nothere; echo b")

    assert output.stdout == b"a\nb\n"
    assert output.merged == b"a\n/system/bin/sh: nothere: inaccessible or not found\nb\n"


def test_names_with_stars_become_the_files_that_match(phone: Handset) -> None:
    phone.run("mkdir -p /data/local/tmp/g; cd /data/local/tmp/g; touch a.txt b.txt c.png")

    assert phone.out("cd /data/local/tmp/g; echo *.txt '*.txt' *.pdf") == "a.txt b.txt *.txt *.pdf\n"
    assert phone.out("echo /data/local/tmp/?/[bc].*") == "/data/local/tmp/g/b.txt /data/local/tmp/g/c.png\n"


def test_sleeping_takes_no_time_and_is_counted(phone: Handset) -> None:
    assert phone.run("sleep 2; sleep 0.5").took_s == 2.5


def test_a_command_reads_the_streams_input(phone: Handset) -> None:
    assert phone.run("cat | tr a-z A-Z", b"hello\n").stdout == b"HELLO\n"


def test_bytes_that_are_no_text_pass_through_unchanged(phone: Handset) -> None:
    assert phone.run("cat > /sdcard/raw; cat /sdcard/raw", bytes(range(256))).stdout == bytes(range(256))


PHONE = handset()
ARGUMENTS = st.sampled_from(["-n", "-c", "-a", "1", "-1", "list", "/sdcard", "9" * 30, "%", "[a", "dump", "start"])
WORDS = st.sampled_from(
    ["echo", "a", "if", "then", "fi", "for", "do", "done", "while", "case", "esac", "in", "{", "}", "(", ")", ";",
     "&&", "||", "|", "&", ">", "2>&1", "<", "<<E", "$(", "`", "'", '"', "$((", "))", "${x", "}", "*", "[", "]",
     "!", "\\", "\n", "#", "x=1", "$x"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.text(max_size=60), st.lists(WORDS, max_size=14).map(" ".join), st.lists(WORDS, max_size=8).map("".join)
    )
)
def test_no_text_makes_the_shell_raise(line: str) -> None:
    output = PHONE.run(line)

    assert 0 <= output.exit_code <= 255


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=80))
def test_the_parser_reads_any_text_or_says_that_it_is_none(text: str) -> None:
    with contextlib.suppress(ShellSyntaxError):
        parse(text)


def test_nesting_without_end_is_refused_and_not_followed() -> None:
    assert PHONE.run("(" * 300).exit_code == 1
    assert PHONE.run("$(" * 300).exit_code == 1
    assert PHONE.run("echo $((" + "(" * 300 + "1" + ")" * 300 + "))").exit_code == 1


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(COMMANDS)),
    st.lists(st.one_of(st.text(max_size=8), ARGUMENTS), max_size=5),
    st.binary(max_size=30),
)
def test_no_arguments_make_a_command_raise(name: str, args: list[str], stdin: bytes) -> None:
    output = PHONE.run(shlex.join([name, *(argument.replace("\0", "") for argument in args)]), stdin)

    assert 0 <= output.exit_code <= 255

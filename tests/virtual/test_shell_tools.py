"""Files, text filters, properties and settings, as toybox prints them."""

from __future__ import annotations

import re
import struct

import pytest

from tests.virtual.shell_phone import Handset, handset


@pytest.fixture(scope="module")
def phone() -> Handset:
    phone = handset()
    phone.run("printf 'one\\ntwo three\\nTwo\\n' > /sdcard/t.txt")
    return phone


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("grep two /sdcard/t.txt", "two three\n"),
        ("grep -i -n two /sdcard/t.txt", "2:two three\n3:Two\n"),
        ("grep -v -c two /sdcard/t.txt", "2\n"),
        ("grep -o -E 'o[nw]?e?' /sdcard/t.txt", "one\no\no\n"),
        ("grep -F 'w.' /sdcard/t.txt; echo $?", "1\n"),
        ("grep -q one /sdcard/t.txt && echo found", "found\n"),
        ("grep -E 'one|Two' /sdcard/t.txt | head -1", "one\n"),
        ("grep 'one\\|Two' /sdcard/t.txt", "one\nTwo\n"),
        ("grep -A1 one /sdcard/t.txt", "one\ntwo three\n"),
        ("grep x /sdcard/none", "grep: /sdcard/none: No such file or directory\n"),
        ("grep '[' /sdcard/t.txt | wc -l", None),
        ("head -n 1 /sdcard/t.txt; tail -n 1 /sdcard/t.txt; tail -n +3 /sdcard/t.txt", "one\nTwo\nTwo\n"),
        ("head -c 3 /sdcard/t.txt", "one"),
        ("wc -l /sdcard/t.txt; wc -c < /sdcard/t.txt", "3 /sdcard/t.txt\n18\n"),
        ("sed 's/o/0/' /sdcard/t.txt", "0ne\ntw0 three\nTw0\n"),
        ("sed -n '2p' /sdcard/t.txt; sed '1,2d' /sdcard/t.txt", "two three\nTwo\n"),
        ("sed -E 's/(t)(w)/\\2\\1/;s|three|3|' /sdcard/t.txt", "one\nwto 3\nTwo\n"),
        ("sort -r /sdcard/t.txt | tr a-z A-Z", "TWO THREE\nONE\nTWO\n"),
        ("printf '10\\n9\\n' | sort -n | tr '\\n' ' '", "9 10 "),
        ("cut -d ' ' -f 2 /sdcard/t.txt", "one\nthree\nTwo\n"),
        ("cut -c 1-2 /sdcard/t.txt | uniq -c", "      1 on\n      1 tw\n      1 Tw\n"),
        ("echo a b c | xargs -n 1 echo x", "x a\nx b\nx c\n"),
        ("echo hi | base64; echo aGkK | base64 -d", "aGkK\nhi\n"),
        ("echo hi | tee /sdcard/u.txt | cat - /sdcard/u.txt", "hi\nhi\n"),
        ("echo a:b:c | awk -F: '{print $3, $1}'", "c a\n"),
        ("echo hi | md5sum; echo hi > /sdcard/h; sha1sum /sdcard/h; md5sum -b /sdcard/h",
         "764efa883dda1e11db47671c4a3bbd9e  -\n55ca6286e3e4f4fba5d0448333fa99fc5a404a73  /sdcard/h\n"
         "764efa883dda1e11db47671c4a3bbd9e\n"),
        ("toybox md5sum /sdcard/none", "md5sum: /sdcard/none: No such file or directory\n"),
        ("md5 x", "/system/bin/sh: md5: inaccessible or not found\n"),
        ("ls /sdcard/none; echo $?", "ls: /sdcard/none: No such file or directory\n1\n"),
        ("cat /sdcard/none; echo $?", "cat: /sdcard/none: No such file or directory\n1\n"),
        ("rm /sdcard/none; rm -f /sdcard/none; echo $?", "rm: /sdcard/none: No such file or directory\n0\n"),
        ("mkdir /sdcard/d /sdcard/d; echo $?", "mkdir: '/sdcard/d': File exists\n1\n"),
        ("rm /sdcard/d; rm -r /sdcard/d; ls -d /sdcard/d", "rm: /sdcard/d: Is a directory\n"
         "ls: /sdcard/d: No such file or directory\n"),
        ("cd /sdcard; mkdir -p x/y; echo 1 > x/a; cp -r x z; find /sdcard/z -type f; rm -r z", "/sdcard/z/a\n"),
        ("echo 1 > /sdcard/m; mv /sdcard/m /sdcard/n; cat /sdcard/n; stat -c '%s %F' /sdcard/n", "1\n2 regular file\n"),
        ("touch /system/x; echo $?", "touch: '/system/x': Read-only file system\n1\n"),
        ("cd /sdcard; chmod 755 t.txt; stat -c %a t.txt; chmod -x t.txt; stat -c %a t.txt", "755\n644\n"),
        ("basename /a/b.png .png; dirname /a/b.png", "b\n/a\n"),
        ("echo 'echo from $1' > /data/local/tmp/s.sh; sh /data/local/tmp/s.sh file", "from file\n"),
        ("/data/local/tmp/s.sh; chmod +x /data/local/tmp/s.sh; /data/local/tmp/s.sh x",
         "/system/bin/sh: /data/local/tmp/s.sh: can't execute: Permission denied\nfrom x\n"),
        ("getprop ro.build.version.sdk; getprop nope; getprop nope default", "34\n\ndefault\n"),
        ("setprop debug.x 1; getprop | grep debug.x", "[debug.x]: [1]\n"),
        ("setprop ro.x 1; echo $?", "setprop: Failed to set property 'ro.x' to '1'\n1\n"),
        ("settings get system nope; settings put system k 'a b'; settings get system k; settings delete system k",
         "null\na b\nDeleted 1 rows\n"),
        ("content query --uri content://settings/system --where \"name='screen_brightness'\"",
         "Row: 0 _id=1, name=screen_brightness, value=102\n"),
        ("content query --uri content://com.foo/x; echo $?", "Error while accessing provider:com.foo\n"
         "java.lang.IllegalStateException: Could not find provider: com.foo\n1\n"),
        ("whoami; id -u", "shell\n2000\n"),
        ("date -u -d @0 +%Y-%m-%dT%H:%M:%S", "1970-01-01T00:00:00\n"),
        ("date +%z", "+0800\n"),
        ("which sh getprop nope; echo $?", "/system/bin/sh\n/system/bin/getprop\n1\n"),
        ("ifconfig wlan0 | grep -o 'inet addr:[0-9.]*'", "inet addr:192.168.1.104\n"),
        ("service check activity; service check nope", "Service activity: found\nService nope: not found\n"),
        ("svc wifi disable; settings get global wifi_on", "0\n"),
        ("wait-for-device; su -c id; run-as com.example.notes ls",
         "/system/bin/sh: su: inaccessible or not found\nrun-as: package not debuggable: com.example.notes\n"),
        ("pidof com.example.home | wc -w", "1\n"),
        ("logcat -c; logcat -d", "--------- beginning of main\n"),
        ("seq 1 3 | tac | tr '\\n' ,", "3,2,1,"),
    ],
)  # fmt: skip
def test_a_tool_prints(phone: Handset, line: str, printed: str | None) -> None:
    output = phone.out(line)

    assert printed is None or output == printed


def test_processes_are_listed_with_nine_columns_and_without_all_only_the_shells(phone: Handset) -> None:
    every = phone.out("ps -A").splitlines()
    row = next(line.split() for line in every if line.endswith("com.example.home"))

    assert every[0].split() == ["USER", "PID", "PPID", "VSZ", "RSS", "WCHAN", "ADDR", "S", "NAME"]
    assert len(row) == 9
    assert row[1] == phone.out("pidof com.example.home").strip()
    assert "com.example.home" not in phone.out("ps")
    assert phone.out("ps -A -o PID,NAME | grep example.home").split() == [row[1], "com.example.home"]


def test_long_listings_show_mode_owner_size_and_time(phone: Handset) -> None:
    phone.run("mkdir -p /data/local/tmp/l; printf 12345 > /data/local/tmp/l/f")

    lines = phone.out("ls -l /data/local/tmp/l").splitlines()

    assert lines[0] == "total 4"
    assert lines[1].split()[:5] == ["-rw-r--r--", "1", "shell", "shell", "5"]
    assert lines[1].endswith(" f")


def test_the_kernels_files_are_made_when_read(phone: Handset) -> None:
    assert phone.out("cat /proc/version").startswith("Linux version 6.1.23-android14")
    assert phone.out("head -1 /proc/net/unix") == "Num       RefCount Protocol Flags    Type St Inode Path\n"
    assert phone.out("cat /proc/$(pidof com.example.home)/cmdline | tr '\\0' '\\n'") == "com.example.home\n"


def test_commands_that_stay_say_so(phone: Handset) -> None:
    kinds = [
        lasting.kind if (lasting := phone.run(line).lasting) is not None else None
        for line in (
            "logcat",
            "logcat -d",
            "screenrecord /sdcard/a.mp4",
            "screenrecord --time-limit 3 /sdcard/a.mp4",
            "reboot",
        )
    ]

    assert kinds == ["logcat", None, "screenrecord", None, "reboot"]
    assert phone.run("screenrecord --time-limit 3 /sdcard/a.mp4").took_s == 3.0


def test_the_log_keeps_lines_and_is_followed_while_somebody_looks() -> None:
    phone = handset()
    phone.run("log -p w -t TAG hello; log -t OTHER there")

    follow = phone.run("logcat -v brief TAG:V '*:S'").lasting
    assert follow is not None
    assert follow.follow is not None
    phone.run("log -t TAG again; log -t OTHER not this")

    assert (
        phone.out("logcat -d -v brief -s TAG")
        == "--------- beginning of main\nW/TAG     (12345): hello\nI/TAG     (12345): again\n"
    )
    assert (follow.follow(), follow.follow()) == (b"I/TAG     (12345): again\n", b"")
    assert phone.out("logcat -d -v time -t 1") == (
        f"--------- beginning of main\n{phone.out('date +%m-%d').strip()} {phone.out('date +%H:%M:%S').strip()}.000 "
        "I/OTHER   (12345): not this\n"
    )
    assert phone.out("am start -a x.Y >/dev/null 2>&1; logcat -d -v raw | tail -1") == (
        "START u0 {act=x.Y flg=0x10000000} from uid 2000\n"
    )
    assert phone.out("logcat -c; logcat -d") == "--------- beginning of main\n"


def test_what_is_followed_goes_through_the_rest_of_the_pipe() -> None:
    phone = handset()
    filtered = phone.run("logcat -v tag | grep -v OTHER | sed 's/again/once more/'").lasting
    enough = [phone.run(line).lasting for line in ("logcat | head -1", "logcat | grep -m 1 x", "logcat | wc -l")]
    phone.run("log -t TAG again; log -t OTHER not this")

    assert filtered is not None
    assert filtered.follow is not None
    assert filtered.follow() == b"I/TAG     : once more\n"
    assert enough == [None, None, None]


def test_somebody_writes_to_the_log_every_second() -> None:
    phone = handset()
    follow = phone.run("logcat -v tag").lasting
    assert follow is not None
    assert follow.follow is not None

    assert follow.follow() == b""
    phone.time[0] += 1
    assert follow.follow().startswith(b"I/healthd : battery l=100")
    assert follow.follow() == b""


def test_the_log_is_passed_on_as_the_kernels_entries() -> None:
    phone = handset()
    phone.run("log -p w -t kit 'hello log'")

    entry = phone.run("logcat -B -d kit:W *:S").stdout

    length, head, pid, tid, _, _, log, uid = struct.unpack("<HHiIIIII", entry[:28])
    assert (length, head, pid, tid, log, uid) == (15, 28, 12345, 12345, 0, 1000)
    assert entry[28:] == b"\x05kit\0hello log\0"


def test_a_log_shows_the_year_where_it_is_wanted() -> None:
    phone = handset()
    phone.run("log -t kit hello")

    lines = phone.run("logcat -d -v threadtime,year").stdout.decode().splitlines()

    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} 12345 12345 I kit {5}: hello", lines[-1])

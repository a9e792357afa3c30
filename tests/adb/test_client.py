from __future__ import annotations

import re
import socket

import pytest

from controller.adb.client import AdbServer, ShellResult, command_line
from controller.adb.states import Kind
from controller.clock import SystemClock
from controller.errors import (
    AdbFailure,
    AdbServerError,
    DeviceNotFound,
    NoDevice,
    NoPermissions,
    Offline,
    SeveralDevices,
    TimedOut,
    Unauthorized,
)
from tests.adb.peer import Peer, exit_code, peer, read_exactly, stdout

V2 = b"OKAY" + b"0014shell_v2,cmd,stat_v2"


def server(at: Peer) -> AdbServer:
    return AdbServer("127.0.0.1", at.port, clock=SystemClock())


def listing(text: str) -> bytes:
    return b"OKAY%04x" % len(text.encode()) + text.encode()


def test_the_version_of_a_server_is_read() -> None:
    with peer({"host:version": b"OKAY00040029"}) as at:
        assert server(at).version() == 41


def test_no_server_is_its_own_error_with_the_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]

    with pytest.raises(AdbServerError, match=rf"no adb server answers at 127\.0\.0\.1:{port}") as caught:
        AdbServer("127.0.0.1", port, clock=SystemClock()).version()

    assert caught.value.code == "adb_server"


def test_another_program_on_the_port_is_told_apart_from_no_server() -> None:
    with peer({"host:version": b"HTTP/1.1 400 Bad Request\r\n\r\n"}) as at, pytest.raises(AdbServerError) as caught:
        server(at).version()

    assert caught.value.code == "not_adb"


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("", NoDevice, "knows no phone"),
        ("AB12                   unauthorized usb:1-1 transport_id:1\n", Unauthorized, "AB12 has not accepted"),
        ("AB12                   offline usb:1-1 transport_id:1\n", Offline, "AB12 is known and does not answer"),
        (
            "AB12                   no permissions (missing udev rules? user is in the plugdev group); see "
            "[http://developer.android.com/tools/device.html] usb:1-1\n",
            NoPermissions,
            "may not be opened",
        ),
        (
            "AB12  device usb:1-1 transport_id:1\nemulator-5554  device product:sdk transport_id:2\n",
            SeveralDevices,
            "2 phones are connected: AB12, emulator-5554",
        ),
    ],
)
def test_each_way_of_having_no_usable_phone_has_its_own_error_and_a_cure(
    text: str, error: type[Exception], words: str
) -> None:
    table = {"host:devices-l": listing(text), "shell:getprop*": b"OKAY"}
    with peer(table) as at, pytest.raises(error, match=re.escape(words)) as caught:
        server(at).choose()

    assert caught.value.hint  # type: ignore[attr-defined]


def test_an_unauthorized_phone_is_sent_no_command_and_the_other_one_works() -> None:
    rows = "AB12  unauthorized usb:1-1 transport_id:1\nCD34  device usb:1-2 transport_id:2\n"
    with peer({"host:devices-l": listing(rows)}) as at:
        assert server(at).choose().serial == "CD34"
        with pytest.raises(Unauthorized):
            server(at).choose(serial="AB12")

    assert at.asked == ["host:devices-l", "host:devices-l"]


def test_an_unknown_serial_is_answered_with_those_that_are_there() -> None:
    rows = "AB12  device usb:1-1 transport_id:1\n"
    with peer({"host:devices-l": listing(rows)}) as at, pytest.raises(DeviceNotFound, match="connected: AB12"):
        server(at).choose(serial="XX")


def test_kinds_of_phones_are_chosen_by_how_they_are_connected() -> None:
    rows = "AB12  device usb:1-1\nemulator-5554  device product:sdk\n192.0.2.1:5555  device product:x\n"
    with peer({"host:devices-l": listing(rows)}) as at:
        assert server(at).choose(kind=Kind.USB).serial == "AB12"
        assert server(at).choose(kind=Kind.EMULATOR).serial == "emulator-5554"


def test_one_phone_on_the_cable_and_on_wifi_is_one_phone_and_its_serial_may_hold_a_blank() -> None:
    # Android 15 lists a second mDNS name as `adb-0a1b2c3d-XyZ123 (2)._adb-tls-connect._tcp`.
    wifi = "adb-0a1b2c3d-XyZ123 (2)._adb-tls-connect._tcp"
    table = {
        "host:devices-l": listing(f"{wifi} device transport_id:1\n0a1b2c3d               device usb:1-1\n"),
        "host:devices": listing(f"{wifi}\tdevice\n0a1b2c3d\tdevice\n"),
        "host-serial:*": V2,
        "shell,v2,raw:getprop ro.serialno": b"OKAY" + stdout(b"0a1b2c3d\n") + exit_code(0),
    }
    with peer(table) as at:
        rows = server(at).devices()
        chosen = server(at).choose()

    assert [row.serial for row in rows] == [wifi, "0a1b2c3d"]
    assert chosen.serial == "0a1b2c3d"


def test_two_phones_with_one_serial_are_named_by_transport_id() -> None:
    rows = "AB12  device usb:1-1 transport_id:4\nAB12  device usb:1-2 transport_id:7\n"
    table = {
        "host:devices-l": listing(rows),
        "host:transport-id:4": b"OKAY",
        "host-transport-id:4:features": V2,
        "shell,v2,raw:id": b"OKAY" + stdout(b"2000") + exit_code(0),
    }
    with peer(table) as at:
        assert server(at).choose(serial="AB12").shell("id").stdout == "2000"


def test_a_shell_of_version_two_keeps_outputs_and_exit_code_apart() -> None:
    answer = b"OKAY" + stdout(b"out") + b"\x02\x03\x00\x00\x00err" + exit_code(7)
    with peer({"host-serial:*": V2, "shell,v2,raw:ls 'a b'": answer}) as at:
        assert server(at).device("S").shell(["ls", "a b"]) == ShellResult("out", "err", 7)


def test_a_shell_of_version_one_gets_its_exit_code_by_an_echo() -> None:
    answer = b"OKAYone\r\ntwo\r\nphonectl:exit:3\r\n"
    with peer({"host-serial:*": b"OKAY0003cmd", "shell:cat x ; echo phonectl:exit:$?": answer}) as at:
        assert server(at).device("S").shell("cat x") == ShellResult("one\ntwo\n", "", 3)


def test_a_shell_of_version_one_may_print_its_errors_behind_the_exit_code() -> None:
    answer = b"OKAYone\nphonectl:exit:1\ncat: y: No such file or directory\n"
    with peer({"host-serial:*": b"OKAY0003cmd", "shell:cat x y ; echo phonectl:exit:$?": answer}) as at:
        done = server(at).device("S").shell("cat x y")

    assert done == ShellResult("one\ncat: y: No such file or directory\n", "", 1)


@pytest.mark.parametrize(
    "answer",
    [b"OKAY" + stdout(b"half an ans"), b"OKAY" + stdout(b"whole but no exit")[:-3], b"OKAY"],
)
def test_an_answer_that_is_cut_short_is_an_error_and_never_a_short_answer(answer: bytes) -> None:
    with peer({"host-serial:*": V2, "shell,v2,raw:dumpsys": answer}) as at, pytest.raises(AdbFailure) as caught:
        server(at).device("S").shell("dumpsys")

    assert caught.value.code == "cut_short"


def test_a_version_one_answer_without_its_mark_is_cut_short() -> None:
    table = {"host-serial:*": b"OKAY0003cmd", "shell:dumpsys*": b"OKAYhalf an ans"}
    with peer(table) as at, pytest.raises(AdbFailure, match="cut short"):
        server(at).device("S").shell("dumpsys")


def test_a_command_that_does_not_end_is_left_after_the_deadline() -> None:
    def silent(sock: socket.socket, _: str) -> None:
        sock.recv(1)

    table = {"host-serial:*": V2, "shell,v2,raw:cat": silent}
    with peer(table) as at, pytest.raises(TimedOut, match=r"S: cat: no answer within 0\.2 s"):
        server(at).device("S").shell("cat", timeout_s=0.2)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("device 'S' not found", DeviceNotFound),
        ("device offline", Offline),
        ("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set", Unauthorized),
    ],
)
def test_a_phone_that_went_away_is_named_by_its_state(words: str, error: type[Exception]) -> None:
    refusal = b"FAIL%04x" % len(words) + words.encode()
    with peer({"host:transport:*": refusal, "host-serial:*": refusal}) as at, pytest.raises(error):
        server(at).device("S").shell("true")


def test_nobody_listening_at_a_service_has_a_code_of_its_own() -> None:
    with peer({}) as at, pytest.raises(AdbFailure) as caught:
        server(at).device("S").open("tcp:9008")

    assert caught.value.code == "service_closed"


def test_a_file_is_pushed_in_one_stream() -> None:
    got: list[bytes] = []

    def sync(sock: socket.socket, _: str) -> None:
        got.append(read_exactly(sock, 8 + 15 + 8 + 5 + 8))
        sock.sendall(b"OKAY\x00\x00\x00\x00")

    with peer({"sync:": sync}) as at:
        server(at).device("S").push(b"hello", "/data/a,b", mode=0o644, mtime=7)

    assert got == [b"SEND\x0f\x00\x00\x00/data/a,b,33188DATA\x05\x00\x00\x00helloDONE\x07\x00\x00\x00"]


def test_a_file_that_is_cut_short_is_never_returned() -> None:
    def sync(sock: socket.socket, _: str) -> None:
        read_exactly(sock, 8 + 4)
        sock.sendall(b"DATA\x05\x00\x00\x00hello")

    with peer({"sync:": sync}) as at, pytest.raises(AdbFailure, match="cut short"):
        server(at).device("S").pull("/a/b")


def test_a_file_is_pulled_whole() -> None:
    def sync(sock: socket.socket, _: str) -> None:
        read_exactly(sock, 8 + 4)
        sock.sendall(b"DATA\x05\x00\x00\x00helloDATA\x01\x00\x00\x00!DONE\x00\x00\x00\x00")

    with peer({"sync:": sync}) as at:
        assert server(at).device("S").pull("/a/b") == b"hello!"


def test_a_refused_file_says_why() -> None:
    def sync(sock: socket.socket, _: str) -> None:
        read_exactly(sock, 8 + 4)
        sock.sendall(b"FAIL\x11\x00\x00\x00permission denied")

    with peer({"sync:": sync}) as at, pytest.raises(AdbFailure, match="permission denied"):
        server(at).device("S").pull("/a/b")


def test_a_list_of_words_is_quoted_once_and_text_not_at_all() -> None:
    uri = "bilibili://search?keyword=cat&from=x(1)#top"

    assert command_line(["am", "start", "-d", uri]) == f"am start -d '{uri}'"
    assert command_line("ls | wc -l") == "ls | wc -l"

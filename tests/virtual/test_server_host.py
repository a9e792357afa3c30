"""The embedded adb server, asked over its own port."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import pytest

from controller.virtual.host import HostServer
from controller.virtual.server import VirtualServer
from controller.wire.adb import sync
from controller.wire.adb.host import Fail, Okay, request
from tests.virtual.peers import AdbClient, PlainPhone, ask, refusal

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone


def serve(*phones: PlainPhone) -> VirtualServer:
    server = VirtualServer(cast("list[VirtualPhone]", list(phones)))
    server.start()
    return server


@pytest.fixture
def phone() -> PlainPhone:
    return PlainPhone()


@pytest.fixture
def server(phone: PlainPhone) -> Iterator[VirtualServer]:
    with serve(phone) as server:
        yield server


@pytest.fixture
def address(server: VirtualServer) -> str:
    return server.server


def test_the_version_is_the_one_of_adb_1_0_41(address: str) -> None:
    assert ask(address, "host:version") == "0029"


def test_phones_are_listed_short_and_long(address: str) -> None:
    assert ask(address, "host:devices") == "plain-1\tdevice\n"
    assert ask(address, "host:devices-l") == (
        "plain-1                device product:sdk_phone64 model:Test_Phone device:emu64 transport_id:1\n"
    )


def test_the_persons_own_port_is_refused() -> None:
    with pytest.raises(ValueError, match="5037"):
        HostServer(port=5037)


@pytest.mark.parametrize(
    ("service", "answer"),
    [
        ("host:get-state", "device"),
        ("host-serial:plain-1:get-state", "device"),
        ("host-transport-id:1:get-serialno", "plain-1"),
        ("host:get-serialno", "plain-1"),
        ("host:get-devpath", "unknown"),
        ("host:get-product", "sdk_phone64"),
        ("host:list-forward", ""),
        ("host:connect:10.0.0.9:5555", "failed to connect to '10.0.0.9:5555': this adb server has virtual phones only"),
        ("host:connect:plain-1", "already connected to plain-1"),
        ("host:disconnect:", "disconnected everything"),
        ("host:reconnect-offline", ""),
        ("host-serial:plain-1:reconnect", "reconnecting plain-1 [device]\n"),
    ],
)
def test_questions_about_the_phone_are_answered(address: str, service: str, answer: str) -> None:
    assert ask(address, service) == answer


def test_features_are_those_of_the_phones_android_version(address: str, phone: PlainPhone) -> None:
    assert {"shell_v2", "cmd", "stat_v2", "ls_v2", "abb_exec"} <= set(ask(address, "host:features").split(","))
    phone.sdk = 28
    assert ask(address, "host-serial:plain-1:features") == "stat_v2,cmd,shell_v2"


@pytest.mark.parametrize(
    ("services", "words"),
    [
        (["host:kill"], "this adb server belongs to a virtual phone and ends with it"),
        (["host:transport:nobody"], "device 'nobody' not found"),
        (["host-serial:nobody:get-state"], "device 'nobody' not found"),
        (["host:transport-usb"], "no devices found"),
        (["host:transport-id:9"], "no device with transport id '9'"),
        (["host:disconnect:nobody"], "device 'nobody' not found"),
        (["host:mdns:check"], "unknown host service"),
        (["shell:ls"], "unknown host service"),
        (["host:transport-any", "dev:/dev/null"], "closed"),
        (["host:transport-any", "tcp:9008"], "closed"),
        (["host:transport-any", "localabstract:chrome_devtools_remote"], "closed"),
        (["host-serial:plain-1:killforward:tcp:1"], "listener 'tcp:1' not found"),
        (["host-serial:plain-1:forward:tcp:1"], "adb host: bad forward: tcp:1"),
        (
            ["host-serial:plain-1:forward:tcp:5037;tcp:9008"],
            "cannot bind listener: port 5037 belongs to the machine's own adb server",
        ),
        (
            ["host-serial:plain-1:forward:localfilesystem:/x;tcp:9008"],
            "cannot bind listener: only tcp:PORT is offered on this side, not localfilesystem:/x",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(address: str, services: list[str], words: str) -> None:
    assert refusal(address, *services) == words


def test_a_transport_leads_to_a_service_of_the_phone(address: str) -> None:
    with AdbClient(address) as client:
        assert client.ask("host:transport:plain-1") == Okay()
        assert client.ask("shell:echo hello; echo oops >&2; exit 3") == Okay()
        assert client.everything() == b"hello\noops\n"


def test_tport_says_which_transport_it_took(address: str) -> None:
    with AdbClient(address) as client:
        assert client.ask("host:tport:any") == Okay()
        assert client.exactly(8) == (1).to_bytes(8, "little")
        assert client.ask("shell:echo hi") == Okay()
        assert client.everything() == b"hi\n"


def test_a_client_that_sends_everything_ahead_is_understood(address: str) -> None:
    with AdbClient(address) as client:
        client.socket.sendall(request("host:transport-any") + request("sync:") + sync.stat_request("/nowhere"))
        assert (client.reply(), client.reply()) == (Okay(), Okay())
        assert client.exactly(16) == b"STAT" + bytes(12)


def test_no_phone_and_several_phones_are_told_apart() -> None:
    with serve() as none:
        assert refusal(none.server, "host:transport-any") == "no devices/emulators found"
    with serve(PlainPhone("a"), PlainPhone("b")) as two:
        assert refusal(two.server, "host:transport-any") == "more than one device/emulator"
        assert ask(two.server, "host-serial:b:get-serialno") == "b"
        assert two.transport_of("a") != two.transport_of("b")


def test_a_phone_is_also_found_by_the_address_of_its_transport(server: VirtualServer) -> None:
    assert ask(server.server, f"host-serial:{server.transport}:get-serialno") == "plain-1"


def test_two_phones_with_one_serial_are_refused() -> None:
    with serve(PlainPhone("a")) as server, pytest.raises(ValueError, match="'a' is attached already"):
        server.add(cast("VirtualPhone", PlainPhone("a")))


@pytest.mark.parametrize(
    ("fault", "words"), [("offline", "device offline"), ("unauthorized", "device unauthorized.\nThis adb server's")]
)
def test_a_phone_that_does_not_answer_is_listed_and_refused(
    address: str, phone: PlainPhone, fault: str, words: str
) -> None:
    phone.faults.set(fault)

    assert ask(address, "host:devices") == f"plain-1\t{fault}\n"
    assert refusal(address, "host:transport-any").startswith(words)


def test_the_list_is_followed_until_the_client_leaves(server: VirtualServer, phone: PlainPhone) -> None:
    with AdbClient(server.server) as client:
        assert client.ask("host:track-devices") == Okay()
        assert client.string() == "plain-1\tdevice\n"

        server.add(cast("VirtualPhone", PlainPhone("b")))
        assert client.string() == "plain-1\tdevice\nb\tdevice\n"

        phone.faults.set("offline")
        assert client.string() == "plain-1\toffline\nb\tdevice\n"


def test_waiting_ends_when_the_state_is_there(server: VirtualServer) -> None:
    with AdbClient(server.server) as client:
        assert client.ask("host-serial:b:wait-for-any-device") == Okay()
        server.add(cast("VirtualPhone", PlainPhone("b")))
        assert client.reply() == Okay()


def test_waiting_for_what_is_there_ends_at_once(address: str) -> None:
    with AdbClient(address) as client:
        assert client.ask("host:wait-for-any-device") == Okay()
        assert client.reply() == Okay()


def test_a_forward_reaches_a_port_of_the_phone_and_can_be_taken_back(server: VirtualServer) -> None:
    server.services["plain-1"].provide("tcp:7777", lambda stream: stream.write(b"served " + stream.read()))
    with AdbClient(server.server) as client:
        assert client.ask("host-serial:plain-1:forward:tcp:0;tcp:7777") == Okay()
        assert client.reply() == Okay()
        port = int(client.string())
    assert ask(server.server, "host:list-forward") == f"plain-1 tcp:{port} tcp:7777\n"

    with socket.create_connection(("127.0.0.1", port), timeout=5) as peer:
        peer.sendall(b"hello")
        assert peer.recv(100) == b"served hello"

    with AdbClient(server.server) as client:
        assert client.ask(f"host-serial:plain-1:killforward:tcp:{port}") == Okay()
        assert client.reply() == Okay()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def test_a_request_after_the_transport_means_that_phone() -> None:
    with serve(PlainPhone("a"), PlainPhone("b")) as two, AdbClient(two.server) as client:
        assert client.ask("host:transport:b") == Okay()
        assert client.ask("host:get-serialno") == Okay()
        assert client.string() == "b"


def test_norebind_keeps_the_forward_that_is_there(server: VirtualServer) -> None:
    with AdbClient(server.server) as client:
        client.ask("host-serial:plain-1:forward:tcp:0;tcp:1")
        client.reply()
        local = f"tcp:{client.string()}"

    assert refusal(server.server, f"host-serial:plain-1:forward:norebind:{local};tcp:2") == (
        f"cannot rebind existing socket: {local}"
    )
    with AdbClient(server.server) as client:
        assert client.ask(f"host-serial:plain-1:forward:{local};tcp:2") == Okay()
    assert ask(server.server, "host:list-forward") == f"plain-1 {local} tcp:2\n"
    with AdbClient(server.server) as client:
        assert client.ask("host:killforward-all") == Okay()
    assert ask(server.server, "host:list-forward") == ""


def test_a_connection_to_a_closed_port_of_the_phone_ends_at_once(server: VirtualServer) -> None:
    with AdbClient(server.server) as client:
        client.ask("host-serial:plain-1:forward:tcp:0;tcp:9008")
        client.reply()
        port = int(client.string())

    with socket.create_connection(("127.0.0.1", port), timeout=5) as peer:
        assert peer.recv(100) == b""


def reverse(address: str, request: str) -> AdbClient:
    client = AdbClient(address)
    client.ask("host:transport-any")
    assert client.ask(f"reverse:{request}") == Okay()
    return client


def test_reverse_forwards_are_made_listed_and_removed(address: str) -> None:
    with reverse(address, "forward:tcp:12345;tcp:4000") as client:
        assert client.reply() == Okay()
    with reverse(address, "forward:norebind:tcp:12345;tcp:4001") as client:
        assert client.reply() == Fail("cannot rebind existing socket: tcp:12345")
    with reverse(address, "forward:tcp:0;tcp:4000") as client:
        assert (client.reply(), client.string()) == (Okay(), "40000")
    with reverse(address, "list-forward") as client:
        assert client.string() == "host-19 tcp:12345 tcp:4000\nhost-19 tcp:40000 tcp:4000\n"
    with reverse(address, "killforward:tcp:12345") as client:
        assert client.reply() == Okay()
    with reverse(address, "killforward:tcp:12345") as client:
        assert client.reply() == Fail("listener 'tcp:12345' not found")
    with reverse(address, "killforward-all") as client:
        assert client.reply() == Okay()
    with reverse(address, "list-forward") as client:
        assert client.string() == ""


def test_nonsense_ends_the_connection_and_nothing_else(address: str) -> None:
    with AdbClient(address) as client:
        client.socket.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert client.everything() == b""
    assert ask(address, "host:version") == "0029"


def test_a_file_goes_to_the_phone_and_comes_back(address: str, phone: PlainPhone) -> None:
    with AdbClient(address) as client:
        client.ask("host:transport-any")
        assert client.ask("sync:") == Okay()
        client.socket.sendall(sync.send_request("/sdcard/new/a.txt") + sync.data(b"hello") + sync.done(7))
        client.socket.sendall(sync.receive_request("/sdcard/new/a.txt") + sync.quit_request())
        answer = client.everything()

    assert answer == sync.encode_written() + sync.data(b"hello") + sync.encode_receive_end()
    assert (phone.files.read("/sdcard/new/a.txt"), phone.files.stat("/sdcard/new/a.txt").mtime) == (b"hello", 7)


def test_closing_ends_clients_that_wait() -> None:
    server = serve(PlainPhone())
    with AdbClient(server.server) as client:
        client.ask("host:track-devices")
        client.string()

        server.close()

        assert client.everything() == b""


def test_an_answer_is_whole_though_the_client_says_something_after_its_end(address: str, phone: PlainPhone) -> None:
    # adb says that its standard input is closed, whether or not the command waits for any.
    phone.files.write("/data/local/tmp/big", bytes(400_000))
    with AdbClient(address) as client:
        client.ask(f"host:transport:{phone.serial}")
        client.ask("exec:cat /data/local/tmp/big")
        client.socket.sendall(b"late")
        time.sleep(0.05)  # the answer is on its way, and the service has ended
        received = client.reader.rest()
        while piece := client.socket.recv(65536):
            received += piece

    assert len(received) == 400_000

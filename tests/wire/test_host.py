from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import ProtocolError
from controller.wire.adb.host import (
    DeviceLine,
    Fail,
    ForwardLine,
    HostReader,
    HostRequest,
    Okay,
    RequestReader,
    Selection,
    Target,
    fail,
    format_devices,
    format_forwards,
    parse_devices,
    parse_forwards,
    parse_request,
    prefixed,
    request,
    split_forward,
)

serial = Target(Selection.SERIAL, "127.0.0.1:5555")


def test_a_request_has_its_length_in_four_hexadecimal_digits() -> None:
    assert request("host:version") == b"000chost:version"
    assert request("shell:echo 中文") == "0011shell:echo 中文".encode()


def test_requests_too_long_for_four_digits_are_refused() -> None:
    with pytest.raises(ProtocolError, match="65536 bytes"):
        request("x" * 65536)


def test_answers_are_read_piece_by_piece() -> None:
    data = b"OKAY" + b"0004" + b"0029" + b"FAIL000cno such host" + b"service bytes"
    reader = HostReader()
    read: list[object] = []
    steps = [reader.reply, reader.string, reader.reply]
    for i in range(len(data)):
        reader.feed(data[i : i + 1])
        while steps and (piece := steps[0]()) is not None:
            read.append(piece)
            steps.pop(0)

    assert read == [Okay(), "0029", Fail("no such host")]
    assert reader.rest() == b"service bytes"


def test_a_transport_id_is_eight_bytes_after_the_okay() -> None:
    reader = HostReader()
    reader.feed(b"OKAY" + (7).to_bytes(8, "little"))

    assert (reader.reply(), reader.exactly(8), reader.exactly(8)) == (Okay(), b"\7" + bytes(7), None)


@pytest.mark.parametrize("data", [b"HTTP/1.1 400", b"okay"])
def test_neither_okay_nor_fail_breaks_the_protocol(data: bytes) -> None:
    reader = HostReader()
    reader.feed(data)

    with pytest.raises(ProtocolError, match="expected OKAY or FAIL"):
        reader.reply()


@pytest.mark.parametrize("digits", [b"00g1", b"-001", b"0x1f", b" 123"])
def test_a_length_must_be_four_hexadecimal_digits(digits: bytes) -> None:
    reader = RequestReader()
    reader.feed(digits)

    with pytest.raises(ProtocolError, match="four hexadecimal digits"):
        reader.next()


def test_a_client_may_send_its_second_request_and_data_ahead() -> None:
    reader = RequestReader()
    reader.feed(request("host:transport-any") + request("shell,v2:cat") + b"\0\1\0\0\0x")

    assert (reader.next(), reader.next()) == ("host:transport-any", "shell,v2:cat")
    assert reader.rest() == b"\0\1\0\0\0x"


@pytest.mark.parametrize(
    ("service", "expected"),
    [
        ("host:version", HostRequest("version")),
        ("host:devices-l", HostRequest("devices-l")),
        ("host:transport:127.0.0.1:5555", HostRequest("transport", target=serial)),
        ("host:transport-any", HostRequest("transport")),
        ("host:transport-usb", HostRequest("transport", target=Target(Selection.USB))),
        ("host:transport-id:3", HostRequest("transport", target=Target(Selection.ID, "3"))),
        ("host:tport:any", HostRequest("tport")),
        ("host:tport:serial:127.0.0.1:5555", HostRequest("tport", target=serial)),
        ("host:tport:nonsense", HostRequest("tport", "nonsense")),
        ("host:connect:127.0.0.1:5555", HostRequest("connect", "127.0.0.1:5555")),
        ("host:wait-for-any-device", HostRequest("wait-for-any-device")),
        ("host-usb:get-state", HostRequest("get-state", target=Target(Selection.USB))),
        ("host-local:get-state", HostRequest("get-state", target=Target(Selection.LOCAL))),
        ("host-transport-id:3:features", HostRequest("features", target=Target(Selection.ID, "3"))),
        ("host-serial:127.0.0.1:5555:features", HostRequest("features", target=serial)),
        (
            "host-serial:127.0.0.1:5555:forward:norebind:tcp:0;tcp:9008",
            HostRequest("forward", "norebind:tcp:0;tcp:9008", serial),
        ),
        (
            "host-serial:emulator-5554:killforward:tcp:1",
            HostRequest("killforward", "tcp:1", Target(Selection.SERIAL, "emulator-5554")),
        ),
        (
            "host-serial:adb-RF8N._adb-tls-connect._tcp.:get-state",
            HostRequest("get-state", target=Target(Selection.SERIAL, "adb-RF8N._adb-tls-connect._tcp.")),
        ),
        ("host-serial:[::1]:5555:get-state", HostRequest("get-state", target=Target(Selection.SERIAL, "[::1]:5555"))),
        ("host-serial:usb:1-3:get-state", HostRequest("get-state", target=Target(Selection.SERIAL, "usb:1-3"))),
        ("shell:ls", None),
        ("nonsense", None),
    ],
)
def test_requests_are_read_as_values(service: str, expected: HostRequest | None) -> None:
    assert parse_request(service) == expected


def test_the_ends_of_a_forward_are_told_apart() -> None:
    assert split_forward("tcp:0;localabstract:chrome_devtools_remote") == (
        "tcp:0",
        "localabstract:chrome_devtools_remote",
        False,
    )
    assert split_forward("norebind:tcp:1;tcp:2") == ("tcp:1", "tcp:2", True)
    with pytest.raises(ProtocolError, match="bad forward: tcp:1"):
        split_forward("tcp:1")


LONG = (
    "127.0.0.1:5555         device product:sdk_gphone64 model:Pixel_8_Pro device:emu64xa transport_id:4\n"
    "0A021FDD40012X         unauthorized usb:1-3 transport_id:2\n"
    "????????????           no permissions (user in plugdev group); see [http://developer.android.com] usb:3-1\n"
)


def test_the_long_list_of_phones_is_read() -> None:
    devices = parse_devices(LONG)

    assert devices[0] == DeviceLine(
        "127.0.0.1:5555",
        "device",
        {"product": "sdk_gphone64", "model": "Pixel_8_Pro", "device": "emu64xa", "transport_id": "4"},
    )
    assert devices[1] == DeviceLine("0A021FDD40012X", "unauthorized", {"usb": "1-3", "transport_id": "2"})
    assert devices[2].state == "no permissions (user in plugdev group); see [http://developer.android.com]"
    assert format_devices(devices, long=True) == LONG


def test_the_short_list_of_phones_has_tabs() -> None:
    devices = [DeviceLine("a", "device"), DeviceLine("b", "offline")]

    assert format_devices(devices) == "a\tdevice\nb\toffline\n"
    assert parse_devices("a\tdevice\nb\toffline\n") == devices


def test_a_models_spaces_are_printed_as_underscores() -> None:
    assert "model:Pixel_8_Pro\n" in format_devices([DeviceLine("a", "device", {"model": "Pixel 8 Pro"})], long=True)


def test_forwards_are_listed_a_line_each() -> None:
    forwards = [ForwardLine("a", "tcp:1", "tcp:9008"), ForwardLine("b", "tcp:2", "localabstract:x")]

    assert format_forwards(forwards) == "a tcp:1 tcp:9008\nb tcp:2 localabstract:x\n"
    assert parse_forwards(format_forwards(forwards)) == forwards


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_every_request_comes_back(service: str) -> None:
    reader = RequestReader()
    reader.feed(request(service))

    assert (reader.next(), reader.rest()) == (service, b"")


@given(st.binary(max_size=300))
def test_every_string_of_bytes_survives_the_way_through_text(data: bytes) -> None:
    reader = HostReader()
    reader.feed(prefixed(data))

    text = reader.string()

    assert text is not None
    assert prefixed(text) == prefixed(data)


@given(st.text(max_size=100))
def test_any_service_name_can_be_asked_for(service: str) -> None:
    parse_request(service)
    parse_request("host-serial:" + service)
    parse_devices(service)


def test_a_refusal_carries_its_words() -> None:
    assert fail("no devices/emulators found") == b"FAIL001ano devices/emulators found"

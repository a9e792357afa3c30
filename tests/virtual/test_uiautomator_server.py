"""uiautomator2's server: its methods on a phone, its errors, and HTTP fed whole and byte by byte."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.virtual.uiautomator import METHODS, HttpConnection, RpcError, UiAutomator
from tests.virtual.shell_phone import Handset, handset

NOTES = "am start -n com.example.notes/.Main"


class Server:
    """A server on a phone, whose waits let the phone's clock go on."""

    def __init__(self, android: int = 14) -> None:
        self.handset: Handset = handset(android)
        self.phone = self.handset.phone
        self.automator = UiAutomator(self.phone)
        self.waited = 0.0
        self.handset.run(NOTES)

    def call(self, method: str, *params: Any) -> Any:
        """The result of a call, or its error."""
        steps = self.automator.call(method, list(params))
        while True:
            try:
                wait = next(steps)
            except StopIteration as finished:
                return finished.value
            self.waited += wait
            self.handset.time[0] += wait


@pytest.fixture
def server() -> Server:
    return Server()


def by(**terms: object) -> dict[str, Any]:
    """A selector as the client sends it."""
    masks = {"text": 1, "textContains": 2, "className": 0x10, "resourceId": 0x200000, "instance": 0x1000000,
             "focused": 0x20000, "scrollable": 0x4000}  # fmt: skip
    mask = sum(masks[name] for name in terms)
    return {"mask": mask, "childOrSibling": [], "childOrSiblingSelector": [], **terms}


FIELD = by(className="android.widget.EditText")


def test_the_device_is_described(server: Server) -> None:
    assert server.call("deviceInfo") == {
        "currentPackageName": "com.example.notes",
        "displayHeight": 2400,
        "displayRotation": 0,
        "displaySizeDpX": 411,
        "displaySizeDpY": 914,
        "displayWidth": 1080,
        "productName": "test_one",
        "screenOn": True,
        "sdkInt": 34,
        "naturalOrientation": True,
    }


def test_an_object_is_described_with_its_bounds_and_its_resource_name(server: Server) -> None:
    info = server.call("objInfo", by(text="Save"))

    assert info["className"] == "android.widget.Button"
    assert info["resourceName"] == "com.example.notes:id/save"
    assert info["bounds"] == info["visibleBounds"]
    assert info["clickable"] is True
    assert set(info["bounds"]) == {"bottom", "left", "right", "top"}


def test_a_missing_object_is_an_error_with_the_selector_in_it(server: Server) -> None:
    assert server.call("objInfo", by(text="nope")) == RpcError(
        -32001, "androidx.test.uiautomator.UiObjectNotFoundException", "UiSelector[TEXT=nope]"
    )


def test_unknown_methods_and_wrong_arguments_are_json_rpc_errors(server: Server) -> None:
    assert server.call("makeToast", "x", 1) == RpcError(-32601, "method not found")
    assert server.call("click") == RpcError(-32602, "method parameters invalid")
    assert server.call("click", "a", "b", "c", "d") == RpcError(-32602, "method parameters invalid")


def test_exist_ignores_the_instance_and_count_does_not(server: Server) -> None:
    buttons = by(className="android.widget.Button")

    assert server.call("count", buttons) == 3
    assert server.call("exist", {**buttons, "mask": buttons["mask"] | 0x1000000, "instance": 99}) is True
    assert [info["text"] for info in server.call("objInfoOfAllInstances", buttons)] == ["Save", "One", "Two"]
    assert server.call("objInfoOfAllInstances", by(text="nope")) == []


def test_a_click_holds_for_a_tenth_of_a_second(server: Server) -> None:
    area = server.call("objInfo", by(text="Save"))["bounds"]
    server.waited = 0.0

    assert server.call("click", area["left"] + 1, area["top"] + 1) is True
    assert server.waited == 0.1
    assert server.call("getLastToast") == "saved "
    assert server.call("clearLastToast") is None
    assert server.call("getLastToast") is None
    assert server.call("click", -1, 5) is False


def test_a_click_by_selector_finds_its_object(server: Server) -> None:
    assert server.call("click", by(text="Save")) is True
    assert server.call("getLastToast") == "saved "


def test_text_is_set_read_and_cleared(server: Server) -> None:
    assert server.call("setText", FIELD, "你好 😀") is True
    assert server.call("getText", FIELD) == "你好 😀"
    server.call("clearTextField", FIELD)
    assert server.call("getText", FIELD) == "Write here"  # an empty field shows its hint as text


def test_text_is_pasted_from_the_clipboard(server: Server) -> None:
    server.call("click", FIELD)
    server.call("setClipboard", None, "剪贴板")
    assert server.call("getClipboard") == "剪贴板"
    server.call("pasteClipboard")
    assert server.call("getText", FIELD) == "剪贴板"
    server.call("clearInputText")
    assert server.call("getText", FIELD) == "Write here"


def test_back_answers_false_a_second_later_where_nothing_changes(server: Server) -> None:
    assert server.call("pressKey", "home") is True
    server.waited = 0.0

    assert server.call("pressKey", "back") is False
    assert server.waited == 1.0
    assert server.call("pressKey", "nonsense") is False


def test_waiting_ends_when_the_object_comes_or_the_time_is_over(server: Server) -> None:
    assert server.call("waitForExists", by(text="Save"), 20_000) is True
    assert server.waited == 0
    assert server.call("waitForExists", by(text="nope"), 1_000) is False
    assert server.waited == pytest.approx(1.0)
    assert server.call("waitUntilGone", by(text="nope"), 5_000) is True


def test_an_instance_is_waited_for_in_steps_of_a_second(server: Server) -> None:
    waits = server.automator.call("waitForExists", [{**by(text="nope"), "mask": 0x1000001, "instance": 0}, 3_000])

    assert list(waits) == [1.0, 1.0, 1.0]


def test_objects_get_names_and_give_their_children(server: Server) -> None:
    rows, text = by(className="androidx.recyclerview.widget.RecyclerView"), by(className="android.widget.TextView")

    name = server.call("childByText", rows, text, "second")

    assert server.call("objInfo", name)["text"] == "second"
    assert name in server.call("getUiObjects")
    server.call("removeUiObject", name)
    assert server.call("exist", name) is False
    assert server.call("objInfo", name).message.endswith("UiObjectNotFoundException")


def test_a_list_is_scrolled_until_its_end_and_to_what_is_looked_for(server: Server) -> None:
    rows = by(scrollable=True)

    assert server.call("exist", by(text="line 200")) is False
    assert server.call("scrollForward", rows, True, 55) is True
    assert server.call("exist", by(text="first")) is False
    assert server.call("scrollTo", rows, by(text="line 200"), True) is True
    assert server.call("exist", by(text="line 200")) is True
    assert server.call("scrollForward", rows, True, 55) is False
    assert server.call("scrollToBeginning", rows, True, 500, 55) is True
    assert server.call("exist", by(text="first")) is True
    assert server.call("flingToEnd", rows, True, 500) is True
    assert server.call("exist", by(text="line 200")) is True


def test_orientation_is_turned_and_frozen(server: Server) -> None:
    server.call("setOrientation", "left")
    assert server.call("deviceInfo")["displayRotation"] == 1
    assert server.phone.setting("system", "accelerometer_rotation") == "0"
    server.call("setOrientation", "upsidedown")
    assert server.call("deviceInfo")["displayRotation"] == 1
    server.call("setOrientation", "natural")
    assert server.call("deviceInfo")["displayRotation"] == 0


def test_the_screen_goes_off_and_on(server: Server) -> None:
    server.call("sleep")
    assert server.call("isScreenOn") is False
    server.call("wakeUp")
    assert server.call("isScreenOn") is True


def test_a_denied_touch_is_javas_security_exception(server: Server) -> None:
    server.phone.faults.set("inject_denied")

    error = server.call("click", 10, 10)

    assert (error.code, error.message) == (-32001, "java.lang.SecurityException")
    assert "INJECT_EVENTS" in error.data


def test_a_watcher_acts_when_a_search_fails(server: Server) -> None:
    server.call("registerClickUiObjectWatcher", "save", [by(text="One")], by(text="Save"))
    assert server.call("getWatchers") == ["save"]

    server.call("exist", by(text="nope"))

    assert server.call("hasWatcherTriggered", "save") is True
    assert server.call("getLastToast") == "saved "


def test_shell_commands_run_through_the_server(server: Server) -> None:
    assert server.call("executeShellCommand", "getprop ro.build.version.sdk", 1000) == {
        "returnCode": 0,
        "stderr": "",
        "stdout": "34\n",
    }


def test_a_picture_is_a_jpeg_in_base64(server: Server) -> None:
    assert base64.b64decode(server.call("takeScreenshot", 1, 80)).startswith(b"\xff\xd8\xff")


def test_the_dump_holds_every_window_and_the_active_one_alone_where_asked(server: Server) -> None:
    everything, active = (
        server.call("dumpWindowHierarchy", False, 50),
        server.call("dumpWindowHierarchy", False, 50, True),
    )

    assert 'package="com.example.notes"' in everything
    assert everything.count("\r\n  <node") == len(server.phone.windows())
    assert active.count("\r\n  <node") == 1


# ---- HTTP


def request(body: object, *, path: str = "/jsonrpc/0") -> bytes:
    data = json.dumps(body).encode()
    return f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data


def answers(raw: bytes) -> list[tuple[int, Any]]:
    """Status and body of every response."""
    found: list[tuple[int, Any]] = []
    while raw:
        head, _, rest = raw.partition(b"\r\n\r\n")
        size = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        body, raw = rest[:size], rest[size:]
        found.append((int(head.split()[1]), json.loads(body) if body[:1] == b"{" else body))
    return found


PING = b"GET /ping HTTP/1.1\r\nHost: x\r\n\r\n"
CALL = request({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {}})


def test_one_connection_answers_many_requests_fed_whole_or_byte_by_byte(server: Server) -> None:
    whole, bytewise = HttpConnection(server.automator), HttpConnection(server.automator)
    stream = PING + CALL + PING

    at_once = whole.feed(stream)
    piecewise = b"".join(bytewise.feed(stream[at : at + 1]) for at in range(len(stream)))

    assert at_once == piecewise
    assert answers(at_once) == [(200, b"pong"), (200, {"jsonrpc": "2.0", "id": 7, "result": "pong"}), (200, b"pong")]
    assert whole.closing is False
    assert whole.idle_timeout_s == 5.0


def test_errors_travel_in_the_servers_json(server: Server) -> None:
    connection = HttpConnection(server.automator)

    missing = {"id": 1, "method": "objInfo", "params": [by(text="nope")]}

    assert answers(connection.feed(request(missing))) == [
        (
            200,
            {
                "jsonrpc": "2.0",
                "id": 1,
                "error": {
                    "code": -32001,
                    "message": "androidx.test.uiautomator.UiObjectNotFoundException",
                    "data": "UiSelector[TEXT=nope]",
                },
            },
        )
    ]
    assert (
        answers(connection.feed(b"POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: 1\r\n\r\n{"))[0][1]["error"]["code"]
        == -32700
    )
    assert answers(connection.feed(request([1])))[0][1]["error"]["code"] == -32600
    assert answers(connection.feed(b"GET /version HTTP/1.1\r\n\r\n")) == [(404, b"Not Found!!!")]


def test_a_call_that_waits_says_when_to_go_on_and_keeps_what_comes_meanwhile(server: Server) -> None:
    connection = HttpConnection(server.automator)

    assert connection.feed(request({"id": 1, "method": "click", "params": [5, 5]})) == b""
    assert connection.wake_in == 0.1
    assert connection.feed(PING) == b""
    server.handset.time[0] += 0.1
    out = connection.poll()

    assert [body for _, body in answers(out)] == [{"jsonrpc": "2.0", "id": 1, "result": True}, b"pong"]
    assert connection.wake_in is None


def test_a_connection_closes_when_the_client_asks_or_talks_nonsense(server: Server) -> None:
    polite, rude = HttpConnection(server.automator), HttpConnection(server.automator)

    assert b"Connection: close" in polite.feed(b"GET /ping HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert rude.feed(b"hello\r\n\r\n").startswith(b"HTTP/1.1 400")
    assert (polite.closing, rude.closing) == (True, True)


SELECTOR_KEYS = st.sampled_from(["mask", "text", "index", "childOrSibling", "childOrSiblingSelector"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5000) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SELECTOR_KEYS, inner, max_size=3),
    max_leaves=6,
)
FUZZED = Server()


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(METHODS)), st.lists(JSON, max_size=5))
def test_no_arguments_make_a_method_raise(name: str, params: list[Any]) -> None:
    steps = FUZZED.automator.call(name, params)
    for _ in range(40):
        if next(steps, None) is None:
            break

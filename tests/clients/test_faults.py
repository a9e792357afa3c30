"""Every fault of the table: set over the control socket, seen by an unmodified client as on a real phone, cleared."""

from __future__ import annotations

import http.client
import re
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import adbutils
import pytest
import uiautomator2
from PIL import Image
from uiautomator2.exceptions import AccessibilityServiceAlreadyRegisteredError, RPCError

from controller.virtual import boot
from controller.virtual.control import Control, ask
from controller.virtual.faults import FAULTS
from controller.virtual.server import VirtualServer
from tests.clients.adb import Adb
from tests.clients.watching import Watch

pytestmark = [
    pytest.mark.client,
    # Both libraries leave sockets to the garbage collector, and uiautomator2 uses names it has itself deprecated.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

TOKEN = "not-a-secret"
SETTINGS = "com.android.settings"
BILI = "tv.danmaku.bili"
LINK = "am start -W -a android.intent.action.VIEW -d bilibili://search?keyword=cat"
LATIN = "com.android.inputmethod.latin/.LatinIME"


@dataclass
class Hands:
    """A phone of its own, its control socket, and the clients that look at it."""

    server: VirtualServer
    control: Control
    adb: Adb
    """The adb binary at the phone's own adb server."""
    adb_server: Adb
    """The same at a real adb server, to which the phone is not connected yet."""
    watch: Watch
    devices: list[uiautomator2.Device] = field(default_factory=list)

    def fault(self, name: str, *, count: int | None = None, when: dict[str, str] | None = None, **args: str) -> None:
        answer = ask(
            self.control.address,
            TOKEN,
            {"do": "fault", "name": name, "args": args, "count": count, "when": when or {}},
        )
        assert answer["ok"], answer
        assert name in [each["name"] for each in answer["faults"]] or FAULTS[name].says.startswith("the phone's power")

    def clear(self, name: str) -> None:
        answer = ask(self.control.address, TOKEN, {"do": "clear", "name": name})
        assert answer == {"ok": True, "faults": []}

    @property
    def standing(self) -> list[str]:
        return [each["name"] for each in ask(self.control.address, TOKEN, {"do": "faults"})["faults"]]

    def shell(self, line: str) -> str:
        done = self.adb.run("shell", line)
        return (done.stdout + done.stderr).decode()

    def listed(self) -> str:
        """The phone's line behind its own adb server, without its serial."""
        lines = self.adb.to("").out("devices").splitlines()[1:]
        return " ".join(line.split("\t")[1] for line in lines if line)

    def focus(self) -> str:
        found = re.findall(r"mCurrentFocus=(.*)", self.shell("dumpsys window displays"))
        return str(found[-1])

    def u2(self) -> uiautomator2.Device:
        device = uiautomator2.connect(adbutils.AdbClient("127.0.0.1", self.adb.port).device(self.adb.serial))
        self.devices.append(device)
        return device

    def starts(self) -> int:
        """How often uiautomator2's server was started."""
        return sum("app_process" in command for command in self.watch.commands)

    def front(self, package: str) -> None:
        self.shell(f"monkey -p {package} -c android.intent.category.LAUNCHER 1")
        assert package in self.shell("dumpsys activity activities")


@pytest.fixture
def hands(tmp_path: Path, adb_server: Adb) -> Iterator[Hands]:
    watch = Watch()
    with boot("default", trace=watch) as server:
        control = Control(server, token=TOKEN)
        control.start()
        adb = Adb(server.server_port, tmp_path, serial=server.serial)
        made = Hands(server, control, adb, adb_server.to(server.transport), watch)
        try:
            yield made
        finally:
            server.phone.faults.clear()
            for device in made.devices:
                device.stop_uiautomator()
            adb_server.to("").run("disconnect", server.transport)
            control.close()


def until(holds: Callable[[], bool], *, within_s: float = 10.0) -> None:
    """Look again until something of another program has happened: there is no clock of ours to move."""
    deadline = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


# ---------------------------------------------------------------------------------------------------- the connection


def cut(hands: Hands) -> None:
    whole = hands.adb.run("shell", "getprop ro.product.model")
    hands.fault("cut", count=1)
    done = hands.adb.run("shell", "getprop ro.product.model")

    assert len(done.stdout) == len(whole.stdout) // 2
    assert done.returncode != 0
    assert hands.adb.run("shell", "getprop ro.product.model").stdout == whole.stdout


def unplug(hands: Hands) -> None:
    hands.adb_server.out("connect", hands.server.transport)
    before = re.findall(r"transport_id:(\d+)", hands.adb.to("").out("devices", "-l"))
    hands.fault("unplug")

    assert hands.listed() == ""
    refused = hands.adb.run("shell", "true")
    assert (refused.returncode, f"device '{hands.adb.serial}' not found" in refused.stderr.decode()) == (1, True)
    until(lambda: f"{hands.server.transport}\tdevice" not in hands.adb_server.to("").out("devices"))
    hands.clear("unplug")
    assert hands.listed() == "device"
    until(lambda: f"{hands.server.transport}\tdevice" in hands.adb_server.to("").out("devices"))
    assert re.findall(r"transport_id:(\d+)", hands.adb.to("").out("devices", "-l")) != before


def offline(hands: Hands) -> None:
    hands.adb_server.out("connect", hands.server.transport)
    hands.fault("offline")

    assert hands.listed() == "offline"
    assert hands.adb.run("shell", "true").stderr in (b"error: device offline\n", b"adb: device offline\n")
    until(lambda: f"{hands.server.transport}\toffline" in hands.adb_server.to("").out("devices"))
    hands.clear("offline")
    assert hands.adb.out("get-state") == "device\n"
    until(lambda: f"{hands.server.transport}\tdevice" in hands.adb_server.to("").out("devices"))


def unauthorized(hands: Hands) -> None:
    hands.adb_server.out("connect", hands.server.transport)
    hands.fault("unauthorized")

    assert hands.listed() == "unauthorized"
    assert b"Otherwise check for a confirmation dialog on your device" in hands.adb.run("shell", "true").stderr
    until(lambda: f"{hands.server.transport}\tunauthorized" in hands.adb_server.to("").out("devices"))
    hands.clear("unauthorized")
    assert hands.adb.out("get-state") == "device\n"
    until(lambda: f"{hands.server.transport}\tdevice" in hands.adb_server.to("").out("devices"))


def reboot(hands: Hands) -> None:
    hands.front(BILI)
    hands.fault("reboot", seconds="0.5", starting="1.5")
    assert hands.listed() == ""
    hands.adb.out("wait-for-device")

    early = hands.adb.run("shell", "pm path android")
    assert (early.stderr, early.returncode) == (b"cmd: Can't find service: package\n", 20)
    assert hands.adb.out("shell", "getprop sys.boot_completed") == "\n"
    until(lambda: hands.adb.out("shell", "getprop sys.boot_completed") == "1\n")
    assert "launcher" in hands.focus()
    assert hands.adb.run("shell", f"pidof {BILI}").returncode == 1
    assert hands.standing == []


def slow(hands: Hands) -> None:
    hands.fault("slow", seconds="0.4")
    started = time.monotonic()
    hands.adb.out("shell", "true")
    assert time.monotonic() - started >= 0.4
    hands.fault("slow", profile="slow-emulator")
    started = time.monotonic()
    hands.adb.out("shell", "input keyevent 3")
    assert time.monotonic() - started >= 0.4
    hands.clear("slow")
    started = time.monotonic()
    hands.adb.out("shell", "input keyevent 3")
    assert time.monotonic() - started < 0.4


def crlf(hands: Hands) -> None:
    hands.fault("crlf")

    assert hands.adb.run("shell", "echo a; echo b").stdout == b"a\r\nb\r\n"
    assert hands.adb.run("shell", "screencap", "-p").stdout.startswith(b"\x89PNG\r\r\n\x1a\r\n")
    assert hands.adb.run("exec-out", "screencap", "-p").stdout.startswith(b"\x89PNG\r\n\x1a\n")
    hands.clear("crlf")
    assert hands.adb.run("shell", "echo a").stdout == b"a\n"


# ------------------------------------------------------------------------------------------- uiautomator2's server


def uiserver_dies(hands: Hands) -> None:
    phone = hands.u2()
    before = hands.starts()
    hands.fault("uiserver_dies", count=1)

    with pytest.raises(http.client.RemoteDisconnected):
        _ = phone.info
    assert phone.info["sdkInt"] == 34  # the client starts the server again
    assert hands.starts() == before + 1
    assert hands.standing == []


def uiserver_killed(hands: Hands) -> None:
    phone = hands.u2()
    before = hands.starts()
    hands.fault("uiserver_killed")
    until(lambda: hands.server.services[hands.adb.serial].ui_server.port is None)

    assert phone.info["sdkInt"] == 34
    assert hands.starts() == before + 1
    assert hands.standing == []


def uiserver_hang(hands: Hands) -> None:
    phone = hands.u2()
    hands.fault("uiserver_hang", when={"doing": "deviceInfo"})
    port = hands.adb.out("forward", "tcp:0", "tcp:9008").strip()
    call = b'{"jsonrpc": "2.0", "id": 1, "method": "deviceInfo", "params": []}'

    # Not by uiautomator2, whose calls have no limit on such a connection: it waits for ever.
    with pytest.raises(TimeoutError):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/jsonrpc/0", call, timeout=0.5)
    assert phone.dump_hierarchy().startswith("<?xml")
    hands.clear("uiserver_hang")
    assert phone.info["sdkInt"] == 34


def already_registered(hands: Hands) -> None:
    hands.fault("already_registered")

    with pytest.raises(AccessibilityServiceAlreadyRegisteredError):
        hands.u2()
    assert hands.adb.run("shell", "uiautomator dump").returncode == 137
    hands.clear("already_registered")
    assert hands.u2().info["sdkInt"] == 34


# ------------------------------------------------------------------------------------------------------ what is seen


def null_focus(hands: Hands) -> None:
    hands.front(SETTINGS)
    hands.fault("null_focus")

    assert hands.focus() == "null"
    hands.clear("null_focus")
    assert SETTINGS in hands.focus()


def secure_window(hands: Hands) -> None:
    hands.front(SETTINGS)
    hands.fault("secure_window")
    picture = hands.u2().screenshot()

    assert isinstance(picture, Image.Image)
    assert picture.convert("RGB").crop((0, 200, 1080, 2200)).getextrema() == ((0, 0), (0, 0), (0, 0))
    assert re.search(r"fl=.*SECURE|SECURE", hands.shell("dumpsys window windows"))
    assert hands.devices[0](text="蓝牙").exists
    hands.clear("secure_window")
    assert hands.devices[0].screenshot().convert("RGB").crop((0, 200, 1080, 2200)).getextrema() != ((0, 0),) * 3


def multi_display_warning(hands: Hands) -> None:
    hands.fault("multi_display_warning")

    assert hands.adb.run("exec-out", "screencap", "-p").stdout.startswith(b"[Warning] Multiple displays were found")
    hands.clear("multi_display_warning")
    assert hands.adb.run("exec-out", "screencap", "-p").stdout.startswith(b"\x89PNG")


def tree_empty(hands: Hands) -> None:
    hands.front(SETTINGS)
    hands.fault("tree_empty")
    phone = hands.u2()

    assert set(re.findall(r'package="([^"]*)"', phone.dump_hierarchy())) == {"com.android.systemui"}
    phone.stop_uiautomator()
    assert "null root node" in hands.shell("uiautomator dump")
    assert SETTINGS in hands.focus()
    hands.clear("tree_empty")
    phone.start_uiautomator()
    assert f'package="{SETTINGS}"' in phone.dump_hierarchy()


def emoji_surrogates(hands: Hands) -> None:
    hands.fault("popup", title="hi 😃")
    hands.fault("emoji_surrogates")

    assert 'text="hi &#55357;&#56835;"' in hands.shell("uiautomator dump /dev/tty")
    ask(hands.control.address, TOKEN, {"do": "clear", "name": "emoji_surrogates"})
    assert 'text="hi &#128515;"' in hands.shell("uiautomator dump /dev/tty")


def idle_never(hands: Hands) -> None:
    hands.fault("idle_never", count=1)
    done = hands.adb.run("shell", "uiautomator dump")

    assert (done.stdout, done.returncode) == (b"ERROR: could not get idle state.\n", 0)
    assert "dumped to" in hands.shell("uiautomator dump")


# -------------------------------------------------------------------------------------------------- what is refused


def inject_denied(hands: Hands) -> None:
    phone = hands.u2()
    hands.fault("inject_denied")
    done = hands.adb.run("shell", "input tap 10 10")

    assert (done.returncode, b"requires INJECT_EVENTS permission" in done.stderr) == (255, True)
    with pytest.raises(RPCError, match="INJECT_EVENTS"):
        phone.click(500, 500)
    hands.clear("inject_denied")
    assert hands.adb.run("shell", "input tap 10 10").returncode == 0


def ime_refused(hands: Hands) -> None:
    hands.fault("ime_refused")
    done = hands.adb.run("shell", f"ime set {LATIN}")

    assert (done.returncode, b"WRITE_SECURE_SETTINGS" in done.stderr) == (255, True)
    hands.clear("ime_refused")
    assert "selected" in hands.shell(f"ime set {LATIN}")


def install_refused(hands: Hands) -> None:
    apk = Path(uiautomator2.__file__).parent / "assets" / "app-uiautomator.apk"
    hands.fault("install_refused")
    done = hands.adb.run("install", "-r", str(apk))

    assert done.returncode == 1
    assert b"INSTALL_FAILED_USER_RESTRICTED: Install canceled by user" in done.stdout + done.stderr
    hands.clear("install_refused")
    assert b"Success" in hands.adb.run("install", "-r", str(apk)).stdout


# ---------------------------------------------------------------------------------------------- what lies in front


def keyguard(hands: Hands) -> None:
    hands.front(SETTINGS)
    hands.fault("keyguard")

    assert "NotificationShade" in hands.focus()
    assert "mShowingLockscreen=true" in hands.shell("dumpsys window policy") or "showing=true" in hands.shell(
        "dumpsys window policy"
    )
    hands.clear("keyguard")
    assert SETTINGS in hands.focus()
    hands.fault("keyguard", screen="off")
    assert "mWakefulness=Asleep" in hands.shell("dumpsys power")
    phone = hands.u2()
    phone.unlock()
    assert SETTINGS in hands.focus()
    assert hands.standing == []


def permission_dialog(hands: Hands) -> None:
    hands.front(BILI)
    hands.fault("permission_dialog", permission="android.permission.CAMERA")

    assert "GrantPermissionsActivity" in hands.focus()
    hands.clear("permission_dialog")
    assert BILI in hands.focus()
    hands.fault("permission_dialog")
    hands.u2()(resourceIdMatches=".*permission_deny.*").click(timeout=3)
    until(lambda: hands.standing == [])
    assert BILI in hands.focus()


def popup(hands: Hands) -> None:
    hands.front(SETTINGS)
    hands.fault("popup", title="电量不足", message="请充电")

    assert "电量不足" in hands.focus()
    phone = hands.u2()
    assert phone(text="请充电").exists
    phone(text="知道了").click()
    assert hands.standing == []
    assert SETTINGS in hands.focus()
    hands.fault("popup")
    hands.clear("popup")
    assert SETTINGS in hands.focus()


def crash(hands: Hands) -> None:
    hands.front(BILI)
    hands.fault("crash")

    assert f"Application Error: {BILI}" in hands.focus()
    assert hands.adb.run("shell", f"pidof {BILI}").returncode == 1
    assert f"FATAL EXCEPTION: main\nProcess: {BILI}" in hands.shell("logcat -d -b crash -v raw")
    hands.u2()(resourceId="android:id/aerr_close").click()
    assert "launcher" in hands.focus()
    assert hands.standing == []


def anr(hands: Hands) -> None:
    hands.front(BILI)
    hands.fault("anr")
    phone = hands.u2()

    assert f"Application Not Responding: {BILI}" in hands.focus()
    assert f"ANR in {BILI}" in hands.shell("logcat -d -v raw")
    assert f'package="{BILI}"' not in phone.dump_hierarchy()
    phone(resourceId="android:id/aerr_wait").click()
    assert BILI in hands.focus()
    hands.fault("anr")
    phone(resourceId="android:id/aerr_close").click()
    assert hands.adb.run("shell", f"pidof {BILI}").returncode == 1
    assert hands.standing == []


# --------------------------------------------------------------------------------------- where links and apps lead


def chooser(hands: Hands) -> None:
    hands.fault("chooser", count=1)
    hands.shell(f"{LINK} -p {BILI}")

    assert "ResolverActivity" in hands.focus()
    hands.shell(f"{LINK} -p {BILI}")
    assert BILI in hands.focus()


def browser_link(hands: Hands) -> None:
    hands.fault("browser_link", count=1)
    said = hands.shell(f"{LINK} -p {BILI}")

    assert "Activity: com.android.chrome/" in said
    assert "com.android.chrome" in hands.focus()
    hands.shell(f"{LINK} -p {BILI}")
    assert BILI in hands.focus()


def brought_to_front(hands: Hands) -> None:
    hands.front(BILI)
    before = hands.focus()
    hands.shell("input keyevent 3")
    hands.fault("brought_to_front", count=1)
    said = hands.shell(f"{LINK} -p {BILI}")

    assert "Warning: Activity not started, its current task has been brought to the front" in said
    assert hands.focus() == before
    assert "Status: ok" in hands.shell(f"{LINK} -p {BILI}")
    assert hands.focus() != before


SEEN: dict[str, Callable[[Hands], None]] = {
    see.__name__: see
    for see in (
        cut, unplug, offline, unauthorized, reboot, slow, crlf, uiserver_dies, uiserver_killed, uiserver_hang,
        already_registered, null_focus, secure_window, multi_display_warning, tree_empty, emoji_surrogates, idle_never,
        inject_denied, ime_refused, install_refused, keyguard, permission_dialog, popup, crash, anr, chooser,
        browser_link, brought_to_front,
    )
}  # fmt: skip


def test_every_fault_of_the_table_is_walked() -> None:
    assert set(SEEN) == set(FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_set_seen_and_cleared(hands: Hands, name: str) -> None:
    SEEN[name](hands)


def test_the_control_socket_refuses_what_it_does_not_know(hands: Hands) -> None:
    def refusal(request: dict[str, Any], token: str = TOKEN) -> str:
        answer = ask(hands.control.address, token, request)
        assert not answer["ok"]
        return str(answer["error"])

    assert refusal({"do": "faults"}, token="another") == "the token is wrong"
    assert refusal({"do": "fault", "name": "poppup"}) == "there is no fault `poppup`; did you mean popup?"
    assert refusal({"do": "fault", "name": "cut", "args": {"a": "b"}}) == "the fault `cut` takes no `a`; it takes none"
    assert refusal({"do": "dance"}) == "`do` is 'dance'; known: fault, clear, faults"
    assert refusal({"do": "faults", "serial": "x"}) == "there is no phone 'x'; there are: VP14000001"
    assert refusal({"do": "fault", "name": "cut", "count": 0}) == "`count` is 0; expected a whole number from 1 on"
    assert "there is no latency profile 'isdn'" in refusal({"do": "fault", "name": "slow", "args": {"profile": "isdn"}})

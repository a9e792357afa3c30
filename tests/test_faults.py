"""What phonectl says under every fault of the table: its verbs on a phone where something goes wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from controller import verbs
from controller.clock import ManualClock
from controller.errors import PhonectlError
from controller.pace import Speed
from controller.screen.selectors import Selector
from controller.session import Session
from controller.step import Status
from controller.virtual.faults import FAULTS, Fault
from controller.virtual.server import VirtualServer
from tests.phones import BILIBILI, session_on, virtual_phone

SETTINGS = "com.android.settings"
LINK = "bilibili://search?keyword=cat"
BLUETOOTH = Selector(text="蓝牙")


@dataclass
class Rig:
    """A phone with the settings in front, and a session on it."""

    server: VirtualServer
    session: Session
    clock: ManualClock

    def fault(self, name: str, *, count: int | None = None, **args: str) -> None:
        self.server.phone.faults.put(Fault(name, args, count=count))
        self.tick()

    def clear(self) -> None:
        self.server.phone.faults.clear()
        self.tick()

    def tick(self, seconds: float = 0.0) -> None:
        self.clock.advance(seconds)
        with self.server.services[self.server.serial].lock:
            self.server.phone.tick()

    def said(self, act: Callable[[], object]) -> tuple[str, str]:
        """Code and cure of the error that an act ends in."""
        with pytest.raises(PhonectlError) as caught:
            act()
        assert caught.value.hint
        return caught.value.code, caught.value.hint

    def tap(self) -> tuple[str, str]:
        return self.said(lambda: verbs.tap(self.session, BLUETOOTH))

    def link(self) -> tuple[Status, str]:
        """What became of a link, with its code."""
        self.tick(10)
        outcome = verbs.open_uri(self.session, LINK, package=BILIBILI)
        return outcome.status, str(outcome.evidence.get("code"))

    def end_ui_server(self) -> None:
        """End uiautomator2's server; the phone notices the closed stream in a thread of its own."""
        services = self.server.services[self.server.serial]
        self.session.phone.close()
        deadline = time.monotonic() + 10
        while services.ui_server.port is not None and time.monotonic() < deadline:
            time.sleep(0.005)
        assert services.ui_server.port is None

    def sees(self, text: str) -> bool:
        return any(text in node.text for node in self.session.observe().hierarchy.nodes())


@pytest.fixture
def rig() -> Iterator[Rig]:
    clock = ManualClock()
    with virtual_phone(clock) as server, session_on(server, clock, speed=Speed.FAST) as session:
        verbs.open_app(session, SETTINGS)
        clock.advance(3)
        session.observe()
        yield Rig(server, session, clock)


def gone(rig: Rig, code: str, cure: str) -> None:
    """Whatever is asked of a phone that cannot be reached, the answer is the same."""
    for act in (
        rig.session.observe,
        lambda: verbs.press(rig.session, "home"),
        lambda: verbs.open_app(rig.session, BILIBILI),
        rig.session.phone.picture,
    ):
        said, hint = rig.said(act)
        assert (said, cure in hint) == (code, True)
    rig.clear()
    assert rig.sees("蓝牙")


def cut(rig: Rig) -> None:
    rig.fault("cut", count=1)
    assert rig.sees("蓝牙")  # a reading is asked again
    rig.fault("cut", count=1)
    assert rig.session.phone.installed(BILIBILI)


def unplug(rig: Rig) -> None:
    rig.fault("unplug")
    gone(rig, "device_not_found", "put the cable back in")


def offline(rig: Rig) -> None:
    rig.fault("offline")
    gone(rig, "offline", "adb reconnect")


def unauthorized(rig: Rig) -> None:
    rig.fault("unauthorized")
    gone(rig, "unauthorized", "accept “Allow USB debugging?”")


def reboot(rig: Rig) -> None:
    rig.fault("reboot", seconds="20", starting="30")
    assert rig.said(rig.session.observe)[0] == "device_not_found"
    rig.tick(25)
    for act in (rig.session.observe, lambda: verbs.open_app(rig.session, BILIBILI)):
        assert rig.said(act)[0] == "booting"
    rig.tick(30)
    verbs.open_app(rig.session, SETTINGS)
    assert rig.sees("蓝牙")
    verbs.tap(rig.session, BLUETOOTH)
    assert any(event for event in rig.session.observe().notes) is False  # not by the slow commands from now on


def slow(rig: Rig) -> None:
    before = rig.session.observe().device_s
    rig.fault("slow", seconds="2")
    assert rig.session.observe().device_s >= before + 2


def crlf(rig: Rig) -> None:
    rig.fault("crlf")
    assert rig.session.phone.picture().notes == ("line_ends_repaired",)
    assert rig.session.observe().foreground.package == SETTINGS


def uiserver_dies(rig: Rig) -> None:
    rig.fault("uiserver_dies", count=1)
    assert rig.sees("蓝牙")
    rig.server.phone.faults.put(Fault("uiserver_dies", count=1))
    assert rig.said(lambda: rig.session.phone.tap(540, 1200))[0] == "outcome_unknown"


def uiserver_killed(rig: Rig) -> None:
    rig.fault("uiserver_killed")
    assert verbs.tap(rig.session, BLUETOOTH).status is Status.DONE


def uiserver_hang(rig: Rig) -> None:
    rig.fault("uiserver_hang", count=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("controller.device.phone.DUMP_S", 0.5)  # a socket waits in real time
        seen = rig.session.observe()
    assert [note.partition(":")[0] for note in seen.notes] == ["tree_unavailable"]
    assert seen.foreground.package == SETTINGS
    assert rig.sees("蓝牙")  # a server that was started anew


def already_registered(rig: Rig) -> None:
    rig.end_ui_server()
    rig.fault("already_registered")
    code, cure = rig.said(lambda: rig.session.phone.tap(540, 1200))
    assert (code, "Appium" in cure) == ("automation_busy", True)
    assert rig.session.observe().foreground.package == SETTINGS


def null_focus(rig: Rig) -> None:
    rig.fault("null_focus")
    assert rig.session.observe().foreground.package == SETTINGS


def secure_window(rig: Rig) -> None:
    rig.fault("secure_window")
    assert (rig.session.phone.picture().secure, rig.sees("蓝牙")) == (True, True)


def multi_display_warning(rig: Rig) -> None:
    rig.fault("multi_display_warning")
    assert rig.session.phone.picture().notes == ("multi_display",)


def tree_empty(rig: Rig) -> None:
    rig.fault("tree_empty")
    assert rig.session.observe().notes == ("tree_missing_app",)
    code, cure = rig.tap()
    assert (code, "screenshot" in cure) == ("not_observable", True)


def emoji_surrogates(rig: Rig) -> None:
    rig.fault("emoji_surrogates")
    rig.fault("popup", title="hi 😃")
    rig.end_ui_server()
    tree, _ = rig.session.phone._tree_by_command()
    assert "hi 😃" in [node.text for node in tree.nodes()]


def idle_never(rig: Rig) -> None:
    rig.end_ui_server()
    rig.fault("idle_never", count=1)
    _, notes = rig.session.phone._tree_by_command()
    assert notes[0].startswith("tree_unavailable: ERROR: could not get idle state.")


def inject_denied(rig: Rig) -> None:
    rig.fault("inject_denied")
    code, cure = rig.tap()
    assert (code, "USB debugging (Security settings)" in cure) == ("inject_denied", True)


def ime_refused(rig: Rig) -> None:
    rig.fault("ime_refused")
    verbs.tap(rig.session, Selector(text="搜索.*"))
    rig.tick(2)
    assert verbs.type_text(rig.session, "猫咖").status is Status.DONE
    assert rig.sees("猫咖")


def install_refused(rig: Rig) -> None:
    # phonectl installs nothing; a doctor or a person who does is told the cure by the table of phone errors.
    rig.fault("install_refused")
    said = rig.session.phone.explain("Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]")
    assert said is not None
    assert (said.code, "Install via USB" in said.hint) == ("install_denied", True)


def keyguard(rig: Rig) -> None:
    rig.fault("keyguard")
    assert rig.tap() == ("not_found", "unlock the phone")
    assert rig.link() == (Status.UNCONFIRMED, "keyguard")


def permission_dialog(rig: Rig) -> None:
    rig.fault("permission_dialog")
    code, cure = rig.tap()
    assert (code, "answer the question first" in cure) == ("not_found", True)


def popup(rig: Rig) -> None:
    rig.fault("popup", title="电量不足")
    code, cure = rig.tap()
    assert (code, "answer the dialog first" in cure) == ("not_found", True)
    assert verbs.tap(rig.session, Selector(text="知道了")).status is Status.DONE
    assert rig.sees("蓝牙")


def crash(rig: Rig) -> None:
    rig.server.phone.faults.put(Fault("crash", {"app": BILIBILI}))
    assert rig.link() == (Status.FAILED, "crashed")
    code, cure = rig.tap()
    assert (code, "close the dialog" in cure) == ("not_found", True)


def anr(rig: Rig) -> None:
    rig.server.phone.faults.put(Fault("anr", {"app": BILIBILI}))
    assert rig.link() == (Status.UNCONFIRMED, "not_responding")
    code, cure = rig.tap()
    assert (code, "wait for the app" in cure) == ("not_found", True)


def chooser(rig: Rig) -> None:
    rig.fault("chooser", count=1)
    assert rig.link() == (Status.UNCONFIRMED, "chooser")


def browser_link(rig: Rig) -> None:
    rig.fault("browser_link", count=1)
    assert rig.link() == (Status.FAILED, "browser")


def brought_to_front(rig: Rig) -> None:
    assert rig.link()[0] is Status.DONE
    rig.fault("brought_to_front", count=1)
    assert rig.link() == (Status.UNCONFIRMED, "delivery_unconfirmed")


SAID: dict[str, Callable[[Rig], None]] = {
    say.__name__: say
    for say in (
        cut, unplug, offline, unauthorized, reboot, slow, crlf, uiserver_dies, uiserver_killed, uiserver_hang,
        already_registered, null_focus, secure_window, multi_display_warning, tree_empty, emoji_surrogates, idle_never,
        inject_denied, ime_refused, install_refused, keyguard, permission_dialog, popup, crash, anr, chooser,
        browser_link, brought_to_front,
    )
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_told_for_what_it_is(rig: Rig, name: str) -> None:
    SAID[name](rig)

"""What a link came to, on the virtual phone: every way in which it can end elsewhere is told apart.

The phone has one app more than the default one: a link of it that hands over to the browser, and one whose page reads
its link once and ignores it when it is there already.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller import verbs
from controller.clock import ManualClock
from controller.errors import InvalidLink, NotObservable, OpenFailed
from controller.pace import Speed
from controller.resources import resource_dir
from controller.screen.selectors import Selector
from controller.session import Session
from controller.step import Outcome, Status
from controller.virtual.server import VirtualServer
from tests.phones import BILIBILI, session_on, virtual_phone

GATE, BROWSER, WECHAT, SHOP = "org.example.gate", "com.android.chrome", "com.tencent.mm", "com.taobao.taobao"
GATE_APP = f"""
package: {GATE}
label: Gate
activities:
  .Main: {{launcher: true, body: [{{text: Gate}}]}}
  .Handover: {{links: ["gate://web"], on_start: [{{view: "https://example.org/"}}], body: [{{text: One moment}}]}}
  .Page: {{links: ["gate://page/{{n}}"], mode: singleTask, body: [{{text: The page}}]}}
"""


@pytest.fixture(scope="module")
def phone_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("phones") / "gate"
    shutil.copytree(resource_dir("devices") / "virtual" / "default", folder)
    (folder / "apps" / "gate.yaml").write_text(GATE_APP, encoding="utf-8")
    return folder


@pytest.fixture
def told() -> list[dict[str, Any]]:
    """What happened on the phone."""
    return []


@pytest.fixture
def server(phone_folder: Path, told: list[dict[str, Any]]) -> Iterator[VirtualServer]:
    clock = ManualClock()
    with virtual_phone(clock, name=str(phone_folder), trace=told.append) as server:
        yield server


@pytest.fixture
def session(server: VirtualServer) -> Iterator[Session]:
    # What a link comes to has nothing to do with the pace; other tests prove that.
    with session_on(server, ManualClock(), speed=Speed.FAST) as session:
        yield session


def said(outcome: Outcome) -> tuple[Status, str | None, str | None]:
    """The status, the code that tells it apart, and the app that really opened."""
    return outcome.status, outcome.evidence.get("code"), outcome.evidence["opened"]


def commands(told: list[dict[str, Any]], word: str) -> list[str]:
    """The command lines that reached the phone with this word in them."""
    return [str(event["command"]) for event in told if word in str(event.get("command", ""))]


def test_a_link_that_opens_its_page_is_done(session: Session) -> None:
    outcome = verbs.open_link(session, "bilibili", "视频", {"id": "BV1yx411a7B3"})

    assert said(outcome) == (Status.DONE, None, BILIBILI)
    assert outcome.evidence["activity"] == "com.bilibili.ship.theseus.detail.UnitedBizDetailsActivity"


# DL-01: a shell would cut this link at & and stop at the bracket.
def test_every_character_of_a_link_arrives(session: Session, told: list[dict[str, Any]]) -> None:
    uri = "bilibili://search?keyword=cat&from=x(1)#top"

    outcome = verbs.open_uri(session, uri, package=BILIBILI)

    assert said(outcome) == (Status.DONE, None, BILIBILI)
    assert commands(told, "am start") == [f"am start -W -a android.intent.action.VIEW -d '{uri}' -p {BILIBILI}"]
    assert [event["data"] for event in told if event["kind"] == "start"][-1] == uri
    assert verbs.find(session, Selector(text="cat"))[1].package == BILIBILI


def test_an_app_that_is_not_installed_is_refused_before_anything_is_sent(
    session: Session, told: list[dict[str, Any]]
) -> None:
    with pytest.raises(OpenFailed) as caught:
        verbs.open_link(session, "zhihu", "问题", {"question_id": "1"})

    assert (caught.value.code, caught.value.details) == ("not_installed", {"package": "com.zhihu.android"})
    assert commands(told, "am start") == []


def test_a_page_that_is_not_exported_has_failed(session: Session) -> None:
    outcome = verbs.open_uri(session, "taobao://internal/debug", package=SHOP)

    assert said(outcome) == (Status.FAILED, "not_exported", "com.android.launcher3")


@pytest.mark.parametrize(("uri", "package"), [("nobody://x", None), ("bilibili://nowhere/at/all", BILIBILI)])
def test_a_link_that_nobody_answers_has_failed(session: Session, uri: str, package: str | None) -> None:
    outcome = verbs.open_uri(session, uri, package=package)

    assert said(outcome) == (Status.FAILED, "unresolved", "com.android.launcher3")


# DL-06: the phone asks; which app is meant is for the person to say.
def test_a_chooser_lists_its_apps_and_none_of_them_is_touched(session: Session, told: list[dict[str, Any]]) -> None:
    outcome = verbs.open_uri(session, "taobao://s.taobao.com?q=1")

    assert said(outcome) == (Status.UNCONFIRMED, "chooser", "android")
    assert outcome.evidence["options"] == ["淘宝", "淘宝特价版"]
    assert not outcome.new_screen
    assert [event for event in told if event["kind"] in ("touch", "key")] == []
    assert session.observe().foreground.overlay == "chooser"


def test_a_link_that_its_app_hands_to_the_browser_has_failed_and_names_the_browser(session: Session) -> None:
    outcome = verbs.open_uri(session, "gate://web", package=GATE)

    assert said(outcome) == (Status.FAILED, "browser", BROWSER)
    assert outcome.summary == f"gate://web opened in the browser {BROWSER} instead of {GATE}"


def test_a_web_link_for_whatever_app_handles_it_may_open_the_browser(session: Session) -> None:
    outcome = verbs.open_uri(session, "https://item.taobao.com/item.htm?id=600001")

    assert said(outcome) == (Status.DONE, None, BROWSER)


# DL-04: the app took the link and stayed on its old page.
def test_a_link_delivered_to_a_page_that_does_not_change_is_unconfirmed(session: Session) -> None:
    verbs.open_uri(session, "gate://page/1", package=GATE)

    outcome = verbs.open_uri(session, "gate://page/2", package=GATE)

    assert said(outcome) == (Status.UNCONFIRMED, "delivery_unconfirmed", GATE)
    assert outcome.evidence["warning"] == "delivered"
    assert "intent has been delivered to currently running top-most instance" in outcome.evidence["answer"]


def test_an_app_that_comes_to_the_front_is_done_also_when_it_was_there(session: Session) -> None:
    first = verbs.open_app(session, "wechat")
    verbs.press(session, "home")
    again = verbs.open_app(session, "wechat")
    twice = verbs.open_app(session, "wechat")

    opened = (first, again, twice)
    assert [said(outcome) for outcome in opened] == [(Status.DONE, None, WECHAT)] * 3
    assert [outcome.evidence["warning"] for outcome in opened] == [None, "brought_to_front", "delivered"]
    assert [outcome.new_screen for outcome in opened] == [True, True, False]


# DL-10: what must not be sent is refused by its words alone.
def test_a_link_with_an_option_hidden_in_it_is_never_sent(session: Session, told: list[dict[str, Any]]) -> None:
    with pytest.raises(InvalidLink) as caught:
        verbs.open_uri(session, "demo://x -n com.evil/.A")

    assert caught.value.details["reason"] == "uri_white_space"
    assert commands(told, "am start") == []


# HI-04: such an app shows something; only the tree does not say what.
def test_an_app_that_withholds_its_elements_is_not_observable(session: Session, server: VirtualServer) -> None:
    verbs.open_app(session, "wechat")
    server.phone.faults.set("tree_empty")

    with pytest.raises(NotObservable) as caught:
        verbs.tap(session, Selector(text="发现"))

    assert caught.value.code == "not_observable"
    assert "screenshot" in (caught.value.hint or "")

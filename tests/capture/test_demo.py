"""The whole way: the demo flow drives the virtual video app, is captured, and runs again on the capture."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from controller.capture import FilmedPhone
from controller.device.phone import Observation, Phone
from controller.errors import StepError
from controller.flow.check import check_flow
from controller.flow.examples import find_flow
from controller.flow.runner import RunResult, run_flow
from controller.screen.selectors import Selector
from controller.trace import FileTrace
from controller.verbs import find, open_link, press, tap, type_text
from controller.virtual.captured.reading import read_capture
from controller.virtual.faults import Fault
from tests.capture.phones import filmed, played, session
from tests.phones import library

LOGIN = Path(__file__).resolve().parents[1] / "flows" / "login.yaml"

pytestmark = pytest.mark.slow


def run(phone: Phone, flow: str, folder: Path, *, seed: int = 7, **env: str) -> RunResult:
    with FileTrace(folder, phone.clock) as trace:
        if isinstance(phone, FilmedPhone):
            phone.film.hide_also(lambda: trace.redaction.values)
        with session(phone, seed=seed, trace=trace) as opened:
            return run_flow(opened, check_flow(flow, env=env, library=library()), report_dir=folder)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo flow, captured once."""
    folder = tmp_path_factory.mktemp("demo")
    with filmed(folder / "capture") as (_, phone):
        assert run(phone, find_flow("demo"), folder / "run").status == "passed"
    return folder / "capture"


def test_the_demo_is_captured_as_the_screens_it_saw_and_what_led_on(demo: Path) -> None:
    capture = read_capture(demo)
    pages = [(screen.package, (screen.activity or "").rpartition(".")[2]) for screen in capture.screens.values()]

    assert list(dict.fromkeys(pages)) == [
        ("com.android.launcher3", "QuickstepLauncher"),
        ("tv.danmaku.bili", "MainActivityV2"),
        ("tv.danmaku.bili", "BiliMainSearchActivity"),
        ("tv.danmaku.bili", "UnitedBizDetailsActivity"),
    ]
    words = [way.words for way in capture.ways if not (way.kind == "scroll" and way.source in ("s2", "s3"))]
    assert words == [
        "open bilibili://home",
        "tap “搜索”",
        "type “猫咖”",
        "press enter",
        "by itself after 0.5 s",
        "tap “【教程】猫咖，新手也能看懂”",
        "scroll down",
        "scroll down",
        "press back",
    ]
    assert all(screen.picture for screen in capture.screens.values())


@pytest.mark.parametrize("seed", [7, 12])
def test_the_demo_runs_on_its_capture_also_with_other_waits_and_small_scrolls(
    demo: Path, tmp_path: Path, seed: int
) -> None:
    with played(demo) as (_, phone):
        result = run(phone, find_flow("demo"), tmp_path / "run", seed=seed)

    assert (result.status, result.run.counted("failed", "unconfirmed")) == ("passed", 0)
    assert result.run.new_screens == 5


def test_what_was_not_done_is_answered_with_what_was(demo: Path) -> None:
    with played(demo) as (_, phone), session(phone) as opened:
        open_link(opened, "bilibili", "首页")
        with pytest.raises(StepError) as caught:
            tap(opened, Selector(text="我的"))

    assert (caught.value.code, caught.value.exit_code) == ("not_captured", 1)
    asked, _, known = caught.value.message.partition("; ")
    assert re.fullmatch(r"this was not captured: tap “我的” on s\d \(tv.danmaku.bili MainActivityV2\)", asked)
    assert re.match(r"from there was captured: tap “搜索” → s\d", known)
    with played(demo) as (_, phone), session(phone) as opened, pytest.raises(StepError) as caught:
        open_link(opened, "bilibili", "搜索", {"keyword": "手冲"})
    assert caught.value.code == "not_captured"


def test_another_text_stands_in_the_field_and_leads_nowhere(demo: Path) -> None:
    with played(demo) as (_, phone), session(phone) as opened:
        open_link(opened, "bilibili", "首页")
        tap(opened, Selector(id="expand_search"))
        typed = type_text(opened, "手冲咖啡")
        _, field = find(opened, Selector(text="手冲咖啡"))
        with pytest.raises(StepError, match="typed then: “猫咖”"):
            press(opened, "enter")

    assert (typed.evidence["verified"], field.text) == (True, "手冲咖啡")


def test_every_screen_looks_to_the_controller_as_it_did(tmp_path: Path) -> None:
    def told(seen: Observation) -> dict[str, Any]:
        front = seen.foreground
        texts = sorted((node.text, str(node.bounds)) for node in seen.hierarchy.nodes())
        return {
            "front": (front.package, front.activity, front.state, front.overlay, front.behind),
            "screen": (seen.size, seen.rotation, seen.keyboard, seen.input_method, seen.notes),
            "texts": texts,
        }

    was: dict[str, dict[str, Any]] = {}
    with filmed(tmp_path / "c") as (server, phone):
        virtual, recorder = server.phone, phone.film.recorder

        def look() -> None:
            phone.clock.sleep(4)
            phone.observe()
            seen = phone.observe()
            assert recorder.current is not None
            was[recorder.current.id] = told(seen)

        look()
        virtual.expand_shade()
        look()
        virtual.sleep()
        look()
        virtual.wake()
        look()
        virtual.dismiss_keyguard()
        phone.view("bilibili://home", "tv.danmaku.bili")
        look()
        phone.view("https://b23.tv/BV1", None)
        look()
        virtual.put_setting("system", "user_rotation", "1")
        look()
        virtual.faults.put(Fault("secure_window"))
        phone.start_app("com.android.settings")
        look()
        virtual.faults.clear("secure_window")
        virtual.faults.put(Fault("tree_empty"))
        phone.start_app("com.taobao.taobao")
        look()
    with played(tmp_path / "c") as (captured, player):
        screens = captured.capture.screens
        captured._ways.itself = lambda now: None  # type: ignore[method-assign]
        now = {}
        for name in was:
            captured._stand(screens[name])
            now[name] = told(player.observe())

    assert len(was) == 9
    assert {screen.id for screen in screens.values() if screen.secure} == {"s8"}
    assert now == was


def test_a_login_is_captured_without_its_password_and_played_with_any(tmp_path: Path) -> None:
    with filmed(tmp_path / "c") as (_, phone):
        assert run(phone, str(LOGIN), tmp_path / "run", PASSWORD="geheim-9917").status == "passed"
    kept = [path.read_bytes() for path in (tmp_path / "c").rglob("*") if path.is_file()]

    assert not any(b"geheim" in data for data in kept)
    with played(tmp_path / "c") as (_, player):
        assert run(player, str(LOGIN), tmp_path / "again", PASSWORD="ganz anders").status == "passed"


def test_a_hidden_text_is_gone_from_trees_and_grey_in_pictures(tmp_path: Path) -> None:
    from PIL import Image

    with filmed(tmp_path / "c", "微信") as (_, phone):
        phone.observe()
        node = next(node for node in phone.look().hierarchy.nodes() if node.text == "微信")
    picture = Image.open(tmp_path / "c" / "pictures" / "s1.png").convert("RGB")

    assert "微信" not in (tmp_path / "c" / "screens" / "s1.xml").read_text(encoding="utf-8")
    assert picture.crop((node.bounds.left, node.bounds.top, node.bounds.right, node.bounds.bottom)).getcolors() == [
        (node.bounds.area, (96, 96, 96))
    ]
    assert json.dumps("微信")[1:-1] not in (tmp_path / "c" / "capture.yaml").read_text(encoding="utf-8")

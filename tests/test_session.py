"""One action after the other on the strict app of the virtual phone, in manual time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller import verbs
from controller.clock import ManualClock, SystemClock
from controller.errors import BudgetSpent, NotFound
from controller.pace import Speed
from controller.screen.selectors import Selector
from controller.screen.touch import Direction
from controller.session import Session
from controller.step import Effect, Hands, Status, Step
from controller.targets import Point
from controller.task import FileTasks
from controller.virtual.server import VirtualServer
from tests.phones import BILIBILI, Told, session_on, virtual_phone


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def server(clock: ManualClock) -> Iterator[VirtualServer]:
    with virtual_phone(clock) as server:
        yield server


def logged_in(server: VirtualServer) -> bool:
    return server.phone.packages[BILIBILI].state["logged_in"] == "true"


def open_and_leave(session: Session) -> int:
    """New screens that were opened until the budget said no, one page in and one page back at a time."""
    opened = 0
    try:
        while True:
            opened += verbs.open_link(session, "bilibili", "视频", {"id": "BV1xx411c7m1"}).new_screen
            opened += verbs.press(session, "back").new_screen
    except BudgetSpent:
        return opened


def test_twenty_four_screens_at_the_careful_pace_leave_the_account_logged_in(
    server: VirtualServer, clock: ManualClock
) -> None:
    with session_on(server, clock) as session:
        verbs.open_link(session, "bilibili", "首页")
        opened = 1 + open_and_leave(session)

        assert opened == 24
        assert logged_in(server)


def test_the_same_at_speed_fast_logs_the_account_out(server: VirtualServer, clock: ManualClock) -> None:
    with session_on(server, clock, speed=Speed.FAST) as session:
        verbs.open_link(session, "bilibili", "首页")
        for _ in range(3):
            verbs.open_link(session, "bilibili", "视频", {"id": "BV1xx411c7m1"})
            verbs.press(session, "back")

        assert not logged_in(server)


def test_the_twenty_fifth_screen_is_refused_before_anything_is_sent(server: VirtualServer, clock: ManualClock) -> None:
    with session_on(server, clock) as session:
        verbs.open_link(session, "bilibili", "首页")
        open_and_leave(session)
        before, version, slept = session.observe(), server.phone.version, len(clock.sleeps)
        with pytest.raises(BudgetSpent) as caught:
            verbs.tap(session, Point(540, 1200))
        with pytest.raises(BudgetSpent):
            verbs.press(session, "back")
        with pytest.raises(BudgetSpent):
            verbs.open_app(session, "bilibili")

        assert caught.value.details == {"app": "bilibili", "used": 24, "limit": 24, "task": "t1"}
        assert session.observe().hierarchy == before.hierarchy
        assert server.phone.version == version
        assert len(clock.sleeps) == slept


def test_scrolling_typing_and_reading_go_on_when_the_budget_is_spent(server: VirtualServer, clock: ManualClock) -> None:
    with session_on(server, clock) as session:
        verbs.open_link(session, "bilibili", "首页")
        open_and_leave(session)

        assert verbs.scroll(session, Direction.DOWN).status is Status.DONE
        assert session.observe().foreground.package == BILIBILI


def test_a_yes_opens_the_next_twenty_four(server: VirtualServer, clock: ManualClock) -> None:
    with session_on(server, clock) as session:
        verbs.open_link(session, "bilibili", "首页")
        open_and_leave(session)
        with session.tasks.edit() as draft:
            draft.renew(draft.current(clock).id)

        assert open_and_leave(session) == 24
        assert logged_in(server)


def test_two_processes_share_one_budget(server: VirtualServer, clock: ManualClock, tmp_path: Path) -> None:
    opened = 0
    with (
        session_on(server, clock, tasks=FileTasks(tmp_path)) as one,
        session_on(server, clock, tasks=FileTasks(tmp_path), seed=8) as other,
    ):
        opened += verbs.open_link(one, "bilibili", "首页").new_screen
        try:
            while True:
                opened += verbs.open_link(one, "bilibili", "视频", {"id": "BV1xx411c7m1"}).new_screen
                opened += verbs.press(other, "back").new_screen
        except BudgetSpent:
            pass

    assert opened == 24
    assert logged_in(server)


def test_scrolling_thirty_times_counts_nothing(server: VirtualServer, clock: ManualClock) -> None:
    with session_on(server, clock) as session:
        verbs.open_link(session, "bilibili", "首页")
        for direction in [Direction.DOWN] * 5 + [Direction.UP] * 5:
            verbs.scroll(session, direction)

        assert session.task().budget("bilibili").used == 1


def test_first_and_further_actions_wait_their_ranges_less_what_has_passed(
    server: VirtualServer, clock: ManualClock
) -> None:
    told = Told()
    with session_on(server, clock, trace=told) as session:
        verbs.open_link(session, "bilibili", "首页")
        clock.advance(100)
        first = verbs.scroll(session, Direction.DOWN)
        further = verbs.scroll(session, Direction.DOWN)

    assert first.waits == ()
    assert 0.5 <= further.waited_s <= 2.0
    assert [wait["planned_s"] for wait in told.of("wait")] == pytest.approx(
        [wait["actual_s"] for wait in told.of("wait")], abs=0.001
    )


def test_knowledge_is_told_once_per_entry(server: VirtualServer, clock: ManualClock) -> None:
    told = Told()
    with session_on(server, clock, trace=told) as session:
        verbs.open_link(session, "bilibili", "首页")
        session.observe()
        verbs.press(session, "home")
        session.observe()
        verbs.open_app(session, "哔哩哔哩")

    entered = told.of("app_entered")
    assert [event["app"] for event in entered] == ["bilibili", "bilibili"]
    assert entered[0]["knowledge"].startswith('<knowledge name="哔哩哔哩" kind="app" source="app:bilibili">')


def test_an_app_without_pace_is_not_waited_for(server: VirtualServer, clock: ManualClock) -> None:
    with session_on(server, clock) as session:
        first = verbs.open_app(session, "settings")
        second = verbs.scroll(session, Direction.DOWN)

    assert (first.waits, second.waits) == ((), ())
    assert first.after is not None
    assert first.after.foreground.package == "com.android.settings"


def test_a_miss_names_what_is_near_and_waits_for_nothing(server: VirtualServer, clock: ManualClock) -> None:
    with session_on(server, clock) as session:
        verbs.open_link(session, "bilibili", "首页")
        slept = len(clock.sleeps)
        with pytest.raises(NotFound) as caught:
            verbs.tap(session, Selector(text="首页面"))

    assert "首页" in caught.value.details["candidates"]
    assert len(clock.sleeps) == slept


def test_typing_into_a_field_tells_of_both_its_waits(server: VirtualServer, clock: ManualClock) -> None:
    with session_on(server, clock) as session:
        verbs.open_link(session, "bilibili", "首页")
        typed = verbs.type_text(session, "猫咖", into=Selector(id="expand_search"))

        assert len(typed.waits) == 2
        assert typed.new_screen
        assert typed.waited_s == pytest.approx(sum(wait.actual_s for wait in typed.waits))


def test_chinese_typed_slowly_is_read_back_and_the_strict_app_bears_it(
    server: VirtualServer, clock: ManualClock
) -> None:
    with session_on(server, clock) as session:
        verbs.open_link(session, "bilibili", "首页")
        verbs.tap(session, Selector(id="expand_search"))
        typed = verbs.type_text(session, "北京的猫咖在哪里呢")

        assert (typed.status, typed.evidence["verified"]) == (Status.DONE, True)
        assert logged_in(server)


def test_an_action_whose_answer_is_lost_is_unknown_sent_once_and_counted(
    server: VirtualServer, clock: ManualClock
) -> None:
    touches: list[str] = []
    with session_on(server, clock) as session:
        verbs.open_link(session, "bilibili", "首页")
        server.phone._tell = lambda kind, data: touches.append(f"{kind} {data.get('gesture')}")

        def tap_on_a_torn_cable(hands: Hands, _: None) -> dict[str, str]:
            server.phone.faults.set("cut", count=1)
            hands.phone.tap(461, 131)
            return {}

        outcome = session.conduct(Step("tap", "tap", Effect.NAVIGATES, lambda _: None, tap_on_a_torn_cable))

        assert outcome.status is Status.OUTCOME_UNKNOWN
        assert outcome.error is not None
        assert outcome.error.code == "outcome_unknown"
        assert touches.count("touch tap") == 1
        assert session.task().budget("bilibili").left == 22


def test_an_advertisement_starts_a_new_wait_and_counts_nothing(server: VirtualServer, clock: ManualClock) -> None:
    server.phone.packages[BILIBILI].state["teen_popup"] = "true"
    told = Told()
    with session_on(server, clock, trace=told) as session:
        verbs.open_link(session, "bilibili", "首页")
        clock.advance(60)
        seen = session.observe()
        used = session.task().budget("bilibili").used
        dismissed = verbs.tap(session, Selector(text="我知道了"))

    assert any("青少年" in node.text for node in seen.hierarchy.nodes())
    assert used == 1
    assert dismissed.waited_s >= 2.5
    assert dismissed.waits[0].reason.startswith(tuple("2345"))


def test_an_advertisement_after_an_action_that_showed_its_effect_counts_nothing(
    server: VirtualServer, clock: ManualClock
) -> None:
    with session_on(server, clock) as session:
        verbs.open_link(session, "bilibili", "视频", {"id": "BV1xx411c7m1"})
        verbs.tap(session, Selector(text="点赞|点赞.*"))
        clock.advance(1)
        server.phone.launch("com.android.settings")
        session.observe()
        verbs.open_app(session, "哔哩哔哩")

        assert session.task().budget("bilibili").used == 2


def test_answering_a_permission_dialog_counts_nothing_and_keeps_the_screen(
    server: VirtualServer, clock: ManualClock
) -> None:
    with session_on(server, clock) as session:
        verbs.open_link(session, "bilibili", "扫一扫")
        asked = session.observe()
        used = session.task().budget("bilibili").used
        answered = verbs.tap(session, Selector(id="permission_allow_foreground_only_button"))

        assert asked.foreground.overlay == "permission_dialog"
        assert (used, session.task().budget("bilibili").used) in {(0, 1), (1, 1)}
        assert answered.after is not None
        assert answered.after.foreground.package == BILIBILI


def test_an_app_without_nodes_keeps_its_pace_and_budget(server: VirtualServer, clock: ManualClock) -> None:
    server.phone.faults.set("tree_empty")
    with session_on(server, clock) as session:
        verbs.open_link(session, "bilibili", "首页")
        first = verbs.open_link(session, "bilibili", "视频", {"id": "BV1xx411c7m1"})
        second = verbs.press(session, "back")

        assert (first.new_screen, second.new_screen) == (True, True)
        assert 2.5 <= second.waited_s <= 5.0
        assert session.task().budget("bilibili").used == 3
        assert logged_in(server)


def test_a_small_scroll_whose_answer_is_lost_does_not_fail_the_step(server: VirtualServer, clock: ManualClock) -> None:
    told = Told()
    with session_on(server, clock, trace=told) as session:
        verbs.open_link(session, "bilibili", "首页")
        drag = session.phone.drag

        def torn(*line: tuple[int, int], **timing: float) -> None:
            server.phone.faults.set("cut", count=1)
            drag(*line, **timing)

        session.phone.drag = torn  # type: ignore[method-assign]  # the cable breaks in this very call
        opened = [verbs.open_link(session, "bilibili", "视频", {"id": "BV1xx411c7m1"}) for _ in range(6)]

    assert any(wait["jitter"] for wait in told.of("wait"))
    assert [outcome.status for outcome in opened] == [Status.DONE] * 6
    assert any("small scroll" in note["text"] for note in told.of("note"))


def test_an_outward_action_that_succeeded_lifts_the_budget_and_a_failed_one_does_not(
    server: VirtualServer, clock: ManualClock
) -> None:
    with session_on(server, clock) as session:
        verbs.open_link(session, "bilibili", "首页")
        nothing = verbs.tap(session, Point(540, 30), outward="send")
        before = session.task().budget("bilibili").lifted
        verbs.tap(session, Selector(id="expand_search"), outward="send")

        assert (nothing.status, before) == (Status.UNCONFIRMED, False)
        assert session.task().budget("bilibili").lifted
        assert open_and_leave_some(session, 30) == 30


def open_and_leave_some(session: Session, count: int) -> int:
    opened = 0
    while opened < count:
        opened += verbs.open_link(session, "bilibili", "视频", {"id": "BV1xx411c7m1"}).new_screen
        opened += verbs.press(session, "back").new_screen
    return opened


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_small_scrolls_end_at_rest_and_the_strict_app_bears_them(
    server: VirtualServer, clock: ManualClock, seed: int
) -> None:
    told = Told()
    with session_on(server, clock, trace=told, seed=seed) as session:
        verbs.open_link(session, "bilibili", "首页")
        for _ in range(5):
            verbs.open_link(session, "bilibili", "视频", {"id": "BV1xx411c7m1"})
            verbs.press(session, "back")

        waits = told.of("wait")
        assert any(wait["jitter"] for wait in waits)
        assert all(wait["actual_s"] == pytest.approx(wait["planned_s"], abs=0.001) for wait in waits)
        assert logged_in(server)


@pytest.mark.slow
def test_real_waits_end_when_they_were_planned_to_end() -> None:
    clock = SystemClock()
    told = Told()
    with virtual_phone(clock) as server, session_on(server, clock, trace=told) as session:
        verbs.open_link(session, "bilibili", "首页")
        verbs.scroll(session, Direction.DOWN)
        verbs.scroll(session, Direction.DOWN)

    late = [wait["actual_s"] - wait["planned_s"] for wait in told.of("wait")]
    assert len(late) == 3
    assert all(seconds >= 0 for seconds in late)
    # On an idle machine each is within 20 ms; a busy one may be late once.
    assert min(late) <= 0.02

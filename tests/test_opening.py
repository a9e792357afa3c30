"""What opening a link came to, judged from recorded answers and the screens before and after."""

from __future__ import annotations

import pytest

from controller.device.observation import Observation
from controller.opening import judge, told
from controller.screen.dumpsys import Foreground, State, start_answer
from controller.screen.hierarchy import parse
from controller.step import Status, Verdict

OK = "Starting: Intent { act=android.intent.action.VIEW dat=bilibili://home }\nStatus: ok\nComplete\n"
BILIBILI = "tv.danmaku.bili"


def screen(package: str, *texts: str, activity: str = "Main", overlay: str | None = None) -> Observation:
    nodes = "".join(
        f'<node text="{text}" resource-id="android:id/text1" class="android.widget.TextView" package="{package}" '
        f'bounds="[0,{100 * row}][1080,{100 * row + 90}]" visible-to-user="true"/>'
        for row, text in enumerate(texts, start=1)
    )
    xml = f'<hierarchy rotation="0"><node package="{package}" bounds="[0,0][1080,2400]">{nodes}</node></hierarchy>'
    state = State.OVERLAY if overlay else State.APP
    front = Foreground(package, f"{package}.{activity}", state=state, overlay=overlay, confident=True)
    return Observation(front, parse(xml), (1080, 2400), None, at=0.0, device_s=0.0)


HOME = screen("com.android.launcher3", "Bilibili", "Settings")
VIDEO = screen(BILIBILI, "推荐", "热门")


def verdict(answer: str, after: Observation, *, before: Observation = HOME, package: str | None = BILIBILI) -> Verdict:
    evidence = {"uri": "bilibili://home", **told(start_answer(answer))}
    return judge(before, after, evidence, package=package, what="哔哩哔哩 “首页”")


def test_the_right_app_in_front_is_done() -> None:
    made = verdict(OK, VIDEO)

    assert (made.status, made.summary) == (Status.DONE, "opened 哔哩哔哩 “首页”")
    assert made.evidence["opened"] == BILIBILI


def test_a_link_that_lands_in_the_browser_has_failed_and_names_it() -> None:
    made = verdict(OK, screen("com.android.chrome", "bilibili.com"))

    assert (made.status, made.evidence["code"]) == (Status.FAILED, "browser")
    assert made.summary.endswith("opened in the browser com.android.chrome instead of tv.danmaku.bili")


def test_a_link_that_lands_in_another_app_has_failed() -> None:
    made = verdict(OK, screen("com.taobao.taobao", "首页"))

    assert (made.status, made.evidence["code"]) == (Status.FAILED, "other_app")


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW }", "unresolved"),
        (
            "Security exception: Permission Denial: starting Intent { cmp=a/.B } from null (pid=1, uid=2000) not "
            "exported from uid 10246",
            "not_exported",
        ),
    ],
)
def test_what_am_refuses_has_failed_although_it_exits_with_zero(answer: str, code: str) -> None:
    made = verdict(answer, HOME)

    assert (made.status, made.evidence["code"]) == (Status.FAILED, code)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("Starting: Intent { }\nError type 3\nError: it fell over", "could not be opened: Error: it fell over"),
        ("Error: Activity not started, unknown error code 102", "Error: Activity not started, unknown error code 102"),
    ],
)
def test_what_am_says_that_nobody_knows_is_told_in_its_own_words(answer: str, why: str) -> None:
    made = verdict(answer, HOME)

    assert made.status is Status.FAILED
    assert made.summary.endswith(why)


# DL-04: a warm app comes to the front on its old screen; the link was ignored.
@pytest.mark.parametrize(
    ("warning", "told_as"),
    [
        ("Warning: Activity not started, its current task has been brought to the front", "brought_to_front"),
        (
            "Warning: Activity not started, intent has been delivered to currently running top-most instance.",
            "delivered",
        ),
    ],
)
def test_a_warning_with_an_unchanged_screen_is_unconfirmed(warning: str, told_as: str) -> None:
    made = verdict(warning, VIDEO, before=VIDEO)

    assert (made.status, made.evidence["code"]) == (Status.UNCONFIRMED, "delivery_unconfirmed")
    assert (made.evidence["warning"], made.evidence["answer"]) == (told_as, warning)


def test_an_app_that_was_in_front_already_is_open() -> None:
    warning = "Warning: Activity not started, its current task has been brought to the front"

    made = judge(VIDEO, VIDEO, told(start_answer(warning)), package=BILIBILI, what="bilibili")

    assert (made.status, made.evidence["warning"]) == (Status.DONE, "brought_to_front")


def test_an_app_brought_to_the_front_on_another_page_than_the_links_is_unconfirmed() -> None:
    answer = (
        "Starting: Intent { act=android.intent.action.VIEW dat=bilibili://home }\n"
        "Warning: Activity not started, its current task has been brought to the front\n"
        f"Status: ok\nActivity: {BILIBILI}/.MainActivityV2\n"
    )

    made = verdict(answer, screen(BILIBILI, "一个视频", activity="Details"))

    assert (made.status, made.evidence["code"]) == (Status.UNCONFIRMED, "delivery_unconfirmed")
    assert "not the page of the link" in made.summary


def test_a_timer_that_went_on_is_no_proof_that_a_link_arrived() -> None:
    warning = "Warning: Activity not started, intent has been delivered to currently running top-most instance."
    before = screen(BILIBILI, "推荐", "热门", "剩余 00:59")
    after = screen(BILIBILI, "推荐", "热门", "剩余 00:58")

    assert verdict(warning, after, before=before).status is Status.UNCONFIRMED


def test_a_warning_with_a_changed_screen_is_done_and_keeps_the_warning() -> None:
    warning = "Warning: Activity not started, its current task has been brought to the front"

    made = verdict(warning, VIDEO)

    assert (made.status, made.evidence["warning"]) == (Status.DONE, "brought_to_front")


# DL-06: several handlers, or a dual app.
def test_a_chooser_is_unconfirmed_lists_its_options_and_says_how_to_send_it_to_one_app() -> None:
    chooser = screen("android", "哔哩哔哩", "哔哩哔哩 (副本)", overlay="chooser")
    evidence = {**told(start_answer(OK)), "uri": "bilibili://home"}

    made = judge(HOME, chooser, evidence, package=BILIBILI, what="首页")

    assert (made.status, made.evidence["code"]) == (Status.UNCONFIRMED, "chooser")
    assert made.evidence["options"] == ["哔哩哔哩", "哔哩哔哩 (副本)"]
    assert made.evidence["retry"][-4:] == ["-d", "bilibili://home", "-p", BILIBILI]
    assert made.evidence["retry"][:5] == ["am", "start", "-W", "--user", "0"]


def test_a_front_that_cannot_be_told_is_unconfirmed() -> None:
    unknown = Observation(Foreground(None), parse("<hierarchy rotation='0'/>"), (1080, 2400), None, 0.0, 0.0)

    assert verdict(OK, unknown).evidence["code"] == "unknown_front"


def test_a_locked_phone_is_unconfirmed() -> None:
    front = Foreground(BILIBILI, state=State.KEYGUARD, overlay="keyguard")
    locked = Observation(front, VIDEO.hierarchy, (1080, 2400), None, 0.0, 0.0)

    assert verdict(OK, locked).status is Status.UNCONFIRMED


def test_any_app_may_open_a_link_without_a_package() -> None:
    assert verdict(OK, screen("com.android.chrome", "example.com"), package=None).status is Status.DONE

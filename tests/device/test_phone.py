from __future__ import annotations

import pytest

from controller.clock import ManualClock
from controller.errors import AdbFailure, InputDenied, OpenFailed, OutcomeUnknown, StepError
from controller.screen.dumpsys import State
from controller.screen.hierarchy import Bounds
from tests.device.scripted import Script, scripted

DISPLAYS = """WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)
  Display: mDisplayId=0 (organized)
    init=1080x2400 420dpi cur=1080x2400 app=1080x2337 rng=1080x1017-2337x2274
    mRotation=ROTATION_0
  mCurrentFocus=Window{a1 u0 tv.danmaku.bili/tv.danmaku.bili.MainActivityV2}
  mFocusedApp=ActivityRecord{b2 u0 tv.danmaku.bili/.MainActivityV2 t57}
"""
NO_FOCUS = DISPLAYS.replace("Window{a1 u0 tv.danmaku.bili/tv.danmaku.bili.MainActivityV2}", "null").replace(
    "mFocusedApp=ActivityRecord{b2 u0 tv.danmaku.bili/.MainActivityV2 t57}", "mFocusedApp=null"
)
POLICY = "    KeyguardServiceDelegate\n      showing=false\n      screenState=SCREEN_STATE_ON\n"
ACTIVITIES = "  topResumedActivity=ActivityRecord{b2 u0 tv.danmaku.bili/.MainActivityV2 t57}\n"
KEYBOARD_HIDDEN = "  mCurMethodId=com.example.ime/.Ime\n  mInputShown=false\n"
TREE = (
    '<hierarchy rotation="0"><node index="0" text="首页" class="android.widget.TextView" package="tv.danmaku.bili" '
    'bounds="[0,0][200,100]"/></hierarchy>'
)
STATUS_BAR_ONLY = TREE.replace("tv.danmaku.bili", "com.android.systemui")


def looking(tree: object = TREE) -> Script:
    script = Script()
    script.shell |= {
        "dumpsys window displays": DISPLAYS,
        "dumpsys window policy": POLICY,
        "dumpsys activity activities": ACTIVITIES,
        "dumpsys input_method": KEYBOARD_HIDDEN,
    }
    script.rpc |= {"dumpWindowHierarchy": tree, "click": True, "swipe": True, "swipePoints": True, "pressKeyCode": True}
    return script


# Looking


def test_a_look_has_the_app_the_tree_the_size_and_the_keyboard() -> None:
    with scripted(looking()) as phone:
        seen = phone.observe()

    assert (seen.foreground.package, seen.foreground.activity) == ("tv.danmaku.bili", "tv.danmaku.bili.MainActivityV2")
    assert [node.text for node in seen.hierarchy.nodes()] == ["首页"]
    assert (seen.size, seen.screen, seen.rotation) == ((1080, 2400), Bounds(0, 0, 1080, 2400), 0)
    assert (seen.keyboard, seen.input_method, seen.notes) == (None, "com.example.ime", ())
    assert seen.observable


def test_a_further_look_costs_one_shell_and_one_call() -> None:
    script = looking()
    with scripted(script) as phone:
        phone.observe()
        script.commands.clear()
        script.calls.clear()
        asked = phone.device.server
        phone.observe()

    assert asked is not None
    assert len(script.commands) == 4
    assert [method for method, _ in script.calls] == ["dumpWindowHierarchy"]


def test_an_app_that_withholds_its_nodes_is_said_to() -> None:
    with scripted(looking(STATUS_BAR_ONLY)) as phone:
        seen = phone.observe()

    assert seen.notes == ("tree_missing_app",)
    assert not seen.observable


def test_a_tree_that_the_server_cannot_make_is_a_note_and_not_an_error() -> None:
    script = looking(
        {"error": {"code": -32001, "message": "java.lang.IllegalArgumentException: Illegal character (d83d)"}}
    )
    with scripted(script) as phone:
        seen = phone.observe()

    assert seen.hierarchy.count == 0
    assert seen.notes[0].startswith("tree_unavailable: rpc_error: dumpWindowHierarchy")
    assert seen.foreground.package == "tv.danmaku.bili"


def test_a_tree_of_another_rotation_than_the_display_is_noted() -> None:
    script = looking(TREE.replace('rotation="0"', 'rotation="1"'))
    with scripted(script) as phone:
        assert phone.observe().notes == ("frame_mismatch: the tree is of rotation 1, the display of 0",)


def test_a_look_that_is_cut_off_is_taken_once_more_and_no_further() -> None:
    script = looking()
    script.cut, script.always_cut = {"dumpsys"}, False
    with scripted(script) as phone:
        assert phone.observe().foreground.package == "tv.danmaku.bili"
        script.cut, script.always_cut = {"dumpsys"}, True
        with pytest.raises(AdbFailure, match="cut short"):
            phone.observe()


def test_an_app_start_whose_answer_is_cut_off_is_not_sent_again() -> None:
    script = looking()
    script.shell |= {"cmd package resolve-activity": "a.b/.C\n", "am start": STARTED}
    script.cut = {"am start"}
    with scripted(script) as phone, pytest.raises(OutcomeUnknown):
        phone.start_app("a.b")

    assert len([line for line in script.commands if line.startswith("am start")]) == 1


def test_size_and_rotation_are_read_anew_each_time() -> None:
    turned = DISPLAYS.replace("cur=1080x2400", "cur=2400x1080").replace("ROTATION_0", "ROTATION_90")
    script = looking([TREE, TREE.replace('rotation="0"', 'rotation="1"')])
    script.shell["dumpsys window displays"] = [DISPLAYS, turned]
    with scripted(script) as phone:
        sizes = [phone.observe().size, phone.observe().size]

    assert sizes == [(1080, 2400), (2400, 1080)]


def test_where_the_displays_tell_no_size_the_natural_one_is_turned() -> None:
    script = looking(TREE.replace('rotation="0"', 'rotation="3"'))
    script.shell["dumpsys window displays"] = "  mCurrentFocus=Window{a1 u0 tv.danmaku.bili/tv.danmaku.bili.Main}\n"
    with scripted(script) as phone:
        assert phone.observe().size == (2400, 1080)


def test_the_keyboard_lies_where_the_insets_say() -> None:
    script = looking()
    script.shell["dumpsys input_method"] = "  mCurMethodId=com.example.ime/.Ime\n  mInputShown=true\n"
    script.shell["dumpsys window displays"] = (
        DISPLAYS + "    InsetsSource id=3 type=ime frame=[0,1500][1080,2400] visible=true flags=\n"
    )
    with scripted(script) as phone:
        assert phone.observe().keyboard == Bounds(0, 1500, 1080, 2400)


def test_the_keyboard_lies_where_its_window_is_drawn_when_nothing_else_tells() -> None:
    ime = 'package="com.example.ime"'
    keys = (
        f'<node class="android.widget.FrameLayout" {ime} bounds="[0,0][1080,2400]">'
        f'<node class="android.widget.TextView" {ime} text="q" bounds="[0,1600][100,1700]"/>'
        f'<node class="android.widget.TextView" {ime} text="m" bounds="[980,2300][1080,2400]"/></node>'
    )
    script = looking(TREE.replace("</hierarchy>", keys + "</hierarchy>"))
    script.shell["dumpsys input_method"] = "  mCurMethodId=com.example.ime/.Ime\n  mInputShown=true\n"
    with scripted(script) as phone:
        assert phone.observe().keyboard == Bounds(0, 1600, 1080, 2400)


def test_a_moment_without_focus_is_asked_about_again() -> None:
    script = looking()
    script.shell["dumpsys window displays"] = [NO_FOCUS, NO_FOCUS, DISPLAYS]
    clock = ManualClock()
    with scripted(script, clock=clock) as phone:
        front = phone.foreground()

    assert (front.package, front.state) == ("tv.danmaku.bili", State.APP)
    assert clock.sleeps == [0.2]


def test_a_focus_that_never_comes_is_waited_for_a_second_at_most() -> None:
    script = looking()
    script.shell["dumpsys window displays"] = NO_FOCUS
    script.shell["dumpsys activity activities"] = ""
    clock = ManualClock()
    with scripted(script, clock=clock) as phone:
        assert phone.foreground().package is None

    assert sum(clock.sleeps) == pytest.approx(1.0)


def test_the_screen_is_settled_when_two_looks_agree() -> None:
    moving = [TREE.replace("200", str(200 + step)) for step in range(3)]
    clock = ManualClock()
    with scripted(looking([*moving, moving[-1]]), clock=clock) as phone:
        settled = phone.settle()

    assert next(settled.hierarchy.nodes()).bounds.right == 202
    assert clock.sleeps == [pytest.approx(0.1)] * 3


def test_a_screen_that_never_settles_is_left_after_its_time() -> None:
    count = iter(range(1000))
    clock = ManualClock()
    with scripted(looking(lambda *_: TREE.replace("200", str(200 + next(count)))), clock=clock) as phone:
        phone.settle(cap_s=1.0)

    assert sum(clock.sleeps) == pytest.approx(1.0)


def test_a_screen_that_has_not_changed_yet_is_looked_at_for_longer() -> None:
    after = TREE.replace("首页", "动态")
    with scripted(looking([TREE, TREE, TREE, TREE, after])) as phone:
        before = phone.observe()
        settled = phone.settle(unlike=before)

    assert [node.text for node in settled.hierarchy.nodes()] == ["动态"]


# Touching


@pytest.mark.parametrize(
    ("point", "sent"), [((0.6, 900.0), [1, 900]), ((-5, 300), [0, 300]), ((5000, 5000), [1079, 2399])]
)
def test_a_point_is_sent_as_whole_pixels_inside_the_screen(point: tuple[int, int], sent: list[int]) -> None:
    script = looking()
    with scripted(script) as phone:
        phone.tap(*point)

    assert script.called("click") == [sent]


def test_a_long_press_holds_and_a_drag_rests_at_its_end() -> None:
    script = looking()
    with scripted(script) as phone:
        phone.long_press(5, 6, hold_s=0.8)
        phone.drag((0, 100), (0, 0), duration_s=0.1, rest_s=0.1)
        phone.swipe((0, 100), (0, 0), duration_s=0.3)

    assert script.calls == [
        ("click", [5, 6, 800]),
        ("swipePoints", [[0, 100, 0, 50, 0, 0, 0, 0, 0, 0], 10]),
        ("swipe", [0, 100, 0, 0, 60]),
    ]


def test_a_key_goes_by_its_code() -> None:
    script = looking()
    with scripted(script) as phone:
        phone.press("back")

    assert script.calls == [("pressKeyCode", [4])]


def test_a_touch_that_was_not_taken_is_denied_with_the_makers_cure() -> None:
    script = looking()
    script.rpc["click"] = False
    with scripted(script) as phone, pytest.raises(InputDenied) as caught:
        phone.tap(5, 6)

    assert len(script.called("click")) == 1
    assert "Mi account" in caught.value.hint


def test_a_forbidden_touch_is_denied_with_the_makers_cure() -> None:
    script = looking()
    text = "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission"
    script.rpc["click"] = {"error": {"code": 0, "message": text}}
    with scripted(script) as phone, pytest.raises(InputDenied) as caught:
        phone.tap(5, 6)

    assert caught.value.code == "inject_denied"
    assert "Mi account" in caught.value.hint


# Opening

STARTED = "Starting: Intent { … }\nStatus: ok\nActivity: tv.danmaku.bili/.MainActivityV2\nComplete\n"


def test_an_app_is_started_as_its_icon_does() -> None:
    script = looking()
    script.shell |= {
        "cmd package resolve-activity": "priority=0\ntv.danmaku.bili/.MainActivityV2\n",
        "am start": STARTED,
    }
    with scripted(script) as phone:
        answer = phone.start_app("tv.danmaku.bili")

    assert (answer.ok, answer.activity) == (True, "tv.danmaku.bili/tv.danmaku.bili.MainActivityV2")
    assert script.commands[-1] == (
        "am start -W --user 0 -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -f 0x10200000 "
        "-n tv.danmaku.bili/tv.danmaku.bili.MainActivityV2"
    )


def test_an_app_that_is_not_there_is_told_as_not_installed() -> None:
    script = looking()
    script.shell |= {"cmd package resolve-activity": "No activity found\n", "pm list packages": "package:com.other\n"}
    with scripted(script) as phone, pytest.raises(OpenFailed) as caught:
        phone.start_app("tv.danmaku.bili")

    assert caught.value.code == "not_installed"


def test_a_phone_without_the_package_command_starts_an_app_by_monkey() -> None:
    script = looking()
    script.shell |= {"monkey": "Events injected: 1\n", "pm list packages": "package:tv.danmaku.bili\n"}
    with scripted(script) as phone:
        assert phone.start_app("tv.danmaku.bili").ok

    assert script.commands[-1].startswith("monkey -p tv.danmaku.bili -c android.intent.category.LAUNCHER")


def test_a_link_that_only_brought_the_app_to_the_front_says_so() -> None:
    script = looking()
    warning = "Warning: Activity not started, its current task has been brought to the front"
    script.shell["am start"] = f"Starting: Intent {{ … }}\n{warning}\n"
    with scripted(script) as phone:
        answer = phone.view("bilibili://search?keyword=cat&from=x(1)#top", "tv.danmaku.bili")

    assert (answer.ok, answer.warning) == (True, "brought_to_front")
    assert script.commands[-1].endswith("-d 'bilibili://search?keyword=cat&from=x(1)#top' -p tv.danmaku.bili")


def test_packages_are_asked_of_one_user_and_a_name_must_be_whole() -> None:
    script = looking()
    script.shell |= {"am get-current-user": "10\n", "pm list packages": "package:com.example.more\n"}
    with scripted(script) as phone:
        assert not phone.installed("com.example")

    assert script.commands[-1] == "pm list packages --user 10 com.example"


def test_a_command_that_fails_is_an_error_and_not_silence() -> None:
    script = looking()
    script.shell["pm clear"] = "Failed\n"
    with scripted(script) as phone, pytest.raises(StepError, match="was not cleared"):
        phone.clear_app("com.example")


# Starting up

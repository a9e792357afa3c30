"""A stream of looks and actions becomes screens and arrows."""

from __future__ import annotations

from controller.capture.recorder import Deed, Doing, Recorder, Seen, Shot
from controller.screen.dumpsys import Foreground, State
from controller.screen.hierarchy import Bounds, Hierarchy, Node, States

PICTURE = Shot(b"png")


def page(*texts: str, at: float = 0.0, activity: str = "a.Main", typed: str | None = None) -> Seen:
    rows = [
        Node((0, n), "android.widget.Button", text=text, bounds=Bounds(0, 100 * n, 100, 100 * n + 100),
             package="a", states=States(clickable=True))
        for n, text in enumerate(texts)
    ]  # fmt: skip
    if typed is not None:
        rows.append(
            Node((0, 9), "android.widget.EditText", text=typed or "search", hint="search", package="a",
                 bounds=Bounds(0, 900, 100, 950), states=States(focused=True))
        )  # fmt: skip
    window = Node(package="a", bounds=Bounds(0, 0, 100, 1000), children=tuple(rows))
    return Seen(Foreground("a", activity, state=State.APP, confident=True), Hierarchy((window,)), (100, 1000), at=at)


def see(recorder: Recorder, seen: Seen) -> None:
    recorder.saw(seen, PICTURE)
    recorder.saw(seen)


def tap(at: float, y: int = 50) -> Deed:
    return Deed(Doing.TAP, start=(50, y), at=at)


def arrows(recorder: Recorder) -> list[tuple[str, str, str, str]]:
    return [(arrow.source, str(arrow.deed.kind), arrow.element, arrow.target) for arrow in recorder.arrows]


def test_an_action_leads_from_the_screen_it_was_done_on_to_the_next_that_stands() -> None:
    recorder = Recorder()

    see(recorder, page("one", "two"))
    recorder.did(tap(1.0, y=150))
    recorder.saw(page("one", "flash", at=1.1))
    see(recorder, page("three", at=1.2, activity="a.Other"))

    assert arrows(recorder) == [("s1", "tap", "two", "s2")]
    assert [(screen.id, screen.page) for screen in recorder.screens] == [("s1", 1), ("s2", 2)]


def test_a_screen_that_was_seen_once_counts_where_something_is_done_on_it() -> None:
    recorder = Recorder()

    see(recorder, page("one"))
    recorder.did(tap(1.0))
    recorder.saw(page("popup", at=1.2, activity="a.Popup"))
    recorder.did(tap(1.3))
    recorder.saw(page("end", at=1.5, activity="a.End"))
    recorder.finish()

    assert arrows(recorder) == [("s1", "tap", "one", "s2"), ("s2", "tap", "popup", "s3")]


def test_a_screen_seen_before_is_not_kept_twice() -> None:
    recorder = Recorder()

    see(recorder, page("one"))
    recorder.did(tap(1.0))
    see(recorder, page("two", at=1.5, activity="a.Other"))
    recorder.did(Deed(Doing.PRESS, key=4, at=2.0))
    see(recorder, page("one", at=2.5))

    assert arrows(recorder) == [("s1", "tap", "one", "s2"), ("s2", "press", "", "s1")]
    assert len(recorder.screens) == 2


def test_what_changes_nothing_is_known_to_change_nothing() -> None:
    recorder = Recorder()

    see(recorder, page("one"))
    recorder.did(Deed(Doing.SCROLL, start=(50, 800), end=(50, 200), at=1.0))
    see(recorder, page("one", at=1.5))
    recorder.finish()

    assert arrows(recorder) == [("s1", "scroll", "", "s1")]


def test_a_screen_that_takes_its_time_is_still_the_actions_effect() -> None:
    recorder = Recorder()

    see(recorder, page("one"))
    recorder.did(tap(1.0))
    see(recorder, page("one", at=2.0))
    see(recorder, page("two", at=4.0, activity="a.Other"))

    assert arrows(recorder) == [("s1", "tap", "one", "s2")]


def test_a_screen_that_comes_long_after_came_by_itself() -> None:
    recorder = Recorder()

    see(recorder, page("one"))
    recorder.did(tap(1.0))
    see(recorder, page("one", at=2.0))
    see(recorder, page("two", at=9.0, activity="a.Other"))

    assert arrows(recorder) == [("s1", "tap", "one", "s1"), ("s1", "wait", "", "s2")]


def test_a_change_nobody_tells_of_is_an_unknown_action_where_actions_are_not_told() -> None:
    recorder = Recorder(sees_actions=False)

    see(recorder, page("one"))
    see(recorder, page("two", at=3.0, activity="a.Other"))

    assert arrows(recorder) == [("s1", "unknown action", "", "s2")]


def test_text_that_stands_in_the_field_was_typed_and_leaves_the_page_the_same() -> None:
    recorder = Recorder()

    see(recorder, page("go", typed=""))
    see(recorder, page("go", "suggested", at=2.0, typed="猫咖"))
    see(recorder, page("go", at=4.0, typed=""))

    assert [(arrow.deed.text, arrow.element) for arrow in recorder.arrows] == [("猫咖", "search"), ("", "search")]
    assert [screen.page for screen in recorder.screens] == [1, 1]


def test_two_taps_at_once_are_one_way_that_is_gone_twice() -> None:
    recorder = Recorder()

    see(recorder, page("one"))
    recorder.did(tap(1.0))
    recorder.did(tap(1.0))
    see(recorder, page("two", at=1.5, activity="a.Other"))

    assert [(arrow.target, arrow.times) for arrow in recorder.arrows] == [("s2", 2)]


def test_scrolling_shows_other_items_of_the_same_page() -> None:
    recorder = Recorder()

    see(recorder, page("1", "2", "3"))
    recorder.did(Deed(Doing.SCROLL, start=(50, 800), end=(50, 200), at=1.0))
    see(recorder, page("7", "8", "9", at=1.5))

    assert [(screen.id, screen.page) for screen in recorder.screens] == [("s1", 1), ("s2", 1)]


def test_only_a_new_screen_wants_a_picture_and_only_once() -> None:
    recorder = Recorder()
    first = page("one")

    assert recorder.lacks_picture(first)
    recorder.saw(first, PICTURE)
    assert not recorder.lacks_picture(first)
    recorder.saw(first)
    assert not recorder.lacks_picture(first)
    assert recorder.screens[0].shot == PICTURE


def test_a_clock_on_the_screen_makes_no_new_screen_once_it_is_known_to_run() -> None:
    recorder = Recorder()

    for second in range(60):
        see(recorder, page("a", "b", "c", "d", f"0:{second:02d}", at=float(second)))
    recorder.did(tap(61.0))
    see(recorder, page("end", at=62.0, activity="a.End"))

    assert [screen.id for screen in recorder.screens] == ["s1", "s2", "s3", "s4"]
    assert arrows(recorder)[-1] == ("s3", "tap", "a", "s4")


def test_an_advert_that_turns_is_drawn_as_one_round() -> None:
    recorder = Recorder()

    for turn in range(6):
        see(recorder, page(*(["one", "two"] if turn % 2 == 0 else ["three", "four"]), at=float(turn * 4)))

    assert arrows(recorder) == [("s1", "wait", "", "s2"), ("s2", "wait", "", "s1")]

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from controller.clock import ManualClock
from controller.trace import MASK, FileTrace, NoTrace, Recorder, Redaction


def lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()]


def test_an_event_is_a_line_with_the_seconds_since_the_trace_began(tmp_path: Path) -> None:
    clock = ManualClock(wall=1_700_000_000)
    with FileTrace(tmp_path, clock) as trace:
        clock.advance(2.5)
        trace.emit("action", step="tap", point=(3, 4))

    assert lines(tmp_path) == [{"t": 2.5, "wall": 1_700_000_002.5, "kind": "action", "step": "tap", "point": [3, 4]}]


def test_each_event_can_be_read_as_soon_as_it_is_emitted(tmp_path: Path) -> None:
    with FileTrace(tmp_path, ManualClock()) as trace:
        trace.emit("one")
        first = lines(tmp_path)
        trace.emit("two")

        assert [line["kind"] for line in first] == ["one"]
        assert [line["kind"] for line in lines(tmp_path)] == ["one", "two"]


def test_an_event_after_half_a_line_begins_a_line_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_bytes(b'{"t":0,"kind":"on')

    with FileTrace(tmp_path, ManualClock()) as trace:
        trace.emit("two")

    assert (tmp_path / "events.jsonl").read_bytes().splitlines()[0] == b'{"t":0,"kind":"on'
    assert json.loads((tmp_path / "events.jsonl").read_bytes().splitlines()[1])["kind"] == "two"


def test_nothing_is_made_before_the_first_event(tmp_path: Path) -> None:
    FileTrace(tmp_path / "run", ManualClock())

    assert not (tmp_path / "run").exists()


def test_values_become_what_json_can_hold(tmp_path: Path) -> None:
    class Colour(Enum):
        RED = "red"

    @dataclass(frozen=True)
    class Spot:
        x: int
        colour: Colour

    with FileTrace(tmp_path, ManualClock()) as trace:
        trace.emit("k", spot=Spot(1, Colour.RED), path=Path("a/b"), some={"b", "a"}, raw=b"xyz")

    event = lines(tmp_path)[0]
    assert event["spot"] == {"x": 1, "colour": "red"}
    assert (event["path"], event["some"], event["raw"]) == ("a/b", ["a", "b"], "3 bytes")


def test_secrets_are_masked_in_every_string_of_every_event(tmp_path: Path) -> None:
    with FileTrace(tmp_path, ManualClock(), secrets=["hunter2"]) as trace:
        trace.redact("密码一二三", "")
        trace.emit("k", text="type hunter2!", deep={"hunter2": [{"x": "密码一二三"}]}, number=2)
        trace.picture("hunter2", b"png")

    everything = (tmp_path / "events.jsonl").read_text(encoding="utf-8") + str(sorted(tmp_path.rglob("*")))
    assert "hunter2" not in everything
    assert "密码一二三" not in everything
    assert lines(tmp_path)[0]["text"] == f"type {MASK}!"


def test_a_short_secret_is_masked_where_it_is_the_whole_text() -> None:
    redaction = Redaction(["7"])

    assert redaction.apply(["7", "step 7 of 77"]) == [MASK, "step 7 of 77"]


def test_a_secret_that_contains_another_is_masked_as_a_whole() -> None:
    assert Redaction(["pass", "password1"]).text("password1 pass") == f"{MASK} {MASK}"


@given(st.text(min_size=3), st.text(), st.text())
def test_a_secret_never_comes_through(secret: str, before: str, after: str) -> None:
    told = Redaction([secret]).apply({"a": [before + secret + after]})

    assert secret in MASK or secret not in told["a"][0].replace(MASK, "\0")


def test_pictures_are_kept_under_a_safe_name_that_is_not_taken(tmp_path: Path) -> None:
    trace = FileTrace(tmp_path, ManualClock())

    kept = [trace.picture(name, b"x") for name in ("001", "001", "../../etc/passwd", "C:\\a", "shots/one", "…", "")]

    assert kept == [
        "pictures/001.png",
        "pictures/001-2.png",
        "pictures/etc/passwd.png",
        "pictures/C-/a.png",
        "pictures/shots/one.png",
        "pictures/-.png",
        "pictures/picture.png",
    ]
    assert all((tmp_path / str(path)).is_file() for path in kept)


def test_a_recorder_hands_on_and_keeps_the_same_masked_events(tmp_path: Path) -> None:
    clock = ManualClock()
    with FileTrace(tmp_path, clock) as trace:
        recorder = Recorder(trace, clock)
        recorder.redact("hunter2")
        recorder.emit("k", text="hunter2")

        assert recorder.events == lines(tmp_path)
        assert recorder.events[0]["text"] == MASK
        assert recorder.picture("a", b"x") == "pictures/a.png"


def test_no_trace_keeps_nothing() -> None:
    trace = NoTrace()
    trace.emit("k")
    trace.redact("x")

    assert trace.picture("a", b"") is None

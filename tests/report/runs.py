"""A run as its events tell it, for the report's tests."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

from PIL import Image

from controller.clock import ManualClock
from controller.trace import FileTrace

__all__ = ["HOSTILE", "Story", "png", "told"]

HOSTILE = "<script>alert('x')</script>\"'&{{7*7}}\x07\ud83d"


def png(size: tuple[int, int] = (108, 240), *, noise: int | None = None) -> bytes:
    """A picture; with noise it compresses as badly as a photograph."""
    image = Image.new("RGB", size, "white")
    if noise is not None:
        image = Image.frombytes("RGB", size, random.Random(noise).randbytes(size[0] * size[1] * 3))
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


class Story:
    """Tells a run into a folder, step by step, by a clock of its own."""

    def __init__(self, folder: Path, **start: Any) -> None:
        self.clock = ManualClock()
        self.trace = FileTrace(folder, self.clock)
        facts = {
            "name": "Search",
            "file": "search.yaml",
            "tags": ["smoke"],
            "task": "t1",
            "environment": {"phone": "x"},
        }
        self.trace.emit("run_start", **{**facts, **start})
        self.used = 0

    def begin(self, number: int, title: str, *, picture: bytes | None = None, **facts: Any) -> None:
        kept = self.trace.picture(f"{number:03d}", picture) if picture else None
        usual = {"command": "tapOn", "file": "search.yaml", "line": number + 2, "column": 3}
        self.trace.emit("step_start", step=number, title=title, picture=kept, **{**usual, **facts})

    def wait(self, *parts: tuple[float, str], late_s: float = 0.0) -> None:
        seconds = sum(value for value, _ in parts)
        self.clock.advance(seconds + late_s)
        self.trace.emit(
            "wait",
            planned_s=seconds,
            actual_s=seconds + late_s,
            reason=" + ".join(f"{value} s {why}" for value, why in parts),
            parts=[{"seconds": value, "why": why} for value, why in parts],
            jitter=False,
        )

    def act(self, seconds: float, *, new: bool = True, **evidence: Any) -> None:
        self.clock.advance(seconds)
        self.used += new
        self.trace.emit(
            "outcome",
            status="done",
            summary="tapped",
            new_screen=new,
            device_s=seconds,
            settle_s=0.0,
            evidence=evidence,
            budgets={"bilibili": {"used": self.used, "limit": 24, "lifted": False}},
        )

    def end(self, number: int, status: str = "done", **facts: Any) -> None:
        self.trace.emit("step_end", step=number, status=status, **facts)

    def finish(self, exit_code: int = 0, **facts: Any) -> None:
        self.trace.emit("run_end", exit_code=exit_code, **facts)
        self.trace.close()


def told(folder: Path) -> Story:
    """A run of three steps: a careful tap, a pause, a failure inside of a group."""
    story = Story(folder)
    story.begin(1, "Tap “搜索”", picture=png())
    story.wait((2.9, "new screen"), (4.1, "reading 164 characters"), (-1.2, "already passed"), late_s=0.004)
    story.act(0.3, element="搜索", point=[54, 20], bounds=[10, 10, 98, 30], package="a.b", activity="a.b.Main")
    story.end(1)
    story.begin(2, "Pause 2 s")
    story.clock.advance(2)
    story.trace.emit("pause", planned_s=2, actual_s=2, reason="pause of the flow")
    story.end(2)
    story.begin(3, "Run sub.yaml", composite=True)
    story.begin(4, "See “收藏”", optional=False)
    story.clock.advance(17)
    error = {"code": "assertion_failed", "message": "nothing matches “收藏”", "hint": "nearest: 收藏夹"}
    story.end(4, "failed", error=error, screen="e1 button “返回”")
    story.end(3, "failed", error=error, inner_error=True)
    story.finish(1, error=error, picture=story.trace.picture("end", png()))
    return story

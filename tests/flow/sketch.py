"""A phone of a few pages, for the runner's tests: lists of texts, some of which lead to another page.

The session and the verbs are the real ones; only what the phone would answer is drawn here. The whole way over the wire
is tried on the virtual phone, here the order of steps and what is written about them.
"""

from __future__ import annotations

import io
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

from PIL import Image

from controller.adb.client import AdbServer, ShellResult
from controller.clock import ManualClock
from controller.device.capture import Picture
from controller.device.observation import Observation
from controller.device.phone import Phone
from controller.device.profile import Profile
from controller.errors import DeviceError
from controller.flow.check import Checked, check_flow
from controller.library.catalog import Library, load_library
from controller.pace import Speed
from controller.screen.dumpsys import Foreground, StartAnswer, State
from controller.screen.hierarchy import parse
from controller.session import Session
from controller.task import MemoryTasks
from controller.trace import Trace

__all__ = ["APP", "Row", "Sketch", "SketchPhone", "checked", "session_on"]

APP = "com.example.app"
SIZE = (1080, 2400)
ROW = 200


@dataclass(frozen=True)
class Row:
    """One line of a page: its text, where a tap on it leads, and whether it is a password field with the focus."""

    text: str
    to: str | None = None
    password: bool = False


class Sketch:
    """What is drawn, and what was done to it: the phone's pages and the `Input` that moves between them."""

    def __init__(self, pages: Mapping[str, tuple[Row, ...]], lost_at: int | None = None) -> None:
        self.pages = pages
        self.page = "home"
        self.done: list[str] = []
        self.lost_at = lost_at

    def hold(self, at: tuple[int, int], *, hold_s: float | None = None) -> None:
        self.send(f"tap {at[0]},{at[1]}" if hold_s is None else f"hold {at[0]},{at[1]}")
        self.page = self.pages[self.page][at[1] // ROW].to or self.page

    def swipe(self, start: tuple[int, int], end: tuple[int, int], *, duration_s: float) -> None:
        self.send(f"swipe {start} {end} {duration_s}")

    def drag(self, start: tuple[int, int], end: tuple[int, int], *, duration_s: float, rest_s: float) -> None:
        self.send(f"drag {start} {end}")

    def press(self, code: int) -> None:
        self.send(f"press {code}")

    def send(self, what: str) -> None:
        if self.lost_at is not None and len(self.done) >= self.lost_at:
            raise DeviceError("the phone is gone")
        self.done.append(what)

    def tree(self) -> str:
        rows = "".join(
            f'<node text={quoteattr(row.text)} resource-id="{APP}:id/row" package="{APP}" '
            f'class="android.widget.{"EditText" if row.password else "TextView"}" clickable="true" enabled="true" '
            f'password="{str(row.password).lower()}" focused="{str(row.password).lower()}" '
            f'focusable="true" bounds="[0,{n * ROW}][1080,{(n + 1) * ROW}]" />'
            for n, row in enumerate(self.pages[self.page])
        )
        frame = f'class="android.widget.FrameLayout" package="{APP}" bounds="[0,0][{SIZE[0]},{SIZE[1]}]"'
        return f'<hierarchy rotation="0"><node {frame}>{rows}</node></hierarchy>'


class SketchPhone(Phone):
    """A phone that shows a sketch instead of asking a device."""

    def __init__(self, sketch: Sketch, clock: ManualClock) -> None:
        super().__init__(AdbServer("127.0.0.1", 1, clock=clock).device("sketch-1"), Profile(), clock)
        self.sketch = sketch
        self.input = sketch

    def observe(self) -> Observation:
        front = Foreground(APP, f"{APP}.{self.sketch.page.title()}", state=State.APP, confident=True)
        return Observation(front, parse(self.sketch.tree()), SIZE, None, self.clock.now(), 0.0)

    def picture(self) -> Picture:
        png = io.BytesIO()
        Image.new("RGB", (SIZE[0] // 10, SIZE[1] // 10), "white").save(png, "PNG")
        return Picture(png.getvalue())

    def shell(self, args: Sequence[str] | str, *, timeout_s: float = 0.0) -> ShellResult:
        assert list(args) == ["wm", "size"]
        return ShellResult(f"Physical size: {SIZE[0]}x{SIZE[1]}\n", "", 0)

    def installed(self, package: str) -> bool:
        return package == APP

    def start_app(self, package: str) -> StartAnswer:
        self.sketch.send(f"start {package}")
        self.sketch.page = "home"
        return StartAnswer(ok=True, raw="Starting: Intent")

    def stop_app(self, package: str) -> None:
        self.sketch.send(f"stop {package}")

    def close(self) -> None:
        pass


def session_on(
    phone: SketchPhone, *, trace: Trace | None = None, library: Library | None = None, speed: Speed | None = None
) -> Session:
    """A real session on the sketch."""
    return Session(
        phone,
        library=library or load_library([]),
        tasks=MemoryTasks(),
        clock=phone.clock,
        rng=random.Random(7),
        speed=speed,
        trace=trace,
    )


def checked(files: Mapping[str, str], **env: str) -> Checked:
    """The first of the files, checked with the others as its sub-flows."""
    return check_flow(Path(next(iter(files))), env=env, read=lambda path: files[path])

"""Two ways to touch and press: uiautomator2's server, and Android's slow `input` where that server cannot run.

Each action is sent once. Points are whole pixels inside the screen already; what they mean is left to `phone`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from controller.adb.client import AdbDevice
from controller.adb.uiserver import UiServer
from controller.device import gestures
from controller.errors import InputDenied, PhonectlError, StepError
from controller.screen.dumpsys import input_answer

__all__ = ["Input", "ShellInput", "UiInput"]

Point = tuple[int, int]
Explain = Callable[[str], PhonectlError | None]

ANSWER_S = 10.0
# The server's own click, as a person's tap.
TAP_S = 0.1


class Input(Protocol):
    """What can be done to a screen."""

    def hold(self, at: Point, *, hold_s: float | None = None) -> None:
        """Touch a point; without a time for as long as a tap lasts."""

    def swipe(self, start: Point, end: Point, *, duration_s: float) -> None:
        """Draw a finger and let go while it moves."""

    def drag(self, start: Point, end: Point, *, duration_s: float, rest_s: float) -> None:
        """Draw a finger and rest before letting go."""

    def press(self, code: int) -> None:
        """Press a key by its code."""


class UiInput:
    """Through uiautomator2's server.

    Args:
        ui: The server.
        cure: What helps when the phone takes no touch.
    """

    def __init__(self, ui: UiServer, *, cure: Callable[[], str]) -> None:
        self._ui = ui
        self._cure = cure

    def hold(self, at: Point, *, hold_s: float | None = None) -> None:
        held = [] if hold_s is None else [round(hold_s * 1000)]
        self._touch("click", *at, *held, lasts_s=hold_s or TAP_S)

    def swipe(self, start: Point, end: Point, *, duration_s: float) -> None:
        self._touch("swipe", *start, *end, gestures.swipe_steps(duration_s), lasts_s=duration_s)

    def drag(self, start: Point, end: Point, *, duration_s: float, rest_s: float) -> None:
        # The server's own `drag` presses long before it moves, which opens menus and selects text.
        path = gestures.drag(start, end, duration_s=duration_s, rest_s=rest_s)
        self._touch("swipePoints", list(path.points), path.steps, lasts_s=path.duration_s)

    def press(self, code: int) -> None:
        # `pressKey` by name waits a second for the screen to change; `pressKeyCode` does not.
        self._ui.call("pressKeyCode", code, read=False)

    def _touch(self, method: str, *params: Any, lasts_s: float) -> None:
        if self._ui.call(method, *params, read=False, timeout_s=lasts_s + ANSWER_S) is False:
            raise InputDenied(
                f"{self._ui.device.serial} did not take the touch ({method})",
                hint=f"if it takes none at all: {self._cure()}",
                code="touch_not_taken",
            )


class ShellInput:
    """Through `input`, which starts a Java program for each action.

    Args:
        device: The phone.
        explain: The error behind a text of the phone.
    """

    def __init__(self, device: AdbDevice, *, explain: Explain) -> None:
        self._device = device
        self._explain = explain

    def hold(self, at: Point, *, hold_s: float | None = None) -> None:
        if hold_s is None:
            self._input(["tap", *_words(at)])
        else:
            self.swipe(at, at, duration_s=hold_s)

    def swipe(self, start: Point, end: Point, *, duration_s: float) -> None:
        self._input(["swipe", *_words(start), *_words(end), str(round(duration_s * 1000))], lasts_s=duration_s)

    def drag(self, start: Point, end: Point, *, duration_s: float, rest_s: float) -> None:
        # `input` cannot rest: a slower finger leaves less speed behind.
        self.swipe(start, end, duration_s=max(duration_s, 1.0) + rest_s)

    def press(self, code: int) -> None:
        self._input(["keyevent", str(code)])

    def text(self, text: str) -> None:
        """Type text of the US keyboard."""
        # `input` reads %s as a blank and knows no way to write the two signs themselves: they go in two commands.
        for part in re.split(r"(?<=%)(?=s)", text):
            self._input(["text", part.replace(" ", "%s")])

    def _input(self, args: Sequence[str], *, lasts_s: float = 0.0) -> None:
        said = self._device.act(["input", *args], timeout_s=lasts_s + ANSWER_S)
        answer = input_answer(said.text, said.exit_code)
        if not answer.ok:
            raise self._explain(said.text) or StepError(
                f"`input {args[0]}` did nothing: {said.text.strip()[:300]}", code=answer.error
            )


def _words(point: Point) -> list[str]:
    return [str(number) for number in point]

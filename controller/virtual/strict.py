"""How fast an app lets itself be driven.

Pure arithmetic: told of screens, touches and typed graphemes with their times, it says what was too fast. What the app
does then stands in its data (`StrictSpec.then`).
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.virtual.spec import StrictSpec

__all__ = ["StrictWatch"]


@dataclass(slots=True)
class StrictWatch:
    """Watches one app.

    A method that returns a text has found a violation; from then on the watch is `tripped` and says nothing more until
    it is pardoned, so that one fast run is one violation.
    """

    spec: StrictSpec
    screens: int = 0
    screen_since: float | None = None
    touched: bool = False
    """Whether the present screen has been acted on."""
    last_action: float | None = None
    last_grapheme: float | None = None
    tripped: str = ""

    def screen(self, now: float) -> str:
        """A new screen is there."""
        self._rested(now)
        self.screens += 1
        self.screen_since, self.touched = now, False
        if self.screens > self.spec.max_screens:
            return self._trip(f"{self.screens} screens without a rest")
        return ""

    def action(self, now: float) -> str:
        """A touch or key arrives that a careful person would think about first."""
        self._rested(now)
        problem = ""
        if not self.touched and self.screen_since is not None:
            if (since := now - self.screen_since) < self.spec.min_new_screen_s:
                problem = f"first action {since:.2f} s after a new screen"
        elif self.last_action is not None and (gap := now - self.last_action) < self.spec.min_same_screen_s:
            problem = f"action {gap:.2f} s after the last one"
        self.touched, self.last_action = True, now
        return self._trip(problem) if problem else ""

    def typed(self, now: float, graphemes: int) -> str:
        """Graphemes arrive in a text field."""
        allowed = self.spec.min_grapheme_s
        problem = ""
        if not self.touched and self.screen_since is not None and now - self.screen_since < self.spec.min_new_screen_s:
            problem = f"typing {now - self.screen_since:.2f} s after a new screen"
        elif graphemes > 1 and allowed:
            problem = f"{graphemes} characters at once"
        elif self.last_grapheme is not None and now - self.last_grapheme < allowed:
            problem = f"a character {now - self.last_grapheme:.3f} s after the last one"
        self.touched, self.last_grapheme, self.last_action = True, now, now
        return self._trip(problem) if problem else ""

    def pardon(self) -> None:
        """Count anew, as after a passed verification."""
        self.tripped, self.screens = "", 0

    def _rested(self, now: float) -> None:
        """After a long time without a touch the screens are counted anew."""
        if self.last_action is not None and now - self.last_action >= self.spec.rest_s:
            self.screens = 0

    def _trip(self, problem: str) -> str:
        if self.tripped:
            return ""
        self.tripped = problem
        return problem

"""A phone that is driven as always, and whose looks and actions are recorded while they happen.

What a text was typed with (the server, `input`, a keyboard) makes no difference: that it stands in the field afterwards
is seen. Keys that change a text, a sound or a light are not recorded either.
"""

from __future__ import annotations

from controller.adb.client import AdbDevice
from controller.capture.film import Film
from controller.capture.folder import PhoneFacts
from controller.capture.recorder import Deed, Doing
from controller.clock import Clock
from controller.device.keys import STAYING, keycode
from controller.device.phone import Observation, Phone
from controller.device.profile import Profile
from controller.errors import PhonectlError
from controller.screen.dumpsys import StartAnswer, wm_density

__all__ = ["FilmedPhone"]

Point = tuple[int, int]


class FilmedPhone(Phone):
    """A phone that tells its film what is seen on it and done to it.

    Args:
        device: The phone behind an adb server.
        profile: How its person reads and what is allowed.
        clock: Measures deadlines, and when what was done.
        film: Is told.
    """

    def __init__(self, device: AdbDevice, profile: Profile, clock: Clock, *, film: Film) -> None:
        super().__init__(device, profile, clock)
        self.film = film
        film.load(look=self.look, camera=self.picture)

    def close(self) -> None:
        try:
            self.film.finish()
        except PhonectlError:
            # The phone was lost: what was recorded before is in the folder.
            self.film.recorder.finish()
        finally:
            super().close()

    def look(self) -> Observation:
        """A look that is not recorded."""
        return super().observe()

    def observe(self) -> Observation:
        observation = super().observe()
        if not self.film.recorder.screens:
            self.film.folder.phone = self._told()
        self.film.saw(observation)
        return observation

    def tap(self, x: int, y: int) -> None:
        self._did(Doing.TAP, start=(x, y))
        super().tap(x, y)

    def long_press(self, x: int, y: int, *, hold_s: float = 0.8) -> None:
        self._did(Doing.HOLD, start=(x, y), seconds=hold_s)
        super().long_press(x, y, hold_s=hold_s)

    def swipe(self, start: Point, end: Point, *, duration_s: float = 0.3) -> None:
        self._did(Doing.SCROLL, start=start, end=end, seconds=duration_s)
        super().swipe(start, end, duration_s=duration_s)

    def drag(self, start: Point, end: Point, *, duration_s: float = 0.5, rest_s: float = 0.0) -> None:
        self._did(Doing.SCROLL, start=start, end=end, seconds=duration_s)
        super().drag(start, end, duration_s=duration_s, rest_s=rest_s)

    def press(self, key: str | int) -> None:
        code = keycode(key)
        if code not in STAYING:
            self._did(Doing.PRESS, key=code)
        super().press(code)

    def start_app(self, package: str) -> StartAnswer:
        self._did(Doing.OPEN, package=package)
        return super().start_app(package)

    def view(self, uri: str, package: str | None) -> StartAnswer:
        self._did(Doing.LINK, uri=uri, package=package)
        return super().view(uri, package)

    def stop_app(self, package: str) -> None:
        self._did(Doing.STOP, package=package)
        super().stop_app(package)

    def clear_app(self, package: str) -> None:
        self._did(Doing.CLEAR, package=package)
        super().clear_app(package)

    def _did(
        self,
        kind: Doing,
        *,
        start: Point | None = None,
        end: Point | None = None,
        key: int | None = None,
        package: str | None = None,
        uri: str | None = None,
        seconds: float | None = None,
    ) -> None:
        now = self.clock.now()
        self.film.did(Deed(kind, start, end, key=key, package=package, uri=uri, seconds=seconds, at=now))

    def _told(self) -> PhoneFacts:
        facts = self.facts
        density = wm_density(self.shell(["wm", "density"]).text).current
        return PhoneFacts(facts.model, facts.maker, facts.sdk, facts.release, self._natural_size(), density or 420)

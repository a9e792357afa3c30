"""The verbs as methods of one phone, for Python programs.

from controller import open_session

with open_session(device="virtual") as phone:
    phone.open_link("bilibili", "首页")
    phone.tap(text="搜索.*")
    phone.type_text("猫咖")
    print(phone.observe())
"""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any

from controller import looking, verbs
from controller.config import Config
from controller.connect import connect
from controller.looking import Seen
from controller.pace import Speed
from controller.screen.selectors import Selector
from controller.screen.touch import Direction
from controller.session import Session
from controller.step import Outcome
from controller.targets import Point, name_of, one_target, ref_or_text

__all__ = ["PhoneSession", "open_session"]


def open_session(device: str | None = None, *, speed: str | None = None, **options: Any) -> PhoneSession:
    """A phone, connected and ready; close it, or use it in a `with` block.

    Args:
        device: A serial, a profile (`usb`, `emulator`, `virtual`, or a YAML file), or None for the only phone there is.
        speed: `careful` or `fast`; None for the task's, else the profile's.
        **options: Further fields of `controller.config.Config`.

    Raises:
        DeviceError: No usable phone; the subclass says why, the hint what to do.
    """
    config = Config(device=device, speed=Speed(speed) if speed else None, **options)
    return PhoneSession(connect(config))


class PhoneSession:
    """One phone. Every method that acts keeps the pace and the budget of the app in front.

    Actions answer with an `Outcome`; what cannot be done raises an error of `controller.errors`.
    """

    def __init__(self, session: Session) -> None:
        self.session = session

    def __enter__(self) -> PhoneSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, err: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the session."""
        self.session.close()

    @property
    def serial(self) -> str:
        """The phone's serial."""
        return self.session.phone.serial

    def observe(self) -> Seen:
        """The screen as an outline; `str()` of it is what `phonectl observe` prints."""
        return looking.from_phone(self.session)

    def tap(
        self,
        ref: str | None = None,
        *,
        text: str | None = None,
        id: str | None = None,
        index: int | None = None,
        at: tuple[float, float] | None = None,
        outward: str | None = None,
    ) -> Outcome:
        """What became of one tap on the element with this ref, text or id, or on a point in pixels."""
        target = one_target(ref, text=text, id=id, index=index, at=Point(*at) if at else None)
        return verbs.tap(self.session, target, outward=outward, unique=True)

    def long_press(
        self,
        ref: str | None = None,
        *,
        text: str | None = None,
        id: str | None = None,
        index: int | None = None,
        at: tuple[float, float] | None = None,
        hold_s: float = 0.8,
    ) -> Outcome:
        """What became of pressing an element for `hold_s` seconds."""
        target = one_target(ref, text=text, id=id, index=index, at=Point(*at) if at else None)
        return verbs.long_press(self.session, target, hold_s=hold_s, unique=True)

    def type_text(self, text: str, *, into: str | None = None, secret: bool = False) -> Outcome:
        """What became of typing into the focused field, or into the field with the ref or text `into`."""
        target = ref_or_text(into) if into else None
        return verbs.type_text(self.session, text, into=target, secret=secret, unique=True)

    def press(self, key: str) -> Outcome:
        """What became of one key: back, home, enter …"""
        return verbs.press(self.session, key)

    def swipe(self, start: tuple[float, float], end: tuple[float, float], *, duration_s: float = 0.4) -> Outcome:
        """What became of a swipe between two points in pixels."""
        return verbs.swipe(self.session, Point(*start), Point(*end), duration_s=duration_s)

    def scroll(self, direction: str = "down") -> Outcome:
        """What became of one scroll; `down` shows what lies below."""
        return verbs.scroll(self.session, Direction(direction))

    def scroll_to(self, text: str, *, direction: str = "down", timeout_s: float = 20.0) -> str:
        """The name of the element with this text, scrolled into view."""
        node = verbs.scroll_to(self.session, Selector(text=text), direction=Direction(direction), timeout_s=timeout_s)
        return name_of(node)

    def wait_for(self, text: str, *, timeout_s: float = 17.0) -> None:
        """Return when an element with this text is on the screen."""
        verbs.wait_for(self.session, Selector(text=text), timeout_s=timeout_s)

    def open_app(self, name: str) -> Outcome:
        """What became of opening an app by its name or package."""
        return verbs.open_app(self.session, name)

    def open_link(self, app: str, title: str, values: Mapping[str, str] | None = None) -> Outcome:
        """What became of opening a page of an app by its name in APP.md."""
        return verbs.open_link(self.session, app, title, values)

    def open_uri(self, uri: str, *, package: str | None = None) -> Outcome:
        """What became of opening a URI, in `package` or whatever app handles it."""
        return verbs.open_uri(self.session, uri, package=package)

    def screenshot(self) -> bytes:
        """The screen as PNG."""
        return verbs.screenshot(self.session)

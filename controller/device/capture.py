"""A picture of the screen, by the route that works, within one deadline; never a black one instead of a failure."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from controller.adb.client import AdbDevice
from controller.adb.connection import Deadline
from controller.adb.uiserver import UiServer
from controller.clock import Clock
from controller.errors import (
    AdbFailure,
    DeviceError,
    DeviceNotFound,
    Offline,
    PhonectlError,
    TimedOut,
    Unauthorized,
)
from controller.screen import picture as pictures
from controller.screen.dumpsys import secure_window
from controller.screen.points import Size, check_frame

__all__ = ["PICTURE_S", "Picture", "capture", "upright"]

PICTURE_S = 10.0
# Two routes share the time; the first one leaves some for the second.
_FIRST_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Picture:
    """The screen. `notes`: `multi_display`, `secure_window`, `line_ends_repaired`, `by_uiautomator` …

    With `secure_window` there is no picture: the app in front forbids them, and what came was black. Its tree can be
    read all the same.
    """

    png: bytes
    notes: tuple[str, ...] = ()

    @property
    def secure(self) -> bool:
        """Whether the app in front forbids pictures."""
        return "secure_window" in self.notes


def capture(device: AdbDevice, ui: UiServer, *, clock: Clock, timeout_s: float = PICTURE_S) -> Picture:
    """The screen as a PNG. Each route is tried once.

    Raises:
        TimedOut: No picture came in time.
        AdbFailure: The phone gave none; the message has what each route said.
        DeviceNotFound, Offline, Unauthorized: The phone cannot be reached at all.
    """
    deadline = Deadline(clock, timeout_s, what=f"{device.serial}: screenshot")
    png, notes = _first_that_works(device, ui, deadline)
    # Only a picture of one colour raises the question whether the app forbids it.
    if pictures.is_uniform(png) and secure_window(_windows(device, deadline)):
        return Picture(b"", (*notes, "secure_window"))
    return Picture(png, notes)


def upright(taken: Picture, *, display_size: Size | None, rotation: int | None) -> Picture:
    """The picture as the display lies, turned where the capture lay sideways; a note where the frames do not agree.

    Args:
        taken: What was captured.
        display_size: The display's size as it is turned now; None where nothing was looked at yet.
        rotation: How the display is turned, in quarters.
    """
    if display_size is None or taken.secure:
        return taken
    frame = check_frame(
        display_size=display_size,
        display_rotation=rotation,
        tree_rotation=None,
        image_size=pictures.size_of(taken.png),
    )
    if frame.mismatch:
        return Picture(taken.png, (*taken.notes, frame.mismatch))
    return Picture(pictures.turned(taken.png, frame.turn), taken.notes) if frame.turn else taken


def _first_that_works(device: AdbDevice, ui: UiServer, deadline: Deadline) -> tuple[bytes, tuple[str, ...]]:
    said: list[str] = []
    missed: TimedOut | None = None
    for by_uiautomator in (False, True):
        try:
            return _by_uiautomator(ui, deadline) if by_uiautomator else _by_screencap(device, deadline)
        except TimedOut as err:
            missed = err
        except (DeviceNotFound, Offline, Unauthorized):
            raise  # no other route leads to a phone that is gone
        except DeviceError as err:
            said.append(err.message)
    if missed:
        raise deadline.missed() from missed
    raise AdbFailure(
        f"{device.serial} gave no picture: {'; '.join(said)}",
        hint="the screen may be off; `phonectl doctor` tries each part",
        code="no_picture",
    )


def _by_screencap(device: AdbDevice, deadline: Deadline) -> tuple[bytes, tuple[str, ...]]:
    data = device.exec_out(["screencap", "-p"], timeout_s=deadline.left_s() * _FIRST_SHARE)
    png, notes = pictures.repair_png(data)
    if "multi_display" not in notes:
        return png, notes
    # The display that screencap picks is not always the one that is on.
    better = _of_display_that_is_on(device, deadline)
    return (better, notes) if better else (png, notes)


# Display 4619827259835644672 (HWC display 0): port=0 pnpId=GGL displayName="EMU_display_0"
# Display 4619827551948147201 (HWC display 1): …         `dumpsys SurfaceFlinger --display-id`
def _of_display_that_is_on(device: AdbDevice, deadline: Deadline) -> bytes | None:
    """The picture of the first display that has something on it; one that is off is black."""
    listed = device.shell(["dumpsys", "SurfaceFlinger", "--display-id"], timeout_s=deadline.left_s()).stdout
    for line in listed.splitlines():
        words = line.split()
        if len(words) > 1 and words[0] == "Display" and words[1].isdigit():
            png = _or_none(partial(_of_display, device, words[1], deadline))
            if png and not pictures.is_uniform(png):
                return png
    return None


def _of_display(device: AdbDevice, number: str, deadline: Deadline) -> bytes:
    return pictures.repair_png(device.exec_out(["screencap", "-d", number, "-p"], timeout_s=deadline.left_s()))[0]


def _or_none(take: Callable[[], bytes]) -> bytes | None:
    try:
        return take()
    except AdbFailure:
        return None


def _by_uiautomator(ui: UiServer, deadline: Deadline) -> tuple[bytes, tuple[str, ...]]:
    from PIL import Image, UnidentifiedImageError

    data = ui.call("takeScreenshot", 1.0, 80, read=True, timeout_s=deadline.left_s())
    if not isinstance(data, str) or not data:
        raise AdbFailure("uiautomator2's server gave no picture", code="no_picture")
    raw = base64.b64decode(data)
    if raw.startswith(pictures.SIGNATURE):
        return raw, ("by_uiautomator",)
    try:
        out = io.BytesIO()
        Image.open(io.BytesIO(raw)).save(out, "PNG")
    except (UnidentifiedImageError, OSError) as err:
        raise AdbFailure(f"uiautomator2's server gave a picture that cannot be read: {err}", code="no_picture") from err
    return out.getvalue(), ("by_uiautomator",)


def _windows(device: AdbDevice, deadline: Deadline) -> str:
    try:
        return device.shell(["dumpsys", "window", "windows"], timeout_s=min(3.0, deadline.left_s())).stdout
    except PhonectlError:
        return ""

from __future__ import annotations

import base64
import io
import time

import pytest
from PIL import Image

from controller.clock import SystemClock
from controller.device.capture import capture
from controller.errors import AdbFailure, TimedOut
from tests.device.scripted import Script, scripted


def png(colour: str, *, dot: bool = False) -> bytes:
    image = Image.new("RGB", (8, 4), colour)
    if dot:
        image.putpixel((0, 0), (1, 2, 3))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


RED = png("red", dot=True)
BLACK = png("black")
WARNING = b"[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display.\n"
SECURE = (
    "  Window #3 Window{a1 u0 com.bank/com.bank.Login}:\n"
    "    mAttrs={(0,0)(fillxfill) ty=BASE_APPLICATION\n      fl=LAYOUT_IN_SCREEN SECURE SPLIT_TOUCH}\n"
    "    mViewVisibility=0x0\n  mCurrentFocus=Window{a1 u0 com.bank/com.bank.Login}\n"
)


def test_a_picture_comes_as_the_phone_drew_it() -> None:
    script = Script()
    script.binary["screencap -p"] = RED
    with scripted(script) as phone:
        picture = phone.picture()

    assert (picture.png, picture.notes) == (RED, ())


def test_a_warning_before_the_picture_is_cut_off_and_the_display_that_is_on_is_taken() -> None:
    script = Script()
    script.binary |= {"screencap -p": WARNING + BLACK, "screencap -d 11 -p": BLACK, "screencap -d 22 -p": RED}
    script.shell["dumpsys SurfaceFlinger"] = "Display 11 (HWC display 0): port=0\nDisplay 22 (HWC display 1): port=1\n"
    with scripted(script) as phone:
        picture = phone.picture()

    assert (picture.png, picture.notes) == (RED, ("multi_display",))


def test_a_protected_window_gives_a_note_and_no_black_picture() -> None:
    script = Script()
    script.binary["screencap -p"] = BLACK
    script.shell["dumpsys window windows"] = SECURE
    with scripted(script) as phone:
        picture = phone.picture()

    assert (picture.png, picture.secure) == (b"", True)


def test_a_black_screen_that_nobody_protects_is_a_picture() -> None:
    script = Script()
    script.binary["screencap -p"] = BLACK
    script.shell["dumpsys window windows"] = SECURE.replace(" SECURE", "")
    with scripted(script) as phone:
        assert phone.picture().png == BLACK


def test_the_server_on_the_phone_is_asked_when_screencap_fails() -> None:
    out = io.BytesIO()
    Image.open(io.BytesIO(RED)).save(out, "JPEG")
    script = Script()
    script.binary["screencap -p"] = b"/system/bin/sh: screencap: not found\n"
    script.rpc["takeScreenshot"] = base64.b64encode(out.getvalue()).decode()
    with scripted(script) as phone:
        picture = phone.picture()

    assert picture.png.startswith(b"\x89PNG")
    assert picture.notes == ("by_uiautomator",)


def test_no_picture_by_any_route_is_an_error_with_what_each_said() -> None:
    script = Script()
    script.binary["screencap -p"] = b""
    script.rpc["takeScreenshot"] = None
    with scripted(script) as phone, pytest.raises(AdbFailure, match=r"empty picture.*gave no picture"):
        phone.picture()


def test_a_capture_that_never_answers_ends_at_the_deadline_and_the_next_call_works() -> None:
    script = Script()
    script.binary["screencap -p"] = [None, RED]
    script.rpc["takeScreenshot"] = "never"
    script.silent = {"takeScreenshot"}
    with scripted(script, clock=SystemClock()) as phone:
        started = time.monotonic()
        with pytest.raises(TimedOut):
            capture(phone.device, phone.ui, clock=phone.clock, timeout_s=0.4)
        took = time.monotonic() - started
        picture = phone.picture()

    assert took < 2
    assert len(script.called("takeScreenshot")) <= 1
    assert picture.png == RED

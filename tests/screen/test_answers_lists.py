"""Lists and display facts, with literal lines; and the 33 other cases of the case file."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.screen.dumpsys import (
    DeviceRow,
    ImeWindow,
    PackageList,
    ResolvedActivity,
    Size,
    UserRow,
    adb_devices,
    broadcast_answer,
    display_rotation,
    dump_answer,
    ime_answer,
    ime_list,
    ime_window,
    input_answer,
    monkey_answer,
    package_list,
    resolve_activity,
    screencap_note,
    secure_window,
    service_answer,
    start_answer,
    user_list,
    wm_density,
    wm_size,
)
from tests.shared import shared_cases

DEVICES = """List of devices attached
adb server version (41) doesn't match this client (39); killing...
* daemon started successfully *
emulator-5554          device product:sdk_gphone64 model:sdk_gphone64 device:emu64 transport_id:3
0123456789abcdef	unauthorized usb:1-1
XXXXXXXX	no permissions (missing udev rules?); see [http://developer.android.com/tools/device.html]
adb-R5CN30 (2)._adb-tls-connect._tcp	device
192.168.1.7:5555       offline
emulator-5612          host features:shell_2

"""


def test_device_rows_keep_serials_and_states_with_blanks() -> None:
    assert adb_devices(DEVICES) == (
        DeviceRow(
            "emulator-5554",
            "device",
            model="sdk_gphone64",
            product="sdk_gphone64",
            device="emu64",
            transport_id="3",
        ),
        DeviceRow("0123456789abcdef", "unauthorized", usb="1-1"),
        DeviceRow(
            "XXXXXXXX",
            "no permissions",
            note="(missing udev rules?); see [http://developer.android.com/tools/device.html]",
        ),
        DeviceRow("adb-R5CN30 (2)._adb-tls-connect._tcp", "device"),
        DeviceRow("192.168.1.7:5555", "offline"),
        DeviceRow("emulator-5612", "host", note="features:shell_2"),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("package:b.c\npackage:/data/app/~~k3==/a.b-9A==/base.apk=a.b\n", PackageList(True, ("a.b", "b.c"))),
        ("package:b.c versionCode:35\n", PackageList(True, ("b.c",))),
        (
            "package:b.c  installer=null uid:8\n"
            "Error: java.lang.SecurityException: Shell does not have permission to access user 10\n",
            PackageList(False, ("b.c",), "user_denied", 10),
        ),
        (
            "java.lang.SecurityException: Shell does not have permission to access user 10",
            PackageList(False, (), "user_denied", 10),
        ),
        ("cmd: Can't find service: package", PackageList(False, (), "booting")),
        ("Error: Unknown option: --nope", PackageList(False, (), "failed")),
    ],
)
def test_package_list_that_ends_in_an_error_is_a_partial_one(text: str, expected: PackageList) -> None:
    """A user that is closed to adb is a note on the list, never a crash or an empty success (DL-08)."""
    assert package_list(text) == expected


def test_users_have_names_with_blanks() -> None:
    text = "Users:\n\tUserInfo{0:Owner:4c13} running\n\tUserInfo{150:Secure Folder:10061030}\n"

    assert user_list(text) == (UserRow(0, "Owner", 0x4C13, True), UserRow(150, "Secure Folder", 0x10061030, False))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("priority=0 preferredOrder=0 match=0x108000\norg.notes/.Main\n", ResolvedActivity("org.notes/org.notes.Main")),
        (
            "ActivityInfo:\n  name=org.core.Entry\n  packageName=org.notes\n  ApplicationInfo:\n    name=org.App\n",
            ResolvedActivity("org.notes/org.core.Entry"),
        ),
        ("priority=0\nandroid/com.android.internal.app.ResolverActivity\n", ResolvedActivity(None, several=True)),
        ("No activity found\n", ResolvedActivity(None, error="unresolved")),
        ("cmd: Can't find service: package", ResolvedActivity(None, error="booting")),
    ],
)
def test_intent_resolves_to_one_activity_or_several(text: str, expected: ResolvedActivity) -> None:
    assert resolve_activity(text) == expected


def test_override_of_size_and_density_wins() -> None:
    size = wm_size("Physical size: 1080x2400\nOverride size: 720x1600\n")

    assert (size, size.current) == (Size((1080, 2400), (720, 1600)), (720, 1600))
    assert wm_size("nonsense").current is None
    assert wm_density("Physical density: 480\nOverride density: 160").current == 160
    assert wm_density("Physical density: 480").current == 480


def test_keyboards_are_read_from_the_short_and_the_long_list() -> None:
    assert ime_list("org.a/.Latin\norg.b/.Wifi\n") == ("org.a/.Latin", "org.b/.Wifi")
    assert ime_list("org.a/.Latin:\n  mId=org.a/.Latin mSettingsActivityName=x\n") == ("org.a/.Latin",)


# -- display --------------------------------------------------------------------------------------------------------

IME_BLOCK = """
  Window #2 Window{f4229a8 u0 InputMethod}:
    mDisplayId=0 rootTaskId=1 mSession=Session{5 24490:u0a10038} mClient=android.os.BinderProxy@9
    mOwnerUid=10038 showForAllUsers=false package=org.keyboard appop=NONE
    mAttrs={(0,0)(fillxwrap) gr=BOTTOM ty=INPUT_METHOD fmt=TRANSPARENT
    mViewVisibility=0x0 mHaveFrame=true mObscured=false
    mGivenContentInsets=[0,300][0,0] mGivenVisibleInsets=[0,300][0,0]
    Frames: parent=[0,84][1080,2340] display=[0,84][1080,2340] frame=[0,1200][1080,2340]
"""


@pytest.mark.parametrize(
    ("dumps", "expected"),
    [
        (
            {"dumpsys input_method": "  mShowRequested=true mInputShown=true", "w": IME_BLOCK},
            ImeWindow(True, (0, 1500, 1080, 2340)),
        ),
        ({"dumpsys input_method": "  mInputShown=false", "w": IME_BLOCK}, ImeWindow(False)),
        (
            {"w": "InsetsSource id=3 type=ime frame=[0,1442][1080,2340] visible=true flags="},
            ImeWindow(True, (0, 1442, 1080, 2340)),
        ),
        ({"w": "InsetsSource type=ITYPE_IME frame=[0,0][0,0] visible=false"}, ImeWindow(False)),
        (
            {"w": "InsetsSource: {mType=ITYPE_IME, mFrame=Rect(0, 1442 - 1080, 2340), mVisible=true}"},
            ImeWindow(True, (0, 1442, 1080, 2340)),
        ),
        (
            {"w": IME_BLOCK + "    touchable region=SkRegion((0,1583,1080,2340))\n"},
            ImeWindow(True, (0, 1583, 1080, 2340)),
        ),
        ({"w": IME_BLOCK.replace("mViewVisibility=0x0", "mViewVisibility=0x8")}, ImeWindow(False)),
        ({"w": ""}, ImeWindow(None)),
    ],
)
def test_keyboard_covers_the_part_that_it_draws(dumps: dict[str, str], expected: ImeWindow) -> None:
    assert ime_window(dumps) == expected


DISPLAY_INFO = (
    '    mBaseDisplayInfo=DisplayInfo{"Built-in Screen", displayId 0", real 1080 x 2400, rotation 0, state ON}\n'
    '    mOverrideDisplayInfo=DisplayInfo{"Built-in Screen", displayId 0", real 2400 x 1080, rotation 3, state ON}\n'
)


@pytest.mark.parametrize(
    ("text", "display", "rotation"),
    [
        ("[displayId=2 orientation=0][displayId=0 orientation=1 2400x1080]", 0, 1),
        (
            "mViewports=[DisplayViewport{type=EXTERNAL, displayId=2, uniqueId='v:2', orientation=2, x},"
            " DisplayViewport{type=INTERNAL, displayId=0, uniqueId='local:0', orientation=3, x}]",
            0,
            3,
        ),
        (DISPLAY_INFO, 0, 3),
        (
            "  Display: mDisplayId=2\n    mRotation=ROTATION_0\n  Display: mDisplayId=0\n    mRotation=ROTATION_90\n",
            0,
            1,
        ),
        ("  SurfaceOrientation: 1\n", 0, 1),
        ("[displayId=2 orientation=0]", 0, None),
        ("", 0, None),
    ],
)
def test_rotation_is_that_of_the_display_in_use(text: str, display: int, rotation: int | None) -> None:
    """Not the first `orientation=` of the dump, which may be another display's (HI-10)."""
    assert display_rotation(text, display) == rotation


def _window(number: int, digest: str, flags: str) -> str:
    return (
        f"  Window #{number} Window{{{digest} u0 org.bank/org.bank.Main}}:\n    mDisplayId=0 rootTaskId=9 mSession=x\n"
        f"    mAttrs={{(0,0)(fillxfill) ty=BASE_APPLICATION\n      {flags}\n    mViewVisibility=0x0 mHaveFrame=true\n"
    )


OPEN, SECURE = "fl=LAYOUT_IN_SCREEN SPLIT_TOUCH", "fl=LAYOUT_IN_SCREEN SECURE SPLIT_TOUCH"


@pytest.mark.parametrize(
    ("text", "secure"),
    [
        ("      fl=... SECURE ...", True),
        ("      fl=LAYOUT_IN_SCREEN SPLIT_TOUCH", False),
        ("DisplayInfo{FLAG_SECURE, FLAG_SUPPORTS_PROTECTED_BUFFERS}", False),
        (_window(0, "a1", SECURE) + _window(1, "b2", OPEN) + "  mCurrentFocus=Window{b2 u0 org.bank/.Main}", False),
        (_window(0, "a1", OPEN) + _window(1, "b2", SECURE) + "  mCurrentFocus=Window{b2 u0 org.bank/.Main}", True),
        (_window(0, "a1", SECURE) + _window(1, "b2", OPEN), True),
        (_window(0, "a1", "WM.LayoutParams{ty=1 fl=#81812100}"), True),
        (_window(0, "a1", "WM.LayoutParams{ty=1 fl=#81810100}"), False),
        ("", False),
    ],
)
def test_window_in_front_says_whether_it_may_be_photographed(text: str, secure: bool) -> None:
    """A black picture of such a window is right as it is (SS-02)."""
    assert secure_window(text) is secure


@given(st.text(alphabet="Window #1{}=InputMethod:displayId0,orientation[]fl=SECURE\nframe()-x ", max_size=200))
def test_display_facts_are_read_from_any_text(text: str) -> None:
    assert secure_window(text) in {True, False}
    assert ime_window(text).shown in {True, False, None}
    assert display_rotation(text) in {None, 0, 1, 2, 3}
    assert all(row.serial for row in adb_devices(text))


# -- the case file --------------------------------------------------------------------------------------------------

Case = dict[str, Any]


def _same(*names: str) -> Callable[[Any, Case], bool]:
    """The answer has the expected values for these names, where the case names them."""
    return lambda answer, expect: all(getattr(answer, name) == expect[name] for name in names if name in expect)


def _devices(rows: tuple[DeviceRow, ...], expect: Case) -> bool:
    wanted = expect["devices"]
    return len(rows) == len(wanted) and all(
        getattr(row, name) == value for row, want in zip(rows, wanted, strict=True) for name, value in want.items()
    )


# kind of case → the function that owns it, and how its answer is compared
OWNERS: dict[str, tuple[Callable[[str, int | None], Any], Callable[[Any, Case], bool]]] = {
    "am_start": (start_answer, _same("ok", "error", "warning", "slow")),
    "monkey": (monkey_answer, _same("ok", "error")),
    "input_text": (input_answer, _same("ok", "error")),
    "input_key": (input_answer, _same("ok", "error")),
    "uiautomator_dump": (dump_answer, _same("ok", "error", "retry", "check_file")),
    "screencap": (lambda text, _: screencap_note(text), _same("ok", "png_after_text")),
    "adb_devices": (lambda text, _: adb_devices(text), _devices),
    "adb_devices_l": (lambda text, _: adb_devices(text), _devices),
    "wm_density": (lambda text, _: wm_density(text), lambda got, expect: got.current == expect["density"]),
    "wm_size": (lambda text, _: wm_size(text), lambda got, expect: list(got.current) == expect["size"]),
    "pm_list": (
        package_list,
        lambda got, expect: (
            _same("ok", "error", "user")(got, expect)
            and list(got.packages) == expect.get("packages", expect.get("partial", []))
        ),
    ),
    "pm_users": (lambda text, _: user_list(text), lambda got, expect: [row.id for row in got] == expect["users"]),
    "service": (lambda text, _: service_answer(text), _same("ok", "error", "retry")),
    "resolve_activity": (lambda text, _: resolve_activity(text), _same("component")),
    "ime_list": (lambda text, _: ime_list(text), lambda got, expect: list(got) == expect["imes"]),
    "ime_set": (ime_answer, _same("ok", "error")),
    "ime_enable": (ime_answer, _same("ok", "error")),
    "am_broadcast": (lambda text, _: broadcast_answer(text), _same("ok", "error")),
}


def test_every_other_case_is_answered_by_the_function_that_owns_it() -> None:
    lines = shared_cases("device_outputs.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, filter(None, lines)) if case["expect"]["kind"] != "foreground"]

    wrong = []
    for case in cases:
        read, matches = OWNERS[case["expect"]["kind"]]
        answer = read(case["output"], case["expect"].get("exit_code"))
        if not matches(answer, case["expect"]):
            wrong.append((case["id"], answer))

    assert (len(cases), wrong) == (33, [])

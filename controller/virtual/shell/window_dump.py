"""`dumpsys window`: windows, displays, policy, with the lines in the sections where each Android version has them.

The places are those of research notes on real devices: the focus is in `windows` up to 9 and in `displays` from 10 on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from controller.virtual.activities import Activity
from controller.virtual.displays import ExtraDisplay
from controller.virtual.phone import VirtualPhone
from controller.virtual.shell.core import Call
from controller.virtual.shell.dumpsys import dump
from controller.virtual.shell.records import (
    activity_record,
    focused_app,
    rotation_name,
    task_name,
    task_record,
    window_record,
)
from controller.virtual.ui import Rect, Window, WindowKind

__all__ = ["configuration", "cutout_text", "focus_lines"]

# Type names from Android 8 on, numbers before; 9 prints them as names too.
_TYPES: Mapping[WindowKind, str] = {
    WindowKind.APPLICATION: "BASE_APPLICATION",
    WindowKind.DIALOG: "APPLICATION",
    WindowKind.POPUP: "APPLICATION_PANEL",
    WindowKind.SPLASH: "APPLICATION_STARTING",
    WindowKind.INPUT_METHOD: "INPUT_METHOD",
    WindowKind.STATUS_BAR: "STATUS_BAR",
    WindowKind.NAVIGATION_BAR: "NAVIGATION_BAR",
    WindowKind.NOTIFICATION_SHADE: "NOTIFICATION_SHADE",
    WindowKind.KEYGUARD: "NOTIFICATION_SHADE",
    WindowKind.TOAST: "TOAST",
    WindowKind.DIVIDER: "DOCK_DIVIDER",
}


@dump("window")
def window(call: Call, args: list[str]) -> None:
    """`dumpsys window [windows|displays|policy|tokens|sessions|lastanr]`, all of them without an argument."""
    names = {"w": "windows", "d": "displays", "p": "policy", "t": "tokens", "s": "sessions", "l": "lastanr"}
    wanted = next((argument for argument in args if not argument.startswith("-")), "")
    wanted = names.get(wanted, wanted)
    if wanted in {"visible", "visible-apps", "all", "a"}:
        wanted = "windows"
    if wanted and wanted not in _SECTIONS:
        call.line(f"Bad window command, or no windows match: {wanted}")
        call.line("Use -h for help.")
        return
    for index, name in enumerate([wanted] if wanted else _SECTIONS):
        if index:
            call.line()
            call.line("-" * 79)
        call.lines(_SECTIONS[name](call.phone))


def focus_lines(phone: VirtualPhone) -> list[str]:
    """`mCurrentFocus=` and `mFocusedApp=`."""
    return [f"  mCurrentFocus={window_record(phone.focused_window())}", f"  mFocusedApp={focused_app(phone)}"]


def configuration(phone: VirtualPhone) -> str:
    """A configuration: `{1.0 310mcc260mnc [zh_CN] ldltr sw411dp w411dp h866dp 420dpi …}`."""
    width, height = (value * 160 // phone.density for value in phone.size)
    language = phone.spec.locale.replace("-", "_")
    turn = "port" if width < height else "land"
    head = f"1.0 310mcc260mnc [{language}] ldltr sw{min(width, height)}dp w{width}dp h{height}dp {phone.density}dpi"
    bounds = f"Rect(0, 0 - {phone.size[0]}, {phone.size[1]})"
    night = " night" if phone.display.night else ""
    shape = f"nrml {turn}{night} finger -keyb/v/h -nav/h"
    mode = "mWindowingMode=fullscreen mDisplayWindowingMode=fullscreen mActivityType=undefined mAlwaysOnTop=undefined"
    window = f"{{ mBounds={bounds} mAppBounds={bounds} {mode} mRotation={rotation_name(phone.rotation)}}}"
    return f"{{{head} {shape} winConfig={window} s.5}}"


def _header(name: str, title: str) -> str:
    return f"WINDOW MANAGER {title} (dumpsys window {name})"


def _windows(phone: VirtualPhone) -> list[str]:
    stack = phone.window_stack()
    lines = [_header("windows", "WINDOWS")]
    for number, one in enumerate(stack):
        # Android 12 counts from the top down as 9 and 11 count from the bottom up.
        index = number if phone.sdk >= 31 else len(stack) - 1 - number
        lines += _window_block(phone, one, index)
    return [*lines, "", *_windows_tail(phone, stack)]


def _window_block(phone: VirtualPhone, one: Window, index: int) -> list[str]:
    activity = _owner(phone, one)
    spec = phone.packages.get(one.package)
    uid = spec.spec.uid if spec is not None else 1000
    pid = (spec.pid if spec is not None else None) or 612
    task = activity.task_id if activity is not None else -1
    user = f"u0a{uid}" if uid >= 10000 else str(uid)
    frame = f"{one.frame}"
    secure = " SECURE" if one.secure else ""
    record = (
        activity_record(activity) if activity is not None else f"WindowToken{{{one.hash ^ 0x77:x} android.os.Binder}}"
    )
    root = "rootTaskId" if phone.sdk >= 31 else "stackId"
    owner = f"    mOwnerUid={uid} showForAllUsers={'false' if activity else 'true'} package={one.package} appop=NONE"
    lines = [
        f"  Window #{index} {window_record(one)}:",
        f"    mDisplayId=0 {root}={task} mSession=Session{{{one.hash ^ 0x3333:x} {pid}:{user}}} "
        f"mClient=android.os.BinderProxy@{one.hash ^ 0x5555:x}",
        owner,
        f"    mAttrs={{(0,0)(fillxfill) sim={{adjust=resize}} ty={_type(phone, one)} wanim=0x10302f8",
        f"      fl=LAYOUT_IN_SCREEN{secure} LAYOUT_INSET_DECOR SPLIT_TOUCH HARDWARE_ACCELERATED "
        "DRAWS_SYSTEM_BAR_BACKGROUNDS}",
        f"    Requested w={one.frame.width} h={one.frame.height} mLayoutSeq=471",
        f"    mBaseLayer={one.layer * 10000 + 1000} mSubLayer=0    mToken={record}",
    ]
    if activity is not None:
        name = "mActivityRecord" if phone.sdk >= 29 else "mAppToken"
        lines += [
            f"    {name}={record}",
            "    mAppDied=false    drawnStateEvaluated=true    mightAffectAllDrawn=true",
        ]
    return [
        *lines,
        "    mViewVisibility=0x0 mHaveFrame=true mObscured=false",
        "    mGivenContentInsets=[0,0][0,0] mGivenVisibleInsets=[0,0][0,0]",
        f"    mFullConfiguration={configuration(phone)}",
        "    mHasSurface=true isReadyForDisplay()=true mWindowRemovalAllowed=false",
        *_frames(phone, frame),
        "    WindowStateAnimator{" + f"{one.hash ^ 0x99:x} {one.title}}}:",
        f"      mDrawState=HAS_DRAWN       mLastHidden={'false' if one.layer else 'true'}",
        "    isOnScreen=true",
        "    isVisible=true",
    ]


def _frames(phone: VirtualPhone, frame: str) -> list[str]:
    if phone.sdk >= 31:
        return [f"    Frames: parent={frame} display={frame} frame={frame} last={frame} insetsChanged=false"]
    if phone.sdk >= 29:
        return [
            f"    Frames: containing={frame} parent={frame}",
            f"        display={frame}",
            f"        frame={frame} last={frame}",
        ]
    return [
        f"    mFrame={frame} last={frame}",
        f"    Frames: containing={frame} parent={frame}",
        f"    mCurFrame={frame}",
    ]


def _type(phone: VirtualPhone, one: Window) -> str:
    if phone.sdk < 30 and one.kind in {WindowKind.KEYGUARD, WindowKind.NOTIFICATION_SHADE}:
        return "STATUS_BAR"
    return _TYPES[one.kind]


def _owner(phone: VirtualPhone, one: Window) -> Activity | None:
    if one.activity is None and one.kind is not WindowKind.SPLASH:
        return None
    for task in phone.tasks:
        for activity in task.activities:
            if one.hash == activity.window_hash or (activity.package, activity.spec.name) == (
                one.package,
                one.activity,
            ):
                return activity
    return None


def _windows_tail(phone: VirtualPhone, stack: list[Window]) -> list[str]:
    focus = window_record(phone.focused_window())
    keyboard = next((one for one in stack if one.kind is WindowKind.INPUT_METHOD), None)
    if phone.sdk < 29:
        return [
            f"  mCurConfiguration={configuration(phone)}",
            "  mHasPermanentDpad=false",
            *focus_lines(phone),
            f"  mInputMethodTarget={focus}",
            "  mInTouchMode=true",
            "  mLastDisplayFreezeDuration=0 due to null",
            f"  mInputMethodWindow={window_record(keyboard)}",
            "  mTraversalScheduled=false",
            "  mHoldScreenWindow=null",
            "  mObscuringWindow=null",
            "  mDisplayFrozen=false mWindowsFreezingScreen=0 mAppsFreezingScreen=0 mWaitingForConfig=false",
        ]
    targets = (
        [f"  {name} in display# 0 {focus}" for name in ("imeLayeringTarget", "imeInputTarget", "imeControlTarget")]
        if phone.sdk >= 31
        else [f"  mInputMethodTarget in display# 0 {focus}", f"  mInputMethodInputTarget in display# 0 {focus}"]
    )
    return [
        f"  mGlobalConfiguration={configuration(phone)}",
        "  mHasPermanentDpad=false",
        "  mTopFocusedDisplayId=0",
        *targets,
        "  mInTouchMode=true",
        "  mBlurEnabled=true",
        "  mLastDisplayFreezeDuration=0 due to null",
        "  mLastWakeLockHoldingWindow=null mLastWakeLockObscuringWindow=null",
        f"  mInputMethodWindow={window_record(keyboard)}",
        "  mTraversalScheduled=false",
        "  mHoldScreenWindow=null",
        "  mObscuringWindow=null",
    ]


def _displays(phone: VirtualPhone) -> list[str]:
    width, height = phone.size
    own = (phone.spec.width, phone.spec.height)
    long, short = max(width, height), min(width, height)
    locked = phone.setting("system", "accelerometer_rotation") == "0"
    organized = " (organized)" if phone.sdk >= 33 else ""
    lines = [
        _header("displays", "DISPLAY CONTENTS"),
        f"  Display: mDisplayId=0{organized}",
        f"    init={own[0]}x{own[1]} {phone.spec.density}dpi{_base(phone)} cur={width}x{height} app={width}x{height} "
        f"rng={short}x{short}-{long}x{long}",
        "    deferred=false mLayoutNeeded=false mTouchExcludeRegion=SkRegion()",
        *([f"    {cutout_text(phone)}"] if phone.display.cutout is not None else []),
        "",
    ]
    if phone.sdk < 29:
        return [*lines, "  Application tokens in top down Z order:", *_tokens(phone)]
    title, *own_lines = lines
    return [
        title,
        # Idle displays come first on phones that fold.
        *(line for one in phone.display.others for line in _idle_display(one, organized)),
        *own_lines,
        "  mLayoutSeq=471",
        *focus_lines(phone),
        "  mLastFocus=null",
        "  Task display areas in top down Z order:",
        *(_task_area(phone) if phone.sdk >= 31 else _tokens(phone)),
        "  DisplayRotation",
        f"    mRotation={rotation_name(phone.rotation)} mDeferredRotationPauseCount=0",
        f"    mUserRotationMode=USER_ROTATION_{'LOCKED' if locked else 'FREE'}",
        "  WindowInsetsStateController",
        "    InsetsState",
        *_insets(phone),
    ]


def _idle_display(one: ExtraDisplay, organized: str) -> list[str]:
    size = f"{one.width}x{one.height}"
    long, short = max(one.width, one.height), min(one.width, one.height)
    return [
        f"  Display: mDisplayId={one.id}{organized}",
        f"    init={size} {one.density}dpi cur={size} app={size} rng={short}x{short}-{long}x{long}",
        "    deferred=false mLayoutNeeded=false mTouchExcludeRegion=SkRegion()",
        "",
        "  mLayoutSeq=3",
        "  mCurrentFocus=null",
        "  mFocusedApp=null",
        "",
    ]


def _base(phone: VirtualPhone) -> str:
    size, density = phone.size, phone.density
    own = (phone.spec.width, phone.spec.height) if phone.rotation % 2 == 0 else (phone.spec.height, phone.spec.width)
    return f" base={size[0]}x{size[1]} {density}dpi" if size != own or density != phone.spec.density else ""


def _tokens(phone: VirtualPhone) -> list[str]:
    lines: list[str] = []
    for task in reversed(list(phone.tasks)):
        for activity in reversed(task.activities):
            lines.append(f"      * {activity_record(activity)}")
    return lines


def _task_area(phone: VirtualPhone) -> list[str]:
    """Since Android 12 the tasks stand in a display area, each with its activities."""
    tasks = list(reversed(list(phone.tasks)))
    lines = ["    TaskDisplayArea DefaultTaskDisplayArea"]
    if tasks:
        record = task_name(phone, tasks[0])
        lines += [f"      mPreferredTopFocusableRootTask={record}", f"      mLastFocusedRootTask={record}"]
    lines += ["      Application tokens in top down Z order:", ""]
    for task in tasks:
        lines.append(f"      * {task_record(phone, task, visible=phone.splitting.shown(task))}")
        lines.append(f"        bounds=[0,0][{phone.size[0]},{phone.size[1]}]")
        lines += [f"        * {activity_record(activity)}" for activity in reversed(task.activities)]
    return lines


def cutout_text(phone: VirtualPhone) -> str:
    """`DisplayCutout{insets=Rect(0, 100 - 0, 0) …}`: from Android 10 on one bounding rectangle a side."""
    hole = phone.display.cutout
    left, top, right, bottom = phone.display.safe
    if hole is None:
        return "null"
    where = f"Rect({hole.left}, {hole.top} - {hole.right}, {hole.bottom})"
    insets = f"insets=Rect({left}, {top} - {right}, {bottom})"
    if phone.sdk < 29:
        return f"DisplayCutout{{{insets} boundingRect={where}}}"
    sides = ", ".join(where if side else "Rect(0, 0 - 0, 0)" for side in (left, top, right, bottom))
    waterfall = " waterfall=Insets{left=0, top=0, right=0, bottom=0}" if phone.sdk >= 30 else ""
    return f"DisplayCutout{{{insets}{waterfall} boundingRect={{Bounds=[{sides}]}}}}"


def _cutout_source(phone: VirtualPhone) -> list[str]:
    names = ("LEFT", "TOP", "RIGHT", "BOTTOM")
    width, height = phone.size
    left, top, right, bottom = phone.display.safe
    frames = (
        Rect(0, 0, left, height),
        Rect(0, 0, width, top),
        Rect(width - right, 0, width, height),
        Rect(0, height - bottom, width, height),
    )
    return [
        f"      InsetsSource id=10005 type=displayCutout frame={frame} visible=true flags="
        if phone.sdk >= 34
        else f"      InsetsSource type=ITYPE_{name}_DISPLAY_CUTOUT frame={frame} visible=true"
        for name, frame in zip(names, frames, strict=True)
        if not frame.empty
    ]


def _insets(phone: VirtualPhone) -> list[str]:
    # InsetsSource id=3 type=ime frame=[0,1442][1080,2340] visible=true flags=          14+
    # InsetsSource type=ITYPE_IME frame=[0,1442][1080,2340] visible=true                11–13
    lines: list[str] = []
    kinds = {
        WindowKind.STATUS_BAR: ("statusBars", "ITYPE_STATUS_BAR"),
        WindowKind.NAVIGATION_BAR: ("navigationBars", "ITYPE_NAVIGATION_BAR"),
        WindowKind.INPUT_METHOD: ("ime", "ITYPE_IME"),
    }
    shown = {one.kind: one for one in phone.window_stack() if one.kind in kinds}
    for number, (kind, (new, old)) in enumerate(kinds.items(), 1):
        frame = shown[kind].frame if kind in shown else "[0,0][0,0]"
        visible = "true" if kind in shown else "false"
        if phone.sdk >= 34:
            lines.append(f"      InsetsSource id={number} type={new} frame={frame} visible={visible} flags=")
        else:
            lines.append(f"      InsetsSource type={old} frame={frame} visible={visible}")
    return lines + _cutout_source(phone)


def _policy(phone: VirtualPhone) -> list[str]:
    on = "true" if phone.screen_on else "false"
    state = "ON" if phone.screen_on else "OFF"
    awake = "INTERACTIVE_STATE_AWAKE" if phone.screen_on else "INTERACTIVE_STATE_SLEEP"
    locked = "true" if phone.keyguard else "false"
    return [
        _header("policy", "POLICY STATE"),
        "    mSafeMode=false mSystemReady=true mSystemBooted=true",
        "    mWakeGestureEnabledSetting=true",
        "    mUiMode=UI_MODE_TYPE_NORMAL mEnableCarDockHomeCapture=true",
        f"    screenState=SCREEN_STATE_{state}" if phone.sdk < 30 else f"    mAwake={on}",
        f"    mScreenOnEarly={on} mScreenOnFully={on}",
        "    mShowingDream=false" + (" mDreamingLockscreen=false" if phone.sdk < 29 else ""),
        "    KeyguardServiceDelegate",
        f"      showing={locked}",
        f"      showingAndNotOccluded={locked}",
        f"      inputRestricted={locked}",
        "      occluded=false",
        "      secure=false",
        "      dreaming=false",
        "      systemIsReady=true",
        "      deviceHasKeyguard=true",
        "      enabled=true",
        f"      offReason={'OFF_BECAUSE_OF_USER' if phone.sdk < 30 else '0'}",
        "      currentUser=0",
        "      bootCompleted=true",
        f"      screenState=SCREEN_STATE_{state}",
        f"      interactiveState={awake}",
        "      KeyguardStateMonitor",
        f"        mIsShowing={locked}",
        "        mSimSecure=false",
        f"        mInputRestricted={locked}",
        "        mTrusted=false",
        "        mCurrentUserId=0",
    ]


def _sessions(phone: VirtualPhone) -> list[str]:
    return [
        _header("sessions", "SESSIONS"),
        *(f"  Session Session{{{one.hash ^ 0x3333:x}}}:" for one in phone.window_stack()),
    ]


def _token_section(phone: VirtualPhone) -> list[str]:
    return [_header("tokens", "TOKENS"), "  All tokens:", *_tokens(phone)]


def _last_anr(phone: VirtualPhone) -> list[str]:
    del phone
    return [_header("lastanr", "LAST ANR"), "  <no ANR has occurred since boot>"]


_SECTIONS: Mapping[str, Callable[[VirtualPhone], list[str]]] = {
    "lastanr": _last_anr,
    "policy": _policy,
    "sessions": _sessions,
    "displays": _displays,
    "tokens": _token_section,
    "windows": _windows,
}

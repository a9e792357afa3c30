"""`dumpsys` of the smaller services: power, display, battery, input, input_method, SurfaceFlinger and others."""

from __future__ import annotations

from controller.virtual.displays import ExtraDisplay
from controller.virtual.phone import VirtualPhone
from controller.virtual.shell.core import Call
from controller.virtual.shell.dumpsys import dump
from controller.virtual.shell.processes import processes
from controller.virtual.shell.records import focused_app, window_record
from controller.virtual.shell.window_dump import cutout_text
from controller.virtual.ui import Window, WindowKind

__all__ = ["DISPLAY_ID", "WIFI_NAME", "run_battery", "wifi_info"]

DISPLAY_ID = "4619827259835644672"
"""The physical display as SurfaceFlinger and screencap name it."""
WIFI_NAME = "VirtualWifi"


@dump("power")
def power(call: Call, args: list[str]) -> None:
    """`dumpsys power`."""
    del args
    on = "true" if call.phone.screen_on else "false"
    stay_on = call.phone.setting("global", "stay_on_while_plugged_in")
    wakefulness = "Awake" if call.phone.screen_on else "Asleep"
    call.lines(
        [
            "POWER MANAGER (dumpsys power)",
            "",
            "Power Manager State:",
            "  mDirty=0x0",
            f"  mWakefulness={wakefulness}",
            "  mWakefulnessChanging=false",
            f"  mIsPowered={'true' if call.phone.battery.powered else 'false'}",
            f"  mPlugType={call.phone.battery.plug}",
            f"  mBatteryLevel={call.phone.battery.level}",
            "  mDockState=0",
            f"  mStayOn={'false' if stay_on in (None, '0') else 'true'}",
            "  mSystemReady=true",
            "  mHalAutoSuspendModeEnabled=false",
            f"  mHoldingWakeLockSuspendBlocker={on}",
            f"  mHoldingDisplaySuspendBlocker={on}",
            "",
            "Settings and Configuration:",
            f"  mScreenOffTimeoutSetting={call.phone.setting('system', 'screen_off_timeout') or '60000'}",
            "",
            f"Display Power: state={'ON' if call.phone.screen_on else 'OFF'}",
        ]
    )


@dump("display")
def display(call: Call, args: list[str]) -> None:
    """`dumpsys display`."""
    del args
    phone = call.phone
    width, height = phone.size
    natural = (min(width, height), max(width, height)) if phone.rotation % 2 == 0 else (width, height)
    state = "ON" if phone.screen_on else "OFF"
    frame = f"Rect(0, 0 - {width}, {height})"
    viewport = (
        "DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, "
        f"uniqueId='local:{DISPLAY_ID}', physicalPort=0, orientation={phone.rotation}, logicalFrame={frame}, "
        f"physicalFrame={frame}, deviceWidth={width}, deviceHeight={height}}}"
    )
    info = (
        f'DisplayInfo{{"Built-in Screen", displayId 0", FLAG_SECURE, FLAG_SUPPORTS_PROTECTED_BUFFERS, FLAG_TRUSTED, '
        f"real {width} x {height}, largest app {max(natural)} x {max(natural)}, smallest app {min(natural)} x "
        f'{min(natural)}, rotation {phone.rotation}, state {state}, type INTERNAL, uniqueId "local:{DISPLAY_ID}", '
        f"app {width} x {height}, density {phone.density}, cutout {cutout_text(phone)}, layerStack 0}}"
    )
    call.lines(
        [
            "DISPLAY MANAGER (dumpsys display)",
            "  mSafeMode=false",
            "  mPendingTraversal=false",
            f"  mViewports=[{viewport}]",
            "",
            "Display Adapters: size=1",
            "  LocalDisplayAdapter",
            "",
            f"Logical Displays: size={1 + len(phone.display.others)}",
            "  Display 0:",
            "    mDisplayId=0",
            "    mPhase=1" if phone.sdk >= 31 else "    mLayerStack=0",
            f"    mBaseDisplayInfo={info}",
            f"    mOverrideDisplayInfo={info}",
            *(line for one in phone.display.others for line in _other_display(phone, one)),
            "",
            "Display Power Controller:",
            f"  mScreenState={state}",
            f"  mScreenBrightness={phone.setting('system', 'screen_brightness') or '102'}",
        ]
    )


def _other_display(phone: VirtualPhone, one: ExtraDisplay) -> list[str]:
    kind, unique = ("INTERNAL", f"local:{one.physical}") if one.physical else ("OVERLAY", f"overlay:{one.id - 1}")
    size = f"{one.width} x {one.height}"
    info = (
        f'DisplayInfo{{"{one.name}", displayId {one.id}", FLAG_PRESENTATION, FLAG_TRUSTED, real {size}, largest app '
        f"{size}, smallest app {size}, rotation 0, state {'OFF' if one.physical else 'ON'}, type {kind}, uniqueId "
        f'"{unique}", app {size}, density {one.density}, layerStack {one.id}}}'
    )
    return [
        f"  Display {one.id}:",
        f"    mDisplayId={one.id}",
        "    mPhase=1" if phone.sdk >= 31 else f"    mLayerStack={one.id}",
        f"    mBaseDisplayInfo={info}",
        f"    mOverrideDisplayInfo={info}",
    ]


@dump("battery")
def battery(call: Call, args: list[str]) -> None:
    """`dumpsys battery [set|get|unplug|reset …]`; the same verbs as `cmd battery`."""
    if args and not args[0].startswith("-"):
        run_battery(call, args)
        return
    held, sdk = call.phone.battery, call.phone.sdk
    values = held.values
    call.lines(
        [
            "Current Battery Service state:",
            *(["  (UPDATES STOPPED -- use 'reset' to restart)"] if held.overridden else []),
            f"  AC powered: {values['ac']}",
            f"  USB powered: {values['usb']}",
            f"  Wireless powered: {values['wireless']}",
            *([f"  Dock powered: {values['dock']}"] if sdk >= 33 else []),
            "  Max charging current: 500000",
            "  Max charging voltage: 5000000",
            f"  Charge counter: {values['counter']}",
            f"  status: {values['status']}",
            "  health: 2",
            f"  present: {values['present']}",
            f"  level: {values['level']}",
            "  scale: 100",
            "  voltage: 4350",
            f"  temperature: {values['temp']}",
            "  technology: Li-ion",
            *(["  Charging state: 0", "  Charging policy: 1"] if sdk >= 34 else []),
        ]
    )


def run_battery(call: Call, args: list[str]) -> int:
    """`set NAME VALUE`, `get NAME`, `unplug`, `reset`, each with `-f`."""
    held = call.phone.battery
    words = [*(word for word in args if word != "-f"), "", "", ""]
    match words[0]:
        case "set":
            if not words[1]:
                call.err("No property specified")
                return 255
            if not held.set(words[1], words[2]):
                call.err(f"Unknown set option: {words[1]}" if words[1] not in held.values else f"Bad value: {words[2]}")
                return 255
        case "get":
            if words[1] not in held.values:
                call.err(f"Unknown get option: {words[1]}")
                return 255
            call.line(held.values[words[1]])
        case "unplug":
            held.unplug()
        case "reset":
            held.reset()
        case _:
            call.lines(["Battery service (battery) commands:", "  help", "    Print this help text."])
            return 0
    call.phone.changed()
    return 0


@dump("input")
def input_(call: Call, args: list[str]) -> None:
    """`dumpsys input`: up to 9 one focus, from 10 on one a display; from 12 on windows without their wrapper."""
    del args
    phone = call.phone
    app = focused_app(phone)
    focus = phone.focused_window()
    lines = [
        "INPUT MANAGER (dumpsys input)",
        "",
        "Input Reader State:",
        "  Device 2: virtual_touchscreen",
        "    Touch Input Mapper (mode - DIRECT):",
        _orientation(phone),
        "",
        "Input Dispatcher State:",
        f"  DispatchEnabled: {'true' if phone.sdk >= 30 else '1'}",
        f"  DispatchFrozen: {'false' if phone.sdk >= 30 else '0'}",
    ]  # fmt: skip
    if phone.sdk < 29:
        lines += [
            f"  FocusedApplication: name='{app}', dispatchingTimeout=5000.000ms",
            f"  FocusedWindow: name='{window_record(focus)}'"
            if focus is not None
            else "  FocusedWindow: name='<null>'",
            "  TouchStates: <no displays touched>",
            "  Windows:",
            *(_old_window_row(number, one) for number, one in enumerate(phone.window_stack())),
        ]
    else:
        name = _window_name(phone, focus)
        lines += [
            "  InputFilterEnabled: false",
            "  FocusedDisplayId: 0",
            "  FocusedApplications:",
            f"    displayId=0, name='{app}', dispatchingTimeout=5000ms",
            "  FocusedWindows:" if focus is not None else "  FocusedWindows: <none>",
            *([f"    displayId=0, name='{name}'"] if focus is not None else []),
            *(["  FocusRequests:", f"    displayId=0, name='{name}' result='OK'"] if phone.sdk >= 31 and focus else []),
            "  TouchStates: <no displays touched>",
            "  Display: 0",
            "    Windows:",
            *(f"  {_window_row(phone, number, one)}" for number, one in enumerate(phone.window_stack())),
        ]
    call.lines(lines)


def _orientation(phone: VirtualPhone) -> str:
    if phone.sdk < 33:
        return f"      SurfaceOrientation: {phone.rotation}"
    frame = f"logicalFrame=[0, 0, {phone.size[0]}, {phone.size[1]}]"
    return f"      Viewport INTERNAL: displayId=0, port=0, orientation={phone.rotation}, {frame}, isActive=[1]"


def _window_name(phone: VirtualPhone, one: Window | None) -> str:
    if one is None:
        return ""
    return f"{one.hash:x} {one.title}" if phone.sdk >= 31 else window_record(one)


def _window_row(phone: VirtualPhone, number: int, one: Window) -> str:
    focus, frame = "true" if one.focused else "false", one.frame
    portal = ", portalToDisplayId=-1" if phone.sdk == 30 else ""
    wallpaper = "" if phone.sdk == 30 else " hasWallpaper=false,"
    keys = ", canReceiveKeys=true" if phone.sdk == 30 else ""
    return (
        f"    {number}: name='{_window_name(phone, one)}', displayId=0{portal}, paused=false, hasFocus={focus},"
        f"{wallpaper} visible=true{keys}, frame=[{frame.left},{frame.top}][{frame.right},{frame.bottom}]"
    )


def _old_window_row(number: int, one: Window) -> str:
    kind = 1 if one.kind is WindowKind.APPLICATION else 2000
    frame = one.frame
    return (
        f"    {number}: name='{window_record(one)}', displayId=0, paused=false, "
        f"hasFocus={'true' if one.focused else 'false'}, hasWallpaper=false, visible=true, canReceiveKeys=true, "
        f"flags=0x81810120, type=0x{kind:08x}, layer={one.layer * 10000}, "
        f"frame=[{frame.left},{frame.top}][{frame.right},{frame.bottom}]"
    )


@dump("input_method")
def input_method(call: Call, args: list[str]) -> None:
    """`dumpsys input_method`."""
    del args
    phone = call.phone
    shown = "true" if phone.keyboard_shown else "false"
    served = phone.focused_field()
    current = phone.setting("secure", "default_input_method") or "null"
    call.line(
        "Current Input Method Manager state:" if phone.sdk < 34 else "Input method client state for IInputMethodClient:"
    )
    call.line("  Input Methods:")
    for ime in phone.imes.values():
        call.line(
            f"  mId={ime.id} mSettingsActivityName=null mIsVrOnly=false mSupportsSwitchingToNextInputMethod=false"
        )
        call.line(f"    package={ime.package} enabled={'true' if ime.enabled else 'false'}")
    token = "android.os.Binder@2c9f1d8"
    call.lines(
        [
            f"  mCurMethodId={current}",
            f"  mCurClient=ClientState{{5d6e7f8 uid={_uid(phone)} pid=8821}} mCurSeq=12",
            f"  mCurFocusedWindow={window_record(phone.focused_window())} softInputMode=ADJUST_RESIZE",
            f"  mCurId={current} mHaveConnection=true mBoundToMethod=true mVisibleBound={shown}",
            f"  mCurToken={token}",
            "  mCurTokenDisplayId=0",
            f"  mShowRequested={shown} mShowExplicitlyRequested=false mShowForced=false mInputShown={shown}",
            "  mInFullscreenMode=false",
            f"  mSystemReady=true mInteractive={'true' if phone.screen_on else 'false'}",
            f"  mServedView={'null' if served is None else served.class_name}",
            f"  mServedInputConnection={'null' if served is None else 'RemoteInputConnection@1a2b3c'}",
        ]
    )


def _uid(phone: VirtualPhone) -> int:
    top = phone.top_activity()
    package = phone.packages.get(top.package) if top is not None else None
    return package.spec.uid if package is not None else 1000


@dump("SurfaceFlinger")
def surface_flinger(call: Call, args: list[str]) -> None:
    """`dumpsys SurfaceFlinger [--display-id|--list]`."""
    if "--display-id" in args:
        call.line(f'Display {DISPLAY_ID} (HWC display 0): port=0 pnpId=GGL displayName="Built-in Screen"')
        physical = [one for one in call.phone.display.others if one.physical]
        for number, one in enumerate(physical, 1):
            where = f"(HWC display {number}): port={128 + number} pnpId=GGL"
            call.line(f'Display {one.physical} {where} displayName="{one.name}"')
        return
    if "--list" in args:
        call.lines([f"{one.title}#{one.layer}" for one in call.phone.window_stack()])
        return
    call.line("Build configuration: [sf PRESENT_TIME_OFFSET=0 FORCE_HWC_FOR_RBG_TO_YUV=0]")
    call.line(f"Display {DISPLAY_ID} (active) HWC layers:")
    call.lines([f"  {one.title}#{one.layer}" for one in call.phone.window_stack()])


@dump("notification")
def notification(call: Call, args: list[str]) -> None:
    """`dumpsys notification [--noredact]`."""
    del args
    call.line("Current Notification Manager state:")
    call.line("  Notification List:")
    for one in call.phone.notifications:
        call.line(
            f"    NotificationRecord(0x0a1b2c3d: pkg={one.package} user=UserHandle{{0}} id=1 tag=null key={one.key})"
        )
        call.line("      extras={")
        call.line(f"          android.title=String ({one.title})")
        call.line(f"          android.text=String ({one.text})")
        call.line("      }")


@dump("meminfo")
def meminfo(call: Call, args: list[str]) -> None:
    """`dumpsys meminfo [PACKAGE|PID]`."""
    wanted = next((argument for argument in args if not argument.startswith("-")), "")
    call.line("Applications Memory Usage (in Kilobytes):")
    call.line(f"Uptime: {int(call.phone.now() * 1000)} Realtime: {int(call.phone.now() * 1000)}")
    if not wanted:
        call.line("\nTotal PSS by process:")
        call.lines([f"    231,232K: {one.name} (pid {one.pid})" for one in processes(call.phone)])
        return
    found = next((one for one in processes(call.phone) if wanted in {one.name, str(one.pid)}), None)
    if found is None:
        call.line(f"No process found for: {wanted}")
        return
    call.line(f"\n** MEMINFO in pid {found.pid} [{found.name}] **")
    call.line("                   Pss  Private  Private  SwapPss      Rss     Heap     Heap     Heap")
    call.line("                 Total    Dirty    Clean    Dirty    Total     Size    Alloc     Free")
    call.line("                ------   ------   ------   ------   ------   ------   ------   ------")
    call.line("        TOTAL   231232   180124    21340       12   312340    98304    71234    27070")


@dump("cpuinfo", "gfxinfo", "procstats", "diskstats", "usagestats", "batterystats")
def statistics(call: Call, args: list[str]) -> None:
    """Statistics: their heading and the processes."""
    del args
    call.line("Load: 0.42 / 0.51 / 0.48")
    call.lines([f"  0.1% {one.pid}/{one.name}: 0% user + 0% kernel" for one in processes(call.phone)])


@dump("wifi")
def wifi(call: Call, args: list[str]) -> None:
    """`dumpsys wifi`."""
    del args
    on = call.phone.radios.wifi
    call.line(f"Wi-Fi is {'enabled' if on else 'disabled'}")
    call.line(f"mAirplaneModeOn {'true' if call.phone.radios.airplane else 'false'}")
    if on:
        call.line(f"mWifiInfo {wifi_info(call.phone)}")


def wifi_info(phone: VirtualPhone) -> str:
    """`WifiInfo.toString`: from Android 10 on the name stands in quotes."""
    name = f'"{WIFI_NAME}"' if phone.sdk >= 29 else WIFI_NAME
    return (
        f"SSID: {name}, BSSID: 02:00:00:00:00:00, MAC: 02:15:b2:00:00:00, IP: /192.168.1.104, Supplicant state: "
        "COMPLETED, RSSI: -50, Link speed: 72Mbps, Frequency: 2437MHz, Net ID: 0, Metered hint: false, score: 60"
    )


@dump("connectivity")
def connectivity(call: Call, args: list[str]) -> None:
    """`dumpsys connectivity`: the networks that are there."""
    del args
    phone = call.phone
    kinds = [("WIFI", phone.radios.wifi), ("MOBILE[LTE]", phone.radios.mobile)]
    there = [name for name, on in kinds if on]
    call.line("NetworkProviders for: " if phone.sdk >= 30 else "NetworkFactories for: WifiNetworkFactory Telephony")
    call.line(f"Active default network: {100 if there else 'none'}")
    call.line("Current Networks:")
    call.lines(
        [
            f"  NetworkAgentInfo{{network{{{100 + number}}}  ni{{{name} CONNECTED extra: }}}}"
            if phone.sdk >= 30
            else f"  NetworkAgentInfo{{ ni{{[type: {name}[], state: CONNECTED/CONNECTED]}} network{{{100 + number}}}}}"
            for number, name in enumerate(there)
        ]
    )


@dump("uimode")
def uimode(call: Call, args: list[str]) -> None:
    """`dumpsys uimode`."""
    del args
    mode = call.phone.setting("secure", "ui_night_mode") or "1"
    night = call.phone.display.night
    names = {"0": "auto", "1": "no", "2": "yes", "3": "custom"}
    call.lines(
        [
            "Current UI Mode Service state:",
            "  mDockState=0 mLastBroadcastState=0",
            f"  mNightMode={mode} ({names.get(mode, 'no')}) mNightModeLocked=false",
            f"  mCarModeEnabled=false mComputedNightMode={'true' if night else 'false'}",
            f"  mCurUiMode=0x{0x21 if night else 0x11:x}",
        ]
    )


@dump(
    "telephony.registry",
    "location",
    "audio",
    "alarm",
    "clipboard",
    "user",
    "statusbar",
    "accessibility",
    "vibrator",
    "trust",
    "device_policy",
    "dropbox",
    "jobscheduler",
    "media_session",
    "netstats",
    "phone",
)
def empty(call: Call, args: list[str]) -> None:
    """Services that have nothing to say here."""
    del args
    call.line("(nothing)")

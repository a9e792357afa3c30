"""`cmd SERVICE …` for the services that are neither package nor activity: status bar, night mode, clipboard, lock …"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from controller.virtual.shell.core import Call
from controller.virtual.shell.ime import run_ime
from controller.virtual.shell.media import run_media
from controller.virtual.shell.screen import run_window
from controller.virtual.shell.service_dumps import WIFI_NAME, run_battery, wifi_info
from controller.virtual.shell.settings import run_settings

__all__ = ["SERVICES"]

ServiceFunction = Callable[[Call, list[str]], int]


def _statusbar(call: Call, args: list[str]) -> int:
    match args[0] if args else "":
        case "expand-notifications":
            call.phone.expand_shade()
        case "expand-settings":
            call.phone.expand_shade(settings=True)
        case "collapse":
            call.phone.collapse_shade()
        case (
            "add-tile"
            | "remove-tile"
            | "click-tile"
            | "check-support"
            | "get-status-icons"
            | "disable-for-setup"
            | "send-disable-flag"
        ):
            call.out("true\n" if args[0] == "check-support" else "")
        case verb:
            call.err(f"Unknown command: {verb}" if verb else "Status bar commands:\n  help\n    Print this help text.")
            return 255 if verb else 0
    return 0


def _uimode(call: Call, args: list[str]) -> int:
    words = [*args, "", ""]
    if words[0] != "night":
        call.err(f"Unknown command: {words[0]}")
        return 255
    values = {"yes": "2", "no": "1", "auto": "0", "custom_schedule": "3", "custom_bedtime": "3"}
    if words[1]:
        if words[1] not in values:
            call.err("Error: mode must be 'yes', 'no', or 'auto', or 'custom_schedule', or 'custom_bedtime'")
            return 255
        call.phone.put_setting("secure", "ui_night_mode", values[words[1]])
    names = {"2": "yes", "0": "auto", "3": "custom"}
    call.line(f"Night mode: {names.get(call.phone.setting('secure', 'ui_night_mode') or '', 'no')}")
    return 0


def _clipboard(call: Call, args: list[str]) -> int:
    del args
    call.err("No shell command implementation.")
    return 255


def _lock_settings(call: Call, args: list[str]) -> int:
    verb = args[0] if args else ""
    if verb == "get-disabled":
        call.line("true" if call.phone.setting("secure", "lockscreen.disabled") == "1" else "false")
    elif verb == "set-disabled":
        off = args[1:2] == ["true"]
        call.phone.put_setting("secure", "lockscreen.disabled", "1" if off else "0")
        call.line(f"Lock screen disabled set to {'true' if off else 'false'}")
    return 0


def _notification(call: Call, args: list[str]) -> int:
    words = [*args, ""]
    if words[0] == "post":
        texts, title, rest = [], "", list(args[1:])
        while rest:
            argument = rest.pop(0)
            if argument in {"-t", "--title"} and rest:
                title = rest.pop(0)
            elif argument in {"-S", "--style", "-i", "-I", "-c", "-b", "--icon", "-B"} and rest:
                rest.pop(0)
            elif not argument.startswith("-"):
                texts.append(argument)
        call.phone.notify("com.android.shell", title or (texts[0] if texts else ""), texts[-1] if texts else "")
        call.line("posting:")
        return 0
    if words[0] == "list":
        call.lines([one.key for one in call.phone.notifications])
    return 0


def _wifi(call: Call, args: list[str]) -> int:
    words = [*args, "", ""]
    phone = call.phone
    match words[0]:
        case "status":
            call.line(f"Wifi is {'enabled' if phone.radios.wifi else 'disabled'}")
            call.line("Wifi scanning is always available")
            if phone.radios.wifi:
                call.line(f'Wifi is connected to "{WIFI_NAME}"')
                call.line(f"WifiInfo: {wifi_info(phone)}")
        case "set-wifi-enabled" if words[1] in {"enabled", "disabled"}:
            phone.put_setting("global", "wifi_on", "1" if words[1] == "enabled" else "0")
        case "set-wifi-enabled":
            call.err("Invalid args for set-wifi-enabled: Expected 'enabled' or 'disabled' as next arg but got")
            return 255
        case "list-networks":
            call.lines(
                ["Network Id      SSID                         Security type", f"0            {WIFI_NAME}   wpa2-psk"]
            )
        case "list-scan-results" | "start-scan":
            call.out("")
    return 0


def _airplane(call: Call, args: list[str]) -> int:
    words = [*args, "", ""]
    if words[0] != "airplane-mode":
        return 0
    if words[1] in {"enable", "disable"}:
        call.phone.put_setting("global", "airplane_mode_on", "1" if words[1] == "enable" else "0")
    else:
        call.line("enabled" if call.phone.radios.airplane else "disabled")
    return 0


def _location(call: Call, args: list[str]) -> int:
    match args:
        case ["is-location-enabled", *_]:
            call.line("true" if call.phone.setting("secure", "location_mode") not in (None, "", "0") else "false")
        case ["set-location-enabled", "true" | "false" as wanted, *_]:
            call.phone.put_setting("secure", "location_mode", "3" if wanted == "true" else "0")
        case _:
            call.err(f"Unknown command: {' '.join(args)}")
            return 255
    return 0


def _display(call: Call, args: list[str]) -> int:
    """`get-displays`, since Android 13; the rest is taken and changes nothing."""
    phone = call.phone
    if args[:1] != ["get-displays"] or phone.sdk < 33:
        return 0
    width, height = phone.size
    call.line("Displays:")
    rows = [(0, "Built-in Screen", width, height, phone.density)]
    rows += [(one.id, one.name, one.width, one.height, one.density) for one in phone.display.others]
    call.lines([f'Display id {number}: DisplayInfo{{"{name}", displayId {number}, real {wide} x {high}, density {dpi}}}'
                for number, name, wide, high, dpi in rows])  # fmt: skip
    return 0


def _accepted(call: Call, args: list[str]) -> int:
    """Services whose commands are taken and change nothing here."""
    del call, args
    return 0


def _input(call: Call, args: list[str]) -> int:
    return call.run(["input", *args])


SERVICES: Mapping[str, ServiceFunction] = {
    "statusbar": _statusbar,
    "uimode": _uimode,
    "clipboard": _clipboard,
    "input_method": run_ime,
    "input": _input,
    "window": run_window,
    "settings": run_settings,
    "lock_settings": _lock_settings,
    "notification": _notification,
    "wifi": _wifi,
    "connectivity": _airplane,
    "location": _location,
    "overlay": _accepted,
    "appops": _accepted,
    "role": _accepted,
    "power": _accepted,
    "deviceidle": _accepted,
    "device_config": _accepted,
    "jobscheduler": _accepted,
    "media_session": run_media,
    "locale": _accepted,
    "user": _accepted,
    "battery": run_battery,
    "vibrator_manager": _accepted,
    "bluetooth_manager": _accepted,
    "phone": _accepted,
    "display": _display,
}
"""Service → its commands."""

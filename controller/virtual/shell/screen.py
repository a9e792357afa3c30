"""Commands about the screen: wm, screencap, screenrecord, uiautomator."""

from __future__ import annotations

import re
import struct

from controller.virtual.displays import ExtraDisplay
from controller.virtual.phone import VirtualPhone
from controller.virtual.shell.core import Call, Lasting, command
from controller.virtual.shell.service_dumps import DISPLAY_ID
from controller.virtual.uiautomator.connection import held_by
from controller.virtual.uiautomator.dump import dump_focused
from controller.virtual.uiautomator.pictures import png, rgba

__all__ = ["run_window"]

_WARNING = (
    "[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display found, "
    "however this default is not guaranteed to be consistent across captures. A display id should be specified.\n"
    'See "dumpsys SurfaceFlinger --display-id" for valid display IDs.\n'
)


@command("wm")
def wm(call: Call) -> int:
    """`wm size|density [VALUE|reset]`, `wm user-rotation`, `wm dismiss-keyguard`."""
    return run_window(call, call.args)


def run_window(call: Call, args: list[str]) -> int:
    """The command, also reached as `cmd window`."""
    words = [word for at, word in enumerate(args) if word != "-d" and (at == 0 or args[at - 1] != "-d")]
    verb, value = [*words, "", ""][:2]
    other = next((args[at + 1] for at, word in enumerate(args[:-1]) if word == "-d"), "0")
    if other != "0" and verb in {"size", "density"}:
        return _other_display(call, verb, other)
    match verb:
        case "size":
            return _size(call, value)
        case "density":
            return _density(call, value)
        case _ if verb and verb == _rotation_verb(call.phone):
            return _user_rotation(call, words[1:], asks=verb == "user-rotation" and len(words) == 1)
        case "dismiss-keyguard":
            call.phone.dismiss_keyguard()
        case "shell" if call.phone.sdk >= 31:
            return _split_screen(call, words[1:])
        case (
            "overscan"
            | "folded-area"
            | "screen-capture"
            | "fixed-to-user-rotation"
            | "set-fix-to-user-rotation"
            | "ignore-orientation-request"
            | "set-ignore-orientation-request"
            | "get-ignore-orientation-request"
            | "tracing"
            | "logging"
            | "scaling"
            | "set-letterbox-style"
            | "reset"
        ):
            pass
        case _:
            call.err(
                f"Unknown command: {verb}"
                if verb
                else "Window manager (window) commands:\n  help\n      Print this help text."
            )
            return 255 if verb else 0
    return 0


def _split_screen(call: Call, words: list[str]) -> int:
    """`wm shell splitscreen moveToSideStage TASK [0|1]`, `removeFromSideStage TASK`; 0 is above or left."""
    phone = call.phone
    verb, number, place = [*words[1:], "", "", ""][:3]
    task = phone.tasks.by_id(int(number)) if number.isdecimal() else None
    if words[:1] != ["splitscreen"] or verb not in {"moveToSideStage", "removeFromSideStage"} or task is None:
        call.err(f"Invalid command: {' '.join(words)}" if words else "Window Manager Shell commands:\n  help")
        return 255 if words else 0
    other = next((one for one in reversed(list(phone.tasks)) if one is not task and not one.home), None)
    if verb == "removeFromSideStage":
        phone.splitting.leave()
    elif other is not None:
        phone.splitting.enter(*((task, other) if place == "0" else (other, task)))
    return 0


def _other_display(call: Call, verb: str, number: str) -> int:
    """`wm size -d N`: as it is made; it cannot be set."""
    one = call.phone.display.other(number)
    if one is None:
        call.err(f"Error: bad display id {number}" if not number.isdecimal() else f"Error: no display {number}")
        return 255
    call.line(f"Physical size: {one.width}x{one.height}" if verb == "size" else f"Physical density: {one.density}")
    return 0


def _size(call: Call, value: str) -> int:
    phone = call.phone
    size, density = phone.display.override
    if not value:
        call.line(f"Physical size: {phone.spec.width}x{phone.spec.height}")
        call.lines([f"Override size: {size[0]}x{size[1]}"] if size is not None else [])
        return 0
    if value == "reset":
        phone.display.set(reset=True, density=density)
        return 0
    match = re.fullmatch(r"(\d{2,5})x(\d{2,5})", value)
    if match is None:
        call.err(f"Error: bad size {value}")
        return 255
    phone.display.set(size=(int(match[1]), int(match[2])))
    return 0


def _density(call: Call, value: str) -> int:
    phone = call.phone
    size, density = phone.display.override
    if not value:
        call.line(f"Physical density: {phone.spec.density}")
        call.lines([f"Override density: {density}"] if density is not None else [])
        return 0
    if value == "reset":
        phone.display.set(reset=True, size=size)
        return 0
    if not re.fullmatch(r"\d{2,4}", value) or int(value) < 72:
        call.err("Error: density must be >= 72" if value.isdecimal() else f"Error: bad number {value}")
        return 255
    phone.display.set(density=int(value))
    return 0


def _rotation_verb(phone: VirtualPhone) -> str:
    """Android 9 has none, 10 and 11 have the long name, later versions the short one."""
    return "user-rotation" if phone.sdk >= 31 else "set-user-rotation" if phone.sdk >= 29 else ""


def _user_rotation(call: Call, words: list[str], *, asks: bool) -> int:
    if asks:
        locked = call.phone.setting("system", "accelerometer_rotation") == "0"
        call.line(f"lock {call.phone.rotation}" if locked else "free")
        return 0
    if words[:1] == ["free"]:
        call.phone.put_setting("system", "accelerometer_rotation", "1")
        return 0
    if words[:1] != ["lock"]:
        call.err(f"Error: argument needs to be either -d, free or lock: {words[0] if words else ''}")
        return 255
    turned = words[1] if len(words) > 1 and words[1] in {"0", "1", "2", "3"} else str(call.phone.rotation)
    call.phone.put_setting("system", "user_rotation", turned)
    call.phone.put_setting("system", "accelerometer_rotation", "0")
    return 0


@command("screencap")
def screencap(call: Call) -> int:
    """`screencap [-p] [-d DISPLAY] [FILE]`."""
    args, as_png, display, names = list(call.args), False, "", []
    while args:
        argument = args.pop(0)
        if argument == "-p":
            as_png = True
        elif argument.startswith("-d"):
            display = argument[2:] or (args.pop(0) if args else "")
        elif not argument.startswith("-"):
            names.append(argument)
    other = call.phone.display.other(display)
    if display not in {"", "0", DISPLAY_ID} and (other is None or not other.physical):
        call.err(f"Display Id '{display}' is not valid.")
        return 1
    if not display and _must_warn(call.phone):
        call.out(_WARNING)
    as_png = as_png or (bool(names) and names[0].endswith(".png"))
    own = png if as_png else _raw
    data = own(call.phone) if other is None else _dark(other, as_png=as_png)
    if not names:
        call.out(data)
        return 0
    fault = call.shell.write_file(names[0], data)
    if fault is not None:
        call.err(f"Error opening file: {names[0]} ({fault})")
        return 1
    return 0


def _must_warn(phone: VirtualPhone) -> bool:
    """By a fault, or because there is more than one physical display: Android 14 asks for a choice."""
    several = phone.sdk >= 34 and any(one.physical for one in phone.display.others)
    return phone.faults.take("multi_display_warning") is not None or several


def _dark(display: ExtraDisplay, *, as_png: bool) -> bytes:
    """A picture of a display that is off."""
    from PIL import Image  # loaded when the first picture is wanted

    from controller.virtual.draw import encode_png

    if as_png:
        return encode_png(Image.new("RGB", (display.width, display.height)))
    pixels = b"\0\0\0\xff" * (display.width * display.height)
    return struct.pack("<4I", display.width, display.height, 1, 1) + pixels


def _raw(phone: VirtualPhone) -> bytes:
    width, height, pixels = rgba(phone)
    # width, height, format (1 is RGBA_8888), and from Android 9 on the data space
    return struct.pack("<4I", width, height, 1, 1) + pixels


@command("screenrecord")
def screenrecord(call: Call) -> int:
    """`screenrecord [--time-limit S] [options] FILE`: a file that has the frame of an MP4 and no picture."""
    args, limit, names = list(call.args), "", []
    while args:
        argument = args.pop(0)
        if argument == "--time-limit" and args:
            limit = args.pop(0)
        elif argument in {"--size", "--bit-rate", "--display-id", "--output-format", "--codec"} and args:
            args.pop(0)
        elif not argument.startswith("--"):
            names.append(argument)
    if not names:
        call.err("Must specify output file (see --help).")
        return 2
    if limit and not (re.fullmatch(r"\d{1,3}", limit) and 1 <= int(limit) <= 180):
        call.err(f"Time limit {limit}s outside acceptable range [1,180]")
        return 2
    fault = call.shell.write_file(names[0], _mp4()) if names[0] != "-" else None
    if fault is not None:
        call.err(f"Unable to open '{names[0]}': {fault}")
        return 1
    if limit:
        call.shell.take(float(limit))
    else:
        call.shell.last(Lasting("screenrecord"))
    return 0


def _mp4() -> bytes:
    brand = b"isom\x00\x00\x02\x00isomiso2avc1mp41"
    boxes = ((b"ftyp", brand), (b"free", b""), (b"mdat", bytes(64)), (b"moov", bytes(100)))
    return b"".join(struct.pack(">I", len(body) + 8) + name + body for name, body in boxes)


@command("uiautomator")
def uiautomator(call: Call) -> int:
    """`uiautomator dump [--compressed] [--verbose] [FILE]`: the focused window as XML."""
    verb = call.args[0] if call.args else ""
    if verb == "events":
        call.shell.last(Lasting("uiautomator events"))
        return 0
    if verb != "dump":
        call.err("Usage: uiautomator <subcommand> [options]\n\nAvailable subcommands:\n\nhelp: displays help message")
        return 0 if verb in {"help", ""} else 1
    if held_by(call.phone) is not None:
        call.err("Killed ")
        return 137
    if call.phone.faults.take("idle_never"):
        call.line("ERROR: could not get idle state.")  # on stdout, and it ends with 0
        return 0
    focused = call.phone.focused_window()
    if focused is None or call.phone.is_withheld(focused):
        call.err("ERROR: null root node returned by UiTestAutomationBridge.")
        return 0
    names = [name for name in call.args[1:] if not name.startswith("-")]
    target = names[0] if names else "/sdcard/window_dump.xml"
    surrogates = call.phone.faults.active("emoji_surrogates") is not None
    xml = dump_focused(focused.root, rotation=call.phone.rotation, size=call.phone.size, surrogates=surrogates)
    if target in {"/dev/tty", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}:
        call.out(xml)
    else:
        fault = call.shell.write_file(target, xml.encode())
        if fault is not None:
            call.err(f"java.io.FileNotFoundException: {target}: open failed: {_errno(fault)} ({fault})")
            return 1
    call.line(f"UI hierchary dumped to: {target}")
    return 0


def _errno(fault: str) -> str:
    names = {
        "Permission denied": "EACCES",
        "Read-only file system": "EROFS",
        "Is a directory": "EISDIR",
        "Not a directory": "ENOTDIR",
    }
    return names.get(fault, "ENOENT")

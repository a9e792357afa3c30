"""`input`: touches, keys and text injected by the shell, with the exceptions that each Android version throws."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from controller.virtual.shell.core import Call, command
from controller.virtual.shell.keycodes import keycode

__all__: list[str] = []

_SOURCES = {
    "keyboard", "dpad", "gamepad", "touchscreen", "mouse", "stylus", "trackball", "touchpad", "touchnavigation",
    "joystick",
}  # fmt: skip
_LONG_PRESS_S = 0.5
_USAGE = """Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]

The commands and default sources are:
      text <string> (Default: touchscreen)
      keyevent [--longpress|--doubletap] <key code number or name> ... (Default: keyboard)
      tap <x> <y> (Default: touchscreen)
      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      press (Default: trackball)
      roll <dx> <dy> (Default: trackball)
      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)"""


class _Bad(Exception):
    """Arguments that the command cannot read: Java's exception."""


@command("input")
def input_(call: Call) -> int:
    """`input [source] [-d DISPLAY] COMMAND …`."""
    args = list(call.args)
    if args and args[0] in _SOURCES:
        args.pop(0)
    elsewhere = False
    if args[:1] == ["-d"]:
        elsewhere = args[1:2] not in (["0"], ["-1"], ["DEFAULT_DISPLAY"], ["INVALID_DISPLAY"])
        del args[:2]
    if not args:
        call.err(_USAGE)
        return 255 if call.phone.sdk >= 30 else 1
    verb, rest = args[0], args[1:]
    act = _COMMANDS.get(verb)
    if act is None:
        call.err(f"Unknown command: {verb}" if call.phone.sdk >= 30 else f"Error: Unknown command: {verb}")
        if call.phone.sdk < 30:
            call.err(_USAGE)
        return 255 if call.phone.sdk >= 30 else 1
    if call.phone.faults.active("inject_denied"):
        return _denied(call, verb)
    if elsewhere:
        return 0  # nothing is shown on other displays, and nothing there answers a touch
    try:
        act(call, rest)
    except _Bad as fault:
        return _bad(call, verb, str(fault))
    return 0


def _denied(call: Call, verb: str) -> int:
    if call.phone.sdk >= 30:
        call.err(f"\nException occurred while executing '{verb}':")
        call.err("java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission")
        call.err(
            "\tat com.android.server.input.InputManagerService.injectInputEventInternal(InputManagerService.java:677)"
        )
        return 255
    call.err("java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission")
    call.err("\tat android.os.Parcel.createException(Parcel.java:1950)")
    call.err("\tat android.hardware.input.IInputManager$Stub$Proxy.injectInputEvent(IInputManager.java:925)")
    return 1


def _bad(call: Call, verb: str, text: str) -> int:
    if call.phone.sdk >= 30:
        call.err(f"\nException occurred while executing '{verb}':")
        call.err(text)
        if "NullPointerException" in text:
            call.err("\tat com.android.server.input.InputShellCommand.sendText(InputShellCommand.java:319)")
            call.err("\tat com.android.server.input.InputShellCommand.runText(InputShellCommand.java:291)")
        return 255
    if "NullPointerException" in text:
        call.err(text)
        call.err("\tat com.android.commands.input.Input.sendText(Input.java:147)")
        call.err("\tat com.android.commands.input.Input.run(Input.java:78)")
    else:
        call.err(f"Error: Invalid arguments for command: {verb}")
        call.err(_USAGE)
    return 1


def _numbers(args: list[str], count: int, verb: str) -> list[int]:
    if len(args) < count:
        raise _Bad(f'java.lang.IllegalArgumentException: Argument expected after "{args[-1] if args else verb}"')
    numbers: list[int] = []
    for argument in args[:count]:
        if not re.fullmatch(r"[-+]?(\d{1,9}(\.\d{0,9})?|\.\d{1,9})([eE][-+]?\d{1,2})?", argument):
            raise _Bad(f'java.lang.NumberFormatException: For input string: "{argument}"')
        numbers.append(int(max(-1e9, min(1e9, float(argument)))))
    return numbers


def _tap(call: Call, args: list[str]) -> None:
    x, y = _numbers(args, 2, "tap")
    call.phone.tap(x, y)


def _swipe(call: Call, args: list[str]) -> None:
    x1, y1, x2, y2 = _numbers(args, 4, "swipe")
    duration = _duration(args[4:])
    call.shell.take(duration)
    if (x1, y1) == (x2, y2):
        call.phone.tap(x1, y1, hold_s=duration)
    else:
        call.phone.gesture([(x1, y1), (x2, y2)], duration)


def _drag(call: Call, args: list[str]) -> None:
    x1, y1, x2, y2 = _numbers(args, 4, "draganddrop")
    duration = _duration(args[4:])
    call.shell.take(duration + _LONG_PRESS_S)
    call.phone.gesture([(x1, y1), (x2, y2)], duration, rest_s=0.1)


def _duration(args: list[str]) -> float:
    milliseconds = _numbers(args, 1, "swipe")[0] if args else 300
    return (milliseconds if milliseconds >= 0 else 300) / 1000


def _text(call: Call, args: list[str]) -> None:
    if not args:
        raise _Bad('java.lang.IllegalArgumentException: Argument expected after "text"')
    text = args[0].replace("%s", " ")
    if any(not " " <= character <= "~" and character != "\n" for character in text):
        # No key of the virtual keyboard types it, so its events are null.
        raise _Bad("java.lang.NullPointerException: Attempt to get length of null array")
    call.phone.commit_text(text)


def _keyevent(call: Call, args: list[str]) -> None:
    long_press = "--longpress" in args
    times = 2 if "--doubletap" in args else 1
    names = [argument for argument in args if not argument.startswith("--")]
    if not names:
        raise _Bad('java.lang.IllegalArgumentException: Argument expected after "keyevent"')
    if long_press:
        call.shell.take(_LONG_PRESS_S)
    for name in names:
        for _ in range(times):
            call.phone.key(keycode(name))


def _combination(call: Call, args: list[str]) -> None:
    codes = [keycode(argument) for argument in args if not argument.startswith("-")]
    metas = {113: 0x3000, 114: 0x5000, 59: 0x41, 60: 0x81, 57: 0x12, 58: 0x22}
    meta = sum(metas.get(code, 0) for code in codes[:-1])
    if codes:
        call.phone.key(codes[-1], meta)


def _press(call: Call, args: list[str]) -> None:
    del args
    call.phone.key(23)  # the trackball's button is the middle of the directional pad


def _roll(call: Call, args: list[str]) -> None:
    dx, dy = _numbers(args, 2, "roll")
    horizontal = (21 if dx < 0 else 22, abs(dx))
    vertical = (19 if dy < 0 else 20, abs(dy))
    for code, times in (horizontal, vertical):
        for _ in range(min(times, 50)):
            call.phone.key(code)


def _motion(call: Call, args: list[str]) -> None:
    if not args:
        raise _Bad('java.lang.IllegalArgumentException: Argument expected after "motionevent"')
    x, y = _numbers(args[1:], 2, args[0])
    match args[0].upper():
        case "DOWN":
            call.phone.touch_down(x, y)
        case "MOVE":
            call.phone.touch_move(x, y)
        case "UP" | "CANCEL":
            call.phone.touch_up(x, y)
        case _:
            raise _Bad(f"java.lang.IllegalArgumentException: Unknown action: {args[0]}")


_COMMANDS: Mapping[str, Callable[[Call, list[str]], None]] = {
    "tap": _tap,
    "swipe": _swipe,
    "draganddrop": _drag,
    "text": _text,
    "keyevent": _keyevent,
    "keycombination": _combination,
    "press": _press,
    "roll": _roll,
    "motionevent": _motion,
}

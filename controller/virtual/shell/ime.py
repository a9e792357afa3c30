"""`ime` and `cmd input_method`: keyboards listed, enabled, chosen. Android 9 throws where later versions print."""

from __future__ import annotations

from collections.abc import Callable

from controller.virtual.shell.core import Call, command
from controller.virtual.spec import ImeSpec

__all__ = ["run_ime"]


@command("ime")
def ime(call: Call) -> int:
    """`ime list [-a] [-s]`, `ime enable|disable|set ID`, `ime reset`."""
    return run_ime(call, call.args)


def run_ime(call: Call, args: list[str]) -> int:
    """The command, also reached as `cmd input_method`."""
    verb = args[0] if args else ""
    flags = {argument for argument in args[1:] if argument.startswith("-")}
    names = [name for at, name in enumerate(args[1:]) if not name.startswith("-") and args[at] != "--user"]
    if verb in {"enable", "disable", "set"} and call.phone.faults.active("ime_refused"):
        return _denied(call, verb)
    match verb:
        case "list":
            return _list(call, flags)
        case "enable" | "disable":
            return _each(call, names, lambda name: _enable(call, name, on=verb == "enable"))
        case "set":
            return _each(call, names, lambda name: _set(call, name))
        case "reset":
            return _reset(call)
        case _:
            call.err(
                f"Unknown command: {verb}"
                if verb
                else "ime <command>:\n  list [-a] [-s]\n  enable [--user <USER_ID>] <ID>"
            )
            return 255 if verb else 0


def _list(call: Call, flags: set[str]) -> int:
    default = call.phone.setting("secure", "default_input_method")
    for one in call.phone.imes.values():
        if not one.enabled and "-a" not in flags:
            continue
        if "-s" in flags:
            call.line(one.id)
        else:
            call.lines(_details(one, default=one.id == default))
    return 0


def _details(one: ImeSpec, *, default: bool) -> list[str]:
    return [
        f"{one.id}:",
        f"  mId={one.id} mSettingsActivityName=null mIsVrOnly=false mSupportsSwitchingToNextInputMethod=false",
        f"  mIsDefaultResId=0x0 mIsDefault={'true' if default else 'false'}",
        "  Service:",
        "    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false",
        "    ServiceInfo:",
        f"      packageName={one.package}",
    ]


def _each(call: Call, names: list[str], act: Callable[[str], int]) -> int:
    if not names:
        call.err("Error: no ID was given")
        return 255
    codes = [act(name) for name in names]
    return max(codes)


def _user(call: Call) -> str:
    return " for user #0" if call.phone.sdk >= 29 else ""


def _enable(call: Call, name: str, *, on: bool) -> int:
    one = call.phone.imes.get(name)
    word = "enabled" if on else "disabled"
    if one is None:
        return _unknown(call, name, word)
    already = "already" if one.enabled == on else "now"
    call.phone.input_methods.enable(name, on=on)
    call.line(f"Input method {name}: {already} {word}{_user(call)}")
    if not on and call.phone.setting("secure", "default_input_method") == name:
        _choose_another(call)
    return 0


def _set(call: Call, name: str) -> int:
    if call.phone.sdk < 29 and name not in call.phone.imes:
        return _unknown(call, name, "selected")
    if not call.phone.input_methods.choose(name):
        return _unknown(call, name, "selected") if call.phone.sdk >= 29 else 0
    call.line(f"Input method {name} selected{_user(call)}")
    return 0


def _unknown(call: Call, name: str, word: str) -> int:
    if call.phone.sdk >= 29:
        call.err(f"Unknown input method {name} cannot be {word}{_user(call)}")
        return 255
    method = "setInputMethodEnabledLocked" if word != "selected" else "setInputMethodLocked"
    call.err("Exception occurred while executing:")
    call.err(f"java.lang.IllegalArgumentException: Unknown id: {name}")
    call.err(f"\tat com.android.server.InputMethodManagerService.{method}(InputMethodManagerService.java:3991)")
    return 255


def _denied(call: Call, verb: str) -> int:
    # What makers' builds say that keep secure settings from adb.
    call.err(f"\nException occurred while executing '{verb}':" if call.phone.sdk >= 30 else "Error:")
    call.err("java.lang.SecurityException: uid 2000 does not have android.permission.WRITE_SECURE_SETTINGS.")
    call.err("\tat android.app.ContextImpl.enforce(ContextImpl.java:2240)")
    return 255


def _choose_another(call: Call) -> None:
    other = next((one.id for one in call.phone.imes.values() if one.enabled), None)
    call.phone.put_setting("secure", "default_input_method", other)


def _reset(call: Call) -> int:
    built_in = [one for one in call.phone.spec.imes if one.id in call.phone.imes]
    for one in call.phone.imes.values():
        call.phone.input_methods.enable(one.id, on=one in built_in or one.id == (built_in[0].id if built_in else ""))
    chosen = built_in[0].id if built_in else ""
    call.phone.put_setting("secure", "default_input_method", chosen)
    call.lines(
        [f"Reset current and enabled IMEs{_user(call)}", f"  Newly selected IME: {chosen}", "  Newly enabled IMEs:"]
    )
    call.lines([f"   {one.id}" for one in call.phone.imes.values() if one.enabled])
    return 0

"""The methods about the phone itself: pictures, dumps, orientation, clipboard, toasts, settings, watchers."""

from __future__ import annotations

import shlex
from typing import Any

from controller.virtual.uiautomator import pictures
from controller.virtual.uiautomator.dump import dump_windows
from controller.virtual.uiautomator.keys import KEYS, WAITED_KEYS
from controller.virtual.uiautomator.selector import Selector
from controller.virtual.uiautomator.server import UiAutomator, decimal, list_of, method, number, read_selector, text_of

__all__: list[str] = []

_CTRL = 0x3000  # META_CTRL_ON | META_CTRL_LEFT_ON
_KEY_A, _KEY_V, _KEY_DELETE = 29, 50, 67


@method("ping")
def ping(server: UiAutomator) -> str:
    """`pong`."""
    del server
    return "pong"


@method("deviceInfo")
def device_info(server: UiAutomator) -> dict[str, Any]:
    """Size, rotation, front package and the like."""
    phone = server.phone
    root = server.device.active_root()
    width, height = phone.size
    return {
        "currentPackageName": root.package if root is not None else None,
        "displayHeight": height,
        "displayRotation": phone.rotation,
        "displaySizeDpX": round(width * 160 / phone.density),
        "displaySizeDpY": round(height * 160 / phone.density),
        "displayWidth": width,
        "productName": phone.spec.product,
        "screenOn": phone.screen_on,
        "sdkInt": phone.sdk,
        "naturalOrientation": phone.rotation % 2 == 0,
    }


@method("dumpWindowHierarchy")
def dump_window_hierarchy(server: UiAutomator, compressed: bool, depth: Any = 50, active_only: bool = False) -> str:
    """The XML of all windows, or of the active one."""
    del compressed
    max_depth = depth if isinstance(depth, int) and not isinstance(depth, bool) else 50
    root = server.device.active_root()
    roots = ([] if root is None else [root]) if active_only else server.device.roots()
    phone = server.phone
    return dump_windows(roots, rotation=phone.rotation, size=phone.size, sdk=phone.sdk, max_depth=max_depth)


@method("takeScreenshot")
def take_screenshot(server: UiAutomator, first: Any, second: Any, third: Any = None) -> str | None:
    """Base64 of a JPEG, or with a file name the path of the PNG that was written."""
    if third is None:
        return pictures.jpeg_base64(server.phone, decimal(first), number(second))
    path = f"/data/local/tmp/{text_of(first).rpartition('/')[2] or 'screenshot.png'}"
    server.phone.files.write(path, pictures.png(server.phone, decimal(second)))
    return path


@method("isScreenOn")
def is_screen_on(server: UiAutomator) -> bool:
    """Whether the display is on."""
    return server.phone.screen_on


@method("wakeUp")
def wake_up(server: UiAutomator) -> None:
    """Screen on."""
    if not server.phone.screen_on:
        server.device.press(224)


@method("sleep")
def sleep(server: UiAutomator) -> None:
    """Screen off."""
    if server.phone.screen_on:
        server.device.press(223)


@method("setOrientation")
def set_orientation(server: UiAutomator, direction: str) -> None:
    """Left, right or natural; the server knows no upside down."""
    rotation = {"left": 1, "l": 1, "right": 3, "r": 3, "natural": 0, "n": 0}.get(text_of(direction).lower())
    if rotation is not None:
        _turn(server, rotation)


@method("freezeRotation")
def freeze_rotation(server: UiAutomator, freeze: bool) -> None:
    """Whether the display stays as it is turned."""
    if freeze:
        _turn(server, server.phone.rotation)
    else:
        server.phone.put_setting("system", "accelerometer_rotation", "1")


def _turn(server: UiAutomator, rotation: int) -> None:
    server.phone.put_setting("system", "user_rotation", str(rotation))
    server.phone.put_setting("system", "accelerometer_rotation", "0")


@method("openNotification")
def open_notification(server: UiAutomator) -> bool:
    """The shade comes down."""
    server.phone.expand_shade()
    return True


@method("openQuickSettings")
def open_quick_settings(server: UiAutomator) -> bool:
    """The quick settings come down."""
    server.phone.expand_shade(settings=True)
    return True


@method("launchApp")
def launch_app(server: UiAutomator, package: str) -> bool:
    """What a tap on the icon does; False where there is none."""
    return server.phone.launch(text_of(package)).ok


@method("executeShellCommand")
def execute_shell_command(server: UiAutomator, line: str, timeout_ms: float = 0) -> dict[str, Any]:
    """A program with arguments, without a shell between."""
    from controller.virtual.shell import run

    del timeout_ms
    output = run(server.phone, shlex.join(text_of(line).split()))
    return {
        "returnCode": output.exit_code,
        "stderr": output.stderr.decode("utf-8", "replace"),
        "stdout": output.stdout.decode("utf-8", "replace"),
    }


@method("getClipboard")
def get_clipboard(server: UiAutomator) -> str | None:
    """The clipboard's text, null where it is empty."""
    return server.phone.clipboard or None


@method("setClipboard")
def set_clipboard(server: UiAutomator, label: str | None, text: str | None) -> None:
    """Put a text into the clipboard."""
    del label
    server.phone.clipboard = text_of(text)


@method("pasteClipboard")
def paste_clipboard(server: UiAutomator) -> None:
    """Ctrl+V."""
    server.device.press(_KEY_V, _CTRL)


@method("clearInputText")
def clear_input_text(server: UiAutomator) -> None:
    """Ctrl+A and Delete."""
    server.device.press(_KEY_A, _CTRL)
    server.device.press(_KEY_DELETE)


@method("getLastToast")
def get_last_toast(server: UiAutomator) -> str | None:
    """The text of the last toast since the server runs."""
    return server.last_toast


@method("clearLastToast")
def clear_last_toast(server: UiAutomator) -> None:
    """Forget it."""
    server.last_toast = None


@method("getLastTraversedText", "clearLastTraversedText", "waitForIdle")
def nothing(server: UiAutomator, *_: Any) -> None:
    """No text is traversed here, and the phone is always idle."""
    del server


@method("getConfigurator", "setConfigurator")
def configurator(server: UiAutomator, info: Any = None) -> dict[str, int]:
    """The timeouts of UiAutomator."""
    for name, value in (info if isinstance(info, dict) else {}).items():
        if name in server.configurator:
            server.configurator[name] = number(value)
    return dict(server.configurator)


def _selectors(conditions: Any) -> list[Selector]:
    return [read_selector(one) for one in list_of(conditions)]


@method("registerClickUiObjectWatcher")
def register_click_watcher(server: UiAutomator, name: Any, conditions: Any, target: dict[str, Any]) -> None:
    """Click the target whenever a search fails while all conditions hold."""
    server.watchers.register(text_of(name), _selectors(conditions), read_selector(target))


@method("registerPressKeyskWatcher")
def register_press_keys_watcher(server: UiAutomator, name: Any, conditions: Any, keys: Any) -> None:
    """Press keys in the same case (the method's name is spelt like this)."""
    known = {**KEYS, **WAITED_KEYS}
    codes = [known[key] for key in (text_of(one).lower() for one in list_of(keys)) if key in known]
    server.watchers.register(text_of(name), _selectors(conditions), codes)


@method("removeWatcher")
def remove_watcher(server: UiAutomator, name: Any) -> None:
    """Forget one."""
    server.watchers.remove(text_of(name))


@method("resetWatcherTriggers")
def reset_watcher_triggers(server: UiAutomator) -> None:
    """Forget which have acted."""
    server.watchers.triggered.clear()


@method("runWatchers")
def run_watchers(server: UiAutomator) -> None:
    """Let them look now."""
    server.watchers.run()


@method("getWatchers")
def get_watchers(server: UiAutomator) -> list[str]:
    """Their names."""
    return server.watchers.names()


@method("hasWatcherTriggered")
def has_watcher_triggered(server: UiAutomator, name: Any) -> bool:
    """Whether one has acted."""
    return text_of(name) in server.watchers.triggered


@method("hasAnyWatcherTriggered")
def has_any_watcher_triggered(server: UiAutomator) -> bool:
    """Whether any has acted."""
    return bool(server.watchers.triggered)

"""uiautomator2's server on the virtual phone, without sockets: HTTP bytes in, JSON and XML out.

automator = UiAutomator(phone)
connection = HttpConnection(automator)
answer = connection.feed(request_bytes)
"""

from __future__ import annotations

from controller.virtual.uiautomator import device_methods, lists_methods, objects_methods, touch_methods
from controller.virtual.uiautomator.connection import held_by, hold, release
from controller.virtual.uiautomator.dump import dump_focused, dump_windows
from controller.virtual.uiautomator.http import IDLE_TIMEOUT_S, HttpConnection
from controller.virtual.uiautomator.server import METHODS, RpcError, UiAutomator

__all__ = [
    "IDLE_TIMEOUT_S",
    "METHODS",
    "HttpConnection",
    "RpcError",
    "UiAutomator",
    "dump_focused",
    "dump_windows",
    "held_by",
    "hold",
    "release",
]

METHOD_MODULES = (device_methods, lists_methods, objects_methods, touch_methods)
"""The modules whose functions fill `METHODS`."""

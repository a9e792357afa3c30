"""One run of uiautomator2's server, and the table of its JSON-RPC methods.

A method is one function of the server and its arguments, registered with `@method("name")` in one of the `*_methods`
modules; the overloads of a Java name are told apart inside it by their arguments. What the methods stand on is
`device`; how they travel is `http`.
"""

from __future__ import annotations

import inspect
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any

from controller.virtual.phone import VirtualPhone
from controller.virtual.ui import UiNode
from controller.virtual.uiautomator import pictures
from controller.virtual.uiautomator.device import JavaError, UiDevice, object_not_found
from controller.virtual.uiautomator.selector import Found, InvalidSelector, Selector
from controller.virtual.uiautomator.watchers import Watchers
from controller.virtual.uncaptured import NotCaptured

__all__ = [
    "METHODS",
    "ArgumentFault",
    "RpcError",
    "UiAutomator",
    "decimal",
    "list_of",
    "method",
    "number",
    "read_selector",
    "text_of",
]

_MAX_OBJECTS = 10_000
_INT_LIMIT = 1 << 31


@dataclass(frozen=True, slots=True)
class RpcError:
    """A JSON-RPC error as jsonrpc4j and the server's own resolver make it."""

    code: int
    message: str
    data: Any = None


class ArgumentFault(Exception):
    """The arguments fit no overload of the method."""


MethodFunction = Callable[..., Any]
METHODS: dict[str, MethodFunction] = {}
"""Every method by its name; a function returns its result, or is a generator of waits that ends with it."""


def method(*names: str) -> Callable[[MethodFunction], MethodFunction]:
    """Registers a function as the method with these names."""

    def register(function: MethodFunction) -> MethodFunction:
        for name in names:
            METHODS[name] = function
        return function

    return register


class UiAutomator:
    """The state of one run of the server: objects handed out, watchers, the last toast.

    Args:
        phone: The phone it runs on.
    """

    def __init__(self, phone: VirtualPhone) -> None:
        self.phone = phone
        self.device = UiDevice(phone)
        self.watchers = Watchers(self.device)
        self.device.watch = self.watchers.run
        self.objects: dict[str, Selector | Found] = {}
        self.last_toast: str | None = None
        self._seen_toast: object = None
        self.stop_asked = False
        """Whether a client asked the server to end (`GET /stop`)."""
        self.configurator: dict[str, int] = {
            "actionAcknowledgmentTimeout": 500,
            "keyInjectionDelay": 0,
            "scrollAcknowledgmentTimeout": 200,
            "uiAutomationFlags": 0,
            "waitForIdleTimeout": 0,
            "waitForSelectorTimeout": 0,
        }

    def call(self, name: str, arguments: list[Any]) -> Generator[float, None, Any]:
        """The result of a method, or an `RpcError`; yields the seconds to wait in between."""
        function = METHODS.get(name)
        if function is None:
            return RpcError(-32601, "method not found")
        self.phone.tick()
        self._notice_toast()
        try:
            result = _bound(function, self, arguments)()
            if isinstance(result, Generator):
                result = yield from result
        except JavaError as error:
            return _java_error(error.java_class, error.message)
        except InvalidSelector as error:
            return _java_error(error.java_class, str(error))
        except NotCaptured as error:
            return RpcError(-32001, str(error), f"{error.java_class}: {error}\n")
        except ArgumentFault:
            return RpcError(-32602, "method parameters invalid")
        self._notice_toast()
        return result

    def screenshot_png(self, scale: float = 1.0) -> bytes:
        """The picture of `GET /screenshot/0`."""
        return pictures.png(self.phone, scale)

    def target(self, reference: Any) -> Selector | Found:
        """What a selector or the name of an object handed out stands for."""
        if isinstance(reference, str):
            if reference not in self.objects:
                raise object_not_found(f"UiObject {reference} not found!")
            return self.objects[reference]
        return read_selector(reference)

    def need(self, reference: Any) -> Found:
        """The node that a reference means now, by either search."""
        target = self.target(reference)
        return self.device.need(target) if isinstance(target, Selector) else self.again(target)

    def again(self, found: Found) -> Found:
        """A node found earlier, as it is now."""
        root = self.device.active_root()
        nodes = [] if root is None else list(_with_parents(root, ()))
        same = next((one for one in nodes if one.node.key == found.node.key), None)
        if same is None:
            raise object_not_found("UiSelector[]")
        return same

    def keep(self, target: Selector | Found) -> str:
        """Hand out a name for an object."""
        name = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{len(self.objects)} {target}"))
        if len(self.objects) > _MAX_OBJECTS:
            self.objects.clear()
        self.objects[name] = target
        return name

    def _notice_toast(self) -> None:
        toast = self.phone.toast
        if toast is not None and toast is not self._seen_toast:
            self._seen_toast = toast
            self.last_toast = toast.text


def _with_parents(node: UiNode, above: tuple[UiNode, ...]) -> Generator[Found, None, None]:
    yield Found(node, above)
    for child in node.children:
        yield from _with_parents(child, (*above, node))


def _java_error(java_class: str, message: str) -> RpcError:
    if java_class.endswith("UiObjectNotFoundException"):
        return RpcError(-32001, java_class, message)
    trace = f"{java_class}: {message}\n\tat com.wetest.uia2.stub.AutomatorServiceImpl.invoke(Unknown Source:2)\n"
    return RpcError(-32001, java_class, trace)


def number(value: Any) -> int:
    """A whole number out of the arguments, cut as Java casts it.

    Raises:
        ArgumentFault: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _INT_LIMIT:
        raise ArgumentFault(value)
    return int(value)


def decimal(value: Any) -> float:
    """A number out of the arguments.

    Raises:
        ArgumentFault: it is none.
    """
    number(value)
    return float(value)


def text_of(value: Any) -> str:
    """A text out of the arguments; Java's conversion makes texts of numbers too, null is empty.

    Raises:
        ArgumentFault: it is an object or a list.
    """
    if isinstance(value, list | dict):
        raise ArgumentFault(value)
    return "" if value is None else str(value)


def list_of(value: Any) -> list[Any]:
    """A list out of the arguments.

    Raises:
        ArgumentFault: it is none.
    """
    if not isinstance(value, list):
        raise ArgumentFault(value)
    return value


def read_selector(value: Any) -> Selector:
    """A selector out of the arguments.

    Raises:
        ArgumentFault: it is none.
    """
    if not isinstance(value, Mapping):
        raise ArgumentFault(value)
    return Selector.read(value)


def _bound(function: MethodFunction, server: UiAutomator, arguments: list[Any]) -> Callable[[], Any]:
    """The call, where the number of arguments is one that the method takes."""
    try:
        inspect.signature(function).bind(server, *arguments)
    except TypeError as fault:
        raise ArgumentFault(len(arguments)) from fault
    return lambda: function(server, *arguments)

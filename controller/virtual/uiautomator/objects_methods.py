"""The methods about objects: whether they are there, what they are, their texts, and names handed out for them."""

from __future__ import annotations

from typing import Any

from controller.virtual.uiautomator.device import JavaError, Steps, node_text, object_not_found
from controller.virtual.uiautomator.lists_methods import scroll_into_view
from controller.virtual.uiautomator.selector import Found, Selector, pattern_text
from controller.virtual.uiautomator.server import UiAutomator, decimal, method, number, read_selector, text_of

__all__: list[str] = []


@method("exist")
def exist(server: UiAutomator, reference: Any) -> bool:
    """Whether something matches; an instance is not looked at, as in the server."""
    if isinstance(reference, str):
        return reference in server.objects and _is_there(server, server.objects[reference])
    selector = read_selector(reference)
    if selector.steps or "index" in selector.terms:
        return server.device.find_in(selector) is not None
    return server.device.find_by(selector) is not None


def _is_there(server: UiAutomator, target: Selector | Found) -> bool:
    if isinstance(target, Selector):
        return server.device.find_in(target) is not None
    try:
        server.again(target)
    except JavaError:
        return False
    return True


@method("waitForExists")
def wait_for_exists(server: UiAutomator, reference: Any, timeout_ms: float) -> Steps:
    """Whether it is there in time."""
    return (yield from _wait(server, reference, decimal(timeout_ms) / 1000, gone=False))


@method("waitUntilGone")
def wait_until_gone(server: UiAutomator, reference: Any, timeout_ms: float) -> Steps:
    """Whether it is gone in time."""
    return (yield from _wait(server, reference, decimal(timeout_ms) / 1000, gone=True))


def _wait(server: UiAutomator, reference: Any, timeout_s: float, *, gone: bool) -> Steps:
    target = server.target(reference)
    if isinstance(target, Selector):
        return (yield from server.device.wait_for(target, timeout_s, gone=gone))
    return (yield from server.device.wait(lambda: _is_there(server, target) != gone, timeout_s, 1.0))


@method("waitForWindowUpdate")
def wait_for_window_update(server: UiAutomator, package: str | None, timeout_ms: float) -> Steps:
    """Whether the screen changes in time."""
    del package
    before = server.phone.version
    return (yield from server.device.wait(lambda: server.device.changed_since(before), decimal(timeout_ms) / 1000, 0.1))


@method("count")
def count(server: UiAutomator, selector: Any) -> int:
    """How many match in the active window."""
    return server.device.count(read_selector(selector))


@method("objInfo")
def obj_info(server: UiAutomator, reference: Any) -> dict[str, Any]:
    """The attributes of one object."""
    target = server.target(reference)
    if isinstance(target, Selector) and target.simple:
        found = server.device.find_by(target)
        if found is not None:
            return server.device.info(found, as_object2=True)
        return server.device.info(server.device.need_in(target), as_object2=False)
    return server.device.info(server.need(reference), as_object2=False)


@method("objInfoOfAllInstances")
def obj_info_of_all_instances(server: UiAutomator, data: Any) -> list[dict[str, Any]]:
    """The attributes of all that match in the active window."""
    selector = read_selector(data)
    if "instance" in selector.terms:
        found = server.device.find_in(selector)
        return [] if found is None else [server.device.info(found, as_object2=False)]
    infos: list[dict[str, Any]] = []
    while (found := server.device.find_in(selector.with_instance(len(infos)))) is not None:
        infos.append(server.device.info(found, as_object2=False))
    return infos


@method("getText")
def get_text(server: UiAutomator, reference: Any) -> str | None:
    """The text of an object."""
    target = server.target(reference)
    node = server.need(reference).node
    return node_text(node) if isinstance(target, Selector) and target.simple else node.text


@method("setText")
def set_text(server: UiAutomator, reference: Any, text: str | None) -> Steps:
    """Put a text into a field; a simple selector's field is clicked first."""
    target = server.target(reference)
    if isinstance(target, Selector) and target.simple and server.device.find_by(target) is not None:
        yield from server.device.click(*server.device.need(target).node.bounds.center)
        found = server.device.find_by(target)
        if found is not None:
            server.phone.set_text(found.node, text_of(text))
            return True
    return server.phone.set_text(server.need(reference).node, text_of(text))


@method("clearTextField")
def clear_text_field(server: UiAutomator, reference: Any) -> None:
    """Empty a field."""
    server.phone.set_text(server.need(reference).node, "")


@method("getUiObject")
def get_ui_object(server: UiAutomator, selector: Any) -> str:
    """A name for what a selector finds."""
    return server.keep(read_selector(selector))


@method("getUiObjects")
def get_ui_objects(server: UiAutomator) -> list[str]:
    """All names handed out."""
    return list(server.objects)


@method("removeUiObject")
def remove_ui_object(server: UiAutomator, name: Any) -> None:
    """Forget a name."""
    server.objects.pop(text_of(name), None)


@method("getChild")
def get_child(server: UiAutomator, name: Any, selector: Any) -> str | None:
    """A name for what is found below an object."""
    return _relative(server, name, "child", selector)


@method("getFromParent")
def get_from_parent(server: UiAutomator, name: Any, selector: Any) -> str | None:
    """A name for what is found beside an object."""
    return _relative(server, name, "sibling", selector)


def _relative(server: UiAutomator, name: Any, kind: str, selector: Any) -> str | None:
    parent = server.objects.get(text_of(name))
    if parent is None:
        return None
    inner = read_selector(selector)
    if isinstance(parent, Selector):
        return server.keep(parent.then(kind, inner))
    found = server.again(parent)
    around = found if kind == "child" else Found(found.above[-1], found.above[:-1]) if found.above else found
    match = pattern_text(around, inner, text=None, desc=None)
    return None if match is None else server.keep(match)


@method("childByText")
def child_by_text(server: UiAutomator, parent: Any, pattern: Any, text: Any, *scroll: Any) -> Steps:
    """A child that fits a pattern and shows a text, after scrolling to it where the parent scrolls."""
    return (yield from _child_by(server, "text", parent, pattern, text_of(text), *scroll))


@method("childByDescription")
def child_by_description(server: UiAutomator, parent: Any, pattern: Any, text: Any, *scroll: Any) -> Steps:
    """The same by description."""
    return (yield from _child_by(server, "description", parent, pattern, text_of(text), *scroll))


def _child_by(server: UiAutomator, what: str, parent_data: Any, pattern_data: Any, text: str, *scroll: Any) -> Steps:
    parent, pattern = read_selector(parent_data), read_selector(pattern_data)
    found = server.device.find_in(parent)
    scrolls = scroll[0] if scroll else found is not None and found.node.scrollable
    if scrolls:
        wanted = Selector({"text": text} if what == "text" else {"descriptionContains": text})
        yield from scroll_into_view(server, parent, wanted, vertical=True)
    found = server.device.need_in(parent)
    desc = text if what == "description" else None
    match = pattern_text(found, pattern, text=text if what == "text" else None, desc=desc)
    if match is None:
        raise object_not_found(f'for {what}= "{text}"')
    return server.keep(match)


@method("childByInstance")
def child_by_instance(server: UiAutomator, parent: Any, pattern: Any, instance: int) -> str:
    """The n-th child that fits a pattern."""
    inner = read_selector(pattern).with_instance(number(instance))
    return server.keep(read_selector(parent).then("child", inner))

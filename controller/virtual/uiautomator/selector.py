"""Selectors of uiautomator2's client, evaluated as the two searches of UiAutomator do it.

`BySelector` searches every window, children before their parent, and compares whole strings by pattern. `UiSelector`
searches the active window alone, parents first, counts instances, and steps into children and siblings. Which of the
two the server asks is for the methods. Source: androidx.test.uiautomator as it lies in uiautomator2's jar 0.4.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from controller.virtual.ui import UiNode

__all__ = ["Found", "InvalidSelector", "Selector", "find_by", "find_in", "pattern_text"]

# The client's masks, and which attribute of the request each stands for.
_MASKS: Mapping[str, int] = {
    "text": 0x01,
    "textContains": 0x02,
    "textMatches": 0x04,
    "textStartsWith": 0x08,
    "className": 0x10,
    "classNameMatches": 0x20,
    "description": 0x40,
    "descriptionContains": 0x80,
    "descriptionMatches": 0x0100,
    "descriptionStartsWith": 0x0200,
    "checkable": 0x0400,
    "checked": 0x0800,
    "clickable": 0x1000,
    "longClickable": 0x2000,
    "scrollable": 0x4000,
    "enabled": 0x8000,
    "focusable": 0x010000,
    "focused": 0x020000,
    "selected": 0x040000,
    "packageName": 0x080000,
    "packageNameMatches": 0x100000,
    "resourceId": 0x200000,
    "resourceIdMatches": 0x400000,
    "index": 0x800000,
    "instance": 0x01000000,
}

# The order of UiSelector's attribute numbers, in which `toString` prints them.
_PRINTED: tuple[tuple[str, str], ...] = (
    ("text", "TEXT"),
    ("textStartsWith", "START_TEXT"),
    ("textContains", "CONTAINS_TEXT"),
    ("className", "CLASS"),
    ("description", "DESCRIPTION"),
    ("descriptionStartsWith", "START_DESCRIPTION"),
    ("descriptionContains", "CONTAINS_DESCRIPTION"),
    ("index", "INDEX"),
    ("instance", "INSTANCE"),
    ("enabled", "ENABLED"),
    ("focused", "FOCUSED"),
    ("focusable", "FOCUSABLE"),
    ("scrollable", "SCROLLABLE"),
    ("clickable", "CLICKABLE"),
    ("checked", "CHECKED"),
    ("selected", "SELECTED"),
    ("packageName", "PACKAGE_NAME"),
    ("child", "CHILD"),
    ("sibling", "PARENT"),
    ("longClickable", "LONG_CLICKABLE"),
    ("textMatches", "TEXT_REGEX"),
    ("classNameMatches", "CLASS_REGEX"),
    ("descriptionMatches", "DESCRIPTION_REGEX"),
    ("packageNameMatches", "PACKAGE_NAME_REGEX"),
    ("resourceId", "RESOURCE_ID"),
    ("checkable", "CHECKABLE"),
    ("resourceIdMatches", "RESOURCE_ID_REGEX"),
)

_FLAGS = (
    "checkable",
    "checked",
    "clickable",
    "longClickable",
    "scrollable",
    "enabled",
    "focusable",
    "focused",
    "selected",
)


class InvalidSelector(Exception):
    """The selector cannot be used; `java_class` is the exception that the server reports."""

    def __init__(self, java_class: str, message: str) -> None:
        super().__init__(message)
        self.java_class = java_class


@dataclass(frozen=True, slots=True)
class Selector:
    """One selector of the client.

    `terms` holds what the mask says is set. `steps` are the child and sibling selectors behind it, in order.
    """

    terms: Mapping[str, Any] = field(default_factory=dict)
    steps: tuple[tuple[str, Selector], ...] = ()

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Selector:
        """The selector that a JSON object of the client describes."""
        mask = data.get("mask", 0)
        mask = mask if isinstance(mask, int) else 0
        terms = {name: data.get(name) for name, bit in _MASKS.items() if mask & bit}
        kinds, selectors = (_list(data.get(name)) for name in ("childOrSibling", "childOrSiblingSelector"))
        steps = tuple(
            (str(kind).lower(), cls.read(inner))
            for kind, inner in zip(kinds, selectors, strict=False)
            if isinstance(inner, Mapping)
        )
        return cls(terms, steps)

    @property
    def simple(self) -> bool:
        """Whether the search over every window may answer it: no child, sibling, index or instance."""
        return not self.steps and not {"index", "instance"} & set(self.terms) and bool(self.terms)

    @property
    def deepest(self) -> Selector:
        """The last child or sibling selector, whose instance is counted."""
        return self.steps[-1][1] if self.steps else self

    def with_instance(self, number: int) -> Selector:
        """The same with another instance of its deepest part."""
        if not self.steps:
            return replace(self, terms={**self.terms, "instance": number})
        kind, last = self.steps[-1]
        return replace(self, steps=(*self.steps[:-1], (kind, last.with_instance(number))))

    def then(self, kind: str, inner: Selector) -> Selector:
        """The same with one more child or sibling selector."""
        return replace(self, steps=(*self.steps, (kind, inner)))

    def __str__(self) -> str:
        """As UiSelector prints itself: `UiSelector[TEXT=搜索, INSTANCE=1]`."""
        values: dict[str, Any] = dict(self.terms)
        if self.steps:
            (kind, inner), rest = self.steps[0], self.steps[1:]
            values["sibling" if kind == "sibling" else "child"] = replace(inner, steps=(*inner.steps, *rest))
        shown = [f"{label}={_java(values[name])}" for name, label in _PRINTED if name in values]
        return f"UiSelector[{', '.join(shown)}]"


@dataclass(frozen=True, slots=True)
class Found:
    """A node with the nodes above it, the root first."""

    node: UiNode
    above: tuple[UiNode, ...] = ()


def find_by(selector: Selector, roots: Iterable[UiNode]) -> Found | None:
    """The first match in any of the windows; the innermost of nested matches comes first."""
    matches = _by_criteria(selector)
    for root in roots:
        found = _search_by(root, (), matches)
        if found is not None:
            return found
    return None


def find_in(selector: Selector, root: UiNode | None) -> Found | None:
    """The match in the active window as UiSelector finds it, None where nothing matches."""
    if root is None:
        return None
    chain = _chain(selector)
    return _search_ui(Found(root), 0, chain, 0, [0] * len(chain))


def pattern_text(found: Found, pattern: Selector, *, text: str | None = None, desc: str | None = None) -> Found | None:
    """The first node below that fits the pattern and itself or below shows the text or description."""
    for candidate in _below(found):
        if not _ui_criteria(pattern)(candidate.node, candidate.node.index):
            continue
        inner = list(candidate.node.walk())
        if text is not None and any(node.text == text for node in inner):
            return candidate
        if desc is not None and any(node.content_desc == desc for node in inner):
            return candidate
    return None


# ---- searching every window


def _search_by(node: UiNode, above: tuple[UiNode, ...], matches: Callable[[UiNode], bool]) -> Found | None:
    if not node.visible:
        return None
    for child in node.children:
        found = _search_by(child, (*above, node), matches)
        if found is not None:
            return found
    return Found(node, above) if matches(node) else None


def _by_criteria(selector: Selector) -> Callable[[UiNode], bool]:
    tests = [_by_test(name, value) for name, value in selector.terms.items() if name not in {"index", "instance"}]
    if not tests:
        raise InvalidSelector(
            "java.lang.NullPointerException",
            "Attempt to read from field 'java.util.regex.Pattern androidx.test.uiautomator.BySelector.mClazz' "
            "on a null object reference",
        )
    return lambda node: all(test(node) for test in tests)


def _by_test(name: str, value: Any) -> Callable[[UiNode], bool]:
    if name in _FLAGS:
        return lambda node: _flag(node, name) == bool(value)
    read, how = _reader(name)
    text = _text(value)
    if how == "Matches":
        pattern = _java_pattern(text)
        return lambda node: pattern.fullmatch(read(node)) is not None
    if how == "Contains":
        return lambda node: text in read(node)
    if how == "StartsWith":
        return lambda node: read(node).startswith(text)
    if name == "className" and text.startswith("."):
        text = "android.widget" + text
    return lambda node: read(node) == text


# ---- searching the active window


@dataclass(frozen=True, slots=True)
class _Link:
    """One selector of a chain, its instance, and how the next one follows."""

    matches: Callable[[UiNode, int], bool]
    instance: int
    next: str


def _chain(selector: Selector) -> list[_Link]:
    parts: list[tuple[str, Selector]] = [("", selector)]
    parts += [*selector.steps]
    flat: list[tuple[str, Selector]] = []
    for kind, part in parts:
        flat.append((kind, part))
        flat.extend(part.steps if part is not selector else ())
    links: list[_Link] = []
    for position, (_, part) in enumerate(flat):
        following = flat[position + 1][0] if position + 1 < len(flat) else ""
        instance = part.terms.get("instance", 0)
        links.append(_Link(_ui_criteria(part), instance if isinstance(instance, int) else 0, following))
    return links


def _search_ui(at: Found, index: int, chain: list[_Link], link: int, counters: list[int]) -> Found | None:
    """Depth first, the selector that applies moving on as nodes match; instance counters live through the search."""
    one = chain[link]
    if one.matches(at.node, index) and _is_instance(one, link, counters):
        if not one.next:
            return at
        link += 1
        if one.next == "sibling":
            if not at.above:
                return None
            at = Found(at.above[-1], at.above[:-1])
    for number, child in enumerate(at.node.children):
        if child.visible:
            found = _search_ui(Found(child, (*at.above, at.node)), number, chain, link, counters)
            if found is not None:
                return found
    return None


def _is_instance(one: _Link, link: int, counters: list[int]) -> bool:
    if one.instance == counters[link]:
        return True
    if one.instance > counters[link]:
        counters[link] += 1
    return False


def _ui_criteria(selector: Selector) -> Callable[[UiNode, int], bool]:
    tests = [_ui_test(name, value) for name, value in selector.terms.items() if name not in {"index", "instance"}]
    wanted = selector.terms.get("index")
    return lambda node, index: (wanted is None or index == wanted) and all(test(node) for test in tests)


def _ui_test(name: str, value: Any) -> Callable[[UiNode], bool]:
    if name in _FLAGS:
        return lambda node: _flag(node, name) == bool(value)
    read, how = _reader(name)
    text = _text(value)
    if how == "Matches":
        pattern = _java_pattern(text)
        return lambda node: pattern.fullmatch(read(node)) is not None
    lowered = text.lower()
    if how == "Contains":
        return lambda node: lowered in read(node).lower()
    if how == "StartsWith":
        return lambda node: read(node).lower().startswith(lowered)
    return lambda node: read(node) == text


# ---- attributes


def _below(found: Found) -> Iterable[Found]:
    for child in found.node.children:
        if child.visible:
            inner = Found(child, (*found.above, found.node))
            yield inner
            yield from _below(inner)


_READERS: Mapping[str, Callable[[UiNode], str]] = {
    "text": lambda node: node.text,
    "className": lambda node: node.class_name,
    "description": lambda node: node.content_desc,
    "packageName": lambda node: node.package,
    "resourceId": lambda node: node.resource_id,
}


def _reader(name: str) -> tuple[Callable[[UiNode], str], str]:
    for suffix in ("Contains", "Matches", "StartsWith"):
        if name.endswith(suffix):
            return _READERS[name.removesuffix(suffix)], suffix
    return _READERS[name], ""


def _flag(node: UiNode, name: str) -> bool:
    return bool(getattr(node, "long_clickable" if name == "longClickable" else name))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    if value is None:
        raise InvalidSelector("java.lang.NullPointerException", "text cannot be null")
    return _java(value)


def _java(value: Any) -> str:
    """A value as Java prints it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _java_pattern(text: str) -> Any:
    import regex  # nearer to Java's patterns than `re` (`\\p{L}`, possessive quantifiers); few calls need it

    try:
        return regex.compile(text)
    except regex.error as fault:
        raise InvalidSelector(
            "java.util.regex.PatternSyntaxException", f"{fault.msg} near index {fault.pos or 0}\n{text}"
        ) from fault

"""Windows → the XML of a hierarchy, byte for byte as the two dumpers on a phone write it.

`dump_windows` is what uiautomator2's server answers: every window, indented, with visibility, drawing order, hint and
display. `dump_focused` is the file of `uiautomator dump`: the focused window on one line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from controller.virtual.ui import Rect, UiNode

__all__ = ["NAF_EXCLUDED", "dump_focused", "dump_windows", "escaped", "invalid_to_dots"]

_HEAD = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
NAF_EXCLUDED = (
    "android.widget.GridView",
    "android.widget.GridLayout",
    "android.widget.ListView",
    "android.widget.TableLayout",
)
"""Classes that are never marked as not accessibility friendly."""

Text = Callable[[str], str]


def dump_windows(
    roots: Iterable[UiNode], *, rotation: int, size: tuple[int, int], sdk: int, max_depth: int = 50
) -> str:
    """The answer of `dumpWindowHierarchy`: all roots in the order given, at most `max_depth` levels below each."""
    screen = Rect(0, 0, *size)
    out = [_HEAD, "\r\n", f'<hierarchy rotation="{rotation}"']
    body = [line for root in roots for line in _node_lines(root, 1, 0, screen, sdk, max_depth)]
    # KXmlSerializer closes an element without children at once.
    out += [">", *body, "\r\n</hierarchy>"] if body else [" />"]
    return "".join(out)


def dump_focused(root: UiNode, *, rotation: int, size: tuple[int, int], surrogates: bool = False) -> str:
    """The content of `window_dump.xml`: one window, without line ends; `surrogates` as in `escaped`."""
    screen = Rect(0, 0, *size)
    body = _plain_node(root, 0, screen, surrogates=surrogates)
    return f'{_HEAD}<hierarchy rotation="{rotation}">{body}</hierarchy>'


def escaped(value: str, *, surrogates: bool = False) -> str:
    """An attribute with its quotes as KXmlSerializer writes it: `'` round values that hold `"`, references for emoji.

    With `surrogates` an emoji comes as two references, as phones before Android 5 write it; no parser accepts that.
    """
    if not _SPECIAL.search(value):
        return f'"{value}"'
    quote = "'" if '"' in value else '"'

    def one(match: re.Match[str]) -> str:
        character = match.group()
        if character in {'"', "'"}:
            return character if character != quote else "&quot;" if quote == '"' else "&apos;"
        return _NAMED.get(character) or _references(character, surrogates=surrogates)

    return quote + _SPECIAL.sub(one, value) + quote


def invalid_to_dots(value: str) -> str:
    """What the dumper of uiautomator2's server does before it escapes: characters outside XML, and both halves of an
    emoji, become dots."""
    return _INVALID.sub(lambda match: ".." if match.group() > "\uffff" else ".", value) if value else value


_SPECIAL = re.compile("[\"'&<>\n\r\t\U00010000-\U0010ffff]")
_INVALID = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufddf\ufffe\uffff\U00010000-\U0010ffff]"
)
_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def _references(character: str, *, surrogates: bool) -> str:
    if not surrogates:
        return f"&#{ord(character)};"
    offset = ord(character) - 0x10000
    return f"&#{0xD800 + (offset >> 10)};&#{0xDC00 + (offset & 0x3FF)};"


def _node_lines(node: UiNode, depth: int, index: int, screen: Rect, sdk: int, levels: int) -> list[str]:
    indent = "\r\n" + "  " * depth
    bounds = _clipped(node.bounds, screen)
    attributes = _attributes(node, index, invalid_to_dots)
    attributes += [("visible-to-user", _flag(node.visible)), ("bounds", str(bounds))]
    attributes += [("drawing-order", str(node.drawing_order)), ("hint", invalid_to_dots(node.hint))]
    if sdk >= 30:
        attributes.append(("display-id", "0"))
    opening = indent + "<node" + "".join(f" {name}={escaped(value)}" for name, value in attributes)
    inner: list[str] = []
    if levels > 0:
        for number, child in enumerate(node.children):
            if child.visible:
                inner.extend(_node_lines(child, depth + 1, number, screen, sdk, levels - 1))
    return [opening, ">", *inner, indent, "</node>"] if inner else [opening, " />"]


def _plain_node(node: UiNode, index: int, screen: Rect, *, surrogates: bool) -> str:
    attributes = [*_attributes(node, index, lambda value: value), ("bounds", str(_clipped(node.bounds, screen)))]
    opening = "<node" + "".join(f" {name}={escaped(value, surrogates=surrogates)}" for name, value in attributes)
    inner = "".join(
        _plain_node(child, number, screen, surrogates=surrogates)
        for number, child in enumerate(node.children)
        if child.visible
    )
    return f"{opening}>{inner}</node>" if inner else f"{opening} />"


def _attributes(node: UiNode, index: int, text: Text) -> list[tuple[str, str]]:
    naf = [("NAF", "true")] if _is_naf(node) else []
    return [
        *naf,
        ("index", str(index)),
        ("text", text(node.text)),
        ("resource-id", node.resource_id),
        ("class", node.class_name),
        ("package", node.package),
        ("content-desc", text(node.content_desc)),
        ("checkable", _flag(node.checkable)),
        ("checked", _flag(node.checked)),
        ("clickable", _flag(node.clickable)),
        ("enabled", _flag(node.enabled)),
        ("focusable", _flag(node.focusable)),
        ("focused", _flag(node.focused)),
        ("scrollable", _flag(node.scrollable)),
        ("long-clickable", _flag(node.long_clickable)),
        ("password", _flag(node.password)),
        ("selected", _flag(node.selected)),
    ]


def _is_naf(node: UiNode) -> bool:
    """Not accessibility friendly: it can be clicked, and neither it nor anything below it says what it is."""
    if node.class_name.endswith(NAF_EXCLUDED) or not (node.clickable and node.enabled):
        return False
    return not _says_something(node)


def _says_something(node: UiNode) -> bool:
    return bool(node.text or node.content_desc) or any(_says_something(child) for child in node.children)


def _clipped(bounds: Rect, screen: Rect) -> Rect:
    """`Rect.intersect` leaves the rectangle alone where both do not overlap."""
    both = bounds.intersection(screen)
    return bounds if both.empty else both


def _flag(value: bool) -> str:
    return "true" if value else "false"

"""Tree → outline: which nodes a person takes for one thing, what it is called, and what is left out.

Nodes become items from the leaves upwards. What can be acted on keeps its own line; the texts inside it become its name
and value; a switch or field without a name takes the text beside or above it; everything else that can be read is a
line of text. Words are `labels`' business, the finished lines `model`'s.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from controller.screen.hierarchy import (
    SYSTEM_DIALOGS,
    SYSTEM_UI,
    Bounds,
    Hierarchy,
    Node,
    app_windows,
    clean,
    extent,
    is_field,
    is_keyboard,
)
from controller.screen.outline import labels
from controller.screen.outline.model import Element, Outline
from controller.screen.outline.pairing import Item, pair

__all__ = ["outline"]

# A view this large without anything inside is content that the app does not expose.
OPAQUE_PART = 0.25
_OPAQUE_CLASSES = ("WebView", "SurfaceView", "TextureView", "FlutterView", "UnityPlayer")
_LONGEST_TEXT = 600
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
# Compose puts an empty node of a widget's class inside the node that acts.
_ROLE_CHILDREN = {"RadioButton": "radio", "CheckBox": "checkbox", "Switch": "switch"}


@dataclass(slots=True)
class _Page:
    """What is the same for a whole outline."""

    screen: Bounds
    keyboard: Bounds | None
    right_to_left: bool
    hidden: dict[str, list[str]] = field(default_factory=lambda: {"above": [], "below": []})
    opaque: list[str] = field(default_factory=list)
    web: bool = False


def outline(
    h: Hierarchy, *, package: str | None, screen: Bounds | None = None, keyboard: Bounds | None = None
) -> Outline:
    """The outline of a screen.

    Args:
        h: The tree.
        package: The app in front; None takes whatever is there.
        screen: The display; without it the rectangle around everything.
        keyboard: The frame of the keyboard, where it is shown.
    """
    whole = screen or extent(h)
    shown = [window for window in h.windows if not is_keyboard(window.package)]
    if keyboard is None and shown:
        keys = (window.bounds for window in h.windows if is_keyboard(window.package))
        keyboard = next((bounds for bounds in keys if not bounds.empty), None)
    page = _Page(whole, keyboard, _right_to_left(h))
    front = app_windows(h, package)
    items: list[Item] = []
    for window in _in_order(shown or list(h.windows), front, page):
        items += _window_items(window, page, titled=window not in front[:1] and len(shown) > 1)
    elements = tuple(_numbered(items))
    return Outline(elements, tuple(_notes(h, page, package, elements)))


# ------------------------------------------------------------------------------------------------------------- windows


def _in_order(windows: list[Node], front: tuple[Node, ...], page: _Page) -> list[Node]:
    own = [window for window in windows if window in front]
    others = [window for window in windows if window not in front and not _is_bar(window, page)]
    return own + others if own or others else windows


def _is_bar(window: Node, page: _Page) -> bool:
    """The status bar, the navigation bar, or a strip that catches gestures at an edge."""
    if window.package != SYSTEM_UI:
        return not any(_acts(node) or node.text or node.desc for node in window.walk())
    at_edge = window.bounds.top <= page.screen.top or window.bounds.bottom >= page.screen.bottom
    return at_edge and window.bounds.height <= 0.12 * page.screen.height


def _window_items(window: Node, page: _Page, *, titled: bool) -> list[Item]:
    items = pair(_items(window, page))
    return [Item("window", [window.package], window, children=items)] if titled and items else items


def _notes(h: Hierarchy, page: _Page, package: str | None, elements: tuple[Element, ...]) -> Iterator[str]:
    yield from _dialog_note(h, page, package)
    if page.keyboard is not None:
        yield "keyboard shown"
    for side in ("above", "below"):
        if page.hidden[side]:
            names = ", ".join(name for name in page.hidden[side][:3] if name)
            yield f"off screen {side}: {len(page.hidden[side])} items" + (f" ({names})" if names else "")
    yield from page.opaque
    if page.web:
        yield "WebView: use read_page"
    if package and h.windows and not any(node.package == package for node in h.nodes()):
        yield f"no element of {package} is in the tree: use screenshot"
    elif not elements:
        yield "tree empty: the app exposes nothing here (game, canvas, or not idle): use screenshot"


def _dialog_note(h: Hierarchy, page: _Page, package: str | None) -> Iterator[str]:
    front = app_windows(h, package)
    top = next((window for window in h.windows if window in front or window.package in SYSTEM_DIALOGS), None)
    if top is None or top.bounds.empty:
        return
    of_system = top.package in SYSTEM_DIALOGS and package not in SYSTEM_DIALOGS
    if of_system or top.bounds.area < 0.75 * page.screen.area:
        yield f"dialog on top: {top.package}"


# --------------------------------------------------------------------------------------------------------------- items


def _items(node: Node, page: _Page) -> list[Item]:
    """The lines that a node and everything below it give."""
    if not node.children and (not node.visible or node.bounds.empty or _outside(node, page)):
        return _off_screen(node, page)
    inner: list[Item] = []
    for child in _adopted(_sorted(node.children, page), page):
        inner += child if isinstance(child, list) else _items(child, page)
    if _acts(node):
        return [_control(node, inner, page)]
    if node.class_name.endswith("WebView") and node.children:
        page.web = page.web or node.bounds.area >= OPAQUE_PART * page.screen.area
    if _opaque(node, page):
        return [_opaque_item(node, page), *inner]
    found = pair([*_own_text(node, inner), *inner])
    if node.scrollable and found and not node.bounds.empty:
        return [Item("list", [], node, acts=True, flags=["scroll"], children=found)]
    return found


def _acts(node: Node) -> bool:
    if node.bounds.empty or not node.visible:
        return False
    return node.clickable or node.long_clickable or node.checkable or is_field(node) or labels.role_of(node) == "slider"


def _own_text(node: Node, inner: list[Item]) -> list[Item]:
    """The line of what only can be read; none where the lines inside say the same."""
    texts = [_shortened(text) for text in labels.labels_of(node)]
    if not texts or node.bounds.empty or not node.visible:
        return []
    said, own = " ".join(text for item in inner for text in item.all_texts()), " ".join(texts)
    if said and not node.text and (labels.same_words(said, own) or labels.same_words(own, said)):
        return []
    return [Item(labels.role_of(node), texts, node, flags=["selected"] if node.selected else [])]


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}… (+{len(text) - _LONGEST_TEXT} characters)"


def _control(node: Node, inner: list[Item], page: _Page) -> Item:
    """What can be acted on: one line with the texts inside it, and the other controls inside it below."""
    acting = [item for item in inner if item.acts]
    texts = _inner_texts([item for item in inner if not item.acts])
    own = [_shortened(text) for text in labels.labels_of(node)]
    item = Item(_role(node), _own_and_inner(own, texts + _hidden_labels(node)), node, acts=True)
    item.flags = _flags(node, page)
    item.children = acting
    if is_field(node):
        item.value = _field_value(node)
    parts = [part for part in acting if _is_part(part, node, acting)]
    if parts and (len(parts) == len(acting) or len(parts) == 1):
        for part in parts:
            _merge(item, part)
        item.children = [child for part in parts for child in part.children]
        item.children += [child for child in acting if not any(child is part for part in parts)]
    elif not item.texts:
        item.texts = _name_from_inside(node, acting, page)
    return item


def _inner_texts(items: list[Item]) -> list[str]:
    """The texts inside a control: what is written first, then what pictures are called.

    Descriptions that say a text in more words are left out: Compose describes a button as `Recovery action: Retry` and
    its icon as `Retry` beside the text `Retry`.
    """
    written = " ".join(text for item in items if item.node.text for text in item.texts)
    kept = [item for item in items if item.node.text or not labels.same_words(written, " ".join(item.texts))]
    kept.sort(key=lambda item: item.role == "image")
    return [text for item in kept for text in item.texts]


def _role(node: Node) -> str:
    role = labels.role_of(node)
    if role in ("button", "checkbox"):
        for child in node.children:
            if not child.children and not labels.labels_of(child):
                role = _ROLE_CHILDREN.get(child.short_class, role)
    return role


def _merge(item: Item, part: Item) -> None:
    """Make a control inside a control one line with it."""
    if item.role == "button":
        item.role = part.role
    new = [flag for flag in part.flags if flag not in item.flags and flag != "long-press"]
    item.flags += new
    item.texts = labels.condense([*item.texts, *(text for text in part.texts if not labels.is_state_word(text))])
    item.texts = item.texts or part.texts
    item.value = item.value or part.value


def _is_part(part: Item, node: Node, acting: list[Item]) -> bool:
    """Whether a control inside is the same thing to a person.

    So are a wrapper of the same size, the check mark of a row, a text that can only be held, and the icon and the label
    of a small button that are clickable each for itself.
    """
    inner = part.node
    if part.bounds == node.bounds:
        return len(acting) == 1
    if not inner.clickable and not is_field(inner):
        return len(acting) == 1 and (inner.checkable or not inner.children)
    small = node.bounds.area <= 5 * sum(other.bounds.area for other in acting if other.texts)
    named = [other for other in acting if other.texts]
    same_kind = all(other.role == "button" and not other.node.children for other in acting if other.texts)
    nested_icon = not part.texts and all(not child.texts and child.role == "button" for child in part.children)
    return small and len(named) == 1 and same_kind and len(acting) > 1 and (part in named or nested_icon)


def _name_from_inside(node: Node, acting: list[Item], page: _Page) -> list[str]:
    """A row without words of its own is called as the one named control inside it."""
    named = [item for item in acting if item.texts]
    if len(named) == 1 and node.bounds.height <= 0.25 * page.screen.height:
        return named[0].texts[:1]
    return []


def _hidden_labels(node: Node) -> list[str]:
    # React Native keeps the label of a tab with the bounds [0,0][0,0] beside its glyph.
    empty = (below for below in node.walk() if below is not node and below.bounds.empty and not below.children)
    return [text for below in empty for text in labels.labels_of(below)]


def _own_and_inner(own: list[str], inner: list[str]) -> list[str]:
    """The words of a control from its own and those inside it, without saying a thing twice."""
    inner = labels.condense(inner)
    if not own or not inner:
        return own or inner
    joined, mine = " ".join(inner), " ".join(own)
    if labels.same_words(mine, joined):
        return inner
    return labels.condense([*own, *(text for text in inner if not labels.same_words(text, mine))])


def _field_value(node: Node) -> str:
    if node.password or node.text == node.hint or node.states.showing_hint:
        return ""
    return _shortened(clean(node.text))


def _flags(node: Node, page: _Page) -> list[str]:
    said = {
        "disabled": not node.enabled,
        "checked": node.checked,
        "focused": node.focused,
        "password": node.password,
        "selected": node.selected,
        "scroll": node.scrollable,
        "long-press": node.long_clickable and not node.clickable,
        "under-keyboard": page.keyboard is not None and page.keyboard.contains(*node.bounds.center),
    }
    return [flag for flag, true in said.items() if true]


def _off_screen(node: Node, page: _Page) -> list[Item]:
    """Nothing, but counted: rows outside the screen. Those a scroll view has clipped away have top below bottom."""
    bounds = node.bounds
    clipped = bounds.top > bounds.bottom or _outside(node, page)
    if clipped and (node.clickable or node.text or node.desc):
        side = "below" if bounds.center[1] > page.screen.center[1] else "above"
        page.hidden[side].append(" ".join(labels.labels_of(node))[:40])
    return []


def _outside(node: Node, page: _Page) -> bool:
    return not node.bounds.empty and node.bounds.intersection(page.screen).empty


def _opaque(node: Node, page: _Page) -> bool:
    if not node.class_name.endswith(_OPAQUE_CLASSES) or node.bounds.area < OPAQUE_PART * page.screen.area:
        return False
    return not any(below.text or below.desc or _acts(below) for below in node.walk() if below is not node)


def _opaque_item(node: Node, page: _Page) -> Item:
    web = node.class_name.endswith("WebView")
    way = "use screenshot or read_page" if web else "use screenshot"
    page.opaque.append(f"{node.short_class} {node.bounds}: content not exposed: {way}")
    return Item("webview" if web else "canvas", labels.labels_of(node), node, value="content not exposed")


# ------------------------------------------------------------------------------------------------- order and adoption


def _right_to_left(h: Hierarchy) -> bool:
    """Whether most letters on the screen are written from right to left."""
    said = "".join(node.text or node.desc for node in h.nodes())
    right = len(_RIGHT_TO_LEFT.findall(said))
    return right > 0 and 2 * right > sum(character.isalpha() for character in said)


def _sorted(nodes: Iterable[Node], page: _Page) -> list[Node]:
    """Siblings as they are read: row by row. Layers that lie over each other keep the order they are drawn in."""
    children = list(nodes)
    if len(children) < 2 or any(_overlap(a.bounds, b.bounds) for a, b in itertools.pairwise(children)):
        return children
    rows: list[list[Node]] = []
    for node in sorted(children, key=lambda child: child.bounds.top):
        if rows and _same_row(rows[-1][0].bounds, node.bounds):
            rows[-1].append(node)
        else:
            rows.append([node])
    sign = -1 if page.right_to_left else 1
    return [node for row in rows for node in sorted(row, key=lambda child: sign * child.bounds.left)]


def _overlap(a: Bounds, b: Bounds) -> bool:
    return not a.intersection(b).empty


def _same_row(a: Bounds, b: Bounds) -> bool:
    shared = min(a.bottom, b.bottom) - max(a.top, b.top)
    return shared > 0.5 * min(a.height, b.height)


def _adopted(children: list[Node], page: _Page) -> list[Node | list[Item]]:
    """Siblings that lie inside a clickable one without words of its own belong to it, as Compose lays rows out."""
    result: list[Node | list[Item]] = []
    taken: set[tuple[int, ...]] = set()
    for child in children:
        if child.path in taken:
            continue
        if not _is_bare(child, page):
            result.append(child)
            continue
        inside = _inside(child, [other for other in children if other is not child and other.path not in taken])
        if not inside:
            result.append(child)
            continue
        taken.update(other.path for other in inside)
        result = [entry for entry in result if not (isinstance(entry, Node) and entry.path in taken)]
        inner: list[Item] = []
        for grandchild in child.children:
            inner += _items(grandchild, page)
        for other in _sorted(sorted(inside, key=lambda node: node.path), page):
            inner += _items(other, page)
        result.append([_control(child, inner, page)])
    return result


def _inside(frame: Node, others: list[Node]) -> list[Node]:
    """What lies in the frame; of what fills it whole, only what does nothing by itself."""
    smaller = [
        other
        for other in others
        if not other.bounds.empty and frame.bounds.encloses(other.bounds) and other.bounds != frame.bounds
    ]
    return smaller + [other for other in others if other.bounds == frame.bounds and not _acts(other)]


def _is_bare(node: Node, page: _Page) -> bool:
    if not _acts(node) or is_field(node) or node.bounds.area > 0.4 * page.screen.area:
        return False
    return not any(below.text or below.desc for below in node.walk())


# -------------------------------------------------------------------------------------------------------------- lines


def _numbered(items: list[Item]) -> Iterator[Element]:
    count = 0
    waiting = [(item, 0) for item in reversed(items)]
    while waiting:
        item, depth = waiting.pop()
        ref = ""
        if item.acts:
            count += 1
            ref = f"e{count}"
        name, value = _name_and_value(item)
        yield Element(ref, item.role, name, value, item.node, tuple(item.flags), depth)
        waiting.extend((child, depth + 1) for child in reversed(item.children))


def _name_and_value(item: Item) -> tuple[str, str]:
    if not item.acts:
        return " ".join(item.texts), item.value
    name, more = labels.name_and_value(item.texts)
    if not name:
        # A field that nothing names is called by what stands in it, which often is its placeholder.
        return item.value, ""
    return name, " · ".join(part for part in (more, item.value) if part)

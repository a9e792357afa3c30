"""Tree → outline: which nodes a person takes for one thing, what it is called, and what is left out.

Nodes become items from the leaves upwards. What can be acted on keeps its own line; the texts inside it become its name
and value; a switch or field without a name takes the text beside or above it; everything else that can be read is a
line of text. Words are `labels`' business, the finished lines `model`'s.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field

from controller.screen.hierarchy import (
    NOWHERE,
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

__all__ = ["outline"]

# A picture this large without anything inside is content that the app does not expose.
OPAQUE_PART = 0.25
_OPAQUE_CLASSES = ("WebView", "SurfaceView", "TextureView", "FlutterView", "GLSurfaceView", "UnityPlayer")
_LONGEST_TEXT = 600
_ROLE_CHILDREN = {"RadioButton": "radio", "CheckBox": "checkbox", "Switch": "switch", "Button": "button"}


@dataclass(slots=True)
class _Item:
    """A line in the making."""

    role: str
    texts: list[str]
    node: Node
    acts: bool = False
    value: str = ""
    flags: list[str] = field(default_factory=list)
    children: list[_Item] = field(default_factory=list)

    @property
    def bounds(self) -> Bounds:
        return self.node.bounds


@dataclass(slots=True)
class _Page:
    """What is the same for a whole outline."""

    screen: Bounds
    keyboard: Bounds | None
    right_to_left: bool
    hidden: dict[str, list[str]] = field(default_factory=lambda: {"above": [], "below": []})
    opaque: list[str] = field(default_factory=list)


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
    keys = [window for window in h.windows if is_keyboard(window.package)]
    if keyboard is None and keys and len(shown) > 0:
        keyboard = next((window.bounds for window in keys if not window.bounds.empty), None)
    page = _Page(whole, keyboard, _right_to_left(h))
    front = app_windows(h, package)
    items: list[_Item] = []
    for window in _in_order(shown or list(h.windows), front, package):
        items += _window_items(window, page, titled=window not in front[:1] and len(shown) > 1)
    elements = tuple(_numbered(items))
    return Outline(elements, tuple(_notes(h, page, package, elements)))


# ------------------------------------------------------------------------------------------------------------- windows


def _in_order(windows: list[Node], front: tuple[Node, ...], package: str | None) -> list[Node]:
    own = [window for window in windows if window in front]
    others = [window for window in windows if window not in front]
    kept = [window for window in others if window.package != SYSTEM_UI or package == SYSTEM_UI]
    return own + kept if own or kept else windows


def _window_items(window: Node, page: _Page, *, titled: bool) -> list[_Item]:
    items = _items(window, page)
    items = _pair(items)
    if not titled or not items:
        return items
    return [_Item("window", [window.package], window, children=items)]


def _notes(h: Hierarchy, page: _Page, package: str | None, elements: tuple[Element, ...]) -> Iterable[str]:
    top = next(
        (window for window in h.windows if window.package != SYSTEM_UI and not is_keyboard(window.package)), None
    )
    if top is not None and top.package in SYSTEM_DIALOGS and package not in SYSTEM_DIALOGS:
        yield f"dialog on top: {top.package}"
    elif top is not None and 0 < top.bounds.area < 0.75 * page.screen.area:
        yield f"dialog on top: {top.package} {top.bounds}"
    if page.keyboard is not None:
        yield "keyboard shown"
    for side in ("above", "below"):
        if page.hidden[side]:
            names = ", ".join(name for name in page.hidden[side][:3] if name)
            yield f"off screen {side}: {len(page.hidden[side])} items" + (f" ({names})" if names else "")
    yield from page.opaque
    if not elements:
        yield "tree empty: nothing is exposed here (game, canvas, or the app is not idle): use screenshot"
    elif package and not any(node.package == package for node in h.nodes()):
        yield f"no element of {package} is in the tree: use screenshot"


# --------------------------------------------------------------------------------------------------------------- items


def _items(node: Node, page: _Page) -> list[_Item]:
    """The lines that a node and everything below it give."""
    if not node.visible and not node.children:
        return []
    if node.bounds.empty and not node.children:
        return _off_screen(node, page)
    inner: list[_Item] = []
    for child in _adopted(_sorted(node.children, page), page):
        inner += child if isinstance(child, list) else _items(child, page)
    if _acts(node):
        return _control(node, inner, page)
    if _opaque(node, page):
        return [_opaque_item(node, page), *inner]
    own = _own_text(node, inner)
    found = _pair([*own, *inner])
    if node.scrollable and found and not node.bounds.empty:
        return [_Item(labels.role_of(node), [], node, acts=True, flags=["scroll"], children=found)]
    return found


def _acts(node: Node) -> bool:
    if node.bounds.empty or not node.visible:
        return False
    return node.clickable or node.long_clickable or node.checkable or is_field(node) or labels.role_of(node) == "slider"


def _own_text(node: Node, inner: list[_Item]) -> list[_Item]:
    texts = [text[:_LONGEST_TEXT] for text in labels.labels_of(node)]
    if not texts or node.bounds.empty:
        return []
    said = " ".join(text for item in inner for text in _all_texts(item))
    if (
        said
        and not node.text
        and (labels.same_words(said, " ".join(texts)) or labels.same_words(" ".join(texts), said))
    ):
        return []
    flags = ["selected"] if node.selected else []
    return [_Item("heading" if node.states.heading else "text", texts, node, flags=flags)]


def _all_texts(item: _Item) -> list[str]:
    return [*item.texts, *(text for child in item.children for text in _all_texts(child))]


def _control(node: Node, inner: list[_Item], page: _Page) -> list[_Item]:
    """What can be acted on: one line with the texts inside it, and the other controls inside it below."""
    role = labels.role_of(node)
    for child in node.children:
        if role in ("button", "checkbox") and not child.children and not labels.labels_of(child):
            role = _ROLE_CHILDREN.get(child.short_class, role)
    acting = [item for item in inner if item.acts]
    free = [item for item in inner if not item.acts]
    own = labels.labels_of(node)
    texts = [text for item in free for text in item.texts]
    texts += _hidden_labels(node)
    item = _Item(role, _own_and_inner(own, texts, node), node, acts=True, flags=_flags(node, page))
    item.value = _field_value(node) if is_field(node) else ""
    if len(acting) == 1 and _is_part(acting[0], node):
        part = acting[0]
        if part.role in ("switch", "checkbox", "radio", "slider", "textbox") and role == "button":
            item.role = part.role
        item.flags = list(dict.fromkeys([*item.flags, *part.flags]))
        item.texts = labels.condense([*item.texts, *(t for t in part.texts if not labels.is_state_word(t))])
        item.value = item.value or part.value
        item.children = part.children
    else:
        item.children = acting
        if acting and not item.texts:
            item.texts = []
    return [item]


def _is_part(item: _Item, node: Node) -> bool:
    """Whether the control inside is the same thing to a person: a check mark of a row, a wrapper of the same size."""
    if item.bounds == node.bounds:
        return True
    return item.node.checkable and not item.node.clickable and not item.node.long_clickable


def _hidden_labels(node: Node) -> list[str]:
    # React Native keeps the label of a tab with the bounds [0,0][0,0] beside its glyph.
    return [
        text
        for below in node.walk()
        if below is not node and below.bounds.empty and not below.children
        for text in labels.labels_of(below)
    ]


def _own_and_inner(own: list[str], inner: list[str], node: Node) -> list[str]:
    inner = labels.condense(inner)
    if not own:
        return inner
    if not inner:
        return own
    joined = " ".join(inner)
    if labels.same_words(" ".join(own), joined) or (labels.same_words(joined, " ".join(own)) and not node.text):
        return inner
    return labels.condense([*own, *(text for text in inner if not labels.same_words(text, " ".join(own)))])


def _field_value(node: Node) -> str:
    text = clean(node.text)
    return "" if node.password or text == clean(node.hint) or node.states.showing_hint else text


def _flags(node: Node, page: _Page) -> list[str]:
    said = {
        "disabled": not node.enabled,
        "checked": node.checked,
        "focused": node.focused and is_field(node),
        "password": node.password,
        "selected": node.selected,
        "scroll": node.scrollable,
        "long-press": node.long_clickable and not node.clickable,
        "under-keyboard": page.keyboard is not None and page.keyboard.contains(*node.bounds.center),
    }
    return [flag for flag, true in said.items() if true]


def _off_screen(node: Node, page: _Page) -> list[_Item]:
    """Rows that a scroll view has clipped away keep bounds with top below bottom."""
    bounds = node.bounds
    if bounds not in (NOWHERE,) and bounds.top > bounds.bottom and (node.clickable or node.text or node.desc):
        side = "below" if bounds.top > page.screen.center[1] else "above"
        page.hidden[side].append(" ".join(labels.labels_of(node))[:40])
    return []


def _opaque(node: Node, page: _Page) -> bool:
    if not node.class_name.endswith(_OPAQUE_CLASSES) or node.bounds.area < OPAQUE_PART * page.screen.area:
        return False
    return not any(below.text or below.desc or _acts(below) for below in node.walk() if below is not node)


def _opaque_item(node: Node, page: _Page) -> _Item:
    web = node.short_class.endswith("WebView")
    page.opaque.append(
        f"{node.short_class} {node.bounds}: content not exposed: use screenshot{' or read_page' if web else ''}"
    )
    return _Item(
        "webview" if web else "canvas", labels.labels_of(node), node, acts=_acts(node), value="content not exposed"
    )


# ------------------------------------------------------------------------------------------------- order and adoption


def _right_to_left(h: Hierarchy) -> bool:
    right = left = 0
    for node in h.nodes():
        for character in node.text[:80] or node.desc[:80]:
            if "\u0590" <= character <= "\u08ff":
                right += 1
            elif character.isalpha():
                left += 1
    return right > left


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


def _adopted(children: list[Node], page: _Page) -> list[Node | list[_Item]]:
    """Siblings that lie inside a clickable one without words of its own belong to it, as Compose lays rows out."""
    result: list[Node | list[_Item]] = []
    taken: set[tuple[int, ...]] = set()
    for child in children:
        if child.path in taken:
            continue
        if not _is_bare(child, page):
            result.append(child)
            continue
        inside = [
            other
            for other in children
            if other is not child
            and other.path not in taken
            and not other.bounds.empty
            and child.bounds.encloses(other.bounds)
            and other.bounds != child.bounds
        ]
        inside += [
            other
            for other in children
            if other is not child and other.path not in taken and other.bounds == child.bounds and not _acts(other)
        ]
        if not inside:
            result.append(child)
            continue
        taken.update(other.path for other in inside)
        result = [entry for entry in result if not (isinstance(entry, Node) and entry.path in taken)]
        inner: list[_Item] = []
        for grandchild in child.children:
            inner += _items(grandchild, page)
        for other in _sorted(sorted(inside, key=lambda node: node.path), page):
            inner += _items(other, page)
        result.append(_control(child, inner, page))
    return result


def _is_bare(node: Node, page: _Page) -> bool:
    if not _acts(node) or is_field(node) or node.bounds.area > 0.4 * page.screen.area:
        return False
    return not any(below.text or below.desc for below in node.walk())


# ------------------------------------------------------------------------------------------------- naming by the row


def _pair(items: list[_Item]) -> list[_Item]:
    """The items, with nameless switches, sliders and fields named by the free text beside or above them."""
    if len(items) < 2 or not any(_wants_name(item) for item in items):
        return items
    free = [item for item in items if not item.acts and item.role in ("text", "heading")]
    claimed: set[int] = set()
    for item in items:
        if not _wants_name(item):
            continue
        beside = [text for text in free if id(text) not in claimed and _beside(text.bounds, item.bounds)]
        above = [text for text in free if id(text) not in claimed and _above(text.bounds, item.bounds)]
        if item.role in ("textbox", "slider"):
            beside, above = above or beside, []
        if not beside:
            continue
        chosen = min(beside, key=lambda text: _gap(text.bounds, item.bounds))
        claimed.add(id(chosen))
        state = [text for text in item.texts if item.role == "slider"]
        item.texts = chosen.texts
        item.value = item.value or " · ".join(state)
    return [item for item in items if id(item) not in claimed]


def _wants_name(item: _Item) -> bool:
    if item.role not in ("switch", "checkbox", "radio", "slider", "textbox") or not item.acts or item.children:
        return False
    return all(labels.is_state_word(text) for text in item.texts)


def _beside(text: Bounds, control: Bounds) -> bool:
    middle = text.center[1]
    return control.top <= middle < control.bottom or text.top <= control.center[1] < text.bottom


def _above(text: Bounds, control: Bounds) -> bool:
    return 0 <= control.top - text.bottom < max(control.height, text.height) and text.left < control.right


def _gap(a: Bounds, b: Bounds) -> int:
    return max(0, b.left - a.right, a.left - b.right) + max(0, b.top - a.bottom, a.top - b.bottom)


# -------------------------------------------------------------------------------------------------------------- lines


def _numbered(items: list[_Item]) -> Iterable[Element]:
    count = 0
    waiting = [(item, 0) for item in reversed(items)]
    while waiting:
        item, depth = waiting.pop()
        ref = ""
        if item.acts:
            count += 1
            ref = f"e{count}"
        texts = [
            text for text in item.texts if not (item.acts and item.role == "switch" and labels.is_state_word(text))
        ]
        name, value = labels.name_and_value(texts or item.texts)
        if not item.acts and value:
            name, value = " ".join(item.texts), ""
        yield Element(ref, item.role, name, item.value or value, item.node, tuple(item.flags), depth)
        waiting.extend((child, depth + 1) for child in reversed(item.children))

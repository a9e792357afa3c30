"""What a person sees of a tree: whose window is whose, which texts are in sight, which field is being typed into.

Pure questions about a parsed tree. Names and roles of elements are the outline's business, touching is `touch`'s.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

from controller.screen.hierarchy.tree import NOWHERE, Bounds, Hierarchy, Node

__all__ = [
    "SYSTEM_DIALOGS",
    "SYSTEM_UI",
    "app_windows",
    "clean",
    "extent",
    "focused_field",
    "has_nodes_of",
    "is_field",
    "is_field_class",
    "is_keyboard",
    "reading_order",
    "seen_nodes",
    "visible_text",
]

SYSTEM_UI = "com.android.systemui"

# Windows of these packages lie over an app and are no screens of it: permissions, errors, installers, choosers.
SYSTEM_DIALOGS = frozenset(
    {
        "android",
        "com.android.packageinstaller",
        "com.android.permissioncontroller",
        "com.android.intentresolver",
        "com.coloros.securitypermission",
        "com.google.android.packageinstaller",
        "com.google.android.permissioncontroller",
        "com.lbe.security.miui",
        "com.oplus.securitypermission",
        "com.samsung.android.permissioncontroller",
    }
)

# Keyboards that do not have `inputmethod` in their package name.
_KEYBOARDS = frozenset(
    {
        "com.android.adbkeyboard",
        "com.baidu.input",
        "com.baidu.input_mi",
        "com.baidu.input_huawei",
        "com.google.android.tts.inputmethod",
        "com.samsung.android.honeyboard",
        "com.tencent.wetype",
        "com.touchtype.swiftkey",
    }
)
# Comparing each with each is for screens, not for books.
_MOST_TEXTS = 300
_FIELDS = ("EditText", "AutoCompleteTextView", "SearchAutoComplete", "TextInputEditText")

# Control characters, and the invisible marks that apps put before texts (WhatsApp: U+200C; names in bidi isolates).
_INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]")
_SPACE = re.compile(r"\s+")


def clean(text: str) -> str:
    """The text on one line, without control characters and invisible marks."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return _SPACE.sub(" ", _INVISIBLE.sub(_kept, text)).strip()


def _kept(match: re.Match[str]) -> str:
    # A joiner between two letters or emoji belongs to them (👨‍👩‍👧, Persian); at the edges it is only a mark.
    text, place = match.string, match.start()
    if match[0] in "\u200c\u200d" and 0 < place < len(text) - 1 and not text[place + 1].isspace():
        return match[0] if not text[place - 1].isspace() else ""
    return ""


def extent(h: Hierarchy) -> Bounds:
    """The rectangle around all windows; not the screen, where only a dialog is in the tree."""
    windows = [window.bounds for window in h.windows if not window.bounds.empty]
    areas = windows or [node.bounds for node in h.nodes() if not node.bounds.empty]
    return functools.reduce(Bounds.union, areas, areas[0]) if areas else NOWHERE


def is_keyboard(package: str, keyboard_package: str | None = None) -> bool:
    """Whether the package is an on-screen keyboard."""
    return package == keyboard_package or "inputmethod" in package or package in _KEYBOARDS


def is_field(node: Node) -> bool:
    """Whether text can be typed into the node."""
    return is_field_class(node.class_name)


def is_field_class(class_name: str) -> bool:
    """Whether the class is one that text can be typed into."""
    return class_name.endswith(_FIELDS)


def app_windows(h: Hierarchy, package: str | None) -> tuple[Node, ...]:
    """The windows of an app; without a package all that are neither the system's bars nor a keyboard."""
    if package:
        own = tuple(window for window in h.windows if window.package == package)
        if own:
            return own
        others = _content_windows(h)
        return tuple(window for window in others if any(node.package == package for node in window.walk()))
    return _content_windows(h)


def has_nodes_of(h: Hierarchy, package: str) -> bool:
    """Whether the tree shows anything of the app. False in mini programs and games that withhold their nodes.

    The bare frames that Android puts around every window say nothing: an app that gives only those gives nothing.
    """
    return any(node.package == package and _says_something(node) for node in h.nodes())


def _says_something(node: Node) -> bool:
    own_id = node.resource_id and not node.resource_id.startswith("android:")
    usable = node.clickable or node.long_clickable or node.checkable or node.scrollable or is_field(node)
    return bool(node.text or node.desc or node.hint or own_id or usable)


def focused_field(h: Hierarchy) -> Node | None:
    """The text field that has the focus."""
    return next((node for node in h.nodes() if node.focused and is_field(node)), None)


def seen_nodes(windows: Iterable[Node], screen: Bounds | None = None) -> Iterator[Node]:
    """The nodes of the windows that have an area inside the screen and are not said to be invisible."""
    for window in windows:
        for node in window.walk():
            if node.visible and not node.bounds.empty and (screen is None or _meets(node.bounds, screen)):
                yield node


def visible_text(
    h: Hierarchy, *, package: str | None = None, keyboard_package: str | None = None, screen: Bounds | None = None
) -> str:
    """The texts a person reads on the app's screen, each once, a line each.

    A description counts where it stands for text (Flutter, React Native), not where it names a picture.
    """
    texts: dict[str, None] = {}
    for window in app_windows(h, package):
        if is_keyboard(window.package, keyboard_package):
            continue
        readable = [(node, _read_text(node)) for node in seen_nodes((window,), screen)]
        readable = [(node, text) for node, text in readable if text and not is_keyboard(node.package, keyboard_package)]
        covered = _covered(window, [node for node, _ in readable])
        texts.update(dict.fromkeys(text for node, text in readable if node.path not in covered))
    return "\n".join(texts)


def reading_order(nodes: Iterable[Node]) -> list[Node]:
    """The nodes from top to bottom, and from left to right where they begin at the same height."""
    return sorted(nodes, key=lambda node: (node.bounds.top, node.bounds.left))


def _content_windows(h: Hierarchy) -> tuple[Node, ...]:
    content = tuple(w for w in h.windows if w.package != SYSTEM_UI and not is_keyboard(w.package) and not _toast(w))
    return content or tuple(window for window in h.windows if not is_keyboard(window.package))


def _toast(window: Node) -> bool:
    return window.class_name == "android.widget.Toast"


def _read_text(node: Node) -> str:
    if node.password:
        return ""
    if node.text:
        return clean(node.text)
    if node.hint and is_field(node):
        return clean(node.hint)
    if node.desc and "Image" not in node.short_class and not any(_tells(below) for below in node.children):
        return clean(node.desc)
    return ""


def _tells(node: Node) -> bool:
    return any(below.text or below.desc for below in node.walk())


def _covered(window: Node, texts: list[Node]) -> set[tuple[int, ...]]:
    """The paths of texts that lie under another text: a page under a sheet, a video under its comments.

    The tree does not say what is opaque. Two texts never share a place, though, so where they do the one that is drawn
    later is seen, if what holds it lies over the whole of the other. Without drawing orders nothing is known.
    """
    found: set[tuple[int, ...]] = set()
    for place, one in enumerate(texts):
        for other in texts[place + 1 :]:
            if not _meets(one.bounds, other.bounds) or len(texts) > _MOST_TEXTS:
                continue
            shared = one.bounds.intersection(other.bounds).area
            if 2 * shared > min(one.bounds.area, other.bounds.area):
                under = _drawn_first(window, one, other)
                if under is not None:
                    found.add(under.path)
    return found


def _drawn_first(window: Node, one: Node, other: Node) -> Node | None:
    """Which of two nodes lies under the other, where the drawing order of their branches tells."""
    level = window
    for place, (mine, its) in enumerate(zip(one.path[1:], other.path[1:], strict=False), start=1):
        if mine != its:
            a, b = level.children[mine], level.children[its]
            if a.drawing_order == b.drawing_order or len(one.path) == place + 1 == len(other.path):
                return None
            under, over = (one, b) if a.drawing_order < b.drawing_order else (other, a)
            return under if over.bounds.encloses(under.bounds) else None
        level = level.children[mine]
    return None


def _meets(bounds: Bounds, screen: Bounds) -> bool:
    return (
        bounds.left < screen.right
        and bounds.right > screen.left
        and bounds.top < screen.bottom
        and bounds.bottom > screen.top
    )

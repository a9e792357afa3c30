"""Passwords and marked texts taken out of a tree, and the areas of the picture where they can be seen.

Pure. What is text in the tree is found; text that an app only paints (a game, a photograph, some web pages) is not, and
whoever keeps a capture is told so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import quote

from controller.screen.hierarchy import Bounds, Hierarchy, Node, focused_field

__all__ = ["HIDDEN", "Hiding"]

HIDDEN = "▒▒▒▒"
"""What stands for a hidden text; a virtual phone takes any text for it."""
PASSWORD = "••••••••"
"""What stands for a password, whatever its length."""


@dataclass(frozen=True, slots=True)
class Hiding:
    """Texts that must not be kept; upper and lower case and white space at the ends make no difference."""

    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, texts: Iterable[str]) -> Hiding:
        """The texts, longest first, so that one which contains another is hidden as a whole."""
        wanted = {text.strip() for text in texts} - {""}
        return cls(tuple(sorted(wanted, key=lambda text: (-len(text), text))))

    def text(self, text: str) -> str:
        """The text with everything hidden replaced."""
        for hidden in self.texts:
            text = re.sub(re.escape(hidden), HIDDEN, text, flags=re.IGNORECASE)
        return text

    def uri(self, uri: str) -> str:
        """The URI with everything hidden replaced, also where it stands there encoded."""
        encoded = (quote(text, safe="") for text in self.texts)
        return Hiding.of((*self.texts, *encoded)).text(uri)

    def tree(self, h: Hierarchy, *, keyboard: Bounds | None = None) -> tuple[Hierarchy, tuple[Bounds, ...]]:
        """The tree without what is hidden, and what must be painted over in its picture.

        Args:
            h: The tree.
            keyboard: Where the keyboard lies: its suggestions repeat what is typed, and no tree tells them.
        """
        painted: list[Bounds] = []
        windows = tuple(self._node(window, painted) for window in h.windows)
        field = focused_field(h)
        if keyboard is not None and field is not None and field.bounds in painted:
            painted.append(keyboard)
        return replace(h, windows=windows), tuple(dict.fromkeys(painted))

    def _node(self, node: Node, painted: list[Bounds]) -> Node:
        text, desc, hint = self.text(node.text), self.text(node.desc), self.text(node.hint)
        if node.password and node.text and node.text != node.hint:
            text = PASSWORD
        if node.password or (text, desc, hint) != (node.text, node.desc, node.hint):
            painted.append(node.bounds)
        children = tuple(self._node(child, painted) for child in node.children)
        return replace(node, text=text, desc=desc, hint=hint, children=children)

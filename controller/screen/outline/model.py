"""The outline as values and as text: what a screen offers, a line each.

    - heading "Wi-Fi"
    - switch "Wi-Fi": Connected to Home [ref=e3] checked
    - list [ref=e4] scroll
      - button "Home": Saved [ref=e5]

Texts of the screen are data: quoted, on one line, without control characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from controller.errors import InvalidSelector, StaleRef
from controller.screen.hierarchy import Node

__all__ = ["Element", "Outline", "read_ref"]

# Ids that say something: not `0_resource_name_obfuscated`, not `(name removed)`.
_ID = re.compile(r"(?!0_resource)[\w.:-]+")
_MARKS = re.compile(r"\[(?=ref=|box=)", re.IGNORECASE)
_REF = re.compile(r"\[ref=(e\d+)\]|@?(e\d+)(?:~o(\d+))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Element:
    """One line of the outline. `ref` is empty for what can only be read."""

    ref: str
    role: str
    name: str
    value: str
    node: Node
    flags: tuple[str, ...] = ()
    depth: int = 0

    @property
    def label(self) -> str:
        """The name, or the id where there is none."""
        return self.name or (f"#{self.node.short_id}" if self.node.short_id else "")

    def line(self, *, boxes: bool = False) -> str:
        """The element as the outline writes it, without indent."""
        parts = [f"- {self.role}"]
        if self.name:
            parts.append(quoted(self.name))
        elif self.ref and _ID.fullmatch(self.node.short_id):
            parts.append(f"#{self.node.short_id}")
        if self.value:
            parts[-1] += f": {harmless(self.value)}"
        if self.ref:
            parts.append(f"[ref={self.ref}]")
        parts.extend(self.flags)
        if boxes:
            box = self.node.bounds
            parts.append(f"[box={box.left},{box.top},{box.width},{box.height}]")
        return " ".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """The element as JSON."""
        box = self.node.bounds
        return {
            "ref": self.ref or None,
            "role": self.role,
            "name": self.name,
            "value": self.value,
            "flags": list(self.flags),
            "depth": self.depth,
            "id": self.node.resource_id or None,
            "bounds": [box.left, box.top, box.right, box.bottom],
        }


@dataclass(frozen=True, slots=True)
class Outline:
    """A screen in lines, and what must be known besides them."""

    elements: tuple[Element, ...] = ()
    notes: tuple[str, ...] = ()

    def text(self, *, boxes: bool = False) -> str:
        """The outline as text: the notes, then the elements."""
        lines = [f"! {harmless(note)}" for note in self.notes]
        lines += [f"{'  ' * element.depth}{element.line(boxes=boxes)}" for element in self.elements]
        return "\n".join(lines)

    def element(self, ref: str) -> Element:
        """The element of a ref: `e12`, `@e12`, `[ref=e12]` or `e12~o7`.

        Raises:
            InvalidSelector: It is no ref.
            StaleRef: The outline has no such element.
        """
        wanted, _ = read_ref(ref)
        for element in self.elements:
            if element.ref == wanted:
                return element
        raise StaleRef(f"no element {wanted} in this outline", hint="observe again and use a ref of the new outline")

    def as_dict(self) -> dict[str, Any]:
        """The outline as JSON."""
        return {"notes": list(self.notes), "elements": [element.as_dict() for element in self.elements]}


def read_ref(written: str) -> tuple[str, int | None]:
    """The ref and the number of the observation it belongs to, if it says one.

    Raises:
        InvalidSelector: It is no ref.
    """
    found = _REF.fullmatch(written.strip())
    if found is None:
        raise InvalidSelector(
            f"{written!r} is no reference to an element", hint="refs look like e12, as observe prints"
        )
    return (found[1] or found[2]).lower(), int(found[3]) if found[3] else None


def harmless(text: str) -> str:
    """The text without what would read as a ref or a box of the outline: a web page may write `[ref=e5]`, too."""
    return _MARKS.sub("(", text)


def quoted(text: str) -> str:
    """The text in double quotes, its own quotes and backslashes escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

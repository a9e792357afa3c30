"""Naming what has no name: a switch by its row, a field by its label, a slider by the line above.

Works on the lines in the making of one container, from the smallest container upwards, so that the nearest text is met
first.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.screen.hierarchy import Bounds, Node
from controller.screen.outline import labels

__all__ = ["Item", "pair"]

_NAMELESS = ("switch", "checkbox", "radio", "slider", "textbox", "combobox")
_LABELLED_ABOVE = ("textbox", "slider", "combobox")


@dataclass(slots=True)
class Item:
    """A line in the making."""

    role: str
    texts: list[str]
    node: Node
    acts: bool = False
    value: str = ""
    flags: list[str] = field(default_factory=list)
    children: list[Item] = field(default_factory=list)

    @property
    def bounds(self) -> Bounds:
        return self.node.bounds

    def all_texts(self) -> list[str]:
        """The texts of this line and of all below it."""
        return [*self.texts, *(text for child in self.children for text in child.all_texts())]


def pair(items: list[Item]) -> list[Item]:
    """The items, with nameless switches, sliders and fields named by the free text that belongs to them."""
    wanting = [item for item in items if _wants_name(item)]
    free = [item for item in items if not item.acts and item.role in ("text", "heading") and _is_label(item)]
    if not wanting or not free:
        return items
    if len(wanting) == 1 and wanting[0].role not in _LABELLED_ABOVE and _one_row(items, wanting[0]):
        _name_by_row(wanting[0], free)
        return [item for item in items if item not in free]
    claimed: list[Item] = []
    for item in wanting:
        label = _label_for(item, [text for text in free if text not in claimed])
        if label is not None:
            claimed.append(label)
            _name(item, label.texts)
    return [item for item in items if not any(item is label for label in claimed)]


def _wants_name(item: Item) -> bool:
    if not item.acts or item.children or item.role not in _NAMELESS:
        return False
    return item.role == "combobox" or all(labels.is_state_word(text) for text in item.texts)


def _is_label(item: Item) -> bool:
    return any(character.isalnum() for text in item.texts for character in text)


def _one_row(items: list[Item], control: Item) -> bool:
    """Whether the container is the control's row: nothing else acts in it, and it is not much higher."""
    if any(item.acts and item is not control for item in items):
        return False
    top = min(item.bounds.top for item in items)
    bottom = max(item.bounds.bottom for item in items)
    return bottom - top <= 2.5 * control.bounds.height and all(_level(item.bounds, control.bounds) for item in items)


def _name_by_row(control: Item, free: list[Item]) -> None:
    _name(control, [text for item in free for text in item.texts])


def _name(control: Item, texts: list[str]) -> None:
    # What the control said of itself is its value: a state, a percentage, the choice of a list.
    control.value = control.value or " · ".join(control.texts)
    name, more = labels.name_and_value(texts)
    control.value = " · ".join(part for part in (more, control.value) if part)
    control.texts = [name]


def _label_for(control: Item, free: list[Item]) -> Item | None:
    if control.role in _LABELLED_ABOVE:
        near = [text for text in free if _is_above(text.bounds, control.bounds)]
        near = near or [text for text in free if _is_above(control.bounds, text.bounds) and control.role == "textbox"]
        near = near or [text for text in free if control.role != "combobox" and _before(text.bounds, control.bounds)]
    else:
        near = [text for text in free if _level(text.bounds, control.bounds)]
    return min(near, key=lambda text: _gap(text.bounds, control.bounds), default=None)


def _level(text: Bounds, control: Bounds) -> bool:
    """Whether both lie side by side: the middle of one within the height of the other, or sharing half of it."""
    shared = min(text.bottom, control.bottom) - max(text.top, control.top)
    return shared > 0.4 * min(text.height, control.height)


def _before(text: Bounds, control: Bounds) -> bool:
    return _level(text, control) and (text.right <= control.left or control.right <= text.left)


def _is_above(upper: Bounds, lower: Bounds) -> bool:
    """Whether the one stands right above the other, beginning or ending where it does."""
    height = min(upper.height, lower.height)
    aligned = min(abs(upper.left - lower.left), abs(upper.right - lower.right)) <= max(height, 40)
    inside = upper.left < lower.right and lower.left < upper.right
    return -0.3 * height <= lower.top - upper.bottom < height and aligned and inside


def _gap(a: Bounds, b: Bounds) -> int:
    return max(0, b.left - a.right, a.left - b.right) + max(0, b.top - a.bottom, a.top - b.bottom)

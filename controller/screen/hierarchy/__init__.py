"""Dumps of the screen as values: repaired XML → windows of nodes, and what a person sees of them.

`repair` makes damaged dumps readable, `tree` holds the values and the parser, `reading` answers questions about a whole
tree. Finding elements is `screen.selectors`, touching them `screen.touch`, comparing screens `screen.sameness`.
"""

from controller.screen.hierarchy.reading import (
    SYSTEM_DIALOGS,
    SYSTEM_UI,
    app_windows,
    clean,
    extent,
    focused_field,
    has_nodes_of,
    is_field,
    is_field_class,
    is_keyboard,
    reading_order,
    seen_nodes,
    visible_text,
)
from controller.screen.hierarchy.tree import NOWHERE, Bounds, Hierarchy, Node, States, parse

__all__ = [
    "NOWHERE",
    "SYSTEM_DIALOGS",
    "SYSTEM_UI",
    "Bounds",
    "Hierarchy",
    "Node",
    "States",
    "app_windows",
    "clean",
    "extent",
    "focused_field",
    "has_nodes_of",
    "is_field",
    "is_field_class",
    "is_keyboard",
    "parse",
    "reading_order",
    "seen_nodes",
    "visible_text",
]

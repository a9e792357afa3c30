"""The screen as an outline with refs: the text that agents and shell scripts read.

`labels` knows words and roles, `building` makes elements of a tree, `model` writes them, `matching` finds an element
again and tells two outlines apart.
"""

from controller.screen.outline.building import outline
from controller.screen.outline.matching import Identity, difference, find_again, identities, identity
from controller.screen.outline.model import Element, Outline, read_ref

__all__ = [
    "Element",
    "Identity",
    "Outline",
    "difference",
    "find_again",
    "identities",
    "identity",
    "outline",
    "read_ref",
]

"""Finding an element of an earlier outline again, and what changed between two outlines.

An identity is kept between two processes, so it is JSON. A ref is never followed to a place alone: another row may be
there by now.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from controller.errors import StaleRef
from controller.screen.outline.model import Element, Outline, read_ref

__all__ = ["Identity", "difference", "find_again", "identities", "identity"]


@dataclass(frozen=True, slots=True)
class Identity:
    """What an element is known by: its id, role, name and path, and a digest of the lines around it."""

    ref: str
    id: str
    role: str
    name: str
    path: tuple[int, ...]
    near: str = ""
    alone: bool = True
    """Whether no other element had this id and role."""
    twins: bool = False
    """Whether others were called just the same."""

    def as_json(self) -> list[Any]:
        """The identity as JSON, short."""
        return [self.ref, self.id, self.role, self.name, list(self.path), self.near, self.alone, self.twins]

    @classmethod
    def from_json(cls, kept: list[Any]) -> Identity:
        """The identity that `as_json` wrote."""
        ref, resource_id, role, name, path, near, alone, twins = kept
        return cls(ref, resource_id, role, name, tuple(path), near, alone, twins)


def identities(outline: Outline, *, number: int | None = None) -> dict[str, Any]:
    """What the refs of an outline stand for, as JSON; `number` counts the observations of a phone."""
    acting = [element for element in outline.elements if element.ref]
    owners = Counter((element.node.resource_id, element.role) for element in acting)
    called = Counter(_key(element) for element in acting)
    known = [
        Identity(
            element.ref,
            element.node.resource_id,
            element.role,
            element.name,
            element.node.path,
            _near(place, outline),
            alone=owners[element.node.resource_id, element.role] == 1,
            twins=called[_key(element)] > 1,
        ).as_json()
        for place, element in enumerate(outline.elements)
        if element.ref
    ]
    return {"number": number, "elements": known}


def identity(kept: Mapping[str, Any] | None, ref: str) -> Identity:
    """What a ref stands for in the identities of the newest outline.

    Raises:
        InvalidSelector: It is no ref.
        StaleRef: It belongs to another observation, or there is no such element.
    """
    wanted, number = read_ref(ref)
    if kept is None:
        raise StaleRef(f"{wanted} is not known: nothing was observed yet", hint="run `phonectl observe` first")
    if number is not None and kept.get("number") is not None and number != kept["number"]:
        raise StaleRef(
            f"{wanted} belongs to observation {number}, the newest is {kept['number']}",
            hint="run `phonectl observe` and use a ref of the new outline",
        )
    for entry in kept["elements"]:
        if entry[0] == wanted:
            return Identity.from_json(entry)
    raise StaleRef(f"no element {wanted} in the newest outline", hint="run `phonectl observe` and use one of its refs")


def find_again(element: Identity | Element, now: Outline) -> Element:
    """The element of the outline of now that is the one meant, wherever it is by now.

    Raises:
        StaleRef: It is gone, or several could be meant; `details["candidates"]` has the nearest.
    """
    known = element if isinstance(element, Identity) else _identity(element)
    there = [other for other in now.elements if other.ref]
    alike = [other for other in there if _key(other) == (known.role, known.name, known.id)]
    if len(alike) > 1 or known.twins:
        alike = _narrowed(alike, known, now)
    if not alike and known.id and known.alone:
        # A counter in its name changed; the id is its alone, then and now, and it has not moved in the tree.
        owners = [other for other in there if other.node.resource_id == known.id and other.role == known.role]
        alike = [other for other in owners if other.node.path == known.path] if len(owners) == 1 else []
    if len(alike) == 1:
        return alike[0]
    candidates = alike or _nearest(known, there)
    raise StaleRef(
        f"{known.ref} ({known.role} {known.name!r}) is no longer on the screen"
        if not alike
        else f"{known.ref} ({known.role} {known.name!r}) could now be any of {len(alike)} elements",
        hint="use a ref of the new outline",
        candidates=[other.line() for other in candidates[:5]],
        outline=now.text(),
    )


def difference(before: Outline, after: Outline) -> str:
    """What changed: `-` gone, `+` new, `=` there with another value or flags; `no change` when nothing did."""
    old = [_comparable(element) for element in before.elements]
    new = [_comparable(element) for element in after.elements]
    notes = [f"+ ! {note}" for note in after.notes if note not in before.notes]
    notes += [f"- ! {note}" for note in before.notes if note not in after.notes]
    lines: list[str] = []
    for kind, old_from, old_to, new_from, new_to in difflib.SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if kind != "equal":
            lines += _block(before.elements[old_from:old_to], after.elements[new_from:new_to])
    return "\n".join([*notes, *lines]) or "no change"


def _block(gone: tuple[Element, ...], come: tuple[Element, ...]) -> Iterator[str]:
    old, new = {_key(element) for element in gone}, {_key(element) for element in come}
    for element in gone:
        if _key(element) not in new or not element.name:
            yield element.line()
    for element in come:
        same = element.name and _key(element) in old
        yield f"{'=' if same else '+'} {element.line()[2:]}"


def _key(element: Element) -> tuple[str, str, str]:
    """What an element is called: role, name and id."""
    return element.role, element.name, element.node.resource_id


def _identity(element: Element) -> Identity:
    return Identity(element.ref, element.node.resource_id, element.role, element.name, element.node.path)


def _comparable(element: Element) -> tuple[str, str, str, tuple[str, ...], bool]:
    return element.role, element.label, element.value, element.flags, bool(element.ref)


def _near(place: int, outline: Outline) -> str:
    """A digest of the named lines next to an element: nine equal buttons differ by their rows."""
    before = [other.name for other in outline.elements[max(0, place - 3) : place] if other.name]
    after = [other.name for other in outline.elements[place + 1 : place + 3] if other.name]
    return blake2b("\n".join([*before, "", *after]).encode("utf-8", "replace"), digest_size=5).hexdigest()


def _narrowed(alike: list[Element], known: Identity, now: Outline) -> list[Element]:
    """Of elements that are called alike the one with the same lines around it.

    Where several stay, all of them; where the one left is another row's, none.
    """
    if not known.near:
        return [element for element in alike if element.node.path == known.path] or alike
    beside = {element.ref for place, element in enumerate(now.elements) if _near(place, now) == known.near}
    left = [element for element in alike if element.ref in beside]
    if len(left) > 1:
        left = [element for element in left if element.node.path == known.path] or left
    return left or (alike if len(alike) > 1 else [])


def _nearest(known: Identity, there: Iterable[Element]) -> list[Element]:
    def likeness(element: Element) -> float:
        same_name = difflib.SequenceMatcher(None, element.name, known.name).ratio()
        return same_name + (element.role == known.role) * 0.3 + (element.node.resource_id == known.id) * 0.3

    return sorted(there, key=likeness, reverse=True)

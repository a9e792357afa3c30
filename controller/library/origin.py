"""Who put a document where it lies. Where that is on this machine is the business of `roots`."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Origin"]


class Origin(StrEnum):
    """Who put a root there; the order is the order in which they serve."""

    EXPLICIT = "explicit"
    PROJECT = "project"
    PERSON = "personal"
    BUILTIN = "built-in"

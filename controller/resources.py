"""Where the documents that travel with the product lie.

In a checkout they are the repository's own folders; in a wheel they are packed under `controller/_data`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

__all__ = ["resource_dir"]


def resource_dir(name: Literal["knowledge", "skills", "devices"]) -> Path:
    """The folder of the built-in `knowledge`, `skills` or `devices`."""
    package = Path(__file__).resolve().parent
    packed = package / "_data" / name
    return packed if packed.is_dir() else package.parent / name

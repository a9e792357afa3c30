"""Flows that come with phonectl, by name: `phonectl run demo`.

They lie beside this module as YAML files, in a checkout and in a wheel alike.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["find_flow", "name_of_example"]

FOLDER = Path(__file__).resolve().parent


def find_flow(name: str) -> str:
    """The path of a flow: a file's own, or that of the example with this name where there is no such file."""
    example = FOLDER / f"{name}.yaml"
    if not Path(name).exists() and "/" not in name and "\\" not in name and example.is_file():
        return example.as_posix()
    return name


def name_of_example(file: str) -> str | None:
    """The name under which an example is run; None where the file is no example."""
    path = Path(file)
    return path.stem if path.resolve().parent == FOLDER else None

"""The folders of virtual phones: the only module of the virtual phone that reads files.

`devices/virtual/<name>/` holds `phone.yaml` and `apps/*.yaml`; what they mean is for `apps`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from controller.errors import DocumentError
from controller.resources import resource_dir
from controller.virtual.apps import read_phone
from controller.virtual.check import Problem, check_phone
from controller.virtual.latency import Latency, read_latencies
from controller.virtual.spec import PhoneSpec

if TYPE_CHECKING:
    from controller.virtual.captured.spec import Capture

__all__ = ["check_folder", "latency_names", "load_capture", "load_latency", "load_phone", "phone_folders"]

CAPTURE_FILE = "capture.yaml"


def load_phone(name: str | Path) -> PhoneSpec:
    """The phone `devices/virtual/<name>`, or the one in a folder. Unchanged folders are read once a process.

    Raises:
        DocumentError: There is no such phone, or something in it is wrong.
    """
    builtin = resource_dir("devices") / "virtual" / name
    folder = builtin if builtin.is_dir() else Path(name)
    main = folder / "phone.yaml"
    if not main.is_file():
        known = sorted(path.parent.name for path in builtin.parent.glob("*/phone.yaml"))
        raise DocumentError(
            f"there is no virtual phone {str(name)!r}",
            hint=f"there are: {', '.join(known)}; or name a folder with phone.yaml and apps/*.yaml",
        )
    paths = [main, *sorted(folder.glob("apps/*.yaml"))]
    return _load(folder.name, tuple((path, path.stat().st_mtime_ns) for path in paths))


def load_capture(name: str | Path) -> Capture | None:
    """The capture in a folder; None where it is a phone of another kind.

    Raises:
        DocumentError: Something in it is wrong.
    """
    folder = Path(name)
    if not (folder / CAPTURE_FILE).is_file():
        return None
    from controller.virtual.captured.reading import read_capture

    return read_capture(folder)


def phone_folders(path: Path) -> list[Path]:
    """The folders of virtual phones in a path: the folder itself, those below it, or the one that a file is part of."""
    mains = ("phone.yaml", CAPTURE_FILE)
    if path.is_dir():
        return sorted({main.parent for name in mains for main in path.rglob(name)})
    near = [folder for folder in (path.parent, path.parent.parent) if any((folder / name).is_file() for name in mains)]
    return near[:1] if path.suffix == ".yaml" else []


def check_folder(folder: Path) -> list[Problem]:
    """What is wrong with the phone in a folder, or with the capture."""
    if (folder / CAPTURE_FILE).is_file():
        return _check_capture(folder)
    documents, problems = {}, []
    for path in [folder / "phone.yaml", *sorted(folder.glob("apps/*.yaml"))]:
        try:
            documents[str(path)] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as err:
            problems.append(Problem(str(path), 1, 1, f"the file is not UTF-8: {err.reason} at byte {err.start}"))
    return [*problems, *check_phone(documents, name=folder.name)]


def _check_capture(folder: Path) -> list[Problem]:
    main = str(folder / CAPTURE_FILE)
    try:
        load_capture(folder)
    except DocumentError as err:
        place = [err.details.get(key) for key in ("path", "line", "column")]
        path, line, column = str(place[0] or main), int(place[1] or 1), int(place[2] or 1)
        return [Problem(path, line, column, err.message.removeprefix(f"{path}:{line}:{column}: "), err.hint)]
    except UnicodeDecodeError as err:
        return [Problem(main, 1, 1, f"the file is not UTF-8: {err.reason} at byte {err.start}")]
    return []


def load_latency(name: str) -> Latency:
    """A profile of `devices/virtual/latency.yaml`.

    Raises:
        DocumentError: There is none of this name, or the file is wrong.
    """
    found = _latencies().get(name)
    if found is None:
        raise DocumentError(
            f"there is no latency profile {name!r}", hint=f"there are: {', '.join(sorted(_latencies()))}"
        )
    return found


def latency_names() -> tuple[str, ...]:
    """The profiles there are."""
    return tuple(_latencies())


@lru_cache(maxsize=1)
def _latencies() -> dict[str, Latency]:
    path = resource_dir("devices") / "virtual" / "latency.yaml"
    return read_latencies(path.read_text(encoding="utf-8"), str(path))


@lru_cache(maxsize=16)
def _load(name: str, stamps: tuple[tuple[Path, int], ...]) -> PhoneSpec:
    return read_phone({str(path): path.read_text(encoding="utf-8") for path, _ in stamps}, name=name)

"""What a person chose, and the folders that follow from it.

Values alone: `cli` reads the environment into a `Config`, `connect` makes a session of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from controller.pace import Speed

__all__ = ["Config", "cache_folder", "data_folder", "state_folder"]


@dataclass(frozen=True, slots=True)
class Config:
    """What a person chose.

    Args:
        device: A serial, a profile's name, the path of a profile file or of a virtual phone's folder; None for the only
            phone there is.
        serial: The phone where `device` names none (`ANDROID_SERIAL`).
        adb_host: The adb server's host.
        adb_port: Its port.
        library: Folders of own knowledge, before all others; the first wins.
        project: The folder that the person works in, whose `.agents` is read once it is trusted; None for none.
        home: Where tasks, own knowledge and skills, and choices are kept; None for the person's own folders.
        speed: The person's choice; None for the task's, else the profile's.
        path: Where an adb program may be found (`PATH`); None for the one that comes along.
    """

    device: str | None = None
    serial: str | None = None
    adb_host: str = "127.0.0.1"
    adb_port: int = 5037
    library: tuple[Path, ...] = ()
    project: Path | None = None
    home: Path | None = None
    speed: Speed | None = None
    path: str | None = None


def state_folder(config: Config) -> Path:
    """Where tasks are kept, and where the running virtual phone leaves its address."""
    if config.home is not None:
        return config.home
    import platformdirs

    return platformdirs.user_state_path("phonectl")


def data_folder(config: Config) -> Path:
    """Where the person's own knowledge and skills and their choices lie."""
    if config.home is not None:
        return config.home
    import platformdirs

    return platformdirs.user_data_path("phonectl")


def cache_folder(config: Config) -> Path:
    """Where what can be made again is kept."""
    if config.home is not None:
        return config.home / "cache"
    import platformdirs

    return platformdirs.user_cache_path("phonectl")

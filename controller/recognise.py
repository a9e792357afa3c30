"""Which app is in front.

Pure: the package comes from `screen.dumpsys`, the app from the library. When and where an entry is announced is left
to the session and its trace.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from controller.library.app import App

__all__ = ["KnowsPackages", "Recognised", "recognise"]


class KnowsPackages(Protocol):
    """The part of a library that recognition needs."""

    def app_by_package(self, package: str) -> App | None:
        """The app that claims this package."""
        ...


@dataclass(frozen=True, slots=True)
class Recognised:
    """What is in front.

    Attributes:
        app: The app whose APP.md names the package; None when no document does or no package is known.
        package: The package; None when nothing is known.
        surface: The part of a process name behind `:`, such as `appbrand0` of a mini program.
    """

    app: App | None
    package: str | None
    surface: str | None = None


def recognise(process: str | None, library: KnowsPackages) -> Recognised:
    """What a package or a process name (`com.tencent.mm:appbrand0`) stands for; the match is exact."""
    package, _, surface = (process or "").strip().partition(":")
    if not package:
        return Recognised(None, None)
    return Recognised(library.app_by_package(package), package, surface or None)

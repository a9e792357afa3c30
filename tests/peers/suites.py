"""The suites that are run, and what is known to fail in them, with the reason.

Owns the two tables. A row of `KNOWN` is a test that fails on some set-up, where a real phone would fail it too;
whatever fails and is not there is a fault of the virtual phone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["KNOWN", "SUITES", "Known", "Suite"]


@dataclass(frozen=True, slots=True)
class Suite:
    """One folder of tests in a checkout of somebody else's project."""

    project: str
    """The option that names the checkout: `adbutils` or `uiautomator2`."""
    folder: str

    @property
    def name(self) -> str:
        """`adbutils e2etests`."""
        return f"{self.project} {self.folder}"


SUITES = (
    Suite("adbutils", "e2etests"),
    Suite("uiautomator2", "demo_tests"),
    Suite("uiautomator2", "mobile_tests"),
)


@dataclass(frozen=True, slots=True)
class Known:
    """Why a test fails, and where: with which adb server, on which versions of Android."""

    reason: str
    server: str = ""
    """`adb` for adb's own; empty for any."""
    versions: tuple[int, ...] = (9, 11, 14)

    def on(self, server: str, android: int) -> bool:
        """Whether it is expected to fail on this set-up."""
        return self.server in ("", server) and android in self.versions


KNOWN: Mapping[str, Known] = {
    "e2etests/test_adb.py::test_wait_for": Known(
        "waits for a phone on USB; adb's server lists what it reaches by `adb connect` as local", server="adb"
    ),
    "demo_tests/test_app.py::test_wait_activity": Known(
        "compares with `.AdditionActivity`; mCurrentFocus, which adbutils reads on Android 9, has the whole class name",
        versions=(9,),
    ),
    "mobile_tests/test_session.py::test_app_mixin": Known(
        "compares process ids; mCurrentFocus, which adbutils reads on Android 9, has none", versions=(9,)
    ),
}
"""Test → why it fails."""

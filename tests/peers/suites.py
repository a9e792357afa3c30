"""The suites that are run, and what is known to fail in them, with the reason.

Owns the two tables. A row of `KNOWN` is a test that cannot pass on the set-up it is run on; whatever fails and is not
there is a fault of the virtual phone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["KNOWN", "SUITES", "Suite"]


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

KNOWN: Mapping[str, str] = {
    "e2etests/test_adb.py::test_wait_for": (
        "waits for a phone on USB; adb's server lists what it reaches by `adb connect` as local"
    ),
}
"""Test → why it fails with adb's own server and a phone that is connected over TCP."""

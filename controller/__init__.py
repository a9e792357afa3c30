"""Android device automation that knows the apps it drives.

from controller import open_session

with open_session(device="virtual") as phone:
    phone.open_link("bilibili", "首页")
    print(phone.observe())
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.errors import PhonectlError

if TYPE_CHECKING:
    from controller.handle import PhoneSession, open_session
    from controller.step import Outcome, Status

__all__ = ["Outcome", "PhoneSession", "PhonectlError", "Status", "open_session"]

_HOMES = {
    "Outcome": "controller.step",
    "PhoneSession": "controller.handle",
    "Status": "controller.step",
    "open_session": "controller.handle",
}


def __getattr__(name: str) -> object:
    # Loaded when first used: a program that only wants the errors, and `phonectl --help`, need not load the rest.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)

"""Faults on demand: what can go wrong on a virtual phone, and the switches for it.

`table` names every fault with one sentence, `switchboard` knows which are on, `mishaps` is what the phone itself does
when one begins and ends. Where else a fault shows (the shell, the UiAutomator server, the connection), that place asks
the switchboard.
"""

from __future__ import annotations

from controller.virtual.faults.switchboard import ALWAYS, Effect, Fault, Faults, When
from controller.virtual.faults.table import FAULTS, FaultKind, check_arguments

__all__ = ["ALWAYS", "FAULTS", "Effect", "Fault", "FaultKind", "Faults", "When", "check_arguments"]

"""The phone's wall clock as commands print it."""

from __future__ import annotations

import re
import time

from controller.virtual.phone import VirtualPhone

__all__ = ["formatted", "zone"]

_ZONES = {"Asia/Shanghai": (8, "CST"), "UTC": (0, "UTC"), "GMT": (0, "GMT"), "Asia/Tokyo": (9, "JST")}
_DIRECTIVES = frozenset("aAbBcdDeFgGhHIjklmMpPrRSTuUVwWxXyYC")


def zone(phone: VirtualPhone) -> tuple[int, str]:
    """Hours east of Greenwich, and the short name."""
    name = phone.props.get("persist.sys.timezone", phone.spec.time_zone)
    return _ZONES.get(name, (0, "GMT"))


def formatted(phone: VirtualPhone, form: str, at: float | None = None, *, utc: bool = False) -> str:
    """A time (now where none is given) in strftime's form, with toybox's `%N` and `%s`."""
    moment = phone.wall() if at is None else at
    hours, short = (0, "UTC") if utc else zone(phone)
    local = time.gmtime(moment + hours * 3600)
    special = {
        "s": str(int(moment)),
        "N": f"{int(moment % 1 * 1e9):09d}",
        "z": f"{'-' if hours < 0 else '+'}{abs(hours):02d}00",
        "Z": short,
        "n": "\n",
        "t": "\t",
        "%": "%",
    }

    def one(match: re.Match[str]) -> str:
        letter = match[1]
        if letter in special:
            return special[letter]
        return time.strftime(f"%{letter}", local) if letter in _DIRECTIVES else match.group()

    return re.sub(r"%(.)", one, form, flags=re.DOTALL)

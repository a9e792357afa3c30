"""Numbers and times in the words of a report. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

__all__ = ["clean", "clock_time", "seconds", "signed"]


def seconds(value: float) -> str:
    """`0 s`, `0.04 s`, `2.9 s`, `1 min 05 s`."""
    if value < 0.095:
        return f"{value:.2f} s" if value >= 0.005 else "0 s"
    if value < 99.95:
        return f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest:02d} s"


def signed(value: float) -> str:
    """`+ 2.9 s`, `− 1.2 s`."""
    return f"{'−' if value < 0 else '+'} {seconds(abs(value))}"


def clock_time(wall: float, zone: tzinfo | None = None) -> str:
    """`2026-11-30 19:02:11 +0100`, in the machine's own zone where none is given."""
    moment = datetime.fromtimestamp(wall, UTC).astimezone(zone)
    return moment.strftime("%Y-%m-%d %H:%M:%S %z")


def clean(text: str) -> str:
    """The text without characters that XML forbids."""
    return "".join(
        c for c in text if c in "\t\n\r" or 0x20 <= ord(c) < 0xD800 or 0xE000 <= ord(c) < 0xFFFE or ord(c) > 0xFFFF
    )

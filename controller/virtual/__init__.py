"""An emulated Android phone behind the real ADB protocols, for first runs, demonstrations and tests.

It replaces the phone, never the wire: real adb, adbutils and uiautomator2 drive it as they drive a device.

    with boot("default") as server:
        print(server.serial, server.transport, server.server)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from controller.virtual.server import VirtualServer

__all__ = ["boot"]


def boot(
    name: str = "default",
    *,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    android: int = 14,
    port: int = 0,
    server_port: int = 0,
    serial: str | None = None,
    count: int = 1,
    latency: str | None = None,
    trace: Callable[[dict[str, Any]], None] | None = None,
) -> VirtualServer:
    """A phone of `devices/virtual/<name>/`, started and reachable; close it, or use it as a context.

    Args:
        name: Which phone; or a folder with a phone's or a capture's files.
        now: The clock of everything that happens on the phone.
        sleep: Waits where a real phone would be busy.
        android: 9, 11 or 14; a captured phone has its own.
        port: Where its adbd listens; 0 takes a free port.
        server_port: Where its adb server listens; 0 takes a free port.
        serial: Its serial, where the phone's own is not wanted.
        count: How many of it, behind one adb server; their serials count on from the first.
        latency: A profile of `latency.yaml`: how long a real phone takes; None for no time at all.
        trace: Told of every service, command, call, touch and key as a dictionary with the time `t`.
    """
    # Imported here, so that naming the package costs nothing.
    from controller.virtual.phone import VirtualPhone
    from controller.virtual.server import VirtualServer
    from controller.virtual.store import load_capture, load_latency, load_phone
    from controller.virtual.tracing import Tracer

    capture = load_capture(name)
    spec = load_phone(name) if capture is None else None
    profile = load_latency(latency) if latency is not None else None
    phones = []
    first = serial or (spec.serial if spec is not None else f"captured-{Path(name).resolve().name}")
    for name in _serials(first, count):
        tracer = Tracer(trace, now=now, serial=name)
        phone: VirtualPhone
        if capture is not None:
            from controller.virtual.captured import CapturedPhone

            phone = CapturedPhone(capture, now=now, trace=tracer, serial=name)
        elif spec is not None:
            phone = VirtualPhone(spec, now=now, android=android, trace=tracer, serial=name)
        phone.latency = profile
        phones.append(phone)
    server = VirtualServer(phones, transport_port=port, server_port=server_port, trace=trace, sleep=sleep)
    server.start()
    return server


def _serials(first: str, count: int) -> list[str]:
    """`VP14000001`, `VP14000002` …; a serial without a number at its end gets one."""
    head = first.rstrip("0123456789")
    digits = first[len(head) :]
    if not digits:
        return [first, *(f"{first}-{number}" for number in range(2, count + 1))]
    return [f"{head}{int(digits) + number:0{len(digits)}}" for number in range(count)]

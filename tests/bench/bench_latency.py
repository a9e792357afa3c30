"""What a look and a tap take over each kind of connection, for phonectl and for uiautomator2's public API.

The emulated phone is as slow as `devices/virtual/latency.yaml` says; what the clients add is theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from lxml import etree

from controller import verbs
from controller.pace import Speed
from controller.targets import Point
from controller.virtual import boot
from controller.virtual.server import VirtualServer
from controller.virtual.store import latency_names
from tests.bench.rows import Row, median_ms
from tests.phones import session_on

SETTINGS = "com.android.settings"
NOWHERE = (540, 150)
"""A place where a touch changes nothing."""


def run() -> list[Row]:
    return [row for profile in (None, *latency_names()) for row in _rows(profile)]


def _rows(profile: str | None) -> list[Row]:
    name = profile or "no latency"
    with boot(latency=profile) as server:
        look, touch, tap = _ours(server)
        other_look, other_tap = _others(server)
    return [
        Row(f"{name}: observe", look, other_look, "uiautomator2: app_current, dump, window_size, info"),
        Row(f"{name}: touch a point (100 ms of it are the hold)", touch, other_tap, "uiautomator2: click"),
        Row(f"{name}: tap where nothing changes, looks and settling included", tap, None, ""),
    ]


def _ours(server: VirtualServer) -> tuple[float, float, float]:
    from controller.clock import SystemClock

    with session_on(server, SystemClock(), speed=Speed.FAST) as session:
        session.phone.start_app(SETTINGS)
        look = median_ms(session.phone.observe, times=7)
        touch = median_ms(lambda: session.phone.tap(*NOWHERE), times=7)
        tap = median_ms(lambda: verbs.tap(session, Point(*NOWHERE)), times=5)
    return look, touch, tap


def _others(server: VirtualServer) -> tuple[float, float]:
    with _uiautomator2(server) as phone:
        look = median_ms(_look_of(phone), times=5)
        tap = median_ms(lambda: phone.click(*NOWHERE), times=5)
    return look, tap


def _look_of(phone: Any) -> Callable[[], object]:
    return lambda: (
        phone.app_current(),
        etree.fromstring(phone.dump_hierarchy().encode()),
        phone.window_size(),
        phone.info,
    )


@contextmanager
def _uiautomator2(server: VirtualServer) -> Iterator[Any]:
    import adbutils
    import uiautomator2

    phone = uiautomator2.connect(adbutils.AdbClient("127.0.0.1", server.server_port).device(server.serial))
    try:
        yield phone
    finally:
        phone.stop_uiautomator(wait=False)

"""One look at a phone (front app, activity, tree, outline) against the same facts through uiautomator2's public API."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

from lxml import etree

from controller.adb.client import AdbServer
from controller.clock import SystemClock
from controller.device.phone import Phone
from controller.device.profile import Profile
from controller.library.catalog import load_library
from controller.library.roots import builtin_roots
from controller.looking import from_phone
from controller.session import Session
from controller.task import MemoryTasks
from controller.virtual import boot
from controller.virtual.server import VirtualServer
from tests.bench.rows import Row, median_ms


def run() -> list[Row]:
    boot_ms = median_ms(lambda: boot().close(), times=9)
    cold_ms = median_ms(lambda: _python("from controller.virtual import boot; boot().close()"), times=7)
    bare_ms = median_ms(lambda: _python("pass"), times=7)
    with boot() as server:
        session = _session(server)
        try:
            ours = median_ms(lambda: from_phone(session), times=41)
            bare = median_ms(session.phone.observe, times=41)
        finally:
            session.close()
        other = median_ms(_through_uiautomator2(server), times=15)
    return [
        Row("observe: front app, tree, outline", ours, other, "uiautomator2: app_current, dump, window_size, info"),
        Row("observe: front app and tree alone", bare, other, "the same"),
        Row("boot of the virtual phone, in a process that had one", boot_ms, None, ""),
        Row("boot of the virtual phone, first in a process", cold_ms - bare_ms, None, ""),
    ]


def _python(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def _session(server: VirtualServer) -> Session:
    clock = SystemClock()
    host, _, port = server.server.rpartition(":")
    device = AdbServer(host, int(port), clock=clock).choose(serial=server.serial)
    phone = Phone(device, Profile(), clock)
    library = load_library(builtin_roots())
    return Session(phone, library=library, tasks=MemoryTasks(), clock=clock, rng=random.Random(7))


def _through_uiautomator2(server: VirtualServer) -> Any:
    import adbutils
    import uiautomator2

    host, _, port = server.server.rpartition(":")
    phone = uiautomator2.connect(adbutils.AdbClient(host, int(port)).device(server.serial))

    def look() -> object:
        return phone.app_current(), etree.fromstring(phone.dump_hierarchy().encode()), phone.window_size(), phone.info

    return look

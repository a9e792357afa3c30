"""Fifty emulated phones in one process behind one adb server: how fast they boot, what they keep, what they answer."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.bench.rows import Row

PHONES = 50

# Its own process, so that the memory is the phones' alone.
_PROGRAM = """
import json, resource, sys, threading, time
from controller.adb.client import AdbServer
from controller.clock import SystemClock
from controller.virtual import boot

def resident():
    with open('/proc/self/statm', encoding='ascii') as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6

def commands(servers, serials, seconds):
    done = [0] * len(serials)
    until = time.perf_counter() + seconds
    def ask(number):
        device = AdbServer('127.0.0.1', servers.server_port, clock=SystemClock()).device(serials[number])
        while time.perf_counter() < until:
            assert device.shell('getprop ro.serialno').stdout.strip() == serials[number]
            done[number] += 1
    threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(serials))]
    started = time.perf_counter()
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return sum(done) / (time.perf_counter() - started)

count = int(sys.argv[1])
with boot() as first:                       # the data and the modules are read once a process
    AdbServer('127.0.0.1', first.server_port, clock=SystemClock()).device(first.serial).shell('true')
before = resident()
started = time.perf_counter()
with boot(count=count) as servers:
    listed = AdbServer('127.0.0.1', servers.server_port, clock=SystemClock()).devices()
    boot_ms = (time.perf_counter() - started) * 1000 / count
    assert len(listed) == count
    kept = (resident() - before) / count
    serials = list(servers.phones)
    one = commands(servers, serials[:1], 2)
    many = commands(servers, serials, 4)
    threads = threading.active_count()
    for serial in serials:
        device = AdbServer('127.0.0.1', servers.server_port, clock=SystemClock()).device(serial)
        device.shell('uiautomator dump')
        assert device.exec_out('screencap -p').startswith(b'\\x89PNG')
    used = (resident() - before) / count
found = {'boot_ms': boot_ms, 'megabytes': kept, 'used': used, 'one': one, 'many': many, 'threads': threads / count}
print(json.dumps(found))
"""


def run() -> list[Row]:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(PHONES)], check=True, capture_output=True, text=True, encoding="utf-8"
    )
    found = json.loads(done.stdout)
    return [
        Row(f"{PHONES} phones in a process: boot of each", found["boot_ms"], None, ""),
        Row(f"{PHONES} phones in a process: memory of each, booted", found["megabytes"], None, "", "MB"),
        Row(f"{PHONES} phones in a process: memory of each, tree and picture read", found["used"], None, "", "MB"),
        Row(f"{PHONES} phones in a process: threads of each", found["threads"], None, "", ""),
        Row("shell commands a second, one phone and its client", found["one"], None, "", "/s"),
        Row(f"shell commands a second, {PHONES} phones and {PHONES} clients", found["many"], None, "", "/s"),
    ]

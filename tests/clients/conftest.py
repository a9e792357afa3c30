"""A booted virtual phone, and a real adb server of our own to reach it by."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.virtual import boot
from controller.virtual.server import VirtualServer
from tests.clients.adb import Adb, adb_binary
from tests.clients.environments import unavailable
from tests.clients.watching import Watch

DEBIANS_ADB = Path("/usr/lib/android-sdk/platform-tools/adb")


@pytest.fixture(scope="module")
def watch() -> Watch:
    """What the module's phone tells."""
    return Watch()


@pytest.fixture(scope="module")
def server(watch: Watch) -> Iterator[VirtualServer]:
    with boot("default", trace=watch) as server:
        yield server


@pytest.fixture
def trace(watch: Watch) -> Watch:
    """What the phone tells from here on."""
    watch.clear()
    return watch


@pytest.fixture(scope="session")
def adb_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Adb]:
    """A real adb server on a port of its own, which is gone afterwards."""
    with _running_server(adb_binary(), tmp_path_factory.mktemp("adb-home")) as adb:
        yield adb


@pytest.fixture(scope="session")
def debian_adb_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Adb]:
    """The same with the adb of Debian's package, which is years older."""
    if not DEBIANS_ADB.exists():
        unavailable("Debian's adb is not installed (apt-get install adb)")
    with _running_server(str(DEBIANS_ADB), tmp_path_factory.mktemp("debian-adb-home")) as adb:
        yield adb


@pytest.fixture(scope="module")
def adb(adb_server: Adb, server: VirtualServer) -> Iterator[Adb]:
    """The real adb, connected to the phone's transport."""
    with _connected(adb_server, server) as adb:
        yield adb


@pytest.fixture(scope="module")
def debian_adb(debian_adb_server: Adb, server: VirtualServer) -> Iterator[Adb]:
    """Debian's adb, connected to the phone's transport."""
    with _connected(debian_adb_server, server) as adb:
        yield adb


@pytest.fixture(scope="module")
def embedded_adb(server: VirtualServer, tmp_path_factory: pytest.TempPathFactory) -> Adb:
    """The real adb as a client of the virtual phone's own adb server."""
    return Adb(server.server_port, tmp_path_factory.mktemp("adb-home"), serial=server.serial)


@pytest.fixture(params=["adb", "embedded_adb"])
def any_adb(request: pytest.FixtureRequest) -> Adb:
    """The phone behind a real adb server, and behind the virtual phone's own."""
    adb: Adb = request.getfixturevalue(request.param)
    return adb


@contextmanager
def _running_server(binary: str, home: Path) -> Iterator[Adb]:
    adb = Adb(free_port(), home, binary=binary)
    with (home / "server.log").open("wb") as log:
        # In the foreground and with files for its outputs: a server that starts itself keeps its caller's pipes open.
        process = subprocess.Popen(
            adb.command("nodaemon", "server"), stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=adb.environment
        )
    try:
        _wait_for_port(adb.port)
        yield adb
    finally:
        process.terminate()
        process.wait(timeout=10)


@contextmanager
def _connected(adb_server: Adb, server: VirtualServer) -> Iterator[Adb]:
    adb = adb_server.to(server.transport)
    assert adb.run("connect", server.transport).stdout == f"connected to {server.transport}\n".encode()
    yield adb
    adb.run("disconnect", server.transport)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _wait_for_port(port: int) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)  # another program starts: there is no clock of ours to move
        else:
            return
    raise TimeoutError(f"adb does not listen on port {port}")

"""`phonectl virtual`: the embedded phone as a service for other programs."""

from __future__ import annotations

import json
import signal
import sys
import threading
from pathlib import Path

import click

from controller.cli.context import Options

__all__ = ["virtual"]


@click.group()
def virtual() -> None:
    """Start the embedded virtual phone, for adb, for scripts, for tests."""


@virtual.command()
@click.option("--phone", "name", default="default", show_default=True, help="A folder of devices/virtual, or a path.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the transport; 0 takes a free one.")
@click.option("--android", type=click.Choice(["9", "11", "14"]), default="14", show_default=True)
@click.option("--trace", type=click.Path(dir_okay=False, path_type=Path), help="Write every command, event and call.")
@click.pass_obj
def start(options: Options, name: str, port: int, android: str, trace: Path | None) -> int:
    """Start a virtual phone and serve it until stopped (Ctrl-C or a signal).

    Prints one JSON line: its serial, its transport for `adb connect`, and an adb server of its own. While it runs,
    `phonectl --device virtual …` uses it.
    """
    from controller.connect import serve_virtual

    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with serve_virtual(options.config(), name=name, port=port, android=int(android), trace=trace) as serving:
        line = {"serial": serving.serial, "transport": serving.transport, "server": serving.server}
        click.echo(json.dumps(line))
        sys.stdout.flush()
        stop.wait()
    return 0

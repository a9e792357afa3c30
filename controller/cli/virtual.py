"""`phonectl virtual`: the embedded phone as a service for other programs."""

from __future__ import annotations

import json
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import click

from controller.cli.context import Options
from controller.errors import UsageError

__all__ = ["virtual"]


@click.group()
def virtual() -> None:
    """Start the embedded virtual phone, for adb, for scripts, for tests."""


@virtual.command()
@click.option("--phone", "name", default="default", show_default=True, help="A folder of devices/virtual, or a path.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the transport; 0 takes a free one.")
@click.option("--android", type=click.Choice(["9", "11", "14"]), default="14", show_default=True)
@click.option("--trace", type=click.Path(dir_okay=False, path_type=Path), help="Write every command, event and call.")
@click.option("--count", type=click.IntRange(1, 200), default=1, help="How many phones, behind one adb server.")
@click.option("--latency", metavar="PROFILE", help="Be as slow as over usb2, usb3, wifi, or as a slow-emulator.")
@click.pass_obj
def start(
    options: Options, name: str, port: int, android: str, trace: Path | None, count: int, latency: str | None
) -> int:
    """Start a virtual phone and serve it until stopped (Ctrl-C or a signal).

    Prints one JSON line a phone: its serial, its transport for `adb connect`, and the adb server of them all. While it
    runs, `phonectl --device virtual …` uses the first one; the others are reached through the adb server by their
    serials (ANDROID_ADB_SERVER_PORT).
    """
    from controller.embedded import serve

    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with serve(
        options.config(), name=name, port=port, android=int(android), trace=trace, count=count, latency=latency
    ) as serving:
        for serial in serving.phones:
            line = {"serial": serial, "transport": serving.transport_of(serial), "server": serving.server}
            click.echo(json.dumps(line))
        sys.stdout.flush()
        stop.wait()
    return 0


@virtual.command()
@click.argument("name", required=False)
@click.argument("args", nargs=-1, metavar="[KEY=VALUE]…")
@click.option("--after", type=click.FloatRange(min=0), default=0.0, metavar="SECONDS", help="Begin then.")
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="How often it strikes; else until cleared.")
@click.option("--when-app", metavar="PACKAGE", help="Only while this app (or package/activity*) is in front.")
@click.option("--when-doing", metavar="TEXT", help="Only for commands, calls and links that contain this.")
@click.option("--serial", metavar="SERIAL", help="One phone; else all that were started together.")
@click.option("--clear", is_flag=True, help="Switch the named fault off, or all of them.")
@click.option("--json", "as_json", is_flag=True, help="What is switched on now, as JSON.")
@click.pass_obj
def fault(
    options: Options,
    name: str | None,
    args: tuple[str, ...],
    after: float,
    count: int | None,
    when_app: str | None,
    when_doing: str | None,
    serial: str | None,
    clear: bool,
    as_json: bool,
) -> int:
    """Let something go wrong on the running virtual phone, as it does on a real one.

    `phonectl virtual faults` lists what can go wrong. For instance `phonectl virtual fault popup title=更新 --after 3`,
    `phonectl virtual fault cut --count 1`, `phonectl virtual fault --clear`.
    """
    from controller.embedded import steer

    if name is None and not clear:
        raise UsageError("name a fault", hint="`phonectl virtual faults` lists them; --clear ends all")
    if clear:
        request: dict[str, Any] = {"do": "clear", "name": name}
    else:
        when = {key: text for key, text in (("app", when_app), ("doing", when_doing)) if text}
        request = {"do": "fault", "name": name, "args": _pairs(args), "after": after, "count": count, "when": when}
    _print_standing(steer(options.config(), {**request, "serial": serial}), as_json=as_json)
    return 0


@virtual.command()
@click.option("--json", "as_json", is_flag=True, help="The table as JSON.")
def faults(as_json: bool) -> int:
    """List what can go wrong on a virtual phone (`phonectl virtual fault NAME`)."""
    from controller.embedded import fault_table

    rows = fault_table()
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
        return 0
    for row in rows:
        click.echo(f"{row['name']:<22} {row['says']}")
        for key, meaning in row["takes"].items():
            click.echo(f"{'':<22}   {key}=… {meaning}")
    return 0


@virtual.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--to", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Else DIR/map.html.")
def show(folder: Path, to: Path | None) -> int:
    """Draw the map of a captured phone (`phonectl capture`): its screens and what leads from one to the other.

    Writes one HTML page that needs nothing else; open it in a browser.
    """
    from controller.embedded import draw_map

    file = to or folder / "map.html"
    file.write_text(draw_map(folder), encoding="utf-8")
    click.echo(f"{file}")
    return 0


def _pairs(words: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or not key:
            raise UsageError(f"`{word}` is no key=value", hint="for instance title=更新")
        pairs[key] = value
    return pairs


def _print_standing(standing: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(standing, ensure_ascii=False))
        return
    for row in standing:
        words = [f"{key}={value}" for key, value in row["args"].items()]
        words += [f"count={row['count']}"] if row["count"] is not None else []
        words += [f"when {key}: {value}" for key, value in row["when"].items()]
        state = "on" if row["on"] else "waits"
        click.echo(f"{row['serial']}  {row['name']}  {state}  {' '.join(words)}".rstrip())
    if not standing:
        click.echo("no fault is switched on")

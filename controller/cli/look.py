"""Verbs that only look."""

from __future__ import annotations

import json
from pathlib import Path

import click

from controller.cli.context import Options, as_json, front_in_words, session
from controller.errors import UsageError

__all__ = ["current", "devices", "doctor", "observe", "screenshot"]


@click.command()
@as_json
@click.pass_obj
def devices(options: Options, as_json: bool) -> int:
    """List the phones that the adb server knows, and their states."""
    from controller.adb.states import state_name
    from controller.connect import list_devices

    rows = list_devices(options.config())
    if as_json:
        told = [{"serial": row.serial, "state": state_name(row), **row.details} for row in rows]
        click.echo(json.dumps(told, ensure_ascii=False))
        return 0
    if not rows:
        click.echo("no phone is connected")
        click.echo("  → plug one in with USB debugging on, or try `phonectl --device virtual observe`")
        return 0
    width = max(len(row.serial) for row in rows)
    for row in rows:
        click.echo(f"{row.serial:<{width}}  {state_name(row):<14} {row.details.get('model', '')}".rstrip())
    return 0


@click.command()
@as_json
@click.pass_obj
def current(options: Options, as_json: bool) -> int:
    """Say which app and page is in front, and what lies over it."""
    with session(options) as phone:
        front = phone.phone.foreground()
        app = phone.library.app_by_package(front.package) if front.package else None
    if as_json:
        known = {"app": app.id, "display": app.display, "pace": app.pace.value if app.pace else None} if app else {}
        click.echo(json.dumps({**front.as_dict(), **known}, ensure_ascii=False))
        return 0
    name = f"{app.display} " if app else ""
    click.echo(f"{name}{front_in_words(front)}")
    if not front.confident:
        click.echo("  not certain: the phone's answers do not agree or do not say")
    return 0


@click.command()
@click.option(
    "--from", "source", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A saved XML file."
)
@click.option("--boxes", is_flag=True, help="Show where each element is.")
@as_json
@click.pass_obj
def observe(options: Options, source: Path | None, boxes: bool, as_json: bool) -> int:
    """Print the screen as an outline: roles, names, refs to act on.

    With --from FILE.xml it reads a saved hierarchy and needs no phone.
    """
    from controller import looking

    if source is not None:
        seen = looking.from_file(source)
    else:
        with session(options) as phone:
            seen = looking.from_phone(phone)
    click.echo(json.dumps(seen.as_dict(), ensure_ascii=False) if as_json else seen.text(boxes=boxes))
    return 0


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), default=Path("screen.png"))
@as_json
@click.pass_obj
def screenshot(options: Options, file: Path, as_json: bool) -> int:
    """Save a picture of the screen as FILE (screen.png)."""
    from controller import verbs
    from controller.screen.picture import size_of

    if file.suffix.lower() != ".png" or not file.parent.is_dir():
        why = "is no .png file" if file.parent.is_dir() else "lies in a folder that does not exist"
        raise UsageError(f"{file} {why}", hint="name a file such as screen.png in a folder that is there")
    with session(options) as phone:
        png = verbs.screenshot(phone)
    try:
        file.write_bytes(png)
    except OSError as err:
        raise UsageError(f"{file} cannot be written: {err.strerror}", hint="name another file") from err
    width, height = size_of(png)
    told = {"file": str(file), "width": width, "height": height, "bytes": len(png)}
    click.echo(json.dumps(told, ensure_ascii=False) if as_json else f"{file}: {width}×{height}, {len(png)} bytes")
    return 0


@click.command()
@as_json
@click.pass_obj
def doctor(options: Options, as_json: bool) -> int:
    """Try each thing that phonectl needs, for real, and end with one thing to do next."""
    from controller.connect import examine
    from controller.device.doctor import Report

    checks = []
    for check in examine(options.config()):
        checks.append(check)
        if not as_json:
            click.echo(f"{_SIGNS[check.health.value]} {check.name}: {check.found}")
            if check.cure:
                click.echo(f"    → {check.cure}")
    report = Report(tuple(checks))
    if as_json:
        click.echo(json.dumps(report.as_dict(), ensure_ascii=False))
    else:
        click.echo(f"\nnext: {report.next_step}")
    return 0 if report.healthy else 3


# Of `device.doctor.Health`.
_SIGNS = {"ok": "✓", "warn": "!", "fail": "✗", "skipped": "–"}

"""`phonectl capture`: a virtual phone out of a real one."""

from __future__ import annotations

import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.cli.context import Options

if TYPE_CHECKING:
    from controller.capture import Arrow, Film

__all__ = ["capture"]


class _Driven(click.Group):
    """The verb that drives the phone, for a capture of what it does."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return ["run"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from controller.cli.flows import run

        return run if cmd_name == "run" else None


@click.group(cls=_Driven, invoke_without_command=True, subcommand_metavar="[run FILE…]")
@click.option(
    "--to", required=True, metavar="DIR", type=click.Path(file_okay=False, path_type=Path), help="A new folder for it."
)
@click.option("--hide", multiple=True, metavar="TEXT", help="A text to replace everywhere; may be given repeatedly.")
@click.option("--seconds", type=click.FloatRange(min=1), metavar="S", help="Watch so long; else until Ctrl-C.")
@click.pass_context
def capture(ctx: click.Context, to: Path, hide: tuple[str, ...], seconds: float | None) -> int:
    """Make a virtual phone of what is seen and done on a real one.

    \b
    phonectl capture --to DIR                    you drive the phone by hand, phonectl watches
    phonectl capture --to DIR run flow.yaml      a flow drives it (all options of `run`)
    phonectl --device DIR run flow.yaml          then: the same flow on the capture, without the phone
    phonectl virtual show DIR                    and: its map, as a page for the browser

    Each screen is kept with its tree and its picture. Passwords, the texts of --hide and the values that a flow calls
    `secret` are replaced there and painted over. All other texts are kept: names, messages, addresses. Nothing is sent.
    """
    options: Options = ctx.obj
    film = _film(to, hide, options, watches=ctx.invoked_subcommand is None)
    ctx.call_on_close(lambda: _tell(film, to, hide))
    if ctx.invoked_subcommand is not None:
        ctx.obj = replace(options, film=film)
        return 0
    return _watch(options, film, seconds)


def _film(to: Path, hide: tuple[str, ...], options: Options, *, watches: bool) -> Film:
    from controller.capture import CaptureFolder, Film

    told = _say if watches and not options.quiet else None
    return Film(CaptureFolder(to), hidden=hide, eager=watches, told=told)


def _watch(options: Options, film: Film, seconds: float | None) -> int:
    from controller.capture import FilmedPhone
    from controller.capture.watching import open_hands, watch
    from controller.cli.progress import Lines
    from controller.connect import connect

    stop = threading.Event()
    before = [(number, signal.signal(number, lambda *_: stop.set())) for number in (signal.SIGINT, signal.SIGTERM)]
    session = connect(options.config(), progress=Lines(quiet=True), film=film)
    try:
        phone, clock = session.phone, session.clock
        assert isinstance(phone, FilmedPhone)
        ends = None if seconds is None else clock.now() + seconds
        with open_hands(phone.device, clock) as hands:
            film.recorder.sees_actions = hands is not None
            if not options.quiet:
                click.echo(f"watching {phone.serial}; use the phone now, Ctrl-C ends", err=True)
                if hands is None:
                    click.echo("  adb may not read its touches: what leads on is written as `unknown action`", err=True)
            watch(phone, hands, until=lambda: stop.is_set() or (ends is not None and clock.now() >= ends))
    finally:
        session.close()
        for number, handler in before:
            signal.signal(number, handler)
    return 0


def _say(arrow: Arrow) -> None:
    deed = arrow.deed
    what = " ".join(part for part in (str(deed.kind), f"“{arrow.element}”" if arrow.element else "") if part)
    click.echo(f"  {arrow.source}  {what} → {arrow.target}", err=True)


def _tell(film: Film, to: Path, hide: tuple[str, ...]) -> None:
    screens, arrows = film.recorder.screens, film.recorder.arrows
    if not screens:
        return
    lead = sum(1 for arrow in arrows if arrow.source != arrow.target)
    click.echo(f"captured {len(screens)} screens and {lead} ways between them in {to}", err=True)
    missing = [screen for screen in screens if not screen.shot.png]
    for screen in missing:
        click.echo(f"  {screen.id} has no picture: {screen.shot.note}", err=True)
    hidden = f", the texts of --hide ({len(hide)})" if hide else ""
    click.echo("  kept there: every text and picture of these screens, and the phone's model", err=True)
    click.echo(
        f"  left out: passwords, secrets of flows{hidden}, the phone's serial; nothing was sent anywhere", err=True
    )
    click.echo("  a text that an app only paints cannot be found: look at the pictures before giving it away", err=True)
    click.echo(f"  → phonectl --device {to} observe     → phonectl virtual show {to}", err=True)

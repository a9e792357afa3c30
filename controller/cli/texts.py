"""Verbs over text files: no phone is needed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from controller.cli.context import Options, as_json, front_in_words, session

__all__ = ["foreground"]


@click.command()
@click.option(
    "--from", "source", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path), metavar="FILE",
    help="Text pasted from a bug report, or JSON Lines with id, command, output, sdk.",
)  # fmt: skip
@as_json
@click.pass_obj
def foreground(options: Options, source: Path | None, as_json: bool) -> int:
    """Say which app is in front: on the phone, or in dumpsys text saved as FILE.

    One answer a line, in the order of the file.
    """
    from controller.screen.dumpsys import Foreground, parse_report

    answers: list[tuple[str | int | None, Foreground]]
    if source is None:
        with session(options) as phone:
            front = phone.phone.foreground()
        answers = [(None, front)]
    else:
        text = sys.stdin.read() if str(source) == "-" else _read(source)
        answers = parse_report(text)
    for name, answer in answers:
        told = {**({"id": name} if name is not None else {}), **answer.as_dict()}
        if as_json:
            click.echo(json.dumps(told, ensure_ascii=False))
        else:
            sure = "" if answer.confident else " (not certain)"
            click.echo(f"{'' if name is None else f'{name}: '}{front_in_words(answer)}{sure}")
    return 0


def _read(source: Path) -> str:
    # Bug reports hold what a terminal showed, in whatever encoding: a wrong byte must not hide the rest.
    return source.read_bytes().decode("utf-8", errors="replace")

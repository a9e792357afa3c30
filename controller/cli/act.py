"""Verbs that act: each one is one call of `controller.verbs`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from controller.cli.context import Options, as_json, finish, session
from controller.errors import UsageError

if TYPE_CHECKING:
    from controller.targets import Target

__all__ = ["long_press", "open", "press", "scroll", "swipe", "tap", "type"]

# `scheme:rest`; an app is called by its id, name or package, and `app:bilibili` is how documents name one.
_URI = re.compile(r"(?!app:)[A-Za-z][A-Za-z0-9+.-]*:\S")

_target_options = [
    click.argument("ref", required=False),
    click.option("--text", metavar="RE", help="Text, description or hint; a regular expression over the whole of it."),
    click.option("--id", "id_", metavar="RE", help="Resource id, with or without its package."),
    click.option("--at", metavar="X,Y", help="A point in pixels, or in percent of the screen: 50%,30%."),
    click.option("--index", type=click.IntRange(0), metavar="N", help="Which match, from 0 in reading order."),
]


def _with_target(command: Callable[..., int]) -> Callable[..., int]:
    for option in reversed(_target_options):
        command = option(command)
    return command


@click.command()
@_with_target
@click.option("--outward", metavar="WORD", help="The tap sends something into the world: send, submit, pay …")
@as_json
@click.pass_obj
def tap(
    options: Options,
    ref: str | None,
    text: str | None,
    id_: str | None,
    at: str | None,
    index: int | None,
    outward: str | None,
    as_json: bool,
) -> int:
    """Tap one element: `tap e12`, `tap --text 搜索`, `tap --id search_box`, `tap --at 540,1200`.

    Refs are those of the last `observe`. Several matches are refused; nothing is tapped then.
    """
    from controller import verbs

    target = _target(ref, text, id_, at, index)
    with session(options) as phone:
        return finish(verbs.tap(phone, target, outward=outward, unique=True), as_json)


@click.command("long-press")
@_with_target
@click.option("--seconds", type=click.FloatRange(0.3, 10), default=0.8, show_default=True, help="How long.")
@as_json
@click.pass_obj
def long_press(
    options: Options,
    ref: str | None,
    text: str | None,
    id_: str | None,
    at: str | None,
    index: int | None,
    seconds: float,
    as_json: bool,
) -> int:
    """Press one element for a while; it is named as for `tap`."""
    from controller import verbs

    target = _target(ref, text, id_, at, index)
    with session(options) as phone:
        return finish(verbs.long_press(phone, target, hold_s=seconds, unique=True), as_json)


@click.command("type")
@click.argument("text")
@click.option("--into", metavar="REF|RE", help="The field: a ref, or its text or hint. It is tapped first.")
@click.option("--secret", is_flag=True, help="Do not show the text anywhere.")
@as_json
@click.pass_obj
def type(options: Options, text: str, into: str | None, secret: bool, as_json: bool) -> int:
    """Type TEXT into the focused field and read it back."""
    from controller import verbs
    from controller.targets import ref_or_text

    target = ref_or_text(into) if into is not None else None
    with session(options) as phone:
        return finish(verbs.type_text(phone, text, into=target, secret=secret, unique=True), as_json)


@click.command()
@click.argument("key")
@as_json
@click.pass_obj
def press(options: Options, key: str, as_json: bool) -> int:
    """Press a KEY: back, home, enter, delete, tab, volume_up, recents … or an Android key code."""
    from controller import verbs

    with session(options) as phone:
        return finish(verbs.press(phone, key), as_json)


@click.command()
@click.argument("start", metavar="X1,Y1")
@click.argument("end", metavar="X2,Y2")
@click.option("--seconds", type=click.FloatRange(0.05, 10), default=0.4, show_default=True, help="How long it takes.")
@as_json
@click.pass_obj
def swipe(options: Options, start: str, end: str, seconds: float, as_json: bool) -> int:
    """Swipe from one point to another, in pixels or percent: `swipe 50%,80% 50%,20%`."""
    from controller import verbs
    from controller.targets import parse_point

    line = parse_point(start), parse_point(end)
    with session(options) as phone:
        return finish(verbs.swipe(phone, *line, duration_s=seconds), as_json)


@click.command()
@click.argument("direction", type=click.Choice(["down", "up", "left", "right"]), default="down")
@as_json
@click.pass_obj
def scroll(options: Options, direction: str, as_json: bool) -> int:
    """Scroll the screen: `scroll down` shows what lies below."""
    from controller import verbs
    from controller.screen.touch import Direction

    with session(options) as phone:
        return finish(verbs.scroll(phone, Direction(direction)), as_json)


@click.command("open")
@click.argument("app")
@click.argument("title", required=False)
@click.argument("values", nargs=-1, metavar="[key=value …]")
@as_json
@click.pass_obj
def open(options: Options, app: str, title: str | None, values: tuple[str, ...], as_json: bool) -> int:
    """Open an APP, one of its pages by TITLE, or a URI.

    \b
    phonectl open bilibili                     the app
    phonectl open bilibili 首页                 a page by its name (see `phonectl links bilibili`)
    phonectl open bilibili 搜索 keyword=猫咖     a page with values
    phonectl open https://example.com/         a URI, in whatever app handles it
    """
    from controller import verbs

    if _URI.match(app):
        if title is not None:
            raise UsageError("a URI takes no title", hint="write `phonectl open URI`")
        with session(options) as phone:
            return finish(verbs.open_uri(phone, app), as_json)
    args = _values(values)
    with session(options) as phone:
        if title is None:
            return finish(verbs.open_app(phone, app), as_json)
        return finish(verbs.open_link(phone, app, title, args), as_json)


def _target(ref: str | None, text: str | None, id_: str | None, at: str | None, index: int | None) -> Target:
    from controller.targets import one_target, parse_point

    return one_target(ref, text=text, id=id_, index=index, at=parse_point(at) if at is not None else None)


def _values(words: tuple[str, ...]) -> dict[str, str]:
    args: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise UsageError(f"{word!r} is not key=value", hint="write for instance keyword=猫咖")
        if key in args:
            raise UsageError(f"{key} is given twice")
        args[key] = value
    return args

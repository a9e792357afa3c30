"""Verbs that find and read knowledge and skills. What they answer with --json is what the tools answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from controller.cli.context import Options, as_json

if TYPE_CHECKING:
    from controller.library.shelf import Hit, Reading, Shelf

__all__ = ["account_and_task", "knowledge_read", "knowledge_search", "shelf_of", "skill_read", "skill_search"]


def account_and_task(command: Any) -> Any:
    """The options that say for whom skills are on or off."""
    command = click.option("--task", metavar="T", help="What holds in one task only.")(command)
    return click.option("--account", metavar="A", help="Whose choice of skills; `default` without it.")(command)


@contextmanager
def shelf_of(options: Options, account: str | None = None, task: str | None = None) -> Iterator[Shelf]:
    """The shelf that the options name, closed at the end."""
    from controller.connect import open_shelf

    shelf = open_shelf(options.config(), account=account, task=task)
    try:
        yield shelf
    finally:
        shelf.close()


@click.command()
@click.argument("query")
@click.option("--kind", type=click.Choice(["app", "site"]), help="Only apps, or only sites.")
@as_json
@click.pass_obj
def knowledge_search(options: Options, query: str, kind: str | None, as_json: bool) -> int:
    """Find apps and sites by name, alias, pinyin, initials, or by what they are for: at most ten."""
    with shelf_of(options) as shelf:
        return _print_hits(shelf.knowledge_search(query, kind), as_json=as_json)


@click.command()
@click.argument("query")
@account_and_task
@as_json
@click.pass_obj
def skill_search(options: Options, query: str, account: str | None, task: str | None, as_json: bool) -> int:
    """Find skills that are on, built-in and personal ones together: at most ten."""
    with shelf_of(options, account, task) as shelf:
        return _print_hits(shelf.skill_search(query), as_json=as_json)


def _print_hits(hits: Sequence[Hit], *, as_json: bool) -> int:
    if as_json:
        click.echo(json.dumps([hit.as_dict() for hit in hits], ensure_ascii=False))
        return 0
    for hit in hits:
        click.echo(f"{hit.reference}  {hit.display}: {hit.description}")
    if not hits:
        click.echo("nothing found", err=True)
    return 0


@click.command()
@click.argument("name")
@click.argument("file_path", required=False, metavar="[FILE]")
@as_json
@click.pass_obj
def knowledge_read(options: Options, name: str, file_path: str | None, as_json: bool) -> int:
    """Read what is known of NAME (app:ID, site:DOMAIN or any of its names), or a FILE of its references/."""
    with shelf_of(options) as shelf:
        return _print_reading(shelf.knowledge_read(name, file_path), as_json=as_json)


@click.command()
@click.argument("name")
@click.argument("file_path", required=False, metavar="[FILE]")
@account_and_task
@as_json
@click.pass_obj
def skill_read(
    options: Options, name: str, file_path: str | None, account: str | None, task: str | None, as_json: bool
) -> int:
    """Read the skill NAME (skill:ID, personal:ID or any of its names), or a FILE beside it."""
    with shelf_of(options, account, task) as shelf:
        return _print_reading(shelf.skill_read(name, file_path), as_json=as_json)


def _print_reading(reading: Reading, *, as_json: bool) -> int:
    if as_json:
        click.echo(json.dumps(reading.as_dict(), ensure_ascii=False))
        return 0
    click.echo(reading.content)
    for title, names in (
        ("links", [str(link["title"]) for link in reading.links]),
        ("attachments", list(reading.attachments)),
        ("scripts", [str(script["name"]) for script in reading.scripts]),
        ("commands", [str(command["name"]) for command in reading.commands]),
    ):
        if names:
            click.echo(f"{title}: {', '.join(names)}", err=True)
    return 0

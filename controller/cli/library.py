"""Verbs over knowledge: links and lint."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli.context import Options, as_json, library_of

if TYPE_CHECKING:
    from controller.library.app import App, AppLink

__all__ = ["links", "lint"]


@click.command()
@click.argument("app", required=False)
@as_json
@click.pass_obj
def links(options: Options, app: str | None, as_json: bool) -> int:
    """List the pages that can be opened by name, of one APP or of all."""
    library = library_of(options)
    chosen = (library.app(app),) if app else library.apps
    if as_json:
        rows = [_link_row(each, link) for each in chosen for link in each.links]
        click.echo(json.dumps(rows, ensure_ascii=False))
        return 0
    if app and not chosen[0].links:
        click.echo(f"{chosen[0].display} ({chosen[0].id}) has no links; `phonectl open {chosen[0].id}` opens the app")
    for each in chosen:
        if each.links:
            click.echo(f"{each.display} ({each.id})")
        for link in each.links:
            values = "".join(f" {name}=…" for name in link.parameters)
            click.echo(f"  {link.title}{values}{'  pays' if link.pays else ''}")
    return 0


def _link_row(app: App, link: AppLink) -> dict[str, Any]:
    return {
        "app": app.id,
        "title": link.title,
        "uri": link.uri,
        "package": link.package,
        "values": list(link.parameters),
        "pays": link.pays,
    }


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json", "github", "sarif"]), default="text")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--fix", "fixing", is_flag=True, help="Repair what is mechanical, and check again.")
def lint(paths: tuple[Path, ...], form: str, as_json: bool, fixing: bool) -> int:
    """Check documents of knowledge, skills and virtual phones: every finding with file, line and column.

    Without PATHS everything that is built in is checked. Ends with 1 when there are errors.
    """
    from controller.cli.checks import builtin_paths, check
    from controller.library import formats
    from controller.library.findings import has_errors
    from controller.library.lint import fix

    chosen = paths or builtin_paths()
    if fixing:
        click.echo(f"repaired: {len(fix(path for path in chosen if path.suffix != '.yaml'))}", err=True)
    findings = check(chosen)
    click.echo(getattr(formats, f"as_{'json' if as_json else form}")(findings))
    return 1 if has_errors(findings) else 0

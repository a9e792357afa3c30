"""Verbs over knowledge: links and lint."""

from __future__ import annotations

import json
from pathlib import Path

import click

from controller.cli.context import Options, as_json, library_of

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
        rows = [
            {
                "app": each.id,
                "title": link.title,
                "uri": link.uri,
                "package": link.package,
                "values": list(link.parameters),
                "pays": link.pays,
            }
            for each in chosen
            for link in each.links
        ]
        click.echo(json.dumps(rows, ensure_ascii=False))
        return 0
    for each in chosen:
        if not each.links:
            if app:
                click.echo(f"{each.display} ({each.id}) has no links; `phonectl open {each.id}` opens the app")
            continue
        click.echo(f"{each.display} ({each.id})")
        for link in each.links:
            values = "".join(f" {name}=…" for name in link.parameters)
            pays = "  pays" if link.pays else ""
            click.echo(f"  {link.title}{values}{pays}")
    return 0


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

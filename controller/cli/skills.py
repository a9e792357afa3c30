"""Verbs over skills as a collection, and over the folders that documents come from."""

from __future__ import annotations

import json
from pathlib import Path

import click

from controller.cli.context import Options, as_json
from controller.cli.shelf import account_and_task, shelf_of

__all__ = ["library", "skills"]


@click.group()
def skills() -> None:
    """List, switch, reload, install and sync skills."""


@skills.command("list")
@click.option("--all", "all_of_them", is_flag=True, help="Also the ones that are switched off.")
@click.option("--prompt", is_flag=True, help="As it is told to a model.")
@account_and_task
@as_json
@click.pass_obj
def list_skills(
    options: Options, all_of_them: bool, prompt: bool, account: str | None, task: str | None, as_json: bool
) -> int:
    """List the skills that are on."""
    with shelf_of(options, account, task) as shelf:
        if prompt:
            click.echo(shelf.skills_prompt())
            return 0
        rows = shelf.skills(all_of_them=all_of_them)
    if as_json:
        click.echo(json.dumps([row.as_dict() for row in rows], ensure_ascii=False))
        return 0
    for row in rows:
        marks = f"{'' if row.enabled else ' [off]'}{'' if row.trusted else ' [not trusted]'}"
        click.echo(f"{row.reference}{marks}  {row.display}: {row.description}")
    return 0


@skills.command("call")
@click.argument("name")
@click.argument("args", nargs=-1)
@account_and_task
@click.pass_obj
def call(options: Options, name: str, args: tuple[str, ...], account: str | None, task: str | None) -> int:
    """Print what joins the conversation when the skill NAME is called with ARGS."""
    with shelf_of(options, account, task) as shelf:
        click.echo(shelf.skill_prompt(name, " ".join(args)))
    return 0


def _switch(
    options: Options, names: tuple[str, ...], *, every: bool, on: bool, account: str | None, task: str | None
) -> int:
    if bool(names) == every:
        raise click.UsageError("name skills, or say --all")
    word = "on" if on else "off"
    with shelf_of(options, account, task) as shelf:
        if every:
            shelf.set_all_skills_enabled(on)
            click.echo(f"all skills: {word}")
        for name in names:
            click.echo(f"{shelf.set_skill_enabled(name, on)}: {word}")
    return 0


@skills.command("enable")
@click.argument("names", nargs=-1)
@click.option("--all", "every", is_flag=True, help="All skills.")
@account_and_task
@click.pass_obj
def enable(options: Options, names: tuple[str, ...], every: bool, account: str | None, task: str | None) -> int:
    """Switch skills on."""
    return _switch(options, names, every=every, on=True, account=account, task=task)


@skills.command("disable")
@click.argument("names", nargs=-1)
@click.option("--all", "every", is_flag=True, help="All skills.")
@account_and_task
@click.pass_obj
def disable(options: Options, names: tuple[str, ...], every: bool, account: str | None, task: str | None) -> int:
    """Switch skills off: they are in no list, search or prompt."""
    return _switch(options, names, every=every, on=False, account=account, task=task)


@skills.command("reload")
@as_json
@click.pass_obj
def reload_skills(options: Options, as_json: bool) -> int:
    """Look at the folders of skills again."""
    with shelf_of(options) as shelf:
        answer = shelf.reload_skills()
    if as_json:
        click.echo(json.dumps(answer.as_dict(), ensure_ascii=False))
        return 0
    click.echo(f"{answer.count} skills in {', '.join(answer.folders)}")
    return 0


@skills.command("install")
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Replace a skill of the same name.")
@as_json
@click.pass_obj
def install(options: Options, source: Path, replace: bool, as_json: bool) -> int:
    """Take a skill from a folder or a zip file into your own; it is checked before anything is written."""
    with shelf_of(options) as shelf:
        done = shelf.install_skill(source, replace=replace)
    if as_json:
        answer = {
            "reference": done.reference,
            "path": done.path,
            "files": list(done.files),
            "replaced": done.replaced,
            "findings": [finding.as_dict() for finding in done.findings],
        }
        click.echo(json.dumps(answer, ensure_ascii=False))
        return 0
    click.echo(f"{done.reference}: {done.path}{' (replaced)' if done.replaced else ''}")
    for finding in done.findings:
        click.echo(f"  {finding.path}:{finding.line}:{finding.column}: {finding.message}", err=True)
    return 0


@skills.command("sync")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@as_json
@click.pass_obj
def sync_skills(options: Options, folder: Path | None, as_json: bool) -> int:
    """Bring FOLDER, by default your own skills, forward to its git origin, or change nothing."""
    with shelf_of(options) as shelf:
        synced, again = shelf.sync_skills_from_git(folder)
    if as_json:
        answer = {
            "folder": synced.folder,
            "branch": synced.branch,
            "before": synced.before,
            "after": synced.after,
            "files": list(synced.files),
            **{key: again.as_dict()[key] for key in ("count", "added", "removed")},
        }
        click.echo(json.dumps(answer, ensure_ascii=False))
        return 0
    changed = f"{len(synced.files)} files changed" if synced.files else "up to date"
    click.echo(f"{synced.folder} ({synced.branch}): {changed}; {again.count} skills")
    return 0


@click.group()
def library() -> None:
    """Show where documents come from, and trust a project's."""


@library.command("roots")
@as_json
@click.pass_obj
def roots(options: Options, as_json: bool) -> int:
    """List the folders that documents come from, the one that serves first at the top."""
    from controller.connect import library_roots, open_library

    found = library_roots(options.config())
    loaded = open_library(options.config())
    if as_json:
        answer = {
            "roots": [
                {"path": str(root.path), "origin": root.origin, "trusted": root.trusted, "exists": root.path.is_dir()}
                for root in found
            ],
            "shadowed": [{"reference": e.reference, "path": e.path, "by": e.by} for e in loaded.shadowed],
            "unreadable": [{"path": e.path, "reason": e.reason} for e in loaded.unreadable],
            "untrusted": [
                {"reference": e.reference, "display": e.display, "description": e.description, "path": e.path}
                for e in loaded.untrusted
            ],
        }
        click.echo(json.dumps(answer, ensure_ascii=False))
        return 0
    for root in found:
        notes = f"{root.origin}{'' if root.trusted else ', not trusted'}{'' if root.path.is_dir() else ', not there'}"
        click.echo(f"{root.path}  ({notes})")
    for entry in loaded.untrusted:
        click.echo(f"not trusted: {entry.reference}  {entry.display}: {entry.description}")
    for shadowed in loaded.shadowed:
        click.echo(f"shadowed: {shadowed.reference} in {shadowed.path}, by {shadowed.by}")
    for unreadable in loaded.unreadable:
        click.echo(f"cannot be read: {unreadable.path}: {unreadable.reason}")
    return 0


@library.command("trust")
@click.argument("project", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.pass_obj
def trust(options: Options, project: Path) -> int:
    """Read the documents below PROJECT/.agents from now on."""
    from controller.config import data_folder
    from controller.library.roots import Trust

    new = Trust(data_folder(options.config())).add(project)
    click.echo(f"{project.resolve()}: {'trusted' if new else 'was trusted already'}")
    return 0


@library.command("untrust")
@click.argument("project", type=click.Path(path_type=Path))
@click.pass_obj
def untrust(options: Options, project: Path) -> int:
    """Read the documents below PROJECT/.agents no longer."""
    from controller.config import data_folder
    from controller.library.roots import Trust

    was = Trust(data_folder(options.config())).remove(project)
    click.echo(f"{project.resolve()}: {'no longer trusted' if was else 'was not trusted'}")
    return 0

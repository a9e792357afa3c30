"""Verbs over flow files: `run` and `check`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli.context import Options, as_json, library_of, session
from controller.errors import FlowError, PhonectlError, UsageError

if TYPE_CHECKING:
    from controller.device.phone import Phone
    from controller.flow.check import Checked
    from controller.flow.runner import RunResult
    from controller.library.catalog import Library
    from controller.report.run import Run

__all__ = ["check", "run"]

_env_option = click.option("-e", "--env", "env", multiple=True, metavar="K=V", help="A variable of the flow.")


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@_env_option
@as_json
@click.pass_obj
def check(options: Options, files: tuple[str, ...], env: tuple[str, ...], as_json: bool) -> int:
    """Check flow files without a phone: every error at once, each with file, line and column."""
    checked, findings = _check(files, env, library_of(options))
    if as_json:
        click.echo(json.dumps({"ok": not findings, "findings": findings}, ensure_ascii=False))
        return 2 if findings else 0
    for finding in findings:
        click.echo(f"{finding['file']}:{finding['line']}:{finding['column']}: {finding['message']} [{finding['code']}]")
        if finding.get("fix"):
            click.echo(f"    → {finding['fix']}")
    for flow in checked:
        for warning in flow.warnings:
            click.echo(f"{warning}")
        click.echo(f"{flow.flow.path}: ok, {len(flow.flow.steps)} steps")
    return 2 if findings else 0


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@_env_option
@click.option("-d", "--device", metavar="D", help="As before the verb.")
@click.option("--speed", type=click.Choice(["careful", "fast"]), help="As before the verb.")
@click.option("--report", type=click.Path(file_okay=False, path_type=Path), help="The run folder (runs/NAME-TIME).")
@click.option("--continue-on-failure", is_flag=True, help="Run the remaining files after one has failed.")
@as_json
@click.pass_obj
def run(
    options: Options,
    files: tuple[str, ...],
    env: tuple[str, ...],
    device: str | None,
    speed: str | None,
    report: Path | None,
    continue_on_failure: bool,
    as_json: bool,
) -> int:
    """Run flow files one after the other and write a report of each.

    Every file is checked before the phone is touched. `demo` names the flow that comes with phonectl.
    """
    options = replace(options, device=device or options.device, speed=speed or options.speed)
    checked, findings = _check(files, env, library_of(options))
    if findings:
        count = "1 error" if len(findings) == 1 else f"{len(findings)} errors"
        raise FlowError(f"{count} in what was to be run; nothing was sent to a phone", findings=findings)
    worst = 0
    for flow in checked:
        result = _run_one(options, flow, report, several=len(checked) > 1, as_json=as_json)
        worst = worst or result.exit_code
        if result.exit_code and not continue_on_failure:
            break
    return worst


def _check(
    files: tuple[str, ...], env: tuple[str, ...], library: Library
) -> tuple[list[Checked], list[dict[str, Any]]]:
    from controller.flow.check import check_flow
    from controller.flow.examples import find_flow

    given = _env(env)
    checked: list[Checked] = []
    findings: list[dict[str, Any]] = []
    for name in files:
        try:
            checked.append(check_flow(find_flow(name), env=given, library=library))
        except FlowError as err:
            findings += err.details.get("findings") or [
                {"file": name, "line": 1, "column": 1, "code": err.code, "message": err.message, "fix": err.hint}
            ]
    return checked, findings


def _env(words: tuple[str, ...]) -> dict[str, str]:
    given: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise UsageError(f"-e {word!r} is not NAME=VALUE", hint="write for instance -e KEYWORD=猫咖")
        given[name] = value
    return given


def _run_one(options: Options, flow: Checked, report: Path | None, *, several: bool, as_json: bool) -> RunResult:
    from controller.cli.progress import Steps
    from controller.clock import SystemClock
    from controller.flow.runner import run_flow
    from controller.trace import FileTrace

    clock = SystemClock()
    folder = _folder(report, flow, clock.wall(), several=several)
    with FileTrace(folder, clock) as trace:
        if options.film is not None:
            options.film.hide_also(lambda: trace.redaction.values)
        with session(options, trace=trace, indent="      ") as opened:
            about = _about(opened.phone)
            if not options.quiet:
                click.echo(f"{flow.flow.name} on {about}", err=True)
            steps = Steps(quiet=options.quiet)
            result = run_flow(opened, flow, report_dir=folder, progress=steps, environment=_environment(about))
    if as_json:
        click.echo((folder / "result.json").read_text(encoding="utf-8").strip())
    else:
        _table(result, folder, options)
    return result


def _about(phone: Phone) -> str:
    facts = phone.facts
    return f"{facts.maker} {facts.model}, Android {facts.release} ({phone.serial})".strip()


def _environment(about: str) -> dict[str, str]:
    import platform
    from importlib.metadata import version

    return {"about": about, "phonectl": version("phonectl"), "system": f"Python {platform.python_version()}"}


def _folder(report: Path | None, flow: Checked, wall: float, *, several: bool) -> Path:
    import re
    from datetime import datetime

    name = re.sub(r"[^\w.-]+", "-", flow.flow.name or Path(flow.flow.path).stem).strip("-") or "flow"
    if report is not None:
        return report / name if several else report
    stamp = datetime.fromtimestamp(wall).strftime("%Y%m%d-%H%M%S")
    return Path("runs") / f"{name}-{stamp}"


def _table(result: RunResult, folder: Path, options: Options) -> None:
    _print_steps(result.run)
    _print_totals(result.run)
    click.echo(f"report: {folder / 'report.html'}")
    _tell_end(result.error)
    if options.device == "virtual":
        click.echo(
            f"\nThe same on your own phone (plugged in, USB debugging on): phonectl run {_again(result.run.file)}"
        )


def _print_steps(run: Run) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{run.name}: {run.status}", title_justify="left", show_edge=False, pad_edge=False)
    for column in ("step", "what", "status", "waited", "phone", "new screens"):
        table.add_column(column, justify="left" if column in ("what", "status") else "right")
    for step in run.steps:
        if step.composite:
            continue
        wait = f"{step.pace_s + step.pause_s:.1f} s" if step.waits else ""
        work = f"{max(0.0, step.duration_s - step.pace_s - step.pause_s):.1f} s"
        table.add_row(str(step.number), step.title, step.status, wait, work, str(step.new_screens or ""))
    Console().print(table)


def _print_totals(run: Run) -> None:
    totals = f"{run.step_count} steps in {run.duration_s:.1f} s: {run.pace_s:.1f} s pace"
    totals += f", {run.pause_s:.1f} s pauses" if run.pause_s else ""
    click.echo(f"{totals}, {run.work_s:.1f} s phone and looking")
    for use in run.budgets:
        click.echo(f"new screens in {use.app}: {use.used} of {use.limit}" + (" (lifted)" if use.lifted else ""))


def _tell_end(error: BaseException | None) -> None:
    match error:
        case None:
            return
        case PhonectlError():
            click.echo(f"ended by: {error.message} [{error.code}]", err=True)
            if error.hint:
                click.echo(f"  → {error.hint}", err=True)
        case KeyboardInterrupt():
            click.echo("ended by: Ctrl-C", err=True)
        case _:
            click.echo(f"ended by: {error!r}", err=True)


def _again(file: str) -> str:
    from controller.flow.examples import name_of_example

    return name_of_example(file) or file

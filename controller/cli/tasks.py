"""`phonectl task`: the task that budgets are counted in, for a person."""

from __future__ import annotations

import json
from collections.abc import Callable

import click

from controller.cli.context import Options, as_json
from controller.clock import SystemClock
from controller.pace import Speed
from controller.task import Draft, Task

__all__ = ["task"]


@click.group()
def task() -> None:
    """Show, start, continue or end the phone's task.

    New screens of apps with a careful pace are counted in a task. One is begun when none is open.
    """


@task.command()
@click.argument("label", default="")
@click.option("--max-new-screens", type=click.IntRange(1), metavar="N", help="A lower limit than the app's own.")
@click.option("--speed", type=click.Choice(["careful", "fast"]), help="The speed of this task.")
@as_json
@click.pass_obj
def start(options: Options, label: str, max_new_screens: int | None, speed: str | None, as_json: bool) -> int:
    """Begin a new task; the one before it ends."""

    def begin(draft: Draft) -> Task:
        chosen = Speed(speed) if speed else None
        return draft.begin(SystemClock(), label=label, max_new_screens=max_new_screens, speed=chosen)

    return _change(options, as_json, begin)


@task.command()
@as_json
@click.pass_obj
def show(options: Options, as_json: bool) -> int:
    """Show the open task and what is left of its budgets."""
    return _change(options, as_json, lambda draft: draft.current(SystemClock()))


@task.command("continue")
@as_json
@click.pass_obj
def continue_(options: Options, as_json: bool) -> int:
    """Say yes to go on: every budget of the task starts again at 0."""
    return _change(options, as_json, lambda draft: draft.renew(draft.current(SystemClock()).id))


@task.command()
@as_json
@click.pass_obj
def end(options: Options, as_json: bool) -> int:
    """End the open task."""
    return _change(options, as_json, lambda draft: draft.end(SystemClock()) or Task("none", 0.0))


def _change(options: Options, as_json: bool, change: Callable[[Draft], Task]) -> int:
    from controller.connect import open_tasks

    with open_tasks(options.config()).edit() as draft:
        changed = change(draft)
    _print(changed, as_json)
    return 0


def _print(task: Task, as_json: bool) -> None:
    budgets = {app: task.budget(app) for app in task.budgets}
    if as_json:
        told = {
            app: {"used": budget.counted, "limit": budget.limit, "lifted": budget.lifted}
            for app, budget in budgets.items()
        }
        speed = task.speed.value if task.speed else None
        answer = {"task": task.id, "label": task.label, "open": task.ended is None, "speed": speed, "budgets": told}
        click.echo(json.dumps(answer, ensure_ascii=False))
        return
    if task.id == "none":
        click.echo("no task was open")
        return
    state = "open" if task.ended is None else "ended"
    click.echo(f"task {task.id} {task.label} ({state})".replace("  ", " "))
    for app, budget in budgets.items():
        left = "no budget any more: an outward action succeeded" if budget.lifted else f"{budget.left} left"
        click.echo(f"  {app}: {budget.counted} of {budget.limit} new screens, {left}")
    if not budgets:
        click.echo("  no new screens yet")

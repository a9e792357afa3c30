"""The `phonectl` command: its help, its options, and the one place where errors become words and an exit status."""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from pathlib import Path

import click

from controller.cli.context import Options
from controller.errors import PhonectlError

__all__ = ["cli", "main"]

# Verb: module and one line of help. Modules are imported when their verb is used, so that `--help` answers at once.
SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Look": {
        "devices": ("look", "List the phones that adb knows."),
        "current": ("look", "Say which app and page is in front."),
        "observe": ("look", "Print the screen as an outline with refs."),
        "screenshot": ("look", "Save a picture of the screen."),
        "doctor": ("look", "Try everything phonectl needs and say the next step."),
    },
    "Act": {
        "tap": ("act", "Tap an element by ref, text, id or point."),
        "long-press": ("act", "Press an element for a while."),
        "type": ("act", "Type text into a field."),
        "press": ("act", "Press a key: back, home, enter …"),
        "swipe": ("act", "Swipe from one point to another."),
        "scroll": ("act", "Scroll the screen up, down, left or right."),
        "open": ("act", "Open an app, or one of its pages by name."),
        "links": ("library", "List the pages that can be opened by name."),
    },
    "Run": {
        "run": ("flows", "Run flow files and write a report."),
        "check": ("flows", "Check flow files without a phone."),
        "capture": ("capture", "Make a virtual phone of what is done on a real one."),
        "task": ("tasks", "Show, start, continue or end the phone's task."),
    },
    "Knowledge": {
        "knowledge-search": ("shelf", "Find apps and sites by name or purpose."),
        "knowledge-read": ("shelf", "Read what is known of an app or a site."),
        "skill-search": ("shelf", "Find skills by name or purpose."),
        "skill-read": ("shelf", "Read a skill."),
        "skills": ("skills", "List, switch, install, reload and sync skills."),
        "library": ("skills", "Show where documents come from; trust a project."),
    },
    "Files": {
        "foreground": ("texts", "Read the front app out of dumpsys text."),
        "lint": ("library", "Check knowledge, skills and virtual phones."),
    },
    "Without a phone": {
        "virtual": ("virtual", "Start the embedded virtual phone."),
    },
}

EPILOG = """\b
First steps:
  phonectl doctor                        what is there, and what to do next
  phonectl observe                       the screen as text, with refs e1, e2 …
  phonectl tap e12                       tap one of them
  phonectl open bilibili 首页             open a page by its name
  phonectl --device virtual run demo     the whole of it, without a phone

\b
Environment:
  ANDROID_SERIAL               the phone, where --device is not given
  ANDROID_ADB_SERVER_ADDRESS   host of the adb server (127.0.0.1)
  ANDROID_ADB_SERVER_PORT      its port (5037)
  PHONECTL_HOME                where tasks, budgets, own knowledge and skills are kept
  PHONECTL_LIBRARY             a folder of own knowledge, before the built-in one

\b
Exit status: 0 done, 1 a step failed, 2 wrong usage or file, 3 no usable phone, 4 timed out,
5 refused, 6 internal error, 7 budget of new screens spent, 130 interrupted.
"""


class Verbs(click.Group):
    """A group that imports a verb's module when the verb is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for section in SECTIONS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        for section in SECTIONS.values():
            if cmd_name in section:
                module = importlib.import_module(f"controller.cli.{section[cmd_name][0]}")
                command: click.Command = getattr(module, cmd_name.replace("-", "_"))
                return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            ctx.fail(f"no such verb: {args[0]!r}.{_nearest(args[0], self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, verbs in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, text) for name, (_, text) in verbs.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        for paragraph in EPILOG.split("\n\n"):
            formatter.write(paragraph.replace("\b\n", "") + "\n\n")


def _nearest(word: str, words: list[str]) -> str:
    import difflib

    near = difflib.get_close_matches(word, words, n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="phonectl", prog_name="phonectl")
@click.option(
    "-d", "--device", metavar="D", help="A serial, a profile (usb, virtual, a YAML file), or a captured phone's folder."
)
@click.option("--library", metavar="DIR", type=click.Path(path_type=Path), help="Own knowledge, before the built-in.")
@click.option("--speed", type=click.Choice(["careful", "fast"]), help="`fast` keeps no pace and no budget.")
@click.option("-q", "--quiet", is_flag=True, help="No progress lines.")
@click.option("--debug", is_flag=True, help="Show where an internal error came from.")
@click.pass_context
def cli(
    ctx: click.Context, device: str | None, library: Path | None, speed: str | None, quiet: bool, debug: bool
) -> None:
    """Drive an Android phone that phonectl knows its way around.

    phonectl connects over ADB, recognises the app in front, acts at the pace that app tolerates, opens pages by name,
    and leaves a report. Without a phone it runs on its own virtual one: --device virtual.
    """
    ctx.obj = Options.read(
        os.environ, project=Path.cwd(), device=device, library=library, speed=speed, quiet=quiet, debug=debug
    )


def main(argv: list[str] | None = None) -> int:
    """Run the command line; the exit status. Ends the process when called without arguments, as a script does."""
    status = _status(sys.argv[1:] if argv is None else argv)
    if argv is None:
        sys.exit(status)
    return status


def _status(argv: list[str]) -> int:
    _utf8()
    try:
        answer = cli.main(args=argv, prog_name="phonectl", standalone_mode=False)
    except click.exceptions.Exit as err:
        return err.exit_code
    except click.ClickException as err:
        err.show()
        return 2
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`phonectl observe | head`); there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except PhonectlError as err:
        _tell(err, as_json="--json" in argv)
        if "--debug" in argv:
            traceback.print_exc()
        return err.exit_code
    except Exception as err:  # noqa: BLE001 - the one face of the command line: everything unforeseen ends here
        click.echo(f"internal error: {type(err).__name__}: {err}", err=True)
        if "--debug" in argv:
            traceback.print_exc()
        else:
            click.echo("  → run the same with `phonectl --debug …` and report what it prints", err=True)
        return 6
    return answer if isinstance(answer, int) else 0


def _tell(err: PhonectlError, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"error": err.as_dict()}, ensure_ascii=False))
    click.echo(f"phonectl: {err.message} [{err.code}]", err=True)
    for finding in err.details.get("findings", []):
        place = f"{finding['file']}:{finding['line']}:{finding['column']}"
        click.echo(f"  {place}: {finding['message']} [{finding['code']}]", err=True)
        if finding.get("fix"):
            click.echo(f"    → {finding['fix']}", err=True)
    if err.hint:
        click.echo(f"  → {err.hint}", err=True)


def _utf8() -> None:
    """Chinese text is printed right also where the terminal's locale is C."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")

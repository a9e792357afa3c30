"""What every verb of the command line needs: the options, a session, and one way to print."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.errors import UsageError

if TYPE_CHECKING:
    from controller.capture import Film
    from controller.config import Config
    from controller.library.catalog import Library
    from controller.screen.dumpsys import Foreground
    from controller.session import Session
    from controller.step import Outcome
    from controller.trace import Trace

__all__ = ["Options", "as_json", "finish", "front_in_words", "library_of", "session"]


@dataclass(frozen=True, slots=True)
class Options:
    """The options before the verb, with the environment read in."""

    device: str | None
    serial: str | None
    adb_host: str
    adb_port: int
    library: Path | None
    project: Path
    home: Path | None
    speed: str | None
    quiet: bool
    debug: bool
    path: str | None
    film: Film | None = None
    """Where what is done is recorded (`phonectl capture`)."""

    @classmethod
    def read(
        cls,
        environ: Mapping[str, str],
        *,
        project: Path,
        device: str | None,
        library: Path | None,
        speed: str | None,
        quiet: bool,
        debug: bool,
    ) -> Options:
        """The options, with `environ` for what was not given; `project` is the folder that the person works in.

        Raises:
            UsageError: A variable holds something that cannot be used.
        """
        port = environ.get("ANDROID_ADB_SERVER_PORT") or "5037"
        if not port.isdigit() or not 0 < int(port) < 65536:
            raise UsageError(f"ANDROID_ADB_SERVER_PORT is {port!r}, which is no port", hint="unset it, or set 5037")
        own = library or (Path(environ["PHONECTL_LIBRARY"]) if environ.get("PHONECTL_LIBRARY") else None)
        if own is not None and not own.is_dir():
            raise UsageError(
                f"the library folder {own} does not exist", hint="name a folder with apps/<id>/APP.md in it"
            )
        return cls(
            device=device,
            serial=environ.get("ANDROID_SERIAL") or None,
            adb_host=environ.get("ANDROID_ADB_SERVER_ADDRESS") or "127.0.0.1",
            adb_port=int(port),
            library=own,
            project=project,
            home=Path(environ["PHONECTL_HOME"]) if environ.get("PHONECTL_HOME") else None,
            speed=speed,
            quiet=quiet,
            debug=debug,
            path=environ.get("PATH"),
        )

    def config(self) -> Config:
        """The same as a configuration of `connect`."""
        from controller.config import Config
        from controller.pace import Speed

        return Config(
            device=self.device,
            serial=self.serial,
            adb_host=self.adb_host,
            adb_port=self.adb_port,
            library=(self.library,) if self.library else (),
            project=self.project,
            home=self.home,
            speed=Speed(self.speed) if self.speed else None,
            path=self.path,
        )


@contextmanager
def session(options: Options, *, trace: Trace | None = None, indent: str = "  ") -> Iterator[Session]:
    """A session on the phone that the options name, closed at the end; `indent` stands before its progress lines."""
    from controller.cli.progress import Lines
    from controller.connect import connect

    told = Lines(quiet=options.quiet, indent=indent)
    opened = connect(options.config(), trace=trace, progress=told, film=options.film)
    try:
        yield opened
    finally:
        opened.close()


def library_of(options: Options) -> Library:
    """The knowledge that the options name, without a phone."""
    from controller.connect import open_library

    return open_library(options.config())


as_json = click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")


def finish(outcome: Outcome, as_json: bool) -> int:
    """Print what became of an action; its exit status."""
    from controller.step import Status

    if as_json:
        click.echo(json.dumps(outcome.as_dict(), ensure_ascii=False))
    else:
        for line in _lines(outcome):
            click.echo(line)
    if outcome.status is Status.DONE:
        return 0
    return outcome.error.exit_code if outcome.error else 1


def _lines(outcome: Outcome) -> Iterator[str]:
    facts: list[str] = []
    if outcome.waited_s:
        facts.append(f"waited {outcome.waited_s:.1f} s")
    facts.append(f"phone {outcome.device_s + outcome.settle_s:.1f} s")
    if outcome.new_screen:
        facts.append("new screen")
    yield f"{outcome.status.value}: {outcome.summary} ({', '.join(facts)})"
    evidence: Mapping[str, Any] = outcome.evidence
    if evidence.get("note"):
        yield f"  note: {evidence['note']}"
    if evidence.get("warning"):
        said = evidence["answer"].splitlines()
        yield f"  phone: {next((line for line in said if line.startswith('Warning')), said[0]).strip()}"
    if outcome.error is not None and outcome.error.hint:
        yield f"  → {outcome.error.hint}"
    if outcome.after is not None:
        yield f"  in front: {front_in_words(outcome.after.foreground)}"


def front_in_words(front: Foreground) -> str:
    """The front app on one line, and what lies over it."""
    where = f"{front.package or 'no app can be told'} {front.activity or ''}".rstrip()
    if front.overlay is None:
        return where
    # A permission dialog or a chooser is an activity of its own; a shade or a lock screen lies over the app's.
    if front.behind:
        return f"{front.overlay} over {front.behind}"
    joint = "is" if front.overlay in ("permission_dialog", "chooser") else "over"
    return f"{front.overlay} {joint} {where}"

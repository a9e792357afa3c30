"""What the READMEs show: the flow and the program run on the virtual phone, and every command line is one."""

from __future__ import annotations

import random
import re
import shlex
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from controller.cli.main import cli
from controller.clock import ManualClock
from controller.config import Config
from controller.connect import connect
from controller.flow.check import check_flow
from controller.flow.runner import run_flow
from controller.handle import PhoneSession
from controller.trace import FileTrace
from tests.phones import BILIBILI, library

ROOT = Path(__file__).resolve().parents[1]
READMES = ("README.md", "README.zh-CN.md")


def blocks(readme: str, language: str) -> list[str]:
    """The code blocks of one language."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def the_block(readme: str, language: str) -> str:
    (block,) = blocks(readme, language)
    return block


def command_lines(readme: str) -> Iterator[list[str]]:
    """The words after `phonectl` of every command that is shown."""
    for block in [*blocks(readme, "console"), *blocks(readme, "sh")]:
        for line in block.splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True)
            if words[:1] == ["phonectl"]:
                yield words[1:]


@pytest.mark.parametrize("readme", READMES)
def test_the_flow_passes_on_the_virtual_phone(readme: str, tmp_path: Path) -> None:
    flow = tmp_path / "flow.yaml"
    flow.write_text(the_block(readme, "yaml"), encoding="utf-8")
    clock = ManualClock()
    config = Config(device="virtual", home=tmp_path)
    with FileTrace(tmp_path / "run", clock) as trace:
        session = connect(config, trace=trace, clock=clock, rng=random.Random(7))
        try:
            result = run_flow(session, check_flow(str(flow), env={}, library=library()), report_dir=tmp_path / "run")
        finally:
            session.close()

    assert (result.status, result.run.error) == ("passed", None)
    assert [step.status for step in result.run.steps] == ["done"] * 5


@pytest.mark.parametrize("readme", READMES)
def test_the_program_does_what_it_says(
    readme: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opening, _, body = the_block(readme, "python").partition(" as phone:\n")
    config = Config(device="virtual", home=tmp_path)

    with PhoneSession(connect(config, clock=ManualClock(), rng=random.Random(7))) as phone:
        exec(textwrap.dedent(body), {"phone": phone})
        shown = phone.observe()

    assert opening.splitlines()[-1] == 'with open_session(device="virtual")'
    assert capsys.readouterr().out.startswith(
        f"# 哔哩哔哩 {BILIBILI}/.MainActivityV2 · screen 1 of 24 · pace careful\n"
    )
    assert "“猫咖”的搜索结果" in str(shown)


@pytest.mark.parametrize("readme", READMES)
def test_every_command_line_is_one(readme: str) -> None:
    lines = list(command_lines(readme))

    assert len(lines) > 15
    for words in lines:
        parse(cli, words)


def parse(command: click.Command, words: list[str]) -> None:
    """Read a command line as click does, down to its verb, without doing anything."""
    if not isinstance(command, click.Group):
        command.make_context(command.name, words)
        return
    context = click.Context(command)
    _, rest, _ = command.make_parser(context).parse_args(list(words))
    if "help" not in words[:1] and rest and rest != ["…"]:
        verb = command.get_command(context, rest[0])
        assert verb is not None, f"no such verb: {rest[0]}"
        parse(verb, rest[1:])

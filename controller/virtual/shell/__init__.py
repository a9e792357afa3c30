"""The shell of the virtual phone, without processes or time: a command line in, what it prints out.

    run(phone, "getprop ro.build.version.sdk") == ShellOutput(stdout=b"34\\n", …)

To add a command, write one function `@command("name")` in the module of its family.
"""

from __future__ import annotations

from controller.virtual.shell import (
    activity_dump,
    am,
    basic,
    file_tools,
    find,
    getevent,
    grep,
    ime,
    input_tool,
    logs,
    media,
    package_dump,
    pm,
    screen,
    sed,
    service_dumps,
    settings,
    signals,
    system,
    text,
    window_dump,
)
from controller.virtual.shell.core import COMMANDS, Call, Lasting, ShellOutput, command
from controller.virtual.shell.interpreter import run

__all__ = ["COMMANDS", "Call", "Lasting", "ShellOutput", "command", "run"]

COMMAND_MODULES = (
    activity_dump,
    am,
    basic,
    file_tools,
    find,
    getevent,
    grep,
    ime,
    input_tool,
    logs,
    media,
    package_dump,
    pm,
    screen,
    sed,
    service_dumps,
    settings,
    signals,
    system,
    text,
    window_dump,
)
"""The modules whose functions fill `COMMANDS`."""

"""`dumpsys SERVICE`: the table of services. What each prints is a function of its own, registered with `@dump`."""

from __future__ import annotations

import re
from collections.abc import Callable

from controller.virtual.shell.core import Call, command

__all__ = ["DUMPS", "DumpFunction", "dump"]

DumpFunction = Callable[[Call, list[str]], None]
DUMPS: dict[str, DumpFunction] = {}
"""Service → what prints its dump, given the arguments behind the service."""


def dump(*services: str) -> Callable[[DumpFunction], DumpFunction]:
    """Registers a function as the dump of these services."""

    def register(function: DumpFunction) -> DumpFunction:
        for service in services:
            DUMPS[service] = function
        return function

    return register


@command("dumpsys")
def dumpsys(call: Call) -> int:
    """`dumpsys [-l] [-t SECONDS] [SERVICE [arguments]]`."""
    args = list(call.args)
    while args and args[0].startswith("-"):
        flag = args.pop(0)
        if flag in {"-t", "-T", "--priority"} and args:
            args.pop(0)
        elif flag == "-l":
            call.line("Currently running services:")
            call.lines([f"  {name}" for name in sorted(DUMPS)])
            return 0
    if not args:
        for name in sorted(DUMPS):
            call.line("-" * 79)
            call.line(f"DUMP OF SERVICE {name}:")
            DUMPS[name](call, [])
        return 0
    service = args.pop(0)
    function = DUMPS.get(service)
    if function is None:
        call.err(f"Can't find service: {re.sub(r'[^ -~]', '?', service)}")
        return 0
    function(call, args)
    return 0

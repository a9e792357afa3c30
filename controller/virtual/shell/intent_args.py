"""The arguments of am, cmd activity and cmd package that describe an intent, and `intent:` URIs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from controller.virtual.intents import ACTION_MAIN, ACTION_VIEW, Intent, component_name

__all__ = ["BadArgument", "IntentArguments", "parse_intent_uri", "read_intent"]

# One value behind the extra's name, unless it is said otherwise.
_EXTRAS = frozenset(
    {
        "-e", "--es", "--ez", "--ei", "--el", "--ef", "--ed", "--eu", "--ecn", "--eia", "--eial", "--ela", "--elal",
        "--efa", "--efal", "--esa", "--esal", "--eza", "--edal", "--eda",
    }
)  # fmt: skip
_FLAG_NAMES = {
    "--activity-brought-to-front": 0x00400000,
    "--activity-clear-top": 0x04000000,
    "--activity-clear-when-task-reset": 0x00080000,
    "--activity-exclude-from-recents": 0x00800000,
    "--activity-launched-from-history": 0x00100000,
    "--activity-multiple-task": 0x08000000,
    "--activity-no-animation": 0x00010000,
    "--activity-no-history": 0x40000000,
    "--activity-no-user-action": 0x00040000,
    "--activity-previous-is-top": 0x01000000,
    "--activity-reorder-to-front": 0x00020000,
    "--activity-reset-task-if-needed": 0x00200000,
    "--activity-single-top": 0x20000000,
    "--activity-clear-task": 0x00008000,
    "--activity-task-on-home": 0x00004000,
    "--activity-match-external": 0x00000800,
    "--receiver-foreground": 0x10000000,
    "--receiver-registered-only": 0x40000000,
    "--receiver-replace-pending": 0x20000000,
    "--receiver-include-background": 0x01000000,
    "--include-stopped-packages": 0x00000020,
    "--exclude-stopped-packages": 0x00000010,
    "--grant-read-uri-permission": 0x00000001,
    "--grant-write-uri-permission": 0x00000002,
    "--debug-log-resolution": 0x00000008,
}


class BadArgument(Exception):
    """An argument that am refuses; the text is its own."""


@dataclass(slots=True)
class IntentArguments:
    """The intent, and the options that stood among its arguments."""

    intent: Intent = field(default_factory=Intent)
    options: dict[str, str] = field(default_factory=dict)
    has_intent: bool = False


def read_intent(args: list[str], *, valued: frozenset[str], plain: frozenset[str]) -> IntentArguments:
    """The intent of a command's arguments.

    Args:
        args: The arguments behind the subcommand.
        valued: Options of the command itself that take a value.
        plain: Options of the command itself that take none.

    Raises:
        BadArgument: as am says it: `Error: Unknown option: --x`.
    """
    rest = list(args)
    found = IntentArguments()

    def value(option: str) -> str:
        if not rest:
            raise BadArgument(f'Argument expected after "{option}"')
        return rest.pop(0)

    while rest:
        argument = rest.pop(0)
        if argument in valued:
            found.options[argument] = value(argument)
        elif argument in plain:
            found.options[argument] = ""
        elif argument.startswith("-") and len(argument) > 1:
            _read_option(found, argument, value)
        else:
            _read_target(found, argument)
    if found.intent.data is not None and found.intent.action is None and found.intent.component is None:
        found.intent = replace(found.intent, action=ACTION_VIEW)
    return found


def _read_option(found: IntentArguments, option: str, value: Callable[[str], str]) -> None:
    intent = found.intent
    found.has_intent = True
    match option:
        case "-a":
            intent = replace(intent, action=value(option))
        case "-d":
            intent = replace(intent, data=value(option))
        case "-t":
            intent = replace(intent, type=value(option))
        case "-i" | "--identifier":
            value(option)
        case "-c":
            intent = replace(intent, categories=(*intent.categories, value(option)))
        case "-n":
            text = value(option)
            component = component_name(text)
            if component is None:
                raise BadArgument(f"Bad component name: {text}")
            intent = replace(intent, component=component)
        case "-p":
            intent = replace(intent, package=value(option))
        case "-f":
            intent = replace(intent, flags=_flags(value(option)))
        case "--esn":
            intent = _with_extra(intent, value(option), "")
        case "--selector":
            pass
        case _ if option in _EXTRAS:
            name = value(option)
            intent = _with_extra(intent, name, value(option))
        case _ if option in _FLAG_NAMES:
            intent = replace(intent, flags=intent.flags | _FLAG_NAMES[option])
        case _:
            raise BadArgument(f"Unknown option: {option}")
    found.intent = intent


def _read_target(found: IntentArguments, text: str) -> None:
    """The last argument without an option: a URI, a component or a package, as `Intent.parseCommandArgs` tells them."""
    intent = found.intent
    found.has_intent = True
    if ":" in text:
        parsed = parse_intent_uri(text) if text.startswith("intent:") else Intent(ACTION_VIEW, text)
        intent = _merged(intent, parsed)
    elif "/" in text:
        intent = replace(intent, action=intent.action or ACTION_MAIN, component=component_name(text))
    else:
        intent = replace(intent, package=text)
        if intent.action is None:
            launcher = ("android.intent.category.LAUNCHER",)
            intent = replace(intent, action=ACTION_MAIN, categories=intent.categories or launcher)
    found.intent = intent


def _merged(given: Intent, parsed: Intent) -> Intent:
    """What the options said stands; the URI fills in the rest."""
    return Intent(
        action=given.action or parsed.action,
        data=given.data or parsed.data,
        type=given.type or parsed.type,
        categories=given.categories or parsed.categories,
        component=given.component or parsed.component,
        package=given.package or parsed.package,
        flags=given.flags | parsed.flags,
        extras={**parsed.extras, **given.extras},
        caller=given.caller,
    )


def parse_intent_uri(text: str) -> Intent:
    """`intent://host/path#Intent;scheme=https;package=com.a;S.extra=x;end` as the intent it stands for."""
    body, _, fragment = text.removeprefix("intent:").partition("#Intent;")
    intent, scheme, data = Intent(ACTION_VIEW), "", body
    for part in fragment.split(";"):
        name, equals, encoded = part.partition("=")
        value = unquote(encoded)
        if not equals:
            continue
        match name:
            case "scheme":
                scheme = value
            case "action":
                intent = replace(intent, action=value)
            case "category":
                intent = replace(intent, categories=(*intent.categories, value))
            case "type":
                intent = replace(intent, type=value)
            case "package":
                intent = replace(intent, package=value)
            case "component":
                intent = replace(intent, component=component_name(value))
            case "launchFlags":
                intent = replace(intent, flags=_flags(value))
            case _ if re.match(r"[SBbcdfils]\.", name):
                intent = _with_extra(intent, unquote(name[2:]), value)
    if data:
        intent = replace(intent, data=f"{scheme}:{data}" if scheme else data)
    return intent


def _with_extra(intent: Intent, name: str, value: str) -> Intent:
    return replace(intent, extras={**intent.extras, name: value})


def _flags(text: str) -> int:
    match = re.fullmatch(r"0[xX]([0-9a-fA-F]{1,8})|(\d{1,10})", text)
    if match is None:
        raise BadArgument(f"Bad number: {text}")
    return int(match[1], 16) if match[1] else int(match[2])

"""`settings`: values by namespace and name."""

from __future__ import annotations

from controller.virtual.shell.core import Call, command

__all__ = ["run_settings"]

_NAMESPACES = {"system", "secure", "global"}


@command("settings")
def settings(call: Call) -> int:
    """`settings [--user N] get|put|delete|list|reset NAMESPACE [NAME [VALUE]]`."""
    return run_settings(call, call.args)


def run_settings(call: Call, args: list[str]) -> int:
    """The command, also reached as `cmd settings`."""
    words = list(args)
    if "--user" in words:
        at = words.index("--user")
        del words[at : at + 2]
    verb, namespace, name = [*words, "", "", ""][:3]
    if verb not in {"get", "put", "delete", "list", "reset"}:
        call.err(
            f"Invalid command: {verb}"
            if verb
            else "Settings provider (settings) commands:\n  help\n      Print this help text."
        )
        return 255 if verb else 0
    if namespace.lower() not in _NAMESPACES:
        call.err(f"Error: Invalid namespace '{namespace}'" if namespace else "Error: Invalid arguments")
        return 255
    namespace = namespace.lower()
    known = {key: value for (space, key), value in call.phone.settings.items() if space == namespace}
    match verb:
        case "get":
            call.line(known.get(name, "null"))
        case "list":
            call.lines([f"{key}={value}" for key, value in sorted(known.items())])
        case "delete":
            call.line(f"Deleted {int(name in known)} rows")
            call.phone.put_setting(namespace, name, None)
        case "put":
            if len(words) < 4:
                call.err("Error: Bad arguments")
                return 255
            call.phone.put_setting(namespace, name, words[3])
    return 0

"""`pm` and `cmd package`: packages listed, resolved, installed, cleared, their permissions; and `cmd` itself."""

from __future__ import annotations

import re

from controller.virtual.intents import Intent, short_component
from controller.virtual.packages import Package
from controller.virtual.shell import apk
from controller.virtual.shell.am import run_activity
from controller.virtual.shell.core import Call, command
from controller.virtual.shell.intent_args import BadArgument, read_intent
from controller.virtual.spec import ActivitySpec

__all__ = ["run_package"]

_NOT_FOUND = "android.content.pm.PackageManager$NameNotFoundException"
_INTENT_VALUED = frozenset({"--user", "--query-flags"})
_INTENT_PLAIN = frozenset({"--brief", "--components"})
_RESOLVER = ("android", "com.android.internal.app.ResolverActivity")


@command("pm")
def pm(call: Call) -> int:
    """`pm SUBCOMMAND …`."""
    return run_package(call, call.args)


@command("cmd")
def cmd(call: Call) -> int:
    """`cmd SERVICE …`: the same commands under the name of their service."""
    from controller.virtual.shell.system_commands import SERVICES

    args = list(call.args)
    if args == ["-l"]:
        call.line("Currently running services:")
        call.lines([f"  {name}" for name in sorted({"package", "activity", *SERVICES})])
        return 0
    while args and args[0] == "-w":
        args.pop(0)
    if not args:
        call.err(
            "cmd: No service specified; use -l to list all running services. Use -w to start and wait for a service."
        )
        return 20
    service, rest = args[0], args[1:]
    if service == "package":
        return run_package(call, rest)
    if service in {"activity", "activity_task"}:
        return run_activity(call, rest)
    function = SERVICES.get(service)
    if function is None:
        call.err(f"cmd: Can't find service: {service}")
        return 20
    return function(call, rest)


def run_package(call: Call, args: list[str]) -> int:
    """A subcommand of pm, also reached as `cmd package SUBCOMMAND`."""
    verb, rest = (args[0], args[1:]) if args else ("", [])
    match verb:
        case "list":
            return _list(call, rest)
        case "path":
            return _path(call, rest)
        case "clear":
            return _clear(call, rest)
        case "resolve-activity":
            return _resolve_activity(call, rest)
        case "query-activities" | "query-intent-activities":
            return _query_activities(call, rest)
        case "grant" | "revoke":
            return _grant(call, verb, rest)
        case "enable" | "disable" | "disable-user" | "default-state" | "hide" | "unhide" | "suspend" | "unsuspend":
            return _enable(call, verb, rest)
        case "install" | "install-streaming":
            return _install(call, rest)
        case "uninstall":
            return _uninstall(call, rest)
        case "install-create" | "install-write" | "install-commit" | "install-abandon":
            return _session(call, verb, rest)
        case "dump":
            return call.run(["dumpsys", "package", *rest])
        case "get-install-location":
            call.line("0[auto]")
        case "get-max-users":
            call.line("Maximum supported users: 4")
        case "has-feature":
            call.line(
                "true" if rest and rest[0] in {"android.hardware.touchscreen", "android.hardware.wifi"} else "false"
            )
        case (
            "trim-caches"
            | "set-home-activity"
            | "reset-permissions"
            | "compile"
            | "set-install-location"
            | "wait-for-handler"
            | "set-app-links"
            | "verify-app-links"
            | "set-app-link"
            | "set-app-links-user-selection"
            | "bg-dexopt-job"
            | "wait-for-background-handler"
        ):
            call.out("Success\n" if verb in {"set-home-activity", "compile"} else "")
        case _:
            call.err(
                f"Unknown command: {verb}"
                if verb
                else "Package manager (package) commands:\n  help\n    Print this help text."
            )
            return 255 if verb else 0
    return 0


def _names(args: list[str]) -> list[str]:
    """The arguments without options; `--user N` takes its value along."""
    found, rest = [], list(args)
    while rest:
        argument = rest.pop(0)
        if argument in {"--user", "--uid"} and rest:
            rest.pop(0)
        elif not argument.startswith("-"):
            found.append(argument)
    return found


def _user_denied(call: Call, args: list[str], verb: str) -> bool:
    user = args[args.index("--user") + 1] if "--user" in args and args.index("--user") + 1 < len(args) else "0"
    if user in {"0", "all", "current", "cur", "-1", "-2"}:
        return False
    call.err(
        f"\nException occurred while executing '{verb}':"
        if call.phone.sdk >= 30
        else "Exception occurred while executing:"
    )
    call.err(f"java.lang.SecurityException: Shell does not have permission to access user {user}")
    return True


# ---- list


def _list(call: Call, args: list[str]) -> int:
    what, rest = (args[0], args[1:]) if args else ("", [])
    match what:
        case "packages" | "package":
            return _list_packages(call, rest)
        case "users":
            call.line("Users:")
            call.line("\tUserInfo{0:Owner:c13} running" if call.phone.sdk >= 30 else "\tUserInfo{0:Owner:13} running")
        case "features":
            call.lines(["feature:android.hardware.touchscreen", "feature:android.hardware.wifi"])
        case "libraries":
            call.lines(["library:android.test.base", "library:android.test.runner"])
        case "permission-groups":
            call.lines(
                [
                    "permission group:android.permission-group.CAMERA",
                    "permission group:android.permission-group.LOCATION",
                ]
            )
        case "permissions":
            names = {name for package in call.phone.packages.values() for name in package.spec.permissions}
            call.lines(["All Permissions:", "", *(f"permission:{name}" for name in sorted(names))])
        case "instrumentation":
            pass
        case _:
            call.err(f"Error: unknown list type '{what}'" if what else "Error: Missing list type")
            return 255
    return 0


def _list_packages(call: Call, args: list[str]) -> int:
    if _user_denied(call, args, "list"):
        return 255
    flags = {argument for argument in args if argument.startswith("-")}
    unknown = flags - {
        "-3",
        "-s",
        "-f",
        "-i",
        "-U",
        "-u",
        "-d",
        "-e",
        "-a",
        "-l",
        "-q",
        "--show-versioncode",
        "--user",
        "--uid",
        "--apex-only",
    }
    if unknown:
        call.err(f"Error: Unknown option: {sorted(unknown)[0]}")
        return 255
    wanted = [name for name in _names(args) if name]
    for name, package in call.phone.packages.items():
        if wanted and wanted[0] not in name:
            continue
        if ("-3" in flags and package.spec.system) or ("-s" in flags and not package.spec.system):
            continue
        if ("-d" in flags and package.enabled) or ("-e" in flags and not package.enabled):
            continue
        call.line(_package_line(package, flags))
    return 0


def _package_line(package: Package, flags: set[str]) -> str:
    spec = package.spec
    line = "package:" + (f"{package.path}=" if "-f" in flags else "") + spec.name
    if "--show-versioncode" in flags:
        line += f" versionCode:{spec.version_code}"
    if "-i" in flags:
        line += f"  installer={'null' if spec.system else 'com.android.vending'}"
    return line + (f" uid:{spec.uid}" if "-U" in flags else "")


# ---- one package


def _path(call: Call, args: list[str]) -> int:
    names = _names(args)
    package = call.phone.packages.get(names[0]) if names else None
    if package is None:
        return 1
    call.line(f"package:{package.path}")
    return 0


def _clear(call: Call, args: list[str]) -> int:
    if _user_denied(call, args, "clear"):
        return 255
    names = _names(args)
    if not names:
        call.err("Error: no package specified")
        return 255
    done = call.phone.clear(names[0])
    call.line("Success" if done else "Failed")
    return 0 if done else 1


def _grant(call: Call, verb: str, args: list[str]) -> int:
    names = _names(args)
    if len(names) < 2:
        call.err(f"Error: no {'package' if not names else 'permission'} specified")
        return 255
    package = call.phone.packages.get(names[0])
    if package is None:
        return _exception(call, verb, f"java.lang.IllegalArgumentException: Unknown package: {names[0]}")
    if names[1] not in package.spec.permissions:
        return _exception(
            call, verb, f"java.lang.SecurityException: Package {names[0]} has not requested permission {names[1]}"
        )
    (package.granted.add if verb == "grant" else package.granted.discard)(names[1])
    package.refused.pop(names[1], None)
    return 0


def _enable(call: Call, verb: str, args: list[str]) -> int:
    names = _names(args)
    package = call.phone.packages.get(names[0].partition("/")[0]) if names else None
    if package is None:
        return _exception(
            call, verb, f"java.lang.IllegalArgumentException: Unknown package: {names[0] if names else ''}"
        )
    if verb in {"enable", "default-state", "unhide", "unsuspend"}:
        package.enabled, state = True, "default" if verb == "default-state" else "enabled"
    else:
        package.enabled, state = False, "disabled-user" if verb == "disable-user" else "disabled"
        call.phone.stop(package.spec.name)
    call.line(f"Package {package.spec.name} new state: {state}")
    return 0


def _exception(call: Call, verb: str, text: str) -> int:
    call.err(
        f"\nException occurred while executing '{verb}':"
        if call.phone.sdk >= 30
        else "Exception occurred while executing:"
    )
    call.err(text)
    call.err("\tat com.android.server.pm.PackageManagerShellCommand.onCommand(PackageManagerShellCommand.java:223)")
    return 255


# ---- intents


def _found(call: Call, args: list[str]) -> tuple[list[tuple[str, ActivitySpec]], bool]:
    arguments = read_intent(args, valued=_INTENT_VALUED, plain=_INTENT_PLAIN)
    intent = arguments.intent
    if intent.action is None and intent.categories and intent.package:
        # `resolve-activity -c LAUNCHER pkg`: the category alone is enough to be matched
        intent = Intent("android.intent.action.MAIN", categories=intent.categories, package=intent.package)
    matches = [(package, activity) for package, activity in call.phone.resolve(intent)]
    return matches, "--brief" in arguments.options or "--components" in arguments.options


def _resolve_activity(call: Call, args: list[str]) -> int:
    try:
        matches, brief = _found(call, args)
    except BadArgument as fault:
        call.err(f"Error: {fault}")
        return 255
    if not matches:
        call.line("No activity found")
        return 0
    package, activity = matches[0]
    several = len({name for name, _ in matches}) > 1 and package not in call.phone.preferred.values()
    component = _RESOLVER if several else (package, activity.name)
    if brief:
        call.line("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false")
        call.line(short_component(component))
    else:
        call.lines(_activity_info(component, activity, several=several))
    return 0


def _query_activities(call: Call, args: list[str]) -> int:
    try:
        matches, brief = _found(call, args)
    except BadArgument as fault:
        call.err(f"Error: {fault}")
        return 255
    if not matches:
        call.line("No activities found")
        return 0
    if not brief:
        call.line(f"{len(matches)} activities found:")
    for number, (package, activity) in enumerate(matches):
        component = (package, activity.name)
        if brief:
            call.line("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false")
            call.line(short_component(component))
        else:
            call.line(f"  Activity #{number}:")
            call.lines([f"    {line}" for line in _activity_info(component, activity, several=False)])
    return 0


def _activity_info(component: tuple[str, str], activity: ActivitySpec, *, several: bool) -> list[str]:
    package, name = component
    modes = {"standard": 0, "singleTop": 1, "singleTask": 2, "singleInstance": 3}
    return [
        "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false",
        "ActivityInfo:",
        f"  name={name}",
        f"  packageName={package}",
        f"  labelRes=0x7f110029 nonLocalizedLabel={activity.label or 'null'} icon=0x0 banner=0x0",
        f"  enabled=true exported={'true' if activity.exported or several else 'false'} directBootAware=false",
        f"  taskAffinity={package} targetActivity=null persistableMode=PERSIST_ROOT_ONLY",
        f"  launchMode={modes.get(activity.mode, 0)} flags=0x200 privateFlags=0x0 theme=0x7f120132",
        "  ApplicationInfo:",
        f"    packageName={package}",
        f"    processName={package}",
    ]


# ---- installing

_OPTIONS_WITH_VALUE = {
    "-i",
    "-S",
    "--user",
    "--install-location",
    "--abi",
    "--originating-uri",
    "--referrer",
    "--install-reason",
    "-p",
}


def _install(call: Call, args: list[str]) -> int:
    names, size, rest = [], -1, list(args)
    while rest:
        argument = rest.pop(0)
        if argument in _OPTIONS_WITH_VALUE and rest:
            value = rest.pop(0)
            if argument == "-S" and re.fullmatch(r"\d{1,10}", value):
                size = int(value)
        elif not argument.startswith("-") or argument == "-":
            names.append(argument)
    if names and names[0] != "-":
        content = call.shell.read_file(names[0])
        if isinstance(content, str):
            call.err(f"Error: Unable to open file: {names[0]}")
            call.err("Consider using a file under /data/local/tmp/")
            call.err(f"Error: Can't open non-file: {names[0]}")
            return 1
    else:
        content = call.stdin.read_bytes(size) if size >= 0 else call.stdin.read()
    return _install_content(call, content)


def _install_content(call: Call, content: bytes) -> int:
    manifest = apk.read_manifest(content)
    if manifest is None:
        call.line("Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse /data/app/vmdl1234.tmp/base.apk]")
        return 1
    if call.phone.faults.active("install_refused"):
        call.line("Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]")
        return 1
    apk.install(call.phone, manifest)
    call.line("Success")
    return 0


def _uninstall(call: Call, args: list[str]) -> int:
    names = _names(args)
    if not names:
        call.err("Error: package name not specified")
        return 1
    package = call.phone.packages.get(names[0])
    if package is None:
        call.line("Failure [DELETE_FAILED_INTERNAL_ERROR]")
        return 1
    done = call.phone.uninstall(names[0])
    call.line("Success" if done else "Failure [DELETE_FAILED_DEVICE_POLICY_MANAGER]")
    return 0 if done else 1


def _session(call: Call, verb: str, args: list[str]) -> int:
    """`pm install-create`, `install-write -S N ID NAME [PATH|-]`, `install-commit ID`: one session at a time."""
    session = f"/data/local/tmp/vmdl{_SESSION}.tmp"
    match verb:
        case "install-create":
            call.shell.write_file(session, b"")
            call.line(f"Success: created install session [{_SESSION}]")
            return 0
        case "install-write":
            size = args[args.index("-S") + 1] if "-S" in args and args.index("-S") + 1 < len(args) else ""
            source = args[-1] if args and args[-1].startswith("/") else "-"
            content = (
                call.shell.read_file(source)
                if source != "-"
                else (call.stdin.read_bytes(int(size)) if re.fullmatch(r"\d{1,10}", size) else call.stdin.read())
            )
            if isinstance(content, str):
                call.err(f"Error: {content}")
                return 1
            call.shell.write_file(session, content)
            call.line(f"Success: streamed {len(content)} bytes")
            return 0
        case "install-commit":
            content = call.shell.read_file(session)
            if isinstance(content, str):
                return _exception(
                    call,
                    verb,
                    f"java.lang.SecurityException: Caller has no access to session {args[-1] if args else ''}",
                )
            call.phone.files.remove(session)
            return _install_content(call, content)
        case _:
            call.line("Success")
            return 0


_SESSION = 1234567890

"""`am` and `cmd activity`: starting and stopping apps, broadcasts, tasks; and `monkey`."""

from __future__ import annotations

import re

from controller.virtual.activities import Task
from controller.virtual.intents import ACTION_MAIN, Intent, StartResult, StartStatus, short_component
from controller.virtual.shell import receivers
from controller.virtual.shell.core import Call, Lasting, command
from controller.virtual.shell.intent_args import BadArgument, IntentArguments, read_intent
from controller.virtual.shell.logs import write_log
from controller.virtual.shell.records import intent_text

__all__ = ["run_activity"]

_NEW_TASK = 0x10000000
_VALUED = frozenset(
    {
        "--user", "-R", "-P", "--start-profiler", "--sampling", "--display", "--windowingMode", "--activityType",
        "--task",
        "--receiver-permission", "--streaming", "--attach-agent", "--track-allocation", "--splashscreen-show-icon",
    }
)  # fmt: skip
_PLAIN = frozenset(
    {
        "-W",
        "-S",
        "-D",
        "-N",
        "--track-allocation",
        "--task-overlay",
        "--lock-task",
        "--allow-background-activity-starts",
        "--dismiss-keyguard",
    }
)
_USAGE = "Activity manager (activity) commands:\n  help\n      Print this help text."


@command("am")
def am(call: Call) -> int:
    """`am SUBCOMMAND …`."""
    return run_activity(call, call.args)


def run_activity(call: Call, args: list[str]) -> int:
    """A subcommand of am, also reached as `cmd activity SUBCOMMAND`."""
    words = [*args, ""]
    rest = args[1:]
    match words[0]:
        case "start" | "start-activity":
            return _start(call, rest)
        case (
            "startservice"
            | "start-service"
            | "startforegroundservice"
            | "start-foreground-service"
            | "stopservice"
            | "stop-service"
        ):
            return _service(call, rest, stop=words[0].startswith("stop"))
        case "broadcast":
            return _broadcast(call, rest)
        case "force-stop" | "kill" | "crash" | "stop-app":
            return _stop(call, words[0], rest)
        case "kill-all":
            return 0
        case "get-current-user":
            call.line("0")
        case "switch-user" | "start-user" | "unlock-user":
            call.line("Success: user started" if words[0] == "start-user" else "")
        case "stack" | "task":
            return _stack(call, rest)
        case "get-config":
            width, height = (value * 160 // call.phone.density for value in call.phone.size)
            language = call.phone.spec.locale.replace("-", "-r")
            turn = "land" if width > height else "port"
            light = "night" if call.phone.display.night else "notnight"
            shape = f"sw{min(width, height)}dp-w{width}dp-h{height}dp-normal-long-{turn}-{light}"
            call.line(f"config: {language}-ldltr-{shape}-{call.phone.density}dpi-finger")
            call.line("abi: arm64-v8a,armeabi-v7a,armeabi")
        case "get-standby-bucket":
            call.line("10")
        case "get-uid-state":
            call.line("2 (TOP )")
        case "get-started-user-state":
            call.line("RUNNING_UNLOCKED")
        case "instrument":
            return _instrument(call, rest)
        case (
            "set-debug-app"
            | "clear-debug-app"
            | "dumpheap"
            | "profile"
            | "set-inactive"
            | "compact"
            | "idle-maintenance"
            | "send-trim-memory"
            | "hang"
            | "restart"
            | "clear-watch-heap"
            | "write"
            | "track-associations"
        ):
            return 0
        case "to-uri" | "to-intent-uri":
            found = read_intent(rest, valued=_VALUED, plain=_PLAIN)
            call.line(found.intent.data or "intent:#Intent;end")
        case "is-user-stopped":
            call.line("false")
        case _:
            call.err(_USAGE)
            return 255 if words[0] not in {"", "help", "-h"} else 0
    return 0


# ---- am start


def _start(call: Call, args: list[str]) -> int:
    try:
        found = read_intent(args, valued=_VALUED, plain=_PLAIN)
    except BadArgument as fault:
        return _refuse(call, str(fault))
    if not found.has_intent:
        return _refuse(call, "No intent supplied", kind="java.lang.IllegalArgumentException")
    user = found.options.get("--user", "current")
    if user not in {"current", "cur", "0", "all"}:
        return _denied_user(call, user)
    intent = found.intent
    target = intent.component[0] if intent.component is not None else intent.package
    if "-S" in found.options:
        package = target or next((name for name, _ in call.phone.resolve(intent)), None)
        if package is not None:
            call.line(f"Stopping: {package}")
            call.phone.stop(package)
    call.line(f"Starting: {intent_text(intent, call.phone.sdk)}")
    before = call.phone.tasks.front
    result = call.phone.start(_as_shell(intent))
    _windowed(call, found.options.get("--windowingMode", ""), before)
    shown = intent_text(_as_shell(intent), call.phone.sdk).removeprefix("Intent { ").removesuffix(" }")
    tag = "ActivityTaskManager" if call.phone.sdk >= 29 else "ActivityManager"
    write_log(call.phone, tag, f"START u0 {{{shown}}} from uid 2000")
    if "-W" in found.options and result.ok:
        call.shell.take(0.3 if result.cold else 0.05)
    return _report(call, found, result, waited="-W" in found.options)


def _windowed(call: Call, mode: str, before: Task | None) -> None:
    """`--windowingMode 3` puts the task into the first half of a split screen, 4 into the second."""
    task = call.phone.tasks.front
    if mode in {"3", "4"} and before is not None and task is not None:
        call.phone.splitting.enter(*((task, before) if mode == "3" else (before, task)))


def _as_shell(intent: Intent) -> Intent:
    return Intent(
        intent.action, intent.data, intent.type, intent.categories, intent.component, intent.package,
        intent.flags | _NEW_TASK, intent.extras,
    )  # fmt: skip


def _report(call: Call, found: IntentArguments, result: StartResult, *, waited: bool) -> int:
    intent = found.intent
    say = call.line if waited else call.err  # warnings and errors go to stdout with -W
    flagged = intent_text(intent, call.phone.sdk, flags=intent.flags | _NEW_TASK)
    match result.status:
        case StartStatus.NOT_EXPORTED:
            return _not_exported(call, intent, result)
        case StartStatus.UNRESOLVED:
            say(f"Error: Activity not started, unable to resolve {flagged}")
        case StartStatus.NOT_INSTALLED | StartStatus.NO_ACTIVITY:
            if intent.component is None:
                say(f"Error: Activity not started, unable to resolve {flagged}")
            else:
                say("Error type 3")
                package, name = intent.component
                say(f"Error: Activity class {{{package}/{name}}} does not exist.")
        case StartStatus.BROUGHT_TO_FRONT:
            say("Warning: Activity not started, its current task has been brought to the front")
        case StartStatus.DELIVERED:
            say("Warning: Activity not started, intent has been delivered to currently running top-most instance.")
    if waited and result.ok:
        _waited_report(call, result)
    return 0  # am ends with 0 also where nothing was started: only the text tells


def _waited_report(call: Call, result: StartResult) -> None:
    status = result.status
    fresh = status in {StartStatus.STARTED, StartStatus.CHOOSER}
    took = 412 if result.cold else 87
    call.line("Status: ok")
    if call.phone.sdk >= 29:
        state = (
            "COLD" if result.cold else "WARM" if fresh else "UNKNOWN (0)" if status is StartStatus.DELIVERED else "HOT"
        )
        call.line(f"LaunchState: {state}")
    shown = result.top or result.component
    if shown is not None:
        call.line(f"Activity: {short_component(shown)}")
    if fresh or call.phone.sdk >= 29:
        call.line(f"TotalTime: {took if fresh else 0}")
    call.line(f"WaitTime: {took + 6 if fresh else 3}")
    call.line("Complete")


def _not_exported(call: Call, intent: Intent, result: StartResult) -> int:
    shown = Intent(
        intent.action, intent.data, intent.type, intent.categories, result.component, intent.package,
        intent.flags | _NEW_TASK, intent.extras,
    )  # fmt: skip
    reason = (
        f"Permission Denial: starting {intent_text(shown, call.phone.sdk)} from null (pid=12345, uid=2000) "
        f"not exported from uid {result.uid or 10000}"
    )
    if call.phone.sdk >= 30:
        call.err("\nException occurred while executing 'start':")
        call.err(f"java.lang.SecurityException: {reason}")
        supervisor, line = "ActivityTaskSupervisor", 1169
        call.err(f"\tat com.android.server.wm.{supervisor}.checkStartAnyActivityPermission({supervisor}.java:{line})")
        call.err("\tat com.android.server.wm.ActivityStarter.executeRequest(ActivityStarter.java:1038)")
    else:
        call.err(f"Security exception: {reason}\n")
        call.err(f"java.lang.SecurityException: {reason}")
        supervisor, line = "ActivityStackSupervisor", 1043
        call.err(f"\tat com.android.server.am.{supervisor}.checkStartAnyActivityPermission({supervisor}.java:{line})")
        call.err("\tat com.android.server.am.ActivityStarter.startActivity(ActivityStarter.java:760)")
    return 255


def _refuse(call: Call, reason: str, *, kind: str = "java.lang.IllegalArgumentException") -> int:
    call.err("\nException occurred while executing" + (" 'start':" if call.phone.sdk >= 30 else ":"))
    call.err(f"{kind}: {reason}")
    call.err("\tat android.content.Intent.parseCommandArgs(Intent.java:8031)")
    return 255


def _denied_user(call: Call, user: str) -> int:
    call.err("\nException occurred while executing 'start':")
    call.err(f"java.lang.SecurityException: Shell does not have permission to access user {user}")
    return 255


# ---- the other subcommands


def _service(call: Call, args: list[str], *, stop: bool) -> int:
    try:
        intent = read_intent(args, valued=_VALUED, plain=_PLAIN).intent
    except BadArgument as fault:
        return _refuse(call, str(fault))
    call.line(f"{'Stopping' if stop else 'Starting'} service: {intent_text(intent, call.phone.sdk)}")
    package = intent.component[0] if intent.component is not None else intent.package
    if package is None or package not in call.phone.packages:
        call.err("Error: Not found; no service started." if not stop else "Service not stopped: was not running.")
    return 0


def _stop(call: Call, verb: str, args: list[str]) -> int:
    names = [name for at, name in enumerate(args) if not name.startswith("-") and (at == 0 or args[at - 1] != "--user")]
    if not names:
        return _refuse(call, "Argument expected after package")
    package = call.phone.packages.get(names[0])
    if verb == "kill":
        top = call.phone.top_activity()
        if package is not None and (top is None or top.package != names[0]):
            package.pid = None
        return 0
    call.phone.stop(names[0])
    return 0


def _broadcast(call: Call, args: list[str]) -> int:
    try:
        found = read_intent(args, valued=_VALUED, plain=_PLAIN)
    except BadArgument as fault:
        return _refuse(call, str(fault))
    call.line(f"Broadcasting: {intent_text(found.intent, call.phone.sdk, flags=found.intent.flags | 0x400000)}")
    result, data = receivers.deliver(call.phone, found.intent)
    shown = "" if data is None else f', data="{data}"'
    call.line(f"Broadcast completed: result={result}{shown}")
    return 0


def _stack(call: Call, args: list[str]) -> int:
    if not args or args[0] != "list":
        return 0
    phone = call.phone
    for task in reversed(list(phone.tasks)):
        width, height = phone.size
        bounds = f"[0,0][{width},{height}]"
        top = task.top
        shown = "true" if phone.splitting.shown(task) else "false"
        name = short_component(top.component) if top is not None else "null"
        kind = "RootTask" if phone.sdk >= 31 else "Stack"
        call.line(f"{kind} id={task.id} bounds={bounds} displayId=0 userId=0")
        call.line(f"  configuration={{1.0 {phone.density}dpi}}")
        call.line(
            f"  taskId={task.id}: {name} bounds={bounds} userId=0 visible={shown} "
            f"topActivity=ComponentInfo{{{'/'.join(top.component) if top is not None else ''}}}"
        )
        call.line()
    return 0


def _instrument(call: Call, args: list[str]) -> int:
    target = args[-1] if args else ""
    call.line("INSTRUMENTATION_STATUS: id=ActivityManagerService")
    call.line(f"INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{{{target}}}")
    call.line("INSTRUMENTATION_STATUS_CODE: -1")
    call.err(f"android.util.AndroidException: INSTRUMENTATION_FAILED: {target}")
    return 1


# ---- monkey


@command("monkey")
def monkey(call: Call) -> int:
    """`monkey -p PACKAGE [-c CATEGORY] [options] COUNT`: with a count of 1 it launches the app; `--port N` serves."""
    port = next(iter(call.args[call.args.index("--port") + 1 :]), "") if "--port" in call.args else ""
    if re.fullmatch(r"\d{1,5}", port):
        call.line(":Monkey: seed=0 count=0")
        call.shell.last(Lasting("monkey", port=int(port)))
        return 0
    echo = [f"  bash arg: {argument}" for argument in call.args]
    call.lines(echo)
    quoted = [f' arg: "{argument}"' for argument in call.args]
    call.lines([f"args: [{', '.join(call.args)}]", *quoted])
    packages, categories, rest = [], [], list(call.args)
    count = ""
    while rest:
        argument = rest.pop(0)
        if argument == "-p" and rest:
            packages.append(rest.pop(0))
        elif argument == "-c" and rest:
            categories.append(rest.pop(0))
        elif argument in {"-s", "--throttle", "--port"} or argument.startswith("--pct-"):
            rest[:1] = []
        elif not argument.startswith("-"):
            count = argument
    call.lines([f'data="{value}"' for value in (*packages, *categories)])
    if not re.fullmatch(r"\d{1,9}", count):
        call.err("** Error: Count not specified" if not count else f'** Error: "{count}" is not a number')
        return 1
    package = packages[0] if packages else ""
    installed = call.phone.packages.get(package)
    launcher = installed.spec.launcher if installed is not None and installed.enabled else None
    if launcher is None or (categories and "android.intent.category.LAUNCHER" not in categories):
        call.line("** No activities found to run, monkey aborted.")
        return 252
    call.phone.start(
        Intent(
            ACTION_MAIN,
            categories=("android.intent.category.LAUNCHER",),
            component=(package, launcher.name),
            flags=0x10200000,
        )
    )
    call.shell.take(0.2)
    call.line(f"Events injected: {count}")
    call.line("## Network stats: elapsed time=21ms (0ms mobile, 0ms wifi, 21ms not connected)")
    return 0

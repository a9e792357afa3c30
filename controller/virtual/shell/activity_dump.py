"""`dumpsys activity`: activities, top, top-resumed, recents, with each version's own lines.

Up to 12 a stack says `mResumedActivity:`; from 12L on a leaf task says `topResumedActivity=` and a display area
`Resumed:`. `ResumedActivity:` near the end is the one of the whole system.
"""

from __future__ import annotations

from dataclasses import replace

from controller.virtual.activities import Activity, Task
from controller.virtual.intents import Intent, short_component
from controller.virtual.phone import VirtualPhone
from controller.virtual.shell.core import Call
from controller.virtual.shell.dumpsys import dump
from controller.virtual.shell.records import (
    activity_record,
    affinity,
    intent_text,
    process_record,
    task_record,
    windowing_mode,
)
from controller.virtual.shell.window_dump import configuration, focus_lines

__all__: list[str] = []

_OTHERS = {
    "processes": "RUNNING PROCESSES",
    "services": "SERVICES",
    "providers": "CONTENT PROVIDERS",
    "broadcasts": "BROADCAST STATE",
    "intents": "PENDING INTENTS",
    "settings": "SETTINGS",
    "permissions": "URI PERMISSIONS",
    "oom": "OOM",
    "lastanr": "LAST ANR",
}


@dump("activity")
def activity(call: Call, args: list[str]) -> None:
    """`dumpsys activity [-p PACKAGE] [activities|top|top-resumed|recents|…] [PACKAGE|COMPONENT]`."""
    package, words, rest = "", [], list(args)
    while rest:
        argument = rest.pop(0)
        if argument == "-p" and rest:
            package = rest.pop(0)
        elif not argument.startswith("-"):
            words.append(argument)
    wanted = words[0] if words else ""
    phone = call.phone
    match wanted:
        case "":
            for title in ("settings", "intents", "broadcasts", "providers", "services"):
                call.lines([f"ACTIVITY MANAGER {_OTHERS[title]} (dumpsys activity {title})", "-" * 79])
            call.lines([*_recents(phone), "-" * 79, *_activities(phone, package)])
            call.lines(["-" * 79, *_processes(phone)])
        case "activities" | "a":
            call.lines(_activities(phone, package or (words[1] if len(words) > 1 and words[1] != "." else "")))
        case "top":
            call.lines(_top(phone))
        case "top-resumed" if phone.sdk >= 34:
            call.lines(_top_resumed(phone))
        case "recents" | "r":
            call.lines(_recents(phone))
        case "processes" | "p":
            call.lines(_processes(phone))
        case "containers":
            call.lines(_containers(phone))
        case _ if wanted in _OTHERS:
            call.line(f"ACTIVITY MANAGER {_OTHERS[wanted]} (dumpsys activity {wanted})")
            call.line("  (nothing)")
        case _:
            found = [one for task in phone.tasks for one in task.activities if _matches(one, wanted)]
            if not found:
                call.line(f"Bad activity command, or no activities match: {wanted}")
                call.line("Use -h for help.")
            for one in found:
                call.lines(_activity_state(phone, one))


def _matches(one: Activity, wanted: str) -> bool:
    return wanted in {one.package, short_component(one.component), "/".join(one.component), one.spec.name, "all"}


def _activities(phone: VirtualPhone, package: str) -> list[str]:
    top = phone.top_activity()
    tasks = [
        task
        for task in reversed(list(phone.tasks))
        if not package or any(one.package == package for one in task.activities)
    ]
    lines = [
        "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)",
        "Display #0 (activities from top to bottom):",
    ]
    for task in tasks:
        lines += _new_task(phone, task, top) if phone.sdk >= 31 else _old_stack(phone, task, top)
    resumed = activity_record(top if phone.screen_on else None)
    if phone.sdk >= 31:
        lines += ["  Resumed activities in task display areas (from top to bottom):", f"    Resumed: {resumed}", ""]
    lines += [f"  ResumedActivity: {resumed}", ""]
    return lines + _supervisor(phone)


def _new_task(phone: VirtualPhone, task: Task, top: Activity | None) -> list[str]:
    front = phone.splitting.shown(task)
    lines = [f"  * {task_record(phone, task, visible=front)}"]
    paused = next((one for one in reversed(task.activities) if not (front and one is task.top)), None)
    if paused is not None:
        lines.append(f"    mLastPausedActivity: {activity_record(paused)}")
    lines.append(f"    isSleeping={'false' if phone.screen_on else 'true'}")
    if front and phone.screen_on:
        lines.append(f"    topResumedActivity={activity_record(task.top)}")
    for number in range(len(task.activities) - 1, -1, -1):
        one = task.activities[number]
        lines.append(f"    * Hist  #{number}: {activity_record(one)}")
        lines += ["      " + line for line in _record_lines(phone, one, top)]
    return [*lines, ""]


def _old_stack(phone: VirtualPhone, task: Task, top: Activity | None) -> list[str]:
    front = phone.splitting.shown(task)
    kind = "home" if task.home else "standard"
    lines = [
        "",
        f"  Stack #{task.id}: type={kind} mode={windowing_mode(phone, task)}",
        f"  isSleeping={'false' if phone.screen_on else 'true'}",
        "  mBounds=Rect(0, 0 - 0, 0)",
        f"    Task id #{task.id}",
        "    mBounds=Rect(0, 0 - 0, 0)",
        f"    * {task_record(phone, task, visible=front)}",
    ]
    for number in range(len(task.activities) - 1, -1, -1):
        one = task.activities[number]
        lines.append(f"      * Hist #{number}: {activity_record(one)}")
        lines += ["          " + line for line in _record_lines(phone, one, top)]
    lines += ["    Running activities (most recent first):", f"      {task_record(phone, task, visible=front)}"]
    for number in range(len(task.activities) - 1, -1, -1):
        lines.append(f"        Run #{number}: {activity_record(task.activities[number])}")
    lines.append("")
    resumed = task.top is not None and phone.splitting.resumed(task.top)
    if resumed and phone.screen_on:
        lines.append(f"    mResumedActivity: {activity_record(task.top)}")
    paused = next((one for one in reversed(task.activities) if not (resumed and one is task.top)), None)
    if paused is not None:
        lines.append(f"    mLastPausedActivity: {activity_record(paused)}")
    return lines


def _record_lines(phone: VirtualPhone, one: Activity, top: Activity | None) -> list[str]:
    seconds = int(phone.now() - one.started)
    task = phone.tasks.by_id(one.task_id)
    seen = task is not None and one is task.top and phone.splitting.shown(task)
    state = "RESUMED" if one is top or phone.splitting.resumed(one) else "PAUSED" if seen else "STOPPED"
    shown = "true" if seen else "false"
    caller = one.intent.caller
    package = phone.packages.get(caller)
    uid = 2000 if caller == "com.android.shell" or package is None else package.spec.uid
    flags = one.intent.flags | 0x10000000
    component = one.intent.component or one.component
    return [
        f"packageName={one.package} processName={one.package}",
        f"launchedFromUid={uid} launchedFromPackage={caller} userId=0",
        f"app={process_record(phone, one.package)}",
        intent_text(_with_component(one, component), phone.sdk, flags=flags),
        f"taskAffinity={one.package}",
        f"mActivityComponent={short_component(one.component)}",
        f"state={state} stopped={'true' if state == 'STOPPED' else 'false'} delayedResume=false",
        f"visible={shown} sleeping=false idle=true nowVisible={shown}",
        f"lastVisibleTime=-{seconds}s000ms",
    ]


def _with_component(one: Activity, component: tuple[str, str]) -> Intent:
    return replace(one.intent, component=component)


def _supervisor(phone: VirtualPhone) -> list[str]:
    name = "ActivityTaskSupervisor" if phone.sdk >= 30 else "ActivityStackSupervisor"
    front = next(iter(reversed(list(phone.tasks))), None)
    focused = "null" if front is None else task_record(phone, front, visible=True)
    lines = [f"{name} state:"]
    if phone.sdk >= 31:
        lines.append(f"  topDisplayFocusedRootTask={focused}")
    elif phone.sdk >= 29:
        lines.append(f"  topDisplayFocusedStack={focused}")
    else:
        lines.append(f"  mFocusedStack={focused} mLastFocusedStack={focused}")
        lines.append(f"  mCurTaskIdForUser={{0={front.id if front is not None else 0}}}")
    if phone.sdk >= 30:
        idle = ["  mCurrentFocus=null", "  mFocusedApp=null"]
        lines += [line for one in phone.display.others for line in (f"  Display {one.id}:", *idle)]
        lines += ["  Display 0:", *focus_lines(phone)]
    locked = "true" if phone.keyguard else "false"
    return [
        *lines,
        "  KeyguardController:",
        f"    mKeyguardShowing={locked}",
        "    mAodShowing=false",
        "    mKeyguardGoingAway=false",
        "    mOccluded=false",
        "",
    ]


def _top(phone: VirtualPhone) -> list[str]:
    lines: list[str] = []
    for task in phone.tasks:  # the front one last, from Android 8 on
        if task.top is None:
            continue
        name = affinity(phone, task) if phone.sdk >= 30 else task.affinity
        lines += [f"TASK {name} id={task.id} userId=0", *_activity_state(phone, task.top), ""]
    return lines


def _activity_state(phone: VirtualPhone, one: Activity) -> list[str]:
    resumed = "true" if phone.splitting.resumed(one) and phone.screen_on else "false"
    split = "true" if phone.splitting.pair is not None and phone.splitting.resumed(one) else "false"
    package = phone.packages.get(one.package)
    pid = str(package.pid) if package is not None and package.pid is not None else "(not running)"
    return [
        f"  ACTIVITY {short_component(one.component)} {one.token:x} pid={pid}",
        f"    Local Activity {one.token ^ 0x44:x} State:",
        f"      mResumed={resumed} mStopped={'false' if resumed == 'true' else 'true'} mFinished=false",
        f"      mIsInMultiWindowMode={split} mIsInPictureInPictureMode=false",
        "      mChangingConfigurations=false",
        f"      mCurrentConfig={configuration(phone)}",
        "    View Hierarchy:",
        f"      DecorView@{one.window_hash:x}[{one.spec.name.rpartition('.')[2]}]",
    ]


def _top_resumed(phone: VirtualPhone) -> list[str]:
    top = phone.top_activity()
    lines = ["ACTIVITY MANAGER TOP-RESUMED (dumpsys activity top-resumed)"]
    return lines if top is None else [*lines, *_activity_state(phone, top)]


def _recents(phone: VirtualPhone) -> list[str]:
    lines = ["ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)", "  Recent tasks:"]
    for number, task in enumerate(reversed(list(phone.tasks))):
        lines.append(f"  * Recent #{number}: {task_record(phone, task, visible=phone.splitting.shown(task))}")
        lines.append(f"    userId=0 hasTask=true lastActiveTime={int(phone.now())} affinity={affinity(phone, task)}")
        if task.activities:
            root = task.activities[0]
            lines.append(f"    baseIntent={intent_text(_with_component(root, root.component), phone.sdk)}")
            lines.append(f"    realActivity={{{short_component(root.component)}}}")
            lines.append(f"    Activities=[{', '.join(activity_record(one) for one in task.activities)}]")
    return lines


def _processes(phone: VirtualPhone) -> list[str]:
    lines = ["ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)", "  All known processes:"]
    for name, package in phone.packages.items():
        if package.pid is not None:
            lines.append(f"  *APP* UID {package.spec.uid} {process_record(phone, name)}")
            lines.append(f"    packageList={{{name}}}")
    return [*lines, "  mHomeProcess: null", f"  mSleeping={'false' if phone.screen_on else 'true'}"]


def _containers(phone: VirtualPhone) -> list[str]:
    lines = ["ACTIVITY MANAGER CONTAINERS (dumpsys activity containers)", "ROOT type=undefined mode=fullscreen"]
    for number, task in enumerate(reversed(list(phone.tasks))):
        kind = "home" if task.home else "standard"
        mode = windowing_mode(phone, task)
        lines.append(f"  #{number} Task={task.id} type={kind} mode={mode} override-mode=undefined")
        lines += [
            f"   #{n} {activity_record(one)} type={kind} mode=fullscreen" for n, one in enumerate(task.activities)
        ]
    return lines

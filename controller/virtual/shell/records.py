"""The short records that Android's dumps are made of: `Window{…}`, `ActivityRecord{…}`, `Task{…}`, per version."""

from __future__ import annotations

import re

from controller.virtual.activities import Activity, Task
from controller.virtual.intents import Intent, short_component
from controller.virtual.phone import VirtualPhone
from controller.virtual.ui import Window

__all__ = [
    "activity_record",
    "affinity",
    "focused_app",
    "intent_text",
    "process_record",
    "rotation_name",
    "safe_uri",
    "task_name",
    "task_record",
    "window_record",
    "windowing_mode",
]


def window_record(window: Window | None) -> str:
    """`Window{c838dbe u0 tv.danmaku.bili/tv.danmaku.bili.MainActivityV2}`, `null` for none."""
    return "null" if window is None else f"Window{{{window.hash:x} u0 {window.title}}}"


def activity_record(activity: Activity | None) -> str:
    """`ActivityRecord{d9b8281 u0 tv.danmaku.bili/.MainActivityV2 t57}`, `null` for none."""
    if activity is None:
        return "null"
    return f"ActivityRecord{{{activity.token:x} u0 {short_component(activity.component)} t{activity.task_id}}}"


def focused_app(phone: VirtualPhone) -> str:
    """The value of `mFocusedApp=`: up to Android 10 the record lies in an app window token."""
    record = activity_record(phone.top_activity())
    if phone.sdk >= 30 or record == "null":
        return record
    top = phone.top_activity()
    token = top.token if top is not None else 0
    return f"AppWindowToken{{{token ^ 0x1111:x} token=Token{{{token ^ 0x2222:x} {record}}}}}"


def affinity(phone: VirtualPhone, task: Task) -> str:
    """`10178:tv.danmaku.bili`: the uid stands before it from Android 10 on."""
    package = phone.packages.get(task.affinity)
    return f"{package.spec.uid}:{task.affinity}" if phone.sdk >= 29 and package is not None else task.affinity


def task_record(phone: VirtualPhone, task: Task, *, visible: bool) -> str:
    """A task as the dumps of the activity manager write it."""
    kind = "home" if task.home else "standard"
    mode = windowing_mode(phone, task)
    name = f"A={affinity(phone, task)}"
    shown = "true" if visible else "false"
    if phone.sdk >= 31:
        state = f"visible={shown} visibleRequested={shown} mode={mode} translucent={'false' if visible else 'true'}"
        return f"Task{{{task.token:x} #{task.id} type={kind} {name} U=0 {state} sz={len(task.activities)}}}"
    if phone.sdk >= 30:
        state = f"visible={shown} type={kind} mode={mode} translucent={'false' if visible else 'true'}"
        return f"Task{{{task.token:x} #{task.id} {state} {name} U=0 StackId={task.id} sz={len(task.activities)}}}"
    return f"TaskRecord{{{task.token:x} #{task.id} {name} U=0 StackId={task.id} sz={len(task.activities)}}}"


def task_name(phone: VirtualPhone, task: Task) -> str:
    """A task in short, as fields that point at one print it."""
    kind = "home" if task.home else "standard"
    return f"Task{{{task.token:x} #{task.id} type={kind} A={affinity(phone, task)}}}"


def windowing_mode(phone: VirtualPhone, task: Task) -> str:
    """`fullscreen`, or in a split screen what each version calls its half."""
    pair = phone.splitting.pair
    if pair is None or task not in pair:
        return "fullscreen"
    if phone.sdk >= 31:
        return "multi-window"
    return "split-screen-primary" if task is pair[0] else "split-screen-secondary"


def process_record(phone: VirtualPhone, package: str) -> str:
    """`ProcessRecord{1c9fc79 8821:tv.danmaku.bili/u0a178}`."""
    installed = phone.packages.get(package)
    if installed is None or installed.pid is None:
        return "null"
    uid = installed.spec.uid
    user = f"u0a{uid - 10000}" if uid >= 10000 else str(uid)
    return f"ProcessRecord{{{installed.pid * 4099 & 0xFFFFFFF:x} {installed.pid}:{package}/{user}}}"


def intent_text(intent: Intent, sdk: int, *, flags: int | None = None) -> str:
    """`Intent { act=… cat=[…] dat=… flg=0x… pkg=… cmp=… (has extras) }`, as `Intent.toString` prints it."""
    shown = intent.flags if flags is None else flags
    parts = [
        f"act={intent.action}" if intent.action else "",
        f"cat=[{','.join(intent.categories)}]" if intent.categories else "",
        f"dat={safe_uri(intent.data, sdk)}" if intent.data else "",
        f"typ={intent.type}" if intent.type else "",
        f"flg=0x{shown:x}" if shown else "",
        f"pkg={intent.package}" if intent.package else "",
        f"cmp={short_component(intent.component)}" if intent.component else "",
        "(has extras)" if intent.extras else "",
    ]
    return "Intent { " + "".join(part + " " for part in parts if part) + "}"


def safe_uri(uri: str, sdk: int) -> str:
    """`https://b23.tv/...`: what `Uri.toSafeString` leaves of a URI; of web links alone before Android 11."""
    scheme, colon, rest = uri.partition(":")
    if not colon:
        return uri
    if scheme.lower() in {"tel", "sip", "sms", "smsto", "mailto", "nfc"}:
        return f"{scheme}:" + re.sub(r"[^-@.]", "x", rest)
    if sdk < 30 and scheme.lower() not in {"http", "https", "ftp", "rtsp"}:
        return uri
    if rest.startswith("//"):
        host = re.split(r"[/?#]", rest[2:], maxsplit=1)[0]
        return f"{scheme}://{host.rpartition('@')[2]}/..."
    return f"{scheme}:/..." if rest.startswith("/") else f"{scheme}:"


def rotation_name(rotation: int) -> str:
    """`ROTATION_90` of 1."""
    return f"ROTATION_{rotation * 90}"

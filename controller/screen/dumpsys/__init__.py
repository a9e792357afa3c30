"""Text that a phone prints, as values: the front app, answers of commands, facts about the display.

Everything here is a pure function over text, and none but `parse_report` raises. What to run when is `device.phone`.

- `foreground`: which app is in front; `facts` collects its lines, `records` and `windows` spell them,
  `fragments` reads what is no dump, `report` reads files
- `answers`: what commands say about an action; `listings`: what they list
- `display`: keyboard, rotation, secure windows, power
"""

from __future__ import annotations

from controller.screen.dumpsys.answers import (
    Answer,
    BroadcastAnswer,
    DumpAnswer,
    ScreencapNote,
    StartAnswer,
    broadcast_answer,
    dump_answer,
    ime_answer,
    input_answer,
    monkey_answer,
    screencap_note,
    service_answer,
    start_answer,
)
from controller.screen.dumpsys.display import (
    ImeWindow,
    display_rotation,
    ime_window,
    secure_window,
)
from controller.screen.dumpsys.foreground import Foreground, State, foreground, foreground_commands, more_commands
from controller.screen.dumpsys.listings import (
    Density,
    DeviceRow,
    PackageList,
    ResolvedActivity,
    Size,
    UserRow,
    adb_devices,
    ime_list,
    package_list,
    resolve_activity,
    user_list,
    wm_density,
    wm_size,
)
from controller.screen.dumpsys.records import split_process
from controller.screen.dumpsys.report import parse_report, split_multi

__all__ = [
    "Answer",
    "BroadcastAnswer",
    "Density",
    "DeviceRow",
    "DumpAnswer",
    "Foreground",
    "ImeWindow",
    "PackageList",
    "ResolvedActivity",
    "ScreencapNote",
    "Size",
    "StartAnswer",
    "State",
    "UserRow",
    "adb_devices",
    "broadcast_answer",
    "display_rotation",
    "dump_answer",
    "foreground",
    "foreground_commands",
    "ime_answer",
    "ime_list",
    "ime_window",
    "input_answer",
    "monkey_answer",
    "more_commands",
    "package_list",
    "parse_report",
    "resolve_activity",
    "screencap_note",
    "secure_window",
    "service_answer",
    "split_multi",
    "split_process",
    "start_answer",
    "user_list",
    "wm_density",
    "wm_size",
]

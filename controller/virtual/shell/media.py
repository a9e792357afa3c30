"""`media` and `cmd media_session`: the volume of music, as its setting holds it; keys for players."""

from __future__ import annotations

import re

from controller.virtual.shell.core import Call, command

__all__ = ["run_media"]

_STREAMS = {
    "0": "STREAM_VOICE_CALL",
    "1": "STREAM_SYSTEM",
    "2": "STREAM_RING",
    "3": "STREAM_MUSIC",
    "4": "STREAM_ALARM",
}
_MOST = 15


@command("media")
def media(call: Call) -> int:
    """`media volume|dispatch …`."""
    return run_media(call, call.args)


def run_media(call: Call, args: list[str]) -> int:
    """The command, also reached as `cmd media_session`."""
    match args[:1]:
        case ["volume"]:
            return _volume(call, args[1:])
        case ["dispatch"] | ["list-sessions"] | ["monitor"]:
            call.lines(["Sessions:"] if args[0] == "list-sessions" else [])
            return 0
        case _:
            call.err("usage: media_session [subcommand] [options]\n       media_session dispatch KEY\n"
                     "       media_session list-sessions\n       media_session volume [options]")  # fmt: skip
            return 255


def _volume(call: Call, args: list[str]) -> int:
    # [V] will control stream=3 (STREAM_MUSIC)
    # [V] volume is 9 in range [0..15]
    phone, stream = call.phone, "3"
    if "--stream" in args and args.index("--stream") + 1 < len(args):
        stream = args[args.index("--stream") + 1]
    if stream not in _STREAMS:
        call.err(f"Error: Invalid stream {stream}")
        return 1
    key = "volume_" + {"3": "music", "2": "ring", "4": "alarm"}.get(stream, "system")
    call.line(f"[V] will control stream={stream} ({_STREAMS[stream]})")
    volume = int(phone.setting("system", key) or "7")
    if "--set" in args:
        wanted = args[args.index("--set") + 1] if args.index("--set") + 1 < len(args) else ""
        if not re.fullmatch(r"\d{1,2}", wanted) or int(wanted) > _MOST:
            call.err(f"Error: {wanted or 'no index'} is not a valid volume index")
            return 1
        volume = int(wanted)
        call.line(f"[V] will set volume to index={volume}")
    elif "--adj" in args:
        step = 1 if "raise" in args else -1 if "lower" in args else 0
        volume = min(_MOST, max(0, volume + step))
        call.line("[V] will adjust volume")
    phone.put_setting("system", key, str(volume))
    if "--get" in args:
        call.line("[V] will get volume")
        call.line(f"[V] volume is {volume} in range [0..{_MOST}]")
    return 0

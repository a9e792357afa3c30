"""A network of its own for a program that must have port 5037: Linux lets any user make one.

Owns entering it and what is needed inside. Where it cannot be had, callers go on with a private port.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence

__all__ = ["INSIDE", "command_inside", "loopback_up"]

INSIDE = "PHONECTL_PEERS_INSIDE"
"""Set in the environment of a program that runs in the namespace."""

_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1  # SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP


def command_inside(arguments: Sequence[str]) -> list[str] | None:
    """This program again, in a namespace with nothing but its own loopback; None where there is no such thing."""
    unshare = shutil.which("unshare")
    if unshare is None or os.environ.get(INSIDE):
        return None
    for rights in (["--user", "--map-root-user"], []):  # root in a container may have the one or the other
        prefix = [unshare, *rights, "--net"]
        if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0:
            return [*prefix, sys.executable, "-m", "tests.peers", *arguments]
    return None


def loopback_up() -> None:
    """Switch 127.0.0.1 on: in a new namespace it is down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        answer = fcntl.ioctl(control, _GET_FLAGS, struct.pack("16sH14x", b"lo", 0))
        flags = struct.unpack("16sH14x", answer)[1]
        fcntl.ioctl(control, _SET_FLAGS, struct.pack("16sH14x", b"lo", flags | _UP))

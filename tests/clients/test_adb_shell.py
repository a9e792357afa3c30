"""adb-shell, which speaks to the phone's port itself: the old transport with checksums, and no adb server."""

from __future__ import annotations

import json
import stat
import subprocess
import textwrap
from pathlib import Path
from typing import Any

import pytest

from controller.virtual import boot
from controller.virtual.server import VirtualServer
from tests.clients.environments import python_environment
from tests.clients.watching import Watch

pytestmark = pytest.mark.client

PROLOGUE = """
    import io, json, sys
    from adb_shell.adb_device import AdbDeviceTcp
    from adb_shell.auth.keygen import keygen
    from adb_shell.auth.sign_pythonrsa import PythonRSASigner
    from adb_shell import exceptions
    host, _, port = sys.argv[1].partition(":")
    phone = AdbDeviceTcp(host, int(port), default_transport_timeout_s=9)
"""


def script(transport: str, folder: Path, body: str) -> Any:
    """What a script with adb-shell puts into `found`, as JSON."""
    python = python_environment("adb-shell", "adb-shell==0.4.4") / "python"
    text = textwrap.dedent(PROLOGUE) + textwrap.dedent(body) + "\nprint(json.dumps(found))\n"
    done = subprocess.run(
        [str(python), "-c", text, transport], cwd=folder, capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_commands_answer(server: VirtualServer, trace: Watch, tmp_path: Path) -> None:
    found = script(
        server.transport,
        tmp_path,
        """
        phone.connect(auth_timeout_s=1)
        found = [phone.shell("echo 你好; wm size"), len(phone.exec_out("screencap -p", decode=False)) > 1000]
        found.append(list(phone.streaming_shell("ls /sdcard"))[0].split())
        """,
    )

    assert found[:2] == ["你好\nPhysical size: 1080x2400\n", True]
    assert {"DCIM", "Download"} <= set(found[2])
    assert trace.services == ["shell:echo 你好; wm size", "exec:screencap -p", "shell:ls /sdcard"]


def test_files_go_there_and_back(server: VirtualServer, tmp_path: Path) -> None:
    found = script(
        server.transport,
        tmp_path,
        """
        phone.connect(auth_timeout_s=1)
        content = bytes(range(256)) * 3000
        phone.push(io.BytesIO(content), "/sdcard/Movies/big.bin", st_mode=0o100644, mtime=1_600_000_000)
        back = io.BytesIO()
        phone.pull("/sdcard/Movies/big.bin", back)
        found = {
            "same": back.getvalue() == content,
            "stat": phone.stat("/sdcard/Movies/big.bin"),
            "nothing": phone.stat("/sdcard/nothing"),
            "list": [[file.filename.decode(), file.mode] for file in phone.list("/sdcard/Movies")],
        }
        try:
            phone.pull("/sdcard/nothing", io.BytesIO())
        except exceptions.AdbCommandFailureException as err:
            found["refused"] = str(err)
        """,
    )

    assert found["same"]
    assert found["stat"] == [stat.S_IFREG | 0o644, 768_000, 1_600_000_000]
    assert found["nothing"] == [0, 0, 0]
    assert [name for name, _ in found["list"]] == [".", "..", "big.bin"]
    assert [stat.S_ISDIR(mode) for _, mode in found["list"]] == [True, True, False]
    assert found["refused"].endswith("No such file or directory")


def test_a_phone_that_has_not_accepted_the_key_refuses_a_client_without_one(tmp_path: Path) -> None:
    with boot("default") as locked:
        locked.phone.faults.set("unauthorized")

        found = script(
            locked.transport,
            tmp_path,
            """
            try:
                phone.connect(auth_timeout_s=1)
            except exceptions.DeviceAuthError as err:
                found = str(err)
            """,
        )

    assert "Device authentication required" in found


def test_a_key_that_nobody_accepts_is_waited_for_in_vain(tmp_path: Path) -> None:
    with boot("default") as locked:
        locked.phone.faults.set("unauthorized")

        found = script(
            locked.transport,
            tmp_path,
            """
            keygen("key")
            signer = PythonRSASigner(open("key.pub").read(), open("key").read())
            asked = []
            try:
                phone.connect(rsa_keys=[signer], auth_timeout_s=0.3, auth_callback=lambda _: asked.append(1))
            except exceptions.TcpTimeoutException:
                asked.append("in vain")
            found = asked
            """,
        )

    assert found == [1, "in vain"]

"""An adb binary, run as a person runs it: the one that adbutils brings, or another."""

from __future__ import annotations

import contextlib
import os
import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path

import adbutils

__all__ = ["Adb", "adb_binary"]


def adb_binary() -> str:
    """Its path; the one inside the package, not another one on the PATH."""
    bundled = Path(adbutils.__file__).parent / "binaries" / "adb"
    return str(bundled) if bundled.exists() else adbutils.adb_path()


@dataclass(frozen=True, slots=True)
class Adb:
    """adb with a server port, a home folder of its own and perhaps a phone."""

    port: int
    home: Path
    serial: str = ""
    binary: str = field(default_factory=adb_binary)
    environment: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("ANDROID_", "ADB_"))}
        # No search for emulators, USB (where its library fails, adb waits three seconds) or the network.
        quiet = {"HOME": str(self.home), "ADB_LOCAL_TRANSPORT_MAX_PORT": "0", "ADB_LIBUSB": "0", "ADB_MDNS": "0"}
        # Programs that look for adb on the PATH and for its server in the environment find these.
        found = {
            "PATH": os.pathsep.join([self._folder(), clean.get("PATH", "")]),
            "ANDROID_ADB_SERVER_PORT": str(self.port),
        }
        object.__setattr__(self, "environment", clean | quiet | found)

    def _folder(self) -> str:
        folder = self.home / "bin"
        folder.mkdir(exist_ok=True)
        with contextlib.suppress(FileExistsError):
            (folder / "adb").symlink_to(self.binary)
        return str(folder)

    def to(self, serial: str) -> Adb:
        """The same adb for one phone."""
        return replace(self, serial=serial)

    def command(self, *arguments: str) -> list[str]:
        """The whole command line."""
        chosen = ["-s", self.serial] if self.serial else []
        return [self.binary, "-P", str(self.port), *chosen, *arguments]

    def run(self, *arguments: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        """Run one command to its end."""
        with subprocess.Popen(
            self.command(*arguments),
            env=self.environment,
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            try:
                out, err = process.communicate(stdin, timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def out(self, *arguments: str, stdin: bytes | None = None) -> str:
        """What a command that succeeds prints."""
        done = self.run(*arguments, stdin=stdin)
        assert done.returncode == 0, done
        return done.stdout.decode()

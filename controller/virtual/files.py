"""The phone's file system: files, folders and links in memory.

Owns paths, modes and times. It raises the operating system's own errors (`FileNotFoundError` …), whose `strerror` is
what toybox prints behind the path. What the shell makes of them is the shell's.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

__all__ = ["FileSystem", "Stat"]

_FOLDERS = (
    "/data",
    "/data/app",
    "/data/data",
    "/data/local",
    "/data/local/tmp",
    "/dev",
    "/proc",
    "/storage/emulated/0/Android/data",
    "/storage/emulated/0/DCIM/Camera",
    "/storage/emulated/0/Documents",
    "/storage/emulated/0/Download",
    "/storage/emulated/0/Movies",
    "/storage/emulated/0/Music",
    "/storage/emulated/0/Pictures",
    *(f"/sys/devices/system/cpu/cpu{number}" for number in range(4)),
    "/system/bin",
    "/system/app",
    "/vendor",
)
_LINKS = {
    "/sdcard": "/storage/emulated/0",
    "/storage/self/primary": "/storage/emulated/0",
    "/mnt/sdcard": "/storage/emulated/0",
}
_WRITABLE = ("/data/local/tmp", "/storage/emulated/0", "/dev/null", "/dev/tty")
_MAX_LINKS = 8


@dataclass(frozen=True, slots=True)
class Stat:
    """What `stat` says; `mode` holds the kind of file as well as the permissions."""

    mode: int
    size: int
    mtime: int
    inode: int = 0
    uid: int = 0
    gid: int = 0

    @property
    def is_dir(self) -> bool:
        """Whether it is a folder."""
        return stat.S_ISDIR(self.mode)

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link."""
        return stat.S_ISLNK(self.mode)


class _Entry:
    __slots__ = ("children", "data", "inode", "mode", "mtime", "target")

    def __init__(self, mode: int, mtime: int, inode: int) -> None:
        self.mode = mode
        self.mtime = mtime
        self.inode = inode
        self.data = b""
        self.target = ""
        self.children: dict[str, _Entry] | None = {} if stat.S_ISDIR(mode) else None


class FileSystem:
    """A tree of files that a shell user may read, and write below `/sdcard` and `/data/local/tmp`.

    Args:
        wall: Seconds since 1970, for the times of files.
        files: Path to text of the files that are there from the start.
    """

    def __init__(self, wall: Callable[[], float], files: Mapping[str, str] | None = None) -> None:
        self._wall = wall
        self._inodes = 1
        self._root = self._entry(stat.S_IFDIR | 0o755)
        for folder in _FOLDERS:
            self.mkdir(folder, parents=True, system=True)
        for path, target in _LINKS.items():
            self._link(path, target)
        for path, text in (files or {}).items():
            self.mkdir(os.path.dirname(path), parents=True, system=True)  # noqa: PTH120 (the phone's path, not ours)
            self.write(path, text.encode(), system=True)

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        """What lies at the path.

        Raises:
            FileNotFoundError, NotADirectoryError: Nothing does.
        """
        entry = self._find(path, follow=follow)
        size = len(entry.target) if entry.target else 4096 if entry.children is not None else len(entry.data)
        owner = 2000 if self._shell_owned(self.resolve(path)) else 0
        return Stat(entry.mode, size, entry.mtime, entry.inode, owner, owner)

    def exists(self, path: str) -> bool:
        """Whether something lies at the path."""
        try:
            self._find(path)
        except OSError:
            return False
        return True

    def is_dir(self, path: str) -> bool:
        """Whether a folder lies at the path."""
        return self.exists(path) and self._find(path).children is not None

    def read(self, path: str) -> bytes:
        """The bytes of a file.

        Raises:
            FileNotFoundError, IsADirectoryError: There is no such file.
        """
        entry = self._find(path)
        if entry.children is not None:
            raise _error(errno.EISDIR, path)
        return entry.data

    def write(
        self,
        path: str,
        data: bytes,
        *,
        mode: int = 0o644,
        mtime: int | None = None,
        append: bool = False,
        system: bool = False,
    ) -> None:
        """Make or replace a file; `system` writes where the shell user may not.

        Raises:
            FileNotFoundError, IsADirectoryError, PermissionError: The file cannot be made there.
        """
        parent, name = self._parent(path)
        self._may_write(path, system=system)
        assert parent.children is not None
        entry = parent.children.get(name)
        if entry is not None and entry.target:
            self.write(entry.target, data, mode=mode, mtime=mtime, append=append, system=system)
            return
        if entry is not None and entry.children is not None:
            raise _error(errno.EISDIR, path)
        if self.resolve(path) == "/dev/null":
            return
        if entry is None:
            entry = self._entry(stat.S_IFREG | (mode & 0o7777))
            parent.children[name] = entry
        elif not append:
            entry.mode = stat.S_IFREG | (mode & 0o7777)
        entry.data = entry.data + data if append else data
        entry.mtime = int(self._wall()) if mtime is None else mtime

    def listdir(self, path: str) -> list[str]:
        """The names in a folder, sorted.

        Raises:
            FileNotFoundError, NotADirectoryError: There is no such folder.
        """
        entry = self._find(path)
        if entry.children is None:
            raise _error(errno.ENOTDIR, path)
        return sorted(entry.children)

    def mkdir(self, path: str, *, parents: bool = False, system: bool = False) -> None:
        """Make a folder, with `parents` also those above it (and no error where it is there).

        Raises:
            FileExistsError, FileNotFoundError, PermissionError: It cannot be made.
        """
        if parents:
            above = os.path.dirname(path.rstrip("/"))  # noqa: PTH120 (the phone's path, not ours)
            if self.is_dir(path):
                return
            if above not in ("", "/"):
                self.mkdir(above, parents=True, system=system)
        parent, name = self._parent(path)
        assert parent.children is not None
        if name in parent.children:
            raise _error(errno.EEXIST, path)
        self._may_write(path, system=system)
        parent.children[name] = self._entry(stat.S_IFDIR | 0o771)

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """Remove a file, or with `recursive` a folder and all in it.

        Raises:
            FileNotFoundError, IsADirectoryError, PermissionError: It cannot be removed.
        """
        parent, name = self._parent(path)
        assert parent.children is not None
        entry = parent.children.get(name)
        if entry is None:
            raise _error(errno.ENOENT, path)
        if entry.children is not None and not recursive:
            raise _error(errno.EISDIR, path)
        self._may_write(path)
        del parent.children[name]

    def rmdir(self, path: str) -> None:
        """Remove an empty folder.

        Raises:
            FileNotFoundError, NotADirectoryError, OSError: It cannot be removed.
        """
        if self.listdir(path):
            raise _error(errno.ENOTEMPTY, path)
        self.remove(path, recursive=True)

    def rename(self, source: str, target: str) -> None:
        """Move a file or folder; a target that is a folder takes it in.

        Raises:
            FileNotFoundError, PermissionError: It cannot be moved.
        """
        parent, name = self._parent(source)
        assert parent.children is not None
        if name not in parent.children:
            raise _error(errno.ENOENT, source)
        if self.is_dir(target):
            target = target.rstrip("/") + "/" + name
        self._may_write(source)
        self._may_write(target)
        into, new_name = self._parent(target)
        assert into.children is not None
        into.children[new_name] = parent.children.pop(name)

    def chmod(self, path: str, mode: int) -> None:
        """Set the permission bits.

        Raises:
            FileNotFoundError, PermissionError: They cannot be set.
        """
        entry = self._find(path)
        self._may_write(path)
        entry.mode = stat.S_IFMT(entry.mode) | (mode & 0o7777)

    def touch(self, path: str) -> None:
        """Make an empty file, or set the time of the one that is there."""
        if self.exists(path):
            self._may_write(path)
            self._find(path).mtime = int(self._wall())
        else:
            self.write(path, b"")

    def walk(self, path: str) -> Iterator[str]:
        """The path and all below it, folders first."""
        yield path
        if self.is_dir(path):
            for name in self.listdir(path):
                yield from self.walk(path.rstrip("/") + "/" + name)

    def resolve(self, path: str) -> str:
        """The path without links, dots and doubled slashes; it need not exist."""
        done = "/"
        parts = [part for part in path.split("/") if part not in ("", ".")]
        for count in range(len(parts) + _MAX_LINKS):
            if not parts:
                break
            part = parts.pop(0)
            if part == "..":
                done = os.path.dirname(done)  # noqa: PTH120 (the phone's path, not ours)
                continue
            step = done.rstrip("/") + "/" + part
            entry = self._direct(step)
            if entry is not None and entry.target and count < len(parts) + _MAX_LINKS:
                parts = [piece for piece in entry.target.split("/") if piece] + parts
                done = "/"
            else:
                done = step
        return done

    def _entry(self, mode: int) -> _Entry:
        self._inodes += 1
        return _Entry(mode, int(self._wall()), self._inodes)

    def _link(self, path: str, target: str) -> None:
        self.mkdir(os.path.dirname(path), parents=True, system=True)  # noqa: PTH120 (the phone's path, not ours)
        parent, name = self._parent(path)
        assert parent.children is not None
        parent.children[name] = self._entry(stat.S_IFLNK | 0o777)
        parent.children[name].target = target

    def _direct(self, path: str) -> _Entry | None:
        entry = self._root
        for part in path.split("/"):
            if part:
                if entry.children is None or part not in entry.children:
                    return None
                entry = entry.children[part]
        return entry

    def _find(self, path: str, *, follow: bool = True) -> _Entry:
        if not path:
            raise _error(errno.ENOENT, path)
        last = path.rstrip("/").rpartition("/")[2]
        if not follow and last not in (".", ".."):
            parent, name = self._parent(path)
            found = self._root if not name else (parent.children or {}).get(name)
        else:
            found = self._direct(self.resolve(path))
        if found is None:
            raise _error(errno.ENOENT, path)
        return found

    def _parent(self, path: str) -> tuple[_Entry, str]:
        above, _, name = path.rstrip("/").rpartition("/")
        entry = self._direct(self.resolve(above or "/"))
        if entry is None:
            raise _error(errno.ENOENT, path)
        if entry.children is None:
            raise _error(errno.ENOTDIR, path)
        return entry, name

    def _shell_owned(self, path: str) -> bool:
        return any(path == root or path.startswith(root + "/") for root in _WRITABLE)

    def _may_write(self, path: str, *, system: bool = False) -> None:
        place = self.resolve(path)
        if not system and not self._shell_owned(place):
            read_only = place.startswith(("/system", "/vendor")) or place.count("/") == 1
            raise _error(errno.EROFS if read_only else errno.EACCES, path)


def _error(number: int, path: str) -> OSError:
    return OSError(number, os.strerror(number), path)

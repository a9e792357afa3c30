"""The phone's end of `sync:`: requests in, answers out, files in memory changed on the way.

Owns what adbd answers to each request and in which words. Frames are `wire.adb.sync`'s, paths and permissions are the
file system's, and holding the phone's lock is the caller's.
"""

from __future__ import annotations

import errno
import os
import posixpath
import stat as modes
from collections.abc import Callable

from controller.virtual.files import FileSystem
from controller.wire.adb import sync

__all__ = ["SyncService"]

_KERNELS = ("/proc/", "/sys/")

_DRY_RUN = 1 << 31
"""The flag of SND2 with which adb tries a push without writing."""


class SyncService:
    """One `sync:` stream.

    Args:
        files: The phone's files.
        made: The content of files that the kernel makes when they are read, by path; None for ordinary ones.
    """

    def __init__(self, files: FileSystem, made: Callable[[str], bytes | None] = lambda _: None) -> None:
        self._files = files
        self._made = made
        self._reader = sync.SyncRequestReader()
        self._sending: sync.SendRequest | None = None
        self._content = bytearray()
        self.finished = False
        """Whether the client said that it needs the stream no more."""

    def receive(self, data: bytes) -> bytes:
        """What the phone answers to these bytes.

        Raises:
            ProtocolError: They are no requests.
        """
        return b"".join(self._answer(request) for request in self._reader.feed(data))

    def _answer(self, request: sync.Request) -> bytes:
        match request:
            case sync.StatRequest():
                return sync.encode_stat(request, self._stat(request.path, follow=request.follow))
            case sync.ListRequest():
                return self._list(request)
            case sync.ReceiveRequest():
                return self._receive(request)
            case sync.SendRequest():
                self._sending, self._content = request, bytearray()
                return b""
            case sync.Data():
                self._content += request.data
                return b""
            case sync.Done():
                return self._written(request.mtime)
            case sync.Quit():
                self.finished = True
                return b""

    def _stat(self, path: str, *, follow: bool) -> sync.Stat:
        if path.startswith(_KERNELS) and self._made(path) is not None:
            return sync.Stat(modes.S_IFREG | 0o444, 0, 0, nlink=1)
        try:
            found = self._files.stat(path, follow=follow)
        except OSError as err:
            return sync.Stat(0, 0, 0, error=err.errno or errno.EIO)
        return sync.Stat(
            found.mode,
            found.size,
            found.mtime,
            ino=found.inode,
            nlink=1,
            uid=found.uid,
            gid=found.gid,
            atime=found.mtime,
            ctime=found.mtime,
        )

    def _list(self, request: sync.ListRequest) -> bytes:
        # adbd passes on what readdir gives it, and says nothing of a folder that it cannot open.
        try:
            names = [".", "..", *self._files.listdir(request.path)]
        except OSError:
            return sync.encode_list_end(v2=request.v2)
        entries = (sync.Entry(name, self._stat(posixpath.join(request.path, name), follow=False)) for name in names)
        return b"".join(sync.encode_entry(e, v2=request.v2) for e in entries) + sync.encode_list_end(v2=request.v2)

    def _receive(self, request: sync.ReceiveRequest) -> bytes:
        if request.flags:
            return sync.encode_fail(f"unsupported flags: {request.flags}")
        content = self._made(request.path)
        try:
            content = self._files.read(request.path) if content is None else content
        except IsADirectoryError:
            return sync.encode_fail("read failed: Is a directory")
        except OSError as err:
            return sync.encode_fail(f"open failed: {_reason(err)}")
        return b"".join(sync.split_data(content)) + sync.encode_receive_end()

    def _written(self, mtime: int) -> bytes:
        request, self._sending = self._sending, None
        if request is None:
            return sync.encode_fail("DONE without SEND")
        if request.flags & ~_DRY_RUN:
            return sync.encode_fail(f"unsupported flags: {request.flags}")
        if modes.S_ISLNK(request.mode):
            return sync.encode_fail("symlink failed: Operation not permitted")
        if not request.flags & _DRY_RUN:
            try:
                self._files.mkdir(posixpath.dirname(request.path) or "/", parents=True)
                self._files.write(request.path, bytes(self._content), mode=request.mode & 0o7777, mtime=mtime)
            except OSError as err:
                return sync.encode_fail(f"couldn't create file: {_reason(err)}")
        return sync.encode_written()


def _reason(err: OSError) -> str:
    return err.strerror or os.strerror(err.errno or errno.EIO)

"""Commands about files: ls, cat, stat, rm, mkdir, mv, cp, touch, chmod, checksums, df, du."""

from __future__ import annotations

import hashlib
import re
import stat as stat_bits
import time
import zlib
from collections.abc import Callable

from controller.virtual.files import Stat
from controller.virtual.shell.core import Call, command

__all__: list[str] = []

_OWNERS = {0: "root", 1000: "system", 2000: "shell", 1023: "media_rw", 9997: "everybody"}


@command("cat")
def cat(call: Call) -> int:
    """`cat [file…]`."""
    content, code = call.text_of([name for name in call.args if name not in {"-u", "-e", "-t", "-v"}])
    call.out(content)
    return code


@command("ls")
def ls(call: Call) -> int:
    """`ls [-1aAdhilnpRstFS] [path…]`."""
    flags, names = call.flags("1aAdhilnpRstSFZrX")
    files, folders, code = [], [], 0
    for name in names or ["."]:
        path = call.path(name)
        if not call.phone.files.exists(path):
            call.err(f"ls: {name}: No such file or directory")
            code = 1
        elif call.phone.files.is_dir(path) and "d" not in flags and not ("l" in flags and _is_link(call, path, name)):
            folders.append(name)
        else:
            files.append(name)
    _print_entries(call, flags, [(name, call.path(name)) for name in files])
    for index, name in enumerate(folders):
        if len(names) > 1 or "R" in flags:
            call.line(("\n" if index or files else "") + f"{name}:")
        _list_folder(call, flags, name)
    return code


def _is_link(call: Call, path: str, name: str) -> bool:
    return not name.endswith("/") and call.phone.files.stat(path, follow=False).is_link


def _list_folder(call: Call, flags: set[str], name: str) -> None:
    base = call.path(name).rstrip("/")
    entries = call.phone.files.listdir(base or "/")
    entries = [entry for entry in entries if "a" in flags or "A" in flags or not entry.startswith(".")]
    pairs = [(entry, f"{base}/{entry}") for entry in entries]
    if "t" in flags:
        pairs.sort(key=lambda pair: -call.phone.files.stat(pair[1], follow=False).mtime)
    if "S" in flags:
        pairs.sort(key=lambda pair: -call.phone.files.stat(pair[1], follow=False).size)
    if "r" in flags:
        pairs.reverse()
    if "l" in flags:
        blocks = sum(_blocks(call.phone.files.stat(path, follow=False).size) for _, path in pairs)
        call.line(f"total {blocks}")
    if "a" in flags:
        pairs = [(".", base or "/"), ("..", base.rpartition("/")[0] or "/"), *pairs]
    _print_entries(call, flags, pairs)
    if "R" in flags:
        for entry, path in pairs:
            if entry not in {".", ".."} and call.phone.files.is_dir(path) and not _is_link(call, path, entry):
                call.line(f"\n{name.rstrip('/')}/{entry}:")
                _list_folder(call, flags, f"{name.rstrip('/')}/{entry}")


def _blocks(size: int) -> int:
    return (size + 4095) // 4096 * 4


def _print_entries(call: Call, flags: set[str], pairs: list[tuple[str, str]]) -> None:
    for name, path in pairs:
        entry = call.phone.files.stat(path, follow=False)
        mark = "/" if entry.is_dir and flags & {"F", "p"} else ""
        if "l" in flags:
            call.line(_long_line(call, flags, entry, name + mark, path))
        else:
            call.line((f"{entry.inode} " if "i" in flags else "") + name + mark)


def _long_line(call: Call, flags: set[str], entry: Stat, name: str, path: str) -> str:
    owner = str(entry.uid) if "n" in flags else _OWNERS.get(entry.uid, str(entry.uid))
    group = str(entry.gid) if "n" in flags else _OWNERS.get(entry.gid, str(entry.gid))
    size = _human(entry.size) if "h" in flags else str(entry.size)
    when = time.strftime("%Y-%m-%d %H:%M", time.gmtime(entry.mtime + 8 * 3600))
    links = 2 if entry.is_dir else 1
    arrow = f" -> {call.phone.files.resolve(path)}" if entry.is_link else ""
    return f"{stat_bits.filemode(entry.mode)} {links} {owner} {group} {size:>7} {when} {name}{arrow}"


def _human(size: int) -> str:
    if size < 1024:
        return str(size)
    power = min((size.bit_length() - 1) // 10, 4)
    value, unit = size / 1024**power, "KMGT"[power - 1]
    return f"{value:.1f}{unit}" if value < 10 else f"{value:.0f}{unit}"


@command("stat")
def stat(call: Call) -> int:
    """`stat [-c FORMAT] file…`."""
    args, form, code = list(call.args), "", 0
    while args and args[0].startswith("-"):
        flag = args.pop(0)
        if flag == "-c" and args:
            form = args.pop(0)
        elif flag.startswith("-c"):
            form = flag[2:]
    for name in args:
        try:
            entry = call.phone.files.stat(call.path(name), follow=False)
        except OSError as fault:
            call.err(f"stat: '{name}': {fault.strerror}")
            code = 1
            continue
        call.line(_stat_format(form, entry, name) if form else _stat_text(entry, name))
    return code


def _stat_format(form: str, entry: Stat, name: str) -> str:
    values = {
        "s": str(entry.size), "n": name, "N": f"`{name}'", "Y": str(entry.mtime), "X": str(entry.mtime),
        "Z": str(entry.mtime), "y": _stat_time(entry), "x": _stat_time(entry), "z": _stat_time(entry),
        "a": f"{entry.mode & 0o7777:o}", "A": stat_bits.filemode(entry.mode), "f": f"{entry.mode:x}",
        "F": _kind(entry), "i": str(entry.inode), "h": "1", "u": str(entry.uid), "g": str(entry.gid),
        "U": _OWNERS.get(entry.uid, str(entry.uid)), "G": _OWNERS.get(entry.gid, str(entry.gid)),
        "b": str(_blocks(entry.size) * 2), "B": "512", "%": "%",
    }  # fmt: skip
    return re.sub(r"%([a-zA-Z%])", lambda match: values.get(match[1], match.group()), form)


def _stat_text(entry: Stat, name: str) -> str:
    owner = _OWNERS.get(entry.uid, str(entry.uid))
    return (
        f"  File: {name}\n"
        f"  Size: {entry.size}\t Blocks: {_blocks(entry.size) * 2}\t IO Blocks: 512\t{_kind(entry)}\n"
        f"Device: fe09h/65033d\t Inode: {entry.inode}\t Links: 1\n"
        f"Access: ({entry.mode & 0o7777:04o}/{stat_bits.filemode(entry.mode)})\t"
        f"Uid: ({entry.uid:5d}/{owner:>8})\tGid: ({entry.gid:5d}/{owner:>8})\n"
        f"Access: {_stat_time(entry)}\nModify: {_stat_time(entry)}\nChange: {_stat_time(entry)}"
    )


def _stat_time(entry: Stat) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S.000000000 +0800", time.gmtime(entry.mtime + 8 * 3600))


def _kind(entry: Stat) -> str:
    return "directory" if entry.is_dir else "symbolic link" if entry.is_link else "regular file"


@command("rm")
def rm(call: Call) -> int:
    """`rm [-rf] path…`."""
    flags, names = call.flags("rRfiv")
    if not names and "f" not in flags:
        return call.fail("Needs 1 argument")
    code = 0
    for name in names:
        path = call.path(name)
        if not call.phone.files.exists(path) and "f" in flags:
            continue
        try:
            call.phone.files.remove(path, recursive=bool(flags & {"r", "R"}))
        except OSError as fault:
            call.err(f"rm: {name}: {fault.strerror}")
            code = 1
    return code


@command("rmdir")
def rmdir(call: Call) -> int:
    """`rmdir path…`."""
    return _each(call, [name for name in call.args if name != "-p"], lambda path: call.phone.files.rmdir(path))


@command("mkdir")
def mkdir(call: Call) -> int:
    """`mkdir [-p] [-m MODE] path…`."""
    args = list(call.args)
    if "-m" in args and args.index("-m") + 1 < len(args):
        del args[args.index("-m") : args.index("-m") + 2]
    parents = "-p" in args
    names = [name for name in args if not name.startswith("-")]
    return _each(call, names, lambda path: call.phone.files.mkdir(path, parents=parents))


@command("touch")
def touch(call: Call) -> int:
    """`touch file…`."""
    return _each(call, [name for name in call.args if not name.startswith("-")], call.phone.files.touch)


@command("chmod")
def chmod(call: Call) -> int:
    """`chmod [-R] MODE path…`, octal or like `+x`, `u+rw`."""
    args = [argument for argument in call.args if argument != "-R"]
    if len(args) < 2:
        return call.fail("Needs 2 arguments")
    wanted = args[0]
    if not re.fullmatch(r"[0-7]{1,4}|[ugoa]*[-+=][rwxX]*", wanted):
        return call.fail(f"bad mode '{wanted}'")
    return _each(
        call, args[1:], lambda path: call.phone.files.chmod(path, _mode(wanted, call.phone.files.stat(path).mode))
    )


@command("chown", "chgrp", "chcon", "restorecon")
def chown(call: Call) -> int:
    """Owners are taken and not kept."""
    return 0 if len(call.args) > 1 or call.name == "restorecon" else call.fail("Needs 2 arguments")


def _mode(wanted: str, mode: int) -> int:
    if wanted.isdecimal():
        return int(wanted, 8)
    who, sign, what = re.fullmatch(r"([ugoa]*)([-+=])([rwxX]*)", wanted).groups()  # type: ignore[union-attr]  # checked
    bits = sum({"r": 4, "w": 2, "x": 1, "X": 1}[letter] for letter in set(what.lower()))
    mask = sum(bits << {"u": 6, "g": 3, "o": 0}[one] for one in ("ugo" if not who or "a" in who else sorted(set(who))))
    return mode & ~mask if sign == "-" else mode | mask if sign == "+" else mask


@command("mv")
def mv(call: Call) -> int:
    """`mv [-f] source… target`."""
    _, names = call.flags("finv")
    if len(names) < 2:
        return call.fail("Needs 2 arguments")
    target, code = call.path(names[-1]), 0
    for name in names[:-1]:
        try:
            call.phone.files.rename(call.path(name), target)
        except OSError as fault:
            call.err(f"mv: bad '{name}': {fault.strerror}")
            code = 1
    return code


@command("cp")
def cp(call: Call) -> int:
    """`cp [-rpf] source… target`."""
    flags, names = call.flags("rRpfaLdinv")
    if len(names) < 2:
        return call.fail("Needs 2 arguments")
    code = 0
    for name in names[:-1]:
        source, target = call.path(name), call.path(names[-1])
        if call.phone.files.is_dir(target):
            target = f"{target.rstrip('/')}/{source.rstrip('/').rpartition('/')[2]}"
        fault = _copy(call, source, target, recursive=bool(flags & {"r", "R", "a"}))
        if fault is not None:
            call.err(f"cp: {fault if ':' in fault else f'{name}: {fault}'}")
            code = 1
    return code


def _copy(call: Call, source: str, target: str, *, recursive: bool) -> str | None:
    files = call.phone.files
    if not files.is_dir(source):
        content = call.shell.read_file(source)
        if isinstance(content, str):
            return f"bad '{source}': {content}"
        fault = call.shell.write_file(target, content)
        return None if fault is None else f"{target}: {fault}"
    if not recursive:
        return f"Skipped dir '{source}'"
    if target == source or target.startswith(source.rstrip("/") + "/"):
        return f"'{target}' is '{source}'"
    try:
        files.mkdir(target, parents=True)
    except OSError as fault:
        return f"{target}: {fault.strerror}"
    faults = [
        _copy(call, f"{source.rstrip('/')}/{name}", f"{target}/{name}", recursive=True)
        for name in files.listdir(source)
    ]
    return next((one for one in faults if one is not None), None)


@command("ln", "mknod", "mkfifo")
def ln(call: Call) -> int:
    """Links cannot be made on shared storage."""
    return call.fail(f"cannot create {'link' if call.name == 'ln' else 'node'}: Permission denied")


@command("readlink", "realpath")
def realpath(call: Call) -> int:
    """`realpath path…`, `readlink -f path`."""
    flags, names = call.flags("fenq")
    code = 0
    for name in names:
        path = call.path(name)
        exists = call.phone.files.exists(path)
        if not exists and call.name == "realpath":
            code = call.fail(f"{name}: No such file or directory")
        elif (
            call.name == "readlink" and not flags and not (exists and call.phone.files.stat(path, follow=False).is_link)
        ):
            code = 1
        else:
            call.line(call.phone.files.resolve(path))
    return code


@command("basename", "dirname")
def basename(call: Call) -> int:
    """`basename path [suffix]`, `dirname path`."""
    if not call.args:
        return call.fail("Needs 1 argument")
    above, _, name = call.args[0].rstrip("/").rpartition("/")
    if call.name == "dirname":
        call.line(above or ("/" if call.args[0].startswith("/") else "."))
    else:
        suffix = call.args[1] if len(call.args) > 1 else ""
        call.line(name.removesuffix(suffix) if suffix and suffix != name else name or "/")
    return 0


@command("md5sum", "md5", "sha1sum", "sha224sum", "sha256sum", "sha512sum", "crc32", "cksum")
def checksum(call: Call) -> int:
    """`md5sum [-b] file…`; `md5` was a command of its own before toybox."""
    if call.name == "md5":
        call.shell.complain(call.shell.not_found("md5"))
        return 127
    brief = "-b" in call.args
    code = 0
    for name in [name for name in call.args if not name.startswith("-") or name == "-"] or ["-"]:
        content, fault = call.text_of([name])
        code = code or fault
        if fault:
            continue
        digest = _digest(call.name, content)
        call.line(digest if brief or call.name == "crc32" else f"{digest}  {name}")
    return code


def _digest(name: str, content: bytes) -> str:
    if name in {"crc32", "cksum"}:
        return f"{zlib.crc32(content):08x}"
    return hashlib.new(name.removesuffix("sum"), content, usedforsecurity=False).hexdigest()


@command("df")
def df(call: Call) -> int:
    """`df [-hk] [path…]`."""
    human = any(argument.startswith("-") and "h" in argument for argument in call.args)
    rows = (
        ("/dev/block/dm-4", 1041236, 1038108, "/"),
        ("tmpfs", 2916052, 1412, "/dev"),
        ("/dev/block/dm-9", 52428800, 12857600, "/data"),
        ("/dev/fuse", 52428800, 12857600, "/storage/emulated"),
    )
    wanted = [call.phone.files.resolve(call.path(name)) for name in call.args if not name.startswith("-")]
    heading = "Size Used Avail Use%" if human else "1K-blocks     Used Available Use%"
    call.line(f"Filesystem      {heading} Mounted on")
    for device, size, used, mount in rows:
        if wanted and not any(_mount_of(path, [row[3] for row in rows]) == mount for path in wanted):
            continue
        left = size - used
        if human:
            cells = " ".join(f"{_human(value * 1024):>4}" for value in (size, used, left))
            call.line(f"{device:<15} {cells} {-(-used * 100 // size):3d}% {mount}")
        else:
            call.line(f"{device:<15} {size:9d} {used:8d} {left:9d} {-(-used * 100 // size):3d}% {mount}")
    return 0


def _mount_of(path: str, mounts: list[str]) -> str:
    return max((mount for mount in mounts if path == mount or path.startswith(mount.rstrip("/") + "/")), key=len)


@command("du")
def du(call: Call) -> int:
    """`du [-sh] [path…]`."""
    flags, names = call.flags("shkabcd")
    code = 0
    for name in names or ["."]:
        path = call.path(name)
        if not call.phone.files.exists(path):
            code = call.fail(f"{name}: No such file or directory")
            continue
        total = sum(_blocks(call.phone.files.stat(one).size) for one in call.phone.files.walk(path))
        call.line(f"{_human(total * 1024) if 'h' in flags else total}\t{name}")
    return code


@command("mount")
def mount(call: Call) -> int:
    """`mount` lists, and refuses everything else."""
    if [argument for argument in call.args if not argument.startswith("-")]:
        return call.fail("'/system' not in /proc/mounts" if len(call.args) < 3 else "Permission denied")
    content = call.shell.read_file("/proc/mounts")
    for row in content.decode().splitlines() if isinstance(content, bytes) else []:
        device, place, kind, options = row.split()[:4]
        call.line(f"{device} on {place} type {kind} ({options})")
    return 0


@command("cmp", "diff")
def cmp(call: Call) -> int:
    """`cmp a b`, `diff a b`: whether two files are equal."""
    names = [name for name in call.args if not name.startswith("-")]
    if len(names) != 2:
        return call.fail("Needs 2 arguments")
    (first, one), (second, two) = (call.text_of([name]) for name in names)
    if one or two:
        return 2
    if first == second:
        return 0
    if call.name == "cmp":
        at = next((index for index, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
        line = first[: at or 0].count(b"\n") + 1
        short = f"{names[0] if len(first) < len(second) else names[1]}: EOF"
        call.line(f"{names[0]} {names[1]} differ: char {at + 1}, line {line}" if at is not None else f"cmp: {short}")
    else:
        call.line(f"--- {names[0]}\n+++ {names[1]}")
    return 1


def _each(call: Call, names: list[str], act: Callable[[str], None]) -> int:
    if not names:
        return call.fail("Needs 1 argument")
    code = 0
    for name in names:
        try:
            act(call.path(name))
        except OSError as fault:
            call.err(f"{call.name}: '{name}': {fault.strerror}")
            code = 1
    return code

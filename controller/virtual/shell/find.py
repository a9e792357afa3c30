"""`find`: an expression of tests and actions, applied to what lies below the paths.

find -H /sdcard ( -name '*.txt' -o -type d ) ! -empty -exec stat -c %n {} +
"""

from __future__ import annotations

import posixpath
import re
import stat as modes
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from controller.virtual.files import Stat
from controller.virtual.shell.core import Call, command
from controller.virtual.shell.expansion import glob_regex

__all__: list[str] = []


@dataclass(frozen=True, slots=True)
class _Found:
    """One path: where it lies, how it is shown, how deep it lies below the root it was found from."""

    path: str
    shown: str
    depth: int
    entry: Stat


@dataclass(slots=True)
class _Walk:
    """What an expression says about the walk itself, and what its actions leave behind."""

    call: Call
    least: int = 0
    most: int = 1 << 30
    depth_first: bool = False
    prints: bool = True
    pruned: bool = False
    ended: bool = False
    code: int = 0
    gathered: list[tuple[list[str], list[str]]] = field(default_factory=list)
    """Commands of `-exec … {} +`, each with the paths it will get."""


_Test = Callable[[_Found], bool]


@command("find")
def find(call: Call) -> int:
    """`find [-HL] [path…] [expression]`; prints what the expression holds for unless an action says what to do."""
    args = [*call.args]
    while args and re.fullmatch(r"-[HLP]+", args[0]):
        args.pop(0)
    roots = []
    while args and not args[0].startswith("-") and args[0] not in {"!", "(", ")"}:
        roots.append(args.pop(0))
    walk = _Walk(call)
    try:
        test = _Expression(args, walk).read()
    except ValueError as fault:
        return call.fail(str(fault))
    for root in roots or ["."]:
        _search(walk, test, root)
    for words, paths in walk.gathered:
        if paths and call.run(_filled(words, paths)):
            walk.code = 1
    return walk.code


def _search(walk: _Walk, test: _Test, root: str) -> None:
    if not walk.call.phone.files.exists(walk.call.path(root)):
        walk.call.err(f"find: {root}: No such file or directory")
        walk.code = 1
        return
    place = walk.call.phone.files.resolve(walk.call.path(root))
    for found in _below(walk, place, root, 0):
        if walk.ended:
            return
        if walk.least <= found.depth and test(found) and walk.prints:
            walk.call.line(found.shown)


def _below(walk: _Walk, path: str, shown: str, depth: int) -> Iterator[_Found]:
    files = walk.call.phone.files
    found = _Found(path, shown, depth, files.stat(path, follow=depth == 0))
    if not walk.depth_first:
        walk.pruned = False
        yield found
    goes_in = found.entry.is_dir and depth < walk.most and (walk.depth_first or not walk.pruned)
    for name in files.listdir(path) if goes_in and files.exists(path) else ():
        yield from _below(walk, posixpath.join(path, name), posixpath.join(shown, name), depth + 1)
    if walk.depth_first:
        yield found


class _Expression:
    """Reads an expression: `or` of `and`s of tests, actions, `!` and parentheses."""

    def __init__(self, words: list[str], walk: _Walk) -> None:
        self._words = words
        self._walk = walk

    def read(self) -> _Test:
        """The whole expression.

        Raises:
            ValueError: A word is not known.
        """
        test = self._any()
        if self._words:
            raise ValueError(f"bad arg '{self._words[0]}'")
        return test

    def _any(self) -> _Test:
        tests = [self._all()]
        while self._words and self._words[0] in {"-o", "-or"}:
            self._words.pop(0)
            tests.append(self._all())
        return lambda found: any(test(found) for test in tests)

    def _all(self) -> _Test:
        tests: list[_Test] = []
        while self._words and self._words[0] not in {"-o", "-or", ")"}:
            if self._words[0] in {"-a", "-and"}:
                self._words.pop(0)
            else:
                tests.append(self._one())
        return lambda found: all(test(found) for test in tests)

    def _one(self) -> _Test:
        word = self._words.pop(0)
        match word:
            case "!" | "-not":
                inner = self._one() if self._words else _holds
                return lambda found: not inner(found)
            case "(":
                test = self._any()
                if not self._words:
                    raise ValueError("need )")
                self._words.pop(0)
                return test
            case "-maxdepth" | "-mindepth":
                depth = int(self._value(word, r"\d{1,6}"))
                if word == "-maxdepth":
                    self._walk.most = depth
                else:
                    self._walk.least = depth
                return _holds
            case "-depth":
                self._walk.depth_first = True
                return _holds
            case _ if word in _ACTIONS:
                self._walk.prints = self._walk.prints and word == "-prune"
                return self._action(word)
            case _ if word in _PLAIN:
                plain = _PLAIN[word]
                return lambda found: plain(self._walk, found)
            case _ if word in _VALUED:
                valued, form = _VALUED[word]
                value = self._value(word, form)
                return lambda found: valued(self._walk, found, value)
        raise ValueError(f"bad arg '{word}'")

    def _value(self, word: str, form: str = r"(?s:.*)") -> str:
        if not self._words:
            raise ValueError(f"{word} needs an argument")
        value = self._words.pop(0)
        if not re.fullmatch(form, value):
            raise ValueError(f"bad {word} '{value}'")
        return value

    def _action(self, word: str) -> _Test:
        walk = self._walk
        if word in {"-exec", "-ok", "-execdir"}:
            return self._exec(word)
        if word == "-delete":
            walk.depth_first = True
        act = _ACTIONS[word]
        return lambda found: act(walk, found)

    def _exec(self, word: str) -> _Test:
        walk = self._walk
        end = next((at for at, one in enumerate(self._words) if one in {";", "+"}), None)
        if not end:
            raise ValueError(f"{word} needs an argument")
        words, last = self._words[:end], self._words[end]
        del self._words[: end + 1]
        if last == ";":
            return lambda found: walk.call.run(_filled(words, [found.shown])) == 0
        paths: list[str] = []
        walk.gathered.append((words, paths))

        def gather(found: _Found) -> bool:
            paths.append(found.shown)
            return True

        return gather


def _filled(words: list[str], paths: list[str]) -> list[str]:
    """The words of a command with the paths in the place of `{}`."""
    filled: list[str] = []
    for word in words:
        filled += paths if word == "{}" else [word.replace("{}", paths[0])]
    return filled


def _holds(found: _Found) -> bool:
    del found
    return True


def _always(walk: _Walk, found: _Found) -> bool:
    del walk, found
    return True


def _print(walk: _Walk, found: _Found) -> bool:
    walk.call.line(found.shown)
    return True


def _print_zero(walk: _Walk, found: _Found) -> bool:
    walk.call.out(found.shown + "\0")
    return True


def _prune(walk: _Walk, found: _Found) -> bool:
    del found
    walk.pruned = True
    return True


def _quit(walk: _Walk, found: _Found) -> bool:
    del found
    walk.ended = True
    return True


def _delete(walk: _Walk, found: _Found) -> bool:
    try:
        if found.entry.is_dir:
            walk.call.phone.files.rmdir(found.path)
        else:
            walk.call.phone.files.remove(found.path)
    except OSError as fault:
        walk.call.err(f"find: {found.shown}: {fault.strerror}")
        walk.code = 1
        return False
    return True


_ACTIONS: Mapping[str, Callable[[_Walk, _Found], bool]] = {
    "-print": _print,
    "-print0": _print_zero,
    "-prune": _prune,
    "-quit": _quit,
    "-delete": _delete,
    "-exec": _print,  # the next three are read with their command
    "-execdir": _print,
    "-ok": _print,
}
_KINDS: Mapping[str, Callable[[int], bool]] = {"f": modes.S_ISREG, "d": modes.S_ISDIR, "l": modes.S_ISLNK}


def _is_kind(walk: _Walk, found: _Found, value: str) -> bool:
    del walk
    return any(kind in _KINDS and _KINDS[kind](found.entry.mode) for kind in value.split(","))


def _is_empty(walk: _Walk, found: _Found) -> bool:
    return not walk.call.phone.files.listdir(found.path) if found.entry.is_dir else found.entry.size == 0


def _has_size(walk: _Walk, found: _Found, value: str) -> bool:
    del walk
    unit = {"c": 1, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(value[-1], 512)
    return _compared(-(-found.entry.size // unit), value.rstrip("ckMG"))


def _has_age(unit_s: int) -> Callable[[_Walk, _Found, str], bool]:
    return lambda walk, found, value: _compared(int(walk.call.phone.wall() - found.entry.mtime) // unit_s, value)


def _is_newer(walk: _Walk, found: _Found, value: str) -> bool:
    files, other = walk.call.phone.files, walk.call.path(value)
    return files.exists(other) and found.entry.mtime > files.stat(other).mtime


def _has_mode(walk: _Walk, found: _Found, value: str) -> bool:
    del walk
    wanted, given = int(value.lstrip("-/"), 8), found.entry.mode & 0o7777
    match value[0]:
        case "-":
            return given & wanted == wanted
        case "/":
            return bool(given & wanted)
        case _:
            return given == wanted


def _belongs(walk: _Walk, found: _Found, value: str) -> bool:
    del walk
    return value in {str(found.entry.uid), {0: "root", 2000: "shell"}.get(found.entry.uid, "")}


def _compared(number: int, wanted: str) -> bool:
    """`+N` more, `-N` fewer, `N` exactly."""
    count = int(wanted.lstrip("+-"))
    return number > count if wanted[0] == "+" else number < count if wanted[0] == "-" else number == count


def _named(text: str, pattern: str, *, ignore_case: bool = False) -> bool:
    return re.fullmatch(glob_regex(pattern), text, re.IGNORECASE if ignore_case else 0) is not None


_PLAIN: Mapping[str, Callable[[_Walk, _Found], bool]] = {
    "-true": _always,
    "-false": lambda _walk, _found: False,
    "-empty": _is_empty,
    "-xdev": _always,
    "-follow": _always,
    "-readable": _always,
}
_ANY, _NUMBER, _SIZE, _MODE = r"(?s:.+)", r"[+-]?\d{1,9}", r"[+-]?\d{1,9}[ckMG]?", r"[-/]?[0-7]{1,4}"
_VALUED: Mapping[str, tuple[Callable[[_Walk, _Found, str], bool], str]] = {
    "-name": (lambda _, found, value: _named(posixpath.basename(found.shown.rstrip("/")), value), _ANY),
    "-iname": (
        lambda _, found, value: _named(posixpath.basename(found.shown.rstrip("/")), value, ignore_case=True),
        _ANY,
    ),
    "-path": (lambda _, found, value: _named(found.shown, value), _ANY),
    "-ipath": (lambda _, found, value: _named(found.shown, value, ignore_case=True), _ANY),
    "-type": (_is_kind, r"[bcdlpsf](,[bcdlpsf])*"),
    "-size": (_has_size, _SIZE),
    "-mtime": (_has_age(86_400), _NUMBER),
    "-mmin": (_has_age(60), _NUMBER),
    "-newer": (_is_newer, _ANY),
    "-perm": (_has_mode, _MODE),
    "-user": (_belongs, _ANY),
    "-group": (_belongs, _ANY),
    "-inum": (lambda _, found, value: _compared(found.entry.inode, value), _NUMBER),
}
"""Test → what it says of a path and its value, and how the value is written."""

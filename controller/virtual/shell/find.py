"""`find`: files by name, kind and depth, printed, removed or given to a command."""

from __future__ import annotations

import re

from controller.virtual.shell.core import Call, command
from controller.virtual.shell.expansion import glob_regex

__all__: list[str] = []


@command("find")
def find(call: Call) -> int:
    """`find [path…] [-name P] [-iname P] [-type f|d] [-maxdepth N] [-mindepth N] [-size …] [-delete] [-exec …]`."""
    args, roots, code = list(call.args), [], 0
    while args and not args[0].startswith(("-", "!", "(")):
        roots.append(args.pop(0))
    try:
        tests = _find_tests(args)
    except ValueError as fault:
        return call.fail(str(fault))
    for root in roots or ["."]:
        base = call.path(root)
        if not call.phone.files.exists(base):
            call.err(f"find: {root}: No such file or directory")
            code = 1
            continue
        for path in list(call.phone.files.walk(call.phone.files.resolve(base))):
            below = path[len(call.phone.files.resolve(base)) :].lstrip("/")
            shown = f"{root.rstrip('/') or ''}/{below}" if below else root
            if _find_matches(call, tests, path, below):
                _find_act(call, tests, path, shown)
    return code


def _find_tests(args: list[str]) -> dict[str, str]:
    tests: dict[str, str] = {}
    known = {
        "-name",
        "-iname",
        "-type",
        "-maxdepth",
        "-mindepth",
        "-size",
        "-mtime",
        "-newer",
        "-path",
        "-user",
        "-perm",
    }
    while args:
        word = args.pop(0)
        if word in {"-print", "-print0", "-delete", "-a", "-follow", "-L"}:
            tests[word] = word
        elif word == "-exec":
            end = next((at for at, one in enumerate(args) if one in {";", "+"}), len(args))
            tests[word] = "\0".join(args[:end])
            del args[: end + 1]
        elif word in known and args:
            tests[word] = args.pop(0)
        else:
            raise ValueError(f"bad arg '{word}'")
    return tests


def _find_matches(call: Call, tests: dict[str, str], path: str, below: str) -> bool:
    name, depth = path.rpartition("/")[2], below.count("/") + 1 if below else 0
    entry = call.phone.files.stat(path, follow=False)
    for word, value in tests.items():
        match word:
            case "-name" if not re.fullmatch(glob_regex(value), name):
                return False
            case "-iname" if not re.fullmatch(glob_regex(value.lower()), name.lower()):
                return False
            case "-path" if not re.fullmatch(glob_regex(value), path):
                return False
            case "-type" if value[:1] != ("d" if entry.is_dir else "l" if entry.is_link else "f"):
                return False
            case "-maxdepth" if value.isdecimal() and depth > int(value[:6]):
                return False
            case "-mindepth" if value.isdecimal() and depth < int(value[:6]):
                return False
    return True


def _find_act(call: Call, tests: dict[str, str], path: str, shown: str) -> None:
    if "-delete" in tests and call.phone.files.exists(path):
        try:
            call.phone.files.remove(path, recursive=True)
        except OSError as fault:
            call.err(f"find: {shown}: {fault.strerror}")
    elif "-exec" in tests:
        words = [word.replace("{}", shown) for word in tests["-exec"].split("\0")]
        if words and words[0]:
            call.run(words)
    else:
        call.out(shown + ("\0" if "-print0" in tests else "\n"))

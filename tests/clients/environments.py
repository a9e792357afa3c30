"""Environments for other people's clients, made once on a machine and kept in `.cache/clients` of the checkout.

Owns making them by pip and npm and finding them again. What is not to be had is a skip with the reason on a developer's
machine and a failure in continuous integration.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from filelock import FileLock

__all__ = ["CACHE", "node_environment", "python_environment", "tool", "unavailable"]

CACHE = Path(__file__).parents[2] / ".cache" / "clients"
_READY = "ready"
_INSTALL_S = 300


def python_environment(name: str, *requirements: str) -> Path:
    """The `bin` folder of a virtual environment with these requirements."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return _made(name, (python, *requirements), lambda folder: _pip_install(folder, requirements)) / "bin"


def node_environment(name: str, *packages: str) -> Path:
    """A folder in whose `node_modules` these packages lie."""
    npm = tool("npm")
    return _made(name, packages, lambda folder: _npm_install(npm, folder, packages))


def tool(name: str) -> str:
    """The path of a program that a test needs; a developer's machine may be without it."""
    found = shutil.which(name)
    return found if found is not None else unavailable(f"{name} is not installed")


def unavailable(reason: str) -> str:
    """Skip the test with the reason; fail where `CI` says that everything has to be there."""
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(reason)
    pytest.skip(reason)


def _made(name: str, content: Sequence[str], make: Callable[[Path], None]) -> Path:
    digest = hashlib.sha256("\n".join(content).encode()).hexdigest()[:12]
    folder = CACHE / f"{name}-{digest}"
    CACHE.mkdir(parents=True, exist_ok=True)
    # The tests run in several processes: the first makes the environment, the others wait for it.
    with FileLock(folder.with_suffix(".lock")):
        if not (folder / _READY).exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            (folder / _READY).touch()
    return folder


def _pip_install(folder: Path, requirements: Sequence[str]) -> None:
    _run([sys.executable, "-m", "venv", str(folder)], folder)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, *requirements], folder)


def _npm_install(npm: str, folder: Path, packages: Sequence[str]) -> None:
    (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    _run([npm, "install", "--no-audit", "--no-fund", "--loglevel=error", *packages], folder)


def _run(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_INSTALL_S, check=False)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        unavailable(f"{Path(command[0]).name} cannot install into {folder.name}: {''.join(last)}")

"""What is installed: packages with what changes about them, and their processes.

Owns installing, removing and forgetting. Which activities of a package live is for `activities` and `launching`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from controller.virtual.spec import PackageSpec

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Installer", "Package"]


@dataclass(slots=True)
class Package:
    """An installed package and what changes about it."""

    spec: PackageSpec
    enabled: bool = True
    granted: set[str] = field(default_factory=set)
    once: set[str] = field(default_factory=set)
    """Permissions that end with the process."""
    refused: dict[str, int] = field(default_factory=dict)
    """How often the person has said no to a permission."""
    state: dict[str, str] = field(default_factory=dict)
    """The app's variables: logged in or not, what is in the cart …"""
    rows: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    """Rows that were added to the package's data."""
    pid: int | None = None
    path: str = ""
    installed: float = 0.0


class Installer:
    """Adds, removes, stops and empties the packages of one phone."""

    def __init__(self, phone: VirtualPhone) -> None:
        self._phone = phone
        self._pids = 0

    def install(self, spec: PackageSpec) -> Package:
        """Add a package; of one that is there the state and the permissions stay."""
        phone = self._phone
        before = phone.packages.get(spec.name)
        folder = "/system/app" if spec.system else "/data/app"
        package = Package(spec, state=dict(spec.state), path=f"{folder}/{spec.name}-1/base.apk", installed=phone.wall())
        if before is not None:
            package.state |= before.state
            package.granted, package.once, package.refused = before.granted, before.once, before.refused
        phone.packages[spec.name] = package
        phone.watching.add(spec)
        phone.changed()
        return package

    def uninstall(self, name: str) -> bool:
        """Remove a package and its input methods; False where it is not installed or part of the system."""
        phone = self._phone
        package = phone.packages.get(name)
        if package is None or package.spec.system:
            return False
        self.stop(name)
        del phone.packages[name]
        phone.watching.remove(name)
        for ime in [ime for ime in phone.imes.values() if ime.package == name]:
            del phone.imes[ime.id]
        phone.changed()
        return True

    def stop(self, name: str) -> None:
        """Its activities and its process end."""
        package = self._phone.packages.get(name)
        if package is not None:
            self._phone.tasks.end_package(name)
            package.pid = None
            package.granted -= package.once
            package.once.clear()
            self._phone.launcher.after_end()

    def clear(self, name: str) -> bool:
        """Forget all it kept; False where it is not installed."""
        package = self._phone.packages.get(name)
        if package is None:
            return False
        self.stop(name)
        package.state, package.granted, package.rows = dict(package.spec.state), set(), {}
        package.refused = {}
        self._phone.watching.add(package.spec)
        self._phone.changed()
        return True

    def run(self, package: Package) -> bool:
        """Give a package a process; True where it had none."""
        if package.pid is not None:
            return False
        self._pids += 1
        package.pid = 3000 + 17 * self._pids
        return True

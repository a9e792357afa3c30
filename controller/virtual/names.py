"""Whose value a name has: variables of screens, state of apps, settings and facts of the phone, rows of data.

Owns reading and writing them; templates and conditions are for `scope`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from controller.virtual.activities import Activity, Dialog, Surface
from controller.virtual.dialogs import owner_of
from controller.virtual.scope import Scope
from controller.virtual.spec import PackageSpec

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["FACTS", "Names"]

FACTS = frozenset(
    {
        "app", "app_label", "asks", "battery_level", "clipboard", "color", "component", "date", "glyph", "id",
        "ime_label", "key",
        "label", "loading", "n", "night_mode", "notification_count", "package", "permission", "recent_count",
        "shared_text", "strict_reason", "text", "time", "title", "toast", "uri", "version",
    }
)  # fmt: skip
"""Names that the phone gives by itself, those in rows of its own data (`@apps`, `@notifications` …) included."""

_WEEKDAYS = "一二三四五六日"
_ACTION_LABELS = {"search": "搜索", "send": "发送", "go": "前往", "next": "下一项"}
_SETTINGS = ("system", "secure", "global")


class Names:
    """The names of one phone."""

    def __init__(self, phone: VirtualPhone) -> None:
        self._phone = phone

    def scope(self, surface: Surface) -> Scope:
        """The names that the templates of a surface see, the nearest first."""
        phone = self._phone
        activity = owner_of(surface)
        maps: list[Mapping[str, str]] = [surface.vars]
        if activity is not None:
            if activity is not surface:
                maps.append(activity.vars)
            maps += [activity.row, activity.defaults]
            if activity.loading_until > phone.now():
                maps.append({"loading": "true"})
        return Scope(*maps, *self._of_package(surface.package), fallback=self._fact)

    def package(self, package: str) -> Scope:
        """The names of a package without a screen."""
        return Scope(*self._of_package(package), fallback=self._fact)

    def write(self, surface: Surface, name: str, value: str) -> None:
        """Set a variable where it belongs; a page of the screen that changes with it is a new screen."""
        phone = self._phone
        space, dot, key = name.partition(".")
        if dot and space in _SETTINGS:
            phone.put_setting(space, key, value)
            return
        if name == "night_mode":
            phone.put_setting("secure", "ui_night_mode", "1" if value in ("", "0", "false") else "2")
            return
        self._home_of(surface, name)[name] = value
        phone.changed()
        activity = owner_of(surface)
        if activity is not None and self.page(activity) != activity.page:
            activity.page = self.page(activity)
            activity.scroll.clear()
            phone.watching.screen(activity)

    def page(self, activity: Activity) -> tuple[str, ...]:
        """The values that tell which page of an activity is shown."""
        scope = self.scope(activity)
        return tuple(scope.get(name) for name in activity.spec.pages)

    def append(self, package: str, data: str, row: Mapping[str, str]) -> None:
        """Add a row to an app's data, as sending a message does."""
        self._phone.packages[package].rows.setdefault(data, []).append(dict(row))
        self._phone.changed()

    def _home_of(self, surface: Surface, name: str) -> dict[str, str]:
        """Where a variable is written: a dialog's own field, the app's state where it declares it, else the screen."""
        activity = owner_of(surface)
        if isinstance(surface, Dialog) and name in surface.vars:
            return surface.vars
        package = self._phone.packages.get(surface.package)
        if package is not None and name in package.state:
            return package.state
        return surface.vars if activity is None else activity.vars

    def spec(self, package: str) -> PackageSpec | None:
        """The data of an installed package."""
        found = self._phone.packages.get(package)
        return found.spec if found is not None else None

    def rows(self, surface: Surface, name: str) -> Sequence[Mapping[str, str]]:
        """The rows of an app's data and those added to it, or with `@` of the phone's."""
        if name.startswith("@"):
            return self._phone_rows(surface, name)
        package = self._phone.packages.get(surface.package)
        if package is None:
            return ()
        return (*package.spec.data.get(name, ()), *package.rows.get(name, ()))

    def _of_package(self, name: str) -> list[Mapping[str, str]]:
        package = self._phone.packages.get(name)
        return [package.state, {"app": package.spec.label, "package": name}] if package is not None else []

    def _fact(self, name: str) -> str | None:
        phone = self._phone
        space, _, key = name.partition(".")
        if space in _SETTINGS:
            return phone.setting(space, key)
        if space == "prop":
            return phone.props.get(key)
        local = time.gmtime(phone.wall() + phone.spec.utc_offset_h * 3600)
        match name:
            case "time":
                return time.strftime("%H:%M", local)
            case "date":
                return f"{local.tm_mon}月{local.tm_mday}日 星期{_WEEKDAYS[local.tm_wday]}"
            case "night_mode":
                return "1" if phone.display.night else "0"
            case "battery_level":
                return str(phone.battery.level)
            case "clipboard":
                return phone.clipboard
            case "recent_count":
                return str(sum(1 for task in phone.tasks if not task.home))
            case "ime_label":
                surface = phone.focused_surface()
                return _ACTION_LABELS.get(surface.ime_action if surface is not None else "", "完成")
            case "notification_count":
                return str(len(phone.notifications))
            case "toast":
                return phone.toast.text if phone.toast is not None else ""
        return None

    def _phone_rows(self, surface: Surface, name: str) -> Sequence[Mapping[str, str]]:
        phone = self._phone
        match name:
            case "@apps":
                return [self._app(package) for package, entry in phone.packages.items()
                        if entry.spec.launcher is not None and not entry.spec.hidden]  # fmt: skip
            case "@packages":
                return [self._app(package) for package in phone.packages]
            case "@handlers":
                choices = surface.choices if isinstance(surface, Activity) else ()
                return [{**self._app(package), "component": f"{package}/{cls}"} for package, cls in choices]
            case "@recents":
                return [{**self._app(task.affinity), "id": str(task.id)} for task in reversed(list(phone.tasks))
                        if not task.home]  # fmt: skip
            case "@notifications":
                return [{**self._app(n.package), "title": n.title, "text": n.text, "key": n.key}
                        for n in phone.notifications]  # fmt: skip
            case "@imes":
                return [{"id": ime.id, "label": ime.label} for ime in phone.imes.values()]
        return ()

    def _app(self, name: str) -> dict[str, str]:
        spec = self.spec(name)
        if spec is None:
            return {"package": name, "label": name, "color": "#607d8b", "glyph": name[:1]}
        return {
            "package": name,
            "label": spec.label,
            "color": spec.color,
            "glyph": spec.icon or spec.label[:1],
            "version": spec.version_name,
        }

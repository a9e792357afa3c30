"""What app data can make happen: one function and one row of the table for every action.

Owns the meaning of the actions. They change the phone only through its public methods and those of `Host` below; the
grammar in which data writes them is for `screens`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from controller.virtual.activities import Activity, Callback, Surface
from controller.virtual.intents import ACTION_VIEW, Intent, StartResult, component_name, full_class
from controller.virtual.scope import Scope
from controller.virtual.spec import Action
from controller.virtual.ui import Rect

__all__ = ["ACTIONS", "Doing", "Host", "Verb", "run"]


class Host(Protocol):
    """What actions need of the phone."""

    clipboard: str

    def start(self, intent: Intent) -> StartResult: ...
    def launch(self, package: str) -> StartResult: ...
    def activity_of(self, surface: Surface) -> Activity | None: ...
    def finish(self, activity: Activity) -> None: ...
    def write(self, surface: Surface, name: str, value: str) -> None: ...
    def show_dialog(self, surface: Surface, name: str, values: Mapping[str, str]) -> None: ...
    def close_dialog(self, surface: Surface) -> None: ...
    def show_toast(self, package: str, text: str) -> None: ...
    def notify(self, package: str, title: str, text: str) -> object: ...
    def focus(self, surface: Surface, name: str) -> None: ...
    def hide_keyboard(self) -> bool: ...
    def ask_permission(self, activity: Activity, permission: str, callback: Callback) -> None: ...
    def answer_permission(self, activity: Activity, *, granted: bool) -> None: ...
    def choose(self, activity: Activity, component: tuple[str, str], *, always: bool) -> None: ...
    def append_row(self, package: str, data: str, row: Mapping[str, str]) -> None: ...
    def load(self, surface: Surface, seconds: float) -> None: ...
    def commit_text(self, text: str) -> bool: ...
    def erase(self, count: int = 1) -> bool: ...
    def editor_action(self) -> bool: ...
    def key(self, code: int, meta: int = 0) -> None: ...
    def task_to_front(self, task_id: int) -> None: ...
    def clear_recents(self) -> None: ...
    def expand_shade(self, *, settings: bool = False) -> None: ...
    def collapse_shade(self) -> None: ...
    def open_notification(self, key: str) -> None: ...
    def clear_notifications(self) -> None: ...
    def dismiss_keyguard(self) -> None: ...
    def clear_fault(self, name: str) -> None: ...
    def pardon(self, package: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Doing:
    """Where an action happens: on which surface, with which names, at which element."""

    host: Host
    surface: Surface
    scope: Scope
    at: Rect | None = None

    @property
    def activity(self) -> Activity | None:
        """The activity that the surface is or lies over."""
        return self.host.activity_of(self.surface)


@dataclass(frozen=True, slots=True)
class Verb:
    """One row of the table; `refers` says what the action's value must exist as."""

    run: Callable[[Doing, Action], None]
    refers: str = ""


def run(doing: Doing, actions: Sequence[Action]) -> None:
    """Do the actions in their order; one whose condition does not hold does its `else`."""
    for action in actions:
        if action.when is not None and not doing.scope.holds(action.when):
            run(doing, action.otherwise)
        else:
            ACTIONS[action.name].run(doing, action)


def _open(doing: Doing, action: Action) -> None:
    package = doing.surface.package
    component = (package, full_class(package, doing.scope.expand(action.value)))
    values = doing.scope.expand_all(action.args)
    doing.host.start(Intent(component=component, extras=values, caller=package))


def _view(doing: Doing, action: Action) -> None:
    uri = doing.scope.expand(action.value)
    doing.host.start(Intent(ACTION_VIEW, uri, caller=doing.surface.package))


def _intent(doing: Doing, action: Action) -> None:
    doing.host.start(Intent(doing.scope.expand(action.value), caller=doing.surface.package))


def _launch(doing: Doing, action: Action) -> None:
    doing.host.launch(doing.scope.expand(action.value))


def _finish(doing: Doing, _action: Action) -> None:
    if doing.activity is not None:
        doing.host.finish(doing.activity)


def _set(doing: Doing, action: Action) -> None:
    for name, value in doing.scope.expand_all(action.args).items():
        doing.host.write(doing.surface, name, value)


def _toggle(doing: Doing, action: Action) -> None:
    name = doing.scope.expand(action.value)
    value = doing.scope.get(name)
    on, number = value.lower() not in ("", "0", "false"), value in ("0", "1")
    doing.host.write(doing.surface, name, ("0" if on else "1") if number else ("false" if on else "true"))


def _dialog(doing: Doing, action: Action) -> None:
    doing.host.show_dialog(doing.surface, action.value, doing.scope.expand_all(action.args))


def _close(doing: Doing, _action: Action) -> None:
    doing.host.close_dialog(doing.surface)


def _toast(doing: Doing, action: Action) -> None:
    doing.host.show_toast(doing.surface.package, doing.scope.expand(action.value))


def _notify(doing: Doing, action: Action) -> None:
    values = doing.scope.expand_all(action.args)
    doing.host.notify(doing.surface.package, values.get("title", ""), values.get("text", ""))


def _focus(doing: Doing, action: Action) -> None:
    doing.host.focus(doing.surface, action.value)


def _hide_keyboard(doing: Doing, _action: Action) -> None:
    doing.host.hide_keyboard()


def _permission(doing: Doing, action: Action) -> None:
    if doing.activity is not None:
        callback = Callback(doing.scope, action.then, action.otherwise)
        doing.host.ask_permission(doing.activity, action.value, callback)


def _grant(doing: Doing, action: Action) -> None:
    if doing.activity is not None:
        doing.host.answer_permission(doing.activity, granted=action.value != "deny")


def _resolve(doing: Doing, action: Action) -> None:
    component = component_name(doing.scope.expand(action.value))
    if doing.activity is not None and component is not None:
        doing.host.choose(doing.activity, component, always=dict(action.args).get("always", "") == "true")


def _append(doing: Doing, action: Action) -> None:
    doing.host.append_row(doing.surface.package, action.value, doing.scope.expand_all(action.args))


def _load(doing: Doing, action: Action) -> None:
    doing.host.load(doing.surface, float(action.value or "0.5"))


def _type(doing: Doing, action: Action) -> None:
    shift = doing.scope.get("shift") == "true"
    doing.host.commit_text(action.value.upper() if shift else action.value)


def _erase(doing: Doing, _action: Action) -> None:
    doing.host.erase()


def _submit(doing: Doing, _action: Action) -> None:
    doing.host.editor_action()


def _copy(doing: Doing, action: Action) -> None:
    doing.host.clipboard = doing.scope.expand(action.value)


def _press(doing: Doing, action: Action) -> None:
    doing.host.key({"back": 4, "home": 3, "recents": 187, "enter": 66}.get(action.value, 0))


def _task(doing: Doing, action: Action) -> None:
    doing.host.task_to_front(int(doing.scope.expand(action.value)))


def _shade(doing: Doing, action: Action) -> None:
    if action.value == "up":
        doing.host.collapse_shade()
    else:
        doing.host.expand_shade(settings=action.value == "settings")


def _open_notification(doing: Doing, action: Action) -> None:
    doing.host.open_notification(doing.scope.expand(action.value))


def _clear_fault(doing: Doing, action: Action) -> None:
    doing.host.clear_fault(action.value)


def _do(doing: Doing, action: Action) -> None:
    run(doing, action.then)


ACTIONS: Mapping[str, Verb] = {
    "open": Verb(_open, "activity"),
    "view": Verb(_view),
    "intent": Verb(_intent),
    "launch": Verb(_launch),
    "finish": Verb(_finish),
    "set": Verb(_set),
    "toggle": Verb(_toggle),
    "dialog": Verb(_dialog, "dialog"),
    "close": Verb(_close),
    "toast": Verb(_toast),
    "notify": Verb(_notify),
    "focus": Verb(_focus),
    "hide_keyboard": Verb(_hide_keyboard),
    "permission": Verb(_permission),
    "grant": Verb(_grant),
    "resolve": Verb(_resolve),
    "append": Verb(_append, "data"),
    "load": Verb(_load),
    "type": Verb(_type),
    "erase": Verb(_erase),
    "submit": Verb(_submit),
    "copy": Verb(_copy),
    "press": Verb(_press),
    "task": Verb(_task),
    "clear_recents": Verb(lambda doing, _action: doing.host.clear_recents()),
    "shade": Verb(_shade),
    "open_notification": Verb(_open_notification),
    "clear_notifications": Verb(lambda doing, _action: doing.host.clear_notifications()),
    "unlock": Verb(lambda doing, _action: doing.host.dismiss_keyguard()),
    "clear_fault": Verb(_clear_fault),
    "pardon": Verb(lambda doing, _action: doing.host.pardon(doing.surface.package)),
    "do": Verb(_do),
}
"""Every action by the name that YAML uses."""

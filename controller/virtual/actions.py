"""What app data can make happen: one function and one row of the table for every action.

Owns the meaning of the actions. They change the phone through its public methods and its parts; the grammar in which
data writes them is for `screens`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.virtual.activities import Activity, Callback, Surface
from controller.virtual.arithmetic import ArithmeticFault, evaluate
from controller.virtual.dialogs import owner_of
from controller.virtual.intents import ACTION_VIEW, Intent, component_name, full_class
from controller.virtual.scope import Scope
from controller.virtual.spec import Action
from controller.virtual.ui import Rect

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["ACTIONS", "Doing", "Verb", "run"]


@dataclass(frozen=True, slots=True)
class Doing:
    """Where an action happens: on which surface, with which names, at which element."""

    phone: VirtualPhone
    surface: Surface
    scope: Scope
    at: Rect | None = None

    @property
    def activity(self) -> Activity | None:
        """The activity that the surface is or lies over."""
        return owner_of(self.surface)


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
    doing.phone.start(Intent(component=component, extras=values, caller=package))


def _view(doing: Doing, action: Action) -> None:
    uri = doing.scope.expand(action.value)
    doing.phone.start(Intent(ACTION_VIEW, uri, caller=doing.surface.package))


def _intent(doing: Doing, action: Action) -> None:
    doing.phone.start(Intent(doing.scope.expand(action.value), caller=doing.surface.package))


def _share(doing: Doing, action: Action) -> None:
    doing.phone.launcher.share(doing.scope.expand(action.value), caller=doing.surface.package)


def _launch(doing: Doing, action: Action) -> None:
    doing.phone.launch(doing.scope.expand(action.value))


def _finish(doing: Doing, _action: Action) -> None:
    if doing.activity is not None:
        doing.phone.launcher.finish(doing.activity)


def _set(doing: Doing, action: Action) -> None:
    for name, value in doing.scope.expand_all(action.args).items():
        doing.phone.names.write(doing.surface, name, value)


def _calculate(doing: Doing, action: Action) -> None:
    for name, term in doing.scope.expand_all(action.args).items():
        try:
            value = str(evaluate(term, doing.scope.get))
        except ArithmeticFault:
            value = ""
        doing.phone.names.write(doing.surface, name, value)


def _toggle(doing: Doing, action: Action) -> None:
    name = doing.scope.expand(action.value)
    value = doing.scope.get(name)
    on, number = value.lower() not in ("", "0", "false"), value in ("0", "1")
    doing.phone.names.write(doing.surface, name, ("0" if on else "1") if number else ("false" if on else "true"))


def _dialog(doing: Doing, action: Action) -> None:
    doing.phone.dialogs.show(doing.surface, action.value, doing.scope.expand_all(action.args))


def _close(doing: Doing, _action: Action) -> None:
    doing.phone.dialogs.close(doing.surface)


def _toast(doing: Doing, action: Action) -> None:
    doing.phone.show_toast(doing.surface.package, doing.scope.expand(action.value))


def _notify(doing: Doing, action: Action) -> None:
    values = doing.scope.expand_all(action.args)
    title, text = values.get("title", ""), values.get("text", "")
    doing.phone.notices.post(doing.surface.package, title, text, then=action.then, scope=doing.scope)


def _focus(doing: Doing, action: Action) -> None:
    doing.phone.fields.focus(doing.surface, action.value)


def _hide_keyboard(doing: Doing, _action: Action) -> None:
    doing.phone.hide_keyboard()


def _permission(doing: Doing, action: Action) -> None:
    if doing.activity is not None:
        callback = Callback(doing.scope, action.then, action.otherwise)
        doing.phone.permissions.ask(doing.activity, action.value, callback)


def _grant(doing: Doing, action: Action) -> None:
    if doing.activity is not None:
        doing.phone.permissions.answer(doing.activity, action.value)


def _resolve(doing: Doing, action: Action) -> None:
    component = component_name(doing.scope.expand(action.value))
    if doing.activity is not None and component is not None:
        doing.phone.launcher.choose(doing.activity, component, always=dict(action.args).get("always", "") == "true")


def _append(doing: Doing, action: Action) -> None:
    doing.phone.names.append(doing.surface.package, action.value, doing.scope.expand_all(action.args))


def _load(doing: Doing, action: Action) -> None:
    if doing.activity is not None:
        doing.activity.loading_until = doing.phone.now() + float(action.value or "0.5")
        doing.phone.changed()


def _type(doing: Doing, action: Action) -> None:
    shift = doing.scope.get("shift") == "true"
    doing.phone.commit_text(action.value.upper() if shift else action.value)


def _erase(doing: Doing, _action: Action) -> None:
    doing.phone.erase()


def _submit(doing: Doing, _action: Action) -> None:
    doing.phone.editor_action()


def _copy(doing: Doing, action: Action) -> None:
    doing.phone.clipboard = doing.scope.expand(action.value)


def _press(doing: Doing, action: Action) -> None:
    doing.phone.key({"back": 4, "home": 3, "recents": 187, "enter": 66}.get(action.value, 0))


def _task(doing: Doing, action: Action) -> None:
    doing.phone.launcher.to_front(int(doing.scope.expand(action.value)))


def _split(doing: Doing, action: Action) -> None:
    task = doing.phone.tasks.by_id(int(doing.scope.expand(action.value)))
    if task is not None:
        doing.phone.splitting.beside(task)


def _shade(doing: Doing, action: Action) -> None:
    if action.value == "up":
        doing.phone.collapse_shade()
    else:
        doing.phone.expand_shade(settings=action.value == "settings")


def _open_notification(doing: Doing, action: Action) -> None:
    doing.phone.notices.open(doing.scope.expand(action.value))


def _clear_fault(doing: Doing, action: Action) -> None:
    doing.phone.faults.finish(action.value)
    doing.phone.changed()


def _stop(doing: Doing, action: Action) -> None:
    doing.phone.stop(doing.scope.expand(action.value))


def _clear_recents(doing: Doing, _action: Action) -> None:
    doing.phone.launcher.clear_recents()


def _dismiss(doing: Doing, action: Action) -> None:
    doing.phone.notices.dismiss(doing.scope.expand(action.value))


def _end_task(doing: Doing, action: Action) -> None:
    doing.phone.launcher.end_task(int(doing.scope.expand(action.value)))


def _clear_notifications(doing: Doing, _action: Action) -> None:
    doing.phone.notices.clear()


def _unlock(doing: Doing, _action: Action) -> None:
    doing.phone.dismiss_keyguard()


def _pardon(doing: Doing, _action: Action) -> None:
    doing.phone.watching.pardon(doing.surface.package)


def _do(doing: Doing, action: Action) -> None:
    run(doing, action.then)


ACTIONS: Mapping[str, Verb] = {
    "open": Verb(_open, "activity"),
    "view": Verb(_view),
    "intent": Verb(_intent),
    "launch": Verb(_launch),
    "share": Verb(_share),
    "finish": Verb(_finish),
    "set": Verb(_set),
    "calculate": Verb(_calculate),
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
    "split": Verb(_split),
    "clear_recents": Verb(_clear_recents),
    "shade": Verb(_shade),
    "open_notification": Verb(_open_notification),
    "dismiss": Verb(_dismiss),
    "end_task": Verb(_end_task),
    "clear_notifications": Verb(_clear_notifications),
    "unlock": Verb(_unlock),
    "clear_fault": Verb(_clear_fault),
    "stop": Verb(_stop),
    "pardon": Verb(_pardon),
    "do": Verb(_do),
}
"""Every action by the name that YAML uses."""

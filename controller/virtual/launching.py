"""Activities come and go: intents started, tasks brought to the front, permissions asked, choosers answered.

Owns the way from an intent to the activity on the screen. The rules of resolving and of tasks are in `starting` and
`activities`; this is the part that changes the phone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from controller.virtual import actions
from controller.virtual.activities import Activity, Task
from controller.virtual.intents import (
    ACTION_MAIN,
    ACTION_SEND,
    ACTION_VIEW,
    CATEGORY_HOME,
    CATEGORY_LAUNCHER,
    EXTRA_TEXT,
    Intent,
    StartResult,
    StartStatus,
)
from controller.virtual.spec import ActivitySpec
from controller.virtual.starting import CLEAR_TOP, LAUNCH_ADJACENT, Handler, Placed, bring_existing, candidates

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Launcher"]

_RESOLVER = ("android", "com.android.internal.app.ResolverActivity")
_SHARE_SHEETS = (
    ("com.android.intentresolver", "com.android.intentresolver.ChooserActivity"),
    ("android", "com.android.internal.app.ChooserActivity"),
)
"""Since Android 14 the share sheet is a package of its own."""
_RECENTS = ".Recents"


class Launcher:
    """Starts and ends the activities of one phone."""

    def __init__(self, phone: VirtualPhone) -> None:
        self._phone = phone
        self._resumed: Activity | None = None

    def resolve(self, intent: Intent) -> list[Handler]:
        """The activities that would answer, the best first; empty where none does."""
        phone = self._phone
        specs = [package.spec for package in phone.packages.values() if package.enabled]
        if intent.component is not None:
            package, name = intent.component
            spec = next((spec for spec in specs if spec.name == package), None)
            activity = spec.activities.get(name) if spec is not None else None
            if spec is None or activity is None:
                return []
            found = next((h for h in candidates(intent, [spec], sdk=phone.sdk) if h.activity is activity), None)
            return [found or Handler(spec, activity)]
        handlers = candidates(intent, specs, sdk=phone.sdk)
        preferred = phone.preferred.get(_scheme(intent))
        return sorted(handlers, key=lambda handler: handler.package.name != preferred)

    def start(self, intent: Intent) -> StartResult:
        """Start an activity for an intent."""
        phone = self._phone
        intent = self._diverted(intent)
        handlers = self.resolve(intent)
        if not handlers:
            return StartResult(self._why_not(intent), intent)
        handler = handlers[0]
        if intent.from_shell and not handler.activity.exported:
            open_ones = [handler for handler in handlers if handler.activity.exported]
            if not open_ones:
                return StartResult(StartStatus.NOT_EXPORTED, intent, handler.component, uid=handler.package.uid)
            handler, handlers = open_ones[0], open_ones
        # A link into the app in front is an action in it; what opens another app is not its business.
        into_front = phone.tasks.top is not None and phone.tasks.top.package == handler.package.name
        if intent.from_shell and into_front and phone.watching.acted():
            return StartResult(StartStatus.STARTED, intent, handler.component, self._top())
        preferred = phone.preferred.get(_scheme(intent)) == handler.package.name
        home = CATEGORY_HOME in intent.categories
        if intent.action == ACTION_VIEW and intent.from_shell and phone.faults.take("chooser", intent.data or ""):
            return self._choose_among(replace(intent, package=None), handlers)
        if intent.from_shell and (raised := self._only_raised(intent, handler)) is not None:
            return raised
        if len({h.package.name for h in handlers}) > 1 and intent.component is None and not preferred and not home:
            return self._choose_among(intent, handlers)
        return self._launch(intent, handler)

    def launch(self, package: str) -> StartResult:
        """What a tap on the icon does."""
        intent = Intent(ACTION_MAIN, categories=(CATEGORY_LAUNCHER,), package=package, caller="com.android.launcher3")
        return self.start(intent)

    def share(self, text: str, *, caller: str) -> StartResult:
        """`Intent.createChooser` around a text: the share sheet with all that take it."""
        phone = self._phone
        intent = Intent(ACTION_SEND, type="text/plain", extras={EXTRA_TEXT: text}, caller=caller)
        sheets = _SHARE_SHEETS if phone.sdk >= 34 else _SHARE_SHEETS[1:]
        sheet = next(
            (
                name
                for name in sheets
                if name[0] in phone.packages and name[1] in phone.packages[name[0]].spec.activities
            ),
            None,
        )
        if sheet is None:
            return self.start(intent)
        return self._choose_among(intent, [one for one in self.resolve(intent) if one.package.name != caller], sheet)

    def go_home(self) -> None:
        """Bring the launcher to the front."""
        phone = self._phone
        home = phone.tasks.home()
        if home is None or not home.activities:
            self.start(Intent(ACTION_MAIN, categories=(CATEGORY_HOME,), caller="android"))
            return
        phone.tasks.to_front(home)
        del home.activities[1:]
        self.resumed()

    def recents(self) -> None:
        """Show the tasks to choose from."""
        home = self._phone.tasks.home()
        launcher = home.activities[0].package if home is not None and home.activities else ""
        component = (launcher, launcher + _RECENTS)
        self.start(Intent(component=component, caller=launcher))

    def finish(self, activity: Activity) -> None:
        """An activity ends; what lies below comes up."""
        self._phone.tasks.remove(activity)
        self.resumed()

    def back_out(self, activity: Activity) -> None:
        """Back on an activity that does nothing of its own with it."""
        phone = self._phone
        task = phone.tasks.by_id(activity.task_id)
        if task is None or (task.home and len(task.activities) == 1):
            return
        if len(task.activities) == 1 and phone.sdk >= 31 and activity.spec.launcher:
            phone.splitting.leave()
            phone.tasks.to_back(task)  # Android 12 keeps the task of an app that is left by back at its root
            self.resumed()
            return
        self.finish(activity)

    def to_front(self, task_id: int) -> None:
        """A task from the recents."""
        task = self._phone.tasks.by_id(task_id)
        if task is not None:
            self._drop_recents()
            self._phone.tasks.to_front(task)
            self.resumed()

    def resumed(self) -> None:
        """Take note of which activity is in front now; a new one is a new screen of its app."""
        phone = self._phone
        top = phone.tasks.top
        if top is None:
            phone.changed()
            return
        if top is not self._resumed:
            before, self._resumed = self._resumed, top
            if before is not None and before.spec.no_history and before.component != top.component:
                phone.tasks.remove(before)
            self._shown(top)
        phone.changed()

    def refocused(self) -> None:
        """Another half of a split has the focus: what is in it was on the screen before."""
        self._resumed = self._phone.tasks.top

    def clear_recents(self) -> None:
        """End all tasks but the launcher's."""
        tasks = self._phone.tasks
        home = tasks.home()
        for activity in [activity for activity in tasks.activities() if tasks.by_id(activity.task_id) is not home]:
            tasks.remove(activity)
        self.after_end()

    def end_task(self, task_id: int) -> None:
        """End one task, as pushing its card out of the recents does."""
        task = self._phone.tasks.by_id(task_id)
        for activity in list(task.activities) if task is not None else []:
            self._phone.tasks.remove(activity)
        self.resumed()

    def after_end(self) -> None:
        """Activities have ended: home is there, and whatever is in front now is noticed."""
        tasks = self._phone.tasks
        home = tasks.home()
        if home is None or not home.activities or tasks.front is home:
            self.go_home()
        self.resumed()

    def _shown(self, activity: Activity) -> None:
        if not activity.begun:
            activity.begun = True
            self._begin(activity)
        self._phone.watching.screen(activity)

    def _begin(self, activity: Activity) -> None:
        phone, spec, now = self._phone, activity.spec, self._phone.now()
        activity.loading_until = now + spec.loading_s if spec.loading_s else 0.0
        activity.timers = [(now + timer.after_s, timer.do) for timer in spec.timers]
        activity.page = phone.names.page(activity)
        if spec.focus:
            phone.fields.focus(activity, spec.focus)
        self._arrive(activity)

    def _arrive(self, activity: Activity) -> None:
        """An activity has got an intent: its first, or another one while it lives."""
        scope = self._phone.names.scope(activity)
        actions.run(actions.Doing(self._phone, activity, scope), activity.spec.on_start)

    # -- system activities

    def choose(self, chooser: Activity, component: tuple[str, str], *, always: bool) -> None:
        """A row of the chooser."""
        intent = chooser.chosen_for
        self._phone.tasks.remove(chooser)
        if intent is None:
            self.resumed()
            return
        if always:
            self._phone.preferred[_scheme(intent)] = component[0]
        handlers = [h for h in self.resolve(intent) if h.component == component]
        if handlers:
            self._launch(intent, handlers[0])

    # -- on the way

    def _diverted(self, intent: Intent) -> Intent:
        """A link that, by a fault, ends in the browser as links do whose app has not been verified for them."""
        if intent.action != ACTION_VIEW or not intent.from_shell or not self._browsers():
            return intent
        if self._phone.faults.take("browser_link", intent.data or "") is None:
            return intent
        uri = intent.data or ""
        scheme, _, rest = uri.partition("://")
        address = uri if scheme in ("http", "https") else f"https://www.example.com/{rest}"
        return replace(intent, data=address, package=self._browsers()[0].package.name, component=None)

    def _browsers(self) -> list[Handler]:
        specs = [package.spec for package in self._phone.packages.values() if package.enabled and package.spec.browser]
        return candidates(Intent(ACTION_VIEW, data="https://www.example.com/"), specs, sdk=self._phone.sdk)

    def _only_raised(self, intent: Intent, handler: Handler) -> StartResult | None:
        """By a fault: the running app comes to the front as it is, and what was to be opened is ignored."""
        tasks = self._phone.tasks
        task = tasks.of(handler.package.name)
        if task is None or self._phone.faults.take("brought_to_front", intent.data or "") is None:
            return None
        tasks.to_front(task)
        self.resumed()
        return StartResult(
            StartStatus.BROUGHT_TO_FRONT, intent, handler.component, self._top(), uid=handler.package.uid
        )

    def _choose_among(
        self, intent: Intent, handlers: list[Handler], chooser: tuple[str, str] = _RESOLVER
    ) -> StartResult:
        phone = self._phone
        spec = phone.packages[chooser[0]].spec
        activity = self._push(
            Handler(spec, spec.activities[chooser[1]]), Intent(component=chooser, caller=intent.caller)
        )
        activity.choices = tuple(dict.fromkeys(handler.component for handler in handlers))
        activity.chosen_for = intent
        activity.vars["uri"] = intent.data or ""
        activity.vars["shared_text"] = intent.extras.get(EXTRA_TEXT, "")
        self.resumed()
        return StartResult(StartStatus.CHOOSER, intent, chooser, self._top())

    def _launch(self, intent: Intent, handler: Handler) -> StartResult:
        phone = self._phone
        cold = phone.installer.run(phone.packages[handler.package.name])
        target = self._target(handler)
        intent = self._cleared(intent, handler, target)
        values = {**handler.values, **intent.extras}
        before = phone.tasks.front
        placed = self._place(intent, handler, target)
        status, activity = placed.status, placed.activity
        task = phone.tasks.by_id(activity.task_id)
        if intent.flags & LAUNCH_ADJACENT and before is not None and task is not None:
            phone.splitting.enter(before, task)
        if placed.delivers:
            activity.intent = intent
            activity.vars |= values
            if intent.data is not None:
                activity.vars["uri"] = intent.data
            self._look_up(activity)
            activity.defaults = phone.names.scope(activity).expand_all(activity.spec.params)
            activity.page = phone.names.page(activity)
        if cold and handler.package.splash_s:
            activity.splash_until = phone.now() + handler.package.splash_s
        self.resumed()
        if placed.again and (values or intent.data is not None):
            self._arrive(activity)
            phone.watching.screen(activity)
        phone.trace("start", component="/".join(handler.component), status=str(status), data=intent.data)
        return StartResult(status, intent, handler.component, self._top(), cold, handler.package.uid)

    def _target(self, handler: Handler) -> ActivitySpec:
        """The activity that shows in the end: what a link forwards to, and another one for who may not see it."""
        spec = handler.package.activities.get(handler.target, handler.activity)
        state = self._phone.names.package(handler.package.name)
        if spec.needs is not None and not state.holds(spec.needs) and spec.otherwise:
            name = handler.package.name + spec.otherwise if spec.otherwise.startswith(".") else spec.otherwise
            return handler.package.activities[name]
        return spec

    def _cleared(self, intent: Intent, handler: Handler, target: ActivitySpec) -> Intent:
        """An app that forwards a link to its own start page clears what lies above it."""
        if handler.target and target.launcher:
            return Intent(
                intent.action, intent.data, intent.type, intent.categories, intent.component, intent.package,
                intent.flags | CLEAR_TOP, intent.extras, intent.caller,
            )  # fmt: skip
        return intent

    def _place(self, intent: Intent, handler: Handler, target: ActivitySpec) -> Placed:
        """Bring back what is there, or push a new activity on the right task."""
        phone = self._phone
        name = handler.package.name
        inside = phone.tasks.front is not None and phone.tasks.front.affinity == name and intent.caller == name
        task = phone.tasks.front if inside else phone.tasks.home() if target.home else phone.tasks.of(name)
        plain = target.mode == "standard" and not intent.flags & CLEAR_TOP
        if task is not None and not (inside and plain):
            shown = bring_existing(phone.tasks, task, intent, target, package=name, sdk=phone.sdk)
            if shown is not None:
                return shown
        return Placed(StartStatus.STARTED, self._push(Handler(handler.package, target), intent))

    def _push(self, handler: Handler, intent: Intent) -> Activity:
        """A new activity on top of its task; dialogs of the system lie in the task of who asked."""
        phone = self._phone
        self._drop_recents()
        task = phone.tasks.front if handler.activity.translucent else None
        task = task or (phone.tasks.home() if handler.activity.home else phone.tasks.of(handler.package.name))
        if task is None:
            task = Task(phone.next_task_id(), phone.next_hash(), handler.package.name, home=handler.activity.home)
            phone.tasks.add(task)
        phone.tasks.to_front(task)
        activity = Activity(
            window_hash=phone.next_hash(),
            package=handler.package.name,
            token=phone.next_hash(),
            spec=handler.activity,
            intent=intent,
            task_id=task.id,
            started=phone.now(),
        )
        task.activities.append(activity)
        return activity

    def _look_up(self, activity: Activity) -> None:
        if activity.spec.lookup is None:
            return
        data, key, template = activity.spec.lookup
        wanted = self._phone.names.scope(activity).expand(template)
        rows = self._phone.names.rows(activity, data)
        activity.row = next((row for row in rows if row.get(key) == wanted), {})

    def _drop_recents(self) -> None:
        home = self._phone.tasks.home()
        if home is not None:
            del home.activities[1:]

    def _why_not(self, intent: Intent) -> StartStatus:
        named = intent.component[0] if intent.component is not None else intent.package
        if named is not None and named not in self._phone.packages:
            return StartStatus.NOT_INSTALLED
        return StartStatus.NO_ACTIVITY if intent.component is not None else StartStatus.UNRESOLVED

    def _top(self) -> tuple[str, str] | None:
        top = self._phone.tasks.top
        return top.component if top is not None else None


def _scheme(intent: Intent) -> str:
    return (intent.data or intent.action or "").partition(":")[0].lower()

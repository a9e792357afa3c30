"""The conductor: one way for every action on one phone.

`conduct(step)` observes, recognises the app in front, plans the wait, waits, finds the step's target on what is there
now, writes the task, acts once, observes again, counts, and leaves a trace. What a step does is its own business:
the steps people know are in `verbs`. Arithmetic of waits and budgets is in `pace`, what outlives the process in `task`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from controller import pace
from controller.clock import Clock
from controller.device.observation import Observation
from controller.device.phone import Phone
from controller.errors import OutcomeUnknown, PhonectlError, StepError
from controller.library.app import App
from controller.library.catalog import Library
from controller.library.wrapping import wrap_app
from controller.pace import Plan, Rules, Speed
from controller.recognise import recognise
from controller.scene import (
    Scene,
    anything_changed,
    is_late,
    is_under_way,
    popped_up,
    read_scene,
    with_restless,
)
from controller.screen import touch
from controller.screen.hierarchy import focused_field
from controller.step import Effect, Hands, Outcome, Progress, Silent, Status, Step, Verdict, Wait
from controller.task import Draft, LastAction, Reservation, Task, TaskJournal, Tasks, refuse_spent
from controller.trace import NoTrace, Trace

__all__ = ["Session"]

T = TypeVar("T")

# An advertisement that comes up while waiting starts a new wait; a page that never rests must not wait forever.
MOST_WAITS = 3


class Session:
    """One phone, with everything that an action needs.

    Args:
        phone: The phone, connected.
        library: Knowledge of apps.
        tasks: Where budgets and the last screen are kept.
        clock: The time.
        rng: The source of all random numbers.
        speed: The person's choice for this session; None takes the task's, then the profile's.
        trace: Where events go.
        progress: Who is told.
    """

    def __init__(
        self,
        phone: Phone,
        *,
        library: Library,
        tasks: Tasks,
        clock: Clock,
        rng: random.Random,
        speed: Speed | None = None,
        trace: Trace | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.phone = phone
        self.library = library
        self.tasks = tasks
        self.clock = clock
        self.rng = rng
        self.speed = speed
        self.trace: Trace = trace or NoTrace()
        self.progress: Progress = progress or Silent()
        self._closers: list[Callable[[], None]] = []

    # ------------------------------------------------------------------ life

    def on_close(self, closer: Callable[[], None]) -> None:
        """Let `closer` run when the session ends; the last one given runs first."""
        self._closers.append(closer)

    def close(self) -> None:
        """End the session: the connection, and a phone that was started for it."""
        try:
            self.phone.close()
        finally:
            while self._closers:
                self._closers.pop()()

    # ------------------------------------------------------------------ reading

    def observe(self) -> Observation:
        """The phone's screen now. Nothing is touched and nothing waited for."""
        return self._look().observation

    def remember_outline(self, identities: Any) -> None:
        """Keep what the refs of an outline stand for, so that the next command may use them."""
        with self.tasks.edit() as draft:
            draft.record = replace(draft.record, outline=identities)

    def remembered_outline(self) -> Any:
        """What `remember_outline` was given last; None before."""
        return self.tasks.read().outline

    def task(self) -> Task:
        """The phone's open task; one is begun where none is open."""
        with self.tasks.edit() as draft:
            return draft.current(self.clock)

    def app_of(self, observation: Observation) -> App | None:
        """The app whose screen it is, where an APP.md knows it."""
        return recognise(observation.foreground.package, self.library).app

    def effective_speed(self, task: Task | None = None) -> Speed:
        """The speed that counts now: the session's, else the task's, else the profile's, else careful."""
        task = task or self.task()
        return self.speed or task.speed or self.phone.profile.speed or Speed.CAREFUL

    # ------------------------------------------------------------------ acting

    def conduct(self, step: Step[T]) -> Outcome:
        """What became of the step.

        Raises:
            BudgetSpent: It could lead to another screen and its app has none left; nothing was sent.
            StepError: Its target is not there or cannot be touched; nothing was sent.
            DeviceError: The phone was lost.
        """
        self.trace.emit("step", step=step.kind, summary=step.summary)
        # Two commands at once act one after the other: each keeps its distance from the last action, whoever made it.
        with self.tasks.turn():
            scene = self._look()
            step.locate(scene.observation)
            task = self.task()
            self._refuse_spent(step, scene, task)
            scene, waits = self._keep_pace(step, scene, task)
            target = step.locate(scene.observation)
            reservation = self._reserve(step, scene, task)
            return self._act(step, scene, target, reservation, waits, self._rules(step, scene, task))

    def _act(
        self,
        step: Step[T],
        scene: Scene,
        target: T,
        reservation: Reservation | None,
        waits: tuple[Wait, ...],
        rules: Rules | None,
    ) -> Outcome:
        hands = Hands(self.phone, self.clock, self.rng, rules, TaskJournal(self.tasks))
        started = self.clock.now()
        self.trace.emit("action", step=step.kind, summary=step.summary)
        try:
            evidence = step.act(hands, target)
        except OutcomeUnknown as err:
            return self._lost(err, scene, waits, device_s=self.clock.now() - started)
        except PhonectlError as err:
            # Whatever was sent and lost is an OutcomeUnknown; of all else nothing reached the app.
            self._note_action(reservation)
            self.trace.emit("outcome", status=Status.FAILED.value, error=err.as_dict())
            raise
        return self._judged(step, scene, reservation, waits, evidence, device_s=self.clock.now() - started)

    def _lost(self, err: OutcomeUnknown, scene: Scene, waits: tuple[Wait, ...], *, device_s: float) -> Outcome:
        """The outcome of an action whose answer was lost. Its screen stays set aside: it may have opened one."""
        self._note_action(None)
        self.trace.emit("outcome", status=Status.OUTCOME_UNKNOWN.value, error=err.as_dict())
        return Outcome(
            Status.OUTCOME_UNKNOWN, err.message, scene.observation, None, waits=waits, device_s=device_s, error=err
        )

    def _judged(
        self,
        step: Step[T],
        scene: Scene,
        reservation: Reservation | None,
        waits: tuple[Wait, ...],
        evidence: Mapping[str, Any],
        *,
        device_s: float,
    ) -> Outcome:
        """The outcome of an action that was sent, by what the phone shows once it rests."""
        acted = self.clock.now()
        # A step that leads elsewhere may take a moment before anything moves; typing and scrolling show at once.
        unlike = scene.observation if step.effect is Effect.NAVIGATES else None
        after = self.phone.settle(unlike=unlike)
        settle_s = self.clock.now() - acted
        verdict = self._judge(step, scene.observation, after, evidence)
        new_screen = self._take_in_after(step, scene, after, reservation, verdict)
        outcome = Outcome(
            verdict.status,
            verdict.summary,
            scene.observation,
            after,
            new_screen=new_screen,
            waits=waits,
            device_s=device_s,
            settle_s=settle_s,
            evidence=verdict.evidence,
        )
        self.trace.emit("outcome", **outcome.as_dict(), settle_s=round(settle_s, 3), **self._budget_now())
        return outcome

    def _note_action(self, reservation: Reservation | None) -> None:
        """An action that did not succeed was one all the same: the next one keeps its distance from it."""
        with self.tasks.edit() as draft:
            if draft.record.screen:
                draft.record = replace(draft.record, screen=replace(draft.record.screen, acted_at=self.clock.now()))
            if reservation is not None:
                self._count(draft, reservation, None)

    def _judge(self, step: Step[T], before: Observation, after: Observation, evidence: Mapping[str, Any]) -> Verdict:
        verdict = step.judge(before, after, evidence) if step.judge else Verdict(Status.DONE, step.summary, evidence)
        if step.outward and verdict.status is Status.DONE and not anything_changed(before, after):
            # Sending that changes nothing on the screen may not have happened.
            return replace(
                verdict, status=Status.UNCONFIRMED, summary=f"{verdict.summary}: nothing changed on the screen"
            )
        return verdict

    # ------------------------------------------------------------------ pace

    def _keep_pace(self, step: Step[T], scene: Scene, task: Task) -> tuple[Scene, tuple[Wait, ...]]:
        waits: list[Wait] = []
        for _ in range(MOST_WAITS):
            rules = self._rules(step, scene, task)
            plan = pace.plan(rules, self._history(scene, task), self.clock.now(), self.rng)
            if plan.wait_s <= 0:
                return scene, tuple(waits)
            waits.append(self._wait(plan, scene))
            before, scene = scene, self._look()
            if popped_up(before.observation, scene.observation, scene.package):
                scene = self._begin_anew(scene)
            if scene.seen.first_seen == before.seen.first_seen:
                return (scene if plan.jitter else with_restless(before, scene)), tuple(waits)
        return scene, tuple(waits)

    def _begin_anew(self, scene: Scene) -> Scene:
        """The scene when something came up on the page by itself: a new wait begins, nothing is counted."""
        seen = replace(scene.seen, first_seen=scene.observation.at, acted_at=None, jittered=False)
        with self.tasks.edit() as draft:
            draft.record = replace(draft.record, screen=seen)
        return replace(scene, seen=seen)

    def _wait(self, plan: Plan, scene: Scene) -> Wait:
        started = self.clock.now()
        deadline = started + plan.wait_s
        with self.progress.waiting(plan):
            if plan.jitter:
                self.clock.sleep(plan.jitter.after_s)
                self._scroll_a_little(plan.jitter, self._look(), scene)
            self.clock.sleep(deadline - self.clock.now())
        wait = Wait(plan.wait_s, self.clock.now() - started, plan.reason, plan.jitter is not None)
        self.trace.emit(
            "wait",
            planned_s=round(wait.planned_s, 3),
            actual_s=round(wait.actual_s, 3),
            reason=wait.reason,
            parts=[{"seconds": round(part.seconds, 3), "why": part.why} for part in plan.parts],
            jitter=wait.jitter,
        )
        return wait

    def _scroll_a_little(self, jitter: pace.Jitter, scene: Scene, before: Scene) -> None:
        observation = scene.observation
        container = touch.scroll_container(observation.hierarchy, package=scene.package)
        # Whatever came up meanwhile (an advertisement, a dialog) is not touched.
        if container is None or scene.dialog or scene.seen.first_seen != before.seen.first_seen:
            return
        start, end = touch.scroll_line(container.bounds, observation.screen, jitter.fraction)
        try:
            self.phone.drag(start, end, duration_s=jitter.drag_s * 0.7, rest_s=jitter.drag_s * 0.3)
        except StepError as err:
            # Nobody asked for it: the step goes on, and finds its target on what is there then.
            self.trace.emit("note", text=f"the small scroll did not succeed: {err.message}")
            return
        with self.tasks.edit() as draft:
            if draft.record.screen:
                draft.record = replace(draft.record, screen=replace(draft.record.screen, jittered=True))

    def _history(self, scene: Scene, task: Task) -> pace.History:
        observation = scene.observation
        hierarchy = observation.hierarchy
        can_scroll = (
            self._careful_key(scene.package, scene.app, task) is not None
            and not scene.dialog
            and observation.keyboard is None
            and focused_field(hierarchy) is None
            and not touch.has_dialog(hierarchy, package=scene.package, screen=observation.screen)
            and touch.scroll_container(hierarchy, package=scene.package) is not None
        )
        return pace.History(
            first_seen=scene.seen.first_seen,
            acted_at=scene.seen.acted_at,
            characters=scene.characters,
            can_scroll=can_scroll,
            jittered=scene.seen.jittered,
        )

    def _rules(self, step: Step[T], scene: Scene, task: Task) -> Rules | None:
        careful = self._careful_key(scene.package, scene.app, task) is not None or (
            step.opens is not None and self._careful_key(step.opens.package, step.opens.app, task) is not None
        )
        return replace(pace.CAREFUL, reading_chars_per_s=self.phone.profile.reading_chars_per_s) if careful else None

    def _careful_key(self, package: str | None, app: App | None, task: Task) -> str | None:
        """The name under which the app's new screens are counted; None where it has no pace."""
        if package is None or self.effective_speed(task) is Speed.FAST:
            return None
        if app is not None:
            return app.id if app.pace else None
        return package if self.phone.profile.unknown_apps else None

    # ------------------------------------------------------------------ budget

    def _keys(self, step: Step[T], scene: Scene, task: Task) -> tuple[str, ...]:
        if step.effect is Effect.STAYS:
            return ()
        front = self._careful_key(scene.package, scene.app, task)
        opened = self._careful_key(step.opens.package, step.opens.app, task) if step.opens else None
        return tuple(dict.fromkeys(key for key in (front, opened) if key is not None))

    def _refuse_spent(self, step: Step[T], scene: Scene, task: Task) -> None:
        for key in self._keys(step, scene, task):
            refuse_spent(task, key)

    def _reserve(self, step: Step[T], scene: Scene, task: Task) -> Reservation | None:
        keys = self._keys(step, scene, task)
        if not keys:
            return None
        with self.tasks.edit() as draft:
            return draft.reserve(task.id, keys)

    def _budget_now(self) -> dict[str, Any]:
        task = self.task()
        budgets = {
            app: {"used": budget.used, "limit": budget.limit, "lifted": budget.lifted}
            for app, budget in ((app, task.budget(app)) for app in task.budgets)
        }
        return {"task": task.id, "budgets": budgets}

    # ------------------------------------------------------------------ what was seen

    def _look(self) -> Scene:
        return self._take_in(self.phone.observe())

    def _take_in(self, observation: Observation) -> Scene:
        """What an observation means, and the record brought up to it: a screen that came by itself starts anew."""
        record = self.tasks.read()
        scene, changed = read_scene(observation, record.screen, self.library)
        if scene.seen != record.screen:
            with self.tasks.edit() as draft:
                draft.record = replace(draft.record, screen=scene.seen)
                late = changed and record.screen is not None and is_late(record.screen, observation)
                if late:
                    self._count(draft, None, scene)
            if late:
                # The last action's screen took its time; the report counts it where the budget does.
                self.trace.emit("budget", **self._budget_now())
        self._announce(scene)
        return scene

    def _take_in_after(
        self, step: Step[T], before: Scene, after: Observation, reservation: Reservation | None, verdict: Verdict
    ) -> bool:
        """The record after our own action; whether it led to a new screen."""
        scene, changed = read_scene(after, before.seen, self.library, restless=before.restless)
        moved = (scene.package, after.foreground.activity) != (before.package, before.observation.foreground.activity)
        new_screen = changed and (step.effect is Effect.NAVIGATES or moved)
        now = self.clock.now()
        if new_screen:
            seen = scene.seen
        else:
            # Scrolling and typing show other items of the same screen.
            coming = step.effect is Effect.NAVIGATES and is_under_way(before.observation, after)
            awaited = LastAction(before.package, now) if coming else None
            seen = replace(before.seen, mark=scene.seen.mark, acted_at=now, awaited=awaited)
        with self.tasks.edit() as draft:
            draft.record = replace(draft.record, screen=seen)
            self._count(draft, reservation, scene if new_screen else None)
            if step.outward and verdict.status is Status.DONE:
                self._lift(draft, draft.current(self.clock).id, before)
        self._announce(scene)
        return new_screen

    def _count(self, draft: Draft, reservation: Reservation | None, opened: Scene | None) -> None:
        """What was set aside given back, and one new screen counted for the app of `opened`."""
        task = draft.current(self.clock)
        counted = self._careful_key(opened.package, opened.app, task) if opened else None
        if reservation is not None or counted is not None:
            draft.release(reservation or Reservation(task.id, ()), counted=counted)

    def _lift(self, draft: Draft, task_id: str, scene: Scene) -> None:
        if scene.app is not None:
            draft.lift(task_id, scene.app.id)
        elif scene.package is not None:
            draft.lift(task_id, scene.package)

    def _announce(self, scene: Scene) -> None:
        if scene.dialog or scene.package is None:
            return
        name = scene.app.id if scene.app else None
        record = self.tasks.read()
        task = record.task(record.current)
        if task is not None and task.ended is None and task.announced == name:
            return
        with self.tasks.edit() as draft:
            draft.put(replace(draft.current(self.clock), announced=name))
        if scene.app is not None:
            told = wrap_app(scene.app)
            self.trace.emit(
                "app_entered", app=scene.app.id, display=scene.app.display, package=scene.package, knowledge=told
            )
            self.progress.entered(scene.app)

"""What opening an app or a link came to: which app really opened, and how sure that is.

A pure judgement of three things: what `am` answered (it ends with 0 on failures too), the screen before, and the
screen after. Sends nothing and knows no phone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.device import commands
from controller.device.observation import Observation
from controller.screen import sameness
from controller.screen.dumpsys import Foreground, State
from controller.screen.dumpsys.answers import StartAnswer
from controller.screen.hierarchy import Node
from controller.step import Status, Verdict

__all__ = ["judge", "told"]

# Packages that show web pages: a link of an app that ends here was not opened by the app.
BROWSERS = frozenset(
    {
        "com.android.browser",
        "com.android.chrome",
        "com.brave.browser",
        "com.huawei.browser",
        "com.microsoft.emmx",
        "com.mi.globalbrowser",
        "com.opera.browser",
        "com.sec.android.app.sbrowser",
        "com.UCMobile",
        "mark.via",
        "org.mozilla.firefox",
    }
)
ERRORS = {
    "not_installed": "is not installed",
    "not_exported": "does not let other apps open this page",
    "unresolved": "has no page for this link",
}
WARNINGS = {
    "brought_to_front": "the app was only brought to the front",
    "delivered": "the link went to the page that was already open",
}


def told(answer: StartAnswer) -> dict[str, Any]:
    """What `am start` answered, as evidence."""
    return {
        "ok": answer.ok,
        "code": answer.error,
        "warning": answer.warning,
        "slow": answer.slow,
        "started": answer.activity,
        "answer": answer.raw.strip()[:1000],
    }


def judge(
    before: Observation, after: Observation, evidence: Mapping[str, Any], *, package: str | None, what: str
) -> Verdict:
    """Whether `what` is open now.

    Args:
        before: The screen before.
        after: The settled screen after.
        evidence: `told()` of the answer, and the `uri` where a link was opened.
        package: The app that should have opened; None when any may.
        what: The app or link, in words.
    """
    front = after.foreground
    seen = {**evidence, "opened": front.package, "activity": front.activity, "requested": package}
    if not evidence["ok"]:
        return Verdict(Status.FAILED, f"{what} {_refusal(evidence, package)}", seen)
    if front.overlay == "chooser":
        return _chooser(after, seen, what, package)
    if front.state is State.KEYGUARD or front.state is State.SCREEN_OFF:
        return _unconfirmed(f"{what}: the phone is locked or its screen is off", seen, front.state.value)
    if front.package is None:
        return _unconfirmed(f"{what}: which app is in front cannot be told", seen, "unknown_front")
    if (verdict := _in_the_way(front, seen, what, package)) is not None:
        return verdict
    if package is not None and front.package != package:
        return _elsewhere(seen, what, package, front.package)
    # An app that was in front already is open; a link that met it there may have been ignored.
    if evidence["warning"] and "uri" in evidence and (doubt := _doubt(before, after, evidence)):
        why = WARNINGS.get(evidence["warning"], evidence["warning"])
        return _unconfirmed(f"{what}: {why}, and {doubt}", seen, "delivery_unconfirmed")
    return Verdict(Status.DONE, f"opened {what}", seen)


def _doubt(before: Observation, after: Observation, evidence: Mapping[str, Any]) -> str:
    """Why a link that came with a warning may have been ignored; empty where the screen shows that it was not."""
    if evidence["warning"] == "brought_to_front" and not _is_started(after, evidence["started"]):
        return f"{after.foreground.activity} is in front, not the page of the link"
    if not _differs(before, after):
        return "nothing changed on the screen"
    return ""


def _is_started(after: Observation, started: str | None) -> bool:
    """Whether the activity in front is the one `am` named (`pkg/.Class` or in full); true where it named none."""
    if not started:
        return True
    package, _, name = started.partition("/")
    return after.foreground.activity == (package + name if name.startswith(".") else name)


def _unconfirmed(summary: str, seen: Mapping[str, Any], code: str) -> Verdict:
    return Verdict(Status.UNCONFIRMED, summary, {**seen, "code": code})


def _in_the_way(front: Foreground, seen: Mapping[str, Any], what: str, package: str | None) -> Verdict | None:
    """What a dialog of Android about the app means for what was to be opened; None where none lies there."""
    met = front.about is not None and (package is None or front.about.partition(":")[0] == package)
    if front.overlay == "crash_dialog" and met:
        return Verdict(Status.FAILED, f"{what}: {front.about} crashed", {**seen, "code": "crashed"})
    if front.overlay == "anr_dialog" and met:
        return _unconfirmed(f"{what}: {front.about} does not respond", seen, "not_responding")
    if front.overlay == "permission_dialog":
        return _unconfirmed(f"{what}: the phone asks for a permission first", seen, "permission_dialog")
    return None


def _refusal(evidence: Mapping[str, Any], package: str | None) -> str:
    if package is None and evidence["code"] == "unresolved":
        return "is opened by no app on this phone"
    said = evidence["answer"].splitlines()
    return ERRORS.get(evidence["code"] or "", f"could not be opened: {said[-1] if said else 'the phone said nothing'}")


def _chooser(after: Observation, seen: Mapping[str, Any], what: str, package: str | None) -> Verdict:
    options = _options(after)
    found = {**seen, "options": options}
    if package is not None and "uri" in seen:
        # A dual app asks which copy: the first user's is the one that adb may open.
        found["retry"] = commands.view(str(seen["uri"]), package, user=0)
    names = ", ".join(options) or "no names shown"
    return _unconfirmed(f"the phone asks which app opens {what}: {names}", found, "chooser")


def _elsewhere(seen: Mapping[str, Any], what: str, package: str, front: str) -> Verdict:
    opened, code = (f"in the browser {front}", "browser") if front in BROWSERS else (front, "other_app")
    return Verdict(Status.FAILED, f"{what} opened {opened} instead of {package}", {**seen, "code": code})


def _options(after: Observation) -> list[str]:
    """The names in a chooser, for a person to pick from; phonectl presses none of them."""
    names = [node.text for node in after.hierarchy.nodes() if node.text and _in_row(node)]
    return list(dict.fromkeys(names))


def _in_row(node: Node) -> bool:
    return node.resource_id.endswith("/text1")


def _differs(before: Observation, after: Observation) -> bool:
    """Whether another page is there; a timer or a counter that went on is none."""
    return sameness.is_new_screen(_mark(before), _mark(after))


def _mark(observation: Observation) -> sameness.ScreenMark:
    front = observation.foreground
    return sameness.mark(observation.hierarchy, package=front.package, activity=front.activity, window=front.record)

"""The report as one HTML page that needs nothing else: no script, no network, no font.

Makes what the template shows out of a `Run` and its pictures. The template escapes every text; pictures are scaled so
that fifty steps stay below five megabytes.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import PurePosixPath
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from controller.errors import PhonectlError
from controller.report import chart
from controller.report.run import Run, StepRun
from controller.report.words import clean, clock_time, seconds, signed
from controller.screen.picture import scaled_jpeg, size_of

__all__ = ["Mark", "Shot", "render"]

ALL_PICTURES = 4_300_000
"""Characters of base64 for all pictures together; a page of five megabytes has room for the rest."""
ONE_PICTURE = 130_000
LONG_SIDE = 960

VERDICTS = {
    "passed": "Passed",
    "failed": "Failed",
    "invalid": "Invalid flow",
    "no_phone": "No usable phone",
    "timed_out": "Timed out",
    "refused": "Refused",
    "internal": "Internal error",
    "budget_spent": "Budget spent",
    "interrupted": "Interrupted",
    "unfinished": "Not finished",
}
SIGNS = {
    "done": "✓",
    "warned": "!",
    "failed": "✕",
    "skipped": "–",
    "unconfirmed": "?",
    "interrupted": "■",
    "unfinished": "…",
}
EVIDENCE_WORDS = {
    "element": "element",
    "overlay": "on top",
    "uri": "link",
    "opened": "opened in",
    "requested": "asked for",
    "code": "judged as",
    "warning": "the phone said",
    "route": "typed by",
    "characters": "characters",
    "verified": "read back",
    "key": "key",
    "moved": "the page moved",
    "healed": "found again after the page changed",
    "note": "note",
    "times": "times",
    "speed": "speed",
    "options": "choices",
}


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture as the page embeds it, with its size in the phone's pixels."""

    uri: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Mark:
    """What was touched, in the picture's own pixels: a box, a point, a line; `size` is that of a fingertip."""

    size: float
    bounds: tuple[float, ...] | None = None
    point: tuple[float, ...] | None = None
    start: tuple[float, ...] | None = None
    end: tuple[float, ...] | None = None


def render(run: Run, read: Callable[[str], bytes | None], *, zone: tzinfo | None = None) -> str:
    """The page.

    Args:
        run: What to show.
        read: The bytes of a picture by its path in the run folder, None where it is missing.
        zone: The time zone of the page; the machine's own where none is given.
    """
    pictures = [step.picture for step in run.steps if step.picture] + ([run.picture] if run.picture else [])
    most = min(ONE_PICTURE, ALL_PICTURES // max(1, len(pictures)))

    def shot(path: str | None) -> Shot | None:
        return _shot(read(path), most) if path else None

    environment = Environment(
        loader=PackageLoader("controller.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(seconds=seconds, signed=signed)
    page = environment.get_template("report.html.j2").render(
        run=run,
        verdict=VERDICTS[run.status],
        signs=SIGNS,
        phone=run.environment.get("about") or run.environment.get("phone") or "",
        started=clock_time(run.started, zone) if run.started else "",
        segments=chart.segments(run),
        ticks=chart.ticks(run.duration_s),
        budgets=chart.budget_lines(run),
        steps=[_step(step, shot(step.picture)) for step in run.steps],
        last=shot(run.picture),
        failed=run.failed_step,
        share=_share(run),
    )
    return clean(page)


def _shot(png: bytes | None, most: int) -> Shot | None:
    if png is None:
        return None
    try:
        width, height = size_of(png)
        jpeg, _ = scaled_jpeg(png, long_side=LONG_SIDE, max_base64=most)
    except PhonectlError:  # a picture that a kill cut short
        return None
    return Shot("data:image/jpeg;base64," + base64.b64encode(jpeg).decode("ascii"), width, height)


def _share(run: Run) -> list[dict[str, Any]]:
    """Where the time went, in percent of the whole."""
    whole = run.duration_s or 1.0
    parts = [
        ("pace", "pace of the apps", run.pace_s),
        ("pause", "pauses of the flow", run.pause_s),
        ("work", "phone and looking", run.work_s),
    ]
    return [{"kind": kind, "name": name, "s": s, "percent": 100 * s / whole} for kind, name, s in parts if s > 0]


def _step(step: StepRun, shot: Shot | None) -> dict[str, Any]:
    return {
        "run": step,
        "shot": shot,
        "mark": _mark(step.evidence, shot),
        "evidence": _evidence(step.evidence),
        "source": f"{PurePosixPath(step.file).name}:{step.line}" if step.file else "",
        "error": None if step.inner_error else step.error,
        "summary": step.summary if step.summary.casefold() != step.title.casefold() else "",
        "work_s": max(0.0, step.duration_s - step.pace_s - step.pause_s),
    }


def _mark(evidence: Mapping[str, Any], shot: Shot | None) -> Mark | None:
    """What was touched, where the picture can show it."""
    if shot is None:
        return None

    def numbers(name: str, length: int) -> tuple[float, ...] | None:
        value = evidence.get(name)
        if not isinstance(value, list | tuple) or len(value) != length:
            return None
        return tuple(float(number) for number in value)

    mark = Mark(
        max(shot.width, shot.height) / 40,
        numbers("bounds", 4),
        numbers("point", 2),
        numbers("from", 2),
        numbers("to", 2),
    )
    return mark if mark.bounds or mark.point or (mark.start and mark.end) else None


def _evidence(evidence: Mapping[str, Any]) -> list[tuple[str, str]]:
    told = [
        (word, _value(evidence[key]))
        for key, word in EVIDENCE_WORDS.items()
        if evidence.get(key) not in (None, "", [], False)
    ]
    if front := _front(evidence):
        told.append(("then in front", front))
    return told


def _front(evidence: Mapping[str, Any]) -> str:
    """`tv.danmaku.bili/.MainActivityV2`, as Android writes components."""
    package, activity = str(evidence.get("package") or ""), str(evidence.get("activity") or "")
    return f"{package}/{activity.removeprefix(package)}" if package and activity else package or activity


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(_value(item) for item in value)
    return re.sub(r"\s+", " ", str(value))[:400]

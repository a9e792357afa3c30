"""The report of a run, made from its `events.jsonl` and pictures alone.

`run` turns events into values, `html` draws them, `junit` and `result` write them for programs. Nothing here knows a
phone or a flow, so that a report can be made of a run that was killed, on another machine, later.
"""

from __future__ import annotations

from controller.report.run import Run, build, read_events, read_run
from controller.report.write import write

__all__ = ["Run", "build", "read_events", "read_run", "write"]

"""A flow out of a text, for tests that need one."""

from __future__ import annotations

from controller.flow.model import Flow, flow_error
from controller.flow.parser import read_flow

__all__ = ["parse_flow"]


def parse_flow(text: str, *, path: str = "flow.yaml") -> Flow:
    """The flow that `text` says; a `FlowError` with every place where it says something wrong."""
    flow, findings = read_flow(text, path=path)
    if findings:
        raise flow_error(findings)
    return flow

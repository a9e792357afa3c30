"""A client of the Model Context Protocol over a process's standard input and output, as small as the tests need it."""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

__all__ = ["ToolFailed", "Tools", "running_tools"]

PROTOCOL = "2025-03-26"


class ToolFailed(Exception):
    """A tool says that it failed; the text is its own."""


class Tools:
    """The tools of one server.

    Args:
        to_server: Its standard input.
        from_server: Its standard output.
    """

    def __init__(self, to_server: IO[str], from_server: IO[str]) -> None:
        self._to_server = to_server
        self._from_server = from_server
        self._ids = itertools.count(1)

    def greet(self) -> Mapping[str, Any]:
        """Begin the conversation; what the server says of itself comes back."""
        client = {"name": "phone-tests", "version": "1"}
        about = self._request("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client})
        self._send({"method": "notifications/initialized"})
        return dict(about["serverInfo"])

    def names(self) -> set[str]:
        """The tools there are."""
        return {tool["name"] for tool in self._request("tools/list", {})["tools"]}

    def call(self, tool: str, **arguments: Any) -> str:
        """The text a tool answers with.

        Raises:
            ToolFailed: The answer is marked as an error.
        """
        result = self._request("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(part["text"] for part in result["content"] if part["type"] == "text")
        if result.get("isError"):
            raise ToolFailed(text)
        return text

    def _request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        number = next(self._ids)
        self._send({"id": number, "method": method, "params": params})
        for line in self._from_server:
            message = json.loads(line)
            if message.get("id") == number:
                assert "result" in message, message
                return dict(message["result"])
        raise EOFError(f"the server ended during {method}")

    def _send(self, message: Mapping[str, Any]) -> None:
        self._to_server.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._to_server.flush()


@contextmanager
def running_tools(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> Iterator[Tools]:
    """A server's tools; it ends with its input."""
    with (
        (folder / "server.log").open("w") as log,
        subprocess.Popen(
            command,
            env=dict(environment),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            encoding="utf-8",
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            tools = Tools(process.stdin, process.stdout)
            tools.greet()
            yield tools
        finally:
            process.stdin.close()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()

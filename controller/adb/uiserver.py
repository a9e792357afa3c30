"""uiautomator2's server on the phone: started the way uiautomator2 starts it, called over one kept connection.

A read may be asked once more on a new connection. An action is sent once: when its answer is lost, it ends in
`OutcomeUnknown`. What the calls mean is left to `device`. Alone looks for uiautomator2, and imports none of it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from controller.adb import http
from controller.adb.client import AdbDevice
from controller.adb.connection import Connection, Deadline
from controller.clock import Clock, poll
from controller.errors import (
    AdbFailure,
    NotFound,
    OutcomeUnknown,
    PhonectlError,
    ProtocolError,
    TimedOut,
    UiServerError,
)

__all__ = ["UiServer", "find_jar"]

JAR_ON_PHONE = "/data/local/tmp/u2.jar"
CALL_S = 10.0
START_S = 30.0
STOP_S = 3.0
# The server closes a connection after 5 s of silence.
IDLE_S = 4.5
_KEPT_OUTPUT = 8192

Explain = Callable[[str], PhonectlError | None]


def find_jar() -> Path | None:
    """The server's jar inside the installed uiautomator2; None where there is none. Nothing of it is imported."""
    spec = importlib.util.find_spec("uiautomator2")
    if spec is None or spec.origin is None:
        return None
    jar = Path(spec.origin).parent / "assets" / "u2.jar"
    return jar if jar.is_file() else None


class UiServer:
    """The server of one phone. Started by its first call; one that runs already is used and left running.

    Args:
        device: The phone.
        clock: Measures idle times and waits for the start.
        explain: The error behind a text of the phone, where the text is a known one.
        port: The server's port on the phone.
    """

    def __init__(self, device: AdbDevice, clock: Clock, *, explain: Explain = lambda _: None, port: int = 9008) -> None:
        self.device = device
        self.clock = clock
        self.port = port
        self._explain = explain
        self._connection: Connection | None = None
        self._used_at = 0.0
        self._launch: _Launch | None = None
        self._started = False
        self._awaiting = False

    @property
    def is_ours(self) -> bool:
        """Whether the running server was started here; then it ends with `close`."""
        return self._launch is not None

    def start(self) -> None:
        """Make sure that the server answers.

        Raises:
            UiServerError: It cannot be started; code `automation_busy` when another program holds UiAutomation.
        """
        if self._started and not (self._launch and self._launch.ended()):
            return
        self._end_own()
        if not self.answers():
            self._put_jar()
            self._launch = _Launch(self.device, self.port)
            self._await_start(self._launch)
        self._started = True

    def answers(self) -> bool:
        """Whether a server answers on the phone now, whoever started it."""
        deadline = self._deadline("ping", CALL_S)
        try:
            connection = self._open(deadline)
            self._send(connection, http.get("/ping"), deadline)
            return self._receive(connection, deadline).body == b"pong"
        except (AdbFailure, ProtocolError, TimedOut):
            return False

    def call(self, method: str, *params: Any, read: bool, timeout_s: float = CALL_S) -> Any:
        """The result of one call.

        Args:
            method: A method of the server's JSON-RPC.
            params: Its arguments.
            read: The call changes nothing on the phone, so it may be sent again.
            timeout_s: Limit for the answer.

        Raises:
            OutcomeUnknown: An action was sent and no answer came.
            NotFound: The selector matches nothing.
            UiServerError: The server answered with an error.
            TimedOut: A read was not answered in time.
        """
        if read:
            return self.ask(method, *params, timeout_s=timeout_s)()
        connection, deadline = self._ready(method, timeout_s)
        try:
            self._send(connection, _request(method, params), deadline)
            return self._result(method, self._receive(connection, deadline))
        except (AdbFailure, ProtocolError, TimedOut, _NoResult) as err:
            raise self._unknown(method, err) from err
        except _Disconnected as err:
            self._started = False
            if err.nothing_done:
                raise self._gone(err) from err
            raise self._unknown(method, err) from err

    def ask(self, method: str, *params: Any, timeout_s: float = CALL_S) -> Callable[[], Any]:
        """Sends a read now; the function that comes back waits for its answer, so that other reads run meanwhile."""
        connection, deadline = self._ready(method, timeout_s)
        data = _request(method, params)
        sent = True
        try:
            self._send(connection, data, deadline)
        except AdbFailure:
            sent = False

        def answer() -> Any:
            try:
                if sent:
                    return self._result(method, self._receive(connection, deadline))
            except (AdbFailure, ProtocolError, _NoResult):
                pass
            except TimedOut:
                self._give_up()
                raise
            except _Disconnected as err:
                self._started = False
                if not self.is_ours:
                    # Somebody else started it: ending it would pull it from under them.
                    raise self._gone(err) from err
            return self._once_more(method, data, timeout_s)

        return answer

    def close(self) -> None:
        """End the connection, and the server if it was started here."""
        self._drop()
        self._started = False
        if self._launch:
            self._launch.close()
            self._launch = None

    # The connection

    def _once_more(self, method: str, data: bytes, timeout_s: float) -> Any:
        connection, deadline = self._ready(method, timeout_s)
        self._send(connection, data, deadline)
        try:
            return self._result(method, self._receive(connection, deadline))
        except _Disconnected as err:
            self._started = False
            raise self._gone(err) from err
        except (_NoResult, ProtocolError) as err:
            raise UiServerError(str(err), hint="`phonectl doctor` tries the server", method=method) from err

    def _ready(self, method: str, timeout_s: float) -> tuple[Connection, Deadline]:
        """A connection to a running server on which nothing has been sent, and the deadline for what will be."""
        self.start()
        deadline = self._deadline(method, timeout_s)
        try:
            return self._open(deadline), deadline
        except AdbFailure as err:
            if err.code != "service_closed":
                raise
        # It ended since it was last asked. Nothing was sent, so starting it again repeats nothing.
        self._started = False
        self.start()
        deadline = self._deadline(method, timeout_s)
        return self._open(deadline), deadline

    def _open(self, deadline: Deadline) -> Connection:
        kept = self._connection
        # What stirs on a connection nobody waits on is its end; bytes would be an answer that nobody asked for.
        if kept and not self._awaiting and not kept.stirs() and self.clock.now() - self._used_at < IDLE_S:
            return kept
        self._drop()
        self._connection, _ = self.device.open(f"tcp:{self.port}", timeout_s=deadline.left_s())
        return self._connection

    def _send(self, connection: Connection, data: bytes, deadline: Deadline) -> None:
        self._awaiting = True
        connection.send(data, deadline)

    def _receive(self, connection: Connection, deadline: Deadline) -> http.Response:
        reader = http.ResponseReader()
        response: http.Response | None = None
        while response is None:
            piece = connection.receive(deadline)
            response = reader.feed(piece) if piece else reader.end()
            if response is None and not piece:
                raise AdbFailure(f"{deadline.what}: the server on the phone ended the connection", code="cut_short")
        self._awaiting = False
        self._used_at = self.clock.now()
        if not response.keeps:
            self._drop()
        return response

    def _drop(self) -> None:
        self._awaiting = False
        if self._connection:
            self._connection.close()
            self._connection = None

    # The server's life

    def _put_jar(self) -> None:
        jar = find_jar()
        if jar is None:
            raise UiServerError(
                "uiautomator2 is not installed beside phonectl, so its server cannot be put on the phone",
                hint="`pip install uiautomator2`",
                code="jar_missing",
            )
        content = jar.read_bytes()
        digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
        if digest not in self._digest_on_phone():
            self.device.push(content, JAR_ON_PHONE)

    def _digest_on_phone(self) -> str:
        answer = self.device.shell(["toybox", "md5sum", JAR_ON_PHONE]).text
        if "toybox" in answer and "not found" in answer:
            answer = self.device.shell(["md5", JAR_ON_PHONE]).text
        return answer

    def _await_start(self, launch: _Launch) -> None:
        def answers_or_failed() -> bool | None:
            ended = launch.ended()
            if "already registered" in launch.output:
                raise self._busy(launch.output)
            if self.answers():
                return True
            return False if ended else None

        answers = poll(answers_or_failed, clock=self.clock, timeout_s=START_S)
        if answers:
            if launch.ended():
                # Another program's server came up first; ours found the port taken.
                self._launch = None
            return
        said = launch.output.strip()
        self.close()
        raise self._explain(said) or UiServerError(
            f"uiautomator2's server on {self.device.serial} did not start: {said[-400:] or 'it printed nothing'}",
            hint="restart the phone: its UiAutomation hangs, or another program holds it",
            code="ui_server_start",
            output=said,
        )

    def _busy(self, output: str) -> UiServerError:
        self.close()
        return UiServerError(
            f"another program holds UiAutomation on {self.device.serial}; Android allows one at a time",
            hint="end it: Appium, Maestro, another uiautomator2, monkey or a test recorder; then try again",
            code="automation_busy",
            output=output.strip()[-400:],
        )

    def _end_own(self) -> None:
        """End the server that was started here, and wait until it is gone, or it would be taken for another's."""
        if self._launch:
            self.close()
            poll(lambda: None if self.answers() else True, clock=self.clock, timeout_s=STOP_S)

    # Answers

    def _result(self, method: str, response: http.Response) -> Any:
        if response.status != 200:
            raise _NoResult(f"{method}: the server answered {response.status} {response.reason}")
        try:
            answer = json.loads(response.body)
        except ValueError as err:
            raise _NoResult(f"{method}: the server's answer is not JSON: {response.body[:80]!r}") from err
        if isinstance(answer, dict) and "error" in answer:
            raise self._error(method, answer["error"])
        if not isinstance(answer, dict) or "result" not in answer:
            raise _NoResult(f"{method}: the server's answer has no result: {response.body[:80]!r}")
        return answer["result"]

    # {"code": -32001, "message": "androidx.test.uiautomator.UiObjectNotFoundException: UiSelector[…]", "data": {…}}
    def _error(self, method: str, error: Any) -> Exception:
        fields = error if isinstance(error, dict) else {"message": str(error)}
        message = str(fields.get("message", ""))
        everything = f"{message}\n{fields.get('data', '')}"
        if "UiObjectNotFoundException" in message:
            return NotFound(f"{method}: nothing on the screen matches: {message}", method=method)
        if any(sign in everything for sign in _DISCONNECTED):
            return _Disconnected(f"{method}: the server lost UiAutomation: {message}")
        return self._explain(everything) or UiServerError(
            f"{method}: the server on the phone says: {message}", code="rpc_error", method=method, answer=message
        )

    def _unknown(self, method: str, err: Exception) -> OutcomeUnknown:
        return OutcomeUnknown(
            f"{method} was sent to {self.device.serial} and its answer was lost: {err}",
            hint="look at the screen: `phonectl observe`. It is not sent again by itself",
            method=method,
        )

    def _give_up(self) -> None:
        """A read was never answered: the next call finds a server that was started anew, where it is ours."""
        self._drop()
        if self.is_ours:
            self._started = False

    def _gone(self, err: _Disconnected) -> UiServerError:
        whose = "try again: the server is started anew" if self.is_ours else "end the program that started the server"
        return UiServerError(str(err), hint=whose, code="ui_automation_gone")

    def _deadline(self, what: str, timeout_s: float) -> Deadline:
        return Deadline(self.clock, timeout_s, what=f"{self.device.serial}: {what}")


_DISCONNECTED = (
    "UiAutomation not connected",
    "android.os.DeadObjectException",
    "android.os.DeadSystemException",
    "android.os.DeadSystemRuntimeException",
)


class _NoResult(Exception):
    """The server answered with something that is neither a result nor an error."""


class _Disconnected(Exception):
    """The server runs and has lost UiAutomation."""

    @property
    def nothing_done(self) -> bool:
        # Not connected is found before an event is made; a dead object may have taken the event before it died.
        return "UiAutomation not connected" in str(self)


class _Launch:
    """The shell stream that the server lives in: it ends when the stream is closed."""

    def __init__(self, device: AdbDevice, port: int) -> None:
        command = f"CLASSPATH={JAR_ON_PHONE} app_process / com.wetest.uia2.Main -p {port}"
        self._clock = device.clock
        self._connection, first = device.open(f"shell:{command}")
        self._output = bytearray(first)
        self._ended = False

    @property
    def output(self) -> str:
        """The end of what the server has printed."""
        return self._output.decode("utf-8", "replace")

    def ended(self) -> bool:
        """Whether the server is gone. Reads what it printed: unread output would stop it in the end."""
        while not self._ended and self._connection.stirs():
            try:
                piece = self._connection.receive(Deadline(self._clock, 1.0, what="launch"))
            except (AdbFailure, TimedOut):
                piece = b""
            self._ended = not piece
            self._output += piece
            del self._output[:-_KEPT_OUTPUT]
        return self._ended

    def close(self) -> None:
        self._connection.close()


def _request(method: str, params: tuple[Any, ...]) -> bytes:
    # ASCII only: the server reads a body without a character set as ASCII, so other characters travel as \uXXXX.
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
    return http.post("/jsonrpc/0", json.dumps(body).encode("ascii"))

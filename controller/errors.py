"""The one error tree of phonectl.

Every error says what happened with the values in its message, and what to do next in its hint. It carries a stable
`code` for programs and the `exit_code` with which the command line ends. Wire and parsing details stay with their
modules; this module knows nothing of phones.

    PhonectlError
    ├── UsageError            2   the person's input is wrong; nothing was sent to a phone
    │   ├── DocumentError         a knowledge, flow or profile file cannot be read
    │   ├── FlowError             a flow file is invalid
    │   ├── UnknownApp, UnknownLink, InvalidLink, InvalidSelector
    ├── DeviceError           3   no usable phone
    │   ├── AdbServerError, NoDevice, SeveralDevices, DeviceNotFound
    │   ├── Unauthorized, Offline, NoPermissions, Booting
    │   └── UiServerError, AdbFailure
    ├── StepError             1   the phone is there, the step did not succeed
    │   ├── NotFound, Ambiguous, StaleRef, NotTappable, OccludedByKeyboard, NotObservable
    │   ├── AssertionFailed, OpenFailed, InputDenied, TypingFailed
    │   └── OutcomeUnknown        an action was sent, its fate is not known; it is never sent again
    ├── TimedOut              4
    ├── Refused               5   permission or approval
    ├── BudgetSpent           7
    └── ProtocolError         6   a peer broke the ADB or DevTools protocol
"""

from __future__ import annotations

from typing import Any, ClassVar

__all__ = [
    "AdbFailure",
    "AdbServerError",
    "Ambiguous",
    "AssertionFailed",
    "Booting",
    "BudgetSpent",
    "DeviceError",
    "DeviceNotFound",
    "DocumentError",
    "FlowError",
    "InputDenied",
    "InvalidLink",
    "InvalidSelector",
    "NoDevice",
    "NoPermissions",
    "NotFound",
    "NotObservable",
    "NotTappable",
    "OccludedByKeyboard",
    "Offline",
    "OpenFailed",
    "OutcomeUnknown",
    "PhonectlError",
    "ProtocolError",
    "Refused",
    "SeveralDevices",
    "StaleRef",
    "StepError",
    "TimedOut",
    "TypingFailed",
    "UiServerError",
    "Unauthorized",
    "UnknownApp",
    "UnknownLink",
    "UsageError",
]


class PhonectlError(Exception):
    """Base of all errors that phonectl raises on purpose.

    Args:
        message: What happened, with the values.
        hint: What the person does next, as one sentence or command.
        code: A more exact code than the class's own, where one class serves several causes.
        **details: Values for programs (`--json`), for instance `serials=[…]`.
    """

    code: str = "internal"
    exit_code: ClassVar[int] = 6

    def __init__(self, message: str, *, hint: str = "", code: str | None = None, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = details
        if code is not None:
            self.code = code

    def as_dict(self) -> dict[str, Any]:
        """The error as JSON: code, message, hint and the details."""
        return {"code": self.code, "message": self.message, "hint": self.hint, **self.details}


class UsageError(PhonectlError):
    """The person's input is wrong; nothing was sent to a phone."""

    code = "usage"
    exit_code = 2


class DocumentError(UsageError):
    """A knowledge document, profile or virtual phone file cannot be read."""

    code = "invalid_document"


class FlowError(UsageError):
    """A flow file is invalid; `details["findings"]` lists every place."""

    code = "invalid_flow"


class UnknownApp(UsageError):
    """No APP.md has this name, alias or package."""

    code = "unknown_app"


class UnknownLink(UsageError):
    """The app's APP.md has no link with this title."""

    code = "unknown_link"


class InvalidLink(UsageError):
    """A URI that must not be sent: control characters, white space, an intent that names a component."""

    code = "invalid_link"


class InvalidSelector(UsageError):
    """A selector or a reference that cannot be understood."""

    code = "invalid_selector"


class DeviceError(PhonectlError):
    """No usable phone."""

    code = "device"
    exit_code = 3


class AdbServerError(DeviceError):
    """No adb server answers, and none could be started."""

    code = "adb_server"


class NoDevice(DeviceError):
    """The adb server knows no phone."""

    code = "no_device"


class SeveralDevices(DeviceError):
    """Several phones and none named; `details["serials"]` lists them."""

    code = "several_devices"


class DeviceNotFound(DeviceError):
    """No phone with the serial that was asked for."""

    code = "device_not_found"


class Unauthorized(DeviceError):
    """The phone has not accepted this computer's key."""

    code = "unauthorized"


class Offline(DeviceError):
    """The phone is known and does not answer."""

    code = "offline"


class NoPermissions(DeviceError):
    """The operating system does not let adb open the USB device."""

    code = "no_permissions"


class Booting(DeviceError):
    """The phone's system server is not ready yet."""

    code = "booting"


class AdbFailure(DeviceError):
    """The adb server or adbd refused a service, or the connection broke while reading."""

    code = "adb_failure"


class UiServerError(DeviceError):
    """uiautomator2's server on the phone cannot be started or answered with an error."""

    code = "ui_server"


class StepError(PhonectlError):
    """The phone is there, the step did not succeed."""

    code = "step_failed"
    exit_code = 1


class NotFound(StepError):
    """No element matches; `details["candidates"]` has the nearest ones."""

    code = "not_found"


class Ambiguous(StepError):
    """Several elements match where one is needed."""

    code = "ambiguous"


class StaleRef(StepError):
    """A reference to an element that is no longer on the screen."""

    code = "stale_ref"


class NotTappable(StepError):
    """The element has no point that can be touched."""

    code = "not_tappable"


class OccludedByKeyboard(StepError):
    """The keyboard lies over the point of the element."""

    code = "occluded_by_keyboard"


class NotObservable(StepError):
    """The front app shows no nodes, so nothing can be said about what is on its screen."""

    code = "not_observable"


class AssertionFailed(StepError):
    """An assertion of a flow does not hold."""

    code = "assertion_failed"


class OpenFailed(StepError):
    """An app or link could not be opened; `code` tells why (not_installed, not_exported, unresolved …)."""

    code = "open_failed"


class InputDenied(StepError):
    """The phone forbids adb to inject touches and keys."""

    code = "inject_denied"


class TypingFailed(StepError):
    """The text in the field is not what was typed."""

    code = "typing_failed"


class OutcomeUnknown(StepError):
    """An action was sent and its answer was lost; it is never sent again."""

    code = "outcome_unknown"


class TimedOut(PhonectlError):
    """Something did not happen in time."""

    code = "timed_out"
    exit_code = 4


class Refused(PhonectlError):
    """Refused by permission or approval."""

    code = "needs_approval"
    exit_code = 5


class BudgetSpent(PhonectlError):
    """The app's budget of new screens in this task is spent; nothing was sent."""

    code = "budget_spent"
    exit_code = 7


class ProtocolError(PhonectlError):
    """A peer broke the protocol it speaks."""

    code = "protocol"
    exit_code = 6

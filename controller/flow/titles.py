"""A step in the words of a person: `Tap “Log in”`, for the terminal and the report. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controller.flow.shapes import Condition, ScreenPoint
from controller.screen.selectors import Selector

__all__ = ["title"]

TITLES = {
    "launchApp": "Open {app}",
    "stopApp": "Stop {app}",
    "openLink": "Open {link}",
    "tapOn": "Tap {target}",
    "longPressOn": "Long press {target}",
    "doubleTapOn": "Double tap {target}",
    "inputText": "Type {text}",
    "eraseText": "Erase {count}",
    "pressKey": "Press {key}",
    "back": "Go back",
    "hideKeyboard": "Hide the keyboard",
    "scroll": "Scroll down",
    "scrollUntilVisible": "Scroll {direction} to {element}",
    "swipe": "Swipe {line}",
    "assertVisible": "See {target}",
    "assertNotVisible": "See no {target}",
    "extendedWaitUntil": "Wait {until}",
    "takeScreenshot": "Picture {path}",
    "runFlow": "Run {flow}",
    "repeat": "Repeat {times}",
    "pause": "Pause {duration}",
    "pace": "Go on {speed}",
}


def title(command: str, args: Mapping[str, Any], *, app_id: str | None = None, hide_text: bool = False) -> str:
    """The step's title.

    Args:
        command: Its name.
        args: Its filled values.
        app_id: The flow's own app, for a bare `launchApp`.
        hide_text: Leave out what is typed, which may be a password.
    """
    return TITLES[command].format_map(_Words(args, app_id, hide_text))


class _Words(dict[str, str]):
    """The words of a title, made when they are asked for."""

    def __init__(self, args: Mapping[str, Any], app_id: str | None, hide_text: bool) -> None:
        super().__init__()
        self._args = args
        self._app = app_id
        self._hide_text = hide_text

    def __missing__(self, key: str) -> str:
        args = self._args
        match key:
            case "app":
                return str(args.get("app_id") or self._app or "the app")
            case "link":
                return str(args["link"]) if "link" in args else f"{args.get('app')} “{args.get('title')}”"
            case "target":
                return _target(args)
            case "text":
                return self._typed()
            case "count":
                return _count(args["characters_to_erase"], "character") if "characters_to_erase" in args else "all text"
            case "direction":
                return str(args.get("direction", "DOWN")).lower()
            case "element":
                return _selector(args["element"])
            case "line":
                return _line(args)
            case "until":
                return _condition(Condition(visible=args.get("visible"), not_visible=args.get("not_visible")))
            case "flow":
                return _flow(args)
            case "times":
                return _times(args)
            case "duration":
                return f"{args['duration']:g} s"
        return str(args.get(key, ""))

    def _typed(self) -> str:
        text = "text" if self._hide_text else f"“{self._args['text']}”"
        into = self._args.get("into")
        return f"{text} into {_selector(into)}" if into else text


def _target(args: Mapping[str, Any]) -> str:
    point = args.get("point")
    said = {key: value for key, value in args.items() if key in Selector.__dataclass_fields__}
    if not said:
        return _point(point) if point else ""
    words = _selector(Selector(**said))
    return f"{words} at {_point(point)}" if point else words


def _selector(selector: Selector) -> str:
    """`“Log in”`, `“Log in” (id "button")`, `id "button"`."""
    if selector.text is None:
        return str(selector)
    bare = Selector(text=selector.text)
    words = f"“{selector.text}”"
    return words if selector == bare else f"{words} ({replace(selector, text=None)})"


def _point(point: ScreenPoint) -> str:
    sign = "%" if point.percent else ""
    return f"{point.x:g}{sign},{point.y:g}{sign}"


def _line(args: Mapping[str, Any]) -> str:
    if "start" in args:
        return f"from {_point(args['start'])} to {_point(args['end'])}"
    direction = str(args["direction"]).lower()
    return f"{direction} from {_target(args['source'])}" if "source" in args else direction


def _flow(args: Mapping[str, Any]) -> str:
    what = str(args["file"]) if "file" in args else _count(len(args["commands"]), "command")
    when = args.get("when")
    return f"{what} when {_condition(when)}" if when else what


def _times(args: Mapping[str, Any]) -> str:
    times = _count(args["times"], "time") if "times" in args else ""
    while_ = args.get("while_")
    return " ".join(part for part in (times, f"while {_condition(while_)}" if while_ else "") if part)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _condition(condition: Condition) -> str:
    if condition.label:
        return condition.label
    parts = [
        f"{_selector(condition.visible)} is visible" if condition.visible else "",
        f"{_selector(condition.not_visible)} is not visible" if condition.not_visible else "",
        f"on {condition.platform}" if condition.platform else "",
        f"`{condition.true}` is true" if condition.true is not None else "",
    ]
    return " and ".join(part for part in parts if part)

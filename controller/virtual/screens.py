"""YAML of screens → elements, actions and dialogs, with the place of everything that is wrong.

Owns the grammar inside an app file: what an element, an action, a condition and a dialog look like. Packages,
activities and the phone itself are for `apps`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from controller.virtual.actions import ACTIONS
from controller.virtual.document import Place
from controller.virtual.elements import KINDS
from controller.virtual.grammar import ACTION_KEYS, ELEMENT_KEYS, STYLE_KEYS, SUGAR
from controller.virtual.scope import parse_condition
from controller.virtual.spec import Action, Condition, DialogSpec, Element, Length, Timer
from controller.virtual.ui import Style

__all__ = ["ScreenReader"]


class ScreenReader:
    """Reads the screens of one app file.

    Args:
        parts: Groups of elements that `use:` brings in, by name.
    """

    def __init__(self, parts: Mapping[str, Place]) -> None:
        self._parts = parts
        self._made: dict[str, tuple[Element, ...]] = {}
        self._open: list[str] = []
        self.references: list[tuple[Place, str, str]] = []
        """`(place, "activity" | "dialog" | "data", name)` of everything that must exist in the end."""

    def elements(self, place: Place) -> tuple[Element, ...]:
        """A list of elements."""
        found = (entry.attempt(partial(self.element, entry)) for entry in place.entries())
        return tuple(element for element in found if element is not None)

    def element(self, place: Place) -> Element:
        """One element: a mapping with exactly one kind among its keys."""
        fields = place.fields(ELEMENT_KEYS | KINDS.keys() | set(SUGAR))
        kinds = [name for name in fields if name in KINDS or name in SUGAR]
        if len(kinds) != 1:
            place.fail(
                f"an element needs exactly one kind, found {', '.join(kinds) or 'none'}",
                hint="kinds: " + ", ".join([*KINDS, *SUGAR]),
            )
        kind, value = kinds[0], fields[kinds[0]]
        if kind == "tabs":
            return self._tabs(value, fields)
        if kind == "keys":
            return self._keys(value, fields)
        element = self._options(Element(kind), fields)
        match KINDS[kind].holds:
            case "children":
                return replace(element, children=self.elements(value))
            case "var":
                return replace(element, var=value.text())
            case "part":
                return replace(element, children=self._part(value))
            case "rows":
                self._refer(value, "data", value.text())
                children = self.elements(fields["item"]) if "item" in fields else ()
                return replace(element, rows=value.text(), children=children)
            case "text":
                return replace(element, text=value.text())
        return element

    def actions(self, place: Place) -> tuple[Action, ...]:
        """One action or a list of them."""
        found = (entry.attempt(partial(self.action, entry)) for entry in place.many())
        return tuple(action for action in found if action is not None)

    def action(self, place: Place) -> Action:
        """`back`, `{toast: …}`, `{open: .Detail, with: {…}}`."""
        if place.is_text:
            return Action(place.choice(ACTIONS))
        fields = place.fields([*ACTIONS, *ACTION_KEYS])
        names = [name for name in fields if name in ACTIONS]
        if len(names) != 1:
            place.fail(f"an action needs exactly one name, found {', '.join(names) or 'none'}", hint=", ".join(ACTIONS))
        name, value = names[0], fields[names[0]]
        args = value.texts() if value.is_mapping else {}
        if "with" in fields:
            args |= fields["with"].texts()
        text = value.text() if value.is_text else ""
        if ACTIONS[name].refers:
            self._refer(value, ACTIONS[name].refers, text)
        return Action(
            name,
            text,
            tuple(args.items()),
            self.actions(fields["then"]) if "then" in fields else (),
            self.actions(fields["else"]) if "else" in fields else (),
            self.condition(fields["when"]) if "when" in fields else None,
        )

    def condition(self, place: Place) -> Condition:
        """One condition, or a list whose members must all hold."""
        terms: list[tuple[str, str, str]] = []
        for entry in place.many():
            text = entry.text()
            terms += entry.convert(lambda text=text: parse_condition(text)).terms  # type: ignore[misc]
        return Condition(tuple(terms))

    def dialog(self, place: Place) -> DialogSpec:
        """Title, message and buttons, or a body."""
        fields = place.fields(["title", "message", "body", "buttons", "cancelable", "at", "width"])
        buttons = []
        for entry in fields["buttons"].entries() if "buttons" in fields else []:
            button = entry.fields(["text", "do"])
            if "text" not in button:
                entry.fail("a button needs a `text`")
            buttons.append((button["text"].text(), self.actions(button["do"]) if "do" in button else ()))
        return DialogSpec(
            title=_text(fields, "title"),
            message=_text(fields, "message"),
            body=self.elements(fields["body"]) if "body" in fields else (),
            buttons=tuple(buttons),
            cancelable=fields["cancelable"].boolean() if "cancelable" in fields else True,
            at=fields["at"].choice(["center", "bottom", "top", "anchor"]) if "at" in fields else "center",
            width=fields["width"].number(least=1) if "width" in fields else 0,
        )

    def timers(self, place: Place) -> tuple[Timer, ...]:
        """`[{seconds: 3, do: …}]`."""
        timers = []
        for entry in place.entries():
            fields = entry.fields(["seconds", "do"])
            if not {"seconds", "do"} <= fields.keys():
                entry.fail("a timer needs `seconds` and `do`")
            timers.append(Timer(fields["seconds"].number(least=0), self.actions(fields["do"])))
        return tuple(timers)

    def _options(self, element: Element, fields: Mapping[str, Place]) -> Element:
        kind = KINDS[element.kind]
        if kind.holds == "var" and "var" in fields:
            fields["var"].fail(f"the variable of a `{element.kind}` stands behind its name")
        return replace(
            element,
            id=_text(fields, "id"),
            desc=_text(fields, "desc"),
            hint=_text(fields, "hint"),
            class_name=_text(fields, "class"),
            label=_text(fields, "label"),
            width=_length(fields, "width"),
            height=_length(fields, "height"),
            weight=fields["weight"].number(least=0) if "weight" in fields else 0,
            padding=_sides(fields["padding"]) if "padding" in fields else kind.padding,
            margin=_sides(fields["margin"]) if "margin" in fields else (0, 0, 0, 0),
            gap=fields["gap"].number(least=0) if "gap" in fields else 0,
            align=_text(fields, "align"),
            items=_text(fields, "items"),
            style=_style(kind.style, fields),
            when=self._condition(fields, "when"),
            enabled=self._condition(fields, "enabled"),
            selected=self._condition(fields, "selected"),
            checked=self._condition(fields, "checked"),
            clickable=fields["clickable"].boolean() if "clickable" in fields else None,
            tap=self._actions(fields, "tap"),
            hold=self._actions(fields, "hold"),
            swipe=self._actions(fields, "swipe"),
            submit=self._actions(fields, "submit"),
            change=self._actions(fields, "change"),
            var=_text(fields, "var"),
            value=_text(fields, "value"),
            input=fields["input"].choice(["text", "password", "number", "multiline"]) if "input" in fields else "text",
            ime_action=_text(fields, "ime") or "done",
            options=tuple(entry.text() for entry in fields["options"].entries()) if "options" in fields else (),
            where=self._condition(fields, "where"),
            columns=fields["columns"].integer(least=1) if "columns" in fields else 1,
            zoom=_text(fields, "zoom"),
            zoom_range=_range(fields["range"]) if "range" in fields else (1.0, 4.0),
            start=fields["start"].choice(["end"]) if "start" in fields else "",
            args=tuple(fields["with"].texts().items()) if "with" in fields else (),
        )

    def _condition(self, fields: Mapping[str, Place], name: str) -> Condition | None:
        return self.condition(fields[name]) if name in fields else None

    def _actions(self, fields: Mapping[str, Place], name: str) -> tuple[Action, ...]:
        return self.actions(fields[name]) if name in fields else ()

    def _refer(self, place: Place, what: str, name: str) -> None:
        if name and not name.startswith("@") and "{" not in name:
            self.references.append((place, what, name))

    def _part(self, place: Place) -> tuple[Element, ...]:
        name = place.text()
        if name not in self._parts:
            place.fail(f"there is no part `{name}`", hint="parts: " + (", ".join(self._parts) or "none"))
        if name in self._open:
            place.fail(f"part `{name}` uses itself")
        if name not in self._made:
            self._open.append(name)
            self._made[name] = self.elements(self._parts[name])
            self._open.pop()
        return self._made[name]

    def _tabs(self, place: Place, fields: Mapping[str, Place]) -> Element:
        # tabs: {var: tab, options: [直播, 推荐], icons: [◉, ★], then: …}
        tabs = place.fields(["var", "options", "icons", "then", "id", "color"])
        if not {"var", "options"} <= tabs.keys():
            place.fail("tabs need `var` and `options`")
        var, icons = tabs["var"].text(), tabs["icons"].entries() if "icons" in tabs else []
        if icons and len(icons) != len(tabs["options"].entries()):
            tabs["icons"].fail("tabs need as many icons as options")
        then = self.actions(tabs["then"]) if "then" in tabs else ()
        style = Style(size=11 if icons else 15, align="center", max_lines=1, accent=_text(tabs, "color") or "#1a73e8")
        row = self._options(Element("row"), {key: value for key, value in fields.items() if key != "tabs"})
        children = tuple(
            Element(
                "tab",
                text=option.text(),
                id=_text(tabs, "id"),
                label=icons[number].text() if icons else "",
                weight=1,
                height=56 if icons else 44,
                style=style,
                selected=Condition(((var, "==", option.text()),)),
                tap=(Action("set", args=((var, option.text()),)), *then),
            )
            for number, option in enumerate(tabs["options"].entries())
        )
        return replace(row, children=children)

    def _keys(self, place: Place, fields: Mapping[str, Place]) -> Element:
        """A row of keyboard keys, one for each character."""
        keys = tuple(
            Element("key", text=char, desc=char, weight=1, margin=(2, 3, 2, 3), tap=(Action("type", char),),
                    style=Style(size=20, background="#ffffff", radius=5, align="center", color="#202124"))
            for char in place.text()
        )  # fmt: skip
        row = self._options(Element("row"), {key: value for key, value in fields.items() if key != "keys"})
        return replace(row, children=keys)


def _text(fields: Mapping[str, Place], name: str) -> str:
    return fields[name].text() if name in fields else ""


def _length(fields: Mapping[str, Place], name: str) -> Length:
    if name not in fields:
        return None
    return "fill" if fields[name].text() == "fill" else fields[name].number(least=0)


def _sides(place: Place) -> tuple[float, float, float, float]:  # noqa: RET503 (fail does not return)
    """`8`, `[vertical, horizontal]` or `[top, right, bottom, left]`, as in style sheets."""
    numbers = [entry.number() for entry in place.many()]
    match numbers:
        case [one]:
            return one, one, one, one
        case [vertical, horizontal]:
            return horizontal, vertical, horizontal, vertical
        case [top, right, bottom, left]:
            return left, top, right, bottom
        case _:
            place.fail("expected one, two or four numbers")


def _range(place: Place) -> tuple[float, float]:
    """`[least, most]`."""
    numbers = [entry.number(least=0.1) for entry in place.entries()]
    if len(numbers) != 2 or numbers[0] >= numbers[1]:
        place.fail("expected the least and the most, as in `[0.5, 3]`")
    return numbers[0], numbers[1]


def _style(base: Style, fields: Mapping[str, Place]) -> Style:
    if not any(key in fields for key in STYLE_KEYS):
        return base
    return Style(
        size=fields["size"].number(least=1) if "size" in fields else base.size,
        bold=fields["bold"].boolean() if "bold" in fields else base.bold,
        color=_text(fields, "color") or base.color,
        accent=_text(fields, "accent") or base.accent,
        background=_text(fields, "background") if "background" in fields else base.background,
        radius=fields["radius"].number(least=0) if "radius" in fields else base.radius,
        align=fields["text_align"].choice(["start", "center", "end"]) if "text_align" in fields else base.align,
        max_lines=fields["max_lines"].integer(least=0) if "max_lines" in fields else base.max_lines,
    )

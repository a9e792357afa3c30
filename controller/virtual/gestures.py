"""What a finger's stroke means to the phone: which element is tapped, which bar is pulled, who is told.

Owns the step from a stroke to its effect. The stroke itself is read by `touch`, actions are carried out by `actions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from controller.virtual import actions
from controller.virtual.activities import Dialog, Surface
from controller.virtual.layout import Box, zoom_of
from controller.virtual.spec import Action, DialogSpec, Element
from controller.virtual.touch import Finger, Stroke, StrokeKind
from controller.virtual.ui import Style, UiNode, WindowKind
from controller.virtual.windows import Stage, Target

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Gestures"]

_DISMISS = 0.25
"""Part of the screen that the divider of a split leaves to the half that goes."""
_ASIDE = 0.25
"""Part of the screen's width over which something is pushed to be gone."""
_PULL = 0.08
"""Part of the screen's height that a pull on the shade or the keyguard must cover."""
_UNWATCHED = frozenset({WindowKind.INPUT_METHOD, WindowKind.STATUS_BAR, WindowKind.NAVIGATION_BAR})


class Gestures:
    """The touches of one phone."""

    def __init__(self, phone: VirtualPhone, stage: Stage) -> None:
        self._phone = phone
        self._stage = stage
        self._finger = Finger(phone, stage)

    def play(self, points: Sequence[tuple[int, int]], duration_s: float, *, rest_s: float) -> None:
        """A whole stroke at once, ending now."""
        if self._phone.screen_on and points:
            self._end(self._finger.play(points, duration_s, rest_s=rest_s, now=self._phone.now()))

    def down(self, x: int, y: int) -> None:
        """The finger comes down."""
        if self._phone.screen_on:
            self._finger.down(x, y, self._phone.now())

    def move(self, x: int, y: int) -> None:
        """The finger moves."""
        if self._finger.is_down:
            self._finger.move(x, y, self._phone.now())

    def up(self) -> None:
        """The finger leaves."""
        if self._finger.is_down:
            self._end(self._finger.up(self._phone.now()))

    def pinch(self, x: int, y: int, factor: float) -> bool:
        """Two fingers move apart (a factor above 1) or together; False where nothing under them grows by it."""
        phone = self._phone
        target = self._stage.target(x, y) if phone.screen_on else None
        phone.trace("touch", gesture="pinch", start=[x, y], factor=round(factor, 3))
        if target is None or phone.watching.acted():
            return False
        found = self._stage.innermost(target.window, x, y, lambda element: element.zoom)
        if found is None:
            return False
        surface, box = found
        before = zoom_of(box.element, box.scope.get(box.element.zoom))
        phone.names.write(surface, box.element.zoom, f"{zoom_of(box.element, str(before * factor)):.2f}")
        actions.run(actions.Doing(phone, surface, box.scope), box.element.change)
        return True

    def _end(self, stroke: Stroke) -> None:
        phone = self._phone
        target = self._stage.target(*stroke.start)
        phone.trace(
            "touch",
            gesture=str(stroke.kind),
            start=list(stroke.start),
            end=list(stroke.end),
            duration_s=round(stroke.duration_s, 3),
            window=target.window.title if target is not None else None,
            text=_name(target.node) if target is not None and target.node is not None else None,
        )
        if target is None or (self._is_watched(stroke, target) and phone.watching.acted()):
            return
        phone.splitting.touched(target.surface)
        if target.surface.cursor:  # a touch ends the focus that keys have set
            target.surface.cursor = ""
            phone.changed()
        match stroke.kind:
            case StrokeKind.TAP | StrokeKind.HOLD:
                self._touch(target, long=stroke.kind is StrokeKind.HOLD, x=stroke.start[0])
            case StrokeKind.DRAG | StrokeKind.FLING if not stroke.scrolled:
                self._pull(stroke, target)

    def _is_watched(self, stroke: Stroke, target: Target) -> bool:
        """Whether the app takes notice: not of the system's windows, not of a small scroll that ends at rest."""
        if target.window.kind in _UNWATCHED:
            return False
        watch = self._phone.watching.of(target.window.package)
        free = watch.spec.free_scroll if watch is not None else 0.0
        return not (stroke.kind is StrokeKind.DRAG and stroke.length <= free * self._phone.size[1])

    def _touch(self, target: Target, *, long: bool, x: int) -> None:
        if target.node is None or target.box is None:
            if isinstance(target.surface, Dialog) and target.surface.spec.cancelable:
                self._phone.dialogs.close(target.surface)
            return
        if not target.node.enabled:
            return
        if long and target.node.long_clickable and target.box.element.hold:
            self._run(target.surface, target.box, target.node, target.box.element.hold)
        else:
            self.click(target.surface, target.box, target.node, x=x)

    def click(self, surface: Surface, box: Box, node: UiNode, *, x: int) -> None:
        """What a tap on a node does."""
        element = box.element
        match element.kind:
            case "field":
                self._phone.fields.focus(surface, element.var)
            case "check" | "switch" if element.var:
                self._run(surface, box, node, (Action("toggle", box.scope.expand(element.var)),))
            case "radio" if element.var:
                self._phone.names.write(surface, element.var, box.scope.expand(element.value))
            case "seek" if element.var:
                part = (x - node.frame.left) / max(1, node.frame.width)
                self._phone.names.write(surface, element.var, f"{part:.2f}")
            case "spinner":
                self._open_spinner(surface, box, node)
        self._run(surface, box, node, (*element.tap, *element.change))

    def _run(self, surface: Surface, box: Box, node: UiNode, todo: Sequence[Action]) -> None:
        actions.run(actions.Doing(self._phone, surface, box.scope, node.bounds), todo)

    def _open_spinner(self, surface: Surface, box: Box, node: UiNode) -> None:
        var = box.element.var
        rows = tuple(
            Element(
                "text",
                text=option,
                id="android:id/text1",
                class_name="android.widget.CheckedTextView",
                width="fill",
                padding=(16, 12, 16, 12),
                style=Style(size=16),
                tap=(Action("close"), Action("set", args=((var, option),)), *box.element.change),
            )
            for option in box.element.options
        )
        menu = Element("list", weight=0, class_name="android.widget.ListView", children=rows)
        self._phone.dialogs.open(surface, DialogSpec(body=(menu,), at="anchor"), {}, anchor=node.bounds)

    def _pull(self, stroke: Stroke, target: Target) -> None:
        """A stroke that moved no list: the shade comes down or goes up, the keyguard goes."""
        phone = self._phone
        height = phone.size[1]
        way = stroke.end[1] - stroke.start[1]
        if self._pushed_aside(stroke, target):
            return
        if target.window.kind is WindowKind.DIVIDER:
            self._divide(stroke)
        elif stroke.start[1] < self._stage.areas.status_bar.bottom and way > _PULL * height:
            phone.expand_shade()
        elif target.window.kind is WindowKind.NOTIFICATION_SHADE and way < -_PULL * height:
            phone.collapse_shade()
        elif target.window.kind is WindowKind.KEYGUARD and way < -_PULL * height:
            phone.dismiss_keyguard()

    def _pushed_aside(self, stroke: Stroke, target: Target) -> bool:
        """A stroke sideways over an element that does something then: a notification, a card of the recents."""
        dx, dy = stroke.end[0] - stroke.start[0], stroke.end[1] - stroke.start[1]
        if abs(dx) < _ASIDE * self._phone.size[0] or abs(dx) < abs(dy):
            return False
        found = self._stage.innermost(target.window, *stroke.start, lambda element: element.swipe)
        if found is None:
            return False
        surface, box = found
        actions.run(actions.Doing(self._phone, surface, box.scope), box.element.swipe)
        return True

    def _divide(self, stroke: Stroke) -> None:
        """The divider is pulled to an edge: the half there goes."""
        phone, pair = self._phone, self._phone.splitting.pair
        width, height = phone.size
        part = stroke.end[0] / width if width > height else stroke.end[1] / height
        if pair is not None and not _DISMISS < part < 1 - _DISMISS:
            phone.splitting.leave(pair[1] if part <= _DISMISS else pair[0])


def _name(node: UiNode) -> str:
    """What a person would call the element."""
    for part in node.walk():
        if part.text or part.content_desc:
            return part.text or part.content_desc
    return node.resource_id or node.class_name

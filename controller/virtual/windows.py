"""The windows of a phone in this moment: which there are, in which order, and where everything in them lies.

Owns the composition of the screen from activities, dialogs, keyboard and bars, and the caches that make asking cheap:
boxes as long as no content changed, windows as long as nothing moved. It changes nothing on the phone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from controller.virtual.activities import Activity, Dialog, Surface, Task
from controller.virtual.alerts import alert, dialog_place, dialog_width
from controller.virtual.areas import NAVIGATION_BAR_DP, Areas, Room
from controller.virtual.layout import Box, Layout, Placer
from controller.virtual.scrolling import Scroll
from controller.virtual.spec import Element
from controller.virtual.ui import PLAIN, Rect, Style, UiNode, Window, WindowKind

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Stage", "Target"]

_MODAL = frozenset({WindowKind.DIALOG, WindowKind.POPUP})
_OVER_APPS = frozenset({WindowKind.KEYGUARD, WindowKind.NOTIFICATION_SHADE})
_WITH_FOCUS = frozenset({WindowKind.DIALOG, WindowKind.APPLICATION, WindowKind.SPLASH, WindowKind.POPUP})
SYSTEM_UI = "com.android.systemui"


@dataclass(frozen=True, slots=True)
class Target:
    """What lies under a point: the window, its surface, and the node that takes the touch (None where none does)."""

    window: Window
    surface: Surface
    node: UiNode | None
    box: Box | None


@dataclass(slots=True)
class _Shown:
    """A window with what is behind its nodes."""

    window: Window
    surface: Surface
    boxes: dict[str, Box]


class Stage:
    """Composes the windows of one phone."""

    def __init__(self, phone: VirtualPhone) -> None:
        self._phone = phone
        self._version = -1
        self._shown: list[_Shown] = []
        self._boxes: dict[tuple[int, str], tuple[object, Box]] = {}

    def stack(self) -> list[Window]:
        """All windows, top z first."""
        return [shown.window for shown in self._compose()]

    def surface(self, window: Window) -> Surface | None:
        """What the window shows."""
        return next((shown.surface for shown in self._compose() if shown.window.hash == window.hash), None)

    def target(self, x: int, y: int) -> Target | None:
        """What a touch at a point meets. A dialog takes the touches beside it, too."""
        for shown in self._compose():
            window = shown.window
            if window.kind is WindowKind.TOAST:
                continue
            if window.frame.contains(x, y):
                node = _hit(window.root, x, y)
                return Target(window, shown.surface, node, shown.boxes.get(node.key) if node is not None else None)
            if window.kind in _MODAL:
                return Target(window, shown.surface, None, None)
        return None

    def scrollable(self, x: int, y: int, *, axis: str, towards: int) -> tuple[Surface, Box] | None:
        """The innermost list under a point that can move in a direction; else the innermost along the axis."""
        target = self.target(x, y)
        if target is None or not target.window.frame.contains(x, y):
            return None
        shown = next(shown for shown in self._compose() if shown.window is target.window)
        found = [
            box
            for node in _chain(target.window.root, x, y)
            if (box := shown.boxes.get(node.key)) is not None and box.limit and _axis(box) == axis
        ]
        now = self._phone.now()
        for box in reversed(found):
            offset = scroll_of(target.surface, box).at(now)
            if (towards > 0 and offset < box.limit) or (towards < 0 and offset > 0):
                return target.surface, box
        return (target.surface, found[-1]) if found else None

    def innermost(
        self, window: Window, x: int, y: int, wanted: Callable[[Element], object]
    ) -> tuple[Surface, Box] | None:
        """The innermost element under a point that has what is wanted: a zoom, something to do when pushed aside."""
        for node in reversed(_chain(window.root, x, y)):
            found = self.node_box(window.hash, node.key)
            if found is not None and wanted(found[1].element):
                return found
        return None

    def node_box(self, window_hash: int, key: str) -> tuple[Surface, Box] | None:
        """What is behind a node of a window."""
        for shown in self._compose():
            if shown.window.hash == window_hash and key in shown.boxes:
                return shown.surface, shown.boxes[key]
        return None

    # -- composition, bottom up

    def _compose(self) -> list[_Shown]:
        phone = self._phone
        if self._version == phone.version:
            return self._shown
        shown: list[_Shown] = []
        if (pair := phone.splitting.pair) is not None:
            shown += self._split(pair)
        elif (activity := phone.top_activity()) is not None:
            self._activities(activity, shown, self.areas.app)
        if (dialog := phone.dialogs.system()) is not None:
            # A modal window of the system hides what lies below it from accessibility services (from memory of AOSP).
            _withhold(shown)
            shown.append(self._dialog(dialog, None, self.areas.app))
        if phone.keyboard_shown:
            shown.append(self._keyboard())
        if (toast := phone.toast) is not None:
            shown.append(self._toast(toast.package, toast.text))
        if phone.keyguard:
            _withhold(shown)
        shown += self._bars()
        shown.reverse()
        self._shown = _numbered(shown, focused=self._focused(shown))
        self._version = phone.version
        self._forget()
        return self._shown

    @property
    def areas(self) -> Areas:
        """Which part of the glass belongs to whom."""
        phone = self._phone
        return Areas(*phone.size, phone.density, phone.display.safe)

    def _split(self, pair: tuple[Task, Task]) -> list[_Shown]:
        """Both halves, the one with the focus on top, and the divider."""
        halves = sorted(zip(pair, self.areas.halves, strict=True), key=lambda half: half[0] is self._phone.tasks.front)
        shown: list[_Shown] = []
        for task, room in halves:
            half: list[_Shown] = []
            if task.top is not None:
                self._activities(task.top, half, room)
            shown += half
        title = "DockedStackDivider" if self._phone.sdk < 31 else "StageCoordinatorSplitDivider"
        spec = self._phone.names.spec(SYSTEM_UI)
        handle = spec.surfaces.get("divider", ()) if spec is not None else ()
        kind, frame = WindowKind.DIVIDER, self.areas.divider
        divider = self._phone.surfaces["divider"]
        return [*shown, self._system(divider, "divider", title, SYSTEM_UI, kind, frame, handle, "#000000")]

    def _activities(self, activity: Activity, shown: list[_Shown], room: Room) -> None:
        below = self._phone.tasks.under(activity) if activity.spec.translucent else None
        if below is not None:
            self._activities(below, shown, room)
        now = self._phone.now()
        if now < activity.splash_until:
            shown.append(self._splash(activity, room.frame))
            return
        shown.append(self._activity(activity, room))
        shown += [self._dialog(dialog, activity, room) for dialog in activity.dialogs]
        _withhold(shown[:-1])

    def _activity(self, activity: Activity, room: Room) -> _Shown:
        phone, frame, content = self._phone, room.frame, room.content
        keyboard = self._keyboard_frame().top
        if phone.keyboard_shown and activity.spec.soft_input == "resize" and content.top < keyboard < content.bottom:
            content = Rect(content.left, content.top, content.right, keyboard)
        body = activity.spec.body
        inner, boxes = self._tree(activity, "body", body, content)
        package, style = activity.package, Style(background=activity.spec.background)
        place = _wrap("w2", "android.widget.FrameLayout", package, content, children=inner, id="android:id/content")
        upper = Rect(frame.left, frame.top, frame.right, content.bottom)
        column = _wrap("w1", "android.widget.LinearLayout", package, upper, children=(place,))
        root = _wrap("w0", "android.widget.FrameLayout", package, frame, style, (column,))
        window = Window(
            hash=activity.window_hash,
            title=f"{package}/{activity.spec.name}",
            package=package,
            activity=activity.spec.name,
            kind=WindowKind.APPLICATION,
            frame=frame,
            root=root,
            secure=activity.spec.secure or phone.faults.active("secure_window") is not None,
            translucent=activity.spec.translucent,
        )
        return _Shown(window, activity, boxes)

    def _splash(self, activity: Activity, frame: Rect) -> _Shown:
        spec = self._phone.names.spec(activity.package)
        style = Style(size=30, color="#ffffff", background=spec.color if spec else "#607d8b", radius=24, align="center")
        glyph = (spec.icon or spec.label[:1]) if spec else ""
        icon = Element("image", text=glyph, width=96, height=96, style=style, align="center")
        element = Element("stack", height="fill", children=(icon,))
        inner, boxes = self._tree(activity, "splash", (element,), frame)
        root = _wrap("w0", "android.widget.FrameLayout", activity.package, frame, Style(background="#ffffff"), inner)
        window = Window(
            activity.window_hash ^ 0x5,
            f"Splash Screen {activity.package}",
            activity.package,
            None,
            WindowKind.SPLASH,
            frame,
            root,
        )
        return _Shown(window, activity, boxes)

    def _dialog(self, dialog: Dialog, owner: Activity | None, room: Room) -> _Shown:
        spec, area = dialog.spec, room.content
        width, bottom = area.width, area.bottom
        if self._phone.keyboard_shown:
            bottom = min(bottom, max(area.top, self._keyboard_frame().top))
        wide = dialog_width(spec, dialog.anchor, width, self.px)
        elements = spec.body or alert(spec)
        box = self._box(dialog, "dialog", elements, wide, None)
        high = min(box.height, bottom - area.top)
        left, y = dialog_place(spec.at, dialog.anchor, wide, high, Rect(area.left, area.top, area.right, bottom))
        frame = Rect(left, y, left + wide, y + high)
        inner, boxes = self._placed(dialog, box, frame)
        round_ = 0 if spec.at in ("bottom", "top") else 4 if spec.at == "anchor" else 20
        root = _wrap(
            "w0",
            "android.widget.FrameLayout",
            dialog.package,
            frame,
            Style(background="#ffffff", radius=round_),
            inner,
        )
        kind = WindowKind.POPUP if spec.at == "anchor" else WindowKind.DIALOG
        title = dialog.title or spec.title if dialog.owner is None else f"PopupWindow:{dialog.window_hash:x}"
        activity = None
        if owner is not None and kind is WindowKind.DIALOG:
            title, activity = f"{owner.package}/{owner.spec.name}", owner.spec.name
        return _Shown(Window(dialog.window_hash, title, dialog.package, activity, kind, frame, root), dialog, boxes)

    def _keyboard_frame(self) -> Rect:
        ime = self._phone.ime
        return self.areas.keyboard(ime.height if ime is not None else 0)

    @property
    def keyboard_frame(self) -> Rect:
        """Where the keyboard lies while it is shown."""
        return self._keyboard_frame()

    def _keyboard(self) -> _Shown:
        surface, ime = self._phone.surfaces["keyboard"], self._phone.ime
        package = ime.package if ime is not None else ""
        spec = self._phone.names.spec(package)
        elements = spec.surfaces.get("keyboard", ()) if spec is not None else ()
        if not elements:
            name = ime.label if ime is not None else ""
            elements = (Element("text", text=f"{name} {{ON}}", padding=(12, 8, 12, 8)),)
        return self._system(
            surface,
            "keyboard",
            "InputMethod",
            package,
            WindowKind.INPUT_METHOD,
            self._keyboard_frame(),
            elements,
            "#dfe3e8",
        )

    def _toast(self, package: str, text: str) -> _Shown:
        width, height = self._phone.size
        surface = self._phone.surfaces["toast"]
        style = Style(size=14, color="#ffffff")
        elements = (Element("text", text=text.replace("{", "("), padding=(20, 12, 20, 12), style=style),)
        box = self._box(surface, "toast:" + text, elements, min(width - self.px(48), self.px(300)), None, fill=False)
        left, top = (width - box.width) // 2, height - self.px(NAVIGATION_BAR_DP + 72) - box.height
        frame = Rect(left, top, left + box.width, top + box.height)
        inner, boxes = self._placed(surface, box, frame)
        root = _wrap("w0", "android.widget.FrameLayout", package, frame, Style(background="#323232", radius=22), inner)
        return _Shown(
            Window(surface.window_hash, "Toast", package, None, WindowKind.TOAST, frame, root, reported=False),
            surface,
            boxes,
        )

    def _bars(self) -> list[_Shown]:
        phone, areas = self._phone, self.areas
        status, navigation = areas.status_bar, areas.navigation_bar
        spec = phone.names.spec(SYSTEM_UI)
        surfaces = spec.surfaces if spec is not None else {}
        shown = []
        if phone.keyguard or phone.shade:
            name = (
                "keyguard"
                if phone.keyguard and not phone.shade
                else "quick_settings"
                if phone.shade == "settings"
                else "shade"
            )
            kind = WindowKind.KEYGUARD if name == "keyguard" else WindowKind.NOTIFICATION_SHADE
            title = "NotificationShade" if phone.sdk >= 30 else "StatusBar"
            color = "#26324a" if name == "keyguard" else "#eef1f6"
            frame = areas.screen
            shown.append(
                self._system(phone.surfaces[name], name, title, SYSTEM_UI, kind, frame, surfaces.get(name, ()), color)
            )
        if not shown or phone.sdk >= 30:
            bar = surfaces.get("status_bar", ())
            shown.append(
                self._system(
                    phone.surfaces["status_bar"],
                    "status_bar",
                    "StatusBar",
                    SYSTEM_UI,
                    WindowKind.STATUS_BAR,
                    status,
                    bar,
                    "",
                )
            )
        keys = surfaces.get("navigation_bar", ())
        shown.append(
            self._system(
                phone.surfaces["navigation_bar"],
                "navigation_bar",
                "NavigationBar0",
                SYSTEM_UI,
                WindowKind.NAVIGATION_BAR,
                navigation,
                keys,
                "",
            )
        )
        return shown

    def _system(
        self,
        surface: Surface,
        name: str,
        title: str,
        package: str,
        kind: WindowKind,
        frame: Rect,
        elements: Sequence[Element],
        color: str,
    ) -> _Shown:
        inner, boxes = self._tree(surface, name, elements, frame)
        root = _wrap("w0", "android.widget.FrameLayout", package, frame, Style(background=color), inner)
        return _Shown(Window(surface.window_hash, title, package, None, kind, frame, root), surface, boxes)

    def _focused(self, shown: Sequence[_Shown]) -> int | None:
        """The hash of the window with the focus; `shown` is top first."""
        for kinds in (_OVER_APPS, _WITH_FOCUS):
            for entry in shown:
                if entry.window.kind in kinds:
                    return entry.window.hash
        return None

    # -- trees and their caches

    def px(self, dp: float) -> int:
        """Pixels of a length in dp."""
        return round(dp * self._phone.density / 160)

    def _box(
        self,
        surface: Surface,
        part: str,
        elements: Sequence[Element],
        width: int,
        height: int | None,
        *,
        fill: bool = True,
    ) -> Box:
        phone = self._phone
        stamp = (phone.content, width, height, phone.density)
        key = (surface.window_hash, part)
        kept = self._boxes.get(key)
        if kept is not None and kept[0] == stamp:
            return kept[1]
        layout = Layout(phone.density / 160, lambda name: phone.names.rows(surface, name))
        box = layout.build(elements, phone.names.scope(surface), width=width, height=height, fill=fill)
        self._boxes[key] = (stamp, box)
        return box

    def _tree(
        self, surface: Surface, part: str, elements: Sequence[Element], frame: Rect
    ) -> tuple[tuple[UiNode, ...], dict[str, Box]]:
        return self._placed(surface, self._box(surface, part, elements, frame.width, frame.height), frame)

    def _placed(self, surface: Surface, box: Box, frame: Rect) -> tuple[tuple[UiNode, ...], dict[str, Box]]:
        now = self._phone.now()
        placer = Placer(
            surface.package,
            offset=lambda b: round(scroll_of(surface, b).at(now)),
            focus=surface.focus,
            cursor=surface.cursor,
        )
        node = placer.place(box, frame.left, frame.top, frame)
        return () if node is None else node.children, placer.boxes

    def _forget(self) -> None:
        """Keep the boxes of what is on the screen alone."""
        alive = {shown.surface.window_hash for shown in self._shown}
        self._boxes = {key: kept for key, kept in self._boxes.items() if key[0] in alive}


def scroll_of(surface: Surface, box: Box) -> Scroll:
    """Where a list stands; one that starts at its end follows it until a finger moves it."""
    kept = surface.scroll.get(box.key)
    if kept is None:
        return Scroll(float(box.limit) if box.element.start == "end" else 0.0)
    if kept.fling is None and kept.offset > box.limit:
        kept.offset = float(box.limit)
    return kept


def _withhold(shown: Sequence[_Shown]) -> None:
    """Windows that are there and that no accessibility service is told of."""
    for entry in shown:
        entry.window = replace(entry.window, reported=False)


def _axis(box: Box) -> str:
    return "h" if box.element.kind == "hscroll" else "v"


def _hit(node: UiNode, x: int, y: int) -> UiNode | None:
    """The node that takes a touch: later siblings lie on top, and what is not clickable lets it through to below."""
    if not node.bounds.contains(x, y):
        return None
    for child in reversed(node.children):
        found = _hit(child, x, y)
        if found is not None:
            return found
    return node if node.clickable or node.long_clickable else None


def _chain(node: UiNode, x: int, y: int) -> list[UiNode]:
    """The nodes under a point from the root to the topmost leaf."""
    for child in reversed(node.children):
        if child.bounds.contains(x, y):
            return [node, *_chain(child, x, y)]
    return [node]


def _wrap(
    key: str,
    class_name: str,
    package: str,
    bounds: Rect,
    style: Style = PLAIN,
    children: tuple[UiNode, ...] = (),
    *,
    id: str = "",
) -> UiNode:
    """A view of the window itself around what its surface shows."""
    return UiNode(key, "window", class_name, package, bounds, bounds, resource_id=id, style=style, children=children)


def _numbered(shown: list[_Shown], *, focused: int | None) -> list[_Shown]:
    """Layers from the bottom up, and the focus; `shown` is top first."""
    for number, entry in enumerate(shown):
        layer = len(shown) - number
        entry.window = replace(entry.window, layer=layer, focused=entry.window.hash == focused)
    return shown

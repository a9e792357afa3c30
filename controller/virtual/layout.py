"""Elements → boxes → nodes: where everything on a screen lies.

First `Layout.build` measures a tree of elements into boxes, which depends on texts and variables; then `place` puts the
boxes at scroll offsets and clips them, which alone has to be done again while a list moves. Pixels are drawn by `draw`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from controller.virtual.elements import KINDS
from controller.virtual.metrics import LINE_HEIGHT, text_width, wrap
from controller.virtual.scope import Scope
from controller.virtual.spec import Element, Length
from controller.virtual.ui import Rect, Style, UiNode

__all__ = ["Box", "Layout", "Placer", "zoom_of"]

Rows = Sequence[Mapping[str, str]]
_GRID_GAP = 8
_LABELLED = frozenset({"image", "icon", "key"})
_BULLET = "•"


@dataclass(slots=True)
class Box:
    """One measured element; `kids` lie at offsets from its corner."""

    element: Element
    scope: Scope
    key: str
    width: int = 0
    height: int = 0
    kids: list[tuple[int, int, Box]] = field(default_factory=list)
    content: int = 0
    """Length of what a scrolling box holds, along its axis."""
    zoom: float = 1.0
    """How many times larger than its data says it is, by two fingers."""

    @property
    def limit(self) -> int:
        """The largest scroll offset."""
        kind = KINDS[self.element.kind]
        return max(0, self.content - (self.width if kind.axis == "h" else self.height)) if kind.scrolls else 0

    def walk(self) -> Iterator[Box]:
        """This box and all in it."""
        yield self
        for _, _, kid in self.kids:
            yield from kid.walk()


@dataclass(frozen=True, slots=True)
class _Item:
    """An element that is really there, in its scope; `kids` where they are known already (a line of a grid)."""

    element: Element
    scope: Scope
    key: str
    kids: tuple[_Item, ...] | None = None


@dataclass(frozen=True, slots=True)
class _Room:
    """What a parent offers: at most this wide and high (None: without end), exactly so where a length is wanted."""

    width: int
    height: int | None
    exact_width: int | None = None
    exact_height: int | None = None
    fill: bool = True


@dataclass(frozen=True, slots=True)
class Layout:
    """Measures the elements of one window.

    Args:
        scale: Pixels a dp.
        rows: The rows of a data name.
    """

    scale: float
    rows: Callable[[str], Rows]
    zoom: float = 1.0

    def build(
        self, elements: Sequence[Element], scope: Scope, *, width: int, height: int | None, fill: bool = True
    ) -> Box:
        """A column of the elements, `width` wide (without `fill` at most) and, where given, exactly `height` high."""
        column = _Item(Element("column", children=tuple(elements)), scope, "0")
        return self._box(column, _Room(width, height, width if fill else None, height, fill=fill))

    def px(self, dp: float) -> int:
        """Pixels of a length."""
        return round(dp * self.scale)

    def _box(self, item: _Item, room: _Room) -> Box:
        element, scope = item.element, item.scope
        if element.zoom and self.zoom == 1.0 and (zoom := zoom_of(element, scope.get(element.zoom))) != 1.0:
            return replace(self, scale=self.scale * zoom, zoom=zoom)._box(item, room)
        if element.args:
            scope = scope.inner(scope.expand_all(element.args))
        kind = KINDS[element.kind]
        width = room.exact_width if room.exact_width is not None else self._length(element.width, room.width)
        if width is None and kind.fills and room.fill:
            width = room.width
        height = room.exact_height if room.exact_height is not None else self._length(element.height, room.height)
        box = Box(element, scope, item.key, zoom=self.zoom)
        if not kind.axis:
            box.width, box.height = self._leaf(element, scope, width, height, room.width)
            return box
        items = list(self._items(element.children, scope, item.key)) if item.kids is None else list(item.kids)
        match kind.axis:
            case "h":
                self._row(box, items, width, height, room)
            case "v":
                self._column(box, items, width, height, room)
            case _:
                self._stack(box, items, width, height, room)
        return box

    def _length(self, length: Length, room: int | None) -> int | None:
        if length is None or isinstance(length, str):
            return room if length == "fill" else None
        return self.px(length)

    # -- what is there

    def _items(self, elements: Sequence[Element], scope: Scope, key: str) -> Iterator[_Item]:
        """The elements that are really there: conditions asked, parts and rows brought in."""
        for number, element in enumerate(elements):
            place = f"{key}.{number}"
            if element.kind == "each":
                yield from self._each(element, scope, place)
            elif not scope.holds(element.when):
                continue
            elif element.kind == "use":
                inner = scope.inner(scope.expand_all(element.args)) if element.args else scope
                yield from self._items(element.children, inner, place)
            else:
                yield _Item(element, scope, place)

    def _each(self, element: Element, scope: Scope, key: str) -> Iterator[_Item]:
        shown = []
        for number, row in enumerate(self.rows(scope.expand(element.rows))):
            inner = scope.inner(row)
            if inner.holds(element.where) and inner.holds(element.when):
                shown.append(_Item(element, inner, f"{key}[{number}]"))
        if element.columns == 1:
            yield from shown
            return
        for start in range(0, len(shown), element.columns):
            cells = [
                replace(item, element=replace(element, weight=1)) for item in shown[start : start + element.columns]
            ]
            blank = _Item(Element("space", weight=1), scope, key)
            cells += [blank] * (element.columns - len(cells))
            line = Element("row", gap=_GRID_GAP, items="start", padding=(_GRID_GAP, 0, _GRID_GAP, 0))
            yield _Item(line, scope, f"{key}({start})", tuple(cells))

    # -- boxes with children

    def _row(self, box: Box, items: list[_Item], width: int | None, height: int | None, room: _Room) -> None:
        left, top, right, bottom = self._padding(box.element)
        gap, scrolls = self.px(box.element.gap), KINDS[box.element.kind].scrolls
        inner = (room.width if width is None else width) - left - right
        inner_height = None if height is None else height - top - bottom
        margins = [self._margin(item.element) for item in items]
        used = gap * max(0, len(items) - 1) + sum(m[0] + m[2] for m in margins)
        boxes: list[Box | None] = [None] * len(items)
        weights = [self._weight(item.element, row=True) for item in items]
        for number, item in enumerate(items):
            if not weights[number] or scrolls:
                offer = 10**6 if scrolls else max(0, inner - used)
                exact = inner_height if item.element.height == "fill" else None
                kid = self._box(item, _Room(offer, inner_height, None, exact, fill=False))
                boxes[number] = kid
                used += kid.width
        share = max(0, inner - used)
        total = sum(weights)
        for number, item in enumerate(items):
            if boxes[number] is None:
                exact = inner_height if item.element.height == "fill" else None
                part = round(share * weights[number] / total)
                boxes[number] = self._box(item, _Room(part, inner_height, part, exact))
        kids = [kid for kid in boxes if kid is not None]
        if width is None:
            width = inner + left + right if total else used + left + right
        tallest = max((kid.height + m[1] + m[3] for kid, m in zip(kids, margins, strict=True)), default=0)
        box.width, box.height = width, height if height is not None else tallest + top + bottom
        x = left
        for kid, margin, item in zip(kids, margins, items, strict=True):
            x += margin[0]
            space = box.height - top - bottom - kid.height - margin[1] - margin[3]
            y = top + margin[1] + _share(_align(item, box.element.items or "center"), space)
            box.kids.append((x, y, kid))
            x += kid.width + margin[2] + gap
        box.content = x - gap + right if kids else 0

    def _column(self, box: Box, items: list[_Item], width: int | None, height: int | None, room: _Room) -> None:
        left, top, right, bottom = self._padding(box.element)
        gap, scrolls = self.px(box.element.gap), KINDS[box.element.kind].scrolls
        inner = (room.width if width is None else width) - left - right
        bound = height if height is not None else room.height
        free = None if bound is None or scrolls else bound - top - bottom
        margins = [self._margin(item.element) for item in items]
        used = gap * max(0, len(items) - 1) + sum(m[1] + m[3] for m in margins)
        shared = height is not None and not scrolls
        weights = [self._weight(item.element, row=False) if shared else 0.0 for item in items]
        boxes: list[Box | None] = [None] * len(items)
        for number, item in enumerate(items):
            if not weights[number]:
                offer = None if free is None else max(0, free - used)
                across = inner - margins[number][0] - margins[number][2]
                kid = self._box(item, _Room(across, offer, fill=width is not None or room.fill))
                boxes[number] = kid
                used += kid.height
        share, total = max(0, (free or 0) - used), sum(weights)
        for number, item in enumerate(items):
            if boxes[number] is None:
                part = round(share * weights[number] / total)
                across = inner - margins[number][0] - margins[number][2]
                boxes[number] = self._box(item, _Room(across, part, None, part))
        kids = [kid for kid in boxes if kid is not None]
        if width is None:
            widest = max((kid.width + m[0] + m[2] for kid, m in zip(kids, margins, strict=True)), default=0)
            width = widest + left + right
        y = top
        for kid, margin, item in zip(kids, margins, items, strict=True):
            y += margin[1]
            space = width - left - right - kid.width - margin[0] - margin[2]
            x = left + margin[0] + _share(_align(item, box.element.items or "start"), space)
            box.kids.append((x, y, kid))
            y += kid.height + margin[3] + gap
        box.content = (y - gap if kids else top) + bottom
        own = box.content if bound is None or not scrolls else min(box.content, bound)
        box.width, box.height = width, height if height is not None else own

    def _stack(self, box: Box, items: list[_Item], width: int | None, height: int | None, room: _Room) -> None:
        left, top, right, bottom = self._padding(box.element)
        inner = (room.width if width is None else width) - left - right
        inner_height = (room.height if height is None else height) if height is not None else None
        tall = None if inner_height is None else inner_height - top - bottom
        kids: list[tuple[Box, tuple[int, int, int, int]]] = []
        for item in items:
            margin = self._margin(item.element)
            exact = tall if item.element.height == "fill" or KINDS[item.element.kind].weight else None
            across = inner - margin[0] - margin[2]
            kids.append((self._box(item, _Room(across, tall, None, exact, fill=width is not None)), margin))
        box.width = width if width is not None else max((k.width for k, _ in kids), default=0) + left + right
        tallest = max((kid.height + m[1] + m[3] for kid, m in kids), default=0)
        box.height = height if height is not None else tallest + top + bottom
        for (kid, margin), item in zip(kids, items, strict=True):
            sideways, down = _both(_align(item, box.element.items))
            space_x = box.width - left - right - kid.width - margin[0] - margin[2]
            space_y = box.height - top - bottom - kid.height - margin[1] - margin[3]
            box.kids.append(
                (left + margin[0] + _share(sideways, space_x), top + margin[1] + _share(down, space_y), kid)
            )

    def _weight(self, element: Element, *, row: bool) -> float:
        if element.weight:
            return element.weight
        if row:
            return 1.0 if KINDS[element.kind].fills and not KINDS[element.kind].axis and element.width is None else 0.0
        return KINDS[element.kind].weight if element.height is None and element.kind != "key" else 0.0

    def _padding(self, element: Element) -> tuple[int, int, int, int]:
        left, top, right, bottom = element.padding
        return self.px(left), self.px(top), self.px(right), self.px(bottom)

    def _margin(self, element: Element) -> tuple[int, int, int, int]:
        left, top, right, bottom = element.margin
        return self.px(left), self.px(top), self.px(right), self.px(bottom)

    # -- boxes without children

    def _leaf(
        self, element: Element, scope: Scope, width: int | None, height: int | None, room: int
    ) -> tuple[int, int]:
        kind = KINDS[element.kind]
        if element.kind == "divider" and height is None:
            height = max(1, self.px(element.height)) if isinstance(element.height, float) else 2
        if kind.width and width is None:
            width = min(room, self.px(kind.width))
        if kind.height and height is None:
            height = self.px(kind.height)
        if width is not None and height is not None:
            return width, height
        left, top, right, bottom = self._padding(element)
        text, size = self._shown(element, scope), element.style.size * self.scale
        inner = max(1, (room if width is None else width) - left - right)
        limit = element.style.max_lines if element.input != "multiline" else 0
        lines = wrap(text, size, inner, limit) if text else ("",)
        if width is None:
            width = min(room, max(text_width(line, size) for line in lines) + left + right)
        if height is None:
            height = 0 if element.kind == "space" else round(len(lines) * size * LINE_HEIGHT) + top + bottom
        return width, height

    def _shown(self, element: Element, scope: Scope) -> str:
        """The text whose room is measured."""
        if KINDS[element.kind].holds == "var":
            return scope.get(element.var) or scope.expand(element.hint) or " "
        return scope.expand(element.text)


class Placer:
    """Puts measured boxes on the screen as nodes.

    Args:
        package: Whose nodes they are.
        offset: The scroll offset of a box, by its key and limit.
        focus: The variable of the field that has the focus.
        cursor: The key of the node that keys have put the focus on.
    """

    def __init__(self, package: str, *, offset: Callable[[Box], int], focus: str, cursor: str = "") -> None:
        self._package = package
        self._offset = offset
        self._focus = focus
        self._cursor = cursor
        self.boxes: dict[str, Box] = {}
        """The box of every node, by the node's key."""

    def place(self, box: Box, x: int, y: int, clip: Rect, *, index: int = 0) -> UiNode | None:
        """The node of a box whose corner lies at a point; None where nothing of it can be seen."""
        kind = KINDS[box.element.kind]
        frame = Rect(x, y, x + box.width, y + box.height)
        bounds = frame.intersection(clip)
        if not kind.node or bounds.empty:
            return None
        dx = dy = 0
        if box.limit:
            offset = self._offset(box)
            dx, dy = (-offset, 0) if kind.axis == "h" else (0, -offset)
        children: list[UiNode] = []
        for number, (kid_x, kid_y, kid) in enumerate(box.kids):
            # A RecyclerView holds only the children that it shows; other parents count the hidden ones too.
            place = len(children) if box.element.kind == "list" else number
            node = self.place(kid, x + kid_x + dx, y + kid_y + dy, bounds, index=place)
            if node is not None:
                children.append(node)
        self.boxes[box.key] = box
        return self._node(box, frame, bounds, index, tuple(children))

    def _node(self, box: Box, frame: Rect, bounds: Rect, index: int, children: tuple[UiNode, ...]) -> UiNode:
        element, scope, kind = box.element, box.scope, KINDS[box.element.kind]
        text, label, hint = _texts(element, scope)
        is_field = element.kind == "field"
        enabled = scope.holds(element.enabled)
        clickable = element.clickable if element.clickable is not None else kind.clickable or bool(element.tap)
        selected = element.selected is not None and scope.holds(element.selected)
        return UiNode(
            key=box.key,
            kind=element.kind,
            class_name=element.class_name or kind.class_name,
            package=self._package,
            bounds=bounds,
            frame=frame,
            index=index,
            text=text,
            resource_id=_resource_id(scope.expand(element.id), self._package),
            content_desc=scope.expand(element.desc),
            hint=hint,
            checkable=kind.checkable,
            checked=kind.checkable and _checked(element, scope),
            clickable=clickable,
            enabled=enabled,
            focusable=clickable or is_field or bool(box.limit),
            focused=box.key == self._cursor or (is_field and element.var == self._focus),
            scrollable=bool(box.limit),
            long_clickable=bool(element.hold) or is_field,
            password=is_field and element.input == "password",
            selected=selected,
            drawing_order=index + 1,
            style=_style(element.style, scope, box.zoom),
            label=label,
            padding=_zoomed(element.padding, box.zoom),
            progress=_number(scope.expand(element.value)) if element.kind in ("progress", "seek") else 0.0,
            children=children,
        )


def _texts(element: Element, scope: Scope) -> tuple[str, str, str]:
    """Text, label and hint of a node. An empty field shows its hint as its text, as Android 9 and later report it."""
    match element.kind:
        case "field":
            value, hint = scope.get(element.var), scope.expand(element.hint)
            shown = _BULLET * len(value) if element.input == "password" else value
            return shown or hint, shown, hint
        case "spinner":
            return scope.get(element.var), "", ""
        case kind if kind in _LABELLED:
            return "", scope.expand(element.text), ""
        case _:
            return scope.expand(element.text), scope.expand(element.label), ""


def _checked(element: Element, scope: Scope) -> bool:
    if element.checked is not None:
        return scope.holds(element.checked)
    value = scope.get(scope.expand(element.var))
    return value == scope.expand(element.value) if element.kind == "radio" else value.lower() not in ("", "0", "false")


def _resource_id(name: str, package: str) -> str:
    return name if not name or ":" in name else f"{package}:id/{name}"


def zoom_of(element: Element, text: str) -> float:
    """The value of the variable that two fingers change, kept in its range; 1 where it says nothing."""
    least, most = element.zoom_range
    try:
        return min(most, max(least, float(text)))
    except ValueError:
        return 1.0


def _zoomed(padding: tuple[float, float, float, float], zoom: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = padding
    return left * zoom, top * zoom, right * zoom, bottom * zoom


def _style(style: Style, scope: Scope, zoom: float) -> Style:
    if zoom != 1.0:
        style = replace(style, size=style.size * zoom, radius=style.radius * zoom)
    if "{" not in style.background + style.color:
        return style
    return replace(style, background=scope.expand(style.background), color=scope.expand(style.color))


def _number(text: str) -> float:
    try:
        return min(1.0, max(0.0, float(text)))
    except ValueError:
        return 0.0


def _align(item: _Item, usual: str) -> str:
    return item.scope.expand(item.element.align) or usual


def _share(align: str, space: int) -> int:
    return {"center": space // 2, "end": space, "bottom": space}.get(align, 0) if space > 0 else 0


def _both(align: str) -> tuple[str, str]:
    """`bottom end` → ("end", "bottom"); `center` is meant both ways."""
    words = align.split()
    across = next((word for word in words if word in ("start", "end")), "center" if "center" in words else "start")
    down = next((word for word in words if word in ("top", "bottom")), "center" if "center" in words else "top")
    return across, down

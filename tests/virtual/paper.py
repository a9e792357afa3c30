"""Scenes of a few windows to paint, and where two pictures are different."""

from __future__ import annotations

from PIL import Image, ImageChops

from controller.virtual.draw import Scene, paint
from controller.virtual.ui import Rect, Style, UiNode, Window, WindowKind

__all__ = ["PAPER", "SCREEN", "changed", "node", "picture", "shown", "window", "within"]

SCREEN = Rect(0, 0, 320, 400)
PAPER = Style(background="#ffffff")


def node(kind: str, frame: Rect, *, bounds: Rect | None = None, **values: object) -> UiNode:
    return UiNode(
        key=f"{kind}{frame}", kind=kind, class_name="android.view.View", package="app", frame=frame,
        bounds=bounds or frame, **values,  # type: ignore[arg-type]  # the fields of a node
    )  # fmt: skip


def window(
    *children: UiNode,
    frame: Rect = SCREEN,
    style: Style = PAPER,
    kind: WindowKind = WindowKind.APPLICATION,
    secure: bool = False,
    translucent: bool = False,
) -> Window:
    root = node("window", frame, style=style, children=children)
    return Window(1, "app/.Main", "app", ".Main", kind, frame, root, secure=secure, translucent=translucent)


def picture(*windows: Window, lit: bool = True, density: int = 160) -> Image.Image:
    """The windows, the lowest first, at one pixel a dp."""
    return paint(Scene(SCREEN.right, SCREEN.bottom, density, lit, windows))


def shown(*children: UiNode) -> Image.Image:
    return picture(window(*children))


def changed(one: Image.Image, other: Image.Image) -> Rect | None:
    """Where two pictures are different."""
    box = ImageChops.difference(one, other).getbbox()
    return None if box is None else Rect(*box)


def within(inner: Rect | None, outer: Rect) -> bool:
    return inner is not None and inner.intersection(outer) == inner

"""A tree of 2,000 nodes: parsed, and made into an outline, beside a bare parse and uiautomator2's own."""

from __future__ import annotations

import random

from lxml import etree

from controller.screen.hierarchy import parse
from controller.screen.outline import outline
from controller.screen.sameness import mark
from tests.bench.rows import Row, median_ms

APP = "com.example.app"
_FLAGS = ("checkable", "checked", "clickable", "enabled", "focusable", "focused", "scrollable", "long-clickable")


def run() -> list[Row]:
    xml = big_tree(2000)
    data = xml.encode()
    bare = median_ms(lambda: etree.fromstring(data))
    ours = median_ms(lambda: parse(data))
    tree = parse(data)
    return [
        Row("parse a tree of 2,000 nodes", ours, bare, "bare lxml parse, no values"),
        Row("parse a tree of 2,000 nodes", ours, median_ms(lambda: _read_all(data)), "lxml parse, attributes read"),
        Row("parse a tree of 2,000 nodes", ours, _uiautomator2(xml), "uiautomator2 xpath PageSource"),
        Row("outline of 2,000 nodes", median_ms(lambda: outline(tree, package=APP).text()), None, "nothing alike"),
        Row("mark of 2,000 nodes", median_ms(lambda: mark(tree, package=APP, activity=None)), None, "nothing alike"),
    ]


def big_tree(count: int, *, seed: int = 7) -> str:
    """A dump of rows as a long list has them: a row, its picture, two texts and a button."""
    rng = random.Random(seed)
    rows = []
    for row in range((count - 2) // 5):
        top = 300 + 7 * row
        texts = [f"第 {row} 行 {rng.choice(['设置', '通知', '隐私'])}", f"Summary of row {row} &amp; more"]
        inner = [
            _node("ImageView", "", (0, top, 200, top + 200)),
            _node("TextView", texts[0], (220, top, 800, top + 90), id="title"),
            _node("TextView", texts[1], (220, top + 90, 800, top + 180), id="summary"),
            _node("Button", "", (850, top, 1050, top + 180), id="more", flags="clickable focusable"),
        ]
        rows.append(_node("LinearLayout", "", (0, top, 1080, top + 200), "".join(inner), flags="clickable focusable"))
    rows += [_node("View", "", (0, 0, 1, 1))] * (count - 2 - 5 * len(rows))
    page = _node("ListView", "", (0, 200, 1080, 2400), "".join(rows), flags="scrollable")
    window = _node("FrameLayout", "", (0, 0, 1080, 2400), page)
    return f"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">{window}</hierarchy>"


def _node(
    cls: str, text: str, bounds: tuple[int, int, int, int], inner: str = "", *, id: str = "", flags: str = ""
) -> str:
    left, top, right, bottom = bounds
    states = " ".join(f'{flag}="{str(flag in (*flags.split(), "enabled")).lower()}"' for flag in _FLAGS)
    return (
        f'<node index="0" text="{text}" resource-id="{f"{APP}:id/{id}" if id else ""}" class="android.widget.{cls}" '
        f'package="{APP}" content-desc="" {states} password="false" selected="false" visible-to-user="true" '
        f'bounds="[{left},{top}][{right},{bottom}]" drawing-order="1" hint="" display-id="0">{inner}</node>'
    )


def _read_all(data: bytes) -> None:
    for element in etree.fromstring(data).iter():
        element.items()


def _uiautomator2(xml: str) -> float | None:
    try:
        from uiautomator2.xpath import PageSource
    except ImportError:
        return None
    return median_ms(lambda: PageSource(xml).root)

"""What things are called: the words of a node made into a name and a value as a person would say them.

Pure text work. Which texts belong to which element is decided in `building`.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable

from controller.screen.hierarchy import Node, clean, is_field, is_field_class

__all__ = ["class_role", "condense", "is_state_word", "labels_of", "name_and_value", "role_of", "same_words"]

# A switch that is called by its state alone takes its name from its row.
_STATES = """on, off, checked, unchecked, not checked, selected, enabled, disabled, ein, aus, an, sí, no
开, 关, 开启, 关闭, 打开, 已开启, 已关闭, 已打开, 启用, 停用, 開, 關, 開啟, 關閉, オン, オフ, 켜짐, 꺼짐, 켬
끔, 사용, 사용 안 함, вкл, выкл, включено, выключено, activado, desactivado, activada, desactivada, encendido
apagado, activé, désactivé, ligado, desligado, ativado, desativado, مفعل, معطل, تشغيل, إيقاف, ✓, ✗"""
STATE_WORDS = frozenset(word for line in _STATES.split("\n") for word in line.split(", "))

# What Flutter and screen readers add to a name: how to use it, and its place in a row of tabs.
_USAGE = re.compile(
    r"(?:double[- ]tap (?:to|and)|tap to|swipe (?:up|down|left|right) to|tab \d+ of \d+"
    r"|点按两次|双击即可|双指|第 ?\d+ ?个标签|вкладка \d+ из \d+|дважды нажмите"
    r"|toca dos veces|pestaña \d+ de \d+|علامة التبويب|انقر مر).*",
    re.IGNORECASE,
)
# Icon fonts use the private areas; a name that begins with a glyph reads `\uec84, Главная`.
_GLYPHS = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd\ufffd\ufffc]+")
_EDGES = re.compile(r"^[\s,;:·•|]+|[\s,;|]+$")
_NUMBER = re.compile(r"[\d\s.,:%/+\-–()$€£¥₽₩km]*\d[\d\s.,:%/+\-–()$€£¥₽₩km]*", re.IGNORECASE)

# `3 min.`, `1 min read`, `27分钟前`, `5 h ago`: never what a row is called.
_WEAK = re.compile(
    r"~?\d+[.,:]?\d*\s?(?:\w{1,5}[.]?)(?:\s(?:ago|read|left))?|\d+\s?[分小天秒周个]\w{0,3}[前内]?", re.IGNORECASE
)

_ROLES = {
    "Button": "button",
    "CheckBox": "checkbox",
    "CheckedTextView": "checkbox",
    "Chip": "button",
    "CompoundButton": "switch",
    "FloatingActionButton": "button",
    "ImageButton": "button",
    "ProgressBar": "progress",
    "RadioButton": "radio",
    "RatingBar": "slider",
    "SeekBar": "slider",
    "Slider": "slider",
    "Spinner": "combobox",
    "Switch": "switch",
    "SwitchCompat": "switch",
    "ToggleButton": "switch",
}


def role_of(node: Node) -> str:
    """The role of an element, by its class and what can be done with it."""
    known = class_role(node.class_name)
    if known:
        return known
    if node.checkable:
        return "checkbox"
    if node.clickable or node.long_clickable:
        return "button"
    if node.scrollable:
        return "list"
    if node.states.heading:
        return "heading"
    return "image" if node.short_class.startswith("Image") and not node.text and not node.children else "text"


@functools.lru_cache(maxsize=1024)
def class_role(class_name: str) -> str:
    """The role that a class alone tells, or nothing."""
    if is_field_class(class_name):
        return "textbox"
    name = class_name.rpartition(".")[2]
    return _ROLES.get(name) or _ROLES.get(name.removeprefix("Material").removeprefix("AppCompat")) or ""


def labels_of(node: Node) -> list[str]:
    """The node's own words: its text, else its description; each line that says something once."""
    if not (node.text or node.desc or node.hint):
        return []
    if is_field(node):
        return condense([node.hint, *_usable_lines(node.desc)])[:1]
    own = condense(node.text.split("\n") if len(node.text) < 400 else [node.text])
    described = condense(_usable_lines(node.desc))
    if not own:
        return described
    return own


def _usable_lines(desc: str) -> list[str]:
    if desc == "null":
        return []
    lines = [line.removesuffix(",null") for line in desc.split("\n")]
    kept = [line for line in lines if not _USAGE.fullmatch(clean(line))]
    return kept or lines


def condense(texts: Iterable[str]) -> list[str]:
    """The texts without glyphs, empty ones and repetitions, on one line each."""
    kept: dict[str, None] = {}
    for text in texts:
        tidy = _EDGES.sub("", _GLYPHS.sub("", clean(text)))
        if tidy:
            kept.setdefault(tidy)
    return list(kept)


def name_and_value(texts: list[str]) -> tuple[str, str]:
    """Which of a row's texts is its name, and the rest as its value.

    The name is the first that says something: not the letter of an avatar, not a time or a count.
    """
    if not texts:
        return "", ""
    place = next((i for i, text in enumerate(texts) if _says_something(text)), None)
    if place is None:
        place = next((i for i, text in enumerate(texts) if any(c.isalpha() for c in text)), 0)
    name = texts[place]
    before = [text for text in texts[:place] if not (len(text) == 1 and text.isalpha())]
    symbols = [text for text in before if not any(c.isalnum() for c in text)]
    rest = [text for text in before if text not in symbols] + texts[place + 1 :]
    name = " ".join([*symbols, name])
    return name, " · ".join(text for text in rest if not same_words(text, name))


def _says_something(text: str) -> bool:
    if _WEAK.fullmatch(text):
        return False
    letters = sum(c.isalpha() for c in text)
    if letters and unicodedata.east_asian_width(next(c for c in text if c.isalpha())) == "W":
        return True
    return letters >= 2 and not _NUMBER.fullmatch(text)


def same_words(text: str, name: str) -> bool:
    """Whether the text says nothing that the name does not say."""
    words = set(_words(text))
    return bool(words) and words <= set(_words(name))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def is_state_word(text: str) -> bool:
    """Whether the text tells only that a switch is on or off, or how far a slider is."""
    tidy = clean(text).casefold().strip(".,")
    return tidy in STATE_WORDS or _NUMBER.fullmatch(tidy) is not None

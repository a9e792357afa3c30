"""The words that the documents of a virtual phone may use, as tables.

Owns the lists of keys alone; what a key means stands where it is read, in `apps` and `screens`, and for people in
`devices/virtual/README.md`.
"""

from __future__ import annotations

__all__ = [
    "ACTION_KEYS",
    "ACTIVITY_KEYS",
    "APP_KEYS",
    "ELEMENT_KEYS",
    "PACKAGE_KEYS",
    "PHONE_KEYS",
    "STYLE_KEYS",
    "SUGAR",
]

PHONE_KEYS = (
    "serial", "model", "manufacturer", "brand", "product", "device", "screen", "imes", "props", "settings",
    "files", "locale", "time_zone", "utc_offset", "wall", "faults", "displays",
)  # fmt: skip
PACKAGE_KEYS = (
    "package", "label", "version", "uid", "target_sdk", "system", "hidden", "color", "icon", "permissions", "browser",
)  # fmt: skip
APP_KEYS = (
    *PACKAGE_KEYS, "packages", "state", "strict", "data", "parts", "dialogs", "activities", "surfaces", "splash",
)  # fmt: skip
ACTIVITY_KEYS = (
    "label", "mode", "exported", "launcher", "home", "actions", "links", "body", "params", "lookup", "pages", "focus",
    "loading", "after", "on_start", "on_back", "needs", "otherwise", "secure", "translucent", "soft_input",
    "background", "orientation", "no_history", "only",
)  # fmt: skip
STYLE_KEYS = ("size", "bold", "color", "accent", "background", "radius", "text_align", "max_lines")
ELEMENT_KEYS = frozenset(
    {
        "id", "desc", "hint", "class", "label", "width", "height", "weight", "padding", "margin", "gap", "align",
        "items", "when", "enabled", "selected", "checked", "clickable", "tap", "hold", "swipe", "submit", "change",
        "var", "value", "input", "ime", "options", "where", "columns", "zoom", "range", "start", "with", "item",
        *STYLE_KEYS,
    }
)  # fmt: skip
SUGAR = ("tabs", "keys")
ACTION_KEYS = ("with", "then", "else", "when")

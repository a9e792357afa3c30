"""The text field that has the focus: typing, erasing, cursor keys, clipboard, the keyboard that shows and hides.

Owns what text input does to a surface. Which element is a field, and what its action key does, stands in the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.virtual import actions
from controller.virtual.activities import Activity, Dialog, Surface
from controller.virtual.editing import Editor, graphemes
from controller.virtual.elements import fields_in
from controller.virtual.keys import CTRL_ON, Key, character
from controller.virtual.layout import Box
from controller.virtual.ui import UiNode

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Fields"]


class Fields:
    """Text input of one phone."""

    def __init__(self, phone: VirtualPhone) -> None:
        self._phone = phone

    def surface(self) -> Surface | None:
        """The surface whose window has the focus."""
        return self._phone.focused_surface()

    def shown(self) -> bool:
        """Whether the keyboard is up."""
        surface = self.surface()
        phone = self._phone
        return (
            surface is not None
            and bool(surface.focus)
            and surface.keyboard
            and phone.ime is not None
            and phone.screen_on
        )

    def focus(self, surface: Surface, name: str) -> None:
        """Put the cursor into a field and show the keyboard."""
        surface.focus, surface.selection = name, None
        body = surface.spec.body if isinstance(surface, (Activity, Dialog)) else ()
        surface.ime_action = next((field.ime_action for field in fields_in(body) if field.var == name), "done")
        surface.keyboard = not (isinstance(surface, Activity) and surface.spec.soft_input == "hidden")
        self._phone.changed()

    def hide(self) -> bool:
        """Hide the keyboard; the field keeps the focus."""
        surface = self.surface()
        if surface is None or not self.shown():
            return False
        surface.keyboard = False
        self._phone.changed()
        return True

    def node(self) -> tuple[Surface, Box, UiNode] | None:
        """The focused field on the screen."""
        surface = self.surface()
        if surface is None or not surface.focus:
            return None
        for window in self._phone.stage.stack():
            for node in window.root.walk():
                found = self._phone.stage.node_box(window.hash, node.key) if node.focused else None
                if found is not None and found[0] is surface:
                    return found[0], found[1], node
        return None

    def commit(self, text: str) -> bool:
        """Type at the cursor; False where no field has the focus."""
        surface = self.surface()
        if surface is None or not surface.focus:
            return False
        if self._phone.watching.typed(len(graphemes(text))):
            return True
        self._put(surface, self._editor(surface).insert(text))
        self._phone.trace("text", text=text)
        return True

    def erase(self, count: int) -> bool:
        """Delete graphemes before the cursor."""
        surface = self.surface()
        if surface is None or not surface.focus:
            return False
        editor = self._editor(surface)
        for _ in range(count):
            editor = editor.backspace()
        self._put(surface, editor)
        return True

    def set(self, surface: Surface, box: Box, text: str) -> bool:
        """ACTION_SET_TEXT."""
        if box.element.kind != "field":
            return False
        before = self._phone.names.scope(surface).get(box.element.var)
        added = text[_common(before, text) :]
        if added and self._phone.watching.typed(len(graphemes(added))):
            return True
        self._phone.names.write(surface, box.element.var, text)
        surface.selection = None
        self._changed(surface, box)
        return True

    def editor_action(self) -> bool:
        """The keyboard's action key: what the field submits to, else the keyboard goes."""
        found = self.node()
        if found is None:
            return False
        surface, box, node = found
        if box.element.submit:
            self.hide()
            actions.run(actions.Doing(self._phone, surface, box.scope, node.bounds), box.element.submit)
        elif box.element.input == "multiline":
            self.commit("\n")
        else:
            self.hide()
        self._phone.changed()
        return True

    def key(self, code: int, meta: int) -> bool:
        """A key that edits text; False where it is none."""
        surface = self.surface()
        if surface is None or not surface.focus:
            return False
        if meta & CTRL_ON:
            return self._control(surface, code)
        editor = self._editor(surface)
        match code:
            case Key.DEL:
                self._put(surface, editor.backspace())
            case Key.FORWARD_DEL:
                self._put(surface, editor.delete())
            case Key.DPAD_LEFT:
                self._put(surface, editor.move(-1))
            case Key.DPAD_RIGHT:
                self._put(surface, editor.move(1))
            case Key.MOVE_HOME:
                self._put(surface, editor.to(0))
            case Key.MOVE_END:
                self._put(surface, editor.to(len(editor.text)))
            case Key.COPY | Key.CUT | Key.PASTE:
                return self._control(surface, {Key.COPY: 31, Key.CUT: 52, Key.PASTE: 50}[code])
            case _:
                char = character(code, meta)
                return bool(char) and self.commit(char)
        return True

    def _control(self, surface: Surface, code: int) -> bool:
        editor, phone = self._editor(surface), self._phone
        match character(code):
            case "a":
                surface.selection = (0, len(editor.text))
            case "c":
                phone.clipboard = editor.selected or phone.clipboard
            case "x":
                phone.clipboard = editor.selected or phone.clipboard
                self._put(surface, editor.insert(""))
            case "v":
                self.commit(phone.clipboard)
            case _:
                return False
        phone.changed()
        return True

    def _editor(self, surface: Surface) -> Editor:
        text = self._phone.names.scope(surface).get(surface.focus)
        if surface.selection is None:
            return Editor.at_end(text)
        start, end = (min(len(text), place) for place in surface.selection)
        return Editor(text, start, end)

    def _put(self, surface: Surface, editor: Editor) -> None:
        found = self.node()
        if isinstance(surface, Dialog):
            surface.vars.setdefault(surface.focus, "")
        before = self._phone.names.scope(surface).get(surface.focus)
        surface.selection = (editor.start, editor.end)
        if editor.text != before:
            self._phone.names.write(surface, surface.focus, editor.text)
            if found is not None:
                self._changed(surface, found[1])
        self._phone.changed()

    def _changed(self, surface: Surface, box: Box) -> None:
        if box.element.change:
            actions.run(actions.Doing(self._phone, surface, box.scope), box.element.change)


def _common(before: str, after: str) -> int:
    """How many characters both texts begin with."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((place for place, (old, new) in pairs if old != new), min(len(before), len(after)))

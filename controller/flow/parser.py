"""A flow file becomes a `Flow`, or one error with everything that is wrong in it.

Pure: text in, value out. YAML is read as nodes, so that every value keeps its place and its text: no type guessing
(`0123`, `no`), no anchors, no tags, no key twice. Sub-flows are looked at by `check`, which may read files.

    appId: com.example.app
    env:
      USER: ada
    ---
    - launchApp
    - tapOn: "Log in"
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from controller.flow.commands import COMMANDS, Command
from controller.flow.expressions import OPENING
from controller.flow.grammar import VARIABLE
from controller.flow.model import Finding, Flow, Leaf, Place, StepSpec, Value
from controller.flow.refused import INSTEAD, NEVER, NOT_YET, NOT_YET_OURS
from controller.flow.shapes import (
    TEXT,
    TRUTH,
    Commands,
    Field,
    Keys,
    ListOf,
    MapOf,
    choice,
    described,
    is_missing,
    nearest,
)

__all__ = ["read_flow"]

MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 60
ALIASES_OF_COMMANDS = {"hide keyboard": "hideKeyboard"}
# Keys of a header that Maestro takes without meaning anything here.
IGNORED_HEADER = frozenset({"properties", "jsEngine", "androidWebViewHierarchy", "disableRetries", "description"})
ASIDE = ("label", "optional")
ALIAS = "!alias"

HEADER = Keys(
    "the header",
    {
        "appId": Field(TEXT),
        "url": Field(TEXT, "app_id"),
        "name": Field(TEXT),
        "tags": Field(ListOf(TEXT)),
        "env": Field(MapOf(TEXT, key=VARIABLE)),
        "secret": Field(ListOf(TEXT), "secrets"),
        "pace": Field(choice("careful", "fast")),
        "onFlowStart": Field(Commands(), "on_start"),
        "onFlowComplete": Field(Commands(), "on_complete"),
        "onFlowFailure": Field(Commands(), "on_failure"),
    },
)


def read_flow(text: str, *, path: str) -> tuple[Flow, list[Finding]]:
    """The flow as far as it can be read, and what is wrong with it, in the order of the file."""
    reader = _FlowReader(path, text.removeprefix("\ufeff"))
    flow = reader.flow()
    reader.findings.sort(key=lambda finding: (finding.place.line, finding.place.column))
    return flow, reader.findings


class _FlowReader:
    """Reads one file and writes down what is wrong."""

    def __init__(self, path: str, source: str) -> None:
        self.path = path
        self.source = source
        self.findings: list[Finding] = []
        self.warnings: list[Finding] = []
        self._broken = False

    # ------------------------------------------------------------------ documents

    def flow(self) -> Flow:
        documents = list(self._documents())
        match documents:
            case [] if self.findings:
                pass
            case []:
                self._at(1, 1, "empty", "the file is empty", "write a header, a line `---`, and a list of commands")
            case [yaml.SequenceNode() as only]:
                self.error(
                    only, "no_header", "the header is missing", "write `appId: …` and a line `---` above the commands"
                )
                self.commands(only)
            case [only] if self._broken:
                self._header(only)
            case [only]:
                self.error(
                    only, "no_commands", "the commands are missing", "write a line `---` and a list of commands below"
                )
                self._header(only)
            case [header, body]:
                return self._flow(header, body)
            case [_, _, third, *_]:
                self.error(third, "documents", "a flow has one header and one list", "remove this `---`")
        return Flow(self.path)

    def _flow(self, header: yaml.Node, body: yaml.Node) -> Flow:
        if isinstance(header, yaml.SequenceNode) and isinstance(body, yaml.MappingNode):
            self.error(header, "order", "the header has to stand above the commands", "put the list after the `---`")
            return Flow(self.path)
        values = self._header(header)
        steps = Commands().read(body, self) or ()
        if isinstance(body, yaml.SequenceNode) and not body.value:
            self.error(body, "no_commands", "the list of commands is empty")
        return self._built(values, steps)

    def _header(self, node: yaml.Node) -> dict[str, Value]:
        if isinstance(node, yaml.MappingNode):
            kept = [pair for pair in node.value if not self._ignored(pair[0])]
            node = yaml.MappingNode(node.tag, kept, node.start_mark, node.end_mark)
        return HEADER.read_values(node, self) or {}

    def _ignored(self, key: yaml.Node) -> bool:
        ignored = isinstance(key, yaml.ScalarNode) and key.value in IGNORED_HEADER
        if ignored:
            message = f"`{key.value}` means nothing here and is left out"
            self.warnings.append(Finding(self.place(key), "ignored_key", message, severity="warning"))
        return ignored

    def _built(self, values: dict[str, Any], steps: tuple[StepSpec, ...]) -> Flow:
        def constant(name: str, default: str = "") -> str:
            leaf = values.get(name)
            return _constant(leaf) if isinstance(leaf, Leaf) else default

        stem = re.sub(r"(\.flow)?\.ya?ml$", "", posixpath.basename(self.path.replace("\\", "/")))
        return Flow(
            self.path,
            app_id=values.get("app_id"),
            name=constant("name", stem),
            tags=tuple(_constant(tag) for tag in values.get("tags", ())),
            env=values.get("env", {}),
            secrets=tuple(_constant(name) for name in values.get("secrets", ())),
            pace=constant("pace") or None,
            steps=steps,
            on_start=values.get("on_start", ()),
            on_complete=values.get("on_complete", ()),
            on_failure=values.get("on_failure", ()),
            warnings=tuple(self.warnings),
        )

    def _documents(self) -> Iterator[yaml.Node]:
        if len(self.source) > MAX_CHARACTERS:
            self._at(1, 1, "too_long", f"the file has more than {MAX_CHARACTERS} characters")
            return
        try:
            loader = _NodeLoader(self.source, self._at_mark)
            while loader.check_node():
                node = loader.get_node()
                # `---` at the very end or a comment alone makes an empty document; it is none.
                if node is not None and not is_missing(node):
                    yield node
        except yaml.MarkedYAMLError as err:
            self._broken = True
            self._not_yaml(err)
        except yaml.reader.ReaderError as err:
            line = self.source.count("\n", 0, err.position) + 1
            column = err.position - self.source.rfind("\n", 0, err.position)
            self._at(
                line, column, "invalid_yaml", f"a character that YAML forbids: U+{ord(self.source[err.position]):04X}"
            )

    def _not_yaml(self, err: yaml.MarkedYAMLError) -> None:
        if err.context in {"while parsing a flow mapping", "while parsing a flow sequence"} and err.context_mark:
            self._at_mark(
                err.context_mark, "invalid_yaml", "this bracket is not closed, or a comma is missing in it", ""
            )
            return
        mark = err.problem_mark or err.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        self._at(line, column, "invalid_yaml", f"this is not YAML: {err.problem or err.context}", _yaml_fix(err))

    # ------------------------------------------------------------------ commands

    def commands(self, node: yaml.Node) -> tuple[StepSpec, ...]:
        steps = (self._command(item) for item in node.value)
        return tuple(step for step in steps if step is not None)

    def _command(self, node: yaml.Node) -> StepSpec | None:
        match node:
            case yaml.ScalarNode(tag=tag) if tag == ALIAS:
                return None  # it was found already
            case yaml.ScalarNode() if node.value:
                return self._bare(node)
            case yaml.MappingNode() if node.value:
                return self._with_values(node)
        self.error(node, "wrong_type", f"here a command is missing; this is {described(node)}", "`- tapOn: Log in`")
        return None

    def _bare(self, node: yaml.ScalarNode) -> StepSpec | None:
        command = self._known(node, node.value)
        if command is None:
            return None
        if not command.bare:
            self.error(node, "missing_value", f"`{command.name}` needs a value: {_example(command)}")
            return None
        return StepSpec(command.name, {}, self.place(node))

    def _with_values(self, node: yaml.MappingNode) -> StepSpec | None:
        (key, value), *others = node.value
        command = self._known(key, key.value if isinstance(key, yaml.ScalarNode) else "")
        if others:
            other = others[0][0]
            word = other.value if isinstance(other, yaml.ScalarNode) else described(other)
            name = key.value if isinstance(key, yaml.ScalarNode) else "the command"
            fix = f"put `- ` before it, or indent it below `{name}`"
            self.error(other, "wrong_indent", f"`{word}` stands beside `{name}`", fix)
            return None
        if command is None:
            return None
        if is_missing(value):
            if command.bare:
                return StepSpec(command.name, {}, self.place(key))
            self.error(value, "missing_value", f"`{command.name}` needs a value: {_example(command)}")
            return None
        return self._filled(command, key, value)

    def _filled(self, command: Command, key: yaml.Node, value: yaml.Node) -> StepSpec | None:
        before = len(self.findings)
        aside: dict[str, Leaf | None] = {}
        if isinstance(value, yaml.MappingNode):
            for name, node in value.value:
                if isinstance(name, yaml.ScalarNode) and name.value in ASIDE:
                    aside[name.value] = (TRUTH if name.value == "optional" else TEXT).read(node, self)
        args = command.keys.read_values(value, self, aside=ASIDE)
        # What contains commands is kept in spite of errors: the commands in it are to be checked as well.
        if args is None or (len(self.findings) > before and not command.composite):
            return None
        return StepSpec(command.name, args, self.place(key), aside.get("label"), aside.get("optional"))

    def _known(self, node: yaml.Node, written: str) -> Command | None:
        word = ALIASES_OF_COMMANDS.get(written, written)
        if word in COMMANDS:
            return COMMANDS[word]
        if word in NEVER:
            self.error(node, "refused", f"`{word}` is refused", NEVER[word])
        elif word in NOT_YET or word in NOT_YET_OURS:
            self.error(node, "not_supported", f"`{word}` is not supported yet", INSTEAD.get(word, ""))
        else:
            near = nearest(word, [*COMMANDS, *NOT_YET, *NEVER]) if word else None
            fix = f"did you mean `{near}`?" if near else f"known are {', '.join(COMMANDS)}"
            self.error(node, "unknown_command", f"`{word[:60]}` is not a command", fix)
        return None

    # ------------------------------------------------------------------ places

    def place(self, node: yaml.Node) -> Place:
        return self._place_of(node.start_mark)

    def holes(self, node: yaml.Node) -> tuple[Place, ...]:
        """Where each `${` of a scalar stands, which quoting and folding may have moved."""
        start = node.start_mark.index
        offsets = (found.start() for found in OPENING.finditer(self.source, start, node.end_mark.index))
        return tuple(self._place_at(offset) for offset in offsets)

    def error(self, node: yaml.Node, code: str, message: str, fix: str = "", *, index: int | None = None) -> None:
        holes = () if index is None else self.holes(node)
        place = holes[index] if index is not None and index < len(holes) else self.place(node)
        self.findings.append(Finding(place, code, message, fix))

    def _place_at(self, offset: int) -> Place:
        line = self.source.count("\n", 0, offset) + 1
        return Place(self.path, line, offset - self.source.rfind("\n", 0, offset))

    def _at_mark(self, mark: yaml.Mark, code: str, message: str, fix: str) -> None:
        self.findings.append(Finding(self._place_of(mark), code, message, fix))

    def _place_of(self, mark: yaml.Mark) -> Place:
        return Place(self.path, mark.line + 1, mark.column + 1)

    def _at(self, line: int, column: int, code: str, message: str, fix: str = "") -> None:
        self.findings.append(Finding(Place(self.path, line, column), code, message, fix))


class _NodeLoader(yaml.SafeLoader):
    """Nodes with their places; what YAML offers beyond plain data is written down as an error."""

    def __init__(self, source: str, wrong: Callable[[yaml.Mark, str, str, str], None]) -> None:
        super().__init__(source)
        self._wrong = wrong
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]  # PyYAML's stubs leave it untyped
        if self.check_event(yaml.AliasEvent):
            self.get_event()  # type: ignore[no-untyped-call]  # the same
            self._wrong(
                event.start_mark, "alias", f"`*{event.anchor}`: aliases are not read here", "write the value out"
            )
            return yaml.ScalarNode(ALIAS, event.anchor, event.start_mark, event.end_mark)
        if event.anchor is not None:
            self._wrong(event.start_mark, "anchor", f"`&{event.anchor}`: anchors are not read here", "remove it")
            event.anchor = None
        if event.tag is not None:
            self._wrong(
                event.start_mark, "tag", f"`{event.tag}`: tags are not read here", "remove it; texts stay texts"
            )
            event.tag = None
        if self._depth >= MAX_DEPTH:
            raise yaml.composer.ComposerError(None, None, "nested too deeply", event.start_mark)
        self._depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth -= 1

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        seen: dict[str, int] = {}
        kept = []
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                message = f"`{key.value}` stands here a second time; the first is in line {seen[key.value]}"
                self._wrong(key.start_mark, "duplicate_key", message, "keep one of them")
                continue
            if isinstance(key, yaml.ScalarNode):
                seen[key.value] = key.start_mark.line + 1
            kept.append((key, value))
        node.value = kept
        return node


def _constant(leaf: Any) -> str:
    """A text of the header that is used before any variable is known; expressions in it stay as they are written."""
    parts = leaf.template.parts
    return "".join(part if isinstance(part, str) else "${…}" for part in parts)


def _example(command: Command) -> str:
    fields = command.keys.fields
    return fields[command.keys.shorthand].shape.what if command.keys.shorthand else ", ".join(list(fields)[:4])


def _yaml_fix(err: yaml.MarkedYAMLError) -> str:
    problem = f"{err.problem} {err.context}"
    if "\\t" in problem or "'\t'" in problem:
        return "indent with spaces, not with tabs"
    if "mapping values are not allowed" in problem:
        return 'put a text that contains ": " in quotes, and check the indentation'
    if "expected the node content" in problem or "cannot start any token" in problem:
        return "put a text that begins with a special character in quotes"
    return ""

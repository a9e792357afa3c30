"""Shell text → `syntax.Script`, by the grammar of a POSIX shell as Android's mksh reads it.

Covers what people and programs send through `adb shell`: quoting, expansions, pipes, lists, redirections, here
documents, groups, `if`, `for`, `while`, `until` and `case`. Functions and aliases are left out.
"""

from __future__ import annotations

import re

from controller.virtual.shell.syntax import (
    AndOr,
    Arithmetic,
    Assignment,
    Case,
    Command,
    For,
    Group,
    If,
    Item,
    Literal,
    Loop,
    Parameter,
    Part,
    Pipeline,
    Redirect,
    RedirectOp,
    Script,
    Simple,
    Substitution,
    Word,
)

__all__ = ["ShellSyntaxError", "parse"]

MAX_DEPTH = 40  # deeper nesting than any script has; keeps Python's own stack out of reach

_OPERATORS = ("&&", "||", ";;", "|&", ";", "&", "|", "(", ")", "\n")
_BREAKS = frozenset(" \t\n;&|<>()")
_REDIRECT = re.compile(r"(\d*)(<<<|<<-?|>>|>&|<&|>\||&>|<>|<|>)")
_KEYWORD = re.compile(r"[a-z]+|[{}!]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SPECIAL_PARAMETERS = "?$!#@*-0123456789"
_PARAMETER_OPS = (":-", ":=", ":+", ":?", "%%", "##", "-", "=", "+", "?", "%", "#", "//", "/")
_ANSI_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "e": "\x1b"}


class ShellSyntaxError(Exception):
    """The line cannot be read; the text says why, in mksh's words."""


def unexpected(token: str) -> ShellSyntaxError:
    """The error for a token that does not fit: `syntax error: unexpected '('`."""
    shown = {"\n": "newline", "": "EOF"}.get(token)
    return ShellSyntaxError(f"syntax error: unexpected {shown}" if shown else f"syntax error: unexpected '{token}'")


def parse(text: str) -> Script:
    """The commands of `text`.

    Raises:
        ShellSyntaxError: the text is not a list of commands.
    """
    reader = _Parser(text)
    script = reader.script(())
    if (token := reader.operator()) is not None or not reader.at_end():
        raise unexpected(token or reader.rest()[:1])
    return script


class _Parser:
    """A recursive descent over one text."""

    def __init__(self, text: str, depth: int = 0) -> None:
        self._text = text
        self._at = 0
        self._depth = depth

    # ---- characters

    def at_end(self) -> bool:
        return self._at >= len(self._text)

    def rest(self) -> str:
        return self._text[self._at :]

    def _peek(self, offset: int = 0) -> str:
        index = self._at + offset
        return self._text[index] if index < len(self._text) else ""

    def _skip_blanks(self) -> None:
        while True:
            if self._peek() in {" ", "\t"}:
                self._at += 1
            elif self._peek() == "\\" and self._peek(1) == "\n":
                self._at += 2
            elif self._peek() == "#":
                end = self._text.find("\n", self._at)
                self._at = len(self._text) if end < 0 else end
            else:
                return

    def operator(self) -> str | None:
        """The operator here, not taken; None when a word or the end is here."""
        self._skip_blanks()
        return next((op for op in _OPERATORS if self._text.startswith(op, self._at)), None)

    def _take(self, operator: str) -> bool:
        if self.operator() != operator:
            return False
        self._at += len(operator)
        return True

    def _skip_newlines(self) -> None:
        while self._take("\n"):
            pass

    # ---- lists

    def script(self, ends: tuple[str, ...]) -> Script:
        """Commands up to one of the keywords or closing operators in `ends`, which is not taken."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ShellSyntaxError("syntax error: nested too deeply")
        items: list[Item] = []
        self._skip_newlines()
        while not self.at_end() and not self._is_end(ends):
            listed = self._and_or()
            background = self._take("&")
            items.append(Item(listed, background))
            if not (background or self._take(";") or self.operator() == "\n"):
                break
            self._skip_newlines()
        self._depth -= 1
        return Script(tuple(items))

    def _is_end(self, ends: tuple[str, ...]) -> bool:
        operator = self.operator()
        return operator in ends if operator is not None else self._keyword() in ends

    def _and_or(self) -> AndOr:
        first = self._pipeline()
        rest: list[tuple[str, Pipeline]] = []
        while (op := self.operator()) in {"&&", "||"}:
            assert op is not None
            self._take(op)
            self._skip_newlines()
            rest.append((op, self._pipeline()))
        return AndOr(first, tuple(rest))

    def _pipeline(self) -> Pipeline:
        negated = False
        while self._take_keyword("!"):
            negated = not negated
        commands = [self._command()]
        while self._take("|"):
            self._skip_newlines()
            commands.append(self._command())
        return Pipeline(tuple(commands), negated)

    # ---- compound commands

    def _keyword(self) -> str:
        self._skip_blanks()
        match = _KEYWORD.match(self._text, self._at)
        if match is None:
            return ""
        following = self._text[match.end() : match.end() + 1]
        return match.group() if not following or following in _BREAKS else ""

    def _take_keyword(self, keyword: str) -> bool:
        if self._keyword() != keyword:
            return False
        self._at += len(keyword)
        return True

    def _expect(self, keyword: str) -> None:
        if not self._take_keyword(keyword):
            raise unexpected(self.operator() or self._bare_word())

    def _bare_word(self) -> str:
        self._skip_blanks()
        end = self._at
        while end < len(self._text) and self._text[end] not in _BREAKS:
            end += 1
        return self._text[self._at : end]

    def _command(self) -> Command:
        if self._take("("):
            body = self.script((")",))
            if not self._take(")"):
                raise unexpected(self.operator() or self._bare_word())
            return Group(body, subshell=True, redirects=self._redirects())
        match self._keyword():
            case "{":
                self._expect("{")
                body = self.script(("}",))
                self._expect("}")
                return Group(body, subshell=False, redirects=self._redirects())
            case "if":
                return self._if()
            case "for":
                return self._for()
            case "while" | "until" as word:
                self._expect(word)
                condition = self.script(("do",))
                body = self._do_done()
                return Loop(condition, body, until=word == "until", redirects=self._redirects())
            case "case":
                return self._case()
            case "then" | "else" | "elif" | "fi" | "do" | "done" | "esac" | "}" as word:
                raise unexpected(word)
            case _:
                return self._simple()

    def _if(self) -> If:
        branches: list[tuple[Script, Script]] = []
        otherwise: Script | None = None
        self._expect("if")
        while True:
            condition = self.script(("then",))
            self._expect("then")
            branches.append((condition, self.script(("elif", "else", "fi"))))
            if not self._take_keyword("elif"):
                break
        if self._take_keyword("else"):
            otherwise = self.script(("fi",))
        self._expect("fi")
        return If(tuple(branches), otherwise, self._redirects())

    def _for(self) -> For:
        self._expect("for")
        name = self._bare_word()
        if not _NAME.fullmatch(name):
            raise unexpected(self.operator() or name)
        self._at += len(name)
        self._skip_newlines()
        words: list[Word] = []
        if self._take_keyword("in"):
            while self.operator() is None and not self.at_end():
                words.append(self._word())
        self._take(";")
        self._skip_newlines()
        return For(name, tuple(words), self._do_done(), self._redirects())

    def _do_done(self) -> Script:
        self._expect("do")
        body = self.script(("done",))
        self._expect("done")
        return body

    def _case(self) -> Case:
        self._expect("case")
        word = self._word()
        self._skip_newlines()
        self._expect("in")
        self._skip_newlines()
        items: list[tuple[tuple[Word, ...], Script]] = []
        while self._keyword() != "esac":
            self._take("(")
            patterns = [self._word()]
            while self._take("|"):
                patterns.append(self._word())
            if not self._take(")"):
                raise unexpected(self.operator() or self._bare_word())
            items.append((tuple(patterns), self.script((";;", "esac"))))
            self._take(";;")
            self._skip_newlines()
        self._expect("esac")
        return Case(word, tuple(items), self._redirects())

    # ---- simple commands

    def _simple(self) -> Simple:
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            redirect = self._redirect()
            if redirect is not None:
                redirects.append(redirect)
                continue
            operator = self.operator()
            if operator == "(" and words:
                raise unexpected("(")
            if operator is not None or self.at_end():
                break
            name = _NAME.match(self._text, self._at)
            if not words and name is not None and self._text[name.end() : name.end() + 1] == "=":
                self._at = name.end() + 1
                assignments.append(Assignment(name.group(), self._word(may_be_empty=True)))
            else:
                words.append(self._word())
        if not (assignments or words or redirects):
            raise unexpected(self.operator() or "")
        return Simple(tuple(assignments), tuple(words), tuple(redirects))

    def _redirects(self) -> tuple[Redirect, ...]:
        found: list[Redirect] = []
        while (redirect := self._redirect()) is not None:
            found.append(redirect)
        return tuple(found)

    def _redirect(self) -> Redirect | None:
        self._skip_blanks()
        match = _REDIRECT.match(self._text, self._at)
        if match is None:
            return None
        number, op = match.groups()
        self._at = match.end()
        if op.startswith("<<"):
            return self._here(int(number or 0), op)
        target = self._word()
        if op in {">&", "<&"}:
            return Redirect(int(number or (1 if op == ">&" else 0)), RedirectOp.DUPLICATE, target)
        if op == "&>":
            return Redirect(-1, RedirectOp.WRITE, target)
        kind = {">>": RedirectOp.APPEND, "<": RedirectOp.READ, "<>": RedirectOp.READ}.get(op, RedirectOp.WRITE)
        return Redirect(int(number or (0 if op.startswith("<") else 1)), kind, target)

    def _here(self, fd: int, op: str) -> Redirect:
        word = self._word()
        if op == "<<<":
            return Redirect(fd, RedirectOp.TEXT, (*word, Literal("\n", quoted=True)))
        end = "".join(part.text for part in word if isinstance(part, Literal))
        raw = any(isinstance(part, Literal) and part.quoted for part in word)
        text, self._text = _cut_here_document(self._text, self._at, end, strip_tabs=op == "<<-")
        body: Word = (Literal(text, quoted=True),) if raw else _Parser(text, self._depth).double_quoted_text()
        return Redirect(fd, RedirectOp.TEXT, body)

    # ---- words

    def _word(self, *, may_be_empty: bool = False) -> Word:
        if not may_be_empty:
            self._skip_blanks()
        parts: list[Part] = []
        while not self.at_end() and self._peek() not in _BREAKS:
            parts.extend(self._part())
        if not parts and not may_be_empty:
            raise unexpected(self.operator() or self._peek())
        return tuple(parts)

    def _part(self) -> list[Part]:
        match self._peek():
            case "'":
                return [Literal(self._until_quote("'"), quoted=True)]
            case '"':
                return self._double_quoted()
            case "\\":
                self._at += 1
                if self.at_end():
                    return [Literal("\\", quoted=True)]
                character = self._peek()
                self._at += 1
                return [] if character == "\n" else [Literal(character, quoted=True)]
            case "$":
                return [self._dollar(quoted=False)]
            case "`":
                return [self._back_quotes(quoted=False)]
            case _:
                return [Literal(self._plain())]

    def _plain(self) -> str:
        start = self._at
        while not self.at_end() and self._peek() not in _BREAKS and self._peek() not in "'\"\\$`":
            self._at += 1
        return self._text[start : self._at]

    def _until_quote(self, quote: str) -> str:
        end = self._text.find(quote, self._at + 1)
        if end < 0:
            raise ShellSyntaxError("no closing quote")
        text = self._text[self._at + 1 : end]
        self._at = end + 1
        return text

    def _double_quoted(self) -> list[Part]:
        self._at += 1
        parts: list[Part] = [Literal("", quoted=True)]  # "" is an argument too
        while self._peek() != '"':
            if self.at_end():
                raise ShellSyntaxError("no closing quote")
            parts.append(self._quoted_part())
        self._at += 1
        return parts

    def double_quoted_text(self) -> Word:
        """All the text as if it stood between double quotes: the body of a here document."""
        parts: list[Part] = []
        while not self.at_end():
            parts.append(self._quoted_part())
        return tuple(parts)

    def _quoted_part(self) -> Part:
        character = self._peek()
        if character == "$":
            return self._dollar(quoted=True)
        if character == "`":
            return self._back_quotes(quoted=True)
        if character == "\\" and self._peek(1) in {"$", "`", '"', "\\", "\n"}:
            escaped = self._peek(1)
            self._at += 2
            return Literal("" if escaped == "\n" else escaped, quoted=True)
        self._at += 1
        return Literal(character, quoted=True)

    def _dollar(self, *, quoted: bool) -> Part:
        if self._text.startswith("$((", self._at) and (end := _closing(self._text, self._at + 3)) is not None:
            expression = self._text[self._at + 3 : end]
            self._at = end + 2
            return Arithmetic(expression, quoted)
        if self._peek(1) == "(":
            return self._command_substitution(quoted=quoted)
        if self._peek(1) == "{":
            return self._braced_parameter(quoted=quoted)
        if self._peek(1) == "'" and not quoted:
            return self._ansi_quoted()
        name = _NAME.match(self._text, self._at + 1)
        if name is not None:
            self._at = name.end()
            return Parameter(name.group(), quoted)
        if self._peek(1) and self._peek(1) in _SPECIAL_PARAMETERS:
            self._at += 2
            return Parameter(self._text[self._at - 1], quoted)
        self._at += 1
        return Literal("$", quoted)

    def _command_substitution(self, *, quoted: bool) -> Part:
        self._at += 2
        script = self.script((")",))
        if not self._take(")"):
            raise unexpected(self.operator() or self._bare_word())
        return Substitution(script, quoted)

    def _back_quotes(self, *, quoted: bool) -> Part:
        end = self._at + 1
        while end < len(self._text) and self._text[end] != "`":
            end += 2 if self._text[end] == "\\" else 1
        if end >= len(self._text):
            raise ShellSyntaxError("no closing quote")
        inner = re.sub(r"\\([$`\\])", r"\1", self._text[self._at + 1 : end])
        self._at = end + 1
        if self._depth >= MAX_DEPTH:
            raise ShellSyntaxError("syntax error: nested too deeply")
        nested = _Parser(inner, self._depth + 1)
        script = nested.script(())
        if not nested.at_end():
            raise unexpected(nested.operator() or nested.rest()[:1])
        return Substitution(script, quoted)

    def _braced_parameter(self, *, quoted: bool) -> Part:
        start = self._at
        self._at += 2
        if self._peek() == "#" and self._peek(1) != "}":
            self._at += 1
            op = "length"
        else:
            op = ""
        match = _NAME.match(self._text, self._at)
        name = match.group() if match else self._peek()
        if not name or not (match or name in _SPECIAL_PARAMETERS):
            raise ShellSyntaxError(f"{self._text[start : self._at + 1]}: bad substitution")
        self._at += len(name)
        word: Word = ()
        if op == "" and self._peek() != "}":
            op = next((one for one in _PARAMETER_OPS if self._text.startswith(one, self._at)), "")
            if not op:
                raise ShellSyntaxError(f"{self._text[start : self._at + 1]}: bad substitution")
            self._at += len(op)
            word = self._parameter_word(quoted=quoted)
        if self._peek() != "}":
            raise ShellSyntaxError(f"{self._text[start : self._at]}: bad substitution")
        self._at += 1
        return Parameter(name, quoted, op, word)

    def _parameter_word(self, *, quoted: bool) -> Word:
        parts: list[Part] = []
        while self._peek() != "}":
            if self.at_end():
                raise ShellSyntaxError("no closing quote")
            if self._peek() in {"'", '"', "\\", "$", "`"}:
                parts.extend(self._part() if not quoted else [self._quoted_part()])
            else:
                parts.append(Literal(self._peek(), quoted))
                self._at += 1
        return tuple(parts)

    def _ansi_quoted(self) -> Part:
        self._at += 2
        text: list[str] = []
        while self._peek() != "'":
            if self.at_end():
                raise ShellSyntaxError("no closing quote")
            if self._peek() == "\\" and self._peek(1):
                text.append(_ANSI_ESCAPES.get(self._peek(1), "\\" + self._peek(1)))
                self._at += 2
            else:
                text.append(self._peek())
                self._at += 1
        self._at += 1
        return Literal("".join(text), quoted=True)


def _closing(text: str, start: int) -> int | None:
    """Where the `))` of an arithmetic expansion stands; None where it is a subshell in a substitution."""
    depth = 0
    for index in range(start, len(text)):
        if text[index] == "(":
            depth += 1
        elif text[index] == ")":
            if depth == 0:
                return index if text[index + 1 : index + 2] == ")" else None
            depth -= 1
    return None


def _cut_here_document(text: str, at: int, end: str, *, strip_tabs: bool) -> tuple[str, str]:
    """The body of a here document, and the text without it."""
    line_end = text.find("\n", at)
    if line_end < 0:
        return "", text
    lines = text[line_end + 1 :].splitlines(keepends=True)
    body: list[str] = []
    for index, line in enumerate(lines):
        plain = line.lstrip("\t") if strip_tabs else line
        if plain.rstrip("\n") == end:
            return "".join(body), text[: line_end + 1] + "".join(lines[index + 1 :])
        body.append(plain)
    return "".join(body), text[: line_end + 1]

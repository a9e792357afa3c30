"""Damaged dumps made readable: bytes of any code page and text around the XML in, one XML text out.

Every repair leaves a word in the notes, so that a report can say what was done. Whether the result is a UI hierarchy is
for `tree` to judge; it comes here only after a strict parser refused the text as it was.
"""

from __future__ import annotations

import codecs
import re

__all__ = ["as_text", "repair", "unmangle"]

# `&#55357;&#56835;`: the dumper writes each UTF-16 half of an emoji as its own reference (uiautomator2#207).
_REFERENCES = re.compile(r"(?:&#(?:x[0-9a-fA-F]+|[0-9]+);)+")
_REFERENCE = re.compile(r"&#(?:x([0-9a-fA-F]+)|([0-9]+));")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BAD_CHARACTER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_BARE_AMPERSAND = re.compile(r"&(?!#[0-9]+;|#x[0-9a-fA-F]+;|(?:amp|lt|gt|quot|apos);)")
_ROOT = re.compile(r"<(?:hierarchy|node)\b")
_END = "</hierarchy>"

# UTF-8 read as code page 437, as a Windows console does: `Γ£ò` is ✕, `Γ¡É` is ⭐, `∩╕Å` is U+FE0F.
_UPPER_437 = bytes(range(0x80, 0x100)).decode("cp437")
# Only what takes three bytes or four: the leads of two are box-drawing characters, which terminals do show.
_LEAD_437 = "".join(_UPPER_437[lead - 0x80] for lead in range(0xE0, 0xF5))
_MANGLED = re.compile(f"[{re.escape(_LEAD_437)}][{re.escape(_UPPER_437)}]+")


def as_text(data: bytes) -> tuple[str, list[str]]:
    """The text of a dump's bytes and notes about it; never fails."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace"), ["utf16"]
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        encoding = _legacy_encoding(data)
    if encoding is None:
        return data.decode("utf-8-sig", errors="replace"), ["not_utf8: unreadable characters replaced"]
    return data.decode(encoding, errors="replace"), [f"not_utf8: read as {encoding}"]


def repair(text: str) -> tuple[str, list[str]]:
    """The part of the text that is the dump, well-formed as far as characters go, and what was done."""
    notes: list[str] = []
    text = _cut_to_root(text, notes)
    joined = _REFERENCES.sub(_join_references, _join_surrogates(text))
    if joined != text:
        notes.append("references")
    clean = _BAD_CHARACTER.sub("", joined)
    if clean != joined:
        notes.append("control_characters")
    escaped = _BARE_AMPERSAND.sub("&amp;", clean)
    if escaped != clean:
        notes.append("bare_ampersands")
    return escaped, notes


def unmangle(text: str) -> str:
    """The text with runs of UTF-8 that were read as code page 437 put right; any other text as it is."""
    if text.isascii():
        return text
    return _MANGLED.sub(_unmangle_run, text)


def _legacy_encoding(data: bytes) -> str | None:
    """The code page of bytes that are not UTF-8, or None when they are damaged UTF-8.

    Hangul lies in the rows B0–C8 of KS X 1001 alone, while Chinese text uses rows far above C8 as well, most of it the
    first level of GB 2312 (B0–D7).
    """
    high = sum(byte >= 0x80 for byte in data)
    replaced = data.decode("utf-8", errors="replace").count("\ufffd")
    if replaced * 5 < high:
        return None
    leads = [pair[0] for pair in re.findall(rb"[\x81-\xfe][\x40-\xfe]", data)]
    if not leads:
        return None
    if sum(0xB0 <= lead <= 0xC8 for lead in leads) >= 0.95 * len(leads):
        return "cp949"
    if sum(0xB0 <= lead <= 0xD7 for lead in leads) >= 0.7 * len(leads):
        return "gb18030"
    return None


def _cut_to_root(text: str, notes: list[str]) -> str:
    # `[DeviceManager] Found USB device …` before, `UI hierchary dumped to: /dev/tty` glued to the end.
    start = _ROOT.search(text)
    if start is None:
        return text
    before = text[: start.start()].lstrip("\ufeff")
    if before.strip() and not before.lstrip().startswith(("<?xml", "<!--")):
        notes.append("text_before")
    body = text[start.start() :]
    end = _end_of_root(body)
    if end is None:
        return body
    if body[end:].strip():
        notes.append("text_after")
    return body[:end]


def _end_of_root(body: str) -> int | None:
    end = body.find(_END)
    if end >= 0:
        return end + len(_END)
    opening = re.match(r"<hierarchy\b(?:[^<>\"']|\"[^\"]*\"|'[^']*')*/>", body)
    return opening.end() if opening else None


def _join_surrogates(text: str) -> str:
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def _join_references(run: re.Match[str]) -> str:
    """A run of character references without those XML forbids; the halves of a pair joined, lone halves dropped."""
    codes = [_number(*reference) for reference in _REFERENCE.findall(run[0])]
    joined: list[str] = []
    for code, following in zip(codes, [*codes[1:], 0], strict=True):
        if 0xD800 <= code < 0xDC00 <= following < 0xE000:
            joined.append(f"&#{0x10000 + ((code - 0xD800) << 10) + (following - 0xDC00)};")
        elif _allowed(code):
            joined.append(f"&#{code};")
    return "".join(joined)


def _number(hexadecimal: str, decimal: str) -> int:
    digits, base = (hexadecimal, 16) if hexadecimal else (decimal, 10)
    return int(digits, base) if len(digits) < 12 else 0


def _allowed(code: int) -> bool:
    """Whether XML 1.0 allows this character."""
    if code < 0x20:
        return code in (0x9, 0xA, 0xD)
    return not 0xD800 <= code < 0xE000 and code not in (0xFFFE, 0xFFFF) and code <= 0x10FFFF


def _unmangle_run(match: re.Match[str]) -> str:
    try:
        return match[0].encode("cp437").decode("utf-8")
    except UnicodeError:
        return match[0]

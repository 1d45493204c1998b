"""Bytes to text and back without losing one, and the small questions asked of text everywhere. Pure."""

import re
import unicodedata
from io import StringIO

from commonplace.errors import UnreadableFile
from commonplace.patterns import LazyPattern

_UTF16_OR_32 = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_A_WORD = 16
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x9f]")
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_WIDE = LazyPattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u0e00-\u0eff\U00020000-\U0003ffff]")


def decode(data: bytes, name: str) -> str:
    """UTF-8; bytes that are not survive as surrogates and are written back as they were."""
    if data.startswith(_UTF16_OR_32) or _every_other_byte_is_nul(data[:200]):
        raise UnreadableFile(
            f"{name} is UTF-16 or UTF-32 text; Commonplace reads and writes UTF-8.",
            hint=f"Convert it, for example: iconv -f UTF-16 -t UTF-8 {name} > new && mv new {name}",
        )
    return data.decode("utf-8", "surrogateescape")


def _every_other_byte_is_nul(start: bytes) -> bool:
    """UTF-16 or UTF-32 without a mark, as far as it holds Western text and is more than a word."""
    return (
        len(start) >= _A_WORD
        and any(half and set(half) == {0} for half in (start[::2], start[1::2]))
        and set(start) != {0}
    )


def encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def printable(text: str) -> str:
    """For terminals and JSON: bytes that were not UTF-8 are shown as U+FFFD."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def split_lines(text: str) -> list[str]:
    """Lines with their ends, broken at LF, CRLF and CR only (`splitlines` also breaks inside a sentence)."""
    return StringIO(text, newline="").readlines()


def on_one_line(text: str) -> str:
    """The text as one line of Markdown: no line breaks, no control characters, nothing that cannot be encoded."""
    joined = " ".join(part for piece in text.splitlines() if (part := piece.strip()))
    return _LONE_SURROGATE.sub("\ufffd", _CONTROLS.sub("", joined)).strip()


def folded(text: str) -> str:
    """For comparing: case, spacing and Unicode form do not count."""
    return " ".join(unicodedata.normalize("NFC", text).split()).casefold()


def count_whole(needle: str, haystack: str) -> list[int]:
    """Where `needle` stands in `haystack` as whole words (scripts without spaces have no word edges)."""
    found: list[int] = []
    start = haystack.find(needle) if needle else -1
    while start >= 0:
        end = start + len(needle)
        if _is_edge(haystack, start) and _is_edge(haystack, end):
            found.append(start)
            start = haystack.find(needle, end)
        else:
            start = haystack.find(needle, start + 1)
    return found


def _is_edge(text: str, at: int) -> bool:
    if at in {0, len(text)}:
        return True
    before, after = text[at - 1], text[at]
    if not (before.isascii() and after.isascii()) and (_WIDE.match(before) or _WIDE.match(after)):
        return True
    return not (_in_word(before) and _in_word(after))


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_" or unicodedata.combining(char) != 0

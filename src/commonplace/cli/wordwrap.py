"""Lines broken between words, for a terminal. Pure."""

import re
import unicodedata

_NARROWEST = 20
_INDENT = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])?[ \t]*")
_WIDE = re.compile(r"[\u2e80-\uffef]")
_PIECES = re.compile(r"\n|[ \t]+|[\u2e80-\uffef]|[^ \t\n\u2e80-\uffef]+")  # scripts without spaces break anywhere


class WordWrap:
    """Breaks lines between words as text comes in, so that a terminal does not break them within one: a word that
    turns out to be too long for its line is taken back and begins the next. Lines below a bullet are indented like its
    text; code is left alone."""

    def __init__(self, width: int) -> None:
        self._width = max(width, _NARROWEST)
        self._word = ""  # the last word shown: it may go on
        self._line = ""  # what stands in the current line of the text, unbroken
        self._column = 0
        self._in_code = False

    def feed(self, text: str) -> str:
        """What a terminal is to be sent for it."""
        return "".join(map(self._placed, _PIECES.findall(text)))

    def _placed(self, piece: str) -> str:
        if piece == "\n":
            self._in_code ^= self._line.lstrip().startswith("```")
            self._line, self._word, self._column = "", "", 0
            return piece
        is_word = not piece.isspace() and not _WIDE.match(piece)
        begun, self._word = self._word, (self._word + piece if is_word else "")
        self._line += piece
        wide = _columns(piece)
        whole = wide + (_columns(begun) if is_word else 0)
        fits = self._column + wide <= self._width or self._column == whole - wide
        if fits or self._in_code or self._line.startswith("```"):
            self._column += wide
            return piece
        if piece.isspace():
            self._column = self._width  # the break comes with the next word
            return ""
        lead = _INDENT.match(self._line)
        indent = " " * min(_columns(lead[0]) if lead else 0, self._width // 2)
        self._column = len(indent) + whole
        taken_back = "\b" * (whole - wide) + "\x1b[K" if is_word and begun else ""
        return f"{taken_back}\n{indent}{begun if is_word else ''}{piece}"


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF") for char in text)

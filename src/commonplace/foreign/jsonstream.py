"""Reading a JSON file piece by piece, so that memory is bounded by the largest conversation and not by all of them.

A list is decoded element by element by the standard library's own decoder, at its speed, on a window of the text. That
is all that exports need, and why there is no library for it: those that exist give single tokens, and cost ten times
as much where they are not compiled.
"""

import codecs
import json
from collections.abc import Iterator
from typing import IO

from commonplace.errors import UnreadableFile

LARGEST = 256 * 1024 * 1024
"""How many characters one element may have."""
_CHUNK = 1 << 18
_BLANK = " \t\r\n"
_DECODER = json.JSONDecoder()


def pieces(stream: IO[bytes], name: str, largest: int = LARGEST) -> Iterator[tuple[str, object]]:
    """What a file holds: of a list each element, of an object each member under its key, with members that are lists
    element by element. Nothing else is a file of records."""
    window = _Window(stream, name, largest)
    match window.peek():
        case "[":
            yield from (("", element) for element in _elements(window))
        case "{":
            for key in _keys(window):
                if window.peek() == "[":
                    yield from ((key, element) for element in _elements(window))
                else:
                    yield key, window.value()
        case _:
            raise window.unreadable("it is neither a list nor an object")
    if window.peek():
        raise window.unreadable("something follows its end")


def _keys(window: "_Window") -> Iterator[str]:
    """The keys of an object; the caller takes each value before it goes on."""
    window.take("{")
    while window.peek() != "}":
        key = window.value()
        if not isinstance(key, str):
            raise window.unreadable("a key is no text")
        window.take(":")
        yield key
        if window.peek() != "}":
            window.take(",")
    window.take("}")


def _elements(window: "_Window") -> Iterator[object]:
    window.take("[")
    while window.peek() != "]":
        yield window.value()
        if window.peek() != "]":
            window.take(",")
    window.take("]")


class _Window:
    """The part of the text that is being looked at."""

    def __init__(self, stream: IO[bytes], name: str, largest: int) -> None:
        self._stream = stream
        self._name = name
        self._largest = largest
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._ended = False

    def peek(self) -> str:
        """The next character that is not blank; "" at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _BLANK:
                    return self._text[self._at]
                self._at += 1
            if not self._more():
                return ""

    def take(self, char: str) -> None:
        if self.peek() != char:
            raise self.unreadable(f"{char!r} is missing" if self._at < len(self._text) else "its end is missing")
        self._at += 1

    def value(self) -> object:
        self.peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if not self._more():
                    raise self.unreadable(error.msg) from error
                continue
            except (ValueError, RecursionError) as error:  # a number of a million digits; brackets in brackets
                raise self.unreadable("it is nested too deep, or has a number that is none") from error
            if end == len(self._text) and self._more():
                continue  # of a number, perhaps only the beginning
            self._at = end
            return value

    def _more(self) -> bool:
        """Read on, more at a time the longer the element is: whatever is tried again costs no more than it adds."""
        if self._ended:
            return False
        kept = self._text[self._at :]
        if len(kept) > self._largest:
            raise UnreadableFile(
                f"{self._name} has one element of more than {self._largest:,} characters.",
                hint="No conversation is that long. Export it again.",
            )
        data = self._stream.read(max(_CHUNK, len(kept)))
        self._ended = not data
        try:
            self._text, self._at = kept + self._decoder.decode(data, final=self._ended), 0
        except UnicodeDecodeError as error:
            raise self.unreadable("it is not UTF-8 text") from error
        return bool(data) or len(self._text) > len(kept)

    def unreadable(self, why: str) -> UnreadableFile:
        return UnreadableFile(f"{self._name} is not JSON that can be read: {why}.", hint="Export it again.")

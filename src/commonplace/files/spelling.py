"""One text in all the spellings that a book may give it. Pure.

On its way through the book a text is folded onto one line, split at its sentences, joined from a list, marked, escaped
for Markdown or JSON, straightened, and cut short. What stays is its letters, digits and symbols in their order. So a
text is looked for by that core: spaces, punctuation, quotes, marks of lists, backslashes, control characters, letter
case and Unicode form do not count. Only a short text must not reach over the end of a sentence that it does not have
itself: "likes tea" is not in "what she likes. Tea is …".
"""

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

_CUT = "…"
_PIECE = re.compile(
    r"(?P<number>^[ \t>*+•-]{0,20}\d{1,2}[.)](?=\s|$))|(?P<mark>(?<!\S)[-*+>#|•–—]{1,20}(?!\S))"
    r"|(?P<word>[A-Za-z0-9]+)|(?P<escape>\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u[0-9a-fA-F]{4}|[nrtbf/\"\\]))|(?P<entity>&(?:lt|gt|amp|quot|#\d{1,6});)"
    r"|(?P<sign>(?<![^\W_])-(?=\d))|(?P<other>.)",
    re.DOTALL | re.MULTILINE,
)
_BLANK = frozenset("-–—'\"()[]{}`´‘’‚‛“”„‟«»‹›ʼ・「」『』（）【】*_<>")
_ENDING = frozenset(".,;:!?…。，；：！？、|")
_END = "\n"
_FEW_WORDS, _FEW_LETTERS = 4, 16
_LEAST_WORDS, _LEAST_LETTERS = 2, 8
_ROOM = 1000  # more blanks and marks than any step puts between two words
_HIDDEN = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x9f\u00ad\u200b-\u200f\u2060-\u2064\ufeff]|\\u")
_HALF_ENTITY = re.compile(r"&#?\w{0,6}$")
_EDGE = " \t\r\n-*+>#|•.,;:!?…\"'()[]“”‘’。！？；：，、"


class Core(NamedTuple):
    """The core of a text, with a blank between words and a line break where something ends, and where each of its
    parts stands in the text: (place in the core, start, end)."""

    text: str
    parts: tuple[tuple[int, int, int], ...]

    def span(self, at: int, length: int) -> tuple[int, int]:
        """Where the characters at `at` of the core stand in the text."""
        return self._place(at)[0], self._place(at + length - 1)[1]

    def _place(self, at: int) -> tuple[int, int]:
        begun, start, end = self.parts[bisect_right(self.parts, at, key=lambda part: part[0]) - 1]
        linear = end - start > 1 and begun + end - start > at  # a run of plain letters and digits
        return (start + at - begun, start + at - begun + 1) if linear else (start, end)


def core_of(text: str, *, escaped: bool = True) -> Core:
    """What all spellings of `text` have in common. `escaped`: escapes as JSON has them are read as what they stand
    for."""
    found: list[str] = []
    parts: list[tuple[int, int, int]] = []
    length, blank = 0, True
    for piece in _PIECE.finditer(text):
        kind, start, end = piece.lastgroup, piece.start(), piece.end()
        if kind == "word":
            made = piece[0].lower()
        elif kind == "escape" and not escaped:
            made = " " if piece[0][1] in '"/' else _folded(piece[0][1]) if piece[0][1] != "\\" else ""
        elif kind in {"number", "mark"}:
            made = _END
        elif kind == "sign":
            made = "-"
        else:
            made = _folded(_unescaped(piece[0]) if kind != "other" else piece[0])
        if blank and made == _END and found:
            found[-1] = _END
        if not made or (blank and made.isspace()):
            continue
        blank = made.isspace()
        found.append(made)
        if kind == "escape" and not escaped:
            start = end - 1
        parts.append((length, start, end))
        length += len(made)
    return Core("".join(found), tuple(parts))


@lru_cache(maxsize=4096)
def _folded(char: str) -> str:
    """A character as it counts: a letter or symbol, a blank, or nothing."""
    if char == "\\" or not char:
        return ""
    if char.isspace() or char in _BLANK:
        return " "
    if char in _ENDING:
        return _END
    if unicodedata.category(char) in {"Cc", "Cf", "Cs"} and not "\udc80" <= char <= "\udcff":
        return ""
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", char).casefold())


def _unescaped(piece: str) -> str:
    if piece.startswith("&"):
        return html.unescape(piece)
    if piece[1] == "u":
        return bytes.fromhex(piece.replace("\\u", "")).decode("utf-16-be", "replace")
    return " " if piece[1] in "nrtbf" else "" if piece[1] == "\\" else piece[1]


class Wanted(NamedTuple):
    """A core that is looked for; `alone`: only where it is all of a sentence, line or entry, since it is short."""

    core: str
    text: str
    alone: bool
    pattern: re.Pattern[str]
    words: tuple[str, ...]


class Spellings:
    """Texts that are looked for, whole and in the pieces that the book may have made of them."""

    def __init__(self, texts: Sequence[str], pieces: Sequence[str] = ()) -> None:
        found = {whole.core: whole for whole in map(_wanted, texts)}
        self.shortest = min((len("".join(core.split()).encode("utf-8", "replace")) for core in found), default=0)
        sentences = [sentence for text in texts for sentence in _sentences(text)]
        for piece in map(_wanted, (*sentences, *pieces)):
            if (len(piece.core.split()) >= _LEAST_WORDS or not piece.core.isascii()) and _letters(
                piece.core
            ) >= _LEAST_LETTERS:
                found.setdefault(piece.core, piece._replace(alone=_is_short(piece.core)))
        self.wanted = tuple(found.values())

    def within(self, text: str) -> bool:
        return next(self.places(text), None) is not None

    def without(self, text: str, placeholder: str) -> str:
        """`text` with the placeholder where a spelling stood."""
        kept: list[str] = []
        at = 0
        for start, end in self.places(text):
            kept += [text[at:start], placeholder]
            at = end
        return "".join([*kept, text[at:]]) if kept else text

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Where the spellings stand, in order, none within another."""
        found: list[tuple[int, int]] = []
        for begin, end, wanted in self._parts(text):
            part = text[begin:end]
            for escaped in (False, True) if "\\" in part else (True,):
                core = core_of(part, escaped=escaped)
                found += [(begin + start, begin + end) for one in wanted for start, end in _places(core, one, part)]
        return _joined(found)

    def _parts(self, text: str) -> Iterator[tuple[int, int, Sequence[Wanted]]]:
        """The parts of a text that may have a spelling, and of what. Taking a text apart is slow, and most have nothing
        of it: that is seen by the plain words, around the longest of which it must stand. Hidden characters hide
        words."""
        hidden, plain = _HIDDEN.search(text), _lowered(text)
        anywhere: list[Wanted] = []
        for wanted in self.wanted:
            if hidden or not wanted.words:
                anywhere.append(wanted)
            elif all(word in plain for word in wanted.words):
                room, longest = _ROOM + 8 * len(wanted.text), re.escape(wanted.words[0])
                around = [(max(at.start() - room, 0), at.end() + room) for at in re.finditer(longest, plain)]
                yield from ((start, end, [wanted]) for start, end in _joined(around))
        if anywhere:
            yield 0, len(text), anywhere

    def without_cut(self, line: str, placeholder: str) -> str:
        """A line without the beginning of a spelling at its end, where the line was cut off."""
        if not line.endswith(_CUT):
            return line
        kept = line.removesuffix(_CUT)
        whole = _HALF_ENTITY.sub("", kept)
        for start in re.finditer(r"(?<![^\W_])\w|&", whole):
            core = " ".join(_bare(whole[start.start() :]).split())
            if len(core) > 2 and any(" ".join(wanted.core.split()).startswith(core) for wanted in self.wanted):
                return f"{kept[: start.start()]}{placeholder}{_CUT}"
        return line


def _lowered(text: str) -> str:
    """In lower case, character by character: a few letters become two, and places must stay what they are."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c if len(c.lower()) > 1 else c.lower() for c in text)


def _plain_words(text: str, core: str) -> tuple[str, ...]:
    """The words that look the same in every spelling but for their case: not the number of an item, the name of an
    entity, or a letter that becomes two in lower case."""
    words = set(re.findall(r"[^\W_]+", _lowered(unicodedata.normalize("NFC", text))))
    plain = (word for word in words if word == unicodedata.normalize("NFD", word).casefold() and word in core)
    return tuple(sorted(plain, key=lambda word: (-len(word), word)))


def _bare(text: str) -> str:
    """The core without what may be stripped from the ends of a text."""
    return core_of(re.sub(r"[\r\n]+", "\n- ", text), escaped=False).text.strip(" \n-+#")


def _wanted(text: str) -> Wanted:
    core = _bare(text)
    gap = "[ \n]" if not _is_short(core) else " "
    pattern = "".join("[ \n]" if c == _END else gap if c == " " else re.escape(c) for c in core)
    return Wanted(core, text, False, re.compile(pattern), _plain_words(text, core))


def _letters(core: str) -> int:
    """How many letters a core has; a sign of a script without spaces tells as much as four."""
    return sum(4 if ord(char) > 0x2E80 else 1 for char in core if char.isalnum())


def _is_short(core: str) -> bool:
    wide = any(ord(char) > 0x2E80 for char in core)
    return _letters(core) < _FEW_LETTERS or (not wide and len(core.split()) < _FEW_WORDS)


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?…])[\"')\]]*\s+|(?<=[。！？])|[\r\n]+|;\s", text)


def _places(core: Core, wanted: Wanted, text: str) -> Iterator[tuple[int, int]]:
    if not wanted.core or not all(word in core.text for word in wanted.words):
        return
    found = wanted.pattern.search(core.text)
    while found:
        start, end = _widened(text, *core.span(found.start(), len(found[0])), wanted.text)
        if not wanted.alone or _is_alone(text, start, end):
            yield start, end
        found = wanted.pattern.search(core.text, found.start() + 1)


def _widened(text: str, start: int, end: int, written: str) -> tuple[int, int]:
    """Also what belongs to the text at its ends, and is no part of its core."""
    lead = written[: len(written) - len(written.lstrip(_EDGE))].lstrip()
    tail = written[len(written.rstrip(_EDGE)) :].rstrip()
    if tail and text.startswith(tail, end):
        end += len(tail)
    if lead and text.endswith(lead, 0, start):
        start -= len(lead)
    return start, end


def _is_alone(text: str, start: int, end: int) -> bool:
    before = text[:start].rstrip(" \t*_\"'“‘(>")[-1:]
    after = text[end:].lstrip(" \t_\"'”’)")[:1]
    return before in {"", "\n", "\r", "-", "*", "+", ".", "!", "?", ":", ";", "。", "！", "？", "|", "\\"} and (
        after in {"", "\n", "\r", "-", "*", "+", ".", "!", "?", ";", "。", "！", "？", "|", "\\", ","}
    )


def _joined(places: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Places that overlap as one."""
    begun, ended = -1, -1
    for start, end in sorted(places):
        if start < ended:
            ended = max(ended, end)
            continue
        if begun >= 0:
            yield begun, ended
        begun, ended = start, end
    if begun >= 0:
        yield begun, ended

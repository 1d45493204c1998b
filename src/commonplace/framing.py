"""Stored text inside a prompt: framed as data, in a way that no text can leave. Pure.

What a person, a web page or a model once wrote is shown to a model later. Here it loses what could make it more than
text: tags, headings, fences, role names, the special tokens of chat templates, images and links, and characters that
nobody sees. It stays readable, and everything else in it stays as it was.

Whoever reads the frame may join lines, drop white space and characters without width, and resolve character references
like `&lt;`. So none of that may make a tag: an opening bracket becomes another character, which nothing turns back, and
a reference that could become one is broken. Every pattern here takes time in proportion to the text.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import cast

from commonplace.prompts import prompt
from commonplace.types.sessions import Message

TAG = "commonplace-memory"
ECHO = "echo"
"""What of a message only repeats memory: beginnings and ends in its text."""
_OPEN, _CLOSE = f"<{TAG}>", f"</{TAG}>"

_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# Letters and marks that show nothing, besides the format characters that Unicode calls so.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufe00-\ufe0e\U000e0100-\U000e01ef]")
_BRACKET = "\u2039"  # no form of normalisation makes it a `<`
_OPENING = re.compile(r"<(?!\s*[\d=-])|[\uff1c\ufe64]")
# An ampersand that is, or with the next line becomes, the reference of `<` or of `&`.
_REFERRING = re.compile(r"&(?=\s*(?:#|$|(?:n\s*v\s*)?l\s*(?:t|$)|n\s*(?:v\s*)?$|a\s*(?:m|$)))", re.IGNORECASE)
_SHOWN_OTHERWISE = re.compile(rf"(?P<less>&lt;|{_BRACKET}(?=\S))|(?<=!)\\(?=\[)|(?<=\])\\(?=\()")
_TEMPLATE = re.compile(r"\[(?=/?[A-Z][A-Z_ ]{2,}\])")
_LEAD = r"(?P<lead>[\s>*_+\"'`#\\-]*(?:\d{1,9}[.)]\s[\s>*_\"'`]*)?)"
_ROLE = re.compile(
    rf"^{_LEAD}(?P<role>(?:human|user|assistant|system|developer|tool|function|ai|model|ipython|observation"
    r"|instructions?|response)[*_]{0,3})(?=\s*[:\uff1a])",
    re.IGNORECASE,
)
_MARK = r"(?:>\s*|[-*+]\s+|\d{1,9}[.)]\s+)"  # a quotation needs no space after its mark, a list does
_NESTED = rf"\s*{_MARK}{{0,20}}"
_TOO_DEEP = re.compile(rf"\s*(?={_MARK}{{20}})")
_START = re.compile(rf"^({_NESTED})(?=#{{1,6}}(?:\s|$)|=+\s*$|[-*_](?:\s*[-*_]){{2,}}\s*$|-+\s*$|[:\uff1a])")
_LABEL = re.compile(rf"^({_NESTED})(?=\[(?:long-term memory|daily log|conversation)\b)", re.IGNORECASE)
_REFERENCE = re.compile(rf"^({_NESTED}\[[^\]]*\])(?=:)")
_FENCE = re.compile(r"`{3,}|~{3,}")

_RECALLED = re.compile(
    r"^[ \t]*- \[(?:Long-term memory|(?:Daily log|Conversation) \d{4}-\d\d-\d\d)\] .*\n?", re.MULTILINE
)


def framed(text: str, heading: str = "") -> str:
    """`text` as data for a model, under a heading of ours; nothing in the text can be one."""
    return frame([*([f"## {heading}", ""] if heading else []), *harmless_lines(text)])


def frame(lines: list[str]) -> str:
    """The frame around lines that are harmless already."""
    return "\n".join([opening(), *lines, _CLOSE])


def opening() -> str:
    """What stands before the text: the tag, and that this is data."""
    return f"{_OPEN}\n{prompt('frame')}\n"


def harmless_lines(text: str) -> list[str]:
    return [harmless(line) for line in _BREAKS.split(text)]


def harmless(line: str) -> str:
    """Stored text as nothing but text, on one line."""
    line = visible(_BREAKS.sub(" ", line)).replace("\t", "    ")
    line = _OPENING.sub(_BRACKET, line)
    line = _REFERRING.sub(r"&\\", line)
    line = _TEMPLATE.sub("[\\\\", line)
    line = _FENCE.sub(lambda fence: "\\" + "\\".join(fence[0]), line)
    line = line.replace("![", "!\\[").replace("](", "]\\(")
    if deep := _TOO_DEEP.match(line):  # nobody nests so deep: the first mark is no mark, and so none is
        line = f"{deep[0]}\\{line[deep.end() :]}"
    line = _REFERENCE.sub(r"\1\\", line)
    line = _LABEL.sub(r"\1\\", line)
    line = _ROLE.sub(r"\g<lead>\g<role>\\", line)
    return _START.sub(r"\1\\", line)


def meant(text: str) -> str:
    """What a model means that writes in the way of the frame: brackets, images and links as they were."""
    return _SHOWN_OTHERWISE.sub(lambda shown: "<" if shown["less"] else "", text)


def visible(text: str) -> str:
    """`text` without characters that nobody sees, and without those that turn it around."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(filter(None, map(_seen, _BLANK.sub("", text))))


def _seen(char: str) -> str:
    if char in "\t\n":
        return char
    match unicodedata.category(char):
        case "Cf" | "Cc":
            return ""
        case "Cs":
            return "\ufffd"
        case _:
            return char


def unechoed(message: Message) -> str:
    """What a message says by itself: neither memory that we put into a prompt, nor what only repeats it (its places
    were noted when it was written down)."""
    text, end = message.text, len(message.text)
    for start, stop in reversed(_places(message.extra.get(ECHO))):
        if 0 <= start < stop <= end:
            text, end = text[:start] + text[stop:], start
    return strip_injected(text)


def _places(noted: object) -> list[tuple[int, int]]:
    pairs = cast(list[object], noted) if isinstance(noted, list) else []
    found = [cast(Sequence[object], pair) for pair in pairs if isinstance(pair, list | tuple)]
    return sorted(
        (pair[0], pair[1]) for pair in found if len(pair) == 2 and isinstance(pair[0], int) and isinstance(pair[1], int)
    )


def strip_injected(text: str) -> str:
    """`text` without memory that we put into a prompt and that came back: it must not be learned as if it were new."""
    if TAG not in text and "- [" not in text:
        return text
    bare = "\n".join(_outside_frames(text))
    return _RECALLED.sub("", bare).strip() if bare != text or _RECALLED.search(bare) else text


def _outside_frames(text: str) -> Iterator[str]:
    """What stands before, between and after our frames. A frame that was cut off goes on to the end."""
    at = 0
    while (start := text.find(_OPEN, at)) >= 0:
        within = start + len(_OPEN)
        end = text.find(_CLOSE, within)
        if end < 0 and not text.startswith(f"\n{prompt('frame')}", within):
            break
        yield text[at:start].removesuffix("\n")
        at = len(text) if end < 0 else end + len(_CLOSE)
        at += text.startswith("\n", at)
    yield text[at:]

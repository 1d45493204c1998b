"""Secrets that are named as such right beside their value: `password: …`, `api_key=…`, "the PIN is …".

The words that name a secret are data (`keywords.tsv`). A value that nobody writes in prose behind a colon or an equals
sign is a secret for sure; any other one is only if the classifier holds it for one as well.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from commonplace.gate.secretvalues import is_made, is_measure, is_placeholder, is_plausible
from commonplace.patterns import LazyPattern

_GAP = r"(?:[ \t]+[^\s:=.;,!?]{1,24}){0,6}?"  # "for the NAS at home"
_QUOTE = "\"'`“„«‘「『"
_IS = (
    r"is|was|are|=|ist|lautet|war|es|era|est|é|è|to|jest|är|er|on|это|—|–|-|是|为|は|：|는|은|هي|है"
    r"|changed to|set to|became|reads"
)
_VALUE = (
    r"(?:[\"“„«「『`](?P<quoted>[^\"”“»」』`\n]{3,100})[\"”“»」』`]|'(?P<single>[^'\n]{3,100})'"
    rf"|(?P<bare>[^\s{_QUOTE}]{{3,200}}))"
)


class Keyed(NamedTuple):
    """A value beside a word that names it a secret; `is_sure`: without asking anybody."""

    kind: str
    start: int
    end: int
    is_sure: bool


@cache
def _words() -> dict[str, str]:
    """What each word names."""
    lines = Path(__file__).with_name("keywords.tsv").read_text("utf-8").splitlines()[1:]
    return {word: kind for kind, words in (line.split("\t") for line in lines) for word in words.split("¦")}


def _any_word() -> str:
    return "|".join(re.escape(word) for word in sorted(_words(), key=len, reverse=True))


_WORD = LazyPattern(_any_word)
_BEHIND = LazyPattern(
    rf"(?P<name>[\w.-]{{0,30}}[\"'`]?[\]\)]?)"
    rf"(?:(?P<direct>[ \t]{{0,3}}(?::=|=>|->|→|[:=：])[ \t]{{0,3}})"
    rf"|(?P<gap>{_GAP})[ \t]{{0,2}}(?:\b(?:{_IS})\b|[：是は는은])[ \t]{{0,2}}|[ \t]{{1,2}})"
    rf"{_VALUE}"
)
_DRAWN_KIND = "key or token"
_DRAWN = 20  # characters of a value that only a machine makes up
_OF_NOBODY = LazyPattern(r"(?i)\b(?:id|hash|public|publishable|fingerprint|prefix|called|named)\b")
_TRAILING = ".,;:)]}»”"


def keyed_values(text: str) -> Iterator[Keyed]:
    """The values that stand beside a word for a secret."""
    low = text.lower()
    if len(low) != len(text):
        return
    end = 0
    for word in _WORD.finditer(low):
        before = low[word.start() - 1 : word.start()]
        within = before.isascii() and before.isalpha() and word.group().isascii()
        if word.start() < end or (within and not _is_code(text, word)):
            continue
        found = _BEHIND.match(text, word.end())
        if found is None:
            continue
        name = "quoted" if found["quoted"] else "single" if found["single"] else "bare"
        start, last = found.span(name)
        if name == "bare":
            last = start + len(text[start:last].rstrip(_TRAILING)) or last
        value = text[start:last]
        kind = _words()[word.group()]
        if len(value) < 3 or is_placeholder(value) or is_measure(value) or (kind == _DRAWN_KIND and value.isdigit()):
            continue
        if found["gap"] and not is_made(value):
            continue  # too far from its name to be sure of a number or a plain word
        yield Keyed(kind, start, last, _is_sure(kind, value, None if found["direct"] else found["gap"] or ""))
        end = start


def _is_code(text: str, word: re.Match[str]) -> bool:
    """Whether a word is the end of a longer name in code: dbPassword, MYSQL_PWD."""
    return text[word.start()].isupper() or text[word.start() - 1] in "_-."


def _is_sure(kind: str, value: str, between: str | None) -> bool:
    """Whether nobody writes such a value but as a secret; `between` are words that stand before it, None if a sign
    joins it to its name."""
    if kind == _DRAWN_KIND:
        drawn = any(map(str.isdigit, value)) and is_plausible(value)
        if between is not None:
            return drawn and len(value) >= _DRAWN and not _OF_NOBODY.search(between)
        return drawn and len(value) >= 8
    if between is not None:
        return False
    if kind == "password":
        return len(value) >= 5 and is_made(value)
    return value.isdigit() and len(value) >= 3

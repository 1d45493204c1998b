"""Finding words and phrases of many languages in a text, in one pass whose time grows with the text alone. Pure.

A list of phrases is a text with commas. `switch*` is every word that begins so, `has .. open` lets up to five words
stand between, `#` is a number and `@` a year. Case and accents do not matter. Scripts that are written without spaces,
or that join small words to others (Arabic, Devanagari), are searched letter by letter.
"""

import re
from collections.abc import Mapping
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

from commonplace.gate.wording import MARK
from commonplace.patterns import LazyPattern
from commonplace.terms import normalise

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+|%")
_JOINED_RANGES = "\u0590\u109f \u1780\u17ff \u3005\u3005 \u3040\u30ff \u3400\u4dbf \u4e00\u9fff \uac00\ud7af".split()
_FIRST_JOINED = _JOINED_RANGES[0][0]
_JOINED = LazyPattern("[" + "".join(f"{first}-{last}" for first, last in _JOINED_RANGES) + "]")
_YEAR = re.compile(r"(?:19|20)\d\d")
# What does not come apart into a letter and an accent.
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "％": "%"})
_ENGLISH = frozenset(
    "the a an to of and is are in on for with all any that this you your it not be by from as if when".split()
)
_KEPT = 20_000  # words
_GAP = ".."
_WIDEST_GAP = 5
_SHORTEST, _LONGEST = 2, 14  # letters before a `*`


def folded(text: str) -> str:
    """The text as phrases are compared with it."""
    return normalise(text).casefold().translate(_LETTERS)


def tokens(text: str) -> list[str]:
    """The words of a folded text; numbers are `#`, years `@`."""
    return [_token(found) for found in _TOKEN.findall(text)]


def runs(words: list[str]) -> set[str]:
    """One, two and three words in a row, each as a sign: `~build is failing`. `^` is the beginning, `$` the end."""
    row = ["^", *words, "$"]
    pairs, triples = pairwise(row), zip(row, row[1:], row[2:], strict=False)
    return {f"{MARK}{' '.join(run)}" for run in chain(((word,) for word in words), pairs, triples)}


def is_abroad(words: list[str]) -> bool:
    """Whether no small word of English is among the words."""
    return _ENGLISH.isdisjoint(words)


def _token(found: str) -> str:
    if not found[0].isdigit():
        return found
    return "@" if _YEAR.fullmatch(found) else "#"


def _is_joined(letter: str) -> bool:
    return any(first <= letter <= last for first, last in _JOINED_RANGES)


class Phrases:
    """Named lists of phrases, ready to be found."""

    def __init__(self, lists: Mapping[str, str]) -> None:
        self._exact: dict[str, list[tuple[str, str]]] = {}  # how a phrase goes on is read when its first word comes
        self._beginnings: dict[str, list[tuple[str, str]]] = {}
        self._joined: list[tuple[str, str]] = []
        self._seen: dict[str, _Beginning] = {}
        for name, text in lists.items():
            for phrase in dict.fromkeys(text.lower().split(",")):
                self._add(name, phrase)

    def _add(self, name: str, phrase: str) -> None:
        if not phrase.isascii():
            last = max(phrase)
            if last >= _FIRST_JOINED and (_is_joined(last) or any(map(_is_joined, phrase))):
                self._joined.append((phrase, name))
                return
            phrase = folded(phrase)
        first, _, rest = phrase.lstrip().partition(" ")
        beginning = first.removesuffix("*")
        if not beginning.isalpha():
            if not phrase.strip():
                return
            first, *pieces = _pattern(phrase)
            beginning, rest = first.removesuffix("*"), " ".join(pieces)
        where = self._exact if beginning == first else self._beginnings
        where.setdefault(beginning, []).append((name, rest))

    @cached_property
    def _joined_phrases(self) -> list[tuple[str, str]]:
        return [(" ".join(folded(phrase).split("\n")).strip(), name) for phrase, name in self._joined]

    def found(self, text: str, words: list[str]) -> set[str]:
        """The names of the lists of which something is in a folded text with these words."""
        names: set[str] = set()
        seen, last = self._seen, len(words) - 1
        for at, word in enumerate(words):
            beginning = seen.get(word) or self._beginning(word)
            if beginning.alone:
                names |= beginning.alone
            if at == last:
                break
            for name, rest in beginning.followed.get(words[at + 1], ()):
                if not rest or _follows(rest, words, at + 2):
                    names.add(name)
            for name, rest in beginning.others:
                if name not in names and _follows(rest, words, at + 1):
                    names.add(name)
        if not text.isascii() and _JOINED.search(text):
            names.update(name for phrase, name in self._joined_phrases if phrase in text)
        return names

    def _beginning(self, word: str) -> "_Beginning":
        """What may begin with a word. Words come again and again, so the answer is kept."""
        found = list(self._exact.get(word, ()))
        for length in range(_SHORTEST, min(len(word), _LONGEST) + 1):
            found += self._beginnings.get(word[:length], ())
        parsed = [(name, tuple(_pattern(rest))) for name, rest in found]
        followed: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        others: list[tuple[str, tuple[str, ...]]] = []
        for name, rest in parsed:
            if rest and rest[0] != _GAP and not rest[0].endswith("*"):
                followed.setdefault(rest[0], []).append((name, rest[1:]))
            elif rest:
                others.append((name, rest))
        if len(self._seen) >= _KEPT:
            self._seen.clear()
        alone = frozenset(name for name, rest in parsed if not rest)
        self._seen[word] = beginning = _Beginning(alone, followed, others)
        return beginning


class _Beginning(NamedTuple):
    """What is known of a word as the beginning of phrases: the lists it is in by itself, and how phrases go on."""

    alone: frozenset[str]
    followed: dict[str, list[tuple[str, tuple[str, ...]]]]
    others: list[tuple[str, tuple[str, ...]]]


def _pattern(phrase: str) -> list[str]:
    found: list[str] = []
    for word in phrase.split():
        if word in {_GAP, "#", "@"}:
            found.append(word)
            continue
        pieces = tokens(word)
        if word.endswith("*"):
            pieces[-1] += "*"
        found += pieces
    return found


def _follows(rest: tuple[str, ...], words: list[str], at: int) -> bool:
    """Whether the rest of a phrase stands at this place. A gap takes the nearest place that its next word has."""
    for index, wanted in enumerate(rest):
        if wanted == _GAP:
            return any(_follows(rest[index + 1 :], words, start) for start in range(at, at + _WIDEST_GAP + 1))
        if at >= len(words):
            return False
        if not (words[at].startswith(wanted[:-1]) if wanted.endswith("*") else words[at] == wanted):
            return False
        at += 1
    return True

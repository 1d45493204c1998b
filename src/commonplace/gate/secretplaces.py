"""Where in a text a pattern can begin, so that it is tried there and nowhere else.

Trying a hundred patterns at every letter is what makes reading slow. The letters that each pattern begins with are
written down in `secretbeginnings`; a text is gone through once for all of them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from commonplace.patterns import LazyPattern

LONGEST = 4
"""So many letters of a beginning are looked at."""

_OTHER_SPACE = re.compile(r"[^\S ]")
_OTHER_DIGIT = re.compile(r"[^\D0]")


class Lowered(str):
    """A text in lower case, with every letter in its place, that knows where the patterns may begin in it."""

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """For each name of a beginning, where it stands, in order."""
        return _gone_through(folded(self))


class Sought(LazyPattern):
    """A pattern that is tried only where its beginning stands.

    One that has a `word` inside says how far `back` from it a match may begin, and how far `ahead` of it a match and
    what it looks at may reach; that word is then what is looked for.
    """

    def __init__(
        self, name: str, pattern: str | Callable[[], str], *, word: str = "", back: int = 0, ahead: int = 0
    ) -> None:
        super().__init__(pattern)
        self.name = name
        self.word = LazyPattern(word or pattern)
        self.back = back
        self.ahead = ahead

    def is_in(self, low: Lowered, text: str | None = None) -> bool:
        return any(True for _ in self.found_in(low, text))

    def found_in(self, low: Lowered, text: str | None = None) -> Iterable[re.Match[str]]:
        """What `finditer` gives for the text in lower case, or for the text as it was written."""
        places = low.places.get(self.name)
        if places is None:
            return ()
        return (self._around if self.back else self._at)(low if text is None else text, places)

    def _at(self, text: str, places: Sequence[int]) -> Iterator[re.Match[str]]:
        match, end = self.match, 0
        for at in places:
            if at >= end and (found := match(text, at)):
                yield found
                end = found.end()

    def _around(self, text: str, places: Sequence[int]) -> Iterator[re.Match[str]]:
        is_word, search, end = self.word.match, self.search, 0
        for at in places:
            if not is_word(text, at):
                continue
            begin = max(end, at - self.back)
            while begin <= at and (found := search(text, begin, at + self.ahead)):
                if found.start() > at:
                    break
                yield found
                begin = end = found.end()
            end = max(end, at + 1)  # nothing begins before this


def sentence_before(low: str, start: int, most: int, ends: LazyPattern) -> str:
    """What stands before a place in its sentence, at most so many letters."""
    before = low[max(0, start - most) : start]
    found = [end.end() for end in ends.finditer(before)]
    return before[found[-1] :] if found else before


def sentence_after(low: str, end: int, most: int, ends: LazyPattern) -> str:
    """What stands behind a place in its sentence, at most so many letters."""
    after = low[end : end + most]
    stop = ends.search(after)
    return after[: stop.start()] if stop else after


def folded(low: str) -> str:
    """The text with one sign for all spaces and one for all digits, as beginnings are written down."""
    return _OTHER_DIGIT.sub("0", _OTHER_SPACE.sub(" ", low))


class _Beginnings(NamedTuple):
    """The names of the patterns that have each beginning; the first three letters of those; those with fewer, by their
    first letter."""

    names: dict[str, list[str]]
    threes: frozenset[tuple[str, ...]]
    short: dict[str, list[str]]


@cache
def _beginnings() -> _Beginnings:
    from commonplace.gate.secretbeginnings import BEGINNINGS

    names: dict[str, list[str]] = {}
    for name, listed in BEGINNINGS.items():
        for beginning in listed.split("|"):
            names.setdefault(beginning, []).append(name)
    threes = frozenset(tuple(beginning[:3]) for beginning in names)
    short: dict[str, list[str]] = {}
    for beginning in names:
        if len(beginning) < 3:
            short.setdefault(beginning[0], []).append(beginning)
    return _Beginnings(names, threes, short)


def _gone_through(text: str) -> dict[str, list[int]]:
    names, threes, short = _beginnings()
    places: dict[str, list[int]] = {}
    letters = zip(text, text[1:], text[2:], strict=False)
    for at in [at for at, three in enumerate(letters) if three in threes]:
        for beginning in (text[at : at + 3], text[at : at + LONGEST]):
            for name in names.get(beginning, ()):
                places.setdefault(name, []).append(at)
    mixed: set[str] = set()
    for beginning in [beginning for letter in set(text) for beginning in short.get(letter, ())]:
        at = text.find(beginning)
        while at != -1:
            for name in names[beginning]:
                places.setdefault(name, []).append(at)
                mixed.add(name)
            at = text.find(beginning, at + 1)
    for name in mixed:
        places[name].sort()
    return places

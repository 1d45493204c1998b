"""What one text tells beyond another, by their terms: a statement that adds nothing is said already. Pure."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from commonplace.language import normalise, terms, words
from commonplace.language.polarity import NEGATIONS

_FEW = 3  # of fewer terms each one matters
_MOST_NEW = 0.2
DENYING = frozenset(word for denial in NEGATIONS for word in normalise(denial).casefold().split("'"))
"""Of the `words` of a text, those that deny."""


class Told(NamedTuple):
    """A text as it is compared."""

    terms: frozenset[str]
    negated: bool


@lru_cache(maxsize=8192)
def told(text: str) -> Told:
    return Told(frozenset(terms(text)), not DENYING.isdisjoint(words(text)))


def adds_nothing(text: Told, known: Told, *, most_new: float = _MOST_NEW, ignoring: Iterable[str] = ()) -> bool:
    """Whether `known` says what `text` says: nearly all of its terms, every number, and the same yes or no."""
    wanted = text.terms.difference(ignoring)
    if not wanted or text.negated != known.negated:
        return False
    new = wanted - known.terms
    if not new:
        return True
    most = most_new * len(wanted) if len(wanted) >= _FEW else 0
    return len(new) <= most and not any(char.isdigit() for term in new for char in term)

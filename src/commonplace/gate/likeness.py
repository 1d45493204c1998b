"""Is a proposed entry the same fact as one that is there, a newer value of the same thing, or neither?

A cross-encoder (`ports.Comparer`) reads both texts at once and gives the probabilities of "the same" and "newer". This
module owns what becomes of them: a threshold, and what no model may overrule. Without the model only the same words are
the same fact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from commonplace.language import STOP_WORDS, stem, terms
from commonplace.language.normalising import comparable, exact_words
from commonplace.language.polarity import NEGATIONS, negations, opposite
from commonplace.types.book import unmarked

if TYPE_CHECKING:
    from commonplace.ports import Comparer
    from commonplace.types.book import Entry

Relation: TypeAlias = Literal["same", "newer"]
Chances: TypeAlias = tuple[float, float]

_ALIKE = 0.7  # the probability of "the same" and "newer" together that stands for a certainty of one half
_LEAST = 0.05
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_LONGEST_LABEL = 3  # words
_WORD = re.compile(r"[^\W_]+(?:[.:,'’/-][^\W_]+)*")
_PART = re.compile(r"[;.!?]\s+|,\s+|\n+|[，。；]")
_SAYER = frozenset(terms("user"))
_ARTICLES = frozenset({"a", "an", "the"})
_LISTING = frozenset({"and", "or", "&"})  # what is listed may be listed in any order


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a new text relates to an old one, and how sure that is, from above 0 to 1."""

    relation: Relation
    certainty: float


def compare(pairs: Sequence[tuple[str, str]], comparer: Comparer | None) -> list[Likeness | None]:
    """What the new text of each pair is to the old one; None: two facts. Below a certainty of 0.5 it is rather not so;
    a caller with other bounds may want to know all the same. Nothing is read where the words alone tell."""
    read: Sequence[Chances | None] = [None] * len(pairs)
    if comparer is not None and any(weigh(*pair) is None for pair in pairs):
        read = comparer.compare(pairs)
    return [weigh(*pair, chances) for pair, chances in zip(pairs, read, strict=True)]


def most_alike(new: str, entries: Sequence[Entry], comparer: Comparer | None) -> tuple[Entry, Likeness] | None:
    """The entry that `new` repeats or replaces, of those that come into question."""
    found = compare([(new, entry.text) for entry in entries], comparer)
    alike = [(entry, one) for entry, one in zip(entries, found, strict=True) if one is not None]
    return max(alike, key=lambda one: one[1].certainty, default=None)


def weigh(new: str, old: str, chances: Chances | None = None) -> Likeness | None:
    """What `new` is to `old`, given the chances that they are the same and that it is newer, if somebody read both."""
    ones, others = (_without_articles(exact_words(text)) for text in comparable(new, old))
    if ones == others:
        return Likeness("same", 1.0)
    if chances is None or _says_too_little(new, old):
        return None
    same, newer = chances
    alike = min(same + newer, 1.0)
    certainty = alike / _ALIKE / 2 if alike < _ALIKE else 1 - (1 - alike) / (1 - _ALIKE) / 2
    if certainty < _LEAST:
        return None
    return Likeness("same" if same >= newer and not _contradicts(new, old) else "newer", certainty)


def _without_articles(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in _ARTICLES]


def _contradicts(new: str, old: str) -> bool:
    """Whether the words alone show that two texts are not the same, whatever a model thinks: one has all words of the
    other, but another number or a denial; or both have the same words in an order that counts; or they differ in one
    word, and it is the opposite."""
    new, old = comparable(new, old)
    ones, others = ({term for term in terms(text) if not _NUMBER.search(term)} - _denials() for text in (new, old))
    if ones <= others or others <= ones:
        known = iter(_NUMBER.findall(old))
        if (negations(new) > 0) != (negations(old) > 0) or not all(number in known for number in _NUMBER.findall(new)):
            return True
    words, known_words = exact_words(new), exact_words(old)
    if sorted(words) == sorted(known_words):
        return _LISTING.isdisjoint(words)
    differing = [pair for pair in zip(words, known_words, strict=False) if pair[0] != pair[1]]
    return len(words) == len(known_words) and len(differing) == 1 and opposite(*map(stem, differing[0]))


@cache
def _denials() -> frozenset[str]:
    return frozenset(terms(" ".join(NEGATIONS)))


def added(new: str, old: str) -> tuple[str, ...]:
    """The content words of a text that another has in no form, as they are compared."""
    new, old = comparable(new, old)
    known = set(terms(old)) | _SAYER
    return tuple(dict.fromkeys(word for word in _WORD.findall(new) if set(terms(word)) - known))


def entails(old: str, new: str, comparer: Comparer | None) -> bool:
    """Whether nothing is lost if `new` is not written down beside `old`: it has no word of its own, or words that are
    no name or number, and whoever reads both holds them for the same, whichever comes first."""
    more = added(new, old)
    if not more:
        return True
    begins = comparable(new, old)[0].lstrip()
    if comparer is None or any(not word.islower() and not begins.startswith(word) for word in more):
        return False
    return all(chances is not None and chances[0] >= _ALIKE for chances in comparer.compare([(new, old), (old, new)]))


def changed_part(new: str, old: str, comparer: Comparer | None) -> str:
    """The part of an entry that a newer value takes the place of; empty where it says nothing else."""
    parts = [part for part in (one.strip() for one in _PART.split(unmarked(old))) if part]
    if len(parts) < 2 or comparer is None:
        return ""
    read = comparer.compare([(new, part) for part in parts])
    return max(zip(map(_likeliest, read), parts, strict=True))[1]


def _likeliest(chances: Chances | None) -> float:
    return 0.0 if chances is None else sum(chances)


def with_both(new: str, old: str, part: str = "") -> str:
    """An entry with a new text in the place of one of its parts, or behind it."""
    bare = unmarked(old)
    return bare.replace(part, new.rstrip(" ."), 1) if part else f"{bare.rstrip(' .;')}; {new}"


def _says_too_little(new: str, old: str) -> bool:
    """Whether there is nothing to compare: one of them has no word that tells anything, or they are two
    labels with other numbers ("Fact 3"), or two single words."""
    ones, others = map(exact_words, comparable(new, old))
    if not all(any(not _NUMBER.search(term) for term in terms(text)) for text in (new, old)):
        return True
    if max(len(ones), len(others)) > _LONGEST_LABEL:
        return False
    telling = [{word for word in words if not word.isdigit()} for words in (ones, others)]
    if telling[0] == telling[1]:
        return STOP_WORDS.isdisjoint(telling[0]) and not {":", "="} & {*new, *old}  # "Port: 8080" has a value
    return len(terms(new)) == len(terms(old)) == 1

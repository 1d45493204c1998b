"""Is a proposed entry the same fact as one that is there, a newer value of the same thing, or neither? Pure.

Likeness of meaning alone cannot tell: "lives in Bern" is as close to "lives in Basel" as to "resides in Bern". What the
two texts share and where they differ (`signals`) goes to two sets of small decision trees that were fitted on labelled
cases: are they about the same thing, and if so, do they say the same of it?
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from commonplace.gate.forest import Forest, forests
from commonplace.gate.frames import (
    another_value,
    denied,
    of_two_people,
    one_more,
    rejects,
    says_nearly_nothing,
    says_too_little,
    turned_round,
)
from commonplace.gate.labels import amounts_differ, labels_differ, whose_numbers
from commonplace.gate.measures import in_one_measure
from commonplace.gate.moments import at_one_time
from commonplace.gate.signals import signals
from commonplace.terms import words
from commonplace.terms.glossing import in_english
from commonplace.types.book import REQUESTED

if TYPE_CHECKING:
    from commonplace.types.book import Entry
    from commonplace.types.judging import Candidate

Relation: TypeAlias = Literal["same", "newer"]

_SURE = 0.5
_LEAST = 0.05
_RELATED = 0.2
_ALL_COVERED = 0.85
_SURE_PAIR = 0.9  # where texts say little, whoever read both must be this sure that they have to do with each other
_CLEAR = 0.95  # the form itself tells
_NEWER = "newer by its form"
_MAIL = re.compile(r"\be[- ]mail", re.IGNORECASE)
_MOST_COMPARED = 1_000_000  # two pages are no fact, and aligning their words would take seconds


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a new text relates to an old one, and how sure that is, from above 0 to 1."""

    relation: Relation
    certainty: float


def compare(new: str, old: str, cosine: float | None, pair: tuple[float, float] | None = None) -> Likeness | None:
    """What `new` is to `old`; None: two different facts. `cosine` is the likeness of meaning, and `pair` what a model
    makes of both texts (see `Candidate`), if they are known. Below a certainty of 0.5 it is rather not so; a caller
    with other bounds may want to know all the same."""
    certainty, found = _weigh(new, old, cosine, pair)
    return Likeness(_relation(found), certainty) if certainty >= _LEAST else None


def most_alike(new: str, candidates: Sequence[Candidate]) -> tuple[Entry, Likeness] | None:
    """The entry that `new` repeats or replaces, of those that come into question."""
    weighed = [(*_weigh(new, entry.text, cosine, pair), entry) for entry, cosine, pair in candidates]
    if not weighed:
        return None
    certainty, found, entry = max(weighed, key=lambda one: one[0])
    return (entry, Likeness(_relation(found), certainty)) if certainty >= _LEAST else None


def related(first: str, second: str, cosine: float | None) -> bool:
    """Whether two entries are about the same thing at all: a weaker question than what `compare` answers."""
    return max(_weigh(first, second, cosine)[0], _weigh(second, first, cosine)[0]) >= _RELATED


def comparable(new: str, old: str) -> tuple[str, str]:
    """Both texts in English, with what can be written in several ways written in one. That the user asked for one of
    them says nothing about what it says."""
    new, old = (text.removeprefix(REQUESTED).strip() if text.startswith(REQUESTED) else text for text in (new, old))
    new, old = in_english(*at_one_time(new, old))  # "halb zehn" is a time, and no half ten
    return in_one_measure(*at_one_time(_MAIL.sub("email", new), _MAIL.sub("email", old)))


def _weigh(
    new: str, old: str, cosine: float | None, pair: tuple[float, float] | None = None
) -> tuple[float, dict[str, float]]:
    """How surely they are about the same thing, and what that was seen from; nothing where all words are the same."""
    new, old = comparable(new, old)
    if amounts_differ(new, old):
        return _CLEAR, {_NEWER: 1.0}
    if labels_differ(new, old) or one_more(new, old) or of_two_people(new, old):
        return 0.0, {}
    if turned_round(new, old) or another_value(new, old):
        return _CLEAR, {_NEWER: 1.0}
    if new == old:
        return 1.0, {}
    if words(new) == words(old) != set():
        return (1.0, {}) if whose_numbers(new) == whose_numbers(old) else (_CLEAR, {_NEWER: 1.0})
    if len(new) * len(old) > _MOST_COMPARED:
        return 0.0, {}
    if denied(new, old):
        return _CLEAR, {_NEWER: 1.0}
    if says_nearly_nothing(new, old):
        return 0.0, {}
    if (pair is None or sum(pair) < _SURE_PAIR) and says_too_little(new, old, cosine):
        return 0.0, {}
    found = signals(new, old, cosine, pair)
    certainty = _forest("related", found).certainty(found)
    return certainty, found | {_NEWER: 1.0} if rejects(new, old) else found


def _relation(found: dict[str, float]) -> Relation:
    """Opposites, other numbers or days, and numbers of things that were not known, are never the same, whatever the
    trees think."""
    if not found:
        return "same"
    if _NEWER in found:
        return "newer"
    if (found["opposites"] and not found["negated"]) or found["numbers_differ"] or found["days_differ"]:
        return "newer"
    if found["codes_new"]:
        return "newer"
    if found["negated"] and found["cover_min"] > _ALL_COVERED:  # "Eats meat" after "Does not eat any meat"
        return "newer"
    return "same" if _forest("same", found).certainty(found) >= _SURE else "newer"


def _forest(question: str, found: dict[str, float]) -> Forest:
    """What a model that read both texts says outweighs most signals, so where none did other trees answer."""
    return forests()[question if found["pair_known"] else f"{question}, unread"]

"""Is a proposed entry the same fact as one that is there, a newer value of the same thing, or neither? Pure.

Likeness of meaning alone cannot tell: "lives in Bern" is as close to "lives in Basel" as to "resides in Bern". What the
two texts share and where they differ (`signals`) goes to two sets of small decision trees that were fitted on labelled
cases: are they about the same thing, and if so, do they say the same of it?
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from commonplace.gate.forest import forests
from commonplace.gate.signals import signals
from commonplace.terms import words
from commonplace.types import Entry

Relation: TypeAlias = Literal["same", "newer"]

_SURE = 0.5
_LEAST = 0.05
_RELATED = 0.2


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a new text relates to an old one, and how sure that is, from above 0 to 1."""

    relation: Relation
    certainty: float


def compare(new: str, old: str, cosine: float | None) -> Likeness | None:
    """What `new` is to `old`; None: two different facts. `cosine` is the likeness of meaning, if it is known. Below a
    certainty of 0.5 it is rather not so; a caller with other bounds may want to know all the same."""
    if new == old or (words(new) == words(old) and words(new)):
        return Likeness("same", 1.0)
    found = signals(new, old, cosine)
    certainty = forests()["related"].certainty(found)
    if certainty < _LEAST:
        return None
    same = forests()["same"].certainty(found) >= _SURE
    turned = (found["opposites"] and not found["negated"]) or found["numbers_differ"] or found["days_differ"]
    return Likeness("same" if same and not turned else "newer", certainty)


def most_alike(new: str, candidates: Sequence[tuple[Entry, float | None]]) -> tuple[Entry, Likeness] | None:
    """The entry that `new` repeats or replaces, of those that come into question with their cosines."""
    best: tuple[Entry, Likeness] | None = None
    for entry, cosine in candidates:
        likeness = compare(new, entry.text, cosine)
        if likeness and (best is None or likeness.certainty > best[1].certainty):
            best = (entry, likeness)
    return best


def related(first: str, second: str, cosine: float | None) -> bool:
    """Whether two entries are about the same thing at all: a weaker question than what `compare` answers."""
    likenesses = (compare(first, second, cosine), compare(second, first, cosine))
    return any(likeness is not None and likeness.certainty >= _RELATED for likeness in likenesses)

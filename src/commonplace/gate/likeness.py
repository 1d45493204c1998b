"""Is a proposed entry the same fact as one that is there, a newer value of the same thing, or neither? Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from commonplace.terms import terms, words
from commonplace.types import Entry

Relation: TypeAlias = Literal["same", "newer"]


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a new text relates to an old one, and how sure that is, from above 0 to 1."""

    relation: Relation
    certainty: float


def compare(new: str, old: str, cosine: float | None) -> Likeness | None:
    """What `new` is to `old`; None: two different facts. `cosine` is the likeness of meaning, if it is known."""
    if words(new) == words(old):
        return Likeness("same", 1.0)
    first, second = set(terms(new)), set(terms(old))
    shared = len(first & second) / max(min(len(first), len(second)), 1)
    certainty = min(1.0, shared if cosine is None else (shared + cosine) / 2)
    if certainty < 0.5:
        return None
    return Likeness("same" if first <= second else "newer", certainty)


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
    return compare(first, second, cosine) is not None or compare(second, first, cosine) is not None

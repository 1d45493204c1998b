"""What the gate is asked and what it says."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from commonplace.types.book import Entry


class VerdictKind(StrEnum):
    """What becomes of a text that somebody wants remembered."""

    STORE = "store"
    MERGE = "merge"
    UPDATE = "update"
    HOLD = "hold"
    REFUSE = "refuse"


class Candidate(NamedTuple):
    """An entry that may say what a new text says. `cosine` is their likeness of meaning; `pair` how surely a model that
    read both at once calls the new text the same fact, and how surely a newer value. None: not known."""

    entry: Entry
    cosine: float | None = None
    pair: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate says: the rule that fired (none: it may be stored), why in a sentence, how sure the rule is, the
    entry that it is about, and the single facts that a text with several can be split into."""

    kind: VerdictKind
    rule: str = ""
    reason: str = ""
    certainty: float = 1.0
    existing: Entry | None = None
    pieces: tuple[str, ...] = ()

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
    """An entry that may say what a new text says. `cosine` is their likeness of meaning; None: not known."""

    entry: Entry
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate says: the rule that fired (none: it may be stored), why in a sentence (or what
    could not be looked for), how sure the rule is, the entry that it is about, and the single facts that a text with
    several can be split into. Of a text that an entry mostly says, `added` has the words that the entry lacks; of a
    newer value, `part` is what it takes the place of, where the entry says more than that, and `gone` are the words
    that go with it; `text` is the entry as it would be with the new text in it."""

    kind: VerdictKind
    rule: str = ""
    reason: str = ""
    certainty: float = 1.0
    existing: Entry | None = None
    pieces: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    part: str = ""
    text: str = ""

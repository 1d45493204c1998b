"""What an audit tells: kinds of doubt, where each stands, how good the whole is. Secrets are hidden in all of it."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from commonplace.files.pages import Item, Page
from commonplace.files.text import on_one_line
from commonplace.gate.secrets import find_secrets, mask

_SHOWN = 100
_HIDDEN = "•••"


class Kind(StrEnum):
    """What may be wrong with an item."""

    SECRET = "secret"  # noqa: S105 a name
    INSTRUCTION = "instruction"
    DUPLICATE = "duplicate"
    SAME_FACT = "same_fact"
    CONTRADICTION = "contradiction"
    STALE = "stale"
    TRANSIENT = "transient"
    ONE_OFF = "one_off"
    THIRD_PARTY = "third_party"
    SEVERAL_FACTS = "several_facts"
    TOO_LONG = "too_long"
    STRUCTURE = "structure"
    NOTE = "note"


WEIGHTS = {
    Kind.SECRET: 1.0,
    Kind.INSTRUCTION: 1.0,
    Kind.CONTRADICTION: 0.8,
    Kind.DUPLICATE: 0.5,
    Kind.SAME_FACT: 0.5,
    Kind.STALE: 0.5,
    Kind.TRANSIENT: 0.5,
    Kind.ONE_OFF: 0.5,
    Kind.THIRD_PARTY: 0.3,
    Kind.SEVERAL_FACTS: 0.2,
    Kind.TOO_LONG: 0.2,
    Kind.STRUCTURE: 0.1,
    Kind.NOTE: 0.0,
}
"""How much of an item's worth each kind takes away; of several kinds, the heaviest counts."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text stands. In an export, `line` is the number of the record. Secrets in the text are hidden."""

    file: str
    line: int
    id: str
    text: str
    numbers_lines: bool = True

    def __str__(self) -> str:
        if self.numbers_lines:
            return f"{self.file}:{self.line}"
        return f"{self.file}#{self.line}" + (f" ({self.id})" if self.id else "")


@dataclass(frozen=True, slots=True)
class Doubt:
    """One finding: what is wrong where, why, and how to mend it; `other` is the second of a pair. `certain`: --fix does
    it."""

    kind: Kind
    place: Place
    why: str
    fix: str
    certainty: float = 1.0
    other: Place | None = None
    certain: bool = False


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found. `trouble` says why meaning could not be compared, if so."""

    pages: tuple[str, ...]
    items: int
    doubts: tuple[Doubt, ...]
    score: int
    trouble: str = ""

    @property
    def counts(self) -> dict[Kind, int]:
        found = Counter(doubt.kind for doubt in self.doubts)
        return {kind: found[kind] for kind in Kind if found[kind]}

    @property
    def is_clean(self) -> bool:
        return all(doubt.kind is Kind.NOTE for doubt in self.doubts)


def score_of(doubts: Iterable[Doubt], items: int) -> int:
    """100 is clean: every item counts for one, less the weight of the heaviest doubt about it."""
    lost: dict[tuple[str, int], float] = {}
    for doubt in doubts:
        place = (doubt.place.file, doubt.place.line)
        lost[place] = max(lost.get(place, 0.0), WEIGHTS[doubt.kind])
    total = sum(lost.values())
    if not total:
        return 100
    return max(0, min(99, math.floor(100 * (1 - total / max(items, len(lost))))))


def hidden(text: str) -> str:
    """A text with its secrets hidden."""
    for secret in reversed(find_secrets(text)):
        text = text[: secret.start] + _HIDDEN + text[secret.end :]
    return text if not find_secrets(text) else mask(text)


def place_of(one: Page, item: Item) -> Place:
    return Place(one.name, item.line, item.id, shortened(item.text), one.numbers_lines)


def shortened(text: str) -> str:
    """A text on one line that is not too long, with its secrets hidden."""
    line = on_one_line(hidden(text))
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1].rstrip() + "…"

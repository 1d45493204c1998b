"""What a text is about, by a list of things that people keep in their memories (concepts.txt). Pure."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from commonplace.gate.tables import read_table
from commonplace.terms import STOP_WORDS, porter, terms


class Concept(NamedTuple):
    name: str
    exclusive: bool  # it has one value at a time


class Lexicon(NamedTuple):
    cues: dict[str, frozenset[Concept]]
    values: dict[str, frozenset[Concept]]


def stem_of(word: str) -> str:
    if word.isascii() and word.isalpha() and word.islower():  # as `terms` has it, the short way
        return word if word in STOP_WORDS else porter.stem(word)
    stems = terms(word)
    return stems[0] if len(stems) == 1 else word


@cache
def _lexicon() -> Lexicon:
    cues: dict[str, frozenset[Concept]] = {}
    values: dict[str, frozenset[Concept]] = {}
    for line in read_table("concepts.txt").decode().splitlines():
        if line[:1] not in {"=", "+"}:
            continue
        name, _, listed = line[1:].partition(":")
        concept = frozenset({Concept(name.strip(), line[0] == "=")})
        spoken, _, of_kind = listed.partition("|")
        for table, words in ((cues, spoken.split()), (values, of_kind.split())):
            for word in words:
                key = " ".join(stem_of(part) for part in word.split("_"))
                table[key] = table.get(key, frozenset()) | concept
    return Lexicon(cues, values)


def cues(stems: Sequence[str]) -> frozenset[Concept]:
    """What these words, in their order, speak of."""
    return _look_up(_lexicon().cues, stems)


def values(stems: Sequence[str]) -> frozenset[Concept]:
    """What these words are values of."""
    return _look_up(_lexicon().values, stems)


def _look_up(table: dict[str, frozenset[Concept]], stems: Sequence[str]) -> frozenset[Concept]:
    found: set[Concept] = set()
    for at, stem in enumerate(stems):
        found |= table.get(stem, frozenset())
        if at + 1 < len(stems):
            found |= table.get(f"{stem} {stems[at + 1]}", frozenset())
    return frozenset(found)


@lru_cache(maxsize=16_384)
def exclusive(stem: str) -> frozenset[Concept]:
    """The things with one value at a time that this word speaks of."""
    return frozenset(concept for concept in _lexicon().cues.get(stem, ()) if concept.exclusive)

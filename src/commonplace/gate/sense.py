"""What the words of a text mean, and the text as a whole, as numbers that rules have learnt to weigh. Pure.

The words are looked up in the table of word vectors (terms/kinship.py), so that "thirsty" says what "hungry" says; the
whole is the vector of the embedding model, where somebody has it. `sense.bin` is made by tools/fit_passing.py: the
names of the rules, then for each what each number is worth.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from operator import mul

from commonplace.gate.tables import read_table
from commonplace.terms.glossing import rough_english
from commonplace.terms.kinship import DIMENSIONS, rarity, row_of, unit_vector

WORDS = 2 * DIMENSIONS + 2
_WORD = re.compile("[a-z']+")
_FEW = 4


@lru_cache(maxsize=64)
def of_words(text: str) -> tuple[float, ...]:
    """The mean of the words' vectors, rare words counting more; their sum, so that many say more than one; and how
    many there are."""
    words = _WORD.findall(rough_english(text).lower())
    weighed = [(unit_vector(row), 0.3 + 0.7 * rarity(word)) for word in words if (row := row_of(word)) is not None]
    total = [0.0] * DIMENSIONS
    for vector, weight in weighed:
        total = [sofar + weight * number for sofar, number in zip(total, vector, strict=True)]
    known = len(weighed)
    mean, spread = [number / max(known, 1) for number in total], [number / (known + 2) ** 0.5 for number in total]
    return (*mean, *spread, len(words) / 10, float(len(words) < _FEW))


def is_one_word(text: str) -> bool:
    return len(text.split()) < 2 and len(_WORD.findall(rough_english(text).lower())) < 2


def weigh(rule: str, numbers: Sequence[float]) -> float:
    """How much they speak for the rule."""
    return sum(map(mul, _table()[rule], numbers))


@cache
def _table() -> "dict[str, memoryview[float]]":
    heads, numbers = read_table("sense.bin").split(b"\0", 1)
    names = heads.rstrip(b" ").decode().split("\n")  # blanks before the numbers set them on whole fours
    view = memoryview(numbers).cast("f")
    width = len(view) // len(names)
    return {name: view[at * width : (at + 1) * width] for at, name in enumerate(names)}

"""Under which heading a text belongs: that of the descriptions (`sorting.txt`) that are nearest to it in meaning. Pure.

The descriptions say what the sections of a memory are for; no word of a text decides.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from commonplace.language.glossing import rough_english
from commonplace.types.book import Category

Meaning = Callable[[str], Sequence[float] | None]
Described = Sequence[tuple[Category, Sequence[float]]]

_FILE = Path(__file__).with_name("sorting.txt")
_NEAREST = 3


def described(meaning: Meaning) -> Described:
    """What each category is for, as vectors; nothing where no meaning is known."""
    pairs = (line.split(": ", 1) for line in _FILE.read_text(encoding="utf-8").splitlines())
    return [(Category(name), vector) for name, words in pairs if (vector := meaning(words)) is not None]


def category_of(text: str, known: Described, meaning: Meaning) -> Category:
    """The category of a text; notes, where its meaning is not known."""
    vector = meaning(rough_english(text)) if known else None
    if vector is None:
        return Category.NOTES
    scores: dict[Category, list[float]] = {}
    for category, there in known:
        scores.setdefault(category, []).append(sum(one * other for one, other in zip(vector, there, strict=True)))
    return max(scores, key=lambda category: sum(sorted(scores[category])[-_NEAREST:]))

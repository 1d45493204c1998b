"""Items that say the same as another, word for word or in other words, or something newer.

Vectors are compared in one matrix product, and only what is close in meaning or shares rare words is looked at closely.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from commonplace.errors import EmbedderFailed
from commonplace.files.exports import RecordItem
from commonplace.files.pages import Item
from commonplace.files.text import folded
from commonplace.gate.likeness import Likeness, compare
from commonplace.gate.secrets import mask
from commonplace.language import terms
from commonplace.language.normalising import exact_words
from commonplace.types.book import MEMORY_FILE

if TYPE_CHECKING:
    from commonplace.ports import Comparer, Embedder, Vectors

Progress = Callable[[int, int], None]

_COMPARED = 600  # characters of a text that are compared with others
_BY_MEANING, _BY_WORDS = 5, 3  # candidates for each text
_LEAST_COSINE = 0.35
_WORTH_READING = 0.4  # cosine
_ROWS = 1024
_BATCH = 64
_HEADING = "Notes"  # texts are compared under one heading, as in the gate
_SAYER = re.compile(r"\A(?:the )?user\b[:,]?\s+", re.IGNORECASE)


def quietly(_done: int, _wanted: int) -> None:
    """Nobody watches."""


def twins(items: Iterable[Item]) -> Iterator[tuple[Item, Item]]:
    """What is there more than once, but for case, spacing, punctuation and who says it: the one to keep, which is one
    that the user asked for or the first, with each of the others."""
    groups: dict[tuple[tuple[str, ...], ...], list[Item]] = defaultdict(list)
    for item in items:
        key = likened(item.bare)
        if key:
            groups[owner(item), key].append(item)
    for group in groups.values():
        kept = next((item for item in group if item.is_protected), group[0])
        yield from ((kept, item) for item in group if item is not kept)


def likened(text: str) -> tuple[str, ...]:
    """The words of a text as they are compared for near-exact duplicates."""
    return exact_words(_SAYER.sub("", folded(text)))


def owner(item: Item) -> tuple[str, ...]:
    """Whose memory it is, in an export of several users or agents: only what has the same owner is compared."""
    return item.owner if isinstance(item, RecordItem) else ()


def is_certain(kept: Item, gone: Item) -> bool:
    """Whether one of two may go unasked: they stand on one page, for the same purpose, and nothing hangs on it. What
    the user asked for goes only where they asked for the same."""
    name = gone.file.rpartition("/")[2]
    same_purpose = kept.place == gone.place and (kept.section == gone.section or name == MEMORY_FILE)
    protected = gone.is_protected and not kept.is_protected
    alone = kept.block is not None and gone.block is not None
    return kept.file == gone.file and alone and same_purpose and not protected


def likenesses(
    items: Sequence[Item],
    embedder: "Embedder | None",
    comparer: "Comparer | None",
    progress: Progress = quietly,
) -> tuple[list[tuple[Item, Item, Likeness]], str]:
    """For each item the earlier one of the same owner that it repeats or replaces, if there is one. `comparer` reads
    two texts at once, as in the gate."""
    groups: dict[tuple[str, ...], list[Item]] = defaultdict(list)
    for item in items:
        groups[owner(item)].append(item)
    found: list[tuple[Item, Item, Likeness]] = []
    troubles: list[str] = []
    steps, before = 2 * len(items), 0  # each is embedded, then compared
    for group in groups.values():
        alike, trouble = _alike(group, embedder, lambda done, before=before: progress(before + done, steps), comparer)
        found += alike
        troubles += [trouble] if trouble else []
        before += 2 * len(group)
    return found, next(iter(troubles), "")


def _alike(
    items: Sequence[Item], embedder: "Embedder | None", progress: Callable[[int], None], comparer: "Comparer | None"
) -> tuple[list[tuple[Item, Item, Likeness]], str]:
    cosines, trouble = _Cosines.of(items, embedder, progress)
    by_words = _sharing(items)
    found: list[tuple[Item, Item, Likeness]] = []
    for at, item in enumerate(items):
        progress(len(items) + at)
        by_meaning = cosines.nearest_before(at)
        known = {other: by_meaning.get(other, cosines.between(at, other)) for other in [*by_meaning, *by_words[at]]}
        worth = [other for other, cosine in known.items() if cosine is None or cosine >= _WORTH_READING]
        pairs = [_in_time(item, items[other]) for other in worth]
        try:
            weighed = _weighed(pairs, comparer)
        except EmbedderFailed as error:
            comparer, trouble = None, f"{error.message} {error.hint}".strip()
            weighed = _weighed(pairs, None)
        if weighed:
            found.append(max(weighed, key=lambda one: one[2].certainty))
    return found, trouble


def _weighed(pairs: Sequence[tuple[Item, Item]], comparer: "Comparer | None") -> list[tuple[Item, Item, Likeness]]:
    """What the newer of each pair is to the older, where it is anything. Nobody has said which of two entries is the
    news, so two that have to do with each other must seem so whichever comes first."""
    texts = [(newer.bare[:_COMPARED], older.bare[:_COMPARED]) for newer, older in pairs]
    found = [(*pair, text, one) for pair, text, one in zip(pairs, texts, compare(texts, comparer), strict=True) if one]
    back = compare([(old, new) for _, _, (new, old), _ in found], comparer)
    return [
        (newer, older, replace(one, certainty=min(one.certainty, other.certainty)))
        for (newer, older, _, one), other in zip(found, back, strict=True)
        if other
    ]


def _in_time(later: Item, earlier: Item) -> tuple[Item, Item]:
    """The newer and the older of two: by their dates, or by where they stand."""
    if later.since and earlier.since and later.since < earlier.since:
        return earlier, later
    return later, earlier


class _Cosines:
    """Likeness of meaning between items, as far as a model can read them; computed some rows at a time."""

    def __init__(self, vectors: "Vectors | None", rows: dict[int, int]) -> None:
        self._vectors = vectors
        self._rows = rows  # item to row
        self._items = list(rows)
        self._part: tuple[int, Vectors] | None = None

    @classmethod
    def of(
        cls, items: Sequence[Item], embedder: "Embedder | None", progress: Callable[[int], None]
    ) -> "tuple[_Cosines, str]":
        if embedder is None or len(items) < 2:
            return cls(None, {}), ""
        import numpy as np

        try:
            readable = [at for at, item in enumerate(items) if embedder.reads(item.text)]
            texts = [f"{_HEADING}: {mask(items[at].bare)[:_COMPARED]}" for at in readable]
            parts: list[Vectors] = []
            for start in range(0, len(texts), _BATCH):
                parts.append(embedder.embed(texts[start : start + _BATCH]))
                progress(start)
        except EmbedderFailed as error:
            return cls(None, {}), f"{error.message} {error.hint}".strip()
        vectors = np.concatenate(parts) if parts else None
        return cls(vectors, {at: row for row, at in enumerate(readable)}), ""

    def nearest_before(self, at: int) -> dict[int, float]:
        """The items before this one that are closest to it in meaning, with their cosine."""
        row = self._rows.get(at)
        if self._vectors is None or not row:
            return {}
        import numpy as np

        start = row - row % _ROWS
        if self._part is None or self._part[0] != start:
            self._part = (start, self._vectors[start : start + _ROWS] @ self._vectors.T)
        scores = self._part[1][row - start, :row]
        most = min(_BY_MEANING, len(scores))
        best = np.argpartition(scores, -most)[-most:]
        return {self._items[int(one)]: float(scores[one]) for one in best if scores[one] >= _LEAST_COSINE}

    def between(self, first: int, second: int) -> float | None:
        if self._vectors is None or first not in self._rows or second not in self._rows:
            return None
        return float(self._vectors[self._rows[first]] @ self._vectors[self._rows[second]])


def _sharing(items: Sequence[Item]) -> list[list[int]]:
    """For each item the earlier ones that share most with it, rare terms counting more."""
    sets = [set(terms(item.bare[:_COMPARED])) for item in items]
    having = Counter(term for one in sets for term in one)
    common = max(20, len(items) // 20)  # who shares only such terms has nothing in common
    seen: dict[str, list[int]] = defaultdict(list)
    found: list[list[int]] = []
    for at, one in enumerate(sets):
        scores: Counter[int] = Counter()
        for term in one:
            if having[term] <= common:
                for other in seen[term]:
                    scores[other] += 1 / having[term]  # pyright: ignore[reportArgumentType] weights, not counts
                seen[term].append(at)
        found.append([other for other, _ in scores.most_common(_BY_WORDS)])
    return found

"""Evidence for and against each chunk, as arrays over all chunks. Pure.

Two score vectors (cosine and BM25), and shifts, group maxima and look-ups of these: a few dozen passes over arrays,
far cheaper than embedding the question, so there is no second stage.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from commonplace.search.bm25 import chunk_scores, coverage, group_scores, idf, look_up

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.ports import Corpus, Vectors
    from commonplace.search.facts import Facts
    from commonplace.search.query import Query

_RECENT_DAYS = 5.0
_SLACK_DAYS, _LONGEST_SPAN_WITH_SLACK = 7, 40
_JUST_AFTER = 0.8
_SMALLEST_BEST = 0.05
_GROWN = 500  # chunks


FROM_MEANING = frozenset({"cosine", "session_best", "session_mean", "next_cosine", "small_talk"})
"""Features that need the question's vector. They come last: the rest is computed while the model is at work."""

Likeness = Callable[[], "Vectors | None"]


@dataclass(frozen=True)
class Evidence:
    """Each public property is one feature that a weight can be given to."""

    query: "Query"
    corpus: "Corpus"
    facts: "Facts"
    likeness: Likeness | None
    allowed: "NDArray[np.bool_] | None"

    @cached_property
    def similarity(self) -> "Vectors | None":
        """The likeness of every chunk; None if it could not be computed."""
        return self.likeness() if self.likeness else None

    # -- meaning -------------------------------------------------------------------------------------------------------

    @cached_property
    def cosine(self) -> "Vectors":
        """Likeness of meaning, as a share of the best."""
        return self._cosine / max(float(self._cosine.max(initial=0.0)), _SMALLEST_BEST)

    @cached_property
    def session_best(self) -> "Vectors":
        """The best likeness in the session."""
        return self._spread(np.maximum.reduceat(self._cosine, self.corpus.starts))

    @cached_property
    def session_mean(self) -> "Vectors":
        """The average likeness in the session; what is in none gets what is usual."""
        means = np.add.reduceat(self._cosine, self.corpus.starts) / self.facts.group_size
        means = self._spread(means.astype(np.float32))
        lone = self.facts.lone
        if not lone.any():
            return means
        whole = self.corpus.whole
        usual = whole.usual_likeness if whole else 0.0 if lone.all() else means[~lone].mean()
        return np.where(lone, usual, means)

    @cached_property
    def next_cosine(self) -> "Vectors":
        """Likeness of the chunk after: replies repeat what was said. What stands alone is its own reply."""
        return np.where(self.facts.lone, self._cosine, self._shift(self._cosine, 1))

    @cached_property
    def small_talk(self) -> "Vectors":
        """Closer to the average turn than usual."""
        return self.facts.small_talk if self.similarity is not None else self.nothing

    # -- words ---------------------------------------------------------------------------------------------------------

    @cached_property
    def words(self) -> "Vectors":
        """BM25, as a share of the best."""
        rooms = self.facts.room if self.likeness else self.facts.plain_room
        return _share(self._only_allowed(chunk_scores(self._matches, rooms)))

    @cached_property
    def coverage(self) -> "Vectors":
        """Share of the question's terms that the chunk has, rare ones counting more."""
        return coverage(self._matches, self.corpus.count)

    @cached_property
    def session_words(self) -> "Vectors":
        """BM25 of the whole session or heading, as a share of the best."""
        scores = group_scores(self.corpus, self._matches, self.facts.group_room)
        if self.allowed is not None:
            scores = scores * np.logical_or.reduceat(self.allowed, self.corpus.starts)
        return self._spread(_share(scores))

    @cached_property
    def near_words(self) -> "Vectors":
        """BM25 of the chunks just before and after."""
        return self._shift(self.words, -1) + self._shift(self.words, 1)

    @cached_property
    def far_words(self) -> "Vectors":
        """BM25 of the chunks two before and two after."""
        return self._shift(self.words, -2) + self._shift(self.words, 2)

    # -- what the chunk is like ----------------------------------------------------------------------------------------

    @cached_property
    def asks(self) -> "Vectors":
        """The chunk asks something: answers are worth more than questions."""
        return self.facts.asks

    @cached_property
    def follows_question(self) -> "Vectors":
        """The chunk before asks something, so this one probably answers."""
        return self._shift(self.facts.asks, -1)

    @cached_property
    def speaker(self) -> "Vectors":
        """1 if the question names the chunk's speaker, -1 if it names only others."""
        named = [bool(name & self.query.terms.keys()) for name in self.facts.speaker_terms]
        if not any(named):
            return self.nothing
        pairs = zip(named, self.facts.speaker_terms, strict=True)
        scores = [1.0 if hit else -1.0 if name else 0.0 for hit, name in pairs]
        return np.array(scores, dtype=np.float32)[self.corpus.speaker]

    @cached_property
    def assistant(self) -> "Vectors":
        """Said by the assistant: what the user said is more often what is sought."""
        return self.facts.by_assistant

    @cached_property
    def kept(self) -> "Vectors":
        """In the long-term memory, or (less) in a log: somebody found it worth keeping."""
        return self.facts.kept

    @cached_property
    def log_length(self) -> "Vectors":
        """Logarithm of the number of terms."""
        return self.facts.log_length

    # -- time and numbers ----------------------------------------------------------------------------------------------

    @cached_property
    def time_words(self) -> "Vectors":
        """The question asks when, and the chunk speaks of time."""
        return self.facts.tells_time if self.query.asks_when else self.nothing

    @cached_property
    def numbers(self) -> "Vectors":
        """The question asks how many, and the chunk has a number."""
        return self.facts.has_number if self.query.asks_number else self.nothing

    @cached_property
    def in_dates(self) -> "Vectors":
        """The chunk is from the time that the question names, or just after it."""
        span = self.query.span
        if span is None:
            return self.nothing
        first, last = span.first.toordinal(), span.last.toordinal()
        slack = _SLACK_DAYS if last - first < _LONGEST_SPAN_WITH_SLACK else 0
        day = self.corpus.day
        after = (day > last) & (day <= last + slack)
        return np.where((day >= first) & (day <= last), 1.0, np.where(after, _JUST_AFTER, 0.0)).astype(np.float32)

    @cached_property
    def recency(self) -> "Vectors":
        """How few days with entries lie between the chunk and today, if the question wants what is current. Counted
        in days that have entries, it means the same in a busy and in a quiet book."""
        days = self.facts.days
        if not self.query.wants_current or not len(days):
            return self.nothing
        newest = int(np.searchsorted(days, self.query.today.toordinal(), "right"))
        later = np.maximum(newest - 1 - self.facts.day_rank, 0).astype(np.float32)
        return np.where(self.corpus.day > 0, 1.0 / (1.0 + later / _RECENT_DAYS), 0.0).astype(np.float32)

    # -- shared --------------------------------------------------------------------------------------------------------

    @cached_property
    def _cosine(self) -> "Vectors":
        return self.nothing if self.similarity is None else self._only_allowed(self.similarity)

    # Where meaning is missing, words carry it all and are counted as in the plain formula.

    @cached_property
    def _matches(self):
        return look_up(self.corpus, self.query.terms, damped=self.likeness is not None)

    @cached_property
    def rarity(self) -> float:
        """How much there is to ask about: the rarity of all the question's terms, in a young book as in a grown one."""
        count = max(self.corpus.whole.chunks if self.corpus.whole else self.corpus.count, _GROWN)
        return sum(idf(count, match.having) for match in self._matches)

    @cached_property
    def nothing(self) -> "Vectors":
        """No evidence."""
        return np.zeros(self.corpus.count, dtype=np.float32)

    def _only_allowed(self, values: "Vectors") -> "Vectors":
        return values if self.allowed is None else values * self.allowed

    def _spread(self, values: "Vectors") -> "Vectors":
        """Each group's value for all its chunks; they stand together, so this is faster than looking each one up."""
        return np.repeat(values, self.facts.group_size.astype(np.int64))

    def _shift(self, values: "Vectors", distance: int) -> "Vectors":
        """The value of the chunk `distance` later (earlier, if negative) in the same group, else 0."""
        shifted = np.zeros_like(values)
        step = abs(distance)
        if step < len(values):
            same = self.facts.same_group[step]
            if distance > 0:
                np.multiply(values[step:], same, out=shifted[:-step])
            else:
                np.multiply(values[:-step], same, out=shifted[step:])
        return shifted


def _share(scores: "Vectors") -> "Vectors":
    best = float(scores.max(initial=0.0))
    return scores / best if best > 0 else scores

"""The flow of a search: question -> chunks of the index -> scores -> hits."""

import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from commonplace.errors import EmbedderFailed, ValidationError
from commonplace.flows.indexing import BookIndex, comes_with_the_package
from commonplace.language import terms, words
from commonplace.language.beyond import DENYING, adds_nothing, told
from commonplace.search.evidence import Likeness
from commonplace.search.facts import Facts, facts_of
from commonplace.search.floor import chances, fitted_floor, signs
from commonplace.search.query import Filters, Query, parse
from commonplace.search.queryvector import turned
from commonplace.search.ranking import Method, Ranking, by_date, gathered, rank, totals
from commonplace.search.timewords import Span
from commonplace.types.searching import Asked, Chunk, Found, Hit

if TYPE_CHECKING:
    from concurrent.futures import Future

    from numpy.typing import NDArray

    from commonplace.ports import Corpus, Embedder, Vectors

_PATIENCE = 2.0
_ALIKE = 0.9
_SPARE = 4  # ranked for each that is shown: some will be near-identical
_OF_DAYS = 12  # chunks of the days that a question names
_SAME_THING = 0.6  # of the shorter one's terms


class Finder:
    """Search over one book. Thread-safe; a search never waits for a writer."""

    def __init__(self, index: BookIndex, method: Method) -> None:
        self._index = index
        self._method = method
        self._facts: tuple[Corpus, Facts] | None = None

    def search(self, question: str, *, today: date, filters: Filters, limit: int, explain: bool = False) -> Found:
        if not question.strip():
            raise ValidationError("The question is blank.", hint="Give at least one word to look for.")
        if limit < 1:
            raise ValidationError("At least one result must be asked for.", hint="Use a limit of 1 or more.")
        return self._found(question, today, filters, partial(self._hits, limit=limit, explain=explain))

    def evidence(self, question: str, *, today: date, limit: int, but: str = "", embed: bool = True) -> Found:
        """What tells something about `question`, at most `limit`: nothing if it asks about nothing. Each statement
        comes once, the newest before older ones of the same thing. What the session `but` said is left out. Without
        `embed` no vector of a text is computed."""
        return self._found(question, today, Filters(), partial(self._evidence, limit=limit, but=but), embed=embed)

    def _found(
        self, question: str, today: date, filters: Filters, pick: Callable[..., list[Hit]], *, embed: bool = True
    ) -> Found:
        index = self._index
        with index.guard:
            started = self._start_embedding(question)
            query = parse(question, today, filters)
            index.refresh(patience=_PATIENCE if embed else 0.0)
            known, wanted = index.vectors()
            vector = self._asked_vector(query, started) if known else None
            corpus = index.corpus(_asked(query, vector))
            hits = pick(corpus, query, partial(_likeness, corpus, vector) if vector and corpus.count else None)
        return Found(hits, known, wanted, index.trouble, index.unread_files())

    def _start_embedding(self, question: str) -> "Future[Vectors] | None":
        """Embed the question while files and words are looked at: a model computes outside the interpreter. It is not
        loaded for that: whether it is needed is known only afterwards."""
        reader = self._index.reader(question)
        if reader is None or not reader.loaded or not self._index.vectors()[0]:
            return None
        from concurrent.futures import Future

        started: Future[Vectors] = Future()
        threading.Thread(target=_embed_into, args=(started, reader, self._index.clean(question)), daemon=True).start()
        return started

    def _asked_vector(self, query: Query, started: "Future[Vectors] | None") -> "Callable[[], Vectors | None] | None":
        """How to compute the meaning of a question, for when it is needed; None where it cannot be known."""
        reader = self._index.reader(query.text)
        if reader is None:
            return None
        turns = self._method is None and comes_with_the_package(reader)

        @cache
        def vector() -> "Vectors | None":
            try:
                asked = started.result() if started else reader.embed([self._index.clean(query.text)])[0]
                return turned(asked) if turns else asked
            except EmbedderFailed as error:
                self._index.trouble = f"{error.message} {error.hint}"
                return None

        return vector

    def _facts_of(self, corpus: "Corpus") -> Facts:
        """Facts hold for one state of the index."""
        if self._facts is None or self._facts[0] is not corpus:
            self._facts = (corpus, facts_of(corpus))
        return self._facts[1]

    def _hits(
        self, corpus: "Corpus", query: Query, likeness: "Likeness | None", limit: int, *, explain: bool
    ) -> list[Hit]:
        """The best hits; where the same is said over and over, it is looked for deeper down."""
        facts, most = self._facts_of(corpus), limit
        while True:
            most *= _SPARE
            ranking = rank(gathered(corpus, facts, query, likeness), self._method, most=most)
            hits = list(islice(_distinct(corpus, ranking, query.today, explain=explain), limit))
            if len(hits) == limit or len(ranking.chunks) < most:
                return hits

    def _evidence(self, corpus: "Corpus", query: Query, likeness: "Likeness | None", limit: int, but: str) -> list[Hit]:
        """The chunks above the floor. Where a question names a time and no words that say more, what was said then is
        the answer, whatever it is."""
        chance = self._told(corpus, query, likeness, limit, but)
        if query.span is not None and (
            query.asks_for_days or not any(_is_from(corpus, at, query.span) for at in chance)
        ):
            filters = replace(query.filters, since=query.span.first, until=query.span.last)
            then = gathered(corpus, self._facts_of(corpus), replace(query, filters=filters), likeness)
            days = _tells(corpus, by_date(then, most=limit * _SPARE), query, but, _OF_DAYS)
            chance = dict.fromkeys(days, 1.0) | chance
        return [_hit(corpus.chunk(at), chance[at], query.today, {}) for at in _once(corpus, list(chance))]

    def _told(
        self, corpus: "Corpus", query: Query, likeness: "Likeness | None", limit: int, but: str
    ) -> dict[int, float]:
        """The places of the chunks that are evidence, best first, each with its chance."""
        if query.says_little:
            return {}
        evidence = gathered(corpus, self._facts_of(corpus), query, likeness)
        ranking = rank(evidence, self._method, most=limit * _SPARE)
        places = np.array(_tells(corpus, ranking.chunks, query, but, limit), dtype=np.int64)
        floor = fitted_floor(by_meaning=evidence.similarity is not None)
        chance = chances(signs(evidence, places, totals(evidence, places)), floor)
        return {int(at): float(p) for at, p in zip(places, chance, strict=True) if p >= floor.least}


def _likeness(corpus: "Corpus", vector: "Callable[[], Vectors | None]") -> "Vectors | None":
    asked = vector()
    return None if asked is None else corpus.cosine(asked)


def _asked(query: Query, vector: "Callable[[], Vectors | None] | None") -> Asked:
    """A question for an index that gives only what may answer it."""
    return Asked(
        terms={term: math.sqrt(repeats) for term, repeats in query.terms.items()},
        vector=vector or (lambda: None),
        phrases=tuple(tuple(terms(phrase)) for phrase in query.phrases),
        sources=query.filters.sources,
        since=query.filters.since,
        until=query.filters.until,
        sessions=query.filters.sessions,
        days=(query.span.first, query.span.last) if query.span else None,
        newest=query.wants_current,
    )


def _distinct(corpus: "Corpus", ranking: Ranking, today: date, *, explain: bool) -> Iterator[Hit]:
    shown: list[set[str]] = []
    for place, at in enumerate(ranking.chunks):
        chunk = corpus.chunk(int(at))
        said = words(chunk.text) or {chunk.text}
        if any(_alike(said, others) for others in shown):
            continue
        shown.append(said)
        parts = {name: float(values[place]) for name, values in ranking.components.items()} if explain else {}
        yield _hit(chunk, float(ranking.scores[place]), today, parts)


def _tells(corpus: "Corpus", ranked: "NDArray[np.int64]", query: Query, but: str, most: int) -> list[int]:
    """The first of the ranked chunks that can tell somebody something: not what is in the prompt already, a word alone,
    nor a question that asks no more than this one; near-identical ones once."""
    shown: list[set[str]] = []
    found: list[int] = []
    for at in map(int, ranked):
        chunk = corpus.chunk(at)
        said = words(chunk.text) or {chunk.text}
        if (but and chunk.session == but) or len(set(terms(chunk.text)) or said) == 1:
            continue
        if chunk.text.rstrip().endswith(("?", "？")) and set(terms(chunk.text)) <= query.terms.keys():
            continue
        if not any(_alike(said, others) for others in shown):
            shown.append(said)
            found.append(at)
            if len(found) == most:
                break
    return found


def _once(corpus: "Corpus", places: list[int]) -> list[int]:
    """Each statement once, and the newest of those about the same thing before the older ones."""
    said = {at: told(corpus.chunk(at).text) for at in places}

    def age(at: int) -> tuple[bool, int]:
        """What is kept in the memory is how it is now; else the newest comes first."""
        return corpus.day[at] > 0, -int(corpus.day[at])

    by_age = sorted(places, key=age)
    once = [
        at
        for number, at in enumerate(by_age)
        if not any(
            adds_nothing(said[at], said[other]) and (before < number or not adds_nothing(said[other], said[at]))
            for before, other in enumerate(by_age)
            if other != at
        )
    ]
    groups: list[list[int]] = []
    for at in sorted(once, key=places.index):
        about = next((group for group in groups if _about_the_same(said[at].terms, said[group[0]].terms)), None)
        if about is None:
            groups.append([at])
        else:
            about.append(at)
    return [at for group in groups for at in sorted(group, key=age)]


def _about_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _SAME_THING * max(1, min(len(one), len(other)))


def _is_from(corpus: "Corpus", at: int, days: Span) -> bool:
    return days.first.toordinal() <= corpus.day[at] <= days.last.toordinal()


def _embed_into(result: "Future[Vectors]", embedder: "Embedder", text: str) -> None:
    try:
        result.set_result(embedder.embed([text])[0])
    except BaseException as error:  # whatever it is belongs to whoever asks for the result
        result.set_exception(error)


def _alike(said: set[str], other: set[str]) -> bool:
    """Near-identical: almost the same words, all the same numbers, the same yes or no. Said twice, shown once."""
    if len(said) < _ALIKE * len(other) or len(other) < _ALIKE * len(said):
        return False
    if len(said & other) < _ALIKE * len(said | other):
        return False
    differing = said ^ other
    return not differing & DENYING and not any(letter.isdigit() for word in differing for letter in word)


def _hit(chunk: Chunk, score: float, today: date, components: dict[str, float]) -> Hit:
    return Hit(
        text=chunk.text,
        source=chunk.source,
        date=chunk.day,
        heading=chunk.heading,
        file=chunk.file,
        line=chunk.line,
        session=chunk.session,
        message=chunk.message,
        speaker=chunk.speaker,
        score=score,
        age_days=max((today - chunk.day).days, 0) if chunk.day else None,
        components=components,
    )

"""Labelled questions as examples for `fit_ranking.py`: what search knows about each chunk when it is asked.

The questions are asked as `commonplace bench retrieval` asks them. The only differences stand in `NotingFinder`,
which keeps the evidence instead of ranking by it, and in `KeptMemory`, whose book is filled and embedded once.
"""

import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonplace.bench import retrieval
from commonplace.config import Settings
from commonplace.flows.hybridsearch import _ALIKE, Finder, _alike, _hit
from commonplace.language import words
from commonplace.memory import Memory
from commonplace.ports import Corpus
from commonplace.providers.embedders import embedder
from commonplace.search.evidence import FROM_MEANING, Evidence, Likeness
from commonplace.search.query import Kind, Query
from commonplace.search.queryvector import turned
from commonplace.search.ranking import best, gathered, rank
from commonplace.types import Hit, IndexReport, Message

FOLDS = 4
_DIGEST = 4


@dataclass(frozen=True)
class Noted:
    """What the ranking sees when a question is asked, which chunks it considers at all, and the question's vector."""

    evidence: Evidence
    chunks: NDArray[np.int64]
    question: NDArray[np.float32] | None


class NotingFinder(Finder):
    """Notes what it would rank by. Its answer to any question are all chunks, in the order of the corpus."""

    noted: Noted | None = None
    everything: tuple[Hit, ...] = ()

    def _hits(
        self,
        corpus: Corpus,
        query: Query,
        likeness: Likeness | None,
        limit: int,
        *,
        explain: bool,
    ) -> list[Hit]:
        facts, asked = self._facts_of(corpus), None
        if likeness:
            assert self._index.embedder is not None  # who else would know of likeness
            asked = self._index.embedder.embed([query.text])[0]
            likeness = partial(corpus.cosine, asked)  # not turned: how to turn it is yet to be found
        evidence = gathered(corpus, facts, query, likeness)
        chunks = np.sort(rank(evidence, None, most=corpus.count).chunks)
        self.noted = Noted(evidence, chunks, asked)
        if not self.everything:
            everything = map(corpus.chunk, range(corpus.count))
            self.everything = tuple(_hit(chunk, 0.0, query.today, {}) for chunk in everything)
        return list(self.everything)


class KeptMemory(Memory):
    """A book that is filled and embedded once."""

    def add_message(self, session: str, *messages: Message) -> None:
        """A session that is there already is not added again."""
        if session not in self._there:
            super().add_message(session, *messages)

    def reindex(self, progress: Callable[[int, int], None] | None = None) -> IndexReport:
        """Embed only what has no vector yet."""
        self._index.refresh(progress=progress or _show_progress)
        report = self.index_report()
        if report.trouble or report.vectors_known < report.vectors_wanted:
            raise SystemExit(f"{self.path} is not embedded: {report.trouble or 'vectors are missing'}")
        return report

    @cached_property
    def _finder(self) -> NotingFinder:
        return NotingFinder(self._index, None)

    @cached_property
    def _there(self) -> frozenset[str]:
        return frozenset(self.sessions())


@dataclass(frozen=True)
class Labels:
    """What the chunks of a corpus are called in the data, which are near-identical, and their vectors."""

    places: tuple[retrieval.Ranked, ...]
    twins: Mapping[int, set[int]]
    vectors: NDArray[np.float32]

    def shown(self, chunks: Sequence[int]) -> tuple[retrieval.Ranked, ...]:
        """What search shows: of near-identical chunks only the first."""
        shown: dict[int, retrieval.Ranked] = {}
        for chunk in chunks:
            if len(shown) == retrieval.DEPTH:
                break
            if chunk not in self.twins or self.twins[chunk].isdisjoint(shown):
                shown[chunk] = self.places[chunk]
        return tuple(shown.values())


@dataclass(frozen=True)
class Example:
    """One question with the features of every chunk that may be found."""

    reader: "Reader"
    dataset: str
    shown_as: str
    fold: int
    answer: retrieval.Answer  # as yet without a ranking
    labels: Labels
    noted: Noted
    features: NDArray[np.float32]  # chunks x features

    @property
    def kind(self) -> Kind:
        return self.noted.evidence.query.kind

    @property
    def chunks(self) -> NDArray[np.int64]:
        return self.noted.chunks

    @cached_property
    def candidates(self) -> NDArray[np.int64]:
        """The rows of `features` that the fit of weights looks at."""
        return best(self.features @ self.reader.seeds[self.kind], self.reader.candidates)

    @cached_property
    def all_gold(self) -> NDArray[np.bool_]:
        """Which chunks are gold turns."""
        turns = [self.labels.places[at].turn for at in self.chunks]
        return np.array([turn in self.answer.gold_turns for turn in turns], dtype=np.bool_)

    @property
    def gold(self) -> NDArray[np.bool_]:
        """The same, of the candidates."""
        return self.all_gold[self.candidates]

    @cached_property
    def gold_session(self) -> NDArray[np.bool_]:
        sessions = [self.labels.places[at].session for at in self.chunks[self.candidates]]
        return np.array([session in self.answer.gold_sessions for session in sessions], dtype=np.bool_)

    @property
    def has_gold(self) -> bool:
        return bool(self.all_gold.any() and not self.all_gold.all())

    @property
    def is_useful(self) -> bool:
        """There is something to learn: a right candidate and a wrong one."""
        return bool((self.gold.any() or self.gold_session.any()) and not self.gold.all())

    def turned(self, tilt: NDArray[np.float32]) -> "Example":
        """The same question, its vector turned. The chunks stay those of the question as it was."""
        if self.noted.question is None:
            return self
        corpus, asked = self.noted.evidence.corpus, turned(self.noted.question, tilt)
        evidence = replace(self.noted.evidence, likeness=partial(corpus.cosine, asked))
        features = self.features.copy()
        for column, name in enumerate(self.reader.names):
            if name in FROM_MEANING:
                features[:, column] = getattr(evidence, name)[self.chunks]
        return replace(self, features=features)

    def ranked(self, weights: NDArray[np.float32]) -> retrieval.Answer:
        """What search would answer with these weights."""
        order = np.argsort(-(self.features @ weights), kind="stable")
        return replace(self.answer, ranked=self.labels.shown(self.chunks[order].tolist()))


@dataclass(frozen=True)
class Reader:
    """Reads data files into examples, keeping the books in a folder."""

    books: Path
    names: tuple[str, ...]  # of the features
    seeds: Mapping[Kind, NDArray[np.float32]]  # rough weights that choose the candidates
    candidates: int

    def read(self, path: Path) -> Iterator[Example]:
        data = retrieval.load(path)
        dataset = path.name.split(".")[0].removesuffix("-dev")
        model = embedder(Settings().embedder)
        assert model is not None
        books: list[KeptMemory] = []

        def open_book(number: int) -> Memory:
            cid, sessions = list(data["corpora"].items())[number]
            print(f"{dataset}: {cid}", file=sys.stderr)
            opened = KeptMemory.open(self.books / f"{dataset}-{_digest(sessions)}", embedder=model)
            assert isinstance(opened, KeptMemory)
            books.append(opened)
            return opened

        labels: dict[str, Labels] = {}
        asked = zip(_in_order_of_asking(data), retrieval.run(data, open_book), strict=True)
        for (position, cid), answer in asked:
            if not answer.ranked:  # nothing may be searched
                continue
            finder = books[-1]._finder
            noted = finder.noted
            assert noted is not None  # it has just been asked
            evidence, chunks = noted.evidence, noted.chunks
            if cid not in labels:
                twins = _twins([hit.text for hit in finder.everything])
                labels[cid] = Labels(answer.ranked, twins, _vectors(evidence.corpus, model.dimensions))
            shown_as, fold = _fold_of(dataset, cid, position, data["corpora"])
            features = np.stack([getattr(evidence, name)[chunks] for name in self.names], axis=1)
            unranked = replace(answer, ranked=())
            yield Example(self, dataset, shown_as, fold, unranked, labels[cid], noted, features)


def _vectors(corpus: Corpus, dimensions: int) -> NDArray[np.float32]:
    """The vectors of all chunks: the likeness to each axis is a column."""
    return np.stack([corpus.cosine(axis) for axis in np.eye(dimensions, dtype=np.float32)], axis=1)


def _digest(sessions: Sequence[Mapping[str, Any]]) -> str:
    """For the name of a book: other sessions get another one."""
    return hashlib.blake2b(json.dumps(sessions).encode(), digest_size=_DIGEST).hexdigest()


def _in_order_of_asking(data: Mapping[str, Any]) -> list[tuple[int, str]]:
    """The positions of the questions, and their corpora: all questions of a corpus are asked together."""
    number_of = {cid: number for number, cid in enumerate(data["corpora"])}
    asked = [(at, question["cid"]) for at, question in enumerate(data["questions"]) if question["cid"] in number_of]
    return sorted(asked, key=lambda question: number_of[question[1]])


def _fold_of(dataset: str, cid: str, position: int, corpora: Mapping[str, Any]) -> tuple[str, int]:
    """Under which name a question is shown, and its fold. Conversations stay whole, also where another set borrows
    them and marks them with a plus. A set of fewer corpora than folds is shown by corpus, its questions dealt out."""
    if len(corpora) < FOLDS:
        return cid, position % FOLDS
    return dataset, sorted({name.rstrip("+") for name in corpora}).index(cid.rstrip("+")) % FOLDS


def _twins(texts: Sequence[str]) -> dict[int, set[int]]:
    """The near-identical texts of each text that has any. Only texts of nearly the same length can be."""
    said = [words(text) or {text} for text in texts]
    twins: dict[int, set[int]] = defaultdict(set)
    by_length = sorted(range(len(said)), key=lambda at: len(said[at]))
    for number, one in enumerate(by_length):
        for other in islice(by_length, number + 1, None):
            if len(said[one]) < _ALIKE * len(said[other]):
                break
            if _alike(said[one], said[other]):
                twins[one].add(other)
                twins[other].add(one)
    return dict(twins)


def _show_progress(done: int, wanted: int) -> None:
    print(f"\r  embedded {done} of {wanted}", end="\n" if done == wanted else "", file=sys.stderr, flush=True)

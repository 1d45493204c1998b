"""Fit the floor of recall: when a message asks for nothing that is remembered, and which chunks are no evidence.

    uv run --no-project --with-editable . tools/fit_floor.py --books BOOKS DATA... [--write]

DATA are retrieval data files, see docs/retrieval.md. Each corpus is kept in a book under BOOKS, so that it is embedded
once, and what was measured of its questions beside it. Every corpus is asked its own questions (gold turns are
evidence), questions of other corpora (nothing is), and the small talk in training/small_talk.txt (nothing is); each
with vectors and by keywords alone. Two logistic regressions are fitted: one over messages, whether they ask for
anything that is there; one over ranked chunks. Printed is what a block of 2,000 tokens has of the gold, fitted without
the conversations it is measured on (four folds), for floors of several heights. `--write` puts weights where recall
reads them.
"""

import argparse
import json
import pickle
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from ranking_examples import FOLDS

from commonplace.bench import retrieval
from commonplace.flows.hybridsearch import Finder, _hit, _tells
from commonplace.flows.recall import _bullet, _cost, _source
from commonplace.memory import Memory
from commonplace.ports import Corpus
from commonplace.search.evidence import Likeness
from commonplace.search.floor import Floor, Signs, chances, signs
from commonplace.search.query import Query
from commonplace.search.ranking import gathered, rank, totals
from commonplace.types import Hit

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent / "src" / "commonplace" / "search" / "floor.json"
DEEP, YOUNG = 60, 4
"""Chunks that are looked at, and as many as a book of a few days might have: every message is learned from twice."""
ROOM = 1890  # tokens for memories in a block of 2,000
SET_WEIGHT = {"locomo_plus": 0.4, "madial": 0.4, "beam100K": 0.7}
"""Other sets count 1."""
MESSAGES = {"own": 1.0, "small talk": 0.6, "wrong book": 0.3}
CHUNKS = {"own": 1.0, "small talk": 0.15, "wrong book": 0.15}
LEAST = {"by meaning": (0.2, 0.0045), "by keywords": (0.3, 0.004)}
"""Where a message begins to ask for something, and a chunk to tell it: chosen by hand from the figures below."""
SHOWN = (-1.0, 0.002, 0.003, 0.004, 0.0045, 0.005, 0.006, 0.008, 0.01, 0.02)
Floats = NDArray[np.float64]


class Asked(NamedTuple):
    """One message, asked of one book."""

    dataset: str
    fold: int
    kind: str
    by_meaning: bool
    young: bool
    signs: Signs
    gold: NDArray[np.bool_]  # per chunk
    cost: NDArray[np.int64]  # per chunk, in tokens
    wanted: int  # how many gold turns there are


class NotingFinder(Finder):
    """Keeps what the floor would be decided by."""

    by_meaning = True
    noted: tuple[Signs, Signs]

    def _hits(
        self,
        corpus: Corpus,
        query: Query,
        likeness: Likeness | None,
        limit: int,
        *,
        explain: bool,
    ) -> list[Hit]:
        evidence = gathered(corpus, self._facts_of(corpus), query, likeness if self.by_meaning else None)
        ranking = rank(evidence, None, most=limit * 4)
        places = np.array(_tells(corpus, ranking.chunks, query, "", limit), dtype=np.int64)
        young = places[:YOUNG]
        self.noted = (
            signs(evidence, places, totals(evidence, places)),
            signs(evidence, young, totals(evidence, young)),
        )
        return [_hit(corpus.chunk(int(at)), 0.0, query.today, {}) for at in places]


def read(path: Path, books: Path, others: Sequence[tuple[str, str]]) -> list[Asked]:
    """All messages to the corpora of one data file; `others` are questions with their corpora."""
    dataset = path.name.split(".")[0].removesuffix("-dev")
    kept = books / f"{dataset}.floor.pickle"
    if kept.exists():
        return pickle.loads(kept.read_bytes())  # noqa: S301 (written by this program)
    data = retrieval.load(path)
    found = [
        asked
        for number, (cid, sessions) in enumerate(data["corpora"].items())
        for asked in _asked(dataset, number, cid, sessions, data, books, others)
    ]
    kept.write_bytes(pickle.dumps(found))
    return found


def _asked(
    dataset: str,
    number: int,
    cid: str,
    sessions: Sequence[dict[str, Any]],
    data: dict[str, Any],
    books: Path,
    others: Sequence[tuple[str, str]],
) -> Iterator[Asked]:
    memory = Memory.open(books / f"{dataset}-{number}")
    if not memory.sessions():
        retrieval._ingest(memory, sessions)
    turns = {f"s{s:05d}-{t}": str(turn["tid"]) for s, one in enumerate(sessions) for t, turn in enumerate(one["turns"])}
    finder = NotingFinder(memory._index, None)
    memory._index.refresh()
    memory.__dict__["_finder"] = finder
    print(f"{dataset}: {cid}", file=sys.stderr)

    def ask(text: str, kind: str, fold: int, gold: frozenset[str], today: date | None, most: int | None):
        searchable = [f"s{at:05d}" for at in range(len(sessions))][:most]
        if not searchable:
            return
        for by_meaning in (True, False):
            finder.by_meaning = by_meaning
            allowed = () if len(searchable) == len(sessions) else searchable
            hits = memory.search(text, limit=DEEP, sessions=allowed, today=today).hits
            cost = [_cost(_bullet(f"[{_source(hit)}] ", hit.text)) for hit in hits]
            is_gold = [turns[hit.message] in gold for hit in hits]
            for noted in finder.noted:
                shown = len(noted.chunks)
                found = np.array(is_gold[:shown], dtype=np.bool_), np.array(cost[:shown], dtype=np.int64)
                yield Asked(dataset, fold, kind, by_meaning, shown <= YOUNG, noted, *found, len(gold))

    day = None
    own = [question for question in data["questions"] if question["cid"] == cid and question["gold_turns"]]
    for at, question in enumerate(own):
        fold = at % FOLDS if len(data["corpora"]) < FOLDS else number % FOLDS
        day = datetime.fromisoformat(question["qdate"]).date() if question.get("qdate") else None
        gold = frozenset(map(str, question["gold_turns"]))
        yield from ask(question["question"], "own", fold, gold, day, question.get("n_sessions"))
    small_talk = (HERE.parent / "training" / "small_talk.txt").read_text(encoding="utf-8").split("\n")
    for text in filter(None, small_talk):
        yield from ask(text, "small talk", number % FOLDS, frozenset(), day, None)
    foreign = [text for text, home in others if home.rstrip("+") != cid.rstrip("+")]
    for text in random.Random(number).sample(foreign, min(60, len(foreign))):  # noqa: S311 (the same ones each time)
        yield from ask(text, "wrong book", number % FOLDS, frozenset(), day, None)


def fitted(examples: Sequence[Asked], least_asked: float, least: float) -> Floor:
    """Both regressions; every set counts as a whole, and so does every kind of message in it."""
    counts = Counter((asked.dataset, asked.kind) for asked in examples)
    rows = Counter[tuple[str, str]]()
    for asked in examples:
        rows[asked.dataset, asked.kind] += len(asked.gold)

    def weight(asked: Asked, shares: dict[str, float], total: int) -> float:
        return shares[asked.kind] * SET_WEIGHT.get(asked.dataset, 1.0) / total

    useful = [asked for asked in examples if asked.kind != "own" or asked.gold.any()]
    question = regression(
        np.array([asked.signs.question for asked in useful]),
        np.array([float(asked.kind == "own") for asked in useful]),
        np.array([300 * weight(asked, MESSAGES, counts[asked.dataset, asked.kind]) for asked in useful]),
    )
    chunks = regression(
        np.concatenate([asked.signs.chunks for asked in examples]),
        np.concatenate([asked.gold for asked in examples]).astype(np.float64),
        np.concatenate(
            [
                np.full(len(asked.gold), 30_000 * weight(asked, CHUNKS, rows[asked.dataset, asked.kind]))
                for asked in examples
            ]
        ),
    )
    return Floor(question, chunks, least_asked, least)


def regression(given: Floats, wanted: Floats, weights: Floats, shrink: float = 1.0) -> Floats:
    """Weights of a logistic regression by Newton's method; the last column is the constant, which is not shrunk."""
    scale = np.where((spread := given.std(axis=0)) < 1e-9, 1.0, spread)
    scale[-1] = 1.0
    scaled = given / scale
    pull = np.append(np.full(given.shape[1] - 1, shrink), 1e-6)
    found = np.zeros(given.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-(scaled @ found)))
        slope = scaled.T @ (weights * (wanted - chance)) - pull * found
        curve = (scaled * (weights * chance * (1 - chance))[:, None]).T @ scaled + np.diag(pull)
        step = np.linalg.solve(curve, slope)
        found += step
        if np.abs(step).max() < 1e-6:
            break
    return found / scale


def block(asked: Asked, chance: Floats, least: float, most: int = DEEP) -> tuple[int, int, int]:
    """How many chunks, gold chunks and tokens fit into a block."""
    shown = gold = used = 0
    for cost, is_gold, p in list(zip(asked.cost, asked.gold, chance, strict=True))[:most]:
        if p >= least and used + cost <= ROOM:
            shown, gold, used = shown + 1, gold + int(is_gold), used + int(cost)
    return shown, gold, used


def report(examples: Sequence[Asked], left_out: Sequence[Floats]) -> Iterator[str]:
    pairs = [pair for pair in zip(examples, left_out, strict=True) if not pair[0].young]
    for dataset in sorted({asked.dataset for asked in examples}):
        yield f"{dataset}: least chance | evidence shown, of it gold (mean; pooled), memories | small talk | wrong book"
        for least in SHOWN:
            blocks = {
                kind: [
                    (asked, block(asked, chance, least, DEEP if least > 0 else 40))
                    for asked, chance in pairs
                    if asked.dataset == dataset and asked.kind == kind
                ]
                for kind in MESSAGES
            }
            own = blocks["own"]
            found = [gold / asked.wanted for asked, (_, gold, _) in own]
            error = 1.96 * np.std(found) / max(1, len(found)) ** 0.5
            exact = [gold / shown if shown else 0.0 for _, (shown, gold, _) in own]
            pooled = sum(gold for _, (_, gold, _) in own) / max(1, sum(shown for _, (shown, _, _) in own))
            noise = [
                np.mean([tokens for _, (_, _, tokens) in blocks[kind]] or [0]) for kind in MESSAGES if kind != "own"
            ]
            yield (
                f"  {least:6} | {100 * np.mean(found):.1f} ± {100 * error:.1f}, {100 * np.mean(exact):.1f}; "
                f"{100 * pooled:.1f}, "
                f"{np.mean([shown for _, (shown, _, _) in own]):.1f} | {noise[0]:.0f} tokens | {noise[1]:.0f} tokens"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the floor of recall.")
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--books", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    others = [(str(q["question"]), str(q["cid"])) for path in options.data for q in retrieval.load(path)["questions"]]
    examples = [asked for path in options.data for asked in read(path, options.books, others)]
    shipped: dict[str, object] = {"fitted_on": sorted({asked.dataset for asked in examples})}
    for name, (least_asked, least) in LEAST.items():
        chosen = [asked for asked in examples if asked.by_meaning == (name == "by meaning") and len(asked.gold)]
        folds = [fitted([asked for asked in chosen if asked.fold != fold], least_asked, least) for fold in range(FOLDS)]
        print(f"\n{name}")
        print(*report(chosen, [chances(asked.signs, folds[asked.fold]) for asked in chosen]), sep="\n")
        floor = fitted(chosen, least_asked, least)
        shipped[name] = {
            "question": [round(float(weight), 4) for weight in floor.question],
            "chunks": [round(float(weight), 4) for weight in floor.chunks],
            "asked": least_asked,
            "least": least,
        }
    if options.write:
        TARGET.write_text(json.dumps(shipped, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

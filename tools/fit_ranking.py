"""Fit the search ranking on labelled questions, and cross-validate it: weights, and how questions are turned.

    uv run --no-project --with scipy --with-editable . tools/fit_ranking.py --books BOOKS DATA... [--write]

DATA are retrieval data files; `commonplace.bench.retrieval` describes their format. Each corpus is kept in a book
under BOOKS, so that it is embedded once. Printed are the figures of the ranking that ships, of the fitted one on the
same data, and of rankings fitted without the conversations, or without the whole set, that they are measured on; all
as turn recall at 5 and 10, and session recall at 5 and 10. `--write` puts the fitted ranking where search reads it.

How the vector of a question is turned is fitted first (`ranking_tilt.py`), then the weights, on questions that were
turned by what was fitted without their conversations: what a tilt has seen it finds too well.

A weight belongs to a piece of evidence and a kind of question. The loss is a softmax over the candidates of each
question: each gold turn against all that are not gold and, with a small share, the gold sessions against the others.
Sets are weighted as wholes, the signs of weights are fixed, and each kind is pulled towards one ranking fitted on all.
What no data can teach (`set_by_hand` in the file) stays as it is.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from ranking_examples import FOLDS, Example, Reader
from ranking_tilt import fit_tilt
from scipy.optimize import minimize

from commonplace.bench.retrieval import Answer, table
from commonplace.search.query import Kind
from commonplace.search.queryvector import fitted_tilt
from commonplace.search.ranking import fitted_weights

Weights = Mapping[Kind, Mapping[str, float]]
Floats = NDArray[np.float64]

SIGNS = {
    "cosine": 1,
    "words": 1,
    "coverage": 1,
    "session_words": 1,
    "session_best": 1,
    "session_mean": 1,
    "near_words": 1,
    "far_words": 1,
    "next_cosine": 1,
    "asks": -1,
    "follows_question": 1,
    "speaker": 1,
    "assistant": -1,
    "time_words": 1,
    "numbers": 1,
    "in_dates": 1,
    "recency": 1,
    "small_talk": -1,
    "log_length": 0,
}
"""What is fitted, and the sign that its weight must have (0: either): a few conversations must not teach that a
matching neighbour counts against a chunk."""
NAMES = tuple(SIGNS)
CONTINUATION_ONLY = frozenset({"session_mean", "log_length", "recency"})
COMMON = frozenset(NAMES) - CONTINUATION_ONLY
IN_PLACE_OF = ("cosine", "next_cosine")
"""What the likeness to a tilted question stands for while the tilt is fitted."""
LIMITS = {"assistant": 2.0, "asks": 0.6, "session_words": 1.0}
"""Who speaks, whether a turn asks and how long its session is say more about a set than about memory: they must not
outweigh what was said."""
BY_HAND = {kind: ("kept",) if kind is Kind.CONTINUATION else ("recency", "kept") for kind in Kind}
SET_WEIGHT = {"locomo_plus": 0.5, "madial": 0.5, "beam100K": 0.7, "beam500K": 0.5}
"""Other sets count 1."""
SEEDS = {
    Kind.QUESTION: {"cosine": 0.8, "words": 0.5, "session_words": 0.15, "near_words": 0.15, "assistant": -0.2},
    Kind.CONTINUATION: {
        "cosine": 3.0,
        "words": 0.6,
        "recency": 3.0,
        "session_best": 2.0,
        "assistant": -0.3,
        "small_talk": -4.0,
    },
    Kind.REMARK: {"cosine": 3.0, "words": 0.3, "small_talk": -4.0},
}
"""Weights that choose the candidates; only roughly right."""
CANDIDATES = 150
RIDGE, PULL = 1e-3, 1e-2
SESSION_SHARE = 0.3
SMALLEST_WEIGHT = 0.02
MOST_STEPS = 300
COLUMNS = ("turn@5", "turn@10", "session@5", "session@10")


class Loss:
    """The loss of standardised weights, and its gradient."""

    def __init__(self, examples: Sequence[Example], shares: Sequence[float], prior: Floats, pull: float) -> None:
        values = np.concatenate([example.features[example.candidates] for example in examples]).astype(np.float64)
        self.scale = values.std(axis=0) + 1e-9
        self._values = (values - values.mean(axis=0)) / self.scale
        sizes = [len(example.candidates) for example in examples]
        self._start = np.cumsum([0, *sizes[:-1]])
        self._row = np.repeat(np.arange(len(sizes)), sizes)
        self._gold = np.concatenate([example.gold for example in examples]).astype(np.float64)
        self._gold_session = np.concatenate([example.gold_session for example in examples]).astype(np.float64)
        self._share = np.array(shares) / sum(shares)
        self._prior = prior * self.scale
        self._pull = pull

    def __call__(self, weights: Floats) -> tuple[float, Floats]:
        scores = self._values @ weights
        powers = np.exp(scores - np.maximum.reduceat(scores, self._start)[self._row])
        turn_loss, turn_slope = self._turns(powers)
        session_loss, session_slope = self._sessions(powers)
        away = weights - self._prior
        loss = turn_loss + SESSION_SHARE * session_loss + self._pull * float(away @ away)
        slope = self._values.T @ (turn_slope + SESSION_SHARE * session_slope) + 2 * self._pull * away
        return loss, slope

    def _turns(self, powers: Floats) -> tuple[float, Floats]:
        """Each gold turn against all that are not gold; golds do not compete with each other."""
        golds = self._sum(self._gold)
        share = (np.where(golds > 0, self._share, 0.0) / np.maximum(golds, 1))[self._row]
        rivals = powers + self._sum(powers * (1 - self._gold))[self._row]
        chance = powers / rivals
        loss = -float((self._gold * share * np.log(np.maximum(chance, 1e-30))).sum())
        pushed = powers * self._sum(self._gold / rivals)[self._row]
        return loss, share * np.where(self._gold > 0, chance - 1, pushed)

    def _sessions(self, powers: Floats) -> tuple[float, Floats]:
        """All turns of gold sessions together against all others."""
        total, good = self._sum(powers), self._sum(powers * self._gold_session)
        share = self._share * (good > 0)
        loss = -float((share * np.log(np.where(good > 0, good / total, 1.0))).sum())
        pulled = (share / np.maximum(good, 1e-30))[self._row] * powers * self._gold_session
        return loss, (share / total)[self._row] * powers - pulled

    def _sum(self, values: Floats) -> Floats:
        return np.add.reduceat(values, self._start)


def as_vector(weights: Mapping[str, float]) -> NDArray[np.float32]:
    return np.array([weights.get(name, 0.0) for name in NAMES], dtype=np.float32)


def bounds_of(name: str, used: frozenset[str], scale: float) -> tuple[float, float]:
    """A weight stays on its side of zero and within its limit, or at zero if it is not used."""
    limit = LIMITS.get(name, np.inf) * scale if name in used else 0.0
    return (0.0 if SIGNS[name] > 0 else -limit, 0.0 if SIGNS[name] < 0 else limit)


def fit_one(
    examples: Iterable[Example], sizes: Mapping[str, int], used: frozenset[str], prior: Mapping[str, float], pull: float
) -> dict[str, float]:
    """One ranking, pulled towards a prior so that few questions cannot move it far."""
    useful = [example for example in examples if example.is_useful]
    if not useful:
        return dict(prior)
    shares = [SET_WEIGHT.get(example.dataset, 1.0) / sizes[example.dataset] for example in useful]
    loss = Loss(useful, shares, as_vector(prior).astype(np.float64), pull)
    bounds = [bounds_of(name, used, scale) for name, scale in zip(NAMES, loss.scale, strict=True)]
    start = np.zeros(len(NAMES))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": MOST_STEPS}).x
    weights = np.where(np.abs(found) < SMALLEST_WEIGHT, 0.0, found / loss.scale)
    return {name: round(float(weight), 3) for name, weight in zip(NAMES, weights, strict=True) if weight}


def fit(examples: Sequence[Example]) -> dict[Kind, dict[str, float]]:
    """First one ranking for all questions, then each kind pulled towards it."""
    sizes = Counter(example.dataset for example in examples)
    shared = fit_one(examples, sizes, COMMON, {}, RIDGE)
    shipped = fitted_weights()
    weights: dict[Kind, dict[str, float]] = {}
    for kind in Kind:
        used = COMMON | CONTINUATION_ONLY if kind is Kind.CONTINUATION else COMMON
        alike = (example for example in examples if example.kind is kind)
        by_hand = {name: shipped[kind][name] for name in BY_HAND[kind]}
        weights[kind] = fit_one(alike, sizes, used, shared, PULL) | by_hand
    return weights


class Ranker(NamedTuple):
    tilt: NDArray[np.float32]
    weights: Weights

    def answers(self, examples: Iterable[Example]) -> Iterator[tuple[str, Answer]]:
        """What search would return, and under which name it is shown."""
        vectors = {kind: as_vector(weights) for kind, weights in self.weights.items()}
        for example in examples:
            yield example.shown_as, example.turned(self.tilt).ranked(vectors[example.kind])


def learn(examples: Sequence[Example]) -> Ranker:
    """A tilt and weights from these examples alone."""
    return Ranker(learn_tilt(examples), fit(list(turned_by_others(examples))))


def learn_tilt(examples: Sequence[Example]) -> NDArray[np.float32]:
    """The tilt that helps most beside the rest of a ranking without one."""
    sizes = Counter(example.dataset for example in examples)
    own = np.isin(NAMES, IN_PLACE_OF)
    others = {kind: np.where(own, np.float32(0), as_vector(weights)) for kind, weights in fit(examples).items()}
    rest = [example.features @ others[example.kind] for example in examples]
    return fit_tilt(examples, rest, {name: SET_WEIGHT.get(name, 1.0) / size for name, size in sizes.items()})


def turned_by_others(examples: Sequence[Example]) -> Iterator[Example]:
    """Each example, turned by what was learnt from other conversations."""
    for fold in sorted({example.fold for example in examples}):
        tilt = learn_tilt([example for example in examples if example.fold != fold])
        yield from (example.turned(tilt) for example in examples if example.fold == fold)


def without(examples: Sequence[Example], key: Callable[[Example], object]) -> Iterator[tuple[str, Answer]]:
    """What would be answered, each by a ranking that was learnt from the examples with another key."""
    for left_out in sorted({key(example) for example in examples}, key=str):
        ranker = learn([example for example in examples if key(example) != left_out])
        yield from ranker.answers(example for example in examples if key(example) == left_out)


def show(title: str, found: Iterable[tuple[str, Answer]]) -> None:
    sets: dict[str, list[Answer]] = defaultdict(list)
    for name, answer in found:
        sets[name].append(answer)
    print(f"\n{title:34s} asked " + " ".join(f"{column:>10s}" for column in COLUMNS))
    for name, of_set in sets.items():
        row = table(of_set)["all"]
        figures = (row.mean(column) for column in COLUMNS)
        cells = ("–" if figure is None else f"{100 * figure:.1f}" for figure in figures)
        print(f"  {name:32s} {row.questions:5d} " + " ".join(f"{cell:>10s}" for cell in cells), flush=True)


def compare(weights: Weights) -> None:
    """The weights beside those that ship."""
    shipped = fitted_weights()
    for kind in Kind:
        print(f"\n{kind:16s} {'shipped':>8s} {'fitted':>8s}")
        for name in dict.fromkeys([*shipped[kind], *weights[kind]]):
            print(f"  {name:16s}" + "".join(f"{side[kind].get(name, 0.0):9.3f}" for side in (shipped, weights)))


def write(ranker: Ranker, datasets: Sequence[str]) -> Path:
    """Replace what was fitted in the files that search reads; the rest of them stays."""
    folder = Path(str(files("commonplace.search").joinpath("weights.json"))).parent
    path = folder / "weights.json"
    stored = json.loads(path.read_text(encoding="utf-8"))
    stored |= {"fitted_on": datasets, "weights": ranker.weights}
    path.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")
    np.save(folder / "queryvector.npy", ranker.tilt.astype(np.float16))
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, nargs="+", help="retrieval data files")
    parser.add_argument("--books", type=Path, required=True, help="folder for the books, kept between runs")
    parser.add_argument("--write", action="store_true", help="replace the ranking that ships")
    options = parser.parse_args()
    seeds = {kind: as_vector(weights) for kind, weights in SEEDS.items()}
    reader = Reader(options.books, NAMES, seeds, CANDIDATES)
    examples = [example for path in options.data for example in reader.read(path)]
    ranker = learn(examples)
    compare(ranker.weights)
    show("shipped", Ranker(fitted_tilt(), fitted_weights()).answers(examples))
    show("fitted, same data", ranker.answers(examples))
    datasets = list(dict.fromkeys(example.dataset for example in examples))
    if options.write:
        print(f"\nWritten to {write(ranker, datasets)}.", flush=True)
    show(f"conversations left out ({FOLDS} folds)", without(examples, lambda example: example.fold))
    if len(datasets) > 1:
        show("set left out", without(examples, lambda example: example.dataset))


if __name__ == "__main__":
    main()

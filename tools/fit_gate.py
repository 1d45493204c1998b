"""Fit how the gate tells a fact from the same fact, and cross-validate it on labelled cases.

    uv run --no-project --with scikit-learn --with-editable . tools/fit_gate.py CASES... [--extra CASES...] [--write]

CASES are files of labelled writes (see docs/gate.md). Every pair of a proposed text and an entry of its memory is an
example: the same fact, a newer value, or two facts. Printed is what would be found at which share of false alarms, each
case judged by trees that were fitted without it (ten folds).
"""

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from commonplace.gate.signals import signals
from commonplace.providers.embedders.minilm import MiniLM
from commonplace.search.query import is_latin

FOLDS = 10
FALSE_ALARMS = 0.03
POSITIVE = {"same_fact", "newer_value"}
LEFT_OUT = {"duplicate", "explicit"}
HEADINGS = ("Profile", "Preferences", "Interests", "Workflow", "Projects", "Notes")


@dataclass(frozen=True)
class Example:
    case: int
    relation: str  # "same", "newer" or ""
    cosine: float | None
    new: str
    old: str


def read(paths: Sequence[Path]) -> tuple[list[dict], list[Example]]:
    cases = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    cases = [case for case in cases if case["memory"] and case["class"] not in LEFT_OUT]
    texts = sorted({text for case in cases for text in [case["text"], *case["memory"]]})
    embedder = MiniLM()
    plain = dict(zip(texts, embedder.embed(texts), strict=True))  # what is new has no heading yet
    headed = [f"{HEADINGS[at % len(HEADINGS)]}: {text}" for at, text in enumerate(texts)]
    filed = dict(zip(texts, embedder.embed(headed), strict=True))
    examples: list[Example] = []
    for number, case in enumerate(cases):
        new = case["text"]
        for at, old in enumerate(case["memory"]):
            known = is_latin(new) and is_latin(old)
            relation = {"same_fact": "same", "newer_value": "newer"}[case["class"]] if case.get("of") == at else ""
            examples.append(Example(number, relation, float(plain[new] @ filed[old]) if known else None, new, old))
    return cases, examples


class Mixture:
    """Trees and a weighted sum, fitted apart: the mean of their log odds is better than either."""

    def __init__(self, matrix: np.ndarray, labels: np.ndarray) -> None:
        self.trees = GradientBoostingClassifier(
            n_estimators=200,
            max_depth=2,
            learning_rate=0.09,
            subsample=0.6,
            min_samples_leaf=8,
            max_features=0.2,
            random_state=0,
        ).fit(matrix, labels)
        self.scale = StandardScaler().fit(matrix)
        self.sum = LogisticRegression(C=0.05, max_iter=3000).fit(self.scale.transform(matrix), labels)

    def odds(self, matrix: np.ndarray) -> np.ndarray:
        summed = self.sum.decision_function(self.scale.transform(matrix))
        return (self.trees.decision_function(matrix) + summed) / 2

    def as_json(self, names: Sequence[str], middle: float) -> dict[str, object]:
        """Half of everything, so that the parts can be added."""
        half = self.trees.learning_rate / 2

        def node(tree, at: int) -> object:
            if tree.children_left[at] < 0:
                return round(float(tree.value[at][0][0]) * half, 4)
            name, bound = names[tree.feature[at]], round(float(tree.threshold[at]), 4)
            return [name, bound, node(tree, tree.children_left[at]), node(tree, tree.children_right[at])]

        share = float(self.trees.init_.class_prior_[1])
        weights = self.sum.coef_[0] / self.scale.scale_ / 2
        base = math.log(share / (1 - share)) / 2 + float(self.sum.intercept_[0]) / 2 - float(weights @ self.scale.mean_)
        return {
            "base": round(base, 4),
            "middle": round(middle, 4),
            "weights": {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)},
            "trees": [node(one[0].tree_, 0) for one in self.trees.estimators_],
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--extra", type=Path, nargs="*", default=[], help="cases to fit on but not to measure on")
    parser.add_argument("--write", action="store_true", help="replace the trees that ship")
    options = parser.parse_args()
    cases, examples = read([*options.cases, *options.extra])
    measured = len(read(options.cases)[0])
    seen = [signals(example.new, example.old, example.cosine) for example in examples]
    blind = [signals(example.new, example.old, None) for example in examples]
    names = list(seen[0])
    with_cosine = np.array([[row[name] for name in names] for row in seen])
    without = np.array([[row[name] for name in names] for row in blind])
    relation = np.array([example.relation for example in examples])
    case = np.array([example.case for example in examples])
    fold = np.random.default_rng(1).permutation(len(cases))[case] % FOLDS
    related = relation != ""
    odds = {view: np.zeros(len(examples)) for view in ("meaning and words", "words alone")}
    same = np.zeros(len(examples))
    for number in range(FOLDS):
        train, test = fold != number, fold == number
        fit = Mixture(np.vstack([with_cosine[train], without[train]]), np.tile(related[train], 2))
        odds["meaning and words"][test] = fit.odds(with_cosine[test])
        odds["words alone"][test] = fit.odds(without[test])
        train &= related
        fit = Mixture(np.vstack([with_cosine[train], without[train]]), np.tile(relation[train] == "same", 2))
        same[test] = fit.odds(with_cosine[test])
    middle = 0.0
    for view, of_view in odds.items():
        best = {number: max(np.flatnonzero(case == number), key=lambda at: of_view[at]) for number in set(case)}
        alarms = [of_view[best[number]] for number in best if cases[number]["class"] == "keep" and number < measured]
        wanted = [best[number] for number in best if cases[number]["class"] in POSITIVE and number < measured]
        print(f"\n{view}: {len(wanted)} to be found, {len(alarms)} to be let through")
        for share in (0.01, 0.02, 0.03, 0.04, 0.06, 0.1):
            bound = float(np.quantile(alarms, 1 - share))
            found = np.mean([of_view[at] > bound and related[at] for at in wanted])
            print(f"  false alarms {share:4.0%}: found {found:5.1%} (log odds {bound:.2f})")
            if share == FALSE_ALARMS and view == "meaning and words":
                middle = bound
    right = np.mean([(same[at] > 0) == (relation[at] == "same") for at in np.flatnonzero(related)])
    print(f"\nsame or newer told right: {right:.1%}")
    if options.write:
        double, labels = np.vstack([with_cosine, without]), np.tile(related, 2)
        kinds = np.tile(relation[related] == "same", 2)
        stored = {
            "related": Mixture(double, labels).as_json(names, middle),
            "same": Mixture(np.vstack([with_cosine[related], without[related]]), kinds).as_json(names, 0.0),
        }
        path = Path(str(files("commonplace.gate").joinpath("likeness.json")))
        path.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")
        print(f"Written to {path}, {path.stat().st_size} bytes.")


if __name__ == "__main__":
    main()

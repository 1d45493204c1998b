"""Fit the text classifier of the gate (src/commonplace/gate/classifier.py) and write its weights.

    uv run --no-project --with scikit-learn --with-editable . tools/fit_classifier.py [--write]

Learnt from are the labelled texts of the training set that may be tuned on; what is held out is not read. Each label is
a logistic regression with a penalty on large weights: `passing` (transient or one-off), `one_off` (which of the two)
and `instruction` look at whole texts, `secret` at sentences, `value` at each word of a sentence. The words that are
secrets are marked in the training set. Where a scale begins is set on texts left out of the fit (five folds), so that
a given share of what must be kept is a false alarm.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from commonplace.gate.classifier import (
    BITS,
    LABELS,
    features_of_piece,
    features_of_sentence,
    features_of_text,
    pieces,
)
from training import Text, texts

TABLE = Path(__file__).resolve().parent.parent / "src" / "commonplace" / "gate" / "classifier.bin"
FOLDS = 5
PASSING = ("transient", "one_off")
PENALTY = {"passing": 3.0, "one_off": 1.0, "instruction": 3.0, "secret": 3.0, "value": 1.0}
ALARMS = {"passing": 0.02, "instruction": 0.003, "secrets": 0.0025}  # shares of what must be kept
CANDIDATES = {"family": 0.12, "entry": 0.12}  # shares of the words of texts of a kind that are learnt from
SENTENCE = 0.5  # what the sentence adds to a word
LONGEST = 600


class Word(NamedTuple):
    """A word of a text as a candidate for a secret."""

    of: int
    features: set[int]
    is_secret: bool


def words_of(number: int, text: Text, chance: np.random.Generator) -> Iterable[Word]:
    said = text.text[:LONGEST]
    row = pieces(said)
    for at, piece in enumerate(row):
        if not any(map(str.isalnum, piece.text)):
            continue
        is_secret = any(piece.start < end and piece.end > start for start, end in text.values)
        if is_secret or chance.random() < CANDIDATES.get(text.kind, 1.0):
            yield Word(number, features_of_piece(said, row, at), is_secret)


def matrix(rows: Sequence[Iterable[int]]) -> csr_matrix:
    columns = [sorted(row) for row in rows]
    ends = np.cumsum([0, *map(len, columns)])
    flat = np.fromiter((column for row in columns for column in row), dtype=np.int32, count=int(ends[-1]))
    return csr_matrix((np.ones(len(flat), dtype=np.float32), flat, ends), shape=(len(rows), 1 << BITS))


def fitted(label: str, rows: Any, wanted: NDArray[np.bool_], weight: NDArray[np.float64]) -> LogisticRegression:
    model = LogisticRegression(C=PENALTY[label], solver="liblinear", max_iter=300, tol=3e-3)
    return model.fit(rows, wanted, weight)


def left_out(
    label: str, rows: Any, wanted: NDArray[np.bool_], weight: NDArray[np.float64], fold: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The log odds of each row by a model that was fitted without its fold."""
    odds = np.zeros(rows.shape[0])
    for part in range(FOLDS):
        tested = fold == part
        model = fitted(label, rows[~tested], wanted[~tested], weight[~tested])
        odds[tested] = model.decision_function(rows[tested])
    return odds


def bound(name: str, odds: NDArray[np.float64], wanted: NDArray[np.bool_], others: NDArray[np.bool_]) -> float:
    """Where a scale begins, and what is found from there."""
    apart = np.sort(odds[others])[::-1]
    least = float(apart[int(len(apart) * ALARMS[name])])
    found = (odds[wanted] > least).mean()
    print(f"{name}: {found:.1%} of {wanted.sum()} found at {ALARMS[name]:.2%} of {others.sum()} (left out)", flush=True)
    return least


def main() -> None:
    known = texts()
    kinds = np.array([text.kind for text in known])
    weight = np.array([text.weight for text in known])
    fold = np.random.default_rng(0).permutation(len(known)) % FOLDS
    whole = matrix([features_of_text(text.text) for text in known])
    passes, keeps = np.isin(kinds, PASSING), ~np.isin(kinds, [*PASSING, "instruction", "echo", "third_party"])
    models: dict[str, LogisticRegression] = {}
    begins: dict[str, float] = dict.fromkeys(LABELS, 0.0)

    chosen = passes | keeps
    odds = left_out("passing", whole[chosen], passes[chosen], weight[chosen], fold[chosen])
    near = (kinds != "family") & keeps
    begins["passing"] = bound("passing", odds, passes[chosen], near[chosen])
    models["passing"] = fitted("passing", whole[chosen], passes[chosen], weight[chosen])
    models["one_off"] = fitted("one_off", whole[passes], kinds[passes] == "one_off", weight[passes])

    chosen = passes | keeps | (kinds == "instruction")
    commands = kinds[chosen] == "instruction"
    odds = left_out("instruction", whole[chosen], commands, weight[chosen], fold[chosen])
    begins["instruction"] = bound("instruction", odds, commands, ~commands)
    models["instruction"] = fitted("instruction", whole[chosen], commands, weight[chosen])

    secret = kinds == "secret"
    sentences = matrix([features_of_sentence(text.text[:LONGEST]) for text in known])
    chance = np.random.default_rng(1)
    words = [word for number, text in enumerate(known) for word in words_of(number, text, chance)]
    rows = matrix([word.features for word in words])
    is_secret, of = np.array([word.is_secret for word in words]), np.array([word.of for word in words])
    told = left_out("secret", sentences, secret, np.ones(len(known)), fold)
    odds = left_out("value", rows, is_secret, np.ones(len(words)), fold[of]) + SENTENCE * told[of]
    best = np.full(len(known), -np.inf)
    np.maximum.at(best, of, odds)
    begins["value"] = bound("secrets", best, secret, ~secret)
    models["secret"] = fitted("secret", sentences, secret, np.ones(len(known)))
    models["value"] = fitted("value", rows, is_secret, np.ones(len(words)))
    print(f"sentences worth a look: {np.quantile(told[secret], 0.004):.2f} and above", flush=True)
    if "--write" in sys.argv:
        write(models, begins)


def write(models: dict[str, LogisticRegression], begins: dict[str, float]) -> None:
    """As gate/classifier.py reads it: a line of JSON, then a byte for each hash and label."""
    steps, intercepts, rows = [], [], []
    for label in LABELS:
        found = models[label].coef_[0]
        step = float(np.abs(found).max()) / 127
        steps.append(round(step, 8))
        intercepts.append(round(float(models[label].intercept_[0]) - begins[label], 4))
        rows.append(np.round(found / steps[-1]).clip(-127, 127).astype(np.int8))
    head = json.dumps({"steps": steps, "intercepts": intercepts}).encode()
    TABLE.write_bytes(head + b"\n" + np.concatenate(rows).tobytes())


if __name__ == "__main__":
    main()

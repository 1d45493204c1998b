"""Fit how the vector of a question is turned towards its answer (`search.queryvector`), for `fit_ranking.py`.

The tilt is a matrix that is added to the identity: question @ (1 + tilt) is compared with the chunks. It is learnt
with the rest of the ranking in place, so that it learns what words, neighbours and sessions do not know already: each
gold turn against all that are not gold, in several draws whose mean counts. Then it is drawn back, since what few
conversations taught holds only in part elsewhere, and reduced to its main directions.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from ranking_examples import Example

Floats = NDArray[np.float32]

DIRECTIONS = 64
KEPT = 0.6
DRAWS = 3
SHARPNESS = 8.0
PASSES, BATCH = 4, 32
STEP, DECAY = 1e-3, 1e-2
MOMENTUM, SCALE_MOMENTUM = 0.9, 0.999


def fit_tilt(examples: Sequence[Example], rest: Sequence[Floats], shares: Mapping[str, float]) -> Floats:
    """Both tables of a tilt. `rest` has what each chunk of an example gets from all but likeness by itself; `shares`
    how much each data set counts."""
    pairs = [(e, r) for e, r in zip(examples, rest, strict=True) if e.noted.question is not None and e.has_gold]
    if not pairs:
        return np.zeros((2, 384, DIRECTIONS), dtype=np.float32)  # nothing to learn from
    chances = np.array([shares[example.dataset] for example, _ in pairs])
    draws = [_descend(pairs, chances / chances.sum(), seed) for seed in range(DRAWS)]
    left, sizes, right = np.linalg.svd(KEPT * np.mean(draws, axis=0))
    inwards, outwards = left[:, :DIRECTIONS] * sizes[:DIRECTIONS], right[:DIRECTIONS].T
    return np.stack([inwards, outwards]).astype(np.float16).astype(np.float32)  # as it is stored


def _descend(pairs: Sequence[tuple[Example, Floats]], chances: NDArray[np.float64], seed: int) -> Floats:
    """Adam with a decay of its own, its steps growing smaller; examples are drawn by their chances."""
    dimensions = len(_question(pairs[0][0]))
    matrix = np.zeros((dimensions, dimensions), dtype=np.float32)
    mean, square = np.zeros_like(matrix), np.zeros_like(matrix)
    draw = np.random.default_rng(seed)
    steps = max(PASSES * len(pairs) // BATCH, 1)
    for step in range(1, steps + 1):
        drawn = draw.choice(len(pairs), BATCH, p=chances)
        slope = (
            np.sum([_slope(example, rest, matrix) for example, rest in (pairs[int(at)] for at in drawn)], axis=0)
            / BATCH
        )
        mean += (1 - MOMENTUM) * (slope - mean)
        square += (1 - SCALE_MOMENTUM) * (slope * slope - square)
        rate = STEP * (1 - (step - 1) / steps)
        ahead = mean / (1 - MOMENTUM**step) / (np.sqrt(square / (1 - SCALE_MOMENTUM**step)) + 1e-8)
        matrix -= rate * (ahead + DECAY * matrix)
    return matrix


def _slope(example: Example, rest: Floats, matrix: Floats) -> Floats:
    """The gradient of the example's loss: log(1 + the odds of all wrong chunks against a gold one), on average."""
    question, gold = _question(example), example.all_gold
    vectors = example.labels.vectors[example.chunks]
    moved = question + question @ matrix
    length = np.linalg.norm(moved)
    scores = SHARPNESS * (vectors @ (moved / length)) + rest
    powers = np.where(gold, 0.0, np.exp(scores - scores.max()))
    wrong = np.log(powers.sum()) + scores.max()
    doubt = 1 / (1 + np.exp(scores[gold] - wrong))
    slopes = powers / powers.sum() * doubt.mean()
    slopes[gold] = -doubt / gold.sum()
    direction = SHARPNESS * (slopes.astype(np.float32) @ vectors)
    direction -= moved * (moved @ direction) / length**2
    return np.outer(question, direction / length)


def _question(example: Example) -> Floats:
    """The vector of its question, which only examples with one are learnt from."""
    assert example.noted.question is not None
    return example.noted.question

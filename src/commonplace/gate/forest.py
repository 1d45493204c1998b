"""A weighted sum of signals and many small decision trees, added up. Pure."""

import json
import math
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, TypeAlias, TypedDict, cast

from commonplace.gate.tables import read_table


class Split(NamedTuple):
    """Ask one signal: up to the bound go one way, above it the other."""

    signal: str
    bound: float
    below: "Tree"
    above: "Tree"


Tree: TypeAlias = Split | float
"""A question, or a number to add."""


class Forest(NamedTuple):
    """`base`, the weighted signals and the answers of the trees make the log odds; `middle` are the log odds that
    count as undecided."""

    base: float
    middle: float
    weights: Mapping[str, float]
    trees: tuple[Tree, ...]

    def certainty(self, signals: Mapping[str, float]) -> float:
        """From 0 to 1; 0.5 is undecided."""
        odds = self.base - self.middle + sum(weight * signals[name] for name, weight in self.weights.items())
        for tree in self.trees:
            node = tree
            while isinstance(node, Split):
                node = node.below if signals[node.signal] <= node.bound else node.above
            odds += node
        return 1 / (1 + math.exp(-odds))


class _Stored(TypedDict):
    base: float
    middle: float
    weights: dict[str, float]
    trees: list[object]


@cache
def forests() -> dict[str, Forest]:
    """The fitted ones, by name (see tools/fit_gate.py)."""
    stored = cast(dict[str, _Stored], json.loads(read_table("likeness.json")))
    return {
        name: Forest(one["base"], one["middle"], one["weights"], tuple(map(_tree, one["trees"])))
        for name, one in stored.items()
    }


def _tree(stored: object) -> Tree:
    if isinstance(stored, list):
        signal, bound, below, above = cast(list[object], stored)
        return Split(str(signal), float(cast(float, bound)), _tree(below), _tree(above))
    return float(cast(float, stored))

"""Many small decision trees that are asked one after the other; their answers are added up. Pure."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypeAlias

Tree: TypeAlias = float | tuple[str, float, "Tree", "Tree"]
"""A number to add, or: a signal, a bound, what to do up to the bound and above it."""


@dataclass(frozen=True, slots=True)
class Forest:
    """`base` and the answers of the trees make the log odds; `middle` are the log odds that count as undecided."""

    base: float
    middle: float
    trees: tuple[Tree, ...]

    def certainty(self, signals: Mapping[str, float]) -> float:
        """From 0 to 1; 0.5 is undecided."""
        odds = self.base - self.middle
        for tree in self.trees:
            while not isinstance(tree, float):
                name, bound, below, above = tree
                tree = below if signals[name] <= bound else above
            odds += tree
        return 1 / (1 + math.exp(-odds))


@cache
def forests() -> dict[str, Forest]:
    """The fitted ones, by name (see tools/fit_gate.py)."""
    stored = json.loads(files(__package__).joinpath("likeness.json").read_text(encoding="utf-8"))
    return {
        name: Forest(float(one["base"]), float(one["middle"]), tuple(map(_tree, one["trees"])))
        for name, one in stored.items()
    }


def _tree(stored: object) -> Tree:
    match stored:
        case [str(name), int() | float() as bound, below, above]:
            return name, float(bound), _tree(below), _tree(above)
        case int() | float():
            return float(stored)
        case _:
            raise ValueError("a tree is a number or a list of four")

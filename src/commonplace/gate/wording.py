"""What words, pairs and triples of words are worth to the rules, as labelled texts have taught. Pure.

`wording.bin` is made by tools/fit_passing.py: the names of the rules, the runs of words (gate/phrases.py), and for each
rule one small number a run. So thousands of runs are ready in a millisecond, which JSON would not be.
"""

from bisect import bisect_left
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from commonplace.gate.tables import read_table

STEP = 0.05  # what 1 in the table stands for
MARK = "~"  # before a run of words among other signs


class Table(NamedTuple):
    runs: list[str]  # in order
    numbers: dict[str, memoryview]


def worth(rule: str, signs: Iterable[str]) -> float:
    """How much the runs of words among the signs speak for the rule."""
    table = read_runs()
    numbers = table.numbers[rule]
    return STEP * sum(numbers[at] for sign in signs if (at := _find(table.runs, sign)) is not None)


def _find(runs: list[str], sign: str) -> int | None:
    """Where a run stands. To search the list a few dozen times costs less than to make a dictionary of it."""
    at = bisect_left(runs, sign)
    return at if at < len(runs) and runs[at] == sign else None


@cache
def read_runs() -> Table:
    """The whole table."""
    heads, names, numbers = read_table("wording.bin").split(b"\0", 2)
    runs = names.decode().split("\n")
    view = memoryview(numbers).cast("b")
    rules = enumerate(heads.decode().split("\n"))
    return Table(runs, {rule: view[at * len(runs) : (at + 1) * len(runs)] for at, rule in rules})

"""Three-way merge of lines: two people's changes to one text, joined where they do not touch. Pure."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_MOST_COMPARED = 250_000


@dataclass(frozen=True, slots=True)
class Clash:
    """Both sides changed the same lines, differently."""

    base: tuple[str, ...]
    ours: tuple[str, ...]
    theirs: tuple[str, ...]


def merge(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> tuple[list[str], list[Clash]]:
    """The merged lines (ours where the sides clash) and the clashes; no clash means the merge is complete."""
    merged: list[str] = []
    clashes: list[Clash] = []
    at_base = at_ours = at_theirs = 0
    for b, o, t, length in [*_common_runs(base, ours, theirs), (len(base), len(ours), len(theirs), 0)]:
        was, mine, yours = base[at_base:b], ours[at_ours:o], theirs[at_theirs:t]
        if list(mine) == list(yours) or list(yours) == list(was):
            merged += mine
        elif list(mine) == list(was):
            merged += yours
        elif (joined := _join(was, mine, yours)) is not None:
            merged += joined
        else:
            merged += mine
            clashes.append(Clash(tuple(was), tuple(mine), tuple(yours)))
        merged += base[b : b + length]
        at_base, at_ours, at_theirs = b + length, o + length, t + length
    return merged, clashes


def _join(was: Sequence[str], mine: Sequence[str], yours: Sequence[str]) -> list[str] | None:
    """Join changes that only touch: one side adds lines next to lines that the other side deletes, or both add.

    A side that rewrites lines (deletes some and adds others) is not joined with anything: None.
    """
    my_lines, my_gaps = _kept_and_added(was, mine)
    your_lines, your_gaps = _kept_and_added(was, yours)
    for kept, gaps in ((my_lines, my_gaps), (your_lines, your_gaps)):
        if not all(kept) and any(gaps):
            return None
    joined: list[str] = []
    for at in range(len(was) + 1):
        joined += your_gaps[at] if your_gaps[at] != my_gaps[at] else []
        joined += my_gaps[at]
        if at < len(was) and my_lines[at] and your_lines[at]:
            joined.append(was[at])
    return joined


def _kept_and_added(was: Sequence[str], now: Sequence[str]) -> tuple[list[bool], list[list[str]]]:
    """Which lines of `was` are still there, and what was added before each of them and at the end."""
    kept = [False] * len(was)
    gaps: list[list[str]] = [[] for _ in range(len(was) + 1)]
    at_was = at_now = 0
    for a, b, size in [*_equal_runs(was, now), (len(was), len(now), 0)]:
        gaps[at_was] += now[at_now:b]
        kept[a : a + size] = [True] * size
        at_was, at_now = a + size, b + size
    return kept, gaps


def _common_runs(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Runs of base lines that both sides kept: (in base, in ours, in theirs, length)."""
    runs: list[tuple[int, int, int, int]] = []
    mine, yours = _equal_runs(base, ours), _equal_runs(base, theirs)
    i = j = 0
    while i < len(mine) and j < len(yours):
        (a, b, size), (c, d, other_size) = mine[i], yours[j]
        start, end = max(a, c), min(a + size, c + other_size)
        if start < end:
            runs.append((start, b + start - a, d + start - c, end - start))
        if a + size < c + other_size:
            i += 1
        else:
            j += 1
    return runs


def _equal_runs(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int, int]]:
    """Runs of lines that stand in both texts, in order: (in one, in other, length).

    Lines that are unique in both texts hold them together, so that the slow comparison, which a memory full of
    blank lines would keep busy for minutes, only sees what stands between them.
    """
    runs: list[tuple[int, int, int]] = []
    at = at_other = 0
    for a, b in [*_anchors(one, other), (len(one), len(other))]:
        runs += [(at + i, at_other + j, size) for i, j, size in _runs_between(one[at:a], other[at_other:b])]
        if a < len(one):
            runs.append((a, b, 1))
        at, at_other = a + 1, b + 1
    return runs


def _runs_between(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The same for lines that are not unique. Too many that are all alike are not told apart: they count as changed."""
    least = min(len(one), len(other))
    start = next((at for at in range(least) if one[at] != other[at]), least)
    end = next((at for at in range(least - start) if one[-1 - at] != other[-1 - at]), least - start)
    first, second = one[start : len(one) - end], other[start : len(other) - end]
    if start:
        yield 0, 0, start
    if first and second and len(first) * len(second) <= _MOST_COMPARED:
        found = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
        yield from ((start + run.a, start + run.b, run.size) for run in found if run.size)
    if end:
        yield len(one) - end, len(other) - end, end


def _anchors(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Where the longest row of lines stands that are unique in both texts and in the same order in both."""
    counts, other_counts = Counter(one), Counter(other)
    places = {line: b for b, line in enumerate(other) if other_counts[line] == 1}
    pairs = [(a, places[line]) for a, line in enumerate(one) if counts[line] == 1 and line in places]
    ends: list[int] = []
    chosen: list[int] = []
    before: list[int] = []
    for index, (_, b) in enumerate(pairs):
        at = bisect_left(ends, b)
        ends[at : at + 1] = [b]
        chosen[at : at + 1] = [index]
        before.append(chosen[at - 1] if at else -1)
    row: list[tuple[int, int]] = []
    index = chosen[-1] if chosen else -1
    while index >= 0:
        row.append(pairs[index])
        index = before[index]
    return row[::-1]

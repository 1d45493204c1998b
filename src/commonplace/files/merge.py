"""Three-way merge of lines: two people's changes to one text, joined where they do not touch. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


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
    for tag, a, b, c, d in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if tag == "equal":
            kept[a:b] = [True] * (b - a)
        else:
            gaps[a] += now[c:d]
    return kept, gaps


def _common_runs(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Runs of base lines that both sides kept: (in base, in ours, in theirs, length)."""
    runs: list[tuple[int, int, int, int]] = []
    mine = SequenceMatcher(None, base, ours, autojunk=False).get_matching_blocks()
    yours = SequenceMatcher(None, base, theirs, autojunk=False).get_matching_blocks()
    i = j = 0
    while i < len(mine) and j < len(yours):
        start = max(mine[i].a, yours[j].a)
        end = min(mine[i].a + mine[i].size, yours[j].a + yours[j].size)
        if start < end:
            runs.append((start, mine[i].b + start - mine[i].a, yours[j].b + start - yours[j].a, end - start))
        if mine[i].a + mine[i].size < yours[j].a + yours[j].size:
            i += 1
        else:
            j += 1
    return runs

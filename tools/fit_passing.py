"""Fit what each sign is worth to the rules of gate/passing.py and gate/commanding.py, and write their JSON files.

    python tools/fit_passing.py            figures by cross-validation, then the weights from all cases
    python tools/fit_passing.py --errors   also the cases that a model fitted without them gets wrong

A logistic model with a penalty on large weights, so that no rare sign decides alone. Held-out cases are not read.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from commonplace.gate import commanding, passing

ROOT = Path(__file__).resolve().parent.parent / "src" / "commonplace"
FILES = (
    "english-junk", "english-likeness", "languages", "more-junk", "third-junk", "more-likeness", "second-likeness",
    "secrets", "more-secrets",
)  # fmt: skip
PENALTY = 0.6
ROUNDS = 10
SPLIT = "\u205e"  # stands in invented secrets
SCALE = 600  # how much all cases of a class weigh beside the penalty
LEAST = 3  # cases that must show a sign


class Plan(NamedTuple):
    """What is told apart from what, and how dear a false alarm is beside a miss."""

    rules: tuple[str, ...]
    against: frozenset[str]
    dear: float
    memory: float  # what an entry of a memory weighs beside a case that somebody wrote as a near-miss
    silent: bool = False  # a text without signs is none of the rules', and is not fitted to
    caution: float = 0.0  # taken off the log odds at the end


LASTING = frozenset({"keep", "same_fact", "newer_value", "duplicate", "memory"})
PASSING = Plan(("transient", "one_off"), LASTING, 1.4, 0.5, caution=0.3)
COMMANDING = Plan(("instruction",), LASTING | {"explicit", "transient", "one_off", "several_facts"}, 0.13, 0.5, True)


class Table:
    """The signs of all cases as a matrix."""

    def __init__(self, texts: list[str], signs: Callable[[str], frozenset[str]]) -> None:
        shown = [signs(text) for text in texts]
        counts = Counter(sign for one in shown for sign in one)
        self.names = sorted(sign for sign, count in counts.items() if count >= LEAST)
        index = {name: at for at, name in enumerate(self.names, 1)}
        self.rows = np.zeros((len(texts), len(self.names) + 1))
        self.rows[:, 0] = 1
        for row, one in enumerate(shown):
            for sign in one & index.keys():
                self.rows[row, index[sign]] = 1


def cases() -> list[tuple[str, str, str]]:
    """The labelled texts, and what memories hold already: nobody would keep there what passes."""
    found: list[tuple[str, str, str]] = []
    remembered: dict[str, str] = {}
    for name in FILES:
        file = ROOT / "bench" / "cases" / f"{name}.jsonl"
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            found.append((case["class"], case["lang"], case["text"].replace(SPLIT, "")))
            remembered.update((entry.replace(SPLIT, ""), case["lang"]) for entry in case.get("memory", ()))
    texts = {text for _, _, text in found}
    return found + [("memory", lang, text) for text, lang in remembered.items() if text not in texts]


def fit(rows: np.ndarray, kinds: np.ndarray, rule: str, plan: Plan) -> np.ndarray:
    """Newton's method; the first column is the constant and is not penalised."""
    weights = np.zeros(rows.shape[1])
    penalty = np.full(rows.shape[1], PENALTY)
    penalty[0] = 1e-6
    wanted = (kinds == rule).astype(float)
    importance = np.where(kinds == "memory", plan.memory, 1.0)
    if plan.silent:
        importance *= rows[:, 1:].any(axis=1)
    junk, lasting = (importance * wanted).sum(), (importance * (1 - wanted)).sum()
    importance *= np.where(wanted > 0, 1 / junk, plan.dear / lasting) * SCALE
    for _ in range(60):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (importance * (chance - wanted)) + penalty * weights
        curve = (rows * (importance * chance * (1 - chance))[:, None]).T @ rows + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def study(name: str, table: Table, known: list[tuple[str, str, str]], plan: Plan) -> dict[str, dict[str, float]]:
    """Figures by cross-validation (fitted on one half, tested on the other, several times), then the weights."""
    rows = table.rows
    kinds, langs = np.array([kind for kind, _, _ in known]), np.array([lang for _, lang, _ in known])
    junk, lasting = np.isin(kinds, plan.rules), np.isin(kinds, list(plan.against))
    scores = np.zeros((ROUNDS, len(kinds)))
    for turn in range(ROUNDS):
        half = np.random.default_rng(turn).permutation(len(kinds)) % 2
        for part in (0, 1):
            tested = half == part
            for rule in plan.rules:
                train = ~tested & ((kinds == rule) | lasting)
                weights = fit(rows[train], kinds[train], rule, plan)
                chance = 1 / (1 + np.exp(-rows[tested] @ weights))
                if plan.silent:
                    chance *= rows[tested, 1:].any(axis=1)
                scores[turn, tested] = np.maximum(scores[turn, tested], chance)
    print(f"{name}: found / false alarms")
    levels = (0.3, 0.4, 0.5, 0.6, 0.7)
    written = kinds != "memory"
    for label, chosen in (
        ("all", written),
        ("English", written & (langs == "en")),
        ("others", written & (langs != "en")),
    ):
        of_junk, of_lasting = scores[:, chosen & junk], scores[:, chosen & lasting]
        line = "  ".join(f"{at}: {(of_junk >= at).mean():.1%} / {(of_lasting >= at).mean():.1%}" for at in levels)
        print(f"  {label:8} {of_junk.shape[1]:4} and {of_lasting.shape[1]:5}   {line}")
    known_before = scores[:, ~written]
    line = "  ".join(f"{at}: {(known_before >= at).mean():.1%}" for at in levels)
    print(f"  entries of memories: {known_before.shape[1]:5}   {line}")
    if "--errors" in sys.argv:
        mean = scores.mean(axis=0)
        for at in np.argsort(mean):
            if (junk[at] and mean[at] < 0.5) or (lasting[at] and mean[at] >= 0.5):
                print(f"  {mean[at]:.2f} {kinds[at]:11} {known[at][2]}")
    found: dict[str, dict[str, float]] = {}
    for rule in plan.rules:
        train = (kinds == rule) | lasting
        weights = fit(rows[train], kinds[train], rule, plan)
        weights[0] -= plan.caution
        found[rule] = {sign: round(float(weight), 2) for sign, weight in zip(["", *table.names], weights, strict=True)}
    return found


def main() -> None:
    known = cases()
    texts = [text for _, _, text in known]
    write("passing.json", study("passing", Table(texts, passing.signs), known, PASSING))
    found = study("commanding", Table(texts, commanding.signs), known, COMMANDING)
    write("commanding.json", found["instruction"])


def write(name: str, value: object) -> None:
    (ROOT / "gate" / name).write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()

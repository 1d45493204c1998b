"""Fit what each sign is worth to the rules of gate/passing.py, and write gate/passing.json.

    python tools/fit_passing.py            figures by cross-validation, then the weights from all cases
    python tools/fit_passing.py --errors   also the cases that a model fitted without them gets wrong

A logistic model with a penalty on large weights, so that no rare sign decides alone. Held-out cases are not read.
"""

import json
import sys
from pathlib import Path

import numpy as np

from commonplace.gate.passing import signs

ROOT = Path(__file__).resolve().parent.parent / "src" / "commonplace"
FILES = ("english-junk", "english-likeness", "languages", "more-junk")
RULES = ("transient", "one_off")
LASTING = {"keep", "same_fact", "newer_value", "duplicate"}
PENALTY = 0.6
ROUNDS = 10
FALSE_ALARM_WEIGHT = 1.0


def cases() -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    for name in FILES:
        file = ROOT / "bench" / "cases" / f"{name}.jsonl"
        if not file.exists():
            continue
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            kind = case["class"]
            if kind in RULES or kind in LASTING:
                found.append((kind, case["lang"], case["text"]))
    return found


def fit(rows: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Newton's method; the first column is the constant and is not penalised."""
    weights = np.zeros(rows.shape[1])
    penalty = np.full(rows.shape[1], PENALTY)
    penalty[0] = 1e-6
    share = wanted.mean()
    importance = np.where(wanted > 0, 0.5 / share, 0.5 * FALSE_ALARM_WEIGHT / (1 - share)) * 0.8
    for _ in range(40):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (importance * (chance - wanted)) + penalty * weights
        curve = (rows * (importance * chance * (1 - chance))[:, None]).T @ rows + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def matrix(texts: list[str], names: list[str]) -> np.ndarray:
    index = {name: at for at, name in enumerate(names, 1)}
    rows = np.zeros((len(texts), len(names) + 1))
    rows[:, 0] = 1
    for row, text in enumerate(texts):
        for sign in signs(text):
            if sign in index:
                rows[row, index[sign]] = 1
    return rows


def main() -> None:
    all_cases = cases()
    texts = [text for _, _, text in all_cases]
    kinds = np.array([kind for kind, _, _ in all_cases])
    langs = np.array([lang for _, lang, _ in all_cases])
    counts: dict[str, int] = {}
    for text in texts:
        for sign in signs(text):
            counts[sign] = counts.get(sign, 0) + 1
    names = sorted(sign for sign, count in counts.items() if count >= 3)
    rows = matrix(texts, names)
    junk = np.isin(kinds, RULES)
    scores = np.zeros((ROUNDS, len(texts)))
    for turn in range(ROUNDS):
        half = np.random.default_rng(turn).permutation(len(texts)) % 2
        for part in (0, 1):
            best = np.zeros((half == part).sum())
            for rule in RULES:
                train = (half != part) & ((kinds == rule) | ~junk)
                weights = fit(rows[train], (kinds[train] == rule).astype(float))
                best = np.maximum(best, 1 / (1 + np.exp(-rows[half == part] @ weights)))
            scores[turn, half == part] = best
    for label, chosen in (("all", np.ones(len(texts), bool)), ("English", langs == "en"), ("others", langs != "en")):
        line = " ".join(
            f"{level:.1f}: {(scores[:, chosen & junk] >= level).mean():.1%}/{(scores[:, chosen & ~junk] >= level).mean():.1%}"
            for level in (0.3, 0.4, 0.5, 0.6, 0.7)
        )
        print(
            f"{label:8} {(chosen & junk).sum():4} junk, {(chosen & ~junk).sum():4} lasting   found/false alarms at {line}"
        )
    if "--errors" in sys.argv:
        mean = scores.mean(axis=0)
        for at in np.argsort(mean):
            if junk[at] and mean[at] < 0.5 or not junk[at] and mean[at] >= 0.5:
                print(
                    f"{mean[at]:.2f} {kinds[at]:11} {texts[at]}   {sorted(s for s in signs(texts[at]) if '+' not in s)}"
                )
    result: dict[str, dict[str, float]] = {}
    for rule in RULES:
        train = (kinds == rule) | ~junk
        weights = fit(rows[train], (kinds[train] == rule).astype(float))
        result[rule] = {name: round(float(weight), 2) for name, weight in zip(["", *names], weights, strict=True)}
    (ROOT / "gate" / "passing.json").write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()

"""Fit what each sign is worth to the rules of gate/passing.py and gate/commanding.py, and write their tables.

    uv run --no-project --with scikit-learn --with-editable . tools/fit_passing.py [--errors] [--write]

Learnt from are the labelled cases of the package (held-out ones are not read), the texts in tools/texts, and, as what
lasts, the facts in tools/families. Printed is what a model finds that was fitted without the text (ten folds). It is a
logistic model with a penalty on large weights, so that no rare sign decides alone. Where the scale begins is set so
that of the near-misses that somebody wrote as such no more than a given share is refused in these folds.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from commonplace.gate import commanding, passing
from commonplace.gate.wording import MARK, STEP

TOOLS = Path(__file__).resolve().parent
PACKAGE = TOOLS.parent / "src" / "commonplace"
SPLIT = "\u205e"  # stands in invented secrets
FOLDS = 10
LEAST = 3  # texts that must show a sign
SMALLEST = 0.08  # a sign that is worth less is left out
FAMILIES = 20_000  # texts of them; more teach nothing new
CASES, ENTRY, FAMILY, OTHER_RULE = 1.0, 0.5, 0.5, 0.2  # what a text weighs


class Text(NamedTuple):
    kind: str
    lang: str
    text: str
    weight: float


class Plan(NamedTuple):
    """What is told apart from what."""

    rules: tuple[str, ...]
    against: frozenset[str]
    alarms: float  # share of near-misses that may be refused
    looseness: float  # how large weights may become


LASTING = frozenset({"keep", "same_fact", "newer_value", "duplicate", "entry", "family"})
PASSING = Plan(("transient", "one_off"), LASTING, 0.02, 1.0)
COMMANDING = Plan(("instruction",), LASTING | {"explicit", "transient", "one_off", "several_facts"}, 0.015, 1.0)


class Table:
    """The signs of all texts as a matrix."""

    def __init__(self, texts: list[Text], signs: Callable[[str], frozenset[str]]) -> None:
        shown = [signs(text.text) for text in texts]
        counts = Counter(sign for one in shown for sign in one)
        self.names = sorted(sign for sign, count in counts.items() if count >= LEAST)
        index = {name: at for at, name in enumerate(self.names)}
        at = [(row, index[sign]) for row, one in enumerate(shown) for sign in sorted(one & index.keys())]
        rows, columns = zip(*at, strict=True)
        self.rows = csr_matrix((np.ones(len(at)), (rows, columns)), shape=(len(texts), len(self.names)))


def read_texts() -> list[Text]:
    """The labelled texts; what memories hold already, for nobody would keep there what passes; and lasting facts."""
    written = [Text(c["class"], c["lang"], _bare(c["text"]), CASES) for c in _lines(TOOLS / "texts")]
    remembered: list[Text] = []
    for case in _lines(PACKAGE / "bench" / "cases"):
        written.append(Text(case["class"], case["lang"], _bare(case["text"]), CASES))
        remembered += [Text("entry", case["lang"], _bare(entry), ENTRY) for entry in case.get("memory", ())]
    facts = [
        Text("family", family["lang"], fact, FAMILY)
        for family in _lines(TOOLS / "families")
        for fact in family["same"] + family["newer"]
    ]
    random.Random(0).shuffle(facts)  # noqa: S311 - repeatable, not secret
    once: dict[str, Text] = {}
    for text in [*written, *remembered, *facts[:FAMILIES]]:
        once.setdefault(text.text, text)
    return list(once.values())


def _lines(folder: Path) -> list[dict]:
    files = sorted(path for path in folder.glob("*.jsonl") if not path.name.startswith("held-out-"))
    return [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]


def _bare(text: str) -> str:
    return text.replace(SPLIT, "")


def study(name: str, table: Table, texts: list[Text], plan: Plan) -> dict[str, dict[str, float]]:
    """Figures by cross-validation, then the weights."""
    kinds, langs = np.array([text.kind for text in texts]), np.array([text.lang for text in texts])
    importance = np.array([text.weight for text in texts])
    junk, lasting = np.isin(kinds, plan.rules), np.isin(kinds, list(plan.against))
    fold = np.random.default_rng(0).permutation(len(texts)) % FOLDS

    def fit(rule: str, chosen: np.ndarray) -> LogisticRegression:
        train = chosen & (junk | lasting)
        model = LogisticRegression(C=plan.looseness, solver="liblinear", max_iter=400, tol=1e-3)
        apart = np.where(junk & (kinds != rule), OTHER_RULE, importance)
        return model.fit(table.rows[train], kinds[train] == rule, apart[train])

    scores = np.full(len(texts), -np.inf)
    for part in range(FOLDS):
        tested = fold == part
        for rule in plan.rules:
            odds = fit(rule, ~tested).decision_function(table.rows[tested])
            scores[tested] = np.maximum(scores[tested], odds)
    near = np.sort(scores[kinds == "keep"])[::-1]
    bound = near[int(len(near) * plan.alarms)]
    print(f"{name}: bound {bound:.2f}; found / false alarms: near-misses, cases of other kinds, entries, families")
    for label, chosen in (("all", langs != ""), ("English", langs == "en"), ("others", langs != "en")):
        groups = [junk, kinds == "keep", lasting & ~np.isin(kinds, ["keep", "entry", "family"])]
        groups += [kinds == "entry", kinds == "family"]
        shares = (f"{(scores[chosen & group] > bound).mean():.1%} of {(chosen & group).sum()}" for group in groups)
        print(f"  {label:8} {'  '.join(shares)}")
    if "--errors" in sys.argv:
        for at in np.argsort(scores):
            if (junk[at] and scores[at] <= bound) or (lasting[at] and scores[at] > bound):
                print(f"  {scores[at] - bound:.2f} {kinds[at]:11} {texts[at].text}")
    found: dict[str, dict[str, float]] = {}
    for rule in plan.rules:
        model = fit(rule, np.ones(len(texts), dtype=bool))
        worth = {sign: round(float(weight), 2) for sign, weight in zip(table.names, model.coef_[0], strict=True)}
        kept = {sign: weight for sign, weight in worth.items() if abs(weight) >= SMALLEST}
        found[rule] = {"": round(float(model.intercept_[0] - bound), 2)} | kept
    return found


def main() -> None:
    texts = read_texts()
    found = study("passing", Table(texts, passing.signs), texts, PASSING)
    found |= study("commanding", Table(texts, commanding.signs), texts, COMMANDING)
    if "--write" in sys.argv:
        write(found)


def write(found: dict[str, dict[str, float]]) -> None:
    """The signs that have names as JSON, to be read by people; the runs of words as wording.bin."""
    named = {
        rule: {sign: weight for sign, weight in signs.items() if not sign.startswith(MARK)}
        for rule, signs in found.items()
    }
    for name, table in (
        ("passing.json", {rule: named[rule] for rule in PASSING.rules}),
        ("commanding.json", named["instruction"]),
    ):
        (PACKAGE / "gate" / name).write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", "utf-8")
    runs = sorted({sign for signs in found.values() for sign in signs if sign.startswith(MARK)})
    numbers = np.array([[found[rule].get(run, 0) / STEP for run in runs] for rule in found]).round().clip(-127, 127)
    parts = "\n".join(found).encode(), "\n".join(runs).encode(), numbers.astype(np.int8).tobytes()
    (PACKAGE / "gate" / "wording.bin").write_bytes(b"\0".join(parts))


if __name__ == "__main__":
    main()

"""Fit what each sign is worth to the rules of gate/passing.py and gate/commanding.py, and write their tables.

    uv run --no-project --with scikit-learn --with-editable . tools/fit_passing.py [--errors] [--write]

Learnt from are the labelled cases of the package (held-out ones are not read), the texts in tools/texts, and, as what
lasts, the facts in tools/families and tools/cases. Printed is what a model finds that was fitted without the text (ten
folds). It is a logistic model with a penalty on large weights, so that no rare sign decides alone. What passes is
judged twice: by signs and the meaning of words, and where that leaves a doubt with the vector of the whole text as
well. Where the scale begins is set so that of the near-misses that somebody wrote as such no more than a given share
is refused in these folds.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from commonplace.gate import commanding, passing
from commonplace.gate.sense import WORDS, of_words
from commonplace.gate.wording import MARK, STEP
from commonplace.providers.embedders.minilm import MiniLM

TOOLS = Path(__file__).resolve().parent
PACKAGE = TOOLS.parent / "src" / "commonplace"
SPLIT = "\u205e"  # stands in invented secrets
FOLDS = 10
LEAST = 3  # texts that must show a sign
SMALLEST = 0.08  # a sign that is worth less is left out
FAMILIES = 12_000  # texts of them, somewhat more than there are labelled ones
WORDS_SCALE, WHOLE_SCALE = 3.0, 5.0
SURELY_NOT = 0.05  # of what passes, the share that looks so lasting that the whole is not asked for
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
PASSING = Plan(("transient", "one_off"), LASTING, 0.03, 1.0)
COMMANDING = Plan(("instruction",), LASTING | {"explicit", "transient", "one_off", "several_facts"}, 0.015, 1.0)


class Fit(NamedTuple):
    """What signs are worth, and the numbers behind them."""

    signs: dict[str, float]
    sense: np.ndarray


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
    told = [Text("family", case["lang"], case["text"], FAMILY) for case in _lines(TOOLS / "cases")]
    random.Random(0).shuffle(facts)  # noqa: S311 - repeatable, not secret
    once: dict[str, Text] = {}
    for text in [*written, *remembered, *told, *facts[:FAMILIES]]:
        once.setdefault(text.text, text)
    return list(once.values())


def _lines(folder: Path) -> list[dict]:
    files = sorted(path for path in folder.glob("*.jsonl") if not path.name.startswith("held-out-"))
    return [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]


def _bare(text: str) -> str:
    return text.replace(SPLIT, "")


def study(name: str, views: tuple[csr_matrix, ...], names: list[str], texts: list[Text], plan: Plan) -> dict[str, Fit]:
    """Figures by cross-validation, then the weights. With two views the second is asked only where the first leaves a
    doubt, and then has the word."""
    kinds, langs = np.array([text.kind for text in texts]), np.array([text.lang for text in texts])
    importance = np.array([text.weight for text in texts])
    junk, lasting = np.isin(kinds, plan.rules), np.isin(kinds, list(plan.against))
    fold = np.random.default_rng(0).permutation(len(texts)) % FOLDS

    def fit(rule: str, view: csr_matrix, chosen: np.ndarray) -> LogisticRegression:
        train = chosen & (junk | lasting)
        model = LogisticRegression(C=plan.looseness, solver="liblinear", max_iter=400, tol=1e-3)
        apart = np.where(junk & (kinds != rule), OTHER_RULE, importance)
        return model.fit(view[train], kinds[train] == rule, apart[train])

    odds = np.zeros((len(plan.rules), len(views), len(texts)))
    for part in range(FOLDS):
        tested = fold == part
        for at, rule in enumerate(plan.rules):
            for number, view in enumerate(views):
                odds[at, number, tested] = fit(rule, view, ~tested).decision_function(view[tested])
    doubt = [np.quantile(odds[at, 0, kinds == rule], SURELY_NOT) for at, rule in enumerate(plan.rules)]
    by_rule = [np.where(seen[0] > least, seen[-1], -np.inf) for seen, least in zip(odds, doubt, strict=True)]
    scores = {"words": odds[:, 0].max(axis=0)}
    if len(views) > 1:
        scores["words, and the whole"] = np.max(by_rule, axis=0)
    bounds: list[float] = []
    for view, of_view in scores.items():
        near = np.sort(of_view[kinds == "keep"])[::-1]
        bounds.append(float(near[int(len(near) * plan.alarms)]))
        print(f"{name} by {view}: found / false alarms: near-misses, cases of other kinds, entries, families")
        for label, chosen in (("all", langs != ""), ("English", langs == "en"), ("others", langs != "en")):
            groups = [junk, kinds == "keep", lasting & ~np.isin(kinds, ["keep", "entry", "family"])]
            groups += [kinds == "entry", kinds == "family"]
            shares = (f"{(of_view[chosen & g] > bounds[-1]).mean():.1%} of {(chosen & g).sum()}" for g in groups)
            print(f"  {label:8} {'  '.join(shares)}")
    if len(views) > 1:
        asked = np.any([of_rule[0] > least for of_rule, least in zip(odds, doubt, strict=True)], axis=0)
        print(f"  in doubt: {asked[lasting].mean():.1%} of what lasts")
    if "--errors" in sys.argv:
        last = list(scores.values())[-1]
        for at in np.argsort(last):
            if (junk[at] and last[at] <= bounds[-1]) or (lasting[at] and last[at] > bounds[-1]):
                print(f"  {last[at] - bounds[-1]:.2f} {kinds[at]:11} {texts[at].text}")
    found: dict[str, Fit] = {}
    for at, rule in enumerate(plan.rules):
        for number, (view, bound) in enumerate(zip(views, bounds, strict=True)):
            model = fit(rule, view, np.ones(len(texts), dtype=bool))
            worth = {sign: round(float(weight), 2) for sign, weight in zip(names, model.coef_[0], strict=False)}
            kept = {sign: weight for sign, weight in worth.items() if abs(weight) >= SMALLEST}
            limits = {"": round(float(model.intercept_[0] - bound), 2)}
            if number == 0 and len(views) > 1:
                limits[passing.DOUBT] = round(float(doubt[at] - bound), 2)
            sense = model.coef_[0][len(names) :]
            found[rule + (passing.READ if number else "")] = Fit(limits | kept, sense)
    return found


def sense_of(texts: list[Text]) -> tuple[np.ndarray, np.ndarray]:
    """What the words and the whole of each text mean, scaled so that the penalty weighs on them as on signs."""
    words = np.array([of_words(text.text[:1000]) for text in texts])
    return words * WORDS_SCALE, MiniLM().embed([text.text for text in texts]) * WHOLE_SCALE


def main() -> None:
    texts = read_texts()
    words, whole = sense_of(texts)
    passing_signs, commanding_signs = Table(texts, passing.signs), Table(texts, commanding.signs)
    by_words = hstack([passing_signs.rows, csr_matrix(words)]).tocsr()
    views = by_words, hstack([by_words, csr_matrix(whole)]).tocsr()
    found = study("passing", views, passing_signs.names, texts, PASSING)
    found |= study("commanding", (commanding_signs.rows,), commanding_signs.names, texts, COMMANDING)
    if "--write" in sys.argv:
        write({rule: fit.signs for rule, fit in found.items()})
        write_sense({rule: fit.sense for rule, fit in found.items() if len(fit.sense)})


def write_sense(found: dict[str, np.ndarray]) -> None:
    """As gate/sense.py reads it; what a rule has no number for is worth nothing."""
    width = max(map(len, found.values()))
    scale = np.r_[np.full(WORDS, WORDS_SCALE), np.full(width - WORDS, WHOLE_SCALE)]
    rows = [np.pad(numbers, (0, width - len(numbers))) * scale for numbers in found.values()]
    head = "\n".join(found).encode()
    head += b" " * (-(len(head) + 1) % 4)
    (PACKAGE / "gate" / "sense.bin").write_bytes(head + b"\0" + np.array(rows, dtype=np.float32).tobytes())


def write(found: dict[str, dict[str, float]]) -> None:
    """The signs that have names as JSON, to be read by people; the runs of words as wording.bin."""
    named = {
        rule: {sign: weight for sign, weight in signs.items() if not sign.startswith(MARK)}
        for rule, signs in found.items()
    }
    for name, table in (
        ("passing.json", {rule: signs for rule, signs in named.items() if rule not in COMMANDING.rules}),
        ("commanding.json", named["instruction"]),
    ):
        (PACKAGE / "gate" / name).write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", "utf-8")
    runs = sorted({sign for signs in found.values() for sign in signs if sign.startswith(MARK)})
    numbers = np.array([[found[rule].get(run, 0) / STEP for run in runs] for rule in found]).round().clip(-127, 127)
    parts = "\n".join(found).encode(), "\n".join(runs).encode(), numbers.astype(np.int8).tobytes()
    (PACKAGE / "gate" / "wording.bin").write_bytes(b"\0".join(parts))


if __name__ == "__main__":
    main()

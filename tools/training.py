"""The labelled texts that the tools of this folder learn from. training/README.md tells what is in them.

python tools/training.py FOLDER      # one file for each hand, as tools/fit_pairs.py and tools/fit_gate.py take them
"""

import json
import lzma
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SET = ROOT / "training" / "set.jsonl.xz"
CASES = ROOT / "benchmarks" / "cases"
HELD_OUT = "held-out-"
BREAK = "\u205e"  # stands in invented secrets, so that scanners leave the files alone
FAMILIES = 20_000  # facts of them that are learnt from


class Text(NamedTuple):
    """A text, what it is, what it weighs, and where its secrets stand."""

    kind: str
    text: str
    weight: float
    values: tuple[tuple[int, int], ...] = ()


def records() -> Iterator[dict[str, Any]]:
    """All records of the set: `part` is texts, cases or families, `hand` who wrote them."""
    with lzma.open(SET, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def labelled() -> Iterator[dict[str, Any]]:
    """The labelled cases that may be tuned on; what is held out is not read."""
    for file in sorted(CASES.glob("*.jsonl")):
        if not file.name.startswith(HELD_OUT):
            for line in filter(None, file.read_text("utf-8").split("\n")):
                yield json.loads(line.replace(BREAK, ""))


def texts() -> list[Text]:
    """All texts that a classifier may learn from, each once. What memories hold and what is told as a fact lasts."""
    written: list[Text] = []
    lasting: list[Text] = []
    facts: list[Text] = []
    for one in records():
        if one["part"] == "texts":
            written.append(Text(one["class"], one["text"], 1.0))
        elif one["part"] == "cases":
            lasting.append(Text("family", one["text"], 0.5))
        else:
            facts += [Text("family", fact, 0.5) for fact in one["same"] + one["newer"]]
    for one in labelled():
        values = tuple((start, end) for start, end in one.get("values", ()))
        written.append(Text(one["class"], one["text"], 1.0, values))
        lasting += [Text("entry", entry, 0.5) for entry in one.get("memory", ())]
    random.Random(0).shuffle(facts)  # noqa: S311 - repeatable, not secret
    once: dict[str, Text] = {}
    for text in (*written, *lasting, *facts[:FAMILIES]):
        once.setdefault(text.text, text)
    return list(once.values())


def unpack(folder: Path) -> None:
    """The set as it was before it was packed: FOLDER/PART/HAND.jsonl."""
    for one in records():
        part, hand = one.pop("part"), one.pop("hand")
        target = folder / part / f"{hand}.jsonl"
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("a", encoding="utf-8") as file:
            file.write(json.dumps(one, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    unpack(Path(sys.argv[1]))

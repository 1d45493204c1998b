"""A data set of our own for the benchmark command."""

import gzip
import json
from pathlib import Path
from typing import Any

Data = dict[str, Any]


def turn(tid: str, speaker: str, text: str) -> dict[str, str]:
    return {"tid": tid, "speaker": speaker, "text": text}


def small() -> Data:
    """Two corpora; ids that could be no file names; dates present and absent."""
    return {
        "name": "small",
        "corpora": {
            "c/1": [
                {
                    "sid": "first session: α",
                    "date": "2026-01-05",
                    "turns": [
                        turn("D1:1", "Ada", "My greyhound is called Comet"),
                        turn("D1 2", "Ben", "What does a greyhound eat?"),
                        turn("../D1/3", "Ada", "Rice and salmon, mostly"),
                    ],
                },
                {
                    "sid": "second",
                    "date": None,
                    "turns": [
                        turn("D2:1", "user", "I moved to Lisbon for the surf"),
                        turn("D2:2", "assistant", "Lisbon has wonderful light"),
                        turn("D2:3", "user", ""),
                    ],
                },
                {"sid": "third", "date": "2026-03-05T10:00:00", "turns": [turn("D3:1", "Ada", "The greyhound won")]},
            ],
            "unasked": [{"sid": "x", "date": None, "turns": [turn("t", "user", "Nobody asks about this")]}],
        },
        "questions": [
            {
                "qid": "q1",
                "cid": "c/1",
                "category": "pets",
                "question": "What is the greyhound called?",
                "qdate": "2026-04-01",
                "gold_turns": ["D1:1"],
                "gold_sessions": ["first session: α"],
                "n_sessions": None,
            },
            {
                "qid": "q2",
                "cid": "c/1",
                "category": "places",
                "question": "Where did I move for the surf in Lisbon?",
                "qdate": None,
                "gold_turns": ["D2:1"],
                "gold_sessions": ["second"],
                "n_sessions": 2,
            },
            {
                "qid": "q3",
                "cid": "c/1",
                "category": "places",
                "question": "greyhound",
                "qdate": "2026-01-06T08:00:00",
                "gold_turns": [],
                "gold_sessions": ["first session: α"],
                "n_sessions": 1,
            },
            {
                "qid": "q4",
                "cid": "c/1",
                "category": "none",
                "question": "greyhound",
                "gold_turns": ["D1:1"],
                "gold_sessions": [],
                "n_sessions": 0,
            },
        ],
    }


def written(path: Path, data: object, *, zipped: bool = True) -> Path:
    raw = json.dumps(data).encode()
    path.write_bytes(gzip.compress(raw) if zipped else raw)
    return path


GOOD = {"id": "a", "lang": "en", "class": "keep", "memory": ["Lives in Bern"], "text": "Has a cat called Momo"}
"""A labelled case for the gate."""


def case_lines(file: Path, *records: object) -> Path:
    """A file of labelled cases; a text among them is a line as it is."""
    lines = [record if isinstance(record, str) else json.dumps(record, ensure_ascii=False) for record in records]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file

"""How well search finds what was said: sessions go into a temporary book, questions through `Memory.search`.

The data is gzipped JSON: `corpora` maps an id to sessions (`sid`, `date`, `turns` with `tid`, `speaker`, `text`);
`questions` name their corpus (`cid`), the day they are asked (`qdate`), how many leading sessions may be searched
(`n_sessions`), and the turns and sessions that hold the answer (`gold_turns`, `gold_sessions`).
"""

import gzip
import json
import math
import zlib
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, cast

from commonplace.errors import ValidationError
from commonplace.memory import Memory
from commonplace.types.searching import Source
from commonplace.types.sessions import Message

DEPTH = 500  # deep enough for twenty sessions
CUTS = (1, 5, 10, 20)
_ROLES = {"user": "user", "assistant": "assistant"}
_UNDATED = datetime(2000, 1, 1, 12).astimezone()


@dataclass(frozen=True, slots=True)
class Ranked:
    """One place of a ranking."""

    session: str
    turn: str
    score: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What search returned for one question, and what it should have."""

    qid: str
    category: str
    ranked: tuple[Ranked, ...]
    gold_turns: frozenset[str]
    gold_sessions: frozenset[str]


@dataclass(slots=True)
class Row:
    """Figures over some questions; each is a mean over those that have gold of that kind."""

    questions: int = 0
    sums: dict[str, float] = field(default_factory=dict[str, float])
    counts: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, figures: Mapping[str, float]) -> None:
        self.questions += 1
        for name, value in figures.items():
            self.sums[name] = self.sums.get(name, 0.0) + value
            self.counts[name] = self.counts.get(name, 0) + 1

    def mean(self, name: str) -> float | None:
        return self.sums[name] / self.counts[name] if name in self.sums else None


def load(path: Path) -> dict[str, Any]:
    """A data file, zipped or not."""
    try:
        raw = path.read_bytes()
        data = cast(dict[str, Any], json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw))
        if not isinstance(data["corpora"], dict) or not isinstance(data["questions"], list):
            raise TypeError
    except OSError as error:
        raise ValidationError(f"{path} cannot be read: {error.strerror}.", hint="Name a data file.") from error
    except (ValueError, KeyError, TypeError, EOFError, zlib.error, RecursionError) as error:
        raise ValidationError(
            f"{path} is not retrieval data.", hint="It must be (gzipped) JSON with `corpora` and `questions`."
        ) from error
    return data


@contextmanager
def _told(what: str) -> Generator[None]:
    """A field that is missing or of another kind, as an error with its place."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValidationError(
            f"{what} cannot be used: {type(error).__name__}: {error}.", hint="docs/retrieval.md describes the data."
        ) from error


def run(
    data: Mapping[str, Any],
    open_book: Callable[[int], Memory],
) -> Iterable[Answer]:
    """Ingest each corpus into a book of its own and ask its questions."""
    for number, (cid, sessions) in enumerate(data["corpora"].items()):
        with _told("A question"):
            questions = [question for question in data["questions"] if question["cid"] == cid]
        if not questions:
            continue
        memory = open_book(number)
        with _told(f"Corpus {cid}"):
            corpus = _ingest(memory, sessions)
        memory.reindex()
        for question in questions:
            with _told(f"Question {question.get('qid')}"):
                limit = None if question.get("n_sessions") is None else int(question["n_sessions"])
                today = datetime.fromisoformat(question["qdate"]).date() if question.get("qdate") else None
                answer = Answer(
                    str(question["qid"]),
                    str(question.get("category", "")),
                    (),
                    frozenset(map(str, question["gold_turns"])),
                    frozenset(map(str, question["gold_sessions"])),
                )
                text = str(question["question"])
            yield replace(answer, ranked=tuple(_ask(memory, text, corpus, limit, today)))


class _Corpus(NamedTuple):
    """What was ingested: the ids in the data by the safe names that they have in the book."""

    sessions: dict[str, str]  # in order
    turns: dict[str, str]


def _ingest(memory: Memory, sessions: Sequence[Mapping[str, Any]]) -> _Corpus:
    """Write every session as a transcript."""
    corpus = _Corpus({}, {})
    for number, session in enumerate(sessions):
        name = f"s{number:05d}"
        corpus.sessions[name] = str(session["sid"])
        start = datetime.fromisoformat(session["date"]).astimezone() if session["date"] else _UNDATED
        messages: list[Message] = []
        for at, turn in enumerate(session["turns"]):
            id = f"{name}-{at}"
            corpus.turns[id] = str(turn["tid"])
            messages.append(_message(id, turn, start + timedelta(seconds=at)))
        memory.add_message(name, *messages)
    return corpus


def _message(id: str, turn: Mapping[str, Any], at: datetime) -> Message:
    """A turn as a message: the two roles as such, anybody else under their name."""
    speaker = str(turn["speaker"])
    role = _ROLES.get(speaker.lower())
    return Message(id, role or "user", str(turn["text"]), at, {"name": speaker} if speaker and not role else {})


def _ask(memory: Memory, text: str, corpus: _Corpus, limit: int | None, today: date | None) -> Iterable[Ranked]:
    searchable = list(corpus.sessions)[:limit]
    if not searchable:
        return
    every = len(searchable) == len(corpus.sessions)
    found = memory.search(
        text, limit=DEPTH, sources=[Source.SESSION], sessions=() if every else searchable, today=today
    )
    for hit in found.hits:
        yield Ranked(corpus.sessions[hit.session], corpus.turns[hit.message], hit.score)


# -- figures ----------------------------------------------------------------------------------------------------


def table(answers: Iterable[Answer]) -> dict[str, Row]:
    """Figures by category, and over all under `all`."""
    rows: dict[str, Row] = {"all": Row()}
    for answer in answers:
        figures = _figures(answer)
        rows["all"].add(figures)
        rows.setdefault(answer.category or "-", Row()).add(figures)
    return rows


def _figures(answer: Answer) -> dict[str, float]:
    turns = [place.turn for place in answer.ranked]
    sessions = list(dict.fromkeys(place.session for place in answer.ranked))
    figures: dict[str, float] = {}
    if answer.gold_turns:
        figures |= {f"turn@{cut}": _recall(turns[:cut], answer.gold_turns) for cut in CUTS}
        figures["ndcg@10"] = _ndcg(turns, answer.gold_turns, 10)
        first = next((at for at, turn in enumerate(turns) if turn in answer.gold_turns), None)
        figures["mrr"] = 0.0 if first is None else 1.0 / (first + 1)
    if answer.gold_sessions:
        figures |= {f"session@{cut}": _recall(sessions[:cut], answer.gold_sessions) for cut in CUTS}
    return figures


def _recall(found: Sequence[str], gold: frozenset[str]) -> float:
    return len(gold.intersection(found)) / len(gold)


def _ndcg(found: Sequence[str], gold: frozenset[str], cut: int) -> float:
    gained = sum(1 / math.log2(at + 2) for at, turn in enumerate(found[:cut]) if turn in gold)
    return gained / sum(1 / math.log2(at + 2) for at in range(min(len(gold), cut)))


def as_json(answer: Answer) -> str:
    """One line of a run file."""
    ranked = [{"session": place.session, "turn": place.turn, "score": place.score} for place in answer.ranked]
    return json.dumps({"qid": answer.qid, "ranked": ranked}, ensure_ascii=False)

"""What memory adds to a turn, beside the search that it needs anyway, and what recall puts into a prompt.

    python benchmarks/turn.py                           100, 10,000 and 100,000 chunks
    python benchmarks/turn.py --sizes 100 1000          other sizes
    python benchmarks/turn.py --data FILE               also tokens and evidence: retrieval data, see bench/retrieval.py

A turn here has an answer that comes at once and one tool call, so its time is ours alone: two messages made durable,
recall, a tool, the prompt. Vectors are invented (the work is the same, the model is not measured); the machine's
disk decides what durable costs, so look at ratios.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from commonplace.agent.conversation import Conversation
from commonplace.bench.retrieval import load
from commonplace.framing import harmless_lines
from commonplace.memory import Memory
from commonplace.testing import ScriptedChatModel, StoppedClock
from commonplace.tokens import estimate_tokens
from commonplace.tools.calling import run_tool
from commonplace.tools.table import Context
from commonplace.types import ChatMessage, Message, ToolCall

if TYPE_CHECKING:
    from commonplace.ports import Vectors

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
ROUNDS = 15
WORDS = "garden bicycle kitchen ticket report novel guitar server camera recipe lamp sofa tent river lake map".split()
NAMES = "Anna Bruno Carla Dmitri Elena Farid Greta Hugo Irina Jonas".split()
A_SESSION = 50


class InventedEmbedder:
    """Unit vectors that depend on the text alone. Implements `Embedder`."""

    identity = "invented/384"
    dimensions = 384
    loaded = True

    def reads(self, text: str) -> bool:
        return bool(text)

    def embed(self, texts: Sequence[str]) -> "Vectors":
        made = [np.random.default_rng(abs(hash(text)) % 2**32).standard_normal(384) for text in texts]
        found = np.asarray(made, dtype=np.float32)
        return found / np.linalg.norm(found, axis=1, keepdims=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="What memory adds to a turn.")
    parser.add_argument("--sizes", type=int, nargs="*", default=[100, 10_000, 100_000])
    parser.add_argument("--data", type=Path, help="retrieval data with gold evidence; never part of this project")
    parser.add_argument("--budget", type=int, default=2000)
    options = parser.parse_args()
    if options.sizes:
        print("| chunks | search ms | recall | append | tool call | whole turn | turn / search |")
        print("|---|---|---|---|---|---|---|")
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as folder:
            print(_costs(Path(folder), size), flush=True)
    if options.data:
        print(_evidence(load(options.data), options.budget))


# -- time --------------------------------------------------------------------------------------------------------------


def _costs(folder: Path, size: int) -> str:
    clock = StoppedClock(NOON)
    memory = Memory.open(folder / "book", clock=clock, embedder=InventedEmbedder())
    _fill(memory, size)
    memory.remember("Likes night trains")
    memory.reindex()
    questions = iter([_sentence(random.Random(number)) for number in range(ROUNDS * 4)])
    session = memory.start_session().id

    def call() -> None:
        run_tool(Context(memory, session), ToolCall("c1", "search_memory", {"query": next(questions)}))

    search = _median(lambda: memory.search(next(questions)))
    recall = _median(lambda: memory.recall(next(questions), session=session))
    append = _median(lambda: memory.say(session, "user", "Something new"))
    tool = _median(call)
    turn = _turns(memory, clock)
    times = " | ".join(f"{one * 1000:.1f}" for one in (search, recall, append, tool, turn))
    return f"| {size} | {times} | {turn / search:.1f} |"


def _turns(memory: Memory, clock: StoppedClock) -> float:
    """Whole turns, each with one tool call, through the chat itself."""

    def answer(messages: Sequence[ChatMessage]) -> str | tuple[ToolCall, ...]:
        done = messages[-1].role == "tool"
        return "Here it is." if done else (ToolCall("c1", "search_memory", {"query": "night trains"}),)

    conversation = Conversation(memory, ScriptedChatModel(answer, window=200_000), clock)
    numbers = iter(range(1000))
    return _median(lambda: list(conversation.say(_sentence(random.Random(next(numbers))))))


def _fill(memory: Memory, size: int) -> None:
    chance = random.Random(7)
    for start in range(0, size, A_SESSION):
        at = NOON - timedelta(days=1 + start // A_SESSION)
        count = min(A_SESSION, size - start)
        roles = ("user", "assistant")
        turns = (
            Message(f"m{number}", roles[number % 2], _sentence(chance), at + timedelta(minutes=number))
            for number in range(count)
        )
        memory.add_message(f"s{start:07d}", *turns)


def _sentence(chance: random.Random) -> str:
    words = " ".join(chance.choices(WORDS, k=12))
    return f"{chance.choice(NAMES)} spoke of {words} number {chance.randrange(10_000)}"


def _median(work: Callable[[], object]) -> float:
    times: list[float] = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


# -- tokens and evidence -----------------------------------------------------------------------------------------------


def _evidence(data: Mapping[str, Any], budget: int) -> str:
    """Tokens injected beside the whole history, and how much of what answers a question they hold."""
    injected: list[int] = []
    whole: list[int] = []
    shares: list[float] = []
    for cid, sessions in data["corpora"].items():
        questions = [question for question in data["questions"] if question["cid"] == cid and question["gold_turns"]]
        with tempfile.TemporaryDirectory() as folder:
            memory = Memory.open(Path(folder) / "book")
            texts = _ingested(memory, sessions)
            memory.reindex()
            tokens = sum(map(estimate_tokens, texts.values()))
            for question in questions:
                asked = datetime.fromisoformat(question["qdate"]).date() if question.get("qdate") else None
                found = memory.recall(str(question["question"]), budget=budget, today=asked)
                shown = " ".join(found.text.split())
                gold = [texts[str(turn)] for turn in question["gold_turns"] if str(turn) in texts]
                shares.append(sum(_plain(text) in shown for text in gold) / len(gold) if gold else 0.0)
                injected.append(found.tokens)
                whole.append(tokens)
    lines = [
        f"{len(shares)} questions, budget {budget} tokens",
        f"injected: {statistics.mean(injected):.0f} tokens, {statistics.mean(injected) / statistics.mean(whole):.1%} of"
        f" the whole history ({statistics.mean(whole):.0f})",
        f"gold evidence contained: {statistics.mean(shares):.1%} (all of it for {_all(shares):.1%} of the questions)",
    ]
    return "\n".join(lines)


def _ingested(memory: Memory, sessions: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Write every session as a transcript; returns the text of each turn."""
    texts: dict[str, str] = {}
    for number, session in enumerate(sessions):
        start = datetime.fromisoformat(session["date"]).astimezone() if session["date"] else NOON
        turns = [
            Message(str(turn["tid"]), "user", str(turn["text"]), start + timedelta(seconds=at), _named(turn))
            for at, turn in enumerate(session["turns"])
        ]
        memory.add_message(f"s{number:05d}", *turns)
        texts |= {turn.id: turn.text for turn in turns}
    return texts


def _named(turn: Mapping[str, Any]) -> dict[str, object]:
    return {"name": str(turn["speaker"])} if turn["speaker"] else {}


def _plain(text: str) -> str:
    """A turn as the block shows it."""
    return " ".join(" ".join(harmless_lines(text)).split())


def _all(shares: Sequence[float]) -> float:
    return sum(share == 1.0 for share in shares) / len(shares)


if __name__ == "__main__":
    main()

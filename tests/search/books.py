"""Small books to search in, and ways to compare what is found."""

import random
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta

from commonplace.config import EmbedderSettings, SearchSettings, Settings
from commonplace.files.transcripts import line_of
from commonplace.memory import Memory
from commonplace.testing import HashingEmbedder, StoppedClock
from commonplace.types import Found, Message
from tests.stores import Place, put

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
TODAY = NOW.date()
PLAIN = Settings(search=SearchSettings(method="plain"))
NO_MODEL = Settings(embedder=EmbedderSettings(name="none"))
WORDS = (
    "harbour violin kettle orchard saddle compass lantern glacier pepper tractor museum ribbon anchor bakery cactus"
    " dolphin engine feather guitar hammock island jacket kitchen ladder mirror needle oyster pillow quarry raven"
).split()


def opened(
    place: Place, embedder: HashingEmbedder | None = None, settings: Settings | None = None, at: datetime = NOW
) -> Memory:
    """A book at a fixed time; like a new process, it knows nothing but what is on disk."""
    return Memory.open(place, embedder=embedder or HashingEmbedder(), settings=settings, clock=StoppedClock(at))


def said(id: str, text: str, day: date = TODAY, role: str = "user", **extra: object) -> Message:
    return Message(id, role, text, datetime(day.year, day.month, day.day, 9, tzinfo=UTC), dict(extra))


def sentence(source: random.Random) -> str:
    return " ".join(source.sample(WORDS, source.randint(4, 9))).capitalize()


def filled(memory: Memory, *, entries: int = 12, logs: int = 4, turns: int = 24, seed: int = 1) -> Memory:
    """A book with a bit of everything, written as a person would: one file at a time."""
    source = random.Random(seed)
    memory.create()
    sections = [[f"- {sentence(source)}\n" for _ in range(entries // 3)] for _ in range(3)]
    page = "".join(f"\n## Part {number}\n\n" + "".join(lines) for number, lines in enumerate(sections))
    put(memory, "MEMORY.md", f"# Long-term Memory\n{page}")
    for number in range(logs):
        day = TODAY - timedelta(3 * number)
        lines = "\n".join(f"- {sentence(source)}" for _ in range(5))
        put(memory, f"daily/{day}.md", f"# Daily Log {day}\n\n{lines}\n\n---\n")
    for number in range(3):
        day = TODAY - timedelta(10 * number)
        messages = [said(f"{number}-{at}", sentence(source), day) for at in range(turns // 3)]
        put(memory, f"sessions/talk{number}.jsonl", b"".join(map(line_of, messages)))
    return memory


QUESTIONS = ("harbour violin lantern", "where is the kettle?", "cactus and dolphin on an island", "raven quarry 2026")


def answers(memory: Memory, limit: int = 10) -> list[list[tuple[str, str, int, float]]]:
    """What a few questions find, in order."""
    return [places(memory.search(question, limit=limit)) for question in QUESTIONS]


def places(found: Found) -> list[tuple[str, str, int, float]]:
    return [(hit.text, hit.file, hit.line, hit.score) for hit in found.hits]


def alike(
    ours: Iterable[list[tuple[str, str, int, float]]], theirs: Iterable[list[tuple[str, str, int, float]]]
) -> bool:
    """The same hits in the same order; sums of floats taken in another order may differ in the last digits, and then
    hits of equal score may change places."""
    for one, other in zip(ours, theirs, strict=True):
        if len(one) != len(other) or any(abs(a[3] - b[3]) > 1e-4 for a, b in zip(one, other, strict=True)):
            return False
        last = one[-1][3] if one else 0.0
        if {hit[:3] for hit in one if hit[3] > last + 1e-4} != {hit[:3] for hit in other if hit[3] > last + 1e-4}:
            return False
    return True


def texts(found: Found) -> list[str]:
    return [hit.text for hit in found.hits]

"""What recall puts into a prompt, for a life book: a year of one invented person, in 60 conversations.

    python benchmarks/recall.py [--json]

Each conversation stands in its transcript and, in the user's words, in the log of its day; a dozen facts are in
MEMORY.md. 50 questions have gold conversations; 40 messages are small talk in a dozen languages, none of them among
those that the floor was fitted on. Printed for the best forty hits within the budget (as recall was) and for recall as
it is: the share of gold conversations in the relevant part, the share of its memories that are from one, its tokens,
and the ratio of the computing time.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from commonplace.flows.recall import recall
from commonplace.memory import Memory
from commonplace.tokens import estimate_tokens
from commonplace.types import Message, Recall

HERE = Path(__file__).resolve().parent / "life_book"
KEPT = (
    "Is called Marta and is a ranger at the Kestrel Moor nature reserve",
    "Is allergic to hazelnuts",
    "Is married to Joost, who does not eat fish",
    "Has a dog called Biscuit",
    "Plays the cello; lessons with Mrs. Okafor",
    "Has a brother, Wim, and a niece, Lotte",
    "Prefers rooibos to coffee",
    "Writes a monthly column about the moor",
    "Grows potatoes behind the house",
    "Leads the volunteer group from January 2027",
    "Her mother lives in Groningen",
    "User requested: Answer in short sentences",
)
TODAY = datetime(2026, 11, 10, 12).astimezone()


class LifeBook:
    """The book in a folder, and which conversation each text in it is from."""

    def __init__(self, folder: Path) -> None:
        self.memory = Memory.open(folder / "book")
        self.number_of: dict[str, int] = {}
        for fact in KEPT:
            requested = fact.startswith("User requested:")
            self.memory.remember(fact.removeprefix("User requested: "), requested=requested, insist=True)
        for number, line in enumerate(rows("sessions.tsv"), start=1):
            day, *said = line
            at = datetime.fromisoformat(f"{day}T19:00").astimezone()
            roles = ("user", "assistant", "user")
            messages = [
                Message(f"m{number}-{n}", role, text, at)
                for n, (role, text) in enumerate(zip(roles, said, strict=True))
            ]
            self.memory.add_message(f"s{number:02d}", *messages)
            self.memory.log("\n".join(f"- {text}" for text in said[::2]), day=at.date())
            self.number_of |= dict.fromkeys(said, number)
        self.memory.reindex()

    def before(self, message: str) -> Recall:
        hits = self.memory.search(message, limit=40, today=TODAY.date()).hits
        return recall(self.memory.entries(), hits, 2000)

    def now(self, message: str) -> Recall:
        return self.memory.recall(message, today=TODAY.date())

    def shown(self, found: Recall) -> list[int]:
        """From which conversation each memory of the relevant part is; 0 for none."""
        lines = [line.partition("] ")[2] for line in found.relevant.split("\n") if line.startswith("- [")]
        return [self.number_of.get(line, 0) for line in lines]


def rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (HERE / name).read_text(encoding="utf-8").splitlines() if line]


def measured(book: LifeBook, ask: Callable[[str], Recall]) -> dict[str, float]:
    found: list[float] = []
    exact: list[float] = []
    tokens: list[int] = []
    seconds: list[float] = []
    for question, numbers in rows("questions.tsv"):
        start = time.process_time()
        answer = ask(question)
        seconds.append(time.process_time() - start)
        gold, shown = set(map(int, numbers.split())), book.shown(answer)
        found.append(len(gold.intersection(shown)) / len(gold))
        exact.append(sum(number in gold for number in shown) / len(shown) if shown else 0.0)
        tokens.append(estimate_tokens(answer.relevant))
    small_talk = [estimate_tokens(ask(message).relevant) for (message,) in rows("small_talk.tsv")]
    return {
        "found": statistics.mean(found),
        "found_interval": interval(found),
        "exact": statistics.mean(exact),
        "exact_interval": interval(exact),
        "tokens": statistics.mean(tokens),
        "small_talk_tokens": statistics.mean(small_talk),
        "small_talk_most": max(small_talk),
        "small_talk_with_something": sum(map(bool, small_talk)),
        "milliseconds": 1000 * statistics.median(seconds),
    }


def interval(values: Sequence[float]) -> float:
    return 1.96 * statistics.stdev(values) / len(values) ** 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure recall on the life book.")
    parser.add_argument("--json", action="store_true", help="print figures as JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="commonplace-bench-") as folder:
        book = LifeBook(Path(folder))
        book.now("Where does Wim live?")
        figures = {"before": measured(book, book.before), "now": measured(book, book.now)}
    if options.json:
        print(json.dumps(figures, indent=1))
        return
    for name in figures["now"]:
        print(f"{name:28} {figures['before'][name]:9.3f} {figures['now'][name]:9.3f}")
    print(f"{'time, ratio':28} {figures['now']['milliseconds'] / figures['before']['milliseconds']:9.2f}")


if __name__ == "__main__":
    main()

"""The conversations that the flush is measured by: enough of them, in enough languages, and every line is a case."""

from collections import Counter
from pathlib import Path

from commonplace.bench.flush import load

FOLDER = Path(__file__).parents[1] / "flush"
FILES = ("talks.jsonl", "held-out.jsonl", "fresh.jsonl", "strangers.jsonl", "sealed.jsonl")


def test_the_conversations_are_many_and_of_many_kinds_and_languages() -> None:
    read = [load(FOLDER / name) for name in FILES]
    assert not any(bad for _, bad in read)
    cases = [case for found, _ in read for case in found]
    assert len({case.id for case in cases}) == len(cases) >= 150
    languages = Counter(case.language for case in cases)
    assert sum(count >= 3 for count in languages.values()) >= 8
    answers = [answer for case in cases for talk in case.talks for answer in talk.answers]
    assert sum(bool(answer.bad) for answer in answers) >= 100
    assert len(read[4][0]) >= 100, "a part was never looked at while rules were made"

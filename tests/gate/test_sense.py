"""What words and whole texts mean is weighed beside the signs of what passes."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from commonplace.gate.passing import one_off, transient
from commonplace.gate.sense import WORDS, of_words, weigh
from commonplace.memory import Memory
from commonplace.providers.embedders.minilm import MiniLM
from commonplace.types.saving import Refused, Saved

MODEL = MiniLM()


def meaning(text: str) -> Sequence[float]:
    return MODEL.embed([text])[0].tolist()


def passes(text: str) -> bool:
    return any(found and found.certainty >= 0.5 for found in (transient(text, meaning), one_off(text, meaning)))


def test_words_of_one_kind_mean_nearly_the_same() -> None:
    def near(one: str, other: str) -> float:
        return sum(a * b for a, b in zip(of_words(one), of_words(other), strict=True))

    assert near("I am hungry", "I am thirsty") > near("I am hungry", "I am Norwegian")
    assert len(of_words("")) == WORDS
    assert weigh("transient", of_words("")) != weigh("transient", of_words("hungry"))


def test_other_languages_mean_what_their_words_mean() -> None:
    assert of_words("Ich bin hungrig") == of_words("I am hungry")


def test_the_whole_is_asked_for_only_where_words_leave_a_doubt() -> None:
    asked: list[str] = []

    def noted(text: str) -> None:
        asked.append(text)

    transient("Prefers dark mode in every editor since 2019", noted)
    assert asked == []
    transient("Build is green", noted)
    assert asked == ["Build is green"]


@pytest.mark.req("GATE-4")
@pytest.mark.parametrize(
    "text",
    [
        "I'm hungry",
        "It's raining",
        "Build is green",
        "hello there",
        "What time is it?",
        "Stuck in traffic",
        "thanks a lot",
    ],
)
def test_short_talk_passes(text: str) -> None:
    assert passes(text)


@pytest.mark.req("GATE-4")
@pytest.mark.parametrize(
    "text",
    [
        "I'm diabetic",
        "The build needs Java 17",
        "I am waiting for a kidney transplant",
        "I started a new job today",
        "Got my driving licence this morning",
        "Always run the tests twice",
        "Hello Kitty collector",
    ],
)
def test_what_changes_a_life_lasts_however_short_it_is_told(text: str) -> None:
    assert not passes(text)


@pytest.mark.req("GATE-4")
@pytest.mark.parametrize("text", ["Smokes", "Raucht", "失业", "x", "hello"])
def test_a_single_word_is_never_refused(text: str) -> None:
    assert not passes(text)


@pytest.mark.req("GATE-4")
def test_the_memory_asks_the_model_of_the_package(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "book")
    assert isinstance(memory.remember("I'm hungry"), Refused)
    assert isinstance(memory.remember("I'm diabetic"), Saved)

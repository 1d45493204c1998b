"""A book without an embedding model, a stopped clock, and conversations with a scripted model."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest

from commonplace.agent.conversation import Conversation
from commonplace.agent.events import Answered, TurnEvent
from commonplace.config import EmbedderSettings, Settings
from commonplace.memory import Memory
from commonplace.testing import Answer, ScriptedChatModel, StoppedClock
from commonplace.types import ChatMessage
from tests.stores import Place

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
SUMMARY = "## Daily Summary\n- {}\n\n## Long-term Facts\nNone"


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock(NOON)


@pytest.fixture
def memory(place: Place, clock: StoppedClock) -> Memory:
    return open_book(place, clock)


def open_book(place: Place, clock: StoppedClock) -> Memory:
    return Memory.open(place, settings=Settings(embedder=EmbedderSettings(name="none")), clock=clock)


def is_flush(messages: Sequence[ChatMessage]) -> bool:
    """Whether a request asks for a summary, and not for an answer in the chat."""
    return not any("Today is " in message.text for message in messages)


def model_that(
    answer: Callable[[Sequence[ChatMessage]], Answer] | Answer = "I see.", summary: Answer | None = None, **options: int
) -> ScriptedChatModel:
    """A model that answers in the chat as told, and summarises whatever it is given."""

    def step(messages: Sequence[ChatMessage]) -> Answer:
        if is_flush(messages):
            talk = " ".join(line.removeprefix("| ") for line in messages[-1].text.splitlines() if line.startswith("| "))
            return summary if summary is not None else SUMMARY.format(f"They talked.\n- {talk[:400]}")
        return answer(messages) if callable(answer) else answer

    return ScriptedChatModel(step, **options)


def said(conversation: Conversation, text: str) -> list[TurnEvent]:
    return list(conversation.say(text))


def answer_of(events: Sequence[TurnEvent]) -> Answered:
    last = events[-1]
    assert isinstance(last, Answered)
    return last


def logs(memory: Memory) -> str:
    return "\n".join(memory.read_log(day) for day in memory.log_days())

"""Compaction that nobody asked for: on a new date, at most once, only when the memory is long, and told after."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from commonplace.agent.conversation import Conversation
from commonplace.agent.lifecycle import LEAST_CHARACTERS, Lifecycle
from commonplace.memory import Memory
from commonplace.testing import ScriptedChatModel, StoppedClock
from commonplace.types import ChatMessage
from tests.agent.conftest import SUMMARY, said

DAY = timedelta(days=1)
PLACES = ["Lisbon", "Bergen", "Kyoto", "Quito", "Perth", "Tunis", "Oslo", "Lima", "Turin", "Graz", "Nantes", "Split"]


def fill(memory: Memory, characters: int) -> None:
    """A memory of at least so many characters, in which each entry is there twice."""
    number = 0
    while len(memory.read()) < characters:
        place, year = PLACES[number % len(PLACES)], 1990 + number
        for text in (f"Spent the summer of {year} in {place}", f"Spent the summer of {year} in {place}!"):
            memory.remember(text, "profile", insist=True)
        number += 1


def days_pass(conversation: Conversation, clock: StoppedClock, days: int = 1) -> None:
    clock.move(DAY * days)
    conversation.lifecycle.look_at_clock()
    assert conversation.lifecycle.wait(30)


def begun(memory: Memory, clock: StoppedClock) -> Conversation:
    conversation = Conversation(memory, None, clock)
    conversation.lifecycle.look_at_clock()
    assert conversation.lifecycle.wait(30)
    return conversation


@pytest.mark.req("CMP-1", "TRIG-2")
def test_a_new_date_compacts_a_long_memory_and_the_next_start_tells(memory: Memory, clock: StoppedClock) -> None:
    fill(memory, LEAST_CHARACTERS)
    before = len(memory.entries())
    conversation = begun(memory, clock)
    assert len(memory.entries()) == before, "the very first start only stores the date"
    days_pass(conversation, clock)
    after = len(memory.entries())
    assert after < before
    news = Conversation(memory, None, clock).news()
    assert len(news) == 1
    assert f"{before} entries became {after}" in news[0]
    change = news[0].rpartition(" ")[2]
    memory.undo(change)
    assert len(memory.entries()) == before
    assert Conversation(memory, None, clock).news() == (), "it is told once"


@pytest.mark.req("CMP-1")
def test_a_shorter_memory_is_left_alone(memory: Memory, clock: StoppedClock) -> None:
    fill(memory, LEAST_CHARACTERS - 400)
    assert len(memory.read()) < LEAST_CHARACTERS
    before = memory.read()
    conversation = begun(memory, clock)
    days_pass(conversation, clock)
    assert memory.read() == before
    assert memory.backups() == []
    assert conversation.news() == ()


@pytest.mark.req("CMP-1", "R10")
def test_it_runs_once_a_day_whoever_notices_the_date_and_though_the_clock_jump_back(
    memory: Memory, clock: StoppedClock
) -> None:
    fill(memory, LEAST_CHARACTERS)
    first, second = begun(memory, clock), begun(memory, clock)
    days_pass(first, clock)
    assert len(memory.backups()) == 1
    fill(memory, LEAST_CHARACTERS)
    second.lifecycle.look_at_clock()
    assert second.lifecycle.wait(30)
    clock.move(-DAY)
    first.lifecycle.look_at_clock()
    clock.move(DAY)
    first.lifecycle.look_at_clock()
    assert first.lifecycle.wait(30)
    assert len(memory.backups()) == 1
    days_pass(second, clock)
    assert len(memory.backups()) == 2


@pytest.mark.req("CMP-1", "TRIG-1")
def test_the_session_is_flushed_first(memory: Memory, clock: StoppedClock) -> None:
    fill(memory, LEAST_CHARACTERS)
    order: list[str] = []

    def step(messages: Sequence[ChatMessage]) -> str:
        if any("Today is " in message.text for message in messages):
            return "I see."
        order.append("compaction" if "[1]" in messages[0].text else "flush")
        return "I cannot do that." if order[-1] == "compaction" else SUMMARY.format("They talked.")

    conversation = Conversation(memory, ScriptedChatModel(step, window=32_000), clock)
    said(conversation, "I moved to Lisbon")
    before = memory.read()
    days_pass(conversation, clock)
    assert order[:2] == ["flush", "compaction"]
    assert memory.read() == before, "an answer that proves nothing changes nothing"
    assert "as it was" in conversation.news()[0]


@pytest.mark.req("CMP-6")
def test_a_tool_starts_it_in_the_background(memory: Memory, clock: StoppedClock) -> None:
    fill(memory, 500)
    before = len(memory.entries())
    lifecycle = Lifecycle(memory, None, clock)
    lifecycle.compact()
    assert lifecycle.wait(30)
    assert len(memory.entries()) < before
    assert "became" in lifecycle.news()[0]

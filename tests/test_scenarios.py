"""The scenarios that Commonplace was first asked for, each by its name. The model's part is played by scripts: one that
behaves like a good model, one like a bad one, and where that makes sense none at all."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from commonplace.agent.conversation import Conversation
from commonplace.memory import Memory
from commonplace.testing import Answer, ScriptedChatModel, StoppedClock
from commonplace.types import ChatMessage, ToolCall
from tests.agent.conftest import is_flush

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
NO_FACTS = "None"


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock(NOON)


@pytest.fixture
def memory(tmp_path: Path, clock: StoppedClock) -> Memory:
    return Memory.open(tmp_path / "book", clock=clock)


class Player:
    """A model that calls tools when it hears certain words in the chat, and tells its facts at a flush."""

    def __init__(self, facts: str, calls: Sequence[tuple[str, ToolCall]] = ()) -> None:
        self._facts = facts
        self._calls = dict(calls)
        self.model = ScriptedChatModel(self._answer, window=16_384)

    def _answer(self, messages: Sequence[ChatMessage]) -> Answer:
        if is_flush(messages):
            said = re.findall(r"^\| (.*)$", messages[-1].text, re.MULTILINE)
            return f"## Daily Summary\n\n- {' / '.join(said)[:300]}\n\n## Long-term Facts\n\n{self._facts}"
        heard = next((message.text for message in reversed(messages) if message.role == "user"), "")
        wanted = next((cue for cue in self._calls if cue in heard), None)
        return "All right." if wanted is None else (self._calls.pop(wanted),)


def save(content: str, category: str = "preferences") -> ToolCall:
    return ToolCall(f"call-{abs(hash(content))}", "save_memory", {"content": content, "category": category})


def update(old: str, new: str) -> ToolCall:
    return ToolCall(f"call-{abs(hash(old + new))}", "update_memory", {"old_text": old, "new_text": new})


def talk(memory: Memory, clock: StoppedClock, player: Player | None, *texts: str) -> None:
    """One conversation from its beginning to its end, in the log when it is over."""
    conversation = Conversation(memory, player.model if player else None, clock)
    for text in texts:
        list(conversation.say(text))
        clock.move(timedelta(minutes=1))
    conversation.end()
    assert conversation.lifecycle.wait(60)
    assert conversation.lifecycle.failures() == []
    conversation.leave()
    clock.move(timedelta(hours=1))


def texts_of(memory: Memory) -> list[str]:
    return [entry.text for entry in memory.entries()]


# -- PostgreSQL 16


@pytest.mark.req("TOOL-9", "GATE-5")
@pytest.mark.parametrize("kind", ["good", "bad", "none"])
def test_remember_that_i_use_postgresql_16(memory: Memory, clock: StoppedClock, kind: str) -> None:
    wish = "Remember that I use PostgreSQL 16"
    good = Player("- [workflow] Uses PostgreSQL 16", [(wish, save("Uses PostgreSQL 16", "workflow"))])
    talk(memory, clock, {"good": good, "bad": Player(NO_FACTS), "none": None}[kind], wish, "thanks")
    (only,) = texts_of(memory)
    assert only.startswith("User requested:")
    assert "PostgreSQL 16" in only
    tampering = Player(
        "- [workflow] Uses MySQL 8", [("weather", update(only, "")), ("holiday", update(only, "Uses MySQL 8"))]
    )
    talk(memory, clock, tampering, "what is the weather like", "when is the next holiday")
    assert only in texts_of(memory), "only the user's own word removes it"


# -- a memory of sixteen entries is compacted


SIXTEEN = [
    ("Workflow", "Switched the model to Haiku on 2 March"),
    ("Workflow", "Switched the model to Opus on 3 March"),
    ("Notes", "Current model is Sonnet"),
    ("Notes", "User changed the model from Sonnet to Haiku"),
    ("Preferences", "Is using Opus for this conversation"),
    ("Notes", "Model was switched back to Haiku"),
    ("Workflow", "Wants promotional e-mail cleaned up"),
    ("Preferences", "Asked to clean up promotional emails"),
    ("Notes", "Wants promotional mail to be cleaned up"),
    ("Notes", "The screenshot shows a red rug in front of the sofa"),
    ("Preferences", "Prefers dark mode"),
    ("Interests", "Likes to play the card game Hearts"),
    ("User Profile", "Works as a landscape architect"),
    ("Notes", "Screenshots are taken at 1440 by 900"),
    ("Preferences", "Prefers short answers"),
    ("Preferences", "Prefers light mode"),
]


def sixteen(memory: Memory, clock: StoppedClock) -> None:
    for section, text in SIXTEEN:
        memory.remember(text, section=section, insist=True)
        clock.move(timedelta(days=1))


@pytest.mark.req("CMP-4")
def test_a_bad_model_compacts_nothing_away(memory: Memory, clock: StoppedClock) -> None:
    sixteen(memory, clock)
    before = texts_of(memory)
    memory.compact(
        ScriptedChatModel(["I'm sorry, I can't do that.", "# Long-term Memory\n\n## Notes\n- Nothing of note."])
    )
    assert texts_of(memory) == before


@pytest.mark.req("CMP-1", "TRIG-2")
def test_the_start_of_the_second_day_compacts_if_that_is_due_and_once(memory: Memory, clock: StoppedClock) -> None:
    for number in range(60):
        memory.remember(
            f"Has a friend called Person{number} who lives in Town{number} since {1950 + number}", insist=True
        )
    asked: list[str] = []

    def answer(messages: Sequence[ChatMessage]) -> Answer:
        if not is_flush(messages):
            return "Good morning."
        text = messages[-1].text
        if "This was said on" not in text:
            asked.append(text)
            return "I'm sorry, I can't do that."
        return f"## Daily Summary\n- {re.findall(r'^. (.*)$', text, re.MULTILINE)[0]}\n\n## Long-term Facts\nNone"

    for _ in range(2):
        conversation = Conversation(memory, ScriptedChatModel(answer, window=32_768), clock)
        conversation.begin()
        list(conversation.say("Hello again, it is me"))
        conversation.leave()
        assert conversation.lifecycle.wait(60)
        if not asked:
            clock.move(timedelta(days=1))
    first_day = len(asked)
    assert first_day > 0, "it was due on the second day"
    again = Conversation(memory, ScriptedChatModel(answer, window=32_768), clock)
    again.begin()
    list(again.say("Hello a third time"))
    again.leave()
    assert again.lifecycle.wait(60)
    assert len(asked) == first_day, "once a day"

"""Whole conversations through the vendors' real clients: tool call -> log -> recall in a new session."""

import json
from collections.abc import Callable, Generator, Sequence

import pytest

from commonplace.agent.conversation import Conversation
from commonplace.agent.events import Recalled, Said, ToolFinished
from commonplace.files.cursors import MOST_TRIES
from commonplace.memory import Memory
from commonplace.ports import ChatModel
from commonplace.providers.chatmodels import chat_model
from commonplace.providers.chatmodels.surroundings import Surroundings
from commonplace.testing import StoppedClock
from commonplace.types import ChatEvent, ChatMessage, ToolSpec
from tests.agent.conftest import SUMMARY, answer_of, logs, said
from tests.wire.dialects import ChatCompletions, Dialect
from tests.wire.server import Answer, WireServer


@pytest.fixture
def model(wire: WireServer, dialect: Dialect) -> Callable[..., ChatModel]:
    def make(*script: Answer) -> ChatModel:
        wire.script = list(script)
        made = chat_model(dialect.settings(wire.url, timeout=5.0), Surroundings({}, lambda _: None))
        assert made is not None
        return made

    return make


@pytest.mark.req("CHAT-1", "LOG-1")
def test_a_conversation_with_tools_is_logged_and_recalled_in_the_next_one(
    memory: Memory, clock: StoppedClock, wire: WireServer, dialect: Dialect, model: Callable[..., ChatModel]
) -> None:
    call = ("call_1", "save_memory", ['{"content": "Likes ni', 'ght trains", "category"', ': "interests"}'])
    made = model(
        dialect.tool_calls(call),
        dialect.text("Noted: ", "night trains."),
        dialect.text(SUMMARY.format("They spoke of trains to Lisbon.")),
        dialect.text("You like night trains."),
    )
    first = Conversation(memory, made, clock)
    events = said(first, "I love night trains")
    (tool,) = [event for event in events if isinstance(event, ToolFinished)]
    assert not tool.result.failed
    assert answer_of(events).text == "Noted: night trains."
    assert "Likes night trains" in json.dumps(wire.requests[1].body)
    first.end()
    assert first.lifecycle.wait(30)
    assert "They spoke of trains to Lisbon." in logs(memory)

    second = Conversation(memory, made, clock)
    assert answer_of(said(second, "Which trains to Lisbon do I like?")).text == "You like night trains."
    asked = json.dumps(wire.requests[3].body, ensure_ascii=False)
    assert "## Long-term Memory" in asked
    assert "- Likes night trains" in asked
    assert "[Daily log 2026-11-15] They spoke of trains to Lisbon." in asked
    assert first.lifecycle.wait(30)
    assert second.lifecycle.wait(30)


@pytest.mark.req("CHAT-1")
def test_a_stream_that_is_cut_off_keeps_what_came_and_the_next_turn_works(
    memory: Memory, clock: StoppedClock, wire: WireServer, dialect: Dialect, model: Callable[..., ChatModel]
) -> None:
    begun = Answer(dialect.begun("Half of ", "an"), ending="cut")
    conversation = Conversation(memory, model(begun, dialect.text("The whole answer.")), clock)
    events = said(conversation, "Hello")
    assert not answer_of(events).whole
    assert "".join(event.text for event in events if isinstance(event, Said)) == "Half of an"
    assert answer_of(said(conversation, "Go on")).text == "The whole answer."
    assert "Half of an" in json.dumps(wire.requests[-1].body)


@pytest.mark.req("CHAT-1")
def test_arguments_that_are_no_json_are_asked_for_again(
    memory: Memory, clock: StoppedClock, dialect: Dialect, model: Callable[..., ChatModel]
) -> None:
    broken = dialect.tool_calls(("call_1", "save_memory", ['{"content": "Likes', " trains"]))
    right = dialect.tool_calls(("call_2", "save_memory", ['{"content": "Likes trains"}']))
    conversation = Conversation(memory, model(broken, right, dialect.text("Noted.")), clock)
    events = said(conversation, "I like trains a lot")
    assert [event.result.code for event in events if isinstance(event, ToolFinished)] == ["validation_error", ""]
    assert [entry.text for entry in memory.entries()] == ["Likes trains"]


class Brief:
    """A model that is told to be brief: a small one on a busy machine would talk for minutes, also in a summary."""

    calls_tools = False

    def __init__(self, model: ChatModel, longest: int, longest_summary: int) -> None:
        self._model = model
        self._longest = longest
        self._longest_summary = longest_summary
        self.identity = model.identity
        self.window = model.window

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        system: str = "",
        tools: Sequence[ToolSpec] = (),
        max_tokens: int = 4096,
    ) -> Generator[ChatEvent]:
        if tools:  # the chat: without its tools, and no more than a sentence or two
            return self._model.stream(messages, max_tokens=self._longest)
        return self._model.stream(messages, system=system, max_tokens=min(max_tokens, self._longest_summary))


@pytest.mark.clients
@pytest.mark.timeout(900)
@pytest.mark.folder
@pytest.mark.req("CHAT-1")
def test_a_real_small_model_holds_a_conversation_that_is_logged_and_recalled(
    memory: Memory, clock: StoppedClock, local_model_url: str
) -> None:
    made = chat_model(ChatCompletions().settings(local_model_url, window=2400), Surroundings({}))
    assert made is not None
    model = Brief(made, 24, 120)
    first = Conversation(memory, model, clock)
    assert answer_of(said(first, "Hello! I live in Lisbon and I love night trains.")).text
    session = first.session
    assert session is not None
    first.end()
    assert first.lifecycle.wait(600)
    for _ in range(MOST_TRIES):  # what so small a model writes may be no summary; then the extract takes its place
        first.lifecycle.flush([session])
    assert memory.log_days() == [clock.now().date()]
    assert memory.session_infos()[0].unlogged == 0
    second = Conversation(memory, model, clock)
    events = said(second, "Where do I live, and which trains do I love?")
    (recalled,) = [event for event in events if isinstance(event, Recalled)]
    assert recalled.memories > 0
    assert answer_of(events).text

"""What every `ChatModel` does, whatever answers. A new implementation adds one line to MODELS."""

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from commonplace.config import ModelSettings
from commonplace.errors import ModelFailed
from commonplace.files.folder import FolderStorage
from commonplace.flows.modelcalls import complete
from commonplace.ports import ChatModel
from commonplace.providers.chatmodels import chat_model
from commonplace.providers.chatmodels.metering import DailyUsage, MeteredModel
from commonplace.providers.chatmodels.surroundings import Surroundings
from commonplace.testing import CutOff, ScriptedChatModel, StoppedClock
from commonplace.types import ChatEvent, ChatMessage, Finished, TextPart, ToolSpec
from tests.wire.dialects import ChatCompletions, Dialect, Messages
from tests.wire.server import Answer, WireServer

TEXT = "The night train leaves at 21:40. 世界 🌍"
HELLO = [ChatMessage("user", "When does the train leave?")]
PROGRAM = """
import sys
sys.stdin.read()
sys.stdout.buffer.write(sys.argv[1].encode())
sys.stdout.flush()
sys.exit(int(sys.argv[2]))
"""
SPEC = ToolSpec("read_memory", "Reads.", {"type": "object", "properties": {}})


class Maker:
    """Makes models that answer with TEXT, over and over, or break off within it."""

    def __init__(self, wire: WireServer, folder: Path) -> None:
        self.wire = wire
        self.folder = folder

    def scripted(self, *, cut: bool) -> ChatModel:
        return ScriptedChatModel(lambda _: CutOff(TEXT) if cut else TEXT)

    def metered(self, *, cut: bool) -> ChatModel:
        usage = DailyUsage(FolderStorage(self.folder))
        return MeteredModel(self.scripted(cut=cut), usage, StoppedClock(datetime(2026, 11, 15, tzinfo=UTC)), 0)

    def anthropic(self, *, cut: bool) -> ChatModel:
        return self._hosted(Messages(), cut=cut)

    def openai(self, *, cut: bool) -> ChatModel:
        return self._hosted(ChatCompletions(), cut=cut)

    def command(self, *, cut: bool) -> ChatModel:
        command = (sys.executable, "-c", PROGRAM, TEXT, str(int(cut)))
        return self._made(ModelSettings(provider="command", command=command))

    def _hosted(self, dialect: Dialect, *, cut: bool) -> ChatModel:
        pieces = (TEXT[:9], TEXT[9:])
        answer = Answer(dialect.begun(*pieces), ending="cut") if cut else dialect.text(*pieces)
        self.wire.script = [answer] * 20
        return self._made(dialect.settings(self.wire.url))

    def _made(self, settings: ModelSettings) -> ChatModel:
        model = chat_model(settings, Surroundings(os.environ))
        assert model is not None
        return model


MODELS = ("scripted", "metered", "anthropic", "openai", "command")


@pytest.fixture(params=MODELS)
def make(request: pytest.FixtureRequest, wire: WireServer, tmp_path: Path) -> Callable[..., ChatModel]:
    made: Callable[..., ChatModel] = getattr(Maker(wire, tmp_path), request.param)
    return made


@pytest.fixture
def model(make: Callable[..., ChatModel]) -> ChatModel:
    return make(cut=False)


def test_a_model_says_who_it_is_and_how_much_it_reads(model: ChatModel) -> None:
    provider, _, name = model.identity.partition("/")
    assert provider
    assert name
    assert model.window >= 1024
    assert model.calls_tools in {True, False}


def test_text_comes_in_pieces_and_the_end_comes_once_and_last(model: ChatModel) -> None:
    *parts, end = model.stream(HELLO, system="Be brief.", tools=[SPEC], max_tokens=100)
    assert "".join(part.text for part in parts if isinstance(part, TextPart)) == TEXT
    assert all(isinstance(part, TextPart) and part.text for part in parts)
    assert isinstance(end, Finished)
    assert end.reason == "end"
    assert end.usage.input_tokens > 0
    assert end.usage.output_tokens > 0


def test_the_whole_answer_is_the_stream_put_together(model: ChatModel) -> None:
    reply = complete(model, HELLO)
    assert (reply.text, reply.tool_calls, reply.reason) == (TEXT, (), "end")


def test_a_conversation_of_several_turns_is_answered(model: ChatModel) -> None:
    turns = [*HELLO, ChatMessage("assistant", "Which one?"), ChatMessage("user", "The night train.")]
    assert complete(model, turns).text == TEXT


def test_an_answer_that_breaks_off_fails_with_what_came(make: Callable[..., ChatModel]) -> None:
    heard: list[ChatEvent] = []
    with pytest.raises(ModelFailed) as caught:
        heard.extend(make(cut=True).stream(HELLO))
    assert "".join(part.text for part in heard if isinstance(part, TextPart)) == caught.value.partial == TEXT
    assert caught.value.retryable


def test_an_answer_may_be_closed_before_it_begins_in_the_middle_and_twice(model: ChatModel) -> None:
    model.stream(HELLO).close()
    events = model.stream(HELLO)
    assert isinstance(next(events), TextPart)
    events.close()
    events.close()
    assert list(events) == []
    assert complete(model, HELLO).text == TEXT


def test_one_model_answers_several_at_the_same_time(model: ChatModel) -> None:
    first, second = model.stream(HELLO), model.stream(HELLO)
    texts = ["", ""]
    for a, b in zip(first, second, strict=True):
        for at, event in enumerate((a, b)):
            texts[at] += event.text if isinstance(event, TextPart) else ""
    assert texts == [TEXT, TEXT]

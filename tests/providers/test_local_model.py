"""A real model, small enough for a test, through the real clients: what scripted servers cannot know."""

from commonplace.flows.modelcalls import complete
from commonplace.ports import ChatModel
from commonplace.providers.chatmodels import chat_model
from commonplace.providers.chatmodels.surroundings import Surroundings
from commonplace.types import ChatMessage, TextPart
from tests.wire.dialects import ChatCompletions, Dialect
from tests.wire.local import small_model

pytestmark = small_model
QUESTION = [ChatMessage("user", "What is the capital of France? Answer in one sentence.")]


def model_at(url: str, dialect: Dialect) -> ChatModel:
    model = chat_model(dialect.settings(url), Surroundings({}))
    assert model is not None
    return model


def test_a_real_model_answers_in_each_wire_format(local_model_url: str, dialect: Dialect) -> None:
    model = model_at(local_model_url, dialect)
    reply = complete(model, QUESTION, system="You are a helpful assistant.", max_tokens=40)
    assert "Paris" in reply.text
    assert reply.usage.input_tokens > 10
    assert 0 < reply.usage.output_tokens <= 40


def test_a_real_answer_stops_at_the_limit_and_when_it_is_closed(local_model_url: str) -> None:
    model = model_at(local_model_url, ChatCompletions())
    assert complete(model, [ChatMessage("user", "Tell me a long story.")], max_tokens=5).reason == "length"
    events = model.stream([ChatMessage("user", "Tell me a long story.")], max_tokens=100)
    assert isinstance(next(events), TextPart)
    events.close()
    assert complete(model, QUESTION, max_tokens=5).text

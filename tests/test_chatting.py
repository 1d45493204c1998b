"""Whole answers, and the scripted model that tests of other programs use."""

from collections.abc import Generator, Sequence

import pytest

from commonplace.errors import ModelFailed
from commonplace.flows.modelcalls import complete
from commonplace.testing import CutOff, ScriptedChatModel
from commonplace.types import ChatEvent, ChatMessage, Reply, TextPart, ToolCall, ToolSpec, Usage

HELLO = [ChatMessage("user", "Hello")]
SPEC = ToolSpec("read_memory", "Reads.", {"type": "object"})
CALL = ToolCall("c1", "read_memory", {})


class Unfinished(ScriptedChatModel):
    """A model whose stream ends without an end."""

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        system: str = "",
        tools: Sequence[ToolSpec] = (),
        max_tokens: int = 4096,
    ) -> Generator[ChatEvent]:
        yield TextPart("Some ")
        yield TextPart("text")


def test_an_answer_without_its_end_is_a_failure_and_never_a_short_answer() -> None:
    with pytest.raises(ModelFailed) as caught:
        complete(Unfinished([]), HELLO)
    assert (caught.value.partial, caught.value.retryable) == ("Some text", True)


def test_a_script_is_followed_step_by_step() -> None:
    whole = Reply("Done.", (CALL,), "length", Usage(3, 4))
    model = ScriptedChatModel(["One", (CALL,), whole, lambda messages: messages[-1].text.upper()])
    assert complete(model, HELLO).text == "One"
    assert complete(model, HELLO).tool_calls == (CALL,)
    assert complete(model, HELLO) == whole
    assert complete(model, HELLO).text == "HELLO"
    with pytest.raises(AssertionError, match="at its end"):
        complete(model, HELLO)


def test_a_script_may_be_one_function_for_every_request() -> None:
    model = ScriptedChatModel(lambda messages: f"{len(messages)} so far")
    assert [complete(model, HELLO * count).text for count in (1, 2)] == ["1 so far", "2 so far"]


def test_a_script_can_fail_and_break_off() -> None:
    model = ScriptedChatModel([ModelFailed("busy", retryable=True), CutOff("Some text")])
    with pytest.raises(ModelFailed, match="busy"):
        complete(model, HELLO)
    with pytest.raises(ModelFailed) as caught:
        complete(model, HELLO)
    assert caught.value.partial == "Some text"


def test_requests_are_kept_for_the_test_to_look_at() -> None:
    model = ScriptedChatModel(["One"])
    complete(model, HELLO, system="Be brief.", tools=[SPEC], max_tokens=9)
    (request,) = model.requests
    assert (request.messages, request.system, request.tools, request.max_tokens) == (
        tuple(HELLO),
        "Be brief.",
        (SPEC,),
        9,
    )

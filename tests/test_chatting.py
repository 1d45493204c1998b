"""Whole answers, and the scripted model that tests of other programs use."""

import threading
from collections.abc import Generator, Sequence

import pytest

from commonplace.errors import ModelFailed
from commonplace.flows.modelcalls import StoppableModel, Stopped, complete
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


class Silent(ScriptedChatModel):
    """A model that begins, and then says nothing more before it is told `go_on`."""

    def __init__(self) -> None:
        super().__init__([])
        self.begun, self.go_on, self.ended = threading.Event(), threading.Event(), threading.Event()

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        system: str = "",
        tools: Sequence[ToolSpec] = (),
        max_tokens: int = 4096,
    ) -> Generator[ChatEvent]:
        try:
            yield TextPart("Well")
            self.begun.set()
            assert self.go_on.wait(60)
            yield TextPart(", no")
            raise AssertionError("nobody wants to hear this")
        finally:
            self.ended.set()


@pytest.mark.req("UI-2")
def test_whoever_is_told_to_stop_does_not_wait_for_a_silent_model_and_its_request_ends_with_its_next_word() -> None:
    model, stop = Silent(), threading.Event()
    caught: list[BaseException] = []

    def ask() -> None:
        try:
            complete(StoppableModel(model, stop), HELLO)
        except Stopped as error:
            caught.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    assert model.begun.wait(60)
    stop.set()
    asking.join(60)
    assert len(caught) == 1
    assert not model.ended.is_set()
    model.go_on.set()
    assert model.ended.wait(60)
    with pytest.raises(Stopped):
        complete(StoppableModel(model, stop), HELLO)


def test_a_model_that_can_be_stopped_says_and_fails_as_the_model_itself_does() -> None:
    own = ScriptedChatModel(["One two", CutOff("Half")])
    model = StoppableModel(own, threading.Event())
    assert complete(model, HELLO) == Reply("One two", (), "end", Usage(1, 1))
    with pytest.raises(ModelFailed, match="The stream broke"):
        complete(model, HELLO)
    assert (model.identity, model.window, model.calls_tools) == (own.identity, own.window, own.calls_tools)

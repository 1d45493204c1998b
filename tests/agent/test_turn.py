"""A turn: what the model is given, what becomes of its answer, and what is left in the transcript."""

import json
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from itertools import takewhile

import pytest

from commonplace.agent.conversation import Conversation, find_session
from commonplace.agent.events import Compacted, Recalled, Said, ToolFinished, ToolStarted, TurnEvent, Warned
from commonplace.agent.turn import MOST_ROUNDS
from commonplace.errors import ModelFailed, SaveFailed, UsageCapReached, ValidationError
from commonplace.memory import Memory
from commonplace.testing import Answer, CutOff, ScriptedChatModel, StoppedClock
from commonplace.types import ChatMessage, Message, Reply, ToolCall, Usage
from tests.agent.conftest import answer_of, is_flush, logs, model_that, open_book, said
from tests.stores import Place

SAVE = ToolCall("c1", "save_memory", {"content": "Lives in Lisbon", "category": "profile"})


def chat_with(memory: Memory, clock: StoppedClock, *script: Answer) -> tuple[Conversation, ScriptedChatModel]:
    model = ScriptedChatModel(list(script))
    return Conversation(memory, model, clock), model


def transcript(conversation: Conversation) -> list[Message]:
    assert conversation.session is not None
    messages = conversation.memory.transcript(conversation.session).messages
    return [message for message in messages if message.role != "event"]


def warnings(events: Sequence[TurnEvent]) -> list[str]:
    return [event.code for event in events if isinstance(event, Warned)]


@pytest.mark.req("CHAT-1")
def test_an_answer_streams_and_both_sides_are_in_the_transcript(memory: Memory, clock: StoppedClock) -> None:
    conversation, _ = chat_with(memory, clock, "Hello to you")
    events = said(conversation, "Hello")
    assert [event.text for event in events if isinstance(event, Said)] == ["Hello ", "to ", "you"]
    assert answer_of(events).whole
    assert [(m.role, m.text) for m in transcript(conversation)] == [("user", "Hello"), ("assistant", "Hello to you")]


@pytest.mark.folder
@pytest.mark.req("LOG-4")
def test_what_was_said_is_durable_before_the_model_is_asked(place: Place, clock: StoppedClock) -> None:
    memory = open_book(place, clock)
    found: list[str] = []

    def answer(_messages: Sequence[ChatMessage]) -> Answer:
        (file,) = (memory.path / "sessions").glob("*.jsonl")
        found.extend(json.loads(line)["text"] for line in file.read_text().splitlines())
        return "I see."

    said(Conversation(memory, ScriptedChatModel(answer), clock), "I moved to Lisbon")
    assert "I moved to Lisbon" in found


@pytest.mark.req("CHAT-1")
def test_tools_run_until_the_model_is_done(memory: Memory, clock: StoppedClock) -> None:
    calls = (SAVE, ToolCall("c2", "search_memory", {"query": "Lisbon"}))
    conversation, model = chat_with(
        memory, clock, Reply("Let me note that.", calls, "tool_calls", Usage(1, 1)), "Noted."
    )
    events = said(conversation, "I live in Lisbon")
    assert [type(event) for event in events if isinstance(event, ToolStarted | ToolFinished)] == [
        ToolStarted,
        ToolFinished,
    ] * 2
    assert answer_of(events).text == "Let me note that.\n\nNoted."
    assert [entry.text for entry in memory.entries()] == ["Lives in Lisbon"]
    asked, one, two = model.requests[1].messages[-3:]
    assert (asked.role, asked.text, asked.tool_calls) == ("assistant", "Let me note that.", calls)
    assert [(message.role, message.tool_call_id) for message in (one, two)] == [("tool", "c1"), ("tool", "c2")]
    assert "Lives in Lisbon" in two.text
    assert [m.role for m in transcript(conversation)] == ["user", "assistant", "tool", "tool", "assistant"]


def test_calls_without_a_word_and_calls_of_later_rounds_stay_apart(memory: Memory, clock: StoppedClock) -> None:
    second = ToolCall("c2", "read_memory", {})
    conversation, model = chat_with(memory, clock, (SAVE,), (second,), "Done.", "Yes.")
    said(conversation, "I live in Lisbon")
    said(conversation, "Sure?")
    roles = [(m.role, tuple(call.id for call in m.tool_calls)) for m in model.requests[-1].messages]
    assert roles == [
        ("user", ()),
        ("assistant", ("c1",)),
        ("tool", ()),
        ("assistant", ("c2",)),
        ("tool", ()),
        ("assistant", ()),
        ("user", ()),
    ]


def test_a_tool_that_fails_tells_the_model_what_to_do_next(memory: Memory, clock: StoppedClock) -> None:
    bad = ToolCall("c1", "update_memory", {"old_text": "Porto", "new_text": "Lisbon"})
    conversation, model = chat_with(memory, clock, (bad,), "I could not find it.")
    events = said(conversation, "Not Porto: Lisbon")
    (finished,) = [event for event in events if isinstance(event, ToolFinished)]
    assert finished.result.code == "not_found"
    assert json.loads(model.requests[1].messages[-1].text)["code"] == "not_found"


def test_a_model_that_never_stops_calling_tools_is_stopped(memory: Memory, clock: StoppedClock) -> None:
    model = ScriptedChatModel(lambda _: (ToolCall("c1", "read_memory", {}),))
    conversation = Conversation(memory, model, clock)
    events = said(conversation, "Hello")
    assert warnings(events) == ["too_many_rounds"]
    assert len(model.requests) == MOST_ROUNDS


# -- answers that do not come whole ----------------------------------------------------------------------------------


def test_an_answer_that_breaks_off_is_kept_and_marked(memory: Memory, clock: StoppedClock) -> None:
    conversation, model = chat_with(memory, clock, CutOff("Half of an"), "The whole answer.")
    events = said(conversation, "Hello")
    assert warnings(events) == ["model_failed"]
    assert not answer_of(events).whole
    kept = transcript(conversation)[-1]
    assert (kept.role, kept.text, kept.extra["cut_off"]) == ("assistant", "Half of an", True)
    said(conversation, "Go on")
    assert model.requests[1].messages[1].text == "Half of an\n[cut off]"


def test_stopping_a_reply_cancels_the_request_and_keeps_what_came(memory: Memory, clock: StoppedClock) -> None:
    conversation, model = chat_with(memory, clock, "One two three four")
    with closing(conversation.say("Count")) as turn:
        pieces = takewhile(lambda event: not (isinstance(event, Said) and event.text == "two "), turn)
        assert list(pieces)
    assert model.cancelled == 1
    assert [(m.text, m.extra.get("cut_off")) for m in transcript(conversation)] == [("Count", None), ("One two ", True)]


def test_ctrl_c_in_the_middle_of_a_reply_keeps_what_came(memory: Memory, clock: StoppedClock) -> None:
    conversation, _ = chat_with(memory, clock, "One two three")
    turn = conversation.say("Count")
    while not isinstance(next(turn), Said):
        pass
    with pytest.raises(KeyboardInterrupt):
        turn.throw(KeyboardInterrupt())
    assert transcript(conversation)[-1].text == "One "


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (ModelFailed("No connection.", retryable=True), "model_failed"),
        (UsageCapReached("No tokens left.", hint="Tomorrow."), "usage_cap"),
        (Reply("", (), "refusal", Usage(1, 0)), "refused"),
        (Reply("", (), "end", Usage(1, 0)), "empty"),
        (Reply("Very lo", (), "length", Usage(1, 1)), "too_long"),
    ],
)
def test_a_model_that_does_not_answer_is_told_and_the_conversation_goes_on(
    memory: Memory, clock: StoppedClock, answer: Answer, code: str
) -> None:
    conversation, _ = chat_with(memory, clock, answer, "Here I am.")
    assert warnings(said(conversation, "Hello")) == [code]
    assert answer_of(said(conversation, "Still there?")).text == "Here I am."
    assert [m.text for m in transcript(conversation) if m.role == "user"] == ["Hello", "Still there?"]


@pytest.mark.folder
def test_blank_messages_are_refused_and_begin_nothing(memory: Memory, clock: StoppedClock) -> None:
    conversation, _ = chat_with(memory, clock)
    with pytest.raises(ValidationError):
        conversation.say(" \n")
    assert conversation.session is None
    assert not memory.path.exists()


def test_a_message_that_cannot_be_stored_is_not_answered(
    memory: Memory, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation, model = chat_with(memory, clock, "One")
    said(conversation, "Hello")

    def full(*_: object, **__: object) -> None:
        raise SaveFailed("The disk is full.")

    monkeypatch.setattr(memory.book.storage, "append", full)
    with pytest.raises(SaveFailed):
        said(conversation, "Again")
    assert len(model.requests) == 1


# -- the prompt --------------------------------------------------------------------------------------------------------


@pytest.mark.req("REC-3", "REC-5")
def test_memory_is_in_the_prompt_and_never_in_the_transcript(memory: Memory, clock: StoppedClock) -> None:
    memory.remember("Lives in Lisbon", "profile")
    memory.log("- The bicycle was stolen")
    conversation, model = chat_with(memory, clock, "In Lisbon.", "Stolen.")
    events = said(conversation, "Where do I live?")
    assert any(isinstance(event, Recalled) and event.memories for event in events)
    said(conversation, "What about the stolen bicycle?")
    first, second = model.requests
    assert first.system == second.system
    assert "Lisbon" not in first.system
    lasting = first.messages[0].text.partition("## Relevant Memories")[0].partition("Today is")[0]
    assert "## Long-term Memory" in lasting
    assert "Lives in Lisbon" in lasting
    newest = second.messages[-1].text
    assert second.messages[0].text.startswith(lasting.rpartition("<commonplace-memory>")[0] or lasting)
    assert newest.index("## Relevant Memories") < newest.index("bicycle was stolen") < newest.index("What about")
    assert "## Long-term Memory" not in newest
    assert newest.endswith("Today is Sunday, 2026-11-15.\n\nWhat about the stolen bicycle?")
    assert "commonplace-memory" not in "".join(m.text for m in transcript(conversation))


@pytest.mark.req("REC-5")
def test_recalled_memory_is_not_logged_as_new(memory: Memory, clock: StoppedClock) -> None:
    memory.remember("The secret garden is in Sintra")
    replies: list[Answer] = [(ToolCall("c1", "read_memory", {}),), "It is."]
    model = model_that(lambda _: replies.pop(0))
    conversation = Conversation(memory, model, clock)
    said(conversation, "Is it nice?")
    conversation.end()
    assert conversation.lifecycle.wait(30)
    (flush,) = [request for request in model.requests if is_flush(request.messages)]
    assert "Sintra" not in "".join(message.text for message in flush.messages)
    assert "Is it nice?" in "".join(message.text for message in flush.messages)


@pytest.mark.req("SES-1")
def test_the_session_summary_is_shown_apart_from_the_long_term_memory(memory: Memory, clock: StoppedClock) -> None:
    memory.remember("Lives in Lisbon")
    session = memory.start_session("Trains").id
    for number in range(101):
        memory.add_message(session, Message(f"m{number}", "user", f"Train number {number}", clock.now()))
    memory.consolidate(session, ScriptedChatModel(["They spoke of many trains."]))
    conversation, model = chat_with(memory, clock, "Yes.")
    conversation.switch(session)
    said(conversation, "Many trains?")
    first = model.requests[0].messages[0].text
    assert first.index("## Long-term Memory") < first.index("## Session Summary") < first.index("many trains.")
    shown = "".join(message.text for message in model.requests[0].messages)
    assert "Train number 100" in shown
    assert "Train number 3\n" not in shown + "\n"


@pytest.mark.req("SES-4", "TRIG-1")
def test_a_full_history_is_logged_and_cut_to_its_newest_part(memory: Memory, clock: StoppedClock) -> None:
    model = model_that("word " * 60, window=6000)
    conversation = Conversation(memory, model, clock)
    compacted: list[Compacted] = []
    number = -1
    while not compacted and number < 100:
        number += 1
        clock.move(timedelta(seconds=1))
        events = said(conversation, f"Message {number}: " + "talk " * 40)
        compacted += [event for event in events if isinstance(event, Compacted)]
    (cut,) = compacted
    assert cut.logged
    assert logs(memory)
    newest = [r for r in model.requests if not is_flush(r.messages)][-1]
    shown = "".join(message.text for message in newest.messages)
    assert "Message 0:" not in shown
    assert f"Message {number}:" in shown
    assert "The older part of this conversation" in shown
    assert len(shown) < 0.5 * 4 * 6000
    assert len([m for m in transcript(conversation) if m.role == "user"]) == number + 1
    resumed, again = chat_with(memory, clock, "Yes.")
    assert conversation.session is not None
    resumed.switch(conversation.session)
    said(resumed, "Still cut?")
    assert "Message 0:" not in "".join(message.text for message in again.requests[0].messages)


# -- without a model ---------------------------------------------------------------------------------------------------


@pytest.mark.req("LOG-6", "CHAT-1")
def test_without_a_model_it_says_so_and_quotes_what_it_remembers(memory: Memory, clock: StoppedClock) -> None:
    memory.remember("The bicycle is green")
    conversation = Conversation(memory, None, clock)
    answer = answer_of(said(conversation, "Which colour has the bicycle?")).text
    assert answer == "No model is configured; this is what I remember:\n- The bicycle is green (MEMORY.md:15)"


def test_without_a_model_it_does_not_quote_the_question_itself(memory: Memory, clock: StoppedClock) -> None:
    conversation = Conversation(memory, None, clock)
    for _ in range(2):  # nor its own earlier answer
        answer = answer_of(said(conversation, "Where is the bicycle?")).text
        assert "I remember nothing about that" in answer


@pytest.mark.req("LOG-6")
def test_without_a_model_explicit_requests_are_saved_once(memory: Memory, clock: StoppedClock) -> None:
    conversation = Conversation(memory, None, clock)
    answer = answer_of(said(conversation, "Please remember that my bicycle is green.")).text
    assert answer.startswith("Remembered in Notes: My bicycle is green")
    assert "already" in answer_of(said(conversation, "Please remember that my bicycle is green.")).text
    conversation.end()
    assert conversation.lifecycle.wait(30)
    assert len(memory.entries()) == 1


# -- sessions ----------------------------------------------------------------------------------------------------------


@pytest.mark.req("CHAT-1")
def test_sessions_are_created_listed_switched_and_resumed(memory: Memory, clock: StoppedClock) -> None:
    model = model_that()
    conversation = Conversation(memory, model, clock)
    said(conversation, "Let us talk about trains")
    first = conversation.session
    conversation.end()
    clock.move(timedelta(minutes=1))
    said(conversation, "Now about boats")
    assert [info.title for info in memory.session_infos()] == ["Now about boats", "Let us talk about trains"]
    conversation.switch("let us talk")
    assert conversation.session == first
    said(conversation, "Back to trains")
    newest = [r for r in model.requests if not is_flush(r.messages)][-1].messages
    assert [m.role for m in newest] == ["user", "assistant", "user"]
    assert newest[0].text.endswith("Let us talk about trains")
    conversation.rename("Railways")
    assert find_session(memory, "rail").id == first
    assert conversation.lifecycle.wait(30)

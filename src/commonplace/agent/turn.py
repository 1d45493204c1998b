"""A turn: message -> transcript -> recall -> prompt -> model <-> tools -> transcript.

What the person said is durable before the model is asked. What the model said is durable when it is done, and when it
is stopped or fails in the middle: then it is marked as cut off. Tool calls and their results are lines of their own,
which are never logged or learned. What was recalled is in the prompt alone.
"""

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass

from commonplace.agent.events import (
    Answered,
    Compacted,
    Heeded,
    Recalled,
    Said,
    ToolFinished,
    ToolStarted,
    TurnEvent,
    Warned,
)
from commonplace.agent.lifecycle import Lifecycle
from commonplace.agent.prompt import (
    COMPACTED,
    CUT_OFF,
    Background,
    assemble,
    heeded_text,
    is_full,
    kept_from,
    spoken,
    summary_text,
    system_text,
    tokens_of,
)
from commonplace.agent.unaided import unaided_answer
from commonplace.errors import CommonplaceError, ModelFailed
from commonplace.flows.modelcalls import stream
from commonplace.framing import ECHO
from commonplace.gate.echoing import echoes
from commonplace.memory import Memory
from commonplace.ports import ChatModel, Clock
from commonplace.tools.calling import run_tool
from commonplace.tools.table import Context, specs
from commonplace.types.chatting import ChatMessage, Finished, StopReason, TextPart, ToolCall, Usage
from commonplace.types.searching import Recall
from commonplace.types.sessions import Message

MOST_ROUNDS = 12
MEMORY_SAID = "memory"
"""The role of what the memory itself answered: a quotation, never logged, searched or learned."""

_LONGEST_ANSWER = 4096
_NOTHING = Usage(0, 0)


@dataclass(slots=True)
class _Answer:
    """One answer of the model while it comes in."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    reason: StopReason | None = None
    usage: Usage = _NOTHING


class Agent:
    """Who answers in a conversation. Without a model it says what it remembers."""

    def __init__(self, memory: Memory, model: ChatModel | None, lifecycle: Lifecycle, clock: Clock) -> None:
        self._memory = memory
        self._model = model
        self._lifecycle = lifecycle
        self._clock = clock

    @property
    def model(self) -> ChatModel | None:
        return self._model

    def turn(self, session: str, text: str) -> Generator[TurnEvent]:
        """Say `text` and let the answer come. Closing the generator stops the answer; what came of it is kept."""
        self._lifecycle.look_at_clock()
        done = self._memory.say(session, "user", text).done
        if self._model is None:
            answer = unaided_answer(self._memory, session, text, done)
            self._memory.say(session, MEMORY_SAID, answer)
            yield Said(answer)
            yield Answered(answer, Usage(0, 0), whole=True)
        else:
            if done:
                yield Heeded(done)
            recall = yield from self._recalled(session, text)
            yield from self._rounds(self._model, session, recall)
        self._lifecycle.look_at_clock()
        self._lifecycle.said(session)

    def _recalled(self, session: str, text: str) -> Generator[TurnEvent, None, Recall]:
        """What is remembered about `text`. Trouble with that is told, and the conversation goes on without."""
        try:
            recall = self._memory.recall(text, session=session)
        except CommonplaceError as error:
            yield Warned(error.code, f"The memory could not be searched: {error.message}", error.hint)
            return Recall("", "", "", 0, 0, ())
        yield Recalled(recall.shown, recall.tokens, len(recall.left_out))
        return recall

    # -- the model and its tools ---------------------------------------------------------------------------------------

    def _rounds(self, model: ChatModel, session: str, recall: Recall) -> Generator[TurnEvent]:
        said: list[str] = []
        used = Usage(0, 0)
        for number in range(MOST_ROUNDS):
            messages = yield from self._prompt(model, session, recall)
            answer = _Answer()
            try:
                yield from self._stream(model, messages, answer)
            except CommonplaceError as error:
                yield Warned(error.code, error.message, error.hint)
            finally:  # also when the person stops it, or the program
                self._keep(session, answer, number, recall)
            said.append(answer.text)
            used = Usage(used.input_tokens + answer.usage.input_tokens, used.output_tokens + answer.usage.output_tokens)
            if not answer.calls or answer.reason is None:
                yield from _remarks(answer)
                whole = answer.reason not in {None, "length"}
                yield Answered("\n\n".join(filter(None, said)), used, whole=whole)
                return
            for call in answer.calls:
                yield from self._run(session, call, number, recall)
        yield Warned("too_many_rounds", f"The model called tools {MOST_ROUNDS} times in a row and was stopped.")
        yield Answered("\n\n".join(filter(None, said)), used, whole=False)

    def _stream(self, model: ChatModel, messages: list[ChatMessage], answer: _Answer) -> Generator[TurnEvent]:
        longest = min(_LONGEST_ANSWER, model.window // 4)
        with closing(stream(model, messages, system=system_text(), tools=specs(), max_tokens=longest)) as events:
            for event in events:
                match event:
                    case TextPart(text):
                        answer.text += text
                        yield Said(text)
                    case ToolCall():
                        answer.calls = (*answer.calls, event)
                    case Finished(reason, usage):
                        answer.reason, answer.usage = reason, usage
        if answer.reason is None:
            raise ModelFailed(f"The answer of {model.identity} stopped before its end.", retryable=True)

    def _run(self, session: str, call: ToolCall, number: int, recall: Recall) -> Generator[TurnEvent]:
        yield ToolStarted(call)
        injected = tuple(line for line in recall.relevant.splitlines() if line.strip())
        result = run_tool(Context(self._memory, session, injected, self._lifecycle.compact), call)
        self._memory.say(
            session, "tool", result.text, call=call.id, name=call.name, arguments=call.arguments, round=number
        )
        yield ToolFinished(call, result)

    def _keep(self, session: str, answer: _Answer, number: int, recall: Recall) -> None:
        """Write down what the model said, and where it only says again what it was told from memory."""
        if answer.text.strip():
            told = [line for line in f"{recall.long_term}\n{recall.relevant}".split("\n") if line.startswith("- ")]
            places = echoes(answer.text, told) if told else []
            extra: dict[str, object] = {CUT_OFF: True} if answer.reason in {None, "length"} else {}
            extra |= {ECHO: places} if places else {}
            self._memory.say(session, "assistant", answer.text, round=number, **extra)

    # -- the prompt ----------------------------------------------------------------------------------------------------

    def _prompt(self, model: ChatModel, session: str, recall: Recall) -> Generator[TurnEvent, None, list[ChatMessage]]:
        messages = self._assembled(session, recall)
        if is_full(tokens_of(messages, system_text(), specs()), model.window):
            compacted = self.compact(session)
            if compacted is not None:
                yield compacted
                messages = self._assembled(session, recall)
        return messages

    def _assembled(self, session: str, recall: Recall) -> list[ChatMessage]:
        shown, compacted = self._shown(session)
        background = Background(
            recall.long_term,
            recall.relevant,
            summary_text(self._memory.session_summary(session)),
            compacted,
            heeded_text(shown),
        )
        return assemble(spoken(shown), background, self._clock.now().date())

    def _shown(self, session: str) -> tuple[list[Message], bool]:
        """The part of the transcript that is in the prompt, and whether something before it is not."""
        messages = list(self._memory.transcript(session).messages)
        summarised = self._memory.summarised(session, messages)
        cut = next((m.extra.get("from") for m in reversed(messages) if m.extra.get("event") == COMPACTED), None)
        kept = next((at for at, message in enumerate(messages) if message.id == cut), 0)
        return messages[max(summarised, kept) :], kept > summarised

    def compact(self, session: str) -> Compacted | None:
        """Cut the chat history to its newest part, after logging it; None when there is nothing to cut. The transcript
        keeps every word."""
        if self._model is None:
            return None
        shown, _ = self._shown(session)
        start = kept_from(shown, self._model.window)
        if start == 0:
            return None
        logged = self._lifecycle.before_compaction(session)
        self._lifecycle.consolidate(session)
        self._memory.say(session, "event", "", event=COMPACTED, **{"from": shown[start].id})
        return Compacted(len(spoken(shown[:start])), len(spoken(shown[start:])), logged)


def _remarks(answer: _Answer) -> Generator[TurnEvent]:
    """What a person should know about how an answer ended."""
    if answer.reason == "length":
        yield Warned("too_long", "The answer reached its greatest length and was cut off.", "Say: go on")
    elif answer.reason == "refusal" and not answer.text.strip():
        yield Warned("refused", "The model refused to answer.", "Put it in other words.")
    elif answer.reason == "end" and not answer.text.strip():
        yield Warned("empty", "The model gave an empty answer.", "Try again, or put it in other words.")

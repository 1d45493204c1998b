"""What is said to a model and what comes back. Nothing else asks one, so that no request carries a secret, whoever
wrote it down, no answer is taken that is far longer than what was asked for, and whoever works for a person can be
stopped while a model is silent."""

import threading
from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from queue import Empty, SimpleQueue

from commonplace.errors import ModelFailed
from commonplace.gate.secrets import mask, mask_nested
from commonplace.ports import ChatModel
from commonplace.types.chatting import (
    ChatEvent,
    ChatMessage,
    Finished,
    Reply,
    TextPart,
    ToolCall,
    ToolSpec,
    most_characters,
)

_LOOK = 0.05  # seconds between two looks whether to stop
_GRACE = 1.0


class Stopped(Exception):
    """Somebody asked the work to stop for which a model is asked; nothing failed."""


class StoppableModel:
    """A model that is waited for no longer once `stop` is set, however silent it is. Implements `ChatModel`.

    Its answer is read in a thread of its own, which ends with the request: in a moment, if the provider looks at `stop`
    too (a program that was asked is then gone), else with the next piece of the answer. Whoever asked waits for that
    moment only, and then is free, and so are the locks they hold.
    """

    def __init__(self, model: ChatModel, stop: threading.Event) -> None:
        self._model = model
        self._stop = stop
        self.identity = model.identity
        self.window = model.window
        self.calls_tools = model.calls_tools

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        system: str = "",
        tools: Sequence[ToolSpec] = (),
        max_tokens: int = 4096,
    ) -> Generator[ChatEvent]:
        came: SimpleQueue[ChatEvent | Exception | None] = SimpleQueue()
        unwanted = threading.Event()

        def read() -> None:
            try:
                with closing(self._model.stream(messages, system=system, tools=tools, max_tokens=max_tokens)) as events:
                    for event in events:
                        came.put(event)
                        if unwanted.is_set():
                            return
                came.put(None)
            except Exception as error:  # raised where the answer is wanted
                came.put(error)

        if self._stop.is_set():
            raise Stopped
        reading = threading.Thread(target=read, name="model", daemon=True)
        reading.start()
        try:
            while (event := self._next(came)) is not None:
                if isinstance(event, Exception):
                    raise event
                yield event
        except Stopped:
            reading.join(_GRACE)
            raise
        finally:
            unwanted.set()

    def _next(self, came: "SimpleQueue[ChatEvent | Exception | None]") -> ChatEvent | Exception | None:
        event: ChatEvent | Exception | None = None
        waiting = True
        while waiting:
            with suppress(Empty):
                event, waiting = came.get(timeout=_LOOK), False
            if self._stop.is_set():  # what came just now may be the provider's own words for that
                raise Stopped
        return event


def stream(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    *,
    system: str = "",
    tools: Sequence[ToolSpec] = (),
    max_tokens: int = 4096,
) -> Generator[ChatEvent]:
    """The model's answer as it arrives. It is asked with all secrets taken out."""
    room, partial = most_characters(max_tokens), ""
    asked = list(map(_cleaned, messages))
    with closing(model.stream(asked, system=mask(system), tools=tools, max_tokens=max_tokens)) as events:
        for event in events:
            room -= _length(event)
            if room < 0:
                raise ModelFailed(
                    f"{model.identity} answers far beyond the {max_tokens} tokens that it was asked for.",
                    retryable=True,
                    partial=partial,
                    hint="Nothing of it is kept. Try again, or choose another model.",
                )
            partial += event.text if isinstance(event, TextPart) else ""
            yield event


def complete(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    *,
    system: str = "",
    tools: Sequence[ToolSpec] = (),
    max_tokens: int = 4096,
) -> Reply:
    """The model's answer, once all of it is there. An answer without its end is a failure, never a short answer."""
    texts: list[str] = []
    calls: list[ToolCall] = []
    with closing(stream(model, messages, system=system, tools=tools, max_tokens=max_tokens)) as events:
        for event in events:
            match event:
                case TextPart(text):
                    texts.append(text)
                case ToolCall():
                    calls.append(event)
                case Finished(reason, usage):
                    return Reply("".join(texts), tuple(calls), reason, usage)
    raise ModelFailed(
        f"The answer of {model.identity} stopped before its end.",
        retryable=True,
        partial="".join(texts),
        hint="Try again.",
    )


def _length(event: ChatEvent) -> int:
    match event:
        case TextPart(text):
            return len(text)
        case ToolCall(id, name, arguments, _):
            return len(id) + len(name) + len(str(arguments))
        case Finished():
            return 0


def _cleaned(message: ChatMessage) -> ChatMessage:
    calls = tuple(replace(call, arguments=mask_nested(call.arguments)) for call in message.tool_calls)
    return replace(message, text=mask(message.text), tool_calls=calls)

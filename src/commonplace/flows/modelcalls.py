"""What is said to a model and what comes back. Nothing else asks one, so that no request carries a secret, whoever
wrote it down, and no answer is taken that is far longer than what was asked for."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace

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

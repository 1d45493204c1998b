"""Whole answers from a model that streams."""

from collections.abc import Sequence
from contextlib import closing

from commonplace.errors import ModelFailed
from commonplace.ports import ChatModel
from commonplace.types import ChatMessage, Finished, Reply, TextPart, ToolCall, ToolSpec


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
    with closing(model.stream(messages, system=system, tools=tools, max_tokens=max_tokens)) as events:
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

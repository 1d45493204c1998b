"""Tokens of a request, by estimate: to count before it is made, and where a provider does not count at all."""

from collections.abc import Callable, Iterable, Sequence

from commonplace.tokens import estimate_tokens
from commonplace.types.chatting import ChatMessage, ToolSpec, Usage

_PER_MESSAGE = 4


def estimated_input(messages: Sequence[ChatMessage], system: str, tools: Iterable[ToolSpec]) -> int:
    texts = [system, *(message.text for message in messages)]
    texts += [str(call.arguments) for message in messages for call in message.tool_calls]
    texts += [f"{tool.name}{tool.description}{tool.parameters}" for tool in tools]
    return sum(map(estimate_tokens, texts)) + _PER_MESSAGE * len(messages)


def completed(usage: Usage, *, asked: Callable[[], int], answered: str) -> Usage:
    """What the provider counted, and an estimate of what it did not."""
    return Usage(usage.input_tokens or asked(), usage.output_tokens or estimate_tokens(answered))

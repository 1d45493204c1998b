"""A guess at tokens for providers that do not count. Close enough for a daily cap, not for a budget."""

from collections.abc import Iterable, Sequence

from commonplace.types import ChatMessage, ToolSpec, Usage

_BYTES_PER_TOKEN = 4
_PER_MESSAGE = 4


def estimated_tokens(text: str) -> int:
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)


def estimated_input(messages: Sequence[ChatMessage], system: str, tools: Iterable[ToolSpec]) -> int:
    texts = [system, *(message.text for message in messages)]
    texts += [str(call.arguments) for message in messages for call in message.tool_calls]
    texts += [f"{tool.name}{tool.description}{tool.parameters}" for tool in tools]
    return sum(map(estimated_tokens, texts)) + _PER_MESSAGE * len(messages)


def completed(usage: Usage, *, asked: int, answered: str) -> Usage:
    """What the provider counted, and a guess for what it did not."""
    return Usage(usage.input_tokens or asked, usage.output_tokens or estimated_tokens(answered))

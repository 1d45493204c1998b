"""Models that speak the Messages API, through the official `anthropic` package."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from commonplace.config import ModelSettings
from commonplace.providers.chatmodels.endpoint import Answer, Home, HostedModel, endpoint, field, number, tool_call
from commonplace.providers.chatmodels.surroundings import Surroundings
from commonplace.types.chatting import ChatEvent, ChatMessage, StopReason, ToolCall, ToolSpec, Usage

HOME = Home("anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY", window=200_000, window_elsewhere=8192)
_REASONS: dict[str, StopReason] = {
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


class _MessagesAnswer(Answer):
    """An answer in blocks, which come in pieces under their index."""

    def __init__(self) -> None:
        super().__init__()
        self._calls: dict[int, tuple[str, str]] = {}
        self._arguments: dict[int, str] = {}

    def take(self, event: object) -> Generator[ChatEvent]:
        match field(event, "type"):
            case "message_start":
                self._count(field(field(event, "message"), "usage"))
            case "content_block_start":
                block = field(event, "content_block")
                yield from self.say(field(block, "text"))
                if field(block, "type") == "tool_use":
                    self._calls[number(event, "index")] = (str(field(block, "id")), str(field(block, "name")))
            case "content_block_delta":
                delta = field(event, "delta")
                yield from self.say(field(delta, "text"))
                at = number(event, "index")
                self._arguments[at] = self.grown(self._arguments.get(at, ""), field(delta, "partial_json"))
            case "message_delta":
                self._count(field(event, "usage"))
                reason = field(field(event, "delta"), "stop_reason")
                self.reason = _REASONS.get(reason, "end") if isinstance(reason, str) else self.reason
            case _:
                pass

    def calls(self) -> list[ToolCall]:
        return [tool_call(id, name, self._arguments.get(at, "")) for at, (id, name) in self._calls.items()]

    def _count(self, usage: object) -> None:
        """What was read from or written to a cache was read all the same. Later counts replace earlier ones."""
        kinds = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        read = sum(number(usage, kind) for kind in kinds)
        self.usage = Usage(read or self.usage.input_tokens, number(usage, "output_tokens") or self.usage.output_tokens)


class AnthropicModel(HostedModel):
    """Implements `ChatModel`."""

    vendor = "Anthropic"
    answer = _MessagesAnswer

    def request(
        self, messages: Sequence[ChatMessage], system: str, tools: Sequence[ToolSpec], max_tokens: int
    ) -> dict[str, Any]:
        wanted: dict[str, Any] = {"max_tokens": max_tokens, "messages": _turns(messages)}
        if system.strip():
            # What stays the same from turn to turn is read from the provider's cache.
            wanted["system"] = [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]
        if tools:
            wanted["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.parameters} for tool in tools
            ]
        return wanted

    def events(self, client: Any, request: dict[str, Any]) -> AbstractContextManager[Iterable[object]]:
        return client.messages.create(stream=True, **request)


def from_settings(settings: ModelSettings, surroundings: Surroundings) -> AnthropicModel:
    return AnthropicModel(endpoint(settings, surroundings, HOME))


def _turns(messages: Sequence[ChatMessage]) -> list[dict[str, Any]]:
    """User and assistant in turn, as this API wants it: a tool's answer is part of what the user says next."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        blocks = _blocks(message)
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        elif blocks:
            turns.append({"role": role, "content": blocks})
    return turns


def _blocks(message: ChatMessage) -> list[dict[str, Any]]:
    if message.role == "tool":
        return [{"type": "tool_result", "tool_use_id": message.tool_call_id, "content": message.text}]
    texts = [{"type": "text", "text": message.text}] if message.text.strip() else []  # blank text is refused
    calls = [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments} for call in message.tool_calls
    ]
    return [*texts, *calls]

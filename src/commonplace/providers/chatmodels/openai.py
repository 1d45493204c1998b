"""Models that speak Chat Completions, through the official `openai` package: OpenAI and everything compatible."""

import json
from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from commonplace.config import ModelSettings
from commonplace.providers.chatmodels.endpoint import (
    Answer,
    Home,
    HostedModel,
    endpoint,
    field,
    items,
    number,
    tool_call,
)
from commonplace.providers.chatmodels.surroundings import Surroundings
from commonplace.types.chatting import ChatEvent, ChatMessage, StopReason, ToolCall, ToolSpec, Usage

HOME = Home("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", window=128_000, window_elsewhere=8192)
_REASONS: dict[str, StopReason] = {
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "content_filter": "refusal",
}


@dataclass(slots=True)
class _OpenCall:
    """A tool call whose pieces are still coming."""

    index: object
    id: str = ""
    name: str = ""
    arguments: str = ""


class _ChunkedAnswer(Answer):
    """An answer in chunks. A refusal is text of its own kind, and is shown like any other."""

    def __init__(self) -> None:
        super().__init__()
        self._calls: list[_OpenCall] = []
        self._refused = False

    def take(self, event: object) -> Generator[ChatEvent]:
        usage = field(event, "usage")
        if usage is not None:
            self.usage = Usage(number(usage, "prompt_tokens"), number(usage, "completion_tokens"))
        for choice in items(event, "choices")[:1]:
            delta = field(choice, "delta")
            yield from self.say(field(delta, "content"))
            if field(delta, "refusal"):
                self._refused = True
                yield from self.say(field(delta, "refusal"))
            for piece in items(delta, "tool_calls"):
                self._add(piece)
            reason = field(choice, "finish_reason")
            if isinstance(reason, str) and reason:
                self.reason = "refusal" if self._refused else _REASONS.get(reason, "end")

    def calls(self) -> list[ToolCall]:
        return [tool_call(call.id or f"call_{token_hex(8)}", call.name, call.arguments) for call in self._calls]

    def _add(self, piece: object) -> None:
        """Pieces of one call share its index; but some servers number every call 0, and only the id tells."""
        index, id = field(piece, "index"), str(field(piece, "id") or "")
        call = next((call for call in reversed(self._calls) if call.index == index), None)
        if call is None or (id and call.id and id != call.id):
            call = _OpenCall(index)
            self._calls.append(call)
        function = field(piece, "function")
        call.id = call.id or id
        call.name += str(field(function, "name") or "")
        call.arguments = self.grown(call.arguments, field(function, "arguments"))


class OpenAIModel(HostedModel):
    """Implements `ChatModel`."""

    vendor = "OpenAI"
    answer = _ChunkedAnswer

    def request(
        self, messages: Sequence[ChatMessage], system: str, tools: Sequence[ToolSpec], max_tokens: int
    ) -> dict[str, Any]:
        instructions = [{"role": "system", "content": system}] if system.strip() else []
        wanted: dict[str, Any] = {
            # OpenAI's newer models know only the new name, other servers only the old one.
            "max_completion_tokens" if self._endpoint.at_home else "max_tokens": max_tokens,
            "messages": [*instructions, *map(_turn, messages)],
            "stream_options": {"include_usage": True},
        }
        if tools:
            wanted["tools"] = [
                {
                    "type": "function",
                    "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
                }
                for tool in tools
            ]
        return wanted

    def events(self, client: Any, request: dict[str, Any]) -> AbstractContextManager[Iterable[object]]:
        return client.chat.completions.create(stream=True, **request)


def from_settings(settings: ModelSettings, surroundings: Surroundings) -> OpenAIModel:
    return OpenAIModel(endpoint(settings, surroundings, HOME))


def _turn(message: ChatMessage) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.text}
    if not message.tool_calls:
        return {"role": message.role, "content": message.text}
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
        }
        for call in message.tool_calls
    ]
    return {"role": message.role, "content": message.text or None, "tool_calls": calls}

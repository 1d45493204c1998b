"""Models that speak Chat Completions, through the official `openai` package: OpenAI and everything compatible."""

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from secrets import token_hex
from typing import Any

from commonplace.config import ModelSettings
from commonplace.providers.chatmodels.endpoint import (
    Answer,
    Endpoint,
    Home,
    endpoint,
    field,
    items,
    number,
    sendable,
    tool_call,
)
from commonplace.providers.chatmodels.estimate import completed, estimated_input
from commonplace.providers.chatmodels.retries import persistently
from commonplace.providers.chatmodels.surroundings import Surroundings
from commonplace.types.chatting import ChatEvent, ChatMessage, StopReason, ToolCall, ToolSpec, Usage

HOME = Home("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", window=128_000, window_elsewhere=8192)
_REASONS: dict[str, StopReason] = {
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "content_filter": "refusal",
}


class OpenAIModel:
    """Implements `ChatModel`."""

    calls_tools = True

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._key = cache(endpoint.key)  # asked for once, and not shown by anything that shows this object
        self.identity = endpoint.identity
        self.window = endpoint.window

    def check(self) -> None:
        self._endpoint.check()

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        system: str = "",
        tools: Sequence[ToolSpec] = (),
        max_tokens: int = 4096,
    ) -> Generator[ChatEvent]:
        instructions = [{"role": "system", "content": system}] if system.strip() else []
        request: dict[str, Any] = {
            "model": self._endpoint.model,
            # OpenAI's newer models know only the new name, other servers only the old one.
            "max_completion_tokens" if self._endpoint.at_home else "max_tokens": max_tokens,
            "messages": [*instructions, *map(_turn, messages)],
            "stream_options": {"include_usage": True},
        }
        if tools:
            request["tools"] = [
                {
                    "type": "function",
                    "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
                }
                for tool in tools
            ]
        deadline = self._endpoint.deadline()
        yield from persistently(
            lambda: self._attempt(sendable(request), lambda: estimated_input(messages, system, tools), deadline),
            self._endpoint.surroundings.wait,
            deadline,
        )

    @cached_property
    def _client(self) -> Any:
        sdk = self._endpoint.sdk()
        return sdk.OpenAI(
            api_key=self._key(),
            base_url=self._endpoint.url,
            timeout=self._endpoint.timeout,
            max_retries=0,  # ours know whether something was answered already
            http_client=sdk.DefaultHttpxClient(follow_redirects=False),  # the conversation is for this address alone
        )

    def _hang_up(self) -> None:
        client: Any = vars(self).pop("_client", None)
        if client is not None:
            client.close()

    def _attempt(self, request: dict[str, Any], asked: Callable[[], int], deadline: float) -> Generator[ChatEvent]:
        answer = _ChunkedAnswer()
        with (
            self._endpoint.failing(answer, self._key(), deadline, self._hang_up),
            self._client.chat.completions.create(stream=True, **request) as chunks,
        ):
            for chunk in chunks:
                yield from answer.take(chunk)
        if answer.reason is None:
            raise self._endpoint.cut_off(answer)
        yield from answer.end(answer.calls(), completed(answer.usage, asked=asked, answered=answer.text))


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

    def take(self, chunk: object) -> Generator[ChatEvent]:
        usage = field(chunk, "usage")
        if usage is not None:
            self.usage = Usage(number(usage, "prompt_tokens"), number(usage, "completion_tokens"))
        for choice in items(chunk, "choices")[:1]:
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

"""The wire formats: Anthropic's Messages and OpenAI's Chat Completions, as their servers stream them."""

import json
from collections.abc import Sequence
from typing import Any, Protocol

from commonplace.config import ModelSettings
from tests.wire.server import Answer

ASKED, ANSWERED = 11, 7


class Dialect(Protocol):
    """How one vendor says things. Texts and arguments are given in the pieces they arrive in."""

    def settings(self, url: str, **more: Any) -> ModelSettings: ...

    def text(self, *pieces: str, reason: str = "end") -> Answer: ...

    def tool_calls(self, *calls: tuple[str, str, Sequence[str]], reason: str = "tool_calls") -> Answer: ...

    def begun(self, *pieces: str) -> tuple[bytes, ...]:
        """The stream of such a text up to its last piece, and no further."""
        ...

    def refusal(self, text: str) -> Answer: ...

    def error(self, status: int, message: str, kind: str = "api_error", **headers: str) -> Answer: ...

    def error_within(self, message: str, *before: str, kind: str = "overloaded_error") -> Answer: ...

    def garbage(self, data: str) -> bytes: ...


class Messages:
    """Anthropic's Messages."""

    def settings(self, url: str, **more: Any) -> ModelSettings:
        return ModelSettings(provider="anthropic", name="claude-test", url=url, **more)

    def text(self, *pieces: str, reason: str = "end") -> Answer:
        block = (
            _event("content_block_start", index=0, content_block={"type": "text", "text": ""}),
            _event("ping"),
            *(_event("content_block_delta", index=0, delta={"type": "text_delta", "text": p}) for p in pieces),
            _event("content_block_stop", index=0),
        )
        return Answer((self._start(), *(block if pieces else ()), *self._end(_STOP_REASONS[reason])))

    def tool_calls(self, *calls: tuple[str, str, Sequence[str]], reason: str = "tool_calls") -> Answer:
        events: list[bytes] = []
        for index, (id, name, pieces) in enumerate(calls):
            block: dict[str, Any] = {"type": "tool_use", "id": id, "name": name, "input": {}}
            events.append(_event("content_block_start", index=index, content_block=block))
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
            events += [_event("content_block_delta", index=index, delta=delta) for delta in deltas]
            events.append(_event("content_block_stop", index=index))
        return Answer((self._start(), *events, *self._end(_STOP_REASONS[reason])))

    def begun(self, *pieces: str) -> tuple[bytes, ...]:
        return self.text(*pieces).pieces[: 3 + len(pieces)] if pieces else (self._start(),)

    def refusal(self, text: str) -> Answer:
        return self.text(text, reason="refusal")

    def error(self, status: int, message: str, kind: str = "api_error", **headers: str) -> Answer:
        body = {"type": "error", "error": {"type": kind, "message": message}}
        return _refused(status, body, headers)

    def error_within(self, message: str, *before: str, kind: str = "overloaded_error") -> Answer:
        return Answer((*self.begun(*before), _event("error", error={"type": kind, "message": message})))

    def garbage(self, data: str) -> bytes:
        return f"event: content_block_delta\ndata: {data}\n\n".encode()

    def _start(self) -> bytes:
        usage = {"input_tokens": ASKED - 6, "cache_read_input_tokens": 6, "output_tokens": 1}
        message: dict[str, Any] = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-test",
            "content": [],
        }
        return _event("message_start", message={**message, "stop_reason": None, "usage": usage})

    def _end(self, reason: str) -> tuple[bytes, ...]:
        delta = {"stop_reason": reason, "stop_sequence": None}
        return (_event("message_delta", delta=delta, usage={"output_tokens": ANSWERED}), _event("message_stop"))


class ChatCompletions:
    """OpenAI's Chat Completions, as many others speak it too."""

    def settings(self, url: str, **more: Any) -> ModelSettings:
        return ModelSettings(provider="openai", name="gpt-test", url=url + "/v1", **more)

    def text(self, *pieces: str, reason: str = "end") -> Answer:
        deltas = [{"role": "assistant", "content": ""}, *({"content": piece} for piece in pieces)]
        return self._answer(deltas, _FINISH_REASONS[reason])

    def tool_calls(self, *calls: tuple[str, str, Sequence[str]], reason: str = "tool_calls") -> Answer:
        deltas: list[dict[str, Any]] = []
        for index, (id, name, pieces) in enumerate(calls):
            begin = {"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""}}
            deltas.append({"tool_calls": [begin]})
            deltas += [{"tool_calls": [{"index": index, "function": {"arguments": piece}}]} for piece in pieces]
        return self._answer(deltas, _FINISH_REASONS[reason])

    def whole_tool_calls(self, *calls: tuple[str, str, str]) -> Answer:
        """As some compatible servers send them: each whole, all with number 0, and the end called "stop"."""
        deltas = [
            {"tool_calls": [{"index": 0, "id": id, "function": {"name": name, "arguments": arguments}}]}
            for id, name, arguments in calls
        ]
        return self._answer(deltas, "stop")

    def begun(self, *pieces: str) -> tuple[bytes, ...]:
        return self.text(*pieces).pieces[: 1 + len(pieces)]

    def refusal(self, text: str) -> Answer:
        return self._answer([{"role": "assistant", "refusal": text}], "stop")

    def error(self, status: int, message: str, kind: str = "api_error", **headers: str) -> Answer:
        return _refused(status, {"error": {"message": message, "type": kind, "code": kind}}, headers)

    def error_within(self, message: str, *before: str, kind: str = "overloaded_error") -> Answer:
        return Answer((*self.begun(*before), _data({"error": {"message": message, "type": kind}})))

    def garbage(self, data: str) -> bytes:
        return f"data: {data}\n\n".encode()

    def without_usage(self, *pieces: str) -> Answer:
        answer = self.text(*pieces)
        return Answer((*answer.pieces[:-2], answer.pieces[-1]))

    def _answer(self, deltas: Sequence[dict[str, Any]], finish: str) -> Answer:
        usage = {"prompt_tokens": ASKED, "completion_tokens": ANSWERED, "total_tokens": ASKED + ANSWERED}
        return Answer(
            (
                *(_chunk([{"index": 0, "delta": delta, "finish_reason": None}]) for delta in deltas),
                _chunk([{"index": 0, "delta": {}, "finish_reason": finish}]),
                _chunk([], usage=usage),
                b"data: [DONE]\n\n",
            )
        )


_STOP_REASONS = {"end": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "refusal": "refusal"}
_FINISH_REASONS = {"end": "stop", "tool_calls": "tool_calls", "length": "length", "refusal": "content_filter"}
DIALECTS: dict[str, Dialect] = {"messages": Messages(), "chat completions": ChatCompletions()}


def _event(name: str, **data: object) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data}, ensure_ascii=False)}\n\n".encode()


def _chunk(choices: list[dict[str, Any]], **more: object) -> bytes:
    return _data({"id": "c1", "object": "chat.completion.chunk", "model": "gpt-test", "choices": choices, **more})


def _data(value: object) -> bytes:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


def _refused(status: int, body: object, headers: dict[str, str]) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer((json.dumps(body).encode(),), status, "application/json", named)

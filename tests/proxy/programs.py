"""Programs that know nothing of a memory: the vendors' own clients, over each wire format, streaming and not."""

import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread
from typing import Any, Protocol

import uvicorn
from anthropic import Anthropic
from openai import OpenAI

from commonplace.loopback import bound
from commonplace.memory import Memory
from commonplace.proxy.forwarding import Proxy
from tests.wire.dialects import ChatCompletions, Messages
from tests.wire.server import Answer

KEY = "sk-proj-invented-1234567890abcdefABCDEF"
LOOK_UP = {"type": "object", "properties": {"word": {"type": "string"}}}


@contextmanager
def proxied(memory: Memory, upstream: str, **more: Any) -> Generator[str]:
    """The address of a proxy in front of a provider."""
    listening = bound("127.0.0.1", 0)
    app: Any = Proxy(memory, upstream, **more)
    config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@dataclass(frozen=True)
class Heard:
    """What a program got: the whole answer, and its text."""

    answer: Any
    text: str
    calls: Sequence[tuple[str, Any]] = ()


class Program(Protocol):
    """A client over one wire format. Scripts are for a server; texts and arguments come in pieces."""

    def ask(self, url: str, *said: str, stream: bool, tools: bool = False, **more: Any) -> Heard: ...

    def pieces(self, url: str, said: str) -> Generator[str]:
        """An answer as it comes."""
        ...

    def text(self, *pieces: str, stream: bool) -> Answer: ...

    def call(self, *calls: tuple[str, str, str], stream: bool) -> Answer: ...


def turns(said: Sequence[str]) -> list[Any]:
    return [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(said)]


def whole(body: dict[str, Any]) -> Answer:
    return Answer((json.dumps(body).encode(),), kind="application/json")


class Completions:
    """OpenAI's client, Chat Completions."""

    def ask(self, url: str, *said: str, stream: bool, tools: bool = False, **more: Any) -> Heard:
        own: Any = {"type": "function", "function": {"name": "look_up", "parameters": LOOK_UP}}
        asked: Any = {"model": "gpt-test", "messages": turns(said), **({"tools": [own]} if tools else {}), **more}
        with _openai(url) as client:
            return self._heard(client, asked, stream)

    def _heard(self, client: OpenAI, asked: Any, stream: bool) -> Heard:
        create: Any = client.chat.completions.create
        if not stream:
            answer: Any = create(**asked)
            message: Any = answer.choices[0].message
            whole_calls: list[Any] = message.tool_calls or []
            named = [(call.function.name, call.function.arguments) for call in whole_calls]
            return Heard(answer.model_dump(), message.content or "", named)
        chunks: list[Any] = list(create(**asked, stream=True, stream_options={"include_usage": True}))
        calls: dict[int, list[str]] = {}
        for chunk in chunks:
            pieces: list[Any] = (chunk.choices[0].delta.tool_calls or []) if chunk.choices else []
            for call in pieces:
                one = calls.setdefault(call.index, ["", ""])
                one[0] += call.function.name or ""
                one[1] += call.function.arguments or ""
        text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
        found = [(name, arguments) for name, arguments in calls.values()]
        return Heard([chunk.model_dump() for chunk in chunks], text, found)

    def pieces(self, url: str, said: str) -> Generator[str]:
        asked: Any = {"model": "gpt-test", "messages": turns([said]), "stream": True}
        with _openai(url) as client:
            create: Any = client.chat.completions.create
            with create(**asked) as chunks:
                yield from (chunk.choices[0].delta.content or "" for chunk in chunks)

    def text(self, *pieces: str, stream: bool) -> Answer:
        if stream:
            return ChatCompletions().text(*pieces)
        return self._whole({"role": "assistant", "content": "".join(pieces)}, "stop")

    def call(self, *calls: tuple[str, str, str], stream: bool) -> Answer:
        if stream:
            halves = [(id, name, (given[:5], given[5:])) for id, name, given in calls]
            return ChatCompletions().tool_calls(*halves)
        asked = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in calls]
        return self._whole({"role": "assistant", "content": None, "tool_calls": asked}, "tool_calls")

    def _whole(self, message: dict[str, Any], reason: str) -> Answer:
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        choice = {"index": 0, "message": message, "finish_reason": reason}
        body = {"id": "c1", "object": "chat.completion", "created": 1, "model": "gpt-test", "choices": [choice]}
        return whole({**body, "usage": usage})


class AnthropicMessages:
    """Anthropic's client, Messages."""

    def ask(self, url: str, *said: str, stream: bool, tools: bool = False, **more: Any) -> Heard:
        own: Any = {"name": "look_up", "input_schema": LOOK_UP}
        asked: Any = {"model": "claude-test", "max_tokens": 100, "messages": turns(said), **more}
        asked |= {"tools": [own]} if tools else {}
        with _anthropic(url) as client:
            if stream:
                with client.messages.stream(**asked) as events:
                    seen: Any = [event.model_dump() for event in events]
                    message: Any = events.get_final_message()
            else:
                create: Any = client.messages.create
                message = create(**asked)
                seen = message.model_dump()
        return self._heard(seen, message)

    def _heard(self, seen: Any, answer: Any) -> Heard:
        text = "".join(block.text for block in answer.content if block.type == "text")
        calls = [(block.name, json.dumps(block.input)) for block in answer.content if block.type == "tool_use"]
        return Heard(seen, text, calls)

    def pieces(self, url: str, said: str) -> Generator[str]:
        asked: Any = {"model": "claude-test", "max_tokens": 100, "messages": turns([said])}
        with _anthropic(url) as client, client.messages.stream(**asked) as events:
            yield from events.text_stream

    def text(self, *pieces: str, stream: bool) -> Answer:
        return (
            Messages().text(*pieces) if stream else self._whole([{"type": "text", "text": "".join(pieces)}], "end_turn")
        )

    def call(self, *calls: tuple[str, str, str], stream: bool) -> Answer:
        if stream:
            return Messages().tool_calls(*[(id, name, (given[:5], given[5:])) for id, name, given in calls])
        blocks = [{"type": "tool_use", "id": id, "name": name, "input": json.loads(given)} for id, name, given in calls]
        return self._whole(blocks, "tool_use")

    def _whole(self, blocks: Sequence[dict[str, Any]], reason: str) -> Answer:
        usage = {"input_tokens": 11, "output_tokens": 7}
        body = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "content": list(blocks)}
        return whole({**body, "stop_reason": reason, "stop_sequence": None, "usage": usage})


class OpenAIResponses:
    """OpenAI's client, Responses."""

    def ask(self, url: str, *said: str, stream: bool, tools: bool = False, **more: Any) -> Heard:
        own: Any = {"type": "function", "name": "look_up", "parameters": LOOK_UP, "strict": False}
        asked: Any = {"model": "gpt-test", "input": turns(said), **({"tools": [own]} if tools else {}), **more}
        with _openai(url) as client:
            create: Any = client.responses.create
            if stream:
                events = list(create(**asked, stream=True))
                answer, seen = events[-1].response, [event.model_dump() for event in events]
            else:
                answer = create(**asked)
                seen = answer.model_dump()
        calls = [(item.name, item.arguments) for item in answer.output if item.type == "function_call"]
        return Heard(seen, answer.output_text, calls)

    def pieces(self, url: str, said: str) -> Generator[str]:
        with _openai(url) as client, client.responses.create(model="gpt-test", input=said, stream=True) as events:
            for event in events:
                if event.type == "response.output_text.delta":
                    yield event.delta

    def text(self, *pieces: str, stream: bool) -> Answer:
        content = [{"type": "output_text", "text": "".join(pieces), "annotations": list[Any]()}]
        item: dict[str, Any] = {"type": "message", "id": "m1", "role": "assistant", "status": "completed"}
        begun = [{**item, "content": list[Any](), "status": "in_progress"}]
        return self._answer([{**item, "content": content}], begun, pieces, stream)

    def call(self, *calls: tuple[str, str, str], stream: bool) -> Answer:
        items = [
            {"type": "function_call", "id": f"fc{n}", "call_id": id, "name": name, "arguments": given}
            for n, (id, name, given) in enumerate(calls)
        ]
        return self._answer(items, [{**item, "arguments": ""} for item in items], (), stream)

    def _answer(self, items: list[Any], begun: list[Any], pieces: Sequence[str], stream: bool) -> Answer:
        usage = {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18}
        usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}  # type: ignore[dict-item]
        body: dict[str, Any] = {"id": "r1", "object": "response", "created_at": 1, "model": "gpt-test", "tools": []}
        body |= {"tool_choice": "auto", "parallel_tool_calls": True, "output": items, "status": "completed"}
        done = {**body, "usage": usage}
        if not stream:
            return whole(done)
        events: list[dict[str, Any]] = [{"type": "response.created", "response": {**body, "output": []}}]
        for at, (item, first) in enumerate(zip(items, begun, strict=True)):
            events.append({"type": "response.output_item.added", "output_index": at, "item": first})
            events += [_delta(at, item, piece) for piece in pieces]
            events.append({"type": "response.output_item.done", "output_index": at, "item": item})
        events.append({"type": "response.completed", "response": done})
        numbered = [{**event, "sequence_number": number} for number, event in enumerate(events)]
        return Answer(tuple(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n".encode() for e in numbered))


def _delta(at: int, item: dict[str, Any], piece: str) -> dict[str, Any]:
    place = {"output_index": at, "item_id": item["id"], "content_index": 0, "logprobs": list[Any]()}
    return {"type": "response.output_text.delta", **place, "delta": piece}


def _openai(url: str) -> OpenAI:
    return OpenAI(base_url=f"{url}/v1", api_key=KEY, max_retries=0)


def _anthropic(url: str) -> Anthropic:
    return Anthropic(base_url=url, api_key=KEY, max_retries=0)


PROGRAMS: dict[str, Program] = {
    "chat completions": Completions(),
    "messages": AnthropicMessages(),
    "responses": OpenAIResponses(),
}

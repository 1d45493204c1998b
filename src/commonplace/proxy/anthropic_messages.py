"""Anthropic's Messages."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import cast

from commonplace.proxy.wire import (
    Body,
    Results,
    Spoken,
    Taken,
    before,
    call_of,
    data_of,
    event_of,
    mapping,
    mappings,
    summed,
    text_of,
)
from commonplace.types.chatting import ToolCall, ToolSpec
from commonplace.types.sessions import SPOKEN

_WRITTEN = "partial_json"
_GROWING = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": _WRITTEN,
}


class Messages:
    path = "/messages"

    def said(self, body: Body) -> list[Spoken]:
        found = [(str(m.get("role")), text_of(m.get("content"))) for m in mappings(body.get("messages"))]
        return [Spoken(role, text) for role, text in found if role in SPOKEN and text.strip()]

    def session(self, body: Body) -> str:
        given = mapping(body.get("metadata"))
        return str(given.get("session_id") or given.get("user_id") or "")

    def told(self, body: Body, first: str, newest: str) -> Body:
        messages = [dict(one) for one in mappings(body.get("messages"))]
        users = [one for one in messages if one.get("role") == "user" and not _answers_tools(one)]
        for message, text in ((users[-1], newest), (users[0], first)) if users else ():
            message["content"] = before(message.get("content"), text, "text") if text else message.get("content")
        return {**body, "messages": messages}

    def rejoined(self, body: Body, kept: Mapping[str, Results]) -> Body:
        messages = mappings(body.get("messages"))
        for at, (message, next_one) in enumerate(pairwise(messages)):
            blocks = mappings(message.get("content"))
            ours = next((kept[id] for block in blocks if (id := str(block.get("id"))) in kept), ())
            if ours and _answers_tools(next_one):
                own = [{"type": "tool_use", "id": c.id, "name": c.name, "input": dict(c.arguments)} for c, _ in ours]
                answers = [*_answers(ours), *mappings(next_one.get("content"))]
                messages[at : at + 2] = {**message, "content": [*blocks, *own]}, {**next_one, "content": answers}
        return {**body, "messages": messages}

    def names(self, body: Body) -> set[str]:
        return {str(tool.get("name")) for tool in mappings(body.get("tools"))}

    def offered(self, body: Body, specs: Sequence[ToolSpec]) -> Body:
        if mapping(body.get("tool_choice")).get("type") == "none":
            return body
        tools = [
            {"name": spec.name, "description": spec.description, "input_schema": dict(spec.parameters)}
            for spec in specs
        ]
        return {**body, "tools": [*mappings(body.get("tools")), *tools]}

    def take(self, answer: Body, ours: frozenset[str]) -> tuple[Taken, Body]:
        blocks = mappings(answer.get("content"))
        own = [block for block in blocks if block.get("type") == "tool_use" and block.get("name") in ours]
        others = [block for block in blocks if block.get("type") == "tool_use" and block not in own]
        calls = [call_of(block.get("id"), block.get("name"), block.get("input")) for block in own]
        taken = Taken(text_of(blocks), calls, tuple(str(block.get("id")) for block in others), blocks, whole=True)
        return taken, ({**answer, "content": [block for block in blocks if block not in own]} if own else answer)

    def go_on(self, body: Body, taken: Taken, results: Results) -> Body:
        turns = [{"role": "assistant", "content": taken.items}, {"role": "user", "content": _answers(results)}]
        asked = {
            key: value for key, value in body.items() if key != "tool_choice" or mapping(value).get("type") == "auto"
        }
        return {**asked, "messages": [*mappings(body.get("messages")), *turns]}

    def joined(self, answers: Sequence[Body]) -> Body:
        whole = answers[-1]
        for earlier in reversed(answers[:-1]):
            content = [*mappings(earlier.get("content")), *mappings(whole.get("content"))]
            whole = {**whole, "content": content, "usage": summed(earlier.get("usage"), whole.get("usage"))}
        return whole

    def reader(self, ours: frozenset[str]) -> "MessageReader":
        return MessageReader(ours)

    def error(self, message: str) -> Body:
        return {"type": "error", "error": {"type": "api_error", "message": message}}


class MessageReader:
    """Events, of which the blocks that call our tools are hidden; the numbers of the others close up."""

    def __init__(self, ours: frozenset[str]) -> None:
        self._ours = ours
        self._shown = 0
        self._rounds = 0
        self._written = 0
        self.begin_round()

    def begin_round(self) -> None:
        self.taken = Taken()
        self._rounds += 1
        self._blocks: dict[int, Body] = {}
        self._grown: dict[int, dict[str, list[object]]] = {}
        self._numbers: dict[int, int] = {}
        self._held: list[bytes] = []

    def feed(self, event: bytes) -> Iterator[bytes]:
        data = data_of(event)
        match data.get("type") if data else None:
            case "message_start" if self._rounds > 1:
                return
            case "content_block_start" | "content_block_delta" | "content_block_stop" if data:
                yield from self._block(event, data)
            case "message_delta" if data:
                self._finish(data)
                yield from self._passed(event_of(data, event) if self._rounds > 1 else event)
            case _:
                yield from self._passed(event)

    def end(self) -> Iterator[bytes]:
        yield from self._held
        self._held = []

    def _passed(self, event: bytes) -> Iterator[bytes]:
        if self.taken.goes_on:
            self._held.append(event)
        else:
            yield event

    def _block(self, event: bytes, data: Body) -> Iterator[bytes]:
        at = data.get("index")
        if not isinstance(at, int):
            yield event
            return
        if data["type"] == "content_block_start":
            self._blocks[at], self._grown[at] = dict(mapping(data.get("content_block"))), {}
            if not self._is_ours(at):
                self._numbers[at] = self._shown
                self._shown += 1
        elif data["type"] == "content_block_delta" and at in self._blocks:
            _grow(self._grown[at], mapping(data.get("delta")))
        if self._is_ours(at):
            return
        number = self._numbers.get(at, at)
        yield event if number == at else event_of({**data, "index": number}, event)

    def _is_ours(self, at: int) -> bool:
        block = self._blocks.get(at, {})
        return block.get("type") == "tool_use" and block.get("name") in self._ours

    def _finish(self, data: Body) -> None:
        items, calls = list[Body](), list[ToolCall]()
        for at, block in self._blocks.items():
            whole, written = _whole(block, self._grown[at])
            items.append(whole)
            if self._is_ours(at):
                calls.append(call_of(block.get("id"), block.get("name"), written))
        others = (block for at, block in self._blocks.items() if not self._is_ours(at))
        foreign = tuple(str(block.get("id")) for block in others if block.get("type") == "tool_use")
        self.taken = Taken(text_of(items), calls, foreign, items, whole=True)
        usage = mapping(data.get("usage"))
        written = usage.get("output_tokens")
        if isinstance(written, int):
            self._written += written
            data["usage"] = {**usage, "output_tokens": self._written}


def _answers(results: Results) -> list[Body]:
    return [{"type": "tool_result", "tool_use_id": call.id, "content": text} for call, text in results]


def _answers_tools(message: Body) -> bool:
    return any(part.get("type") == "tool_result" for part in mappings(message.get("content")))


def _grow(grown: dict[str, list[object]], delta: Body) -> None:
    """Keep a piece of a block; they are put together once, at its end."""
    kind = str(delta.get("type"))
    if kind == "citations_delta":
        grown.setdefault("citations", []).append(delta.get("citation"))
    elif name := _GROWING.get(kind):
        grown.setdefault(name, []).append(str(delta.get(name) or ""))


def _whole(block: Body, grown: Mapping[str, list[object]]) -> tuple[Body, object]:
    """A block as it is sent back; and what was called with, as it was written."""
    whole, written = dict(block), cast(object, block.get("input"))
    for name, pieces in grown.items():
        if name == "citations":
            whole[name] = [*(block.get(name) or []), *pieces]
        elif name == _WRITTEN:
            written = "".join(map(str, pieces))
            whole["input"] = call_of("", "", written).arguments
        else:
            whole[name] = str(block.get(name) or "") + "".join(map(str, pieces))
    return whole, written

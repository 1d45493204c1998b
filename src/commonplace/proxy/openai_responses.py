"""OpenAI's Responses."""

from collections.abc import Iterator, Mapping, Sequence

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
    written,
)
from commonplace.types.chatting import ToolCall, ToolSpec
from commonplace.types.sessions import SPOKEN

_ENDED = ("response.completed", "response.incomplete")
_THEIRS = frozenset("function_call custom_tool_call computer_call local_shell_call shell_call apply_patch_call".split())
"""What the program has to answer; all else that is called runs at the provider."""
_BEGUN = ("response.created", "response.in_progress", "response.queued")


class Responses:
    path = "/responses"

    def said(self, body: Body) -> list[Spoken]:
        found = [(str(item.get("role")), text_of(item.get("content"))) for item in _input(body)]
        return [Spoken(role, text) for role, text in found if role in SPOKEN and text.strip()]

    def session(self, body: Body) -> str:
        conversation: object = body.get("conversation")
        named = mapping(conversation).get("id") or (conversation if isinstance(conversation, str) else "")
        return str(mapping(body.get("metadata")).get("session_id") or body.get("prompt_cache_key") or named or "")

    def told(self, body: Body, first: str, newest: str) -> Body:
        items = [dict(one) for one in _input(body)]
        users = [item for item in items if item.get("role") == "user"]
        for item, text in ((users[-1], newest), (users[0], first)) if users else ():
            item["content"] = before(item.get("content"), text, "input_text") if text else item.get("content")
        return {**body, "input": items}

    def rejoined(self, body: Body, kept: Mapping[str, Results]) -> Body:
        items: list[Body] = []
        done: set[str] = set()
        for item in _input(body):
            ours = kept.get(str(item.get("call_id")), ())
            known = item.get("type") in _THEIRS
            if not ours or ours[0][0].id in done:
                items.append(item)
                continue
            done.add(ours[0][0].id)
            # What a provider keeps itself has our calls in it already, and waits for what they answered.
            own = [_call(call) for call, _ in ours] if known else []
            items += [item, *own, *_answers(ours)] if known else [*_answers(ours), item]
        return {**body, "input": items}

    def names(self, body: Body) -> set[str]:
        return {str(tool.get("name")) for tool in mappings(body.get("tools"))}

    def offered(self, body: Body, specs: Sequence[ToolSpec]) -> Body:
        if body.get("tool_choice") == "none" or body.get("background"):
            return body
        tools = [
            {
                "type": "function",
                "name": spec.name,
                "description": spec.description,
                "parameters": dict(spec.parameters),
                "strict": False,
            }
            for spec in specs
        ]
        return {**body, "tools": [*mappings(body.get("tools")), *tools]}

    def take(self, answer: Body, ours: frozenset[str]) -> tuple[Taken, Body]:
        items = mappings(answer.get("output"))
        taken = _taken(items, ours)
        seen = [item for item in items if not _is_ours(item, ours)]
        return taken, ({**answer, "output": seen} if taken.calls else answer)

    def go_on(self, body: Body, taken: Taken, results: Results) -> Body:
        asked = {key: value for key, value in body.items() if key != "tool_choice" or value == "auto"}
        return {**asked, "input": [*_input(body), *taken.items, *_answers(results)]}

    def joined(self, answers: Sequence[Body]) -> Body:
        whole = answers[-1]
        for earlier in reversed(answers[:-1]):
            output = [*mappings(earlier.get("output")), *mappings(whole.get("output"))]
            whole = {**whole, "output": output, "usage": summed(earlier.get("usage"), whole.get("usage"))}
        return whole

    def reader(self, ours: frozenset[str]) -> "ResponseReader":
        return ResponseReader(ours)

    def error(self, message: str) -> Body:
        return {"error": {"message": message, "type": "api_error", "param": None, "code": "proxy_error"}}


class ResponseReader:
    """Events, of which those about calls of our tools are hidden; the numbers of the others close up."""

    def __init__(self, ours: frozenset[str]) -> None:
        self._ours = ours
        self._shown: list[Body] = []
        self._count = 0
        self._hid = False
        self._sequence = 0
        self._usage: object = None
        self._rounds = 0
        self.begin_round()

    def begin_round(self) -> None:
        self.taken = Taken()
        self._rounds += 1
        self._items: dict[int, Body] = {}
        self._numbers: dict[int, int] = {}
        self._hidden: set[int] = set()
        self._held: list[bytes] = []

    def feed(self, event: bytes) -> Iterator[bytes]:
        data = data_of(event)
        kind = str(data.get("type")) if data else ""
        if data is None or (kind in _BEGUN and self._rounds > 1):
            if data is None:
                yield event
            return
        at = data.get("output_index")
        if isinstance(at, int):
            self._note(at, kind, data)
            if at in self._hidden:
                return
            data["output_index"] = self._numbers.get(at, at)
        if kind in _ENDED:
            self._finish(mapping(data.get("response")))
            if self.taken.goes_on:
                self._held.append(event)
                return
            if self._hid:
                data["response"] = self._joined(mapping(data.get("response")))
        yield self._numbered(data, event)

    def end(self) -> Iterator[bytes]:
        yield from self._held
        self._held = []

    def _numbered(self, data: Body, event: bytes) -> bytes:
        if not self._hid:
            self._sequence = int(str(data.get("sequence_number", self._sequence)))
            return event
        self._sequence += 1
        return event_of(data | ({"sequence_number": self._sequence} if "sequence_number" in data else {}), event)

    def _note(self, at: int, kind: str, data: Body) -> None:
        item = mapping(data.get("item"))
        if kind in ("response.output_item.added", "response.output_item.done") and item:
            if _is_ours(item, self._ours):
                self._hidden.add(at)
                self._hid = True
            elif at not in self._numbers:
                self._numbers[at] = self._count
                self._count += 1
            if kind == "response.output_item.done":
                self._items[at] = item

    def _finish(self, response: Body) -> None:
        items = mappings(response.get("output")) or [self._items[at] for at in sorted(self._items)]
        self.taken = _taken(items, self._ours)
        self._shown += [item for item in items if not _is_ours(item, self._ours)]
        self._usage = response.get("usage") if self._usage is None else summed(self._usage, response.get("usage"))

    def _joined(self, response: Body) -> Body:
        return {**response, "output": self._shown} | ({"usage": self._usage} if "usage" in response else {})


def _input(body: Body) -> list[Body]:
    given = body.get("input")
    return [{"role": "user", "content": given}] if isinstance(given, str) else mappings(given)


def _is_ours(item: Body, ours: frozenset[str]) -> bool:
    return item.get("type") == "function_call" and item.get("name") in ours


def _call(call: ToolCall) -> Body:
    return {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": written(call)}


def _answers(results: Results) -> list[Body]:
    return [{"type": "function_call_output", "call_id": call.id, "output": text} for call, text in results]


def _taken(items: list[Body], ours: frozenset[str]) -> Taken:
    text = "\n".join(text_of(item.get("content")) for item in items if item.get("type") == "message")
    calls = [
        call_of(item.get("call_id"), item.get("name"), item.get("arguments")) for item in items if _is_ours(item, ours)
    ]
    foreign = (item for item in items if item.get("type") in _THEIRS and not _is_ours(item, ours))
    return Taken(text, calls, tuple(str(item.get("call_id")) for item in foreign), items, whole=True)

"""OpenAI's Chat Completions, as many others speak them too."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

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
from commonplace.types.chatting import ToolSpec
from commonplace.types.sessions import SPOKEN


class ChatCompletions:
    path = "/chat/completions"

    def said(self, body: Body) -> list[Spoken]:
        found = [(str(m.get("role")), text_of(m.get("content"))) for m in mappings(body.get("messages"))]
        return [Spoken(role, text) for role, text in found if role in SPOKEN and text.strip()]

    def session(self, body: Body) -> str:
        return str(mapping(body.get("metadata")).get("session_id") or body.get("prompt_cache_key") or "")

    def told(self, body: Body, first: str, newest: str) -> Body:
        messages = [dict(one) for one in mappings(body.get("messages"))]
        users = [message for message in messages if message.get("role") == "user"]
        for message, text in ((users[-1], newest), (users[0], first)) if users else ():
            message["content"] = before(message.get("content"), text, "text") if text else message.get("content")
        return {**body, "messages": messages}

    def rejoined(self, body: Body, kept: Mapping[str, Results]) -> Body:
        messages: list[Body] = []
        for message in mappings(body.get("messages")):
            calls = mappings(message.get("tool_calls"))
            ours = next((kept[id] for call in calls if (id := str(call.get("id"))) in kept), ())
            own = [_call(call.id, call.name, written(call)) for call, _ in ours]
            messages += [{**message, "tool_calls": [*calls, *own]}, *_answers(ours)] if own else [message]
        return {**body, "messages": messages}

    def names(self, body: Body) -> set[str]:
        return {str(mapping(tool.get("function")).get("name")) for tool in mappings(body.get("tools"))}

    def offered(self, body: Body, specs: Sequence[ToolSpec]) -> Body:
        if body.get("tool_choice") == "none" or body.get("n") not in (None, 1) or body.get("functions"):
            return body
        tools = [
            {
                "type": "function",
                "function": {"name": spec.name, "description": spec.description, "parameters": dict(spec.parameters)},
            }
            for spec in specs
        ]
        return {**body, "tools": [*mappings(body.get("tools")), *tools]}

    def take(self, answer: Body, ours: frozenset[str]) -> tuple[Taken, Body]:
        choice, *more = mappings(answer.get("choices")) or [Body()]
        message = mapping(choice.get("message"))
        calls = mappings(message.get("tool_calls"))
        own = [call for call in calls if _name(call) in ours]
        others = [call for call in calls if call not in own]
        called = [call_of(call.get("id"), _name(call), mapping(call["function"]).get("arguments")) for call in own]
        foreign = tuple(str(call.get("id")) for call in others)
        taken = Taken(text_of(message.get("content")), called, foreign, [message], bool(choice))
        if not own:
            return taken, answer
        seen = {key: value for key, value in message.items() if key != "tool_calls"}
        seen |= {"tool_calls": others} if others else {}
        return taken, {**answer, "choices": [{**choice, "message": seen}, *more]}

    def go_on(self, body: Body, taken: Taken, results: Results) -> Body:
        asked = {key: value for key, value in body.items() if key != "tool_choice" or value == "auto"}
        return {**asked, "messages": [*mappings(body.get("messages")), *taken.items, *_answers(results)]}

    def joined(self, answers: Sequence[Body]) -> Body:
        whole = answers[-1]
        for earlier in reversed(answers[:-1]):
            said = _content(earlier)
            choices = mappings(whole.get("choices"))
            if said and choices:
                message = mapping(choices[0].get("message"))
                choices[0] = {**choices[0], "message": {**message, "content": said + (message.get("content") or "")}}
            usage = summed(earlier.get("usage"), whole.get("usage"))
            whole = {**whole, "choices": choices, **({"usage": usage} if "usage" in whole else {})}
        return whole

    def reader(self, ours: frozenset[str]) -> "CompletionReader":
        return CompletionReader(ours)

    def error(self, message: str) -> Body:
        return {"error": {"message": message, "type": "api_error", "param": None, "code": "proxy_error"}}


class CompletionReader:
    """Chunks, of which those with calls of our tools are hidden; the numbers of the others close up."""

    def __init__(self, ours: frozenset[str]) -> None:
        self._ours = ours
        self._id: Any = None
        self._usage: object = None
        self._shown = 0
        self._renumber = False
        self.begin_round()

    def begin_round(self) -> None:
        self.taken = Taken()
        self._own: list[Body] = []
        self._open: dict[int, Body | int] = {}
        self._foreign: list[str] = []
        self._held: list[bytes] = []
        self._content: list[str] = []

    def feed(self, event: bytes) -> Iterator[bytes]:
        data = data_of(event)
        if data is None or not isinstance(data.get("choices"), list):
            yield from self._passed(event)
            return
        choice, *_ = mappings(data["choices"]) or [Body()]
        delta = mapping(choice.get("delta"))
        self._content.append(str(delta.get("content") or ""))
        changed = self._named(data)
        if calls := mappings(delta.get("tool_calls")):
            numbered = [(call, number) for call in calls if (number := self._number(call)) is not None]
            if self._renumber:
                changed, delta["tool_calls"] = True, [{**call, "index": number} for call, number in numbered]
            if not numbered:
                del delta["tool_calls"]
                if not any(delta.values()) and not choice.get("finish_reason"):
                    return
        if choice.get("finish_reason"):
            self._finish()
        if self.taken.goes_on and data.get("usage"):
            self._usage = data["usage"]
        yield from self._passed(event_of(data, event) if changed else event)

    def end(self) -> Iterator[bytes]:
        yield from self._held
        self._held = []

    def _passed(self, event: bytes) -> Iterator[bytes]:
        """After its end an answer is held back where another round may follow."""
        if self.taken.goes_on:
            self._held.append(event)
        else:
            yield event

    def _named(self, data: Body) -> bool:
        """Give all rounds one id, and one count of tokens; whether that changed anything."""
        self._id = self._id or data.get("id")
        other = data.get("id") != self._id
        counts = self._usage is not None and bool(data.get("usage"))
        data |= {"id": self._id} if other else {}
        data |= {"usage": summed(self._usage, data["usage"])} if counts else {}
        return other or counts

    def _number(self, call: Body) -> int | None:
        """The number under which the program sees a piece of a call; None if it is one of ours, which is taken in."""
        at, function = _index(call), mapping(call.get("function"))
        name, before_ = function.get("name"), self._open.get(at)
        if name and (before_ is None or call.get("id")):
            if name in self._ours:
                self._renumber = True
                self._open[at] = {"id": call.get("id"), "name": name, "arguments": list[str]()}
                self._own.append(mapping(self._open[at]))
            else:
                self._open[at] = self._shown
                self._foreign.append(str(call.get("id")))
                self._shown += 1
        now = self._open.get(at, at)
        if isinstance(now, int):
            return now
        now["arguments"].append(str(function.get("arguments") or ""))
        return None

    def _finish(self) -> None:
        own = [(one["id"], one["name"], "".join(one["arguments"])) for one in self._own]
        calls, content = [call_of(*one) for one in own], "".join(self._content)
        asked = [_call(*one) for one in own]
        message: Body = {"role": "assistant", "content": content or None, "tool_calls": asked}
        self._renumber = self._renumber or bool(calls)
        self.taken = Taken(content, calls, tuple(self._foreign), [message], whole=True)


def _call(id: object, name: object, arguments: object) -> Body:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _answers(results: Results) -> list[Body]:
    return [{"role": "tool", "tool_call_id": call.id, "content": text} for call, text in results]


def _index(call: Body) -> int:
    found = call.get("index")
    return found if isinstance(found, int) else 0


def _name(call: Body) -> object:
    return mapping(call.get("function")).get("name")


def _content(answer: Body) -> str:
    choices = mappings(answer.get("choices"))
    return text_of(mapping(choices[0].get("message")).get("content")) if choices else ""

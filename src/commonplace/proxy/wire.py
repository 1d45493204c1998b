"""What the three wire formats have in common: how a request is read and added to, and how an answer is taken in. Pure.

JSON of others is never trusted: whatever is not as expected is left as it is. What a model did with our tools is hidden
from the program, which knows nothing of them.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from commonplace.types.chatting import ToolCall, ToolSpec

Body = dict[str, Any]
_EVENT_END = re.compile(rb"\n\n|\r\n\r\n")


Results = Sequence[tuple[ToolCall, str]]
"""Calls of our tools, and what each answered."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What somebody said: `role` is user or assistant."""

    role: str
    text: str


@dataclass(slots=True)
class Taken:
    """One answer of the model: what it said, which of our tools it calls, the ids of calls that the program has to
    answer, and the raw items that it must be shown again when it goes on. `whole` is whether it came to its end."""

    text: str = ""
    calls: list[ToolCall] = field(default_factory=list[ToolCall])
    foreign: tuple[str, ...] = ()
    items: list[Body] = field(default_factory=list[Body])
    whole: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether only our tools are waited for. With others among them, the program has to answer those first."""
        return self.whole and bool(self.calls) and not self.foreign


class Reader(Protocol):
    """One streamed answer, perhaps in several rounds, as the program is to see it."""

    taken: Taken

    def feed(self, event: bytes) -> Iterator[bytes]:
        """The events to pass on for one that came; most pass as they are."""
        ...

    def end(self) -> Iterator[bytes]:
        """What was held back and belongs to the end, now that no further round follows."""
        ...

    def begin_round(self) -> None: ...


class Wire(Protocol):
    """One wire format."""

    path: str

    def said(self, body: Body) -> list[Spoken]:
        """What was said so far, the newest last."""
        ...

    def session(self, body: Body) -> str:
        """What the program itself calls the conversation; empty if it does not say."""
        ...

    def told(self, body: Body, first: str, newest: str) -> Body:
        """The request with a text before the user's first message, and one before their newest."""
        ...

    def offered(self, body: Body, specs: Sequence[ToolSpec]) -> Body:
        """The request with our tools in it; as it was, if the program wants none used."""
        ...

    def rejoined(self, body: Body, kept: Mapping[str, Results]) -> Body:
        """The request with calls of our tools put back beside those of the program that the model made at once with
        them: by the ids of the latter. The program never saw ours, and the model must not forget them."""
        ...

    def names(self, body: Body) -> set[str]:
        """What the program's own tools are called."""
        ...

    def take(self, answer: Body, ours: frozenset[str]) -> tuple[Taken, Body]:
        """What an answer says, and the answer without the calls of our tools."""
        ...

    def go_on(self, body: Body, taken: Taken, results: Results) -> Body:
        """The next request, with what our tools answered."""
        ...

    def joined(self, answers: Sequence[Body]) -> Body:
        """The answers of several rounds as one."""
        ...

    def reader(self, ours: frozenset[str]) -> Reader: ...

    def error(self, message: str) -> Body: ...


def mapping(value: object) -> Body:
    return cast(Body, value) if isinstance(value, dict) else {}


def mappings(value: object) -> list[Body]:
    return [mapping(one) for one in cast(list[object], value)] if isinstance(value, list) else []


def text_of(content: object) -> str:
    """The text in a message's content, be it one text or parts of several kinds."""
    if isinstance(content, str):
        return content
    return "\n".join(str(part["text"]) for part in mappings(content) if isinstance(part.get("text"), str))


def before(content: object, text: str, kind: str) -> object:
    """A message's content with a text before it, as a part of this kind where it has parts."""
    if isinstance(content, list):
        return [{"type": kind, "text": text}, *cast(list[object], content)]
    return f"{text}\n\n{content}" if isinstance(content, str) and content else text


def call_of(id: object, name: object, arguments: object) -> ToolCall:
    """A call as a model wrote it. Arguments that are no JSON object are the tool's to complain about."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            return ToolCall(str(id), str(name), {}, "The arguments are no JSON.")
    if not isinstance(arguments, dict):
        return ToolCall(str(id), str(name), {}, "The arguments are no JSON object.")
    return ToolCall(str(id), str(name), cast(dict[str, object], arguments))


def written(call: ToolCall) -> str:
    """The arguments of a call as a model writes them."""
    return json.dumps(dict(call.arguments))


def summed(one: object, other: object) -> object:
    """Two counts of tokens as one: numbers are added, at every depth."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        left, right = cast(Body, one), cast(Body, other)
        return Body(left) | {**right, **{key: summed(left[key], right[key]) for key in left if key in right}}
    if isinstance(one, int) and isinstance(other, int) and not isinstance(one, bool):
        return one + other
    return cast(object, one) if other is None else cast(object, other)


def data_of(event: bytes) -> Body | None:
    """The JSON object in a server-sent event; None where there is none."""
    lines = [line[5:].removeprefix(b" ") for line in event.splitlines() if line.startswith(b"data:")]
    try:
        found: object = json.loads(b"\n".join(lines))
    except (ValueError, RecursionError):
        return None
    return cast(Body, found) if isinstance(found, dict) else None


def event_of(data: Body, like: bytes = b"") -> bytes:
    """An event with this data, named as the one it takes the place of."""
    name = next((line for line in like.splitlines() if line.startswith(b"event:")), b"")
    return (name + b"\n" if name else b"") + b"data: " + json.dumps(data).encode() + b"\n\n"


class Splitter:
    """Bytes as they come to whole events; nothing is lost, the last one may be torn."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._looked = 0  # where no end is: an event that comes in many pieces is not looked through for each

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._rest += data
        while found := _EVENT_END.search(self._rest, max(0, self._looked - 3)):
            event = bytes(self._rest[: found.end()])
            del self._rest[: found.end()]
            self._looked = 0
            yield event
        self._looked = len(self._rest)

    def rest(self) -> bytes:
        rest, self._rest = bytes(self._rest), bytearray()
        return rest

"""Public fakes for tests of programs that use Commonplace. Nothing shipped imports this module."""

import hashlib
import re
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeAlias

from commonplace.errors import EmbedderFailed, ModelFailed
from commonplace.language import is_latin, terms
from commonplace.types.chatting import ChatEvent, ChatMessage, Finished, Reply, TextPart, ToolCall, ToolSpec, Usage

if TYPE_CHECKING:
    from commonplace.ports import Vectors


class StoppedClock:
    """A clock that stands still until it is moved. Implements `Clock`."""

    def __init__(self, at: datetime) -> None:
        if at.tzinfo is None:
            raise ValueError("a clock needs a time with its zone")
        self._at = at

    def now(self) -> datetime:
        return self._at

    def move(self, step: timedelta) -> None:
        self._at += step


class HashingEmbedder:
    """Texts with the same words get the same vector, in no time. Implements `Embedder`.

    It notes every text it is given, so that a test can tell what was embedded and what was not; `broken` makes it
    fail like a model that is not there.
    """

    def __init__(self, identity: str = "hashing", dimensions: int = 64) -> None:
        self.identity = identity
        self.dimensions = dimensions
        self.loaded = False
        self.multilingual = True
        self.broken = False
        self.texts: list[str] = []
        self._guard = threading.Lock()

    def reads(self, text: str) -> bool:
        return self.multilingual or is_latin(text)

    def embed(self, texts: Sequence[str]) -> "Vectors":
        import numpy as np

        if self.broken:
            raise EmbedderFailed("The model is broken.", hint="Mend it.")
        with self._guard:
            self.loaded = True
            self.texts += texts
        matrix = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for term in terms(text) or [text]:
                digest = hashlib.blake2b(f"{self.identity} {term}".encode("utf-8", "replace"), digest_size=8).digest()
                matrix[row, int.from_bytes(digest[:4], "little") % self.dimensions] += 1 if digest[4] % 2 else -1
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        return (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What a scripted model was asked."""

    messages: tuple[ChatMessage, ...]
    system: str
    tools: tuple[ToolSpec, ...]
    max_tokens: int


@dataclass(frozen=True, slots=True)
class CutOff:
    """An answer whose stream breaks after `text`."""

    text: str


Answer: TypeAlias = str | Reply | tuple[ToolCall, ...] | CutOff | Exception
Script: TypeAlias = Answer | Callable[[Sequence[ChatMessage]], Answer]


class ScriptedChatModel:
    """A model that says what it was told to say, piece by piece. Implements `ChatModel`.

    The script is a list with one step a request, or one step for every request. A step is a text, a `Reply`, a tuple
    of tool calls, an error to raise, a `CutOff`, or a function of the messages that returns one of these.
    """

    identity = "scripted/model"
    calls_tools = True

    def __init__(
        self, script: Sequence[Script] | Callable[[Sequence[ChatMessage]], Answer], window: int = 8192
    ) -> None:
        self.window = window
        self.requests: list[ModelRequest] = []
        self.cancelled = 0
        self._script = script if callable(script) else list(script)
        self._guard = threading.Lock()

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        system: str = "",
        tools: Sequence[ToolSpec] = (),
        max_tokens: int = 4096,
    ) -> Generator[ChatEvent]:
        request = ModelRequest(tuple(messages), system, tuple(tools), max_tokens)
        step = self._next_step(request)
        answer = step(request.messages) if callable(step) else step
        if isinstance(answer, Exception):
            raise answer
        reply = _reply_to(request, answer)
        try:
            yield from map(TextPart, re.findall(r"\S+\s*|\s+", reply.text))
            if isinstance(answer, CutOff):
                raise ModelFailed("The stream broke.", retryable=True, partial=reply.text)
            yield from reply.tool_calls
            yield Finished(reply.reason, reply.usage)
        except GeneratorExit:
            self.cancelled += 1
            raise

    def _next_step(self, request: ModelRequest) -> Script:
        with self._guard:
            self.requests.append(request)
            if callable(self._script):
                return self._script
            if not self._script:
                raise AssertionError("The script is at its end, and the model was asked once more.")
            return self._script.pop(0)


def _reply_to(request: ModelRequest, answer: str | Reply | tuple[ToolCall, ...] | CutOff) -> Reply:
    if isinstance(answer, Reply):
        return answer
    calls = answer if isinstance(answer, tuple) else ()
    text = answer if isinstance(answer, str) else answer.text if isinstance(answer, CutOff) else ""
    usage = Usage(sum(len(message.text) for message in request.messages) // 4, len(text) // 4)
    return Reply(text, calls, "tool_calls" if calls else "end", usage)

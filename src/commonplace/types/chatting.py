"""What is said to a chat model and by it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a model asks a tool for. `trouble` says why its arguments could not be read (they are empty then), so that
    the model can be told and can ask again."""

    id: str
    name: str
    arguments: dict[str, object]
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message as a model reads it. A tool's answer names the call it belongs to."""

    role: Literal["user", "assistant", "tool"]
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model is told about it; `parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: dict[str, object]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request, as the provider counted them (or as estimated, if it does not count)."""

    input_tokens: int
    output_tokens: int

    @property
    def total(self) -> int:
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of an answer's text, as it arrives."""

    text: str


def most_characters(max_tokens: int) -> int:
    """How long an answer of so many tokens can be at the very most: one that is longer did not keep to what was asked,
    and is a failure. A token is rarely longer than a dozen characters."""
    return 10_000 + 16 * max_tokens


StopReason: TypeAlias = Literal["end", "tool_calls", "length", "refusal"]


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event of an answer that came whole, and why it ended."""

    reason: StopReason
    usage: Usage


ChatEvent: TypeAlias = TextPart | ToolCall | Finished


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer. An empty `text` without tool calls means that the model had nothing to say."""

    text: str
    tool_calls: tuple[ToolCall, ...]
    reason: StopReason
    usage: Usage

"""What happens in a turn, as data: a surface shows it, a test reads it."""

from dataclasses import dataclass
from typing import TypeAlias

from commonplace.tools.calling import ToolResult
from commonplace.types.changing import Done
from commonplace.types.chatting import ToolCall, Usage


@dataclass(frozen=True, slots=True)
class Recalled:
    """So much of the memory was put into the prompt, and so much did not fit."""

    memories: int
    tokens: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Heeded:
    """What the message asked for was done, before anybody answered: a line for each."""

    done: tuple[Done, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    call: ToolCall


@dataclass(frozen=True, slots=True)
class ToolFinished:
    call: ToolCall
    result: ToolResult


@dataclass(frozen=True, slots=True)
class Compacted:
    """The chat history was cut to its newest part; `logged` says whether all of it is in the log already."""

    dropped: int
    kept: int
    logged: bool


@dataclass(frozen=True, slots=True)
class Warned:
    """Something the person should know; the conversation goes on."""

    code: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """The turn is over. `whole` is False when the answer was cut off."""

    text: str
    usage: Usage
    whole: bool


TurnEvent: TypeAlias = Heeded | Recalled | Said | ToolStarted | ToolFinished | Compacted | Warned | Answered

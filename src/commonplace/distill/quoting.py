"""A conversation as a model reads it when it is asked about it: quoted, so that nothing said in it can pass for the
question, and in parts that fit the model's window. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.framing import harmless_lines
from commonplace.tokens import estimate_tokens
from commonplace.types.sessions import Message

LONGEST_ANSWER = 4096
_SMALLEST = 200
_MARGIN = 0.9  # the count of tokens is an estimate


@dataclass(frozen=True, slots=True)
class Part:
    """What one block of a log covers: whole messages, and the questions that it takes to read all of them."""

    messages: tuple[Message, ...]
    texts: tuple[str, ...]


def answer_length(window: int) -> int:
    """How many tokens the answer may have."""
    return max(_SMALLEST, min(LONGEST_ANSWER, window // 4))


def room_in(window: int, instructions: str) -> int:
    """How many tokens of conversation fit into a request beside the instructions and the answer."""
    free = (window - answer_length(window)) * _MARGIN - estimate_tokens(instructions)
    return max(_SMALLEST, int(free))


def parts_of(messages: Sequence[Message], room: int) -> list[Part]:
    """All messages, in order, as few parts as fit. A message that fits no request alone is asked about in pieces."""
    parts: list[Part] = []
    held: list[Message] = []
    used = 0

    def close() -> None:
        nonlocal used
        if held:
            parts.append(Part(tuple(held), ("\n".join(quoted(m.role, m.text) for m in held),)))
            held.clear()
            used = 0

    for message in messages:
        cost = estimate_tokens(quoted(message.role, message.text)) + 1
        if cost > room:
            close()
            parts.append(Part((message,), tuple(quoted(message.role, p) for p in _pieces(message, room))))
            continue
        if used + cost > room:
            close()
        held.append(message)
        used += cost
    close()
    return parts


def quoted(speaker: str, text: str) -> str:
    """What somebody said, every line of it marked."""
    return "\n".join([f"[{speaker}]", *(f"| {line}" for line in harmless_lines(text.strip()))])


def _pieces(message: Message, room: int) -> list[str]:
    """A text cut into pieces that fit: between lines, else between words, else anywhere."""
    waiting, pieces = [message.text.strip()], list[str]()
    while waiting:
        text = waiting.pop()
        if len(text) < 2 or estimate_tokens(quoted(message.role, text)) <= room:
            pieces.append(text)
            continue
        middle = len(text) // 2
        cut = next((at for mark in ("\n", " ") if (at := text.rfind(mark, middle // 2, middle)) > 0), middle)
        waiting += [text[cut:], text[:cut]]
    return [piece for piece in pieces if piece.strip()]

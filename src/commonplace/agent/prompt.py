"""What the model reads: stable text first, what changes with each question last. Pure.

    system           the same in every turn
    first message    Long-term Memory and Session Summary before its own text: the same until one of them changes
    history          what was said and which tools were called
    newest message   Relevant Memories and today's date before its own text

So the provider's prompt cache keeps everything up to the newest message. What is recalled stands only in the prompt; it
is never written to the transcript, and so never learned again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import cast

from commonplace.flows.recall import framed
from commonplace.flows.requesting import HEEDED
from commonplace.prompts import prompt
from commonplace.tokens import estimate_tokens
from commonplace.types.chatting import ChatMessage, ToolCall, ToolSpec
from commonplace.types.sessions import SPOKEN, Message

FULL_AT = 0.85
KEPT = 0.25
COMPACTED = "compacted"
CUT_OFF = "cut_off"
_PER_MESSAGE = 4


@dataclass(frozen=True, slots=True)
class Background:
    """What is known besides the conversation. Each is text with its heading, or empty."""

    long_term: str = ""
    relevant: str = ""
    summary: str = ""
    compacted: bool = False
    done: str = ""


def system_text() -> str:
    return prompt("chat")


def assemble(history: Sequence[ChatMessage], background: Background, today: date) -> list[ChatMessage]:
    """The messages of one request; the last of `history` is the newest message of the user."""
    messages = list(history)
    lasting = [background.long_term, background.summary]
    if background.compacted:
        lasting.append(prompt("chat_compacted"))
    newest = next(at for at in range(len(messages) - 1, -1, -1) if messages[at].role == "user")
    now = f"Today is {today:%A}, {today.isoformat()}."
    messages[newest] = _preceded(messages[newest], [background.relevant, now, background.done])
    first = next(at for at in range(len(messages)) if messages[at].role == "user")
    messages[first] = _preceded(messages[first], lasting)
    return messages


def _preceded(message: ChatMessage, texts: Sequence[str]) -> ChatMessage:
    return replace(message, text="\n\n".join([*(text for text in texts if text), message.text]))


def heeded_text(messages: Sequence[Message]) -> str:
    """What was done already because the newest message of the user asked for it; empty if it asked for nothing."""
    newest = next((message.id for message in reversed(messages) if message.role == "user"), None)
    told = [m.extra.get("done") for m in messages if m.extra.get("event") == HEEDED and m.extra.get("of") == newest]
    lines = [str(line) for lines in told for line in cast(list[object], lines or [])]
    return f"{prompt('chat_heeded')}\n{framed(chr(10).join(f'- {line}' for line in lines))}" if lines else ""


def spoken(messages: Sequence[Message]) -> list[ChatMessage]:
    """A transcript as a model reads it: what was said, and the tool calls with their answers. Events are left out."""
    found: list[ChatMessage] = []
    round_of_last: object = None
    for message in messages:
        if message.role in SPOKEN and message.text.strip():
            text = f"{message.text}\n[cut off]" if message.extra.get(CUT_OFF) else message.text
            found.append(ChatMessage("user" if message.role == "user" else "assistant", text))
            round_of_last = message.extra.get("round")
        elif message.role == "tool":
            _add_tool(found, message, joins=round_of_last == message.extra.get("round"))
            round_of_last = message.extra.get("round")
    return found


def _add_tool(found: list[ChatMessage], message: Message, *, joins: bool) -> None:
    """A tool's answer follows the assistant's message that asked for it; one message may ask for several."""
    call = ToolCall(
        str(message.extra.get("call", message.id)),
        str(message.extra.get("name", "")),
        cast(dict[str, object], message.extra.get("arguments") or {}),
    )
    asking = next((at for at in range(len(found) - 1, -1, -1) if found[at].role != "tool"), -1)
    if joins and asking >= 0 and found[asking].role == "assistant":
        found[asking] = replace(found[asking], tool_calls=(*found[asking].tool_calls, call))
    else:
        found.append(ChatMessage("assistant", "", (call,)))
    found.append(ChatMessage("tool", message.text, tool_call_id=call.id))


# -- compaction of the chat history ------------------------------------------------------------------------------------


def tokens_of(messages: Sequence[ChatMessage], system: str = "", tools: Sequence[ToolSpec] = ()) -> int:
    """How many tokens a request has, by estimate."""
    texts = [system, *(message.text for message in messages)]
    texts += [str(call.arguments) for message in messages for call in message.tool_calls]
    texts += [f"{tool.name} {tool.description} {tool.parameters}" for tool in tools]
    return sum(map(estimate_tokens, texts)) + _PER_MESSAGE * len(messages)


def is_full(tokens: int, window: int) -> bool:
    return tokens >= FULL_AT * window


def kept_from(messages: Sequence[Message], window: int) -> int:
    """Where the newest part begins that fits in a quarter of the window: at a message of the user, and at the last one
    at the latest. 0 when that is everything that was said."""
    users = [at for at, message in enumerate(messages) if message.role == "user" and message.text.strip()]
    if not users:
        return 0
    start, end, tokens = users[-1], len(messages), 0
    for at in reversed(users):
        tokens += tokens_of(spoken(messages[at:end]))
        if tokens > KEPT * window:
            break
        start = end = at
    return start if spoken(messages[:start]) else 0


def summary_text(summary: str) -> str:
    """The summary of the session's older part, framed like everything else that was written down earlier."""
    return framed(summary.strip(), "Session Summary") if summary.strip() else ""

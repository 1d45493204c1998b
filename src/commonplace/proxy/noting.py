"""What a conversation that passes by leaves in the book, and what it is told from there.

A program sends the whole conversation with every request, so a message is known by what it says and how often it was
said before: each comes in once, and it does not matter when older ones fall away. Nothing here may break a request.
"""

import hashlib
import logging
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from commonplace.errors import CommonplaceError
from commonplace.framing import harmless, strip_injected
from commonplace.memory import Memory
from commonplace.prompts import prompt
from commonplace.proxy.wire import Spoken
from commonplace.tools.calling import failure, run_tool
from commonplace.tools.table import Context
from commonplace.types.chatting import ToolCall
from commonplace.types.sessions import Message

SESSION_HEADER = "x-commonplace-session"
_log = logging.getLogger(__name__)
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Told:
    """What is put before the first and before the newest message of the user; `injected` are its lines."""

    first: str = ""
    newest: str = ""
    injected: tuple[str, ...] = ()


def session_of(given: str, said: Sequence[Spoken]) -> str:
    """The conversation in the book: what the program calls it, or, where it says nothing, how it began."""
    if given.strip():
        readable = _UNSAFE.sub("-", given)[:60].strip("-")
        return f"proxy-{readable}" if readable == given else f"proxy-{readable or 'session'}.{_hash(given)}"
    first = next((one.text for one in said if one.role == "user"), "")
    return f"proxy-{_hash(' '.join(first.split()))}"


def heard(memory: Memory, session: str, said: Sequence[Spoken]) -> str:
    """Keep what is new of a conversation; what was done because the user asked for it, to be told to the model."""
    try:
        new = memory.add_new_messages(session, *_messages(said))
    except CommonplaceError as error:
        _log.warning("The conversation could not be kept (%s): %s", error.code, error.message)
        return ""
    except Exception:  # a fault of ours must not cost the program its answer
        _log.exception("The conversation could not be kept")
        return ""
    done = [f"- {harmless(one.told)}" for message in new for one in message.done]
    return "\n".join([prompt("hosted_done"), *done]) if done else ""


def recalled(memory: Memory, session: str, said: Sequence[Spoken], done: str) -> Told:
    """What the model is told: the long-term memory, which stays the same, and what fits the newest message."""
    asked = next((one.text for one in reversed(said) if one.role == "user"), "")
    try:
        found = memory.recall(asked, session=session)
    except CommonplaceError as error:
        _log.warning("Nothing could be recalled (%s): %s", error.code, error.message)
        return Told("", done)
    except Exception:  # as above
        _log.exception("Nothing could be recalled")
        return Told("", done)
    lines = tuple(line for line in found.relevant.splitlines() if line.strip())
    return Told(found.long_term, "\n\n".join(filter(None, (found.relevant, done))), lines)


def answered(memory: Memory, session: str, told: Told, call: ToolCall) -> str:
    """What one of our tools says to the model."""
    try:
        return run_tool(Context(memory, session, told.injected), call).text
    except Exception:  # as above
        _log.exception("The tool %s failed", call.name)
        return failure("unexpected", "The memory could not do that. Go on without it.").text


def _messages(said: Sequence[Spoken]) -> list[Message]:
    now = datetime.now().astimezone()
    seen: Counter[tuple[str, str]] = Counter()
    found: list[Message] = []
    for one in said:
        text = strip_injected(one.text).strip()
        what = (one.role, " ".join(text.split()))
        if text:
            found.append(Message(_hash(f"{what}{seen[what]}"), one.role, text, now))
            seen[what] += 1
    return found


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def named(headers: Mapping[str, str], given: str) -> str:
    return headers.get(SESSION_HEADER) or given

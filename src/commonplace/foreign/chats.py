"""What the exports of chat services share: messages get times and ids that hold, and become one conversation. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from commonplace.foreign.ids import digest, message_id, session_id
from commonplace.framing import strip_injected
from commonplace.types.sessions import Message
from commonplace.types.transfer import Conversation, PassedOver

EMPTY = "nothing was said in it"
NO_TIME = "it has no time anywhere, and none is invented"


@dataclass(frozen=True, slots=True)
class Said:
    """A message as an export has it."""

    id: str
    role: str
    text: str
    at: datetime | None


def conversation(
    program: str, id: str, title: str, said: Sequence[Said], began: datetime | None, dropped: Sequence[str] = ()
) -> Conversation | PassedOver:
    """A conversation of what was said. A message without a time has that of the one before it; the first ones have
    that of the conversation, or of the first one that has any."""
    kept = [(one, text) for one in said if (text := strip_injected(one.text).strip())]
    place = title.strip() or id
    if not kept:
        return PassedOver(place, EMPTY)
    times = [one.at for one, _ in kept]
    at = began or next((time for time in times if time is not None), None)
    if at is None:
        return PassedOver(place, NO_TIME)
    messages: list[Message] = []
    known: dict[str, str] = {}
    for one, text in kept:
        at = one.at or at
        extra: dict[str, object] = {} if one.at else {"undated": True}
        given = message_id(one.id or f"{id}.{len(messages)}")
        if known.setdefault(given, text) != text:  # an export that calls two messages the same: both were said
            given = f"{given[:100]}.{digest(one.role, text)}"
        messages.append(Message(given, one.role, text, at, extra))
    return Conversation(session_id(program, id), title.strip(), tuple(messages), times.count(None), tuple(dropped))

"""What the user asked to be remembered, as far as their own words in a conversation tell. Pure."""

from collections.abc import Sequence

from commonplace.distill.digest import requested
from commonplace.gate.tracing import own_words
from commonplace.terms import terms
from commonplace.types import Message

_COVERED = 0.5


def requests_in(messages: Sequence[Message]) -> list[str]:
    """Every request to keep something. What the user pasted asks for nothing."""
    return [what for message in messages if message.role == "user" for what in requested(own_words(message.text))]


def covers(text: str, request: str) -> bool:
    """Whether `text` is what `request` asks to keep, as somebody may have put it into other words."""
    said, wanted = set(terms(text)), set(terms(request))
    return bool(said and wanted) and len(said & wanted) >= _COVERED * min(len(said), len(wanted))

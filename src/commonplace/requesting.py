"""What the user asked to be remembered, as far as their own words in a conversation tell. Pure."""

import re
from collections.abc import Sequence

from commonplace.distill.digest import requested
from commonplace.gate.tracing import own_words
from commonplace.terms import terms
from commonplace.types.sessions import Message

_COVERED = 0.5
_TELLING = re.compile(r"(?<=\s)[^\W\d_a-z]\w+|\w*\d\w*")  # names within a sentence, and numbers


def requests_in(messages: Sequence[Message]) -> list[str]:
    """Every request to keep something. What the user pasted asks for nothing."""
    return [what for words in _own(messages) for what in requested(words)]


def answered(text: str, messages: Sequence[Message]) -> list[str]:
    """The requests that `text` fulfils, as somebody may have put them into other words; none if it names somebody or
    something, or has a number, that the user did not say: that may come from elsewhere."""
    said = set(terms(" ".join(_own(messages))))
    if any(term not in said for word in _TELLING.findall(text) for term in terms(word)):
        return []
    return [request for request in requests_in(messages) if _covers(text, request)]


def _own(messages: Sequence[Message]) -> list[str]:
    return [own_words(message.text) for message in messages if message.role == "user"]


def _covers(text: str, request: str) -> bool:
    said, wanted = set(terms(text)), set(terms(request))
    return bool(said and wanted) and len(said & wanted) >= _COVERED * min(len(said), len(wanted))

"""What the user asked to be remembered, as far as their own words in a conversation tell. Pure."""

import re
from collections.abc import Iterable, Sequence

from commonplace.distill.digest import requested
from commonplace.gate.polarity import negations
from commonplace.gate.tracing import foreign_words, is_said, own_words, telling_terms
from commonplace.terms import terms
from commonplace.types.sessions import Message

_NEARLY_ALL = 0.75
_HALF = 0.5
_NAMES = re.compile(r"(?<=\s)[^\W\d_a-z]\w+|\w*\d\w*")  # names within a sentence, and numbers


def requests_in(messages: Sequence[Message]) -> list[str]:
    """Every request to keep something. What the user pasted asks for nothing."""
    return [what for words in _own(messages) for what in requested(words)]


def answered(text: str, messages: Sequence[Message]) -> list[str]:
    """The requests that `text` fulfils, at least for a half, in the words of the request but for a few. None if it
    names somebody or something, or has a number, that the user did not say, or says a word of others that is not in the
    request: that may come from elsewhere. A request is no blank cheque for whatever is about the same thing."""
    said = set(terms(" ".join(_own(messages))))
    if any(term not in said for name in _NAMES.findall(text) for term in terms(name)):
        return []
    foreign = frozenset(terms(" ".join(_foreign(messages))))
    return [request for request in requests_in(messages) if _answers(text, request, foreign)]


def fulfilled(request: str, texts: Sequence[str]) -> bool:
    """Whether texts that answer a request say nearly all of it between them, with its names and numbers."""
    said = frozenset(term for text in texts for term in terms(text))
    named = (term for name in _NAMES.findall(request) for term in terms(name))
    return bool(texts) and all(is_said(term, said) for term in named) and _share(request, said) >= _NEARLY_ALL


def _answers(text: str, request: str, foreign: frozenset[str]) -> bool:
    asked = frozenset(terms(request))
    return (
        negations(text) == negations(request)
        and _share(text, asked) >= _NEARLY_ALL
        and not any(is_said(term, foreign) for term in telling_terms(text) if not is_said(term, asked))
        and _share(request, frozenset(terms(text))) >= _HALF
    )


def _share(text: str, said: frozenset[str]) -> float:
    wanted = telling_terms(text)
    return sum(is_said(term, said) for term in wanted) / len(wanted) if wanted else 0.0


def _own(messages: Sequence[Message]) -> list[str]:
    return [own_words(message.text) for message in messages if message.role == "user"]


def _foreign(messages: Sequence[Message]) -> Iterable[str]:
    for message in messages:
        if message.role == "user":
            yield foreign_words(message.text)
        elif message.role not in {"assistant", "event", "memory", "system", "developer"}:
            yield message.text
